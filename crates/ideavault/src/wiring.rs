//! Builds the use cases over the configured adapters.

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
use ideavault_application::jobs::Scheduler;
use ideavault_application::logins::Logins;
use ideavault_application::notifications::{NoticeMailer, Notifications};
use ideavault_application::outbox_worker::OutboxWorker;
use ideavault_application::passwords::Passwords;
use ideavault_application::sessions::Sessions;
use ideavault_application::share_access::{Downloads, ShareAccess};
use ideavault_application::shares::Shares;
use ideavault_application::storage::Storage;
use ideavault_application::timekeeping::Timekeeping;
use ideavault_application::totp::TotpVerifier;
use ideavault_application::two_factors::TwoFactors;
use ideavault_application::uploads::Uploads;
use ideavault_application::waitlist::Waitlist;
use ideavault_content::{AllowListSanitizer, PageFinder, PixelsOnly};
use ideavault_crypto::{Argon2Passwords, HmacTotp, KeyRing, KeyedCodes, Purpose, SystemRandom};
use ideavault_db::SqlDatabase;
use ideavault_domain::daily_caps::DailyCaps;
use ideavault_domain::operator::Operator;
use ideavault_domain::ports::{BlobStore, Clock, Mailer, PasswordHasher, PortError, Random};
use ideavault_domain::quota::Quotas;
use ideavault_files::{FolderStorage, SealedStorage};
use ideavault_web::App;
use thiserror::Error;

/// The use cases of the API and those of background jobs.
pub struct Wired {
    /// The use cases of the API.
    pub app: App,
    /// The use cases of background jobs.
    pub background: Background,
    /// The database of all of them.
    pub database: Arc<SqlDatabase>,
    /// The folder that they store files in.
    pub folder: Arc<FolderStorage>,
}

/// The use cases that background jobs call.
pub struct Background {
    /// Sends invitations by mail.
    pub announcements: Announcements<SqlDatabase>,
    /// Mails about notices.
    pub notice_mailer: NoticeMailer<SqlDatabase>,
    /// Delivers queued mails.
    pub outbox_worker: OutboxWorker<SqlDatabase>,
    /// Decides which scheduled job runs on this server.
    pub scheduler: Scheduler<SqlDatabase>,
    /// Removes expired rows and orphaned files.
    pub cleanup: Cleanup<SqlDatabase>,
    /// Records the time, for the clock after a restart.
    pub timekeeping: Timekeeping<SqlDatabase>,
}

/// Failures while the application is built.
#[derive(Debug, Error)]
pub enum WiringError {
    /// A cryptographic primitive could not be set up.
    #[error(transparent)]
    Cryptography(#[from] PortError),
}

/// Adapters and settings that the use cases are built from.
pub struct Adapters<'a> {
    /// Holds everything but the bytes of files.
    pub database: SqlDatabase,
    /// Holds the bytes of files.
    pub folder: FolderStorage,
    /// Keys for everything confidential.
    pub ring: &'a KeyRing,
    /// Source of the time.
    pub clock: Arc<dyn Clock>,
    /// Transport for mails.
    pub mailer: Arc<dyn Mailer>,
    /// Base of links in mails, without a trailing slash.
    pub origin: &'a str,
    /// The operator that mails name.
    pub operator: Operator,
    /// Who may register, and whether addresses have to be confirmed.
    pub admission: Admission,
    /// Length of a counted view.
    pub view_window: chrono::Duration,
    /// Limits on stored bytes.
    pub quotas: Quotas,
    /// Limits on mails.
    pub caps: DailyCaps,
}

impl Wired {
    /// Builds all use cases.
    ///
    /// # Errors
    /// [`WiringError`].
    pub fn new(parts: Adapters<'_>) -> Result<Self, WiringError> {
        let database = Arc::new(parts.database);
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
        // Dependencies of nearly every area.
        let common = || {
            (
                Arc::clone(&database),
                Arc::clone(&clock),
                Arc::clone(&random),
            )
        };
        let (db, time, rng) = common();
        let (hash, composer) = (Arc::clone(&hasher), Arc::clone(&email_composer));
        let (admission, caps) = (parts.admission, parts.caps);
        let accounts = Accounts::new(db, time, rng, hash, composer, admission, caps);
        let confirmation = admission.confirmation;
        let (db, time, rng) = common();
        let composer = Arc::clone(&email_composer);
        let confirmations = Confirmations::new(db, time, rng, composer, caps);
        let totp_sealer = Arc::new(ring.sealer(Purpose::TotpSecrets));
        let totp = Arc::new(TotpVerifier::new(totp_sealer, Arc::new(HmacTotp)));
        // Dependencies of areas that check passwords and codes and mail the owner about
        // changes.
        let credentials = || {
            let hasher = Arc::clone(&hasher);
            (hasher, Arc::clone(&totp), Arc::clone(&email_composer))
        };
        let (db, time, rng) = common();
        let (hash, apps, composer) = credentials();
        let logins = Logins::new(db, time, rng, hash, apps, composer);
        let (db, time, rng) = common();
        let (hash, apps, composer) = credentials();
        let two_factors = TwoFactors::new(db, time, rng, hash, apps, composer, confirmation);
        let (db, time, rng) = common();
        let passwords = Passwords::new(db, time, rng, hasher, Arc::clone(&email_composer));
        let (db, time, rng) = common();
        let sessions = Sessions::new(db, time, rng);
        let (db, time, rng) = common();
        let ideas = Ideas::new(db, time, rng, sanitizer, storage(), parts.quotas);
        let (db, time, rng) = common();
        let seal = Arc::clone(&link_sealer) as _;
        let notice_mailer = NoticeMailer::new(db, time, rng, seal, Arc::clone(&email_composer));
        let (db, time, _) = common();
        let notifications = Notifications::new(db, time);
        let (db, time, rng) = common();
        let composer = Arc::clone(&email_composer);
        let shares = Shares::new(db, time, rng, link_sealer, composer, confirmation, caps);
        let (db, time, rng) = common();
        let window = parts.view_window;
        let composer = Arc::clone(&email_composer);
        let share_access = ShareAccess::new(db, time, rng, window, composer, codes, storage());
        let (db, time, _) = common();
        let downloads = Downloads::new(db, time, storage());
        let (db, time, rng) = common();
        let comments = Comments::new(db, time, rng);
        let (db, time, _) = common();
        let audit = Audit::new(db, time);
        let (db, time, _) = common();
        let waitlist = Waitlist::new(db, time);
        let (db, time, rng) = common();
        let composer = Arc::clone(&email_composer);
        let announcements = Announcements::new(db, time, rng, composer);
        let (db, time, _) = common();
        let outbox_worker = OutboxWorker::new(db, time, mail_sealer, parts.mailer, email_composer);
        let (db, time, rng) = common();
        let uploads = Uploads::new(
            db,
            time,
            rng,
            storage(),
            Arc::new(PixelsOnly),
            parts.quotas,
            Arc::new(PageFinder),
        );
        let (db, time, rng) = common();
        let files = Files::new(db, time, rng, storage(), parts.view_window);
        let (db, time, _) = common();
        let cleanup = Cleanup::new(db, time, storage());
        let (db, time, rng) = common();
        let scheduler = Scheduler::new(db, time, rng);
        let app = App {
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
            notifications,
            uploads,
            files,
            folder: Arc::clone(&folder),
            storage: Storage::new(Arc::clone(&database), parts.quotas),
            evidence: Evidence::new(Arc::clone(&database), Arc::clone(&clock)),
        };
        let background = Background {
            announcements,
            notice_mailer,
            outbox_worker,
            scheduler,
            cleanup,
            timekeeping: Timekeeping::new(Arc::clone(&database), Arc::clone(&clock)),
        };
        Ok(Self {
            app,
            background,
            database,
            folder,
        })
    }
}
