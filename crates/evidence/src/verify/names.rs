//! Which file may have which name: that follows from what events and disclosures say.

use std::collections::{BTreeMap, BTreeSet};

use ideavault_domain::evidence::{ContentFacts, Disclosure, EventBody};

use super::layout::{IdeaFile, LogFile, agreement_of};
use super::log::Log;
use crate::bundle::{BundleError, BundleReader, paths};

mod version1;

/// The disclosures of a bundle.
#[derive(Default)]
pub(super) struct Facts {
    /// Paths by digest.
    pub(super) paths: BTreeMap<String, String>,
    /// Paths and contents of those that hold, by digest.
    pub(super) by_digest: BTreeMap<String, (String, Option<Disclosure>)>,
}

impl Facts {
    /// Returns what an event discloses, with the paths of the disclosures.
    pub(super) fn told_by(
        &self,
        event: &EventBody,
    ) -> impl Iterator<Item = (&String, &Disclosure)> {
        event.discloses.iter().filter_map(|(name, digest)| {
            let (path, fact) = self.by_digest.get(digest)?;
            Some((path, fact.as_ref().filter(|fact| fact.name() == name)?))
        })
    }
}

/// What files may have which names, in a version of the format.
pub(super) enum Named<'a> {
    Version1(version1::Named),
    Version2 {
        logs: &'a [Log],
        facts: &'a Facts,
        contents: Contents<'a>,
    },
}

/// Contents by the number of their version and by what names them: the path of a disclosure.
type Contents<'a> = BTreeMap<&'a str, BTreeMap<&'a str, (&'a ContentFacts, bool)>>;

impl<'a> Named<'a> {
    /// `digests` are those of the files that are there.
    pub(super) fn of(
        version: u64,
        bundle: &BundleReader,
        logs: &'a [Log],
        facts: &'a Facts,
        digests: &BTreeMap<&str, String>,
    ) -> Result<Self, BundleError> {
        if version == 1 {
            let named = version1::named(bundle, logs, facts, digests)?;
            return Ok(Self::Version1(named));
        }
        let mut contents = Contents::new();
        // Of many events that name one content, it is looked through once.
        let mut files = BTreeMap::new();
        for recorded in logs.iter().flat_map(|log| log.events.values()) {
            let Some(revision) = &recorded.event.revision else {
                continue;
            };
            for (by, fact) in facts.told_by(&recorded.event) {
                if let Disclosure::Content(content) = fact {
                    let of_version = contents.entry(revision).or_default();
                    let is_file = files.entry(by).or_insert_with(|| paths::is_file(content));
                    of_version.insert(by, (content, *is_file));
                }
            }
        }
        Ok(Self::Version2 {
            logs,
            facts,
            contents,
        })
    }

    /// Returns the path of a disclosure that names a file with that digest at that path.
    pub(super) fn by(&self, path: &str, digest: &str) -> Option<&str> {
        let (logs, facts, contents) = match self {
            Self::Version1(named) => return named.by(path, digest),
            Self::Version2 {
                logs,
                facts,
                contents,
            } => (*logs, *facts, contents),
        };
        if let Some(IdeaFile::Version {
            revision,
            number,
            ending,
        }) = IdeaFile::parse(path)
        {
            let mut contents = contents.get(revision)?.iter();
            let named = contents.find(|(_, (content, is_file))| {
                paths::is_of((content, *is_file), (number, ending), digest)
            });
            return named.map(|(by, _)| *by);
        }
        let (log, place) = logs.iter().find_map(|log| {
            let file = LogFile::parse(path.strip_prefix(&log.prefix)?)?;
            match file {
                LogFile::Agreement(place) => Some((log, place)),
                _ => None,
            }
        })?;
        let mut told = facts.told_by(&log.events.get(&place)?.event);
        told.find_map(|(by, fact)| match fact {
            Disclosure::Terms(terms) if terms.sha256 == digest => Some(by.as_str()),
            _ => None,
        })
    }
}

/// Subjects of the events of a bundle.
pub(super) struct Subjects<'a> {
    logs: &'a [Log],
    recipients: BTreeSet<&'a str>,
    revisions: BTreeSet<&'a str>,
}

impl<'a> Subjects<'a> {
    pub(super) fn of(logs: &'a [Log]) -> Self {
        let events = || {
            let events = logs.iter().flat_map(|log| log.events.values());
            events.map(|recorded| &recorded.event)
        };
        Self {
            logs,
            recipients: events()
                .filter_map(|event| event.recipient.as_deref())
                .collect(),
            revisions: events()
                .filter_map(|event| event.revision.as_deref())
                .collect(),
        }
    }

    /// Reports whether an event names the disclosure at a path, which a bundle may withhold.
    pub(super) fn disclose(&self, path: &str) -> bool {
        self.name(path, |file| match file {
            LogFile::Disclosure(place, name) => Some((place, name)),
            _ => None,
        })
    }

    /// Reports whether an event names the agreement at a path.
    fn offer(&self, path: &str) -> bool {
        self.name(path, |file| match file {
            LogFile::Agreement(place) => Some((place, "terms".to_owned())),
            _ => None,
        })
    }

    /// Reports whether the event at a place has a disclosure of that name, both by a path.
    fn name(&self, path: &str, named: impl Fn(LogFile) -> Option<(u64, String)>) -> bool {
        self.logs.iter().any(|log| {
            let file = path.strip_prefix(&log.prefix).and_then(LogFile::parse);
            file.and_then(&named).is_some_and(|(place, name)| {
                let recorded = log.events.get(&place);
                recorded.is_some_and(|recorded| recorded.event.discloses.contains_key(&name))
            })
        })
    }

    /// Reports whether a vault may have lost the file at a path, in a version of the format: a
    /// disclosure, an agreement, or a file of the idea.
    pub(super) fn may_lose(&self, version: u64, path: &str) -> bool {
        match (version, IdeaFile::parse_lost(path)) {
            (1, Some(IdeaFile::Revision(revision)))
            | (2, Some(IdeaFile::Version { revision, .. })) => self.revisions.contains(revision),
            (1, Some(IdeaFile::Upload(..))) => true,
            (1, _) if agreement_of(path).is_some_and(|id| self.recipients.contains(id)) => true,
            (2, _) if self.offer(path) => true,
            _ => self.disclose(path),
        }
    }
}
