//! Looking up a link, which counts a view when it returns content.

use ideavault_domain::Timestamp;
use ideavault_domain::evidence::Event;
use ideavault_domain::file::StoredFile;
use ideavault_domain::gate::{GateContext, Refusal};
use ideavault_domain::guesses::GuessLimit;
use ideavault_domain::idea::DisclosedIdea;
use ideavault_domain::ids::{RecipientId, ShareId, ViewGrantId};
use ideavault_domain::notice::NoticeKind;
use ideavault_domain::ports::{
    Database, DatabaseError, FoundGate, GateQuery, Transaction, unless_damaged,
};
use ideavault_domain::recipient::{Recipient, ViewGrant, ViewerSession};
use ideavault_domain::token::Token;

use super::loaded_gate::{LoadedGate, ShareReference, ShareView, Stage, find_share};
use super::{ShareAccess, ShareAccessError};
use crate::files::check_readable;
use crate::fresh::Fresh;
use crate::gate::{activate_new_key, live_viewer};
use crate::notifications::add_notice;
use crate::random;
use crate::recording::{is_agreement_delivered, is_revision_delivered, revision_delivered};
use crate::views::begin_view;

/// The result of a lookup before a view is counted.
enum Lookup {
    /// Sent as it is, once what is new in it is recorded.
    ShareView(Box<Fresh<ShareView>>, Option<Box<Delivery>>),
    /// A view must be counted; the content shows these files.
    ReadyToView(Vec<StoredFile>),
}

/// Content that is sent to a browser for the first time, which is recorded.
enum Delivery {
    Agreement(Recipient),
    /// A revision that is new in this view.
    Revision(DisclosedIdea, ViewGrant),
}

impl<S: Database> ShareAccess<S> {
    /// Looks up a link for a browser. Counts a view exactly when it returns content
    /// and no counted view is active, and never when a file that the content shows
    /// cannot be read.
    ///
    /// # Errors
    /// [`ShareAccessError::NotFound`] when that browser has no access;
    /// [`ShareAccessError::FileUnreadable`].
    pub fn open(
        &self,
        token: &Token,
        viewer: Option<&Token>,
    ) -> Result<Fresh<ShareView>, ShareAccessError> {
        let now = self.deps.clock.now();
        activate_new_key(self.deps.database.as_ref(), viewer, now)?;
        let database = &self.deps.database;
        let mut lookup = database.read(|tx| look_up(tx, token, viewer, now));
        if let Ok(Lookup::ShareView(_, Some(_))) = lookup {
            // Decided again: until it may write, the link may be revoked or the agreement
            // accepted.
            lookup = database.write(|tx| {
                let now = self.deps.clock.now();
                let lookup = look_up(tx, token, viewer, now)?;
                if let Lookup::ShareView(opened, Some(delivery)) = lookup {
                    delivery.record(tx, now)?;
                    let opened = Fresh::once(opened.value, now);
                    return Ok(Lookup::ShareView(Box::new(opened), None));
                }
                Ok(lookup)
            });
        }
        let files = match lookup {
            Ok(Lookup::ShareView(opened, _)) => return Ok(*opened),
            Ok(Lookup::ReadyToView(files)) => files,
            Err(ShareAccessError::NotFound) => {
                self.notify_of_return(token, viewer, now)?;
                return Err(ShareAccessError::NotFound);
            }
            Err(error) => return Err(error),
        };
        for file in &files {
            check_readable(self.storage.as_ref(), file)
                .map_err(ShareAccessError::FileUnreadable)?;
        }
        self.claim_and_open(token, viewer)
    }

    /// Looks up a link for a browser; `None` unless [`open`](Self::open) would return the same and
    /// record nothing: a view that is active, or a stage that was shown before.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn open_again(
        &self,
        token: &Token,
        viewer: Option<&Token>,
    ) -> Result<Option<Fresh<ShareView>>, ShareAccessError> {
        let now = self.deps.clock.now();
        activate_new_key(self.deps.database.as_ref(), viewer, now)?;
        let lookup = self
            .deps
            .database
            .read(|tx| look_up(tx, token, viewer, now))?;
        Ok(match lookup {
            Lookup::ShareView(opened, None) => Some(*opened),
            Lookup::ShareView(_, Some(_)) | Lookup::ReadyToView(_) => None,
        })
    }

    /// Looks up a link for a browser in one statement; `None` unless that shows that
    /// [`open`](Self::open) would return the same and record nothing, and that the client has
    /// guesses left within `guesses`.
    ///
    /// # Errors
    /// [`ShareAccessError::Database`].
    pub fn open_known(
        &self,
        token: &Token,
        viewer: Option<&Token>,
        guesses: &[GuessLimit],
    ) -> Result<Option<Fresh<ShareView>>, ShareAccessError> {
        let now = self.deps.clock.now();
        let (token, viewer) = (token.hash(), viewer.map(Token::hash));
        let query = GateQuery {
            token: &token,
            viewer: viewer.as_ref(),
            guesses,
            now,
        };
        let database = &self.deps.database;
        // What is damaged may belong to nothing that the link still shows.
        let found = unless_damaged(database.read_one(|tx| tx.recipients().find_gate(&query)))?;
        Ok(found.flatten().and_then(|found| known(found, now)))
    }

    /// Records that a recipient who had accepted returned to a link that has expired
    /// or is exhausted, because its owner may not know that it ended.
    fn notify_of_return(
        &self,
        token: &Token,
        viewer: Option<&Token>,
        now: Timestamp,
    ) -> Result<(), ShareAccessError> {
        let returned = self.deps.database.read(|tx| {
            let Some(viewer) = live_viewer(tx, viewer, now)? else {
                return Ok(None);
            };
            let share = find_share(tx, &ShareReference::Token(token.clone()))?;
            if share.revoked_at.is_some() {
                return Ok(None);
            }
            let progress = tx.recipients().newest_progress(viewer.id, share.id)?;
            Ok(progress
                .filter(|progress| progress.acceptance.is_some())
                .map(|progress| (share.id, progress.recipient.id)))
        });
        let (share, recipient) = match returned {
            Ok(Some(returned)) => returned,
            Ok(None) | Err(ShareAccessError::NotFound) => return Ok(()),
            Err(error) => return Err(error),
        };
        self.notify_of_refusal(share, Some(recipient), now)
    }

    pub(super) fn notify_of_refusal(
        &self,
        share: ShareId,
        recipient: Option<RecipientId>,
        now: Timestamp,
    ) -> Result<(), ShareAccessError> {
        self.deps
            .database
            .write(|tx| Ok(add_notice(tx, NoticeKind::Refused, share, recipient, now)?))
    }

    /// Repeats the lookup and counts the view. Decides everything again in the
    /// writing transaction, because data read before may have changed, and the link may have
    /// expired until it may write.
    fn claim_and_open(
        &self,
        token: &Token,
        viewer: Option<&Token>,
    ) -> Result<Fresh<ShareView>, ShareAccessError> {
        let id = ViewGrantId::from_random(random::bytes(self.deps.random.as_ref())?);
        self.deps.database.write(|tx| {
            let now = self.deps.clock.now();
            let gate = LoadedGate::load(tx, token, viewer, now)?;
            let not_found = |_| ShareAccessError::NotFound;
            let view = gate.context.require_view(now).map_err(not_found)?;
            let ends_at = match view.active {
                Some(grant) => grant.ends_at,
                None => {
                    let (idea, reader) = (&gate.disclosed, view.reader);
                    let grant =
                        ViewGrant::begin(id, &reader.recipient, &idea.idea, now, self.view_window);
                    if !begin_view(tx, idea, &grant, reader.grant.is_none())? {
                        // No view is left, unless a concurrent request of this
                        // browser took it.
                        let gate = LoadedGate::load(tx, token, viewer, now)?;
                        let view = gate.context.require_view(now).map_err(not_found)?;
                        let ends_at = view.active.ok_or(ShareAccessError::NotFound)?.ends_at;
                        return Ok(Fresh::once(gate.with_content(tx, ends_at)?, now));
                    }
                    grant.ends_at
                }
            };
            Ok(Fresh::once(gate.with_content(tx, ends_at)?, now))
        })
    }
}

/// Returns what a link shows a browser, if nothing of it has to be recorded or refused.
fn known(found: FoundGate, now: Timestamp) -> Option<Fresh<ShareView>> {
    let FoundGate {
        share,
        disclosed,
        viewer,
        progress,
        is_agreement_delivered,
        content,
        is_limited,
    } = found;
    // A new key first takes over what the former one had.
    if is_limited
        || viewer
            .as_ref()
            .is_some_and(|viewer| viewer.replaces.is_some())
    {
        return None;
    }
    let viewer = viewer.filter(|viewer| viewer.is_live(now));
    let gate = LoadedGate {
        context: GateContext {
            share,
            idea_exists: disclosed.idea.deleted_at.is_none(),
            progress: progress.filter(|_| viewer.is_some()),
        },
        disclosed,
    };
    let until = until(&gate, viewer.as_ref(), now);
    let value = match gate.context.require_view(now) {
        Ok(view) => {
            let grant = view.active?;
            // A newer revision may have to be recorded.
            if grant.revision != gate.disclosed.idea.revision {
                return None;
            }
            let ends_at = gate.context.share.view_end(grant.ends_at);
            gate.at(Stage::Open {
                content: content?,
                ends_at,
            })
        }
        Err(Refusal::Unregistered) => gate.at(Stage::Collect),
        Err(Refusal::NotAgreed) if is_agreement_delivered => gate.at_nda(),
        Err(_) => return None,
    };
    Some(Fresh { value, until })
}

/// Returns until when a browser may see the same of a link.
fn until(gate: &LoadedGate, viewer: Option<&ViewerSession>, now: Timestamp) -> Timestamp {
    let decided_until = gate.context.decided_until(now);
    viewer.map_or(decided_until, |viewer| viewer.ends_at().min(decided_until))
}

fn look_up(
    tx: &mut dyn Transaction,
    token: &Token,
    viewer: Option<&Token>,
    now: Timestamp,
) -> Result<Lookup, ShareAccessError> {
    let share = find_share(tx, &ShareReference::Token(token.clone()))?;
    let viewer = live_viewer(tx, viewer, now)?;
    let gate = LoadedGate::of_share(tx, share, viewer.as_ref(), now)?;
    let until = until(&gate, viewer.as_ref(), now);
    let (value, delivery) = match gate.context.require_view(now) {
        Ok(view) => match view.active.cloned() {
            Some(grant) => viewing(tx, gate, &grant)?,
            None => return gate.files(tx).map(Lookup::ReadyToView),
        },
        Err(refusal @ (Refusal::Ended | Refusal::UsedUp)) => return Err(refusal.into()),
        Err(Refusal::Unregistered) => (gate.at(Stage::Collect), None),
        Err(Refusal::Unconfirmed) => {
            // It shows how much time is left.
            let opened = Fresh::once(gate.at_verify(tx, now)?, now);
            return Ok(Lookup::ShareView(Box::new(opened), None));
        }
        Err(Refusal::NotAgreed) => agreement(tx, gate)?,
    };
    let opened = Box::new(Fresh { value, until });
    Ok(Lookup::ShareView(opened, delivery))
}

/// The view to send, and the part of it that is new to the browser.
type Delivered = (ShareView, Option<Box<Delivery>>);

fn agreement(tx: &mut dyn Transaction, gate: LoadedGate) -> Result<Delivered, ShareAccessError> {
    let progress = gate.context.progress.as_ref();
    let recipient = progress.map(|progress| progress.recipient.clone());
    let opened = gate.at_nda();
    let delivery = match recipient {
        Some(recipient) if !is_agreement_delivered(tx, &recipient)? => {
            Some(Box::new(Delivery::Agreement(recipient)))
        }
        _ => None,
    };
    Ok((opened, delivery))
}

/// A draft may have been edited since the view began.
fn viewing(
    tx: &mut dyn Transaction,
    gate: LoadedGate,
    grant: &ViewGrant,
) -> Result<Delivered, ShareAccessError> {
    let idea = gate.disclosed.clone();
    let opened = gate.with_content(tx, grant.ends_at)?;
    let delivery = if is_revision_delivered(tx, grant, idea.idea.revision)? {
        None
    } else {
        Some(Box::new(Delivery::Revision(idea, grant.clone())))
    };
    Ok((opened, delivery))
}

impl Delivery {
    fn record(&self, tx: &mut dyn Transaction, now: Timestamp) -> Result<(), DatabaseError> {
        match self {
            Self::Agreement(recipient) => {
                let delivered = Event::agreement_delivered(recipient, now);
                tx.evidence_log().append_event(&delivered)?;
                Ok(())
            }
            Self::Revision(idea, grant) => revision_delivered(tx, idea, grant, now),
        }
    }
}
