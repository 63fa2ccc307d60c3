//! Archives, each of which takes space on the server's disk from its beginning until it was sent.
//!
//! Invariant: a caller has one at a time, all together have a few, and none takes what people need
//! to save.

use std::collections::HashMap;
use std::future::{Ready, ready};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use ideavault_domain::failure::Failure;
use ideavault_domain::ports::StorageError;
use ideavault_files::{Scratch, ScratchFolder};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::callers::{Amounts, Caller};
use super::error::{ApiError, Busy};
use super::request_caller::caller;
use super::turns::IsAwaited;

/// Archives of all callers at a time.
const IN_ALL: u32 = 16;
/// How long a caller waits for the end of an earlier archive.
const TURN_TIMEOUT: Duration = Duration::from_secs(60);

/// The archives of one server.
#[derive(Clone)]
pub struct OpenArchives(Arc<State>);

struct State {
    in_all: u32,
    open: Mutex<Amounts>,
    /// One at a time for each caller.
    turns: Mutex<HashMap<Arc<str>, Weak<Semaphore>>>,
    turn_timeout: Duration,
}

impl State {
    fn open(&self) -> MutexGuard<'_, Amounts> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The right to make and send an archive, until it is dropped.
pub struct OpenArchive {
    archives: Arc<State>,
    caller: Caller,
    _turn: OwnedSemaphorePermit,
}

impl Drop for OpenArchive {
    fn drop(&mut self) {
        self.archives.open().subtract(&self.caller, 1);
    }
}

/// The archives of who sent a request.
pub struct Archives {
    all: OpenArchives,
    caller: Caller,
}

impl Archives {
    /// Waits until the caller has no other archive open.
    ///
    /// # Errors
    /// [`Failure::TooMany`] if it keeps one open, [`Failure::Unavailable`] if others have too
    /// many.
    pub async fn open(&self) -> Result<OpenArchive, Failure> {
        self.all.open(&self.caller).await
    }
}

impl Default for OpenArchives {
    fn default() -> Self {
        Self::new(IN_ALL, TURN_TIMEOUT)
    }
}

impl OpenArchives {
    fn new(in_all: u32, turn_timeout: Duration) -> Self {
        Self(Arc::new(State {
            in_all,
            open: Mutex::default(),
            turns: Mutex::default(),
            turn_timeout,
        }))
    }

    pub(super) async fn open(&self, caller: &Caller) -> Result<OpenArchive, Failure> {
        let timeout = self.0.turn_timeout;
        let turn = self.turns_of(caller).acquire_owned();
        let turn = tokio::time::timeout(timeout, turn)
            .await
            .map_err(|_| Failure::TooMany {
                retry_after: timeout,
            })?;
        let turn = turn.map_err(|error| Failure::Unavailable(Box::new(error)))?;
        let opened = self.0.open().add(caller, 1, self.0.in_all);
        opened.map_err(|_| Failure::Unavailable(Box::new(Busy)))?;
        Ok(OpenArchive {
            archives: Arc::clone(&self.0),
            caller: caller.clone(),
            _turn: turn,
        })
    }

    fn turns_of(&self, caller: &Caller) -> Arc<Semaphore> {
        let turns = self.0.turns.lock();
        let mut turns = turns.unwrap_or_else(PoisonError::into_inner);
        turns.retain(|_, turns| turns.strong_count() > 0);
        if let Some(turns) = turns.get(caller.name()).and_then(Weak::upgrade) {
            return turns;
        }
        let own = Arc::new(Semaphore::new(1));
        turns.insert(Arc::clone(caller.name()), Arc::downgrade(&own));
        own
    }
}

impl FromRequest for Archives {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let all = request.app_data::<web::Data<OpenArchives>>();
        let own = all.map(|all| Self {
            all: all.get_ref().clone(),
            caller: caller(request),
        });
        ready(own.ok_or_else(|| Failure::Internal("archives are not set up".into()).into()))
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
    // The writer of the archive only knows that writing failed.
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
    use thiserror::Error;

    use super::*;
    use crate::http::callers::tests::account;

    #[actix_web::test]
    async fn a_caller_has_one_archive_open_at_a_time() {
        let archives = OpenArchives::new(9, Duration::from_secs(3_600));
        let ada = Caller::named("ada");
        let first = archives.open(&ada).await.unwrap();
        let mut second = Box::pin(archives.open(&ada));
        assert!((&mut second).now_or_never().is_none());
        let other = archives.open(&Caller::named("bob")).await.unwrap();
        drop(first);
        second.await.unwrap();
        drop(other);
        archives.open(&Caller::named("eve")).await.unwrap();
        assert_eq!(archives.0.turns.lock().unwrap().len(), 1);
    }

    #[actix_web::test]
    async fn whoever_keeps_an_archive_open_is_told_to_wait() {
        let archives = OpenArchives::new(9, Duration::ZERO);
        let _first = archives.open(&Caller::named("ada")).await.unwrap();
        let refused = archives.open(&Caller::named("ada")).await.err().unwrap();
        assert!(matches!(refused, Failure::TooMany { .. }), "{refused}");
    }

    #[actix_web::test]
    async fn accounts_of_one_network_leave_some_for_others() {
        let archives = OpenArchives::new(4, Duration::ZERO);
        let mut open = Vec::new();
        for nth in 0..3 {
            open.push(archives.open(&account(nth, "203.0.113.7")).await.unwrap());
        }
        let refused = archives
            .open(&account(3, "203.0.113.7"))
            .await
            .err()
            .unwrap();
        assert!(matches!(refused, Failure::Unavailable(_)), "{refused}");
        archives.open(&account(4, "198.51.100.1")).await.unwrap();
    }

    #[actix_web::test]
    async fn a_few_archives_are_open_in_all() {
        let archives = OpenArchives::new(2, Duration::ZERO);
        let first = archives.open(&Caller::named("ada")).await.unwrap();
        let _second = archives.open(&Caller::named("bob")).await.unwrap();
        let refused = archives.open(&Caller::named("eve")).await.err().unwrap();
        assert!(matches!(refused, Failure::Unavailable(_)), "{refused}");
        drop(first);
        archives.open(&Caller::named("eve")).await.unwrap();
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
