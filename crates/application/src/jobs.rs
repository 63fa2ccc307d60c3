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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::testing::{MockDatabase, MockTransaction, at, deps};

    const JOB: ScheduledJob = ScheduledJob::ThinDrafts;

    fn scheduler(
        is_due: bool,
        writes: impl Fn(&mut MockTransaction) + Send + Sync + 'static,
    ) -> Scheduler<MockDatabase> {
        let reads = move |tx: &mut MockTransaction| {
            tx.expect_is_job_due()
                .withf(|job, now| *job == JOB && *now == at(0))
                .returning(move |_, _| Ok(is_due));
        };
        let database = MockDatabase::new(reads, writes);
        Scheduler::new(deps(database))
    }

    /// Runs a job that has failed `earlier` times, and returns its outcome and its new state.
    fn run(earlier: u32, result: Result<(), Failure>) -> (JobOutcome, JobState) {
        let (tell, told) = std::sync::mpsc::channel();
        let scheduler = scheduler(true, move |tx| {
            let tell = tell.clone();
            tx.expect_claim_job()
                .returning(move |_, _, _| Ok(Some(earlier)));
            tx.expect_finish_job().returning(move |_, state| {
                tell.send(*state).unwrap();
                Ok(true)
            });
        });
        let outcome = scheduler.run_if_due(JOB, || result).unwrap();
        (outcome, told.try_recv().unwrap())
    }

    fn not_run(scheduler: &Scheduler<MockDatabase>) -> bool {
        let ran = AtomicBool::new(false);
        let outcome = scheduler.run_if_due(JOB, || {
            ran.store(true, Ordering::Relaxed);
            Ok(())
        });
        matches!(outcome, Ok(JobOutcome::NotDue)) && !ran.into_inner()
    }

    #[test]
    fn a_job_that_is_not_due_or_claimed_elsewhere_does_not_run() {
        assert!(not_run(&scheduler(false, |_| {})));
        assert!(not_run(&scheduler(true, |tx| {
            tx.expect_claim_job().returning(|_, _, _| Ok(None));
        })));
    }

    #[test]
    fn a_success_schedules_the_next_run_and_resets_failures() {
        let (outcome, state) = run(3, Ok(()));
        assert!(matches!(outcome, JobOutcome::Done));
        assert_eq!(state.due_at, at(3_600));
        assert_eq!(state.last_success, Some(at(0)));
        assert_eq!(state.failures, 0);
    }

    #[test]
    fn an_end_that_could_not_be_recorded_is_recorded_at_the_next_look() {
        let (tell, told) = std::sync::mpsc::channel();
        let database = MockDatabase::new(
            |tx| {
                tx.expect_is_job_due().times(1).returning(|_, _| Ok(true));
                tx.expect_is_job_due().returning(|_, _| Ok(false));
            },
            move |tx| {
                tx.expect_claim_job()
                    .times(1)
                    .returning(|_, _, _| Ok(Some(0)));
                tx.expect_finish_job().times(1).returning(|_, _| {
                    Err(DatabaseError::Unavailable {
                        operation: "finish a job",
                        source: "down".into(),
                    })
                });
                tx.expect_finish_job().times(1).returning(move |_, state| {
                    tell.send(*state).unwrap();
                    Ok(true)
                });
            },
        );
        let scheduler = Scheduler::new(deps(database));
        let failing = || Err(Failure::Unavailable("down".into()));
        scheduler.run_if_due(JOB, failing).unwrap_err();
        for _ in 0..2 {
            let outcome = scheduler.run_if_due(JOB, || Ok(()));
            assert!(matches!(outcome, Ok(JobOutcome::NotDue)));
        }
        let state = told.try_recv().unwrap();
        assert_eq!((state.failures, state.due_at), (1, at(10)));
    }

    #[test]
    fn a_panic_is_a_failure() {
        let scheduler = scheduler(true, |tx| {
            tx.expect_claim_job().returning(|_, _, _| Ok(Some(0)));
            tx.expect_finish_job()
                .withf(|_, state| state.failures == 1)
                .times(1)
                .returning(|_, _| Ok(true));
        });
        let outcome = scheduler.run_if_due(JOB, || panic!("on purpose"));
        assert!(matches!(
            outcome,
            Ok(JobOutcome::Failed(Failure::Internal(_)))
        ));
    }

    #[test]
    fn a_failure_is_counted_and_retried_soon() {
        let (outcome, state) = run(1, Err(Failure::Internal("broken".into())));
        assert!(matches!(outcome, JobOutcome::Failed(Failure::Internal(_))));
        assert_eq!(state.due_at, at(20));
        assert_eq!(state.last_success, None);
        assert_eq!(state.failures, 2);
    }
}
