//! Which program this is.

/// The version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit that it is built from, or `unknown`.
pub const COMMIT: &str = env!("IDEAVAULT_COMMIT");

/// Both, for people.
pub const VERSION_AND_COMMIT: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (commit ",
    env!("IDEAVAULT_COMMIT"),
    ")"
);
