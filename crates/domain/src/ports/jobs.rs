//! The schedule of background jobs, which all servers of a vault share.

use super::error::DatabaseError;
use crate::Timestamp;
use crate::ids::JobRunId;
use crate::job::{JobState, ScheduledJob};

type Result<T> = std::result::Result<T, DatabaseError>;

/// When each job is due, and which run holds it.
///
/// A time further ahead than an interval or a lease allows, and clocks that differ by a day
/// ([`SET_BACK_MAX`](super::SET_BACK_MAX)), was written by a wrong clock, and counts as past.
pub trait JobSchedule {
    /// Returns whether the job is due at `now` and no run holds it.
    fn is_job_due(&mut self, job: ScheduledJob, now: Timestamp) -> Result<bool>;

    /// Gives the job to `run` for [`JOB_LEASE`](crate::job::JOB_LEASE) if it is due and no
    /// run holds it. Returns its number of consecutive failures, of which one more is a run
    /// that held it and never ended; `None` if it was not given. Of concurrent calls one gets
    /// it.
    fn claim_job(
        &mut self,
        job: ScheduledJob,
        run: JobRunId,
        now: Timestamp,
    ) -> Result<Option<u32>>;

    /// Ends `run` with the new state of its job; without a success in it, the recorded one
    /// stays. Returns `false`, and changes nothing, if
    /// another run has taken the job over.
    fn finish_job(&mut self, run: JobRunId, state: &JobState) -> Result<bool>;

    /// Returns the jobs that have run, by name.
    fn job_states(&mut self) -> Result<Vec<JobState>>;
}
