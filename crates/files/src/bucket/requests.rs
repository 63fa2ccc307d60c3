//! Runs requests for callers that block.
//!
//! Invariant: only so many calls wait for the bucket at a time that one which does not answer
//! leaves threads for everything else. Once it has answered none of them for a moment, further
//! calls fail at once.

use std::future::Future;
use std::io;
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;
use tokio::runtime::{Builder, Handle};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::timeout;

use super::settings::BucketError;

/// Requests that run at a time, but for those that store a blob: fewer than the threads that a
/// server has for queries, which open files.
pub(super) const REQUESTS: usize = 3;
/// Blobs that are stored, and held in memory, at a time: as many as are received.
const UPLOADS: usize = 2;
/// How long an upload may wait for its turn.
const UPLOAD_TURN: Duration = Duration::from_secs(10);

/// Why a request has failed.
#[derive(Debug, Error)]
pub(super) enum RequestFailed {
    /// Too many run already.
    #[error("too many requests to the bucket are running")]
    Busy,
    /// The bucket has not answered in time.
    #[error("the bucket has not answered within {0:?}")]
    TimedOut(Duration),
    /// The thread that runs requests has ended.
    #[error("requests to the bucket have stopped")]
    Stopped,
    /// The bucket cannot be reached, or has refused.
    #[error("the bucket cannot be reached, or has refused")]
    Store(#[source] object_store::Error),
}

impl RequestFailed {
    /// Returns whether the bucket has no such object. A bucket that is missing itself is no
    /// proof of that.
    pub(super) fn is_missing(&self) -> bool {
        match self {
            Self::Store(object_store::Error::NotFound { source, .. }) => {
                !source.to_string().contains("NoSuchBucket")
            }
            _ => false,
        }
    }

    /// Returns whether the bucket has no space left.
    pub(super) fn is_full(&self) -> bool {
        let Self::Store(error) = self else {
            return false;
        };
        // There is no common code for it.
        let text = error.to_string();
        ["QuotaExceeded", "StorageFull", "507 Insufficient Storage"]
            .iter()
            .any(|code| text.contains(code))
    }
}

/// A thread that runs requests. It ends when this is dropped.
pub(super) struct Requests {
    runtime: Handle,
    turns: Arc<Turns>,
    uploads: Arc<Semaphore>,
    _stop: oneshot::Sender<()>,
}

impl Requests {
    /// Starts the thread.
    pub(super) fn start(silence_max: Duration) -> Result<Self, BucketError> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel::<()>();
        thread::Builder::new()
            .name("bucket".into())
            .spawn(move || {
                // The sender is dropped, and never sends.
                drop(runtime.block_on(stopped));
                runtime.shutdown_background();
            })?;
        Ok(Self {
            runtime: handle,
            turns: Arc::new(Turns::new(silence_max)),
            uploads: Arc::new(Semaphore::new(UPLOADS)),
            _stop: stop,
        })
    }

    /// Runs a request. Blocks until it is done, or has taken as long as `limit`.
    pub(super) fn run<T: Send + 'static>(
        &self,
        limit: Duration,
        request: impl Future<Output = object_store::Result<T>> + Send + 'static,
    ) -> Result<T, RequestFailed> {
        let turns = Arc::clone(&self.turns);
        self.wait(async move {
            let _turn = turns.turn().await?;
            let done = within(limit, request).await;
            turns.note(&done);
            done
        })
    }

    /// Runs a request of who has an [`upload_turn`](Self::upload_turn), which takes longer than
    /// others and waits on a thread of its own.
    pub(super) fn upload<T: Send + 'static>(
        &self,
        _turn: &OwnedSemaphorePermit,
        limit: Duration,
        request: impl Future<Output = object_store::Result<T>> + Send + 'static,
    ) -> Result<T, RequestFailed> {
        self.wait(within(limit, request))
    }

    /// Waits for the right to hold a blob in memory.
    pub(super) fn upload_turn(&self) -> Result<OwnedSemaphorePermit, RequestFailed> {
        let uploads = Arc::clone(&self.uploads);
        self.wait(async move {
            let turn = timeout(UPLOAD_TURN, uploads.acquire_owned()).await;
            turn.map_err(|_| RequestFailed::Busy)?
                .map_err(|_| RequestFailed::Stopped)
        })
    }

    fn wait<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, RequestFailed>> + Send + 'static,
    ) -> Result<T, RequestFailed> {
        let (tell, told) = sync_channel(1);
        self.runtime.spawn(async move {
            // The caller waits.
            drop(tell.send(work.await));
        });
        told.recv().unwrap_or(Err(RequestFailed::Stopped))
    }
}

async fn within<T>(
    limit: Duration,
    request: impl Future<Output = object_store::Result<T>>,
) -> Result<T, RequestFailed> {
    match timeout(limit, request).await {
        Ok(done) => done.map_err(RequestFailed::Store),
        Err(_) => Err(RequestFailed::TimedOut(limit)),
    }
}

/// The turns of requests.
struct Turns {
    free: Arc<Semaphore>,
    /// How long the bucket may answer nothing while others wait for their turn.
    silence_max: Duration,
    silence: Mutex<Silence>,
}

/// Since when the bucket answers nothing.
struct Silence {
    since: Instant,
    /// Whether it left a request without an answer, and has answered none since.
    is_proven: bool,
}

impl Turns {
    fn new(silence_max: Duration) -> Self {
        Self {
            free: Arc::new(Semaphore::new(REQUESTS)),
            silence_max,
            silence: Mutex::new(Silence {
                since: Instant::now(),
                is_proven: false,
            }),
        }
    }

    /// Waits for a turn as long as others have answers.
    async fn turn(&self) -> Result<OwnedSemaphorePermit, RequestFailed> {
        loop {
            let was_idle = self.free.available_permits() == REQUESTS;
            if let Ok(turn) = Arc::clone(&self.free).try_acquire_owned() {
                let mut silence = self.silence();
                if was_idle && !silence.is_proven {
                    silence.since = Instant::now();
                }
                return Ok(turn);
            }
            let left = self.patience();
            if left.is_zero() {
                return Err(RequestFailed::Busy);
            }
            if let Ok(turn) = timeout(left, Arc::clone(&self.free).acquire_owned()).await {
                return turn.map_err(|_| RequestFailed::Stopped);
            }
        }
    }

    /// Returns how long to wait for the bucket to answer anything.
    fn patience(&self) -> Duration {
        let silence = self.silence();
        match silence.is_proven {
            true => Duration::ZERO,
            false => self.silence_max.saturating_sub(silence.since.elapsed()),
        }
    }

    /// Notes how a request has ended.
    fn note<T>(&self, done: &Result<T, RequestFailed>) {
        let mut silence = self.silence();
        match done {
            Err(RequestFailed::TimedOut(_)) => silence.is_proven = true,
            _ => {
                *silence = Silence {
                    since: Instant::now(),
                    is_proven: false,
                }
            }
        }
    }

    fn silence(&self) -> MutexGuard<'_, Silence> {
        self.silence.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl From<io::Error> for BucketError {
    fn from(error: io::Error) -> Self {
        Self::Thread(error)
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    const LONG: Duration = Duration::from_secs(3_600);

    fn is_refused(turns: &Turns) -> Option<bool> {
        let runtime = Builder::new_current_thread().enable_time().build().unwrap();
        let _context = runtime.enter();
        let turn = turns.turn().now_or_never()?;
        Some(matches!(turn, Err(RequestFailed::Busy)))
    }

    fn all(turns: &Turns) -> Vec<OwnedSemaphorePermit> {
        let take = || Arc::clone(&turns.free).try_acquire_owned().unwrap();
        (0..REQUESTS).map(|_| take()).collect()
    }

    #[test]
    fn a_turn_is_waited_for_while_the_bucket_answers() {
        let turns = Turns::new(LONG);
        assert_eq!(is_refused(&turns), Some(false));
        let taken = all(&turns);
        assert_eq!(is_refused(&turns), None);
        drop(taken);
        assert_eq!(is_refused(&turns), Some(false));
    }

    /// Or each of the threads that are left would wait for a while, again and again.
    #[test]
    fn a_silent_bucket_is_not_waited_for_until_it_answers() {
        let turns = Turns::new(LONG);
        turns.note(&Err::<(), _>(RequestFailed::TimedOut(LONG)));
        // One after the other finds out whether it answers again.
        assert_eq!(is_refused(&turns), Some(false));
        let _taken = all(&turns);
        assert_eq!(is_refused(&turns), Some(true));
        turns.note(&Ok(()));
        assert_eq!(is_refused(&turns), None);
        let impatient = Turns::new(Duration::ZERO);
        let _taken = all(&impatient);
        assert_eq!(is_refused(&impatient), Some(true));
    }
}
