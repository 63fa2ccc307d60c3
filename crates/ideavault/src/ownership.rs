//! The user that a vault belongs to. Root may write everywhere, and what it writes belongs to
//! it: the server could not use a key, a lock or a file any more.

use std::path::{Path, PathBuf};

use crate::platform::User;

/// Files that root would have left to itself in somebody else's vault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignVault {
    /// The folder that belongs to the other user.
    pub path: PathBuf,
    /// Whose vault it is.
    pub owner: User,
}

/// Returns whose vault the data folder holds, if this process runs as root and the vault is
/// another user's. `files` names the folder in it that a server makes. What cannot be looked at is
/// told when it is used.
#[must_use]
pub fn foreign_to_root(data_dir: &Path, files: &str) -> Option<ForeignVault> {
    if User::current() != Some(User::ROOT) {
        return None;
    }
    // The folder may be root's with the files of a server that may write to it.
    [data_dir.to_owned(), data_dir.join(files)]
        .into_iter()
        .find_map(|path| {
            let owner = User::owner_of(&path).ok().flatten();
            let owner = owner.filter(|owner| *owner != User::ROOT)?;
            Some(ForeignVault { path, owner })
        })
}
