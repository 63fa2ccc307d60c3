//! The operating system's random source.

use ideavault_domain::ports::{PortError, Random};

use crate::port_error;

/// [`Random`] from the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemRandom;

impl Random for SystemRandom {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), PortError> {
        getrandom::fill(bytes).map_err(|error| port_error("reading random bytes", error))
    }
}
