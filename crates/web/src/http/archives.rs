//! Archives, each of which takes space on the server's disk from its beginning until it was sent.
//!
//! Invariant: a caller has one at a time, all together have a few, and none takes what people need
//! to save.

use std::collections::HashMap;
use std::future::{Ready, ready};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use ideavault_domain::failure::Failure;
use ideavault_domain::ports::StorageError;
use ideavault_files::{Scratch, ScratchFolder};
use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::error::ApiError;
use super::turns::IsAwaited;

/// Archives of all callers at a time.
const IN_ALL: usize = 16;
/// How long a caller waits for the end of an earlier archive.
const TURN_TIMEOUT: Duration = Duration::from_secs(60);

/// All that may be open are open.
#[derive(Debug, Error)]
#[error("too many archives are being made or sent")]
struct Busy;

/// The archives of one server.
#[derive(Clone)]
pub struct OpenArchives(Arc<State>);

struct State {
    all: Arc<Semaphore>,
    /// One at a time for each caller.
    callers: Mutex<HashMap<String, Weak<Semaphore>>>,
    turn_timeout: Duration,
}

/// The right to make and send an archive, until it is dropped.
#[derive(Debug)]
pub struct OpenArchive {
    _own: OwnedSemaphorePermit,
    _all: OwnedSemaphorePermit,
}

impl Default for OpenArchives {
    fn default() -> Self {
        Self::new(IN_ALL, TURN_TIMEOUT)
    }
}

impl OpenArchives {
    fn new(in_all: usize, turn_timeout: Duration) -> Self {
        Self(Arc::new(State {
            all: Arc::new(Semaphore::new(in_all)),
            callers: Mutex::default(),
            turn_timeout,
        }))
    }

    /// Waits until the caller has no other archive open: an account, or the network of a reader.
    ///
    /// # Errors
    /// [`Failure::TooMany`] if it keeps one open, [`Failure::Unavailable`] if others have too
    /// many.
    pub async fn open(&self, caller: impl ToString) -> Result<OpenArchive, Failure> {
        let timeout = self.0.turn_timeout;
        let own = self.turns_of(caller.to_string()).acquire_owned();
        let own = tokio::time::timeout(timeout, own)
            .await
            .map_err(|_| Failure::TooMany {
                retry_after: timeout,
            })?;
        let all = Arc::clone(&self.0.all).try_acquire_owned();
        Ok(OpenArchive {
            _own: own.map_err(|error| Failure::Unavailable(Box::new(error)))?,
            _all: all.map_err(|_| Failure::Unavailable(Box::new(Busy)))?,
        })
    }

    fn turns_of(&self, caller: String) -> Arc<Semaphore> {
        let callers = self.0.callers.lock();
        let mut callers = callers.unwrap_or_else(PoisonError::into_inner);
        callers.retain(|_, turns| turns.strong_count() > 0);
        if let Some(turns) = callers.get(&caller).and_then(Weak::upgrade) {
            return turns;
        }
        let turns = Arc::new(Semaphore::new(1));
        callers.insert(caller, Arc::downgrade(&turns));
        turns
    }
}

impl FromRequest for OpenArchives {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let archives = request.app_data::<web::Data<Self>>();
        let archives = archives.map(|archives| archives.get_ref().clone());
        ready(archives.ok_or_else(|| Failure::Internal("archives are not set up".into()).into()))
    }
}

/// Writes an archive to a temporary file, as long as somebody waits for it and the disk has space
/// to spare.
///
/// # Errors
/// Those of `write`, and [`StorageError`].
pub fn spooled<T, E: From<StorageError>>(
    folder: &ScratchFolder,
    is_awaited: IsAwaited<'_>,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<Scratch, E> {
    let mut spool = Spool {
        file: folder.create_sparing()?,
        is_awaited,
        failure: None,
    };
    let written = write(&mut spool);
    // What writes the archive has only heard that writing failed.
    if let Some(failure) = spool.failure {
        return Err(failure.into());
    }
    written?;
    Ok(spool.file)
}

struct Spool<'w> {
    file: Scratch,
    is_awaited: IsAwaited<'w>,
    failure: Option<StorageError>,
}

impl Write for Spool<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !(self.is_awaited)() {
            return Err(io::Error::other("nobody waits for this archive any more"));
        }
        self.file.append(bytes).map_err(|failure| {
            let error = io::Error::other(failure.to_string());
            self.failure = Some(failure);
            error
        })?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;
    use ideavault_domain::ports::PortError;

    use super::*;

    #[actix_web::test]
    async fn a_caller_has_one_archive_open_at_a_time() {
        let archives = OpenArchives::new(9, Duration::from_secs(3_600));
        let first = archives.open("ada").await.unwrap();
        let mut second = Box::pin(archives.open("ada"));
        assert!((&mut second).now_or_never().is_none());
        let other = archives.open("bob").await.unwrap();
        drop(first);
        second.await.unwrap();
        drop(other);
        archives.open("eve").await.unwrap();
        assert_eq!(archives.0.callers.lock().unwrap().len(), 1);
    }

    #[actix_web::test]
    async fn whoever_keeps_an_archive_open_is_told_to_wait() {
        let archives = OpenArchives::new(9, Duration::ZERO);
        let _first = archives.open("ada").await.unwrap();
        let refused = archives.open("ada").await.unwrap_err();
        assert!(matches!(refused, Failure::TooMany { .. }), "{refused}");
    }

    #[actix_web::test]
    async fn a_few_archives_are_open_in_all() {
        let archives = OpenArchives::new(2, Duration::ZERO);
        let first = archives.open("ada").await.unwrap();
        let _second = archives.open("bob").await.unwrap();
        let refused = archives.open("eve").await.unwrap_err();
        assert!(matches!(refused, Failure::Unavailable(_)), "{refused}");
        drop(first);
        archives.open("eve").await.unwrap();
    }

    #[derive(Debug, Error)]
    enum Failed {
        #[error(transparent)]
        Storage(#[from] StorageError),
        #[error(transparent)]
        Port(PortError),
    }

    enum Disk {
        Free,
        Full,
    }

    fn spool(is_awaited: bool, disk: Disk) -> Result<Scratch, Failed> {
        let folder = tempfile::tempdir().unwrap();
        let scratches = ScratchFolder::open(folder.path()).unwrap();
        let scratches = match disk {
            Disk::Free => scratches,
            Disk::Full => scratches.without_space(),
        };
        spooled(&scratches, &|| is_awaited, |to| {
            let written = to.write_all(b"archive");
            written.map_err(|error| {
                Failed::Port(PortError {
                    operation: "write an archive",
                    source: Box::new(error),
                })
            })
        })
    }

    #[test]
    fn an_archive_leaves_the_disk_to_what_people_save() {
        assert_eq!(spool(true, Disk::Free).unwrap().size(), 7);
        let Failed::Storage(full) = spool(true, Disk::Full).unwrap_err() else {
            panic!("another failure");
        };
        let failure = Failure::from(full);
        assert!(matches!(failure, Failure::StorageFull(_)), "{failure}");
    }

    #[test]
    fn an_archive_that_nobody_waits_for_is_given_up() {
        let given_up = spool(false, Disk::Free).unwrap_err();
        assert!(matches!(given_up, Failed::Port(_)), "{given_up}");
    }
}
