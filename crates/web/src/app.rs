//! The wiring: which adapter stands behind which port.

use std::sync::Arc;

use ideavault_application::accounts::{Accounts, Admission};
use ideavault_application::audit::Audit;
use ideavault_application::authenticator::Authenticator;
use ideavault_application::comments::Comments;
use ideavault_application::confirmations::Confirmations;
use ideavault_application::deliveries::Deliveries;
use ideavault_application::evidence::Evidence;
use ideavault_application::files::Files;
use ideavault_application::ideas::Ideas;
use ideavault_application::invitations::Announcements;
use ideavault_application::letters::Links;
use ideavault_application::logins::Logins;
use ideavault_application::notifications::{NoticeMailer, Notifications};
use ideavault_application::passwords::Passwords;
use ideavault_application::postbox::Postbox;
use ideavault_application::second_factors::SecondFactors;
use ideavault_application::sessions::Sessions;
use ideavault_application::shares::Shares;
use ideavault_application::status::Status;
use ideavault_application::storage::Storage;
use ideavault_application::sweeping::Sweeping;
use ideavault_application::timekeeping::Timekeeping;
use ideavault_application::uploads::Uploads;
use ideavault_application::visits::{Downloads, Visits};
use ideavault_application::waitlist::Waitlist;
use ideavault_content::{AllowListSanitizer, PageFinder, PixelsOnly};
use ideavault_crypto::{Argon2Passwords, HmacTotp, KeyRing, KeyedCodes, Purpose, SystemRandom};
use ideavault_db::Database;
use ideavault_domain::operator::Operator;
use ideavault_domain::ports::{Clock, FileStorage, Mailer, PasswordHasher, PortError, Random};
use ideavault_domain::quota::Quotas;
use ideavault_files::{FolderStorage, SealedStorage};
use thiserror::Error;

use crate::courier::Bell;
use crate::storage_identity::StorageWatch;

/// All use cases over the configured adapters.
pub struct App {
    /// Sign-up.
    pub accounts: Accounts<Database>,
    /// Sign-in.
    pub logins: Logins<Database>,
    /// Showing that mails to the address of an account arrive.
    pub confirmations: Confirmations<Database>,
    /// Two-step sign-in.
    pub second_factors: SecondFactors<Database>,
    /// New passwords.
    pub passwords: Passwords<Database>,
    /// Signed-in browsers.
    pub sessions: Sessions<Database>,
    /// Own ideas.
    pub ideas: Ideas<Database>,
    /// Own links.
    pub shares: Shares<Database>,
    /// Other people's links.
    pub visits: Visits<Database>,
    /// The document that is open, as a file.
    pub downloads: Downloads<Database>,
    /// Comments.
    pub comments: Comments<Database>,
    /// What happened on own links.
    pub evidence: Evidence<Database>,
    /// What matters to security.
    pub audit: Audit<Database>,
    /// People who ask to be let in.
    pub waitlist: Waitlist<Database>,
    /// Invitations that people do not know of yet.
    pub announcements: Announcements<Database>,
    /// What owners are told.
    pub notifications: Notifications<Database>,
    /// The same, by mail.
    pub notice_mailer: NoticeMailer<Database>,
    /// Mails on their way.
    pub deliveries: Deliveries<Database>,
    /// How much is stored.
    pub storage: Storage<Database>,
    /// New files.
    pub uploads: Uploads<Database>,
    /// Own files, and those of disclosed ideas.
    pub files: Files<Database>,
    /// Removal of what crashes leave behind.
    pub sweeping: Sweeping<Database>,
    /// What the operator has to keep an eye on.
    pub status: Status<Database>,
    /// Remembering the time.
    pub timekeeping: Timekeeping<Database>,
    /// For uploads that are arriving.
    pub folder: Arc<FolderStorage>,
    /// Rings when a mail was queued.
    pub mail_bell: Arc<Bell>,
    /// For `/readyz`.
    pub database: Arc<Database>,
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
    pub database: Database,
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
        let sealed: Arc<dyn FileStorage> = Arc::new(sealed);
        let storage = || Arc::clone(&sealed);
        let clock = parts.clock;
        let random: Arc<dyn Random> = Arc::new(SystemRandom);
        let hasher: Arc<dyn PasswordHasher> = Arc::new(Argon2Passwords::new()?);
        let link_sealer = Arc::new(ring.sealer(Purpose::ShareTokens));
        let mail_sealer = Arc::new(ring.sealer(Purpose::Mails));
        let codes = Arc::new(KeyedCodes::new(ring.clone()));
        let links = Links::new(parts.origin).run_by(parts.operator);
        let postbox = Postbox::new(Arc::clone(&random), mail_sealer.clone(), links);
        let postbox = Arc::new(postbox);
        let sanitizer = Arc::new(AllowListSanitizer);
        // What nearly every area stands on.
        let base = || (Arc::clone(&store), Arc::clone(&clock), Arc::clone(&random));
        let (db, time, chance) = base();
        let (hash, post) = (Arc::clone(&hasher), Arc::clone(&postbox));
        let accounts = Accounts::new(db, time, chance, hash, post, parts.admission);
        let confirmation = parts.admission.confirmation;
        let (db, time, chance) = base();
        let confirmations = Confirmations::new(db, time, chance, Arc::clone(&postbox));
        let totp_sealer = Arc::new(ring.sealer(Purpose::TotpSecrets));
        let authenticator = Arc::new(Authenticator::new(totp_sealer, Arc::new(HmacTotp)));
        // What checks passwords and codes, and tells their owners of changes.
        let safety = || {
            let hasher = Arc::clone(&hasher);
            (hasher, Arc::clone(&authenticator), Arc::clone(&postbox))
        };
        let (db, time, chance) = base();
        let (hash, apps, post) = safety();
        let logins = Logins::new(db, time, chance, hash, apps, post);
        let (db, time, chance) = base();
        let (hash, apps, post) = safety();
        let second_factors = SecondFactors::new(db, time, chance, hash, apps, post, confirmation);
        let (db, time, chance) = base();
        let passwords = Passwords::new(db, time, chance, hasher, Arc::clone(&postbox));
        let (db, time, chance) = base();
        let sessions = Sessions::new(db, time, chance);
        let (db, time, chance) = base();
        let ideas = Ideas::new(db, time, chance, sanitizer, storage(), parts.quotas);
        let (db, time, chance) = base();
        let seal = Arc::clone(&link_sealer) as _;
        let notice_mailer = NoticeMailer::new(db, time, chance, seal, Arc::clone(&postbox));
        let (db, time, _) = base();
        let notifications = Notifications::new(db, time);
        let (db, time, chance) = base();
        let post = Arc::clone(&postbox);
        let shares = Shares::new(db, time, chance, link_sealer, post, confirmation);
        let (db, time, chance) = base();
        let window = parts.view_window;
        let post = Arc::clone(&postbox);
        let visits = Visits::new(db, time, chance, window, post, codes, storage());
        let (db, time, _) = base();
        let downloads = Downloads::new(db, time, storage());
        let (db, time, chance) = base();
        let comments = Comments::new(db, time, chance);
        let (db, time, _) = base();
        let audit = Audit::new(db, time);
        let (db, time, _) = base();
        let waitlist = Waitlist::new(db, time);
        let (db, time, chance) = base();
        let post = Arc::clone(&postbox);
        let announcements = Announcements::new(db, time, chance, post);
        let (db, time, _) = base();
        let deliveries = Deliveries::new(db, time, mail_sealer, parts.mailer, postbox);
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
        let sweeping = Sweeping::new(db, time, storage());
        let storage_watch = StorageWatch::new(Arc::clone(&store), Arc::clone(&folder));
        Ok(Self {
            storage_watch,
            timekeeping: Timekeeping::new(Arc::clone(&store), Arc::clone(&clock)),
            accounts,
            logins,
            confirmations,
            second_factors,
            passwords,
            sessions,
            ideas,
            shares,
            visits,
            downloads,
            comments,
            audit,
            waitlist,
            announcements,
            notifications,
            notice_mailer,
            deliveries,
            uploads,
            files,
            sweeping,
            folder,
            mail_bell,
            storage: Storage::new(Arc::clone(&store), parts.quotas),
            status: Status::new(Arc::clone(&store), Arc::clone(&clock)),
            evidence: Evidence::new(Arc::clone(&store), Arc::clone(&clock)),
            database: store,
        })
    }
}
