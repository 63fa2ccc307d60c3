//! What a look at the store shows of a visit, and what of it may be told at
//! each stage.

use chrono::Duration;
use ideavault_domain::Timestamp;
use ideavault_domain::code::EmailCode;
use ideavault_domain::content::Content;
use ideavault_domain::file::StoredFile;
use ideavault_domain::gate::{Access, GateContext, RecipientProgress};
use ideavault_domain::idea::DisclosedIdea;
use ideavault_domain::ids::{RecipientId, ShareId};
use ideavault_domain::nda::Agreement;
use ideavault_domain::ports::{DatabaseError, RecipientOnShare, Transaction};
use ideavault_domain::recipient::{Identity, Recipient, ViewerSession};
use ideavault_domain::share::Share;
use ideavault_domain::token::Token;

use super::ShareAccessError;
use crate::ideas::idea_exists;

/// Most files that are looked at before a view is counted.
const FILES_CHECKED: usize = 100;

/// How a request names the share that it registers on.
#[derive(Clone, Debug)]
pub enum ShareReference {
    /// By the token of the link.
    Token(Token),
    /// By the id in the signed cookie that looking the link up has set.
    Id(ShareId),
}

/// A recipient and whether it agreed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipientState {
    /// The recipient.
    pub recipient: Recipient,
    /// Whether it accepted the NDA.
    pub agreed: bool,
}

/// How far a recipient is (design section 5).
#[derive(Clone, Debug, PartialEq)]
pub enum Stage {
    /// Details are missing.
    Collect,
    /// The address is to be confirmed with the code that was mailed to it.
    Verify(PendingCode),
    /// The NDA is to be accepted.
    Nda(Agreement),
    /// The content may be read.
    Open {
        /// What the idea says.
        content: Content,
        /// When it ends for the reader, if it does ([`Share::view_end`]).
        ends_at: Option<Timestamp>,
    },
}

/// What somebody who waits for a code may know of it; all zero when none is
/// on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingCode {
    /// How long it still works.
    pub expires_in: Duration,
    /// How often it can still be entered.
    pub attempts_left: i32,
    /// How long to wait before asking for another one.
    pub resend_in: Duration,
}

impl PendingCode {
    pub(super) fn of(sent: Option<&EmailCode>, now: Timestamp) -> Self {
        let none = Duration::zero();
        Self {
            expires_in: sent.map_or(none, |sent| (sent.expires_at - now).max(none)),
            attempts_left: sent.map_or(0, EmailCode::attempts_left),
            resend_in: sent.map_or(none, |sent| sent.pause_left(now)),
        }
    }
}

/// What a link shows to one browser.
#[derive(Clone, Debug, PartialEq)]
pub struct ShareView {
    /// The link.
    pub share: Share,
    /// The idea, without content.
    pub disclosed: DisclosedIdea,
    /// The browser's own registration, while it is not closed.
    pub recipient: Option<RecipientState>,
    /// How far it is, with what that stage may see.
    pub stage: Stage,
}

/// One look at the store: a visit, and the idea that it is about.
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

    /// Fails for whatever is dead for that browser, so that callers cannot forget to.
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
        let gate = Self::of_guest(tx, share, progress)?;
        if gate.context.access(now) == Access::Denied {
            return Err(ShareAccessError::NotFound);
        }
        Ok(gate)
    }

    pub(super) fn of_guest(
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

    /// Whether the guest accepted the agreement.
    pub(super) fn agreed(&self) -> bool {
        let progress = self.context.progress.as_ref();
        progress.is_some_and(|progress| progress.acceptance.is_some())
    }

    /// What this browser has proven on this link before; of its details the
    /// link fixes the only one that can be proven.
    pub(super) fn known_identity(&self) -> Identity {
        self.context
            .progress
            .as_ref()
            .filter(|progress| {
                Some(&progress.recipient.email) == self.context.share.terms.recipient_email.as_ref()
            })
            .map_or(Identity::SelfDeclared, |progress| {
                progress.recipient.identity
            })
    }

    /// Whether that recipient gets no further without a code.
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

    /// The stored files that the content shows: the first ones, if there are many.
    pub(super) fn files(
        &self,
        tx: &mut dyn Transaction,
    ) -> Result<Vec<StoredFile>, ShareAccessError> {
        let idea = &self.disclosed.idea;
        let content = tx.ideas().revision_content(idea.id, idea.revision)?;
        let mut files = Vec::new();
        for id in content.iter().flat_map(Content::files).take(FILES_CHECKED) {
            // Another's file is not shown, whatever the content says.
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
        // Its owner can have deleted it since this look began.
        Err(if idea_exists(tx, id)? {
            ShareAccessError::ContentMissing(id)
        } else {
            ShareAccessError::NotFound
        })
    }
}

/// The link, dead or alive.
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

/// The registration with that id, if it was made by this browser.
pub(super) fn own_registration(
    tx: &mut dyn Transaction,
    id: RecipientId,
    viewer: Option<&Token>,
    now: Timestamp,
) -> Result<RecipientOnShare, ShareAccessError> {
    let viewer = live_viewer(tx, viewer, now)?.ok_or(ShareAccessError::NotFound)?;
    tx.recipients()
        .registration(id)?
        .filter(|found| found.progress.recipient.viewer_session == viewer.id)
        .ok_or(ShareAccessError::NotFound)
}

/// The browser behind a viewer key, unless it was forgotten.
pub(crate) fn live_viewer(
    tx: &mut dyn Transaction,
    key: Option<&Token>,
    now: Timestamp,
) -> Result<Option<ViewerSession>, DatabaseError> {
    match key {
        Some(key) => Ok(tx
            .recipients()
            .viewer_session(&key.hash())?
            .filter(|viewer| viewer.is_live(now))),
        None => Ok(None),
    }
}
