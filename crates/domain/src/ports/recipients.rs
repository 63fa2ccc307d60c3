//! Recipients, what they accepted, and their views.

use super::error::DatabaseError;
use crate::Timestamp;
use crate::activity::Activity;
use crate::code::EmailCode;
use crate::content::Content;
use crate::gate::{GateContext, RecipientProgress};
use crate::idea::DisclosedIdea;
use crate::ids::{IdeaId, RecipientId, ShareId, UserId, ViewerSessionId};
use crate::page::{Page, Paging};
use crate::rate_limit::CountLimit;
use crate::reader::{Reader, ReaderScope};
use crate::recipient::{Ending, NdaAcceptance, Recipient, ViewerSession};
use crate::share::Share;
use crate::text::DeclineReason;
use crate::token::TokenHash;

type Result<T> = std::result::Result<T, DatabaseError>;

/// A recipient together with its link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipientWithShare {
    /// The registration and its progress.
    pub progress: RecipientProgress,
    /// The link registered on.
    pub share: Share,
}

/// The session of a browser, and its open registrations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrowserRegistrations {
    /// The session.
    pub viewer: ViewerSession,
    /// The gates of the registrations, newest first.
    pub open: Vec<GateContext>,
}

/// How a request names the gate before which its browser stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GateAddress {
    /// The link with that token.
    Token(TokenHash),
    /// The link with that id.
    Share(ShareId),
    /// The link of that registration, which must be open and the browser's.
    Recipient(RecipientId),
}

/// The input for loading the gate of a link for one browser.
#[derive(Clone, Copy, Debug)]
pub struct GateQuery<'q> {
    /// The gate.
    pub address: GateAddress,
    /// The hash of the browser's key, if it has one.
    pub viewer: Option<&'q TokenHash>,
    /// Whether the content is wanted, too.
    pub with_content: bool,
    /// The limits on the client's guesses, at most [`CLIENT_LEVELS`](crate::client_network::CLIENT_LEVELS).
    pub guesses: &'q [CountLimit],
    /// The time.
    pub now: Timestamp,
}

/// The answer to a [`GateQuery`].
#[derive(Clone, Debug, PartialEq)]
pub struct FoundGate {
    /// The link, expired or not, and the browser's newest registration on it.
    pub context: GateContext,
    /// Its idea.
    pub disclosed: DisclosedIdea,
    /// The viewer session with the browser's key, unless it has expired or another key has replaced
    /// it.
    pub viewer: Option<ViewerSession>,
    /// The code that was mailed to the registration.
    pub code: Option<EmailCode>,
    /// Whether it is on record that the registration was sent its agreement or, while its newest
    /// view is active, the current revision.
    pub is_delivered: bool,
    /// The content of the current revision, if it is wanted and the newest view is active.
    pub content: Option<Content>,
    /// The end of the window in which the limit on the client's guesses is reached, if it is.
    pub limited_until: Option<Timestamp>,
}

/// Recipients, their NDA acceptances and views.
pub trait Recipients {
    /// Adds a viewer session (one browser).
    fn add_viewer_session(&mut self, session: &ViewerSession) -> Result<()>;

    /// Returns the viewer session with that key, unless another key has replaced it.
    fn viewer_session(&mut self, key: &TokenHash) -> Result<Option<ViewerSession>>;

    /// Returns the first session of the browser that was given that key, even if
    /// another key has replaced it: requests that were sent at once all have the same
    /// key.
    fn browser_of(&mut self, key: &TokenHash) -> Result<Option<ViewerSessionId>>;

    /// Makes `session` the only session of its browser: moves everything from the
    /// session that it replaces, and ends that one. If another key has already taken
    /// that over, `session` continues on its own.
    fn replace_viewer_session(&mut self, session: &ViewerSession, at: Timestamp) -> Result<()>;

    /// Moves an open registration to another viewer session. Returns `false` and
    /// moves nothing when it is no longer open in `from`.
    fn move_recipient(
        &mut self,
        id: RecipientId,
        from: ViewerSessionId,
        to: ViewerSessionId,
    ) -> Result<bool>;

    /// Adds a recipient. The browser must have no other open registration on that
    /// link.
    ///
    /// # Errors
    /// [`DatabaseError::AccountGone`] if the account of the idea's owner is deleted or
    /// disabled.
    fn add_recipient(&mut self, recipient: &Recipient) -> Result<()>;

    /// Returns the registration with that id and its link.
    fn registration(&mut self, id: RecipientId) -> Result<Option<RecipientWithShare>>;

    /// Returns in one statement what a browser meets at a link; `None` if there is no such link or
    /// registration.
    fn find_gate(&mut self, query: &GateQuery<'_>) -> Result<Option<FoundGate>>;

    /// Returns the session with that key and its open registrations; `None` if there is no such
    /// session, or another key has replaced it. Leaves out damaged registrations, and logs them.
    fn browser_registrations(
        &mut self,
        key: &TokenHash,
        now: Timestamp,
    ) -> Result<Option<BrowserRegistrations>>;

    /// Ends an open registration of that browser. Returns whether it was open.
    fn end_recipient(
        &mut self,
        id: RecipientId,
        viewer: ViewerSessionId,
        ending: Ending,
        at: Timestamp,
    ) -> Result<bool>;

    /// Records that the reader of a registration that was closed in that browser declines
    /// the NDA after all; the closing time stays. Returns `false` and writes nothing unless
    /// it was closed without an acceptance.
    fn decline_closed(&mut self, id: RecipientId, viewer: ViewerSessionId) -> Result<bool>;

    /// Records why the reader of a registration declined the NDA; the first reason stays. Writes
    /// nothing once that person was erased.
    fn add_decline_reason(&mut self, id: RecipientId, reason: &DeclineReason) -> Result<()>;

    /// Opens a registration that was accepted again, in the browser of that session, which must have
    /// no other open one on its link. A view that was closed with it stays ended. Returns `false` and writes nothing if it was not accepted, or
    /// its person was erased.
    fn reopen_recipient(&mut self, id: RecipientId, viewer: ViewerSessionId) -> Result<bool>;

    /// Returns the accepted registrations on a link whose address is confirmed, the newest first,
    /// without those of erased persons; at most `most`. Leaves out damaged ones, and logs them.
    fn confirmed_acceptances(&mut self, share: ShareId, most: i64) -> Result<Vec<Recipient>>;

    /// Records an acceptance. Returns `false` and keeps the first one when the
    /// recipient has already accepted.
    fn add_acceptance(&mut self, acceptance: &NdaAcceptance) -> Result<bool>;

    /// Returns the activity on the links of an idea, newest first.
    fn activity_of(&mut self, idea: IdeaId, paging: Paging) -> Result<Page<Activity>>;

    /// Returns in one statement the activity on the links of an idea, newest first; none unless
    /// the idea, even a deleted one, is that owner's.
    fn activity_for_owner(
        &mut self,
        owner: UserId,
        idea: IdeaId,
        paging: Paging,
    ) -> Result<Page<Activity>>;

    /// Returns the registrations on an owner's links, the newest first, also those on deleted
    /// drafts; `None` if there are more than `most`, or more than ten times as many visits and
    /// downloads. Leaves out those that the activity only counts, and damaged ones.
    fn readers_of(
        &mut self,
        owner: UserId,
        scope: &ReaderScope,
        most: usize,
    ) -> Result<Option<Vec<Reader>>>;
}
