//! Which state of the database a reader sees.

/// A state of all data. Two reads of equal versions from one open database see the same data:
/// every commit, by whatever process, makes another version. Nothing can be concluded from
/// different ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataVersion(pub(crate) Version);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    /// SQLite's counter of the changes that one connection has seen.
    Sqlite(i32),
    /// The transactions that are visible, and when the server started: only until then does it
    /// give no transaction the number of another.
    Postgres(String),
}
