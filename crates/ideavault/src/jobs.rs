//! Background jobs (docs/rules.md#jobs): one runner for scheduled jobs, which one server of
//! a vault does at a time, and for queues, whose items all servers share.

mod queue;
mod scheduled;

use std::sync::Arc;
use std::time::Duration;

use ideavault_domain::job::ScheduledJob;
use ideavault_web::{UseCases, Work};
use tokio::task::JoinSet;

pub use queue::QueueWaker;

use crate::wiring::Background;
use queue::QueueJob;

/// Interval at which this server records the time.
const RECORD_TIME_INTERVAL: Duration = Duration::from_secs(60);

/// The running jobs of this server. They stop when it is dropped.
pub struct Jobs {
    background: UseCases<Background>,
    _running: JoinSet<()>,
}

impl Jobs {
    /// Starts all jobs. `waker` wakes the queues. Needs the local task set that an actix
    /// system provides.
    pub fn start(background: UseCases<Background>, waker: &Arc<QueueWaker>) -> Self {
        let mut running = JoinSet::new();
        for &job in ScheduledJob::ALL {
            running.spawn_local(scheduled::run(background.clone(), job));
        }
        for job in QueueJob::ALL {
            for _ in 0..job.workers() {
                running.spawn_local(queue::run(
                    background.clone(),
                    job,
                    waker.listen(),
                    queue::POLL_INTERVAL,
                ));
            }
        }
        running.spawn_local(keep_time(background.clone()));
        Self {
            background,
            _running: running,
        }
    }

    /// Stops the jobs, and records the time a last time.
    pub async fn stop(self) {
        let background = self.background.clone();
        drop(self);
        record_time(&background).await;
    }
}

/// Records the time at the start and at each interval, on every server: their clocks differ.
async fn keep_time(background: UseCases<Background>) {
    let mut ticks = tokio::time::interval(RECORD_TIME_INTERVAL);
    loop {
        ticks.tick().await;
        record_time(&background).await;
    }
}

async fn record_time(background: &UseCases<Background>) {
    if let Err(error) = background
        .run(Work::Query, |app| app.timekeeping.record())
        .await
    {
        tracing::warn!(%error, "could not record the time");
    }
}
