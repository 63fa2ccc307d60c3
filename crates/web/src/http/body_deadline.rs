//! Limits on size and duration of bodies that take long to arrive.

use std::io;
use std::time::Duration;

use actix_web::error::PayloadError;
use actix_web::web::{Bytes, Payload};
use futures_util::{Stream, StreamExt as _, stream};
use tokio::time::{Instant, timeout_at};

/// Time in which [`MIN_RATE_BYTES`] have to arrive, or to leave: about 2 KB per second, which any connection
/// achieves and which makes it expensive to hold many open.
pub(super) const MIN_RATE_WINDOW: Duration = Duration::from_secs(30);
pub(super) const MIN_RATE_BYTES: usize = 64 * 1024;
/// Time for a whole body.
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(600);

/// Passes a body on as long as it has at most `cap` bytes and keeps the minimum rate.
/// Otherwise it ends with [`PayloadError::Overflow`] or [`io::ErrorKind::TimedOut`].
pub fn bounded(payload: Payload, cap: u64) -> impl Stream<Item = Result<Bytes, PayloadError>> {
    let allowance = Allowance::new(cap, Instant::now());
    stream::try_unfold((payload, allowance), |(mut payload, mut left)| async move {
        let next = timeout_at(left.deadline(), payload.next()).await;
        let stalled = |_| PayloadError::Io(io::ErrorKind::TimedOut.into());
        let Some(bytes) = next.map_err(stalled)? else {
            return Ok(None);
        };
        let bytes = bytes?;
        left.take(bytes.len(), Instant::now())?;
        Ok(Some((bytes, (payload, left))))
    })
}

/// Remaining bytes and time of a sender.
struct Allowance {
    bytes: u64,
    end: Instant,
    /// End of the current window of the minimum rate.
    window_end: Instant,
    /// Bytes that have to arrive before it.
    window_bytes: usize,
}

impl Allowance {
    fn new(bytes: u64, now: Instant) -> Self {
        Self {
            bytes,
            end: now + UPLOAD_TIMEOUT,
            window_end: now + MIN_RATE_WINDOW,
            window_bytes: MIN_RATE_BYTES,
        }
    }

    fn deadline(&self) -> Instant {
        self.window_end.min(self.end)
    }

    fn take(&mut self, bytes: usize, now: Instant) -> Result<(), PayloadError> {
        let left = self.bytes.checked_sub(bytes as u64);
        self.bytes = left.ok_or(PayloadError::Overflow)?;
        match self.window_bytes.checked_sub(bytes) {
            Some(left) if left > 0 => self.window_bytes = left,
            _ => {
                self.window_end = now + MIN_RATE_WINDOW;
                self.window_bytes = MIN_RATE_BYTES;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_limit_is_exact() {
        let now = Instant::now();
        let mut allowance = Allowance::new(1_000_000, now);
        allowance.take(999_999, now).unwrap();
        allowance.take(1, now).unwrap();
        let over = allowance.take(1, now);
        assert!(matches!(over, Err(PayloadError::Overflow)));
    }

    #[test]
    fn a_steady_upload_extends_its_deadline_up_to_the_maximum() {
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let mut allowance = Allowance::new(1_000_000, start);
        allowance.take(MIN_RATE_BYTES - 1, after(20)).unwrap();
        assert_eq!(allowance.deadline(), after(30));
        allowance.take(1, after(29)).unwrap();
        assert_eq!(allowance.deadline(), after(59));
        allowance.take(MIN_RATE_BYTES, after(590)).unwrap();
        assert_eq!(allowance.deadline(), after(600));
    }
}
