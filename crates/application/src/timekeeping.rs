//! Remembering what time it was, so that a clock that is set back brings nothing to
//! life again, also after a restart.

use std::sync::Arc;

use ideavault_domain::ports::{Clock, SET_BACK_MAX, Store, StoreError};

/// Timekeeping.
pub struct Timekeeping<S> {
    store: Arc<S>,
    clock: Arc<dyn Clock>,
}

impl<S: Store> Timekeeping<S> {
    /// Wires the area.
    pub fn new(store: Arc<S>, clock: Arc<dyn Clock>) -> Self {
        Self { store, clock }
    }

    /// Puts the present time on record, unless a later one is that a clock may have
    /// been right about.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn record(&self) -> Result<(), StoreError> {
        let now = self.clock.now();
        self.store
            .write(|session| session.record_time(now, now + SET_BACK_MAX))
    }
}
