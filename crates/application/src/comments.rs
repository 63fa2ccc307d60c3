//! Comments, by recipients who agreed and by the idea's owner.

use std::sync::Arc;

use ideavault_domain::Timestamp;
use ideavault_domain::comment::{Comment, CommentText};
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::ids::{CommentId, IdeaId, RecipientId, UserId};
use ideavault_domain::page::{Page, Paging};
use ideavault_domain::ports::{Clock, PortError, Random, Registration, Session, Store, StoreError};
use ideavault_domain::token::Token;
use ideavault_domain::visit::Access;
use thiserror::Error;

use crate::gate::open_registrations;
use crate::random;

/// Why a comment could not be read or written.
#[derive(Debug, Error)]
pub enum CommentError {
    /// Neither signed in nor registered on any share.
    #[error("nobody is known")]
    Unknown,
    /// Registered, but the NDA is not accepted yet.
    #[error("the NDA is not accepted")]
    NotAgreed,
    /// Absent, dead, or somebody else's.
    #[error("no such idea or recipient")]
    NotFound,
    /// The writer comments too often.
    #[error(transparent)]
    Paced(Failure),
    /// A field breaks a rule.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The store could not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Randomness failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<CommentError> for Failure {
    fn from(error: CommentError) -> Self {
        match error {
            CommentError::Unknown => {
                Self::Unauthenticated("Please sign in or open your share link".into())
            }
            CommentError::NotAgreed => {
                Self::Forbidden("Please accept the non-disclosure agreement first".into())
            }
            CommentError::NotFound => Self::NotFound,
            CommentError::Paced(failure) => failure,
            CommentError::Invalid(invalid) => Self::Invalid(invalid),
            CommentError::Store(error) => error.into(),
            CommentError::Port(error) => Self::Internal(Box::new(error)),
        }
    }
}

/// Who asks: a creator, a recipient's browser, both (a creator who tries an
/// own link), or nobody.
#[derive(Clone, Debug, Default)]
pub struct Caller {
    /// The signed-in creator.
    pub user: Option<UserId>,
    /// The key of the recipient's browser.
    pub viewer: Option<Token>,
}

/// What somebody wants to say, and as whom.
#[derive(Clone, Copy, Debug)]
pub struct CommentForm<'a> {
    /// As that recipient.
    pub recipient: Option<RecipientId>,
    /// As the owner of that idea, when no recipient is named.
    pub idea: Option<IdeaId>,
    /// What.
    pub text: &'a str,
}

/// As whom somebody comments. It was found out; a claim does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writer {
    /// As the owner of the idea.
    Owner(UserId),
    /// As that recipient.
    Recipient(RecipientId),
}

/// Asked before each comment, of which no writer may make too many.
pub type CommentPace<'a> = &'a dyn Fn(Writer) -> Result<(), Failure>;

/// Comments.
pub struct Comments<S> {
    store: Arc<S>,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
}

impl<S: Store> Comments<S> {
    /// Wires the area.
    pub fn new(store: Arc<S>, clock: Arc<dyn Clock>, random: Arc<dyn Random>) -> Self {
        Self {
            store,
            clock,
            random,
        }
    }

    /// The comments on `idea`, or on everything that the caller may read,
    /// oldest first.
    ///
    /// # Errors
    /// [`CommentError::Unknown`], [`CommentError::NotAgreed`], or
    /// [`CommentError::NotFound`].
    pub fn list(
        &self,
        caller: &Caller,
        idea: Option<IdeaId>,
        paging: Paging,
    ) -> Result<Page<Comment>, CommentError> {
        let now = self.clock.now();
        self.store.read(|session| {
            if let (Some(user), Some(idea)) = (caller.user, idea)
                && owns(session, user, idea)?
            {
                return Ok(session.comments_on(idea, paging)?);
            }
            let guests = Guests::load(session, caller, now)?;
            if let Some(idea) = idea {
                guests.readable(|found| found.share.idea == idea)?;
                return Ok(session.comments_on(idea, paging)?);
            }
            let mut parts = Vec::new();
            match caller.user {
                Some(user) => parts.push(session.comments_for_owner(user, paging)?),
                None => {
                    guests.readable(|_| true)?;
                }
            }
            for idea in guests.readable_ideas() {
                let is_among_own = match caller.user {
                    Some(user) => owns(session, user, idea)?,
                    None => false,
                };
                if !is_among_own {
                    parts.push(session.comments_on(idea, paging)?);
                }
            }
            Ok(Page::merged(parts, paging.size))
        })
    }

    /// Adds a comment, if `pace` allows. The author is who the caller is, whatever
    /// was claimed.
    ///
    /// # Errors
    /// [`CommentError::Invalid`], [`CommentError::Unknown`],
    /// [`CommentError::NotAgreed`], [`CommentError::NotFound`] also for a
    /// recipient of another browser, or [`CommentError::Paced`].
    pub fn add(
        &self,
        caller: &Caller,
        form: CommentForm<'_>,
        pace: CommentPace<'_>,
    ) -> Result<Comment, CommentError> {
        let id = CommentId::from_random(random::bytes(self.random.as_ref())?);
        let now = self.clock.now();
        self.store.write(|session| {
            let (writer, comment) = match (form.recipient, caller.user) {
                (None, Some(user)) => {
                    let idea = form.idea.ok_or_else(|| {
                        Invalid::new("ideaId", "Please say which idea this is about")
                    })?;
                    let text = CommentText::parse(form.text)?;
                    let author = owner_name(session, user, idea)?;
                    let comment = Comment {
                        id,
                        idea,
                        recipient: None,
                        author,
                        text,
                        created_at: now,
                    };
                    (Writer::Owner(user), comment)
                }
                (recipient, _) => {
                    let guests = Guests::load(session, caller, now)?;
                    let guest = guests.readable(|found| {
                        recipient.is_none_or(|id| found.guest.recipient.id == id)
                            && form.idea.is_none_or(|idea| found.share.idea == idea)
                    })?;
                    let writer = guest.guest.recipient.id;
                    let comment = Comment {
                        id,
                        idea: guest.share.idea,
                        recipient: Some(writer),
                        author: guest.guest.recipient.name.clone(),
                        text: CommentText::parse(form.text)?,
                        created_at: now,
                    };
                    (Writer::Recipient(writer), comment)
                }
            };
            pace(writer).map_err(CommentError::Paced)?;
            session.add_comment(&comment)?;
            Ok(comment)
        })
    }
}

fn owns(session: &mut dyn Session, user: UserId, idea: IdeaId) -> Result<bool, StoreError> {
    Ok(session
        .idea(idea)?
        .is_some_and(|idea| idea.belongs_to(user)))
}

fn owner_name(
    session: &mut dyn Session,
    user: UserId,
    idea: IdeaId,
) -> Result<ideavault_domain::text::PersonName, CommentError> {
    session
        .disclosed_idea(idea)?
        .filter(|found| found.idea.belongs_to(user))
        .map(|found| found.sharer)
        .ok_or(CommentError::NotFound)
}

/// The open registrations of the caller's browser, each with what the gate says.
struct Guests(Vec<(Registration, Access)>);

impl Guests {
    fn load(
        session: &mut dyn Session,
        caller: &Caller,
        now: Timestamp,
    ) -> Result<Self, CommentError> {
        match (
            open_registrations(session, caller.viewer.as_ref(), now)?,
            caller.user,
        ) {
            (Some(guests), _) => Ok(Self(guests)),
            (None, Some(_)) => Ok(Self(Vec::new())),
            (None, None) => Err(CommentError::Unknown),
        }
    }

    /// The newest registration that `wanted` accepts and that may read.
    fn readable(
        &self,
        wanted: impl Fn(&Registration) -> bool,
    ) -> Result<&Registration, CommentError> {
        let mut refusal = CommentError::NotFound;
        for (registration, access) in self.0.iter().filter(|(found, _)| wanted(found)) {
            match access {
                Access::Claimable | Access::Viewing { .. } => return Ok(registration),
                Access::Verify | Access::Nda => refusal = CommentError::NotAgreed,
                Access::Dead | Access::Collect => {}
            }
        }
        Err(refusal)
    }

    fn readable_ideas(&self) -> Vec<IdeaId> {
        let mut ideas: Vec<IdeaId> = self
            .0
            .iter()
            .filter(|(_, access)| matches!(access, Access::Claimable | Access::Viewing { .. }))
            .map(|(registration, _)| registration.share.idea)
            .collect();
        ideas.sort_unstable();
        ideas.dedup();
        ideas
    }
}

#[cfg(test)]
mod tests;
