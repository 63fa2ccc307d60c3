//! Documents that people keep, and the public record of a published idea.
//!
//! Invariant: a receipt is for its two parties, a certificate or a report for the owner; the public
//! record names neither the idea nor anybody.

mod receipts;
mod reports;

use std::sync::Arc;

use ideavault_domain::Timestamp;
use ideavault_domain::digest::Digest;
use ideavault_domain::document::{Attachment, Certificate, Confirmation, LogPlace, Receipt};
use ideavault_domain::evidence::{
    Anchor, Disclosure, EventKind, StoredCheckpoint, StoredEvent, StoredLogKey,
};
use ideavault_domain::failure::Failure;
use ideavault_domain::idea::{DocumentId, Publication};
use ideavault_domain::ids::{IdeaId, RecipientId, UserId};
use ideavault_domain::ports::{
    Database, DatabaseError, DocumentWriter, PortError, RecipientWithShare, Transaction,
};
use ideavault_evidence::checkpoint::{CheckpointError, SignedCheckpoint};
use ideavault_evidence::proof::TlogProof;
use thiserror::Error;

use crate::actor::Caller;
use crate::anchoring::FAILURES_REPORTED;
use crate::deps::Deps;
use crate::emails::Links;
use crate::event_log::EventLog;
use crate::evidence::{
    EvidenceError, EvidenceState, acceptance_of, disclosures_of, ever_own_idea,
    readable_registration, state_of,
};
use crate::log_tree::LogTree;
use crate::viewers::activate_new_key;

/// The reason why a document or a record could not be returned.
#[derive(Debug, Error)]
pub enum DocumentError {
    /// The idea is not published.
    #[error("the idea is a draft")]
    Draft,
    /// What the log has on record of the content is damaged.
    #[error("the recorded content of idea {0} is damaged")]
    ContentDamaged(IdeaId),
    /// Absent, not for the caller, or erased.
    #[error(transparent)]
    Evidence(#[from] EvidenceError),
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The stored checkpoint is damaged.
    #[error("the checkpoint of the log is damaged")]
    Checkpoint(#[from] CheckpointError),
    /// There is too much for one report.
    #[error("too many events or readers for a report")]
    TooMany,
    /// The document cannot be written.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<DocumentError> for Failure {
    fn from(error: DocumentError) -> Self {
        match error {
            DocumentError::Draft => {
                Self::Conflict("This idea is still a draft. Publish it first.".into())
            }
            DocumentError::Evidence(error) => error.into(),
            DocumentError::Database(error) => error.into(),
            DocumentError::ContentDamaged(_) => Self::Damaged(Box::new(error)),
            DocumentError::Checkpoint(_) => Self::Internal(Box::new(error)),
            DocumentError::TooMany => Self::TooLarge(
                "There is too much for one report. Please choose one link, or download the \
                 evidence."
                    .into(),
            ),
            DocumentError::Port(error) => error.into(),
        }
    }
}

/// The public facts of a published idea whose public record is on.
#[derive(Clone, Debug)]
pub struct PublicRecord {
    /// Document id and time.
    pub publication: Publication,
    /// SHA-256 of the exact content; of a PDF, of the file.
    pub sha256: Digest,
    /// How far the publication is confirmed.
    pub state: EvidenceState,
    /// Its place in the log, once it has one.
    pub place: Option<LogPlace>,
    /// Confirmations by outsiders, best first.
    pub anchors: Vec<Anchor>,
    /// Whether this vault asks outsiders to confirm the log.
    pub has_witnesses: bool,
}

/// Receipts, certificates, reports and public records.
pub struct Documents<S> {
    deps: Deps<S>,
    event_log: Arc<EventLog<S>>,
    writer: Arc<dyn DocumentWriter>,
    links: Links,
    has_witnesses: bool,
}

/// An event with its place, and who has confirmed it.
struct Recorded {
    event: StoredEvent,
    place: Option<LogPlace>,
    checkpoint: Option<StoredCheckpoint>,
    anchors: Vec<Anchor>,
}

impl Recorded {
    fn confirmations(&self) -> Vec<Confirmation> {
        self.anchors.iter().filter_map(Confirmation::of).collect()
    }
}

impl<S: Database> Documents<S> {
    /// Creates the service from its dependencies. Certificates name the pages of `links`.
    /// `has_witnesses`: outsiders are asked to confirm the log.
    pub fn new(
        deps: Deps<S>,
        event_log: Arc<EventLog<S>>,
        writer: Arc<dyn DocumentWriter>,
        links: Links,
        has_witnesses: bool,
    ) -> Self {
        Self {
            deps,
            event_log,
            writer,
            links,
            has_witnesses,
        }
    }

    /// Returns the receipt of an accepted agreement as a PDF: for the recipient's own
    /// browser, even after the view has ended, and for the owner of the idea, even a
    /// deleted one.
    ///
    /// # Errors
    /// [`EvidenceError::NotFound`] for everybody else, and before acceptance.
    pub fn receipt(
        &self,
        caller: &Caller,
        recipient: RecipientId,
    ) -> Result<Vec<u8>, DocumentError> {
        let now = self.deps.clock.now();
        activate_new_key(self.deps.database.as_ref(), caller.viewer.as_ref(), now)?;
        self.receipt_found_by(|tx, now| Ok(readable_registration(tx, caller, recipient, now)?))
    }

    /// Returns the receipt of the registration that `find` finds for somebody who may have it.
    pub(crate) fn receipt_found_by<E>(
        &self,
        find: impl Fn(&mut dyn Transaction, Timestamp) -> Result<RecipientWithShare, E>,
    ) -> Result<Vec<u8>, E>
    where
        E: From<DocumentError> + From<DatabaseError>,
    {
        let now = self.deps.clock.now();
        let receipt = self.deps.database.read(|tx| {
            let registration = find(tx, now)?;
            Ok::<_, E>(self.receipt_of(tx, registration, now)?)
        })?;
        Ok(self.writer.receipt(&receipt).map_err(DocumentError::from)?)
    }

    /// Returns the receipt of an accepted agreement as a file for a mail to one of its
    /// parties; `None` when there is none any more.
    pub fn receipt_to_mail(
        &self,
        recipient: RecipientId,
    ) -> Result<Option<Attachment>, DocumentError> {
        let now = self.deps.clock.now();
        let receipt =
            self.deps
                .database
                .read(|tx| match tx.recipients().registration(recipient)? {
                    Some(registration) => self.receipt_of(tx, registration, now).map(Some),
                    None => Ok(None),
                });
        let receipt = match receipt {
            Ok(Some(receipt)) => receipt,
            Ok(None) => return Ok(None),
            Err(DocumentError::Evidence(EvidenceError::Database(error))) => {
                return Err(error.into());
            }
            // Nothing can be sent any more, and nobody is helped by another attempt.
            Err(DocumentError::Evidence(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok(Some(Attachment {
            name: format!("receipt-{}.pdf", short(recipient)),
            media_type: "application/pdf",
            description: "The receipt of an accepted agreement",
            content: self.writer.receipt(&receipt)?,
        }))
    }

    fn receipt_of(
        &self,
        tx: &mut dyn Transaction,
        registration: RecipientWithShare,
        now: Timestamp,
    ) -> Result<Receipt, DocumentError> {
        let (recipient, acceptance) = acceptance_of(registration.progress)?;
        let idea = registration.share.idea;
        let kind = EventKind::AgreementAccepted;
        let recorded = self.recorded(tx, kind, idea, Some(recipient.id), now)?;
        let facts = receipts::Facts {
            vault: self.links.vault().as_str(),
            share_type: registration.share.terms.share_type(),
            has_witnesses: self.has_witnesses,
            now,
        };
        let mut receipt = receipts::receipt(&recipient, &acceptance, recorded.as_ref(), &facts);
        receipt.attachments = receipts::plain_files(&receipt)?;
        if let Some(recorded) = &recorded {
            receipt.attachments.extend(proof_of(tx, recorded)?);
        }
        Ok(receipt)
    }

    /// Returns the certificate of an own published idea as a PDF of one page.
    ///
    /// # Errors
    /// [`EvidenceError::NotFound`] when the idea is not the user's, or deleted;
    /// [`DocumentError::Draft`]; [`DocumentError::ContentDamaged`].
    pub fn certificate(&self, user: UserId, id: IdeaId) -> Result<Vec<u8>, DocumentError> {
        let now = self.deps.clock.now();
        let certificate = self.deps.database.read(|tx| {
            require_own_published(tx, user, id)?;
            let recorded = self.recorded(tx, EventKind::IdeaPublished, id, None, now)?;
            let recorded = recorded.ok_or(EvidenceError::NotFound)?;
            let Published {
                title,
                creator,
                document_id,
                sha256,
            } = published(tx, id, &recorded.event)?;
            let record = match tx.public_records().has_public_record(id)? {
                true => Some(self.links.record(&document_id)),
                false => None,
            };
            Ok::<_, DocumentError>(Certificate {
                vault: self.links.vault().to_string(),
                made_at: now,
                title,
                creator,
                document_id,
                published_at: recorded.event.at,
                sha256,
                place: recorded.place.clone(),
                confirmations: recorded.confirmations(),
                has_witnesses: self.has_witnesses,
                record,
                attachments: proof_of(tx, &recorded)?,
            })
        })?;
        Ok(self.writer.certificate(&certificate)?)
    }

    /// Turns the public record of an own published idea on or off.
    ///
    /// # Errors
    /// [`EvidenceError::NotFound`] and [`DocumentError::Draft`], as [`Documents::certificate`].
    pub fn set_public_record(
        &self,
        user: UserId,
        id: IdeaId,
        enabled: bool,
    ) -> Result<(), DocumentError> {
        let now = self.deps.clock.now();
        self.deps.database.write(|tx| {
            require_own_published(tx, user, id)?;
            Ok(tx
                .public_records()
                .set_public_record(id, enabled.then_some(now))?)
        })
    }

    /// Returns the public record of the idea with that document id, to anybody.
    ///
    /// # Errors
    /// [`EvidenceError::NotFound`], with the same answer for one that is off and for one that
    /// never was.
    pub fn public_record(&self, document_id: &str) -> Result<PublicRecord, DocumentError> {
        let document = DocumentId::parse(document_id).ok_or(EvidenceError::NotFound)?;
        let now = self.deps.clock.now();
        let has_stopped = self.event_log.stopped().is_some();
        self.deps.database.read(|tx| {
            let id = tx.public_records().publicly_recorded(&document)?;
            let id = id.ok_or(EvidenceError::NotFound)?;
            let idea = tx.ideas().idea(id)?.ok_or(EvidenceError::NotFound)?;
            let publication = idea.status.publication().cloned();
            let publication = publication.ok_or(EvidenceError::NotFound)?;
            let recorded = self.recorded(tx, EventKind::IdeaPublished, id, None, now)?;
            let recorded = recorded.ok_or(EvidenceError::NotFound)?;
            let sha256 = published(tx, id, &recorded.event)?.sha256;
            Ok(PublicRecord {
                publication: Publication {
                    at: recorded.event.at,
                    ..publication
                },
                sha256,
                state: state_of(has_stopped, &recorded.anchors),
                place: recorded.place,
                anchors: recorded.anchors,
                has_witnesses: self.has_witnesses,
            })
        })
    }

    /// Looks up an event, its place, and the newest checkpoint that covers it.
    fn recorded(
        &self,
        tx: &mut dyn Transaction,
        kind: EventKind,
        idea: IdeaId,
        recipient: Option<RecipientId>,
        now: Timestamp,
    ) -> Result<Option<Recorded>, DatabaseError> {
        let Some(event) = tx.evidence_log().newest_event(kind, idea, recipient)? else {
            return Ok(None);
        };
        let mut recorded = Recorded {
            event,
            place: None,
            checkpoint: None,
            anchors: Vec::new(),
        };
        let Some(place) = recorded.event.place else {
            // A waiting event counts only if a server of this vault wrote it.
            let row = recorded.event.row;
            let waiting = tx.evidence_log().unplaced_events(row - 1, 1)?;
            let mut waiting = waiting.iter();
            let is_own = waiting.any(|event| event.row == row && event.is_sealed);
            return Ok(is_own.then_some(recorded));
        };
        let newest = tx.evidence_log().newest_checkpoint(place.log)?;
        if let Some(newest) = newest.filter(|newest| place.index < newest.head.size) {
            recorded.place = Some(LogPlace {
                origin: newest.head.origin.clone(),
                index: place.index,
                size: newest.head.size,
                root: newest.head.root,
            });
            recorded.checkpoint = Some(newest);
            recorded.anchors = tx
                .anchors()
                .anchors_covering(place, now - FAILURES_REPORTED)?;
        }
        Ok(Some(recorded))
    }
}

/// Returns what proves an event, as files for a document whose holders have every disclosure of it.
fn proof_of(
    tx: &mut dyn Transaction,
    recorded: &Recorded,
) -> Result<Vec<Attachment>, DocumentError> {
    let event = &recorded.event;
    let mut files = vec![receipts::json(
        "event.json",
        "The event in the log",
        &event.body,
    )];
    for (name, body) in disclosures_of(tx, event)?.readable {
        let name = format!("disclosure-{name}.json");
        files.push(receipts::json(
            &name,
            "Facts that the event commits to",
            &body,
        ));
    }
    let (Some(place), Some(checkpoint)) = (event.place, &recorded.checkpoint) else {
        return Ok(files);
    };
    let size = checkpoint.head.size;
    let proof = TlogProof {
        index: place.index,
        hashes: LogTree::of(tx, place.log).inclusion(place.index, size)?,
        checkpoint: SignedCheckpoint::parse(checkpoint.note.as_bytes())?,
    };
    let key = StoredLogKey::newest_for(size, tx.evidence_log().log_keys(place.log)?);
    let vkey = key.map(|key| key.vkey);
    files.extend(receipts::proof_files(
        proof.to_text(),
        &checkpoint.note,
        vkey,
    ));
    Ok(files)
}

/// Returns the beginning of an id, which tells the files of one mail apart: mail programs get
/// the name of a file in one piece.
fn short(recipient: RecipientId) -> String {
    recipient.to_string().chars().take(8).collect()
}

/// Checks that the idea is the user's, and published.
fn require_own_published(
    tx: &mut dyn Transaction,
    user: UserId,
    id: IdeaId,
) -> Result<(), DocumentError> {
    let idea = ever_own_idea(tx, user, id)?;
    if idea.deleted_at.is_some() {
        return Err(EvidenceError::NotFound.into());
    }
    match idea.status.publication() {
        Some(_) => Ok(()),
        None => Err(DocumentError::Draft),
    }
}

/// The content of a publication.
struct Published {
    title: String,
    creator: String,
    document_id: String,
    sha256: Digest,
}

/// Returns what the event of a publication has on record. It goes only with the account of the
/// creator, and the tables can be changed by whoever writes to the database.
fn published(
    tx: &mut dyn Transaction,
    id: IdeaId,
    event: &StoredEvent,
) -> Result<Published, DocumentError> {
    let disclosures = disclosures_of(tx, event)?.readable;
    let mut disclosures = disclosures.iter();
    let published = disclosures.find_map(|(name, body)| match Disclosure::parse(name, body) {
        Some(Disclosure::Content(content)) => Some(Published {
            title: content.title,
            creator: content.creator,
            document_id: content.document_id?,
            sha256: content.sha256.parse().ok()?,
        }),
        _ => None,
    });
    published.ok_or(DocumentError::ContentDamaged(id))
}
