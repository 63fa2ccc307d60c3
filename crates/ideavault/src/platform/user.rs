//! The users of this machine, to whom files belong.

use std::fmt;
use std::io;
use std::path::Path;

/// A user of this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct User(u32);

impl User {
    /// The user who may write everywhere.
    pub const ROOT: Self = Self(0);

    /// Returns the number by which the system knows the user.
    #[must_use]
    pub fn id(self) -> u32 {
        self.0
    }

    /// Returns the user that this process runs as; none on other systems than Unix.
    #[must_use]
    pub fn current() -> Option<Self> {
        #[cfg(unix)]
        return Some(Self(rustix::process::geteuid().as_raw()));
        #[cfg(not(unix))]
        None
    }

    /// Returns the user that a file or folder belongs to; none if it is missing, and on other
    /// systems than Unix. Links are not followed.
    ///
    /// # Errors
    /// If it cannot be looked at.
    pub fn owner_of(path: &Path) -> io::Result<Option<Self>> {
        match std::fs::symlink_metadata(path) {
            Ok(metadata) => Ok(Self::of(&metadata)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    #[cfg(unix)]
    fn of(metadata: &std::fs::Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt as _;
        Some(Self(metadata.uid()))
    }

    #[cfg(not(unix))]
    fn of(_: &std::fs::Metadata) -> Option<Self> {
        None
    }

    /// Returns the name, if the list of this machine has it.
    #[must_use]
    pub fn name(self) -> Option<String> {
        let users = std::fs::read_to_string("/etc/passwd").ok()?;
        entry(&users, self.0).map(|(name, _)| name.to_owned())
    }

    /// Returns the number of the user's group, if the list of this machine has it.
    #[must_use]
    pub fn group(self) -> Option<u32> {
        let users = std::fs::read_to_string("/etc/passwd").ok()?;
        entry(&users, self.0)?.1.parse().ok()
    }
}

/// Finds the name and the group that a list in the format of `passwd` has for a user.
fn entry(users: &str, id: u32) -> Option<(&str, &str)> {
    users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let (name, number, group) = (fields.next()?, fields.nth(1)?, fields.next()?);
        (number.parse() == Ok(id)).then_some((name, group))
    })
}

impl fmt::Display for User {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(&name),
            // As `chown` and `sudo -u` take it.
            None => write!(f, "#{}", self.0),
        }
    }
}

/// Returns whether this process may read something, and, if asked for, write it.
#[must_use]
pub fn may_use(path: &Path, write: bool) -> bool {
    #[cfg(unix)]
    {
        use rustix::fs::Access;
        let wanted = match write {
            true => Access::READ_OK | Access::WRITE_OK,
            false => Access::READ_OK,
        };
        rustix::fs::access(path, wanted).is_ok()
    }
    #[cfg(not(unix))]
    {
        let _ = write;
        path.exists()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_by_number() {
        let users = "root:x:0:0:root:/root:/bin/sh\n\nbroken\nideavault:x:998:997::/:/bin/false\n";
        assert_eq!(entry(users, 998), Some(("ideavault", "997")));
        assert_eq!(entry(users, 997), None);
        assert_eq!(User(4_000_000_000).to_string(), "#4000000000");
    }
}
