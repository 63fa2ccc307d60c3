//! Limits how many transactions write at a time, so that they leave connections for reads.
//!
//! A write keeps its connection while it waits for locks and for the disk. Without a limit, a few
//! more writers than there are connections would make every read wait for a commit.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The number of transactions that may still begin to write.
#[derive(Clone, Debug)]
pub(super) struct WriteLimit(Arc<Places>);

#[derive(Debug)]
struct Places {
    free: Mutex<u32>,
    freed: Condvar,
}

/// Permission to write, until it is dropped.
#[derive(Debug)]
pub(super) struct Permit(Arc<Places>);

impl WriteLimit {
    /// Leaves a quarter of the connections for reads, rounded down.
    pub(super) fn of(connections: u32) -> Self {
        Self(Arc::new(Places {
            free: Mutex::new(connections - connections / 4),
            freed: Condvar::new(),
        }))
    }

    /// Waits for a place until `deadline`; returns `None` if there was none.
    pub(super) fn enter(&self, deadline: Instant) -> Option<Permit> {
        let left = deadline.saturating_duration_since(Instant::now());
        let (mut free, _) = self
            .0
            .freed
            .wait_timeout_while(self.0.places(), left, |free| *free == 0)
            .unwrap_or_else(PoisonError::into_inner);
        *free = free.checked_sub(1)?;
        drop(free);
        Some(Permit(Arc::clone(&self.0)))
    }
}

impl Places {
    fn places(&self) -> MutexGuard<'_, u32> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        *self.0.places() += 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_quarter_is_left_and_a_place_is_free_again_after_its_use() {
        for (connections, writers) in [(1, 1), (3, 3), (4, 3), (13, 10)] {
            let limit = WriteLimit::of(connections);
            let at_once = || limit.enter(Instant::now());
            let mut permits: Vec<_> = (0..writers).map(|_| at_once().unwrap()).collect();
            assert!(at_once().is_none());
            permits.pop();
            assert!(at_once().is_some());
        }
    }

    #[test]
    fn who_waits_gets_the_place_that_becomes_free() {
        let limit = WriteLimit::of(1);
        let permit = limit.enter(Instant::now()).unwrap();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| limit.enter(Instant::now() + Duration::from_secs(60)));
            drop(permit);
            assert!(waiting.join().unwrap().is_some());
        });
    }
}
