//! Runs scheduled jobs, each on one server at a time.

use std::collections::HashMap;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ideavault_domain::failure::Failure;
use ideavault_domain::ids::JobRunId;
use ideavault_domain::job::{JobState, ScheduledJob};
use ideavault_domain::ports::{Database, DatabaseError, PortError};
use thiserror::Error;

use crate::deps::Deps;
use crate::random;

/// The reason why a job was not run.
#[derive(Debug, Error)]
pub enum JobError {
    /// The schedule could not be read or written.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// No randomness is available for the run's id.
    #[error(transparent)]
    Random(#[from] PortError),
}

impl From<JobError> for Failure {
    fn from(error: JobError) -> Self {
        match error {
            JobError::Database(error) => error.into(),
            JobError::Random(error) => error.into(),
        }
    }
}

/// The outcome of a job.
#[derive(Debug)]
pub enum JobOutcome {
    /// It is not due, or another server runs it.
    NotDue,
    /// It ran.
    Done,
    /// It ran and failed; it is retried later.
    Failed(Failure),
}

/// The schedule of the vault's jobs.
pub struct Scheduler<D> {
    deps: Deps<D>,
    /// Ends of runs that could not be recorded yet.
    unrecorded: Mutex<HashMap<ScheduledJob, (JobRunId, JobState)>>,
}

impl<D: Database> Scheduler<D> {
    /// Creates the scheduler from its dependencies.
    pub fn new(deps: Deps<D>) -> Self {
        Self {
            deps,
            unrecorded: Mutex::default(),
        }
    }

    /// Runs `work` if the job is due and no other server runs it. A server that stops
    /// meanwhile holds the job until its lease ends.
    ///
    /// # Errors
    /// [`JobError`]; a failure of `work` is a [`JobOutcome::Failed`].
    pub fn run_if_due(
        &self,
        job: ScheduledJob,
        work: impl FnOnce() -> Result<(), Failure>,
    ) -> Result<JobOutcome, JobError> {
        self.record_end(job)?;
        let begun = self.deps.clock.now();
        // Most calls end here, without a write.
        if !self
            .deps
            .database
            .read_one(|tx| tx.job_schedule().is_job_due(job, begun))?
        {
            return Ok(JobOutcome::NotDue);
        }
        let run = JobRunId::from_random(random::bytes(self.deps.random.as_ref())?);
        let claimed = self
            .deps
            .database
            .write(|tx| tx.job_schedule().claim_job(job, run, begun))?;
        let Some(earlier_failures) = claimed else {
            return Ok(JobOutcome::NotDue);
        };
        // A job that panics every time must be seen to fail.
        let result = panic::catch_unwind(AssertUnwindSafe(work))
            .unwrap_or_else(|_| Err(Failure::Internal(Box::new(Panicked))));
        let ended = self.deps.clock.now();
        let failures = match result {
            Ok(()) => 0,
            Err(_) => earlier_failures.saturating_add(1),
        };
        let state = JobState {
            job,
            due_at: job.next_due(ended, failures),
            last_success: (failures == 0).then_some(ended),
            failures,
        };
        self.unrecorded().insert(job, (run, state));
        self.record_end(job)?;
        Ok(match result {
            Ok(()) => JobOutcome::Done,
            Err(failure) => JobOutcome::Failed(failure),
        })
    }

    /// Records the end of the job's last run here, if that was not possible when it ended: a
    /// database that was away failed the run, too. If another run has taken the job over, its
    /// end counts, not this one.
    fn record_end(&self, job: ScheduledJob) -> Result<(), DatabaseError> {
        let ended = self.unrecorded().get(&job).copied();
        let Some((run, state)) = ended else {
            return Ok(());
        };
        self.deps
            .database
            .write(|tx| tx.job_schedule().finish_job(run, &state))?;
        self.unrecorded().remove(&job);
        Ok(())
    }

    fn unrecorded(&self) -> MutexGuard<'_, HashMap<ScheduledJob, (JobRunId, JobState)>> {
        let unrecorded = self.unrecorded.lock();
        unrecorded.unwrap_or_else(PoisonError::into_inner)
    }
}

/// The work of a job panicked.
#[derive(Debug, Error)]
#[error("the job panicked")]
struct Panicked;
