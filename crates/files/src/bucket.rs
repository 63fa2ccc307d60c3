//! [`Blobs`] in a bucket of S3, or of a server that speaks its protocol, under the names
//! that they have in a folder:
//!
//! ```text
//! PREFIX/storage-id          id that ties the bucket to its database
//! PREFIX/0b/0b9f1c1e-7d7b-…  complete, never changed
//! ```
//!
//! Invariant: one request writes an object, which is complete or absent. So nothing is ever
//! left of an interrupted upload, and to repeat a request is harmless.

mod crypto;
mod requests;
mod settings;

use std::io::{self, Cursor, Read};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use chrono::SubsecRound as _;
use futures_util::stream::{BoxStream, StreamExt as _, TryStreamExt as _};
use ideavault_domain::Timestamp;
use ideavault_domain::ids::{FileId, StorageId};
use ideavault_domain::ports::{StorageError, StoredBytes};
use object_store::aws::AmazonS3;
use object_store::list::{PaginatedListOptions, PaginatedListStore as _};
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectStore as _, ObjectStoreExt as _, PutPayload};

use self::requests::{RequestFailed, Requests};
pub use self::settings::{BucketAddress, BucketError, BucketSettings};
use crate::blobs::Blobs;
use crate::folder::{MARKER, PROBE, shard_of};

/// Most bytes of a blob, which is in memory while it is stored. The largest file is a PDF, for which
/// `IDEAVAULT_PDF_SIZE` allows 100 MiB, and encryption adds a little.
const BLOB_MAX: u64 = 108 * 1024 * 1024;
/// Most entries that a bucket lists at a time.
const PAGE_MAX: usize = 1_000;
/// How much is read of an object that is small, or that only has to be there.
const START: u64 = 64;
/// The object that [`Blobs::probe`] writes and removes.
const PROBE_NAME: &str = "write-check";

/// How long requests to a bucket may take, with all retries.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// A request without a large body.
    pub request: Duration,
    /// Storing a blob.
    pub upload: Duration,
    /// Waiting for the next bytes of a blob.
    pub read: Duration,
    /// Waiting for the turn of a request while the bucket answers none of those that run.
    pub silence: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // Shorter than what a request to the server may take.
            request: Duration::from_secs(6),
            upload: Duration::from_secs(60),
            read: Duration::from_secs(10),
            silence: Duration::from_secs(1),
        }
    }
}

/// [`Blobs`] in a bucket.
pub struct BucketStorage {
    store: Arc<AmazonS3>,
    address: BucketAddress,
    requests: Arc<Requests>,
    limits: Limits,
}

impl BucketStorage {
    /// Prepares to use a bucket, without a request.
    pub fn new(settings: &BucketSettings, limits: Limits) -> Result<Self, BucketError> {
        Ok(Self {
            store: Arc::new(settings.client()?),
            address: settings.address.clone(),
            requests: Arc::new(Requests::start(limits.silence)?),
            limits,
        })
    }

    fn key(&self, name: &str) -> Path {
        self.address.prefix.clone().join(name)
    }

    fn key_of(&self, id: FileId) -> Path {
        let id = id.to_string();
        self.key(shard_of(&id)).join(id)
    }

    fn write(&self, key: Path, bytes: Vec<u8>) -> Result<(), RequestFailed> {
        let store = Arc::clone(&self.store);
        self.requests.run(self.limits.request, async move {
            store.put(&key, PutPayload::from(bytes)).await.map(drop)
        })
    }

    /// Reads the first bytes of an object; `None` if there is none.
    fn read(&self, key: Path, most: u64) -> Result<Option<Vec<u8>>, RequestFailed> {
        let store = Arc::clone(&self.store);
        let read = self.requests.run(self.limits.request, async move {
            store.get_range(&key, 0..most).await
        });
        match read {
            Ok(bytes) => Ok(Some(bytes.into())),
            Err(error) if error.is_missing() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Removes an object, if there is one.
    fn remove(&self, key: Path) -> Result<(), RequestFailed> {
        let store = Arc::clone(&self.store);
        let removed = self
            .requests
            .run(self.limits.request, async move { store.delete(&key).await });
        match removed {
            Err(error) if error.is_missing() => Ok(()),
            removed => removed,
        }
    }

    /// Lists the objects after a key, in the order of their keys.
    fn page(&self, after: Option<&Path>, limit: usize) -> Result<Page, RequestFailed> {
        let store = Arc::clone(&self.store);
        let prefix = match self.address.prefix.as_ref() {
            "" => None,
            prefix => Some(format!("{prefix}/")),
        };
        let options = PaginatedListOptions {
            offset: after.map(ToString::to_string),
            max_keys: Some(limit.clamp(1, PAGE_MAX)),
            ..PaginatedListOptions::default()
        };
        self.requests.run(self.limits.request, async move {
            let page = store.list_paginated(prefix.as_deref(), options).await?;
            let objects = page.result.objects.into_iter();
            Ok(Page {
                objects: objects
                    .map(|object| (object.location, object.last_modified.trunc_subsecs(6)))
                    .collect(),
                is_last: page.page_token.is_none(),
            })
        })
    }

    /// Returns the key and the content of every object.
    #[cfg(feature = "testing")]
    pub(crate) fn objects(&self) -> Result<Vec<(String, Vec<u8>)>, StorageError> {
        let page = self.page(None, PAGE_MAX).map_err(failed("list objects"))?;
        let objects = page.objects.into_iter().map(|(key, _)| {
            let name = key.to_string();
            let content = self.read(key, BLOB_MAX).map_err(failed("read an object"))?;
            Ok((name, content.unwrap_or_default()))
        });
        objects.collect()
    }

    /// Returns the id of the file whose blob has that key, if one has.
    fn id_of(&self, key: &Path) -> Option<FileId> {
        let id = key.filename()?.parse().ok()?;
        (self.key_of(id) == *key).then_some(id)
    }
}

/// Some of the objects of a bucket, with the times when they were stored.
struct Page {
    objects: Vec<(Path, Timestamp)>,
    is_last: bool,
}

impl Blobs for BucketStorage {
    fn put(&self, id: FileId, content: &mut dyn Read) -> Result<(), StorageError> {
        let operation = "store a file";
        // Before anything is read, so that only a few blobs are in memory.
        let turn = self.requests.upload_turn().map_err(failed(operation))?;
        let mut bytes = Vec::new();
        let read = content.take(BLOB_MAX + 1).read_to_end(&mut bytes);
        let size = read.map_err(|error| unavailable(operation, error))?;
        if size as u64 > BLOB_MAX {
            let error = io::Error::from(io::ErrorKind::FileTooLarge);
            return Err(unavailable(operation, error));
        }
        let (store, key) = (Arc::clone(&self.store), self.key_of(id));
        let stored = self.requests.upload(&turn, self.limits.upload, async move {
            store.put(&key, PutPayload::from(bytes)).await.map(drop)
        });
        stored.map_err(failed(operation))
    }

    fn open(&self, id: FileId, part: Range<u64>) -> Result<Box<dyn Read + Send>, StorageError> {
        let operation = "open a file";
        // A range without bytes cannot be asked for.
        let wanted = part.start..part.end.max(part.start.saturating_add(1));
        let options = GetOptions {
            range: match wanted {
                Range {
                    start: 0,
                    end: u64::MAX,
                } => None,
                Range {
                    start,
                    end: u64::MAX,
                } => Some(GetRange::Offset(start)),
                wanted => Some(GetRange::Bounded(wanted)),
            },
            ..GetOptions::default()
        };
        let (store, key) = (Arc::clone(&self.store), self.key_of(id));
        let got = self.requests.run(self.limits.request, async move {
            store.get_opts(&key, options).await
        });
        let got = got.map_err(|error| {
            if error.is_missing() {
                tracing::warn!(%id, "the bytes of a file are missing");
                StorageError::Missing { operation, id }
            } else {
                failed(operation)(error)
            }
        })?;
        let content = Content {
            arriving: Some(got.into_stream().map_ok(Vec::from).boxed()),
            arrived: Cursor::default(),
            requests: Arc::clone(&self.requests),
            limit: self.limits.read,
        };
        Ok(Box::new(content.take(part.end.saturating_sub(part.start))))
    }

    fn discard(&self, id: FileId) {
        if let Err(error) = self.remove(self.key_of(id)) {
            tracing::warn!(%id, %error, "could not remove a file");
        }
    }

    fn list(&self, after: Option<FileId>, limit: usize) -> Result<Vec<StoredBytes>, StorageError> {
        let mut found = Vec::new();
        let mut after = after.map(|id| self.key_of(id));
        while found.len() < limit {
            let page = self
                .page(after.as_ref(), limit - found.len())
                .map_err(failed("list files"))?;
            let blobs = page.objects.iter().filter_map(|(key, since)| {
                let (id, since) = (self.id_of(key)?, *since);
                Some(StoredBytes { id, since })
            });
            found.extend(blobs);
            match page.objects.into_iter().next_back() {
                Some((key, _)) if !page.is_last => after = Some(key),
                _ => break,
            }
        }
        Ok(found)
    }

    fn remove_unfinished(&self, _: Timestamp) -> Result<usize, StorageError> {
        Ok(0)
    }

    fn holds(&self, id: FileId) -> Result<bool, StorageError> {
        // Not asked for its header alone: to that, a bucket does not say whether the object
        // is missing or the bucket.
        let found = self.read(self.key_of(id), START);
        Ok(found.map_err(failed("look for a file"))?.is_some())
    }

    fn storage_id(&self) -> Result<Option<StorageId>, StorageError> {
        let operation = "read storage-id";
        let read = self.read(self.key(MARKER), START);
        let Some(bytes) = read.map_err(failed(operation))? else {
            return Ok(None);
        };
        let id = String::from_utf8_lossy(&bytes).trim().parse();
        id.map(Some)
            .map_err(|error| unavailable(operation, io::Error::other(error)))
    }

    fn set_storage_id(&self, id: StorageId) -> Result<(), StorageError> {
        let text = format!("{id}\n").into_bytes();
        self.write(self.key(MARKER), text)
            .map_err(failed("write storage-id"))
    }

    fn probe(&self) -> Result<(), StorageError> {
        let key = || self.key(PROBE_NAME);
        self.page(None, 1).map_err(failed("list objects"))?;
        self.write(key(), PROBE.to_vec())
            .map_err(failed("write an object"))?;
        let operation = "read an object";
        let read = self.read(key(), PROBE.len() as u64);
        if read.map_err(failed(operation))?.as_deref() != Some(PROBE) {
            let other = io::Error::other("it is not what was written");
            return Err(unavailable(operation, other));
        }
        self.remove(key()).map_err(failed("delete an object"))
    }

    fn remove_if_empty(&self) {}

    fn name(&self) -> String {
        format!("bucket {}", self.address)
    }
}

fn failed(operation: &'static str) -> impl FnOnce(RequestFailed) -> StorageError {
    move |error| {
        let is_full = error.is_full();
        let source = Box::new(error);
        if is_full {
            StorageError::Full { operation, source }
        } else {
            StorageError::Unavailable { operation, source }
        }
    }
}

fn unavailable(operation: &'static str, error: io::Error) -> StorageError {
    let source = Box::new(error);
    StorageError::Unavailable { operation, source }
}

/// A reader of a body that is arriving.
struct Content {
    /// `None` after the end, or a failure.
    arriving: Option<BoxStream<'static, object_store::Result<Vec<u8>>>>,
    arrived: Cursor<Vec<u8>>,
    requests: Arc<Requests>,
    limit: Duration,
}

impl Content {
    /// Waits for the next bytes; returns `false` after the last ones.
    fn advance(&mut self) -> io::Result<bool> {
        let Some(mut arriving) = self.arriving.take() else {
            return Ok(false);
        };
        let next = self.requests.run(self.limit, async move {
            Ok((arriving.try_next().await?, arriving))
        });
        let (bytes, arriving) = next.map_err(io::Error::other)?;
        let Some(bytes) = bytes else {
            return Ok(false);
        };
        self.arrived = Cursor::new(bytes);
        self.arriving = Some(arriving);
        Ok(true)
    }
}

impl Read for Content {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.arrived.read(buffer)?;
            if read > 0 || buffer.is_empty() || !self.advance()? {
                return Ok(read);
            }
        }
    }
}

#[cfg(test)]
mod tests;
