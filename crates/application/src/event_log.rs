//! The log of events (`docs/evidence.md`): gives recorded events their places, and signs
//! checkpoints of them.

mod check;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ideavault_domain::Timestamp;
use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::{
    Event, Log, LogHead, LogId, LogSeed, Place, StoredCheckpoint, StoredLogKey, UnplacedEvent,
};
use ideavault_domain::failure::Failure;
use ideavault_domain::ports::{
    Appended, CheckpointSigner, Database, DatabaseError, KnownCheckpoint, LogTree, PortError,
    Transaction,
};
use thiserror::Error;

pub use self::check::{CheckPhase, Checked, Difference};
use crate::deps::Deps;
use crate::random;

/// Most events that get their places in one transaction.
const BATCH: i64 = 1_000;

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
}

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
    /// Signing, randomness, or the kept checkpoint failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<EventLogError> for Failure {
    fn from(error: EventLogError) -> Self {
        match error {
            EventLogError::Database(error) => error.into(),
            EventLogError::Port(error) => error.into(),
            EventLogError::Busy | EventLogError::KeyAdded => Self::Conflict(error.to_string()),
            EventLogError::Stopped(_) | EventLogError::NotStopped | EventLogError::NoLog => {
                Self::Internal(Box::new(error))
            }
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
    tree: Arc<dyn LogTree>,
    signer: Arc<dyn CheckpointSigner>,
    known_checkpoint: Arc<dyn KnownCheckpoint>,
    /// Host of the vault's public address, which names new logs.
    host: String,
    state: Mutex<State>,
}

/// What a server has last signed.
struct SignedState {
    head: LogHead,
    note: String,
}

/// The result of this server's last check of the log.
#[derive(Default)]
struct State {
    stopped: Option<Stopped>,
    /// The state that was last signed for, and one that was found to extend it.
    checked: Option<(LogHead, LogHead)>,
}

impl<D: Database> EventLog<D> {
    /// Creates the service from its dependencies. `host` names new logs.
    pub fn new(
        deps: Deps<D>,
        tree: Arc<dyn LogTree>,
        signer: Arc<dyn CheckpointSigner>,
        known_checkpoint: Arc<dyn KnownCheckpoint>,
        host: String,
    ) -> Self {
        Self {
            deps,
            tree,
            signer,
            known_checkpoint,
            host,
            state: Mutex::default(),
        }
    }

    /// Begins the first log unless there is one. Call it before anything is recorded.
    ///
    /// # Errors
    /// [`EventLogError`].
    pub fn begin(&self) -> Result<(), EventLogError> {
        if self.current()?.is_some() {
            return Ok(());
        }
        let now = self.deps.clock.now();
        let origin = LogId::FIRST.origin(&self.host);
        let key = self.new_key(LogId::FIRST, &origin, 0)?;
        self.deps.database.write(|tx| {
            let first = Event::log_started(&key.vkey, now);
            match tx.evidence_log().begin_log(&key, &origin, &first)? {
                Some(first) => self.place_first(tx, LogId::FIRST, &origin, &[first], now),
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
    /// signed for. Nothing is placed or signed then.
    pub fn advance(&self) -> Result<LogProgress, EventLogError> {
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
        let last_signed = self.last_signed()?;
        let log = self.current()?.ok_or(EventLogError::NoLog)?;
        self.require_continuation(last_signed.as_ref(), &log)?;
        Ok(log)
    }

    fn require_continuation(
        &self,
        last_signed: Option<&SignedState>,
        log: &Log,
    ) -> Result<(), EventLogError> {
        let Some(SignedState { head, .. }) = last_signed else {
            return Ok(());
        };
        let checked = (head.clone(), log.head.clone());
        if self.state().checked.as_ref() == Some(&checked) {
            return Ok(());
        }
        let stopped = self.reason_to_stop(head, log)?;
        let mut state = self.state();
        state.stopped.clone_from(&stopped);
        match stopped {
            Some(reason) => Err(reason.into()),
            None => {
                state.checked = Some(checked);
                Ok(())
            }
        }
    }

    /// Returns why the log cannot be continued after this server has signed for `signed`, if it
    /// cannot.
    fn reason_to_stop(
        &self,
        signed: &LogHead,
        log: &Log,
    ) -> Result<Option<Stopped>, EventLogError> {
        let found = &log.head;
        self.deps.database.read(|tx| {
            if let Some(damaged) = damaged_key(&tx.evidence_log().log_keys(log.id)?) {
                return Ok(Some(damaged));
            }
            if signed.origin != found.origin {
                // Another server may have begun the newest log.
                return Ok(
                    (!was_continued(tx, &signed.origin)?).then(|| Stopped::OtherLog {
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
            let mut nodes = |positions: &[u64]| tx.evidence_log().nodes(log.id, positions);
            let root = self.tree.root(signed.size, &mut nodes)?;
            Ok((root != signed.root).then_some(Stopped::Forked { size: signed.size }))
        })
    }

    /// Returns what this server has last signed.
    fn last_signed(&self) -> Result<Option<SignedState>, EventLogError> {
        let Some(note) = self.known_checkpoint.load()? else {
            return Ok(None);
        };
        let head = self.signer.read(&note)?;
        Ok(Some(SignedState { head, note }))
    }

    /// Gives places to up to [`BATCH`] events; returns how many.
    fn place(&self) -> Result<i64, EventLogError> {
        // Most calls end here, without a write.
        let waiting = self
            .deps
            .database
            .read_one(|tx| tx.evidence_log().unplaced_events(1))?;
        if waiting.is_empty() {
            return Ok(0);
        }
        let now = self.deps.clock.now();
        self.deps.database.write(|tx| {
            if !tx.evidence_log().try_lock_places()? {
                return Ok(0);
            }
            let log = tx.evidence_log().current_log()?;
            let log = log.ok_or(EventLogError::NoLog)?;
            let events = tx.evidence_log().unplaced_events(BATCH)?;
            self.place_all(tx, &log, &events, now)?;
            Ok(i64::try_from(events.len()).unwrap_or(BATCH))
        })
    }

    fn place_all(
        &self,
        tx: &mut dyn Transaction,
        log: &Log,
        events: &[UnplacedEvent],
        now: Timestamp,
    ) -> Result<(), EventLogError> {
        if events.is_empty() {
            return Ok(());
        }
        let leaves: Vec<Digest> = events.iter().map(|event| event.digest).collect();
        let rows: Vec<i64> = events.iter().map(|event| event.row).collect();
        let mut nodes = |positions: &[u64]| tx.evidence_log().nodes(log.id, positions);
        let appended = self.tree.append(log.head.size, &leaves, &mut nodes)?;
        let Appended { nodes, size, root } = appended;
        let first = Place {
            log: log.id,
            index: log.head.size,
        };
        tx.evidence_log().place_events(first, &rows)?;
        tx.evidence_log().add_nodes(log.id, &nodes)?;
        let head = LogHead {
            origin: log.head.origin.clone(),
            size,
            root,
        };
        Ok(tx.evidence_log().add_checkpoint(log.id, &head, now)?)
    }

    /// Gives places to the first events of a log, whose tree is empty.
    fn place_first(
        &self,
        tx: &mut dyn Transaction,
        id: LogId,
        origin: &str,
        events: &[UnplacedEvent],
        now: Timestamp,
    ) -> Result<(), EventLogError> {
        let head = LogHead {
            origin: origin.to_owned(),
            size: 0,
            root: Digest::of(b""),
        };
        self.place_all(tx, &Log { id, head }, events, now)
    }

    /// Signs the newest checkpoint, and keeps it outside the database before it is
    /// published. Keeps one that another server has signed, too.
    fn sign(&self) -> Result<(), EventLogError> {
        // Before the log is read; see `continuable_log`.
        let last_signed = self.last_signed()?;
        let (log, newest) = self.deps.database.read(|tx| {
            let log = tx.evidence_log().current_log()?;
            let log = log.ok_or(EventLogError::NoLog)?;
            let newest = tx.evidence_log().newest_checkpoint(log.id)?;
            Ok::<_, EventLogError>((log, newest))
        })?;
        let newest = newest.filter(|newest| newest.head == log.head);
        let is_known = last_signed
            .as_ref()
            .is_some_and(|signed| signed.head == log.head);
        if newest.is_some() && is_known {
            return Ok(());
        }
        self.require_continuation(last_signed.as_ref(), &log)?;
        match newest {
            Some(newest) => Ok(self.known_checkpoint.store(&newest.note)?),
            None => self.sign_head(&log),
        }
    }

    /// Signs the state of the log, whatever this server has signed before.
    fn sign_head(&self, log: &Log) -> Result<(), EventLogError> {
        let database = &self.deps.database;
        let mut keys = database.read_one(|tx| tx.evidence_log().log_keys(log.id))?;
        keys.retain(|key| key.from_size < log.head.size);
        if let Some(damaged) = damaged_key(&keys) {
            // The next check looks whether the key was mended.
            *self.state() = State {
                stopped: Some(damaged.clone()),
                checked: None,
            };
            return Err(damaged.into());
        }
        let note = self.signer.sign(&log.head, &keys)?;
        self.known_checkpoint.store(&note)?;
        database.write(|tx| {
            tx.evidence_log()
                .sign_checkpoint(log.id, log.head.size, &note)
        })?;
        Ok(())
    }

    /// Begins a new log after this one has stopped. Its first event names the last state
    /// that was signed for: if that is of a log that the database does not have, beside the last
    /// one of its own log. Events that no checkpoint covers get places in the new log. Returns
    /// its origin.
    ///
    /// # Errors
    /// [`EventLogError::NotStopped`], [`EventLogError::Busy`], or another
    /// [`EventLogError`].
    pub fn resume(&self) -> Result<String, EventLogError> {
        // Before the log is read; see `continuable_log`.
        let last = self.last_signed()?.ok_or(EventLogError::NotStopped)?;
        let log = self.current()?.ok_or(EventLogError::NoLog)?;
        match self.require_continuation(Some(&last), &log) {
            Err(EventLogError::Stopped(_)) => {}
            Err(error) => return Err(error),
            Ok(()) => return Err(EventLogError::NotStopped),
        }
        let now = self.deps.clock.now();
        let id = unused_log(log.id, &last.head);
        let origin = id.origin(&self.host);
        let key = self.new_key(id, &origin, 0)?;
        self.deps.database.write(|tx| {
            if !tx.evidence_log().try_lock_places()? {
                return Err(EventLogError::Busy);
            }
            let own = tx.evidence_log().newest_checkpoint(log.id)?;
            let covered = own.as_ref().map_or(0, |own| own.head.size);
            let beyond = tx.evidence_log().events_beyond(log.id, covered)?;
            let signed = (&last.head, last.note.as_str());
            let first = match own {
                Some(own) if own.head.origin != last.head.origin => {
                    let is_lost = !was_continued(tx, &last.head.origin)?;
                    let own = (&own.head, own.note.as_str());
                    Event::log_resumed(&key.vkey, own, is_lost.then_some(signed), now)
                }
                _ => Event::log_resumed(&key.vkey, signed, None, now),
            };
            let first = tx.evidence_log().begin_log(&key, &origin, &first)?;
            let first = first.ok_or(EventLogError::Busy)?;
            let events = [vec![first], beyond].concat();
            self.place_first(tx, id, &origin, &events, now)
        })?;
        // The new log continues what was signed before.
        let log = self.current()?.ok_or(EventLogError::NoLog)?;
        self.sign_head(&log)?;
        Ok(origin)
    }

    /// Returns the state of the log.
    ///
    /// # Errors
    /// [`EventLogError`].
    pub fn status(&self) -> Result<LogStatus, EventLogError> {
        let (log, stopped) = self.current_and_reason_to_stop()?;
        let (checkpoint, waiting) = self.deps.database.read(|tx| {
            let checkpoint = tx.evidence_log().newest_checkpoint(log.id)?;
            let waiting = tx.evidence_log().unplaced_events(BATCH)?.len();
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
        let last_signed = self.last_signed()?;
        let log = self.current()?.ok_or(EventLogError::NoLog)?;
        let stopped = match last_signed {
            Some(signed) => self.reason_to_stop(&signed.head, &log)?,
            None => None,
        };
        Ok((log, stopped))
    }

    /// Returns the public keys of the current log, the newest last.
    ///
    /// # Errors
    /// [`EventLogError`].
    pub fn keys(&self) -> Result<Vec<String>, EventLogError> {
        let log = self.current()?.ok_or(EventLogError::NoLog)?;
        let database = &self.deps.database;
        let keys = database.read_one(|tx| tx.evidence_log().log_keys(log.id))?;
        Ok(keys.into_iter().map(|key| key.vkey).collect())
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
            if i64::try_from(tx.evidence_log().unplaced_events(BATCH)?.len()) == Ok(BATCH) {
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
            vkey: self.signer.vkey(origin, &seed)?,
            seed: Some(seed),
        })
    }
}

/// Returns why the log cannot be signed, if the secret part of a key is damaged.
fn damaged_key(keys: &[StoredLogKey]) -> Option<Stopped> {
    let damaged = keys.iter().find(|key| key.seed.is_none())?;
    Some(Stopped::KeyDamaged {
        vkey: damaged.vkey.clone(),
    })
}

/// Returns whether the database has the log with that origin, or a later one that replaced it.
fn was_continued(tx: &mut dyn Transaction, origin: &str) -> Result<bool, DatabaseError> {
    for (log, known) in tx.evidence_log().log_origins()? {
        let is_known = known == origin
            || tx
                .evidence_log()
                .events_about_log(log)?
                .iter()
                .any(|event| event.continues(origin));
        if is_known {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns a number for which neither the database nor this server knows a log.
fn unused_log(current: LogId, last: &LogHead) -> LogId {
    // A restored copy may not know later logs, whose origins must not be used again.
    let number = last.origin.rsplit("/log").next();
    let number = number.and_then(|number| number.parse().ok());
    let last = number.map_or(current, LogId::from_stored);
    current.max(last).next()
}
