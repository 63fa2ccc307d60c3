//! Reads, generates and replaces the master keys.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use ideavault_crypto::{KeyError, MasterKey, SystemRandom};
use ideavault_domain::ports::{PortError, Random as _};
use thiserror::Error;

/// Key file, inside the data folder.
pub const FILE_NAME: &str = "secret.key";

/// Failures to get a master key.
#[derive(Debug, Error)]
pub enum MasterKeyError {
    /// A configured or stored value is not a key.
    #[error("{origin} does not hold a usable secret key")]
    Unusable {
        /// The variable or file.
        origin: String,
        /// Description of the problem.
        #[source]
        source: KeyError,
    },
    /// The key file cannot be read or written.
    #[error("the secret key file {} cannot be used", path.display())]
    File {
        /// Path of the key file.
        path: PathBuf,
        /// The underlying error.
        #[source]
        source: io::Error,
    },
    /// No randomness is available for a new key.
    #[error(transparent)]
    Random(#[from] PortError),
}

/// Returns the configured keys, or those in the data folder, or else a new one, which is
/// stored there with mode 0600. During a rotation there are several, the newest first.
pub fn master_keys(
    configured: Option<&str>,
    data_dir: &Path,
) -> Result<Vec<MasterKey>, MasterKeyError> {
    let stored = stored_master_keys(configured, data_dir)?;
    if !stored.is_empty() {
        return Ok(stored);
    }
    let path = data_dir.join(FILE_NAME);
    let key = new_master_key()?;
    match write_new(&path, &key.reveal()) {
        Ok(()) => Ok(vec![key]),
        Err(source) => Err(MasterKeyError::File { path, source }),
    }
}

/// Returns the configured keys, or those in the data folder, or none.
pub fn stored_master_keys(
    configured: Option<&str>,
    data_dir: &Path,
) -> Result<Vec<MasterKey>, MasterKeyError> {
    if let Some(text) = configured {
        return parse(text, "IDEAVAULT_SECRET_KEY");
    }
    let path = data_dir.join(FILE_NAME);
    match fs::read_to_string(&path) {
        Ok(text) => parse(&text, &path.display().to_string()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(source) => Err(MasterKeyError::File { path, source }),
    }
}

/// Generates a master key.
pub fn new_master_key() -> Result<MasterKey, MasterKeyError> {
    let mut bytes = [0_u8; 32];
    SystemRandom.fill(&mut bytes)?;
    Ok(MasterKey::from_random(bytes))
}

/// Replaces the keys in the data folder atomically.
pub fn keep_master_keys(keys: &[MasterKey], data_dir: &Path) -> Result<(), MasterKeyError> {
    let path = data_dir.join(FILE_NAME);
    let draft = path.with_extension("key.new");
    let lines: Vec<_> = keys.iter().map(MasterKey::reveal).collect();
    let replace = || {
        match fs::remove_file(&draft) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        write_new(&draft, &lines.join("\n"))?;
        fs::rename(&draft, &path)?;
        if cfg!(unix) {
            fs::File::open(data_dir)?.sync_all()?;
        }
        Ok(())
    };
    replace().map_err(|source| MasterKeyError::File {
        path: path.clone(),
        source,
    })
}

/// Stores a replaced key in a file of its own with the key's id in its name. Returns the
/// path.
pub fn keep_aside(key: &MasterKey, id: &str, data_dir: &Path) -> Result<PathBuf, MasterKeyError> {
    let path = data_dir.join(format!("{FILE_NAME}.{id}"));
    match write_new(&path, &key.reveal()) {
        Err(source) if source.kind() != io::ErrorKind::AlreadyExists => {
            Err(MasterKeyError::File { path, source })
        }
        _ => Ok(path),
    }
}

/// Returns the keys that [`keep_aside`] has stored.
pub fn former_master_keys(data_dir: &Path) -> Result<Vec<MasterKey>, MasterKeyError> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |source| MasterKeyError::File { path, source }
    };
    let folder = match fs::read_dir(data_dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        folder => folder.map_err(unreadable(data_dir))?,
    };
    let mut keys = Vec::new();
    for entry in folder {
        let path = entry.map_err(unreadable(data_dir))?.path();
        let is_former = path.file_name().and_then(|name| name.to_str());
        let is_former = is_former
            .and_then(|name| name.strip_prefix(FILE_NAME)?.strip_prefix('.'))
            .is_some_and(|id| id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit()));
        if is_former {
            let text = fs::read_to_string(&path).map_err(unreadable(&path))?;
            keys.extend(parse(&text, &path.display().to_string())?);
        }
    }
    Ok(keys)
}

/// Parses keys that are separated by commas or line breaks.
fn parse(text: &str, origin: &str) -> Result<Vec<MasterKey>, MasterKeyError> {
    text.trim()
        .split([',', '\n'])
        .map(MasterKey::parse)
        .collect::<Result<_, _>>()
        .map_err(|source| MasterKeyError::Unusable {
            origin: origin.to_owned(),
            source,
        })
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

    fn reveal(keys: &[MasterKey]) -> Vec<String> {
        keys.iter().map(MasterKey::reveal).collect()
    }

    #[cfg(unix)]
    fn assert_private(path: &Path) {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(
            fs::metadata(path).unwrap().permissions().mode() & 0o777,
            0o600
        );
    }

    #[test]
    fn a_new_key_file_is_private() {
        let folder = tempfile::tempdir().unwrap();
        let first = master_keys(None, folder.path()).unwrap();
        let second = master_keys(None, folder.path()).unwrap();
        assert_eq!(first.len(), 1);
        assert_eq!(reveal(&first), reveal(&second));
        #[cfg(unix)]
        assert_private(&folder.path().join(FILE_NAME));
    }

    #[test]
    fn configured_keys_take_precedence_and_are_validated() {
        let folder = tempfile::tempdir().unwrap();
        let texts = [5, 6].map(|byte| MasterKey::from_random([byte; 32]).reveal());
        let keys = master_keys(Some(&texts.join(",")), folder.path()).unwrap();
        assert_eq!(reveal(&keys), texts);
        assert!(!folder.path().join(FILE_NAME).exists());
        for wrong in ["hunter2", "", &format!("{},", texts[0])] {
            assert!(master_keys(Some(wrong), folder.path()).is_err());
        }
    }

    #[test]
    fn a_damaged_key_file_is_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        fs::write(&path, "damaged").unwrap();
        assert!(master_keys(None, folder.path()).is_err());
        assert_eq!(fs::read_to_string(path).unwrap(), "damaged");
    }

    #[test]
    fn a_former_key_file_is_private_and_not_used() {
        let folder = tempfile::tempdir().unwrap();
        assert!(
            former_master_keys(&folder.path().join("missing"))
                .unwrap()
                .is_empty()
        );
        let current = master_keys(None, folder.path()).unwrap();
        let former = new_master_key().unwrap();
        let path = keep_aside(&former, "0123456789abcdef", folder.path()).unwrap();
        assert_eq!(path, folder.path().join("secret.key.0123456789abcdef"));
        #[cfg(unix)]
        assert_private(&path);
        // A second time, as when an interrupted rotation is resumed.
        keep_aside(&former, "0123456789abcdef", folder.path()).unwrap();
        fs::write(folder.path().join("secret.key.new"), "half").unwrap();
        let kept = former_master_keys(folder.path()).unwrap();
        assert_eq!(reveal(&kept), [former.reveal()]);
        assert_eq!(
            reveal(&master_keys(None, folder.path()).unwrap()),
            reveal(&current)
        );
    }

    #[test]
    fn stored_keys_keep_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let old = master_keys(None, folder.path()).unwrap().remove(0);
        // A leftover of an interruption does no harm.
        fs::write(folder.path().join("secret.key.new"), "half").unwrap();
        let keys = [new_master_key().unwrap(), old];
        keep_master_keys(&keys, folder.path()).unwrap();
        let kept = master_keys(None, folder.path()).unwrap();
        assert_eq!(reveal(&kept), reveal(&keys));
        assert!(!folder.path().join("secret.key.new").exists());
        #[cfg(unix)]
        assert_private(&folder.path().join(FILE_NAME));
    }
}
