//! The preview of a link before registration.

use ideavault_domain::gate::Refusal;
use ideavault_domain::ports::{Database, GateAddress};
use ideavault_domain::share::ShareType;
use ideavault_domain::text::{PersonName, Title};
use ideavault_domain::token::Token;

use super::loaded_gate::find_gate;
use super::{ShareAccess, ShareAccessError};

/// The preview of a link for a browser without a registration. Contains as much as the stage
/// `collect` does (`docs/rules.md#share-stages`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharePreview {
    /// Title that the idea has before the agreement.
    pub title: Title,
    /// The sharer's name.
    pub sharer: PersonName,
    /// Whether the reader's address will have to be confirmed with a code.
    pub needs_code: bool,
}

impl<S: Database> ShareAccess<S> {
    /// Returns what a link tells a browser that has no viewer key. Counts and records nothing.
    ///
    /// # Errors
    /// [`ShareAccessError::NotFound`] for a link that lets nobody new in.
    pub fn preview(&self, token: &Token) -> Result<SharePreview, ShareAccessError> {
        let now = self.deps.clock.now();
        let database = &self.deps.database;
        let gate = database
            .read(|tx| find_gate(tx, GateAddress::Token(token.hash()), None, false, now))?;
        match gate.context.require_view(now) {
            Err(Refusal::Unregistered) => Ok(SharePreview {
                title: gate
                    .context
                    .share
                    .title_before_agreement(&gate.disclosed.idea.title)
                    .clone(),
                sharer: gate.disclosed.sharer,
                needs_code: gate.context.share.terms.share_type() == ShareType::Email,
            }),
            Ok(_)
            | Err(Refusal::Ended | Refusal::UsedUp | Refusal::Unconfirmed | Refusal::NotAgreed) => {
                Err(ShareAccessError::NotFound)
            }
        }
    }
}
