//! Settings of the memory allocator. The only unsafe code of the workspace: what the allocator
//! offers is a function of C.

/// Size in bytes from which memory is mapped by itself, and given back to the system as soon as it
/// is free. By default glibc raises this limit to the largest size that was ever freed, up to
/// 32 MiB; then the memory of a password hash or of an upload stays with the process.
const MAPPED_FROM: i32 = 1024 * 1024;

/// Free bytes at the end of a heap from which they are given back.
const GIVEN_BACK_FROM: i32 = 1024 * 1024;

/// Lets the allocator keep little of the memory that is no longer used. Call it first of all:
/// threads that have started keep their heaps. Does nothing elsewhere than in the GNU C library.
///
/// `heaps` is how many threads can allocate at the same time without waiting for each other.
pub fn keep_little(heaps: i32) {
    settings::set_all(heaps)
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod settings {
    use super::{GIVEN_BACK_FROM, MAPPED_FROM};

    pub(super) fn set_all(heaps: i32) {
        set(libc::M_MMAP_THRESHOLD, MAPPED_FROM);
        set(libc::M_TRIM_THRESHOLD, GIVEN_BACK_FROM);
        set(libc::M_ARENA_MAX, heaps);
    }

    /// A value that the library refuses leaves the setting as it is.
    #[expect(unsafe_code, reason = "a function of C")]
    fn set(name: i32, value: i32) {
        // SAFETY: it takes two numbers, and locks what it changes.
        unsafe { libc::mallopt(name, value) };
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
mod settings {
    pub(super) fn set_all(_heaps: i32) {}
}

#[cfg(test)]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod tests {
    use std::hint::black_box;

    use super::*;

    const MIB: usize = 1024 * 1024;

    /// Resident memory of this process, in KiB.
    fn resident() -> usize {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        line.unwrap()
            .split_whitespace()
            .nth(1)
            .unwrap()
            .parse()
            .unwrap()
    }

    #[test]
    fn memory_that_was_freed_is_given_back() {
        keep_little(2);
        let before = resident();
        // By default, freeing the first would let the second stay.
        for size in [16, 12] {
            drop(black_box(vec![1_u8; size * MIB]));
        }
        assert!(resident() < before + 6 * 1024);
    }
}
