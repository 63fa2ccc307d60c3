//! The server under test, the people who use it, and helpers for responses.

mod answer;
mod app;
mod authenticator;
mod browser;
mod clock;
mod form;
mod outbox;
mod people;
mod process;
mod proxy;

pub use answer::{Answer, keys};
pub use app::{App, Stopped, require_frontend, vault};
pub use authenticator::Authenticator;
pub use browser::Browser;
pub use form::{Form, pdf, png};
pub use outbox::code_in;
pub use people::{Creator, Link, PASSWORD, Visitor};
pub use process::Process;
pub use proxy::Proxy;
