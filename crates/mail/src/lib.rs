//! Delivers mails: by SMTP, or as files in a folder.
//!
//! Invariant: errors never repeat what a mail says or what a mail server
//! answered in words: either may hold a link that opens something.

mod folder;
mod html;
mod message;
mod smtp;
#[cfg(feature = "testing")]
pub mod testing;

pub use folder::FolderMailer;
pub use message::{BadSender, Sender};
pub use smtp::{SmtpConfigError, SmtpMailer};
