//! The append-only log of events, and what is stored of it.

use std::fmt;

use super::{EventBody, EventKind, EventSubject};
use crate::Timestamp;
use crate::digest::Digest;

/// Number of a log of this vault. The first is 1; another one begins only after its
/// predecessor has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LogId(i32);

impl LogId {
    /// The first log.
    pub const FIRST: Self = Self(1);

    /// Wraps a stored number.
    #[must_use]
    pub fn from_stored(number: i32) -> Self {
        Self(number)
    }

    /// Returns the number.
    #[must_use]
    pub fn as_i32(self) -> i32 {
        self.0
    }

    /// Returns the number of the log that continues this one.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// Returns the log's origin (C2SP tlog-checkpoint) at a vault whose public address
    /// has that host.
    #[must_use]
    pub fn origin(self, host: &str) -> String {
        format!("{host}/log{}", self.0)
    }
}

/// The state of a log: how many events it has, and their Merkle tree root (RFC 9162).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogHead {
    /// Origin of the log.
    pub origin: String,
    /// Number of events.
    pub size: u64,
    /// The root of the tree.
    pub root: Digest,
}

/// A log as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// Its number.
    pub id: LogId,
    /// Its state.
    pub head: LogHead,
}

/// The secret part of a log's Ed25519 key (RFC 8032).
#[derive(Clone, PartialEq, Eq)]
pub struct LogSeed([u8; 32]);

impl LogSeed {
    /// Makes a seed from bytes of a cryptographic random source.
    #[must_use]
    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes, for signing.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for LogSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LogSeed(..)")
    }
}

/// A key with which a log is signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredLogKey {
    /// The log.
    pub log: LogId,
    /// It signs checkpoints that cover more events than this.
    pub from_size: u64,
    /// The public part, as a C2SP `vkey`.
    pub vkey: String,
    /// The secret part; `None` if it is damaged.
    pub seed: Option<LogSeed>,
}

impl StoredLogKey {
    /// Returns the newest of a log's keys, oldest first, that signs a checkpoint of that size.
    /// Those without their secret part, which anybody could have added, count only if there is no
    /// other.
    #[must_use]
    pub fn newest_for(size: u64, keys: Vec<Self>) -> Option<Self> {
        let signs = |key: &Self| key.from_size < size;
        let mut own = keys.iter().filter(|key| signs(key) && key.seed.is_some());
        let newest = own.next_back().cloned();
        newest.or_else(|| keys.into_iter().find(signs))
    }
}

/// A node of a log's tree. Positions count the complete subtrees in the order in which
/// they are completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its position.
    pub position: u64,
    /// Its hash.
    pub hash: Digest,
}

/// An event that has no place yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnplacedEvent {
    /// Its row, which orders events.
    pub row: i64,
    /// SHA-256 of the event.
    pub digest: Digest,
    /// Whether its seal shows that a server of this vault wrote this row.
    pub is_sealed: bool,
}

/// A place in a log; the first is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The log.
    pub log: LogId,
    /// Number of events before it.
    pub index: u64,
}

/// An event as stored, without its disclosures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEvent {
    /// Its row, which orders events.
    pub row: i64,
    /// Its place, once it has one.
    pub place: Option<Place>,
    /// Its kind.
    pub kind: EventKind,
    /// When it happened.
    pub at: Timestamp,
    /// Its subject; [`EventSubject::file`] and [`EventSubject::revision`] are only
    /// in the body.
    pub subject: EventSubject,
    /// The event as canonical JSON.
    pub body: String,
    /// SHA-256 of the body, as recorded.
    pub digest: Digest,
    /// [`EventBody::once_key`], as stored.
    pub once: Option<String>,
}

impl StoredEvent {
    /// Returns what it says; `None` if somebody changed it so that it cannot be read.
    #[must_use]
    pub fn parsed(&self) -> Option<EventBody> {
        EventBody::parse(&self.body)
    }

    /// Returns whether this is a `log.resumed` that names the log with that origin: as the one that
    /// it continues, or as one that was lost as a whole.
    #[must_use]
    pub fn continues(&self, origin: &str) -> bool {
        let event = self.parsed();
        let named = event.map(|event| [event.previous, event.abandoned]);
        let mut named = named.into_iter().flatten().flatten();
        named.any(|named| named.log == origin)
    }
}

/// A signed checkpoint of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredCheckpoint {
    /// The log.
    pub log: LogId,
    /// The state that it signs.
    pub head: LogHead,
    /// When it was made.
    pub made_at: Timestamp,
    /// The signed note (C2SP tlog-checkpoint).
    pub note: String,
}

/// A checkpoint, signed or not, with its link to the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainedCheckpoint {
    /// The state that it is of.
    pub head: LogHead,
    /// The size of the checkpoint before, also where that is of the log before; 0 for the very
    /// first.
    pub previous: u64,
    /// Whether its seal shows that a server of this vault wrote this row.
    pub is_sealed: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_hides_the_seed() {
        let seed = LogSeed::from_random([7; 32]);
        assert_eq!(format!("{seed:?}"), "LogSeed(..)");
    }

    #[test]
    fn origins_name_the_host_and_the_number() {
        let next = LogId::FIRST.next();
        assert_eq!(next.origin("vault.example.org"), "vault.example.org/log2");
    }
}
