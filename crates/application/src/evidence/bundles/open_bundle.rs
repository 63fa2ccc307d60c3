//! A bundle that is being written, and what belongs into it.

use std::collections::BTreeSet;

use ideavault_domain::digest::Digest;
use ideavault_domain::ports::{BundleWriter, PortError};

/// A bundle that is being written.
pub(super) struct OpenBundle<'w> {
    pub(super) zip: Box<dyn BundleWriter + 'w>,
    /// Digests that its disclosures name.
    pub(super) named: BTreeSet<Digest>,
    pub(super) has_damaged_disclosure: bool,
    pub(super) missing: BTreeSet<String>,
}

impl<'w> OpenBundle<'w> {
    pub(super) fn new(zip: Box<dyn BundleWriter + 'w>) -> Self {
        Self {
            zip,
            named: BTreeSet::new(),
            has_damaged_disclosure: false,
            missing: BTreeSet::new(),
        }
    }

    pub(super) fn note_missing(&mut self, path: String) {
        self.zip.note_missing(&path);
        self.missing.insert(path);
    }

    /// Adds a text that a disclosure names.
    pub(super) fn add_named(&mut self, path: &str, text: &str) -> Result<(), PortError> {
        if self.may_add(&Digest::of(text.as_bytes())) {
            return self.zip.add(path, &mut text.as_bytes());
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
