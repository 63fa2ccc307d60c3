//! The schedule of background jobs.

use chrono::Duration;
use ideavault_domain::Timestamp;
use ideavault_domain::ids::JobRunId;
use ideavault_domain::job::{JOB_LEASE, JobState, ScheduledJob};
use ideavault_domain::ports::Database as _;

use crate::support::{Fixture, at, on_both_databases, race};

on_both_databases!(
    a_job_runs_once_until_it_is_due_again,
    a_job_of_a_stopped_server_is_taken_over,
    concurrent_servers_claim_a_job_once,
    failures_are_counted_and_the_last_success_is_kept,
    an_implausible_due_time_counts_as_past,
    a_job_is_not_run_again_by_a_server_whose_clock_is_behind,
);

const JOB: ScheduledJob = ScheduledJob::DeleteExpired;

fn run(number: u8) -> JobRunId {
    JobRunId::from_random([number; 16])
}

fn claim(fixture: &Fixture, number: u8, now: Timestamp) -> Option<u32> {
    let is_due = fixture.read(|tx| tx.job_schedule().is_job_due(JOB, now));
    let claimed = fixture.write(|tx| tx.job_schedule().claim_job(JOB, run(number), now));
    assert_eq!(is_due, claimed.is_some());
    claimed
}

fn finish(fixture: &Fixture, number: u8, state: JobState) -> bool {
    fixture.write(|tx| tx.job_schedule().finish_job(run(number), &state))
}

fn succeeded(minute: i64) -> JobState {
    JobState {
        job: JOB,
        due_at: JOB.next_due(at(minute), 0),
        last_success: Some(at(minute)),
        failures: 0,
    }
}

fn a_job_runs_once_until_it_is_due_again(fixture: &Fixture) {
    assert_eq!(claim(fixture, 1, at(0)), Some(0));
    assert_eq!(claim(fixture, 2, at(0)), None);
    assert!(finish(fixture, 1, succeeded(1)));
    assert!(!finish(fixture, 1, succeeded(2)), "a run ends once");
    assert_eq!(claim(fixture, 2, at(60)), None);
    assert_eq!(claim(fixture, 2, at(61)), Some(0));
    let other = ScheduledJob::ThinDrafts;
    assert!(fixture.read(|tx| tx.job_schedule().is_job_due(other, at(0))));
}

fn a_job_of_a_stopped_server_is_taken_over(fixture: &Fixture) {
    assert_eq!(claim(fixture, 1, at(0)), Some(0));
    let lease_ends = at(0) + JOB_LEASE;
    assert_eq!(claim(fixture, 2, lease_ends - Duration::seconds(1)), None);
    assert_eq!(
        claim(fixture, 2, lease_ends),
        Some(1),
        "the first run failed"
    );
    assert!(!finish(fixture, 1, succeeded(16)), "not its job any more");
    assert!(finish(fixture, 2, succeeded(17)));
    let states = fixture.read(|tx| tx.job_schedule().job_states());
    assert_eq!(states, [succeeded(17)]);
}

fn concurrent_servers_claim_a_job_once(fixture: &Fixture) {
    let claimed = race(8, |number| {
        let number = u8::try_from(number).unwrap();
        let database = fixture.database.open();
        let claimed = database.write(|tx| tx.job_schedule().claim_job(JOB, run(number), at(0)));
        claimed.unwrap()
    });
    assert_eq!(claimed.into_iter().flatten().count(), 1);
}

fn failures_are_counted_and_the_last_success_is_kept(fixture: &Fixture) {
    assert_eq!(claim(fixture, 1, at(0)), Some(0));
    assert!(finish(fixture, 1, succeeded(0)));
    assert_eq!(claim(fixture, 2, at(60)), Some(0));
    let failed = JobState {
        job: JOB,
        due_at: at(61),
        last_success: None,
        failures: 1,
    };
    assert!(finish(fixture, 2, failed));
    assert_eq!(claim(fixture, 3, at(61)), Some(1));
    let states = fixture.read(|tx| tx.job_schedule().job_states());
    assert_eq!(states[0].last_success, Some(at(0)));
    assert_eq!(states[0].failures, 1);
}

fn an_implausible_due_time_counts_as_past(fixture: &Fixture) {
    assert_eq!(claim(fixture, 1, at(100_000)), Some(0));
    assert!(finish(fixture, 1, succeeded(100_000)));
    assert_eq!(claim(fixture, 2, at(0)), Some(0), "the clock was wrong");
}

fn a_job_is_not_run_again_by_a_server_whose_clock_is_behind(fixture: &Fixture) {
    let begun = at(10_000);
    let [a_little, much, too_much] =
        [Duration::seconds(30), Duration::hours(2), Duration::days(2)].map(|by| begun - by);
    assert_eq!(claim(fixture, 1, begun), Some(0));
    assert_eq!(claim(fixture, 2, much), None, "it runs");
    assert!(finish(fixture, 1, succeeded(10_000)));
    assert_eq!(claim(fixture, 2, a_little), None, "it is done");
    assert_eq!(claim(fixture, 2, much), None);
    assert_eq!(claim(fixture, 2, too_much), Some(0));
}
