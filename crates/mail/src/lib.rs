//! Delivers emails: by SMTP, or as files in a folder.
//!
//! Invariant: errors never contain the text of an email or of a mail server's reply:
//! either may contain a link with a secret token.

mod folder;
mod html;
mod message;
mod smtp;
#[cfg(feature = "testing")]
pub mod testing;

pub use folder::FolderMailer;
pub use message::{BadSender, Sender};
pub use smtp::{SmtpConfigError, SmtpMailer, SmtpUnusable};
