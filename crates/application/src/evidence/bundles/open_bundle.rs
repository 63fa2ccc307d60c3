//! A bundle that is being written, and what belongs into it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};

use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::ContentFacts;
use ideavault_domain::ids::RecipientId;
use ideavault_evidence::bundle::{self, BundleWriter, ReportPage};

/// A bundle that is being written.
pub(super) struct OpenBundle<'w> {
    pub(super) zip: BundleWriter<&'w mut dyn Write>,
    /// Digests that its disclosures name.
    pub(super) named: BTreeSet<Digest>,
    pub(super) has_damaged_disclosure: bool,
    pub(super) missing: BTreeSet<String>,
    pub(super) report: ReportPage,
    /// Contents of revisions that its disclosures name.
    pub(super) contents: BTreeMap<i32, ContentFacts>,
    /// Paths of the agreements that readers were offered, and whether the disclosure of the event at
    /// that path names the text.
    pub(super) agreements: BTreeMap<RecipientId, (String, bool)>,
}

impl<'w> OpenBundle<'w> {
    pub(super) fn new(to: &'w mut dyn Write) -> Self {
        Self {
            zip: BundleWriter::new(to),
            named: BTreeSet::new(),
            has_damaged_disclosure: false,
            missing: BTreeSet::new(),
            report: ReportPage::default(),
            contents: BTreeMap::new(),
            agreements: BTreeMap::new(),
        }
    }

    pub(super) fn note_missing(&mut self, path: String) {
        self.zip.note_missing(&path);
        self.missing.insert(path);
    }

    /// Adds a file.
    pub(super) fn add(
        &mut self,
        path: &str,
        content: impl Read,
    ) -> Result<(), bundle::BundleError> {
        self.zip.add(path, content).map(drop)
    }

    /// Adds a text that a disclosure names.
    pub(super) fn add_named(&mut self, path: &str, text: &str) -> Result<(), bundle::BundleError> {
        if self.may_add(&Digest::of(text.as_bytes())) {
            return self.add(path, text.as_bytes());
        }
        self.note_missing(path.to_owned());
        Ok(())
    }

    /// Returns whether a file with that digest belongs into the bundle. If the disclosure that
    /// names it is damaged, verifiers would take the file for a forged one.
    pub(super) fn may_add(&self, digest: &Digest) -> bool {
        !self.has_damaged_disclosure || self.named.contains(digest)
    }
}
