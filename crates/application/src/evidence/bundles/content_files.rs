//! Files of a bundle that its events are about: contents of revisions, and agreements.

use std::collections::BTreeSet;

use ideavault_domain::content::Content;
use ideavault_domain::file::StoredFile;
use ideavault_domain::ids::FileId;
use ideavault_domain::ports::{Database, DatabaseError, Transaction, unless_damaged};
use ideavault_evidence::bundle::paths;

use super::open_bundle::OpenBundle;
use super::plan::BundlePlan;
use super::{BundleError, Bundles};
use crate::files::is_intact;

impl<S: Database> Bundles<S> {
    /// Adds the exact content of each revision that the bundle's events put on record.
    pub(super) fn write_contents(
        &self,
        bundle: &mut OpenBundle<'_>,
        plan: &BundlePlan,
        elsewhere: &BTreeSet<FileId>,
    ) -> Result<(), BundleError> {
        // What several versions show is there once.
        let mut written = BTreeSet::new();
        for revision in plan.shown_revisions() {
            let version = paths::version(&revision.to_string());
            let Some(facts) = bundle.contents.remove(&revision) else {
                bundle.note_missing(version);
                continue;
            };
            let (content, files) = self.deps.database.read(|tx| {
                let content = unless_damaged(tx.ideas().revision_content(plan.idea, revision))?;
                let mut files = Vec::new();
                for id in content.iter().flatten().flat_map(Content::files) {
                    let file = unless_damaged(tx.files().file(id))?.flatten();
                    files.extend(file.filter(|file| file.owner == plan.owner.owner));
                }
                Ok::<_, DatabaseError>((content, files))
            })?;
            let ending = match &content {
                None => {
                    bundle.note_missing(version);
                    continue;
                }
                // That of a deleted draft.
                Some(None) => continue,
                // Its digest is that of the file, which follows.
                Some(Some(Content::Pdf { .. })) => None,
                Some(Some(Content::Html(_))) => Some("html"),
                Some(Some(_)) => Some("json"),
            };
            if let (Some(ending), Some(Some(content))) = (ending, &content) {
                bundle.add_named(&format!("{version}.{ending}"), &content.to_stored())?;
            }
            for (path, named) in paths::version_files(&revision.to_string(), &facts) {
                let is_it = |file: &&StoredFile| file.sha256.to_string() == named.sha256;
                let of_type = (named.sha256.clone(), named.media_type.clone());
                if !written.contains(&of_type)
                    && self.write_file(bundle, path, files.iter().find(is_it), elsewhere)?
                {
                    written.insert(of_type);
                }
            }
        }
        Ok(())
    }

    /// Returns whether the file is there, or elsewhere.
    fn write_file(
        &self,
        bundle: &mut OpenBundle<'_>,
        path: String,
        file: Option<&StoredFile>,
        elsewhere: &BTreeSet<FileId>,
    ) -> Result<bool, BundleError> {
        let Some(file) = file else {
            bundle.note_missing(path);
            return Ok(false);
        };
        if elsewhere.contains(&file.id) {
            bundle.zip.note_missing(&path);
            return Ok(true);
        }
        // Half a file would spoil the whole bundle.
        if !bundle.may_add(&file.sha256) || !is_intact(self.storage.as_ref(), file)? {
            bundle.note_missing(path);
            return Ok(false);
        }
        let mut content = self.storage.open(file, 0..file.size)?;
        bundle.add(&path, &mut content)?;
        Ok(true)
    }

    /// Adds the exact text of each agreement that the bundle's events name.
    pub(super) fn write_agreements(&self, bundle: &mut OpenBundle<'_>) -> Result<(), BundleError> {
        for (recipient, (path, is_named)) in std::mem::take(&mut bundle.agreements) {
            let database = &self.deps.database;
            let read =
                |tx: &mut dyn Transaction| unless_damaged(tx.recipients().registration(recipient));
            match database.read(read)? {
                None => bundle.note_missing(path),
                // An erased text is named by no disclosure any more.
                Some(Some(registration)) if !registration.progress.recipient.erasure.agreement => {
                    let text = registration.progress.recipient.agreement.text();
                    match is_named {
                        true => bundle.add_named(&path, &text)?,
                        false => bundle.note_missing(path),
                    }
                }
                Some(_) => {}
            }
        }
        Ok(())
    }
}
