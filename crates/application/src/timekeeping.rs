//! Remembering what time it was, so that a clock that is set back brings nothing to
//! life again, also after a restart.

use std::sync::Arc;

use ideavault_domain::ports::{Clock, Database, DatabaseError, SET_BACK_MAX};

/// Timekeeping.
pub struct Timekeeping<S> {
    database: Arc<S>,
    clock: Arc<dyn Clock>,
}

impl<S: Database> Timekeeping<S> {
    /// Wires the area.
    pub fn new(database: Arc<S>, clock: Arc<dyn Clock>) -> Self {
        Self { database, clock }
    }

    /// Puts the present time on record, unless a later one is that a clock may have
    /// been right about.
    ///
    /// # Errors
    /// [`DatabaseError`].
    pub fn record(&self) -> Result<(), DatabaseError> {
        let now = self.clock.now();
        self.database
            .write(|tx| tx.newest_time().record_time(now, now + SET_BACK_MAX))
    }
}
