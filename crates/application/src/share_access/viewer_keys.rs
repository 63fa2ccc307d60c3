//! Rotation of the keys of recipients' browsers.
//!
//! Invariant: new access is granted only under a key that nobody can have known
//! before, because somebody else could have planted the previous key in the browser.
//!
//! The answer with the new key may be lost. So a page names each step with a secret of its own, and
//! the key follows from it: whoever repeats the step with the secret gets the same key again. Who
//! planted the previous key does not know the secret, and once the new key was used, the previous one
//! with the secret gains nothing either.

use ideavault_domain::Timestamp;
use ideavault_domain::idempotency::IdempotencyKey;
use ideavault_domain::ids::ViewerSessionId;
use ideavault_domain::ports::{Database, DatabaseError, PortError, Transaction};
use ideavault_domain::recipient::{Recipient, ViewerSession};
use ideavault_domain::token::Token;

use super::loaded_gate::RecipientState;
use super::{ShareAccess, ShareAccessError};
use crate::random;
use crate::viewers::live_viewer;

/// A recipient who reached another stage, and the browser's new key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageChange {
    /// The recipient's new state.
    pub state: RecipientState,
    /// The new viewer key, for the browser's cookie; `None` when nothing changed.
    pub new_viewer_key: Option<Token>,
}

/// The key under which a browser goes on after a step.
pub(super) enum NextKey {
    /// A new one, with its session, which is not stored yet.
    New(ViewerSession, Token),
    /// The one that the browser was given for the same step before.
    Given(Token),
}

impl NextKey {
    /// Returns the key that identifies the caller: the one that was given for this step before, or
    /// the one that was sent.
    pub(super) fn or_sent<'k>(&'k self, viewer: Option<&'k Token>) -> Option<&'k Token> {
        match self {
            Self::New(..) => viewer,
            Self::Given(key) => Some(key),
        }
    }
}

impl<S: Database> ShareAccess<S> {
    /// Returns the key that a step gives to a browser, if the page named its request; `step` says
    /// everything that the request asks for.
    pub(super) fn key_of(
        &self,
        request: Option<&IdempotencyKey>,
        step: &[&str],
    ) -> Result<Option<Token>, PortError> {
        let Some(request) = request else {
            return Ok(None);
        };
        let mut parts = vec![request.as_bytes()];
        parts.extend(step.iter().map(|part| part.as_bytes()));
        Ok(Some(Token::from_random(self.requests.hash(&parts)?)))
    }

    /// Returns the key that a step gives to the browser that sent `viewer`: the `named` one unless
    /// somebody has it, and to the browser that has it.
    pub(super) fn next_key(
        &self,
        tx: &mut dyn Transaction,
        named: Option<&Token>,
        viewer: Option<&Token>,
        now: Timestamp,
    ) -> Result<NextKey, ShareAccessError> {
        let random = self.deps.random.as_ref();
        let mut key = Token::from_random(random::bytes(random)?);
        if let Some(named) = named {
            if tx.recipients().browser_of(&named.hash())?.is_none() {
                key = named.clone();
            } else if was_given(tx, named, viewer, now)? {
                return Ok(NextKey::Given(named.clone()));
            }
        }
        let id = ViewerSessionId::from_random(random::bytes(random)?);
        let session = ViewerSession {
            id,
            key_hash: key.hash(),
            created_at: now,
            replaces: None,
            browser: id,
        };
        Ok(NextKey::New(session, key))
    }
}

/// Tries to take a step. Where the registration is not found, the same request may have moved it
/// between two statements: then a second try finds that.
pub(super) fn or_repeated<T>(
    named: Option<&Token>,
    take: impl Fn() -> Result<T, ShareAccessError>,
) -> Result<T, ShareAccessError> {
    match take() {
        Err(ShareAccessError::NotFound) if named.is_some() => take(),
        taken => taken,
    }
}

/// Returns whether the browser that sent `viewer` was given `key`: it has it, or still has the one
/// that `key` replaces when it is first used, or had none.
fn was_given(
    tx: &mut dyn Transaction,
    key: &Token,
    viewer: Option<&Token>,
    now: Timestamp,
) -> Result<bool, DatabaseError> {
    let Some(given) = live_viewer(tx, Some(key), now)? else {
        return Ok(false);
    };
    let Some(viewer) = viewer else {
        return Ok(given.browser == given.id);
    };
    if viewer.hash() == given.key_hash {
        return Ok(true);
    }
    Ok(match live_viewer(tx, Some(viewer), now)? {
        Some(former) => given.replaces == Some(former.id),
        None => given.browser == given.id && tx.recipients().browser_of(&viewer.hash())?.is_none(),
    })
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
    next: NextKey,
) -> Result<Token, ShareAccessError> {
    // Given before, it has moved the registration already.
    let NextKey::New(fresh, key) = next else {
        return Err(ShareAccessError::NotFound);
    };
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
