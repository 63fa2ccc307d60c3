//! Notices on the page, and notification settings.

use std::sync::Arc;

use ideavault_domain::Timestamp;
use ideavault_domain::comment::Comment;
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::ids::{CommentId, RecipientId, ShareId, UserId};
use ideavault_domain::notice::{NewNotice, Notice, NoticeKind, NotificationMode};
use ideavault_domain::page::{Page, Paging};
use ideavault_domain::ports::{Clock, Database, DatabaseError, PortError, Transaction};
use ideavault_domain::recipient::ViewGrant;
use ideavault_domain::share::Share;
use ideavault_domain::token::Token;
use thiserror::Error;

use crate::ideas::{IdeaError, require_own_idea};

mod mailer;

pub use mailer::{MailerRun, NoticeMailer};

/// The reason why notices were not returned or settings not changed.
#[derive(Debug, Error)]
pub enum NotificationError {
    /// The link is absent or somebody else's, or the token is unknown.
    #[error("no such link or token")]
    NotFound,
    /// A field is invalid.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The idea of a link could not be loaded.
    #[error(transparent)]
    Idea(#[from] IdeaError),
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Encryption or randomness failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<NotificationError> for Failure {
    fn from(error: NotificationError) -> Self {
        match error {
            NotificationError::NotFound => Self::NotFound,
            NotificationError::Invalid(invalid) => Self::Invalid(invalid),
            NotificationError::Idea(error) => error.into(),
            NotificationError::Database(error) => error.into(),
            NotificationError::Port(error) => error.into(),
        }
    }
}

/// Records for the owner what a recipient did on a link; part of the transaction that
/// records the evidence.
pub(crate) fn add_notice(
    tx: &mut dyn Transaction,
    kind: NoticeKind,
    share: ShareId,
    recipient: Option<RecipientId>,
    at: Timestamp,
) -> Result<(), DatabaseError> {
    tx.notices().add_notice(&NewNotice {
        kind,
        share,
        recipient,
        at,
    })
}

/// Records a counted view: the recipient's first, the link's last, or the last but
/// one.
pub(crate) fn add_view_notices(
    tx: &mut dyn Transaction,
    grant: &ViewGrant,
    is_first: bool,
) -> Result<(), DatabaseError> {
    let (share, at) = (grant.share, grant.granted_at);
    if is_first {
        let reader = Some(grant.recipient);
        add_notice(tx, NoticeKind::FirstRead, share, reader, at)?;
    }
    // Read after the claim, which locked the link, so no concurrent claim is missed.
    match tx.shares().share(share)?.as_ref().and_then(views_left) {
        Some(0) => add_notice(tx, NoticeKind::UsedUp, share, None, at),
        Some(1) => add_notice(tx, NoticeKind::OneViewLeft, share, None, at),
        _ => Ok(()),
    }
}

/// Records a new comment: a reader's for the owner, and the owner's reply for the
/// reader who wrote the comment it replies to or began the thread.
pub(crate) fn add_comment_notice(
    tx: &mut dyn Transaction,
    comment: &Comment,
    replied_to: Option<CommentId>,
) -> Result<(), DatabaseError> {
    let Some(share) = comment.share else {
        return Ok(());
    };
    let at = comment.created_at;
    if let Some(reader) = comment.recipient {
        return add_notice(tx, NoticeKind::Commented, share, Some(reader), at);
    }
    for earlier in [replied_to, comment.reply_to].into_iter().flatten() {
        let earlier = tx.comments().comment(earlier)?;
        if let Some(reader) = earlier.and_then(|earlier| earlier.recipient) {
            return add_notice(tx, NoticeKind::Answered, share, Some(reader), at);
        }
    }
    Ok(())
}

/// Takes the notice of a comment back that was withdrawn before it was mailed.
pub(crate) fn take_back_comment_notice(
    tx: &mut dyn Transaction,
    comment: &Comment,
) -> Result<(), DatabaseError> {
    let Some(share) = comment.share else {
        return Ok(());
    };
    let kind = match comment.recipient {
        Some(_) => NoticeKind::Commented,
        None => NoticeKind::Answered,
    };
    tx.notices().take_back_notice(&NewNotice {
        kind,
        share,
        recipient: comment.recipient,
        at: comment.created_at,
    })
}

fn views_left(share: &Share) -> Option<i32> {
    share.terms.max_views().map(|max| max - share.view_count)
}

/// Notices and notification settings of owners.
pub struct Notifications<S> {
    database: Arc<S>,
    clock: Arc<dyn Clock>,
}

impl<S: Database> Notifications<S> {
    /// Creates the service from its dependencies.
    pub fn new(database: Arc<S>, clock: Arc<dyn Clock>) -> Self {
        Self { database, clock }
    }

    /// Returns the owner's notices, newest first.
    pub fn list(&self, user: UserId, paging: Paging) -> Result<Page<Notice>, NotificationError> {
        Ok(self
            .database
            .read_one(|tx| tx.notices().notices_of(user, paging))?)
    }

    /// Returns how many of them are unread.
    pub fn unread(&self, user: UserId) -> Result<i64, NotificationError> {
        Ok(self
            .database
            .read_one(|tx| tx.notices().unread_notices(user))?)
    }

    /// Marks notices up to `up_to` (RFC 3339) as read.
    ///
    /// # Errors
    /// [`NotificationError::Invalid`] on `upTo`.
    pub fn mark_read(&self, user: UserId, up_to: &str) -> Result<(), NotificationError> {
        let up_to = chrono::DateTime::parse_from_rfc3339(up_to)
            .map_err(|_| Invalid::new("upTo", "upTo must be a date and time with a time zone"))?
            .to_utc();
        let now = self.clock.now();
        // Future notices cannot have been seen.
        let up_to = up_to.min(now);
        Ok(self
            .database
            .write(|tx| tx.notices().read_notices(user, up_to, now))?)
    }

    /// Returns the account's email notification mode.
    pub fn mode(&self, user: UserId) -> Result<NotificationMode, NotificationError> {
        Ok(self
            .database
            .read_one(|tx| tx.notification_settings().notification_mode(user))?)
    }

    /// Sets the account's email notification mode.
    ///
    /// # Errors
    /// [`NotificationError::Invalid`] on `mode`.
    pub fn set_mode(
        &self,
        user: UserId,
        mode: &str,
    ) -> Result<NotificationMode, NotificationError> {
        let mode = NotificationMode::parse("mode", mode)?;
        let now = self.clock.now();
        self.database.write(|tx| {
            tx.notification_settings()
                .set_notification_mode(user, mode, now)
        })?;
        Ok(mode)
    }

    /// Sets the email notification mode of a link; `None` follows the account.
    ///
    /// # Errors
    /// [`NotificationError::Invalid`] on `mode`; [`NotificationError::NotFound`] or
    /// [`NotificationError::Idea`] when the link is not the user's.
    pub fn set_share_mode(
        &self,
        user: UserId,
        share: ShareId,
        mode: Option<&str>,
    ) -> Result<Option<NotificationMode>, NotificationError> {
        let mode = mode
            .map(|mode| NotificationMode::parse("mode", mode))
            .transpose()?;
        let now = self.clock.now();
        self.database.write(|tx| {
            let found = tx
                .shares()
                .share(share)?
                .ok_or(NotificationError::NotFound)?;
            require_own_idea(tx, user, found.idea)?;
            tx.notification_settings()
                .set_share_notification_mode(share, mode, now)?;
            Ok(mode)
        })
    }

    /// Stops all mails of the token's subscriber. Idempotent.
    ///
    /// # Errors
    /// [`NotificationError::NotFound`] when the token is unknown.
    pub fn unsubscribe(&self, token: &Token) -> Result<(), NotificationError> {
        let token = token.hash();
        self.database.write(|tx| {
            let subscriber = tx
                .notification_settings()
                .subscriber(&token)?
                .ok_or(NotificationError::NotFound)?;
            Ok(tx.notification_settings().unsubscribe(subscriber)?)
        })
    }
}
