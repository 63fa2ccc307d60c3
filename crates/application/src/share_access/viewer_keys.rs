//! Rotation of the keys of recipients' browsers.
//!
//! Invariant: new access is granted only under a key that nobody can have known
//! before, because somebody else could have planted the previous key in the browser.

use ideavault_domain::Timestamp;
use ideavault_domain::ids::ViewerSessionId;
use ideavault_domain::ports::{Database, DatabaseError, PortError, Transaction};
use ideavault_domain::recipient::{Recipient, ViewerSession};
use ideavault_domain::token::Token;

use super::loaded_gate::RecipientState;
use super::{ShareAccess, ShareAccessError};
use crate::random;

/// A recipient who reached another stage, and the browser's new key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageChange {
    /// The recipient's new state.
    pub state: RecipientState,
    /// The new viewer key, for the browser's cookie; `None` when nothing changed.
    pub new_viewer_key: Option<Token>,
}

impl<S: Database> ShareAccess<S> {
    pub(super) fn fresh_viewer(&self, now: Timestamp) -> Result<(ViewerSession, Token), PortError> {
        let key = Token::from_random(random::bytes(self.deps.random.as_ref())?);
        let id = ViewerSessionId::from_random(random::bytes(self.deps.random.as_ref())?);
        let session = ViewerSession {
            id,
            key_hash: key.hash(),
            created_at: now,
            replaces: None,
            browser: id,
        };
        Ok((session, key))
    }
}

/// Returns `fresh` as a session of the browser that sent `viewer`, even if another key
/// has replaced that one: of requests sent at once, all but the first come too late.
/// Knowing somebody else's key gains nothing, because a browser's sessions only share the
/// limit on its views.
pub(super) fn of_browser(
    tx: &mut dyn Transaction,
    fresh: ViewerSession,
    viewer: Option<&Token>,
) -> Result<ViewerSession, DatabaseError> {
    let browser = match viewer {
        Some(key) => tx.recipients().browser_of(&key.hash())?,
        None => None,
    };
    Ok(ViewerSession {
        browser: browser.unwrap_or(fresh.id),
        ..fresh
    })
}

/// Moves an open registration to a new viewer session of its own; the browser's other
/// registrations follow when the new key is first used.
pub(super) fn move_to(
    tx: &mut dyn Transaction,
    recipient: &mut Recipient,
    viewer: Option<&Token>,
    (fresh, key): (ViewerSession, Token),
) -> Result<Token, ShareAccessError> {
    let former = recipient.viewer_session;
    let mut fresh = of_browser(tx, fresh, viewer)?;
    fresh.replaces = Some(former);
    tx.recipients().add_viewer_session(&fresh)?;
    if !tx
        .recipients()
        .move_recipient(recipient.id, former, fresh.id)?
    {
        return Err(ShareAccessError::NotFound);
    }
    recipient.viewer_session = fresh.id;
    Ok(key)
}
