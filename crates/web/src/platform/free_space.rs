//! How much space is left on a disk.

use std::io;
use std::path::Path;

/// Returns how many bytes this process may still write to the disk that holds `path`.
///
/// # Errors
/// When the disk cannot be asked.
#[cfg(unix)]
pub fn free_space(path: &Path) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(path)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Not known on this system.
///
/// # Errors
/// Always.
#[cfg(not(unix))]
pub fn free_space(_: &Path) -> io::Result<u64> {
    Err(io::ErrorKind::Unsupported.into())
}
