//! Fixed windows that count events. A window begins with its first event, so the limit is
//! exact from then to its end. A token bucket, as most libraries use, would refill during
//! slow work such as password hashing and admit more.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ideavault_domain::Timestamp;
use ideavault_domain::daily_caps::scaled;
use ideavault_domain::failure::Failure;
use ideavault_domain::ports::Clock;

use super::table::Limit;

/// Number of keys for each limit that have a window of their own. Beyond it, during a
/// distributed flood, further keys share windows at random, so that memory stays bounded. No
/// count is dropped before its window ends.
const REMEMBERED: usize = 16_384;
/// Number of shared windows. Few keys of a flood share the window of an honest one.
const SHARED: u64 = 4_096;
/// How often a full limit removes ended windows.
const CLEANUP_EVERY: chrono::Duration = chrono::Duration::seconds(1);

/// Current windows of all limits.
pub struct Windows {
    clock: Arc<dyn Clock>,
    scale: f64,
    /// Hash seed, new at each start, so that nobody can choose keys that share a window.
    hash_seed: RandomState,
    running: Mutex<HashMap<Limit, Running>>,
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
    fn refuse(&self, most: u32, now: Timestamp) -> Result<(), Failure> {
        if self.count < most {
            return Ok(());
        }
        // Rounded up, so that a retry at that time is admitted.
        let wait = (self.ends - now).to_std().unwrap_or_default();
        Err(Failure::TooMany {
            retry_after: Duration::from_secs(wait.as_secs() + 1),
        })
    }
}

impl Windows {
    /// Creates empty windows. `scale` multiplies every limit; zero turns them off.
    pub fn new(clock: Arc<dyn Clock>, scale: f64) -> Self {
        Self {
            clock,
            scale,
            hash_seed: RandomState::new(),
            running: Mutex::new(HashMap::new()),
        }
    }

    /// Counts an event unless the limit is reached.
    ///
    /// # Errors
    /// [`Failure::TooMany`]; the event is not counted then.
    pub fn admit(&self, limit: Limit, key: &str) -> Result<(), Failure> {
        self.count(limit, key).map(|_| ())
    }

    /// Counts an event like [`Self::admit`]. Returns the end of its window; none if limits
    /// are off.
    pub(super) fn count(&self, limit: Limit, key: &str) -> Result<Option<Timestamp>, Failure> {
        self.visit(limit, key, |window, most, now| {
            window.refuse(most, now)?;
            window.count = window.count.saturating_add(1);
            Ok(window.ends)
        })
        .transpose()
    }

    /// Takes one event back from the window that ends at `ends`. Removes the window if it is
    /// empty then.
    pub(super) fn take_back(&self, limit: Limit, key: &str, ends: Timestamp) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(running) = running.get_mut(&limit) else {
            return;
        };
        let place = self.place(key);
        let own = running.by_key.get_mut(key);
        let window = match own.filter(|window| window.ends == ends) {
            Some(window) => window,
            None => match running.shared.get_mut(&place) {
                Some(window) if window.ends == ends => window,
                _ => return,
            },
        };
        window.count = window.count.saturating_sub(1);
        if running
            .by_key
            .get(key)
            .is_some_and(|window| window.count == 0)
        {
            running.by_key.remove(key);
        }
    }

    /// Fails if the limit is reached, without counting or creating a window: made-up keys
    /// must not displace counts.
    ///
    /// # Errors
    /// [`Failure::TooMany`].
    pub fn check(&self, limit: Limit, key: &str) -> Result<(), Failure> {
        let Some((most, _)) = self.quota(limit) else {
            return Ok(());
        };
        let now = self.clock.now();
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let place = self.place(key);
        match running
            .get_mut(&limit)
            .and_then(|running| running.window(key, place, now))
        {
            Some(window) => window.refuse(most, now),
            None => Ok(()),
        }
    }

    /// Counts an event that has happened already.
    pub fn note(&self, limit: Limit, key: &str) {
        self.visit(limit, key, |window, _, _| {
            window.count = window.count.saturating_add(1);
        });
    }

    /// Resets the count of `key`, unless its window is shared.
    pub fn forget(&self, limit: Limit, key: &str) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = running.get_mut(&limit) {
            running.by_key.remove(key);
        }
    }

    /// Applies `use_window` to the current window and its quota; returns none if limits are
    /// off.
    fn visit<T>(
        &self,
        limit: Limit,
        key: &str,
        use_window: impl FnOnce(&mut Window, u32, Timestamp) -> T,
    ) -> Option<T> {
        let (most, length) = self.quota(limit)?;
        let now = self.clock.now();
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let running = running.entry(limit).or_default();
        let place = self.place(key);
        if let Some(window) = running.window(key, place, now) {
            return Some(use_window(window, most, now));
        }
        let fresh = Window {
            ends: now + length,
            count: 0,
        };
        let window = running.begin(key, place, fresh, now);
        Some(use_window(window, most, now))
    }

    fn place(&self, key: &str) -> u64 {
        self.hash_seed.hash_one(key) % SHARED
    }

    fn quota(&self, limit: Limit) -> Option<(u32, Duration)> {
        let (most, length) = limit.quota();
        scaled(most, self.scale).map(|most| (most, length))
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

    impl Windows {
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

    pub(in super::super) fn windows(scale: f64) -> (Arc<Windows>, Arc<Seconds>) {
        let clock = Arc::new(Seconds(AtomicI64::new(1_000_000)));
        (Arc::new(Windows::new(clock.clone(), scale)), clock)
    }

    fn admitted(windows: &Windows, limit: Limit, key: &str, attempts: u32) -> usize {
        (0..attempts)
            .filter(|_| windows.admit(limit, key).is_ok())
            .count()
    }

    #[test]
    fn a_window_admits_exactly_its_quota_and_then_a_new_one_begins() {
        let (windows, clock) = windows(1.0);
        assert_eq!(admitted(&windows, Limit::Login, "a", 50), 30);
        clock.advance(59);
        let refusal = windows.admit(Limit::Login, "a");
        assert!(matches!(
            refusal,
            Err(Failure::TooMany { retry_after }) if retry_after.as_secs() == 2
        ));
        clock.advance(1);
        assert_eq!(admitted(&windows, Limit::Login, "a", 50), 30);
    }

    #[test]
    fn keys_and_limits_are_counted_apart() {
        let (windows, _) = windows(1.0);
        assert_eq!(admitted(&windows, Limit::Login, "a", 30), 30);
        assert_eq!(admitted(&windows, Limit::Login, "b", 30), 30);
        assert_eq!(admitted(&windows, Limit::Register, "a", 30), 30);
    }

    #[test]
    fn a_check_counts_nothing_remembers_nothing_and_sees_what_was_counted() {
        let (windows, clock) = windows(1.0);
        for key in 0..100 {
            windows.check(Limit::ShareMiss, &key.to_string()).unwrap();
        }
        assert_eq!(windows.remembered(), 0);
        for _ in 0..29 {
            windows.note(Limit::ShareMiss, "a");
            windows.check(Limit::ShareMiss, "a").unwrap();
        }
        windows.note(Limit::ShareMiss, "a");
        assert!(windows.check(Limit::ShareMiss, "a").is_err());
        assert!(windows.check(Limit::ShareMiss, "b").is_ok());
        clock.advance(60);
        assert!(windows.check(Limit::ShareMiss, "a").is_ok());
    }

    #[test]
    fn what_is_forgotten_was_never_counted() {
        let (windows, _) = windows(1.0);
        assert_eq!(admitted(&windows, Limit::FailedLogin, "a", 50), 10);
        windows.forget(Limit::FailedLogin, "a");
        assert_eq!(admitted(&windows, Limit::FailedLogin, "a", 50), 10);
    }

    #[test]
    fn the_scale_multiplies_and_zero_turns_limits_off() {
        assert_eq!(admitted(&windows(0.5).0, Limit::Login, "a", 100), 15);
        assert_eq!(admitted(&windows(0.001).0, Limit::Login, "a", 100), 1);
        assert_eq!(admitted(&windows(0.0).0, Limit::Login, "a", 100), 100);
    }

    #[test]
    fn a_flood_from_everywhere_fills_no_memory_and_makes_nobody_forgotten() {
        let (windows, clock) = windows(1.0);
        assert_eq!(admitted(&windows, Limit::Login, "ada", 50), 30);
        assert_eq!(admitted(&windows, Limit::Credentials, "ada", 50), 20);
        for client in 0..120_000 {
            // Keys in a shared window may have to wait for each other.
            let _ = windows.admit(Limit::Login, &client.to_string());
        }
        assert!(windows.remembered() <= REMEMBERED + 4_096 + 1);
        for limit in [Limit::Login, Limit::Credentials] {
            assert_eq!(admitted(&windows, limit, "ada", 50), 0);
        }
        // The newest key is counted as well, and no wait exceeds the window.
        assert!(admitted(&windows, Limit::Login, "119999", 50) < 30);
        assert_eq!(admitted(&windows, Limit::Login, "119999", 50), 0);
        clock.advance(60);
        assert_eq!(admitted(&windows, Limit::Login, "119999", 50), 30);
        assert_eq!(admitted(&windows, Limit::Login, "new", 50), 30);
    }
}
