//! The mail with the link to what a person was shown.

use ideavault_domain::document_link::DOCUMENT_LINK_LIFETIME;
use ideavault_domain::email::Email;
use ideavault_domain::mail::{Mail, MailKind};
use ideavault_domain::token::Token;

use super::{Links, signature};

/// Links a person with a confirmed address to what that person was shown.
#[must_use]
pub(crate) fn my_documents(links: &Links, to: &Email, token: &Token) -> Mail {
    let link = format!("{}/{}", links.my_documents(), token.reveal());
    let minutes = DOCUMENT_LINK_LIFETIME.num_minutes();
    let vault = links.vault();
    let body = format!(
        "Hello,\n\
         \n\
         Somebody, most likely you, asked what was shown to this address, {to}.\n\
         To see the list, with your agreements and their receipts, please open\n\
         this page and press the button there:\n\
         \n\
         {link}\n\
         \n\
         The link works once, within {minutes} minutes. Please do not pass it on: it shows\n\
         the list to whoever has it.\n\
         \n\
         If it was not you, you can ignore this email: nobody but you has this link.\n\
         {}",
        signature(links)
    );
    Mail::new(to.clone(), &format!("Your documents in {vault}"), body).of_kind(MailKind::Documents)
}
