//! Fixed-size values from the random port.

use ideavault_domain::ports::{PortError, Random};

/// Returns `N` unpredictable bytes.
pub(crate) fn bytes<const N: usize>(random: &dyn Random) -> Result<[u8; N], PortError> {
    let mut bytes = [0_u8; N];
    random.fill(&mut bytes)?;
    Ok(bytes)
}
