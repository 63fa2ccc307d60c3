//! The background job that delivers queued mails, and the choice of its mailer.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ideavault_application::outbox_worker::Delivery;
use ideavault_domain::failure::Failure;
use ideavault_domain::operator::VaultName;
use ideavault_domain::ports::{CommitHook, Mailer};
use ideavault_mail::{BadSender, FolderMailer, Sender, SmtpConfigError, SmtpMailer};
use ideavault_web::{Executor, chain};
use thiserror::Error;
use tokio::sync::Notify;

use crate::config::MailOptions;
use crate::wiring::Background;

/// Sender when none is configured, which is enough for mails written to files.
const DEFAULT_SENDER: &str = "ideavault@localhost";
/// Folder for mails, inside the data folder.
const FOLDER: &str = "outbox";

/// Polling interval: mails that other processes queued, and retries that became due, do not
/// wake the job.
pub const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Pause after a failed look at the outbox.
const BACKOFF: Duration = Duration::from_secs(10);

/// An invalid mail configuration.
#[derive(Debug, Error)]
pub enum MailError {
    /// A mail server is configured without a sender address.
    #[error("IDEAVAULT_SMTP_URL needs IDEAVAULT_MAIL_FROM, the address that mails come from")]
    NoSender,
    /// The sender address is invalid.
    #[error(transparent)]
    Sender(#[from] BadSender),
    /// The address of the mail server is invalid.
    #[error(transparent)]
    Smtp(#[from] SmtpConfigError),
}

/// Returns the configured mailer: SMTP, or files in the data folder. The sender's name is
/// `vault`'s unless the configured sender has one.
///
/// # Errors
/// [`MailError`].
pub fn mailer(
    options: &MailOptions,
    vault: &VaultName,
    data_dir: &Path,
) -> Result<Arc<dyn Mailer>, MailError> {
    let sender = options.mail_from.as_deref();
    match &options.smtp_url {
        Some(url) => {
            let sender = Sender::parse(sender.ok_or(MailError::NoSender)?, vault.as_str())?;
            Ok(Arc::new(SmtpMailer::new(url, sender)?))
        }
        None => {
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

/// Wakes the outbox job after a commit that queued a mail, so that a mail with a code does
/// not wait for the next poll.
#[derive(Debug, Default)]
pub struct OutboxWaker(Notify);

impl CommitHook for OutboxWaker {
    fn notify(&self) {
        self.0.notify_one();
    }
}

impl OutboxWaker {
    /// Waits for a wake-up, at most `timeout`. A wake-up that came before the call counts:
    /// the mail may have been queued after the last look.
    async fn wait(&self, timeout: Duration) {
        tokio::select! {
            () = self.0.notified() => {}
            () = tokio::time::sleep(timeout) => {}
        }
    }
}

/// Delivers mails one after the other while the server runs. An interrupted delivery is
/// retried when its lease ends. Looks after each wake-up, and at least every `look_every`.
pub async fn deliver(
    use_cases: Executor<Background>,
    waker: Arc<OutboxWaker>,
    look_every: Duration,
) {
    loop {
        // Not under the request timeout: a mail server may be slower than the database.
        match use_cases.run_long(next).await {
            Ok(Delivery::Idle) => waker.wait(look_every).await,
            Ok(outcome) => log(&outcome),
            Err(error) => {
                tracing::warn!(error = chain(&error), "could not read the outbox");
                tokio::time::sleep(BACKOFF).await;
            }
        }
    }
}

fn next(app: &Background) -> Result<Delivery, Failure> {
    app.announcements.announce()?;
    app.notice_mailer.run()?;
    Ok(app.outbox_worker.deliver_next()?)
}

/// Logs mails by their ids only, because addresses are personal data.
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
            tracing::error!(%mail, error = chain(reason), "gave up on a mail");
        }
    }
}

#[cfg(test)]
mod tests {
    use ideavault_crypto::{KeyRing, Purpose};
    use ideavault_domain::email::Email;
    use ideavault_domain::ids::MailId;
    use ideavault_domain::mail::{Mail, OutgoingMail, QueuedMail};
    use ideavault_domain::ports::{Clock as _, Database as _, MailerError, Sealer as _};
    use tempfile::TempDir;
    use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
    use tokio::task::JoinHandle;

    use super::*;
    use crate::data;
    use crate::platform::SystemClock;
    use crate::testing::{options, wired};
    use ideavault_db::SqlDatabase;

    fn configured(smtp_url: Option<&str>, mail_from: Option<&str>) -> Result<(), MailError> {
        let options = MailOptions {
            smtp_url: smtp_url.map(Into::into),
            mail_from: mail_from.map(Into::into),
        };
        mailer(&options, &VaultName::default(), Path::new("/nowhere")).map(drop)
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

    /// Reports to the test which mails it was given.
    struct Reporting(UnboundedSender<MailId>);

    impl Mailer for Reporting {
        fn deliver(&self, mail: &OutgoingMail) -> Result<(), MailerError> {
            let sent = self.0.send(mail.id);
            sent.map_err(|error| MailerError::Unavailable(error.into()))
        }
    }

    fn mail(ring: &KeyRing, id: MailId) -> QueuedMail {
        let to = Email::parse("ada@example.org").unwrap();
        let text = Mail::new(to, "Hello", "You there?".into()).to_text();
        let sealer = ring.sealer(Purpose::Mails);
        let now = SystemClock.now();
        QueuedMail {
            id,
            sealed: sealer.seal(id.as_uuid(), text.as_bytes()).unwrap(),
            queued_at: now,
            expires_at: now + chrono::Duration::days(1),
            attempts: 0,
            next_attempt_at: now,
        }
    }

    /// Starts the job on a new database.
    fn start(
        folder: &TempDir,
        look_every: Duration,
    ) -> (
        Arc<SqlDatabase>,
        KeyRing,
        UnboundedReceiver<MailId>,
        JoinHandle<()>,
    ) {
        let (reports, delivered) = unbounded_channel();
        let waker = Arc::new(OutboxWaker::default());
        let (wired, ring) = wired(folder.path(), Arc::new(Reporting(reports)), &waker);
        let background = Executor::new(wired.background, Arc::clone(&wired.database) as _);
        let job = tokio::spawn(deliver(background, waker, look_every));
        (wired.database, ring, delivered, job)
    }

    /// The poll could find one mail in time, but not each of several: once one is queued
    /// while the job waits, only a wake-up makes it leave.
    #[tokio::test]
    async fn mails_that_are_queued_here_leave_before_the_next_look() {
        let folder = TempDir::new().unwrap();
        let never = Duration::from_secs(24 * 3600);
        let (database, ring, mut delivered, job) = start(&folder, never);
        for number in 0..20 {
            let mail = mail(&ring, MailId::from_random([number; 16]));
            let queue = Arc::clone(&database);
            let queued = tokio::task::spawn_blocking(move || {
                queue.write(|tx| tx.outbox().queue_mail(&mail)).unwrap();
                mail.id
            });
            let id = queued.await.unwrap();
            let next = tokio::time::timeout(Duration::from_secs(30), delivered.recv());
            assert_eq!(next.await, Ok(Some(id)));
        }
        job.abort();
    }

    #[tokio::test]
    async fn a_job_that_nobody_wakes_polls_the_outbox() {
        let folder = TempDir::new().unwrap();
        let (_, ring, mut delivered, job) = start(&folder, Duration::from_millis(1));
        let elsewhere = data::open_or_create(&options(folder.path()))
            .unwrap()
            .database;
        for number in 0..20 {
            let mail = mail(&ring, MailId::from_random([number; 16]));
            elsewhere.write(|tx| tx.outbox().queue_mail(&mail)).unwrap();
            let next = tokio::time::timeout(Duration::from_secs(30), delivered.recv());
            assert_eq!(next.await, Ok(Some(mail.id)));
        }
        job.abort();
    }
}
