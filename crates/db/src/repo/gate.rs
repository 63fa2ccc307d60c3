//! Loads the gate of a link for one browser in a single query.

use diesel::dsl::{case_when, exists};
use diesel::prelude::{
    BoolExpressionMethods, ExpressionMethods, IntoSql as _, JoinOnDsl, NullableExpressionMethods,
    OptionalExtension, QueryDsl, Queryable, RunQueryDsl, Selectable, SelectableHelper,
    TextExpressionMethods as _,
};
use diesel::sql_types::Text;

use ideavault_domain::evidence::DELIVERED_AGREEMENT;
use ideavault_domain::gate::RecipientProgress;
use ideavault_domain::idea::DisclosedIdea;
use ideavault_domain::ports::{Encryption, FoundGate, GateQuery};
use ideavault_domain::recipient::ViewerSession;
use ideavault_domain::share::ShareType;
use ideavault_domain::text::PersonName;
use ideavault_domain::token::TokenHash;

use super::Connection;
use super::guesses::reached;
use super::idea_rows::IdeaRow;
use super::revisions::open_content;
use super::rows::{
    AcceptanceRow, EvidenceKeyRow, GrantRow, OwnerRow, RecipientRow, ShareRow,
    newest_registration_first,
};
use super::schema::{
    evidence_events, guess_counts, idea_keys, idea_revisions, ideas, nda_acceptances, recipients,
    shares, users, view_grants, viewer_sessions,
};
use crate::at_once;
use crate::error::QueryResult;
use crate::stored::{self, Time};

/// A session of a browser, without its key.
#[derive(Queryable, Selectable)]
#[diesel(table_name = viewer_sessions)]
pub(super) struct ViewerRow {
    id: String,
    created_at: Time,
    replaces: Option<String>,
    browser_id: String,
}

impl ViewerRow {
    /// Parses the session with that key.
    pub(super) fn into_session(self, key: &TokenHash) -> QueryResult<ViewerSession> {
        Ok(ViewerSession {
            id: stored::parsed("viewer session id", &self.id)?,
            key_hash: *key,
            created_at: self.created_at.into(),
            replaces: self
                .replaces
                .map(|id| stored::parsed("viewer session id", &id))
                .transpose()?,
            browser: stored::parsed("viewer session id", &self.browser_id)?,
        })
    }
}

/// A revision of an idea, without its content.
#[derive(Queryable, Selectable)]
#[diesel(table_name = idea_revisions)]
struct CurrentRow {
    number: i32,
    content_kind: String,
    sha256: Vec<u8>,
}

/// Everything that [`find_gate`] reads, in the order of its selection.
#[derive(Queryable)]
struct GateRow {
    share: ShareRow,
    evidence_key: EvidenceKeyRow,
    owner: OwnerRow,
    idea: IdeaRow,
    content_key: Option<Vec<u8>>,
    current: CurrentRow,
    sharer: String,
    viewer: Option<ViewerRow>,
    recipient: Option<RecipientRow>,
    acceptance: Option<AcceptanceRow>,
    grant: Option<GrantRow>,
    /// Sealed; only during a view, and only if there is room for it.
    content: Option<Vec<u8>>,
    is_agreement_delivered: bool,
    is_limited: bool,
}

/// Finds what a browser meets at a link.
pub(super) fn find_gate(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    query: &GateQuery<'_>,
) -> QueryResult<Option<FoundGate>> {
    // No key is empty.
    let viewer = query
        .viewer
        .map_or_else(Vec::new, |key| key.as_bytes().to_vec());
    let is_viewer = viewer_sessions::key_hash
        .eq(viewer)
        .and(viewer_sessions::replaced_at.is_null());
    let is_own = recipients::viewer_session_id
        .eq(viewer_sessions::id)
        .and(recipients::share_id.eq(shares::id));
    let is_current = idea_revisions::idea_id
        .eq(ideas::id)
        .and(idea_revisions::number.eq(ideas::revision));
    let is_running = view_grants::ends_at.nullable().gt(query.now);
    let room = i64::try_from(at_once::room()).unwrap_or(i64::MAX);
    let content = case_when(
        is_running.and(idea_revisions::size.le(room)),
        idea_revisions::content,
    );
    let key = DELIVERED_AGREEMENT
        .into_sql::<Text>()
        .concat(recipients::id);
    let delivery = evidence_events::table.filter(evidence_events::once.eq(key.nullable()));
    let guesses = guess_counts::table
        .filter(guess_counts::window_ends_at.gt(query.now))
        .filter(reached(query.guesses));
    let row: Option<GateRow> = shares::table
        .inner_join(ideas::table.on(ideas::id.eq(shares::idea_id)))
        .inner_join(idea_revisions::table.on(is_current))
        .inner_join(idea_keys::table.on(idea_keys::idea_id.eq(ideas::id)))
        .inner_join(users::table.on(users::id.eq(ideas::owner_id)))
        .left_join(viewer_sessions::table.on(is_viewer))
        .left_join(recipients::table.on(is_own))
        .left_join(nda_acceptances::table.on(nda_acceptances::recipient_id.eq(recipients::id)))
        .left_join(view_grants::table.on(view_grants::recipient_id.eq(recipients::id)))
        .filter(shares::token_hash.eq(query.token.as_bytes().as_slice()))
        .filter(users::disabled_at.is_null())
        .order(newest_registration_first())
        .select((
            ShareRow::as_select(),
            EvidenceKeyRow::as_select(),
            OwnerRow::as_select(),
            IdeaRow::as_select(),
            idea_keys::content,
            CurrentRow::as_select(),
            users::name,
            Option::<ViewerRow>::as_select(),
            Option::<RecipientRow>::as_select(),
            Option::<AcceptanceRow>::as_select(),
            Option::<GrantRow>::as_select(),
            content,
            exists(delivery),
            exists(guesses),
        ))
        .first(connection)
        .optional()?;
    match row {
        Some(row) => into_gate(encryption, query, row),
        None => Ok(None),
    }
}

fn into_gate(
    encryption: &dyn Encryption,
    query: &GateQuery<'_>,
    row: GateRow,
) -> QueryResult<Option<FoundGate>> {
    let cipher = row.evidence_key.into_cipher(encryption, &row.owner)?;
    let share = row.share.into_share(&cipher)?;
    let is_one_time = share.terms.share_type() == ShareType::OneTime;
    let progress = match row.recipient {
        // Another registration of the browser may have had the view.
        Some(_) if is_one_time && row.grant.is_none() => return Ok(None),
        Some(recipient) => Some(RecipientProgress {
            recipient: recipient.into_recipient(&cipher, share.idea.as_i64())?,
            acceptance: row
                .acceptance
                .map(|row| row.into_acceptance(&cipher))
                .transpose()?,
            grant: row.grant.map(|row| row.into_grant(&cipher)).transpose()?,
            browser_had_view: is_one_time,
        }),
        None => None,
    };
    let content = match (row.content, &row.content_key) {
        (Some(sealed), Some(key)) => Some(open_content(
            encryption,
            (share.idea.as_i64(), row.current.number),
            &row.owner.owner_id,
            key.clone(),
            &row.current.content_kind,
            &sealed,
        )?),
        _ => None,
    };
    let viewer = row.viewer.zip(query.viewer);
    Ok(Some(FoundGate {
        share,
        disclosed: DisclosedIdea {
            idea: row
                .idea
                .into_idea(encryption, row.content_key, &row.current.sha256)?,
            sharer: PersonName::from_stored(row.sharer),
        },
        viewer: viewer
            .map(|(viewer, key)| viewer.into_session(key))
            .transpose()?,
        progress,
        is_agreement_delivered: row.is_agreement_delivered,
        content,
        is_limited: row.is_limited,
    }))
}
