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
            let Some(content) = content else {
                bundle.note_missing(version);
                continue;
            };
            if let Some(content) = content.filter(|_| !paths::is_file(&facts)) {
                let ending = match content {
                    Content::Html(_) => "html",
                    _ => "json",
                };
                bundle.add_named(&format!("{version}.{ending}"), &content.to_stored())?;
            }
            for (path, named) in paths::version_files(&revision.to_string(), &facts) {
                let is_it = |file: &&StoredFile| file.sha256.to_string() == named.sha256;
                if written.insert((named.sha256.clone(), named.media_type.clone())) {
                    self.write_file(bundle, path, files.iter().find(is_it), elsewhere)?;
                }
            }
        }
        Ok(())
    }

    fn write_file(
        &self,
        bundle: &mut OpenBundle<'_>,
        path: String,
        file: Option<&StoredFile>,
        elsewhere: &BTreeSet<FileId>,
    ) -> Result<(), BundleError> {
        let Some(file) = file else {
            bundle.note_missing(path);
            return Ok(());
        };
        if elsewhere.contains(&file.id) {
            bundle.zip.note_missing(&path);
            return Ok(());
        }
        // Half a file would spoil the whole bundle.
        if !bundle.may_add(&file.sha256) || !is_intact(self.storage.as_ref(), file)? {
            bundle.note_missing(path);
            return Ok(());
        }
        let mut content = self.storage.open(file, 0..file.size)?;
        Ok(bundle.add(&path, &mut content)?)
    }

    /// Adds the exact text of each agreement that the bundle's events name.
    pub(super) fn write_agreements(&self, bundle: &mut OpenBundle<'_>) -> Result<(), BundleError> {
        for (recipient, path) in std::mem::take(&mut bundle.agreements) {
            let database = &self.deps.database;
            let read =
                |tx: &mut dyn Transaction| unless_damaged(tx.recipients().registration(recipient));
            match database.read(read)? {
                None => bundle.note_missing(path),
                // An erased text is named by no disclosure any more.
                Some(Some(registration)) if !registration.progress.recipient.erasure.agreement => {
                    let text = registration.progress.recipient.agreement.text();
                    bundle.add_named(&path, &text)?;
                }
                Some(_) => {}
            }
        }
        Ok(())
    }
}
