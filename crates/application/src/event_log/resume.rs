//! Beginning a new log after one has stopped.

use ideavault_domain::evidence::{Event, LogHead, LogId};
use ideavault_domain::ports::{Database, Transaction};

use super::trust::{Memory, SignedState, newest_own_checkpoint, was_continued};
use super::{EventLog, EventLogError, place_first};

impl<D: Database> EventLog<D> {
    /// Begins a new log after this one has stopped. Its first event names the last state
    /// that was signed for: if that is of a log that the database does not have, beside the last
    /// one of its own log. Events that no checkpoint covers get places in the new log, but for
    /// those that no server of this vault has written. Returns its origin.
    ///
    /// # Errors
    /// [`EventLogError::NotStopped`], [`EventLogError::Busy`], or another
    /// [`EventLogError`].
    pub fn resume(&self) -> Result<String, EventLogError> {
        // Before the log is read; see `continuable_log`.
        let memory = self.memory()?;
        let log = self.current()?.ok_or(EventLogError::NoLog)?;
        let stopped = match self.require_continuation(&memory, &log) {
            Err(EventLogError::Stopped(reason)) => reason,
            Err(error) => return Err(error),
            Ok(()) => return Err(EventLogError::NotStopped),
        };
        self.skip_numbers()?;
        let now = self.deps.clock.now();
        let id = unused_log(log.id, memory.signed());
        let origin = id.origin(&self.host);
        let key = self.new_key(id, &origin, 0)?;
        self.deps.database.write(|tx| {
            if !tx.evidence_log().try_lock_places()? {
                return Err(EventLogError::Busy);
            }
            let own = newest_own_checkpoint(tx, log.id, &log.head.origin)?;
            let covered = own.as_ref().map_or(0, |own| own.head.size);
            let mut beyond = tx.evidence_log().events_beyond(log.id, covered)?;
            beyond.retain(|event| event.is_sealed);
            let own = own.as_ref().map(|own| (&own.head, own.note.as_str()));
            let last = last_states(tx, own, &memory, log.id)?;
            let (last, abandoned) = last.ok_or_else(|| stopped.clone())?;
            let first = Event::log_resumed(&key.vkey, last, abandoned, now);
            let first = tx.evidence_log().begin_log(&key, &origin, &first)?;
            let first = first.ok_or(EventLogError::Busy)?;
            let events = [vec![first], beyond].concat();
            place_first(tx, (id, &origin), covered, &events, now)
        })?;
        // The new log continues what was signed before.
        let log = self.current()?.ok_or(EventLogError::NoLog)?;
        self.sign_head(&log)?;
        Ok(origin)
    }
}

/// A state of a log, and its signed note.
type Signed<'s> = (&'s LogHead, &'s str);

/// Returns the state that the new log continues, and that of a log which the database has lost as
/// a whole; none if nothing was signed yet.
fn last_states<'s>(
    tx: &mut dyn Transaction,
    own: Option<Signed<'s>>,
    memory: &'s Memory,
    current: LogId,
) -> Result<Option<(Signed<'s>, Option<Signed<'s>>)>, EventLogError> {
    let signed = memory.signed();
    let signed = signed.map(|SignedState { head, note }| (head, note.as_str()));
    Ok(match (own, signed) {
        (Some(own), Some(signed)) if own.0.origin != signed.0.origin => {
            let is_lost = !was_continued(tx, &signed.0.origin, current)?;
            Some((own, is_lost.then_some(signed)))
        }
        (_, Some(signed)) => Some((signed, None)),
        (own, None) => own.map(|own| (own, None)),
    })
}

/// Returns a number for which neither the database nor this server knows a log.
fn unused_log(current: LogId, last: Option<&SignedState>) -> LogId {
    // A restored copy may not know later logs, whose origins must not be used again.
    let number = last.and_then(|last| last.head.origin.rsplit("/log").next());
    let number = number.and_then(|number| number.parse().ok());
    let last = number.map_or(current, LogId::from_stored);
    current.max(last).next()
}
