//! Facts that an event commits to with a digest, and that are handed out or erased one
//! by one.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::canonical::{NotCanonical, canonical, encode_salt, timestamp};
use super::{EventBody, FORMAT_VERSION, FORMAT_VERSION_2, Salt};
use crate::comment::Comment;
use crate::digest::Digest;
use crate::file::StoredFile;
use crate::nda::AgreementVersion;
use crate::recipient::{Identity, Origin, Recipient};

/// Name of [`Disclosure::Signatory`].
pub const SIGNATORY: &str = "signatory";

/// Name of [`Disclosure::Sources`].
pub const SOURCES: &str = "sources";

/// [`AgreementFacts::kind`] of a text that binds the reader.
pub const ONE_WAY: &str = "one-way";

/// [`AgreementFacts::kind`] of a text that binds the owner as well.
pub const MUTUAL: &str = "mutual";

/// [`PersonFacts::identity`] of a reader whose address a provider confirmed.
pub const PROVIDER_CONFIRMED: &str = "provider-confirmed";

/// Facts about the content of a revision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ContentFacts {
    /// Its title.
    pub title: String,
    /// Name of the creator at that time.
    pub creator: String,
    /// SHA-256 of the exact stored content, in hexadecimal digits; of a PDF, of the file.
    pub sha256: String,
    /// The document id, if published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document_id: Option<String>,
    /// The files that it shows, in order.
    pub files: Vec<FileFacts>,
}

/// Facts about a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileFacts {
    /// File name at upload.
    pub name: String,
    /// The type that it is served as.
    pub media_type: String,
    /// SHA-256 of the bytes, in hexadecimal digits.
    pub sha256: String,
    /// Of a marked copy: SHA-256 of the file that it was made of, in hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<String>,
}

impl FileFacts {
    /// Facts about a stored file.
    #[must_use]
    pub fn of(file: &StoredFile) -> Self {
        Self {
            name: file.name.to_string(),
            media_type: file.media_type.as_str().to_owned(),
            sha256: file.sha256.to_string(),
            original: None,
        }
    }
}

/// Which agreement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgreementFacts {
    /// Name of the template.
    pub template: String,
    /// Its version.
    pub version: String,
    /// SHA-256 of the wording before names are filled in, in hexadecimal digits.
    pub sha256: String,
    /// Whom it binds, [`ONE_WAY`] or [`MUTUAL`]; since the second version of the format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Language tag of the text (BCP 47); together with `kind`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// The text of an agreement, which names the recipient.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TermsFacts {
    /// SHA-256 of the exact text, in hexadecimal digits.
    pub sha256: String,
}

/// A recipient.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PersonFacts {
    /// Name.
    pub name: String,
    /// Email address.
    pub email: String,
    /// Phone number, if it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// How the person is known: `self-declared`, `email-confirmed`, or [`PROVIDER_CONFIRMED`].
    pub identity: String,
    /// When the address was confirmed, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed_at: Option<String>,
    /// The company that the person signs for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub company: Option<String>,
    /// The person's role there; together with `company`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Issuer that confirmed the address; with [`PROVIDER_CONFIRMED`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
}

impl PersonFacts {
    /// A person who registered on a link.
    #[must_use]
    pub fn of(recipient: &Recipient) -> Self {
        let (identity, confirmed_at) = match recipient.identity {
            Identity::SelfDeclared => ("self-declared", None),
            Identity::EmailConfirmed { at } => ("email-confirmed", Some(timestamp(at))),
        };
        Self {
            name: recipient.name.to_string(),
            email: recipient.email.to_string(),
            phone: recipient.phone.as_ref().map(ToString::to_string),
            identity: identity.to_owned(),
            confirmed_at,
            company: None,
            role: None,
            provider: None,
        }
    }
}

/// Where a request came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OriginFacts {
    /// Network address.
    pub address: String,
    /// The browser's `User-Agent`, if it sent one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub browser: Option<String>,
}

/// A comment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommentFacts {
    /// Name of its author.
    pub author: String,
    /// SHA-256 of its text, in hexadecimal digits.
    pub sha256: String,
}

/// Who accepted an agreement for the owner's side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignatoryFacts {
    /// Name.
    pub name: String,
    /// The company that the person signed for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub company: Option<String>,
    /// The person's role there; together with `company`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
}

/// Files beside the content of a revision that only its owner has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourcesFacts {
    /// The files, in order.
    pub files: Vec<FileFacts>,
}

/// Facts behind one digest of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Disclosure {
    /// The content of a revision.
    Content(ContentFacts),
    /// The wording of an agreement.
    Agreement(AgreementFacts),
    /// The exact text of an agreement.
    Terms(TermsFacts),
    /// A recipient.
    Person(PersonFacts),
    /// Where a request came from.
    Origin(OriginFacts),
    /// A file that was sent.
    File(FileFacts),
    /// A comment.
    Comment(CommentFacts),
    /// Who accepted for the owner's side.
    Signatory(SignatoryFacts),
    /// Files of the owner.
    Sources(SourcesFacts),
}

/// Facts as they are recorded: nobody can guess them from their digest.
#[derive(Serialize)]
struct Salted<'d> {
    #[serde(flatten)]
    facts: &'d Disclosure,
    salt: String,
}

impl Disclosure {
    /// The template of an agreement.
    #[must_use]
    pub fn agreement(version: AgreementVersion) -> Self {
        Self::Agreement(AgreementFacts {
            template: "IdeaVault NDA".to_owned(),
            version: version.to_string(),
            sha256: version.wording_digest().to_string(),
            kind: None,
            language: None,
        })
    }

    /// The exact text of an agreement, by its digest.
    #[must_use]
    pub fn terms(digest: Digest) -> Self {
        Self::Terms(TermsFacts {
            sha256: digest.to_string(),
        })
    }

    /// Where a request came from.
    #[must_use]
    pub fn origin(origin: &Origin) -> Self {
        Self::Origin(OriginFacts {
            address: origin.ip.to_string(),
            browser: origin.user_agent.clone(),
        })
    }

    /// A comment.
    #[must_use]
    pub fn comment(comment: &Comment) -> Self {
        Self::Comment(CommentFacts {
            author: comment.author.to_string(),
            sha256: Digest::of(comment.text.as_str().as_bytes()).to_string(),
        })
    }

    /// Its name in the event.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Content(_) => "content",
            Self::Agreement(_) => "agreement",
            Self::Terms(_) => "terms",
            Self::Person(_) => "person",
            Self::Origin(_) => "origin",
            Self::File(_) => "file",
            Self::Comment(_) => "comment",
            Self::Signatory(_) => SIGNATORY,
            Self::Sources(_) => SOURCES,
        }
    }

    /// Returns the version of the format that has first what it has.
    #[must_use]
    pub fn since(&self) -> u64 {
        let is_new = match self {
            Self::Agreement(agreement) => agreement.kind.is_some() || agreement.language.is_some(),
            Self::Person(person) => {
                person.company.is_some()
                    || person.role.is_some()
                    || person.provider.is_some()
                    || person.identity == PROVIDER_CONFIRMED
            }
            Self::File(file) => file.original.is_some(),
            Self::Signatory(_) | Self::Sources(_) => true,
            Self::Content(_) | Self::Terms(_) | Self::Origin(_) | Self::Comment(_) => false,
        };
        if is_new {
            FORMAT_VERSION_2
        } else {
            FORMAT_VERSION
        }
    }

    /// Returns the files that it lists.
    #[must_use]
    pub fn files(&self) -> &[FileFacts] {
        match self {
            Self::Content(content) => &content.files,
            Self::Sources(sources) => &sources.files,
            _ => &[],
        }
    }

    /// Returns the digests that it names.
    pub fn digests(&self) -> impl Iterator<Item = &String> {
        let first = match self {
            Self::Content(content) => Some(&content.sha256),
            Self::Agreement(agreement) => Some(&agreement.sha256),
            Self::Terms(terms) => Some(&terms.sha256),
            Self::File(file) => Some(&file.sha256),
            Self::Comment(comment) => Some(&comment.sha256),
            Self::Person(_) | Self::Origin(_) | Self::Signatory(_) | Self::Sources(_) => None,
        };
        let original = match self {
            Self::File(file) => file.original.as_ref(),
            _ => None,
        };
        let files = self.files().iter().map(|file| &file.sha256);
        first.into_iter().chain(original).chain(files)
    }

    /// Returns it as canonical JSON with a salt.
    ///
    /// # Errors
    /// [`NotCanonical`].
    pub fn encode(&self, salt: &Salt) -> Result<String, NotCanonical> {
        canonical(&Salted {
            facts: self,
            salt: encode_salt(salt),
        })
    }

    /// Reads recorded facts; `None` if they are none of that name. Leaves out members that only a
    /// later version knows.
    #[must_use]
    pub fn parse(name: &str, body: &str) -> Option<Self> {
        let mut facts: Value = serde_json::from_str(body).ok()?;
        facts.as_object_mut()?.remove("salt");
        Self::from_facts(name, facts).ok()?
    }

    /// Reads facts without their salt; `None` if none have that name.
    ///
    /// # Errors
    /// When members that facts of that name have are missing or malformed.
    pub fn from_facts(name: &str, facts: Value) -> Result<Option<Self>, serde_json::Error> {
        Ok(Some(match name {
            "content" => Self::Content(serde_json::from_value(facts)?),
            "agreement" => Self::Agreement(serde_json::from_value(facts)?),
            "terms" => Self::Terms(serde_json::from_value(facts)?),
            "person" => Self::Person(serde_json::from_value(facts)?),
            "origin" => Self::Origin(serde_json::from_value(facts)?),
            "file" => Self::File(serde_json::from_value(facts)?),
            "comment" => Self::Comment(serde_json::from_value(facts)?),
            SIGNATORY => Self::Signatory(serde_json::from_value(facts)?),
            SOURCES => Self::Sources(serde_json::from_value(facts)?),
            _ => return Ok(None),
        }))
    }
}

/// Returns whether that disclosure of a reader's event leads to the reader, and so goes when
/// the reader is erased. `event` is `None` if it cannot be read.
#[must_use]
pub fn names_reader(disclosure: &str, event: Option<&EventBody>) -> bool {
    match disclosure {
        "person" | "origin" | "terms" | "comment" => true,
        // A page that was made for a reader has the name in it, unlike a file of the idea.
        "file" => event.is_none_or(|event| event.file.is_none()),
        _ => false,
    }
}

/// Returns whether that disclosure of an event without a reader leads to the creator, and so
/// goes when the creator is erased.
#[must_use]
pub fn names_creator(disclosure: &str) -> bool {
    matches!(disclosure, "content" | "comment" | SIGNATORY | SOURCES)
}
