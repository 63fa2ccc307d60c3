//! Whether the log can be continued: what the database says is believed only where a key shows
//! that a server of this vault wrote it.

use ideavault_domain::evidence::{
    Log, LogHead, LogId, StoredCheckpoint, StoredLogKey, UnplacedEvent,
};
use ideavault_domain::ports::{Database, DatabaseError, Transaction};
use thiserror::Error;

use super::{BATCH, EventLog, EventLogError, is_damage, signing};
use crate::log_tree::LogTree;

/// The reason why this server no longer signs the log.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Stopped {
    /// The database has fewer events than were signed for: it was restored from a backup.
    #[error(
        "the database has only {found} of the {signed} events that this server has signed for: \
         an older copy of it was restored"
    )]
    Shorter {
        /// Number of events that were signed for.
        signed: u64,
        /// Number of events in the log now.
        found: u64,
    },
    /// The events that were signed for have changed.
    #[error("the first {size} events are not those that this server has signed for")]
    Forked {
        /// Number of events that were signed for.
        size: u64,
    },
    /// The log that was signed for is not in this database.
    #[error("this server has signed for the log {origin}, which this database does not have")]
    OtherLog {
        /// Origin of the log that was signed for.
        origin: String,
    },
    /// The log cannot be signed.
    #[error(
        "the secret part of the key {vkey}, which signs the log, is damaged in the database: \
         restore the database from a backup, or begin a new log"
    )]
    KeyDamaged {
        /// The public part of the key.
        vkey: String,
    },
    /// The log has no key at all.
    #[error("the database has no key that signs the log {origin}")]
    NoKey {
        /// Origin of the log.
        origin: String,
    },
    /// The memory of what was signed for is lost.
    #[error(
        "the file log-checkpoint in the data folder, which says what this server has signed for, \
         is empty or damaged"
    )]
    FileDamaged,
    /// Somebody else wrote a checkpoint into the database.
    #[error("no server of this vault has written the checkpoint of {size} events in the database")]
    ForeignCheckpoint {
        /// Number of events that it says it covers.
        size: u64,
    },
    /// Somebody else wrote an event into the database, or changed one.
    #[error(
        "event {row}, which waits for its place in the log, is not as a server of this vault has \
         written it"
    )]
    ForeignEvent {
        /// Its row.
        row: i64,
    },
}

/// The last checkpoint that a server signed.
pub(super) struct SignedState {
    pub(super) head: LogHead,
    pub(super) note: String,
}

/// The memory of this server outside of the database.
pub(super) enum Memory {
    /// It has signed nothing.
    Empty,
    /// It can no longer tell.
    Damaged,
    /// The newest checkpoint.
    Signed(SignedState),
}

impl Memory {
    pub(super) fn signed(&self) -> Option<&SignedState> {
        match self {
            Self::Signed(signed) => Some(signed),
            Self::Empty | Self::Damaged => None,
        }
    }
}

impl<D: Database> EventLog<D> {
    /// Returns what this server has last signed.
    pub(super) fn memory(&self) -> Result<Memory, EventLogError> {
        let Some(note) = self.known_checkpoint.load()? else {
            return Ok(Memory::Empty);
        };
        Ok(match signing::head_of(&note) {
            Ok(head) => Memory::Signed(SignedState { head, note }),
            Err(_) => Memory::Damaged,
        })
    }
}

/// Returns why the log cannot be continued after what this server remembers, if it cannot.
pub(super) fn reason_to_stop(
    database: &impl Database,
    memory: &Memory,
    log: &Log,
) -> Result<Option<Stopped>, EventLogError> {
    database.read(|tx| {
        let keys = tx.evidence_log().log_keys(log.id)?;
        if let Some(reason) = unusable_key(&log.head.origin, &keys)? {
            return Ok(Some(reason));
        }
        let reason = match memory {
            Memory::Damaged => Some(Stopped::FileDamaged),
            Memory::Signed(signed) => broken_continuation(tx, &signed.head, log)?,
            Memory::Empty => None,
        };
        if reason.is_some() {
            return Ok(reason);
        }
        let size = log.head.size;
        if !is_own_checkpoint(tx, log, &keys)? {
            return Ok(Some(Stopped::ForeignCheckpoint { size }));
        }
        // Whoever remembers nothing has nothing else to compare the tree with.
        if !has_tree_of(tx, log.id, &log.head)? {
            return Ok(Some(Stopped::Forked { size }));
        }
        match next_events(tx, log) {
            Ok(_) => Ok(None),
            Err(EventLogError::Stopped(reason)) => Ok(Some(reason)),
            Err(error) => Err(error),
        }
    })
}

/// Returns why the log does not extend what this server has signed for.
fn broken_continuation(
    tx: &mut dyn Transaction,
    signed: &LogHead,
    log: &Log,
) -> Result<Option<Stopped>, EventLogError> {
    let found = &log.head;
    if signed.origin != found.origin {
        // Another server may have begun the newest log.
        return Ok(
            (!was_continued(tx, &signed.origin, log.id)?).then(|| Stopped::OtherLog {
                origin: signed.origin.clone(),
            }),
        );
    }
    if found.size < signed.size {
        return Ok(Some(Stopped::Shorter {
            signed: signed.size,
            found: found.size,
        }));
    }
    let is_extended = has_tree_of(tx, log.id, signed)?;
    Ok((!is_extended).then_some(Stopped::Forked { size: signed.size }))
}

/// Returns whether the stored tree is that of a state of the log.
fn has_tree_of(
    tx: &mut dyn Transaction,
    log: LogId,
    head: &LogHead,
) -> Result<bool, EventLogError> {
    match LogTree::of(tx, log).root(head.size) {
        Ok(root) => Ok(root == head.root),
        Err(error) if is_damage(&error) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Returns why the log cannot be signed, if a key is not that of its secret part.
pub(super) fn unusable_key(
    origin: &str,
    keys: &[StoredLogKey],
) -> Result<Option<Stopped>, EventLogError> {
    for key in keys {
        let is_own = match &key.seed {
            Some(seed) => signing::vkey(origin, seed)? == key.vkey,
            None => false,
        };
        if !is_own {
            return Ok(Some(Stopped::KeyDamaged {
                vkey: key.vkey.clone(),
            }));
        }
    }
    Ok(keys.is_empty().then(|| Stopped::NoKey {
        origin: origin.to_owned(),
    }))
}

/// Returns whether a server of this vault has written the newest checkpoint: it is signed
/// with all keys, or waits for that and is sealed.
fn is_own_checkpoint(
    tx: &mut dyn Transaction,
    log: &Log,
    keys: &[StoredLogKey],
) -> Result<bool, EventLogError> {
    let newest = tx.evidence_log().newest_checkpoint(log.id)?;
    if let Some(newest) = newest.filter(|newest| newest.head.size == log.head.size) {
        return Ok(newest.head == log.head && is_signed(&newest, keys));
    }
    let stored = tx
        .evidence_log()
        .chained_checkpoints(log.id, log.head.size, 1)?;
    let stored = stored.first();
    Ok(stored.is_some_and(|stored| stored.is_sealed && stored.head == log.head))
}

/// Returns whether a checkpoint is signed with the keys of its log.
pub(super) fn is_signed(checkpoint: &StoredCheckpoint, keys: &[StoredLogKey]) -> bool {
    let size = checkpoint.head.size;
    let signing: Vec<_> = keys
        .iter()
        .filter(|key| key.from_size < size)
        .cloned()
        .collect();
    // Ed25519 signatures of the same text are the same.
    let expected = signing::sign(&checkpoint.head, &signing);
    expected.is_ok_and(|note| note.as_ref() == Some(&checkpoint.note))
}

/// Returns the newest checkpoint of a log that one of its servers has signed. Where the keys
/// are damaged, its seal has to do.
pub(super) fn newest_own_checkpoint(
    tx: &mut dyn Transaction,
    log: LogId,
    origin: &str,
) -> Result<Option<StoredCheckpoint>, EventLogError> {
    let keys = tx.evidence_log().log_keys(log)?;
    let has_keys = unusable_key(origin, &keys)?.is_none();
    let mut newest = tx.evidence_log().newest_checkpoint(log)?;
    while let Some(checkpoint) = newest {
        let size = checkpoint.head.size;
        let is_own = if has_keys {
            is_signed(&checkpoint, &keys)
        } else {
            let stored = tx.evidence_log().chained_checkpoints(log, size, 1)?;
            let mut stored = stored.iter();
            stored.any(|stored| stored.is_sealed && stored.head == checkpoint.head)
        };
        if is_own {
            return Ok(Some(checkpoint));
        }
        newest = tx.evidence_log().signed_checkpoint_before(log, size)?;
    }
    Ok(None)
}

/// Returns the next events that wait for places, at most [`BATCH`].
///
/// # Errors
/// [`Stopped::ForeignEvent`]. Those from before the log began have stopped an earlier one, and
/// are left without a place.
pub(super) fn next_events(
    tx: &mut dyn Transaction,
    log: &Log,
) -> Result<Vec<UnplacedEvent>, EventLogError> {
    let mut after = 0;
    loop {
        let waiting = tx.evidence_log().unplaced_events(after, BATCH)?;
        let Some(last) = waiting.last() else {
            return Ok(waiting);
        };
        after = last.row;
        let (own, foreign): (Vec<_>, Vec<_>) =
            waiting.into_iter().partition(|event| event.is_sealed);
        if !foreign.is_empty() {
            let began = tx.evidence_log().events_about_log(log.id)?;
            let began = began.first().map_or(0, |first| first.row);
            if let Some(event) = foreign.iter().find(|event| event.row > began) {
                return Err(Stopped::ForeignEvent { row: event.row }.into());
            }
        }
        if !own.is_empty() {
            return Ok(own);
        }
    }
}

/// Returns whether the log with that origin is one before the current log, or one that the current
/// log or one before it replaced. Otherwise the database is a copy from before that log began,
/// whatever rows it still has of it.
pub(super) fn was_continued(
    tx: &mut dyn Transaction,
    origin: &str,
    current: LogId,
) -> Result<bool, DatabaseError> {
    for (log, known) in tx.evidence_log().log_origins()? {
        let is_before = log < current && known == origin;
        if is_before || log <= current && began_after(tx, log, origin)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns whether the first event of a log names the log with that origin as one that it continues.
fn began_after(tx: &mut dyn Transaction, log: LogId, origin: &str) -> Result<bool, DatabaseError> {
    let about_log = tx.evidence_log().events_about_log(log)?;
    let first = about_log.first();
    Ok(first.is_some_and(|first| {
        let is_first = first.place.is_some_and(|place| place.index == 0);
        is_first && first.continues(origin)
    }))
}
