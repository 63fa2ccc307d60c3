//! The use cases that the routes call.

use std::sync::Arc;

use ideavault_application::account_export::AccountExport;
use ideavault_application::accounts::Accounts;
use ideavault_application::audit::Audit;
use ideavault_application::comments::Comments;
use ideavault_application::confirmations::Confirmations;
use ideavault_application::documents::Documents;
use ideavault_application::erasure::PersonErasure;
use ideavault_application::evidence::{Bundles, Evidence, PublicLog};
use ideavault_application::files::Files;
use ideavault_application::ideas::Ideas;
use ideavault_application::leaving::Leaving;
use ideavault_application::logins::Logins;
use ideavault_application::my_documents::MyDocuments;
use ideavault_application::notifications::Notifications;
use ideavault_application::passwords::Passwords;
use ideavault_application::rate_limits::RateLimits;
use ideavault_application::readers::Readers;
use ideavault_application::sessions::Sessions;
use ideavault_application::share_access::{Downloads, ShareAccess};
use ideavault_application::shares::Shares;
use ideavault_application::storage::Storage;
use ideavault_application::two_factors::TwoFactors;
use ideavault_application::uploads::Uploads;
use ideavault_application::waitlist::Waitlist;
use ideavault_db::SqlDatabase;
use ideavault_files::ScratchFolder;

/// The use cases of the API, over the configured adapters.
pub struct App {
    /// Registration of accounts.
    pub accounts: Accounts<SqlDatabase>,
    /// How often something may happen.
    pub limits: Arc<RateLimits<SqlDatabase>>,
    /// Sign-in.
    pub logins: Logins<SqlDatabase>,
    /// Confirmation of email addresses.
    pub confirmations: Confirmations<SqlDatabase>,
    /// Two-step sign-in.
    pub two_factors: TwoFactors<SqlDatabase>,
    /// Password changes and resets.
    pub passwords: Passwords<SqlDatabase>,
    /// The sessions of an account.
    pub sessions: Sessions<SqlDatabase>,
    /// A creator's ideas.
    pub ideas: Ideas<SqlDatabase>,
    /// A creator's links.
    pub shares: Shares<SqlDatabase>,
    /// A recipient's side of a link.
    pub share_access: ShareAccess<SqlDatabase>,
    /// Download of the document that a view shows.
    pub downloads: Downloads<SqlDatabase>,
    /// Comments.
    pub comments: Comments<SqlDatabase>,
    /// Activity of recipients on the links of an owner.
    pub evidence: Evidence<SqlDatabase>,
    /// Lists of readers.
    pub readers: Readers<SqlDatabase>,
    /// Erasure of readers.
    pub erasure: PersonErasure<SqlDatabase>,
    /// Everything of an account as one archive.
    pub account_export: AccountExport<SqlDatabase>,
    /// Deletion of the own account.
    pub leaving: Leaving<SqlDatabase>,
    /// Evidence as files.
    pub bundles: Bundles<SqlDatabase>,
    /// The log of events as files.
    pub public_log: PublicLog<SqlDatabase>,
    /// Receipts, certificates and public records.
    pub documents: Arc<Documents<SqlDatabase>>,
    /// What persons with a confirmed address were shown.
    pub my_documents: MyDocuments<SqlDatabase>,
    /// The audit trail of security events.
    pub audit: Audit<SqlDatabase>,
    /// People who ask to be let in.
    pub waitlist: Waitlist<SqlDatabase>,
    /// Notices to owners.
    pub notifications: Notifications<SqlDatabase>,
    /// Used space and quotas.
    pub storage: Storage<SqlDatabase>,
    /// Uploads of images and PDFs.
    pub uploads: Uploads<SqlDatabase>,
    /// Files of an owner and of disclosed ideas.
    pub files: Files<SqlDatabase>,
    /// Receives uploads before they are encrypted.
    pub scratch: ScratchFolder,
}
