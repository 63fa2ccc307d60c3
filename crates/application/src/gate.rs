//! What the gate says of everything that one browser has registered on.

use ideavault_domain::Timestamp;
use ideavault_domain::ports::{Registration, Session, Store, StoreError};
use ideavault_domain::token::Token;
use ideavault_domain::visit::{Access, Visit};

use crate::ideas::idea_exists;
use crate::visits::live_viewer;

/// Lets a browser's newest key take over from the one before, when it is used for the
/// first time. Until then the former key keeps what it had, and nothing newer: an
/// answer that never arrives costs nobody what they could read.
///
/// # Errors
/// [`StoreError`].
pub(crate) fn settle(
    store: &impl Store,
    key: Option<&Token>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(key) = key else {
        return Ok(());
    };
    let viewer = store.read(|session| session.viewer_session(&key.hash()))?;
    match viewer.filter(|viewer| viewer.replaces.is_some()) {
        Some(viewer) => store.write(|session| session.take_over(&viewer, now)),
        None => Ok(()),
    }
}

/// The open registrations of a browser, newest first, each with what it may
/// have `now`; none when no browser is known.
pub(crate) fn open_registrations(
    session: &mut dyn Session,
    viewer: Option<&Token>,
    now: Timestamp,
) -> Result<Option<Vec<(Registration, Access)>>, StoreError> {
    let Some(viewer) = live_viewer(session, viewer, now)? else {
        return Ok(None);
    };
    let mut found = Vec::new();
    for registration in session.registrations_of(viewer.id)? {
        let idea_exists = idea_exists(session, registration.share.idea)?;
        let visit = Visit {
            share: registration.share.clone(),
            idea_exists,
            guest: Some(registration.guest.clone()),
        };
        let access = visit.access(now);
        found.push((registration, access));
    }
    Ok(Some(found))
}
