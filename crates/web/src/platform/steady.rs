//! A clock that never runs backwards.
//!
//! Invariant: what has expired stays expired. A system clock that is set back
//! would bring dead links, sessions and codes to life again.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use chrono::{Duration, SubsecRound as _};
use ideavault_domain::Timestamp;
use ideavault_domain::ports::{Clock, SET_BACK_MAX};

/// [`Clock`] over another one. While that one is behind what was told before,
/// time goes on at half its pace, until it is caught up with.
pub struct SteadyClock {
    clock: Arc<dyn Clock>,
    told: Mutex<Told>,
}

/// The last time that was told, and when that was.
#[derive(Clone, Copy)]
struct Told {
    time: Timestamp,
    at: Instant,
}

impl SteadyClock {
    /// Goes on from the newest of the times on `record`, unless `clock` is ahead of
    /// it. One that is ahead by more than a day does not count.
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
            told: Mutex::new(Told { time, at }),
        }
    }
}

impl Clock for SteadyClock {
    fn now(&self) -> Timestamp {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        // Only now: whoever looked at the clock and then waited would take it for
        // one that was set back.
        let now = self.clock.now();
        let at = Instant::now();
        told.time = after(told.time, now, at.saturating_duration_since(told.at));
        told.at = at;
        told.time
    }
}

/// What to tell when the clock says `now`, and `told` was told `elapsed` ago.
fn after(told: Timestamp, now: Timestamp, elapsed: std::time::Duration) -> Timestamp {
    let behind = told - now;
    if behind <= Duration::zero() || behind > SET_BACK_MAX {
        return now;
    }
    // What passes between two requests is nothing to overflow.
    let passed = Duration::from_std(elapsed / 2).unwrap_or_default();
    (told + passed).trunc_subsecs(6)
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
    fn a_clock_that_goes_on_is_believed() {
        assert_eq!(after(at(0), at(0), passed(9)), at(0));
        assert_eq!(after(at(0), at(1), passed(0)), at(1));
        assert_eq!(after(at(0), at(86_400 * 365), passed(0)), at(86_400 * 365));
    }

    #[test]
    fn a_clock_that_was_set_back_is_caught_up_with_at_half_the_pace() {
        assert_eq!(after(at(0), at(-3_600), passed(0)), at(0));
        assert_eq!(after(at(0), at(-3_590), passed(10)), at(5));
        assert_eq!(after(at(1_800), at(1_800), passed(10)), at(1_800));
    }

    #[test]
    fn who_was_ahead_by_more_than_a_day_was_wrong() {
        assert_eq!(after(at(86_400), at(0), passed(0)), at(86_400));
        assert_eq!(after(at(86_401), at(0), passed(0)), at(0));
    }

    struct Stopped(Timestamp);

    impl Clock for Stopped {
        fn now(&self) -> Timestamp {
            self.0
        }
    }

    /// Tells how many ask it at the same time, at most.
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
    fn nobody_looks_at_the_clock_before_it_is_their_turn() {
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
    fn it_goes_on_from_the_newest_record() {
        let told = |record: &[i64]| {
            let record = record.iter().map(|seconds| at(*seconds));
            SteadyClock::new(Arc::new(Stopped(at(0))), record).now()
        };
        assert_eq!(told(&[]), at(0));
        assert_eq!(told(&[-60]), at(0));
        assert!(told(&[60, -60]) >= at(60));
        // One that is wrong takes nothing from the others.
        assert_eq!(told(&[86_401]), at(0));
        let among = told(&[86_401, 60]);
        assert!((at(60)..at(3_600)).contains(&among));
    }
}
