//! The bridge from async handlers to sync use cases.
//! Invariant: this is the only place that calls `web::block`.

use std::sync::Arc;

use actix_web::web;
use ideavault_domain::failure::Failure;
use tokio::sync::Semaphore;

use super::error::chain;
use crate::app::App;

/// The use cases, callable from async code.
#[derive(Clone)]
pub struct UseCases {
    app: Arc<App>,
    hashing: Arc<Semaphore>,
}

impl UseCases {
    /// Wraps the application. At most `hashes` passwords are hashed at a time:
    /// each takes 19 MiB and a processor for a while.
    pub fn new(app: App, hashes: usize) -> Self {
        Self {
            app: Arc::new(app),
            hashing: Arc::new(Semaphore::new(hashes)),
        }
    }

    /// Runs a use case where blocking is allowed.
    pub async fn run<T, E, F>(&self, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&App) -> Result<T, E> + Send + 'static,
    {
        let app = Arc::clone(&self.app);
        web::block(move || work(&app).map_err(Into::into))
            .await
            .map_err(|error| Failure::Unavailable(Box::new(error)))?
    }

    /// Runs a use case after the answer, so that nobody can tell from the time
    /// that it takes. Its failure is logged, and nobody else hears of it.
    pub fn run_later<E, F>(&self, what: &'static str, work: F)
    where
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&App) -> Result<(), E> + Send + 'static,
    {
        let use_cases = self.clone();
        actix_web::rt::spawn(async move {
            if let Err(error) = use_cases.run(work).await {
                tracing::error!(what, error = chain(&error), "work after an answer failed");
            }
        });
    }

    /// Runs a use case that hashes a password, when its turn comes.
    pub async fn run_hashing<T, E, F>(&self, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&App) -> Result<T, E> + Send + 'static,
    {
        let _turn = self
            .hashing
            .acquire()
            .await
            .map_err(|error| Failure::Unavailable(Box::new(error)))?;
        self.run(work).await
    }
}
