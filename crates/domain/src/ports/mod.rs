//! Ports: the traits through which use cases reach the outside world. Each states the
//! contract of its adapters; use cases do not know which adapter runs.
//!
//! Lists of repositories have a defined order; methods that return whether something happened
//! use conditional statements, so that a race has exactly one winner.

mod accounts;
mod administration;
mod admission;
mod anchors;
mod audit;
mod codes;
mod comments;
mod confirmations;
mod database;
mod devices;
mod document_links;
mod documents;
mod encryption;
mod erasure;
mod error;
mod evidence;
mod files;
mod ideas;
mod identity;
mod inspection;
mod jobs;
mod language;
mod limit_counts;
mod mail;
mod notices;
mod platform;
mod public_records;
mod quota;
mod recipients;
mod requests;
mod sessions;
mod shares;
mod time;
mod two_factors;
mod users;
mod working_copies;

pub use accounts::AccountChanges;
pub use administration::{AccountSummary, Administration};
pub use admission::{Invitations, Waitlist};
pub use anchors::{
    AnchorError, Anchors, BlockChain, BlockProof, Calendar, ConfirmedBlock, Cosignature,
    TimeAuthority, TimeStamp, Witness, WitnessAnswer,
};
pub use audit::AuditTrail;
pub use codes::{CodeHasher, Codes};
pub use comments::Comments;
pub use confirmations::EmailConfirmations;
pub use database::{Database, Transaction};
pub use devices::KnownDevices;
pub use document_links::DocumentLinks;
pub use documents::DocumentWriter;
pub use encryption::{Encryption, MasterKeys, StoredCookieKey};
pub use erasure::{ErasableRegistration, ErasureScope, Erasures, EverOwnedIdea};
pub use error::{DatabaseError, unless_damaged};
pub use evidence::{Disclosures, EvidenceLog, KnownCheckpoint};
pub use files::{
    BlobStore, CleanImage, Files, ImageCleaner, ImageRefused, PdfChecker, PdfRefused, StorageError,
    StoredBytes,
};
pub use ideas::{IdeaOwner, Ideas, NewIdea};
pub use identity::StorageIdentity;
pub use inspection::{DamagedValue, Inspection};
pub use jobs::JobSchedule;
pub use language::{LanguageModel, ModelError, PendingAnswer};
pub use limit_counts::{LimitCounts, LimitKeyHasher, RateLimited};
pub use mail::{CommitHook, Mailer, MailerError, Outbox};
pub use notices::{Notices, NotificationSettings};
pub use platform::{Clock, HtmlSanitizer, PasswordHasher, PortError, Random};
pub use public_records::PublicRecords;
pub use quota::StorageUse;
pub use recipients::{
    BrowserRegistrations, FoundGate, GateAddress, GateQuery, RecipientWithShare, Recipients,
};
pub use requests::RequestHasher;
pub use sessions::UserSessions;
pub use shares::{ListedShare, ShareOwner, Shares};
pub use time::{NewestTime, SET_BACK_MAX};
pub use two_factors::{TotpCodes, TwoFactors};
pub use users::{Credentials, Users};
pub use working_copies::WorkingCopies;
