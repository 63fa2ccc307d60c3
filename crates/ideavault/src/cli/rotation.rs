//! `ideavault rotate-key`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::Arc;

use clap::Args;
use ideavault_application::rotation::{Rotated, Rotation};
use ideavault_crypto::MasterKey;
use ideavault_db::SqlDatabase;
use ideavault_domain::keys::MasterKeyId;
use ideavault_domain::ports::Database as _;

use super::key_lock::KeyLock;
use super::manifest::key_id;
use super::{CommandError, counted, write};
use crate::config::DataOptions;
use crate::data::{DataError, new_cookie_key};
use crate::keys::{keep_aside, keep_master_keys, new_master_key};
use crate::platform::SystemClock;

/// Options of `ideavault rotate-key`.
#[derive(Args, Clone, Debug)]
pub struct RotateOptions {
    /// End the sessions of all creators as well. Restart the servers soon after each other: then
    /// they have ended.
    #[arg(long)]
    pub end_sessions: bool,

    /// Location of the vault.
    #[command(flatten)]
    pub data: DataOptions,
}

/// Replaces the master key, with or without running servers, and reports it on `out`.
/// Running it again resumes an interrupted rotation. Only one runs at a time.
pub fn rotate_key(command: &RotateOptions, out: &mut dyn Write) -> Result<(), CommandError> {
    let options = &command.data;
    let (_lock, mut opened) = KeyLock::open(options)?;
    let database = opened.database;
    let is_configured = options.secret_key().is_some();
    // With more than one key, a rotation was begun or is configured already.
    if opened.keys.len() == 1 {
        if is_configured {
            return Err(CommandError::NoNewKey);
        }
        opened.keys.insert(0, new_master_key()?);
        // Written before the database changes, so that running servers find the new key in
        // time.
        keep_master_keys(&opened.keys, &options.data_dir)?;
    }
    let to = newest(&opened.keys)?;
    let was_current = opened.current.id().map_err(DataError::from)? == to;
    let rotation = Rotation::new(
        Arc::new(database.clone()),
        Arc::new(SystemClock),
        Arc::new(opened.ring),
    );
    let Rotated { rewrapped, damaged } = rotation.rotate(to)?;
    if command.end_sessions {
        let key = new_cookie_key().map_err(DataError::from)?;
        let replaced = database.write(|tx| tx.cookie_key().replace_cookie_key(&key));
        replaced.map_err(DataError::CookieKey)?;
    }
    let advice = if is_configured {
        "Remove all but the first key from IDEAVAULT_SECRET_KEY. Backups that were made before \
         open with the former one alone: keep it elsewhere as long as you keep them."
            .to_owned()
    } else {
        let kept = keep_newest(&database, &opened.keys, &options.data_dir)?;
        let kept: Vec<_> = kept.iter().map(|path| path.display().to_string()).collect();
        match kept.as_slice() {
            [] => String::new(),
            kept => format!(
                "Copy the new secret.key to the place where you keep a second one, then make a \
                 backup. The former key is kept as {}: backups that were made before open with it \
                 alone. Remove that file once no such backup is left.",
                kept.join(", ")
            ),
        }
    };
    // Tells an operator who put the new key last that it is not in use.
    let done = if was_current && rewrapped == 0 {
        "The first key was the master key already, and nothing was encrypted with another."
            .to_owned()
    } else {
        let were = if rewrapped == 1 { "was" } else { "were" };
        let rows = counted(rewrapped, "row");
        format!("The master key is replaced: {rows} {were} re-encrypted.")
    };
    let sessions = match command.end_sessions {
        true => " Restart the servers: that ends all sessions.",
        false => "",
    };
    let said = format!("{done} {advice}");
    write(out, &format!("{}{sessions}\n", said.trim_end()))?;
    if damaged.is_empty() {
        return Ok(());
    }
    let damaged: Vec<_> = damaged.iter().map(ToString::to_string).collect();
    Err(CommandError::Undecryptable(damaged.join(", ")))
}

/// Stores all keys but the first in files of their own, provided that the first is the
/// master key. The transaction keeps others from replacing it. Returns the paths.
fn keep_newest(
    database: &SqlDatabase,
    keys: &[MasterKey],
    data_dir: &Path,
) -> Result<Vec<PathBuf>, CommandError> {
    let (first, former) = keys.split_first().ok_or(CommandError::NoNewKey)?;
    let id = newest(keys)?;
    database.write(|tx| {
        if tx.master_keys().init_master_key(id)? != id {
            return Err(CommandError::Overtaken);
        }
        let mut kept = Vec::new();
        for key in former {
            let id = key_id(key.id().map_err(DataError::from)?);
            kept.push(keep_aside(key, &id, data_dir)?);
        }
        keep_master_keys(slice::from_ref(first), data_dir)?;
        Ok(kept)
    })
}

fn newest(keys: &[MasterKey]) -> Result<MasterKeyId, CommandError> {
    let first = keys.first().ok_or(CommandError::NoNewKey)?;
    Ok(first.id().map_err(DataError::from)?)
}

#[cfg(test)]
mod tests {
    use ideavault_crypto::KeyRing;
    use ideavault_db::testing::TestDatabase;

    use super::*;
    use crate::keys::master_keys;

    #[test]
    fn former_keys_are_removed_only_once_the_master_key_is_current() {
        let folder = tempfile::tempdir().unwrap();
        let keys = [new_master_key().unwrap(), new_master_key().unwrap()];
        keep_master_keys(&keys, folder.path()).unwrap();
        let kept = || master_keys(None, folder.path()).unwrap();
        let database = TestDatabase::sqlite(Arc::new(KeyRing::new(&keys).unwrap()));
        let opened = database.open();
        let make_current = |key: &MasterKey| {
            let id = key.id().unwrap();
            let made = opened.write(|tx| tx.master_keys().replace_master_key(id));
            made.unwrap();
        };

        make_current(&keys[1]);
        let refused = keep_newest(&opened, &keys, folder.path());
        assert!(
            matches!(refused, Err(CommandError::Overtaken)),
            "{refused:?}"
        );
        assert_eq!(kept().len(), 2);

        make_current(&keys[0]);
        keep_newest(&opened, &keys, folder.path()).unwrap();
        let kept: Vec<_> = kept().iter().map(MasterKey::reveal).collect();
        assert_eq!(kept, [keys[0].reveal()]);
    }
}
