//! Looking up a link, which counts a view when it returns content.

use ideavault_domain::Timestamp;
use ideavault_domain::content::Content;
use ideavault_domain::evidence::Event;
use ideavault_domain::gate::{GateContext, Refusal, View};
use ideavault_domain::idea::Idea;
use ideavault_domain::ids::ViewGrantId;
use ideavault_domain::notice::NoticeKind;
use ideavault_domain::ports::{
    Database, FoundGate, GateAddress, GateQuery, RateLimited, Transaction,
};
use ideavault_domain::rate_limit::CountLimit;
use ideavault_domain::recipient::ViewGrant;
use ideavault_domain::token::Token;

use super::loaded_gate::{PendingCode, ShareView, Stage, find_gate};
use super::{ShareAccess, ShareAccessError};
use crate::files::check_readable;
use crate::ideas::idea_exists;
use crate::notifications::add_notice;
use crate::random;
use crate::recording::revision_delivered;
use crate::views::begin_view;

/// Most files checked before a view is counted.
const FILES_CHECKED: usize = 100;

/// Contents of a gate.
enum Shown {
    /// This, with nothing to be counted or recorded.
    Again(Box<ShareView>),
    /// Something that is recorded or counted first.
    New(Box<FoundGate>),
}

impl<S: Database> ShareAccess<S> {
    /// Looks up a link for a browser, whose client has to wait if it has made too many `guesses`.
    /// Counts a view exactly when it returns content and no counted view is active, and never when
    /// a file that the content shows cannot be read.
    ///
    /// # Errors
    /// [`ShareAccessError::NotFound`] when that browser has no access, and
    /// [`ShareAccessError::Ended`] if it had accepted the agreement;
    /// [`ShareAccessError::RateLimited`], [`ShareAccessError::FileUnreadable`].
    pub fn open(
        &self,
        token: &Token,
        viewer: Option<&Token>,
        guesses: &[CountLimit],
    ) -> Result<ShareView, ShareAccessError> {
        let now = self.deps.clock.now();
        let gate = self.found(token, viewer, guesses, now)?;
        let is_ready = match gate.context.require_view(now) {
            Ok(view) => view.active.is_none(),
            Err(refusal) if refusal.is_final() => {
                self.notify_of_return(&gate.context, now)?;
                return Err(refused(&gate.context, refusal, now));
            }
            Err(_) => false,
        };
        let address = GateAddress::Token(token.hash());
        let mut shown = shown(gate, now)?;
        if !is_ready && matches!(shown, Shown::New(_)) {
            // Decided again: until it may write, the link may be revoked or the agreement
            // accepted.
            shown = self.deps.database.write(|tx| {
                let now = self.deps.clock.now();
                let gate = find_gate(tx, address, viewer, true, now)?;
                record(tx, gate, now)
            })?;
        }
        match shown {
            Shown::Again(shown) => Ok(*shown),
            Shown::New(gate) => {
                self.check_files(&gate.disclosed.idea)?;
                self.claim_and_open(address, viewer)
            }
        }
    }

    /// Looks up a link for a browser, mostly in one statement; `None` unless [`open`](Self::open)
    /// would return the same and record nothing.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn open_again(
        &self,
        token: &Token,
        viewer: Option<&Token>,
        guesses: &[CountLimit],
    ) -> Result<Option<ShareView>, ShareAccessError> {
        let now = self.deps.clock.now();
        Ok(
            match shown(self.found(token, viewer, guesses, now)?, now)? {
                Shown::Again(shown) => Some(*shown),
                Shown::New(_) => None,
            },
        )
    }

    /// Returns the gate of a link with its content, as one statement finds it; by a new key, once
    /// that has replaced the previous one.
    fn found(
        &self,
        token: &Token,
        viewer: Option<&Token>,
        guesses: &[CountLimit],
        now: Timestamp,
    ) -> Result<FoundGate, ShareAccessError> {
        let viewer = viewer.map(Token::hash);
        let query = GateQuery {
            address: GateAddress::Token(token.hash()),
            viewer: viewer.as_ref(),
            with_content: true,
            guesses,
            now,
        };
        let database = &self.deps.database;
        let find = || database.read_one(|tx| tx.recipients().find_gate(&query));
        let mut found = find()?;
        let viewer = found.as_ref().and_then(|gate| gate.viewer.as_ref());
        if let Some(viewer) = viewer.filter(|viewer| viewer.replaces.is_some()) {
            database.write(|tx| tx.recipients().replace_viewer_session(viewer, now))?;
            found = find()?;
        }
        let gate = found.ok_or(ShareAccessError::NotFound)?;
        match gate.limited_until {
            Some(end) => Err(RateLimited::until(end, now).into()),
            None => Ok(gate),
        }
    }

    /// Records that a recipient who had accepted returned to a link that has expired
    /// or is exhausted, because its owner may not know that it ended.
    fn notify_of_return(&self, gate: &GateContext, now: Timestamp) -> Result<(), ShareAccessError> {
        match &gate.progress {
            Some(found) if found.acceptance.is_some() && gate.share.revoked_at.is_none() => {
                let (share, reader) = (gate.share.id, Some(found.recipient.id));
                let database = &self.deps.database;
                Ok(database.write(|tx| add_notice(tx, NoticeKind::Refused, share, reader, now))?)
            }
            _ => Ok(()),
        }
    }

    /// Checks the stored files that the content shows, up to [`FILES_CHECKED`].
    fn check_files(&self, idea: &Idea) -> Result<(), ShareAccessError> {
        let files = self.deps.database.read(|tx| {
            let content = tx.ideas().revision_content(idea.id, idea.revision)?;
            let mut files = Vec::new();
            for id in content.iter().flat_map(Content::files).take(FILES_CHECKED) {
                // Files of other owners are not shown, whatever the content says.
                files.extend(tx.files().file(id)?.filter(|file| file.owner == idea.owner));
            }
            Ok::<_, ShareAccessError>(files)
        })?;
        files.iter().try_for_each(|file| {
            check_readable(self.storage.as_ref(), file).map_err(ShareAccessError::FileUnreadable)
        })
    }

    /// Repeats the lookup and counts the view. Decides everything again in the
    /// writing transaction, because data read before may have changed, and the link may have
    /// expired until it may write.
    fn claim_and_open(
        &self,
        address: GateAddress,
        viewer: Option<&Token>,
    ) -> Result<ShareView, ShareAccessError> {
        let id = ViewGrantId::from_random(random::bytes(self.deps.random.as_ref())?);
        self.deps.database.write(|tx| {
            let now = self.deps.clock.now();
            let mut gate = find_gate(tx, address, viewer, true, now)?;
            let view = require_view(&gate.context, now)?;
            let grant = match view.active.cloned() {
                Some(active) => active,
                None => {
                    let (idea, reader) = (&gate.disclosed, &view.reader.recipient);
                    let window = self.view_window;
                    let grant = ViewGrant::begin(id, reader, &idea.idea, now, window);
                    let is_first = view.reader.grant.is_none();
                    if begin_view(tx, idea, &grant, is_first)? {
                        grant
                    } else {
                        // No view is left, unless a concurrent request of this
                        // browser took it.
                        gate = find_gate(tx, address, viewer, true, now)?;
                        let view = require_view(&gate.context, now)?;
                        view.active.cloned().ok_or(ShareAccessError::NotFound)?
                    }
                }
            };
            let content = match gate.content.take() {
                Some(content) => content,
                None => content_of(tx, &gate.disclosed.idea)?,
            };
            Ok(ShareView::open(gate, content, &grant))
        })
    }
}

/// Returns the content of the current revision.
pub(super) fn content_of(
    tx: &mut dyn Transaction,
    idea: &Idea,
) -> Result<Content, ShareAccessError> {
    if let Some(content) = tx.ideas().revision_content(idea.id, idea.revision)? {
        return Ok(content);
    }
    // The owner may have deleted it since this read began.
    Err(if idea_exists(tx, idea.id)? {
        ShareAccessError::ContentMissing(idea.id)
    } else {
        ShareAccessError::NotFound
    })
}

fn require_view(gate: &GateContext, now: Timestamp) -> Result<View<'_>, ShareAccessError> {
    let view = gate.require_view(now);
    view.map_err(|refusal| match refusal {
        // The registration has moved on since it was read.
        Refusal::Unconfirmed | Refusal::NotAgreed => ShareAccessError::NotFound,
        refusal => refused(gate, refusal, now),
    })
}

/// Returns why a gate shows a browser nothing at `now`.
fn refused(gate: &GateContext, refusal: Refusal, now: Timestamp) -> ShareAccessError {
    let ended = gate.ended_visit(now).map(ShareAccessError::Ended);
    ended.unwrap_or_else(|| refusal.into())
}

/// Returns what a gate shows at `now`.
fn shown(mut gate: FoundGate, now: Timestamp) -> Result<Shown, ShareAccessError> {
    let view = match gate.context.require_view(now) {
        Ok(View { active: None, .. }) => return Ok(Shown::New(Box::new(gate))),
        Ok(View {
            active: Some(grant),
            ..
        }) => {
            if !gate.is_delivered && grant.revision != gate.disclosed.idea.revision {
                return Ok(Shown::New(Box::new(gate)));
            }
            let grant = grant.clone();
            let missing = ShareAccessError::ContentMissing(gate.disclosed.idea.id);
            let content = gate.content.take().ok_or(missing)?;
            ShareView::open(gate, content, &grant)
        }
        Err(refusal @ Refusal::Unregistered) if gate.context.ended_visit(now).is_some() => {
            return Err(refused(&gate.context, refusal, now));
        }
        Err(Refusal::Unregistered) => ShareView::at(Stage::Collect, gate),
        Err(Refusal::Unconfirmed) => {
            let code = PendingCode::of(gate.code.as_ref(), now);
            ShareView::at(Stage::Verify(code), gate)
        }
        Err(Refusal::NotAgreed) => match &gate.context.progress {
            Some(progress) if gate.is_delivered => {
                let agreement = progress.recipient.agreement.clone();
                ShareView::at(Stage::Nda(agreement), gate)
            }
            _ => return Ok(Shown::New(Box::new(gate))),
        },
        Err(refusal @ (Refusal::Ended | Refusal::UsedUp)) => {
            return Err(refused(&gate.context, refusal, now));
        }
    };
    Ok(Shown::Again(Box::new(view)))
}

/// Records what a gate shows a browser for the first time: the agreement, or a revision that is
/// newer than its view, as a draft may have been edited since that began.
fn record(
    tx: &mut dyn Transaction,
    mut gate: FoundGate,
    now: Timestamp,
) -> Result<Shown, ShareAccessError> {
    if !gate.is_delivered {
        match gate.context.require_view(now) {
            Ok(View { active, .. }) => {
                let revision = gate.disclosed.idea.revision;
                if let Some(older) = active.filter(|grant| grant.revision != revision) {
                    revision_delivered(tx, &gate.disclosed, older, now)?;
                }
            }
            Err(Refusal::NotAgreed) => {
                if let Some(progress) = &gate.context.progress {
                    let delivered = Event::agreement_delivered(&progress.recipient, now);
                    tx.evidence_log().append_event(&delivered)?;
                }
            }
            Err(
                Refusal::Ended | Refusal::UsedUp | Refusal::Unregistered | Refusal::Unconfirmed,
            ) => {}
        }
    }
    gate.is_delivered = true;
    shown(gate, now)
}
