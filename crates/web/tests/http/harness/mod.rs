//! The server under test, the people who use it, and what they get to see.

mod answer;
mod app;
mod browser;
mod clock;
mod form;
mod people;
mod proxy;

pub use answer::{Answer, keys};
pub use app::{App, Stopped, require_frontend};
pub use browser::Browser;
pub use form::{Form, pdf, png};
pub use people::{Creator, Link, Visitor};
pub use proxy::Proxy;
