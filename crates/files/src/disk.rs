//! Space on a disk.

use std::io;
use std::path::Path;

/// The part of a disk that stays free for what people save, at least and at most.
const RESERVE: (u64, u64) = (64 << 20, 1 << 30);

/// The space of a disk, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskSpace {
    /// Bytes that this process can still write.
    pub free: u64,
    /// All of it.
    pub size: u64,
}

impl DiskSpace {
    /// Returns the space of the disk that holds `path`.
    ///
    /// # Errors
    /// An [`io::Error`] if the system call fails.
    #[cfg(unix)]
    pub fn of(path: &Path) -> io::Result<Self> {
        let disk = rustix::fs::statvfs(path)?;
        Ok(Self {
            free: disk.f_bavail.saturating_mul(disk.f_frsize),
            size: disk.f_blocks.saturating_mul(disk.f_frsize),
        })
    }

    /// It is unknown on this system.
    ///
    /// # Errors
    /// Always fails.
    #[cfg(not(unix))]
    pub fn of(_: &Path) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Returns whether what can be made again may take more of it: a tenth of the disk stays free.
    pub(crate) fn has_to_spare(self) -> bool {
        let (least, most) = RESERVE;
        self.free > (self.size / 10).clamp(least, most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_of_a_disk_is_kept_free() {
        let is_spared = |free: u64, size: u64| {
            let (free, size) = (free << 20, size << 20);
            !DiskSpace { free, size }.has_to_spare()
        };
        assert!(is_spared(500, 5_000) && !is_spared(501, 5_000));
        assert!(is_spared(64, 300) && !is_spared(65, 300));
        assert!(is_spared(1_024, 1_000_000) && !is_spared(1_025, 1_000_000));
    }

    #[test]
    fn the_space_of_a_disk_is_known() {
        let space = DiskSpace::of(&std::env::temp_dir()).unwrap();
        assert!(space.free <= space.size && space.size > 0);
    }
}
