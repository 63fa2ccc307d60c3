//! A recipient's way through the gate: look up, register, agree, read, close.

use std::sync::Arc;

use chrono::Duration;
use ideavault_domain::Timestamp;
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::file::StoredFile;
use ideavault_domain::ids::{IdeaId, RecipientId, ShareId, ViewGrantId};
use ideavault_domain::notice::NoticeKind;
use ideavault_domain::ports::{
    Clock, CodeHasher, FileStorage, PortError, Random, StorageError, Store, StoreError,
};
use ideavault_domain::recipient::{Ending, NdaAcceptance, Origin, ViewGrant};
use ideavault_domain::share::ShareState;
use ideavault_domain::token::Token;
use ideavault_domain::visit::Access;
use thiserror::Error;

pub use self::downloads::{Download, DownloadError, Downloads};
pub use self::registration::{Details, Registered};
use self::rotation::move_to;
pub use self::rotation::{Advanced, SharePace};
pub(crate) use self::scene::live_viewer;
pub use self::scene::{Opened, PendingCode, RecipientState, ShareReference, Stage};
use self::scene::{Scene, find_share, own_registration};
use crate::files::check_readable;
use crate::gate::settle;
use crate::ideas::idea_exists;
use crate::notifications::{note, note_view};
use crate::postbox::Postbox;
use crate::random;

mod confirmation;
mod downloads;
mod registration;
mod rotation;
mod scene;

/// Why a recipient got no further.
#[derive(Debug, Error)]
pub enum VisitError {
    /// A dead or unknown link, or somebody else's registration.
    #[error("no such share or recipient")]
    NotFound,
    /// The link was sent to another address.
    #[error("the link is for another email address")]
    WrongAddress,
    /// The address has to be confirmed first.
    #[error("the email address is not confirmed")]
    Unconfirmed,
    /// An accepted agreement cannot be declined.
    #[error("the agreement is accepted")]
    Agreed,
    /// Nothing is to be confirmed.
    #[error("no code is wanted")]
    NoCodeWanted,
    /// Too many codes were sent.
    #[error(transparent)]
    Paced(Failure),
    /// A field breaks a rule.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The store holds an idea without its content.
    #[error("the current revision of idea {0} has no content")]
    ContentMissing(IdeaId),
    /// A file that the idea shows cannot be read.
    #[error("a file of the idea cannot be read")]
    FileUnreadable(#[source] StorageError),
    /// The store could not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Randomness failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<VisitError> for Failure {
    fn from(error: VisitError) -> Self {
        match error {
            VisitError::NotFound => Self::NotFound,
            VisitError::WrongAddress => Self::Forbidden(
                "This link was sent to another email address. Please enter the address that \
                 received it."
                    .into(),
            ),
            VisitError::Unconfirmed => Self::Forbidden(
                "Please confirm your email address first, with the code that we sent to it.".into(),
            ),
            VisitError::Agreed => Self::Conflict(
                "You have accepted the agreement already, so it cannot be declined any more."
                    .into(),
            ),
            VisitError::NoCodeWanted => {
                Self::Conflict("There is nothing to confirm with a code.".into())
            }
            VisitError::Paced(failure) => failure,
            VisitError::Invalid(invalid) => Self::Invalid(invalid),
            VisitError::ContentMissing(_) => Self::Internal(Box::new(error)),
            VisitError::FileUnreadable(_) => Self::FileUnavailable(Box::new(error)),
            VisitError::Store(error) => error.into(),
            VisitError::Port(error) => Self::Internal(Box::new(error)),
        }
    }
}

/// Visits.
pub struct Visits<S> {
    store: Arc<S>,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
    view_window: Duration,
    postbox: Arc<Postbox>,
    codes: Arc<dyn CodeHasher>,
    storage: Arc<dyn FileStorage>,
}

/// What a look-up comes to before anything is counted.
enum Look {
    Opened(Box<Opened>),
    /// A view has to be counted, and the content shows these files.
    Claimable(Vec<StoredFile>),
}

impl<S: Store> Visits<S> {
    /// Wires the area. A counted view lasts `view_window`.
    pub fn new(
        store: Arc<S>,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
        view_window: Duration,
        postbox: Arc<Postbox>,
        codes: Arc<dyn CodeHasher>,
        storage: Arc<dyn FileStorage>,
    ) -> Self {
        Self {
            store,
            clock,
            random,
            view_window,
            postbox,
            codes,
            storage,
        }
    }

    /// Looks a link up for a browser. Counts a view exactly when it answers
    /// with content and no counted view is running, and never when a file that
    /// the content shows cannot be read.
    ///
    /// # Errors
    /// [`VisitError::NotFound`] when the link is dead for that browser;
    /// [`VisitError::FileUnreadable`].
    pub fn open(&self, token: &Token, viewer: Option<&Token>) -> Result<Opened, VisitError> {
        let now = self.clock.now();
        settle(self.store.as_ref(), viewer, now)?;
        let look = self.store.read(|session| {
            let scene = Scene::load(session, token, viewer, now)?;
            let opened = match scene.visit.access(now) {
                Access::Dead => return Err(VisitError::NotFound),
                Access::Collect => scene.at(Stage::Collect),
                Access::Verify => scene.at_verify(session, now)?,
                Access::Nda => scene.at_nda(),
                Access::Viewing { ends_at } => scene.with_content(session, ends_at)?,
                Access::Claimable => return scene.files(session).map(Look::Claimable),
            };
            Ok(Look::Opened(Box::new(opened)))
        });
        let files = match look {
            Ok(Look::Opened(opened)) => return Ok(*opened),
            Ok(Look::Claimable(files)) => files,
            Err(VisitError::NotFound) => {
                self.note_return(token, viewer, now)?;
                return Err(VisitError::NotFound);
            }
            Err(error) => return Err(error),
        };
        for file in &files {
            check_readable(self.storage.as_ref(), file).map_err(VisitError::FileUnreadable)?;
        }
        self.claim_and_open(token, viewer, now)
    }

    /// Records that somebody who had agreed came back to a link that has ended by
    /// itself, which its owner may not know.
    fn note_return(
        &self,
        token: &Token,
        viewer: Option<&Token>,
        now: Timestamp,
    ) -> Result<(), VisitError> {
        let returned = self.store.read(|session| {
            let Some(viewer) = live_viewer(session, viewer, now)? else {
                return Ok(None);
            };
            let share = find_share(session, &ShareReference::Token(token.clone()))?;
            if share.revoked_at.is_some() {
                return Ok(None);
            }
            let guest = session.newest_guest(viewer.id, share.id)?;
            Ok(guest
                .filter(|guest| guest.acceptance.is_some())
                .map(|guest| (share.id, guest.recipient.id)))
        });
        let (share, recipient) = match returned {
            Ok(Some(returned)) => returned,
            Ok(None) | Err(VisitError::NotFound) => return Ok(()),
            Err(error) => return Err(error),
        };
        self.note_refusal(share, Some(recipient), now)
    }

    fn note_refusal(
        &self,
        share: ShareId,
        recipient: Option<RecipientId>,
        now: Timestamp,
    ) -> Result<(), VisitError> {
        self.store
            .write(|session| Ok(note(session, NoticeKind::Refused, share, recipient, now)?))
    }

    /// The same look-up in a writing transaction, which counts the view. What
    /// was read before may have changed, so everything is decided again.
    fn claim_and_open(
        &self,
        token: &Token,
        viewer: Option<&Token>,
        now: Timestamp,
    ) -> Result<Opened, VisitError> {
        let id = ViewGrantId::from_random(random::bytes(self.random.as_ref())?);
        self.store.write(|session| {
            let scene = Scene::load(session, token, viewer, now)?;
            let ends_at = match (scene.visit.access(now), &scene.visit.guest) {
                (Access::Viewing { ends_at }, _) => ends_at,
                (Access::Claimable, Some(guest)) => {
                    let idea = &scene.disclosed.idea;
                    let grant = ViewGrant::begin(id, &guest.recipient, idea, now, self.view_window);
                    if !session.claim_view(&grant)? {
                        // No view is left, unless for another request of this
                        // browser, which was faster.
                        let scene = Scene::load(session, token, viewer, now)?;
                        return match scene.visit.access(now) {
                            Access::Viewing { ends_at } => scene.with_content(session, ends_at),
                            _ => Err(VisitError::NotFound),
                        };
                    }
                    note_view(session, &grant, guest.grant.is_none())?;
                    grant.ends_at
                }
                _ => return Err(VisitError::NotFound),
            };
            scene.with_content(session, ends_at)
        })
    }

    /// Accepts the agreement that the recipient was offered, and gives the browser
    /// another key, which alone may see what that opens. Accepting twice keeps the
    /// first time.
    ///
    /// # Errors
    /// [`VisitError::Invalid`] unless `agreed`; [`VisitError::NotFound`] when
    /// the recipient is not of this browser, or the link is dead for it;
    /// [`VisitError::Unconfirmed`] before its address is confirmed.
    pub fn agree(
        &self,
        id: RecipientId,
        agreed: bool,
        viewer: Option<&Token>,
        origin: Origin,
    ) -> Result<Advanced, VisitError> {
        if !agreed {
            return Err(Invalid::new("agreed", "The agreement can only be accepted").into());
        }
        let now = self.clock.now();
        settle(self.store.as_ref(), viewer, now)?;
        let fresh = self.fresh_viewer(now)?;
        self.store.write(|session| {
            let registration = own_registration(session, id, viewer, now)?;
            let mut recipient = registration.guest.recipient.clone();
            let mut new_viewer_key = None;
            let scene = Scene::of_guest(session, registration.share, Some(registration.guest))?;
            match scene.visit.access(now) {
                Access::Dead | Access::Collect => return Err(VisitError::NotFound),
                Access::Verify => return Err(VisitError::Unconfirmed),
                Access::Claimable | Access::Viewing { .. } => {}
                Access::Nda => {
                    new_viewer_key = Some(move_to(session, &mut recipient, fresh)?);
                    let is_new = session.add_acceptance(&NdaAcceptance {
                        recipient: id,
                        share: recipient.share,
                        nda_version: recipient.agreement.version.clone(),
                        nda_sha256: recipient.agreement.digest(),
                        revision: scene.disclosed.idea.revision,
                        revision_sha256: scene.disclosed.idea.sha256,
                        identity: recipient.identity,
                        accepted_at: now,
                        origin,
                    })?;
                    if is_new {
                        note(session, NoticeKind::Agreed, recipient.share, Some(id), now)?;
                    }
                }
            }
            Ok(Advanced {
                state: RecipientState {
                    recipient,
                    agreed: true,
                },
                new_viewer_key,
            })
        })
    }

    /// Ends the browser's visit to a link at once. Ending it twice is fine.
    ///
    /// # Errors
    /// [`VisitError::NotFound`] for a dead link, or when the browser never registered on it.
    pub fn close(&self, token: &Token, viewer: Option<&Token>) -> Result<(), VisitError> {
        self.leave(token, viewer, Ending::Closed)
    }

    /// Records that the browser's reader declines the agreement; nothing opens for
    /// that registration any more. Declining twice is fine.
    ///
    /// # Errors
    /// [`VisitError::NotFound`] as for closing; [`VisitError::Agreed`] when the
    /// agreement was accepted.
    pub fn decline(&self, token: &Token, viewer: Option<&Token>) -> Result<(), VisitError> {
        self.leave(token, viewer, Ending::Declined)
    }

    fn leave(
        &self,
        token: &Token,
        viewer: Option<&Token>,
        ending: Ending,
    ) -> Result<(), VisitError> {
        let now = self.clock.now();
        settle(self.store.as_ref(), viewer, now)?;
        self.store.write(|session| {
            let share = find_share(session, &ShareReference::Token(token.clone()))?;
            if matches!(share.state(now), ShareState::Revoked | ShareState::Expired)
                || !idea_exists(session, share.idea)?
            {
                return Err(VisitError::NotFound);
            }
            let viewer = live_viewer(session, viewer, now)?.ok_or(VisitError::NotFound)?;
            let guest = session
                .newest_guest(viewer.id, share.id)?
                .ok_or(VisitError::NotFound)?;
            if ending == Ending::Declined && guest.acceptance.is_some() {
                return Err(VisitError::Agreed);
            }
            if guest.recipient.closed_at.is_some() {
                return Ok(());
            }
            let id = guest.recipient.id;
            let is_over = session.end_recipient(id, viewer.id, ending, now)?;
            if is_over && ending == Ending::Declined {
                note(session, NoticeKind::Declined, share.id, Some(id), now)?;
            }
            // Else it was agreed to meanwhile, which gave it another key.
            if is_over {
                Ok(())
            } else {
                Err(VisitError::NotFound)
            }
        })
    }
}

#[cfg(test)]
mod tests;
