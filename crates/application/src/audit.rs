//! The security audit log: recording denials, and reading it.
//!
//! A change is recorded in its own transaction. A denial changes nothing, so it is
//! recorded here, after the response was sent: the time that takes reveals nothing,
//! and a failure to record does not undo the denial.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ideavault_domain::Timestamp;
use ideavault_domain::audit::{AuditEntry, AuditKind};
use ideavault_domain::email::Email;
use ideavault_domain::failure::Failure;
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{Clock, Database, DatabaseError};
use ideavault_domain::recipient::Origin;
use thiserror::Error;

use crate::actor::Caller;

pub use refused::Refused;

mod refused;

/// The reason why the audit log could not be written or read.
#[derive(Debug, Error)]
pub enum AuditError {
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

impl From<AuditError> for Failure {
    fn from(error: AuditError) -> Self {
        match error {
            AuditError::Database(error) => error.into(),
        }
    }
}

/// The audit log.
pub struct Audit<S> {
    database: Arc<S>,
    clock: Arc<dyn Clock>,
}

impl<S: Database> Audit<S> {
    /// Creates the service from its dependencies.
    pub fn new(database: Arc<S>, clock: Arc<dyn Clock>) -> Self {
        Self { database, clock }
    }

    /// Records that `caller` was refused something.
    pub fn refused(
        &self,
        refused: &Refused,
        caller: &Caller,
        origin: Origin,
    ) -> Result<(), AuditError> {
        let now = self.clock.now();
        let denial = self.database.read(|tx| refused.found(tx, caller, now))?;
        let entry = AuditEntry {
            at: now,
            kind: denial.kind,
            account: denial.account,
            subject: denial.subject,
            origin: Some(origin),
        };
        self.database.write(|tx| tx.audit().record_denial(&entry))?;
        Ok(())
    }

    /// Returns the newest `limit` entries not older than `since`, newest last.
    pub fn list(
        &self,
        since: Option<Timestamp>,
        limit: u32,
    ) -> Result<Vec<AuditEntry>, AuditError> {
        let limit = i64::from(limit);
        Ok(self.database.read(|tx| tx.audit().audit(since, limit))?)
    }

    /// Returns the addresses of the accounts that `entries` refer to, for the
    /// operator. A deleted account has none.
    pub fn addresses(&self, entries: &[AuditEntry]) -> Result<HashMap<UserId, Email>, AuditError> {
        let accounts: HashSet<_> = entries.iter().filter_map(|entry| entry.account).collect();
        let addresses = self.database.read(|tx| {
            let mut addresses = HashMap::new();
            for id in &accounts {
                if let Some(user) = tx.users().user(*id)? {
                    addresses.insert(*id, user.email);
                }
            }
            Ok::<_, DatabaseError>(addresses)
        })?;
        Ok(addresses)
    }

    /// Records that the operator made a backup.
    pub fn backed_up(&self) -> Result<(), AuditError> {
        let entry = AuditEntry {
            at: self.clock.now(),
            kind: AuditKind::BackedUp,
            account: None,
            subject: None,
            origin: None,
        };
        self.database.write(|tx| tx.audit().record(&entry))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use ideavault_domain::account::{PasswordHash, SessionEpoch};
    use ideavault_domain::audit::Subject;
    use ideavault_domain::ports::Credentials;
    use ideavault_domain::share::ShareTerms;

    use super::*;
    use crate::share_access::ShareReference;
    use crate::testing::{
        MockDatabase, MockTransaction, StoppedClock, ada, at, origin, owner, share, share_token,
    };

    fn nobody() -> Caller {
        Caller::default()
    }

    fn audit(
        reads: impl FnOnce(&mut MockTransaction),
        denied: (AuditKind, Option<UserId>, Option<Subject>),
    ) -> Audit<MockDatabase> {
        let (kind, account, subject) = denied;
        let expected = AuditEntry {
            at: at(0),
            kind,
            account,
            subject,
            origin: Some(origin()),
        };
        let writes = |tx: &mut MockTransaction| {
            tx.expect_record_denial()
                .withf(move |entry| *entry == expected)
                .times(1)
                .returning(|_| Ok(true));
        };
        Audit::new(MockDatabase::new(reads, writes), Arc::new(StoppedClock))
    }

    #[test]
    fn a_failed_login_records_the_account_and_never_the_input() {
        let knows_ada = |tx: &mut MockTransaction| {
            tx.expect_credentials().returning(|_| {
                Ok(Some(Credentials {
                    user: ada(),
                    password_hash: PasswordHash::new("stored".into()),
                    epoch: SessionEpoch::default(),
                }))
            });
        };
        audit(knows_ada, (AuditKind::LoginFailed, Some(owner()), None))
            .refused(
                &Refused::Login(" Ada@example.org".into()),
                &nobody(),
                origin(),
            )
            .unwrap();
        let knows_nobody = |tx: &mut MockTransaction| {
            tx.expect_credentials().returning(|_| Ok(None));
        };
        for typed in ["nobody@example.org", "correct horse battery"] {
            audit(knows_nobody, (AuditKind::LoginFailed, None, None))
                .refused(&Refused::Login(typed.into()), &nobody(), origin())
                .unwrap();
        }
    }

    #[test]
    fn a_denied_link_is_recorded_by_its_id_if_it_exists() {
        let known = share(ShareTerms::FullAccess);
        let subject = Some(Subject::Share(known.id));
        for found in [Some(known), None] {
            let subject = subject.clone().filter(|_| found.is_some());
            let reads = |tx: &mut MockTransaction| {
                tx.expect_share_by_token()
                    .returning(move |_| Ok(found.clone()));
            };
            let link = ShareReference::Token(share_token());
            audit(reads, (AuditKind::LinkDenied, None, subject))
                .refused(&Refused::Link(Some(link)), &nobody(), origin())
                .unwrap();
        }
        audit(|_| {}, (AuditKind::LinkDenied, None, None))
            .refused(&Refused::Link(None), &nobody(), origin())
            .unwrap();
    }

    #[test]
    fn a_link_given_by_id_is_recorded_without_a_lookup() {
        let id = share(ShareTerms::FullAccess).id;
        let denied = (AuditKind::AddressRefused, None, Some(Subject::Share(id)));
        audit(|_| {}, denied)
            .refused(
                &Refused::Address(ShareReference::Id(id)),
                &nobody(),
                origin(),
            )
            .unwrap();
    }

    #[test]
    fn a_reached_limit_records_the_route() {
        let route = "POST /api/auth/login".to_owned();
        let subject = Some(Subject::Route(route.clone()));
        audit(|_| {}, (AuditKind::LimitReached, None, subject))
            .refused(&Refused::Limit(route), &nobody(), origin())
            .unwrap();
    }
}
