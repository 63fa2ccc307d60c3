//! Recording events.

use diesel::prelude::{ExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl};

use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::{Event, UnplacedEvent, names_creator, names_reader};
use ideavault_domain::ids::IdeaId;
use ideavault_domain::ports::Encryption;

use super::super::Connection;
use super::super::cipher::evidence_cipher;
use super::super::erased::{is_creator_erased, is_erased};
use super::super::schema::{evidence_disclosures, evidence_events, evidence_logs};
use crate::error::{QueryError, QueryResult};

/// Returns what a disclosure is encrypted for.
pub(super) fn disclosure_aad(name: &str, event: &Digest) -> String {
    format!("{name} of event {event}")
}

pub(super) fn current_origin(connection: &mut Connection) -> QueryResult<String> {
    let origin = evidence_logs::table
        .order(evidence_logs::number.desc())
        .select(evidence_logs::origin)
        .first(connection)
        .optional()?;
    origin.ok_or(QueryError::NoLog)
}

/// Returns the recorded event, or `None` if another one has its key.
pub(super) fn append(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    origin: &str,
    event: &Event,
) -> QueryResult<Option<UnplacedEvent>> {
    let recorded = event.record(origin, || {
        encryption.new_salt().map_err(QueryError::Encryption)
    })?;
    let subject = event.subject();
    let row: Option<i64> = diesel::insert_into(evidence_events::table)
        .values((
            evidence_events::kind.eq(event.kind().as_str()),
            evidence_events::at.eq(event.at()),
            evidence_events::idea_id.eq(subject.idea.map(IdeaId::as_i64)),
            evidence_events::share_id.eq(subject.share.map(|id| id.to_string())),
            evidence_events::recipient_id.eq(subject.recipient.map(|id| id.to_string())),
            evidence_events::comment_id.eq(subject.comment.map(|id| id.to_string())),
            evidence_events::once.eq(event.once_key()),
            evidence_events::body.eq(&recorded.body),
            evidence_events::digest.eq(recorded.digest.as_bytes().as_slice()),
        ))
        .on_conflict_do_nothing()
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
            let names_erased = reader_is_erased && names_reader(name, &recorded.body)
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
    }))
}
