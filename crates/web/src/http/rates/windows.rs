//! Fixed windows that count events. A window begins with its first event, so the limit is
//! exact from then to its end. A token bucket, as most libraries use, would refill during
//! slow work such as password hashing and admit more.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ideavault_domain::Timestamp;
use ideavault_domain::daily_caps::scaled;
use ideavault_domain::ports::{Clock, RateLimited, RateLimiter};
use ideavault_domain::rate_limit::RateLimit;

/// Number of keys for each limit that have a window of their own. Beyond it, during a
/// distributed flood, further keys share windows at random, so that memory stays bounded. No
/// count is dropped before its window ends.
const REMEMBERED: usize = 16_384;
/// Number of shared windows. Few keys of a flood share the window of an honest one.
const SHARED: u64 = 4_096;
/// How often a full limit removes ended windows.
const CLEANUP_EVERY: chrono::Duration = chrono::Duration::seconds(1);

/// Current windows of all limits.
pub struct RateWindows {
    clock: Arc<dyn Clock>,
    scale: f64,
    /// Hash seed, new at each start, so that nobody can choose keys that share a window.
    hash_seed: RandomState,
    running: Mutex<HashMap<RateLimit, Running>>,
    refused: Mutex<HashMap<RateLimit, u64>>,
}

/// Current windows of one limit.
#[derive(Default)]
struct Running {
    by_key: HashMap<String, Window>,
    shared: HashMap<u64, Window>,
    cleaned_up: Option<Timestamp>,
}

impl Running {
    /// Returns the window of `key` at `now`; `place` is its index among the shared ones.
    fn window(&mut self, key: &str, place: u64, now: Timestamp) -> Option<&mut Window> {
        if self.by_key.get(key).is_some_and(|window| window.ends > now) {
            return self.by_key.get_mut(key);
        }
        self.shared
            .get_mut(&place)
            .filter(|window| window.ends > now)
    }

    /// Begins a window for `key`, one of its own if there is room.
    fn begin(&mut self, key: &str, place: u64, fresh: Window, now: Timestamp) -> &mut Window {
        if self.by_key.len() >= REMEMBERED
            && self.cleaned_up.is_none_or(|at| now - at >= CLEANUP_EVERY)
        {
            self.by_key.retain(|_, window| window.ends > now);
            self.cleaned_up = Some(now);
        }
        if self.by_key.len() < REMEMBERED || self.by_key.contains_key(key) {
            let window = self.by_key.entry(key.to_owned()).or_insert(fresh);
            *window = fresh;
            window
        } else {
            let window = self.shared.entry(place).or_insert(fresh);
            *window = fresh;
            window
        }
    }
}

#[derive(Clone, Copy)]
struct Window {
    ends: Timestamp,
    count: u32,
}

impl Window {
    fn refuse(&self, most: u32, now: Timestamp) -> Result<(), RateLimited> {
        if self.count < most {
            return Ok(());
        }
        Err(RateLimited::until(self.ends, now))
    }
}

impl RateWindows {
    /// Creates empty windows. `scale` multiplies every limit; zero turns them off.
    pub fn new(clock: Arc<dyn Clock>, scale: f64) -> Self {
        Self {
            clock,
            scale,
            hash_seed: RandomState::new(),
            running: Mutex::new(HashMap::new()),
            refused: Mutex::new(HashMap::new()),
        }
    }

    /// Returns how often each limit has refused something.
    #[must_use]
    pub fn refused(&self) -> HashMap<RateLimit, u64> {
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.clone()
    }

    fn count_refusal(&self, limit: RateLimit) {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        let count = refused.entry(limit).or_default();
        *count = count.saturating_add(1);
    }

    /// Fails if the limit is reached, without counting or creating a window: made-up keys
    /// must not displace counts.
    ///
    /// # Errors
    /// [`RateLimited`].
    pub fn check(&self, limit: RateLimit, key: &str) -> Result<(), RateLimited> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        self.look(&mut running, limit, key, self.clock.now())
    }

    fn look(
        &self,
        running: &mut HashMap<RateLimit, Running>,
        limit: RateLimit,
        key: &str,
        now: Timestamp,
    ) -> Result<(), RateLimited> {
        let Some((most, _)) = self.quota(limit) else {
            return Ok(());
        };
        let place = self.place(key);
        match running
            .get_mut(&limit)
            .and_then(|running| running.window(key, place, now))
        {
            Some(window) => window
                .refuse(most, now)
                .inspect_err(|_| self.count_refusal(limit)),
            None => Ok(()),
        }
    }

    /// Counts an event that has happened already.
    pub fn count(&self, limit: RateLimit, key: &str) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        self.add(&mut running, limit, key, self.clock.now());
    }

    /// Resets the count of `key`, unless its window is shared.
    pub fn reset(&self, limit: RateLimit, key: &str) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = running.get_mut(&limit) {
            running.by_key.remove(key);
        }
    }

    /// Refunds an event that was admitted and then did not happen.
    pub fn refund(&self, limit: RateLimit, key: &str) {
        let (place, now) = (self.place(key), self.clock.now());
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let running = running.get_mut(&limit);
        if let Some(window) = running.and_then(|running| running.window(key, place, now)) {
            window.count = window.count.saturating_sub(1);
        }
    }

    fn add(
        &self,
        running: &mut HashMap<RateLimit, Running>,
        limit: RateLimit,
        key: &str,
        now: Timestamp,
    ) {
        let Some((_, length)) = self.quota(limit) else {
            return;
        };
        let running = running.entry(limit).or_default();
        let place = self.place(key);
        if let Some(window) = running.window(key, place, now) {
            window.count = window.count.saturating_add(1);
            return;
        }
        let first = Window {
            ends: now + length,
            count: 1,
        };
        running.begin(key, place, first, now);
    }

    fn place(&self, key: &str) -> u64 {
        self.hash_seed.hash_one(key) % SHARED
    }

    fn quota(&self, limit: RateLimit) -> Option<(u32, Duration)> {
        let (most, length) = limit.quota();
        scaled(most, self.scale).map(|most| (most, length))
    }
}

impl RateLimiter for RateWindows {
    fn admit(&self, events: &[(RateLimit, &str)]) -> Result<(), RateLimited> {
        let now = self.clock.now();
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        for (limit, key) in events {
            self.look(&mut running, *limit, key, now)?;
        }
        for (limit, key) in events {
            self.add(&mut running, *limit, key, now);
        }
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use super::*;

    pub(in super::super) struct Seconds(AtomicI64);

    impl Seconds {
        pub(in super::super) fn advance(&self, seconds: i64) {
            self.0.fetch_add(seconds, Ordering::Relaxed);
        }
    }

    impl RateWindows {
        pub(in super::super) fn remembered(&self) -> usize {
            let running = self.running.lock().unwrap();
            let limits = running.values();
            limits
                .map(|limit| limit.by_key.len() + limit.shared.len())
                .sum()
        }
    }

    impl Clock for Seconds {
        fn now(&self) -> Timestamp {
            Timestamp::from_timestamp(self.0.load(Ordering::Relaxed), 0).unwrap()
        }
    }

    pub(in super::super) fn windows(scale: f64) -> (Arc<RateWindows>, Arc<Seconds>) {
        let clock = Arc::new(Seconds(AtomicI64::new(1_000_000)));
        (Arc::new(RateWindows::new(clock.clone(), scale)), clock)
    }

    fn admitted(windows: &RateWindows, limit: RateLimit, key: &str, attempts: u32) -> usize {
        (0..attempts)
            .filter(|_| windows.admit(&[(limit, key)]).is_ok())
            .count()
    }

    #[test]
    fn a_window_admits_exactly_its_quota_until_the_next_starts() {
        let (windows, clock) = windows(1.0);
        assert_eq!(admitted(&windows, RateLimit::Login, "a", 50), 30);
        clock.advance(59);
        let refusal = windows.admit(&[(RateLimit::Login, "a")]);
        assert!(matches!(
            refusal,
            Err(RateLimited { retry_after }) if retry_after.as_secs() == 2
        ));
        clock.advance(1);
        assert_eq!(admitted(&windows, RateLimit::Login, "a", 50), 30);
    }

    #[test]
    fn events_are_counted_together_or_not_at_all() {
        let (windows, _) = windows(1.0);
        let both = [
            (RateLimit::Codes, "link"),
            (RateLimit::CodesByAddress, "ada"),
        ];
        for _ in 0..5 {
            windows.admit(&both).unwrap();
        }
        for _ in 0..10 {
            windows.admit(&both).unwrap_err();
        }
        assert_eq!(admitted(&windows, RateLimit::Codes, "link", 50), 5);
    }

    #[test]
    fn keys_and_limits_are_counted_separately() {
        let (windows, _) = windows(1.0);
        assert_eq!(admitted(&windows, RateLimit::Login, "a", 30), 30);
        assert_eq!(admitted(&windows, RateLimit::Login, "b", 30), 30);
        assert_eq!(admitted(&windows, RateLimit::Register, "a", 30), 30);
    }

    #[test]
    fn a_check_reads_the_count_without_changing_it() {
        let (windows, clock) = windows(1.0);
        for key in 0..100 {
            windows
                .check(RateLimit::ShareMiss, &key.to_string())
                .unwrap();
        }
        assert_eq!(windows.remembered(), 0);
        for _ in 0..29 {
            windows.count(RateLimit::ShareMiss, "a");
            windows.check(RateLimit::ShareMiss, "a").unwrap();
        }
        windows.count(RateLimit::ShareMiss, "a");
        assert!(windows.check(RateLimit::ShareMiss, "a").is_err());
        assert!(windows.check(RateLimit::ShareMiss, "b").is_ok());
        clock.advance(60);
        assert!(windows.check(RateLimit::ShareMiss, "a").is_ok());
    }

    #[test]
    fn an_event_that_did_not_happen_is_taken_back_once() {
        let (windows, clock) = windows(1.0);
        assert_eq!(admitted(&windows, RateLimit::FailedLogin, "a", 50), 10);
        windows.refund(RateLimit::FailedLogin, "a");
        assert_eq!(admitted(&windows, RateLimit::FailedLogin, "a", 50), 1);
        // Not into a window that it was not counted in.
        clock.advance(15 * 60);
        windows.refund(RateLimit::FailedLogin, "a");
        assert_eq!(admitted(&windows, RateLimit::FailedLogin, "a", 50), 10);
    }

    #[test]
    fn forgetting_a_key_resets_its_count() {
        let (windows, _) = windows(1.0);
        assert_eq!(admitted(&windows, RateLimit::FailedLogin, "a", 50), 10);
        windows.reset(RateLimit::FailedLogin, "a");
        assert_eq!(admitted(&windows, RateLimit::FailedLogin, "a", 50), 10);
    }

    #[test]
    fn the_scale_multiplies_limits_and_zero_disables_them() {
        assert_eq!(admitted(&windows(0.5).0, RateLimit::Login, "a", 100), 15);
        assert_eq!(admitted(&windows(0.001).0, RateLimit::Login, "a", 100), 1);
        assert_eq!(admitted(&windows(0.0).0, RateLimit::Login, "a", 100), 100);
    }

    #[test]
    fn a_distributed_flood_is_bounded_in_memory_and_resets_no_count() {
        let (windows, clock) = windows(1.0);
        assert_eq!(admitted(&windows, RateLimit::Login, "ada", 50), 30);
        assert_eq!(admitted(&windows, RateLimit::Credentials, "ada", 50), 20);
        for client in 0..120_000 {
            // Keys in a shared window may have to wait for each other.
            let _ = windows.admit(&[(RateLimit::Login, &client.to_string())]);
        }
        assert!(windows.remembered() <= REMEMBERED + 4_096 + 1);
        for limit in [RateLimit::Login, RateLimit::Credentials] {
            assert_eq!(admitted(&windows, limit, "ada", 50), 0);
        }
        // The newest key is counted as well, and no wait exceeds the window.
        assert!(admitted(&windows, RateLimit::Login, "119999", 50) < 30);
        assert_eq!(admitted(&windows, RateLimit::Login, "119999", 50), 0);
        clock.advance(60);
        assert_eq!(admitted(&windows, RateLimit::Login, "119999", 50), 30);
        assert_eq!(admitted(&windows, RateLimit::Login, "new", 50), 30);
    }
}
