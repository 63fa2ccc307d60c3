//! The non-disclosure agreement: its versioned wording, and its parts and exact text for one
//! recipient.
//!
//! Invariant: the wording of a version never changes once it was offered, because the
//! evidence of an acceptance is the SHA-256 of the text that [`AgreementParts::text`]
//! produces from the stored terms. A new wording is a new version beside the old one.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::Timestamp;
use crate::digest::Digest;
use crate::email::Email;
use crate::idea::{DocumentId, Idea};
use crate::ids::IdeaId;
use crate::text::{PersonName, Title, quoted};

/// A version of the wording. A stored version that this program does not know, because a
/// newer one wrote it, is refused: nobody is shown another wording than was offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgreementVersion {
    /// The only one so far.
    V1_1,
}

impl AgreementVersion {
    /// All versions.
    pub const ALL: [Self; 1] = [Self::V1_1];
    /// The version offered to new recipients.
    pub const CURRENT: Self = Self::V1_1;

    /// Returns the name that is stored and shown.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V1_1 => "1.1",
        }
    }
}

impl fmt::Display for AgreementVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The wording of a version is not known to this program.
#[derive(Debug, Error)]
#[error("unknown version of the agreement")]
pub struct UnknownVersion;

impl FromStr for AgreementVersion {
    type Err = UnknownVersion;

    fn from_str(name: &str) -> Result<Self, UnknownVersion> {
        let mut all = Self::ALL.into_iter();
        all.find(|version| version.as_str() == name)
            .ok_or(UnknownVersion)
    }
}

/// A clause of an agreement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Its number and name.
    pub heading: &'static str,
    /// What it says.
    pub body: &'static str,
}

/// What stands between the terms and the clauses.
const PREAMBLE: [&str; 2] = [
    "What stands in quotation marks above identifies the idea and the parties as they were \
     entered; nothing in it is a term of this agreement.",
    "The Disclosing Party is about to disclose the idea named above to the Receiving Party. In \
     return for that disclosure, the Receiving Party agrees to the following.",
];

/// The clauses, which name nobody.
const CLAUSES: [Clause; 9] = [
    Clause {
        heading: "1. Confidential Information",
        body: "\"Confidential Information\" means the content of the idea named above, in \
               every form in which IdeaVault shows or delivers it, the comments made on it \
               there, and anything that can be derived from them. It applies to this one idea \
               only.",
    },
    Clause {
        heading: "2. Secrecy",
        body: "The Receiving Party keeps the Confidential Information secret, protects it with \
               at least the care that it gives to its own secrets, and never less than \
               reasonable care, and discloses it to nobody without the written consent of the \
               Disclosing Party.",
    },
    Clause {
        heading: "3. Permitted use",
        body: "The Receiving Party uses the Confidential Information only to assess whether to \
               fund, license, build or otherwise support the idea together with the Disclosing \
               Party. It does not copy, record, publish, build, sell or patent the idea or any \
               part of it, and does not help anybody else to do so.",
    },
    Clause {
        heading: "4. Exceptions",
        body: "This agreement does not cover information that the Receiving Party can prove \
               was public before the disclosure or became public later without its fault, was \
               lawfully known to it before, was received lawfully from a third party who owed \
               no secrecy, or was developed independently. Where a law or a court demands \
               disclosure, the Receiving Party gives notice first, as far as the law allows, \
               and discloses only what is demanded.",
    },
    Clause {
        heading: "5. Ownership",
        body: "All rights in the idea and in the Confidential Information stay with the \
               Disclosing Party. Nothing in this agreement grants a licence, a share or any \
               other right in them.",
    },
    Clause {
        heading: "6. Duration",
        body: "This agreement takes effect when it is accepted and is irrevocable. The duties \
               of secrecy and permitted use last five years from acceptance and, for whatever \
               is a trade secret, as long as it remains one, even if the link is revoked, \
               expires or is closed before.",
    },
    Clause {
        heading: "7. Breach",
        body: "The Receiving Party reports any unauthorised use or disclosure to the \
               Disclosing Party without delay. It acknowledges that a breach can cause harm \
               that money alone does not repair, and that the Disclosing Party may ask a court \
               for an injunction besides any other remedy.",
    },
    Clause {
        heading: "8. Record",
        body: "The Receiving Party agrees that accepting electronically binds it like a \
               signature, and that IdeaVault records its name and email address, the time, the \
               network address and browser of the acceptance, and the SHA-256 fingerprints of \
               this text and of the idea's content, and shows that record to the Disclosing \
               Party as evidence.",
    },
    Clause {
        heading: "Acknowledgement",
        body: "By choosing \"I Agree\", the Receiving Party confirms having read and \
               understood this agreement, being entitled to enter into it, and being bound by \
               it.",
    },
];

/// The values for the blanks of a wording.
struct Blanks<'a> {
    idea: &'a str,
    title: &'a str,
    document_id: Option<&'a str>,
    sharer: &'a str,
    recipient: &'a str,
    recipient_email: &'a str,
    offered_on: &'a str,
}

impl Blanks<'static> {
    /// Their names.
    const NAMED: Self = Self {
        idea: "[idea number]",
        title: "[idea]",
        document_id: Some("[document ID]"),
        sharer: "[disclosing party]",
        recipient: "[receiving party]",
        recipient_email: "[email address]",
        offered_on: "[date]",
    };
}

impl AgreementVersion {
    /// Returns the SHA-256 of the wording alone, with the names of its blanks in square
    /// brackets, so that acceptances of the same wording can be compared.
    #[must_use]
    pub fn wording_digest(self) -> Digest {
        Digest::of(self.filled(&Blanks::NAMED).text().as_bytes())
    }

    /// Returns an agreement about an idea as it will be offered, with the names of what its reader
    /// and the time add in square brackets.
    #[must_use]
    pub fn specimen(self, idea: &Idea, title: &Title, sharer: &PersonName) -> AgreementParts {
        let publication = idea.status.publication();
        self.filled(&Blanks {
            idea: &idea.id.to_string(),
            title: title.as_str(),
            document_id: publication.map(|publication| publication.document_id.as_str()),
            sharer: sharer.as_str(),
            ..Blanks::NAMED
        })
    }

    /// Typed text appears only in quotation marks below its own label, so that it cannot
    /// change the meaning of a sentence.
    fn filled(self, blanks: &Blanks<'_>) -> AgreementParts {
        let document = blanks.document_id.map(|id| ("Document ID", id.to_owned()));
        let head = [
            ("Agreement", format!("IdeaVault NDA, version {self}")),
            ("Idea", quoted(blanks.title)),
            ("Idea number", blanks.idea.to_owned()),
        ];
        let parties = [
            ("Disclosing Party", quoted(blanks.sharer)),
            ("Receiving Party", quoted(blanks.recipient)),
            ("Email address", blanks.recipient_email.to_owned()),
            ("Offered on", blanks.offered_on.to_owned()),
        ];
        AgreementParts {
            title: "NON-DISCLOSURE AGREEMENT",
            terms: head.into_iter().chain(document).chain(parties).collect(),
            preamble: &PREAMBLE,
            clauses: &CLAUSES,
        }
    }
}

/// An agreement in its parts, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgreementParts {
    /// The title.
    pub title: &'static str,
    /// Label and value of each of the terms that differ between agreements.
    pub terms: Vec<(&'static str, String)>,
    /// Paragraphs before the clauses.
    pub preamble: &'static [&'static str],
    /// The clauses.
    pub clauses: &'static [Clause],
}

impl AgreementParts {
    /// Returns the exact text: saved by 'Download Agreement', and hashed by
    /// [`Agreement::digest`]. UTF-8, lines end in `\n`.
    #[must_use]
    pub fn text(&self) -> String {
        let blocks: Vec<_> = self.blocks().collect();
        blocks.join("\n\n") + "\n"
    }

    /// Returns what empty lines separate in the text: the title, the terms, and
    /// [`AgreementParts::paragraphs`].
    pub fn blocks(&self) -> impl Iterator<Item = String> {
        let terms = self.terms.iter();
        let terms: Vec<_> = terms
            .map(|(label, value)| format!("{:<18}{value}", format!("{label}:")))
            .collect();
        [self.title.to_owned(), terms.join("\n")]
            .into_iter()
            .chain(self.paragraphs())
    }

    /// Returns the paragraphs after the terms.
    pub fn paragraphs(&self) -> impl Iterator<Item = String> {
        let preamble = self.preamble.iter().map(ToString::to_string);
        let clauses = self.clauses.iter();
        preamble.chain(clauses.map(|Clause { heading, body }| format!("{heading}. {body}")))
    }
}

/// The terms for one recipient and one idea, fixed at registration, so that the text
/// accepted is the text read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// Version of the wording.
    pub version: AgreementVersion,
    /// The protected idea.
    pub idea: IdeaId,
    /// Title of the idea at that time.
    pub idea_title: Title,
    /// Document id, if it was already published.
    pub document_id: Option<DocumentId>,
    /// Name of the disclosing party.
    pub sharer: PersonName,
    /// Name of the receiving party.
    pub recipient: PersonName,
    /// Address of the receiving party.
    pub recipient_email: Email,
    /// When it was offered.
    pub offered_at: Timestamp,
}

impl Agreement {
    /// Returns its parts.
    #[must_use]
    pub fn parts(&self) -> AgreementParts {
        self.version.filled(&Blanks {
            idea: &self.idea.to_string(),
            title: self.idea_title.as_str(),
            document_id: self.document_id.as_ref().map(DocumentId::as_str),
            sharer: self.sharer.as_str(),
            recipient: self.recipient.as_str(),
            recipient_email: self.recipient_email.as_str(),
            offered_on: &self
                .offered_at
                .format("%-d %B %Y, %H:%M:%S UTC")
                .to_string(),
        })
    }

    /// Returns whether `other` has the same text but for the time at which it was offered.
    #[must_use]
    pub fn says_the_same_as(&self, other: &Self) -> bool {
        let offered_at = self.offered_at;
        *self
            == Self {
                offered_at,
                ..other.clone()
            }
    }

    /// Returns [`AgreementParts::text`].
    #[must_use]
    pub fn text(&self) -> String {
        self.parts().text()
    }

    /// Returns the SHA-256 of [`Agreement::text`].
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(self.text().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agreement() -> Agreement {
        Agreement {
            version: AgreementVersion::CURRENT,
            idea: 7.into(),
            idea_title: Title::parse("A kettle that waits").unwrap(),
            document_id: Some(DocumentId::from_random([1; 12])),
            sharer: PersonName::parse_creator("Ada Lovelace").unwrap(),
            recipient: PersonName::parse_recipient("Grace Hopper").unwrap(),
            recipient_email: Email::parse("grace@example.org").unwrap(),
            offered_at: chrono::DateTime::from_timestamp(1_800_000_000, 0).unwrap(),
        }
    }

    #[test]
    fn versions_are_read_back_and_unknown_ones_refused() {
        for version in AgreementVersion::ALL {
            assert_eq!(
                version.as_str().parse::<AgreementVersion>().ok(),
                Some(version)
            );
        }
        assert!("2.0".parse::<AgreementVersion>().is_err());
    }

    #[test]
    fn the_wordings_never_change() {
        let digests = AgreementVersion::ALL.map(|version| version.wording_digest().to_string());
        assert_eq!(
            digests,
            ["0782859384985b35324c064aea2ae089d21913863b2e2482ce1fd3abf12f3b27"]
        );
    }

    #[test]
    fn the_agreement_names_the_idea_and_both_parties() {
        let text = agreement().text();
        for part in [
            "A kettle that waits",
            "Idea number:      7",
            "IV-1111-1111-1111",
            "Ada Lovelace",
            "Receiving Party:  \"Grace Hopper\"\n",
            "Email address:    grace@example.org\n",
            "15 January 2027, 08:00:00 UTC",
        ] {
            assert!(text.contains(part), "{part}");
        }
    }

    #[test]
    fn a_name_appears_only_quoted_after_its_label() {
        let name = "Grace\" is bound by nothing. \u{201d}Nobody\u{202e}";
        let hostile = Agreement {
            recipient: PersonName::from_stored(name.into()),
            sharer: PersonName::from_stored("Ada\nClause 9.".into()),
            ..agreement()
        };
        let text = hostile.text();
        assert_eq!(text.matches("is bound by nothing").count(), 1);
        let line = "Receiving Party:  \"Grace' is bound by nothing. 'Nobody \"\n";
        assert!(text.contains(line), "{text}");
        assert!(
            text.contains("Disclosing Party: \"Ada Clause 9.\"\n"),
            "{text}"
        );
        let sentences = |agreement: &Agreement| {
            let text = agreement.text();
            text[text.find("What stands in").unwrap()..].to_owned()
        };
        assert_eq!(sentences(&hostile), sentences(&agreement()));
    }

    #[test]
    fn the_agreement_has_eight_numbered_clauses_and_an_acknowledgement() {
        let text = agreement().text();
        for number in 1..=8 {
            assert!(text.contains(&format!("\n{number}. ")), "clause {number}");
        }
        assert!(!text.contains("\n9. "));
        assert!(text.contains("\nAcknowledgement. "));
    }

    #[test]
    fn two_agreements_say_the_same_whenever_they_were_offered() {
        let later = Agreement {
            offered_at: chrono::DateTime::from_timestamp(1_900_000_000, 0).unwrap(),
            ..agreement()
        };
        assert!(later.says_the_same_as(&agreement()));
        let renamed = Agreement {
            idea_title: Title::parse("A kettle").unwrap(),
            ..later
        };
        assert!(!renamed.says_the_same_as(&agreement()));
    }

    #[test]
    fn a_draft_has_no_document_line() {
        let draft = Agreement {
            document_id: None,
            ..agreement()
        };
        assert!(!draft.text().contains("Document ID"));
    }
}
