//! The wiring: which adapter stands behind which port.

use std::sync::Arc;

use ideavault_application::accounts::{Accounts, Admission};
use ideavault_application::audit::Audit;
use ideavault_application::cleanup::Cleanup;
use ideavault_application::comments::Comments;
use ideavault_application::confirmations::Confirmations;
use ideavault_application::email_composer::EmailComposer;
use ideavault_application::emails::Links;
use ideavault_application::evidence::Evidence;
use ideavault_application::files::Files;
use ideavault_application::ideas::Ideas;
use ideavault_application::invitations::Announcements;
use ideavault_application::logins::Logins;
use ideavault_application::notifications::{NoticeMailer, Notifications};
use ideavault_application::outbox_worker::OutboxWorker;
use ideavault_application::passwords::Passwords;
use ideavault_application::sessions::Sessions;
use ideavault_application::share_access::{Downloads, ShareAccess};
use ideavault_application::shares::Shares;
use ideavault_application::status::Status;
use ideavault_application::storage::Storage;
use ideavault_application::timekeeping::Timekeeping;
use ideavault_application::totp::TotpVerifier;
use ideavault_application::two_factors::TwoFactors;
use ideavault_application::uploads::Uploads;
use ideavault_application::waitlist::Waitlist;
use ideavault_content::{AllowListSanitizer, PageFinder, PixelsOnly};
use ideavault_crypto::{Argon2Passwords, HmacTotp, KeyRing, KeyedCodes, Purpose, SystemRandom};
use ideavault_db::SqlDatabase;
use ideavault_domain::operator::Operator;
use ideavault_domain::ports::{BlobStore, Clock, Mailer, PasswordHasher, PortError, Random};
use ideavault_domain::quota::Quotas;
use ideavault_files::{FolderStorage, SealedStorage};
use thiserror::Error;

use crate::outbox_job::Bell;
use crate::storage_identity::StorageWatch;

/// All use cases over the configured adapters.
pub struct App {
    /// Sign-up.
    pub accounts: Accounts<SqlDatabase>,
    /// Sign-in.
    pub logins: Logins<SqlDatabase>,
    /// Showing that mails to the address of an account arrive.
    pub confirmations: Confirmations<SqlDatabase>,
    /// Two-step sign-in.
    pub two_factors: TwoFactors<SqlDatabase>,
    /// New passwords.
    pub passwords: Passwords<SqlDatabase>,
    /// Signed-in browsers.
    pub sessions: Sessions<SqlDatabase>,
    /// Own ideas.
    pub ideas: Ideas<SqlDatabase>,
    /// Own links.
    pub shares: Shares<SqlDatabase>,
    /// Other people's links.
    pub share_access: ShareAccess<SqlDatabase>,
    /// The document that is open, as a file.
    pub downloads: Downloads<SqlDatabase>,
    /// Comments.
    pub comments: Comments<SqlDatabase>,
    /// What happened on own links.
    pub evidence: Evidence<SqlDatabase>,
    /// What matters to security.
    pub audit: Audit<SqlDatabase>,
    /// People who ask to be let in.
    pub waitlist: Waitlist<SqlDatabase>,
    /// Invitations that people do not know of yet.
    pub announcements: Announcements<SqlDatabase>,
    /// What owners are told.
    pub notifications: Notifications<SqlDatabase>,
    /// The same, by mail.
    pub notice_mailer: NoticeMailer<SqlDatabase>,
    /// Mails on their way.
    pub outbox_worker: OutboxWorker<SqlDatabase>,
    /// How much is stored.
    pub storage: Storage<SqlDatabase>,
    /// New files.
    pub uploads: Uploads<SqlDatabase>,
    /// Own files, and those of disclosed ideas.
    pub files: Files<SqlDatabase>,
    /// Removal of what crashes leave behind.
    pub cleanup: Cleanup<SqlDatabase>,
    /// What the operator has to keep an eye on.
    pub status: Status<SqlDatabase>,
    /// Remembering the time.
    pub timekeeping: Timekeeping<SqlDatabase>,
    /// For uploads that are arriving.
    pub folder: Arc<FolderStorage>,
    /// Rings when a mail was queued.
    pub mail_bell: Arc<Bell>,
    /// For `/readyz`.
    pub database: Arc<SqlDatabase>,
    /// For the same.
    pub storage_watch: StorageWatch,
}

/// Why the parts do not fit together.
#[derive(Debug, Error)]
pub enum WiringError {
    /// Hashing passwords or sealing files does not work.
    #[error(transparent)]
    Cryptography(#[from] PortError),
}

/// What an application is made of.
pub struct Parts<'a> {
    /// Where everything but files is kept.
    pub database: SqlDatabase,
    /// Where the bytes of files are kept.
    pub folder: FolderStorage,
    /// What seals what is confidential.
    pub ring: &'a KeyRing,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Who mails are given to.
    pub mailer: Arc<dyn Mailer>,
    /// Base of links in mails, without a trailing slash.
    pub origin: &'a str,
    /// Whose mails they are.
    pub operator: Operator,
    /// Who may register, and what they have to show.
    pub admission: Admission,
    /// How long a counted view lasts.
    pub view_window: chrono::Duration,
    /// How much may be stored.
    pub quotas: Quotas,
}

impl App {
    /// Wires everything.
    ///
    /// # Errors
    /// [`WiringError`].
    pub fn new(parts: Parts<'_>) -> Result<Self, WiringError> {
        let mail_bell = Arc::new(Bell::default());
        let store = parts.database.with_bell(Arc::clone(&mail_bell) as _);
        let store = Arc::new(store);
        let folder = Arc::new(parts.folder);
        let ring = parts.ring;
        let sealed = SealedStorage::new(Arc::clone(&folder) as _, Arc::new(ring.clone()))?;
        let sealed: Arc<dyn BlobStore> = Arc::new(sealed);
        let storage = || Arc::clone(&sealed);
        let clock = parts.clock;
        let random: Arc<dyn Random> = Arc::new(SystemRandom);
        let hasher: Arc<dyn PasswordHasher> = Arc::new(Argon2Passwords::new()?);
        let link_sealer = Arc::new(ring.sealer(Purpose::ShareTokens));
        let mail_sealer = Arc::new(ring.sealer(Purpose::Mails));
        let codes = Arc::new(KeyedCodes::new(ring.clone()));
        let links = Links::new(parts.origin).run_by(parts.operator);
        let email_composer = EmailComposer::new(Arc::clone(&random), mail_sealer.clone(), links);
        let email_composer = Arc::new(email_composer);
        let sanitizer = Arc::new(AllowListSanitizer);
        // What nearly every area stands on.
        let base = || (Arc::clone(&store), Arc::clone(&clock), Arc::clone(&random));
        let (db, time, chance) = base();
        let (hash, post) = (Arc::clone(&hasher), Arc::clone(&email_composer));
        let accounts = Accounts::new(db, time, chance, hash, post, parts.admission);
        let confirmation = parts.admission.confirmation;
        let (db, time, chance) = base();
        let confirmations = Confirmations::new(db, time, chance, Arc::clone(&email_composer));
        let totp_sealer = Arc::new(ring.sealer(Purpose::TotpSecrets));
        let totp = Arc::new(TotpVerifier::new(totp_sealer, Arc::new(HmacTotp)));
        // What checks passwords and codes, and tells their owners of changes.
        let safety = || {
            let hasher = Arc::clone(&hasher);
            (hasher, Arc::clone(&totp), Arc::clone(&email_composer))
        };
        let (db, time, chance) = base();
        let (hash, apps, post) = safety();
        let logins = Logins::new(db, time, chance, hash, apps, post);
        let (db, time, chance) = base();
        let (hash, apps, post) = safety();
        let two_factors = TwoFactors::new(db, time, chance, hash, apps, post, confirmation);
        let (db, time, chance) = base();
        let passwords = Passwords::new(db, time, chance, hasher, Arc::clone(&email_composer));
        let (db, time, chance) = base();
        let sessions = Sessions::new(db, time, chance);
        let (db, time, chance) = base();
        let ideas = Ideas::new(db, time, chance, sanitizer, storage(), parts.quotas);
        let (db, time, chance) = base();
        let seal = Arc::clone(&link_sealer) as _;
        let notice_mailer = NoticeMailer::new(db, time, chance, seal, Arc::clone(&email_composer));
        let (db, time, _) = base();
        let notifications = Notifications::new(db, time);
        let (db, time, chance) = base();
        let post = Arc::clone(&email_composer);
        let shares = Shares::new(db, time, chance, link_sealer, post, confirmation);
        let (db, time, chance) = base();
        let window = parts.view_window;
        let post = Arc::clone(&email_composer);
        let share_access = ShareAccess::new(db, time, chance, window, post, codes, storage());
        let (db, time, _) = base();
        let downloads = Downloads::new(db, time, storage());
        let (db, time, chance) = base();
        let comments = Comments::new(db, time, chance);
        let (db, time, _) = base();
        let audit = Audit::new(db, time);
        let (db, time, _) = base();
        let waitlist = Waitlist::new(db, time);
        let (db, time, chance) = base();
        let post = Arc::clone(&email_composer);
        let announcements = Announcements::new(db, time, chance, post);
        let (db, time, _) = base();
        let outbox_worker = OutboxWorker::new(db, time, mail_sealer, parts.mailer, email_composer);
        let (db, time, chance) = base();
        let uploads = Uploads::new(
            db,
            time,
            chance,
            storage(),
            Arc::new(PixelsOnly),
            parts.quotas,
            Arc::new(PageFinder),
        );
        let (db, time, chance) = base();
        let files = Files::new(db, time, chance, storage(), parts.view_window);
        let (db, time, _) = base();
        let cleanup = Cleanup::new(db, time, storage());
        let storage_watch = StorageWatch::new(Arc::clone(&store), Arc::clone(&folder));
        Ok(Self {
            storage_watch,
            timekeeping: Timekeeping::new(Arc::clone(&store), Arc::clone(&clock)),
            accounts,
            logins,
            confirmations,
            two_factors,
            passwords,
            sessions,
            ideas,
            shares,
            share_access,
            downloads,
            comments,
            audit,
            waitlist,
            announcements,
            notifications,
            notice_mailer,
            outbox_worker,
            uploads,
            files,
            cleanup,
            folder,
            mail_bell,
            storage: Storage::new(Arc::clone(&store), parts.quotas),
            status: Status::new(Arc::clone(&store), Arc::clone(&clock)),
            evidence: Evidence::new(Arc::clone(&store), Arc::clone(&clock)),
            database: store,
        })
    }
}
