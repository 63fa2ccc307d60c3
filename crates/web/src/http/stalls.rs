//! Gives up work when the database has stopped responding.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ideavault_domain::failure::Failure;

use super::database_handle::DatabaseHandle;

/// Time before the database is probed: all threads and connections may wait in the middle of
/// a query, so that only a separate probe shows whether the server still responds.
const PROBE_AFTER: Duration = Duration::from_millis(500);
/// Time before a request checks whether the database has stopped responding. A query that
/// the database works on may take longer; a server that does not respond at all is down.
const STALL_CHECK_AFTER: Duration = Duration::from_millis(2_250);
/// Interval of further checks.
const STALL_CHECK_EVERY: Duration = Duration::from_millis(250);

/// The database accepts queries and does not respond.
#[derive(Debug, thiserror::Error)]
#[error("the database does not answer")]
struct DatabaseStalled;

/// Watches whether the database responds.
#[derive(Clone)]
pub(super) struct StallWatch {
    database: Arc<dyn DatabaseHandle>,
    is_probing: Arc<AtomicBool>,
}

impl StallWatch {
    pub(super) fn new(database: Arc<dyn DatabaseHandle>) -> Self {
        Self {
            database,
            is_probing: Arc::default(),
        }
    }

    /// Waits for `work` as long as the database responds. Gives up only at the second check:
    /// if this machine itself was suspended, the responses have arrived by then.
    pub(super) async fn while_answered<T>(
        &self,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let mut work = pin!(work);
        if let Ok(done) = tokio::time::timeout(PROBE_AFTER, work.as_mut()).await {
            return done;
        }
        self.probe();
        let mut wait = STALL_CHECK_AFTER.saturating_sub(PROBE_AFTER);
        let mut suspected = false;
        loop {
            if let Ok(done) = tokio::time::timeout(wait, work.as_mut()).await {
                return done;
            }
            if suspected && self.database.abandon_if_stalled() {
                return Err(Failure::Unavailable(Box::new(DatabaseStalled)));
            }
            suspected = self.database.is_stalled();
            wait = STALL_CHECK_EVERY;
        }
    }

    /// Probes the database. Only one probe runs at a time.
    fn probe(&self) {
        let Some(probing) = Probing::begin(&self.is_probing) else {
            return;
        };
        let database = Arc::clone(&self.database);
        // Not in a turn: those who have one may be what the database does not answer.
        let started = std::thread::Builder::new()
            .name("probe".into())
            .spawn(move || {
                database.probe();
                drop(probing);
            });
        if let Err(error) = started {
            tracing::warn!(%error, "could not start a probe of the database");
        }
    }
}

/// The probe that runs. Permits the next one when it is dropped: also if its thread panics, or does
/// not start.
struct Probing(Arc<AtomicBool>);

impl Probing {
    /// Returns `None` while another probe runs.
    fn begin(is_probing: &Arc<AtomicBool>) -> Option<Self> {
        let was_probing = is_probing.swap(true, Ordering::Relaxed);
        (!was_probing).then(|| Self(Arc::clone(is_probing)))
    }
}

impl Drop for Probing {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::resume_unwind;
    use std::sync::atomic::AtomicUsize;

    use super::*;
    use crate::http::testing::FakeDatabase;

    #[tokio::test]
    async fn a_probe_that_panics_permits_the_next_one() {
        let probes = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&probes);
        let database = FakeDatabase::with_probe(move || {
            counted.fetch_add(1, Ordering::Relaxed);
            resume_unwind(Box::new("the driver is broken"));
        });
        let watch = StallWatch::new(Arc::new(database));
        let second = async {
            while probes.load(Ordering::Relaxed) < 2 {
                watch.probe();
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        let probed = tokio::time::timeout(Duration::from_secs(30), second).await;
        assert!(probed.is_ok());
    }
}
