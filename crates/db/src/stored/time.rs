//! Times as rows have them.

use diesel::backend::Backend;
use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::pg::Pg;
use diesel::sql_types::{Text, Timestamptz, TimestamptzSqlite};
use diesel::sqlite::Sqlite;

use ideavault_domain::Timestamp;

/// A time in a row. Diesel writes times to SQLite in one format but tries many when
/// it reads them, which took a fifth of the time of listing ideas. This type reads only
/// that format.
#[derive(Clone, Copy, Debug, FromSqlRow)]
pub(crate) struct Time(Timestamp);

impl From<Time> for Timestamp {
    fn from(time: Time) -> Self {
        time.0
    }
}

impl FromSql<TimestamptzSqlite, Sqlite> for Time {
    fn from_sql(value: <Sqlite as Backend>::RawValue<'_>) -> deserialize::Result<Self> {
        let text = <String as FromSql<Text, Sqlite>>::from_sql(value)?;
        Ok(Self(text.parse()?))
    }
}

impl FromSql<Timestamptz, Pg> for Time {
    fn from_sql(value: <Pg as Backend>::RawValue<'_>) -> deserialize::Result<Self> {
        <Timestamp as FromSql<Timestamptz, Pg>>::from_sql(value).map(Self)
    }
}
