//! Counts events in windows of time. A window begins with its first event, so
//! that the limit is exact from then to its end; a bucket that refills, as
//! rate limiting libraries have it, would admit more whenever hashing a
//! password takes long.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ideavault_domain::Timestamp;
use ideavault_domain::failure::Failure;
use ideavault_domain::ports::Clock;

use super::table::Limit;

/// How many windows are remembered. Beyond that somebody floods us from
/// everywhere, and counting them all would only fill the memory.
const REMEMBERED: usize = 100_000;

/// The running windows of all limits.
pub struct Windows {
    clock: Arc<dyn Clock>,
    scale: f64,
    running: Mutex<HashMap<(Limit, String), Window>>,
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
        // Rounded up: who comes back then is let in.
        let wait = (self.ends - now).to_std().unwrap_or_default();
        Err(Failure::TooMany {
            retry_after: Duration::from_secs(wait.as_secs() + 1),
        })
    }
}

impl Windows {
    /// `scale` multiplies every limit; zero turns them off.
    pub fn new(clock: Arc<dyn Clock>, scale: f64) -> Self {
        Self {
            clock,
            scale,
            running: Mutex::new(HashMap::new()),
        }
    }

    /// Counts an event, unless the limit is reached.
    ///
    /// # Errors
    /// [`Failure::TooMany`]; then nothing was counted.
    pub fn admit(&self, limit: Limit, key: &str) -> Result<(), Failure> {
        self.count(limit, key).map(|_| ())
    }

    /// The same; answers when the window ends that it was counted in, if it was.
    pub(super) fn count(&self, limit: Limit, key: &str) -> Result<Option<Timestamp>, Failure> {
        self.visit(limit, key, |window, most, now| {
            window.refuse(most, now)?;
            window.count = window.count.saturating_add(1);
            Ok(window.ends)
        })
        .transpose()
    }

    /// Takes back what was counted in the window that ends then. Remembers no
    /// window in which nothing is left.
    pub(super) fn take_back(&self, limit: Limit, key: &str, ends: Timestamp) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let Entry::Occupied(mut window) = running.entry((limit, key.to_owned())) else {
            return;
        };
        if window.get().ends != ends {
            return;
        }
        if window.get().count > 1 {
            window.get_mut().count -= 1;
        } else {
            window.remove();
        }
    }

    /// Counts nothing, and refuses when the limit is reached. Remembers nothing
    /// either: its key may be made up, and a flood of those must not push out
    /// what was counted.
    ///
    /// # Errors
    /// [`Failure::TooMany`].
    pub fn check(&self, limit: Limit, key: &str) -> Result<(), Failure> {
        let Some((most, _)) = self.quota(limit) else {
            return Ok(());
        };
        let now = self.clock.now();
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        match running.get(&(limit, key.to_owned())) {
            Some(window) if window.ends > now => window.refuse(most, now),
            _ => Ok(()),
        }
    }

    /// Counts what was done already.
    pub fn note(&self, limit: Limit, key: &str) {
        self.visit(limit, key, |window, _, _| {
            window.count = window.count.saturating_add(1);
        });
    }

    /// Forgets what was counted.
    pub fn forget(&self, limit: Limit, key: &str) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.remove(&(limit, key.to_owned()));
    }

    /// What `use_window` makes of the running window and its quota; nothing
    /// when limits are off.
    fn visit<T>(
        &self,
        limit: Limit,
        key: &str,
        use_window: impl FnOnce(&mut Window, u32, Timestamp) -> T,
    ) -> Option<T> {
        let (most, length) = self.quota(limit)?;
        let now = self.clock.now();
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if running.len() >= REMEMBERED {
            running.retain(|_, window| window.ends > now);
            if running.len() >= REMEMBERED {
                tracing::warn!("too many clients to count: starting over");
                running.retain(|(limit, _), _| limit.outlasts_floods());
            }
        }
        let fresh = Window {
            ends: now + length,
            count: 0,
        };
        let window = running.entry((limit, key.to_owned())).or_insert(fresh);
        if window.ends <= now {
            *window = fresh;
        }
        Some(use_window(window, most, now))
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a product that is too large becomes the largest number, none is negative"
    )]
    fn quota(&self, limit: Limit) -> Option<(u32, Duration)> {
        let (most, length) = limit.quota();
        (self.scale > 0.0).then(|| ((f64::from(most) * self.scale).ceil() as u32, length))
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
            self.running.lock().unwrap().len()
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

    fn admitted(windows: &Windows, limit: Limit, key: &str, tries: u32) -> usize {
        (0..tries)
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
    fn a_flood_from_everywhere_does_not_fill_the_memory() {
        let (windows, _) = windows(1.0);
        for client in 0..REMEMBERED + 10 {
            windows.admit(Limit::Login, &client.to_string()).unwrap();
        }
        assert!(windows.remembered() <= REMEMBERED);
    }

    #[test]
    fn a_flood_gives_nobody_more_guesses_at_an_account() {
        let (windows, _) = windows(1.0);
        assert_eq!(admitted(&windows, Limit::Credentials, "ada", 50), 20);
        for client in 0..REMEMBERED + 10 {
            windows.admit(Limit::Login, &client.to_string()).unwrap();
        }
        assert_eq!(admitted(&windows, Limit::Credentials, "ada", 50), 0);
    }
}
