//! Shared by all requests and jobs of a server to run its use cases: the application, its
//! database, caches and turns. Work is done for a caller ([`super::use_cases`]).

use std::sync::Arc;

use ideavault_crypto::CacheUse;
use ideavault_domain::ports::Clock;
use tokio::runtime::Handle;
use tokio::sync::watch;

use super::caches::Caches;
use super::database_handle::DatabaseHandle;
use super::stalls::StallWatch;
use super::turns::Turns;
use crate::app::App;

/// Runs the use cases of a server.
pub struct Executor<A = App> {
    pub(super) app: Arc<A>,
    pub(super) database: Arc<dyn DatabaseHandle>,
    pub(super) caches: Arc<Caches>,
    pub(super) turns: Turns,
    pub(super) stalls: StallWatch,
    pub(super) later: Later,
}

impl<A> Clone for Executor<A> {
    fn clone(&self) -> Self {
        Self {
            app: Arc::clone(&self.app),
            database: Arc::clone(&self.database),
            caches: Arc::clone(&self.caches),
            turns: self.turns.clone(),
            stalls: self.stalls.clone(),
            later: self.later.clone(),
        }
    }
}

impl<A: Send + Sync + 'static> Executor<A> {
    /// Runs the use cases of `app`, all of which use `database`. Its threads are those of the
    /// runtime of the caller, which outlives the server's workers.
    pub fn new(app: A, database: Arc<dyn DatabaseHandle>, clock: Arc<dyn Clock>) -> Self {
        Self {
            app: Arc::new(app),
            stalls: StallWatch::new(Arc::clone(&database)),
            database,
            caches: Arc::new(Caches::new(clock)),
            turns: Turns::new(Handle::current()),
            later: Later::default(),
        }
    }

    /// Returns the name of each queue, and how much is at work or waits there.
    pub fn taken_places(&self) -> impl Iterator<Item = (&'static str, u32)> {
        self.turns.taken()
    }

    /// Returns how often each cache was of use, by its name.
    #[must_use]
    pub fn caches(&self) -> [(&'static str, CacheUse); 2] {
        [
            ("responses", self.caches.responses.use_so_far()),
            ("sessions", self.caches.sessions.use_so_far()),
        ]
    }

    /// Waits until all work after responses is done.
    pub async fn drain(&self) {
        let mut pending = self.later.0.subscribe();
        tracing::debug!(
            pending = *pending.borrow(),
            "waiting for what belongs to answers"
        );
        // Cannot fail: `self` owns the sender.
        drop(pending.wait_for(|pending| *pending == 0).await);
    }
}

/// Counts the work after responses that is not done.
#[derive(Clone, Default)]
pub(super) struct Later(Arc<watch::Sender<usize>>);

impl Later {
    pub(super) fn add(&self) -> Pending {
        self.0.send_modify(|pending| *pending += 1);
        Pending(Arc::clone(&self.0))
    }
}

/// Counts as pending until it is dropped.
pub(super) struct Pending(Arc<watch::Sender<usize>>);

impl Drop for Pending {
    fn drop(&mut self) {
        self.0.send_modify(|pending| *pending -= 1);
    }
}
