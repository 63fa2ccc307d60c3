//! The HTTP adapter: routes, sessions, rate limits, and the embedded frontend.
//!
//! Invariant: no business rule lives here. A handler extracts, calls one use case, and
//! converts; the application and the domain decide what may be seen or done.

mod app;
pub mod csv;
mod embedded;
mod first_screen;
mod http;
mod logo;
mod metrics;
mod openapi;
mod personal_content;
mod portfolio;
mod routes;
mod server;
mod shells;
mod wire;

pub use app::App;
pub use embedded::PublicSettings;
pub use http::database_handle::DatabaseHandle;
pub use http::error::chain;
pub use http::executor::Executor;
pub use http::turns::Work;
pub use http::use_cases::UseCases;
pub use logo::{Logo, LogoError};
pub use metrics::{Figures, MetricsSource, ProcessFigure};
pub use openapi::document as openapi_document;
pub use personal_content::PersonalContentTimeout;
pub use routes::health::Readiness;
pub use server::{CookieKeys, Signals, WebServer, WebServerDeps};
pub use shells::ShellsError;
