//! Builds the use cases over the configured adapters.

use std::sync::Arc;

use ideavault_application::account_export::AccountExport;
use ideavault_application::accounts::{Accounts, Admission};
use ideavault_application::anchoring::{Anchoring, Outsider};
use ideavault_application::audit::Audit;
use ideavault_application::cleanup::Cleanup;
use ideavault_application::comments::Comments;
use ideavault_application::confirmations::Confirmations;
use ideavault_application::deps::Deps;
use ideavault_application::documents::Documents;
use ideavault_application::email_composer::EmailComposer;
use ideavault_application::emails::Links;
use ideavault_application::erasure::PersonErasure;
use ideavault_application::event_log::EventLog;
use ideavault_application::evidence::{Bundles, Evidence, PublicLog};
use ideavault_application::files::Files;
use ideavault_application::ideas::Ideas;
use ideavault_application::invitations::InvitationMailer;
use ideavault_application::jobs::Scheduler;
use ideavault_application::leaving::Leaving;
use ideavault_application::logins::Logins;
use ideavault_application::my_documents::MyDocuments;
use ideavault_application::notifications::{NoticeMailer, Notifications};
use ideavault_application::outbox_worker::OutboxWorker;
use ideavault_application::passwords::Passwords;
use ideavault_application::rate_limits::RateLimits;
use ideavault_application::readers::Readers;
use ideavault_application::sessions::Sessions;
use ideavault_application::share_access::{Downloads, Hashers, ShareAccess};
use ideavault_application::shares::Shares;
use ideavault_application::storage::Storage;
use ideavault_application::timekeeping::Timekeeping;
use ideavault_application::two_factors::TwoFactors;
use ideavault_application::uploads::Uploads;
use ideavault_application::waitlist::Waitlist;
use ideavault_content::{AllowListSanitizer, ImageReencoder, PdfPageChecker};
use ideavault_crypto::{
    Argon2Passwords, HashingCost, HmacTotp, KeyRing, KeyedCodes, KeyedLimits, KeyedRequests,
    SystemRandom,
};
use ideavault_db::SqlDatabase;
use ideavault_domain::audit::AuditRetention;
use ideavault_domain::file::UploadLimit;
use ideavault_domain::operator::Operator;
use ideavault_domain::ports::{
    BlobStore, BlockChain, Clock, DocumentWriter, KnownCheckpoint, Mailer, PasswordHasher,
    PortError, TotpCodes,
};
use ideavault_domain::quota::Quotas;
use ideavault_files::{Blobs, ScratchFolder, SealedStorage};
use ideavault_web::App;
use thiserror::Error;

/// The use cases of the API and those of background jobs.
pub struct Services {
    /// The use cases of the API.
    pub app: App,
    /// The use cases of background jobs.
    pub background: Background,
    /// The database of all of them.
    pub database: Arc<SqlDatabase>,
    /// Where they store files.
    pub blobs: Arc<dyn Blobs>,
    /// The log of events.
    pub event_log: Arc<EventLog<SqlDatabase>>,
}

/// The use cases that background jobs call.
pub struct Background {
    /// Sends invitations by mail.
    pub invitation_mailer: InvitationMailer<SqlDatabase>,
    /// Mails about notices.
    pub notice_mailer: NoticeMailer<SqlDatabase>,
    /// Delivers queued mails.
    pub outbox_worker: OutboxWorker<SqlDatabase>,
    /// Decides which scheduled job runs on this server.
    pub scheduler: Scheduler<SqlDatabase>,
    /// Removes expired rows and orphaned files.
    pub cleanup: Cleanup<SqlDatabase>,
    /// Gives events their places in the log.
    pub event_log: Arc<EventLog<SqlDatabase>>,
    /// Asks outsiders to confirm the log.
    pub anchoring: Anchoring<SqlDatabase>,
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
    pub blobs: Arc<dyn Blobs>,
    /// Receives uploads before they are encrypted.
    pub scratch: ScratchFolder,
    /// Keys for everything confidential.
    pub ring: &'a KeyRing,
    /// Source of the time.
    pub clock: Arc<dyn Clock>,
    /// Transport for mails.
    pub mailer: Arc<dyn Mailer>,
    /// Base of links in mails, without a trailing slash.
    pub origin: &'a str,
    /// Host of the public address, which names the log of events.
    pub host: String,
    /// The operator that mails name.
    pub operator: Operator,
    /// Rules for registering accounts and confirming addresses.
    pub admission: Admission,
    /// Cost of hashing new passwords.
    pub hashing_cost: HashingCost,
    /// Length of a counted view.
    pub view_window: chrono::Duration,
    /// Limits on stored bytes.
    pub quotas: Quotas,
    /// The largest PDF that is accepted.
    pub pdf_limit: UploadLimit,
    /// How long the audit trail is kept.
    pub audit_retention: AuditRetention,
    /// Multiplies every rate limit; zero turns them off.
    pub rate_limit_scale: f64,
    /// Where the last signed checkpoint is kept.
    pub known_checkpoint: Arc<dyn KnownCheckpoint>,
    /// Whether everybody may read the log of events.
    pub public_log: bool,
    /// Writes receipts and certificates.
    pub documents: Arc<dyn DocumentWriter>,
    /// The services that confirm the log.
    pub outsiders: Vec<Outsider>,
    /// Source of the Bitcoin block headers that calendars refer to.
    pub blocks: Option<Arc<dyn BlockChain>>,
}

impl Services {
    /// Builds all use cases.
    pub fn new(adapters: Adapters<'_>) -> Result<Self, WiringError> {
        let Adapters {
            ring,
            admission,
            quotas,
            view_window,
            ..
        } = adapters;
        let blobs = adapters.blobs;
        let sealed = SealedStorage::new(Arc::clone(&blobs), Arc::new(ring.clone()))?;
        let sealed: Arc<dyn BlobStore> = Arc::new(sealed);
        let (database, clock) = (Arc::new(adapters.database), adapters.clock);
        let limits = RateLimits::new(
            Arc::clone(&database),
            Arc::clone(&clock),
            Arc::new(KeyedLimits::new(ring.clone())),
            adapters.rate_limit_scale,
        );
        let deps = Deps {
            database,
            clock,
            random: Arc::new(SystemRandom),
            limits: Arc::new(limits),
        };
        let links = Links::new(adapters.origin).run_by(adapters.operator);
        let composer = EmailComposer::new(Arc::clone(&deps.random), links.clone());
        let composer = Arc::new(composer);
        let totp: Arc<dyn TotpCodes> = Arc::new(HmacTotp);
        let hasher: Arc<dyn PasswordHasher> =
            Arc::new(Argon2Passwords::new(adapters.hashing_cost)?);
        let hashers = Hashers {
            codes: Arc::new(KeyedCodes::new(ring.clone())),
            requests: Arc::new(KeyedRequests::new(ring.clone())),
        };
        let requests = Arc::clone(&hashers.requests);
        let confirmation = admission.confirmation;

        // Each use case shares them.
        let database = || Arc::clone(&deps.database);
        let clock = || Arc::clone(&deps.clock);
        let deps = || deps.clone();
        let composer = || Arc::clone(&composer);
        let hasher = || Arc::clone(&hasher);
        let storage = || Arc::clone(&sealed);
        let totp = || Arc::clone(&totp);

        let event_log = Arc::new(EventLog::new(
            deps(),
            adapters.known_checkpoint,
            adapters.host,
        ));
        let has_witnesses = !adapters.outsiders.is_empty();
        let documents = Documents::new(
            deps(),
            Arc::clone(&event_log),
            adapters.documents,
            links,
            has_witnesses,
        );
        let documents = Arc::new(documents);
        let app = App {
            accounts: Accounts::new(deps(), hasher(), composer(), admission),
            limits: deps().limits,
            logins: Logins::new(deps(), hasher(), totp(), composer()),
            confirmations: Confirmations::new(deps(), hasher(), composer()),
            two_factors: TwoFactors::new(deps(), hasher(), totp(), composer(), confirmation),
            passwords: Passwords::new(deps(), hasher(), composer()),
            sessions: Sessions::new(deps()),
            ideas: Ideas::new(deps(), Arc::new(AllowListSanitizer), storage(), quotas),
            shares: Shares::new(deps(), composer(), confirmation),
            share_access: ShareAccess::new(deps(), view_window, composer(), hashers, storage()),
            downloads: Downloads::new(database(), clock(), storage()),
            comments: Comments::new(deps()),
            audit: Audit::new(database(), clock()),
            waitlist: Waitlist::new(database(), clock()),
            notifications: Notifications::new(database(), clock()),
            uploads: Uploads::new(
                deps(),
                storage(),
                Arc::new(ImageReencoder),
                quotas,
                Arc::new(PdfPageChecker),
                adapters.pdf_limit,
            ),
            files: Files::new(deps(), storage(), view_window),
            scratch: adapters.scratch,
            storage: Storage::new(database(), quotas),
            bundles: Bundles::new(deps(), storage()),
            public_log: PublicLog::new(deps(), adapters.public_log),
            erasure: PersonErasure::new(database(), clock()),
            account_export: AccountExport::new(deps(), storage()),
            leaving: Leaving::new(deps(), hasher(), totp(), composer()),
            evidence: Evidence::new(deps(), Arc::clone(&event_log), has_witnesses),
            readers: Readers::new(&deps()),
            my_documents: MyDocuments::new(deps(), Arc::clone(&documents), requests, composer()),
            documents: Arc::clone(&documents),
        };
        let background = Background {
            invitation_mailer: InvitationMailer::new(deps(), composer()),
            notice_mailer: NoticeMailer::new(deps(), composer()),
            outbox_worker: OutboxWorker::new(
                database(),
                clock(),
                adapters.mailer,
                composer(),
                documents,
            ),
            scheduler: Scheduler::new(deps()),
            cleanup: Cleanup::new(database(), clock(), storage(), adapters.audit_retention),
            event_log: Arc::clone(&event_log),
            anchoring: Anchoring::new(deps(), adapters.outsiders, adapters.blocks),
            timekeeping: Timekeeping::new(database(), clock()),
        };
        Ok(Self {
            app,
            background,
            database: database(),
            blobs,
            event_log,
        })
    }
}
