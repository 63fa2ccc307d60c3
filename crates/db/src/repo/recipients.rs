//! Recipients of links: registrations, acceptances, and the browsers that hold them.

use diesel::dsl::{exists, not};
use diesel::prelude::{
    ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl, RunQueryDsl, SelectableHelper,
};
use thiserror::Error;

use ideavault_domain::Timestamp;
use ideavault_domain::activity::Activity;
use ideavault_domain::ids::{IdeaId, RecipientId, ShareId, UserId, ViewerSessionId};
use ideavault_domain::page::{Page, Paging};
use ideavault_domain::ports::{
    BrowserRegistrations, DatabaseError, FoundGate, GateQuery, RecipientWithShare, Recipients,
};
use ideavault_domain::reader::{Reader, ReaderScope};
use ideavault_domain::recipient::{Ending, Identity, NdaAcceptance, Recipient, ViewerSession};
use ideavault_domain::text::DeclineReason;
use ideavault_domain::token::TokenHash;

use super::activity::{activity_for_owner, activity_of};
use super::addresses::{AddressHash, address_hash};
use super::cipher::{Cipher, evidence_cipher, evidence_cipher_of_account};
use super::erased::lock_recipient;
use super::gate_query::{ViewerRow, find_gate, find_gates, find_registration};
use super::readers::readers_of;
use super::rows::{RecipientRow, decline_reason_aad};
use super::schema::{
    declined_recipients, nda_acceptances, recipients, shares, view_grants, viewer_sessions,
};
use super::sealed::{AcceptanceDetails, RecipientDetails, Sealable as _};
use super::{Connection, Repository, folding};
use crate::error::{QueryError, QueryResult, added_once};
use crate::holding::holds_until;
use crate::stored::{self, Time};

/// The agreement could not be reproduced from the stored recipient and share.
#[derive(Debug, Error)]
#[error("the agreement names another recipient or another idea")]
struct ForeignAgreement;

impl Recipients for Repository<'_> {
    fn add_viewer_session(&mut self, session: &ViewerSession) -> Result<(), DatabaseError> {
        self.run("add a viewer session", |connection| {
            let added = diesel::insert_into(viewer_sessions::table)
                .values((
                    viewer_sessions::id.eq(session.id.to_string()),
                    viewer_sessions::key_hash.eq(session.key_hash.as_bytes().as_slice()),
                    viewer_sessions::created_at.eq(session.created_at),
                    viewer_sessions::replaces.eq(session.replaces.map(|id| id.to_string())),
                    viewer_sessions::browser_id.eq(session.browser.to_string()),
                ))
                .on_conflict(viewer_sessions::key_hash)
                .do_nothing()
                .execute(connection)?;
            added_once(added)
        })
    }

    fn viewer_session(&mut self, key: &TokenHash) -> Result<Option<ViewerSession>, DatabaseError> {
        self.run("read a viewer session", |connection| {
            viewer_sessions::table
                .filter(viewer_sessions::key_hash.eq(key.as_bytes().as_slice()))
                .filter(viewer_sessions::replaced_at.is_null())
                .select(ViewerRow::as_select())
                .first(connection)
                .optional()?
                .map(|row: ViewerRow| row.into_session(key))
                .transpose()
        })
    }

    fn browser_of(&mut self, key: &TokenHash) -> Result<Option<ViewerSessionId>, DatabaseError> {
        self.run("read a browser", |connection| {
            let browser: Option<String> = viewer_sessions::table
                .filter(viewer_sessions::key_hash.eq(key.as_bytes().as_slice()))
                .select(viewer_sessions::browser_id)
                .first(connection)
                .optional()?;
            browser
                .map(|id| stored::parsed("viewer session id", &id))
                .transpose()
        })
    }

    fn replace_viewer_session(
        &mut self,
        session: &ViewerSession,
        at: Timestamp,
    ) -> Result<(), DatabaseError> {
        let Some(former) = session.replaces else {
            return Ok(());
        };
        self.run("take over a viewer session", |connection| {
            let (id, former) = (session.id.to_string(), former.to_string());
            // Of several new keys, the one that is used first wins.
            let not_taken = viewer_sessions::table
                .find(&former)
                .filter(viewer_sessions::replaced_at.is_null());
            let taken = diesel::update(not_taken)
                .set(viewer_sessions::replaced_at.eq(at))
                .execute(connection)?;
            if taken == 1 {
                move_registrations(connection, &former, &id, at)?;
            }
            diesel::update(viewer_sessions::table.find(&id))
                .set(viewer_sessions::replaces.eq(None::<String>))
                .execute(connection)?;
            Ok(())
        })
    }

    fn move_recipient(
        &mut self,
        id: RecipientId,
        from: ViewerSessionId,
        to: ViewerSessionId,
    ) -> Result<bool, DatabaseError> {
        self.run("move a recipient", |connection| {
            let open = recipients::table
                .find(id.to_string())
                .filter(recipients::viewer_session_id.eq(from.to_string()))
                .filter(recipients::closed_at.is_null());
            let moved = diesel::update(open)
                .set(recipients::viewer_session_id.eq(to.to_string()))
                .execute(connection)?;
            Ok(moved == 1)
        })
    }

    fn add_recipient(&mut self, recipient: &Recipient) -> Result<(), DatabaseError> {
        let encryption = self.encryption;
        self.run("add a recipient", |connection| {
            let idea = check_agreement(connection, recipient)?;
            let cipher = evidence_cipher_of_account(connection, encryption, idea)?;
            let address = match recipient.identity {
                Identity::SelfDeclared => None,
                Identity::EmailConfirmed { .. } => {
                    Some(address_hash(connection, encryption, &recipient.email)?)
                }
            };
            insert_recipient(connection, &cipher, recipient, address)
        })
    }

    fn registration(
        &mut self,
        id: RecipientId,
    ) -> Result<Option<RecipientWithShare>, DatabaseError> {
        let encryption = self.encryption;
        self.run("read a registration", |connection| {
            find_registration(connection, encryption, id)
        })
    }

    fn find_gate(&mut self, query: &GateQuery<'_>) -> Result<Option<FoundGate>, DatabaseError> {
        let encryption = self.encryption;
        self.run("find what a browser meets at a link", |connection| {
            find_gate(connection, encryption, query)
        })
    }

    fn browser_registrations(
        &mut self,
        key: &TokenHash,
        now: Timestamp,
    ) -> Result<Option<BrowserRegistrations>, DatabaseError> {
        let encryption = self.encryption;
        let readable = self.readable();
        let (viewer, open) = self.run("list registrations", |connection| {
            find_gates(connection, encryption, &readable, key, now)
        })?;
        let viewer = match viewer {
            Some(viewer) => Some(viewer),
            None => self.viewer_session(key)?,
        };
        if let Some(viewer) = &viewer {
            holds_until(viewer.ends_at());
        }
        Ok(viewer.map(|viewer| BrowserRegistrations { viewer, open }))
    }

    fn end_recipient(
        &mut self,
        id: RecipientId,
        viewer: ViewerSessionId,
        ending: Ending,
        at: Timestamp,
    ) -> Result<bool, DatabaseError> {
        self.run("end a registration", |connection| {
            let open = recipients::table
                .find(id.to_string())
                .filter(recipients::viewer_session_id.eq(viewer.to_string()))
                .filter(recipients::closed_at.is_null());
            let ended = diesel::update(open)
                .set((
                    recipients::closed_at.eq(at),
                    recipients::end_reason.eq(ending.as_str()),
                ))
                .execute(connection)?;
            if ended == 1 && ending == Ending::Declined {
                folding::advance(connection, &id.to_string())?;
            }
            Ok(ended == 1)
        })
    }

    fn decline_closed(
        &mut self,
        id: RecipientId,
        viewer: ViewerSessionId,
    ) -> Result<bool, DatabaseError> {
        self.run("decline a closed registration", |connection| {
            let accepted =
                nda_acceptances::table.filter(nda_acceptances::recipient_id.eq(recipients::id));
            let closed = recipients::table
                .find(id.to_string())
                .filter(recipients::viewer_session_id.eq(viewer.to_string()))
                .filter(recipients::end_reason.eq(Ending::Closed.as_str()))
                .filter(not(exists(accepted)));
            let declined = diesel::update(closed)
                .set(recipients::end_reason.eq(Ending::Declined.as_str()))
                .execute(connection)?;
            if declined == 1 {
                folding::advance(connection, &id.to_string())?;
            }
            Ok(declined == 1)
        })
    }

    fn add_decline_reason(
        &mut self,
        id: RecipientId,
        reason: &DeclineReason,
    ) -> Result<(), DatabaseError> {
        let encryption = self.encryption;
        self.run("add a reason for declining", |connection| {
            let id = id.to_string();
            let idea: i64 = recipients::table
                .inner_join(shares::table.on(shares::id.eq(recipients::share_id)))
                .filter(recipients::id.eq(&id))
                .select(shares::idea_id)
                .first(connection)?;
            let cipher = evidence_cipher(connection, encryption, idea)?;
            let sealed = cipher.encrypt(&decline_reason_aad(&id), reason.as_str())?;
            let declined = declined_recipients::table
                .find(&id)
                .filter(declined_recipients::end_reason.eq(Ending::Declined.as_str()))
                .filter(declined_recipients::decline_reason.is_null())
                .filter(declined_recipients::erased_at.is_null());
            diesel::update(declined)
                .set(declined_recipients::decline_reason.eq(sealed))
                .execute(connection)?;
            Ok(())
        })
    }

    fn reopen_recipient(
        &mut self,
        id: RecipientId,
        viewer: ViewerSessionId,
    ) -> Result<bool, DatabaseError> {
        self.run("open a registration again", |connection| {
            let accepted =
                nda_acceptances::table.filter(nda_acceptances::recipient_id.eq(recipients::id));
            let kept = recipients::table
                .find(id.to_string())
                .filter(recipients::erased_at.is_null())
                .filter(exists(accepted));
            let closed_at: Option<Time> = recipients::table
                .find(id.to_string())
                .select(recipients::closed_at)
                .first(connection)?;
            let opened = diesel::update(kept)
                .set((
                    recipients::viewer_session_id.eq(viewer.to_string()),
                    recipients::closed_at.eq(None::<Timestamp>),
                    recipients::end_reason.eq(None::<String>),
                ))
                .execute(connection)?;
            if let (1, Some(closed_at)) = (opened, closed_at.map(Timestamp::from)) {
                // Closing has ended it: what follows is another view.
                let running = view_grants::table
                    .filter(view_grants::recipient_id.eq(id.to_string()))
                    .filter(view_grants::ends_at.gt(closed_at));
                diesel::update(running)
                    .set(view_grants::ends_at.eq(closed_at))
                    .execute(connection)?;
            }
            Ok(opened == 1)
        })
    }

    fn confirmed_acceptances(
        &mut self,
        share: ShareId,
        most: i64,
    ) -> Result<Vec<Recipient>, DatabaseError> {
        let encryption = self.encryption;
        let readable = self.readable();
        self.run("list confirmed acceptances", |connection| {
            let share = share.to_string();
            let idea: i64 = shares::table
                .find(&share)
                .select(shares::idea_id)
                .first(connection)?;
            let rows: Vec<RecipientRow> = recipients::table
                .inner_join(
                    nda_acceptances::table.on(nda_acceptances::recipient_id.eq(recipients::id)),
                )
                .filter(recipients::share_id.eq(&share))
                .filter(recipients::email_confirmed_at.is_not_null())
                .filter(recipients::erased_at.is_null())
                .order((nda_acceptances::accepted_at.desc(), recipients::seq.desc()))
                .limit(most)
                .select(RecipientRow::as_select())
                .load(connection)?;
            let cipher = evidence_cipher(connection, encryption, idea)?;
            rows.into_iter()
                .filter_map(|row| {
                    let id = row.id.clone();
                    let read = row.into_recipient(&cipher, idea);
                    readable
                        .unless_damaged(connection, ("registration", &id), read)
                        .transpose()
                })
                .collect()
        })
    }

    fn add_acceptance(&mut self, acceptance: &NdaAcceptance) -> Result<bool, DatabaseError> {
        let encryption = self.encryption;
        self.run("add an acceptance", |connection| {
            let id = acceptance.recipient.to_string();
            let idea: i64 = shares::table
                .find(acceptance.share.to_string())
                .select(shares::idea_id)
                .first(connection)?;
            let cipher = evidence_cipher(connection, encryption, idea)?;
            let mut details = AcceptanceDetails {
                nda_sha256: acceptance.nda_sha256.to_string(),
                revision_sha256: acceptance.revision_sha256.to_string(),
                ip: acceptance.origin.as_ref().map(|origin| origin.ip),
                user_agent: acceptance
                    .origin
                    .as_ref()
                    .and_then(|origin| origin.user_agent.clone()),
            };
            // The person may have been erased since the registration was read.
            if lock_recipient(connection, &id)? {
                details.erase(true);
            }
            let added = diesel::insert_into(nda_acceptances::table)
                .values((
                    nda_acceptances::recipient_id.eq(&id),
                    nda_acceptances::share_id.eq(acceptance.share.to_string()),
                    nda_acceptances::nda_version.eq(acceptance.nda_version.as_str()),
                    nda_acceptances::revision.eq(acceptance.revision),
                    nda_acceptances::accepted_at.eq(acceptance.accepted_at),
                    nda_acceptances::details.eq(details.seal(&cipher, &id)?),
                    nda_acceptances::email_confirmed_at.eq(acceptance.identity.confirmed_at()),
                ))
                .on_conflict(nda_acceptances::recipient_id)
                .do_nothing()
                .execute(connection)?;
            folding::advance(connection, &id)?;
            Ok(added == 1)
        })
    }

    fn activity_of(
        &mut self,
        idea: IdeaId,
        paging: Paging,
    ) -> Result<Page<Activity>, DatabaseError> {
        let encryption = self.encryption;
        let readable = self.readable();
        self.run("list activity", |connection| {
            activity_of(connection, encryption, &readable, idea, paging)
        })
    }

    fn activity_for_owner(
        &mut self,
        owner: UserId,
        idea: IdeaId,
        paging: Paging,
    ) -> Result<Page<Activity>, DatabaseError> {
        let encryption = self.encryption;
        let readable = self.readable();
        self.run("list the activity on an own idea", |connection| {
            activity_for_owner(connection, encryption, &readable, (owner, idea), paging)
        })
    }

    fn readers_of(
        &mut self,
        owner: UserId,
        scope: &ReaderScope,
        most: usize,
    ) -> Result<Option<Vec<Reader>>, DatabaseError> {
        let encryption = self.encryption;
        let readable = self.readable();
        self.run("list readers", |connection| {
            readers_of(connection, encryption, &readable, owner, scope, most)
        })
    }
}

/// Checks the agreement against the recipient and the share, and returns the idea. The
/// parties and the idea are stored only there, so that an agreement that names others
/// would be read back as another text.
fn check_agreement(connection: &mut Connection, recipient: &Recipient) -> QueryResult<i64> {
    let idea: i64 = shares::table
        .find(recipient.share.to_string())
        .select(shares::idea_id)
        .first(connection)?;
    let agreement = &recipient.agreement;
    if agreement.idea.as_i64() == idea
        && agreement.recipient == recipient.name
        && agreement.recipient_email == recipient.email
    {
        Ok(idea)
    } else {
        Err(QueryError::NotStorable(Box::new(ForeignAgreement)))
    }
}

fn insert_recipient(
    connection: &mut Connection,
    cipher: &Cipher<'_>,
    recipient: &Recipient,
    address: Option<AddressHash>,
) -> QueryResult<()> {
    let agreement = &recipient.agreement;
    let id = recipient.id.to_string();
    let details = RecipientDetails {
        name: recipient.name.to_string(),
        email: recipient.email.to_string(),
        phone: recipient
            .phone
            .as_ref()
            .map(|phone| phone.as_str().to_owned()),
        idea_title: agreement.idea_title.to_string(),
        sharer: agreement.sharer.to_string(),
        kept_party: None,
    };
    let document_id = agreement.document_id.as_ref().map(|id| id.as_str());
    let confirmed_at = recipient.identity.confirmed_at();
    let folding = match confirmed_at {
        Some(_) => folding::ADVANCED,
        None => folding::of_new(connection, &recipient.share.to_string())?,
    };
    diesel::insert_into(recipients::table)
        .values((
            recipients::id.eq(&id),
            recipients::viewer_session_id.eq(recipient.viewer_session.to_string()),
            recipients::share_id.eq(recipient.share.to_string()),
            recipients::details.eq(details.seal(cipher, &id)?),
            recipients::agreement_version.eq(agreement.version.as_str()),
            recipients::document_id.eq(document_id),
            recipients::offered_at.eq(agreement.offered_at),
            recipients::created_at.eq(recipient.created_at),
            recipients::closed_at.eq(recipient.closed_at),
            recipients::email_confirmed_at.eq(confirmed_at),
            recipients::folding.eq(folding),
            recipients::address_hash.eq(address),
        ))
        .execute(connection)?;
    Ok(())
}

/// Moves a browser's registrations from one viewer session to another. If both have an
/// open registration on a share, the older one ends.
fn move_registrations(
    connection: &mut Connection,
    from: &str,
    to: &str,
    at: Timestamp,
) -> QueryResult<()> {
    let registered_anew: Vec<String> = recipients::table
        .filter(recipients::viewer_session_id.eq(to))
        .filter(recipients::closed_at.is_null())
        .select(recipients::share_id)
        .load(connection)?;
    let former = recipients::table
        .filter(recipients::viewer_session_id.eq(from))
        .filter(recipients::closed_at.is_null())
        .filter(recipients::share_id.eq_any(registered_anew));
    diesel::update(former)
        .set((
            recipients::closed_at.eq(at),
            recipients::end_reason.eq(Ending::Replaced.as_str()),
        ))
        .execute(connection)?;
    diesel::update(recipients::table.filter(recipients::viewer_session_id.eq(from)))
        .set(recipients::viewer_session_id.eq(to))
        .execute(connection)?;
    Ok(())
}
