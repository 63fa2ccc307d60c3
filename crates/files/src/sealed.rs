//! [`BlobStore`] that stores nothing readable: every file in chunks of 64 KiB,
//! each sealed with the file's own key for its place in the file. So a part can
//! be read without the rest, and a chunk that is missing, moved or changed does
//! not open. The last chunk is called so in its place: a file that was cut does
//! not pass for a shorter one.

use std::error::Error;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;

use ideavault_domain::Timestamp;
use ideavault_domain::file::{StoredFile, key_aad};
use ideavault_domain::ids::FileId;
use ideavault_domain::keys::{DataKey, WrappedKey};
use ideavault_domain::ports::{BlobStore, PortError, StorageError, StoredBytes, Vault};

use crate::blobs::Blobs;

/// Bytes of a file in each chunk but the last.
const CHUNK: u64 = 64 * 1024;

/// [`BlobStore`] over what keeps bytes.
pub struct SealedStorage {
    blobs: Arc<dyn Blobs>,
    vault: Arc<dyn Vault>,
    /// How many bytes longer a chunk becomes.
    overhead: u64,
}

impl SealedStorage {
    /// Seals with `vault` what lies in `blobs`.
    ///
    /// # Errors
    /// When `vault` does not work.
    pub fn new(blobs: Arc<dyn Blobs>, vault: Arc<dyn Vault>) -> Result<Self, PortError> {
        let nothing = vault.seal(&vault.new_key()?, "nothing", &[])?;
        Ok(Self {
            blobs,
            vault,
            overhead: nothing.len() as u64,
        })
    }

    fn key_of(&self, file: &StoredFile) -> Result<DataKey, StorageError> {
        self.vault
            .unwrap(&key_aad(file.id), &file.key)
            .map_err(failed("unwrap the key of a file"))
    }
}

impl BlobStore for SealedStorage {
    fn put(&self, id: FileId, content: &mut dyn Read) -> Result<WrappedKey, StorageError> {
        let key = self
            .vault
            .new_key()
            .map_err(failed("make the key of a file"))?;
        let wrapped = self
            .vault
            .wrap(&key_aad(id), &key)
            .map_err(failed("wrap the key of a file"))?;
        let mut sealing = Sealing {
            content,
            vault: self.vault.as_ref(),
            key: &key,
            ahead: None,
            next: 0,
            sealed: io::Cursor::default(),
        };
        self.blobs.put(id, &mut sealing)?;
        Ok(wrapped)
    }

    fn open(
        &self,
        file: &StoredFile,
        part: Range<u64>,
    ) -> Result<Box<dyn Read + Send>, StorageError> {
        let key = self.key_of(file)?;
        let last = file.size.saturating_sub(1) / CHUNK;
        let first = part.start / CHUNK;
        let sealed_chunk = CHUNK + self.overhead;
        let until = part.end.saturating_sub(1) / CHUNK + 1;
        let sealed = first * sealed_chunk..until * sealed_chunk;
        let opening = Opening {
            sealed: self.blobs.open(file.id, sealed)?,
            sealed_chunk,
            vault: Arc::clone(&self.vault),
            key,
            next: first,
            last,
            opened: io::Cursor::default(),
        };
        let mut skipped = opening;
        let before = part.start - first * CHUNK;
        io::copy(&mut (&mut skipped).take(before), &mut io::sink())
            .map_err(failed("open a file"))?;
        Ok(Box::new(skipped.take(part.end.saturating_sub(part.start))))
    }

    fn discard(&self, id: FileId) {
        self.blobs.discard(id);
    }

    fn list(&self, after: Option<FileId>, limit: usize) -> Result<Vec<StoredBytes>, StorageError> {
        self.blobs.list(after, limit)
    }

    fn remove_unfinished(&self, before: Timestamp) -> Result<usize, StorageError> {
        self.blobs.remove_unfinished(before)
    }
}

/// Where a chunk of a file is sealed.
fn chunk_aad(number: u64, is_last: bool) -> String {
    let last = if is_last { "last " } else { "" };
    format!("{last}chunk {number}")
}

fn failed<E: Into<Box<dyn Error + Send + Sync>>>(
    operation: &'static str,
) -> impl FnOnce(E) -> StorageError {
    move |error| StorageError::Unavailable {
        operation,
        source: error.into(),
    }
}

/// Reads as the sealed form of what `content` gives.
struct Sealing<'a> {
    content: &'a mut dyn Read,
    vault: &'a dyn Vault,
    key: &'a DataKey,
    /// The chunk to be sealed next: whether it is the last, only what follows tells.
    ahead: Option<Vec<u8>>,
    next: u64,
    sealed: io::Cursor<Vec<u8>>,
}

impl Sealing<'_> {
    fn read_chunk(&mut self) -> io::Result<Vec<u8>> {
        let mut chunk = Vec::new();
        self.content.take(CHUNK).read_to_end(&mut chunk)?;
        Ok(chunk)
    }

    /// Seals the next chunk; answers `false` after the last.
    fn advance(&mut self) -> io::Result<bool> {
        let chunk = match self.ahead.take() {
            Some(chunk) => chunk,
            None if self.next == 0 => self.read_chunk()?,
            None => return Ok(false),
        };
        let following = self.read_chunk()?;
        let is_last = following.is_empty();
        let place = chunk_aad(self.next, is_last);
        let sealed = self.vault.seal(self.key, &place, &chunk);
        self.sealed = io::Cursor::new(sealed.map_err(io::Error::other)?);
        self.ahead = (!is_last).then_some(following);
        self.next += 1;
        Ok(true)
    }
}

impl Read for Sealing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.sealed.read(buffer)?;
            if read > 0 || buffer.is_empty() || !self.advance()? {
                return Ok(read);
            }
        }
    }
}

/// Reads what was sealed, from the beginning of a chunk.
struct Opening {
    sealed: Box<dyn Read + Send>,
    sealed_chunk: u64,
    vault: Arc<dyn Vault>,
    key: DataKey,
    next: u64,
    last: u64,
    opened: io::Cursor<Vec<u8>>,
}

impl Opening {
    /// Opens the next chunk; answers `false` after the last.
    fn advance(&mut self) -> io::Result<bool> {
        if self.next > self.last {
            return Ok(false);
        }
        let mut sealed = Vec::new();
        let mut chunk = (&mut self.sealed).take(self.sealed_chunk);
        if chunk.read_to_end(&mut sealed)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let place = chunk_aad(self.next, self.next == self.last);
        let opened = self.vault.open(&self.key, &place, &sealed);
        self.opened = io::Cursor::new(opened.map_err(io::Error::other)?);
        self.next += 1;
        Ok(true)
    }
}

impl Read for Opening {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.opened.read(buffer)?;
            if read > 0 || buffer.is_empty() || !self.advance()? {
                return Ok(read);
            }
        }
    }
}

#[cfg(test)]
mod tests;
