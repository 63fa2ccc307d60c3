//! [`BlobStore`] that encrypts every file in chunks of 64 KiB with the file's own
//! key. The associated data of a chunk is its position and whether it is the last one.
//! So a range can be read without the rest, and missing, moved, changed or truncated
//! content does not decrypt.

use std::error::Error;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;

use ideavault_domain::Timestamp;
use ideavault_domain::file::{StoredFile, key_aad};
use ideavault_domain::ids::FileId;
use ideavault_domain::keys::{DataKey, WrappedKey};
use ideavault_domain::ports::{BlobStore, Encryption, PortError, StorageError, StoredBytes};

use crate::blobs::Blobs;

/// Plaintext bytes in each chunk but the last.
const CHUNK: u64 = 64 * 1024;

/// Encrypting [`BlobStore`] on top of [`Blobs`].
pub struct SealedStorage {
    blobs: Arc<dyn Blobs>,
    encryption: Arc<dyn Encryption>,
    /// Bytes that encryption adds to a chunk.
    overhead: u64,
}

impl SealedStorage {
    /// Creates a store in `blobs` that encrypts with `encryption`.
    ///
    /// # Errors
    /// If `encryption` cannot encrypt.
    pub fn new(blobs: Arc<dyn Blobs>, encryption: Arc<dyn Encryption>) -> Result<Self, PortError> {
        let nothing = encryption.seal(&encryption.new_key()?, "nothing", &[])?;
        Ok(Self {
            blobs,
            encryption,
            overhead: nothing.len() as u64,
        })
    }

    fn key_of(&self, file: &StoredFile) -> Result<DataKey, StorageError> {
        self.encryption
            .unwrap(&key_aad(file.id), &file.key)
            .map_err(|error| StorageError::Damaged {
                operation: "unwrap the key of a file",
                id: file.id,
                source: Box::new(error),
            })
    }
}

impl BlobStore for SealedStorage {
    fn put(&self, id: FileId, content: &mut dyn Read) -> Result<WrappedKey, StorageError> {
        let key = self
            .encryption
            .new_key()
            .map_err(failed("create the key of a file"))?;
        let wrapped = self
            .encryption
            .wrap(&key_aad(id), &key)
            .map_err(failed("wrap the key of a file"))?;
        let mut encrypted = EncryptingReader {
            content,
            encryption: self.encryption.as_ref(),
            key: &key,
            ahead: None,
            next: 0,
            sealed: io::Cursor::default(),
        };
        self.blobs.put(id, &mut encrypted)?;
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
        let decrypted = DecryptingReader {
            sealed: self.blobs.open(file.id, sealed)?,
            sealed_chunk,
            encryption: Arc::clone(&self.encryption),
            key,
            next: first,
            last,
            opened: io::Cursor::default(),
        };
        let mut skipped = decrypted;
        let before = part.start - first * CHUNK;
        io::copy(&mut (&mut skipped).take(before), &mut io::sink())
            .map_err(StorageError::reading("open a file", file.id))?;
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

/// Returns the associated data of a chunk.
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

/// A reader that returns the encrypted form of `content`.
struct EncryptingReader<'a> {
    content: &'a mut dyn Read,
    encryption: &'a dyn Encryption,
    key: &'a DataKey,
    /// The next chunk, read ahead to know whether it is the last one.
    ahead: Option<Vec<u8>>,
    next: u64,
    sealed: io::Cursor<Vec<u8>>,
}

impl EncryptingReader<'_> {
    fn read_chunk(&mut self) -> io::Result<Vec<u8>> {
        let mut chunk = Vec::new();
        self.content.take(CHUNK).read_to_end(&mut chunk)?;
        Ok(chunk)
    }

    /// Encrypts the next chunk; returns `false` after the last one.
    fn advance(&mut self) -> io::Result<bool> {
        let chunk = match self.ahead.take() {
            Some(chunk) => chunk,
            None if self.next == 0 => self.read_chunk()?,
            None => return Ok(false),
        };
        let following = self.read_chunk()?;
        let is_last = following.is_empty();
        let aad = chunk_aad(self.next, is_last);
        let sealed = self.encryption.seal(self.key, &aad, &chunk);
        self.sealed = io::Cursor::new(sealed.map_err(io::Error::other)?);
        self.ahead = (!is_last).then_some(following);
        self.next += 1;
        Ok(true)
    }
}

impl Read for EncryptingReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.sealed.read(buffer)?;
            if read > 0 || buffer.is_empty() || !self.advance()? {
                return Ok(read);
            }
        }
    }
}

/// A reader that decrypts `sealed`, which begins at a chunk.
struct DecryptingReader {
    sealed: Box<dyn Read + Send>,
    sealed_chunk: u64,
    encryption: Arc<dyn Encryption>,
    key: DataKey,
    next: u64,
    last: u64,
    opened: io::Cursor<Vec<u8>>,
}

impl DecryptingReader {
    /// Decrypts the next chunk; returns `false` after the last one.
    fn advance(&mut self) -> io::Result<bool> {
        if self.next > self.last {
            return Ok(false);
        }
        let mut sealed = Vec::with_capacity(usize::try_from(self.sealed_chunk).unwrap_or_default());
        let mut chunk = (&mut self.sealed).take(self.sealed_chunk);
        if chunk.read_to_end(&mut sealed)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let aad = chunk_aad(self.next, self.next == self.last);
        let opened = self.encryption.open(&self.key, &aad, &sealed);
        let damaged = |error| io::Error::new(io::ErrorKind::InvalidData, error);
        self.opened = io::Cursor::new(opened.map_err(damaged)?);
        self.next += 1;
        Ok(true)
    }
}

impl Read for DecryptingReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.opened.read(buffer)?;
            if self.opened.position() == self.opened.get_ref().len() as u64 {
                // The reader may belong to a client that is slow.
                self.opened = io::Cursor::default();
            }
            if read > 0 || buffer.is_empty() || !self.advance()? {
                return Ok(read);
            }
        }
    }
}

#[cfg(test)]
mod tests;
