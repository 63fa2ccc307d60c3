//! Daily caps on mails, counted in the transaction that queues them.

use std::sync::Arc;

use ideavault_domain::Timestamp;
use ideavault_domain::client_network::ClientNetwork;
use ideavault_domain::daily_caps::{CappedMails, DailyCaps, end_of_day};
use ideavault_domain::failure::Failure;
use ideavault_domain::ports::{DatabaseError, GuessKeyHasher, PortError, RateLimited, Transaction};
use ideavault_domain::rate_limit::common_share;
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

/// The caps of one server, and how those who share them are told apart.
#[derive(Clone)]
pub struct MailCaps {
    caps: DailyCaps,
    keys: Arc<dyn GuessKeyHasher>,
}

impl MailCaps {
    /// Creates the service from its dependencies.
    pub fn new(caps: DailyCaps, keys: Arc<dyn GuessKeyHasher>) -> Self {
        Self { caps, keys }
    }

    /// Counts one of these mails, which `client` causes, for the day of `now`.
    ///
    /// # Errors
    /// [`CapReached`], a database error, or when hashing fails.
    pub(crate) fn count<E>(
        &self,
        tx: &mut dyn Transaction,
        mails: CappedMails,
        client: ClientNetwork,
        now: Timestamp,
    ) -> Result<(), E>
    where
        E: From<DatabaseError> + From<PortError> + From<CapReached>,
    {
        if self.is_counted::<E>(tx, mails, client, now)? {
            return Ok(());
        }
        Err(E::from(CapReached {
            now,
            ends_at: end_of_day(now),
        }))
    }

    /// Counts one of these mails, which `client` causes, for the day of `now`, or returns `false`
    /// when the cap is reached. Of a cap that many share, a part is kept for those who have used
    /// none that day.
    ///
    /// # Errors
    /// A database error, or when hashing fails.
    pub(crate) fn is_counted<E>(
        &self,
        tx: &mut dyn Transaction,
        mails: CappedMails,
        client: ClientNetwork,
        now: Timestamp,
    ) -> Result<bool, E>
    where
        E: From<DatabaseError> + From<PortError>,
    {
        let Some(most) = self.caps.most(mails) else {
            return Ok(true);
        };
        let account = mails.account().map(|account| account.to_string());
        let account = account.unwrap_or_default();
        let mut unused = Vec::new();
        for sharer in mails.sharers(client) {
            let key = format!("{account} {sharer}");
            let key = self.keys.hash(mails.as_str(), &key)?;
            let left = (end_of_day(now) - now).to_std().unwrap_or_default();
            let refused = tx.guess_counts().count_guess(&key, now, left, 1)?;
            unused.push(refused.is_none());
        }
        let most = if unused.is_empty() {
            most
        } else {
            common_share(most, &unused)
        };
        Ok(tx.daily_mail_counts().count_mail(mails, now, most)?)
    }
}
