//! What a look at the store shows of a visit, and what of it may be told at
//! each stage.

use chrono::Duration;
use ideavault_domain::Timestamp;
use ideavault_domain::code::SentCode;
use ideavault_domain::content::Content;
use ideavault_domain::file::StoredFile;
use ideavault_domain::idea::DisclosedIdea;
use ideavault_domain::ids::{RecipientId, ShareId};
use ideavault_domain::nda::Agreement;
use ideavault_domain::ports::{Registration, Session, StoreError};
use ideavault_domain::recipient::{Identity, Recipient, ViewerSession};
use ideavault_domain::share::{Share, ShareType};
use ideavault_domain::token::Token;
use ideavault_domain::visit::{Access, Guest, Visit};

use super::VisitError;
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
    pub tries_left: i32,
    /// How long to wait before asking for another one.
    pub resend_in: Duration,
}

impl PendingCode {
    pub(super) fn of(sent: Option<&SentCode>, now: Timestamp) -> Self {
        let none = Duration::zero();
        Self {
            expires_in: sent.map_or(none, |sent| (sent.expires_at - now).max(none)),
            tries_left: sent.map_or(0, SentCode::tries_left),
            resend_in: sent.map_or(none, |sent| sent.pause_left(now)),
        }
    }
}

/// What a link shows to one browser.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
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
pub(super) struct Scene {
    pub(super) visit: Visit,
    pub(super) disclosed: DisclosedIdea,
}

impl Scene {
    pub(super) fn load(
        session: &mut dyn Session,
        token: &Token,
        viewer: Option<&Token>,
        now: Timestamp,
    ) -> Result<Self, VisitError> {
        let share = find_share(session, &ShareReference::Token(token.clone()))?;
        let viewer = live_viewer(session, viewer, now)?;
        Self::of_share(session, share, viewer.as_ref(), now)
    }

    /// Fails for whatever is dead for that browser, so that callers cannot forget to.
    pub(super) fn of_share(
        session: &mut dyn Session,
        share: Share,
        viewer: Option<&ViewerSession>,
        now: Timestamp,
    ) -> Result<Self, VisitError> {
        let guest = match viewer {
            Some(viewer) => session.newest_guest(viewer.id, share.id)?,
            None => None,
        };
        let scene = Self::of_guest(session, share, guest)?;
        if scene.visit.access(now) == Access::Dead {
            return Err(VisitError::NotFound);
        }
        Ok(scene)
    }

    pub(super) fn of_guest(
        session: &mut dyn Session,
        share: Share,
        guest: Option<Guest>,
    ) -> Result<Self, VisitError> {
        let disclosed = session
            .disclosed_idea(share.idea)?
            .ok_or(VisitError::NotFound)?;
        let visit = Visit {
            share,
            idea_exists: disclosed.idea.deleted_at.is_none(),
            guest,
        };
        Ok(Self { visit, disclosed })
    }

    pub(super) fn at(self, stage: Stage) -> Opened {
        let recipient = self
            .visit
            .guest
            .filter(|guest| guest.recipient.closed_at.is_none())
            .map(|guest| RecipientState {
                recipient: guest.recipient,
                agreed: guest.acceptance.is_some(),
            });
        Opened {
            share: self.visit.share,
            disclosed: self.disclosed,
            recipient,
            stage,
        }
    }

    /// Whether the guest accepted the agreement.
    pub(super) fn agreed(&self) -> bool {
        let guest = self.visit.guest.as_ref();
        guest.is_some_and(|guest| guest.acceptance.is_some())
    }

    /// What this browser has proven on this link before; of its details the
    /// link fixes the only one that can be proven.
    pub(super) fn known_identity(&self) -> Identity {
        self.visit
            .guest
            .as_ref()
            .filter(|guest| {
                Some(&guest.recipient.email) == self.visit.share.terms.recipient_email.as_ref()
            })
            .map_or(Identity::SelfDeclared, |guest| guest.recipient.identity)
    }

    /// Whether that recipient gets no further without a code.
    pub(super) fn wants_code(&self, recipient: &Recipient) -> bool {
        self.visit.share.terms.share_type == ShareType::Email
            && recipient.identity == Identity::SelfDeclared
    }

    pub(super) fn at_verify(
        self,
        session: &mut dyn Session,
        now: Timestamp,
    ) -> Result<Opened, VisitError> {
        let sent = match &self.visit.guest {
            Some(guest) => session.code_of(guest.recipient.id)?,
            None => None,
        };
        Ok(self.at(Stage::Verify(PendingCode::of(sent.as_ref(), now))))
    }

    pub(super) fn at_nda(self) -> Opened {
        let agreement = self
            .visit
            .guest
            .as_ref()
            .map(|guest| guest.recipient.agreement.clone());
        match agreement {
            Some(agreement) => self.at(Stage::Nda(agreement)),
            None => self.at(Stage::Collect),
        }
    }

    /// The stored files that the content shows: the first ones, if there are many.
    pub(super) fn files(&self, session: &mut dyn Session) -> Result<Vec<StoredFile>, VisitError> {
        let idea = &self.disclosed.idea;
        let content = session.revision_content(idea.id, idea.revision)?;
        let mut files = Vec::new();
        for id in content.iter().flat_map(Content::files).take(FILES_CHECKED) {
            // Another's file is not shown, whatever the content says.
            files.extend(session.file(id)?.filter(|file| file.owner == idea.owner));
        }
        Ok(files)
    }

    pub(super) fn with_content(
        self,
        session: &mut dyn Session,
        ends_at: Timestamp,
    ) -> Result<Opened, VisitError> {
        let idea = &self.disclosed.idea;
        let id = idea.id;
        if let Some(content) = session.revision_content(id, idea.revision)? {
            let ends_at = self.visit.share.view_end(ends_at);
            return Ok(self.at(Stage::Open { content, ends_at }));
        }
        // Its owner can have deleted it since this look began.
        Err(if idea_exists(session, id)? {
            VisitError::ContentMissing(id)
        } else {
            VisitError::NotFound
        })
    }
}

/// The link, dead or alive.
pub(super) fn find_share(
    session: &mut dyn Session,
    share: &ShareReference,
) -> Result<Share, VisitError> {
    match share {
        ShareReference::Token(token) => session.share_by_token(&token.hash())?,
        ShareReference::Id(id) => session.share(*id)?,
    }
    .ok_or(VisitError::NotFound)
}

/// The registration with that id, if it was made by this browser.
pub(super) fn own_registration(
    session: &mut dyn Session,
    id: RecipientId,
    viewer: Option<&Token>,
    now: Timestamp,
) -> Result<Registration, VisitError> {
    let viewer = live_viewer(session, viewer, now)?.ok_or(VisitError::NotFound)?;
    session
        .registration(id)?
        .filter(|found| found.guest.recipient.viewer_session == viewer.id)
        .ok_or(VisitError::NotFound)
}

/// The browser behind a viewer key, unless it was forgotten.
pub(crate) fn live_viewer(
    session: &mut dyn Session,
    key: Option<&Token>,
    now: Timestamp,
) -> Result<Option<ViewerSession>, StoreError> {
    match key {
        Some(key) => Ok(session
            .viewer_session(&key.hash())?
            .filter(|viewer| viewer.is_live(now))),
        None => Ok(None),
    }
}
