//! A monotonic wall clock.
//!
//! Invariant: expired things stay expired. A system clock that is set back would otherwise
//! revive dead links, sessions and codes.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use chrono::{Duration, SubsecRound as _};
use ideavault_domain::Timestamp;
use ideavault_domain::ports::{Clock, SET_BACK_MAX};

/// A [`Clock`] over another one. While the other one is behind the last returned time, this
/// one runs at half speed until the other has caught up.
pub struct SteadyClock {
    clock: Arc<dyn Clock>,
    last: Mutex<Last>,
}

/// The last returned time, and when it was returned.
#[derive(Clone, Copy)]
struct Last {
    time: Timestamp,
    at: Instant,
}

impl SteadyClock {
    /// Continues from the newest time in `record`, unless `clock` is ahead of it. A recorded
    /// time more than a day ahead of `clock` is ignored.
    pub fn new(clock: Arc<dyn Clock>, record: impl IntoIterator<Item = Timestamp>) -> Self {
        let now = clock.now();
        let (possible, wrong): (Vec<_>, Vec<_>) = record
            .into_iter()
            .partition(|recorded| *recorded - now <= SET_BACK_MAX);
        for recorded in wrong {
            tracing::error!(%recorded, %now, "the clock, or a record, is wrong by more than a day");
        }
        let time = possible.into_iter().fold(now, Timestamp::max);
        if time > now {
            tracing::warn!(newest = %time, %now, "the clock was set back: time goes on slowly");
        }
        let at = Instant::now();
        Self {
            clock,
            last: Mutex::new(Last { time, at }),
        }
    }
}

impl Clock for SteadyClock {
    fn now(&self) -> Timestamp {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        // Read under the lock: a time that was read before waiting for it would look like a
        // clock that was set back.
        let now = self.clock.now();
        let at = Instant::now();
        last.time = after(last.time, now, at.saturating_duration_since(last.at));
        last.at = at;
        last.time
    }
}

/// Returns the next time, when the clock says `now` and `last` was returned `elapsed` ago.
fn after(last: Timestamp, now: Timestamp, elapsed: std::time::Duration) -> Timestamp {
    let behind = last - now;
    if behind <= Duration::zero() || behind > SET_BACK_MAX {
        return now;
    }
    // The time between two calls is too short to overflow.
    let passed = Duration::from_std(elapsed / 2).unwrap_or_default();
    (last + passed).trunc_subsecs(6)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn at(seconds: i64) -> Timestamp {
        chrono::DateTime::from_timestamp(1_800_000_000 + seconds, 0).unwrap()
    }

    fn passed(seconds: u64) -> std::time::Duration {
        std::time::Duration::from_secs(seconds)
    }

    #[test]
    fn a_clock_that_moves_forward_is_trusted() {
        assert_eq!(after(at(0), at(0), passed(9)), at(0));
        assert_eq!(after(at(0), at(1), passed(0)), at(1));
        assert_eq!(after(at(0), at(86_400 * 365), passed(0)), at(86_400 * 365));
    }

    #[test]
    fn a_clock_set_back_is_caught_up_with_at_half_speed() {
        assert_eq!(after(at(0), at(-3_600), passed(0)), at(0));
        assert_eq!(after(at(0), at(-3_590), passed(10)), at(5));
        assert_eq!(after(at(1_800), at(1_800), passed(10)), at(1_800));
    }

    #[test]
    fn a_time_more_than_a_day_ahead_is_discarded() {
        assert_eq!(after(at(86_400), at(0), passed(0)), at(86_400));
        assert_eq!(after(at(86_401), at(0), passed(0)), at(0));
    }

    struct Stopped(Timestamp);

    impl Clock for Stopped {
        fn now(&self) -> Timestamp {
            self.0
        }
    }

    /// Records the largest number of concurrent calls.
    #[derive(Default)]
    struct Crowded {
        asking: AtomicUsize,
        most: AtomicUsize,
    }

    impl Clock for Crowded {
        fn now(&self) -> Timestamp {
            let asking = self.asking.fetch_add(1, Ordering::SeqCst) + 1;
            self.most.fetch_max(asking, Ordering::SeqCst);
            std::thread::yield_now();
            self.asking.fetch_sub(1, Ordering::SeqCst);
            at(0)
        }
    }

    #[test]
    fn the_clock_is_read_by_one_thread_at_a_time() {
        let clock = Arc::new(Crowded::default());
        let steady = SteadyClock::new(clock.clone(), []);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..1_000 {
                        assert_eq!(steady.now(), at(0));
                    }
                });
            }
        });
        assert_eq!(clock.most.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn the_clock_continues_from_the_newest_recorded_time() {
        let last = |record: &[i64]| {
            let record = record.iter().map(|seconds| at(*seconds));
            SteadyClock::new(Arc::new(Stopped(at(0))), record).now()
        };
        assert_eq!(last(&[]), at(0));
        assert_eq!(last(&[-60]), at(0));
        assert!(last(&[60, -60]) >= at(60));
        // A wrong record does not invalidate the others.
        assert_eq!(last(&[86_401]), at(0));
        let among = last(&[86_401, 60]);
        assert!((at(60)..at(3_600)).contains(&among));
    }
}
