//! Unsaved texts, which wait on the server until they are saved or discarded
//! (`docs/rules.md#working-copies`).

use ideavault_domain::content::ContentKind;
use ideavault_domain::failure::Invalid;
use ideavault_domain::ids::{IdeaId, UserId};
use ideavault_domain::nesting;
use ideavault_domain::ports::{Database, Transaction};
use ideavault_domain::text::Title;
use ideavault_domain::working_copy::{COPIES_MAX, EditingSession, WorkingCopy};

use super::base::require_revision;
use super::{IdeaError, Ideas, own_draft, require_own_idea};
use crate::storage;

/// An unsaved text as a client sends it.
pub struct UnsavedText<'a> {
    /// The title, which may be blank.
    pub title: &'a str,
    /// The content, HTML.
    pub html: &'a str,
    /// The revision that the text was made from; `None` stands for the current one.
    pub base: Option<i32>,
    /// Who wrote it.
    pub session: EditingSession,
}

impl<S: Database> Ideas<S> {
    /// Keeps the unsaved text of a draft, or of an idea that was never saved, in the place of an
    /// earlier one of the same session.
    ///
    /// # Errors
    /// [`IdeaError::Invalid`], [`IdeaError::NotFound`], [`IdeaError::Published`] or
    /// [`IdeaError::Quota`]. Nothing is written then.
    pub fn keep_working_copy(
        &self,
        user: UserId,
        id: Option<IdeaId>,
        unsaved: UnsavedText<'_>,
    ) -> Result<(), IdeaError> {
        nesting::check(unsaved.html)?;
        let mut copy = WorkingCopy {
            title: Title::parse_unsaved(unsaved.title)?,
            html: self.sanitizer.sanitize(unsaved.html),
            base: None,
            session: unsaved.session,
            kept_at: self.deps.clock.now(),
        };
        self.deps.database.write(|tx| {
            copy.base = base_of(tx, user, id, unsaved.base)?;
            let others = tx
                .working_copies()
                .count_other_copies(user, id, &copy.session)?;
            if others >= COPIES_MAX {
                let message = "Save or discard other unsaved texts of this idea first";
                return Err(Invalid::new("session", message).into());
            }
            if !tx.working_copies().keep_working_copy(user, id, &copy)? {
                return Err(IdeaError::Changed);
            }
            storage::check(tx, user, &self.quotas)
        })
    }

    /// Returns the newest unsaved text of an own idea, or of the idea that was never saved.
    ///
    /// # Errors
    /// [`IdeaError::NotFound`] if the idea is not the user's.
    pub fn working_copy(
        &self,
        user: UserId,
        id: Option<IdeaId>,
    ) -> Result<Option<WorkingCopy>, IdeaError> {
        self.deps.database.read(|tx| {
            require_own(tx, user, id)?;
            let newest = tx.working_copies().newest_working_copies(user, id, 1)?;
            Ok(newest.into_iter().next())
        })
    }

    /// Discards the unsaved texts: all, or only that of `session`.
    ///
    /// # Errors
    /// [`IdeaError::NotFound`] if the idea is not the user's.
    pub fn discard_working_copies(
        &self,
        user: UserId,
        id: Option<IdeaId>,
        session: Option<&EditingSession>,
    ) -> Result<(), IdeaError> {
        self.deps.database.write(|tx| {
            require_own(tx, user, id)?;
            Ok(tx.working_copies().drop_working_copies(user, id, session)?)
        })
    }
}

/// Returns the revision that an unsaved text was made from. Refuses one that no edit can have made.
fn base_of(
    tx: &mut dyn Transaction,
    user: UserId,
    id: Option<IdeaId>,
    base: Option<i32>,
) -> Result<Option<i32>, IdeaError> {
    match (id, base) {
        (None, None) => Ok(None),
        (None, Some(_)) => {
            let none = "An idea that was never saved has no version";
            Err(Invalid::new("baseRevision", none).into())
        }
        (Some(id), base) => {
            let idea = own_draft(tx, user, id)?;
            if idea.content_kind != ContentKind::Html {
                return Err(Invalid::new("content", "This idea has no text that changes").into());
            }
            let base = base.unwrap_or(idea.revision);
            require_revision(&idea, base)?;
            Ok(Some(base))
        }
    }
}

fn require_own(
    tx: &mut dyn Transaction,
    user: UserId,
    id: Option<IdeaId>,
) -> Result<(), IdeaError> {
    if let Some(id) = id {
        require_own_idea(tx, user, id)?;
    }
    Ok(())
}
