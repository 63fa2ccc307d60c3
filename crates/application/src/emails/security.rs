//! Emails that notify an owner of changes to the account, because somebody else may
//! have made them.

use ideavault_domain::Timestamp;
use ideavault_domain::account::User;
use ideavault_domain::browser::browser_name;
use ideavault_domain::mail::{Mail, MailKind};
use ideavault_domain::operator::VaultName;
use ideavault_domain::recipient::Origin;

use super::news::time;
use super::{Links, signature};

/// A mail about a security event of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SecurityMail {
    /// The password was changed, or reset with a mailed link.
    PasswordChanged,
    /// A mailed link reset the password of an account whose address was never
    /// confirmed: somebody else may have created it.
    AccountTakenOver {
        /// Whether two-step sign-in was active until now.
        two_factor: bool,
        /// Whether the account contains ideas.
        ideas: bool,
    },
    /// A login from an unknown browser.
    NewDevice,
    /// Two-step sign-in was turned on.
    TwoFactorOn,
    /// Two-step sign-in was turned off.
    TwoFactorOff,
    /// The recovery codes were replaced.
    RecoveryCodesReplaced,
    /// Wrong codes were entered after the right password.
    WrongCodes {
        /// Number of wrong codes in a row.
        wrong_codes: i64,
        /// End of the lock, if codes are locked.
        locked_until: Option<Timestamp>,
    },
    /// A login with a recovery code.
    RecoveryCodeUsed {
        /// Number of unused codes left.
        left: i64,
    },
}

impl SecurityMail {
    fn subject(self, vault: &VaultName) -> String {
        match self {
            Self::PasswordChanged | Self::AccountTakenOver { .. } => {
                format!("Your {vault} password was changed")
            }
            Self::NewDevice => format!("A new browser is signed in to {vault}"),
            Self::TwoFactorOn => format!("Two-step sign-in is on for {vault}"),
            Self::TwoFactorOff => format!("Two-step sign-in is off for {vault}"),
            Self::RecoveryCodesReplaced => format!("New recovery codes for {vault}"),
            Self::WrongCodes { .. } => format!("Wrong codes for your {vault} account"),
            Self::RecoveryCodeUsed { .. } => format!("A recovery code of {vault} was used"),
        }
    }

    fn what(self, vault: &VaultName) -> String {
        match self {
            Self::PasswordChanged => {
                format!(
                    "The password of your {vault} account was changed, and the account is\n\
                 signed out everywhere else."
                )
            }
            Self::AccountTakenOver { two_factor, ideas } => {
                let off = if two_factor {
                    "\nTwo-step sign-in, which was on, was turned off."
                } else {
                    ""
                };
                let kept = if ideas {
                    "\nIts ideas were kept: delete any that are not yours. Its links were revoked."
                } else {
                    ""
                };
                format!(
                    "A new password was chosen for the {vault} account with this address, with\n\
                     the link that we emailed to you. The address was not confirmed before: it is\n\
                     now. In case somebody else created the account, it is signed out\n\
                     everywhere.{off}{kept}\n\
                     Please check the name and picture in your profile as well."
                )
            }
            Self::NewDevice => {
                format!(
                    "Somebody, most likely you, signed in to your {vault} account with a\n\
                 browser that was not used with it before."
                )
            }
            Self::TwoFactorOn => {
                format!(
                    "Two-step sign-in was turned on: from now on, signing in to your {vault}\n\
                     account also needs a code from an authenticator app. You are signed out\n\
                     everywhere else."
                )
            }
            Self::TwoFactorOff => {
                format!(
                    "Two-step sign-in was turned off: from now on, your {vault} account opens\n\
                     with the password alone."
                )
            }
            Self::RecoveryCodesReplaced => {
                format!(
                    "New recovery codes were created for your {vault} account. The old\n\
                 ones no longer work."
                )
            }
            Self::WrongCodes {
                wrong_codes,
                locked_until,
            } => {
                let lock = locked_until.map_or_else(String::new, |until| {
                    format!("\nNo code is accepted before {}.", time(until))
                });
                format!(
                    "Somebody entered the password of your {vault} account, and then\n\
                     {wrong_codes} wrong codes in a row for two-step sign-in.{lock}"
                )
            }
            Self::RecoveryCodeUsed { left } => {
                let codes = match left {
                    1 => "1 recovery code is".to_owned(),
                    left => format!("{left} recovery codes are"),
                };
                format!(
                    "Somebody, most likely you, signed in to your {vault} account with a\n\
                     recovery code instead of a code from your app. {codes} left."
                )
            }
        }
    }

    /// Returns what it means if it was not the owner.
    fn danger(self) -> &'static str {
        match self {
            Self::WrongCodes { .. } => "somebody else knows your password",
            _ => "somebody else can sign in to your account",
        }
    }
}

/// Notifies `user` of something done at `at` from `origin`.
#[must_use]
pub(crate) fn security_mail(
    links: &Links,
    user: &User,
    event: SecurityMail,
    at: Timestamp,
    origin: &Origin,
) -> Mail {
    let User { name, email, .. } = user;
    let what = event.what(links.vault());
    let danger = event.danger();
    let when = time(at);
    let browser = browser_name(origin.user_agent.as_deref());
    let address = origin.ip;
    let link = links.forgot_password();
    let body = format!(
        "Hello {name},\n\
         \n\
         {what}\n\
         \n\
         \x20   When:  {when}\n\
         \x20   With:  {browser}\n\
         \x20   From:  {address}\n\
         \n\
         If that was you, you can ignore this email.\n\
         \n\
         If it was not, {danger}. Please choose\n\
         a new password now; that signs everybody out:\n\
         \n\
         {link}\n\
         {}",
        signature(links)
    );
    Mail::new(email.clone(), &event.subject(links.vault()), body).of_kind(MailKind::Security)
}

/// Confirms to `user` that the account was deleted at `at` from `origin`.
#[must_use]
pub(crate) fn account_deleted(links: &Links, user: &User, at: Timestamp, origin: &Origin) -> Mail {
    let User { name, email, .. } = user;
    let vault = links.vault();
    let when = time(at);
    let browser = browser_name(origin.user_agent.as_deref());
    let address = origin.ip;
    let body = format!(
        "Hello {name},\n\
         \n\
         Your {vault} account was deleted, with your ideas, files and links. Proofs of what\n\
         happened stay in the log of this vault, without your name and without content.\n\
         \n\
         \x20   When:  {when}\n\
         \x20   With:  {browser}\n\
         \x20   From:  {address}\n\
         \n\
         The password of the account was entered for this. If that was not you, please tell the\n\
         operator of this vault now: only a backup still has your ideas.\n\
         {}",
        signature(links)
    );
    Mail::new(
        email.clone(),
        &format!("Your {vault} account was deleted"),
        body,
    )
    .of_kind(MailKind::Security)
}
