//! The security audit log: recording denials, and reading it.
//!
//! A change is recorded in its own transaction. A denial changes nothing, so it is
//! recorded here, after the response was sent: the time that takes reveals nothing,
//! and a failure to record does not undo the denial.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ideavault_domain::Timestamp;
use ideavault_domain::audit::{AuditEntry, AuditKind, Subject};
use ideavault_domain::email::Email;
use ideavault_domain::failure::Failure;
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{Clock, Database, DatabaseError};
use ideavault_domain::recipient::Origin;
use thiserror::Error;

use crate::actor::Caller;
use crate::share_access::ShareReference;

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

/// The reason why a link denied access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessDenial {
    /// The link is revoked, expired, exhausted or unknown.
    InvalidLink,
    /// The link is for another address.
    WrongAddress,
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

    /// Records a failed login with `email`. Stores the account, never the text that
    /// was typed: it may be a password in the wrong field.
    pub fn login_failed(&self, email: &str, origin: Origin) -> Result<(), AuditError> {
        let account = match Email::parse(email) {
            Ok(email) => self
                .database
                .read_one(|tx| tx.users().credentials(&email))?,
            Err(_) => None,
        };
        let kind = match &account {
            Some(found) if found.user.is_disabled() => AuditKind::DisabledLogin,
            _ => AuditKind::LoginFailed,
        };
        let account = account.map(|found| found.user.id);
        self.deny(kind, account, None, origin)
    }

    /// Records that a link denied access; `link` is `None` when the request held no
    /// valid token.
    pub fn gate_denied(
        &self,
        denial: AccessDenial,
        link: Option<&ShareReference>,
        origin: Origin,
    ) -> Result<(), AuditError> {
        let share = match link {
            None => None,
            Some(ShareReference::Id(id)) => Some(*id),
            Some(ShareReference::Token(token)) => self
                .database
                .read_one(|tx| tx.shares().share_by_token(&token.hash()))?
                .map(|share| share.id),
        };
        let kind = match denial {
            AccessDenial::InvalidLink => AuditKind::LinkDenied,
            AccessDenial::WrongAddress => AuditKind::AddressRefused,
        };
        self.deny(kind, None, share.map(Subject::Share), origin)
    }

    /// Records that `caller` was refused something behind the gate.
    pub fn refused(
        &self,
        refused: &Refused,
        caller: &Caller,
        origin: Origin,
    ) -> Result<(), AuditError> {
        let now = self.clock.now();
        let subject = self.database.read(|tx| refused.subject(tx, caller, now))?;
        self.deny(refused.kind(), caller.user, subject, origin)
    }

    /// Records that a rate limit was reached; `route` is the pattern of the path.
    pub fn limit_reached(
        &self,
        route: String,
        account: Option<UserId>,
        origin: Origin,
    ) -> Result<(), AuditError> {
        let route = Some(Subject::Route(route));
        self.deny(AuditKind::LimitReached, account, route, origin)
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

    fn deny(
        &self,
        kind: AuditKind,
        account: Option<UserId>,
        subject: Option<Subject>,
        origin: Origin,
    ) -> Result<(), AuditError> {
        let entry = AuditEntry {
            at: self.clock.now(),
            kind,
            account,
            subject,
            origin: Some(origin),
        };
        self.database.write(|tx| tx.audit().record_denial(&entry))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use ideavault_domain::account::{PasswordHash, SessionEpoch};
    use ideavault_domain::ports::Credentials;
    use ideavault_domain::share::ShareTerms;

    use super::*;
    use crate::testing::{
        MockDatabase, MockTransaction, StoppedClock, ada, at, origin, owner, share, share_token,
    };

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
            .login_failed(" Ada@example.org", origin())
            .unwrap();
        let knows_nobody = |tx: &mut MockTransaction| {
            tx.expect_credentials().returning(|_| Ok(None));
        };
        for typed in ["nobody@example.org", "correct horse battery"] {
            audit(knows_nobody, (AuditKind::LoginFailed, None, None))
                .login_failed(typed, origin())
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
                .gate_denied(AccessDenial::InvalidLink, Some(&link), origin())
                .unwrap();
        }
        audit(|_| {}, (AuditKind::LinkDenied, None, None))
            .gate_denied(AccessDenial::InvalidLink, None, origin())
            .unwrap();
    }

    #[test]
    fn a_link_given_by_id_is_recorded_without_a_lookup() {
        let id = share(ShareTerms::FullAccess).id;
        let denied = (AuditKind::AddressRefused, None, Some(Subject::Share(id)));
        audit(|_| {}, denied)
            .gate_denied(
                AccessDenial::WrongAddress,
                Some(&ShareReference::Id(id)),
                origin(),
            )
            .unwrap();
    }

    #[test]
    fn a_reached_limit_records_the_route() {
        let route = "POST /api/auth/login".to_owned();
        let subject = Some(Subject::Route(route.clone()));
        audit(|_| {}, (AuditKind::LimitReached, None, subject))
            .limit_reached(route, None, origin())
            .unwrap();
    }
}
