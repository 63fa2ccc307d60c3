//! Queues: items are claimed one by one, so that every server works on them at once.

use std::error::Error;
use std::time::Duration;

use ideavault_application::anchoring::Exchange;
use ideavault_application::event_log::{EventLogError, LogProgress};
use ideavault_application::outbox_worker::Delivery;
use ideavault_domain::failure::Failure;
use ideavault_domain::job::backoff;
use ideavault_domain::mail::MailKind;
use ideavault_domain::ports::CommitHook;
use ideavault_web::{UseCases, Work, chain};
use tokio::sync::watch;

use crate::wiring::Background;

/// Polling interval: items that other processes queued, and retries that became due, do not
/// wake a queue.
pub const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Longest backoff after failures.
const MAX_BACKOFF: Duration = Duration::from_secs(60);

/// A queue of work.
#[derive(Clone, Copy, Debug)]
pub enum QueueJob {
    /// Invitations that were not mailed yet.
    Invitations,
    /// Notices to owners that are due.
    Notices,
    /// Mails to deliver.
    Mails,
    /// Mails that wait because the mail server is slow with another one.
    LateMails,
    /// Events that wait for their place in the log.
    Events,
    /// Checkpoints of the log that outsiders have to confirm.
    Anchors,
}

/// Whether a step found something to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    Worked,
    Idle,
}

impl QueueJob {
    /// All queues.
    pub const ALL: [Self; 6] = [
        Self::Invitations,
        Self::Notices,
        Self::Mails,
        Self::LateMails,
        Self::Events,
        Self::Anchors,
    ];

    /// Returns how many items this server handles at a time.
    pub fn workers(self) -> usize {
        match self {
            Self::LateMails => 3,
            _ => 1,
        }
    }

    /// Handles the items that are due, or some of them.
    fn step(self, app: &Background) -> Result<Progress, Failure> {
        match self {
            Self::Invitations => {
                app.invitation_mailer.send_pending()?;
                Ok(Progress::Idle)
            }
            Self::Notices => {
                for (notice, error) in app.notice_mailer.run()?.failed {
                    tracing::error!(notice, error = chain(&error), "could not mail a notice");
                }
                Ok(Progress::Idle)
            }
            Self::Events => {
                let was_running = app.event_log.stopped().is_none();
                Ok(match app.event_log.advance() {
                    Ok(LogProgress::Placed) => Progress::Worked,
                    Ok(LogProgress::Idle) => Progress::Idle,
                    // Only the operator can end it, so it is logged once.
                    Err(EventLogError::Stopped(reason)) => {
                        if was_running {
                            tracing::error!(%reason, "recording of evidence has stopped");
                        }
                        Progress::Idle
                    }
                    Err(error) => return Err(error.into()),
                })
            }
            Self::Anchors => {
                let exchanges = app.anchoring.advance()?;
                exchanges.iter().for_each(log_exchange);
                Ok(match exchanges.is_empty() {
                    true => Progress::Idle,
                    false => Progress::Worked,
                })
            }
            Self::Mails => Ok(delivered(&app.outbox_worker.deliver_next()?)),
            Self::LateMails => Ok(delivered(&app.outbox_worker.deliver_late()?)),
        }
    }
}

/// Wakes the queues after a commit that queued something, so that a mail with a code does
/// not wait for the next poll.
#[derive(Debug)]
pub struct QueueWaker(watch::Sender<()>);

impl Default for QueueWaker {
    fn default() -> Self {
        Self(watch::Sender::new(()))
    }
}

impl CommitHook for QueueWaker {
    fn notify(&self) {
        self.0.send_replace(());
    }
}

impl QueueWaker {
    /// Returns what one queue waits on.
    pub fn listen(&self) -> watch::Receiver<()> {
        self.0.subscribe()
    }
}

/// Works on a queue while the server runs: after each wake-up, and at least every
/// `poll_interval`. Interrupted work is retried when the lease of its item ends.
pub async fn run(
    background: UseCases<Background>,
    job: QueueJob,
    mut wake_ups: watch::Receiver<()>,
    poll_interval: Duration,
) {
    let mut failures = 0_u32;
    loop {
        // Mails queued during the step wake the queue again.
        wake_ups.mark_unchanged();
        // Not under the request timeout: a mail server may be slower than the database.
        match background.run(Work::Job, move |app| job.step(app)).await {
            Ok(Progress::Worked) => failures = 0,
            Ok(Progress::Idle) => {
                failures = 0;
                tokio::select! {
                    // Fails only if nobody is left to wake the queue.
                    Ok(()) = wake_ups.changed() => {}
                    () = tokio::time::sleep(poll_interval) => {}
                }
            }
            Err(error) => {
                tracing::warn!(?job, error = chain(&error), "could not work on a queue");
                failures = failures.saturating_add(1);
                let wait = backoff(failures).to_std().unwrap_or(MAX_BACKOFF);
                tokio::time::sleep(wait.min(MAX_BACKOFF)).await;
            }
        }
    }
}

/// Logs an exchange by the host of the outsider.
fn log_exchange(exchange: &Exchange) {
    let anchor = &exchange.anchor;
    let (host, size, state) = (&anchor.service.name, anchor.size, anchor.state.as_str());
    match &exchange.failure {
        None => tracing::info!(host, size, state, "asked to confirm a checkpoint"),
        Some(error) => {
            tracing::warn!(
                host,
                size,
                state,
                error = chain(error),
                "nothing is confirmed"
            );
        }
    }
}

fn delivered(outcome: &Delivery) -> Progress {
    log(outcome);
    match outcome {
        Delivery::Idle => Progress::Idle,
        _ => Progress::Worked,
    }
}

/// Logs mails by their ids, what they are for, and the account: addresses are personal data.
fn log(outcome: &Delivery) {
    match outcome {
        Delivery::Idle => {}
        Delivery::Delivered(mail) => tracing::info!(%mail, "delivered a mail"),
        Delivery::Postponed {
            mail,
            until,
            reason,
        } => tracing::warn!(%mail, %until, error = chain(reason), "a mail has to wait"),
        Delivery::GivenUp {
            mail,
            kind,
            account,
            reason,
        } => {
            let kind = kind.map_or("unreadable", MailKind::as_str);
            let account = account.map(|account| account.to_string());
            let is_about_recipient = reason.is_about_recipient();
            let error = chain(reason as &dyn Error);
            // Nobody but who asked for it can mend a wrong address.
            if is_about_recipient {
                tracing::warn!(%mail, kind, account, error, "gave up on a mail");
            } else {
                tracing::error!(%mail, kind, account, error, "gave up on a mail");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ideavault_domain::email::Email;
    use ideavault_domain::ids::MailId;
    use ideavault_domain::mail::{Mail, OutgoingMail, QueuedMail};
    use ideavault_domain::ports::Mailer;
    use ideavault_domain::ports::{Clock as _, Database as _, MailerError};
    use ideavault_web::Executor;
    use tempfile::TempDir;
    use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
    use tokio::task::JoinHandle;

    use super::*;
    use crate::data;
    use crate::platform::SystemClock;
    use crate::testing::{options, wired};
    use ideavault_db::SqlDatabase;

    /// Reports to the test which mails it was given.
    struct Reporting(UnboundedSender<MailId>);

    impl Mailer for Reporting {
        fn deliver(&self, mail: &OutgoingMail) -> Result<(), MailerError> {
            let sent = self.0.send(mail.id);
            sent.map_err(|error| MailerError::Unavailable(error.into()))
        }
    }

    fn mail(id: MailId) -> QueuedMail {
        let to = Email::parse("ada@example.org").unwrap();
        let now = SystemClock.now();
        QueuedMail {
            reader: None,
            id,
            mail: Mail::new(to, "Hello", "You there?".into()),
            queued_at: now,
            expires_at: now + chrono::Duration::days(1),
            first_attempt_at: now,
        }
    }

    /// Starts the job on a new database.
    fn start(
        folder: &TempDir,
        look_every: Duration,
    ) -> (Arc<SqlDatabase>, UnboundedReceiver<MailId>, JoinHandle<()>) {
        let (reports, delivered) = unbounded_channel();
        let waker = Arc::new(QueueWaker::default());
        let (wired, _) = wired(folder.path(), Arc::new(Reporting(reports)), &waker);
        let background = Executor::new(
            wired.background,
            Arc::clone(&wired.database) as _,
            Arc::new(SystemClock),
        );
        let background = background.for_server();
        let job = tokio::spawn(run(background, QueueJob::Mails, waker.listen(), look_every));
        (wired.database, delivered, job)
    }

    /// The poll could find one mail in time, but not each of several: once one is queued
    /// while the job waits, only a wake-up makes it leave.
    #[tokio::test]
    async fn mails_queued_by_this_server_are_sent_before_the_next_poll() {
        let folder = TempDir::new().unwrap();
        let never = Duration::from_secs(24 * 3600);
        let (database, mut delivered, job) = start(&folder, never);
        for number in 0..20 {
            let mail = mail(MailId::from_random([number; 16]));
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
    async fn mails_queued_by_another_server_are_found_by_polling() {
        let folder = TempDir::new().unwrap();
        let (_, mut delivered, job) = start(&folder, Duration::from_millis(1));
        let elsewhere = data::open_or_create(&options(folder.path()))
            .unwrap()
            .database;
        for number in 0..20 {
            let mail = mail(MailId::from_random([number; 16]));
            elsewhere.write(|tx| tx.outbox().queue_mail(&mail)).unwrap();
            let next = tokio::time::timeout(Duration::from_secs(30), delivered.recv());
            assert_eq!(next.await, Ok(Some(mail.id)));
        }
        job.abort();
    }
}
