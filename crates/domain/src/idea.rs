//! An idea and its life: draft, then published for good (spec section 4).

use std::fmt;

use crate::Timestamp;
use crate::content::{Content, ContentKind};
use crate::digest::Digest;
use crate::file::StoredFile;
use crate::ids::{IdeaId, UserId};
use crate::text::{PersonName, Title};

/// Where an idea is in its life.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdeaStatus {
    /// May be edited and deleted.
    Draft,
    /// Final: nothing about it changes any more.
    Published(Publication),
}

impl IdeaStatus {
    /// The name on the wire and in the database.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Published(_) => "published",
        }
    }

    /// What publishing recorded, if it happened.
    #[must_use]
    pub fn publication(&self) -> Option<&Publication> {
        match self {
            Self::Draft => None,
            Self::Published(publication) => Some(publication),
        }
    }
}

/// What publishing fixes in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Publication {
    /// The public name of the published content.
    pub document_id: DocumentId,
    /// The server's time at publication, shown as 'Blockchain timestamp'.
    pub at: Timestamp,
}

/// A published idea's public name, such as `IV-7K3M-Q9TX-2B4N`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentId(String);

impl DocumentId {
    /// Letters and digits that nobody confuses when reading aloud (Crockford's base 32).
    const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    /// Twelve random characters: 60 bits, so that ids neither collide nor can be guessed.
    #[must_use]
    pub fn from_random(bytes: [u8; 12]) -> Self {
        let mut text = String::from("IV");
        for (position, byte) in bytes.iter().enumerate() {
            if position % 4 == 0 {
                text.push('-');
            }
            // The mask keeps the index below the alphabet's 32 letters.
            if let Some(letter) = Self::ALPHABET.get(usize::from(byte & 31)) {
                text.push(char::from(*letter));
            }
        }
        Self(text)
    }

    /// Wraps an id that was stored.
    #[must_use]
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// The id.
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
    /// Identity.
    pub id: IdeaId,
    /// Whose it is.
    pub owner: UserId,
    /// Its title.
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
    /// When its owner deleted it. The row stays as long as evidence points to it.
    pub deleted_at: Option<Timestamp>,
}

impl Idea {
    /// Whether nothing about it may change any more.
    #[must_use]
    pub fn is_published(&self) -> bool {
        self.status.publication().is_some()
    }

    /// Whether `user` may see and change it. A deleted idea belongs to nobody.
    #[must_use]
    pub fn belongs_to(&self, user: UserId) -> bool {
        self.owner == user && self.deleted_at.is_none()
    }
}

/// What a list of ideas shows of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdeaSummary {
    /// Identity.
    pub id: IdeaId,
    /// Its title.
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
    /// The idea.
    pub summary: IdeaSummary,
    /// How many links were made to it, dead ones included.
    pub link_count: i64,
    /// How many views they have given together.
    pub view_count: i64,
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

/// An idea together with its current content.
#[derive(Clone, Debug, PartialEq)]
pub struct IdeaWithContent {
    /// Everything but the content.
    pub idea: Idea,
    /// The content of the revision that `idea.revision` names.
    pub content: Content,
}

/// A content to be saved: the next revision of an idea.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The title at that revision.
    pub title: Title,
    /// Sanitized content.
    pub content: Content,
    /// The revision's fingerprint. Of a text or an object it is the SHA-256 of
    /// [`Content::to_stored`]; of a PDF it is the SHA-256 of the file itself,
    /// so that its inventor can check it with `sha256sum` and nothing else.
    pub sha256: Digest,
}

impl Draft {
    /// A draft that holds all that it says: anything but a PDF.
    #[must_use]
    pub fn new(title: Title, content: Content) -> Self {
        Self {
            sha256: content.digest(),
            title,
            content,
        }
    }

    /// A draft that says what a PDF file says.
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

    /// What an idea says already, under another title.
    #[must_use]
    pub fn retitled(title: Title, current: IdeaWithContent) -> Self {
        Self {
            title,
            content: current.content,
            sha256: current.idea.sha256,
        }
    }
}

/// One state of an idea that was saved, without its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// Its number; the first is 1.
    pub number: i32,
    /// The title at that time.
    pub title: Title,
    /// The form of its content.
    pub content_kind: ContentKind,
    /// Its fingerprint, as [`Draft::sha256`] defines it.
    pub sha256: Digest,
    /// When it was saved.
    pub created_at: Timestamp,
    /// Whether its content is still there.
    pub is_kept: bool,
}

/// A saved state of an idea with its content.
#[derive(Clone, Debug, PartialEq)]
pub struct RevisionWithContent {
    /// Everything but the content.
    pub revision: Revision,
    /// The content; none once it was erased.
    pub content: Option<Content>,
}

/// An idea as somebody sees it who is not its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisclosedIdea {
    /// The idea.
    pub idea: Idea,
    /// The owner's name.
    pub sharer: PersonName,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn document_ids_have_three_groups_of_four() {
        let id = DocumentId::from_random([0, 31, 32, 255, 4, 5, 6, 7, 8, 9, 10, 11]);
        assert_eq!(id.as_str(), "IV-0Z0Z-4567-89AB");
    }
}
