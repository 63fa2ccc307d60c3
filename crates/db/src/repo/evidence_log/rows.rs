//! Rows of events, and their columns.

use diesel::prelude::{Queryable, Selectable};

use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::{EventSubject, LogId, Place, StoredEvent};
use ideavault_domain::ids::IdeaId;

use super::super::schema::evidence_events;
use crate::error::{QueryError, QueryResult};
use crate::stored::{self, Time};

#[derive(Queryable, Selectable)]
#[diesel(table_name = evidence_events)]
pub(super) struct EventRow {
    seq: i64,
    kind: String,
    at: Time,
    idea_id: Option<i64>,
    share_id: Option<String>,
    recipient_id: Option<String>,
    comment_id: Option<String>,
    body: String,
    digest: Vec<u8>,
    once: Option<String>,
    log: Option<i32>,
    place: Option<i64>,
}

impl EventRow {
    /// Parses the row. The error names it.
    pub(super) fn into_event(self) -> QueryResult<StoredEvent> {
        let row = self.seq;
        self.parse().map_err(|source| QueryError::DamagedEvent {
            row,
            source: Box::new(source),
        })
    }

    fn parse(self) -> QueryResult<StoredEvent> {
        Ok(StoredEvent {
            row: self.seq,
            place: match (self.log, self.place) {
                (Some(log), Some(place)) => Some(Place {
                    log: LogId::from_stored(log),
                    index: natural(place)?,
                }),
                _ => None,
            },
            kind: stored::parsed("kind of event", &self.kind)?,
            at: self.at.into(),
            subject: EventSubject {
                idea: self.idea_id.map(IdeaId::from),
                share: optional_id("share id", self.share_id)?,
                recipient: optional_id("recipient id", self.recipient_id)?,
                comment: optional_id("comment id", self.comment_id)?,
                ..EventSubject::default()
            },
            body: self.body,
            digest: digest(self.digest)?,
            once: self.once,
        })
    }
}

pub(super) fn optional_id<T>(what: &'static str, id: Option<String>) -> QueryResult<Option<T>>
where
    T: std::str::FromStr<Err: std::error::Error + Send + Sync + 'static>,
{
    id.map(|id| stored::parsed(what, &id)).transpose()
}

pub(super) fn natural(number: i64) -> QueryResult<u64> {
    stored::required("number of events", u64::try_from(number).ok())
}

pub(super) fn column(number: u64) -> QueryResult<i64> {
    stored::required("number of events", i64::try_from(number).ok())
}

pub(super) fn digest(bytes: Vec<u8>) -> QueryResult<Digest> {
    let bytes = <[u8; 32]>::try_from(bytes).ok();
    stored::required("digest", bytes.map(Digest::from_bytes))
}
