//! A recipient's way through the gate: look up, register, accept the NDA, read,
//! close.

mod acceptance;
mod confirmation;
mod downloads;
mod error;
mod leaving;
mod loaded_gate;
mod lookup;
mod preview;
mod registration;
mod viewer_keys;

use std::sync::Arc;

use chrono::Duration;
use ideavault_domain::ids::{IdeaId, RecipientId};
use ideavault_domain::ports::{BlobStore, CodeHasher, Database, GateAddress, RequestHasher};
use ideavault_domain::token::Token;

pub(crate) use self::downloads::own_page;
pub use self::downloads::{Download, DownloadError, Downloads};
pub use self::error::ShareAccessError;
use self::loaded_gate::find_gate;
pub use self::loaded_gate::{PendingCode, RecipientState, ShareReference, ShareView, Stage};
pub use self::preview::SharePreview;
pub use self::registration::{Registration, RegistrationForm};
pub use self::viewer_keys::StageChange;
use crate::deps::Deps;
use crate::email_composer::EmailComposer;
use crate::viewers::activate_new_key;

/// Access to shared ideas.
pub struct ShareAccess<S> {
    deps: Deps<S>,
    view_window: Duration,
    email_composer: Arc<EmailComposer>,
    codes: Arc<dyn CodeHasher>,
    requests: Arc<dyn RequestHasher>,
    storage: Arc<dyn BlobStore>,
}

/// Hashes with keys that are not in the database.
#[derive(Clone)]
pub struct Hashers {
    /// Those of mailed codes.
    pub codes: Arc<dyn CodeHasher>,
    /// Those of requests that may be repeated.
    pub requests: Arc<dyn RequestHasher>,
}

/// A reader who may have a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BundleHolder {
    /// The idea.
    pub idea: IdeaId,
    /// The reader.
    pub recipient: RecipientId,
    /// Whether the bundle may hold the content: while a view is active, on a link that
    /// allows downloads.
    pub may_have_content: bool,
}

impl<S: Database> ShareAccess<S> {
    /// Creates the service from its dependencies. A counted view lasts `view_window`.
    pub fn new(
        deps: Deps<S>,
        view_window: Duration,
        email_composer: Arc<EmailComposer>,
        Hashers { codes, requests }: Hashers,
        storage: Arc<dyn BlobStore>,
    ) -> Self {
        Self {
            deps,
            view_window,
            email_composer,
            codes,
            requests,
            storage,
        }
    }

    /// Returns whose bundle a browser may have on a link, if it accepted the agreement and may
    /// view. Counts no view.
    ///
    /// # Errors
    /// [`ShareAccessError::NotFound`] when that browser has no access;
    /// [`ShareAccessError::NotAgreed`].
    pub fn bundle_holder(
        &self,
        token: &Token,
        viewer: Option<&Token>,
    ) -> Result<BundleHolder, ShareAccessError> {
        let now = self.deps.clock.now();
        activate_new_key(self.deps.database.as_ref(), viewer, now)?;
        self.deps.database.read(|tx| {
            let gate = find_gate(tx, GateAddress::Token(token.hash()), viewer, false, now)?;
            let view = gate.context.require_view(now)?;
            Ok(BundleHolder {
                idea: gate.disclosed.idea.id,
                recipient: view.reader.recipient.id,
                may_have_content: view.active.is_some()
                    && gate.context.share.settings.allow_download,
            })
        })
    }
}
