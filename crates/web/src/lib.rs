//! The HTTP server and the command line of IdeaVault: configuration, wiring, routes,
//! sessions, and the embedded frontend.
//!
//! Invariant: no business rule lives here. A handler extracts, calls one use case, and
//! converts; the application and the domain decide what may be seen or done.

mod app;
pub mod cli;
mod config;
mod csv;
mod data;
mod embedded;
mod http;
mod keys;
mod logo;
mod marks;
mod openapi;
mod outbox_job;
mod platform;
mod routes;
mod server;
mod shells;
mod status;
mod storage_identity;
#[cfg(test)]
mod testing;
mod wire;

pub use config::{
    ConfigError, DataOptions, LanguageModelOptions, LogFormat, MailOptions, RegistrationSetting,
    ServeOptions,
};
pub use data::DataError;
pub use openapi::document as openapi_document;
pub use outbox_job::MailError;
pub use platform::clock;
pub use server::{Server, StartError};
pub use storage_identity::StorageIdentityError;
