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

    #[test]
    fn the_oldest_mail_age_is_absent_without_mail_and_never_negative() {
        let at = Timestamp::UNIX_EPOCH;
        let age = |since: Option<i64>| {
            let report = Report {
                at,
                mails: WaitingMails {
                    count: i64::from(since.is_some()),
                    since: since.map(|seconds| at + Duration::seconds(seconds)),
                },
                given_up: Occurrences {
                    count: 0,
                    last: None,
                },
                last_backup: None,
                jobs: Vec::new(),
                failing_anchors: Vec::new(),
            };
            report.oldest_mail_age()
        };
        assert_eq!(age(None), None);
        assert_eq!(age(Some(-90)), Some(Duration::seconds(90)));
        assert_eq!(age(Some(5)), Some(Duration::zero()));
    }
}
