//! Mailed links that show persons what they were shown, whatever the idea and its owner.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use diesel::dsl::{auto_type, exists};
use diesel::prelude::{
    ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl, Queryable, RunQueryDsl, Selectable,
    SelectableHelper,
};

use ideavault_domain::Timestamp;
use ideavault_domain::document_link::{
    AgreedDocument, DOCUMENTS_LISTED, DocumentLink, ShownDocument, ShownDocuments,
};
use ideavault_domain::email::Email;
use ideavault_domain::ids::RecipientId;
use ideavault_domain::ports::{DatabaseError, DocumentLinks, Encryption};
use ideavault_domain::recipient::Recipient;
use ideavault_domain::share::ShareState;
use ideavault_domain::token::TokenHash;

use super::addresses::known_address_hash;
use super::damage::Readable;
use super::readers::{Progress, events_of, progress_of};
use super::rows::{EvidenceKeyRow, OwnerRow, RecipientRow, ShareRow};
use super::schema::{document_links, idea_keys, ideas, nda_acceptances, recipients, shares};
use super::{Connection, Repository};
use crate::error::QueryResult;
use crate::stored::Time;

#[derive(Queryable, Selectable)]
#[diesel(table_name = ideas)]
struct DeletionRow {
    deleted_at: Option<Time>,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = nda_acceptances)]
struct AcceptedRow {
    accepted_at: Time,
}

type DocumentRow = (
    RecipientRow,
    ShareRow,
    (EvidenceKeyRow, OwnerRow, DeletionRow),
    AcceptedRow,
);

impl DocumentLinks for Repository<'_> {
    fn has_documents(&mut self, email: &Email) -> Result<bool, DatabaseError> {
        let encryption = self.encryption;
        self.run("look for a person's documents", |connection| {
            let address = known_address_hash(connection, encryption, email)?;
            address.map_or(Ok(false), |address| is_known(connection, &address))
        })
    }

    fn add_document_link(
        &mut self,
        email: &Email,
        link: &DocumentLink,
    ) -> Result<bool, DatabaseError> {
        let encryption = self.encryption;
        self.run("add a link to a person's documents", |connection| {
            let address = known_address_hash(connection, encryption, email)?;
            let Some(address) = address else {
                return Ok(false);
            };
            if !is_known(connection, &address)? {
                return Ok(false);
            }
            diesel::insert_into(document_links::table)
                .values((
                    document_links::token_hash.eq(link.token_hash.as_bytes().as_slice()),
                    document_links::address_hash.eq(address),
                    document_links::requested_at.eq(link.requested_at),
                    document_links::expires_at.eq(link.expires_at),
                ))
                .execute(connection)?;
            Ok(true)
        })
    }

    fn use_document_link(
        &mut self,
        token: &TokenHash,
        key: &TokenHash,
        now: Timestamp,
        ends_at: Timestamp,
    ) -> Result<bool, DatabaseError> {
        self.run("use a link to a person's documents", |connection| {
            let (token, key) = (token.as_bytes().as_slice(), key.as_bytes().as_slice());
            let unused = document_links::table
                .find(token)
                .filter(document_links::key_hash.is_null())
                .filter(document_links::expires_at.gt(now));
            let used = diesel::update(unused)
                .set((
                    document_links::key_hash.eq(key),
                    document_links::expires_at.eq(ends_at),
                ))
                .execute(connection)?;
            if used == 1 {
                return Ok(true);
            }
            let same = document_links::table
                .find(token)
                .filter(document_links::key_hash.eq(key))
                .filter(document_links::expires_at.gt(now));
            Ok(diesel::select(exists(same)).get_result(connection)?)
        })
    }

    fn shown_documents(
        &mut self,
        key: &TokenHash,
        now: Timestamp,
    ) -> Result<Option<ShownDocuments>, DatabaseError> {
        let encryption = self.encryption;
        let readable = self.readable();
        self.run(
            "list a person's documents",
            |connection| match address_of_key(connection, key, now)? {
                Some(address) => {
                    documents(connection, encryption, &readable, &address, now).map(Some)
                }
                None => Ok(None),
            },
        )
    }

    fn shows_document(
        &mut self,
        key: &TokenHash,
        recipient: RecipientId,
        now: Timestamp,
    ) -> Result<Option<bool>, DatabaseError> {
        self.run("look for one of a person's documents", |connection| {
            let Some(address) = address_of_key(connection, key, now)? else {
                return Ok(None);
            };
            let one = accepted()
                .filter(recipients::address_hash.eq(address))
                .filter(recipients::id.eq(recipient.to_string()));
            Ok(Some(diesel::select(exists(one)).get_result(connection)?))
        })
    }

    fn end_document_link(&mut self, key: &TokenHash) -> Result<(), DatabaseError> {
        self.run("end a link to a person's documents", |connection| {
            let used = document_links::table
                .filter(document_links::key_hash.eq(key.as_bytes().as_slice()));
            diesel::delete(used).execute(connection)?;
            Ok(())
        })
    }

    fn delete_expired_document_links(&mut self, now: Timestamp) -> Result<usize, DatabaseError> {
        self.run("clean up links to documents", |connection| {
            let expired = document_links::table.filter(document_links::expires_at.le(now));
            Ok(diesel::delete(expired).execute(connection)?)
        })
    }
}

/// Registrations with an accepted agreement.
#[auto_type]
fn accepted() -> _ {
    recipients::table
        .inner_join(nda_acceptances::table.on(nda_acceptances::recipient_id.eq(recipients::id)))
}

fn is_known(connection: &mut Connection, address: &[u8]) -> QueryResult<bool> {
    let known = accepted().filter(recipients::address_hash.eq(address));
    Ok(diesel::select(exists(known)).get_result(connection)?)
}

fn address_of_key(
    connection: &mut Connection,
    key: &TokenHash,
    now: Timestamp,
) -> QueryResult<Option<Vec<u8>>> {
    Ok(document_links::table
        .filter(document_links::key_hash.eq(key.as_bytes().as_slice()))
        .filter(document_links::expires_at.gt(now))
        .select(document_links::address_hash)
        .first(connection)
        .optional()?)
}

fn documents(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    readable: &Readable<'_>,
    address: &[u8],
    now: Timestamp,
) -> QueryResult<ShownDocuments> {
    let mut rows = rows(connection, address)?;
    let has_more = rows.len() > DOCUMENTS_LISTED;
    rows.truncate(DOCUMENTS_LISTED);
    let ids: Vec<String> = rows.iter().map(|row| row.0.id.clone()).collect();
    let ideas: Vec<i64> = rows.iter().map(|row| row.2.0.idea()).collect();
    let events = events_of(connection, &ids, &ideas)?;
    let mut progress = progress_of(connection, readable, events)?;
    let mut ciphers = HashMap::new();
    let mut shown = ShownDocuments {
        has_more,
        ..ShownDocuments::default()
    };
    for (recipient, share, (key, owner, deletion), acceptance) in rows {
        let (id, idea) = (recipient.id.clone(), key.idea());
        let cipher = match ciphers.entry(idea) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let read = key.into_cipher(encryption, &owner);
                let what = ("key of an idea", idea.to_string());
                new.insert(readable.unless_damaged(connection, (what.0, &what.1), read)?)
            }
        };
        let Some(cipher) = cipher else { continue };
        let read = recipient
            .into_recipient(cipher, idea)
            .and_then(|recipient| {
                let link = share.into_share(cipher)?.state(now);
                Ok((recipient, link != ShareState::Active))
            });
        let read = readable.unless_damaged(connection, ("registration", &id), read)?;
        let Some((recipient, link_has_ended)) = read else {
            continue;
        };
        shown.email = shown.email.or_else(|| Some(recipient.email.clone()));
        let progress = progress.remove(&id).unwrap_or_default();
        shown.documents.push(ShownDocument {
            link_has_ended: link_has_ended || deletion.deleted_at.is_some(),
            ..document(recipient, acceptance.accepted_at.into(), progress)
        });
    }
    Ok(shown)
}

fn rows(connection: &mut Connection, address: &[u8]) -> QueryResult<Vec<DocumentRow>> {
    let most = i64::try_from(DOCUMENTS_LISTED + 1).unwrap_or(i64::MAX);
    Ok(recipients::table
        .inner_join(nda_acceptances::table.on(nda_acceptances::recipient_id.eq(recipients::id)))
        .inner_join(shares::table.on(shares::id.eq(recipients::share_id)))
        .inner_join(ideas::table.on(ideas::id.eq(shares::idea_id)))
        .inner_join(idea_keys::table.on(idea_keys::idea_id.eq(ideas::id)))
        .filter(recipients::address_hash.eq(address))
        .order((nda_acceptances::accepted_at.desc(), recipients::seq.desc()))
        .limit(most)
        .select(DocumentRow::as_select())
        .load(connection)?)
}

fn document(recipient: Recipient, accepted_at: Timestamp, progress: Progress) -> ShownDocument {
    let agreement = recipient.agreement;
    let agreed = AgreedDocument {
        title: agreement.idea_title,
        document_id: agreement.document_id,
        sharer: agreement.sharer,
    };
    ShownDocument {
        recipient: recipient.id,
        agreed: (!recipient.erasure.agreement).then_some(agreed),
        accepted_at,
        first_opened_at: progress.versions.first().map(|(_, at)| *at),
        versions: progress
            .versions
            .into_iter()
            .map(|(number, _)| number)
            .collect(),
        last_opened_at: progress.last_opened_at,
        link_has_ended: false,
    }
}
