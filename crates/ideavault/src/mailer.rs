//! Chooses the mailer.

use std::path::Path;
use std::sync::Arc;

use ideavault_domain::operator::VaultName;
use ideavault_domain::ports::Mailer;
use ideavault_mail::{BadSender, FolderMailer, Sender, SmtpConfigError, SmtpMailer};
use thiserror::Error;

use crate::config::MailOptions;

/// Sender when none is configured, which is enough for mails written to files.
const DEFAULT_SENDER: &str = "ideavault@localhost";
/// Folder for mails, inside the data folder.
const FOLDER: &str = "outbox";

/// An invalid mail configuration.
#[derive(Debug, Error)]
pub enum MailError {
    /// A mail server is configured without a sender address.
    #[error("IDEAVAULT_SMTP_URL needs IDEAVAULT_MAIL_FROM, the address that mails come from")]
    NoSender,
    /// The sender address is invalid.
    #[error("IDEAVAULT_MAIL_FROM cannot be used")]
    Sender(#[from] BadSender),
    /// The address of the mail server is invalid.
    #[error("IDEAVAULT_SMTP_URL cannot be used")]
    Smtp(#[from] SmtpConfigError),
}

/// Returns the configured mailer: SMTP, or files in the data folder. The sender's name is
/// `vault`'s unless the configured sender has one.
pub fn mailer(
    options: &MailOptions,
    vault: &VaultName,
    data_dir: &Path,
) -> Result<Arc<dyn Mailer>, MailError> {
    match smtp_mailer(options, vault)? {
        Some(mailer) => Ok(Arc::new(mailer)),
        None => {
            let sender = options.mail_from.as_deref();
            let folder = data_dir.join(FOLDER);
            tracing::info!(
                folder = %folder.display(),
                "no mail server is configured: mails are written to files"
            );
            let sender = Sender::parse(sender.unwrap_or(DEFAULT_SENDER), vault.as_str())?;
            Ok(Arc::new(FolderMailer::new(folder, sender)))
        }
    }
}

/// Returns the mailer of the configured server, if there is one.
pub fn smtp_mailer(
    options: &MailOptions,
    vault: &VaultName,
) -> Result<Option<SmtpMailer>, MailError> {
    let Some(url) = options.smtp_url() else {
        return Ok(None);
    };
    let sender = options.mail_from.as_deref().ok_or(MailError::NoSender)?;
    let sender = Sender::parse(sender, vault.as_str())?;
    Ok(Some(SmtpMailer::new(url, sender)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn configured(smtp_url: Option<&str>, mail_from: Option<&str>) -> Result<(), MailError> {
        let options = MailOptions {
            smtp_url: smtp_url.map(Into::into),
            smtp_url_file: None,
            mail_from: mail_from.map(Into::into),
        };
        mailer(&options, &VaultName::default(), Path::new("/nowhere")).map(drop)
    }

    #[test]
    fn a_mail_server_requires_a_sender_and_a_folder_does_not() {
        let url = Some("smtps://mail.example.org");
        assert!(configured(url, Some("vault@example.org")).is_ok());
        assert!(matches!(configured(url, None), Err(MailError::NoSender)));
        assert!(configured(None, None).is_ok());
        assert!(configured(None, Some("vault@example.org")).is_ok());
        assert!(configured(None, Some("nobody")).is_err());
    }
}
