//! `ideavault rotate-key`.

use std::io::Write;
use std::sync::Arc;

use ideavault_application::rotation::Rotation;
use ideavault_crypto::MasterKey;
use ideavault_domain::keys::MasterKeyId;

use super::{CommandError, write};
use crate::config::DataOptions;
use crate::data::{self, DataError};
use crate::keys::{keep_master_keys, new_master_key};
use crate::platform::SystemClock;

/// Replaces the master key, while servers run or not, and says so on `out`.
/// What was interrupted goes on when it is run again.
///
/// # Errors
/// [`CommandError`].
pub fn rotate_key(options: &DataOptions, out: &mut dyn Write) -> Result<(), CommandError> {
    let mut opened = data::open(options)?;
    let is_configured = options.secret_key.is_some();
    // With more than one key, a rotation is begun or wanted already.
    if opened.keys.len() == 1 {
        if is_configured {
            return Err(CommandError::NoNewKey);
        }
        opened.keys.insert(0, new_master_key()?);
        // Running servers find it there when they meet it in the database.
        keep_master_keys(&opened.keys, &options.data_dir)?;
    }
    let to = newest(&opened.keys)?;
    let was_current = opened.current.id().map_err(DataError::from)? == to;
    let rotation = Rotation::new(
        Arc::new(opened.database),
        Arc::new(SystemClock),
        Arc::new(opened.ring),
    );
    let renewed = rotation.rotate(to)?;
    opened.keys.truncate(1);
    let advice = if is_configured {
        "Remove all but the first key from IDEAVAULT_SECRET_KEY."
    } else {
        keep_master_keys(&opened.keys, &options.data_dir)?;
        "The former key is gone."
    };
    // So that nobody who put the new key last believes that it is in use.
    let done = if was_current && renewed == 0 {
        "The first key was the master key already, and nothing was sealed with another.".to_owned()
    } else {
        format!("The master key is replaced: {renewed} rows are sealed anew.")
    };
    write(out, &format!("{done} {advice}\n"))
}

fn newest(keys: &[MasterKey]) -> Result<MasterKeyId, CommandError> {
    let first = keys.first().ok_or(CommandError::NoNewKey)?;
    Ok(first.id().map_err(DataError::from)?)
}
