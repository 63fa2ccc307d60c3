//! Daily caps on mails, counted in the transaction that queues them.

use ideavault_domain::Timestamp;
use ideavault_domain::daily_caps::{CappedMails, DailyCaps, end_of_day};
use ideavault_domain::failure::Failure;
use ideavault_domain::ports::{DatabaseError, RateLimited, Transaction};
use thiserror::Error;

/// No other mail of that kind may be queued on this UTC day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the daily cap on mails is reached until {ends_at}")]
pub struct CapReached {
    now: Timestamp,
    ends_at: Timestamp,
}

impl From<CapReached> for Failure {
    fn from(CapReached { now, ends_at }: CapReached) -> Self {
        RateLimited::until(ends_at, now).into()
    }
}

/// Counts one of these mails for the day of `now`.
///
/// # Errors
/// [`CapReached`], or a database error.
pub(crate) fn count<E: From<DatabaseError> + From<CapReached>>(
    tx: &mut dyn Transaction,
    caps: DailyCaps,
    mails: CappedMails,
    now: Timestamp,
) -> Result<(), E> {
    if is_counted(tx, caps, mails, now)? {
        return Ok(());
    }
    Err(E::from(CapReached {
        now,
        ends_at: end_of_day(now),
    }))
}

/// Counts one of these mails for the day of `now`, or returns `false` when the cap is
/// reached.
///
/// # Errors
/// [`DatabaseError`].
pub(crate) fn is_counted(
    tx: &mut dyn Transaction,
    caps: DailyCaps,
    mails: CappedMails,
    now: Timestamp,
) -> Result<bool, DatabaseError> {
    match caps.most(mails) {
        Some(most) => tx.daily_mail_counts().count_mail(mails, now, most),
        None => Ok(true),
    }
}
