//! What a backup says about itself.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use ideavault_domain::digest::Digester;
use ideavault_domain::keys::MasterKeyId;
use serde::{Deserialize, Serialize};

use super::CommandError;
use super::backup::sync;

/// The layout that this version writes and reads.
pub(super) const FORMAT: u32 = 1;
/// The copy of the database, in a backup.
pub(super) const DATABASE: &str = "database";
/// The copies of the files, in a backup.
pub(super) const FILES: &str = "files";

const NAME: &str = "backup.json";

/// `backup.json`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Manifest {
    pub(super) format: u32,
    pub(super) created_at: String,
    pub(super) database: DatabaseKind,
    pub(super) database_sha256: String,
    pub(super) files: usize,
    pub(super) secret_key_id: String,
}

/// A copy of the one kind cannot become the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum DatabaseKind {
    Sqlite,
    Postgres,
}

/// Which kind of database an address names.
pub(super) fn kind_of(url: &str) -> DatabaseKind {
    if url.starts_with("sqlite://") {
        DatabaseKind::Sqlite
    } else {
        DatabaseKind::Postgres
    }
}

/// How the id of a master key is written.
pub(super) fn key_id(id: MasterKeyId) -> String {
    let digits = id.as_bytes().iter().map(|byte| format!("{byte:02x}"));
    digits.collect()
}

/// The SHA-256 of a file.
pub(super) fn digest_of(path: &Path) -> Result<String, CommandError> {
    let digest = || -> io::Result<String> {
        let mut digester = Digester::default();
        io::copy(&mut File::open(path)?, &mut digester)?;
        Ok(digester.finish().to_string())
    };
    digest().map_err(CommandError::at(path))
}

impl Manifest {
    pub(super) fn write(&self, folder: &Path) -> Result<(), CommandError> {
        let path = folder.join(NAME);
        let json = serde_json::to_vec_pretty(self).map_err(io::Error::other);
        json.and_then(|json| fs::write(&path, json))
            .map_err(CommandError::at(&path))?;
        sync(&path)?;
        sync(folder)
    }

    pub(super) fn read(folder: &Path) -> Result<Self, CommandError> {
        let path = folder.join(NAME);
        let json = fs::read(&path).map_err(CommandError::at(&path))?;
        let manifest: Self = serde_json::from_slice(&json)
            .map_err(io::Error::other)
            .map_err(CommandError::at(&path))?;
        if manifest.format == FORMAT {
            Ok(manifest)
        } else {
            Err(CommandError::Format(manifest.format))
        }
    }
}
