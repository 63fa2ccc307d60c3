//! Counted views: the one place where a view begins.

use ideavault_domain::evidence::Event;
use ideavault_domain::idea::DisclosedIdea;
use ideavault_domain::ports::{DatabaseError, Transaction};
use ideavault_domain::recipient::ViewGrant;

use crate::notifications::add_view_notices;
use crate::recording::put_on_record;

/// Counts a view and records it, with its notices. Returns `false` and records nothing
/// when no view is left.
pub(crate) fn begin_view(
    tx: &mut dyn Transaction,
    idea: &DisclosedIdea,
    grant: &ViewGrant,
    is_first: bool,
) -> Result<bool, DatabaseError> {
    if !tx.shares().claim_view(grant)? {
        return Ok(false);
    }
    add_view_notices(tx, grant, is_first)?;
    put_on_record(tx, idea, grant.granted_at)?;
    let event = Event::view_started(idea.idea.id, grant);
    tx.evidence_log().append_event(&event)?;
    Ok(true)
}
