//! The wiring: which adapter stands behind which port.

use std::sync::Arc;

use ideavault_application::accounts::Accounts;
use ideavault_application::comments::Comments;
use ideavault_application::evidence::Evidence;
use ideavault_application::ideas::Ideas;
use ideavault_application::sessions::Sessions;
use ideavault_application::shares::Shares;
use ideavault_application::visits::Visits;
use ideavault_content::AllowListSanitizer;
use ideavault_crypto::{Argon2Passwords, KeyError, KeyedSealer, MasterKey, SystemRandom};
use ideavault_db::Database;
use ideavault_domain::ports::{Clock, PortError, Random};
use thiserror::Error;

/// All use cases over the configured adapters.
pub struct App {
    /// Sign-up and sign-in.
    pub accounts: Accounts<Database>,
    /// Signed-in browsers.
    pub sessions: Sessions<Database>,
    /// Own ideas.
    pub ideas: Ideas<Database>,
    /// Own links.
    pub shares: Shares<Database>,
    /// Other people's links.
    pub visits: Visits<Database>,
    /// Comments.
    pub comments: Comments<Database>,
    /// What happened on own links.
    pub evidence: Evidence<Database>,
    /// For `/readyz`.
    pub database: Arc<Database>,
}

/// Why the parts do not fit together.
#[derive(Debug, Error)]
pub enum WiringError {
    /// The password hasher does not work.
    #[error(transparent)]
    Passwords(#[from] PortError),
    /// A key cannot be derived.
    #[error(transparent)]
    Key(#[from] KeyError),
}

impl App {
    /// Wires everything.
    ///
    /// # Errors
    /// [`WiringError`].
    pub fn new(
        database: Database,
        master_key: &MasterKey,
        clock: Arc<dyn Clock>,
        view_window: chrono::Duration,
    ) -> Result<Self, WiringError> {
        let store = Arc::new(database);
        let random: Arc<dyn Random> = Arc::new(SystemRandom);
        let passwords = Arc::new(Argon2Passwords::new()?);
        let sealer = Arc::new(KeyedSealer::new(master_key.derive("share tokens")?));
        let sanitizer = Arc::new(AllowListSanitizer::default());
        // What nearly every area stands on.
        let base = || (Arc::clone(&store), Arc::clone(&clock), Arc::clone(&random));
        let (db, time, chance) = base();
        let accounts = Accounts::new(db, time, chance, passwords);
        let (db, time, chance) = base();
        let sessions = Sessions::new(db, time, chance);
        let (db, time, chance) = base();
        let ideas = Ideas::new(db, time, chance, sanitizer);
        let (db, time, chance) = base();
        let shares = Shares::new(db, time, chance, sealer);
        let (db, time, chance) = base();
        let visits = Visits::new(db, time, chance, view_window);
        let (db, time, chance) = base();
        let comments = Comments::new(db, time, chance);
        Ok(Self {
            accounts,
            sessions,
            ideas,
            shares,
            visits,
            comments,
            evidence: Evidence::new(Arc::clone(&store)),
            database: store,
        })
    }
}
