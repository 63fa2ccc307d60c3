//! Reads the history of an idea from all tables except those of the log.

use diesel::dsl::exists;
use diesel::prelude::{ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl, RunQueryDsl};

use ideavault_domain::evidence::{EventKind, EventSubject, Fact};
use ideavault_domain::ids::{IdeaId, ViewGrantId};
use ideavault_domain::recipient::Ending;

use super::Connection;
use super::schema::{comments, ideas, nda_acceptances, recipients, shares, view_grants};
use crate::error::QueryResult;
use crate::stored::{self, Time};

/// Returns what must be on record.
pub(super) fn facts_of(connection: &mut Connection, idea: i64) -> QueryResult<Vec<Fact>> {
    let found: Option<(Option<Time>, Option<Time>, i32)> = ideas::table
        .filter(ideas::id.eq(idea))
        .select((ideas::published_at, ideas::deleted_at, ideas::revision))
        .first(connection)
        .optional()?;
    let Some((published_at, deleted_at, revision)) = found else {
        return Ok(Vec::new());
    };
    let mut facts = Facts {
        idea: idea.into(),
        list: Vec::new(),
    };
    if let Some(at) = published_at {
        let subject = EventSubject {
            revision: Some(revision),
            ..EventSubject::default()
        };
        let id = idea.to_string();
        facts.add("ideas", id, EventKind::IdeaPublished, at, subject);
    }
    if let Some(at) = deleted_at {
        let subject = EventSubject::default();
        let id = idea.to_string();
        facts.add("ideas", id, EventKind::IdeaDeleted, at, subject);
    }
    add_shares(connection, &mut facts)?;
    add_recipients(connection, &mut facts)?;
    add_acceptances(connection, &mut facts)?;
    add_views(connection, &mut facts)?;
    add_comments(connection, &mut facts)?;
    Ok(facts.list)
}

struct Facts {
    idea: IdeaId,
    list: Vec<Fact>,
}

impl Facts {
    fn add(
        &mut self,
        table: &'static str,
        id: String,
        kind: EventKind,
        at: Time,
        subject: EventSubject,
    ) {
        self.add_in_view(table, id, kind, at, subject, None);
    }

    fn add_in_view(
        &mut self,
        table: &'static str,
        id: String,
        kind: EventKind,
        at: Time,
        subject: EventSubject,
        view: Option<ViewGrantId>,
    ) {
        let mut fact = Fact::new(table, id, kind, at.into(), self.idea);
        fact.subject = EventSubject {
            idea: Some(self.idea),
            ..subject
        };
        fact.view = view;
        self.list.push(fact);
    }
}

fn add_shares(connection: &mut Connection, facts: &mut Facts) -> QueryResult<()> {
    let rows: Vec<(String, Time, Option<Time>)> = shares::table
        .filter(shares::idea_id.eq(facts.idea.as_i64()))
        .select((shares::id, shares::created_at, shares::revoked_at))
        .load(connection)?;
    for (id, created_at, revoked_at) in rows {
        let subject = EventSubject {
            share: Some(stored::parsed("share id", &id)?),
            ..EventSubject::default()
        };
        let kind = EventKind::ShareCreated;
        facts.add("shares", id.clone(), kind, created_at, subject);
        if let Some(at) = revoked_at {
            facts.add("shares", id, EventKind::ShareRevoked, at, subject);
        }
    }
    Ok(())
}

fn add_recipients(connection: &mut Connection, facts: &mut Facts) -> QueryResult<()> {
    type Row = (
        String,
        String,
        Time,
        Option<Time>,
        Option<Time>,
        Option<String>,
        bool,
    );
    let rows: Vec<Row> = recipients::table
        .inner_join(shares::table.on(shares::id.eq(recipients::share_id)))
        .filter(shares::idea_id.eq(facts.idea.as_i64()))
        .select((
            recipients::id,
            recipients::share_id,
            recipients::created_at,
            recipients::email_confirmed_at,
            recipients::closed_at,
            recipients::end_reason,
            exists(view_grants::table.filter(view_grants::recipient_id.eq(recipients::id))),
        ))
        .order(recipients::seq)
        .load(connection)?;
    for (id, share, created_at, confirmed_at, closed_at, end_reason, has_viewed) in rows {
        let subject = of_recipient(&share, &id)?;
        let kind = EventKind::AgreementOffered;
        facts.add("recipients", id.clone(), kind, created_at, subject);
        if let Some(at) = confirmed_at {
            let kind = EventKind::EmailConfirmed;
            facts.add("recipients", id.clone(), kind, at, subject);
        }
        let ending = match end_reason.as_deref() {
            // A reader who was shown nothing closed nothing.
            Some(reason) if reason == Ending::Closed.as_str() && has_viewed => {
                EventKind::VisitClosed
            }
            Some(reason) if reason == Ending::Declined.as_str() => EventKind::AgreementDeclined,
            _ => continue,
        };
        if let Some(at) = closed_at {
            facts.add("recipients", id, ending, at, subject);
        }
    }
    Ok(())
}

fn add_acceptances(connection: &mut Connection, facts: &mut Facts) -> QueryResult<()> {
    // By way of the recipients, which have an index by link.
    let rows: Vec<(String, String, i32, Time)> = nda_acceptances::table
        .inner_join(recipients::table.on(recipients::id.eq(nda_acceptances::recipient_id)))
        .inner_join(shares::table.on(shares::id.eq(recipients::share_id)))
        .filter(shares::idea_id.eq(facts.idea.as_i64()))
        .select((
            nda_acceptances::recipient_id,
            nda_acceptances::share_id,
            nda_acceptances::revision,
            nda_acceptances::accepted_at,
        ))
        .order((nda_acceptances::accepted_at, nda_acceptances::recipient_id))
        .load(connection)?;
    for (id, share, revision, at) in rows {
        let subject = EventSubject {
            revision: Some(revision),
            ..of_recipient(&share, &id)?
        };
        let kind = EventKind::AgreementAccepted;
        facts.add("nda_acceptances", id, kind, at, subject);
    }
    Ok(())
}

fn add_views(connection: &mut Connection, facts: &mut Facts) -> QueryResult<()> {
    let rows: Vec<(String, String, String, i32, Time)> = view_grants::table
        .inner_join(shares::table.on(shares::id.eq(view_grants::share_id)))
        .filter(shares::idea_id.eq(facts.idea.as_i64()))
        .select((
            view_grants::id,
            view_grants::share_id,
            view_grants::recipient_id,
            view_grants::revision,
            view_grants::granted_at,
        ))
        .order(view_grants::seq)
        .load(connection)?;
    for (id, share, recipient, revision, at) in rows {
        let subject = EventSubject {
            revision: Some(revision),
            ..of_recipient(&share, &recipient)?
        };
        let view = Some(stored::parsed("view id", &id)?);
        facts.add_in_view("view_grants", id, EventKind::ViewStarted, at, subject, view);
    }
    Ok(())
}

fn add_comments(connection: &mut Connection, facts: &mut Facts) -> QueryResult<()> {
    type Row = (
        String,
        Option<String>,
        Option<String>,
        Time,
        Option<Time>,
        Option<Time>,
    );
    let rows: Vec<Row> = comments::table
        .filter(comments::idea_id.eq(facts.idea.as_i64()))
        .select((
            comments::id,
            comments::share_id,
            comments::recipient_id,
            comments::created_at,
            comments::edited_at,
            comments::withdrawn_at,
        ))
        .order(comments::seq)
        .load(connection)?;
    for (id, share, recipient, created_at, edited_at, withdrawn_at) in rows {
        let share = share.map(|id| stored::parsed("share id", &id));
        let recipient = recipient.map(|id| stored::parsed("recipient id", &id));
        let subject = EventSubject {
            share: share.transpose()?,
            recipient: recipient.transpose()?,
            comment: Some(stored::parsed("comment id", &id)?),
            ..EventSubject::default()
        };
        for (kind, at) in [
            (EventKind::CommentAdded, Some(created_at)),
            (EventKind::CommentChanged, edited_at),
            (EventKind::CommentWithdrawn, withdrawn_at),
        ] {
            if let Some(at) = at {
                facts.add("comments", id.clone(), kind, at, subject);
            }
        }
    }
    Ok(())
}

fn of_recipient(share: &str, recipient: &str) -> QueryResult<EventSubject> {
    Ok(EventSubject {
        share: Some(stored::parsed("share id", share)?),
        recipient: Some(stored::parsed("recipient id", recipient)?),
        ..EventSubject::default()
    })
}
