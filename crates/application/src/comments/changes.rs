//! Editing and withdrawing own comments.

use ideavault_domain::Timestamp;
use ideavault_domain::comment::{Comment, CommentText};
use ideavault_domain::evidence::Event;
use ideavault_domain::ids::CommentId;
use ideavault_domain::ports::{Database, Transaction};

use super::reader_registrations::ReaderRegistrations;
use super::{CommentError, Comments, Writer, admit, owns};
use crate::actor::Caller;
use crate::notifications::take_back_comment_notice;
use crate::rate_limits::AdmitOnce;
use crate::viewers::activate_new_key;

impl<S: Database> Comments<S> {
    /// Changes the text of an own comment within
    /// [`EDIT_WINDOW`](ideavault_domain::comment::EDIT_WINDOW) of its creation. The
    /// same text again changes nothing.
    ///
    /// # Errors
    /// [`CommentError::Invalid`], [`CommentError::Unknown`],
    /// [`CommentError::NotFound`] unless the caller wrote it and may still read it,
    /// [`CommentError::Withdrawn`], [`CommentError::TooOld`], or
    /// [`CommentError::RateLimited`].
    pub fn edit(
        &self,
        caller: &Caller,
        id: CommentId,
        text: &str,
    ) -> Result<Comment, CommentError> {
        let now = self.deps.clock.now();
        activate_new_key(self.deps.database.as_ref(), caller.viewer.as_ref(), now)?;
        let mut writing = AdmitOnce::new(self.deps.limits.here());
        self.deps.database.write(|tx| {
            let now = self.deps.clock.now();
            let (writer, comment) = own_comment(tx, caller, id, now)?;
            let text = CommentText::parse(text)?;
            admit(&mut writing, writer)?;
            if comment.withdrawn_at.is_some() {
                return Err(CommentError::Withdrawn);
            }
            // Also later: the answer to the edit may have been lost.
            if comment.text == text {
                return Ok(comment);
            }
            if !comment.is_editable(now) {
                return Err(CommentError::TooOld);
            }
            let edited = Comment {
                text,
                edited_at: Some(now),
                ..comment
            };
            if tx.comments().change_comment(&edited)? {
                let changed = Event::comment_changed(&edited, now);
                tx.evidence_log().append_event(&changed)?;
                Ok(edited)
            } else {
                Err(CommentError::Withdrawn)
            }
        })
    }

    /// Withdraws an own comment: its text is erased, but it stays visible that there
    /// was one. An earlier withdrawal time is kept. No mail tells of it any more.
    ///
    /// # Errors
    /// [`CommentError::Unknown`], [`CommentError::NotFound`] unless the caller wrote
    /// it and may still read it, or [`CommentError::RateLimited`].
    pub fn withdraw(&self, caller: &Caller, id: CommentId) -> Result<Comment, CommentError> {
        let now = self.deps.clock.now();
        activate_new_key(self.deps.database.as_ref(), caller.viewer.as_ref(), now)?;
        let mut writing = AdmitOnce::new(self.deps.limits.here());
        self.deps.database.write(|tx| {
            let now = self.deps.clock.now();
            let (writer, comment) = own_comment(tx, caller, id, now)?;
            admit(&mut writing, writer)?;
            if comment.withdrawn_at.is_some() {
                return Ok(comment);
            }
            let withdrawn = comment.withdrawn(now);
            if tx.comments().change_comment(&withdrawn)? {
                let event = Event::comment_withdrawn(&withdrawn, now);
                tx.evidence_log().append_event(&event)?;
                take_back_comment_notice(tx, &withdrawn)?;
                return Ok(withdrawn);
            }
            // Withdrawn by a concurrent request, or deleted with its idea.
            tx.comments().comment(id)?.ok_or(CommentError::NotFound)
        })
    }
}

/// Returns the comment if the caller wrote it: as the idea's owner, or as a recipient
/// of this browser who may read it now.
fn own_comment(
    tx: &mut dyn Transaction,
    caller: &Caller,
    id: CommentId,
    now: Timestamp,
) -> Result<(Writer, Comment), CommentError> {
    let registrations = ReaderRegistrations::load(tx, caller, now)?;
    let comment = tx.comments().comment(id)?.ok_or(CommentError::NotFound)?;
    let writer = match (comment.recipient, caller.user) {
        (None, Some(user)) if owns(tx, user, comment.idea)? => Writer::Owner(user),
        (Some(recipient), _) => {
            registrations
                .readable(|found| found.is_of(recipient))
                .map_err(|_| CommentError::NotFound)?;
            Writer::Recipient(recipient)
        }
        (None, _) => return Err(CommentError::NotFound),
    };
    Ok((writer, comment))
}
