//! Bundles: the evidence of an idea as a file that convinces without this server.

mod anchors;
mod plan;

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::iter;
use std::sync::Arc;

use ideavault_domain::content::Content;
use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::{Checkpoint, StoredEvent};
use ideavault_domain::failure::Failure;
use ideavault_domain::file::StoredFile;
use ideavault_domain::ids::{IdeaId, RecipientId, UserId};
use ideavault_domain::ports::{
    BlobStore, BundleFormats, BundleWriter, Database, DatabaseError, LogTree, PortError,
    StorageError,
};
use thiserror::Error;

use self::anchors::{AnchoredCheckpoint, calendars_covering};
pub use self::plan::BundlePlan;
use self::plan::{BundleFor, PlannedLog, plan};
use super::recorded::named_disclosures;
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
            let idea = ever_own_idea(tx, user, id)?;
            plan(tx, idea, BundleFor::Owner, now)
        })
    }

    /// Plans the bundle of any idea, for the operator.
    ///
    /// # Errors
    /// [`BundleError::NotFound`] when there is no such idea.
    pub fn plan_for_operator(&self, id: IdeaId) -> Result<BundlePlan, BundleError> {
        let now = self.deps.clock.now();
        self.deps.database.read(|tx| {
            let idea = tx.ideas().idea(id)?.ok_or(BundleError::NotFound)?;
            plan(tx, idea, BundleFor::Owner, now)
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
            let idea = tx.ideas().idea(id)?.ok_or(BundleError::NotFound)?;
            let reader = BundleFor::Recipient {
                recipient,
                with_content,
            };
            plan(tx, idea, reader, now)
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
        for (&old, earlier) in &log.earlier {
            let new = head.size;
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
        self.write_anchors(bundle, log, prefix)?;
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
        if let Some(anchored) = calendars_covering(&log.anchored, index) {
            let stamp = self.event_stamp(event, index, anchored)?;
            let path = format!("{prefix}events/{index}.json.ots");
            bundle.add(&path, &mut stamp.as_slice())?;
        }
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

    /// Adds each anchored checkpoint with what outsiders say of it.
    fn write_anchors(
        &self,
        bundle: &mut dyn BundleWriter,
        log: &PlannedLog,
        prefix: &str,
    ) -> Result<(), BundleError> {
        let mut chains = BTreeSet::new();
        for (size, anchored) in &log.anchored {
            let note = anchored.checkpoint.note.as_deref().unwrap_or_default();
            let folder = format!("{prefix}anchors");
            for (number, anchor) in (1..).zip(&anchored.authorities) {
                let path = format!("{folder}/{size}-tsa-{number}");
                let response = anchor.artefact.as_deref().unwrap_or_default();
                bundle.add(&format!("{path}.checkpoint"), &mut note.as_bytes())?;
                bundle.add(&format!("{path}.tsr"), &mut &*response)?;
                if let Some(chain) = &anchor.chain
                    && chains.insert(chain)
                {
                    let path = format!("{folder}/roots/{}.pem", chains.len());
                    bundle.add(&path, &mut chain.as_bytes())?;
                }
            }
            if !anchored.calendars.is_empty() {
                let path = format!("{folder}/{size}-bitcoin");
                let stamp = self.formats.checkpoint_stamp(note, &anchored.proofs())?;
                bundle.add(&format!("{path}.checkpoint"), &mut note.as_bytes())?;
                bundle.add(&format!("{path}.ots"), &mut stamp.as_slice())?;
            }
            if !anchored.witnesses.is_empty() {
                let path = format!("{folder}/{size}-witness");
                let lines = anchored.witnesses.iter();
                let lines = lines.filter_map(|anchor| anchor.artefact.as_deref());
                let cosigned = iter::once(note.as_bytes()).chain(lines).collect::<Vec<_>>();
                bundle.add(&format!("{path}.checkpoint"), &mut note.as_bytes())?;
                bundle.add(
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
        let Checkpoint {
            log, head, note, ..
        } = &anchored.checkpoint;
        let hashes = self.deps.database.read(|tx| {
            let mut nodes = |positions: &[u64]| tx.evidence_log().nodes(*log, positions);
            self.tree.inclusion(index, head.size, &mut nodes)
        })?;
        let digest = Digest::of(event.body.as_bytes());
        let note = note.as_deref().unwrap_or_default();
        let proofs = anchored.proofs();
        let stamp = self
            .formats
            .event_stamp(&digest, (index, &hashes), note, &proofs)?;
        Ok(stamp)
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
            // An erased text is named by no disclosure any more.
            if let Some(registration) = registration
                && !registration.progress.recipient.erasure.agreement
            {
                let text = registration.progress.recipient.agreement.text();
                let path = format!("agreements/{recipient}.txt");
                bundle.add(&path, &mut text.as_bytes())?;
            }
        }
        Ok(())
    }
}
