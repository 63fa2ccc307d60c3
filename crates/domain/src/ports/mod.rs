//! The traits through which use cases reach the world. Each says what an
//! adapter must do; use cases never learn which adapter runs.

mod accounts;
mod administration;
mod admission;
mod audit;
mod codes;
mod confirmations;
mod devices;
mod files;
mod identity;
mod inspection;
mod language;
mod mail;
mod notices;
mod platform;
mod quota;
mod repositories;
mod second_factors;
mod sessions;
mod store;
mod time;
mod vault;

pub use accounts::AccountChanges;
pub use administration::{AccountSummary, Administration};
pub use admission::{Invitations, Waitlist};
pub use audit::AuditTrail;
pub use codes::{CodeHasher, Codes};
pub use confirmations::EmailConfirmations;
pub use devices::KnownDevices;
pub use files::{
    CleanImage, FileStorage, Files, ImageCleaner, ImageRefused, PdfChecker, PdfRefused,
    StorageError, StoredBytes,
};
pub use identity::StorageIdentity;
pub use inspection::Inspection;
pub use language::{LanguageModel, ModelError, PendingAnswer};
pub use mail::{MailBell, Mailer, MailerError, Outbox};
pub use notices::{Notices, NotificationSettings};
pub use platform::{Clock, HtmlSanitizer, PasswordHasher, PortError, Random, Sealer};
pub use quota::StorageUse;
pub use repositories::{
    Comments, Credentials, Ideas, ListedShare, NewIdea, Recipients, Registration, Shares, Users,
};
pub use second_factors::{SecondFactors, TotpCodes};
pub use sessions::UserSessions;
pub use store::{Session, Store, StoreError};
pub use time::{NewestTime, SET_BACK_MAX};
pub use vault::{MasterKeys, Vault};
