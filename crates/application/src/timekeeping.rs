//! Records the time, so that a clock that is set back makes nothing expired valid
//! again, even after a restart.

use std::sync::Arc;

use ideavault_domain::ports::{Clock, Database, DatabaseError, SET_BACK_MAX};

/// The record of the newest time.
pub struct Timekeeping<S> {
    database: Arc<S>,
    clock: Arc<dyn Clock>,
}

impl<S: Database> Timekeeping<S> {
    /// Creates the service from its dependencies.
    pub fn new(database: Arc<S>, clock: Arc<dyn Clock>) -> Self {
        Self { database, clock }
    }

    /// Records the present time unless a later, plausible one is recorded.
    pub fn record(&self) -> Result<(), DatabaseError> {
        let now = self.clock.now();
        self.database
            .write(|tx| tx.newest_time().record_time(now, now + SET_BACK_MAX))
    }
}
