//! Facts that an event commits to with a digest, and that are handed out or erased one
//! by one.

use serde_json::{Map, Value, json};

use super::Salt;
use super::canonical::{NotCanonical, canonical, encode_salt, timestamp};
use crate::comment::Comment;
use crate::digest::Digest;
use crate::file::StoredFile;
use crate::idea::DocumentId;
use crate::nda::Agreement;
use crate::recipient::{Identity, Origin, Recipient};

/// Facts about the content of a revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContentFacts {
    /// Its title.
    pub title: String,
    /// Name of the creator at that time.
    pub creator: String,
    /// SHA-256 of the exact stored content; of a PDF, of the file.
    pub sha256: Digest,
    /// The document id, if published.
    pub document_id: Option<DocumentId>,
    /// The files that it shows, in order.
    pub files: Vec<FileFacts>,
}

/// Facts about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileFacts {
    /// File name at upload.
    pub name: String,
    /// The type that it is served as.
    pub media_type: String,
    /// SHA-256 of the bytes.
    pub sha256: Digest,
}

impl FileFacts {
    /// Facts about a stored file.
    #[must_use]
    pub fn of(file: &StoredFile) -> Self {
        Self {
            name: file.name.to_string(),
            media_type: file.media_type.as_str().to_owned(),
            sha256: file.sha256,
        }
    }

    fn to_json(&self) -> Value {
        json!({
            "name": self.name,
            "mediaType": self.media_type,
            "sha256": self.sha256.to_string(),
        })
    }
}

/// Facts behind one digest of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Disclosure {
    /// The content of a revision.
    Content(ContentFacts),
    /// The wording of an agreement.
    Agreement {
        /// Its version.
        version: &'static str,
        /// SHA-256 of the wording before names are filled in.
        wording: Digest,
    },
    /// The exact text of an agreement, which names the recipient.
    Terms(Digest),
    /// A recipient.
    Person(Value),
    /// Where a request came from.
    Origin(Origin),
    /// A file that was sent.
    File(FileFacts),
    /// A comment.
    Comment {
        /// Name of its author.
        author: String,
        /// SHA-256 of its text.
        text: Digest,
    },
}

impl Disclosure {
    /// The template of the agreement.
    #[must_use]
    pub fn agreement(agreement: &Agreement) -> Self {
        Self::Agreement {
            version: agreement.version.as_str(),
            wording: agreement.version.wording_digest(),
        }
    }

    /// The exact text of the agreement.
    #[must_use]
    pub fn terms(agreement: &Agreement) -> Self {
        Self::Terms(agreement.digest())
    }

    /// A person who registered on a link.
    #[must_use]
    pub fn person(recipient: &Recipient) -> Self {
        let (identity, confirmed_at) = match recipient.identity {
            Identity::SelfDeclared => ("self-declared", None),
            Identity::EmailConfirmed { at } => ("email-confirmed", Some(timestamp(at))),
        };
        Self::Person(json!({
            "name": recipient.name.to_string(),
            "email": recipient.email.to_string(),
            "phone": recipient.phone.as_ref().map(ToString::to_string),
            "identity": identity,
            "confirmedAt": confirmed_at,
        }))
    }

    /// A comment.
    #[must_use]
    pub fn comment(comment: &Comment) -> Self {
        Self::Comment {
            author: comment.author.to_string(),
            text: Digest::of(comment.text.as_str().as_bytes()),
        }
    }

    /// Its name in the event.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Content(_) => "content",
            Self::Agreement { .. } => "agreement",
            Self::Terms(_) => "terms",
            Self::Person(_) => "person",
            Self::Origin(_) => "origin",
            Self::File(_) => "file",
            Self::Comment { .. } => "comment",
        }
    }

    /// Returns the facts, without a salt.
    #[must_use]
    pub fn facts(&self) -> Map<String, Value> {
        let facts = match self {
            Self::Content(content) => json!({
                "title": content.title,
                "creator": content.creator,
                "sha256": content.sha256.to_string(),
                "documentId": content.document_id.as_ref().map(DocumentId::as_str),
                "files": content.files.iter().map(FileFacts::to_json).collect::<Vec<_>>(),
            }),
            Self::Agreement { version, wording } => json!({
                "template": "IdeaVault NDA",
                "version": version,
                "sha256": wording.to_string(),
            }),
            Self::Terms(digest) => json!({ "sha256": digest.to_string() }),
            Self::Person(person) => person.clone(),
            Self::Origin(origin) => json!({
                "address": origin.ip.to_string(),
                "browser": origin.user_agent,
            }),
            Self::File(file) => file.to_json(),
            Self::Comment { author, text } => json!({
                "author": author,
                "sha256": text.to_string(),
            }),
        };
        match facts {
            Value::Object(facts) => facts
                .into_iter()
                .filter(|(_, fact)| !fact.is_null())
                .collect(),
            _ => Map::new(),
        }
    }

    /// Returns it as canonical JSON with a salt.
    pub(super) fn encode(&self, salt: &Salt) -> Result<String, NotCanonical> {
        let mut disclosure = self.facts();
        disclosure.insert("salt".into(), json!(encode_salt(salt)));
        canonical(&disclosure)
    }
}

/// Returns whether that disclosure of a reader's event leads to the reader, and so goes when
/// the reader is erased. `event` is the body of the event.
#[must_use]
pub fn names_reader(disclosure: &str, event: &str) -> bool {
    match disclosure {
        "person" | "origin" | "terms" | "comment" => true,
        // A page that was made for a reader has the name in it, unlike a file of the idea.
        "file" => {
            let event: Value = serde_json::from_str(event).unwrap_or_default();
            event.get("file").is_none()
        }
        _ => false,
    }
}

/// Returns whether that disclosure of an event without a reader leads to the creator, and so
/// goes when the creator is erased.
#[must_use]
pub fn names_creator(disclosure: &str) -> bool {
    matches!(disclosure, "content" | "comment")
}
