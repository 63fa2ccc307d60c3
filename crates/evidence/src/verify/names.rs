//! Which file may have which name: that follows from what events and disclosures say.

use std::collections::{BTreeMap, BTreeSet};

use ideavault_domain::evidence::{Disclosure, EventBody};

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
    /// Returns what an event discloses.
    pub(super) fn told_by(&self, event: &EventBody) -> impl Iterator<Item = &Disclosure> {
        event.discloses.iter().filter_map(|(name, digest)| {
            let (_, fact) = self.by_digest.get(digest)?;
            fact.as_ref().filter(|fact| fact.name() == name)
        })
    }
}

/// Digests that the file at a path may have, each with the path of a disclosure that says so.
type Digests = BTreeMap<String, String>;

#[derive(Default)]
pub(super) struct Named {
    /// By contents and terms.
    contents: BTreeMap<String, Digests>,
    /// In version 1 of the format, by the deliveries of files, which name the file by its id.
    deliveries: BTreeMap<String, Digests>,
}

impl Named {
    /// Returns the path of a disclosure that names a file with that digest at that path.
    pub(super) fn by(&self, path: &str, digest: &str) -> Option<&str> {
        let digests = self.deliveries.get(path).or(self.contents.get(path));
        digests?.get(digest).map(String::as_str)
    }
}

/// Returns the files that events and disclosures name, in a version of the format. `digests` are
/// those of the files that are there.
pub(super) fn named(
    version: u64,
    bundle: &BundleReader,
    logs: &[Log],
    facts: &Facts,
    digests: &BTreeMap<&str, String>,
) -> Result<Named, BundleError> {
    if version == 1 {
        return version1::named(bundle, logs, facts, digests);
    }
    let mut named = Named::default();
    let mut add = |path: String, digest: &str, by: &str| {
        let at_path = named.contents.entry(path).or_default();
        at_path.insert(digest.to_owned(), by.to_owned());
    };
    for log in logs {
        for (place, recorded) in &log.events {
            for digest in recorded.event.discloses.values() {
                let Some((by, fact)) = facts.by_digest.get(digest) else {
                    continue;
                };
                match (fact, &recorded.event.revision) {
                    (Some(Disclosure::Terms(terms)), _) => {
                        add(paths::agreement(&log.prefix, *place), &terms.sha256, by);
                    }
                    (Some(Disclosure::Content(content)), Some(revision)) => {
                        for (path, file) in paths::version_files(revision, content) {
                            add(path, &file.sha256, by);
                        }
                        if !paths::is_file(content) {
                            let version = paths::version(revision);
                            add(format!("{version}.html"), &content.sha256, by);
                            add(format!("{version}.json"), &content.sha256, by);
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    Ok(named)
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
            (1, Some(IdeaFile::Revision(revision))) | (2, Some(IdeaFile::Version(revision))) => {
                self.revisions.contains(revision)
            }
            (1, Some(IdeaFile::Upload(..))) => true,
            (1, _) if agreement_of(path).is_some_and(|id| self.recipients.contains(id)) => true,
            (2, _) if self.offer(path) => true,
            _ => self.disclose(path),
        }
    }
}
