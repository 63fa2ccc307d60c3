//! What happened on the links of an idea, put together from the rows that say so.

use std::collections::HashMap;

use diesel::prelude::{
    ExpressionMethods, JoinOnDsl, QueryDsl, QueryResult, RunQueryDsl, SelectableHelper,
};

use ideavault_domain::Timestamp;
use ideavault_domain::activity::{Activity, ActivityEvent};
use ideavault_domain::ids::IdeaId;
use ideavault_domain::ports::Vault;
use ideavault_domain::recipient::Recipient;
use ideavault_domain::share::ShareType;

use super::Connection;
use super::rows::{AcceptanceRow, GrantRow, RecipientRow};
use super::schema::{nda_acceptances, recipients, shares, view_grants};
use super::seals::evidence_seal;
use crate::stored;

/// A recipient, and on what kind of link.
struct Party {
    recipient: Recipient,
    share_type: ShareType,
}

impl Party {
    fn did(&self, at: Timestamp, event: ActivityEvent) -> Activity {
        let Recipient {
            id,
            share,
            name,
            email,
            phone,
            identity,
            ..
        } = &self.recipient;
        Activity {
            at,
            share: *share,
            share_type: self.share_type,
            recipient: *id,
            name: name.clone(),
            email: email.clone(),
            phone: phone.clone(),
            identity: *identity,
            event,
        }
    }
}

/// Newest first.
pub(super) fn activity_of(
    connection: &mut Connection,
    vault: &dyn Vault,
    idea: IdeaId,
) -> QueryResult<Vec<Activity>> {
    let seal = evidence_seal(connection, vault, idea.as_i64())?;
    let registered: Vec<(RecipientRow, String, Option<AcceptanceRow>)> = recipients::table
        .inner_join(shares::table.on(shares::id.eq(recipients::share_id)))
        .left_join(nda_acceptances::table.on(nda_acceptances::recipient_id.eq(recipients::id)))
        .filter(shares::idea_id.eq(idea.as_i64()))
        .order((recipients::created_at, recipients::seq))
        .select((
            RecipientRow::as_select(),
            shares::share_type,
            Option::<AcceptanceRow>::as_select(),
        ))
        .load(connection)?;
    let viewed: Vec<GrantRow> = view_grants::table
        .inner_join(recipients::table.on(recipients::id.eq(view_grants::recipient_id)))
        .inner_join(shares::table.on(shares::id.eq(recipients::share_id)))
        .filter(shares::idea_id.eq(idea.as_i64()))
        .order((view_grants::granted_at, view_grants::seq))
        .select(GrantRow::as_select())
        .load(connection)?;

    let mut parties = HashMap::with_capacity(registered.len());
    let mut activity = Vec::with_capacity(registered.len() * 2 + viewed.len());
    for (recipient, share_type, acceptance) in registered {
        let party = Party {
            recipient: recipient.into_recipient(&seal, idea.as_i64())?,
            share_type: stored::share_type(&share_type)?,
        };
        activity.push(party.did(party.recipient.created_at, ActivityEvent::Registered));
        if let Some(row) = acceptance {
            let acceptance = row.into_acceptance(&seal)?;
            activity.push(party.did(
                acceptance.accepted_at,
                ActivityEvent::Agreed {
                    nda_version: acceptance.nda_version,
                    nda_sha256: acceptance.nda_sha256,
                    revision_sha256: acceptance.revision_sha256,
                    identity: acceptance.identity,
                    origin: acceptance.origin,
                },
            ));
        }
        if let Some(at) = party.recipient.closed_at {
            activity.push(party.did(at, ActivityEvent::Closed));
        }
        parties.insert(party.recipient.id, party);
    }
    for row in viewed {
        let grant = row.into_grant()?;
        let party = stored::promised("recipient of a view", parties.get(&grant.recipient))?;
        activity.push(party.did(
            grant.granted_at,
            ActivityEvent::Viewed {
                revision_sha256: grant.revision_sha256,
                ends_at: grant.ends_at,
            },
        ));
    }
    // Stable, so that what happened within one microsecond keeps its order too.
    activity.sort_by_key(|entry| (entry.at, step(&entry.event)));
    activity.reverse();
    Ok(activity)
}

/// In which order a recipient's steps come.
fn step(event: &ActivityEvent) -> u8 {
    match event {
        ActivityEvent::Registered => 0,
        ActivityEvent::Agreed { .. } => 1,
        ActivityEvent::Viewed { .. } => 2,
        ActivityEvent::Closed => 3,
    }
}
