//! Erasure of persons (`docs/evidence.md#erasure`).
//!
//! See [`super::erased`] for writes that race with the erasure of their person.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use diesel::dsl::auto_type;
use diesel::prelude::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, NullableExpressionMethods,
    OptionalExtension, QueryDsl, Queryable, RunQueryDsl, Selectable, SelectableHelper,
};

use ideavault_domain::Timestamp;
use ideavault_domain::email::Email;
use ideavault_domain::evidence::{EventBody, names_reader};
use ideavault_domain::ids::{IdeaId, RecipientId, UserId};
use ideavault_domain::keys::MasterSealed;
use ideavault_domain::ports::{
    DatabaseError, Encryption, ErasableRegistration, ErasureScope, Erasures, EverOwnedIdea,
};
use ideavault_domain::recipient::{ERASED_EMAIL, ERASED_NAME, Erasure};
use ideavault_domain::share::Share;

use super::cipher::{Cipher, content_cipher, evidence_cipher};
use super::damage::Readable;
use super::erased::lock_recipient;
use super::idea_rows::DRAFT;
use super::notices::delete_of_erased;
use super::outbox::parse_mail;
use super::rows::{EvidenceKeyRow, OwnerRow, ShareRow, seal_recipient_email};
use super::schema::{
    comments, declined_recipients, email_codes, evidence_disclosures, evidence_events, idea_keys,
    ideas, invitations, nda_acceptances, outbox_mails, recipients, shares, waitlist,
};
use super::sealed::{AcceptanceDetails, KeptParty, RecipientDetails, Remark, Sealable as _};
use super::{Connection, Repository};
use crate::error::{QueryError, QueryResult};
use crate::stored::{self, Time};

impl Erasures for Repository<'_> {
    fn erasable(&mut self, id: RecipientId) -> Result<Option<ErasableRegistration>, DatabaseError> {
        let encryption = self.encryption;
        let readable = self.readable();
        self.run("read a person's registration", |connection| {
            let row = erasable_rows()
                .filter(recipients::id.eq(id.to_string()))
                .select(<ErasableRow as SelectableHelper<_>>::as_select())
                .first::<ErasableRow>(connection)
                .optional()?;
            let mut ciphers = Ciphers::default();
            row.map(|row| row.into_registration(connection, encryption, &readable, &mut ciphers))
                .transpose()
        })
    }

    fn registrations_under(
        &mut self,
        email: &Email,
        scope: ErasureScope,
    ) -> Result<Vec<ErasableRegistration>, DatabaseError> {
        let encryption = self.encryption;
        let readable = self.readable();
        self.run("find a person's registrations", |connection| {
            let mut rows = erasable_rows()
                .filter(
                    recipients::erased_at
                        .is_null()
                        .or(recipients::agreement_erased.eq(false)),
                )
                .order(recipients::id)
                .select(<ErasableRow as SelectableHelper<_>>::as_select())
                .into_boxed();
            if let ErasureScope::IdeasOf(owner) = scope {
                rows = rows.filter(ideas::owner_id.eq(owner.to_string()));
            }
            let rows: Vec<ErasableRow> = rows.load(connection)?;
            let mut ciphers = Ciphers::default();
            let mut found = Vec::new();
            for row in rows {
                let row = row.into_registration(connection, encryption, &readable, &mut ciphers)?;
                if row.email.as_ref() == Some(email) {
                    found.push(row);
                }
            }
            Ok(found)
        })
    }

    fn shares_for(
        &mut self,
        email: &Email,
        scope: ErasureScope,
    ) -> Result<Vec<Share>, DatabaseError> {
        let encryption = self.encryption;
        let readable = self.readable();
        self.run("find a person's links", |connection| {
            let mut rows = shares::table
                .inner_join(idea_keys::table.on(idea_keys::idea_id.eq(shares::idea_id)))
                .inner_join(ideas::table.on(ideas::id.eq(shares::idea_id)))
                .filter(shares::recipient_email.is_not_null())
                .order(shares::id)
                .select((
                    shares::id,
                    ShareRow::as_select(),
                    EvidenceKeyRow::as_select(),
                    OwnerRow::as_select(),
                ))
                .into_boxed();
            if let ErasureScope::IdeasOf(owner) = scope {
                rows = rows.filter(ideas::owner_id.eq(owner.to_string()));
            }
            let rows: Vec<(String, ShareRow, EvidenceKeyRow, OwnerRow)> = rows.load(connection)?;
            let mut ciphers = Ciphers::default();
            let mut found = Vec::new();
            for (id, row, key, owner) in rows {
                let share = ciphers
                    .of(encryption, key, &owner)
                    .and_then(|cipher| row.into_share(cipher));
                let share = readable.unless_damaged(connection, ("link", &id), share)?;
                found.extend(share.filter(|share| share.terms.recipient_email() == Some(email)));
            }
            Ok(found)
        })
    }

    fn erase_person(
        &mut self,
        id: RecipientId,
        keep_agreement: bool,
        at: Timestamp,
    ) -> Result<(), DatabaseError> {
        let encryption = self.encryption;
        let readable = self.readable();
        self.run("erase a person", |connection| {
            let id = id.to_string();
            let was_erased = lock_recipient(connection, &id)?;
            let (idea, sealed, agreement_erased): (i64, Vec<u8>, bool) = recipients::table
                .inner_join(shares::table.on(shares::id.eq(recipients::share_id)))
                .filter(recipients::id.eq(&id))
                .select((
                    shares::idea_id,
                    recipients::details,
                    recipients::agreement_erased,
                ))
                .first(connection)?;
            if was_erased && (keep_agreement || agreement_erased) {
                return Ok(());
            }
            let cipher = evidence_cipher(connection, encryption, idea)?;
            let details = RecipientDetails::open(&cipher, &id, &sealed);
            let details = readable.unless_damaged(connection, ("registration", &id), details)?;
            let acceptance = acceptance(connection, &readable, &cipher, &id)?;
            // Erased or damaged details cannot be kept.
            let keeps_agreement = keep_agreement
                && !agreement_erased
                && details.is_some()
                && matches!(acceptance, Acceptance::Readable(_));
            let details = match details {
                Some(details) => erased(details, keeps_agreement),
                None => RecipientDetails::erased(),
            };
            let details = details.seal(&cipher, &id)?;
            let recipient = recipients::table.filter(recipients::id.eq(&id));
            if was_erased {
                diesel::update(recipient)
                    .set((
                        recipients::details.eq(details),
                        recipients::agreement_erased.eq(true),
                    ))
                    .execute(connection)?;
            } else {
                diesel::update(recipient)
                    .set((
                        recipients::details.eq(details),
                        recipients::erased_at.eq(at),
                        recipients::address_hash.eq(None::<Vec<u8>>),
                        recipients::agreement_erased.eq(!keeps_agreement),
                    ))
                    .execute(connection)?;
                diesel::update(declined_recipients::table.find(&id))
                    .set(declined_recipients::decline_reason.eq(None::<Vec<u8>>))
                    .execute(connection)?;
                let open = recipients::table
                    .filter(recipients::id.eq(&id))
                    .filter(recipients::closed_at.is_null());
                diesel::update(open)
                    .set(recipients::closed_at.eq(at))
                    .execute(connection)?;
                erase_authorship(connection, encryption, &readable, &id)?;
                diesel::delete(email_codes::table.find(&id)).execute(connection)?;
                delete_of_erased(connection, &id)?;
            }
            erase_acceptance(connection, &cipher, &id, acceptance, !keeps_agreement)?;
            erase_disclosures(connection, idea, &id, keeps_agreement)?;
            diesel::delete(outbox_mails::table.filter(outbox_mails::recipient_id.eq(&id)))
                .execute(connection)?;
            Ok(())
        })?;
        self.effects.erased = true;
        Ok(())
    }

    fn erase_share_address(&mut self, share: &Share) -> Result<(), DatabaseError> {
        let encryption = self.encryption;
        self.run("erase the address of a link", |connection| {
            let id = share.id.to_string();
            let cipher = evidence_cipher(connection, encryption, share.idea.as_i64())?;
            let nobody = Email::from_stored(ERASED_EMAIL.to_owned());
            let sealed = seal_recipient_email(&cipher, &id, &nobody)?;
            diesel::update(shares::table.filter(shares::id.eq(&id)))
                .set(shares::recipient_email.eq(sealed))
                .execute(connection)?;
            Ok(())
        })?;
        self.effects.erased = true;
        Ok(())
    }

    fn ideas_ever_of(&mut self, user: UserId) -> Result<Vec<EverOwnedIdea>, DatabaseError> {
        self.run("list all ideas of an account", |connection| {
            let rows: Vec<(i64, String, Option<Time>)> = ideas::table
                .filter(ideas::owner_id.eq(user.to_string()))
                .order(ideas::id)
                .select((ideas::id, ideas::status, ideas::deleted_at))
                .load(connection)?;
            let rows = rows.into_iter();
            Ok(rows
                .map(|(id, status, deleted_at)| EverOwnedIdea {
                    id: id.into(),
                    is_draft: status == DRAFT && deleted_at.is_none(),
                })
                .collect())
        })
    }

    fn erase_creator(&mut self, idea: IdeaId) -> Result<(), DatabaseError> {
        let encryption = self.encryption;
        let readable = self.readable();
        self.run("erase a creator", |connection| {
            let idea = idea.as_i64();
            let of_creator: Vec<i64> = evidence_events::table
                .filter(evidence_events::idea_id.eq(idea))
                .filter(evidence_events::recipient_id.is_null())
                .select(evidence_events::seq)
                .load(connection)?;
            for events in of_creator.chunks(500) {
                let disclosures = evidence_disclosures::table
                    .filter(evidence_disclosures::event.eq_any(events))
                    .filter(evidence_disclosures::name.eq_any(["content", "comment"]));
                diesel::delete(disclosures).execute(connection)?;
            }
            let rows: Vec<(String, Vec<u8>, Option<Time>, bool)> = recipients::table
                .inner_join(shares::table.on(shares::id.eq(recipients::share_id)))
                .filter(shares::idea_id.eq(idea))
                .order(recipients::id)
                .select((
                    recipients::id,
                    recipients::details,
                    recipients::erased_at,
                    recipients::agreement_erased,
                ))
                .load(connection)?;
            if rows.is_empty() {
                return Ok(());
            }
            let cipher = evidence_cipher(connection, encryption, idea)?;
            for (id, sealed, erased_at, agreement_erased) in rows {
                let opened = RecipientDetails::open(&cipher, &id, &sealed);
                let opened = readable.unless_damaged(connection, ("registration", &id), opened)?;
                let Some(details) = opened else { continue };
                let details = RecipientDetails {
                    sharer: ERASED_NAME.to_owned(),
                    idea_title: String::new(),
                    kept_party: None,
                    ..details
                };
                diesel::update(recipients::table.filter(recipients::id.eq(&id)))
                    .set((
                        recipients::details.eq(details.seal(&cipher, &id)?),
                        recipients::agreement_erased.eq(true),
                    ))
                    .execute(connection)?;
                if erased_at.is_some() && !agreement_erased {
                    // The reader was erased before, but for the agreement that goes now.
                    let acceptance = acceptance(connection, &readable, &cipher, &id)?;
                    erase_acceptance(connection, &cipher, &id, acceptance, true)?;
                    erase_disclosures(connection, idea, &id, false)?;
                }
            }
            Ok(())
        })?;
        self.effects.erased = true;
        Ok(())
    }

    fn drop_mails_to(&mut self, to: &Email, scope: ErasureScope) -> Result<usize, DatabaseError> {
        let encryption = self.encryption;
        let readable = self.readable();
        let dropped = self.run("drop a person's mails", |connection| {
            let mut rows = outbox_mails::table
                .select((outbox_mails::id, outbox_mails::sealed))
                .into_boxed();
            if let ErasureScope::IdeasOf(owner) = scope {
                rows = rows.filter(outbox_mails::sender_id.eq(owner.to_string()));
            }
            let rows: Vec<(String, Vec<u8>)> = rows.load(connection)?;
            let mut theirs = Vec::new();
            for (id, sealed) in rows {
                let mail = stored::parsed("mail id", &id)?;
                let opened = encryption.open_with_master(MasterSealed::Mail(mail), &sealed);
                let opened = opened.map_err(QueryError::Decryption);
                let opened = readable.unless_damaged(connection, ("email", &id), opened)?;
                let opened = opened.and_then(|bytes| parse_mail(&bytes).ok());
                if opened.is_some_and(|mail| mail.to() == to) {
                    theirs.push(id);
                }
            }
            let theirs = outbox_mails::table.filter(outbox_mails::id.eq_any(theirs));
            Ok(diesel::delete(theirs).execute(connection)?)
        })?;
        self.effects.erased |= dropped > 0;
        Ok(dropped)
    }

    fn applications_of(&mut self, email: &Email) -> Result<usize, DatabaseError> {
        self.run("find a person's applications", |connection| {
            let waiting: i64 = waitlist::table
                .filter(waitlist::email.eq(email.as_str()))
                .count()
                .get_result(connection)?;
            let invited: i64 = invitations::table
                .filter(invitations::email.eq(email.as_str()))
                .count()
                .get_result(connection)?;
            Ok(usize::try_from(waiting + invited).unwrap_or_default())
        })
    }

    fn erase_applications(&mut self, email: &Email) -> Result<usize, DatabaseError> {
        let erased = self.run("erase a person's applications", |connection| {
            let waiting = waitlist::table.filter(waitlist::email.eq(email.as_str()));
            let invited = invitations::table.filter(invitations::email.eq(email.as_str()));
            let waiting = diesel::delete(waiting).execute(connection)?;
            Ok(waiting + diesel::delete(invited).execute(connection)?)
        })?;
        self.effects.erased |= erased > 0;
        Ok(erased)
    }

    fn drop_mails_of_account(&mut self, sender: UserId) -> Result<(), DatabaseError> {
        self.run("drop an account's mails", |connection| {
            let sent = outbox_mails::sender_id.eq(sender.to_string());
            diesel::delete(outbox_mails::table.filter(sent)).execute(connection)?;
            let readers: Vec<String> = recipients::table
                .inner_join(shares::table.on(shares::id.eq(recipients::share_id)))
                .inner_join(ideas::table.on(ideas::id.eq(shares::idea_id)))
                .filter(ideas::owner_id.eq(sender.to_string()))
                .select(recipients::id)
                .load(connection)?;
            for readers in readers.chunks(500) {
                let to_them = outbox_mails::recipient_id.eq_any(readers);
                diesel::delete(outbox_mails::table.filter(to_them)).execute(connection)?;
            }
            Ok(())
        })?;
        self.effects.erased = true;
        Ok(())
    }
}

/// Registrations with the evidence keys and owners of their ideas, and with acceptances.
#[auto_type]
fn erasable_rows() -> _ {
    recipients::table
        .inner_join(shares::table.on(shares::id.eq(recipients::share_id)))
        .inner_join(idea_keys::table.on(idea_keys::idea_id.eq(shares::idea_id)))
        .inner_join(ideas::table.on(ideas::id.eq(shares::idea_id)))
        .left_join(nda_acceptances::table.on(nda_acceptances::recipient_id.eq(recipients::id)))
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = recipients)]
struct ErasableRow {
    id: String,
    share_id: String,
    details: Vec<u8>,
    erased_at: Option<Time>,
    agreement_erased: bool,
    #[diesel(select_expression = nda_acceptances::recipient_id.nullable())]
    accepted: Option<String>,
    #[diesel(embed)]
    key: EvidenceKeyRow,
    #[diesel(embed)]
    owner: OwnerRow,
}

impl ErasableRow {
    fn into_registration<'v>(
        self,
        connection: &mut Connection,
        encryption: &'v dyn Encryption,
        readable: &Readable<'_>,
        ciphers: &mut Ciphers<'v>,
    ) -> QueryResult<ErasableRegistration> {
        let idea = self.key.idea();
        let details = ciphers
            .of(encryption, self.key, &self.owner)
            .and_then(|cipher| RecipientDetails::open(cipher, &self.id, &self.details));
        let details = readable.unless_damaged(connection, ("registration", &self.id), details)?;
        // A kept agreement still names the person.
        let email = details.map(|details| match details.kept_party {
            Some(party) => party.email,
            None => details.email,
        });
        Ok(ErasableRegistration {
            recipient: stored::parsed("recipient id", &self.id)?,
            share: stored::parsed("share id", &self.share_id)?,
            idea: idea.into(),
            email: email.map(Email::from_stored),
            has_accepted: self.accepted.is_some(),
            erasure: Erasure {
                person_at: self.erased_at.map(Into::into),
                agreement: self.agreement_erased,
            },
        })
    }
}

/// Unwrapped evidence keys, by idea.
#[derive(Default)]
struct Ciphers<'v>(HashMap<i64, Cipher<'v>>);

impl<'v> Ciphers<'v> {
    fn of(
        &mut self,
        encryption: &'v dyn Encryption,
        key: EvidenceKeyRow,
        owner: &OwnerRow,
    ) -> QueryResult<&Cipher<'v>> {
        Ok(match self.0.entry(key.idea()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(key.into_cipher(encryption, owner)?),
        })
    }
}

fn erased(details: RecipientDetails, keeps_agreement: bool) -> RecipientDetails {
    let RecipientDetails {
        name,
        email,
        idea_title,
        sharer,
        kept_party,
        ..
    } = details;
    let party = kept_party.unwrap_or(KeptParty { name, email });
    RecipientDetails {
        name: ERASED_NAME.to_owned(),
        email: ERASED_EMAIL.to_owned(),
        phone: None,
        idea_title,
        // The text is gone, so that nobody needs to be named.
        sharer: match keeps_agreement {
            true => sharer,
            false => ERASED_NAME.to_owned(),
        },
        kept_party: keeps_agreement.then_some(party),
    }
}

/// The stored details of an acceptance.
enum Acceptance {
    Absent,
    Damaged,
    Readable(AcceptanceDetails),
}

fn acceptance(
    connection: &mut Connection,
    readable: &Readable<'_>,
    cipher: &Cipher<'_>,
    id: &str,
) -> QueryResult<Acceptance> {
    let sealed: Option<Vec<u8>> = nda_acceptances::table
        .find(id)
        .select(nda_acceptances::details)
        .first(connection)
        .optional()?;
    let Some(sealed) = sealed else {
        return Ok(Acceptance::Absent);
    };
    let details = AcceptanceDetails::open(cipher, id, &sealed);
    let details = readable.unless_damaged(connection, ("acceptance", id), details)?;
    Ok(details.map_or(Acceptance::Damaged, Acceptance::Readable))
}

fn erase_acceptance(
    connection: &mut Connection,
    cipher: &Cipher<'_>,
    id: &str,
    acceptance: Acceptance,
    with_agreement: bool,
) -> QueryResult<()> {
    let mut details = match acceptance {
        Acceptance::Absent => return Ok(()),
        Acceptance::Damaged => AcceptanceDetails::erased(),
        Acceptance::Readable(details) => details,
    };
    details.erase(with_agreement);
    diesel::update(nda_acceptances::table.find(id))
        .set(nda_acceptances::details.eq(details.seal(cipher, id)?))
        .execute(connection)?;
    Ok(())
}

/// Puts a placeholder in place of the author of the person's comments, withdrawn ones too.
fn erase_authorship(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    readable: &Readable<'_>,
    recipient: &str,
) -> QueryResult<()> {
    let rows: Vec<(String, i64, Vec<u8>)> = comments::table
        .filter(comments::recipient_id.eq(recipient))
        .order(comments::seq)
        .select((comments::id, comments::idea_id, comments::sealed))
        .load(connection)?;
    for (id, idea, sealed) in rows {
        let cipher = content_cipher(connection, encryption, idea);
        let cipher =
            readable.unless_damaged(connection, ("key of idea", &idea.to_string()), cipher)?;
        let sealed = match cipher {
            Some(Some(cipher)) => {
                let remark = Remark::open(&cipher, &id, &sealed);
                let remark = readable.unless_damaged(connection, ("comment", &id), remark)?;
                let remark = Remark {
                    author: ERASED_NAME.to_owned(),
                    ..remark.unwrap_or_else(Remark::erased)
                };
                remark.seal(&cipher, &id)?
            }
            // Destroyed: nobody can read it any more.
            Some(None) => continue,
            // Damaged: who has the key in a backup must not read it either.
            None => Vec::new(),
        };
        diesel::update(comments::table.filter(comments::id.eq(&id)))
            .set(comments::sealed.eq(sealed))
            .execute(connection)?;
    }
    Ok(())
}

fn erase_disclosures(
    connection: &mut Connection,
    idea: i64,
    recipient: &str,
    keeps_agreement: bool,
) -> QueryResult<()> {
    // Only events of an idea have an index.
    let events: Vec<(i64, String)> = evidence_events::table
        .filter(evidence_events::idea_id.eq(idea))
        .filter(evidence_events::recipient_id.eq(recipient))
        .select((evidence_events::seq, evidence_events::body))
        .load(connection)?;
    for (event, body) in events {
        let body = EventBody::parse(&body);
        let names: Vec<&str> = ["person", "origin", "terms", "comment", "file"]
            .into_iter()
            .filter(|name| {
                names_reader(name, body.as_ref()) && !(keeps_agreement && *name == "terms")
            })
            .collect();
        diesel::delete(
            evidence_disclosures::table
                .filter(evidence_disclosures::event.eq(event))
                .filter(evidence_disclosures::name.eq_any(names)),
        )
        .execute(connection)?;
    }
    Ok(())
}
