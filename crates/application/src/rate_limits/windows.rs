//! Fixed windows that count events. A window begins with its first event, so the limit is
//! exact from then to its end. A token bucket, as most libraries use, would refill during
//! slow work such as password hashing and admit more.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex, PoisonError};

use ideavault_domain::Timestamp;
use ideavault_domain::ports::{Clock, RateLimited};
use ideavault_domain::rate_limit::{LimitKey, RateLimit, common_share};

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
    fn begin(&mut self, key: &str, place: u64, fresh: Window, now: Timestamp) {
        if self.by_key.len() >= REMEMBERED
            && self.cleaned_up.is_none_or(|at| now - at >= CLEANUP_EVERY)
        {
            self.by_key.retain(|_, window| window.ends > now);
            self.cleaned_up = Some(now);
        }
        if self.by_key.len() < REMEMBERED || self.by_key.contains_key(key) {
            self.by_key.insert(key.to_owned(), fresh);
        } else {
            self.shared.insert(place, fresh);
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

    /// Counts one event under each limit and key, or none if one of the limits is reached. May be
    /// called inside a transaction: who acts is certain only there. What it has counted stays
    /// counted when the transaction is rolled back, so that one that is run again must not count a
    /// second time.
    ///
    /// # Errors
    /// [`RateLimited`] by the first limit that is reached.
    pub fn admit(&self, events: &[(RateLimit, LimitKey)]) -> Result<(), RateLimited> {
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
    pub fn check(&self, limit: RateLimit, key: &LimitKey) -> Result<(), RateLimited> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        self.look(&mut running, limit, key, self.clock.now())
    }

    fn look(
        &self,
        running: &mut HashMap<RateLimit, Running>,
        limit: RateLimit,
        key: &LimitKey,
        now: Timestamp,
    ) -> Result<(), RateLimited> {
        let Some(running) = running.get_mut(&limit) else {
            return Ok(());
        };
        for (name, most) in self.limits(running, limit, key, now) {
            if let Some(window) = running.window(&name, self.place(&name), now) {
                let looked = window.refuse(most, now);
                looked.inspect_err(|_| self.count_refusal(limit))?;
            }
        }
        Ok(())
    }

    /// Returns the names of the windows that count an event, and how many each may have. None if
    /// the limit is turned off, or where an event of this client counts no further.
    fn limits(
        &self,
        running: &mut Running,
        limit: RateLimit,
        key: &LimitKey,
        now: Timestamp,
    ) -> Vec<(String, u32)> {
        let limits = key.limits(limit, self.scale);
        let is_new = |user: &String| running.window(user, self.place(user), now).is_none();
        let unused: Vec<_> = key.users().iter().map(is_new).collect();
        if unused.is_empty() {
            return limits;
        }
        let limits = limits.into_iter();
        if limit.counts_networks() {
            return limits.filter(|_| unused.contains(&true)).collect();
        }
        let limits = limits.map(|(name, most)| (name, common_share(most, &unused)));
        limits.collect()
    }

    /// Counts an event that has happened already.
    pub fn count(&self, limit: RateLimit, key: &LimitKey) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        self.add(&mut running, limit, key, self.clock.now());
    }

    /// Resets the count of `key`, unless its window is shared.
    pub fn reset(&self, limit: RateLimit, key: &LimitKey) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = running.get_mut(&limit) {
            for (name, _) in key.counts() {
                running.by_key.remove(&name);
            }
        }
    }

    /// Refunds an event that was admitted and then did not happen.
    pub fn refund(&self, limit: RateLimit, key: &LimitKey) {
        let now = self.clock.now();
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(running) = running.get_mut(&limit) else {
            return;
        };
        for (name, _) in key.counts() {
            if let Some(window) = running.window(&name, self.place(&name), now) {
                window.count = window.count.saturating_sub(1);
            }
        }
    }

    fn add(
        &self,
        running: &mut HashMap<RateLimit, Running>,
        limit: RateLimit,
        key: &LimitKey,
        now: Timestamp,
    ) {
        let running = running.entry(limit).or_default();
        let window = limit.rule().window.end(now);
        let mut ends = window;
        for (name, _) in self.limits(running, limit, key, now) {
            ends = self.add_to(running, &name, window, now);
        }
        if self.scale > 0.0 {
            for user in key.users() {
                // As long as the window in which it has used some.
                self.add_to(running, &user, ends, now);
            }
        }
    }

    /// Counts an event in a window, or begins one that lasts until `ends`. Returns its end.
    fn add_to(
        &self,
        running: &mut Running,
        name: &str,
        ends: Timestamp,
        now: Timestamp,
    ) -> Timestamp {
        let place = self.place(name);
        if let Some(window) = running.window(name, place, now) {
            window.count = window.count.saturating_add(1);
            return window.ends;
        }
        running.begin(name, place, Window { ends, count: 1 }, now);
        ends
    }

    fn place(&self, key: &str) -> u64 {
        self.hash_seed.hash_one(key) % SHARED
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use ideavault_domain::client_network::ClientNetwork;

    use super::*;

    struct Seconds(AtomicI64);

    impl Seconds {
        fn advance(&self, seconds: i64) {
            self.0.fetch_add(seconds, Ordering::Relaxed);
        }
    }

    impl RateWindows {
        fn remembered(&self) -> usize {
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

    fn windows(scale: f64) -> (Arc<RateWindows>, Arc<Seconds>) {
        let clock = Arc::new(Seconds(AtomicI64::new(1_000_000)));
        (Arc::new(RateWindows::new(clock.clone(), scale)), clock)
    }

    fn admitted(windows: &RateWindows, limit: RateLimit, key: &str, attempts: u32) -> usize {
        (0..attempts)
            .filter(|_| windows.admit(&[(limit, LimitKey::of(key))]).is_ok())
            .count()
    }

    #[test]
    fn a_window_admits_exactly_its_quota_until_the_next_starts() {
        let (windows, clock) = windows(1.0);
        assert_eq!(admitted(&windows, RateLimit::Login, "a", 50), 30);
        clock.advance(59);
        let refusal = windows.admit(&[(RateLimit::Login, LimitKey::of("a"))]);
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
            (RateLimit::Codes, LimitKey::of("link")),
            (RateLimit::CodesByAddress, LimitKey::of("ada")),
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
                .check(RateLimit::ShareMiss, &LimitKey::of(key))
                .unwrap();
        }
        assert_eq!(windows.remembered(), 0);
        for _ in 0..29 {
            windows.count(RateLimit::ShareMiss, &LimitKey::of("a"));
            windows
                .check(RateLimit::ShareMiss, &LimitKey::of("a"))
                .unwrap();
        }
        windows.count(RateLimit::ShareMiss, &LimitKey::of("a"));
        assert!(
            windows
                .check(RateLimit::ShareMiss, &LimitKey::of("a"))
                .is_err()
        );
        assert!(
            windows
                .check(RateLimit::ShareMiss, &LimitKey::of("b"))
                .is_ok()
        );
        clock.advance(60);
        assert!(
            windows
                .check(RateLimit::ShareMiss, &LimitKey::of("a"))
                .is_ok()
        );
    }

    #[test]
    fn an_event_that_did_not_happen_is_taken_back_once() {
        let (windows, clock) = windows(1.0);
        assert_eq!(admitted(&windows, RateLimit::FailedLogin, "a", 50), 10);
        windows.refund(RateLimit::FailedLogin, &LimitKey::of("a"));
        assert_eq!(admitted(&windows, RateLimit::FailedLogin, "a", 50), 1);
        // Not into a window that it was not counted in.
        clock.advance(15 * 60);
        windows.refund(RateLimit::FailedLogin, &LimitKey::of("a"));
        assert_eq!(admitted(&windows, RateLimit::FailedLogin, "a", 50), 10);
    }

    #[test]
    fn forgetting_a_key_resets_its_count() {
        let (windows, _) = windows(1.0);
        assert_eq!(admitted(&windows, RateLimit::FailedLogin, "a", 50), 10);
        windows.reset(RateLimit::FailedLogin, &LimitKey::of("a"));
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
            let _ = windows.admit(&[(RateLimit::Login, LimitKey::of(client))]);
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

    fn network(text: &str) -> ClientNetwork {
        ClientNetwork::of(text.parse().unwrap())
    }

    /// How many of these networks are admitted, and how often in all, when each tries that often.
    fn admitted_from(
        windows: &RateWindows,
        limit: RateLimit,
        key: impl Fn(ClientNetwork) -> LimitKey,
        networks: impl Iterator<Item = String>,
        attempts: usize,
    ) -> (usize, usize) {
        let counts = networks.map(|address| {
            let key = key(network(&address));
            let attempts = (0..attempts).map(|_| windows.admit(&[(limit, key.clone())]));
            attempts.filter(Result::is_ok).count()
        });
        let counts: Vec<_> = counts.collect();
        let admitted = counts.iter().filter(|count| **count > 0).count();
        (admitted, counts.iter().sum())
    }

    #[test]
    fn many_networks_of_one_ipv6_customer_share_wider_quotas() {
        let (windows, _) = windows(1.0);
        let subnets = |site: usize| (0..2_000).map(move |n| format!("2001:db8:{site}:{n:x}::1"));
        let from = |site| {
            let key = LimitKey::client;
            admitted_from(&windows, RateLimit::Register, key, subnets(site), 40).1
        };
        // Thirty for a /64, for a /56 four times as many, for a /48 sixteen times.
        assert_eq!(from(1), 30 * 16);
        assert_eq!(from(2), 30 * 16);
        let key = LimitKey::client;
        let home = subnets(3).take(256);
        let of_home = admitted_from(&windows, RateLimit::Register, key, home, 40);
        assert_eq!(of_home, (4, 30 * 4));
    }

    #[test]
    fn a_part_of_what_all_use_is_kept_for_those_who_have_used_none() {
        let (windows, clock) = windows(1.0);
        let key = |client| LimitKey::common("link", client);
        let codes = |from: String| {
            admitted_from(&windows, RateLimit::Codes, key, std::iter::once(from), 20).1
        };
        // Half of ten for whoever comes, and one for each network that has none yet.
        assert_eq!(codes("2001:db8::1".into()), 5);
        assert_eq!(codes("2001:db8:0:7::1".into()), 0);
        assert_eq!(codes("192.0.2.1".into()), 1);
        let others = (2..9).map(|n| codes(format!("192.0.2.{n}")));
        assert_eq!(others.sum::<usize>(), 4);
        clock.advance(3600);
        assert_eq!(codes("192.0.2.1".into()), 5);
    }

    #[test]
    fn registrations_of_one_network_count_once_for_a_link() {
        let (windows, clock) = windows(1.0);
        let key = |client| LimitKey::common("link", client);
        let from = |networks: std::ops::Range<u8>| {
            let networks = networks.map(|n| format!("192.0.2.{n}"));
            admitted_from(&windows, RateLimit::Recipients, key, networks, 30)
        };
        assert_eq!(from(0..119), (119, 119 * 30));
        clock.advance(1_800);
        assert_eq!(from(119..200), (1, 30));
        assert_eq!(from(0..1), (1, 30));
        // All begin anew when the window of the link ends.
        clock.advance(1_800);
        assert_eq!(from(0..200), (120, 120 * 30));
    }
}
