//! The gate's state loaded from the database, and what each stage may reveal of it.

use chrono::Duration;
use ideavault_domain::Timestamp;
use ideavault_domain::code::EmailCode;
use ideavault_domain::content::Content;
use ideavault_domain::file::StoredFile;
use ideavault_domain::gate::{GateContext, RecipientProgress, Refusal};
use ideavault_domain::idea::DisclosedIdea;
use ideavault_domain::ids::{RecipientId, ShareId};
use ideavault_domain::nda::Agreement;
use ideavault_domain::ports::{RecipientWithShare, Transaction};
use ideavault_domain::recipient::{Identity, Recipient, ViewerSession};
use ideavault_domain::share::Share;
use ideavault_domain::token::Token;

use super::ShareAccessError;
use crate::gate::live_viewer;
use crate::ideas::idea_exists;

/// Most files checked before a view is counted.
const FILES_CHECKED: usize = 100;

/// How a request refers to the share to register on.
#[derive(Clone, Debug)]
pub enum ShareReference {
    /// By the link's token.
    Token(Token),
    /// By the id in the signed cookie set by the lookup.
    Id(ShareId),
}

/// A recipient and whether it accepted the NDA.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipientState {
    /// The recipient.
    pub recipient: Recipient,
    /// Whether it accepted the NDA.
    pub agreed: bool,
}

/// The stage that a recipient has reached (`docs/rules.md#share-stages`).
#[derive(Clone, Debug, PartialEq)]
pub enum Stage {
    /// The recipient must enter their details.
    Collect,
    /// The address must be confirmed with the mailed code.
    Verify(PendingCode),
    /// The NDA must be accepted.
    Nda(Agreement),
    /// The content may be read.
    Open {
        /// The idea's content.
        content: Content,
        /// End of the reader's view, if it has one ([`Share::view_end`]).
        ends_at: Option<Timestamp>,
    },
}

/// The state of a mailed code, without the code; all zero when there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingCode {
    /// Remaining validity.
    pub expires_in: Duration,
    /// Remaining attempts.
    pub attempts_left: i32,
    /// Remaining cooldown before another code can be requested.
    pub resend_in: Duration,
}

impl PendingCode {
    pub(super) fn of(sent: Option<&EmailCode>, now: Timestamp) -> Self {
        let none = Duration::zero();
        Self {
            expires_in: sent.map_or(none, |sent| (sent.expires_at - now).max(none)),
            attempts_left: sent.map_or(0, EmailCode::attempts_left),
            resend_in: sent.map_or(none, |sent| sent.cooldown_left(now)),
        }
    }
}

/// A link as one browser sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct ShareView {
    /// The link.
    pub share: Share,
    /// The idea, without content.
    pub disclosed: DisclosedIdea,
    /// The browser's own registration, while it is open.
    pub recipient: Option<RecipientState>,
    /// The stage reached, with what that stage may reveal.
    pub stage: Stage,
}

/// The gate of one browser and share, loaded together with the idea.
pub(super) struct LoadedGate {
    pub(super) context: GateContext,
    pub(super) disclosed: DisclosedIdea,
}

impl LoadedGate {
    pub(super) fn load(
        tx: &mut dyn Transaction,
        token: &Token,
        viewer: Option<&Token>,
        now: Timestamp,
    ) -> Result<Self, ShareAccessError> {
        let share = find_share(tx, &ShareReference::Token(token.clone()))?;
        let viewer = live_viewer(tx, viewer, now)?;
        Self::of_share(tx, share, viewer.as_ref(), now)
    }

    /// Fails when the browser has no access, so that callers cannot forget the check.
    pub(super) fn of_share(
        tx: &mut dyn Transaction,
        share: Share,
        viewer: Option<&ViewerSession>,
        now: Timestamp,
    ) -> Result<Self, ShareAccessError> {
        let progress = match viewer {
            Some(viewer) => tx.recipients().newest_progress(viewer.id, share.id)?,
            None => None,
        };
        let gate = Self::from_progress(tx, share, progress)?;
        if gate.context.require_view(now).is_err_and(Refusal::is_final) {
            return Err(ShareAccessError::NotFound);
        }
        Ok(gate)
    }

    pub(super) fn from_progress(
        tx: &mut dyn Transaction,
        share: Share,
        progress: Option<RecipientProgress>,
    ) -> Result<Self, ShareAccessError> {
        let disclosed = tx
            .ideas()
            .disclosed_idea(share.idea)?
            .ok_or(ShareAccessError::NotFound)?;
        let context = GateContext {
            share,
            idea_exists: disclosed.idea.deleted_at.is_none(),
            progress,
        };
        Ok(Self { context, disclosed })
    }

    pub(super) fn at(self, stage: Stage) -> ShareView {
        let recipient = self
            .context
            .progress
            .filter(|progress| progress.recipient.closed_at.is_none())
            .map(|progress| RecipientState {
                recipient: progress.recipient,
                agreed: progress.acceptance.is_some(),
            });
        ShareView {
            share: self.context.share,
            disclosed: self.disclosed,
            recipient,
            stage,
        }
    }

    /// Returns whether the recipient accepted the agreement.
    pub(super) fn agreed(&self) -> bool {
        let progress = self.context.progress.as_ref();
        progress.is_some_and(|progress| progress.acceptance.is_some())
    }

    /// Returns the identity that this browser has proved on this link before; the
    /// link fixes the address, the only detail that can be proved.
    pub(super) fn known_identity(&self) -> Identity {
        self.context
            .progress
            .as_ref()
            .filter(|progress| {
                Some(&progress.recipient.email) == self.context.share.terms.recipient_email()
            })
            .map_or(Identity::SelfDeclared, |progress| {
                progress.recipient.identity
            })
    }

    /// Returns whether that recipient needs a code to continue.
    pub(super) fn wants_code(&self, recipient: &Recipient) -> bool {
        !self.context.share.accepts(recipient.identity)
    }

    pub(super) fn at_verify(
        self,
        tx: &mut dyn Transaction,
        now: Timestamp,
    ) -> Result<ShareView, ShareAccessError> {
        let sent = match &self.context.progress {
            Some(progress) => tx.codes().code_of(progress.recipient.id)?,
            None => None,
        };
        Ok(self.at(Stage::Verify(PendingCode::of(sent.as_ref(), now))))
    }

    pub(super) fn at_nda(self) -> ShareView {
        let agreement = self
            .context
            .progress
            .as_ref()
            .map(|progress| progress.recipient.agreement.clone());
        match agreement {
            Some(agreement) => self.at(Stage::Nda(agreement)),
            None => self.at(Stage::Collect),
        }
    }

    /// Returns the stored files that the content shows, up to [`FILES_CHECKED`].
    pub(super) fn files(
        &self,
        tx: &mut dyn Transaction,
    ) -> Result<Vec<StoredFile>, ShareAccessError> {
        let idea = &self.disclosed.idea;
        let content = tx.ideas().revision_content(idea.id, idea.revision)?;
        let mut files = Vec::new();
        for id in content.iter().flat_map(Content::files).take(FILES_CHECKED) {
            // Files of other owners are not shown, whatever the content says.
            files.extend(tx.files().file(id)?.filter(|file| file.owner == idea.owner));
        }
        Ok(files)
    }

    pub(super) fn with_content(
        self,
        tx: &mut dyn Transaction,
        ends_at: Timestamp,
    ) -> Result<ShareView, ShareAccessError> {
        let idea = &self.disclosed.idea;
        let id = idea.id;
        if let Some(content) = tx.ideas().revision_content(id, idea.revision)? {
            let ends_at = self.context.share.view_end(ends_at);
            return Ok(self.at(Stage::Open { content, ends_at }));
        }
        // The owner may have deleted it since this read began.
        Err(if idea_exists(tx, id)? {
            ShareAccessError::ContentMissing(id)
        } else {
            ShareAccessError::NotFound
        })
    }
}

/// Returns the link, expired or not.
pub(super) fn find_share(
    tx: &mut dyn Transaction,
    share: &ShareReference,
) -> Result<Share, ShareAccessError> {
    match share {
        ShareReference::Token(token) => tx.shares().share_by_token(&token.hash())?,
        ShareReference::Id(id) => tx.shares().share(*id)?,
    }
    .ok_or(ShareAccessError::NotFound)
}

/// Returns the open registration with that id if this browser made it.
pub(super) fn own_registration(
    tx: &mut dyn Transaction,
    id: RecipientId,
    viewer: Option<&Token>,
    now: Timestamp,
) -> Result<RecipientWithShare, ShareAccessError> {
    let viewer = live_viewer(tx, viewer, now)?.ok_or(ShareAccessError::NotFound)?;
    tx.recipients()
        .registration(id)?
        .filter(|found| {
            let recipient = &found.progress.recipient;
            recipient.viewer_session == viewer.id && recipient.closed_at.is_none()
        })
        .ok_or(ShareAccessError::NotFound)
}
