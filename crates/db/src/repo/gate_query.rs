//! Loads gates of one browser: what it meets at a link, and where it has registered.

use diesel::dsl::{auto_type, case_when, exists};
use diesel::prelude::{
    BoolExpressionMethods, ExpressionMethods, IntoSql as _, JoinOnDsl, NullableExpressionMethods,
    OptionalExtension, QueryDsl, Queryable, RunQueryDsl, Selectable, SelectableHelper,
    TextExpressionMethods as _,
};
use diesel::sql_types::{Bool, Text};

use ideavault_domain::Timestamp;
use ideavault_domain::evidence::{DELIVERED_AGREEMENT, DELIVERED_REVISION};
use ideavault_domain::gate::{GateContext, RecipientProgress};
use ideavault_domain::idea::DisclosedIdea;
use ideavault_domain::ids::RecipientId;
use ideavault_domain::ports::{Encryption, FoundGate, GateAddress, GateQuery, RecipientWithShare};
use ideavault_domain::recipient::ViewerSession;
use ideavault_domain::share::ShareType;
use ideavault_domain::text::PersonName;
use ideavault_domain::token::TokenHash;

use super::Connection;
use super::codes::CodeRow;
use super::damage::Readable;
use super::idea_rows::IdeaRow;
use super::limit_counts::reached;
use super::revisions::open_content;
use super::rows::{
    AcceptanceRow, EvidenceKeyRow, GrantRow, OwnerRow, RecipientRow, ShareRow,
    newest_registration_first,
};
use super::schema::{
    email_codes, evidence_events, idea_keys, idea_revisions, ideas, limit_counts, nda_acceptances,
    recipients, shares, users, view_grants, viewer_sessions,
};
use crate::at_once;
use crate::error::QueryResult;
use crate::holding::holds_until;
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
    size: i64,
    sha256: Vec<u8>,
}

/// A link, and the newest registration of a browser on it with its newest view.
type RegistrationRow = (
    ShareRow,
    EvidenceKeyRow,
    OwnerRow,
    Option<RecipientRow>,
    Option<AcceptanceRow>,
    Option<GrantRow>,
);

/// The inputs of the gate's decision: with whether the idea exists, and whether the browser had a
/// view of a one-time link.
type ContextRow = (RegistrationRow, bool, bool);

/// Everything that [`gates`] reads, in the order of its selection.
#[derive(Queryable)]
struct GateRow {
    registration: RegistrationRow,
    idea_exists: bool,
    browser_had_view: bool,
    viewer: Option<ViewerRow>,
    idea: IdeaRow,
    content_key: Option<Vec<u8>>,
    current: CurrentRow,
    sharer: String,
    code: Option<CodeRow>,
    /// Sealed; only during a view, and only if there is room for it.
    content: Option<Vec<u8>>,
    is_delivered: bool,
    limited_until: Option<Time>,
}

diesel::alias! {
    const HAD_VIEWS: Alias<HadViews> = view_grants as had_views;
    const HAD_RECIPIENTS: Alias<HadRecipients> = recipients as had_recipients;
    const HAD_SESSIONS: Alias<HadSessions> = viewer_sessions as had_sessions;
}

/// Whether the browser had a view of the share, under any key and any registration.
macro_rules! browser_had_view {
    () => {{
        let recipient = HAD_RECIPIENTS
            .field(recipients::id)
            .eq(HAD_VIEWS.field(view_grants::recipient_id));
        let session = HAD_SESSIONS
            .field(viewer_sessions::id)
            .eq(HAD_RECIPIENTS.field(recipients::viewer_session_id));
        let of_share = HAD_VIEWS.field(view_grants::share_id).eq(shares::id);
        let of_browser = HAD_SESSIONS
            .field(viewer_sessions::browser_id)
            .eq(viewer_sessions::browser_id);
        let views = HAD_VIEWS
            .inner_join(HAD_RECIPIENTS.on(recipient))
            .inner_join(HAD_SESSIONS.on(session))
            .filter(of_share)
            .filter(of_browser);
        exists(views)
    }};
}

/// Whether it is a one-time link of which the browser had a view.
macro_rules! had_one_view {
    () => {{
        let is_one_time = shares::share_type.eq(ShareType::OneTime.as_str());
        case_when(is_one_time, browser_had_view!()).otherwise(false.into_sql::<Bool>())
    }};
}

#[auto_type]
fn idea_exists() -> _ {
    ideas::deleted_at
        .is_null()
        .and(users::disabled_at.is_null())
}

/// The statement that finds gates of a browser: links with its newest registrations on them.
macro_rules! gates {
    ($viewer:expr, $now:expr, $room:expr, $guesses:expr) => {{
        let is_viewer = viewer_sessions::key_hash
            .eq($viewer)
            .and(viewer_sessions::replaced_at.is_null());
        let is_own = recipients::viewer_session_id
            .eq(viewer_sessions::id)
            .and(recipients::share_id.eq(shares::id));
        let is_current = idea_revisions::idea_id
            .eq(ideas::id)
            .and(idea_revisions::number.eq(ideas::revision));
        let is_viewing = || view_grants::ends_at.nullable().gt($now);
        let has_room = idea_revisions::size.le($room);
        let [revision, in_view] = DELIVERED_REVISION;
        let delivered_revision = revision
            .into_sql::<Text>()
            .concat(idea_revisions::number.cast::<Text>())
            .concat(in_view)
            .concat(view_grants::id);
        let delivered_agreement = DELIVERED_AGREEMENT
            .into_sql::<Text>()
            .concat(recipients::id);
        let once = case_when(is_viewing(), delivered_revision.nullable())
            .otherwise(delivered_agreement.nullable());
        let delivery = evidence_events::table.filter(evidence_events::once.eq(once));
        let guesses = limit_counts::table
            .filter(limit_counts::window_ends_at.gt($now))
            .filter(reached($guesses))
            .order(limit_counts::window_ends_at.desc())
            .select(limit_counts::window_ends_at);
        // Postgres plans only so many tables together: first come those that may begin.
        shares::table
            .left_join(viewer_sessions::table.on(is_viewer))
            .left_join(recipients::table.on(is_own))
            .inner_join(ideas::table.on(ideas::id.eq(shares::idea_id)))
            .inner_join(idea_revisions::table.on(is_current))
            .inner_join(idea_keys::table.on(idea_keys::idea_id.eq(ideas::id)))
            .inner_join(users::table.on(users::id.eq(ideas::owner_id)))
            .left_join(nda_acceptances::table.on(nda_acceptances::recipient_id.eq(recipients::id)))
            .left_join(view_grants::table.on(view_grants::recipient_id.eq(recipients::id)))
            .left_join(email_codes::table.on(email_codes::recipient_id.eq(recipients::id)))
            .order(newest_registration_first())
            .select((
                <RegistrationRow as SelectableHelper<_>>::as_select(),
                idea_exists(),
                had_one_view!(),
                Option::<ViewerRow>::as_select(),
                IdeaRow::as_select(),
                idea_keys::content,
                CurrentRow::as_select(),
                users::name,
                Option::<CodeRow>::as_select(),
                case_when(is_viewing().and(has_room), idea_revisions::content),
                exists(delivery),
                guesses.single_value(),
            ))
    }};
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
    let room = match query.with_content {
        true => i64::try_from(at_once::room()).unwrap_or(i64::MAX),
        false => -1,
    };
    let gates = || gates!(viewer.clone(), query.now, room, query.guesses);
    let row: Option<GateRow> = match query.address {
        GateAddress::Token(token) => gates()
            .filter(shares::token_hash.eq(token.as_bytes().as_slice()))
            .first(connection),
        GateAddress::Share(id) => gates()
            .filter(shares::id.eq(id.to_string()))
            .first(connection),
        GateAddress::Recipient(id) => gates()
            .filter(recipients::id.eq(id.to_string()))
            .filter(recipients::closed_at.is_null())
            .first(connection),
    }
    .optional()?;
    row.map(|row| row.into_gate(encryption, query)).transpose()
}

/// Finds the session with that key and the gates of its open registrations; no session if there
/// are none.
pub(super) fn find_gates(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    readable: &Readable<'_>,
    key: &TokenHash,
    now: Timestamp,
) -> QueryResult<(Option<ViewerSession>, Vec<GateContext>)> {
    let mut rows: Vec<GateRow> = gates!(key.as_bytes().to_vec(), now, -1, &[])
        // Said once more, so that both databases begin with the browser.
        .filter(viewer_sessions::key_hash.eq(key.as_bytes().to_vec()))
        .filter(recipients::viewer_session_id.eq(viewer_sessions::id))
        .filter(recipients::closed_at.is_null())
        .load(connection)?;
    // The first row of each recipient has the newest view.
    rows.dedup_by(|row, kept| recipient_id(&row.registration) == recipient_id(&kept.registration));
    let mut session = None;
    let mut open = Vec::new();
    for row in rows {
        // The same one in each row.
        if let Some(viewer) = row.viewer {
            session = Some(viewer.into_session(key)?);
        }
        let id = recipient_id(&row.registration).to_owned();
        let row = (row.registration, row.idea_exists, row.browser_had_view);
        let read = into_context(encryption, row);
        // Who cannot be read gets nothing, on that link alone.
        let read = readable.unless_damaged(connection, ("registration", &id), read)?;
        open.extend(read.inspect(|context| holds_until(context.decided_until(now))));
    }
    Ok((session, open))
}

/// Finds a registration of any browser.
pub(super) fn find_registration(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    id: RecipientId,
) -> QueryResult<Option<RecipientWithShare>> {
    let session = viewer_sessions::id.eq(recipients::viewer_session_id);
    let row: Option<ContextRow> = recipients::table
        .inner_join(viewer_sessions::table.on(session))
        .inner_join(shares::table.on(shares::id.eq(recipients::share_id)))
        .inner_join(ideas::table.on(ideas::id.eq(shares::idea_id)))
        .inner_join(idea_keys::table.on(idea_keys::idea_id.eq(ideas::id)))
        .inner_join(users::table.on(users::id.eq(ideas::owner_id)))
        .left_join(nda_acceptances::table.on(nda_acceptances::recipient_id.eq(recipients::id)))
        .left_join(view_grants::table.on(view_grants::recipient_id.eq(recipients::id)))
        .filter(recipients::id.eq(id.to_string()))
        .order(newest_registration_first())
        .select((
            <RegistrationRow as SelectableHelper<_>>::as_select(),
            idea_exists(),
            had_one_view!(),
        ))
        .first(connection)
        .optional()?;
    let found = row.map(|row| into_context(encryption, row)).transpose()?;
    Ok(found.and_then(|found| {
        Some(RecipientWithShare {
            progress: found.progress?,
            share: found.share,
        })
    }))
}

/// Returns whether the recipient's browser had a view of the share of its registration.
pub(super) fn had_view(connection: &mut Connection, recipient: &str) -> QueryResult<bool> {
    let session = viewer_sessions::id.eq(recipients::viewer_session_id);
    Ok(recipients::table
        .inner_join(viewer_sessions::table.on(session))
        .inner_join(shares::table.on(shares::id.eq(recipients::share_id)))
        .filter(recipients::id.eq(recipient))
        .select(browser_had_view!())
        .first(connection)?)
}

fn recipient_id((_, _, _, recipient, _, _): &RegistrationRow) -> &str {
    recipient.as_ref().map_or("", |row| row.id.as_str())
}

fn into_context(encryption: &dyn Encryption, row: ContextRow) -> QueryResult<GateContext> {
    let (registration, idea_exists, browser_had_view) = row;
    let (share, key, owner, recipient, acceptance, grant) = registration;
    let cipher = key.into_cipher(encryption, &owner)?;
    let share = share.into_share(&cipher)?;
    let progress = match recipient {
        Some(recipient) => Some(RecipientProgress {
            recipient: recipient.into_recipient(&cipher, share.idea.as_i64())?,
            acceptance: acceptance
                .map(|row| row.into_acceptance(&cipher))
                .transpose()?,
            grant: grant.map(|row| row.into_grant(&cipher)).transpose()?,
            browser_had_view,
        }),
        None => None,
    };
    Ok(GateContext {
        share,
        idea_exists,
        progress,
    })
}

impl GateRow {
    fn into_gate(
        self,
        encryption: &dyn Encryption,
        query: &GateQuery<'_>,
    ) -> QueryResult<FoundGate> {
        let owner = self.registration.2.owner_id.clone();
        let row = (self.registration, self.idea_exists, self.browser_had_view);
        let context = into_context(encryption, row)?;
        let viewer = self.viewer.zip(query.viewer);
        let viewer = viewer
            .map(|(viewer, key)| viewer.into_session(key))
            .transpose()?
            .filter(|viewer| viewer.is_live(query.now));
        let context = GateContext {
            progress: context.progress.filter(|_| viewer.is_some()),
            ..context
        };
        holds_until(context.decided_until(query.now));
        if let Some(viewer) = &viewer {
            holds_until(viewer.ends_at());
        }
        let code = self.code.map(CodeRow::into_code).transpose()?;
        if code.is_some() {
            // Readers are told how much time is left.
            holds_until(query.now);
        }
        let view = context.require_view(query.now);
        let is_shown = query.with_content && view.is_ok_and(|view| view.active.is_some());
        let content = match (self.content, &self.content_key) {
            _ if !is_shown => None,
            (Some(sealed), Some(key)) => Some(open_content(
                encryption,
                (context.share.idea.as_i64(), self.current.number),
                &owner,
                key.clone(),
                &self.current.content_kind,
                &sealed,
            )?),
            _ => {
                at_once::require_room(usize::try_from(self.current.size).unwrap_or(usize::MAX))?;
                None
            }
        };
        let idea = self
            .idea
            .into_idea(encryption, self.content_key, &self.current.sha256)?;
        Ok(FoundGate {
            context,
            disclosed: DisclosedIdea {
                idea,
                sharer: PersonName::from_stored(self.sharer),
            },
            viewer,
            code,
            is_delivered: self.is_delivered,
            content,
            limited_until: self.limited_until.map(Into::into),
        })
    }
}
