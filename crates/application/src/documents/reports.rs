//! Reports of ideas.

use std::collections::{BTreeMap, HashSet};

use ideavault_domain::Timestamp;
use ideavault_domain::document::{Confirmation, LogPlace};
use ideavault_domain::evidence::{Disclosure, EventKind, EventSubject, LogId, Place};
use ideavault_domain::ids::{IdeaId, RecipientId, ShareId, UserId};
use ideavault_domain::ports::{Database, DatabaseError, Transaction};
use ideavault_domain::reader::{LOOKED_THROUGH, ReaderFilter};
use ideavault_domain::recipient::ERASED_EMAIL;
use ideavault_domain::report::{Ground, REPORTED, Report, ReportLine, Told, Who};

use super::{DocumentError, Documents};
use crate::anchoring::FAILURES_REPORTED;
use crate::evidence::{EventDetails, all_events, ever_own_idea};

impl<S: Database> Documents<S> {
    /// Returns the report of an own idea, even a deleted one, or of the readers of it alone that are
    /// looked for.
    ///
    /// # Errors
    /// [`EvidenceError::NotFound`](crate::evidence::EvidenceError::NotFound) when the idea is not
    /// the user's; [`DocumentError::TooMany`] beyond [`REPORTED`].
    pub fn report(
        &self,
        user: UserId,
        id: IdeaId,
        filter: &ReaderFilter,
    ) -> Result<Report, DocumentError> {
        let now = self.deps.clock.now();
        self.deps.database.read(|tx| {
            let idea = ever_own_idea(tx, user, id)?;
            let owner = tx.users().user(user)?.map(|owner| owner.name.to_string());
            let creator = owner.unwrap_or_default();
            let is_whole = filter.scope.share.is_none() && filter.finds_all();
            let chosen = match is_whole {
                true => None,
                false => Some(Chosen::find(tx, user, filter)?),
            };
            let is_wanted = |subject: &EventSubject| {
                let chosen = chosen.as_ref();
                chosen.is_none_or(|chosen| chosen.has(subject))
            };
            let events = all_events(tx, id, is_wanted, REPORTED)?;
            let mut events = events.ok_or(DocumentError::TooMany)?;
            events.reverse();
            let grounds = grounds(tx, &events, now)?;
            let names_log = grounds.len() > 1;
            let publication = idea.status.publication();
            Ok(Report {
                vault: self.links.vault().to_string(),
                made_at: now,
                idea: id.to_string(),
                title: idea.title.to_string(),
                document_id: publication.map(|publication| publication.document_id.to_string()),
                lines: events
                    .iter()
                    .map(|event| line(event, &creator, names_log))
                    .collect(),
                creator,
                chosen: chosen.map(|chosen| chosen.words),
                grounds,
                has_witnesses: self.has_witnesses,
                verify_page: self.links.verify(),
            })
        })
    }

    /// Returns a report as a PDF.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_report(&self, report: &Report) -> Result<Vec<u8>, DocumentError> {
        Ok(self.writer.report(report)?)
    }
}

/// What a report is about.
struct Chosen {
    /// A link with everything on it, also what the list of readers does not show.
    link: Option<ShareId>,
    readers: HashSet<RecipientId>,
    /// The links of these readers.
    shares: HashSet<ShareId>,
    /// The same in words.
    words: String,
}

impl Chosen {
    fn find(
        tx: &mut dyn Transaction,
        user: UserId,
        filter: &ReaderFilter,
    ) -> Result<Self, DocumentError> {
        let found = tx
            .recipients()
            .readers_of(user, &filter.scope, LOOKED_THROUGH)?;
        let found = filter.found(found.ok_or(DocumentError::TooMany)?);
        let share = match filter.scope.share {
            Some(share) => tx.shares().share(share)?,
            None => None,
        };
        let name = share.and_then(|share| share.name);
        Ok(Self {
            link: filter.scope.share.filter(|_| filter.finds_all()),
            readers: found.iter().map(|reader| reader.recipient).collect(),
            shares: found.iter().map(|reader| reader.share).collect(),
            words: filter.in_words(name.as_ref().map(|name| name.as_str())),
        })
    }

    /// Returns whether an event is of that link, or of one of these readers or links.
    fn has(&self, subject: &EventSubject) -> bool {
        if self.link.is_some() {
            return subject.share == self.link;
        }
        match (subject.recipient, subject.share) {
            (Some(recipient), _) => self.readers.contains(&recipient),
            (None, Some(share)) => self.shares.contains(&share),
            (None, None) => false,
        }
    }
}

/// Tells an event. What no reader did, its owner did.
fn line(details: &EventDetails, creator: &str, names_log: bool) -> ReportLine {
    let event = &details.event;
    let body = event.parsed();
    let disclosures = details.disclosures.iter();
    let facts: Vec<_> = disclosures
        .filter_map(|(name, body)| Disclosure::parse(name, body))
        .collect();
    let file = facts.iter().find_map(|fact| match fact {
        Disclosure::File(file) => Some(file.name.as_str()),
        _ => None,
    });
    let author = facts.iter().find_map(|fact| match fact {
        Disclosure::Comment(comment) => Some(comment.author.as_str()),
        _ => None,
    });
    let (name, email) = details
        .person
        .as_ref()
        .map(|(name, email)| (name, email))
        .unzip();
    let share = details.share.as_ref();
    let invited = share.and_then(|share| share.terms.recipient_email());
    let invited = invited.map(|email| email.as_str());
    let who = match (name, author, event.subject.recipient) {
        (Some(name), _, _) => Who::Named(name),
        (None, Some(author), _) => Who::Named(author),
        (None, None, None) => Who::Named(creator),
        (None, None, Some(_)) if details.is_damaged => Who::Damaged,
        (None, None, Some(_)) => Who::Erased,
    };
    let told = Told {
        kind: event.kind,
        who,
        version: body.as_ref().and_then(|body| body.revision()),
        link: share
            .and_then(|share| share.name.as_ref())
            .map(|name| name.as_str()),
        address: email
            .map(String::as_str)
            .or(invited)
            .filter(|email| *email != ERASED_EMAIL),
        file,
        is_download: body.is_some_and(|body| body.download == Some(true)),
    };
    let sentence = told.sentence();
    let mut known: Vec<String> = Vec::new();
    // Its sentence has the address.
    if event.kind != EventKind::EmailConfirmed {
        known.extend(email.cloned());
    }
    known.extend(facts.iter().filter_map(|fact| match fact {
        Disclosure::Agreement(agreement) => {
            Some(format!("{} {}", agreement.template, agreement.version))
        }
        Disclosure::Terms(terms) => Some(format!("SHA-256 of the text {}", terms.sha256)),
        Disclosure::Origin(origin) => Some(format!("from {}", origin.address)),
        Disclosure::Content(content) => Some(format!("SHA-256 of the content {}", content.sha256)),
        Disclosure::Signatory(signatory) => Some(format!("accepted by {}", signatory.name)),
        Disclosure::Person(_)
        | Disclosure::File(_)
        | Disclosure::Comment(_)
        | Disclosure::Sources(_) => None,
    }));
    let digest = event.digest;
    ReportLine {
        at: event.at,
        sentence,
        details: known,
        basis: match event.place {
            Some(place) => {
                let log = details.origin.as_deref().filter(|_| names_log);
                let log = log.map_or(String::new(), |log| format!(" of {log}"));
                format!("No. {}{log}, SHA-256 {digest}", place.index)
            }
            None => format!("no place in the log yet, SHA-256 {digest}"),
        },
    }
}

/// Returns what events rest on.
fn grounds(
    tx: &mut dyn Transaction,
    events: &[EventDetails],
    now: Timestamp,
) -> Result<Vec<Ground>, DatabaseError> {
    // Events are in the order of their times, and places in that of their commits.
    let mut logs = BTreeMap::<LogId, Vec<Place>>::new();
    for place in events.iter().filter_map(|details| details.event.place) {
        logs.entry(place.log).or_default().push(place);
    }
    let mut grounds = Vec::new();
    for (log, mut places) in logs {
        let Some(newest) = tx.evidence_log().newest_checkpoint(log)? else {
            continue;
        };
        // The newest may wait for a signature.
        places.retain(|place| place.index < newest.head.size);
        places.sort_by_key(|place| place.index);
        let Some(last) = places.last() else {
            continue;
        };
        grounds.push(Ground {
            place: LogPlace {
                origin: newest.head.origin,
                index: last.index,
                size: newest.head.size,
                root: newest.head.root,
            },
            confirmed: last_confirmed(tx, &places, now)?,
        });
    }
    Ok(grounds)
}

/// Returns the last of these places, in order, that an outsider has confirmed: whoever confirms one
/// confirms those before it.
fn last_confirmed(
    tx: &mut dyn Transaction,
    places: &[Place],
    now: Timestamp,
) -> Result<Option<(u64, Vec<Confirmation>)>, DatabaseError> {
    let mut found = None;
    let (mut from, mut to) = (0, places.len());
    while from < to {
        let middle = from + (to - from) / 2;
        let Some(place) = places.get(middle).copied() else {
            break;
        };
        let anchors = tx
            .anchors()
            .anchors_covering(place, now - FAILURES_REPORTED)?;
        let confirmations: Vec<_> = anchors.iter().filter_map(Confirmation::of).collect();
        if confirmations.iter().any(Confirmation::is_checked) {
            found = Some((place.index, confirmations));
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    Ok(found)
}
