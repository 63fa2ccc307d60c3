//! An idea and its states: draft, then published permanently (`docs/rules.md#ideas`).

use std::fmt;

use crate::Timestamp;
use crate::content::{Content, ContentKind};
use crate::digest::Digest;
use crate::file::StoredFile;
use crate::ids::{IdeaId, UserId};
use crate::organization::Organization;
use crate::text::{PersonName, Title};

/// The state of an idea.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdeaStatus {
    /// May be edited and deleted.
    Draft,
    /// Final: it can no longer change.
    Published(Publication),
}

impl IdeaStatus {
    /// Returns the name used in the API and the database.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Published(_) => "published",
        }
    }

    /// Returns the publication, if published.
    #[must_use]
    pub fn publication(&self) -> Option<&Publication> {
        match self {
            Self::Draft => None,
            Self::Published(publication) => Some(publication),
        }
    }
}

/// The data fixed by publishing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Publication {
    /// Public id of the published content.
    pub document_id: DocumentId,
    /// Server time at publication, shown as 'Blockchain timestamp'.
    pub at: Timestamp,
}

/// A published idea's public id, such as `IV-7K3M-Q9TX-2B4N`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentId(String);

impl DocumentId {
    /// Letters and digits that are not confused when read aloud (Crockford's base
    /// 32).
    const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    /// Makes an id of twelve random characters: 60 bits, so that ids neither collide
    /// nor can be guessed.
    #[must_use]
    pub fn from_random(bytes: [u8; 12]) -> Self {
        let mut text = String::from("IV");
        for (position, byte) in bytes.iter().enumerate() {
            if position % 4 == 0 {
                text.push('-');
            }
            // The mask keeps the index within the alphabet's 32 letters.
            if let Some(letter) = Self::ALPHABET.get(usize::from(byte & 31)) {
                text.push(char::from(*letter));
            }
        }
        Self(text)
    }

    /// Parses an id, written as it is shown; `None` for everything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_group = |group: &&str| {
            group.len() == 4 && group.bytes().all(|byte| Self::ALPHABET.contains(&byte))
        };
        let groups: Vec<&str> = text.strip_prefix("IV-")?.split('-').collect();
        (groups.len() == 3 && groups.iter().all(is_group)).then(|| Self(text.to_owned()))
    }

    /// Wraps a stored id.
    #[must_use]
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// Returns the id.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for DocumentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An idea without its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idea {
    /// Unique id.
    pub id: IdeaId,
    /// The owning account.
    pub owner: UserId,
    /// Current title.
    pub title: Title,
    /// Draft or published.
    pub status: IdeaStatus,
    /// The form of its current content.
    pub content_kind: ContentKind,
    /// Number of the current revision; the first is 1.
    pub revision: i32,
    /// SHA-256 of the current content, as [`Draft::sha256`] defines it.
    pub sha256: Digest,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When its owner deleted it. The row stays as long as evidence refers to it.
    pub deleted_at: Option<Timestamp>,
}

impl Idea {
    /// Returns whether it is published and therefore final.
    #[must_use]
    pub fn is_published(&self) -> bool {
        self.status.publication().is_some()
    }

    /// Returns whether `user` may see and change it. A deleted idea belongs to
    /// nobody.
    #[must_use]
    pub fn belongs_to(&self, user: UserId) -> bool {
        self.owner == user && self.deleted_at.is_none()
    }
}

/// An idea as shown in lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdeaSummary {
    /// Unique id.
    pub id: IdeaId,
    /// Current title.
    pub title: Title,
    /// Draft or published.
    pub status: IdeaStatus,
    /// The form of its current content.
    pub content_kind: ContentKind,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// An idea in its owner's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedIdea {
    /// Data of the idea itself.
    pub summary: IdeaSummary,
    /// Whether its current revision is on record.
    pub on_record: bool,
    /// Number of links created, including revoked and expired ones.
    pub link_count: i64,
    /// Number of views granted on all links.
    pub view_count: i64,
    /// How its owner has organized it.
    pub organization: Organization,
    /// Whether its title or its tags are damaged; they are empty then. The content may be as well.
    pub is_damaged: bool,
}

impl From<Idea> for IdeaSummary {
    fn from(idea: Idea) -> Self {
        Self {
            id: idea.id,
            title: idea.title,
            status: idea.status,
            content_kind: idea.content_kind,
            updated_at: idea.updated_at,
        }
    }
}

/// An idea with its current content.
#[derive(Clone, Debug, PartialEq)]
pub struct IdeaWithContent {
    /// The idea without its content.
    pub idea: Idea,
    /// Content of the revision `idea.revision`.
    pub content: Content,
}

/// Content to be saved as the next revision of an idea.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// Title of that revision.
    pub title: Title,
    /// Sanitized content.
    pub content: Content,
    /// SHA-256 of the revision: for text and objects, of [`Content::to_stored`]; for
    /// a PDF, of the file itself, so that its owner can check it with `sha256sum`
    /// alone.
    pub sha256: Digest,
}

impl Draft {
    /// Creates a draft with self-contained content: anything but a PDF.
    #[must_use]
    pub fn new(title: Title, content: Content) -> Self {
        Self {
            sha256: content.digest(),
            title,
            content,
        }
    }

    /// Creates a draft from a PDF file.
    #[must_use]
    pub fn of_pdf(title: Title, file: &StoredFile) -> Self {
        Self {
            title,
            content: Content::Pdf {
                file_name: file.name.to_string(),
                pdf_path: file.path(),
            },
            sha256: file.sha256,
        }
    }

    /// Creates a draft with the current content and another title.
    #[must_use]
    pub fn retitled(title: Title, current: IdeaWithContent) -> Self {
        Self {
            title,
            content: current.content,
            sha256: current.idea.sha256,
        }
    }
}

/// A saved state of an idea, without its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// Revision number; the first is 1.
    pub number: i32,
    /// Title at that time.
    pub title: Title,
    /// The form of its content.
    pub content_kind: ContentKind,
    /// SHA-256 as [`Draft::sha256`] defines it.
    pub sha256: Digest,
    /// When it was saved.
    pub created_at: Timestamp,
    /// Whether its content is still stored.
    pub is_kept: bool,
}

/// A revision with its content.
#[derive(Clone, Debug, PartialEq)]
pub struct RevisionWithContent {
    /// The revision without its content.
    pub revision: Revision,
    /// The content; `None` once it was erased.
    pub content: Option<Content>,
}

/// An idea as somebody other than its owner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisclosedIdea {
    /// The idea itself.
    pub idea: Idea,
    /// Name of the owner.
    pub sharer: PersonName,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn document_ids_have_three_groups_of_four() {
        let id = DocumentId::from_random([0, 31, 32, 255, 4, 5, 6, 7, 8, 9, 10, 11]);
        assert_eq!(id.as_str(), "IV-0Z0Z-4567-89AB");
        assert_eq!(DocumentId::parse(id.as_str()), Some(id));
    }

    #[test]
    fn other_texts_are_no_document_ids() {
        for text in [
            "",
            "IV",
            "IV-0Z0Z-4567",
            "IV-0Z0Z-4567-89AB-0000",
            "IV-0Z0Z-4567-89ABC",
            "IV-0Z0Z-4567-89A\0",
            "IV-0Z0Z-4567-89Aé",
            "IV-0Z0Z-4567-89AI",
            "iv-0z0z-4567-89ab",
            " IV-0Z0Z-4567-89AB",
        ] {
            assert_eq!(DocumentId::parse(text), None, "{text:?}");
        }
    }
}
