//! The use cases for unit tests.

use std::path::Path;
use std::sync::Arc;

use ideavault_application::accounts::Admission;
use ideavault_crypto::{HashingCost, KeyRing};
use ideavault_documents::PdfDocuments;
use ideavault_domain::file::PDF_LIMIT_DEFAULT;
use ideavault_domain::operator::Operator;
use ideavault_domain::ports::Mailer;
use ideavault_files::CheckpointFile;

use crate::config::{DataOptions, StorageOptions};
use crate::data::{self, OpenVault};
use crate::jobs::QueueWaker;
use crate::platform::SystemClock;
use crate::wiring::{Adapters, Services};

/// Options for SQLite and files, all inside `folder`.
pub(crate) fn options(folder: &Path) -> DataOptions {
    DataOptions {
        data_dir: folder.to_owned(),
        database_url: None,
        database_url_file: None,
        secret_key: None,
        secret_key_file: None,
        storage: StorageOptions::default(),
    }
}

/// Builds all use cases on a new SQLite database, which calls `waker`.
pub(crate) fn wired(
    folder: &Path,
    mailer: Arc<dyn Mailer>,
    waker: &Arc<QueueWaker>,
) -> (Services, KeyRing) {
    let OpenVault { database, ring, .. } = data::open_or_create(&options(folder)).unwrap();
    let wired = Services::new(Adapters {
        database: database.with_commit_hook(Arc::clone(waker) as _),
        blobs: data::files_of(&options(folder)).unwrap(),
        scratch: data::scratch_of(folder).unwrap(),
        ring: &ring,
        clock: Arc::new(SystemClock),
        mailer,
        origin: "http://vault.test",
        host: "vault.test".into(),
        known_checkpoint: Arc::new(CheckpointFile::new(folder)),
        public_log: false,
        documents: Arc::new(PdfDocuments::default()),
        outsiders: Vec::new(),
        blocks: None,
        operator: Operator::default(),
        admission: Admission::default(),
        hashing_cost: HashingCost::default(),
        view_window: chrono::Duration::minutes(30),
        quotas: Default::default(),
        pdf_limit: PDF_LIMIT_DEFAULT,
        audit_retention: Default::default(),
        rate_limit_scale: 0.0,
    });
    (wired.unwrap(), ring)
}
