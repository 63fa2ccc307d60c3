//! The application for unit tests.

use std::path::Path;
use std::sync::Arc;

use ideavault_application::accounts::Admission;
use ideavault_crypto::KeyRing;
use ideavault_domain::operator::Operator;
use ideavault_domain::ports::Mailer;

use crate::app::{App, Parts};
use crate::config::DataOptions;
use crate::data::{self, Opened};
use crate::http::blocking::Executor;
use crate::platform::SystemClock;

/// Options for SQLite and files, all inside `folder`.
pub(crate) fn options(folder: &Path) -> DataOptions {
    DataOptions {
        data_dir: folder.to_owned(),
        database_url: None,
        secret_key: None,
    }
}

/// Builds an application without a server, on a new SQLite database.
pub(crate) fn use_cases(folder: &Path, mailer: Arc<dyn Mailer>) -> (Executor, KeyRing) {
    let Opened { database, ring, .. } = data::open_or_create(&options(folder)).unwrap();
    let app = App::new(Parts {
        database,
        folder: data::files_of(folder).unwrap(),
        ring: &ring,
        clock: Arc::new(SystemClock),
        mailer,
        origin: "http://vault.test",
        operator: Operator::default(),
        admission: Admission::default(),
        view_window: chrono::Duration::minutes(30),
        quotas: Default::default(),
    });
    (Executor::new(app.unwrap()), ring)
}
