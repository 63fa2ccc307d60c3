//! Everything of an account as one archive, for its owner.
//!
//! Invariant: lists are read page by page and files as streams, so that memory stays bounded
//! however much there is.

mod facts;

use std::io::{self, Write};
use std::sync::Arc;

use ideavault_domain::audit::{AuditEntry, AuditKind};
use ideavault_domain::comment::CommentScope;
use ideavault_domain::content::Content;
use ideavault_domain::failure::Failure;
use ideavault_domain::file::StoredFile;
use ideavault_domain::idea::{Idea, Revision};
use ideavault_domain::ids::{IdeaId, UserId};
use ideavault_domain::page::{Page, Paging};
use ideavault_domain::ports::{
    ArchiveWriter, Archives, BlobStore, Database, DatabaseError, PortError, StorageError,
};
use ideavault_domain::recipient::Origin;
use serde_json::Value;
use thiserror::Error;

use crate::deps::Deps;
use crate::evidence::{BundleError, Bundles};
use crate::share_access::own_page;

/// What is where, for somebody who opens the archive years later.
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
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::NoSuchUser => Self::Unauthenticated("Please sign in".into()),
            ExportError::Database(error) => error.into(),
            ExportError::Storage(error) => error.into(),
            ExportError::Bundle(error) => error.into(),
            ExportError::Port(error) => error.into(),
        }
    }
}

/// Exports of whole accounts.
pub struct AccountExport<S> {
    deps: Deps<S>,
    storage: Arc<dyn BlobStore>,
    bundles: Bundles<S>,
    archives: Arc<dyn Archives>,
}

impl<S: Database> AccountExport<S> {
    /// Creates the service from its dependencies.
    pub fn new(
        deps: Deps<S>,
        storage: Arc<dyn BlobStore>,
        bundles: Bundles<S>,
        archives: Arc<dyn Archives>,
    ) -> Self {
        Self {
            deps,
            storage,
            bundles,
            archives,
        }
    }

    /// Records that the user exports the account. Call it before reading any of it.
    ///
    /// # Errors
    /// [`ExportError::Database`].
    pub fn begin(&self, user: UserId, origin: Origin) -> Result<(), ExportError> {
        let now = self.deps.clock.now();
        let entry = AuditEntry::by(user, AuditKind::Exported, now, origin);
        Ok(self.deps.database.write(|tx| tx.audit().record(&entry))?)
    }

    /// Writes everything of the account as an archive.
    ///
    /// # Errors
    /// [`ExportError`].
    pub fn write(&self, user: UserId, to: impl Write) -> Result<(), ExportError> {
        let mut archive = self.archives.begin_archive(Box::new(to));
        text(archive.as_mut(), "README.txt", README)?;
        self.write_profile(archive.as_mut(), user)?;
        let database = &self.deps.database;
        for idea in database.read(|tx| tx.erasures().ideas_ever_of(user))? {
            let idea = database.read(|tx| tx.ideas().idea(idea.id))?;
            // The account may be deleted meanwhile.
            let idea = idea.ok_or(ExportError::NoSuchUser)?;
            self.write_idea(archive.as_mut(), &idea)?;
        }
        Ok(archive.finish()?)
    }

    fn write_profile(
        &self,
        archive: &mut dyn ArchiveWriter,
        user: UserId,
    ) -> Result<(), ExportError> {
        let (profile, images) = self.deps.database.read(|tx| {
            let account = tx.users().user(user)?.ok_or(ExportError::NoSuchUser)?;
            let mode = tx.notification_settings().notification_mode(user)?;
            let factor = tx.two_factors().two_factor(user)?;
            let two_factor = factor.is_some_and(|factor| factor.is_on());
            let profile = facts::profile(&account, mode, two_factor);
            Ok::<_, ExportError>((profile, tx.files().images_of(user)?))
        })?;
        text(archive, "profile.json", &facts::pretty(&profile))?;
        let listed: Vec<Value> = images.iter().map(facts::file).collect();
        text(archive, "files.json", &facts::pretty(&Value::Array(listed)))?;
        for image in &images {
            self.add_stored(
                archive,
                &format!("files/{}", facts::file_name(image)),
                image,
            )?;
        }
        Ok(())
    }

    fn write_idea(&self, archive: &mut dyn ArchiveWriter, idea: &Idea) -> Result<(), ExportError> {
        let (id, database) = (idea.id, &self.deps.database);
        let folder = format!("ideas/{id}");
        text(
            archive,
            &format!("{folder}/idea.json"),
            &facts::pretty(&facts::idea(idea)),
        )?;
        self.write_revisions(archive, idea, &folder)?;
        let shares = database.read(|tx| tx.shares().shares_of(id))?;
        let shares: Vec<Value> = shares
            .iter()
            .map(|listed| facts::share(&listed.share))
            .collect();
        text(
            archive,
            &format!("{folder}/links.json"),
            &facts::pretty(&Value::Array(shares)),
        )?;
        list(archive, &format!("{folder}/activity.json"), |paging| {
            let page = database.read(|tx| tx.recipients().activity_of(id, paging))?;
            Ok(page.try_map(|entry| Ok::<_, DatabaseError>(facts::activity(&entry)))?)
        })?;
        list(archive, &format!("{folder}/comments.json"), |paging| {
            let scope = CommentScope::All;
            let page = database.read(|tx| tx.comments().comments_on(id, &scope, paging))?;
            Ok(page.try_map(|comment| Ok::<_, DatabaseError>(facts::comment(&comment)))?)
        })?;
        self.write_events(archive, id, &folder)?;
        self.write_evidence(archive, idea, &folder)
    }

    /// Adds every version whose content is kept: the exact content, and a page to read.
    fn write_revisions(
        &self,
        archive: &mut dyn ArchiveWriter,
        idea: &Idea,
        folder: &str,
    ) -> Result<(), ExportError> {
        let (id, database) = (idea.id, &self.deps.database);
        let mut paging = Paging::default();
        let mut pdfs = Vec::new();
        loop {
            let page = database.read(|tx| tx.ideas().revisions_of(id, paging))?;
            let next = page.next();
            for revision in page.into_items() {
                let (content, files) = self.content_of(idea, &revision)?;
                let Some(content) = content else { continue };
                let path = format!("{folder}/versions/{}", revision.number);
                let about = facts::pretty(&facts::revision(&revision));
                text(archive, &format!("{path}.json"), &about)?;
                match own_page(self.storage.as_ref(), &revision, &content, &files)? {
                    Some(page) => {
                        text(archive, &format!("{path}.html"), &page)?;
                        let exact = content.to_stored();
                        let kind = match content {
                            Content::Html(_) => "html",
                            _ => "json",
                        };
                        text(archive, &format!("{path}.exact.{kind}"), &exact)?;
                    }
                    None => {
                        for file in files {
                            // Versions that differ in their title have the same file.
                            if !pdfs.contains(&file.id) {
                                pdfs.push(file.id);
                                let name = facts::file_name(&file);
                                self.add_stored(archive, &format!("{folder}/{name}"), &file)?;
                            }
                        }
                    }
                }
            }
            match next {
                Some(after) => paging.after = Some(after),
                None => return Ok(()),
            }
        }
    }

    fn content_of(
        &self,
        idea: &Idea,
        revision: &Revision,
    ) -> Result<(Option<Content>, Vec<StoredFile>), ExportError> {
        Ok(self.deps.database.read(|tx| {
            let content = tx.ideas().revision_content(idea.id, revision.number)?;
            let mut files = Vec::new();
            for id in content.iter().flat_map(Content::files) {
                let file = tx.files().file(id)?;
                files.extend(file.filter(|file| file.owner == idea.owner));
            }
            Ok::<_, DatabaseError>((content, files))
        })?)
    }

    /// Adds each event as the bytes of which the log has the digest.
    fn write_events(
        &self,
        archive: &mut dyn ArchiveWriter,
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
        archive: &mut dyn ArchiveWriter,
        idea: &Idea,
        folder: &str,
    ) -> Result<(), ExportError> {
        let plan = self.bundles.plan_for_owner(idea.owner, idea.id)?;
        if plan.is_empty() {
            return Ok(());
        }
        let path = format!("{folder}/evidence.zip");
        written(
            |write| archive.add_archive(&path, write),
            |to| Ok(self.bundles.write(&plan, to)?),
        )
    }

    fn add_stored(
        &self,
        archive: &mut dyn ArchiveWriter,
        path: &str,
        file: &StoredFile,
    ) -> Result<(), ExportError> {
        let mut content = self.storage.open(file, 0..file.size)?;
        Ok(archive.add_file(path, &mut content)?)
    }
}

fn text(archive: &mut dyn ArchiveWriter, path: &str, text: &str) -> Result<(), ExportError> {
    Ok(archive.add_text(path, &mut |to| to.write_all(text.as_bytes()))?)
}

/// Adds a list as a JSON array, of which only one page is in memory.
fn list(
    archive: &mut dyn ArchiveWriter,
    path: &str,
    mut page_at: impl FnMut(Paging) -> Result<Page<Value>, ExportError>,
) -> Result<(), ExportError> {
    written(
        |write| archive.add_text(path, write),
        |to| {
            let mut paging = Paging::default();
            let mut is_first = true;
            let mut put = |text: &str| to.write_all(text.as_bytes()).map_err(not_written);
            put("[")?;
            loop {
                let page = page_at(paging)?;
                let next = page.next();
                for entry in page.into_items() {
                    put(if is_first { "\n" } else { ",\n" })?;
                    put(&entry.to_string())?;
                    is_first = false;
                }
                match next {
                    Some(after) => paging.after = Some(after),
                    None => return put("\n]\n"),
                }
            }
        },
    )
}

/// Adds an entry whose writing may fail for other reasons than writing.
fn written(
    add: impl FnOnce(&mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> Result<(), PortError>,
    mut write: impl FnMut(&mut dyn Write) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let mut failure = None;
    let added = add(&mut |to| {
        write(to).map_err(|error| {
            failure = Some(error);
            io::Error::other("the entry was not completed")
        })
    });
    match failure {
        Some(error) => Err(error),
        None => Ok(added?),
    }
}

fn not_written(source: io::Error) -> ExportError {
    ExportError::Port(PortError {
        operation: "write an archive",
        source: Box::new(source),
    })
}
