//! Bundles: the evidence of an idea as a file that convinces without this server.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::sync::Arc;

use ideavault_domain::content::Content;
use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::{Checkpoint, EventKind, LogId, StoredEvent};
use ideavault_domain::failure::Failure;
use ideavault_domain::file::StoredFile;
use ideavault_domain::idea::Idea;
use ideavault_domain::ids::{IdeaId, RecipientId, UserId};
use ideavault_domain::page::Paging;
use ideavault_domain::ports::{
    BlobStore, BundleFormats, BundleWriter, Database, DatabaseError, LogTree, PortError,
    StorageError, Transaction,
};
use thiserror::Error;

use super::{EvidenceError, ever_own_idea};
use crate::deps::Deps;

/// The reason why a bundle could not be made.
#[derive(Debug, Error)]
pub enum BundleError {
    /// The idea or registration is absent, or somebody else's.
    #[error("no such idea or registration")]
    NotFound,
    /// No event of the idea has a place yet.
    #[error("nothing is on record yet")]
    NothingRecorded,
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The bundle cannot be written.
    #[error(transparent)]
    Port(#[from] PortError),
    /// A file cannot be read.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<EvidenceError> for BundleError {
    fn from(error: EvidenceError) -> Self {
        match error {
            EvidenceError::NotFound => Self::NotFound,
            EvidenceError::AgreementDamaged(_) => Self::Port(PortError {
                operation: "read an agreement",
                source: Box::new(error),
            }),
            EvidenceError::Database(error) => Self::Database(error),
        }
    }
}

impl From<BundleError> for Failure {
    fn from(error: BundleError) -> Self {
        match error {
            BundleError::NotFound => Self::NotFound,
            BundleError::NothingRecorded => Self::Conflict(
                "Nothing of this idea is on record yet. Put this version on record first.".into(),
            ),
            BundleError::Database(error) => error.into(),
            BundleError::Port(error) => error.into(),
            BundleError::Storage(error) => error.into(),
        }
    }
}

/// For whom a bundle is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BundleFor {
    /// The owner of the idea, who holds all of it.
    Owner,
    /// A recipient, who holds its own disclosures and what it was shown.
    Recipient(RecipientId),
}

/// What a bundle is made of, looked up before it is written.
pub struct BundlePlan {
    idea: Idea,
    reader: BundleFor,
    /// Events that have places, by log.
    logs: BTreeMap<LogId, PlannedLog>,
    /// Kinds of events that have none.
    pending: Vec<EventKind>,
}

struct PlannedLog {
    checkpoint: Checkpoint,
    vkey: String,
    /// Checkpoints that the newest one extends.
    earlier: Vec<Checkpoint>,
    events: Vec<StoredEvent>,
}

impl BundlePlan {
    /// Returns the document id, or the idea's number before publication.
    #[must_use]
    pub fn name(&self) -> String {
        let publication = self.idea.status.publication();
        let document = publication.map(|publication| publication.document_id.as_str());
        document.map_or_else(|| self.idea.id.to_string(), str::to_owned)
    }

    /// Returns whether an event still waits for its place.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        !self.pending.is_empty()
    }
}

/// Makes bundles.
pub struct Bundles<S> {
    deps: Deps<S>,
    storage: Arc<dyn BlobStore>,
    tree: Arc<dyn LogTree>,
    formats: Arc<dyn BundleFormats>,
}

impl<S: Database> Bundles<S> {
    /// Creates the service from its dependencies.
    pub fn new(
        deps: Deps<S>,
        storage: Arc<dyn BlobStore>,
        tree: Arc<dyn LogTree>,
        formats: Arc<dyn BundleFormats>,
    ) -> Self {
        Self {
            deps,
            storage,
            tree,
            formats,
        }
    }

    /// Plans the bundle of an own idea, even of a deleted one.
    ///
    /// # Errors
    /// [`BundleError::NotFound`] when the idea is not the user's.
    pub fn plan_for_owner(&self, user: UserId, id: IdeaId) -> Result<BundlePlan, BundleError> {
        self.deps.database.read(|tx| {
            let idea = ever_own_idea(tx, user, id)?;
            plan(tx, idea, BundleFor::Owner)
        })
    }

    /// Plans the bundle of any idea, for the operator.
    ///
    /// # Errors
    /// [`BundleError::NotFound`] when there is no such idea.
    pub fn plan_for_operator(&self, id: IdeaId) -> Result<BundlePlan, BundleError> {
        self.deps.database.read(|tx| {
            let idea = tx.ideas().idea(id)?.ok_or(BundleError::NotFound)?;
            plan(tx, idea, BundleFor::Owner)
        })
    }

    /// Plans the bundle of a recipient, whose access the caller has checked.
    ///
    /// # Errors
    /// [`BundleError::NotFound`].
    pub fn plan_for_recipient(
        &self,
        id: IdeaId,
        recipient: RecipientId,
    ) -> Result<BundlePlan, BundleError> {
        self.deps.database.read(|tx| {
            let idea = tx.ideas().idea(id)?.ok_or(BundleError::NotFound)?;
            plan(tx, idea, BundleFor::Recipient(recipient))
        })
    }

    /// Writes a bundle. What is on record never changes, so that events are read one by
    /// one, and memory stays bounded.
    ///
    /// # Errors
    /// [`BundleError`].
    pub fn write(&self, plan: &BundlePlan, to: impl Write) -> Result<(), BundleError> {
        let (_, newest) = plan
            .logs
            .last_key_value()
            .ok_or(BundleError::NothingRecorded)?;
        let mut bundle = self.formats.begin(Box::new(to));
        for (id, log) in &plan.logs {
            let prefix = match log.checkpoint.log == newest.checkpoint.log {
                true => String::new(),
                false => format!("log{}/", id.as_i32()),
            };
            self.write_log(bundle.as_mut(), plan, log, &prefix)?;
        }
        self.write_contents(bundle.as_mut(), plan)?;
        self.write_agreements(bundle.as_mut(), plan)?;
        for kind in &plan.pending {
            bundle.note_pending(kind.as_str());
        }
        Ok(bundle.finish(&plan.name(), &newest.vkey)?)
    }

    fn write_log(
        &self,
        bundle: &mut dyn BundleWriter,
        plan: &BundlePlan,
        log: &PlannedLog,
        prefix: &str,
    ) -> Result<(), BundleError> {
        let Checkpoint { head, note, .. } = &log.checkpoint;
        let note = note.as_deref().unwrap_or_default();
        let parts = self.formats.parts(note, &log.vkey)?;
        let vkey = format!("{}\n", log.vkey);
        for (name, content) in [
            ("checkpoint", note.as_bytes()),
            ("checkpoint.body", parts.body.as_bytes()),
            ("checkpoint.sig", parts.signature.as_slice()),
            ("key.pem", parts.key_pem.as_bytes()),
            ("vkey", vkey.as_bytes()),
        ] {
            bundle.add(&format!("{prefix}log/{name}"), &mut &*content)?;
        }
        for earlier in &log.earlier {
            let (old, new) = (earlier.head.size, head.size);
            let hashes = self.deps.database.read(|tx| {
                let mut nodes =
                    |positions: &[u64]| tx.evidence_log().nodes(log.checkpoint.log, positions);
                self.tree.consistency(old, new, &mut nodes)
            })?;
            let proof = self.formats.consistency(&hashes);
            let note = earlier.note.as_deref().unwrap_or_default();
            bundle.add(
                &format!("{prefix}log/checkpoint-{old}"),
                &mut note.as_bytes(),
            )?;
            bundle.add(
                &format!("{prefix}log/consistency-{old}-{new}.txt"),
                &mut proof.as_bytes(),
            )?;
        }
        let mut disclosed = BTreeSet::new();
        for event in &log.events {
            self.write_event(bundle, plan, log, event, prefix, &mut disclosed)?;
        }
        Ok(())
    }

    fn write_event(
        &self,
        bundle: &mut dyn BundleWriter,
        plan: &BundlePlan,
        log: &PlannedLog,
        event: &StoredEvent,
        prefix: &str,
        disclosed: &mut BTreeSet<String>,
    ) -> Result<(), BundleError> {
        let Some(place) = event.place else {
            return Ok(());
        };
        let index = place.index;
        let size = log.checkpoint.head.size;
        let (proof, disclosures) = self.deps.database.read(|tx| {
            let mut nodes = |positions: &[u64]| tx.evidence_log().nodes(place.log, positions);
            let proof = self.tree.inclusion(index, size, &mut nodes)?;
            Ok::<_, DatabaseError>((proof, tx.evidence_log().disclosures_of(event)?))
        })?;
        let note = log.checkpoint.note.as_deref().unwrap_or_default();
        let proof = self.formats.proof(index, &proof, note)?;
        bundle.add(
            &format!("{prefix}events/{index}.json"),
            &mut event.body.as_bytes(),
        )?;
        bundle.add(
            &format!("{prefix}events/{index}.tlog-proof"),
            &mut proof.as_slice(),
        )?;
        let mut missing = named_disclosures(&event.body);
        for (name, body) in disclosures {
            if !plan.may_hold(event, &name) {
                continue;
            }
            missing.remove(&name);
            // Another event may disclose the same; salts make that unlikely.
            if disclosed.insert(Digest::of(body.as_bytes()).to_string()) {
                let path = format!("{prefix}disclosures/{index}-{name}.json");
                bundle.add(&path, &mut body.as_bytes())?;
            }
        }
        for name in missing {
            bundle.withhold(&format!("{prefix}disclosures/{index}-{name}.json"));
        }
        Ok(())
    }

    /// Adds the exact content of each revision that the bundle's events put on record.
    fn write_contents(
        &self,
        bundle: &mut dyn BundleWriter,
        plan: &BundlePlan,
    ) -> Result<(), BundleError> {
        let mut written = BTreeSet::new();
        for revision in plan.shown_revisions() {
            let idea = &plan.idea;
            let (content, files) = self.deps.database.read(|tx| {
                let content = tx.ideas().revision_content(idea.id, revision)?;
                let mut files = Vec::new();
                for id in content.iter().flat_map(Content::files) {
                    let file = tx.files().file(id)?;
                    files.extend(file.filter(|file| file.owner == idea.owner));
                }
                Ok::<_, DatabaseError>((content, files))
            })?;
            match &content {
                // Its digest is that of the file, which follows.
                Some(Content::Pdf { .. }) | None => {}
                Some(content) => {
                    let kind = match content {
                        Content::Html(_) => "html",
                        _ => "json",
                    };
                    let path = format!("idea/revision-{revision}.{kind}");
                    bundle.add(&path, &mut content.to_stored().as_bytes())?;
                }
            }
            for file in files {
                if written.insert(file.id) {
                    self.write_file(bundle, &file)?;
                }
            }
        }
        Ok(())
    }

    fn write_file(
        &self,
        bundle: &mut dyn BundleWriter,
        file: &StoredFile,
    ) -> Result<(), BundleError> {
        let mut content: Box<dyn Read + Send> = self.storage.open(file, 0..file.size)?;
        let kind = match file.media_type.as_str() {
            "application/pdf" => "pdf",
            "image/png" => "png",
            _ => "jpg",
        };
        // Names of files may be those of other systems; their ids are safe.
        let path = format!("idea/{}.{kind}", file.id);
        Ok(bundle.add(&path, &mut content)?)
    }

    /// Adds the exact text of each agreement that the bundle's events name.
    fn write_agreements(
        &self,
        bundle: &mut dyn BundleWriter,
        plan: &BundlePlan,
    ) -> Result<(), BundleError> {
        for recipient in plan.recipients() {
            let database = &self.deps.database;
            let registration = database.read(|tx| tx.recipients().registration(recipient))?;
            if let Some(registration) = registration {
                let text = registration.progress.recipient.agreement.text();
                let path = format!("agreements/{recipient}.txt");
                bundle.add(&path, &mut text.as_bytes())?;
            }
        }
        Ok(())
    }
}

impl BundlePlan {
    fn events(&self) -> impl Iterator<Item = &StoredEvent> {
        self.logs.values().flat_map(|log| &log.events)
    }

    /// Returns whether the holder of the bundle may have that disclosure of an event that
    /// the bundle has.
    fn may_hold(&self, event: &StoredEvent, name: &str) -> bool {
        match self.reader {
            BundleFor::Owner => true,
            // Whoever was shown nothing holds no content.
            BundleFor::Recipient(_) if name == "content" => {
                let revision = revision_of(event);
                self.viewed_revisions()
                    .any(|viewed| Some(viewed) == revision)
            }
            BundleFor::Recipient(recipient) => event.subject.recipient == Some(recipient),
        }
    }

    fn viewed_revisions(&self) -> impl Iterator<Item = i32> {
        let views = self.events();
        views
            .filter(|event| event.kind == EventKind::ViewStarted)
            .filter_map(revision_of)
    }

    /// Returns the revisions whose content belongs into the bundle.
    fn shown_revisions(&self) -> BTreeSet<i32> {
        match self.reader {
            BundleFor::Owner => self
                .events()
                .filter(|event| puts_on_record(event.kind))
                .filter_map(revision_of)
                .collect(),
            BundleFor::Recipient(_) => self.viewed_revisions().collect(),
        }
    }

    /// Returns the recipients whose agreements belong into the bundle.
    fn recipients(&self) -> BTreeSet<RecipientId> {
        self.events()
            .filter(|event| event.kind == EventKind::AgreementOffered)
            .filter_map(|event| event.subject.recipient)
            .collect()
    }
}

fn puts_on_record(kind: EventKind) -> bool {
    matches!(kind, EventKind::RevisionRecorded | EventKind::IdeaPublished)
}

fn parsed(body: &str) -> serde_json::Value {
    serde_json::from_str(body).unwrap_or_default()
}

fn revision_of(event: &StoredEvent) -> Option<i32> {
    let body = parsed(&event.body);
    body.get("revision")?.as_str()?.parse().ok()
}

fn named_disclosures(body: &str) -> BTreeSet<String> {
    let body = parsed(body);
    let named = body.get("discloses").and_then(|named| named.as_object());
    named.map_or_else(BTreeSet::new, |named| named.keys().cloned().collect())
}

fn plan(
    tx: &mut dyn Transaction,
    idea: Idea,
    reader: BundleFor,
) -> Result<BundlePlan, BundleError> {
    let mut plan = BundlePlan {
        reader,
        logs: BTreeMap::new(),
        pending: Vec::new(),
        idea,
    };
    let mut paging = Paging::default();
    loop {
        let page = tx.evidence_log().events_of(plan.idea.id, paging)?;
        let next = page.next();
        for event in page.into_items() {
            if concerns(&event, reader) {
                plan.add(tx, event)?;
            }
        }
        match next {
            Some(after) => paging.after = Some(after),
            None => break,
        }
    }
    for (id, log) in &mut plan.logs {
        let size = log.checkpoint.head.size;
        for event in tx.evidence_log().events_of_log(*id)? {
            if event.place.is_some_and(|place| place.index < size) {
                log.events.push(event);
            }
        }
        log.events.sort_by_key(|event| event.place);
        let of_idea = log.events.iter().find(|event| event.subject.idea.is_some());
        if let Some(place) = of_idea.and_then(|event| event.place) {
            let earlier = tx.evidence_log().checkpoint_from(*id, place.index + 1)?;
            let earlier = earlier.filter(|earlier| earlier.head.size < size);
            log.earlier.extend(earlier);
        }
    }
    Ok(plan)
}

/// Returns whether an event of the idea belongs into the bundle of that reader.
fn concerns(event: &StoredEvent, reader: BundleFor) -> bool {
    match reader {
        BundleFor::Owner => true,
        BundleFor::Recipient(recipient) => {
            let is_of_nobody = event.subject.recipient.is_none()
                && event.subject.share.is_none()
                && event.subject.comment.is_none();
            event.subject.recipient == Some(recipient) || is_of_nobody
        }
    }
}

impl BundlePlan {
    fn add(&mut self, tx: &mut dyn Transaction, event: StoredEvent) -> Result<(), DatabaseError> {
        let Some(place) = event.place else {
            self.pending.push(event.kind);
            return Ok(());
        };
        if !self.logs.contains_key(&place.log) {
            let Some(log) = planned(tx, place.log)? else {
                self.pending.push(event.kind);
                return Ok(());
            };
            self.logs.insert(place.log, log);
        }
        match self.logs.get_mut(&place.log) {
            Some(log) if place.index < log.checkpoint.head.size => log.events.push(event),
            _ => self.pending.push(event.kind),
        }
        Ok(())
    }
}

fn planned(tx: &mut dyn Transaction, id: LogId) -> Result<Option<PlannedLog>, DatabaseError> {
    let Some(checkpoint) = tx.evidence_log().newest_checkpoint(id)? else {
        return Ok(None);
    };
    let keys = tx.evidence_log().log_keys(id)?;
    let size = checkpoint.head.size;
    let key = keys.into_iter().rfind(|key| key.from_size < size);
    Ok(key.map(|key| PlannedLog {
        checkpoint,
        vkey: key.vkey,
        earlier: Vec::new(),
        events: Vec::new(),
    }))
}
