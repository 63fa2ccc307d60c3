//! The database: transactions and the repositories inside them.

use super::accounts::AccountChanges;
use super::administration::Administration;
use super::admission::{Invitations, Waitlist};
use super::anchors::Anchors;
use super::audit::AuditTrail;
use super::codes::Codes;
use super::comments::Comments;
use super::confirmations::EmailConfirmations;
use super::devices::KnownDevices;
use super::document_links::DocumentLinks;
use super::encryption::{MasterKeys, StoredCookieKey};
use super::erasure::Erasures;
use super::error::DatabaseError;
use super::evidence::EvidenceLog;
use super::files::Files;
use super::ideas::Ideas;
use super::identity::StorageIdentity;
use super::inspection::Inspection;
use super::jobs::JobSchedule;
use super::limit_counts::LimitCounts;
use super::mail::Outbox;
use super::notices::{Notices, NotificationSettings};
use super::public_records::PublicRecords;
use super::quota::StorageUse;
use super::recipients::Recipients;
use super::sessions::UserSessions;
use super::shares::Shares;
use super::time::NewestTime;
use super::two_factors::TwoFactors;
use super::users::Users;
use super::working_copies::WorkingCopies;

/// Declares [`Transaction`] from the one list of repositories.
macro_rules! transaction {
    ($($name:ident: $repository:ident,)+) => {
        /// A transaction and its repositories.
        pub trait Transaction {
            $(
                #[doc = concat!("Returns the [`", stringify!($repository), "`] of this transaction.")]
                fn $name(&mut self) -> &mut dyn $repository;
            )+
        }

        impl<T: $($repository +)+> Transaction for T {
            $(
                fn $name(&mut self) -> &mut dyn $repository {
                    self
                }
            )+
        }
    };
}

transaction! {
    users: Users,
    user_sessions: UserSessions,
    known_devices: KnownDevices,
    two_factors: TwoFactors,
    limit_counts: LimitCounts,
    ideas: Ideas,
    working_copies: WorkingCopies,
    files: Files,
    shares: Shares,
    recipients: Recipients,
    codes: Codes,
    document_links: DocumentLinks,
    comments: Comments,
    outbox: Outbox,
    account_changes: AccountChanges,
    email_confirmations: EmailConfirmations,
    administration: Administration,
    waitlist: Waitlist,
    invitations: Invitations,
    master_keys: MasterKeys,
    cookie_key: StoredCookieKey,
    storage_use: StorageUse,
    storage_identity: StorageIdentity,
    newest_time: NewestTime,
    job_schedule: JobSchedule,
    inspection: Inspection,
    audit: AuditTrail,
    evidence_log: EvidenceLog,
    anchors: Anchors,
    erasures: Erasures,
    public_records: PublicRecords,
    notices: Notices,
    notification_settings: NotificationSettings,
}

/// Opens transactions. A transaction never outlives the closure that receives it.
pub trait Database: Send + Sync {
    /// Runs `work` on a consistent snapshot. `work` must not write. If it conflicts with another
    /// transaction, it is run again.
    ///
    /// # Errors
    /// The error of `work`, or a failure of the database itself.
    fn read<T, E: From<DatabaseError>>(
        &self,
        work: impl FnMut(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E>;

    /// Runs `work`, which is one statement that reads, without a transaction around it. That
    /// saves two round trips to the database server. If the statement fails, it is run again.
    ///
    /// # Errors
    /// The error of `work`, or a failure of the database itself; also where `work` goes on to a
    /// second operation, which would see another snapshot.
    fn read_one<T, E: From<DatabaseError>>(
        &self,
        work: impl FnMut(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E>;

    /// Runs `work` in a transaction: `Ok` commits, `Err` rolls back. If it conflicts with another
    /// transaction, nothing of it stays, and it is run again: what it changes besides the
    /// database must bear that.
    ///
    /// # Errors
    /// The error of `work`, or a failure of the database itself; in both cases
    /// nothing was written.
    fn write<T, E: From<DatabaseError>>(
        &self,
        work: impl FnMut(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E>;
}
