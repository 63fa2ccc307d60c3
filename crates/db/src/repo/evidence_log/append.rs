//! Recording events.

use diesel::prelude::{ExpressionMethods, OptionalExtension, QueryableByName, RunQueryDsl};
use diesel::sql_types::{BigInt, Nullable, Text};

use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::{Event, UnplacedEvent, names_creator, names_reader};
use ideavault_domain::ids::IdeaId;
use ideavault_domain::ports::Encryption;

use super::super::cipher::evidence_cipher;
use super::super::erased::{is_creator_erased, is_erased};
use super::super::schema::{evidence_disclosures, evidence_events};
use super::super::seals::{SealedEvent, seal};
use super::super::{Connection, NEXT_EVENT};
use crate::error::{QueryError, QueryResult};

/// Returns what a disclosure is encrypted for.
pub(super) fn disclosure_aad(name: &str, event: &Digest) -> String {
    format!("{name} of event {event}")
}

#[derive(QueryableByName)]
struct NextEvent {
    #[diesel(sql_type = Nullable<Text>)]
    origin: Option<String>,
    #[diesel(sql_type = BigInt)]
    seq: i64,
}

/// Records an event in the current log. Returns it, or `None` if another one has its key.
pub(super) fn append(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    event: &Event,
) -> QueryResult<Option<UnplacedEvent>> {
    let next: NextEvent = diesel::sql_query(NEXT_EVENT).get_result(connection)?;
    let origin = next.origin.ok_or(QueryError::NoLog)?;
    let recorded = event.record(&origin, || {
        encryption.new_salt().map_err(QueryError::Encryption)
    })?;
    let subject = event.subject();
    let mut sealed = SealedEvent {
        seq: next.seq,
        kind: event.kind().as_str().to_owned(),
        idea_id: subject.idea.map(IdeaId::as_i64),
        share_id: subject.share.map(|id| id.to_string()),
        recipient_id: subject.recipient.map(|id| id.to_string()),
        comment_id: subject.comment.map(|id| id.to_string()),
        once: event.once_key(),
        body: recorded.body.clone(),
        digest: recorded.digest.as_bytes().to_vec(),
        seal: Vec::new(),
    };
    sealed.seal = seal(connection, encryption, &sealed.values())?;
    let row: Option<i64> = diesel::insert_into(evidence_events::table)
        .values((
            evidence_events::seq.eq(sealed.seq),
            evidence_events::kind.eq(sealed.kind),
            evidence_events::at.eq(event.at()),
            evidence_events::idea_id.eq(sealed.idea_id),
            evidence_events::share_id.eq(sealed.share_id),
            evidence_events::recipient_id.eq(sealed.recipient_id),
            evidence_events::comment_id.eq(sealed.comment_id),
            evidence_events::once.eq(sealed.once),
            evidence_events::body.eq(sealed.body),
            evidence_events::digest.eq(sealed.digest),
            evidence_events::seal.eq(sealed.seal),
        ))
        // A row of that number is none of this event's.
        .on_conflict(evidence_events::once)
        .do_nothing()
        .returning(evidence_events::seq)
        .get_result(connection)
        .optional()?;
    let Some(row) = row else {
        return Ok(None);
    };
    if let Some(idea) = subject.idea.filter(|_| !recorded.disclosures.is_empty()) {
        let cipher = evidence_cipher(connection, encryption, idea.as_i64())?;
        // The person may have been erased since the event was prepared; then its facts are
        // erased from the start.
        let (reader_is_erased, creator_is_erased) = match subject.recipient {
            Some(recipient) => (is_erased(connection, &recipient.to_string())?, false),
            None => (false, is_creator_erased(connection, idea.as_i64())?),
        };
        let kept = recorded.disclosures.iter().filter(|(name, _)| {
            let names_erased = reader_is_erased && names_reader(name, Some(&recorded.event))
                || creator_is_erased && names_creator(name);
            !names_erased
        });
        let rows = kept.map(|(name, body)| {
            let aad = disclosure_aad(name, &recorded.digest);
            Ok((
                evidence_disclosures::event.eq(row),
                evidence_disclosures::name.eq(*name),
                evidence_disclosures::body.eq(cipher.encrypt(&aad, body)?),
            ))
        });
        diesel::insert_into(evidence_disclosures::table)
            .values(rows.collect::<QueryResult<Vec<_>>>()?)
            .execute(connection)?;
    }
    Ok(Some(UnplacedEvent {
        row,
        digest: recorded.digest,
        is_sealed: true,
    }))
}
