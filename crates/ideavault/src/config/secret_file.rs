//! Settings that a file holds, so that neither the environment nor a list of processes shows them.

use std::fmt;
use std::fs::File;
use std::io::Read as _;

/// Largest file.
const MAX_BYTES: u64 = 64 * 1024;

/// The content of a file, without the line breaks at its end. Its debug output shows nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretFile(String);

impl SecretFile {
    /// Reads the file at a path, for the command line.
    ///
    /// # Errors
    /// The fault of the file.
    pub fn read(path: &str) -> Result<Self, String> {
        let mut text = String::new();
        File::open(path)
            .and_then(|file| file.take(MAX_BYTES + 1).read_to_string(&mut text))
            .map_err(|error| {
                format!("the file cannot be read ({error}): let the user of the server read it")
            })?;
        if text.len() as u64 > MAX_BYTES {
            return Err("the file is larger than 64 KB: name the one with the secret".to_owned());
        }
        let text = text.trim_end_matches(['\n', '\r']);
        match text.is_empty() {
            true => Err("the file is empty: write the secret into it".to_owned()),
            false => Ok(Self(text.to_owned())),
        }
    }

    /// Returns the secret.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretFile(confidential)")
    }
}

/// Returns the value that is set, or that a file holds.
pub(super) fn given<'a>(
    value: Option<&'a String>,
    file: Option<&'a SecretFile>,
) -> Option<&'a str> {
    value.map(String::as_str).or(file.map(SecretFile::reveal))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_the_file_without_its_last_line_break() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        let read = || SecretFile::read(path.to_str().unwrap());
        assert!(read().unwrap_err().contains("cannot be read"));
        std::fs::write(&path, "\n").unwrap();
        assert!(read().unwrap_err().contains("empty"));
        std::fs::write(&path, " a b\r\n").unwrap();
        let secret = read().unwrap();
        assert_eq!(secret.reveal(), " a b");
        assert_eq!(format!("{secret:?}"), "SecretFile(confidential)");
        std::fs::write(&path, "x".repeat(65_537)).unwrap();
        assert!(read().unwrap_err().contains("64 KB"));
    }
}
