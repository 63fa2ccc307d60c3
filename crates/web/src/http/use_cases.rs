//! Use cases for a caller: each piece of work waits for its turn (docs/rules.md#turns).

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::HttpResponse;
use ideavault_application::rate_limits::RateLimits;
use ideavault_db::SqlDatabase;
use ideavault_domain::admission::AddressConfirmation;
use ideavault_domain::failure::Failure;
use serde::Serialize;

use super::REQUEST_TIMEOUT;
use super::cacheable::CacheableResponse;
use super::callers::Caller;
use super::error::chain;
use super::executor::Executor;
use super::request_state::{add_to_waited, waited};
use super::turns::{IsAwaited, Time, Work};
use crate::app::App;

/// Use cases for a caller.
pub struct UseCases<A = App> {
    pub(super) executor: Executor<A>,
    caller: Caller,
}

impl<A> Clone for UseCases<A> {
    fn clone(&self) -> Self {
        Self {
            executor: self.executor.clone(),
            caller: self.caller.clone(),
        }
    }
}

impl UseCases {
    /// Returns the rate limits, of which those that this server counts by itself need no turn.
    #[must_use]
    pub fn limits(&self) -> Arc<RateLimits<SqlDatabase>> {
        Arc::clone(&self.executor.app.limits)
    }

    /// Returns whether people have to confirm their address.
    #[must_use]
    pub fn confirmation(&self) -> AddressConfirmation {
        self.executor.app.accounts.confirmation()
    }
}

impl<A: Send + Sync + 'static> Executor<A> {
    /// Returns the use cases for `caller`.
    #[must_use]
    pub fn for_caller(&self, caller: Caller) -> UseCases<A> {
        UseCases {
            executor: self.clone(),
            caller,
        }
    }

    /// Returns the use cases for what serves nobody in particular.
    #[must_use]
    pub fn for_server(&self) -> UseCases<A> {
        self.for_caller(Caller::server())
    }
}

impl<A: Send + Sync + 'static> UseCases<A> {
    /// Runs a use case in its turn. A request that has waited for its time gets no result; work
    /// that had not begun does not happen then, and the outcome of work that had is unknown.
    ///
    /// # Errors
    /// Those of the use case; [`Failure::TooMany`] if the caller has too much waiting;
    /// [`Failure::Unavailable`] if the queue is full, the turn or the work does not come in time,
    /// or the database has stopped responding.
    pub async fn run<T, E, F>(&self, work: Work, use_case: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&A) -> Result<T, E> + Send + 'static,
    {
        self.run_while_awaited(work, |app, _| use_case(app)).await
    }

    /// Runs a use case as [`run`](Self::run) does, which asks whether somebody still waits for it.
    ///
    /// # Errors
    /// Those of [`run`](Self::run).
    pub async fn run_while_awaited<T, E, F>(&self, work: Work, use_case: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&A, IsAwaited<'_>) -> Result<T, E> + Send + 'static,
    {
        let app = Arc::clone(&self.executor.app);
        let use_case = move |is_awaited: IsAwaited<'_>| use_case(&app, is_awaited);
        let done = self.in_turn(work, move |is_awaited| {
            use_case(is_awaited).map_err(Into::into)
        });
        let done = self.executor.stalls.while_answered(done);
        in_time(work.bounds().time, done).await
    }

    /// Runs `work` on a file, which needs no database.
    ///
    /// # Errors
    /// Those of `work`, and of the turn.
    pub async fn on_file<T, F>(&self, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        F: FnOnce() -> Result<T, Failure> + Send + 'static,
    {
        let done = self.in_turn(Work::FilePart, |_| work());
        in_time(Work::FilePart.bounds().time, done).await
    }

    async fn in_turn<T, F>(&self, work: Work, run: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        F: FnOnce(IsAwaited<'_>) -> Result<T, Failure> + Send + 'static,
    {
        let place = self.executor.turns.enter(work, &self.caller)?;
        place.turn().await?.run(run).await
    }

    /// Runs a use case that reads a few rows by their keys, on this thread if the database never
    /// makes it wait (which saves more than such a read takes), else as [`read`](Self::read) does.
    ///
    /// # Errors
    /// Those of [`run`](Self::run).
    pub async fn read_by_key<T, E, F>(&self, work: Work, use_case: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: Fn(&A) -> Result<T, E> + Clone + Send + 'static,
    {
        match self.at_once(&use_case) {
            Some(done) => done.map_err(Into::into),
            None => self.read(work, use_case).await,
        }
    }

    /// Runs a use case that reads what may be large: in a turn of `work` as long as it is not, else
    /// in one of [`Work::Large`]. It may run several times.
    ///
    /// # Errors
    /// Those of [`run`](Self::run).
    pub async fn read<T, E, F>(&self, work: Work, use_case: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: Fn(&A) -> Result<T, E> + Clone + Send + 'static,
    {
        match self.read_short(work, use_case.clone()).await? {
            Some(found) => Ok(found),
            None => self.run(Work::Large, use_case).await,
        }
    }

    /// Responds with what a use case reads, which is also written as JSON in its turn.
    ///
    /// # Errors
    /// Those of [`run`](Self::run).
    pub async fn respond<V, E, F>(&self, use_case: F) -> Result<HttpResponse, Failure>
    where
        V: Serialize,
        E: Into<Failure> + Send + 'static,
        F: Fn(&A) -> Result<V, E> + Clone + Send + 'static,
    {
        let write = move |app: &A| {
            let found = use_case(app).map_err(Into::<Failure>::into)?;
            CacheableResponse::json(&found)
        };
        Ok(self.read(Work::Query, write).await?.into())
    }

    /// Runs a use case that reads. Returns `None` if there is more to read than belongs into a turn
    /// of `work`.
    pub(super) async fn read_short<T, E, F>(
        &self,
        work: Work,
        use_case: F,
    ) -> Result<Option<T>, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: Fn(&A) -> Result<T, E> + Send + 'static,
    {
        let database = Arc::clone(&self.executor.database);
        self.run(work, move |app| {
            let mut done = None;
            let is_short = database.within_bounds(&mut || done = Some(use_case(app)));
            done.filter(|_| is_short).transpose()
        })
        .await
    }

    /// Runs a use case that reads, on this thread. Returns `None` if it would have had to wait or
    /// to write, such as always on Postgres, or had much to read; part of it may have run then.
    pub fn at_once<T>(&self, use_case: impl FnOnce(&A) -> T) -> Option<T> {
        let mut use_case = Some(use_case);
        let mut done = None;
        let was_possible = self.executor.database.at_once(&mut || {
            done = use_case.take().map(|use_case| use_case(&self.executor.app));
        });
        done.filter(|_| was_possible)
    }

    /// Runs a use case after the response, so that the duration of a request does not reveal
    /// it. Failures are only logged, but for a caller who has too much of it waiting. A server that stops waits for it: see [`Executor::drain`].
    pub fn run_later<E, F>(&self, what: &'static str, use_case: F)
    where
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&A) -> Result<(), E> + Send + 'static,
    {
        let use_cases = self.clone();
        let pending = self.executor.later.add();
        self.executor.turns.runtime().spawn(async move {
            match use_cases.run(Work::Later, use_case).await {
                Ok(()) | Err(Failure::TooMany { .. }) => {}
                Err(error) => {
                    tracing::error!(what, error = chain(&error), "work after a response failed");
                }
            }
            drop(pending);
        });
    }
}

/// Waits for `work` as long as there is time.
pub(super) async fn in_time<T>(
    time: Time,
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    match time {
        Time::OfRequest => {
            let left = REQUEST_TIMEOUT.saturating_sub(waited());
            let began = Instant::now();
            let done = within(left, work).await;
            add_to_waited(began.elapsed());
            done
        }
        Time::Own(timeout) => within(timeout, work).await,
        Time::Unlimited => work.await,
    }
}

async fn within<T>(
    timeout: Duration,
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    tokio::time::timeout(timeout, work)
        .await
        .map_err(|elapsed| Failure::Unavailable(Box::new(elapsed)))?
}

#[cfg(test)]
mod tests;
