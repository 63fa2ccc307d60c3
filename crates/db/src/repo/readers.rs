//! The registrations on an owner's links, with what came of them as the log of events has it.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use diesel::IntoSql;
use diesel::dsl::{auto_type, count_star};
use diesel::prelude::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, NullableExpressionMethods, QueryDsl,
    Queryable, RunQueryDsl, Selectable, SelectableHelper, TextExpressionMethods,
};
use diesel::sql_types::Bool;
use serde::Deserialize;

use ideavault_domain::Timestamp;
use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::EventKind;
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::Encryption;
use ideavault_domain::reader::{OpenedVersion, Reader, ReaderAcceptance, ReaderScope};
use ideavault_domain::recipient::Ending;

use super::Connection;
use super::cipher::{Cipher, IdeaKeyKind};
use super::damage::Readable;
use super::folding::FOLDED;
use super::notices::turned_away;
use super::revisions::decrypt_digest;
use super::rows::{AcceptanceRow, EvidenceKeyRow, OwnerRow, RecipientRow, share_name};
use super::schema::{
    comments, evidence_events, idea_keys, idea_revisions, ideas, nda_acceptances, recipients,
    shares,
};
use crate::error::QueryResult;
use crate::stored::{self, Time};

#[derive(Queryable, Selectable)]
#[diesel(table_name = recipients)]
struct RegistrationRow {
    seq: i64,
    end_reason: Option<String>,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = shares)]
struct LinkRow {
    id: String,
    share_type: String,
    name: Option<Vec<u8>>,
}

type ReaderRow = (
    RegistrationRow,
    RecipientRow,
    LinkRow,
    Option<AcceptanceRow>,
    (EvidenceKeyRow, OwnerRow, Option<String>),
);

/// What came of a registration.
#[derive(Default)]
pub(super) struct Progress {
    /// The versions, each with the time at which it was first opened.
    pub(super) versions: Vec<(i32, Timestamp)>,
    views: i64,
    pub(super) last_opened_at: Option<Timestamp>,
    downloads: i64,
    comments: i64,
}

/// Most events for each registration, on average.
const EVENTS_OF_EACH: usize = 10;

/// Lists the registrations on the links of an owner's ideas, the newest first.
pub(super) fn readers_of(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    readable: &Readable<'_>,
    owner: UserId,
    scope: &ReaderScope,
    most: usize,
) -> QueryResult<Option<Vec<Reader>>> {
    let owner = owner.to_string();
    let rows = registrations(connection, &owner, scope, most + 1)?;
    if rows.len() > most {
        return Ok(None);
    }
    let events = events(connection, &owner, scope, EVENTS_OF_EACH * most + 1)?;
    if events.len() > EVENTS_OF_EACH * most {
        return Ok(None);
    }
    let mut progress = progress_of(connection, readable, events)?;
    count_comments(connection, &owner, &mut progress)?;
    let mut digests = Digests::new(connection, encryption, &owner, &progress)?;
    let turned_away = turned_away(connection, &owner)?;
    let mut ciphers = HashMap::new();
    let mut readers = Vec::with_capacity(rows.len());
    for row in rows {
        let (registration, recipient, link, acceptance, (key, owner, document_id)) = row;
        let (id, idea) = (recipient.id.clone(), key.idea());
        let cipher = match ciphers.entry(idea) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let read = key.into_cipher(encryption, &owner);
                let key = ("key of an idea", idea.to_string());
                new.insert(readable.unless_damaged(connection, (key.0, &key.1), read)?)
            }
        };
        let Some(cipher) = cipher else { continue };
        let progress = progress.remove(&id).unwrap_or_default();
        let row = (registration, recipient, link, acceptance);
        for (number, _) in &progress.versions {
            digests.open(connection, readable, (idea, *number))?;
        }
        let read = into_reader(row, progress, idea, cipher, &digests);
        let reader = readable.unless_damaged(connection, ("registration", &id), read)?;
        readers.extend(reader.map(|reader| Reader {
            document_id,
            was_turned_away: turned_away.contains(&id),
            ..reader
        }));
    }
    Ok(Some(readers))
}

fn registrations(
    connection: &mut Connection,
    owner: &str,
    scope: &ReaderScope,
    most: usize,
) -> QueryResult<Vec<ReaderRow>> {
    let (idea, share) = ids(scope);
    let any_idea = scope.idea.is_none().into_sql::<Bool>();
    let any_share = scope.share.is_none().into_sql::<Bool>();
    recipients::table
        .inner_join(shares::table.on(shares::id.eq(recipients::share_id)))
        .inner_join(ideas::table.on(ideas::id.eq(shares::idea_id)))
        .inner_join(idea_keys::table.on(idea_keys::idea_id.eq(ideas::id)))
        .left_join(nda_acceptances::table.on(nda_acceptances::recipient_id.eq(recipients::id)))
        .filter(ideas::owner_id.eq(owner))
        .filter(any_idea.or(ideas::id.eq(idea)))
        .filter(any_share.or(shares::id.eq(share)))
        .filter(recipients::folding.ne(FOLDED))
        .order(recipients::seq.desc())
        .limit(i64::try_from(most).unwrap_or(i64::MAX))
        .select((
            RegistrationRow::as_select(),
            RecipientRow::as_select(),
            LinkRow::as_select(),
            Option::<AcceptanceRow>::as_select(),
            (
                EvidenceKeyRow::as_select(),
                OwnerRow::as_select(),
                ideas::document_id,
            ),
        ))
        .load(connection)
        .map_err(Into::into)
}

/// Returns the ids of a scope; of everything, those of nothing.
fn ids(scope: &ReaderScope) -> (i64, String) {
    let idea = scope.idea.map_or(0, |idea| idea.as_i64());
    let share = scope.share.map_or_else(String::new, |id| id.to_string());
    (idea, share)
}

/// What an event says of a document that was sent.
struct SentDocument {
    revision: Option<i32>,
    download: bool,
}

impl SentDocument {
    fn parse(body: &str) -> Option<Self> {
        #[derive(Deserialize)]
        struct Body {
            revision: Option<String>,
            #[serde(default)]
            download: bool,
        }
        let body: Body = serde_json::from_str(body).ok()?;
        let revision = body.revision.map(|number| number.parse());
        Some(Self {
            revision: revision.transpose().ok()?,
            download: body.download,
        })
    }
}

/// An event of a recipient: who, when, its body, and whether it began a view.
pub(super) type EventRow = (Option<String>, Time, String, bool);

/// Returns the events that say what came of the registrations of a scope, the oldest first.
fn events(
    connection: &mut Connection,
    owner: &str,
    scope: &ReaderScope,
    most: usize,
) -> QueryResult<Vec<EventRow>> {
    let (idea, share) = ids(scope);
    let any_idea = scope.idea.is_none().into_sql::<Bool>();
    let any_share = scope.share.is_none().into_sql::<Bool>();
    evidence_events::table
        .inner_join(ideas::table.on(ideas::id.nullable().eq(evidence_events::idea_id)))
        .filter(ideas::owner_id.eq(owner))
        .filter(any_idea.or(ideas::id.eq(idea)))
        .filter(any_share.or(evidence_events::share_id.eq(share)))
        .filter(shows_document())
        .order(evidence_events::seq)
        .limit(i64::try_from(most).unwrap_or(i64::MAX))
        .select(event_row())
        .load(connection)
        .map_err(Into::into)
}

/// Returns the events of these registrations that say what came of them, the oldest first.
pub(super) fn events_of(
    connection: &mut Connection,
    recipients: &[String],
    ideas: &[i64],
) -> QueryResult<Vec<EventRow>> {
    evidence_events::table
        // Only events of an idea have an index.
        .filter(evidence_events::idea_id.eq_any(ideas))
        .filter(evidence_events::recipient_id.eq_any(recipients))
        .filter(shows_document())
        .order(evidence_events::seq)
        .select(event_row())
        .load(connection)
        .map_err(Into::into)
}

/// Tells the events with which somebody opened a document.
#[auto_type]
fn shows_document() -> _ {
    let started: &'static str = EventKind::ViewStarted.as_str();
    let delivered: &'static str = EventKind::FileDelivered.as_str();
    let kinds: [&'static str; 2] = [started, delivered];
    // Not the images of a document.
    let is_document = evidence_events::in_activity
        .eq(true)
        .or(evidence_events::body.like("%\"revision\":%"));
    evidence_events::kind.eq_any(kinds).and(is_document)
}

/// The columns of an [`EventRow`].
#[auto_type]
fn event_row() -> _ {
    let started: &'static str = EventKind::ViewStarted.as_str();
    (
        evidence_events::recipient_id,
        evidence_events::at,
        evidence_events::body,
        evidence_events::kind.eq(started),
    )
}

/// Returns what came of registrations, by their ids, but for the comments.
pub(super) fn progress_of(
    connection: &mut Connection,
    readable: &Readable<'_>,
    events: Vec<EventRow>,
) -> QueryResult<HashMap<String, Progress>> {
    let mut found: HashMap<String, Progress> = HashMap::new();
    for (recipient, at, body, began_view) in events {
        let Some(recipient) = recipient else { continue };
        let sent = stored::required("event", SentDocument::parse(&body));
        let sent = readable.unless_damaged(connection, ("event of a reader", &recipient), sent)?;
        let Some(sent) = sent else { continue };
        let progress = found.entry(recipient).or_default();
        progress.views += i64::from(began_view);
        progress.downloads += i64::from(sent.download);
        if let Some(number) = sent.revision {
            let at = Timestamp::from(at);
            progress.last_opened_at = progress.last_opened_at.max(Some(at));
            if progress.versions.iter().all(|(known, _)| *known != number) {
                progress.versions.push((number, at));
            }
        }
    }
    Ok(found)
}

fn count_comments(
    connection: &mut Connection,
    owner: &str,
    found: &mut HashMap<String, Progress>,
) -> QueryResult<()> {
    let comments: Vec<(Option<String>, i64)> = comments::table
        .filter(comments::owner_id.eq(owner))
        .filter(comments::withdrawn_at.is_null())
        .group_by(comments::recipient_id)
        .select((comments::recipient_id, count_star()))
        .load(connection)?;
    for (recipient, number) in comments {
        if let Some(progress) = recipient.and_then(|id| found.get_mut(&id)) {
            progress.comments = number;
        }
    }
    Ok(())
}

/// The digests of an owner's revisions, each decrypted once.
struct Digests<'v> {
    encryption: &'v dyn Encryption,
    owner: String,
    /// By idea and number.
    sealed: HashMap<(i64, i32), Vec<u8>>,
    /// The wrapped content keys by idea; none of a deleted draft.
    keys: HashMap<i64, Vec<u8>>,
    opened: HashMap<(i64, i32), Option<Digest>>,
}

impl<'v> Digests<'v> {
    fn new(
        connection: &mut Connection,
        encryption: &'v dyn Encryption,
        owner: &str,
        progress: &HashMap<String, Progress>,
    ) -> QueryResult<Self> {
        let opened = progress.values().flat_map(|progress| &progress.versions);
        let numbers: HashSet<i32> = opened.map(|(number, _)| *number).collect();
        let rows = idea_revisions::table
            .inner_join(ideas::table.on(ideas::id.eq(idea_revisions::idea_id)))
            .inner_join(idea_keys::table.on(idea_keys::idea_id.eq(ideas::id)))
            .filter(ideas::owner_id.eq(owner))
            .filter(idea_revisions::number.eq_any(numbers))
            .select((
                ideas::id,
                idea_revisions::number,
                idea_revisions::sha256,
                idea_keys::content,
            ))
            .load::<(i64, i32, Vec<u8>, Option<Vec<u8>>)>(connection)?;
        let mut digests = Self {
            encryption,
            owner: owner.to_owned(),
            sealed: HashMap::new(),
            keys: HashMap::new(),
            opened: HashMap::new(),
        };
        for (idea, number, sealed, key) in rows {
            digests.sealed.insert((idea, number), sealed);
            if let Some(key) = key {
                digests.keys.insert(idea, key);
            }
        }
        Ok(digests)
    }

    /// Opens the digest of a revision, unless it is damaged or its draft was deleted.
    fn open(
        &mut self,
        connection: &mut Connection,
        readable: &Readable<'_>,
        revision: (i64, i32),
    ) -> QueryResult<()> {
        if self.opened.contains_key(&revision) {
            return Ok(());
        }
        let (idea, number) = revision;
        let sealed = self.sealed.get(&revision).zip(self.keys.get(&idea));
        let digest = match sealed {
            Some((sealed, key)) => {
                let (kind, key) = (IdeaKeyKind::Content, key.clone());
                let cipher = Cipher::of_idea(self.encryption, kind, idea, &self.owner, key);
                let read = cipher.and_then(|cipher| decrypt_digest(&cipher, number, sealed));
                let id = format!("{number} of idea {idea}");
                readable.unless_damaged(connection, ("digest of a revision", &id), read)?
            }
            None => None,
        };
        self.opened.insert(revision, digest);
        Ok(())
    }
}

fn into_reader(
    row: (
        RegistrationRow,
        RecipientRow,
        LinkRow,
        Option<AcceptanceRow>,
    ),
    progress: Progress,
    idea: i64,
    cipher: &Cipher<'_>,
    digests: &Digests<'_>,
) -> QueryResult<Reader> {
    let (registration, recipient, link, acceptance) = row;
    let recipient = recipient.into_recipient(cipher, idea)?;
    let acceptance = acceptance
        .map(|row| row.into_acceptance(cipher))
        .transpose()?;
    let erasure = recipient.erasure;
    let versions = progress.versions.into_iter();
    let versions = versions.map(|(number, first_opened_at)| OpenedVersion {
        number,
        sha256: digests.opened.get(&(idea, number)).copied().flatten(),
        first_opened_at,
    });
    let share_name = link
        .name
        .map(|sealed| share_name(cipher, &link.id, &sealed))
        .transpose()?;
    Ok(Reader {
        number: registration.seq,
        recipient: recipient.id,
        idea: idea.into(),
        idea_title: recipient.agreement.idea_title,
        document_id: None,
        share: recipient.share,
        share_type: stored::share_type(&link.share_type)?,
        share_name,
        person: (!erasure.is_of_person()).then_some((recipient.name, recipient.email)),
        identity: recipient.identity,
        registered_at: recipient.created_at,
        acceptance: acceptance.map(|acceptance| ReaderAcceptance {
            at: acceptance.accepted_at,
            agreement: acceptance.nda_version,
            sha256: Some(acceptance.nda_sha256)
                .filter(|_| !erasure.is_of_person() || !erasure.agreement),
            version: acceptance.revision,
        }),
        has_declined: registration.end_reason.as_deref() == Some(Ending::Declined.as_str()),
        was_turned_away: false,
        versions: versions.collect(),
        views: progress.views,
        last_opened_at: progress.last_opened_at,
        downloads: progress.downloads,
        comments: progress.comments,
    })
}
