//! What the gate says of everything that one browser has registered on.

use ideavault_domain::Timestamp;
use ideavault_domain::ports::{Registration, Session, StoreError};
use ideavault_domain::token::Token;
use ideavault_domain::visit::{Access, Visit};

use crate::ideas::idea_exists;
use crate::visits::live_viewer;

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
