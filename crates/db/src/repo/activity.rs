//! The activity on an idea's links, as the log of events has it. Names and further details
//! are those of the rows that the events record.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use diesel::prelude::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, NullableExpressionMethods, QueryDsl,
    Queryable, RunQueryDsl, Selectable, SelectableHelper,
};
use serde::Deserialize;

use ideavault_domain::activity::{Activity, ActivityEvent};
use ideavault_domain::evidence::EventKind;
use ideavault_domain::ids::IdeaId;
use ideavault_domain::page::{Cursor, Page, Paging};
use ideavault_domain::ports::Encryption;
use ideavault_domain::recipient::{Erasure, Recipient};
use ideavault_domain::share::view_end;

use super::Connection;
use super::cipher::{Cipher, evidence_cipher};
use super::damage::Readable;
use super::folding::FOLDED;
use super::rows::{AcceptanceRow, GrantRow, RecipientRow, share_name};
use super::schema::{evidence_events, nda_acceptances, recipients, shares, view_grants};
use crate::error::QueryResult;
use crate::stored::{self, Time};

#[derive(Queryable, Selectable)]
#[diesel(table_name = evidence_events)]
struct EntryRow {
    seq: i64,
    kind: String,
    at: Time,
    body: String,
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

/// What an event has about the view in which it happened.
#[derive(Deserialize)]
struct InView {
    view: Option<String>,
}

type ActivityRow = (EntryRow, RecipientRow, LinkRow, Option<AcceptanceRow>);

/// The recipients on one page, by id: each has several entries, and decrypting its
/// details is the most expensive part of an entry.
type Recipients = HashMap<String, Recipient>;

/// Lists the activity of an idea, newest first.
pub(super) fn activity_of(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    readable: &Readable<'_>,
    idea: IdeaId,
    paging: Paging,
) -> QueryResult<Page<Activity>> {
    let cipher = evidence_cipher(connection, encryption, idea.as_i64())?;
    let after = paging.after.unwrap_or(Cursor::NEWEST);
    let is_listed = evidence_events::kind
        .ne(EventKind::AgreementOffered.as_str())
        .or(recipients::folding.ne(FOLDED));
    let rows = evidence_events::table
        .inner_join(
            recipients::table.on(recipients::id.nullable().eq(evidence_events::recipient_id)),
        )
        .inner_join(shares::table.on(shares::id.eq(recipients::share_id)))
        .left_join(nda_acceptances::table.on(nda_acceptances::recipient_id.eq(recipients::id)))
        .filter(evidence_events::idea_id.eq(idea.as_i64()))
        .filter(evidence_events::in_activity.eq(true))
        .filter(is_listed)
        // Only this condition lets the database seek in the index.
        .filter(evidence_events::at.le(after.at))
        .filter(
            evidence_events::at
                .lt(after.at)
                .or(evidence_events::seq.lt(after.row)),
        )
        .order((evidence_events::at.desc(), evidence_events::seq.desc()))
        .limit(paging.size.rows_to_read())
        .select((
            EntryRow::as_select(),
            RecipientRow::as_select(),
            LinkRow::as_select(),
            Option::<AcceptanceRow>::as_select(),
        ))
        .load::<ActivityRow>(connection)?;
    let mut grants = grants_of(connection, &rows)?;
    let mut recipients = Recipients::new();
    let rows = rows.into_iter().map(|row| {
        let cursor = Cursor {
            at: row.0.at.into(),
            step: 0,
            row: row.0.seq,
        };
        let id = row.0.seq.to_string();
        let grant = view_of(&row.0).map(|view| view.and_then(|view| grants.remove(&view)));
        let read =
            grant.and_then(|grant| into_activity(row, grant, idea, &cipher, &mut recipients));
        (cursor, id, read)
    });
    readable.page(connection, "event of the activity", rows, paging.size)
}

/// Returns the view that an event began.
fn view_of(entry: &EntryRow) -> QueryResult<Option<String>> {
    if entry.kind != EventKind::ViewStarted.as_str() {
        return Ok(None);
    }
    let body: Option<InView> = serde_json::from_str(&entry.body).ok();
    stored::required("body of an event", body).map(|body| body.view)
}

/// Returns the views that events on a page began, by their ids.
fn grants_of(
    connection: &mut Connection,
    rows: &[ActivityRow],
) -> QueryResult<HashMap<String, GrantRow>> {
    let mut views = Vec::new();
    for row in rows {
        views.extend(view_of(&row.0)?);
    }
    let grants: Vec<GrantRow> = view_grants::table
        .filter(view_grants::id.eq_any(views))
        .select(GrantRow::as_select())
        .load(connection)?;
    Ok(grants
        .into_iter()
        .map(|grant| (grant.id.clone(), grant))
        .collect())
}

fn into_activity(
    row: ActivityRow,
    grant: Option<GrantRow>,
    idea: IdeaId,
    cipher: &Cipher<'_>,
    recipients: &mut Recipients,
) -> QueryResult<Activity> {
    let (entry, recipient, link, acceptance) = row;
    let recipient = match recipients.entry(recipient.id.clone()) {
        Entry::Occupied(opened) => opened.into_mut(),
        Entry::Vacant(new) => new.insert(recipient.into_recipient(cipher, idea.as_i64())?),
    };
    Ok(Activity {
        at: entry.at.into(),
        share: recipient.share,
        share_type: stored::share_type(&link.share_type)?,
        share_name: link
            .name
            .as_ref()
            .map(|sealed| share_name(cipher, &link.id, sealed))
            .transpose()?,
        recipient: recipient.id,
        name: recipient.name.clone(),
        email: recipient.email.clone(),
        phone: recipient.phone.clone(),
        identity: recipient.identity,
        erased: recipient.erasure.is_of_person(),
        event: event(
            stored::parsed("kind of event", &entry.kind)?,
            recipient.erasure,
            acceptance,
            grant,
            &link,
            cipher,
        )?,
    })
}

fn event(
    kind: EventKind,
    erasure: Erasure,
    acceptance: Option<AcceptanceRow>,
    grant: Option<GrantRow>,
    link: &LinkRow,
    cipher: &Cipher<'_>,
) -> QueryResult<ActivityEvent> {
    match (kind, acceptance, grant) {
        (EventKind::AgreementOffered, ..) => Ok(ActivityEvent::Registered),
        (EventKind::AgreementAccepted, Some(row), _) => {
            let acceptance = row.into_acceptance(cipher)?;
            Ok(ActivityEvent::Agreed {
                nda_version: acceptance.nda_version,
                nda_sha256: Some(acceptance.nda_sha256)
                    .filter(|_| !erasure.is_of_person() || !erasure.agreement),
                revision_sha256: acceptance.revision_sha256,
                identity: acceptance.identity,
                origin: acceptance.origin,
            })
        }
        (EventKind::ViewStarted, _, Some(row)) => {
            let grant = row.into_grant(cipher)?;
            Ok(ActivityEvent::Viewed {
                revision_sha256: grant.revision_sha256,
                ends_at: view_end(
                    link.expires_at.map(Into::into),
                    link.max_views,
                    grant.ends_at,
                ),
            })
        }
        (EventKind::VisitClosed, ..) => Ok(ActivityEvent::Closed),
        (EventKind::FileDelivered, ..) => Ok(ActivityEvent::Downloaded),
        (EventKind::AgreementDeclined, ..) => Ok(ActivityEvent::Declined),
        _ => stored::required("row that an event records", None),
    }
}
