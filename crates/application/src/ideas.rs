//! A creator's own ideas: write, publish, delete.

use std::sync::Arc;

use ideavault_domain::content::Content;
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::idea::{DocumentId, Draft, Idea, IdeaWithContent, Publication};
use ideavault_domain::ids::{IdeaId, UserId};
use ideavault_domain::ports::{
    Clock, HtmlSanitizer, NewIdea, PortError, Random, Session, Store, StoreError,
};
use ideavault_domain::text::Title;
use serde_json::Value;
use thiserror::Error;

use crate::random;

/// Why an action on an idea failed.
#[derive(Debug, Error)]
pub enum IdeaError {
    /// Absent, deleted, or somebody else's.
    #[error("no such idea")]
    NotFound,
    /// Published ideas are final.
    #[error("the idea is published")]
    Published,
    /// Somebody saved or published in between.
    #[error("the idea changed meanwhile")]
    Changed,
    /// A field breaks a rule.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The store holds an idea without its content.
    #[error("the current revision of idea {0} has no content")]
    ContentMissing(IdeaId),
    /// The store could not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Randomness failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<IdeaError> for Failure {
    fn from(error: IdeaError) -> Self {
        match error {
            IdeaError::NotFound => Self::NotFound,
            IdeaError::Published => {
                Self::Conflict("Published ideas cannot be edited or deleted".into())
            }
            IdeaError::Changed => {
                Self::Conflict("The idea was changed elsewhere meanwhile. Please reload it.".into())
            }
            IdeaError::Invalid(invalid) => Self::Invalid(invalid),
            IdeaError::ContentMissing(_) => Self::Internal(Box::new(error)),
            IdeaError::Store(error) => error.into(),
            IdeaError::Port(error) => Self::Internal(Box::new(error)),
        }
    }
}

/// Ideas.
pub struct Ideas<S> {
    store: Arc<S>,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
    sanitizer: Arc<dyn HtmlSanitizer>,
}

impl<S: Store> Ideas<S> {
    /// Wires the area.
    pub fn new(
        store: Arc<S>,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
        sanitizer: Arc<dyn HtmlSanitizer>,
    ) -> Self {
        Self {
            store,
            clock,
            random,
            sanitizer,
        }
    }

    /// The user's ideas, last changed first.
    ///
    /// # Errors
    /// [`IdeaError::Store`].
    pub fn list(&self, user: UserId) -> Result<Vec<Idea>, IdeaError> {
        Ok(self.store.read(|session| session.ideas_of(user))?)
    }

    /// One idea with its content.
    ///
    /// # Errors
    /// [`IdeaError::NotFound`].
    pub fn get(&self, user: UserId, id: IdeaId) -> Result<IdeaWithContent, IdeaError> {
        self.store.read(|session| {
            let idea = own_idea(session, user, id)?;
            let content = session
                .revision_content(idea.id, idea.revision)?
                .ok_or(IdeaError::ContentMissing(id))?;
            Ok(IdeaWithContent { idea, content })
        })
    }

    /// Saves a new draft.
    ///
    /// # Errors
    /// [`IdeaError::Invalid`].
    pub fn create(
        &self,
        user: UserId,
        title: &str,
        content: Value,
    ) -> Result<IdeaWithContent, IdeaError> {
        let draft = self.parse(title, content)?;
        refuse_foreign_pdf(&draft.content, None)?;
        let new = NewIdea {
            owner: user,
            draft,
            created_at: self.clock.now(),
        };
        let idea = self.store.write(|session| session.add_idea(&new))?;
        Ok(IdeaWithContent {
            idea,
            content: new.draft.content,
        })
    }

    /// Saves a draft anew, as its next revision.
    ///
    /// # Errors
    /// [`IdeaError::Invalid`], [`IdeaError::NotFound`], [`IdeaError::Published`],
    /// or [`IdeaError::Changed`] when another save won a race.
    pub fn update(
        &self,
        user: UserId,
        id: IdeaId,
        title: &str,
        content: Value,
    ) -> Result<IdeaWithContent, IdeaError> {
        let draft = self.parse(title, content)?;
        let now = self.clock.now();
        self.store.write(|session| {
            let idea = own_draft(session, user, id)?;
            if matches!(draft.content, Content::Pdf { .. }) {
                let current = session.revision_content(id, idea.revision)?;
                refuse_foreign_pdf(&draft.content, current.as_ref())?;
            }
            if !session.add_revision(&idea, &draft, now)? {
                return Err(IdeaError::Changed);
            }
            let idea = own_idea(session, user, id)?;
            Ok(IdeaWithContent {
                idea,
                content: draft.content,
            })
        })
    }

    /// Publishes a draft for good. On a published idea it changes nothing and
    /// answers the same as the first time.
    ///
    /// # Errors
    /// [`IdeaError::NotFound`].
    pub fn publish(&self, user: UserId, id: IdeaId) -> Result<IdeaWithContent, IdeaError> {
        let publication = Publication {
            document_id: DocumentId::from_random(random::bytes(self.random.as_ref())?),
            at: self.clock.now(),
        };
        self.store.write(|session| {
            if !own_idea(session, user, id)?.is_published() {
                // Publishes nothing when another request was faster: then the
                // idea is published all the same, or deleted.
                session.publish_idea(id, &publication)?;
            }
            let idea = own_idea(session, user, id)?;
            if !idea.is_published() {
                return Err(IdeaError::Changed);
            }
            let content = session
                .revision_content(id, idea.revision)?
                .ok_or(IdeaError::ContentMissing(id))?;
            Ok(IdeaWithContent { idea, content })
        })
    }

    /// Deletes a draft. Its links die with it; acceptances that were given on
    /// them stay visible to its owner.
    ///
    /// # Errors
    /// [`IdeaError::NotFound`], or [`IdeaError::Published`].
    pub fn delete(&self, user: UserId, id: IdeaId) -> Result<(), IdeaError> {
        let now = self.clock.now();
        self.store.write(|session| {
            own_draft(session, user, id)?;
            if session.delete_draft(id, now)? {
                Ok(())
            } else {
                Err(IdeaError::Changed)
            }
        })
    }

    fn parse(&self, title: &str, content: Value) -> Result<Draft, Invalid> {
        let title = Title::parse(title)?;
        let content = match Content::from_json(content)? {
            Content::Html(html) => Content::Html(self.sanitizer.sanitize(&html)),
            other => other,
        };
        Ok(Draft { title, content })
    }
}

/// The user's idea that is not deleted.
pub(crate) fn own_idea(
    session: &mut dyn Session,
    user: UserId,
    id: IdeaId,
) -> Result<Idea, IdeaError> {
    session
        .idea(id)?
        .filter(|idea| idea.belongs_to(user))
        .ok_or(IdeaError::NotFound)
}

/// Whether the idea is there for anybody: not absent, and not deleted.
pub(crate) fn idea_exists(session: &mut dyn Session, id: IdeaId) -> Result<bool, StoreError> {
    let idea = session.idea(id)?;
    Ok(idea.is_some_and(|idea| idea.deleted_at.is_none()))
}

fn own_draft(session: &mut dyn Session, user: UserId, id: IdeaId) -> Result<Idea, IdeaError> {
    let idea = own_idea(session, user, id)?;
    if idea.is_published() {
        return Err(IdeaError::Published);
    }
    Ok(idea)
}

/// The path of a PDF belongs to the server: a client may send back what it was
/// given, and nothing else (design section 4, Content).
fn refuse_foreign_pdf(content: &Content, current: Option<&Content>) -> Result<(), Invalid> {
    if matches!(content, Content::Pdf { .. }) && current != Some(content) {
        return Err(Invalid::new(
            "content",
            "A PDF can only be uploaded, not linked or changed",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
