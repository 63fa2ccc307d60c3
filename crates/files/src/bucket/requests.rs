//! Runs requests for callers that block.
//!
//! Invariant: no call takes longer than its limit and that of its turn, and only so many run
//! at a time that a bucket which does not answer leaves threads for everything else.

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Duration;

use thiserror::Error;
use tokio::runtime::{Builder, Handle};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::timeout;

use super::settings::BucketError;

/// Requests that run at a time.
pub(super) const REQUESTS: usize = 64;
/// Blobs that are stored, and held in memory, at a time: as many as are received.
const UPLOADS: usize = 2;
/// How often the turn of an upload may take as long as that of another request.
const UPLOAD_TURNS: u32 = 5;

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
    turns: Arc<Semaphore>,
    uploads: Arc<Semaphore>,
    turn_timeout: Duration,
    _stop: oneshot::Sender<()>,
}

impl Requests {
    /// Starts the thread.
    pub(super) fn start(turn_timeout: Duration) -> Result<Self, BucketError> {
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
            turns: Arc::new(Semaphore::new(REQUESTS)),
            uploads: Arc::new(Semaphore::new(UPLOADS)),
            turn_timeout,
            _stop: stop,
        })
    }

    /// Runs a request. Blocks until it is done, or has taken as long as `limit`.
    pub(super) fn run<T: Send + 'static>(
        &self,
        limit: Duration,
        request: impl Future<Output = object_store::Result<T>> + Send + 'static,
    ) -> Result<T, RequestFailed> {
        let (turns, turn_timeout) = (Arc::clone(&self.turns), self.turn_timeout);
        self.wait(async move {
            let _turn = turn(turns, turn_timeout).await?;
            match timeout(limit, request).await {
                Ok(done) => done.map_err(RequestFailed::Store),
                Err(_) => Err(RequestFailed::TimedOut(limit)),
            }
        })
    }

    /// Waits for the right to hold a blob in memory.
    pub(super) fn upload_turn(&self) -> Result<OwnedSemaphorePermit, RequestFailed> {
        let limit = self.turn_timeout.saturating_mul(UPLOAD_TURNS);
        self.wait(turn(Arc::clone(&self.uploads), limit))
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

async fn turn(
    turns: Arc<Semaphore>,
    limit: Duration,
) -> Result<OwnedSemaphorePermit, RequestFailed> {
    let turn = timeout(limit, turns.acquire_owned()).await;
    turn.map_err(|_| RequestFailed::Busy)?
        .map_err(|_| RequestFailed::Stopped)
}

impl From<io::Error> for BucketError {
    fn from(error: io::Error) -> Self {
        Self::Thread(error)
    }
}
