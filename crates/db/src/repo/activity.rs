//! The activity on an idea's shares. Triggers record the position of each step in the
//! list; the details are read from the evidence itself.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use diesel::prelude::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, NullableExpressionMethods, QueryDsl,
    Queryable, RunQueryDsl, Selectable, SelectableHelper,
};

use ideavault_domain::Timestamp;
use ideavault_domain::activity::{Activity, ActivityEvent};
use ideavault_domain::ids::{IdeaId, RecipientId};
use ideavault_domain::page::{Cursor, Page, Paging};
use ideavault_domain::ports::Vault;
use ideavault_domain::recipient::{Erasure, Recipient};
use ideavault_domain::share::ShareTerms;

use super::Connection;
use super::rows::{AcceptanceRow, GrantRow, RecipientRow, share_name};
use super::schema::{activity_entries, nda_acceptances, recipients, shares, view_grants};
use super::seals::{Seal, evidence_seal};
use crate::error::QueryResult;
use crate::stored::{self, Time};

/// The order of a recipient's steps; the migrations use the same numbers.
const REGISTERED: i32 = 0;
const AGREED: i32 = 1;
const VIEWED: i32 = 2;
const CLOSED: i32 = 3;
const DOWNLOADED: i32 = 5;
const DECLINED: i32 = 4;

#[derive(Queryable, Selectable)]
#[diesel(table_name = activity_entries)]
struct EntryRow {
    idea_id: i64,
    at: Time,
    step: i32,
    seq: i64,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = shares)]
struct LinkRow {
    id: String,
    share_type: String,
    expires_at: Option<Time>,
    max_views: Option<i32>,
    name: Option<Vec<u8>>,
}

type ActivityRow = (
    EntryRow,
    RecipientRow,
    LinkRow,
    Option<AcceptanceRow>,
    Option<GrantRow>,
);

/// The recipients on one page, by id: each has several entries, and decrypting its
/// details is the most expensive part of an entry.
type Recipients = HashMap<String, Recipient>;

/// Lists the activity of an idea, newest first.
pub(super) fn activity_of(
    connection: &mut Connection,
    vault: &dyn Vault,
    idea: IdeaId,
    paging: Paging,
) -> QueryResult<Page<Activity>> {
    let seal = evidence_seal(connection, vault, idea.as_i64())?;
    let after = paging.after.unwrap_or(Cursor::NEWEST);
    let is_earlier_step = activity_entries::step
        .lt(after.step)
        .or(activity_entries::step
            .eq(after.step)
            .and(activity_entries::seq.lt(after.row)));
    let grant_id = activity_entries::view_grant_id;
    let acceptance_of = nda_acceptances::recipient_id.eq(recipients::id);
    let rows = activity_entries::table
        .inner_join(recipients::table.on(recipients::id.eq(activity_entries::recipient_id)))
        .inner_join(shares::table.on(shares::id.eq(recipients::share_id)))
        .left_join(nda_acceptances::table.on(acceptance_of))
        .left_join(view_grants::table.on(view_grants::id.nullable().eq(grant_id)))
        .filter(activity_entries::idea_id.eq(idea.as_i64()))
        // Only this condition lets the database seek in the index.
        .filter(activity_entries::at.le(after.at))
        .filter(activity_entries::at.lt(after.at).or(is_earlier_step))
        .order((
            activity_entries::at.desc(),
            activity_entries::step.desc(),
            activity_entries::seq.desc(),
        ))
        .limit(paging.size.rows_to_read())
        .select((
            EntryRow::as_select(),
            RecipientRow::as_select(),
            LinkRow::as_select(),
            Option::<AcceptanceRow>::as_select(),
            Option::<GrantRow>::as_select(),
        ))
        .load::<ActivityRow>(connection)?;
    let mut recipients = Recipients::new();
    let rows = rows
        .into_iter()
        .map(|row| into_activity(row, &seal, &mut recipients))
        .collect::<QueryResult<_>>()?;
    Ok(Page::new(rows, paging.size))
}

/// Records that a recipient downloaded the document. Two downloads in the same microsecond
/// count as one.
pub(super) fn add_download(
    connection: &mut Connection,
    recipient: RecipientId,
    at: Timestamp,
) -> QueryResult<()> {
    add_entry(connection, recipient, DOWNLOADED, at)
}

/// Records that a recipient declined after closing; otherwise a trigger does.
pub(super) fn add_decline(
    connection: &mut Connection,
    recipient: RecipientId,
    at: Timestamp,
) -> QueryResult<()> {
    add_entry(connection, recipient, DECLINED, at)
}

fn add_entry(
    connection: &mut Connection,
    recipient: RecipientId,
    step: i32,
    at: Timestamp,
) -> QueryResult<()> {
    let id = recipient.to_string();
    let (idea, seq): (i64, i64) = recipients::table
        .inner_join(shares::table.on(shares::id.eq(recipients::share_id)))
        .filter(recipients::id.eq(&id))
        .select((shares::idea_id, recipients::seq))
        .first(connection)?;
    diesel::insert_into(activity_entries::table)
        .values((
            activity_entries::idea_id.eq(idea),
            activity_entries::at.eq(at),
            activity_entries::step.eq(step),
            activity_entries::seq.eq(seq),
            activity_entries::recipient_id.eq(id),
        ))
        .on_conflict_do_nothing()
        .execute(connection)?;
    Ok(())
}

fn into_activity(
    row: ActivityRow,
    seal: &Seal<'_>,
    recipients: &mut Recipients,
) -> QueryResult<(Cursor, Activity)> {
    let (entry, recipient, link, acceptance, grant) = row;
    let cursor = Cursor {
        at: entry.at.into(),
        step: entry.step,
        row: entry.seq,
    };
    let recipient = match recipients.entry(recipient.id.clone()) {
        Entry::Occupied(opened) => opened.into_mut(),
        Entry::Vacant(new) => new.insert(recipient.into_recipient(seal, entry.idea_id)?),
    };
    // Whom it admits does not matter for the end of a view.
    let terms = ShareTerms {
        share_type: stored::share_type(&link.share_type)?,
        expires_at: link.expires_at.map(Into::into),
        max_views: link.max_views,
        recipient_email: None,
    };
    let activity = Activity {
        at: cursor.at,
        share: recipient.share,
        share_type: terms.share_type,
        share_name: link
            .name
            .map(|sealed| share_name(seal, &link.id, &sealed))
            .transpose()?,
        recipient: recipient.id,
        name: recipient.name.clone(),
        email: recipient.email.clone(),
        phone: recipient.phone.clone(),
        identity: recipient.identity,
        erased: recipient.erasure.is_of_person(),
        event: event(
            entry.step,
            recipient.erasure,
            acceptance,
            grant,
            &terms,
            seal,
        )?,
    };
    Ok((cursor, activity))
}

fn event(
    step: i32,
    erasure: Erasure,
    acceptance: Option<AcceptanceRow>,
    grant: Option<GrantRow>,
    terms: &ShareTerms,
    seal: &Seal<'_>,
) -> QueryResult<ActivityEvent> {
    match (step, acceptance, grant) {
        (REGISTERED, ..) => Ok(ActivityEvent::Registered),
        (AGREED, Some(row), _) => {
            let acceptance = row.into_acceptance(seal)?;
            Ok(ActivityEvent::Agreed {
                nda_version: acceptance.nda_version,
                nda_sha256: Some(acceptance.nda_sha256)
                    .filter(|_| !erasure.is_of_person() || !erasure.agreement),
                revision_sha256: acceptance.revision_sha256,
                identity: acceptance.identity,
                origin: Some(acceptance.origin).filter(|_| !erasure.is_of_person()),
            })
        }
        (VIEWED, _, Some(row)) => {
            let grant = row.into_grant(seal)?;
            Ok(ActivityEvent::Viewed {
                revision_sha256: grant.revision_sha256,
                ends_at: terms.view_end(grant.ends_at),
            })
        }
        (CLOSED, ..) => Ok(ActivityEvent::Closed),
        (DOWNLOADED, ..) => Ok(ActivityEvent::Downloaded),
        (DECLINED, ..) => Ok(ActivityEvent::Declined),
        _ => stored::required("step of a recipient", None),
    }
}
