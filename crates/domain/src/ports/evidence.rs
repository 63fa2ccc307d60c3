//! The log of events that a stranger can check (`docs/evidence.md`).

use super::error::DatabaseError;
use super::platform::PortError;
use crate::Timestamp;
use crate::digest::Digest;
use crate::evidence::{
    ChainedCheckpoint, Event, EventKind, Log, LogHead, LogId, Node, Place, StoredCheckpoint,
    StoredEvent, StoredLogKey, UnplacedEvent,
};
use crate::ids::{IdeaId, RecipientId};
use crate::page::{Page, Paging};

type Result<T> = std::result::Result<T, DatabaseError>;

/// The disclosures of an event that were not erased.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Disclosures {
    /// The name and the body of each.
    pub readable: Vec<(String, String)>,
    /// The names of those that are damaged.
    pub damaged: Vec<String>,
}

/// Events, their places in a log, and the tree over them. Events and nodes are never changed or
/// removed; an event gets another place only in a later log.
pub trait EvidenceLog {
    /// Records an event in the current log, without a place. Returns `false` and records
    /// nothing when an event with the same [`Event::once_key`] exists.
    ///
    /// # Errors
    /// [`DatabaseError`], also before the first log began.
    fn append_event(&mut self, event: &Event) -> Result<bool>;

    /// Returns the digest of the event with that [`Event::once_key`].
    fn digest_by_once_key(&mut self, key: &str) -> Result<Option<Digest>>;

    /// Returns the newest log that has a checkpoint; `None` before the first began.
    fn current_log(&mut self) -> Result<Option<Log>>;

    /// Begins the log of `key`, which then is the current one, with its first event.
    /// Returns that event, which has no place yet; `None`, with nothing begun, if the log
    /// exists.
    fn begin_log(
        &mut self,
        key: &StoredLogKey,
        origin: &str,
        first: &Event,
    ) -> Result<Option<UnplacedEvent>>;

    /// Waits for nobody: returns whether this transaction is the only one that gives
    /// places, until it ends.
    fn try_lock_places(&mut self) -> Result<bool>;

    /// Returns up to `limit` events without a place in rows after `after`, in the order of their
    /// rows.
    fn unplaced_events(&mut self, after: i64, limit: i64) -> Result<Vec<UnplacedEvent>>;

    /// Returns the events of a log that no checkpoint of that size or a smaller one
    /// covers, in the order of their rows: their places are not signed for.
    fn events_beyond(&mut self, log: LogId, size: u64) -> Result<Vec<UnplacedEvent>>;

    /// Gives consecutive places, from `first` on, to the events in those rows. An event
    /// that has a place gets another one only in a later log.
    fn place_events(&mut self, first: Place, rows: &[i64]) -> Result<()>;

    /// Adds nodes to a log's tree.
    fn add_nodes(&mut self, log: LogId, nodes: &[Node]) -> Result<()>;

    /// Returns the hashes of the nodes at those positions, in the same order.
    ///
    /// # Errors
    /// [`DatabaseError`], also when one is absent.
    fn nodes(&mut self, log: LogId, positions: &[u64]) -> Result<Vec<Digest>>;

    /// Adds a checkpoint, unsigned, after that of the size `previous`: the first one of a log after
    /// the last one of the log before.
    fn add_checkpoint(
        &mut self,
        log: LogId,
        head: &LogHead,
        previous: u64,
        at: Timestamp,
    ) -> Result<()>;

    /// Stores the signed note of a checkpoint; an earlier one is kept.
    fn sign_checkpoint(&mut self, log: LogId, size: u64, note: &str) -> Result<()>;

    /// Returns the newest signed checkpoint of a log.
    fn newest_checkpoint(&mut self, log: LogId) -> Result<Option<StoredCheckpoint>>;

    /// Returns the newest signed checkpoint of a log that is smaller than that size.
    fn signed_checkpoint_before(
        &mut self,
        log: LogId,
        size: u64,
    ) -> Result<Option<StoredCheckpoint>>;

    /// Returns up to `limit` checkpoints of a log with at least that size, signed or not,
    /// smallest first.
    fn chained_checkpoints(
        &mut self,
        log: LogId,
        size: u64,
        limit: i64,
    ) -> Result<Vec<ChainedCheckpoint>>;

    /// Returns the smallest signed checkpoint of a log with at least that size.
    fn first_checkpoint_of_at_least(
        &mut self,
        log: LogId,
        size: u64,
    ) -> Result<Option<StoredCheckpoint>>;

    /// Returns up to `limit` signed checkpoints of a log with at least that size, smallest
    /// first.
    fn signed_checkpoints(
        &mut self,
        log: LogId,
        size: u64,
        limit: i64,
    ) -> Result<Vec<StoredCheckpoint>>;

    /// Returns whether the event in that row has a place that a signed checkpoint covers.
    fn is_signed_for(&mut self, row: i64) -> Result<bool>;

    /// Adds a key to a log.
    fn add_log_key(&mut self, key: &StoredLogKey) -> Result<()>;

    /// Returns the keys of a log, oldest first.
    ///
    /// # Errors
    /// [`DatabaseError`], also when one cannot be decrypted.
    fn log_keys(&mut self, log: LogId) -> Result<Vec<StoredLogKey>>;

    /// Returns the origins of all logs, oldest first.
    fn log_origins(&mut self) -> Result<Vec<(LogId, String)>>;

    /// Returns the events of an idea, newest first.
    fn events_of(&mut self, idea: IdeaId, paging: Paging) -> Result<Page<StoredEvent>>;

    /// Returns the newest event of a kind about an idea, and about that recipient if there
    /// is one.
    fn newest_event(
        &mut self,
        kind: EventKind,
        idea: IdeaId,
        recipient: Option<RecipientId>,
    ) -> Result<Option<StoredEvent>>;

    /// Returns the events of a log that belong to no idea, in the order of their places.
    fn events_about_log(&mut self, log: LogId) -> Result<Vec<StoredEvent>>;

    /// Returns the digests of up to `count` events of a log from the place `first`, in the
    /// order of their places.
    fn entries(&mut self, log: LogId, first: u64, count: u64) -> Result<Vec<Digest>>;

    /// Returns up to `limit` rows of events after `after`, of that idea or of all.
    fn event_rows_after(
        &mut self,
        idea: Option<IdeaId>,
        after: i64,
        limit: i64,
    ) -> Result<Vec<i64>>;

    /// Returns the events in those rows, in the same order.
    ///
    /// # Errors
    /// [`DatabaseError`], also when one is absent.
    fn events_in(&mut self, rows: &[i64]) -> Result<Vec<StoredEvent>>;

    /// Returns for each event, in the same order, the disclosures that were not erased,
    /// ordered by name. Damaged ones are logged.
    fn disclosures_of(&mut self, events: &[&StoredEvent]) -> Result<Vec<Disclosures>>;

    /// Returns the newest number of an idea; `None` if there is no idea.
    fn newest_idea(&mut self) -> Result<Option<IdeaId>>;

    /// Gives only numbers after `newest` to new ideas.
    fn skip_idea_numbers(&mut self, newest: IdeaId) -> Result<()>;

    /// Returns the rows of the events that say that a person was erased: that reader of the idea, or
    /// its creator if there is none.
    fn erasures(&mut self, idea: IdeaId, reader: Option<RecipientId>) -> Result<Vec<i64>>;
}

/// The highest checkpoint that this server has seen signed, kept outside the database:
/// a database that does not extend it was restored from a backup, or forked. Beside it, the newest
/// number of an idea then.
pub trait KnownCheckpoint: Send + Sync {
    /// Returns the signed note; `None` if none was kept.
    ///
    /// # Errors
    /// When it cannot be read.
    fn load(&self) -> std::result::Result<Option<String>, PortError>;

    /// Keeps a signed note in place of an earlier one, durably.
    ///
    /// # Errors
    /// When it cannot be written; the earlier one is kept.
    fn store(&self, note: &str) -> std::result::Result<(), PortError>;

    /// Returns the newest number of an idea; `None` if none was kept.
    ///
    /// # Errors
    /// When it cannot be read.
    fn newest_idea(&self) -> std::result::Result<Option<IdeaId>, PortError>;

    /// Keeps the newest number of an idea, durably.
    ///
    /// # Errors
    /// When it cannot be written; the earlier one is kept.
    fn store_newest_idea(&self, newest: IdeaId) -> std::result::Result<(), PortError>;
}
