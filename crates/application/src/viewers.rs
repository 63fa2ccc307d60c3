//! The access of one browser to everything that it has registered on.

use ideavault_domain::Timestamp;
use ideavault_domain::gate::GateContext;
use ideavault_domain::ports::{Database, DatabaseError, Transaction};
use ideavault_domain::recipient::ViewerSession;
use ideavault_domain::token::Token;

/// Lets a browser's new key replace the previous one when it is first used. Until
/// then the previous key keeps its old access and gains none, so that a lost response
/// costs nobody what they could read.
pub(crate) fn activate_new_key(
    database: &impl Database,
    key: Option<&Token>,
    now: Timestamp,
) -> Result<(), DatabaseError> {
    let Some(key) = key else {
        return Ok(());
    };
    let viewer = database.read_one(|tx| tx.recipients().viewer_session(&key.hash()))?;
    match viewer.filter(|viewer| viewer.replaces.is_some()) {
        Some(viewer) => database.write(|tx| tx.recipients().replace_viewer_session(&viewer, now)),
        None => Ok(()),
    }
}

/// Returns the open registrations of a browser, newest first; `None` when the browser is unknown.
pub(crate) fn open_registrations(
    tx: &mut dyn Transaction,
    viewer: Option<&Token>,
    now: Timestamp,
) -> Result<Option<Vec<GateContext>>, DatabaseError> {
    let browser = match viewer {
        Some(key) => tx.recipients().browser_registrations(&key.hash(), now)?,
        None => None,
    };
    let browser = browser.filter(|browser| browser.viewer.is_live(now));
    Ok(browser.map(|browser| browser.open))
}

/// Returns the viewer session with that key, unless it has expired.
pub(crate) fn live_viewer(
    tx: &mut dyn Transaction,
    key: Option<&Token>,
    now: Timestamp,
) -> Result<Option<ViewerSession>, DatabaseError> {
    match key {
        Some(key) => Ok(tx
            .recipients()
            .viewer_session(&key.hash())?
            .filter(|viewer| viewer.is_live(now))),
        None => Ok(None),
    }
}
