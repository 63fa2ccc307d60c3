//! Runs scheduled jobs when they are due.

use std::time::Duration;

use ideavault_application::cleanup::CleanupReport;
use ideavault_application::jobs::JobOutcome;
use ideavault_domain::failure::Failure;
use ideavault_domain::job::ScheduledJob;
use ideavault_web::{UseCases, Work, chain};

use crate::wiring::Background;

/// Interval at which a server checks whether a job is due: another server may have stopped in
/// the middle of it.
const POLL_INTERVAL: Duration = Duration::from_secs(10);

/// Runs `job` whenever it is due and no other server runs it.
pub async fn run(background: UseCases<Background>, job: ScheduledJob) {
    let mut ticks = tokio::time::interval(POLL_INTERVAL);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        // Not under the request timeout: a cleanup may take minutes.
        let outcome = background.run(Work::Job, move |app| {
            app.scheduler.run_if_due(job, || work(job, app))
        });
        match outcome.await {
            Ok(JobOutcome::NotDue | JobOutcome::Done) => {}
            Ok(JobOutcome::Failed(failure)) => {
                tracing::warn!(%job, error = chain(&failure), "a job failed and is retried later");
            }
            Err(error) => {
                tracing::warn!(%job, error = chain(&error), "could not read the schedule of a job");
            }
        }
    }
}

fn work(job: ScheduledJob, app: &Background) -> Result<(), Failure> {
    match job {
        ScheduledJob::DeleteExpired => {
            let cleanup = &app.cleanup;
            // Each is done, also if another one fails.
            let removals = [
                ("expired sessions", cleanup.delete_expired_sessions()),
                ("unused devices", cleanup.delete_unused_devices()),
                ("expired codes and links", cleanup.delete_expired()),
                ("old notices", cleanup.delete_old_notices()),
                ("old audit entries or addresses", cleanup.remove_old_audit()),
            ];
            for (what, removed) in &removals {
                log_removed(removed.as_ref().map_or(0, |removed| *removed), what);
            }
            let failed = removals.into_iter().find_map(|(_, removed)| removed.err());
            failed.map_or(Ok(()), Err)?;
        }
        ScheduledJob::ThinDrafts => {
            log_removed(app.cleanup.thin_drafts()?, "old revisions of drafts");
        }
        ScheduledJob::RemoveOrphans => {
            // A database that has lost events may have lost the rows of files as well.
            let is_recording = match app.event_log.status() {
                Ok(status) => status.stopped.is_none(),
                Err(error) => {
                    let error = Failure::from(error);
                    tracing::warn!(
                        error = chain(&error),
                        "files are spared: the log is unreadable"
                    );
                    false
                }
            };
            log_cleanup(app.cleanup.remove_orphans(is_recording)?);
        }
    }
    Ok(())
}

fn log_removed(removed: usize, what: &'static str) {
    if removed > 0 {
        tracing::info!(removed, "removed {what}");
    }
}

fn log_cleanup(report: CleanupReport) {
    let CleanupReport {
        unfinished,
        orphans,
        spared,
    } = report;
    if spared > 0 {
        tracing::warn!(
            spared,
            "stored files are not known to the database, which may be an older copy or the wrong \
             one: nothing was removed"
        );
    }
    if unfinished + orphans > 0 {
        tracing::info!(unfinished, orphans, "removed orphaned files");
    }
}
