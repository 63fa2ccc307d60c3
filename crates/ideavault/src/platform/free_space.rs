//! Free space on a disk.

use std::io;
use std::path::Path;

/// Returns how many bytes this process can still write to the disk that holds `path`.
///
/// # Errors
/// An [`io::Error`] if the system call fails.
#[cfg(unix)]
pub fn free_space(path: &Path) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(path)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Free space is unknown on this system.
///
/// # Errors
/// Always fails.
#[cfg(not(unix))]
pub fn free_space(_: &Path) -> io::Result<u64> {
    Err(io::ErrorKind::Unsupported.into())
}
