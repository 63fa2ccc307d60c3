//! Anchoring: outsiders confirm that a signed checkpoint of the log existed
//! (docs/rules.md#anchors).
//!
//! Invariant: no transaction is open during an exchange, and no service waits for another
//! longer than one exchange takes.

use std::error::Error;
use std::io;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use chrono::Duration;
use ideavault_domain::Timestamp;
use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::{
    ANCHOR_LEASE, Anchor, AnchorKind, AnchorService, AnchorState, CLOCK_SLACK, LogHead,
    StoredCheckpoint,
};
use ideavault_domain::failure::Failure;
use ideavault_domain::ports::{
    AnchorError, BlockChain, BlockProof, Calendar, Cosignature, Database, DatabaseError, PortError,
    TimeAuthority, Transaction, Witness, WitnessAnswer,
};
use thiserror::Error;

use crate::deps::Deps;
use crate::log_tree::LogTree;
use crate::random;

/// How long an outsider is shown as failing that no server asks any more.
pub(crate) const FAILURES_REPORTED: Duration = Duration::days(1);

/// The reason why anchors could not be worked on. What an outsider does wrong is none.
#[derive(Debug, Error)]
pub enum AnchoringError {
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Randomness failed.
    #[error(transparent)]
    Port(#[from] PortError),
    /// An anchor's checkpoint is absent.
    #[error("the checkpoint of an anchor is gone")]
    NoCheckpoint,
    /// No thread could be started.
    #[error("cannot start a thread")]
    Thread(#[from] io::Error),
    /// A thread ended early.
    #[error("an exchange was interrupted")]
    Interrupted,
}

impl From<AnchoringError> for Failure {
    fn from(error: AnchoringError) -> Self {
        match error {
            AnchoringError::Database(error) => error.into(),
            AnchoringError::Port(error) => error.into(),
            AnchoringError::NoCheckpoint
            | AnchoringError::Thread(_)
            | AnchoringError::Interrupted => Self::Internal(Box::new(error)),
        }
    }
}

/// An outsider of the configuration.
#[derive(Clone)]
pub enum Outsider {
    /// A time-stamping authority.
    Authority(Arc<dyn TimeAuthority>),
    /// A calendar of OpenTimestamps.
    Calendar(Arc<dyn Calendar>),
    /// A witness of the log.
    Witness(Arc<dyn Witness>),
}

impl Outsider {
    /// Returns its kind and its name.
    #[must_use]
    pub fn service(&self) -> AnchorService {
        let (kind, name) = match self {
            Self::Authority(authority) => (AnchorKind::Tsa, authority.name()),
            Self::Calendar(calendar) => (AnchorKind::Ots, calendar.name()),
            Self::Witness(witness) => (AnchorKind::Witness, witness.name()),
        };
        AnchorService {
            kind,
            name: name.to_owned(),
        }
    }
}

/// The outcome of an exchange.
#[derive(Debug)]
pub struct Exchange {
    /// The anchor as it was stored.
    pub anchor: Anchor,
    /// Why the exchange failed, if it did.
    pub failure: Option<AnchorError>,
}

/// Asks outsiders to confirm checkpoints.
pub struct Anchoring<D> {
    deps: Deps<D>,
    outsiders: Vec<Outsider>,
    blocks: Option<Arc<dyn BlockChain>>,
    /// Whether blocks of earlier runs, which nobody has checked, are due.
    has_queued: AtomicBool,
}

impl<D: Database> Anchoring<D> {
    /// Creates the service. Nobody else than `outsiders` and `blocks` is asked. Without
    /// `blocks`, what calendars say of blocks is not checked.
    pub fn new(
        deps: Deps<D>,
        outsiders: Vec<Outsider>,
        blocks: Option<Arc<dyn BlockChain>>,
    ) -> Self {
        Self {
            deps,
            outsiders,
            blocks,
            has_queued: AtomicBool::new(false),
        }
    }

    /// Has one exchange with each outsider where one is due, all at the same time. Returns
    /// what they led to: nothing when none was due.
    ///
    /// # Errors
    /// [`AnchoringError`]; the other exchanges took place.
    pub fn advance(&self) -> Result<Vec<Exchange>, AnchoringError> {
        self.queue_unchecked()?;
        let due = self.due()?;
        thread::scope(|scope| {
            let running: Vec<_> = due
                .into_iter()
                .map(|outsider| {
                    let work = || self.serve(outsider);
                    thread::Builder::new().spawn_scoped(scope, work)
                })
                .collect();
            let mut exchanges = Vec::new();
            let mut failure = None;
            for thread in running {
                let served = match thread {
                    Ok(thread) => thread.join().unwrap_or(Err(AnchoringError::Interrupted)),
                    Err(error) => Err(error.into()),
                };
                match served {
                    Ok(exchange) => exchanges.extend(exchange),
                    Err(error) => failure = Some(error),
                }
            }
            match failure {
                Some(error) => Err(error),
                None => Ok(exchanges),
            }
        })
    }

    /// Once, makes the blocks due that were reported before this server had a node to ask.
    fn queue_unchecked(&self) -> Result<(), AnchoringError> {
        if self.blocks.is_none() || self.has_queued.load(Ordering::Relaxed) {
            return Ok(());
        }
        let now = self.deps.clock.now();
        self.deps.database.write(|tx| {
            for outsider in &self.outsiders {
                if let Outsider::Calendar(_) = outsider {
                    tx.anchors().queue_unchecked(&outsider.service(), now)?;
                }
            }
            Ok::<_, AnchoringError>(())
        })?;
        self.has_queued.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Returns the outsiders with whom an exchange is due. Most calls end here.
    fn due(&self) -> Result<Vec<&Outsider>, AnchoringError> {
        if self.outsiders.is_empty() {
            return Ok(Vec::new());
        }
        let now = self.deps.clock.now();
        self.deps.database.read(|tx| {
            let newest = newest_signed(tx)?;
            let mut due = Vec::new();
            for outsider in &self.outsiders {
                let service = outsider.service();
                if tx.anchors().anchor_is_due(&service, now)?
                    || missing(tx, newest.as_ref(), &service, now)?.is_some()
                {
                    due.push(outsider);
                }
            }
            Ok(due)
        })
    }

    /// Has an exchange, unless another server has it.
    fn serve(&self, outsider: &Outsider) -> Result<Option<Exchange>, AnchoringError> {
        let service = outsider.service();
        let now = self.deps.clock.now();
        let claimed = self.deps.database.write(|tx| {
            let newest = newest_signed(tx)?;
            if let Some(anchor) = missing(tx, newest.as_ref(), &service, now)? {
                tx.anchors().add_anchor(&anchor)?;
            }
            let claimed = tx
                .anchors()
                .claim_anchor(&service, now, now + ANCHOR_LEASE)?;
            let Some(anchor) = claimed else {
                return Ok(None);
            };
            let checkpoint = tx
                .evidence_log()
                .first_checkpoint_of_at_least(anchor.log, anchor.size)?
                .filter(|found| found.head.size == anchor.size)
                .ok_or(AnchoringError::NoCheckpoint)?;
            Ok::<_, AnchoringError>(Some((anchor, checkpoint)))
        })?;
        let Some((mut anchor, checkpoint)) = claimed else {
            return Ok(None);
        };
        let attempts = anchor.attempts;
        let outcome = self.exchange(outsider, &mut anchor, &checkpoint)?;
        let failure = outcome.err();
        let now = self.deps.clock.now();
        if let Some(error) = &failure {
            let refused = matches!(error, AnchorError::Refused(_));
            let [jitter] = random::bytes(self.deps.random.as_ref())?;
            anchor.fail(refused, &reasons(error), now, jitter);
        }
        let released = self
            .deps
            .database
            .write(|tx| tx.anchors().release_anchor(&anchor, attempts))?;
        Ok(released.then_some(Exchange { anchor, failure }))
    }

    /// Asks, and records what is confirmed.
    fn exchange(
        &self,
        outsider: &Outsider,
        anchor: &mut Anchor,
        checkpoint: &StoredCheckpoint,
    ) -> Result<Result<(), AnchorError>, AnchoringError> {
        let note = checkpoint.note.as_bytes();
        let latest = self.deps.clock.now() + CLOCK_SLACK;
        let window = checkpoint.made_at - CLOCK_SLACK..=latest;
        Ok(match outsider {
            Outsider::Authority(authority) => {
                let nonce = random::bytes(self.deps.random.as_ref())?;
                authority.stamp(note, nonce, &window).map(|stamp| {
                    anchor.confirm_time(stamp.response, stamp.chain, stamp.time);
                })
            }
            Outsider::Calendar(calendar) => {
                let digest = calendar_digest(&checkpoint.head, note);
                self.ask_calendar(calendar.as_ref(), anchor, &digest)
            }
            Outsider::Witness(witness) => {
                let signing = self.ask_witness(witness.as_ref(), anchor, note, &window)?;
                signing.map(|signed| anchor.confirm_cosignature(signed.line, signed.time))
            }
        })
    }

    /// Sends the checkpoint with the proof that it extends what the witness has signed last,
    /// and once more if it has seen the log with another size.
    fn ask_witness(
        &self,
        witness: &dyn Witness,
        anchor: &Anchor,
        note: &[u8],
        window: &RangeInclusive<Timestamp>,
    ) -> Result<Result<Cosignature, AnchorError>, AnchoringError> {
        let (log, size) = (anchor.log, anchor.size);
        let database = &self.deps.database;
        let mut old = database.read(|tx| tx.anchors().confirmed_size(&anchor.service, log))?;
        for _ in 0..2 {
            let proof = database.read(|tx| LogTree::of(tx, log).consistency(old, size))?;
            match witness.cosign(old, &proof, note, window) {
                Ok(WitnessAnswer::Cosigned(signed)) => return Ok(Ok(signed)),
                Ok(WitnessAnswer::Seen(seen)) if seen <= size => old = seen,
                Ok(WitnessAnswer::Seen(_)) => return Ok(refused(NotCosigned::Longer)),
                Err(error) => return Ok(Err(error)),
            }
        }
        Ok(refused(NotCosigned::Changing))
    }

    fn ask_calendar(
        &self,
        calendar: &dyn Calendar,
        anchor: &mut Anchor,
        digest: &Digest,
    ) -> Result<(), AnchorError> {
        let known = anchor.artefact.clone();
        let Some(proof) = known.filter(|_| anchor.state == AnchorState::Pending) else {
            let proof = calendar.submit(digest)?;
            anchor.promise(proof, self.deps.clock.now());
            return Ok(());
        };
        let found = match anchor.block {
            Some(block) => BlockProof { proof, block },
            None => match calendar.upgrade(digest, &proof)? {
                Some(found) => found,
                None => {
                    anchor.still_pending(self.deps.clock.now());
                    return Ok(());
                }
            },
        };
        self.check_block(anchor, digest, found)
    }

    /// Compares what a calendar says of a block with the block. What proves nothing leaves the
    /// calendar's promise in place, so that it is asked again.
    fn check_block(
        &self,
        anchor: &mut Anchor,
        digest: &Digest,
        found: BlockProof,
    ) -> Result<(), AnchorError> {
        let BlockProof { proof, block } = found;
        let Some(blocks) = &self.blocks else {
            anchor.report_block(proof, block, None);
            return Ok(());
        };
        match blocks.confirm(digest, &proof) {
            Ok(confirmed) => {
                anchor.confirm_block(proof, confirmed.block, confirmed.time);
                Ok(())
            }
            Err(error @ AnchorError::Unavailable(_)) => {
                anchor.report_block(proof, block, Some(self.deps.clock.now()));
                Err(error)
            }
            Err(error @ AnchorError::Refused(_)) => Err(error),
        }
    }
}

/// Why a witness signed nothing.
#[derive(Clone, Copy, Debug, Error)]
enum NotCosigned {
    /// It has seen more events.
    #[error(
        "the witness has seen a longer log of this name: the database was restored from a \
         backup, or there are two"
    )]
    Longer,
    /// It names another size at each exchange.
    #[error("the witness wants another proof each time")]
    Changing,
}

fn refused<T>(reason: NotCosigned) -> Result<T, AnchorError> {
    Err(AnchorError::Refused(reason.into()))
}

/// Returns the digest that calendars are sent for a checkpoint: the SHA-256 of its root and
/// of the SHA-256 of its note. So the proof of an event leads there through the tree, and
/// one submission serves all.
fn calendar_digest(head: &LogHead, note: &[u8]) -> Digest {
    let note = Digest::of(note);
    Digest::of(&[head.root.as_bytes().as_slice(), note.as_bytes()].concat())
}

fn newest_signed(tx: &mut dyn Transaction) -> Result<Option<StoredCheckpoint>, DatabaseError> {
    match tx.evidence_log().current_log()? {
        Some(log) => tx.evidence_log().newest_checkpoint(log.id),
        None => Ok(None),
    }
}

/// Returns the anchor that a service lacks: one of the newest checkpoint, if that covers
/// events that no earlier one at that service does.
fn missing(
    tx: &mut dyn Transaction,
    newest: Option<&StoredCheckpoint>,
    service: &AnchorService,
    now: Timestamp,
) -> Result<Option<Anchor>, DatabaseError> {
    let Some(checkpoint) = newest else {
        return Ok(None);
    };
    let (log, size) = (checkpoint.log, checkpoint.head.size);
    let last = tx.anchors().newest_anchor(service)?;
    let is_missing =
        last.is_none_or(|last| (last.log, last.size) < (log, size) && last.makes_room(now));
    Ok(is_missing.then(|| Anchor::queued(log, size, service.clone(), now)))
}

/// Returns the texts of an error and its causes.
fn reasons(error: &AnchorError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
