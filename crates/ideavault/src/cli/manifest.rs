//! The manifest of a backup: `backup.json`, and beside it the keyed hash of that file.
//!
//! Invariant: without the master key, neither the manifest nor the parts that it lists can
//! be changed unnoticed.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use ideavault_crypto::{KeyedHash, MasterKey};
use ideavault_domain::hex;
use ideavault_domain::ids::{FileId, IdeaId};
use ideavault_domain::keys::MasterKeyId;
use serde::{Deserialize, Serialize};

use super::CommandError;
use crate::data::DataError;

/// Format that this version writes.
pub(super) const FORMAT: u32 = 3;
/// Oldest format that it reads, which has no lost files.
const OLDEST_FORMAT: u32 = 2;
/// Path of the copy of the database, inside a backup.
pub(super) const DATABASE: &str = "database";
/// Folder of the copies of the files, inside a backup.
pub(super) const FILES: &str = "files";

pub(super) const NAME: &str = "backup.json";
const NAME_OF_HASH: &str = "backup.json.hmac-sha256";

/// Content of `backup.json`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Manifest {
    pub(super) format: u32,
    pub(super) created_at: String,
    pub(super) database: DatabaseKind,
    /// Keyed hash of the copy of the database.
    pub(super) database_hash: String,
    /// Keyed hash of each file in its encrypted form.
    pub(super) files: BTreeMap<FileName, String>,
    /// Files that the database names and that could not be copied.
    pub(super) lost: BTreeMap<FileName, LostFile>,
    pub(super) secret_key_id: String,
}

/// Details of a file that could not be copied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct LostFile {
    pub(super) reason: LostReason,
    /// Ideas whose revisions show the file.
    pub(super) ideas: Vec<IdeaId>,
}

/// Reasons why a file could not be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum LostReason {
    /// The file is missing.
    Missing,
    /// The file cannot be read.
    Unreadable,
    /// The content does not match its digest.
    Damaged,
}

/// Formats the lost files, one on each line.
#[derive(Debug)]
pub struct LostFiles(pub(super) BTreeMap<FileName, LostFile>);

impl fmt::Display for LostFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, LostFile { reason, ideas }) in &self.0 {
            let reason = match reason {
                LostReason::Missing => "missing",
                LostReason::Unreadable => "unreadable",
                LostReason::Damaged => "damaged",
            };
            write!(f, "\n  file {} is {reason}", name.0)?;
            match ideas.as_slice() {
                [] => {}
                [idea] => write!(f, " (idea {idea})")?,
                [first, rest @ ..] => {
                    write!(f, " (ideas {first}")?;
                    for idea in rest {
                        write!(f, ", {idea}")?;
                    }
                    write!(f, ")")?;
                }
            }
        }
        Ok(())
    }
}

/// The fields that have to be checked before the rest is trusted.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Header {
    format: u32,
    #[serde(default)]
    secret_key_id: String,
}

/// A file id that serves as a key of a JSON object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct FileName(pub(super) String);

impl From<FileId> for FileName {
    fn from(id: FileId) -> Self {
        Self(id.to_string())
    }
}

impl FileName {
    /// The file id.
    pub(super) fn id(&self) -> Result<FileId, CommandError> {
        let id = self.0.parse();
        id.map_err(|_| CommandError::Incomplete)
    }
}

/// Kind of database. A copy of one kind cannot be restored into the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum DatabaseKind {
    Sqlite,
    Postgres,
}

/// Returns the kind of database that an address names.
pub(super) fn kind_of(url: &str) -> DatabaseKind {
    if url.starts_with("sqlite://") {
        DatabaseKind::Sqlite
    } else {
        DatabaseKind::Postgres
    }
}

/// Formats the id of a master key.
pub(super) fn key_id(id: MasterKeyId) -> String {
    hex::encode(id.as_bytes())
}

/// Starts the keyed hash of a part of a backup.
pub(super) fn content_hash(key: &MasterKey) -> Result<KeyedHash, CommandError> {
    Ok(KeyedHash::new(key, "backup content").map_err(DataError::from)?)
}

/// Computes the keyed hash of a file.
pub(super) fn hash_of(path: &Path, key: &MasterKey) -> Result<String, CommandError> {
    let mut hash = content_hash(key)?;
    File::open(path)
        .and_then(|mut file| io::copy(&mut file, &mut hash))
        .map_err(CommandError::at(path))?;
    Ok(hash.finish())
}

impl Manifest {
    pub(super) fn write(&self, folder: &Path, key: &MasterKey) -> Result<(), CommandError> {
        let path = folder.join(NAME);
        let json = serde_json::to_vec_pretty(self)
            .map_err(io::Error::other)
            .map_err(CommandError::at(&path))?;
        let hash = hash_of_manifest(&json, key)? + "\n";
        for (path, content) in [(path, json), (folder.join(NAME_OF_HASH), hash.into_bytes())] {
            fs::write(&path, content).map_err(CommandError::at(&path))?;
            sync(&path)?;
        }
        sync(folder)
    }

    /// Reads the manifest if one of `keys` authenticates it. Returns that key as well.
    pub(super) fn read<'k>(
        folder: &Path,
        keys: &'k [MasterKey],
    ) -> Result<(Self, &'k MasterKey), CommandError> {
        let path = folder.join(NAME);
        let json = fs::read(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                CommandError::NotABackup(folder.to_owned())
            }
            _ => CommandError::at(&path)(error),
        })?;
        let header: Header = parse(&json, &path)?;
        if !(OLDEST_FORMAT..=FORMAT).contains(&header.format) {
            return Err(CommandError::Format(header.format));
        }
        let mut found = None;
        for key in keys {
            if key_id(key.id().map_err(DataError::from)?) == header.secret_key_id {
                found = Some(key);
            }
        }
        let key = found.ok_or(CommandError::KeyOfBackup(header.secret_key_id))?;
        // A constant-time comparison is not needed: without the key, an attacker cannot
        // compute hashes to compare.
        let expected = fs::read_to_string(folder.join(NAME_OF_HASH)).unwrap_or_default();
        if expected.trim() != hash_of_manifest(&json, key)? {
            return Err(CommandError::Forged);
        }
        Ok((parse(&json, &path)?, key))
    }
}

fn parse<'j, T: Deserialize<'j>>(json: &'j [u8], path: &Path) -> Result<T, CommandError> {
    serde_json::from_slice(json)
        .map_err(io::Error::other)
        .map_err(CommandError::at(path))
}

fn hash_of_manifest(json: &[u8], key: &MasterKey) -> Result<String, CommandError> {
    let mut hash = KeyedHash::new(key, "backup manifest").map_err(DataError::from)?;
    hash.update(json);
    Ok(hash.finish())
}

/// Flushes a file to the disk.
fn sync(path: &Path) -> Result<(), CommandError> {
    File::open(path)
        .and_then(|file| file.sync_all())
        .map_err(CommandError::at(path))
}
