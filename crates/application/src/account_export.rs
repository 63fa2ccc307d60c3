//! Everything of an account as one archive, for its owner.
//!
//! Invariant: lists are read page by page and files as streams, so that memory stays bounded
//! however much there is. Each image and PDF is in it once, however many versions and bundles have
//! it, so that its size is bounded by what the account may store.

mod facts;

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::Arc;

use ideavault_domain::audit::{AuditEntry, AuditKind};
use ideavault_domain::comment::CommentScope;
use ideavault_domain::content::Content;
use ideavault_domain::failure::Failure;
use ideavault_domain::file::StoredFile;
use ideavault_domain::idea::Revision;
use ideavault_domain::ids::{FileId, IdeaId, UserId};
use ideavault_domain::page::{Page, Paging};
use ideavault_domain::ports::{
    BlobStore, Database, DatabaseError, StorageError, Transaction, unless_damaged,
};
use ideavault_domain::recipient::Origin;
use ideavault_domain::working_copy::COPIES_MAX;
use ideavault_evidence::archive::{ArchiveWriter, Form};
use serde_json::Value;
use thiserror::Error;

use crate::deps::Deps;
use crate::evidence::{BundleError, Bundles};
use crate::files::is_intact;
use crate::share_access::own_page;

/// The text of `README.txt`, which explains the files of the archive.
const README: &str = include_str!("account_export/README.txt");

/// The reason why an account was not exported.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The account no longer exists.
    #[error("the signed-in account does not exist")]
    NoSuchUser,
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// A file cannot be read.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The evidence of an idea cannot be written.
    #[error(transparent)]
    Bundle(#[from] BundleError),
    /// The archive cannot be written.
    #[error("the archive cannot be written")]
    Write(#[from] io::Error),
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::NoSuchUser => Self::Unauthenticated("Please sign in".into()),
            ExportError::Database(error) => error.into(),
            ExportError::Storage(error) => error.into(),
            ExportError::Bundle(error) => error.into(),
            ExportError::Write(_) => Self::Internal(Box::new(error)),
        }
    }
}

/// Exports of whole accounts.
pub struct AccountExport<S> {
    deps: Deps<S>,
    storage: Arc<dyn BlobStore>,
    bundles: Bundles<S>,
}

/// The archive that is being written.
type Archive<'w> = ArchiveWriter<&'w mut dyn Write>;

impl<S: Database> AccountExport<S> {
    /// Creates the service from its dependencies.
    pub fn new(deps: Deps<S>, storage: Arc<dyn BlobStore>) -> Self {
        Self {
            bundles: Bundles::new(deps.clone(), Arc::clone(&storage)),
            deps,
            storage,
        }
    }

    /// Records that the user exports the account. Call it before reading any of it.
    pub fn begin(&self, user: UserId, origin: Origin) -> Result<(), ExportError> {
        let now = self.deps.clock.now();
        let entry = AuditEntry::by(user, AuditKind::Exported, now, origin);
        Ok(self.deps.database.write(|tx| tx.audit().record(&entry))?)
    }

    /// Writes everything of the account as an archive. What cannot be read is named in
    /// `MISSING.txt`.
    pub fn write(&self, user: UserId, mut to: impl Write) -> Result<(), ExportError> {
        let mut archive = Archive::new(&mut to);
        let mut inventory = Inventory::default();
        text(&mut archive, "README.txt", README)?;
        self.write_profile(&mut archive, user, &mut inventory)?;
        self.write_unsaved(&mut archive, user, None, "ideas/new", &mut inventory)?;
        let database = &self.deps.database;
        for idea in database.read_one(|tx| tx.erasures().ideas_ever_of(user))? {
            // The account may be deleted meanwhile.
            let owner = database.read_one(|tx| tx.ideas().idea_owner(idea.id))?;
            if owner.is_none_or(|owner| owner.owner != user) {
                return Err(ExportError::NoSuchUser);
            }
            self.write_idea(&mut archive, user, idea.id, &mut inventory)?;
        }
        if !inventory.missing.is_empty() {
            text(&mut archive, "MISSING.txt", &inventory.missing_to_text())?;
        }
        archive.finish()?;
        Ok(())
    }

    fn write_profile(
        &self,
        archive: &mut Archive<'_>,
        user: UserId,
        inventory: &mut Inventory,
    ) -> Result<(), ExportError> {
        let (profile, images) = self.deps.database.read(|tx| {
            let account = tx.users().user(user)?.ok_or(ExportError::NoSuchUser)?;
            let mode = tx.notification_settings().notification_mode(user)?;
            let factor = tx.two_factors().two_factor(user)?;
            let two_factor = factor.is_some_and(|factor| factor.is_on());
            let profile = facts::profile(&account, mode, two_factor);
            let images = tx.files().images_of(user)?;
            inventory.note_left_out(tx, "files.json");
            Ok::<_, ExportError>((profile, images))
        })?;
        text(archive, "profile.json", &facts::pretty(&profile))?;
        let listed: Vec<Value> = images.iter().map(facts::file).collect();
        text(archive, "files.json", &facts::pretty(&Value::Array(listed)))?;
        for image in &images {
            let path = format!("files/{}", facts::file_name(image));
            self.add_stored(archive, &path, image, inventory)?;
        }
        Ok(())
    }

    fn write_idea(
        &self,
        archive: &mut Archive<'_>,
        user: UserId,
        id: IdeaId,
        inventory: &mut Inventory,
    ) -> Result<(), ExportError> {
        let database = &self.deps.database;
        let folder = format!("ideas/{id}");
        let path = format!("{folder}/idea.json");
        let found = database.read(|tx| {
            let idea = tx.ideas().idea(id);
            unless_damaged(idea.and_then(|idea| Ok((idea, tx.ideas().organization(id)?))))
        })?;
        match found {
            None => inventory.note(path),
            Some((idea, organization)) => {
                let idea = idea.ok_or(ExportError::NoSuchUser)?;
                let about = facts::idea(&idea, organization.unwrap_or_default());
                text(archive, &path, &facts::pretty(&about))?;
            }
        }
        self.write_revisions(archive, user, id, &folder, inventory)?;
        self.write_unsaved(archive, user, Some(id), &folder, inventory)?;
        let path = format!("{folder}/links.json");
        let shares = database.read(|tx| {
            let shares = unless_damaged(tx.shares().shares_of(id))?;
            inventory.note_left_out(tx, &path);
            Ok::<_, DatabaseError>(shares)
        })?;
        match shares {
            None => inventory.note(path),
            Some(shares) => {
                let shares = shares.iter();
                let shares = shares.map(|listed| facts::share(&listed.share)).collect();
                text(archive, &path, &facts::pretty(&Value::Array(shares)))?;
            }
        }
        let path = format!("{folder}/activity.json");
        list(archive, &path, |paging| {
            let page = self.page(&path, inventory, |tx| {
                tx.recipients().activity_of(id, paging)
            })?;
            Ok(page.try_map(|entry| Ok::<_, DatabaseError>(facts::activity(&entry)))?)
        })?;
        let path = format!("{folder}/comments.json");
        list(archive, &path, |paging| {
            let scope = CommentScope::All;
            let page = self.page(&path, inventory, |tx| {
                tx.comments().comments_on(id, &scope, paging)
            })?;
            Ok(page.try_map(|comment| Ok::<_, DatabaseError>(facts::comment(&comment)))?)
        })?;
        self.write_events(archive, id, &folder)?;
        self.write_evidence(archive, user, id, &folder, inventory)
    }

    /// Reads a page for the file at `path`, and notes what is missing in it. A list of which
    /// nothing can be read is empty.
    fn page<T>(
        &self,
        path: &str,
        inventory: &mut Inventory,
        mut read: impl FnMut(&mut dyn Transaction) -> Result<Page<T>, DatabaseError>,
    ) -> Result<Page<T>, DatabaseError> {
        self.deps.database.read(|tx| {
            let page = unless_damaged(read(tx))?;
            inventory.note_left_out(tx, path);
            if page.is_none() {
                inventory.note(path.to_owned());
            }
            Ok(page.unwrap_or_default())
        })
    }

    /// Adds every version whose content is kept: the exact content, and a page to read.
    fn write_revisions(
        &self,
        archive: &mut Archive<'_>,
        user: UserId,
        id: IdeaId,
        folder: &str,
        inventory: &mut Inventory,
    ) -> Result<(), ExportError> {
        let versions = format!("{folder}/versions");
        let mut paging = Paging::default();
        loop {
            let page = self.page(&versions, inventory, |tx| {
                tx.ideas().revisions_of(id, paging)
            })?;
            let next = page.next();
            for revision in page.into_items() {
                let path = format!("{versions}/{}", revision.number);
                let (content, files) = self.content_of(user, id, &revision, &path, inventory)?;
                let Some(content) = content else { continue };
                let about = facts::pretty(&facts::revision(&revision));
                text(archive, &format!("{path}.json"), &about)?;
                if matches!(content, Content::Pdf { .. }) {
                    for file in files {
                        // Versions that differ in their title have the same file.
                        if !inventory.files.contains(&file.id) {
                            let name = facts::file_name(&file);
                            self.add_stored(
                                archive,
                                &format!("{folder}/{name}"),
                                &file,
                                inventory,
                            )?;
                        }
                    }
                    continue;
                }
                let exact = content.to_stored();
                let kind = match content {
                    Content::Html(_) => "html",
                    _ => "json",
                };
                text(archive, &format!("{path}.exact.{kind}"), &exact)?;
                let address = |id| {
                    let file = files.iter().find(|file| file.id == id)?;
                    Some(format!("../../../files/{}", facts::file_name(file)))
                };
                if let Some(page) = own_page(&revision, &content, address) {
                    text(archive, &format!("{path}.html"), &page)?;
                }
            }
            match next {
                Some(after) => paging.after = Some(after),
                None => return Ok(()),
            }
        }
    }

    /// Adds the unsaved texts.
    fn write_unsaved(
        &self,
        archive: &mut Archive<'_>,
        user: UserId,
        idea: Option<IdeaId>,
        folder: &str,
        inventory: &mut Inventory,
    ) -> Result<(), ExportError> {
        let path = format!("{folder}/unsaved.json");
        let copies = self.deps.database.read(|tx| {
            let copies = tx.working_copies();
            unless_damaged(copies.newest_working_copies(user, idea, COPIES_MAX))
        })?;
        match copies {
            None => inventory.note(path),
            Some(copies) if copies.is_empty() => {}
            Some(copies) => {
                let facts = copies.iter().map(facts::working_copy).collect();
                text(archive, &path, &facts::pretty(&facts))?;
            }
        }
        Ok(())
    }

    fn content_of(
        &self,
        user: UserId,
        idea: IdeaId,
        revision: &Revision,
        path: &str,
        inventory: &mut Inventory,
    ) -> Result<(Option<Content>, Vec<StoredFile>), ExportError> {
        Ok(self.deps.database.read(|tx| {
            let content = unless_damaged(tx.ideas().revision_content(idea, revision.number))?;
            if content.is_none() {
                inventory.note(path.to_owned());
            }
            let content = content.flatten();
            let mut files = Vec::new();
            for id in content.iter().flat_map(Content::files) {
                match unless_damaged(tx.files().file(id))? {
                    None => inventory.note(format!("file {id} of {path}")),
                    Some(file) => files.extend(file.filter(|file| file.owner == user)),
                }
            }
            Ok::<_, DatabaseError>((content, files))
        })?)
    }

    /// Adds each event as the bytes of which the log has the digest.
    fn write_events(
        &self,
        archive: &mut Archive<'_>,
        idea: IdeaId,
        folder: &str,
    ) -> Result<(), ExportError> {
        let mut paging = Paging::default();
        loop {
            let database = &self.deps.database;
            let page = database.read(|tx| tx.evidence_log().events_of(idea, paging))?;
            let next = page.next();
            for event in page.into_items() {
                let name = match event.place {
                    Some(place) => format!("log{}-{}", place.log.as_i32(), place.index),
                    None => format!("waiting-{}", event.row),
                };
                text(
                    archive,
                    &format!("{folder}/events/{name}.json"),
                    &event.body,
                )?;
            }
            match next {
                Some(after) => paging.after = Some(after),
                None => return Ok(()),
            }
        }
    }

    fn write_evidence(
        &self,
        archive: &mut Archive<'_>,
        user: UserId,
        id: IdeaId,
        folder: &str,
        inventory: &mut Inventory,
    ) -> Result<(), ExportError> {
        let plan = self.bundles.plan_for_owner(user, id)?;
        if plan.is_empty() {
            return Ok(());
        }
        let path = format!("{folder}/evidence.zip");
        let missing = archive.add(&path, Form::Stored, |to| {
            let missing = self.bundles.write_beside(&plan, to, &inventory.files);
            missing.map_err(ExportError::Bundle)
        })?;
        for lost in missing {
            inventory.note(format!("{lost} in {path}"));
        }
        Ok(())
    }

    fn add_stored(
        &self,
        archive: &mut Archive<'_>,
        path: &str,
        file: &StoredFile,
        inventory: &mut Inventory,
    ) -> Result<(), ExportError> {
        // Half a file would spoil the whole archive.
        if !is_intact(self.storage.as_ref(), file)? {
            inventory.note(path.to_owned());
            return Ok(());
        }
        let mut content = self.storage.open(file, 0..file.size)?;
        archive.add(path, Form::Stored, |to| io::copy(&mut content, to))?;
        inventory.files.insert(file.id);
        Ok(())
    }
}

/// Contents of the archive, and what it lacks.
#[derive(Default)]
struct Inventory {
    /// Descriptions of what cannot be read.
    missing: BTreeSet<String>,
    /// Images and PDFs.
    files: BTreeSet<FileId>,
}

impl Inventory {
    fn note(&mut self, what: String) {
        self.missing.insert(what);
    }

    /// Notes what the transaction has left out of the list in the file at `path`.
    fn note_left_out(&mut self, tx: &mut dyn Transaction, path: &str) {
        for damaged in tx.inspection().left_out() {
            self.note(format!("{damaged} in {path}"));
        }
    }

    fn missing_to_text(&self) -> String {
        let mut text = "These could not be read: the vault has lost them, or they are damaged. \
                        Ask its operator to\nrestore them from a backup, then export again.\n\n"
            .to_owned();
        for what in &self.missing {
            text.push_str(what);
            text.push('\n');
        }
        text
    }
}

fn text(archive: &mut Archive<'_>, path: &str, text: &str) -> Result<(), ExportError> {
    Ok(archive.add(path, Form::Deflated, |to| to.write_all(text.as_bytes()))?)
}

/// Adds a list as a JSON array, of which only one page is in memory.
fn list(
    archive: &mut Archive<'_>,
    path: &str,
    mut page_at: impl FnMut(Paging) -> Result<Page<Value>, ExportError>,
) -> Result<(), ExportError> {
    archive.add(path, Form::Deflated, |to| {
        let mut paging = Paging::default();
        let mut is_first = true;
        write!(to, "[")?;
        loop {
            let page = page_at(paging)?;
            let next = page.next();
            for entry in page.into_items() {
                let entry = format!("{}{entry}", if is_first { "\n" } else { ",\n" });
                to.write_all(entry.as_bytes())?;
                is_first = false;
            }
            match next {
                Some(after) => paging.after = Some(after),
                None => return Ok(write!(to, "\n]\n")?),
            }
        }
    })
}
