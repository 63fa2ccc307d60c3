//! Names of files in version 1 of the format, which nobody makes any more: uploaded files were named
//! by their ids, and agreements by those of registrations.

use std::collections::{BTreeMap, BTreeSet};

use ideavault_domain::evidence::{ContentFacts, Disclosure};

use super::super::layout::{IdeaFile, is_file_id};
use super::super::log::Log;
use super::Facts;
use crate::bundle::{BundleError, BundleReader, paths};

/// Digests that the file at a path may have, each with the path of a disclosure that says so.
type Digests = BTreeMap<String, String>;

#[derive(Default)]
pub(in super::super) struct Named {
    /// By contents and terms.
    contents: BTreeMap<String, Digests>,
    /// By the deliveries of files, which name the file by its id.
    deliveries: BTreeMap<String, Digests>,
}

impl Named {
    /// Returns the path of a disclosure that names a file with that digest at that path.
    pub(in super::super) fn by(&self, path: &str, digest: &str) -> Option<&str> {
        let digests = self.deliveries.get(path).or(self.contents.get(path));
        digests?.get(digest).map(String::as_str)
    }
}

/// Precedes the id of an uploaded file in the HTML that shows it.
const UPLOADS: &[u8] = b"/api/files/";

/// Returns the files that events and disclosures name. `digests` are those of the files that are
/// there.
pub(super) fn named(
    bundle: &BundleReader,
    logs: &[Log],
    facts: &Facts,
    digests: &BTreeMap<&str, String>,
) -> Result<Named, BundleError> {
    let mut named = Named::default();
    let mut contents = BTreeMap::new();
    for recorded in logs.iter().flat_map(|log| log.events.values()) {
        let event = &recorded.event;
        for digest in event.discloses.values() {
            let Some((by, fact)) = facts.by_digest.get(digest) else {
                continue;
            };
            match (fact, &event.recipient, &event.file, &event.revision) {
                (Some(Disclosure::Terms(terms)), Some(recipient), ..) => {
                    let path = format!("agreements/{recipient}.txt");
                    let at_path = named.contents.entry(path).or_default();
                    at_path.insert(terms.sha256.clone(), by.clone());
                }
                (Some(Disclosure::File(file)), _, Some(id), _) => {
                    let ending = paths::ending_of(&file.media_type);
                    let path = format!("idea/{id}.{ending}");
                    let at_path = named.deliveries.entry(path).or_default();
                    at_path.insert(file.sha256.clone(), by.clone());
                }
                (Some(Disclosure::Content(content)), .., Some(revision)) => {
                    contents.insert((revision.as_str(), digest.as_str()), (by.as_str(), content));
                }
                _ => {}
            }
        }
    }
    let uploads = Uploads::of(digests);
    for ((revision, _), (by, content)) in contents {
        name_content(
            bundle,
            &mut named,
            digests,
            &uploads,
            revision,
            (by, content),
        )?;
    }
    Ok(named)
}

/// Adds the files of a revision: its content, and the files that this shows.
fn name_content(
    bundle: &BundleReader,
    named: &mut Named,
    digests: &BTreeMap<&str, String>,
    uploads: &Uploads<'_>,
    revision: &str,
    (by, content): (&str, &ContentFacts),
) -> Result<(), BundleError> {
    let mut add = |path: String, digest: &str| {
        let at_path = named.contents.entry(path).or_default();
        at_path.insert(digest.to_owned(), by.to_owned());
    };
    let listed: Vec<(&str, &str)> = content
        .files
        .iter()
        .map(|file| (file.sha256.as_str(), paths::ending_of(&file.media_type)))
        .collect();
    // The content of a PDF is the file itself.
    let is_file = listed.iter().any(|(digest, _)| *digest == content.sha256);
    let html = format!("idea/revision-{revision}.html");
    if !is_file {
        add(html.clone(), &content.sha256);
        add(format!("idea/revision-{revision}.json"), &content.sha256);
    }
    let shown = match is_file || digests.get(html.as_str()) != Some(&content.sha256) {
        true => None,
        false => match bundle.read(&html) {
            Ok(text) => Some(shown_files(&text)),
            Err(error) if error.is_unreadable() => return Err(error),
            Err(_) => None,
        },
    };
    let Some(shown) = shown else {
        // Nothing that is here says which id each file had.
        for file in &listed {
            for path in uploads.with(*file) {
                add((*path).to_owned(), file.0);
            }
        }
        return Ok(());
    };
    let own: Vec<_> = shown
        .iter()
        .flat_map(|id| uploads.named(id))
        .filter(|(_, file)| listed.contains(file))
        .collect();
    // They are listed in the order of their ids.
    let mut rest = listed.iter();
    if own
        .iter()
        .all(|(_, file)| rest.any(|listed| listed == file))
    {
        for (path, (digest, _)) in own {
            add(path.to_owned(), digest);
        }
    }
    Ok(())
}

/// Returns the ids of files in the addresses of HTML.
fn shown_files(html: &[u8]) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for (at, _) in html.iter().enumerate().filter(|(_, byte)| **byte == b'/') {
        let address = html.get(at..).and_then(|rest| rest.strip_prefix(UPLOADS));
        let id = address.and_then(|rest| rest.get(..36));
        if let Some(id) = id.and_then(|id| str::from_utf8(id).ok())
            && is_file_id(id)
        {
            ids.insert(id.to_owned());
        }
    }
    ids
}

/// Digest and ending of a file.
type Upload<'a> = (&'a str, &'a str);

/// The uploaded files of a bundle.
#[derive(Default)]
struct Uploads<'a> {
    by_id: BTreeMap<&'a str, Vec<(&'a str, Upload<'a>)>>,
    /// By digest, and by ending.
    by_file: BTreeMap<&'a str, BTreeMap<&'a str, Vec<&'a str>>>,
}

impl<'a> Uploads<'a> {
    fn of(digests: &'a BTreeMap<&'a str, String>) -> Self {
        let mut uploads = Self::default();
        for (path, digest) in digests {
            if let Some(IdeaFile::Upload(id, ending)) = IdeaFile::parse(path) {
                let file = (digest.as_str(), ending);
                uploads.by_id.entry(id).or_default().push((*path, file));
                let by_ending = uploads.by_file.entry(digest).or_default();
                by_ending.entry(ending).or_default().push(*path);
            }
        }
        uploads
    }

    /// Returns the files with an id.
    fn named(&self, id: &str) -> impl Iterator<Item = (&'a str, Upload<'a>)> {
        self.by_id.get(id).into_iter().flatten().copied()
    }

    /// Returns the paths of the files with that digest and ending.
    fn with(&self, (digest, ending): Upload<'_>) -> &[&'a str] {
        let found = self.by_file.get(digest).and_then(|found| found.get(ending));
        found.map(Vec::as_slice).unwrap_or_default()
    }
}
