//! The `ideavault` binary as a library: commands, settings, wiring, background jobs, and
//! the vault on this machine (data folder, keys, clock).
//!
//! Invariant: no business rule and no HTTP lives here. This crate connects the adapters to
//! the use cases, and starts and stops them.

mod advice;
pub mod cli;
mod config;
mod data;
mod exit_status;
mod jobs;
mod keys;
mod listener;
mod mailer;
mod ownership;
mod platform;
mod server;
mod status;
mod storage_identity;
#[cfg(test)]
mod testing;
mod version;
mod wiring;

pub use advice::advice;
pub use config::{
    ConfigError, DataOptions, LanguageModelOptions, LogFormat, MailOptions, RegistrationSetting,
    ServeOptions,
};
pub use data::DataError;
pub use exit_status::{EXIT_SETTING, EXIT_UNAVAILABLE};
pub use listener::release as release_listener;
pub use mailer::MailError;
pub use platform::clock;
pub use server::{Server, StartError};
pub use storage_identity::StorageIdentityError;
pub use version::{COMMIT, VERSION, VERSION_AND_COMMIT};
