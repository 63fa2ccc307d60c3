//! The texts of all emails, and the links in them.
//!
//! Invariant: an email says who caused it, what will happen and what to do if it is
//! unexpected; it never contains an idea's content.

use ideavault_domain::account::{CONFIRMATION_LIFETIME, RESET_LIFETIME, User};
use ideavault_domain::admission::INVITATION_LIFETIME;
use ideavault_domain::code::{CODE_ATTEMPTS, CODE_LIFETIME, OneTimeCode};
use ideavault_domain::email::Email;
use ideavault_domain::ids::IdeaId;
use ideavault_domain::mail::{Mail, MailKind};
use ideavault_domain::operator::{Operator, VaultName};
use ideavault_domain::recipient::Recipient;
use ideavault_domain::share::Invitation;
use ideavault_domain::text::{Title, percent_encoded, quoted, without_links};
use ideavault_domain::token::Token;

mod my_documents;
mod news;
mod security;

pub(crate) use my_documents::my_documents;
pub(crate) use news::{LinkDigest, comment_reply, link_digest, receipt};
pub(crate) use security::{SecurityMail, account_deleted, security_mail};

/// Addresses of the web pages that emails link to.
#[derive(Clone, Debug)]
pub struct Links {
    origin: String,
    operator: Operator,
}

impl Links {
    /// Creates links below `origin`, which has no trailing slash.
    #[must_use]
    pub fn new(origin: impl Into<String>) -> Self {
        Self {
            origin: origin.into(),
            operator: Operator::default(),
        }
    }

    /// Returns the same links for a vault run by `operator`.
    #[must_use]
    pub fn run_by(self, operator: Operator) -> Self {
        Self { operator, ..self }
    }

    /// Returns the name of the vault.
    pub(crate) fn vault(&self) -> &VaultName {
        &self.operator.vault
    }

    /// Names an account in the vault, with the right article.
    fn an_account(&self) -> String {
        let vault = self.vault();
        if vault.is_default() {
            format!("an {vault} account")
        } else {
            format!("an account of {vault}")
        }
    }

    /// Names the vault and its address.
    fn the_vault(&self) -> String {
        let (vault, origin) = (self.vault(), &self.origin);
        if vault.is_default() {
            format!("the {vault} at {origin}")
        } else {
            format!("{vault} at {origin}")
        }
    }

    /// Includes the email address, so that the page can fill it in and nobody
    /// mistypes the invited one.
    fn register(&self, email: &Email, token: &Token) -> String {
        let email = percent_encoded(email.as_str());
        let token = token.reveal();
        format!("{}/register?invitation={token}&email={email}", self.origin)
    }

    fn confirm_email(&self, token: &Token) -> String {
        format!("{}/confirm-email/{}", self.origin, token.reveal())
    }

    fn forgot_password(&self) -> String {
        format!("{}/forgot-password", self.origin)
    }

    fn reset_password(&self, token: &Token) -> String {
        format!("{}/reset-password/{}", self.origin, token.reveal())
    }

    fn view(&self, token: &Token) -> String {
        format!("{}/view/{}", self.origin, token.reveal())
    }

    fn share(&self, idea: IdeaId) -> String {
        format!("{}/share/{}", self.origin, idea.as_i64())
    }

    fn unsubscribe(&self, token: &Token) -> String {
        format!("{}/unsubscribe/{}", self.origin, token.reveal())
    }

    /// The page of the public record with that document id.
    pub(crate) fn record(&self, document_id: &str) -> String {
        format!("{}/record/{document_id}", self.origin)
    }

    /// The page that asks for the address of a reader.
    fn my_documents(&self) -> String {
        format!("{}/my-documents", self.origin)
    }

    /// The page that checks evidence.
    pub(crate) fn verify(&self) -> String {
        format!("{}/verify", self.origin)
    }

    /// Address for one-click unsubscribing (RFC 8058).
    fn one_click(&self, token: &Token) -> String {
        format!("{}/api/unsubscribe/{}", self.origin, token.reveal())
    }
}

/// Returns the title that mails show for an idea, in quotes. Every mail that names an idea takes it
/// from here.
fn shown_title(title: &Title) -> String {
    quoted(&without_links(title.as_str()))
}

/// Invites somebody to register on behalf of the operator.
#[must_use]
pub(crate) fn registration_invitation(links: &Links, to: &Email, token: &Token) -> Mail {
    let link = links.register(to, token);
    let (vault, the_vault) = (links.vault(), links.the_vault());
    let days = INVITATION_LIFETIME.num_days();
    let body = format!(
        "Hello,\n\
         \n\
         You are invited to {the_vault}. It is a\n\
         place to write down an idea, put its text and time on record, and show it to\n\
         others under a non-disclosure agreement.\n\
         \n\
         To create your account, please open this page:\n\
         \n\
         {link}\n\
         \n\
         The link works once, within {days} days, and only for this address, {to}.\n\
         Please do not pass it on. If you did not expect it, ignore this email.\n\
         {}",
        signature(links)
    );
    Mail::new(to.clone(), &format!("Your invitation to {vault}"), body)
        .of_kind(MailKind::Invitation)
}

/// Links the owner of an account to the page that confirms its address. Repeats
/// nothing that was typed at registration but the address.
#[must_use]
pub(crate) fn email_confirmation(links: &Links, to: &Email, token: &Token) -> Mail {
    let link = links.confirm_email(token);
    let forgot = links.forgot_password();
    let days = CONFIRMATION_LIFETIME.num_days();
    let (vault, an_account) = (links.vault(), links.an_account());
    let body = format!(
        "Hello,\n\
         \n\
         Somebody, most likely you, created {an_account} with this address,\n\
         {to}. To confirm that it is yours, please open this page and press the\n\
         button there, signed in or with the password of the account:\n\
         \n\
         {link}\n\
         \n\
         It works once, within {days} days, and only until you ask for another.\n\
         \n\
         If it was not you, do not confirm it: the account would remain somebody else's.\n\
         You can ignore this email, or take over the account by choosing a password\n\
         for it:\n\
         \n\
         {forgot}\n\
         {}",
        signature(links)
    );
    Mail::new(
        to.clone(),
        &format!("Please confirm your email address for {vault}"),
        body,
    )
    .of_kind(MailKind::Confirmation)
}

/// Notifies the owner of an account that somebody tried to register with its address.
#[must_use]
pub(crate) fn registered_again(links: &Links, user: &User) -> Mail {
    let email = &user.email;
    let forgot = links.forgot_password();
    let an_account = links.an_account();
    let unproven = if user.has_confirmed_email() {
        ""
    } else {
        "\n\
         Nobody has confirmed the address of that account. If you did not create it,\n\
         somebody else did. Choose a new password and the account is yours; the other\n\
         person is then signed out.\n"
    };
    let body = format!(
        "Hello,\n\
         \n\
         Somebody, most likely you, tried to create {an_account} with this\n\
         address, {email}. There already is one, so nothing was changed.\n\
         \n\
         If you have forgotten the password, you can choose a new one here:\n\
         \n\
         {forgot}\n\
         {unproven}\
         \n\
         If it was not you, you can ignore this email.\n\
         {}",
        signature(links)
    );
    Mail::new(
        email.clone(),
        &format!("You already have {an_account}"),
        body,
    )
    .of_kind(MailKind::RegisteredAgain)
}

/// Links to the page that sets a new password.
#[must_use]
pub(crate) fn password_reset(links: &Links, user: &User, token: &Token) -> Mail {
    let User { name, email, .. } = user;
    let link = links.reset_password(token);
    let minutes = RESET_LIFETIME.num_minutes();
    let vault = links.vault();
    let body = format!(
        "Hello {name},\n\
         \n\
         Somebody, most likely you, asked to change the password of your {vault}\n\
         account. To choose a new one, please open this link:\n\
         \n\
         {link}\n\
         \n\
         It works once, within {minutes} minutes, and only until you ask for another.\n\
         You will then be signed out everywhere, and can sign in with the new\n\
         password.\n\
         \n\
         If it was not you, you can ignore this email: your password stays as it\n\
         is, and nobody but you has this link.\n\
         {}",
        signature(links)
    );
    let subject = format!("Your request to change your {vault} password");
    Mail::new(email.clone(), &subject, body).of_kind(MailKind::PasswordReset)
}

/// Asks a reader to open a link that was created for this address.
#[must_use]
pub(crate) fn share_invitation(
    links: &Links,
    to: &Email,
    owner: &User,
    title: &Title,
    token: &Token,
    invitation: &Invitation,
) -> Mail {
    let link = links.view(token);
    let sharer = without_links(owner.name.as_str());
    let title = shown_title(title);
    let message = match &invitation.message {
        Some(message) => format!(
            "{sharer} adds:\n\
             \n\
             \x20   {}\n\
             \n",
            quoted(message.as_str())
        ),
        None => String::new(),
    };
    let answer = if invitation.reply_to_me {
        format!("If you reply to this email, your answer goes to {sharer}.\n")
    } else {
        String::new()
    };
    let body = format!(
        "Hello,\n\
         \n\
         {sharer} would like to show you an idea in confidence:\n\
         \n\
         \x20   {title}\n\
         \n\
         {message}\
         To read it, please open this link:\n\
         \n\
         {link}\n\
         \n\
         You will be asked for your name and for this email address, then for a\n\
         code that we send to it, and then to accept a non-disclosure agreement.\n\
         The idea opens once you have agreed.\n\
         {sharer} can see when you agree and when you open it.\n\
         {answer}\
         \n\
         The link is meant for {to} alone, so please do not pass it on. If you\n\
         do not know {sharer}, you can ignore this email; nothing will happen.\n\
         {}",
        signature(links)
    );
    let subject = format!("{sharer} would like to show you an idea: {title}");
    let reply_to = invitation.reply_to_me.then(|| owner.email.clone());
    Mail::new(to.clone(), &subject, body)
        .with_reply_to(reply_to)
        .of_kind(MailKind::Link)
}

/// Sends the code that proves control of a reader's address, which the link is for.
#[must_use]
pub(crate) fn confirmation_code(links: &Links, reader: &Recipient, code: &OneTimeCode) -> Mail {
    let digits = code.reveal();
    let minutes = CODE_LIFETIME.num_minutes();
    let sharer = without_links(reader.agreement.sharer.as_str());
    let title = shown_title(&reader.agreement.idea_title);
    let body = format!(
        "Hello,\n\
         \n\
         Somebody, most likely you, opened the link that {sharer} sent to this\n\
         address, to the idea {title}, and entered the address there.\n\
         To confirm that it is yours, please enter this code on the page that asks\n\
         for it:\n\
         \n\
         \x20   {digits}\n\
         \n\
         It works once, within {minutes} minutes and {CODE_ATTEMPTS} tries, and only until you ask for\n\
         another. {sharer} will see that this address was confirmed, and when.\n\
         \n\
         Please do not share the code; we never ask for it by phone or email. If\n\
         it was not you, you can ignore this email: without the code, nobody gets\n\
         any further.\n\
         {}",
        signature(links)
    );
    let subject = format!("Your {} code for {title}", links.vault());
    Mail::new(reader.email.clone(), &subject, body).of_kind(MailKind::Code)
}

/// Notifies the sender that a mail will never arrive.
#[must_use]
pub(crate) fn undeliverable(links: &Links, sender: &User, mail: &Mail) -> Mail {
    let (name, to, subject) = (&sender.name, mail.to(), mail.subject());
    let body = format!(
        "Hello {name},\n\
         \n\
         Your invitation could not be delivered to {to}. Its subject was:\n\
         \n\
         \x20   {subject}\n\
         \n\
         Please check the address. If it is right, ask your reader for another one,\n\
         or send the link yourself: it is on the idea's share page.\n\
         {}",
        signature(links)
    );
    let about = format!("Your invitation to {to} was not delivered");
    Mail::new(sender.email.clone(), &about, body).of_kind(MailKind::Undeliverable)
}

fn signature(links: &Links) -> String {
    let (vault, origin) = (links.vault(), &links.origin);
    let contact = match &links.operator.contact {
        Some(contact) => format!("Contact: {contact}\n"),
        None => String::new(),
    };
    format!("\n-- \n{vault}\n{origin}\n{contact}")
}

#[cfg(test)]
mod tests;
