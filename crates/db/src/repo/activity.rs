//! The activity on an idea's links, as the log of events has it. Names and further details
//! are those of the rows that the events record.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use diesel::dsl::auto_type;
use diesel::prelude::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, NullableExpressionMethods, QueryDsl,
    Queryable, RunQueryDsl, Selectable, SelectableHelper,
};

use ideavault_domain::Timestamp;
use ideavault_domain::activity::{Activity, ActivityEvent};
use ideavault_domain::evidence::{EventBody, EventKind};
use ideavault_domain::ids::{IdeaId, RecipientId, UserId};
use ideavault_domain::page::{Cursor, Page, Paging};
use ideavault_domain::ports::Encryption;
use ideavault_domain::recipient::{Erasure, Recipient};
use ideavault_domain::share::view_end;
use ideavault_domain::text::DeclineReason;

use super::Connection;
use super::cipher::Cipher;
use super::damage::Readable;
use super::folding::FOLDED;
use super::rows::{
    AcceptanceRow, EvidenceKeyRow, GrantRow, OwnerRow, RecipientRow, decline_reason_aad, share_name,
};
use super::schema::{
    declined_recipients, evidence_events, idea_keys, ideas, nda_acceptances, recipients, shares,
    users, view_grants,
};
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
    revoked_at: Option<Time>,
    name: Option<Vec<u8>>,
}

type ActivityRow = (
    EntryRow,
    RecipientRow,
    LinkRow,
    Option<AcceptanceRow>,
    Option<GrantRow>,
    (EvidenceKeyRow, OwnerRow),
);

/// The recipients on one page, by id: each has several entries, and decrypting its
/// details is the most expensive part of an entry.
type Recipients = HashMap<String, Recipient>;

/// Why recipients on one page declined, encrypted, by their ids.
type DeclineReasons = HashMap<String, Vec<u8>>;

/// The activity of an idea, newest first.
#[auto_type]
fn entries_after(idea: i64, cursor: Cursor) -> _ {
    let at: Timestamp = cursor.at;
    let row: i64 = cursor.row;
    let offered: &'static str = EventKind::AgreementOffered.as_str();
    let started: &'static str = EventKind::ViewStarted.as_str();
    let folded: &'static str = FOLDED;
    let is_listed = evidence_events::kind
        .ne(offered)
        .or(recipients::folding.ne(folded));
    // The event of a view has the time at which it began, and a reader has no two at once.
    let began_view = view_grants::recipient_id
        .eq(recipients::id)
        .and(view_grants::granted_at.eq(evidence_events::at))
        .and(evidence_events::kind.eq(started));
    evidence_events::table
        .inner_join(
            recipients::table.on(recipients::id.nullable().eq(evidence_events::recipient_id)),
        )
        .inner_join(shares::table.on(shares::id.eq(recipients::share_id)))
        // By the event, since Postgres knows that this is one row, and so keeps the order of the
        // index.
        .inner_join(ideas::table.on(ideas::id.nullable().eq(evidence_events::idea_id)))
        .inner_join(idea_keys::table.on(idea_keys::idea_id.eq(ideas::id)))
        .left_join(nda_acceptances::table.on(nda_acceptances::recipient_id.eq(recipients::id)))
        .left_join(view_grants::table.on(began_view))
        .filter(evidence_events::idea_id.eq(idea))
        .filter(evidence_events::in_activity.eq(true))
        .filter(is_listed)
        // Only this condition lets the database seek in the index.
        .filter(evidence_events::at.le(at))
        .filter(evidence_events::at.lt(at).or(evidence_events::seq.lt(row)))
        .order((evidence_events::at.desc(), evidence_events::seq.desc()))
}

/// Lists the activity of an idea, newest first.
pub(super) fn activity_of(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    readable: &Readable<'_>,
    idea: IdeaId,
    paging: Paging,
) -> QueryResult<Page<Activity>> {
    let rows = entries_after(idea.as_i64(), paging.after.unwrap_or(Cursor::NEWEST))
        .limit(paging.size.rows_to_read())
        .select(<ActivityRow as SelectableHelper<_>>::as_select())
        .load(connection)?;
    read_page(connection, encryption, readable, rows, paging)
}

/// Lists the activity of an owner's idea.
pub(super) fn activity_for_owner(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    readable: &Readable<'_>,
    (owner, idea): (UserId, IdeaId),
    paging: Paging,
) -> QueryResult<Page<Activity>> {
    let rows = entries_after(idea.as_i64(), paging.after.unwrap_or(Cursor::NEWEST))
        .inner_join(users::table.on(users::id.eq(ideas::owner_id)))
        .filter(ideas::owner_id.eq(owner.to_string()))
        .filter(users::disabled_at.is_null())
        .limit(paging.size.rows_to_read())
        .select(<ActivityRow as SelectableHelper<_>>::as_select())
        .load(connection)?;
    read_page(connection, encryption, readable, rows, paging)
}

fn read_page(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    readable: &Readable<'_>,
    rows: Vec<ActivityRow>,
    paging: Paging,
) -> QueryResult<Page<Activity>> {
    let reasons = decline_reasons(connection, &rows)?;
    let mut cipher = None;
    let mut recipients = Recipients::new();
    let mut listed = Vec::with_capacity(rows.len());
    for row in rows {
        let (entry, recipient, link, acceptance, grant, (key, owner)) = row;
        let idea = key.idea();
        // All have the key of the same idea.
        let cipher = match &mut cipher {
            Some(known) => known,
            none => none.insert(key.into_cipher(encryption, &owner)?),
        };
        let cursor = Cursor {
            at: entry.at.into(),
            step: 0,
            row: entry.seq,
        };
        let id = entry.seq.to_string();
        let row = (entry, recipient, link, acceptance, grant);
        listed.push((
            cursor,
            id,
            into_activity(row, idea, cipher, &mut recipients, &reasons),
        ));
    }
    readable.page(connection, "event of the activity", listed, paging.size)
}

/// Returns why the recipients declined whose declining is on the page.
fn decline_reasons(
    connection: &mut Connection,
    rows: &[ActivityRow],
) -> QueryResult<DeclineReasons> {
    let declined = rows
        .iter()
        .filter(|(entry, ..)| entry.kind == EventKind::AgreementDeclined.as_str())
        .map(|(_, recipient, ..)| recipient.id.as_str())
        .collect::<Vec<_>>();
    if declined.is_empty() {
        return Ok(DeclineReasons::new());
    }
    let found: Vec<(String, Option<Vec<u8>>)> = declined_recipients::table
        .filter(declined_recipients::id.eq_any(declined))
        .filter(declined_recipients::decline_reason.is_not_null())
        .select((declined_recipients::id, declined_recipients::decline_reason))
        .load(connection)?;
    Ok(found
        .into_iter()
        .filter_map(|(id, reason)| Some((id, reason?)))
        .collect())
}

fn reason(
    cipher: &Cipher<'_>,
    recipient: RecipientId,
    reasons: &DeclineReasons,
) -> QueryResult<Option<DeclineReason>> {
    let id = recipient.to_string();
    reasons
        .get(&id)
        .map(|sealed| cipher.open(&decline_reason_aad(&id), sealed))
        .transpose()
        .map(|text| text.map(DeclineReason::from_stored))
}

/// Returns the view that an event began.
fn view_of(entry: &EntryRow) -> QueryResult<Option<String>> {
    if entry.kind != EventKind::ViewStarted.as_str() {
        return Ok(None);
    }
    let body = EventBody::parse(&entry.body);
    stored::required("body of an event", body).map(|body| body.view)
}

type EventRow = (
    EntryRow,
    RecipientRow,
    LinkRow,
    Option<AcceptanceRow>,
    Option<GrantRow>,
);

fn into_activity(
    row: EventRow,
    idea: i64,
    cipher: &Cipher<'_>,
    recipients: &mut Recipients,
    reasons: &DeclineReasons,
) -> QueryResult<Activity> {
    let (entry, recipient, link, acceptance, grant) = row;
    let view = view_of(&entry)?;
    let grant = grant.filter(|grant| view.as_ref() == Some(&grant.id));
    let recipient = match recipients.entry(recipient.id.clone()) {
        Entry::Occupied(opened) => opened.into_mut(),
        Entry::Vacant(new) => new.insert(recipient.into_recipient(cipher, idea)?),
    };
    let kind = stored::parsed("kind of event", &entry.kind)?;
    let event = match kind {
        EventKind::AgreementDeclined => ActivityEvent::Declined {
            reason: reason(cipher, recipient.id, reasons)?,
        },
        _ => event(kind, recipient.erasure, acceptance, grant, &link, cipher)?,
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
        event,
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
                revision: acceptance.revision,
                revision_sha256: acceptance.revision_sha256,
                identity: acceptance.identity,
                origin: acceptance.origin,
            })
        }
        (EventKind::ViewStarted, _, Some(row)) => {
            let grant = row.into_grant(cipher)?;
            let ends_at = view_end(
                link.expires_at.map(Into::into),
                link.max_views,
                grant.ends_at,
            );
            let revoked_at = link.revoked_at.map(Timestamp::from);
            Ok(ActivityEvent::Viewed {
                revision: grant.revision,
                revision_sha256: grant.revision_sha256,
                ends_at: ends_at.map(|end| revoked_at.map_or(end, |revoked| end.min(revoked))),
            })
        }
        (EventKind::VisitClosed, ..) => Ok(ActivityEvent::Closed),
        (EventKind::FileDelivered, ..) => Ok(ActivityEvent::Downloaded),
        _ => stored::required("row that an event records", None),
    }
}
