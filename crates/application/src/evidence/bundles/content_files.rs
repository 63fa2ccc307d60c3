//! Files of a bundle that its events are about: contents of revisions, and agreements.

use std::collections::BTreeSet;

use ideavault_domain::content::Content;
use ideavault_domain::file::StoredFile;
use ideavault_domain::ids::FileId;
use ideavault_domain::ports::{Database, DatabaseError, Transaction, unless_damaged};

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
        let mut written = BTreeSet::new();
        for revision in plan.shown_revisions() {
            let (content, files) = self.deps.database.read(|tx| {
                let content = unless_damaged(tx.ideas().revision_content(plan.idea, revision))?;
                let mut files = Vec::new();
                for id in content.iter().flatten().flat_map(Content::files) {
                    files.push((id, unless_damaged(tx.files().file(id))?));
                }
                Ok::<_, DatabaseError>((content, files))
            })?;
            match &content {
                None => bundle.note_missing(format!("idea/revision-{revision}")),
                // Its digest is that of the file, which follows.
                Some(Some(Content::Pdf { .. }) | None) => {}
                Some(Some(content)) => {
                    let kind = match content {
                        Content::Html(_) => "html",
                        _ => "json",
                    };
                    let path = format!("idea/revision-{revision}.{kind}");
                    bundle.add_named(&path, &content.to_stored())?;
                }
            }
            for (id, file) in files {
                match file {
                    None => bundle.note_missing(format!("idea/{id}")),
                    Some(Some(file)) if file.owner == plan.owner.owner => {
                        if written.insert(id) {
                            self.write_file(bundle, &file, elsewhere)?;
                        }
                    }
                    Some(_) => {}
                }
            }
        }
        Ok(())
    }

    fn write_file(
        &self,
        bundle: &mut OpenBundle<'_>,
        file: &StoredFile,
        elsewhere: &BTreeSet<FileId>,
    ) -> Result<(), BundleError> {
        let kind = match file.media_type.as_str() {
            "application/pdf" => "pdf",
            "image/png" => "png",
            _ => "jpg",
        };
        // Names of files may be those of other systems; their ids are safe.
        let path = format!("idea/{}.{kind}", file.id);
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
    pub(super) fn write_agreements(
        &self,
        bundle: &mut OpenBundle<'_>,
        plan: &BundlePlan,
    ) -> Result<(), BundleError> {
        for recipient in plan.recipients() {
            let database = &self.deps.database;
            let path = format!("agreements/{recipient}.txt");
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
