//! Scheduled jobs: work that a vault needs at intervals, done by one server at a time
//! (`docs/rules.md#jobs`).

use std::fmt;
use std::str::FromStr;

use chrono::Duration;
use thiserror::Error;

use crate::Timestamp;

/// Time after which another server takes over a job that was begun and not finished.
/// Longer than any job takes on a vault of the supported size.
pub const JOB_LEASE: Duration = Duration::minutes(15);
/// Wait after the first failure. It doubles with each further one.
pub const FIRST_RETRY: Duration = Duration::seconds(10);

macro_rules! jobs {
    ($($(#[$doc:meta])* $job:ident = $name:literal,)+) => {
        /// A scheduled job.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ScheduledJob {
            $($(#[$doc])* $job,)+
        }

        impl ScheduledJob {
            /// All jobs.
            pub const ALL: &[Self] = &[$(Self::$job,)+];

            /// Returns the name that is stored and printed.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$job => $name,)+
                }
            }
        }
    };
}

jobs! {
    /// Deletes expired sessions, devices, codes, links in mails, notices, and audit entries.
    DeleteExpired = "delete-expired",
    /// Erases old revisions of drafts.
    ThinDrafts = "thin-drafts",
    /// Removes stored files that no row names.
    RemoveOrphans = "remove-orphans",
}

impl ScheduledJob {
    /// Returns the time from a successful run to the next.
    #[must_use]
    pub fn interval(self) -> Duration {
        match self {
            Self::DeleteExpired | Self::ThinDrafts | Self::RemoveOrphans => Duration::hours(1),
        }
    }

    /// Returns when the job is due again after a run that ended at `at`, the last of
    /// `failures` consecutive failures, or a success if that is 0.
    #[must_use]
    pub fn next_due(self, at: Timestamp, failures: u32) -> Timestamp {
        if failures == 0 {
            return at + self.interval();
        }
        at + backoff(failures).min(self.interval())
    }
}

/// Returns the wait after that many consecutive failures.
#[must_use]
pub fn backoff(failures: u32) -> Duration {
    // 2^16 times ten seconds is a week: more would only overflow.
    let doublings = failures.saturating_sub(1).min(16);
    FIRST_RETRY * (1 << doublings)
}

impl fmt::Display for ScheduledJob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A stored name is that of no job.
#[derive(Debug, Error)]
#[error("unknown job")]
pub struct UnknownJob;

impl FromStr for ScheduledJob {
    type Err = UnknownJob;

    fn from_str(name: &str) -> Result<Self, UnknownJob> {
        let mut all = Self::ALL.iter().copied();
        all.find(|job| job.as_str() == name).ok_or(UnknownJob)
    }
}

/// The state of a job that has run at least once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobState {
    /// The job.
    pub job: ScheduledJob,
    /// When it runs next, unless a server is running it.
    pub due_at: Timestamp,
    /// When it last succeeded.
    pub last_success: Option<Timestamp>,
    /// Consecutive failures.
    pub failures: u32,
}

impl JobState {
    /// Returns whether the job was not done for twice its interval at `now`: every server may
    /// have stopped, or stop in the middle of it.
    #[must_use]
    pub fn is_overdue(&self, now: Timestamp) -> bool {
        now - self.last_success.unwrap_or(self.due_at) > self.job.interval() * 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_overdue_when_a_run_was_left_out() {
        let at = |hour| {
            let at: Timestamp = "2026-11-22T12:00:00Z".parse().unwrap();
            at + Duration::hours(hour)
        };
        let done = JobState {
            job: ScheduledJob::ThinDrafts,
            due_at: at(1),
            last_success: Some(at(0)),
            failures: 0,
        };
        assert!(!done.is_overdue(at(2)));
        assert!(done.is_overdue(at(3)));
        let never = JobState {
            last_success: None,
            ..done
        };
        assert!(!never.is_overdue(at(3)));
        assert!(never.is_overdue(at(4)));
    }

    #[test]
    fn names_round_trip() {
        for job in ScheduledJob::ALL {
            assert_eq!(job.as_str().parse::<ScheduledJob>().ok(), Some(*job));
        }
        assert!("".parse::<ScheduledJob>().is_err());
    }

    #[test]
    fn a_failed_job_is_retried_with_increasing_backoff() {
        let at: Timestamp = "2026-11-22T12:00:00Z".parse().unwrap();
        let wait = |failures| ScheduledJob::ThinDrafts.next_due(at, failures) - at;
        assert_eq!(wait(0), Duration::hours(1));
        assert_eq!(wait(1), Duration::seconds(10));
        assert_eq!(wait(2), Duration::seconds(20));
        assert_eq!(wait(9), Duration::seconds(2_560));
        for failures in [10, 100, u32::MAX] {
            assert_eq!(wait(failures), Duration::hours(1));
        }
    }
}
