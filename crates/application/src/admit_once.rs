//! Rate limits of calls whose transaction may be run again.

use ideavault_domain::ports::{RateLimited, RateLimiter};
use ideavault_domain::rate_limit::{LimitKey, RateLimit};

/// Counts the events of one call, once. After a conflict its transaction is run again, and would
/// be refused because of what it had counted itself.
pub(crate) struct AdmitOnce<'l> {
    rate_limiter: &'l dyn RateLimiter,
    is_admitted: bool,
}

impl<'l> AdmitOnce<'l> {
    pub(crate) fn new(rate_limiter: &'l dyn RateLimiter) -> Self {
        Self {
            rate_limiter,
            is_admitted: false,
        }
    }

    /// See [`RateLimiter::admit`]. Does nothing once it has succeeded.
    pub(crate) fn admit(&mut self, events: &[(RateLimit, LimitKey)]) -> Result<(), RateLimited> {
        if !self.is_admitted {
            self.rate_limiter.admit(events)?;
            self.is_admitted = true;
        }
        Ok(())
    }
}
