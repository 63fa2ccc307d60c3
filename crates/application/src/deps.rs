//! Dependencies shared by the use cases.

use std::sync::Arc;

use ideavault_domain::ports::{Clock, Random};

use crate::rate_limits::RateLimits;

/// The database, the clock, the source of randomness and the rate limits.
pub struct Deps<D> {
    /// Holds everything but the bytes of files.
    pub database: Arc<D>,
    /// Source of the time.
    pub clock: Arc<dyn Clock>,
    /// Source of ids, tokens and keys.
    pub random: Arc<dyn Random>,
    /// How often something may happen.
    pub limits: Arc<RateLimits<D>>,
}

// Derived, it would ask for `D: Clone`.
impl<D> Clone for Deps<D> {
    fn clone(&self) -> Self {
        Self {
            database: Arc::clone(&self.database),
            clock: Arc::clone(&self.clock),
            random: Arc::clone(&self.random),
            limits: Arc::clone(&self.limits),
        }
    }
}
