//! Bundles: the evidence of an idea as a file that convinces without this server.

mod anchors;
mod plan;

use std::collections::{BTreeSet, HashMap};
use std::io::Write;
use std::iter;
use std::sync::Arc;

use ideavault_domain::content::Content;
use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::{StoredCheckpoint, StoredEvent};
use ideavault_domain::failure::Failure;
use ideavault_domain::file::StoredFile;
use ideavault_domain::ids::{IdeaId, RecipientId, UserId};
use ideavault_domain::ports::{
    BlobStore, BundleFormats, BundleWriter, Database, DatabaseError, Disclosures, LogTree,
    PortError, StorageError, Transaction, unless_damaged,
};
use thiserror::Error;

use self::anchors::{AnchoredCheckpoint, calendars_covering};
pub use self::plan::BundlePlan;
use self::plan::{BundleFor, PlannedEvent, PlannedLog, plan};
use super::recorded::{digests_in, named_disclosures};
use super::{EvidenceError, require_ever_own};
use crate::deps::Deps;
use crate::files::is_intact;

/// Events that are read at a time.
const EVENTS_PER_READ: usize = 500;
/// Nodes of the tree that are read at a time.
const NODES_PER_READ: usize = 1_000;

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
            EvidenceError::Erased | EvidenceError::AgreementDamaged(_) => Self::Port(PortError {
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

/// An event of the bundle.
struct ReadEvent {
    /// Its place in the log.
    index: u64,
    event: StoredEvent,
    /// Proves that it is in the log.
    proof: Vec<Digest>,
    disclosures: Disclosures,
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
        let now = self.deps.clock.now();
        self.deps.database.read(|tx| {
            let owner = require_ever_own(tx, user, id)?;
            plan(tx, (id, owner), BundleFor::Owner, now)
        })
    }

    /// Plans the bundle of any idea, for the operator, also of a disabled account.
    ///
    /// # Errors
    /// [`BundleError::NotFound`] when there is no such idea, or its creator left.
    pub fn plan_for_operator(&self, id: IdeaId) -> Result<BundlePlan, BundleError> {
        let now = self.deps.clock.now();
        self.deps.database.read(|tx| {
            let owner = tx.inspection().idea_owner_even_if_disabled(id)?;
            let owner = owner.ok_or(BundleError::NotFound)?;
            plan(tx, (id, owner), BundleFor::Owner, now)
        })
    }

    /// Plans the bundle of a recipient, with or without the content. Whoever writes it asks
    /// [`ShareAccess::bundle_holder`](crate::share_access::ShareAccess::bundle_holder) before
    /// and after.
    ///
    /// # Errors
    /// [`BundleError::NotFound`].
    pub fn plan_for_recipient(
        &self,
        id: IdeaId,
        recipient: RecipientId,
        with_content: bool,
    ) -> Result<BundlePlan, BundleError> {
        let now = self.deps.clock.now();
        self.deps.database.read(|tx| {
            let owner = tx.ideas().idea_owner(id)?.ok_or(BundleError::NotFound)?;
            let reader = BundleFor::Recipient {
                recipient,
                with_content,
            };
            plan(tx, (id, owner), reader, now)
        })
    }

    /// Returns whether that event has a place that a signed checkpoint covers.
    ///
    /// # Errors
    /// [`BundleError::Database`].
    pub fn is_signed_for(&self, row: i64) -> Result<bool, BundleError> {
        let database = &self.deps.database;
        Ok(database.read(|tx| tx.evidence_log().is_signed_for(row))?)
    }

    /// Writes a bundle. What is on record never changes, so that events are read in parts: of
    /// each, only its place and its row, and paths and digests of its files stay in memory.
    /// Returns the paths of what is missing, because it was lost or is damaged; the bundle
    /// names them, too.
    ///
    /// # Errors
    /// [`BundleError`].
    pub fn write(
        &self,
        plan: &BundlePlan,
        to: impl Write,
    ) -> Result<BTreeSet<String>, BundleError> {
        let (_, newest) = plan
            .logs
            .last_key_value()
            .ok_or(BundleError::NothingRecorded)?;
        let mut bundle = OpenBundle::new(self.formats.begin(Box::new(to)));
        for (id, log) in &plan.logs {
            let prefix = match log.checkpoint.log == newest.checkpoint.log {
                true => String::new(),
                false => format!("log{}/", id.as_i32()),
            };
            self.write_log(&mut bundle, plan, log, &prefix)?;
        }
        self.write_contents(&mut bundle, plan)?;
        self.write_agreements(&mut bundle, plan)?;
        for kind in &plan.pending {
            bundle.zip.note_pending(kind.as_str());
        }
        bundle.zip.finish(&plan.name(), &newest.vkey)?;
        Ok(bundle.missing)
    }

    fn write_log(
        &self,
        bundle: &mut OpenBundle<'_>,
        plan: &BundlePlan,
        log: &PlannedLog,
        prefix: &str,
    ) -> Result<(), BundleError> {
        let StoredCheckpoint { head, note, .. } = &log.checkpoint;
        let parts = self.formats.parts(note, &log.vkey)?;
        let vkey = format!("{}\n", log.vkey);
        for (name, content) in [
            ("checkpoint", note.as_bytes()),
            ("checkpoint.body", parts.body.as_bytes()),
            ("checkpoint.sig", parts.signature.as_slice()),
            ("key.pem", parts.key_pem.as_bytes()),
            ("vkey", vkey.as_bytes()),
        ] {
            bundle
                .zip
                .add(&format!("{prefix}log/{name}"), &mut &*content)?;
        }
        for (&old, earlier) in &log.earlier {
            let new = head.size;
            let hashes = self.deps.database.read(|tx| {
                let mut nodes =
                    |positions: &[u64]| tx.evidence_log().nodes(log.checkpoint.log, positions);
                self.tree.consistency(old, new, &mut nodes)
            })?;
            let proof = self.formats.consistency(&hashes);
            bundle.zip.add(
                &format!("{prefix}log/checkpoint-{old}"),
                &mut earlier.note.as_bytes(),
            )?;
            bundle.zip.add(
                &format!("{prefix}log/consistency-{old}-{new}.txt"),
                &mut proof.as_bytes(),
            )?;
        }
        self.write_anchors(bundle, log, prefix)?;
        let mut disclosed = BTreeSet::new();
        for events in log.events.chunks(EVENTS_PER_READ) {
            for read in self.read_events(log, events)? {
                self.write_event(bundle, plan, log, read, prefix, &mut disclosed)?;
            }
        }
        Ok(())
    }

    /// Reads events that have places in a log.
    fn read_events(
        &self,
        log: &PlannedLog,
        planned: &[PlannedEvent],
    ) -> Result<Vec<ReadEvent>, BundleError> {
        let size = log.checkpoint.head.size;
        let rows: Vec<_> = planned.iter().map(|event| event.row).collect();
        self.deps.database.read(|tx| {
            let events = tx.evidence_log().events_in(&rows)?;
            let disclosures = tx
                .evidence_log()
                .disclosures_of(&events.iter().collect::<Vec<_>>())?;
            // A proof asks for all its nodes at once. The first time it gets placeholders.
            let mut wanted = BTreeSet::new();
            for event in planned {
                let mut collect = |positions: &[u64]| {
                    wanted.extend(positions.iter().copied());
                    Ok(vec![Digest::of(b""); positions.len()])
                };
                self.tree.inclusion(event.index, size, &mut collect)?;
            }
            let wanted: Vec<u64> = wanted.into_iter().collect();
            let mut nodes = HashMap::new();
            for positions in wanted.chunks(NODES_PER_READ) {
                let found = tx.evidence_log().nodes(log.checkpoint.log, positions)?;
                nodes.extend(positions.iter().copied().zip(found));
            }
            let mut prefetched = |positions: &[u64]| {
                let found = positions
                    .iter()
                    .map(|position| nodes.get(position).copied());
                found.collect::<Option<_>>().ok_or_else(unexpected_nodes)
            };
            let read = planned.iter().zip(events).zip(disclosures);
            read.map(|((planned, event), disclosures)| {
                Ok(ReadEvent {
                    index: planned.index,
                    event,
                    proof: self.tree.inclusion(planned.index, size, &mut prefetched)?,
                    disclosures,
                })
            })
            .collect()
        })
    }

    fn write_event(
        &self,
        bundle: &mut OpenBundle<'_>,
        plan: &BundlePlan,
        log: &PlannedLog,
        read: ReadEvent,
        prefix: &str,
        disclosed: &mut BTreeSet<Digest>,
    ) -> Result<(), BundleError> {
        let ReadEvent {
            index,
            event,
            proof,
            disclosures,
        } = read;
        let proof = self.formats.proof(index, &proof, &log.checkpoint.note)?;
        bundle.zip.add(
            &format!("{prefix}events/{index}.json"),
            &mut event.body.as_bytes(),
        )?;
        bundle.zip.add(
            &format!("{prefix}events/{index}.tlog-proof"),
            &mut proof.as_slice(),
        )?;
        if let Some(anchored) = calendars_covering(&log.anchored, index) {
            let stamp = self.event_stamp(&event, index, anchored)?;
            let path = format!("{prefix}events/{index}.json.ots");
            bundle.zip.add(&path, &mut stamp.as_slice())?;
        }
        let mut withheld = named_disclosures(&event.body);
        for name in disclosures.damaged {
            if plan.may_hold(&event, &name) && withheld.remove(&name) {
                bundle.has_damaged_disclosure = true;
                bundle.note_missing(format!("{prefix}disclosures/{index}-{name}.json"));
            }
        }
        for (name, body) in disclosures.readable {
            if !plan.may_hold(&event, &name) {
                continue;
            }
            withheld.remove(&name);
            bundle.named.extend(digests_in(&body));
            // Another event may disclose the same; salts make that unlikely.
            if disclosed.insert(Digest::of(body.as_bytes())) {
                let path = format!("{prefix}disclosures/{index}-{name}.json");
                bundle.zip.add(&path, &mut body.as_bytes())?;
            }
        }
        for name in withheld {
            bundle
                .zip
                .withhold(&format!("{prefix}disclosures/{index}-{name}.json"));
        }
        Ok(())
    }

    /// Adds each anchored checkpoint with what outsiders say of it.
    fn write_anchors(
        &self,
        bundle: &mut OpenBundle<'_>,
        log: &PlannedLog,
        prefix: &str,
    ) -> Result<(), BundleError> {
        let mut chains = BTreeSet::new();
        for (size, anchored) in &log.anchored {
            let note = &anchored.checkpoint.note;
            let folder = format!("{prefix}anchors");
            for (number, anchor) in (1..).zip(&anchored.authorities) {
                let path = format!("{folder}/{size}-tsa-{number}");
                let response = anchor.artefact.as_deref().unwrap_or_default();
                bundle
                    .zip
                    .add(&format!("{path}.checkpoint"), &mut note.as_bytes())?;
                bundle.zip.add(&format!("{path}.tsr"), &mut &*response)?;
                if let Some(chain) = &anchor.chain
                    && chains.insert(chain)
                {
                    let path = format!("{folder}/roots/{}.pem", chains.len());
                    bundle.zip.add(&path, &mut chain.as_bytes())?;
                }
            }
            if !anchored.calendars.is_empty() {
                let path = format!("{folder}/{size}-bitcoin");
                let stamp = self.formats.checkpoint_stamp(note, &anchored.proofs())?;
                bundle
                    .zip
                    .add(&format!("{path}.checkpoint"), &mut note.as_bytes())?;
                bundle
                    .zip
                    .add(&format!("{path}.ots"), &mut stamp.as_slice())?;
            }
            if !anchored.witnesses.is_empty() {
                let path = format!("{folder}/{size}-witness");
                let lines = anchored.witnesses.iter();
                let lines = lines.filter_map(|anchor| anchor.artefact.as_deref());
                let cosigned = iter::once(note.as_bytes()).chain(lines).collect::<Vec<_>>();
                bundle
                    .zip
                    .add(&format!("{path}.checkpoint"), &mut note.as_bytes())?;
                bundle.zip.add(
                    &format!("{path}.cosigned"),
                    &mut cosigned.concat().as_slice(),
                )?;
            }
        }
        Ok(())
    }

    /// Leads from an event through an anchored checkpoint to Bitcoin.
    fn event_stamp(
        &self,
        event: &StoredEvent,
        index: u64,
        anchored: &AnchoredCheckpoint,
    ) -> Result<Vec<u8>, BundleError> {
        let StoredCheckpoint {
            log, head, note, ..
        } = &anchored.checkpoint;
        let hashes = self.deps.database.read(|tx| {
            let mut nodes = |positions: &[u64]| tx.evidence_log().nodes(*log, positions);
            self.tree.inclusion(index, head.size, &mut nodes)
        })?;
        let digest = Digest::of(event.body.as_bytes());
        let proofs = anchored.proofs();
        let stamp = self
            .formats
            .event_stamp(&digest, (index, &hashes), note, &proofs)?;
        Ok(stamp)
    }

    /// Adds the exact content of each revision that the bundle's events put on record.
    fn write_contents(
        &self,
        bundle: &mut OpenBundle<'_>,
        plan: &BundlePlan,
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
                            self.write_file(bundle, &file)?;
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
    ) -> Result<(), BundleError> {
        let kind = match file.media_type.as_str() {
            "application/pdf" => "pdf",
            "image/png" => "png",
            _ => "jpg",
        };
        // Names of files may be those of other systems; their ids are safe.
        let path = format!("idea/{}.{kind}", file.id);
        // Half a file would spoil the whole bundle.
        if !bundle.may_add(&file.sha256) || !is_intact(self.storage.as_ref(), file)? {
            bundle.note_missing(path);
            return Ok(());
        }
        let mut content = self.storage.open(file, 0..file.size)?;
        Ok(bundle.zip.add(&path, &mut content)?)
    }

    /// Adds the exact text of each agreement that the bundle's events name.
    fn write_agreements(
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

/// A bundle that is being written.
struct OpenBundle<'w> {
    zip: Box<dyn BundleWriter + 'w>,
    /// Digests that its disclosures name.
    named: BTreeSet<Digest>,
    has_damaged_disclosure: bool,
    missing: BTreeSet<String>,
}

impl<'w> OpenBundle<'w> {
    fn new(zip: Box<dyn BundleWriter + 'w>) -> Self {
        Self {
            zip,
            named: BTreeSet::new(),
            has_damaged_disclosure: false,
            missing: BTreeSet::new(),
        }
    }

    fn note_missing(&mut self, path: String) {
        self.zip.note_missing(&path);
        self.missing.insert(path);
    }

    /// Adds a text that a disclosure names.
    fn add_named(&mut self, path: &str, text: &str) -> Result<(), PortError> {
        if self.may_add(&Digest::of(text.as_bytes())) {
            return self.zip.add(path, &mut text.as_bytes());
        }
        self.note_missing(path.to_owned());
        Ok(())
    }

    /// Returns whether a file with that digest belongs into the bundle. If the disclosure that
    /// names it is damaged, verifiers would take the file for a forged one.
    fn may_add(&self, digest: &Digest) -> bool {
        !self.has_damaged_disclosure || self.named.contains(digest)
    }
}

fn unexpected_nodes() -> DatabaseError {
    DatabaseError::Internal {
        operation: "prove that an event is in the log",
        source: "the proof asks for other nodes than before".into(),
    }
}
