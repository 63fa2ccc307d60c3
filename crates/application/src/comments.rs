//! Comments by recipients who accepted the NDA, and by the idea's owner.

use std::fmt;

use ideavault_domain::Timestamp;
use ideavault_domain::comment::{Comment, CommentScope, CommentText};
use ideavault_domain::evidence::Event;
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::gate::Refusal;
use ideavault_domain::idempotency::IdempotencyKey;
use ideavault_domain::ids::{CommentId, IdeaId, RecipientId, UserId};
use ideavault_domain::page::{Page, Paging};
use ideavault_domain::ports::{Database, DatabaseError, PortError, RateLimited, Transaction};
use ideavault_domain::rate_limit::{LimitKey, RateLimit};
use ideavault_domain::text::PersonName;
use thiserror::Error;

use self::reader_registrations::ReaderRegistrations;
use crate::actor::Caller;
use crate::deps::Deps;
use crate::notifications::add_comment_notice;
use crate::random;
use crate::rate_limits::AdmitOnce;
use crate::viewers::activate_new_key;

mod changes;
mod reader_registrations;

/// The reason why a comment could not be read or written.
#[derive(Debug, Error)]
pub enum CommentError {
    /// Neither signed in nor registered on any share.
    #[error("the caller is unknown")]
    Unknown,
    /// Registered, but the NDA is not accepted yet.
    #[error("the NDA is not accepted")]
    NotAgreed,
    /// Absent, not accessible any more, or somebody else's.
    #[error("no such idea, recipient or comment")]
    NotFound,
    /// The comment was withdrawn and cannot be replied to or edited.
    #[error("the comment was withdrawn")]
    Withdrawn,
    /// The edit window is over.
    #[error("the comment is too old to be edited")]
    TooOld,
    /// The writer reached the rate limit.
    #[error(transparent)]
    RateLimited(#[from] RateLimited),
    /// A field is invalid.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// A database error.
    #[error(transparent)]
    Database(DatabaseError),
    /// Randomness failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<Refusal> for CommentError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Ended | Refusal::UsedUp => Self::NotFound,
            Refusal::Unregistered | Refusal::Unconfirmed | Refusal::NotAgreed => Self::NotAgreed,
        }
    }
}

impl From<DatabaseError> for CommentError {
    fn from(error: DatabaseError) -> Self {
        match error {
            // The account of the idea's owner is deleted or disabled, so nobody can comment.
            DatabaseError::AccountGone { .. } => Self::NotFound,
            error => Self::Database(error),
        }
    }
}

impl From<CommentError> for Failure {
    fn from(error: CommentError) -> Self {
        match error {
            CommentError::Unknown => {
                Self::Unauthenticated("Please sign in, or open your link".into())
            }
            CommentError::NotAgreed => {
                Self::Forbidden("Please accept the non-disclosure agreement first".into())
            }
            CommentError::NotFound => Self::NotFound,
            CommentError::Withdrawn => {
                Self::Conflict("This comment was withdrawn by its author.".into())
            }
            CommentError::TooOld => Self::Conflict(
                "A comment can be edited for ten minutes after it was written. It can still be \
                 withdrawn."
                    .into(),
            ),
            CommentError::RateLimited(limited) => limited.into(),
            CommentError::Invalid(invalid) => Self::Invalid(invalid),
            CommentError::Database(error) => error.into(),
            CommentError::Port(error) => error.into(),
        }
    }
}

/// A new comment and its claimed author.
#[derive(Clone, Copy, Debug)]
pub struct CommentForm<'a> {
    /// The recipient to comment as.
    pub recipient: Option<RecipientId>,
    /// The idea whose owner comments, when no recipient is named.
    pub idea: Option<IdeaId>,
    /// The comment to reply to.
    pub reply_to: Option<CommentId>,
    /// The text.
    pub text: &'a str,
    /// The key of the request, if it may be repeated.
    pub request: Option<&'a IdempotencyKey>,
}

/// The author of a comment, as verified; a claim does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writer {
    /// The owner of the idea.
    Owner(UserId),
    /// A recipient.
    Recipient(RecipientId),
}

impl fmt::Display for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Owner(user) => user.fmt(f),
            Self::Recipient(recipient) => recipient.fmt(f),
        }
    }
}

/// Comment actions.
pub struct Comments<S> {
    deps: Deps<S>,
}

impl<S: Database> Comments<S> {
    /// Creates the service from its dependencies.
    pub fn new(deps: Deps<S>) -> Self {
        Self { deps }
    }

    /// Returns the comments on `idea`, or on everything that the caller may read,
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
        let now = self.deps.clock.now();
        activate_new_key(self.deps.database.as_ref(), caller.viewer.as_ref(), now)?;
        if let (Some(user), Some(idea)) = (caller.user, idea) {
            // An idea never gets another owner, so these need no common snapshot.
            let database = &self.deps.database;
            let own = database.read_one(|tx| tx.comments().comments_on_own(user, idea, paging))?;
            if !own.is_empty() || database.read_one(|tx| owns(tx, user, idea))? {
                return Ok(own);
            }
        }
        self.deps.database.read(|tx| {
            let registrations = ReaderRegistrations::load(tx, caller, now)?;
            if let Some(idea) = idea {
                registrations.readable(|found| found.share.idea == idea)?;
                let scope = registrations.scope(tx, idea)?;
                return Ok(tx.comments().comments_on(idea, &scope, paging)?);
            }
            let mut parts = Vec::new();
            match caller.user {
                Some(user) => parts.push(tx.comments().comments_for_owner(user, paging)?),
                None => {
                    registrations.readable(|_| true)?;
                }
            }
            for idea in registrations.readable_ideas() {
                let is_among_own = match caller.user {
                    Some(user) => owns(tx, user, idea)?,
                    None => false,
                };
                if !is_among_own {
                    let scope = registrations.scope(tx, idea)?;
                    parts.push(tx.comments().comments_on(idea, &scope, paging)?);
                }
            }
            Ok(Page::merged(parts, paging.size))
        })
    }

    /// Adds a comment unless its writer adds too many. The author is determined from the caller,
    /// whatever was claimed. A reply joins the thread of the comment that it names. If the writer has
    /// added a comment with the same request before, adds nothing and returns that one as it is now.
    ///
    /// # Errors
    /// [`CommentError::Invalid`], [`CommentError::Unknown`],
    /// [`CommentError::NotAgreed`], [`CommentError::NotFound`] also for a recipient
    /// of another browser and for a reply to a comment that the caller cannot see,
    /// [`CommentError::Withdrawn`] for a reply to a withdrawn one, or
    /// [`CommentError::RateLimited`].
    pub fn add(&self, caller: &Caller, form: CommentForm<'_>) -> Result<Comment, CommentError> {
        let id = CommentId::from_random(random::bytes(self.deps.random.as_ref())?);
        let now = self.deps.clock.now();
        activate_new_key(self.deps.database.as_ref(), caller.viewer.as_ref(), now)?;
        let mut writing = AdmitOnce::new(self.deps.limits.here());
        self.deps.database.write(|tx| {
            let now = self.deps.clock.now();
            let (writer, scope, comment) = match (form.recipient, caller.user) {
                (None, Some(user)) => {
                    let idea = form.idea.ok_or_else(|| {
                        Invalid::new("ideaId", "Please say which idea this is about")
                    })?;
                    let text = CommentText::parse(form.text)?;
                    let author = owner_name(tx, user, idea)?;
                    let comment = new_comment(id, idea, author, text, now);
                    (Writer::Owner(user), CommentScope::All, comment)
                }
                (recipient, _) => {
                    let registrations = ReaderRegistrations::load(tx, caller, now)?;
                    let (share, reader) = registrations.readable(|found| {
                        recipient.is_none_or(|id| found.is_of(id))
                            && form.idea.is_none_or(|idea| found.share.idea == idea)
                    })?;
                    let recipient = &reader.recipient;
                    let idea = share.idea;
                    let text = CommentText::parse(form.text)?;
                    let comment = Comment {
                        recipient: Some(recipient.id),
                        share: Some(share.id),
                        ..new_comment(id, idea, recipient.name.clone(), text, now)
                    };
                    (
                        Writer::Recipient(recipient.id),
                        registrations.scope(tx, idea)?,
                        comment,
                    )
                }
            };
            let mut comment = comment;
            if let Some(request) = form.request {
                let subject = format!("comment on {}", comment.idea);
                comment.id = CommentId::from_random(request.id_of(&writer.to_string(), &subject));
                if let Some(known) = tx.comments().comment(comment.id)? {
                    return Ok(known);
                }
            }
            let comment = match form.reply_to {
                Some(replied_to) => in_thread(tx, comment, replied_to, &scope)?,
                None => comment,
            };
            admit(&mut writing, writer)?;
            tx.comments().add_comment(&comment)?;
            let added = Event::comment_added(&comment);
            tx.evidence_log().append_event(&added)?;
            add_comment_notice(tx, &comment, form.reply_to)?;
            Ok(comment)
        })
    }
}

/// Counts a comment or a change of one. The body of a request may name somebody else, or the same
/// recipient in many spellings: only the verified writer counts.
fn admit(writing: &mut AdmitOnce<'_>, writer: Writer) -> Result<(), RateLimited> {
    writing.admit(&[(RateLimit::Comments, LimitKey::Of(writer.to_string()))])
}

fn new_comment(
    id: CommentId,
    idea: IdeaId,
    author: PersonName,
    text: CommentText,
    now: Timestamp,
) -> Comment {
    Comment {
        id,
        idea,
        recipient: None,
        author,
        text,
        reply_to: None,
        share: None,
        created_at: now,
        edited_at: None,
        withdrawn_at: None,
    }
}

/// Puts a reply into the thread of the comment it replies to. The owner's reply is
/// visible only to those who can see that comment.
fn in_thread(
    tx: &mut dyn Transaction,
    comment: Comment,
    replied_to: CommentId,
    scope: &CommentScope,
) -> Result<Comment, CommentError> {
    let replied_to = tx
        .comments()
        .comment(replied_to)?
        .filter(|found| found.idea == comment.idea && scope.includes(found))
        .ok_or(CommentError::NotFound)?;
    if replied_to.withdrawn_at.is_some() {
        return Err(CommentError::Withdrawn);
    }
    Ok(Comment {
        reply_to: Some(replied_to.reply_to.unwrap_or(replied_to.id)),
        share: comment.share.or(replied_to.share),
        ..comment
    })
}

fn owns(tx: &mut dyn Transaction, user: UserId, idea: IdeaId) -> Result<bool, DatabaseError> {
    Ok(tx
        .ideas()
        .idea_owner(idea)?
        .is_some_and(|idea| idea.belongs_to(user)))
}

fn owner_name(
    tx: &mut dyn Transaction,
    user: UserId,
    idea: IdeaId,
) -> Result<PersonName, CommentError> {
    tx.ideas()
        .disclosed_idea(idea)?
        .filter(|found| found.idea.belongs_to(user))
        .map(|found| found.sharer)
        .ok_or(CommentError::NotFound)
}
