//! The background task that empties the outbox, and who it gives mails to.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ideavault_application::deliveries::Delivery;
use ideavault_domain::failure::Failure;
use ideavault_domain::ports::Mailer;
use ideavault_mail::{BadSender, FolderMailer, Sender, SmtpConfigError, SmtpMailer};
use thiserror::Error;

use crate::app::App;
use crate::config::MailOptions;
use crate::http::blocking::UseCases;
use crate::http::error::chain;

/// Who mails come from unless somebody says otherwise, which is fine for files.
const DEFAULT_SENDER: &str = "IdeaVault <ideavault@localhost>";
/// The folder for mails, in the data folder.
const FOLDER: &str = "outbox";

/// How often to look for mails; they also come from other processes.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long to leave a store alone that could not answer.
const REST: Duration = Duration::from_secs(10);

/// A mail configuration that makes no sense.
#[derive(Debug, Error)]
pub enum MailError {
    /// A mail server wants to know who sends.
    #[error("IDEAVAULT_SMTP_URL needs IDEAVAULT_MAIL_FROM, the address that mails come from")]
    NoSender,
    /// The sender is no address.
    #[error(transparent)]
    Sender(#[from] BadSender),
    /// The mail server's address cannot be used.
    #[error(transparent)]
    Smtp(#[from] SmtpConfigError),
}

/// The mailer that is configured: SMTP, or else files in the data folder.
///
/// # Errors
/// [`MailError`].
pub fn mailer(options: &MailOptions, data_dir: &Path) -> Result<Arc<dyn Mailer>, MailError> {
    let sender = options.mail_from.as_deref();
    match &options.smtp_url {
        Some(url) => {
            let sender = Sender::parse(sender.ok_or(MailError::NoSender)?)?;
            Ok(Arc::new(SmtpMailer::new(url, sender)?))
        }
        None => {
            let folder = data_dir.join(FOLDER);
            tracing::info!(folder = %folder.display(), "no mail server: mails become files");
            let sender = Sender::parse(sender.unwrap_or(DEFAULT_SENDER))?;
            Ok(Arc::new(FolderMailer::new(folder, sender)))
        }
    }
}

/// Delivers mails one after the other, for as long as the server runs. One
/// that is interrupted is tried again when its lease ends.
pub async fn deliver(use_cases: UseCases) {
    loop {
        match use_cases.run(next).await {
            Ok(Delivery::Idle) => tokio::time::sleep(LOOK_EVERY).await,
            Ok(outcome) => log(&outcome),
            Err(error) => {
                tracing::warn!(error = chain(&error), "could not look for mails");
                tokio::time::sleep(REST).await;
            }
        }
    }
}

fn next(app: &App) -> Result<Delivery, Failure> {
    app.announcements.announce()?;
    Ok(app.deliveries.deliver_next()?)
}

/// Names mails by their ids only: an address is nobody else's business.
fn log(outcome: &Delivery) {
    match outcome {
        Delivery::Idle => {}
        Delivery::Delivered(mail) => tracing::info!(%mail, "delivered a mail"),
        Delivery::Postponed {
            mail,
            until,
            reason,
        } => tracing::warn!(%mail, %until, error = chain(reason), "a mail has to wait"),
        Delivery::GivenUp { mail, reason } => {
            let reason: &dyn Error = reason;
            tracing::error!(%mail, error = chain(reason), "gave a mail up");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn configured(smtp_url: Option<&str>, mail_from: Option<&str>) -> Result<(), MailError> {
        let options = MailOptions {
            smtp_url: smtp_url.map(Into::into),
            mail_from: mail_from.map(Into::into),
        };
        mailer(&options, Path::new("/nowhere")).map(drop)
    }

    #[test]
    fn a_mail_server_needs_a_sender_and_a_folder_does_not() {
        let url = Some("smtps://mail.example.org");
        assert!(configured(url, Some("vault@example.org")).is_ok());
        assert!(matches!(configured(url, None), Err(MailError::NoSender)));
        assert!(configured(None, None).is_ok());
        assert!(configured(None, Some("vault@example.org")).is_ok());
        assert!(configured(None, Some("nobody")).is_err());
    }
}
