//! The log of events (`docs/evidence.md`): gives recorded events their places, and signs
//! checkpoints of them.

mod check;
mod resume;
mod signing;
mod trust;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ideavault_domain::Timestamp;
use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::{
    Event, Log, LogHead, LogId, LogSeed, Place, StoredCheckpoint, StoredLogKey, UnplacedEvent,
};
use ideavault_domain::failure::Failure;
use ideavault_domain::ports::{Database, DatabaseError, KnownCheckpoint, PortError, Transaction};
use ideavault_evidence::checkpoint::CheckpointError;
use thiserror::Error;

pub(crate) use self::check::is_damage;
pub use self::check::{CheckPhase, Checked, Difference};
pub use self::trust::Stopped;
use self::trust::{Memory, next_events, reason_to_stop, unusable_key};
use crate::deps::Deps;
use crate::log_tree::LogTree;
use crate::random;

/// Most events that get their places in one transaction.
const BATCH: i64 = 1_000;

/// The reason why the log could not be continued.
#[derive(Debug, Error)]
pub enum EventLogError {
    /// The log has stopped; see [`EventLog::resume`].
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// There is nothing to resume.
    #[error("recording has not stopped, so there is nothing to resume")]
    NotStopped,
    /// The first log has not begun.
    #[error("the log has not begun: start the server once")]
    NoLog,
    /// Another server continues the log at this moment.
    #[error("another server is working on the log: try again")]
    Busy,
    /// The event of the last new key has no place yet.
    #[error(
        "a new key was added already, and is used as soon as a running server has given its event \
         a place: start the server if none runs, and try again later if you want yet another key"
    )]
    KeyAdded,
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The log cannot be signed.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// Randomness, or the kept checkpoint failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<EventLogError> for Failure {
    fn from(error: EventLogError) -> Self {
        match error {
            EventLogError::Database(error) => error.into(),
            EventLogError::Port(error) => error.into(),
            EventLogError::Busy | EventLogError::KeyAdded => Self::Conflict(error.to_string()),
            EventLogError::Stopped(_)
            | EventLogError::NotStopped
            | EventLogError::NoLog
            | EventLogError::Checkpoint(_) => Self::Internal(Box::new(error)),
        }
    }
}

/// The outcome of continuing the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogProgress {
    /// More events may be waiting for places.
    Placed,
    /// There is nothing to do.
    Idle,
}

/// The state of the log, for the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogStatus {
    /// The current log.
    pub log: Log,
    /// Its newest signed checkpoint.
    pub checkpoint: Option<StoredCheckpoint>,
    /// Number of events without a place, at most [`BATCH`].
    pub waiting: usize,
    /// Why recording has stopped, if it has.
    pub stopped: Option<Stopped>,
}

/// The log of events.
pub struct EventLog<D> {
    deps: Deps<D>,
    known_checkpoint: Arc<dyn KnownCheckpoint>,
    /// Host of the vault's public address, which names new logs.
    host: String,
    state: Mutex<State>,
}

/// The result of this server's last check of the log.
#[derive(Default)]
struct State {
    stopped: Option<Stopped>,
    /// The state that was last signed for, if any, and one that was found to extend it.
    checked: Option<(Option<LogHead>, LogHead)>,
}

impl<D: Database> EventLog<D> {
    /// Creates the service from its dependencies. `host` names new logs.
    pub fn new(deps: Deps<D>, known_checkpoint: Arc<dyn KnownCheckpoint>, host: String) -> Self {
        Self {
            deps,
            known_checkpoint,
            host,
            state: Mutex::default(),
        }
    }

    /// Begins the first log unless there is one. Call it before anything is recorded.
    pub fn begin(&self) -> Result<(), EventLogError> {
        self.skip_numbers()?;
        if self.current()?.is_some() {
            return Ok(());
        }
        let now = self.deps.clock.now();
        let origin = LogId::FIRST.origin(&self.host);
        let key = self.new_key(LogId::FIRST, &origin, 0)?;
        self.deps.database.write(|tx| {
            let first = Event::log_started(&key.vkey, now);
            match tx.evidence_log().begin_log(&key, &origin, &first)? {
                Some(first) => place_first(tx, (LogId::FIRST, &origin), 0, &[first], now),
                // Another server was faster.
                None => Ok(()),
            }
        })
    }

    /// Returns why this server has stopped signing the log, if it has.
    #[must_use]
    pub fn stopped(&self) -> Option<Stopped> {
        self.state().stopped.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives places to events that have none, and then signs the newest checkpoint.
    /// Signing follows the commit: what is rolled back is never signed.
    ///
    /// # Errors
    /// [`EventLogError::Stopped`] when the database does not extend what this server has
    /// signed for, or has what no server of this vault has written. Nothing is placed or signed
    /// then.
    pub fn advance(&self) -> Result<LogProgress, EventLogError> {
        let was_running = self.stopped().is_none();
        let advanced = self.place_and_sign();
        if was_running && matches!(advanced, Err(EventLogError::Stopped(_))) {
            // The database may be an older copy, and serving goes on.
            self.skip_numbers()?;
        }
        advanced
    }

    fn place_and_sign(&self) -> Result<LogProgress, EventLogError> {
        self.continuable_log()?;
        let placed = self.place()?;
        self.sign()?;
        Ok(if placed == BATCH {
            LogProgress::Placed
        } else {
            LogProgress::Idle
        })
    }

    fn current(&self) -> Result<Option<Log>, EventLogError> {
        let database = &self.deps.database;
        Ok(database.read_one(|tx| tx.evidence_log().current_log())?)
    }

    /// Returns the current log.
    ///
    /// # Errors
    /// [`EventLogError::Stopped`] unless it extends the state that this server has last signed
    /// for, and can be signed.
    fn continuable_log(&self) -> Result<Log, EventLogError> {
        // Before the log is read, which has at least what was signed for then: another server
        // may go on meanwhile.
        let memory = self.memory()?;
        let log = self.current()?.ok_or(EventLogError::NoLog)?;
        self.require_continuation(&memory, &log)?;
        Ok(log)
    }

    fn require_continuation(&self, memory: &Memory, log: &Log) -> Result<(), EventLogError> {
        let signed = memory.signed().map(|signed| signed.head.clone());
        let checked = (signed, log.head.clone());
        if !matches!(memory, Memory::Damaged) && self.state().checked.as_ref() == Some(&checked) {
            return Ok(());
        }
        match reason_to_stop(self.deps.database.as_ref(), memory, log)? {
            Some(reason) => Err(self.stop(reason)),
            None => {
                *self.state() = State {
                    stopped: None,
                    checked: Some(checked),
                };
                Ok(())
            }
        }
    }

    /// Remembers why recording has stopped. The next call looks whether that was mended.
    fn stop(&self, reason: Stopped) -> EventLogError {
        *self.state() = State {
            stopped: Some(reason.clone()),
            checked: None,
        };
        reason.into()
    }

    /// Gives places to up to [`BATCH`] events; returns how many.
    fn place(&self) -> Result<i64, EventLogError> {
        // Most calls end here, without a write.
        let waiting = self
            .deps
            .database
            .read_one(|tx| tx.evidence_log().unplaced_events(0, 1))?;
        if waiting.is_empty() {
            return Ok(0);
        }
        let now = self.deps.clock.now();
        let placed = self.deps.database.write(|tx| {
            if !tx.evidence_log().try_lock_places()? {
                return Ok(0);
            }
            let log = tx.evidence_log().current_log()?;
            let log = log.ok_or(EventLogError::NoLog)?;
            let events = next_events(tx, &log)?;
            place_all(tx, &log, log.head.size, &events, now)?;
            Ok(i64::try_from(events.len()).unwrap_or(BATCH))
        });
        match placed {
            Err(EventLogError::Stopped(reason)) => Err(self.stop(reason)),
            placed => placed,
        }
    }

    /// Signs the newest checkpoint, and keeps it outside the database before it is
    /// published. Keeps one that another server has signed, too.
    fn sign(&self) -> Result<(), EventLogError> {
        // Before the log is read; see `continuable_log`.
        let memory = self.memory()?;
        let (log, newest) = self.deps.database.read(|tx| {
            let log = tx.evidence_log().current_log()?;
            let log = log.ok_or(EventLogError::NoLog)?;
            let newest = tx.evidence_log().newest_checkpoint(log.id)?;
            Ok::<_, EventLogError>((log, newest))
        })?;
        let newest = newest.filter(|newest| newest.head == log.head);
        let is_known = memory
            .signed()
            .is_some_and(|signed| signed.head == log.head);
        if newest.is_some() && is_known {
            return Ok(());
        }
        self.require_continuation(&memory, &log)?;
        match newest {
            Some(newest) => self.keep(&newest.note),
            None => self.sign_head(&log),
        }
    }

    /// Signs the state of the log, whatever this server has signed before.
    fn sign_head(&self, log: &Log) -> Result<(), EventLogError> {
        let database = &self.deps.database;
        let mut keys = database.read_one(|tx| tx.evidence_log().log_keys(log.id))?;
        keys.retain(|key| key.from_size < log.head.size);
        if let Some(reason) = unusable_key(&log.head.origin, &keys)? {
            return Err(self.stop(reason));
        }
        let note = signing::sign(&log.head, &keys)?;
        let note = note.ok_or_else(|| Stopped::NoKey {
            origin: log.head.origin.clone(),
        })?;
        self.keep(&note)?;
        database.write(|tx| {
            tx.evidence_log()
                .sign_checkpoint(log.id, log.head.size, &note)
        })?;
        Ok(())
    }

    /// Keeps a signed checkpoint outside of the database, with the newest number of an idea.
    fn keep(&self, note: &str) -> Result<(), EventLogError> {
        let database = &self.deps.database;
        let newest = database.read_one(|tx| tx.evidence_log().newest_idea())?;
        if newest > self.known_checkpoint.newest_idea()?
            && let Some(newest) = newest
        {
            self.known_checkpoint.store_newest_idea(newest)?;
        }
        Ok(self.known_checkpoint.store(note)?)
    }

    /// Sees to it that no idea gets a number that was given, even if the database is an older
    /// copy: people hold agreements that name it.
    fn skip_numbers(&self) -> Result<(), EventLogError> {
        if let Some(newest) = self.known_checkpoint.newest_idea()? {
            let database = &self.deps.database;
            database.write(|tx| tx.evidence_log().skip_idea_numbers(newest))?;
        }
        Ok(())
    }

    /// Returns the state of the log.
    pub fn status(&self) -> Result<LogStatus, EventLogError> {
        let (log, stopped) = self.current_and_reason_to_stop()?;
        let (checkpoint, waiting) = self.deps.database.read(|tx| {
            let checkpoint = tx.evidence_log().newest_checkpoint(log.id)?;
            let waiting = tx.evidence_log().unplaced_events(0, BATCH)?.len();
            Ok::<_, EventLogError>((checkpoint, waiting))
        })?;
        Ok(LogStatus {
            checkpoint,
            waiting,
            stopped,
            log,
        })
    }

    /// Returns the current log, and why recording has stopped, if it has. A server may go on
    /// meanwhile.
    fn current_and_reason_to_stop(&self) -> Result<(Log, Option<Stopped>), EventLogError> {
        // Before the log is read; see `continuable_log`.
        let memory = self.memory()?;
        let log = self.current()?.ok_or(EventLogError::NoLog)?;
        let stopped = reason_to_stop(self.deps.database.as_ref(), &memory, &log)?;
        Ok((log, stopped))
    }

    /// Returns the public keys of the current log, the newest last.
    ///
    /// # Errors
    /// [`EventLogError`], also when one of them is not that of its secret part: anybody who writes
    /// to the database could have put it there.
    pub fn keys(&self) -> Result<Vec<String>, EventLogError> {
        let log = self.current()?.ok_or(EventLogError::NoLog)?;
        let database = &self.deps.database;
        let keys = database.read_one(|tx| tx.evidence_log().log_keys(log.id))?;
        match unusable_key(&log.head.origin, &keys)? {
            Some(reason) => Err(reason.into()),
            None => Ok(keys.into_iter().map(|key| key.vkey).collect()),
        }
    }

    /// Adds a key, with which the log is signed from the next checkpoint on. Returns its
    /// `vkey`.
    ///
    /// # Errors
    /// [`EventLogError::Busy`] and [`EventLogError::KeyAdded`], or another [`EventLogError`].
    pub fn rotate_key(&self) -> Result<String, EventLogError> {
        self.continuable_log()?;
        let now = self.deps.clock.now();
        self.deps.database.write(|tx| {
            if !tx.evidence_log().try_lock_places()? {
                return Err(EventLogError::Busy);
            }
            let log = tx.evidence_log().current_log()?;
            let log = log.ok_or(EventLogError::NoLog)?;
            let keys = tx.evidence_log().log_keys(log.id)?;
            if keys.iter().any(|key| key.from_size == log.head.size) {
                return Err(EventLogError::KeyAdded);
            }
            // The event of the key has to get its place before the next checkpoint, which the
            // key signs.
            if i64::try_from(tx.evidence_log().unplaced_events(0, BATCH)?.len()) == Ok(BATCH) {
                return Err(EventLogError::Busy);
            }
            let key = self.new_key(log.id, &log.head.origin, log.head.size)?;
            tx.evidence_log().add_log_key(&key)?;
            let rotated = Event::key_rotated(&key.vkey, now);
            tx.evidence_log().append_event(&rotated)?;
            Ok(key.vkey)
        })
    }

    fn new_key(
        &self,
        log: LogId,
        origin: &str,
        from_size: u64,
    ) -> Result<StoredLogKey, EventLogError> {
        let seed = LogSeed::from_random(random::bytes(self.deps.random.as_ref())?);
        Ok(StoredLogKey {
            log,
            from_size,
            vkey: signing::vkey(origin, &seed)?,
            seed: Some(seed),
        })
    }
}

/// Gives places to events, and adds the checkpoint after that of the size `previous`.
fn place_all(
    tx: &mut dyn Transaction,
    log: &Log,
    previous: u64,
    events: &[UnplacedEvent],
    now: Timestamp,
) -> Result<(), EventLogError> {
    if events.is_empty() {
        return Ok(());
    }
    let leaves: Vec<Digest> = events.iter().map(|event| event.digest).collect();
    let rows: Vec<i64> = events.iter().map(|event| event.row).collect();
    let (nodes, head) = LogTree::of(tx, log.id).append(&log.head, &leaves)?;
    let first = Place {
        log: log.id,
        index: log.head.size,
    };
    tx.evidence_log().place_events(first, &rows)?;
    tx.evidence_log().add_nodes(log.id, &nodes)?;
    Ok(tx
        .evidence_log()
        .add_checkpoint(log.id, &head, previous, now)?)
}

/// Gives places to the first events of a log, whose tree is empty. `previous` is the size of the
/// last checkpoint of the log before.
fn place_first(
    tx: &mut dyn Transaction,
    (id, origin): (LogId, &str),
    previous: u64,
    events: &[UnplacedEvent],
    now: Timestamp,
) -> Result<(), EventLogError> {
    let head = LogHead {
        origin: origin.to_owned(),
        size: 0,
        root: Digest::of(b""),
    };
    place_all(tx, &Log { id, head }, previous, events, now)
}
