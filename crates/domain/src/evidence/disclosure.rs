//! Facts that an event commits to with a digest, and that are handed out or erased one
//! by one.

use serde_json::{Map, Value, json};

use super::{NotCanonical, Salt, address, canonical, encode_salt, timestamp};
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
    pub(super) fn agreement(agreement: &Agreement) -> Self {
        Self::Agreement {
            version: agreement.version.as_str(),
            wording: agreement.version.wording_digest(),
        }
    }

    pub(super) fn terms(agreement: &Agreement) -> Self {
        Self::Terms(agreement.digest())
    }

    pub(super) fn person(recipient: &Recipient) -> Self {
        let (identity, confirmed_at) = match recipient.identity {
            Identity::SelfDeclared => ("self-declared", None),
            Identity::EmailConfirmed { at } => ("email-confirmed", Some(timestamp(at))),
        };
        Self::Person(json!({
            "name": recipient.name.to_string(),
            "email": address(&recipient.email),
            "phone": recipient.phone.as_ref().map(ToString::to_string),
            "identity": identity,
            "confirmedAt": confirmed_at,
        }))
    }

    pub(super) fn comment(comment: &Comment) -> Self {
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

    /// Returns it as canonical JSON with a salt.
    pub(super) fn encode(&self, salt: &Salt) -> Result<String, NotCanonical> {
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
        let mut disclosure = Map::new();
        if let Value::Object(facts) = facts {
            disclosure.extend(facts.into_iter().filter(|(_, fact)| !fact.is_null()));
        }
        disclosure.insert("salt".into(), json!(encode_salt(salt)));
        canonical(&disclosure)
    }
}
