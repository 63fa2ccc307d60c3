//! Which registrations the activity lists, and which it only counts; see
//! `docs/rules.md#activity`.

use diesel::prelude::{ExpressionMethods, QueryDsl, RunQueryDsl};

use ideavault_domain::activity::LISTED_IDLE_REGISTRATIONS;

use super::Connection;
use super::schema::recipients;
use crate::error::QueryResult;

/// Listed, although not confirmed, agreed or declined yet.
pub(super) const OPEN: &str = "open";
/// Only counted.
pub(super) const FOLDED: &str = "folded";
/// Confirmed, agreed or declined: always listed.
pub(super) const ADVANCED: &str = "advanced";

/// Returns how a new, unconfirmed registration on a link begins. Of two at the same time,
/// both may be listed as the last one.
pub(super) fn of_new(connection: &mut Connection, share: &str) -> QueryResult<&'static str> {
    let open: Vec<i64> = recipients::table
        .filter(recipients::share_id.eq(share))
        .filter(recipients::folding.eq(OPEN))
        .select(recipients::seq)
        .limit(LISTED_IDLE_REGISTRATIONS)
        .load(connection)?;
    let is_full = i64::try_from(open.len()).is_ok_and(|open| open >= LISTED_IDLE_REGISTRATIONS);
    Ok(if is_full { FOLDED } else { OPEN })
}

/// Marks a registration as always listed.
pub(super) fn advance(connection: &mut Connection, recipient: &str) -> QueryResult<()> {
    let behind = recipients::table
        .find(recipient)
        .filter(recipients::folding.ne(ADVANCED));
    diesel::update(behind)
        .set(recipients::folding.eq(ADVANCED))
        .execute(connection)?;
    Ok(())
}
