//! The report of an idea: what was recorded of it and its readers, in words, and what that rests on.
//!
//! Invariant: it has everything that was asked for, and says what it leaves out.

use crate::Timestamp;
use crate::document::{Confirmation, LogPlace, UNCONFIRMED, sentences};
use crate::evidence::EventKind;
use crate::recipient::ERASED_NAME;
use crate::text::quoted;

/// Most events of a report.
pub const REPORTED: usize = 20_000;

/// What a report cannot say.
pub const LIMITS: &str = "This report says what this vault recorded: not who sat at a screen, and not \
                          whether what was opened was read.";

/// A report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Name of the vault.
    pub vault: String,
    /// When it was made.
    pub made_at: Timestamp,
    /// Number of the idea.
    pub idea: String,
    /// Title of the idea.
    pub title: String,
    /// Its document id, if it is published.
    pub document_id: Option<String>,
    /// Name of the owner.
    pub creator: String,
    /// What of the idea it is about; `None` if it is about all.
    pub chosen: Option<String>,
    /// What happened, the oldest first.
    pub lines: Vec<ReportLine>,
    /// What the lines rest on: of each log, the newest last.
    pub grounds: Vec<Ground>,
    /// Whether outsiders are asked to confirm the time.
    pub has_witnesses: bool,
    /// The page where the evidence can be checked.
    pub verify_page: String,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportLine {
    /// When.
    pub at: Timestamp,
    /// What.
    pub sentence: String,
    /// What else is known of it.
    pub details: Vec<String>,
    /// Number in the log, once it has one, and SHA-256.
    pub basis: String,
}

/// What the lines in one log rest on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ground {
    /// The place of its last line.
    pub place: LogPlace,
    /// The number of the last line that an outsider has confirmed, and the confirmations.
    pub confirmed: Option<(u64, Vec<Confirmation>)>,
}

impl Ground {
    fn sentences(&self, has_witnesses: bool) -> Vec<String> {
        let LogPlace {
            origin,
            index,
            size,
            root,
        } = &self.place;
        let mut all = vec![format!(
            "Up to No. {index}, the lines are in the log {origin}, covered by its checkpoint of \
             {size} events with the root {root}."
        )];
        match &self.confirmed {
            Some((last, confirmations)) => {
                all.push(format!(
                    "Up to No. {last}: {}",
                    sentences(confirmations, has_witnesses).join(" ")
                ));
                if last < index {
                    all.push(format!("After No. {last}: {UNCONFIRMED}"));
                }
            }
            None => all.extend(sentences(&[], has_witnesses)),
        }
        all
    }
}

impl Report {
    /// Returns the number of lines, and which readers they are about, in words.
    #[must_use]
    pub fn scope(&self) -> String {
        let count = self.lines.len();
        let lines = match count {
            1 => "1 line".to_owned(),
            _ => format!("{count} lines"),
        };
        match &self.chosen {
            Some(chosen) => format!(
                "{lines}: all that is recorded of {chosen}. What else is recorded of this idea is \
                 left out."
            ),
            None => format!("{lines}: all that is recorded of this idea and its readers."),
        }
    }

    /// Returns what the lines rest on, and how to check it.
    #[must_use]
    pub fn basis(&self) -> Vec<String> {
        let mut all: Vec<_> = self
            .grounds
            .iter()
            .flat_map(|ground| ground.sentences(self.has_witnesses))
            .collect();
        if self.grounds.is_empty() && !self.lines.is_empty() {
            all.push("No line has a place in the log yet: make this report again later.".into());
        }
        all.push(format!(
            "The report itself proves nothing: the evidence of the idea does, which its owner can \
             download and anybody can check at {}. Each line's SHA-256 is there.",
            self.verify_page
        ));
        all
    }
}

/// Who did something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who<'a> {
    /// Somebody of that name.
    Named(&'a str),
    /// A reader whose name was erased.
    Erased,
    /// A reader whose name is damaged.
    Damaged,
}

/// What an event says.
#[derive(Clone, Copy, Debug)]
pub struct Told<'a> {
    /// Its kind.
    pub kind: EventKind,
    /// Who did it.
    pub who: Who<'a>,
    /// Number of the version concerned.
    pub version: Option<i32>,
    /// Name of the link concerned.
    pub link: Option<&'a str>,
    /// Address of the reader concerned, or for whom the link is.
    pub address: Option<&'a str>,
    /// Name of the file concerned.
    pub file: Option<&'a str>,
    /// Whether a reader downloaded the document.
    pub is_download: bool,
}

impl Told<'_> {
    /// Returns what happened, in the words of `frontend/src/sharing/readerActs.ts` and of the list of
    /// events. Typed names stand in quotation marks that they cannot end.
    #[must_use]
    pub fn sentence(&self) -> String {
        let who = match self.who {
            Who::Named(name) => quoted(name),
            Who::Erased => ERASED_NAME.into(),
            Who::Damaged => "A reader (name damaged)".into(),
        };
        let version = |unknown: &str| match self.version {
            Some(number) => format!("version {number}"),
            None => unknown.to_owned(),
        };
        let link = match self.link {
            Some(name) => format!("the link {}", quoted(name)),
            None => "a link".into(),
        };
        match self.kind {
            EventKind::RevisionRecorded => {
                format!("{} was put on record.", first(&version("a version")))
            }
            EventKind::IdeaPublished => match self.version {
                Some(number) => format!("The idea was published as version {number}."),
                None => "The idea was published.".into(),
            },
            EventKind::IdeaDeleted => "The draft was deleted.".into(),
            EventKind::ShareCreated => match self.address {
                Some(address) => format!("The idea was shared with {address}."),
                None => format!("The idea was shared by {link}."),
            },
            EventKind::ShareRevoked => format!("{} was revoked.", first(&link)),
            EventKind::AgreementOffered => format!("{who} was offered the agreement."),
            EventKind::AgreementDelivered => format!("{who} was sent the text of the agreement."),
            EventKind::AgreementAccepted => match self.version {
                Some(number) => format!("{who} accepted the agreement for version {number}."),
                None => format!("{who} accepted the agreement."),
            },
            EventKind::AgreementDeclined => format!("{who} declined the agreement."),
            EventKind::AgreementIssued => {
                format!("{who} accepted the agreement of {link} towards all its readers.")
            }
            EventKind::AccessRequested => format!("{who} asked to read the document."),
            EventKind::AccessApproved => format!("{who} was let in to read."),
            EventKind::AccessRefused => format!("The request of {who} was declined."),
            EventKind::EmailConfirmed => match self.address {
                Some(address) => format!("{who} confirmed the address {address} by a code."),
                None => format!("{who} confirmed the address by a code."),
            },
            EventKind::ViewStarted => format!("{who} opened {}.", version("the idea")),
            EventKind::VisitClosed => format!("{who} closed the document."),
            EventKind::FileDelivered => match (self.version, self.is_download) {
                (Some(number), _) => format!("{who} was shown the edited version {number}."),
                (None, true) => format!("{who} downloaded {}.", self.file_name()),
                (None, false) => format!("{who} was sent {}.", self.file_name()),
            },
            EventKind::CommentAdded => format!("{who} commented."),
            EventKind::CommentChanged => format!("{who} changed a comment."),
            EventKind::CommentWithdrawn => format!("{who} withdrew a comment."),
            EventKind::PersonErased => "The personal details of a reader were erased.".into(),
            EventKind::KeyRotated => "The log got a new key.".into(),
            EventKind::LogStarted => "The log began.".into(),
            EventKind::LogResumed => "Recording had stopped and began again, in a new log.".into(),
        }
    }

    fn file_name(&self) -> String {
        self.file
            .map_or_else(|| "a file of the idea".into(), quoted)
    }
}

/// Begins a sentence.
fn first(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next();
    first
        .into_iter()
        .flat_map(char::to_uppercase)
        .chain(characters)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::Digest;

    fn told(kind: EventKind) -> Told<'static> {
        Told {
            kind,
            who: Who::Named("Grace Hopper"),
            version: Some(2),
            link: Some("Board"),
            address: None,
            file: Some("plan.pdf"),
            is_download: false,
        }
    }

    #[test]
    fn events_are_told_in_sentences() {
        let named = |kind| told(kind).sentence();
        assert_eq!(
            named(EventKind::AgreementAccepted),
            "\"Grace Hopper\" accepted the agreement for version 2."
        );
        assert_eq!(
            named(EventKind::RevisionRecorded),
            "Version 2 was put on record."
        );
        assert_eq!(
            named(EventKind::ShareRevoked),
            "The link \"Board\" was revoked."
        );
        assert_eq!(
            named(EventKind::AgreementIssued),
            "\"Grace Hopper\" accepted the agreement of the link \"Board\" towards all its readers."
        );
        assert_eq!(
            named(EventKind::AccessRefused),
            "The request of \"Grace Hopper\" was declined."
        );
        let download = Told {
            version: None,
            is_download: true,
            ..told(EventKind::FileDelivered)
        };
        assert_eq!(
            download.sentence(),
            "\"Grace Hopper\" downloaded \"plan.pdf\"."
        );
        let erased = Told {
            who: Who::Erased,
            version: None,
            ..told(EventKind::ViewStarted)
        };
        assert_eq!(erased.sentence(), "An erased person opened the idea.");
    }

    #[test]
    fn a_name_cannot_tell_something_else() {
        let hostile = Told {
            who: Who::Named("Eve\" declined.\n\"Grace"),
            ..told(EventKind::ViewStarted)
        };
        let sentence = "\"Eve' declined. 'Grace\" opened version 2.";
        assert_eq!(hostile.sentence(), sentence);
    }

    #[test]
    fn what_nobody_confirmed_yet_is_said() {
        let time = "2026-11-22T12:00:05Z".parse().unwrap();
        let ground = |confirmed| Ground {
            place: LogPlace {
                origin: "vault.example.org/log1".into(),
                index: 17,
                size: 20,
                root: Digest::of(b"root"),
            },
            confirmed,
        };
        let by = |last| {
            let name = "tsa.example.org".to_owned();
            ground(Some((last, vec![Confirmation::Authority { name, time }])))
        };
        let confirmed = by(17).sentences(true);
        assert_eq!(
            confirmed[1..],
            ["Up to No. 17: Confirmed by tsa.example.org at 22 November 2026, 12:00:05 UTC."]
        );
        assert_eq!(
            by(12).sentences(true)[2],
            format!("After No. 12: {UNCONFIRMED}")
        );
        assert_eq!(ground(None).sentences(true)[1..], [UNCONFIRMED]);
    }
}
