//! Erasure of persons (`docs/evidence.md#erasure`).
//!
//! Invariant: the log says that a person is erased before anything of that person goes, in
//! the same transaction.
//!
//! A person may have thousands of registrations, and others have to write meanwhile: so they are
//! erased in parts, each complete in itself. An erasure that breaks off is completed by repeating
//! it.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use ideavault_domain::Timestamp;
use ideavault_domain::account::User;
use ideavault_domain::audit::{AuditEntry, AuditKind, Subject};
use ideavault_domain::email::Email;
use ideavault_domain::evidence::Event;
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::ids::{RecipientId, UserId};
use ideavault_domain::ports::{
    Clock, DamagedValue, Database, DatabaseError, ErasableRegistration, ErasureScope, Transaction,
};
use ideavault_domain::recipient::Origin;
use ideavault_domain::share::Share;
use thiserror::Error;

/// The reason why a person was not erased.
#[derive(Debug, Error)]
pub enum ErasureError {
    /// The registration is absent, or on somebody else's idea.
    #[error("no such registration")]
    NotFound,
    /// Not an email address.
    #[error("{}", .0.message)]
    Invalid(Invalid),
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

impl From<ErasureError> for Failure {
    fn from(error: ErasureError) -> Self {
        match error {
            ErasureError::NotFound => Self::NotFound,
            ErasureError::Invalid(invalid) => Self::Invalid(invalid),
            ErasureError::Database(error) => error.into(),
        }
    }
}

/// The stored data of a person, counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonSummary {
    /// The address.
    pub email: Email,
    /// Number of registrations.
    pub registrations: usize,
    /// How many of them accepted the agreement.
    pub agreements: usize,
    /// Number of links that are for that address only.
    pub links: usize,
    /// Number of entries in the waitlist and in invitations to register.
    pub applications: usize,
    /// Whether an account has that address, which an erasure does not touch.
    pub has_account: bool,
    /// Damaged values, which may name the person.
    pub damaged: Vec<DamagedValue>,
}

impl PersonSummary {
    /// Returns whether the vault has nothing of the person.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.registrations == 0
            && self.links == 0
            && self.applications == 0
            && self.damaged.is_empty()
    }
}

/// Erasure of readers.
pub struct PersonErasure<S> {
    database: Arc<S>,
    clock: Arc<dyn Clock>,
}

impl<S: Database> PersonErasure<S> {
    /// Creates the service from its dependencies.
    pub fn new(database: Arc<S>, clock: Arc<dyn Clock>) -> Self {
        Self { database, clock }
    }

    /// Erases the person behind a registration on an own idea, with all registrations under
    /// the same address on the caller's ideas. Repeating it is fine. With `keep_agreements`,
    /// the texts that were accepted are kept, with the name and the address in them.
    ///
    /// # Errors
    /// [`ErasureError::NotFound`] when the idea is not the user's.
    pub fn erase_for_owner(
        &self,
        user: UserId,
        id: RecipientId,
        keep_agreements: bool,
        origin: Origin,
    ) -> Result<(), ErasureError> {
        let by = |kind, at| AuditEntry::by(user, kind, at, origin.clone());
        let find = |tx: &mut dyn Transaction| {
            let found = tx.erasures().erasable(id)?;
            let found = found.ok_or(ErasureError::NotFound)?;
            let idea = tx.ideas().idea_owner(found.idea)?;
            idea.filter(|idea| idea.owner == user)
                .ok_or(ErasureError::NotFound)?;
            let is_done =
                found.erasure.is_of_person() && (keep_agreements || found.erasure.agreement);
            Ok::<_, ErasureError>((!is_done).then_some(found))
        };
        let Some(found) = self.database.read(find)? else {
            return Ok(());
        };
        let erasing = Erasing {
            database: &*self.database,
            clock: &*self.clock,
            keep_agreements,
            by: &by,
        };
        // Nobody knows any more which others are of the same person.
        let Some(email) = found.email.clone() else {
            return Ok(erasing.registrations(&[found])?);
        };
        let scope = ErasureScope::IdeasOf(user);
        let mut of_person = erasing.find(&email, scope)?;
        // Only this one tells a repeated call whose the others are.
        of_person
            .registrations
            .retain(|other| other.recipient != id);
        erasing.erase(&of_person)?;
        self.database.write(|tx| {
            let now = self.clock.now();
            tx.erasures().drop_mails_to(&email, scope)?;
            Ok(erasing.registration(tx, &found, now)?)
        })
    }

    /// Returns what the vault has of a person.
    pub fn find(&self, email: &str) -> Result<PersonSummary, ErasureError> {
        let email = Email::parse(email).map_err(ErasureError::Invalid)?;
        self.database.read(|tx| {
            let found = Found::of(tx, &email, ErasureScope::Vault)?;
            let applications = tx.erasures().applications_of(&email)?;
            let account = tx.users().credentials(&email)?;
            Ok(found.summary(email.clone(), applications, account.is_some()))
        })
    }

    /// Erases the person with that address in all ideas, in the waitlist and in invitations, for
    /// the operator. Repeating it is fine.
    pub fn erase_everywhere(
        &self,
        email: &str,
        keep_agreements: bool,
    ) -> Result<PersonSummary, ErasureError> {
        let email = Email::parse(email).map_err(ErasureError::Invalid)?;
        let by = |kind, at| AuditEntry {
            at,
            kind,
            account: None,
            subject: None,
            origin: None,
        };
        let erasing = Erasing {
            database: &*self.database,
            clock: &*self.clock,
            keep_agreements,
            by: &by,
        };
        let scope = ErasureScope::Vault;
        let found = erasing.find(&email, scope)?;
        erasing.erase(&found)?;
        self.database.write(|tx| {
            tx.erasures().drop_mails_to(&email, scope)?;
            let applications = tx.erasures().erase_applications(&email)?;
            let account = tx.users().credentials(&email)?;
            Ok(found.summary(email.clone(), applications, account.is_some()))
        })
    }
}

/// The registrations and links under an address, and damaged values that may belong to it.
struct Found {
    registrations: Vec<ErasableRegistration>,
    shares: Vec<Share>,
    damaged: Vec<DamagedValue>,
}

impl Found {
    fn of(
        tx: &mut dyn Transaction,
        email: &Email,
        scope: ErasureScope,
    ) -> Result<Self, DatabaseError> {
        Ok(Self {
            registrations: tx.erasures().registrations_under(email, scope)?,
            shares: tx.erasures().shares_for(email, scope)?,
            damaged: tx.inspection().left_out(),
        })
    }

    fn summary(&self, email: Email, applications: usize, has_account: bool) -> PersonSummary {
        let agreed = |found: &&ErasableRegistration| found.has_accepted;
        PersonSummary {
            email,
            registrations: self.registrations.len(),
            agreements: self.registrations.iter().filter(agreed).count(),
            links: self.shares.len(),
            applications,
            has_account,
            damaged: self.damaged.clone(),
        }
    }
}

/// How many registrations, or links, are erased in one transaction: others wait for it for a few
/// hundredths of a second.
const PART: usize = 8;
/// Pause between two parts. Another process gets the lock of SQLite only if it asks while nobody
/// has it.
const PAUSE: Duration = Duration::from_millis(30);

/// The erasure of one person.
struct Erasing<'e, S> {
    database: &'e S,
    clock: &'e dyn Clock,
    keep_agreements: bool,
    by: &'e dyn Fn(AuditKind, Timestamp) -> AuditEntry,
}

impl<S: Database> Erasing<'_, S> {
    fn find(&self, email: &Email, scope: ErasureScope) -> Result<Found, DatabaseError> {
        self.database.read(|tx| Found::of(tx, email, scope))
    }

    fn erase(&self, found: &Found) -> Result<(), DatabaseError> {
        // First, so that nobody can register on them any more.
        self.in_parts(&found.shares, |tx, share, now| self.link(tx, share, now))?;
        self.registrations(&found.registrations)
    }

    fn registrations(&self, found: &[ErasableRegistration]) -> Result<(), DatabaseError> {
        self.in_parts(found, |tx, registration, now| {
            self.registration(tx, registration, now)
        })
    }

    fn in_parts<T>(
        &self,
        all: &[T],
        erase: impl Fn(&mut dyn Transaction, &T, Timestamp) -> Result<(), DatabaseError>,
    ) -> Result<(), DatabaseError> {
        for (part, items) in all.chunks(PART).enumerate() {
            if part > 0 {
                thread::sleep(PAUSE);
            }
            self.database.write(|tx| {
                let now = self.clock.now();
                items.iter().try_for_each(|item| erase(tx, item, now))
            })?;
        }
        Ok(())
    }

    fn link(
        &self,
        tx: &mut dyn Transaction,
        share: &Share,
        now: Timestamp,
    ) -> Result<(), DatabaseError> {
        if tx.shares().revoke_share(share.id, now)? {
            let event = Event::share_revoked(share.idea, share.id, now);
            tx.evidence_log().append_event(&event)?;
            let entry = (self.by)(AuditKind::ShareRevoked, now);
            tx.audit().record(&entry.about(Subject::Share(share.id)))?;
        }
        tx.erasures().erase_share_address(share)
    }

    fn registration(
        &self,
        tx: &mut dyn Transaction,
        registration: &ErasableRegistration,
        now: Timestamp,
    ) -> Result<(), DatabaseError> {
        let recipient = registration.recipient;
        let event = Event::person_erased(registration.idea, registration.share, recipient, now);
        tx.evidence_log().append_event(&event)?;
        tx.erasures()
            .erase_person(recipient, self.keep_agreements, now)?;
        let entry = (self.by)(AuditKind::PersonErased, now);
        tx.audit()
            .record(&entry.about(Subject::Recipient(recipient)))
    }
}

/// Deletes an account for good, with its owner's name wherever it is stored: the one way for
/// its owner and for the operator. Returns `false`, and changes nothing, if it was deleted.
///
/// # Errors
/// [`DatabaseError`], also before the first log began.
pub(crate) fn delete_account(
    tx: &mut dyn Transaction,
    user: &User,
    now: Timestamp,
) -> Result<bool, DatabaseError> {
    // Running writes for the account are committed before its ideas are listed.
    tx.administration().lock_account(user.id)?;
    for (idea, share) in tx.shares().revoke_shares_of(user.id, now)? {
        let event = Event::share_revoked(idea, share, now);
        tx.evidence_log().append_event(&event)?;
    }
    for idea in tx.erasures().ideas_ever_of(user.id)? {
        if idea.is_draft {
            let deleted = Event::idea_deleted(idea.id, now);
            tx.evidence_log().append_event(&deleted)?;
        }
        let erased = Event::creator_erased(idea.id, now);
        tx.evidence_log().append_event(&erased)?;
        tx.erasures().erase_creator(idea.id)?;
    }
    tx.erasures().erase_applications(&user.email)?;
    tx.erasures()
        .drop_mails_to(&user.email, ErasureScope::Vault)?;
    tx.erasures().drop_mails_of_account(user.id)?;
    tx.administration().delete_account(user.id, now)
}
