//! The `ideavault` binary as a library: commands, settings, wiring, background jobs, and
//! the vault on this machine (data folder, keys, clock).
//!
//! Invariant: no business rule and no HTTP lives here. This crate connects the adapters to
//! the use cases, and starts and stops them.

pub mod cli;
mod config;
mod data;
mod jobs;
mod keys;
mod mailer;
mod platform;
mod server;
mod status;
mod storage_identity;
#[cfg(test)]
mod testing;
mod wiring;

pub use config::{
    ConfigError, DataOptions, LanguageModelOptions, LogFormat, MailOptions, RegistrationSetting,
    ServeOptions,
};
pub use data::DataError;
pub use mailer::MailError;
pub use platform::clock;
pub use server::{Server, StartError};
pub use storage_identity::StorageIdentityError;
