//! Where the master key comes from.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use ideavault_crypto::{KeyError, MasterKey, SystemRandom};
use ideavault_domain::ports::{PortError, Random as _};
use thiserror::Error;

const FILE_NAME: &str = "secret.key";

/// Why there is no master key.
#[derive(Debug, Error)]
pub enum MasterKeyError {
    /// What was configured or stored is not a key.
    #[error("{origin} does not hold a usable secret key")]
    Unusable {
        /// The variable or file.
        origin: String,
        /// What is wrong with it.
        #[source]
        source: KeyError,
    },
    /// The key file cannot be read or written.
    #[error("the secret key file {} cannot be used", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// No randomness is to be had for a new key.
    #[error(transparent)]
    Random(#[from] PortError),
}

/// The configured key; else the one in the data folder; else a new one, which
/// is kept there with mode 0600.
///
/// # Errors
/// [`MasterKeyError`].
pub fn master_key(configured: Option<&str>, data_dir: &Path) -> Result<MasterKey, MasterKeyError> {
    let unusable = |origin: &str| {
        let origin = origin.to_owned();
        move |source| MasterKeyError::Unusable { origin, source }
    };
    if let Some(text) = configured {
        return MasterKey::parse(text).map_err(unusable("IDEAVAULT_SECRET_KEY"));
    }
    let path = data_dir.join(FILE_NAME);
    let file = |source| MasterKeyError::File {
        path: path.clone(),
        source,
    };
    match fs::read_to_string(&path) {
        Ok(text) => {
            return MasterKey::parse(&text).map_err(unusable(&path.display().to_string()));
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(file(error)),
    }
    let mut bytes = [0_u8; 32];
    SystemRandom.fill(&mut bytes)?;
    let key = MasterKey::from_random(bytes);
    write_new(&path, &key.reveal()).map_err(file)?;
    Ok(key)
}

/// Writes a file that must not exist yet and that only its owner may read.
fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    writeln!(file, "{text}")?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_key_is_kept_for_its_owner_only() {
        let folder = tempfile::tempdir().unwrap();
        let first = master_key(None, folder.path()).unwrap();
        let second = master_key(None, folder.path()).unwrap();
        assert_eq!(first.reveal(), second.reveal());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let metadata = fs::metadata(folder.path().join(FILE_NAME)).unwrap();
            assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
        }
    }

    #[test]
    fn a_configured_key_wins_and_must_be_one() {
        let folder = tempfile::tempdir().unwrap();
        let text = MasterKey::from_random([5; 32]).reveal();
        let key = master_key(Some(&text), folder.path()).unwrap();
        assert_eq!(key.reveal(), text);
        assert!(!folder.path().join(FILE_NAME).exists());
        assert!(master_key(Some("hunter2"), folder.path()).is_err());
    }

    #[test]
    fn a_damaged_key_file_is_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        fs::write(&path, "damaged").unwrap();
        assert!(master_key(None, folder.path()).is_err());
        assert_eq!(fs::read_to_string(path).unwrap(), "damaged");
    }
}
