//! The one connection that writes. Transactions that come while others write are committed
//! together, because a durable commit takes longer than most of them do.
//!
//! Each is a savepoint in one transaction of the database, so that a failed one is undone alone.
//! Who has written passes the open transaction on to the next one who waits, and returns after
//! the commit; so does who has read what others wrote, even if it is undone. Who finds nobody
//! waiting commits: nobody waits for what may come.
//!
//! Invariant: an open transaction has exactly one holder, who passes it on or ends it, even when
//! its work panics.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use diesel::connection::{AnsiTransactionManager, TransactionManager as _};
use diesel::r2d2::{ConnectionManager, Pool, PooledConnection};

use ideavault_domain::ports::{DatabaseError, Encryption, Transaction};

use super::Connection;
use super::repo::{Effects, begin, run};
use crate::database::PoolUse;
use crate::error::{QueryError, RolledBack, failed, failed_together, unavailable};

pub(super) type Connections = Pool<ConnectionManager<Connection>>;
pub(super) type Pooled = PooledConnection<ConnectionManager<Connection>>;

/// Most transactions that are committed together.
const MOST_TOGETHER: usize = 32;
/// How long after the first of a group another one may join it: the first waits for both.
const JOIN_WITHIN: Duration = Duration::from_millis(20);

/// The connection that writes, and who waits for it.
pub(super) struct Writer {
    pool: Connections,
    /// Longest wait of a transaction for its turn.
    longest_wait: Duration,
    /// How long after the first of a group another one may join it.
    join_within: Duration,
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    is_busy: bool,
    waiting: VecDeque<Arc<Turn>>,
}

/// A wait for the connection.
#[derive(Default)]
struct Turn {
    start: Mutex<Option<Start>>,
    has_come: Condvar,
}

/// How a turn begins.
enum Start {
    /// With a new transaction.
    Anew,
    /// In the open transaction of others.
    In(Box<Group>),
}

/// Transactions that are committed together.
struct Group {
    connection: Pooled,
    outcome: Arc<Outcome>,
    began: Instant,
    members: usize,
    has_erased: bool,
}

/// Whether a group is committed, once that is decided.
#[derive(Default)]
struct Outcome {
    result: Mutex<Option<Result<(), Arc<QueryError>>>>,
    is_decided: Condvar,
}

/// Whose turn it is. Dropped before it has passed on, it breaks its group off.
struct Holder<'w> {
    writer: &'w Writer,
    group: Option<Box<Group>>,
    has_passed_on: bool,
}

impl Writer {
    /// Creates the writer on a pool of one connection.
    pub(super) fn new(pool: Connections, longest_wait: Duration) -> Self {
        Self {
            pool,
            longest_wait,
            join_within: JOIN_WITHIN,
            queue: Mutex::default(),
        }
    }

    /// Returns the connection, for what is no transaction of repositories.
    pub(super) fn connection(&self, operation: &'static str) -> Result<Pooled, DatabaseError> {
        self.pool.get().map_err(unavailable(operation))
    }

    pub(super) fn pool_use(&self) -> PoolUse {
        self.pool.state().into()
    }

    /// Runs `work` in a transaction. Returns when it is committed or undone, and so is what it
    /// could read of others. `after_commit` gets the connection, and whether content was erased,
    /// before any of those returns that were committed together.
    pub(super) fn write<T, E: From<DatabaseError>>(
        &self,
        encryption: &dyn Encryption,
        work: impl FnOnce(&mut dyn Transaction) -> Result<T, E>,
        after_commit: impl FnOnce(&mut Connection, bool),
    ) -> Result<(T, Effects), E> {
        let operation = "write";
        let mut holder = self.turn(operation)?;
        let group = holder.group(operation)?;
        let outcome = Arc::clone(&group.outcome);
        let is_first = group.members == 0;
        AnsiTransactionManager::begin_transaction(&mut *group.connection)
            .map_err(failed(operation))?;
        match run(&mut group.connection, encryption, operation, work) {
            Ok((answer, effects)) => {
                group.has_erased |= effects.erased;
                holder.pass_on(after_commit);
                outcome
                    .wait()
                    .map_err(|error| failed_together(operation, error))?;
                Ok((answer, effects))
            }
            Err(RolledBack {
                error, is_undone, ..
            }) => {
                // Else what the others wrote may be undone as well.
                if is_undone {
                    holder.pass_on(after_commit);
                    // A refusal may rest on what the others wrote: the caller looks for it on
                    // another connection, or it never was.
                    if !is_first {
                        outcome
                            .wait()
                            .map_err(|error| failed_together(operation, error))?;
                    }
                }
                Err(error)
            }
        }
    }

    /// Waits for a turn.
    fn turn(&self, operation: &'static str) -> Result<Holder<'_>, DatabaseError> {
        let turn = {
            let mut queue = lock(&self.queue);
            if !queue.is_busy {
                queue.is_busy = true;
                return Ok(Holder::new(self, Start::Anew));
            }
            let turn = Arc::new(Turn::default());
            queue.waiting.push_back(Arc::clone(&turn));
            turn
        };
        let start = turn
            .wait(self.longest_wait)
            .or_else(|| self.leave_queue(&turn));
        start
            .map(|start| Holder::new(self, start))
            .ok_or_else(|| failed(operation)(QueryError::NoTurn))
    }

    /// Gives a turn up, unless it has come meanwhile.
    fn leave_queue(&self, turn: &Arc<Turn>) -> Option<Start> {
        let mut queue = lock(&self.queue);
        queue.waiting.retain(|other| !Arc::ptr_eq(other, turn));
        lock(&turn.start).take()
    }

    /// Gives the open transaction to the next one who waits; returns it if nobody does.
    fn give(&self, group: Box<Group>) -> Option<Box<Group>> {
        // Until the turn has come, nobody may leave the queue.
        let mut queue = lock(&self.queue);
        let Some(next) = queue.waiting.pop_front() else {
            return Some(group);
        };
        next.come(Start::In(group));
        None
    }

    /// Lets the next one begin, who waits or comes.
    fn release(&self) {
        let mut queue = lock(&self.queue);
        match queue.waiting.pop_front() {
            Some(next) => next.come(Start::Anew),
            None => queue.is_busy = false,
        }
    }
}

impl Turn {
    fn come(&self, start: Start) {
        *lock(&self.start) = Some(start);
        self.has_come.notify_one();
    }

    fn wait(&self, longest: Duration) -> Option<Start> {
        let start = lock(&self.start);
        let (mut start, _) = self
            .has_come
            .wait_timeout_while(start, longest, |start| start.is_none())
            .unwrap_or_else(PoisonError::into_inner);
        start.take()
    }
}

impl<'w> Holder<'w> {
    fn new(writer: &'w Writer, start: Start) -> Self {
        let group = match start {
            Start::Anew => None,
            Start::In(group) => Some(group),
        };
        Self {
            writer,
            group,
            has_passed_on: false,
        }
    }

    /// Returns the group, of which it is the first member if there is none.
    fn group(&mut self, operation: &'static str) -> Result<&mut Group, DatabaseError> {
        let group = match self.group.take() {
            Some(group) => group,
            None => Box::new(Group::begin(self.writer.connection(operation)?, operation)?),
        };
        Ok(self.group.insert(group))
    }

    /// Passes the turn on: with the open transaction, if somebody waits who may join it, else
    /// after its commit.
    fn pass_on(mut self, after_commit: impl FnOnce(&mut Connection, bool)) {
        let Some(mut group) = self.group.take() else {
            return;
        };
        group.members += 1;
        if group.members < MOST_TOGETHER && group.began.elapsed() < self.writer.join_within {
            match self.writer.give(group) {
                None => self.has_passed_on = true,
                Some(group) => group.commit(after_commit),
            }
        } else {
            group.commit(after_commit);
        }
    }
}

impl Drop for Holder<'_> {
    fn drop(&mut self) {
        drop(self.group.take());
        if !self.has_passed_on {
            self.writer.release();
        }
    }
}

impl Group {
    /// Begins an immediate transaction: a deferred one that has read cannot always be upgraded to
    /// write.
    fn begin(mut connection: Pooled, operation: &'static str) -> Result<Self, DatabaseError> {
        begin(&mut connection, "BEGIN IMMEDIATE").map_err(failed(operation))?;
        Ok(Self {
            connection,
            outcome: Arc::default(),
            began: Instant::now(),
            members: 0,
            has_erased: false,
        })
    }

    fn commit(mut self, after_commit: impl FnOnce(&mut Connection, bool)) {
        let result = AnsiTransactionManager::commit_transaction(&mut *self.connection);
        if result.is_ok() {
            after_commit(&mut self.connection, self.has_erased);
        }
        self.outcome
            .decide(result.map_err(|error| Arc::new(error.into())));
    }
}

impl Drop for Group {
    /// Breaks the group off if it is not committed.
    fn drop(&mut self) {
        if self.outcome.is_decided() {
            return;
        }
        // The savepoint first. Fails once nothing is open; the pool discards the connection if
        // something still is.
        while AnsiTransactionManager::rollback_transaction(&mut *self.connection).is_ok() {}
        self.outcome.decide(Err(Arc::new(QueryError::BrokenOff)));
    }
}

impl Outcome {
    fn decide(&self, result: Result<(), Arc<QueryError>>) {
        *lock(&self.result) = Some(result);
        self.is_decided.notify_all();
    }

    fn is_decided(&self) -> bool {
        lock(&self.result).is_some()
    }

    fn wait(&self) -> Result<(), Arc<QueryError>> {
        let mut result = lock(&self.result);
        loop {
            if let Some(result) = &*result {
                return result.clone();
            }
            result = self
                .is_decided
                .wait(result)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A panic elsewhere leaves nothing half changed behind these locks.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
