//! The state of the vault, for the operator.

use std::sync::Arc;

use chrono::Duration;
use ideavault_domain::Timestamp;
use ideavault_domain::audit::{AuditKind, Occurrences};
use ideavault_domain::evidence::Anchor;
use ideavault_domain::job::JobState;
use ideavault_domain::mail::WaitingMails;
use ideavault_domain::ports::{Clock, Database, DatabaseError};

use crate::anchoring::FAILURES_REPORTED;

/// The values that an operator should monitor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// When the report was made.
    pub at: Timestamp,
    /// Mails waiting for delivery.
    pub mails: WaitingMails,
    /// Mails that were given up.
    pub given_up: Occurrences,
    /// When the last backup was made; `None` when there is none.
    pub last_backup: Option<Timestamp>,
    /// Scheduled jobs that have run.
    pub jobs: Vec<JobState>,
    /// Anchors whose last exchange failed, those of the newest checkpoints first.
    pub failing_anchors: Vec<Anchor>,
}

impl Report {
    /// Returns how long the oldest mail has been waiting; `None` when none waits.
    #[must_use]
    pub fn oldest_mail_age(&self) -> Option<Duration> {
        let since = self.mails.since?;
        Some((self.at - since).max(Duration::zero()))
    }
}

/// Most events without a place that are counted.
const UNPLACED_MAX: i64 = 1_000;

/// Values for machines, which change with every request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatusFigures {
    /// Events without a place in the log, at most 1000.
    pub unplaced_events: u64,
    /// Bytes that all accounts have stored.
    pub stored_bytes: u64,
}

/// The status report.
pub struct Status<S> {
    database: Arc<S>,
    clock: Arc<dyn Clock>,
}

impl<S: Database> Status<S> {
    /// Creates the service from its dependencies.
    pub fn new(database: Arc<S>, clock: Arc<dyn Clock>) -> Self {
        Self { database, clock }
    }

    /// Reads the values that are not part of the report.
    pub fn figures(&self) -> Result<StatusFigures, DatabaseError> {
        self.database.read(|tx| {
            Ok(StatusFigures {
                unplaced_events: tx.evidence_log().unplaced_events(0, UNPLACED_MAX)?.len() as u64,
                stored_bytes: tx.storage_use().vault_storage()?,
            })
        })
    }

    /// Reads the report.
    pub fn report(&self) -> Result<Report, DatabaseError> {
        let at = self.clock.now();
        self.database.read(|tx| {
            Ok(Report {
                at,
                mails: tx.outbox().waiting_mails()?,
                given_up: tx.audit().occurrences(AuditKind::MailGivenUp)?,
                last_backup: tx.audit().occurrences(AuditKind::BackedUp)?.last,
                jobs: tx.job_schedule().job_states()?,
                failing_anchors: tx.anchors().failing_anchors(at - FAILURES_REPORTED)?,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{MockDatabase, MockTransaction, StoppedClock, at};

    fn report(since: Option<Timestamp>) -> Report {
        let reads = move |tx: &mut MockTransaction| {
            let count = i64::from(since.is_some());
            tx.expect_waiting_mails()
                .returning(move || Ok(WaitingMails { count, since }));
            tx.expect_job_states().returning(|| Ok(Vec::new()));
            tx.expect_failing_anchors()
                .withf(|since| *since == at(-86_400))
                .returning(|_| Ok(Vec::new()));
            tx.expect_occurrences().returning(|kind| {
                let last = match kind {
                    AuditKind::MailGivenUp => at(-20),
                    AuditKind::BackedUp => at(-30),
                    other => panic!("unexpected kind {other:?}"),
                };
                Ok(Occurrences {
                    count: 2,
                    last: Some(last),
                })
            });
        };
        let database = MockDatabase::new(reads, |_| {});
        Status::new(database, Arc::new(StoppedClock))
            .report()
            .unwrap()
    }

    #[test]
    fn mails_and_backups_are_reported_separately() {
        let report = report(Some(at(-90)));
        assert_eq!(report.mails.count, 1);
        assert_eq!(report.given_up.last, Some(at(-20)));
        assert_eq!(report.last_backup, Some(at(-30)));
        assert_eq!(report.oldest_mail_age(), Some(Duration::seconds(90)));
    }

    #[test]
    fn the_oldest_mail_age_is_absent_without_mail_and_never_negative() {
        assert_eq!(report(None).oldest_mail_age(), None);
        let ahead = report(Some(at(5)));
        assert_eq!(ahead.oldest_mail_age(), Some(Duration::zero()));
    }
}
