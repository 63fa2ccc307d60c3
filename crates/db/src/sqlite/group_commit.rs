//! Group commit on the one connection that writes, because a durable commit takes longer than most
//! transactions do.
//!
//! A group is one transaction of the database. Each member is a savepoint in it, so that a failed
//! member is rolled back alone. A finished member hands the open transaction to the next one in
//! the queue, and returns after the commit. With an empty queue it commits at once. A member that
//! was rolled back, but could read the writes of earlier members, also waits for the commit.
//!
//! Invariant: an open transaction has exactly one holder, which hands it over or ends it, even when
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

/// Most transactions in a group.
const MAX_GROUP_SIZE: usize = 32;
/// Time after the begin of a group in which further transactions may join it. Limits how long the
/// first one waits for its commit.
const JOIN_WINDOW: Duration = Duration::from_millis(20);

/// The connection that writes, and the queue for it.
pub(super) struct Writer {
    pool: Connections,
    /// Longest wait of a transaction for its turn.
    longest_wait: Duration,
    /// See [`JOIN_WINDOW`].
    join_window: Duration,
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
    is_granted: Condvar,
}

/// How a turn begins.
enum Start {
    /// With a new transaction of the database.
    New,
    /// In the open transaction of a group.
    Join(Box<Group>),
}

/// Transactions that are committed together.
struct Group {
    connection: Pooled,
    outcome: Arc<Outcome>,
    began: Instant,
    members: usize,
    has_erased: bool,
}

/// The result of a group's commit, once there is one.
#[derive(Default)]
struct Outcome {
    result: Mutex<Option<Result<(), Arc<QueryError>>>>,
    is_decided: Condvar,
}

/// The right to use the connection. Rolls back its group and releases the connection if it is
/// dropped before it was passed on.
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
            join_window: JOIN_WINDOW,
            queue: Mutex::default(),
        }
    }

    /// Returns the connection, for work outside of the repositories.
    pub(super) fn connection(&self, operation: &'static str) -> Result<Pooled, DatabaseError> {
        self.pool.get().map_err(unavailable(operation))
    }

    pub(super) fn pool_use(&self) -> PoolUse {
        self.pool.state().into()
    }

    /// Runs `work` in a transaction. Returns once that and the earlier members of its group are
    /// committed or rolled back. `after_commit` gets the connection, and whether content was
    /// erased, before any member of the group returns.
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
                // Otherwise the group is rolled back: the savepoint may still be open.
                if is_undone {
                    holder.pass_on(after_commit);
                    // The error may depend on writes of earlier members, which the caller must
                    // find on another connection, or which may be rolled back.
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
                return Ok(Holder::new(self, Start::New));
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
            .ok_or_else(|| failed(operation)(QueryError::WriteQueueTimeout))
    }

    /// Leaves the queue. Returns the start of the turn if it was granted meanwhile.
    fn leave_queue(&self, turn: &Arc<Turn>) -> Option<Start> {
        let mut queue = lock(&self.queue);
        queue.waiting.retain(|other| !Arc::ptr_eq(other, turn));
        lock(&turn.start).take()
    }

    /// Hands the open transaction to the next one in the queue. Returns it if the queue is empty.
    fn hand_over(&self, group: Box<Group>) -> Option<Box<Group>> {
        // Locked until the turn is granted, so that the next one cannot leave the queue.
        let mut queue = lock(&self.queue);
        let Some(next) = queue.waiting.pop_front() else {
            return Some(group);
        };
        next.grant(Start::Join(group));
        None
    }

    /// Lets the next one in the queue begin, or marks the connection as free.
    fn release(&self) {
        let mut queue = lock(&self.queue);
        match queue.waiting.pop_front() {
            Some(next) => next.grant(Start::New),
            None => queue.is_busy = false,
        }
    }
}

impl Turn {
    fn grant(&self, start: Start) {
        *lock(&self.start) = Some(start);
        self.is_granted.notify_one();
    }

    fn wait(&self, longest: Duration) -> Option<Start> {
        let start = lock(&self.start);
        let (mut start, _) = self
            .is_granted
            .wait_timeout_while(start, longest, |start| start.is_none())
            .unwrap_or_else(PoisonError::into_inner);
        start.take()
    }
}

impl<'w> Holder<'w> {
    fn new(writer: &'w Writer, start: Start) -> Self {
        let group = match start {
            Start::New => None,
            Start::Join(group) => Some(group),
        };
        Self {
            writer,
            group,
            has_passed_on: false,
        }
    }

    /// Returns the group to join, or begins a new one.
    fn group(&mut self, operation: &'static str) -> Result<&mut Group, DatabaseError> {
        let group = match self.group.take() {
            Some(group) => group,
            None => Box::new(Group::begin(self.writer.connection(operation)?, operation)?),
        };
        Ok(self.group.insert(group))
    }

    /// Passes the turn on: with the open transaction if the next one in the queue may join it,
    /// otherwise after its commit.
    fn pass_on(mut self, after_commit: impl FnOnce(&mut Connection, bool)) {
        let Some(mut group) = self.group.take() else {
            return;
        };
        group.members += 1;
        if group.members < MAX_GROUP_SIZE && group.began.elapsed() < self.writer.join_window {
            match self.writer.hand_over(group) {
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
    /// Rolls the group back if it is not committed.
    fn drop(&mut self) {
        if self.outcome.is_decided() {
            return;
        }
        // The savepoint first. Fails once nothing is open; the pool discards the connection if
        // something still is.
        while AnsiTransactionManager::rollback_transaction(&mut *self.connection).is_ok() {}
        self.outcome
            .decide(Err(Arc::new(QueryError::GroupRolledBack)));
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
