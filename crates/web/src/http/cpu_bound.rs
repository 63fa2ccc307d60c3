//! Use cases on behalf of a caller, who pays for CPU-bound work by waiting in a queue
//! (docs/rules.md#heavy-work).

use std::future::{Ready, ready};
use std::ops::Deref;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use ideavault_domain::failure::Failure;

use super::blocking::Executor;
use super::client::ClientOrigin;
use super::error::ApiError;
pub use super::queue::IsAwaited;
use super::queue::Queue;
use super::sessions;
use crate::app::App;

/// Largest content that is checked outside the queues: it takes milliseconds.
pub const SHORT_TEXT: usize = 32 * 1024;

/// Use cases on behalf of a caller. Heavy work counts for the account, or for the client's
/// address if nobody is signed in.
pub struct UseCases<A = App> {
    executor: Executor<A>,
    quota_key: String,
}

impl<A> Clone for UseCases<A> {
    fn clone(&self) -> Self {
        Self {
            executor: self.executor.clone(),
            quota_key: self.quota_key.clone(),
        }
    }
}

impl<A> Deref for UseCases<A> {
    type Target = Executor<A>;

    fn deref(&self) -> &Executor<A> {
        &self.executor
    }
}

impl FromRequest for UseCases {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let executor = request
            .app_data::<web::Data<Executor>>()
            .ok_or_else(|| Failure::Internal("the use cases are not set up".into()));
        let quota_key = match sessions::signed_in(request) {
            Some(user) => user.to_string(),
            None => ClientOrigin::of(request).0.network().to_string(),
        };
        ready(executor.map_err(ApiError::from).map(|executor| Self {
            executor: executor.as_ref().clone(),
            quota_key,
        }))
    }
}

impl<A: Send + Sync + 'static> UseCases<A> {
    /// Runs a use case that parses content of `length` bytes.
    ///
    /// # Errors
    /// Those of the use case; [`Failure::TooMany`] if the account has too much waiting;
    /// [`Failure::Unavailable`] if the queue is full or the turn does not come in time.
    pub async fn run_parsing<T, E, F>(&self, length: usize, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&A) -> Result<T, E> + Send + 'static,
    {
        if length <= SHORT_TEXT {
            return self.run(work).await;
        }
        self.run_in(&self.queues.texts, |app, _| work(app)).await
    }

    /// Runs a use case that decodes an image.
    ///
    /// # Errors
    /// Those of [`UseCases::run_parsing`].
    pub async fn run_imaging<T, E, F>(&self, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&A) -> Result<T, E> + Send + 'static,
    {
        self.run_in(&self.queues.images, |app, _| work(app)).await
    }

    /// Runs a use case that reads a PDF.
    ///
    /// # Errors
    /// Those of [`UseCases::run_parsing`].
    pub async fn run_pdf<T, E, F>(&self, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&A) -> Result<T, E> + Send + 'static,
    {
        self.run_in(&self.queues.pdfs, |app, _| work(app)).await
    }

    /// Runs a use case that builds a page for a recipient to save.
    ///
    /// # Errors
    /// Those of [`UseCases::run_parsing`].
    pub async fn run_page<T, E, F>(&self, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&A) -> Result<T, E> + Send + 'static,
    {
        self.run_in(&self.queues.pages, |app, _| work(app)).await
    }

    /// Runs a use case that writes an evidence bundle.
    ///
    /// # Errors
    /// Those of [`UseCases::run_parsing`].
    pub async fn run_bundle<T, E, F>(&self, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&A, IsAwaited<'_>) -> Result<T, E> + Send + 'static,
    {
        self.run_in(&self.queues.bundles, work).await
    }

    /// Runs a use case that collects everything of an account.
    ///
    /// # Errors
    /// Those of [`UseCases::run_parsing`].
    pub async fn run_export<T, E, F>(&self, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&A, IsAwaited<'_>) -> Result<T, E> + Send + 'static,
    {
        self.run_in(&self.queues.exports, work).await
    }

    /// Runs a use case that hashes a password.
    ///
    /// # Errors
    /// Those of [`UseCases::run_parsing`].
    pub async fn run_hashing<T, E, F>(&self, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&A) -> Result<T, E> + Send + 'static,
    {
        self.run_in(&self.queues.passwords, |app, _| work(app))
            .await
    }

    async fn run_in<T, E, F>(&self, queue: &Queue, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&A, IsAwaited<'_>) -> Result<T, E> + Send + 'static,
    {
        let place = queue.enter(&self.quota_key)?;
        let turn_and_work = async {
            let turn = place.turn().await?;
            let app = Arc::clone(&self.app);
            turn.run(move |is_awaited| work(&app, is_awaited).map_err(Into::into))
                .await
        };
        self.while_answered(async {
            tokio::time::timeout(queue.timeout(), turn_and_work)
                .await
                .map_err(|elapsed| Failure::Unavailable(Box::new(elapsed)))?
        })
        .await
    }
}

#[cfg(test)]
mod tests;
