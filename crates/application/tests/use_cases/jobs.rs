use chrono::Duration;
use ideavault_application::jobs::{JobOutcome, Scheduler};
use ideavault_domain::failure::Failure;
use ideavault_domain::ids::JobRunId;
use ideavault_domain::job::{JobState, ScheduledJob};

use crate::support::bytes;
use crate::vault::{Disturbance, Vault, now};

const JOB: ScheduledJob = ScheduledJob::ThinDrafts;

fn state(vault: &Vault) -> JobState {
    vault.read(|tx| tx.job_schedule().job_states())[0]
}

fn broken() -> Result<(), Failure> {
    Err(Failure::Internal("broken".into()))
}

fn panics() -> Result<(), Failure> {
    panic!("on purpose")
}

#[test]
fn failures_are_counted_and_retried_soon_and_a_success_resets_them() {
    let vault = Vault::new();
    let scheduler = Scheduler::new(vault.deps());
    for (failures, work) in [(1, broken as fn() -> Result<(), Failure>), (2, panics)] {
        let begun = vault.clock().now();
        let outcome = scheduler.run_if_due(JOB, work).unwrap();
        assert!(matches!(outcome, JobOutcome::Failed(Failure::Internal(_))));
        let due_at = begun + Duration::seconds(i64::from(failures) * 10);
        assert_eq!(
            (state(&vault).failures, state(&vault).due_at),
            (failures, due_at)
        );
        assert_eq!(state(&vault).last_success, None);
        // Neither here nor elsewhere.
        for scheduler in [&scheduler, &Scheduler::new(vault.deps())] {
            let early = scheduler.run_if_due(JOB, || panic!("it is not due"));
            assert!(matches!(early, Ok(JobOutcome::NotDue)));
        }
        vault.clock.set(due_at);
    }
    let begun = vault.clock().now();
    let outcome = scheduler.run_if_due(JOB, || Ok(()));
    assert!(matches!(outcome, Ok(JobOutcome::Done)));
    let expected = JobState {
        job: JOB,
        due_at: begun + Duration::hours(1),
        last_success: Some(begun),
        failures: 0,
    };
    assert_eq!(state(&vault), expected);
}

#[test]
fn a_job_that_another_server_has_claimed_does_not_run() {
    let vault = Vault::new();
    vault.overtake(|vault| {
        let run = JobRunId::from_random(bytes());
        let claimed = vault.write(|tx| tx.job_schedule().claim_job(JOB, run, now()));
        assert_eq!(claimed, Some(0));
    });
    let outcome = Scheduler::new(vault.deps()).run_if_due(JOB, || panic!("it ran"));
    assert!(matches!(outcome, Ok(JobOutcome::NotDue)));
}

#[test]
fn an_end_that_could_not_be_recorded_is_recorded_at_the_next_look() {
    let vault = Vault::new();
    let scheduler = Scheduler::new(vault.deps());
    let failing = || {
        vault.disturb(Disturbance::Full);
        broken()
    };
    scheduler.run_if_due(JOB, failing).unwrap_err();
    for _ in 0..2 {
        let outcome = scheduler.run_if_due(JOB, || panic!("it is not due"));
        assert!(matches!(outcome, Ok(JobOutcome::NotDue)));
    }
    let due_at = now() + Duration::seconds(10);
    assert_eq!((state(&vault).failures, state(&vault).due_at), (1, due_at));
}
