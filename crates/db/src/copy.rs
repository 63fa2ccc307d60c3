//! Copies a vault from SQLite to Postgres, or back.
//!
//! Invariant: tables and columns are taken from the catalogues of both databases, never from a
//! list, so that none can be forgotten. All of them are copied, also sessions, limits, jobs and
//! waiting mails: they depend on the vault, not on the kind of its database.

use std::cmp::Ordering;
use std::error::Error;

use diesel::prelude::{QueryResult, QueryableByName};
use diesel::result::Error as DieselError;
use diesel::sql_types::{BigInt, Bool, Integer, Nullable, Text};
use ideavault_domain::ids::StorageId;
use serde_json::Value;
use thiserror::Error;

use crate::database::SqlDatabase;
use crate::error::{BackupError, ConnectError};
use crate::postgres::{PostgresTables, is_encoded};
use crate::sqlite::{SqliteTables, in_new_file, require_no_file};

/// Rows, and bytes of them, that are written at a time; a larger row alone.
const BATCH_ROWS: usize = 1_000;
const BATCH_BYTES: usize = 1024 * 1024;

/// A complete copy. Nothing else can write to the original until this is dropped.
#[must_use]
pub struct DatabaseCopy {
    /// How many tables were copied.
    pub tables: usize,
    /// How many rows they have.
    pub rows: u64,
    _original: Box<dyn Tables>,
}

/// How far a copy is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyProgress {
    /// This number of rows is written.
    Copied(u64),
    /// This number of rows is read back, and as in the original.
    Compared(u64),
}

/// Why a vault was not copied. The database to copy to is as it was, and the original too.
#[derive(Debug, Error)]
pub enum CopyError {
    /// The original cannot be opened.
    #[error("the database of the vault cannot be opened")]
    Original(#[from] ConnectError),
    /// The database to copy to cannot be opened, or its file not written.
    #[error("the database of --to cannot be used")]
    Target(#[source] Box<dyn Error + Send + Sync>),
    /// The database to copy to has tables, or is a file.
    #[error(
        "the database of --to is not empty: name a file that does not exist, or make a new \
         database (`createdb --owner=ROLE --encoding=UTF8 --template=template0 NAME`)"
    )]
    NotEmpty,
    /// Both databases are SQLite, or both Postgres.
    #[error(
        "both databases are of the same kind: give --to the address of the other one, \
         postgres://... or sqlite://PATH. `ideavault backup` and `ideavault restore` move a vault \
         to another database of its kind"
    )]
    SameKind,
    /// Somebody has the original open.
    #[error("the vault is in use: stop all servers and other commands, and run this again")]
    InUse,
    /// Only one of the databases has a column.
    #[error(
        "only one of the databases has {0}: copy the vault with the version of IdeaVault that has \
         migrated it last"
    )]
    Unmatched(String),
    /// A column is of a type that is not known here.
    #[error("{0} has a type that cannot be copied")]
    UnknownType(String),
    /// A statement failed.
    #[error("the database cannot {operation}")]
    Database {
        /// What could not be done.
        operation: String,
        /// The cause.
        #[source]
        source: DieselError,
    },
    /// The schema cannot be made.
    #[error("the tables cannot be made in the database of --to")]
    Schema(#[source] Box<dyn Error + Send + Sync>),
    /// A row of the original refers to another one that is missing.
    #[error("a row of {0} refers to one that is missing: see `ideavault evidence check`")]
    DanglingReference(String),
    /// A row that was read back differs.
    #[error("row {row} of {table} is not the same in the copy")]
    Differs {
        /// The table.
        table: String,
        /// Which one, in the order of their keys.
        row: u64,
    },
    /// The copy would give numbers to rows that the original has given already.
    #[error("the copy does not count on from where the original is")]
    Counters,
}

impl From<BackupError> for CopyError {
    fn from(error: BackupError) -> Self {
        match error {
            BackupError::NotEmpty => Self::NotEmpty,
            error => Self::Target(error.into()),
        }
    }
}

impl CopyError {
    pub(crate) fn target(error: impl Error + Send + Sync + 'static) -> Self {
        Self::Target(error.into())
    }

    pub(crate) fn at(operation: impl Into<String>) -> impl FnOnce(DieselError) -> Self {
        move |source| Self::Database {
            operation: operation.into(),
            source,
        }
    }
}

impl SqlDatabase {
    /// Copies the vault at `from` to an empty database of the other kind at `to`, makes its tables
    /// there, and compares every row with the original. The copy is tied to the files with the id
    /// `files`, if that is given: until these have it, no server starts with the copy, and from then
    /// on none with the original.
    ///
    /// # Errors
    /// [`CopyError`]; then the database at `to` is as empty as it was.
    pub fn copy(
        from: &str,
        to: &str,
        files: Option<StorageId>,
        progress: &mut dyn FnMut(CopyProgress),
    ) -> Result<DatabaseCopy, CopyError> {
        let is_postgres = |url| match split(url) {
            Some(("sqlite", _)) => Ok(false),
            Some(_) => Ok(true),
            None => Err(ConnectError::UnknownAddress),
        };
        let to_postgres = is_postgres(to).map_err(CopyError::target)?;
        if is_postgres(from)? == to_postgres {
            return Err(CopyError::SameKind);
        }
        let path = |url| split(url).map_or(url, |(_, path)| path);
        if to_postgres {
            let original = SqliteTables::locked(path(from))?;
            let target = PostgresTables::made(to)?;
            return copy(Box::new(original), target, files, progress);
        }
        let to = path(to).as_ref();
        require_no_file(to)?;
        let original = PostgresTables::locked(from)?;
        in_new_file(to, |file| {
            copy(
                Box::new(original),
                SqliteTables::made(file)?,
                files,
                progress,
            )
        })
    }
}

/// Splits an address into scheme and the rest, if it is one of the two kinds.
fn split(url: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = url.split_once("://")?;
    let is_known = match scheme {
        "sqlite" => true,
        "postgres" | "postgresql" => is_encoded(url),
        _ => false,
    };
    (is_known && !rest.is_empty()).then_some((scheme, rest))
}

/// The tables of one database, in an open transaction, which ends when this is dropped.
pub(crate) trait Tables {
    /// Returns the columns of all tables but that of the migrations.
    fn columns(&mut self) -> QueryResult<Vec<Column>>;

    /// Returns a query for the rows of a table as JSON arrays, ordered by its key.
    fn select(&self, table: &Table) -> String;

    /// Returns a statement that adds the rows in a JSON array of such arrays.
    fn insert(&self, table: &Table) -> String;

    /// Runs a query of [`Tables::select`].
    fn rows(&mut self, select: &str) -> QueryResult<Rows<'_>>;

    /// Runs a statement of [`Tables::insert`].
    fn add(&mut self, insert: &str, rows: &str) -> QueryResult<usize>;

    /// Deletes all rows of a table.
    fn clear(&mut self, table: &Table) -> QueryResult<usize>;

    /// Returns the last number that each table has given to a row.
    fn counters(&mut self) -> QueryResult<Vec<Counter>>;

    /// Lets the table count on from there.
    fn set_counter(&mut self, counter: &Counter) -> QueryResult<usize>;
}

/// New tables, whose triggers do not run and whose references are not checked yet.
pub(crate) trait NewTables: Tables {
    /// Ties the copy to files with another id than those of the original.
    fn set_storage_id(&mut self, id: StorageId) -> QueryResult<()>;

    /// Checks all references, puts the triggers back, and commits.
    fn finish(self) -> Result<(), CopyError>;
}

/// Returns the statement that replaces the id of the file storage.
pub(crate) fn new_storage_id(id: StorageId) -> String {
    format!("UPDATE storage_identity SET id = '{id}'")
}

/// Rows, each as the text of a JSON array.
pub(crate) type Rows<'c> = Box<dyn Iterator<Item = QueryResult<Row>> + 'c>;

/// A row as the text of a JSON array.
#[derive(QueryableByName)]
pub(crate) struct Row {
    #[diesel(sql_type = Text)]
    json: String,
}

/// A column as a catalogue has it.
#[derive(Clone, QueryableByName)]
pub(crate) struct Column {
    #[diesel(sql_type = Text)]
    table: String,
    #[diesel(sql_type = Text)]
    pub(crate) name: String,
    #[diesel(sql_type = Bool)]
    is_generated: bool,
    /// The type; only Postgres tells times and booleans from texts and numbers.
    #[diesel(sql_type = Nullable<Text>)]
    postgres_type: Option<String>,
    /// The place in the primary key on Postgres.
    #[diesel(sql_type = Nullable<Integer>)]
    key_position: Option<i32>,
}

/// The last number that a table has given to a row.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, QueryableByName)]
pub(crate) struct Counter {
    #[diesel(sql_type = Text)]
    pub(crate) table: String,
    #[diesel(sql_type = BigInt)]
    pub(crate) value: i64,
}

/// The types of columns. In JSON, bytes are in hexadecimal digits, booleans 0 or 1, and times as
/// SQLite has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnType {
    Integer,
    Text,
    Bytes,
    Boolean,
    Time,
}

impl ColumnType {
    fn of(postgres_type: &str) -> Option<Self> {
        Some(match postgres_type {
            "integer" | "bigint" => Self::Integer,
            "text" => Self::Text,
            "bytea" => Self::Bytes,
            "boolean" => Self::Boolean,
            "timestamp with time zone" => Self::Time,
            _ => return None,
        })
    }
}

/// A table that both databases have.
pub(crate) struct Table {
    name: String,
    columns: Vec<(Column, ColumnType)>,
}

impl Table {
    pub(crate) fn name(&self) -> String {
        quoted(&self.name)
    }

    /// Lists an expression for each column.
    pub(crate) fn selected(&self, read: impl Fn(&str, ColumnType) -> String) -> String {
        let columns = self.columns.iter();
        listed(columns.map(|(column, kind)| read(&quoted(&column.name), *kind)))
    }

    /// Lists the names of the columns that are written.
    pub(crate) fn written_names(&self) -> String {
        listed(self.written().map(|(_, column, _)| quoted(&column.name)))
    }

    /// Lists an expression for each column that is written, of its place in a row.
    pub(crate) fn written_values(&self, write: impl Fn(usize, ColumnType) -> String) -> String {
        listed(self.written().map(|(place, _, kind)| write(place, kind)))
    }

    /// Lists an expression for each column of the primary key.
    pub(crate) fn key(&self, order: impl Fn(&str, ColumnType) -> String) -> String {
        let of_key = |column: &&(Column, _)| column.0.key_position.is_some();
        let mut key: Vec<_> = self.columns.iter().filter(of_key).collect();
        key.sort_by_key(|(column, _)| column.key_position);
        let key = key.into_iter();
        listed(key.map(|(column, kind)| order(&quoted(&column.name), *kind)))
    }

    fn written(&self) -> impl Iterator<Item = (usize, &Column, ColumnType)> {
        let columns = self.columns.iter().enumerate();
        let columns = columns.map(|(place, (column, kind))| (place, column, *kind));
        columns.filter(|(_, column, _)| !column.is_generated)
    }
}

pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn listed(expressions: impl Iterator<Item = String>) -> String {
    expressions.collect::<Vec<_>>().join(", ")
}

fn copy(
    mut from: Box<dyn Tables>,
    mut to: impl NewTables,
    files: Option<StorageId>,
    progress: &mut dyn FnMut(CopyProgress),
) -> Result<DatabaseCopy, CopyError> {
    let list = |tables: &mut dyn Tables| {
        let columns = tables.columns();
        columns.map_err(CopyError::at("list its columns"))
    };
    let tables = tables_of(list(from.as_mut())?, list(&mut to)?)?;
    let mut rows = 0;
    for table in &tables {
        copy_table(table, from.as_mut(), &mut to, &mut |count| {
            rows += count;
            progress(CopyProgress::Copied(rows));
        })?;
    }
    let counters = counters_of(from.as_mut())?;
    for counter in &counters {
        let counting = || format!("count on in {}", counter.table);
        to.set_counter(counter)
            .map_err(|error| CopyError::at(counting())(error))?;
    }
    compare(&tables, from.as_mut(), &mut to, progress)?;
    if counters_of(&mut to)? != counters {
        return Err(CopyError::Counters);
    }
    if let Some(id) = files {
        let set = to.set_storage_id(id);
        set.map_err(CopyError::at("be tied to the files"))?;
    }
    to.finish()?;
    Ok(DatabaseCopy {
        tables: tables.len(),
        rows,
        _original: from,
    })
}

/// Matches the columns of both databases.
fn tables_of(mut ours: Vec<Column>, mut theirs: Vec<Column>) -> Result<Vec<Table>, CopyError> {
    let order = |one: &Column, other: &Column| {
        let of = |column: &Column| (column.table.clone(), column.name.clone());
        of(one).cmp(&of(other))
    };
    ours.sort_by(order);
    theirs.sort_by(order);
    let mut theirs = theirs.into_iter();
    let mut tables: Vec<Table> = Vec::new();
    for mut column in ours {
        let described = |column: &Column| format!("the column {}.{}", column.table, column.name);
        let Some(other) = theirs.next() else {
            return Err(CopyError::Unmatched(described(&column)));
        };
        match order(&column, &other) {
            Ordering::Equal if column.is_generated == other.is_generated => {}
            Ordering::Less | Ordering::Equal => {
                return Err(CopyError::Unmatched(described(&column)));
            }
            Ordering::Greater => return Err(CopyError::Unmatched(described(&other))),
        }
        column.postgres_type = column.postgres_type.or(other.postgres_type);
        column.key_position = column.key_position.or(other.key_position);
        let kind = column.postgres_type.as_deref().and_then(ColumnType::of);
        let kind = kind.ok_or_else(|| CopyError::UnknownType(described(&column)))?;
        match tables.last_mut().filter(|last| last.name == column.table) {
            Some(table) => table.columns.push((column, kind)),
            None => tables.push(Table {
                name: column.table.clone(),
                columns: vec![(column, kind)],
            }),
        }
    }
    match theirs.next() {
        Some(column) => Err(CopyError::Unmatched(format!(
            "the column {}.{}",
            column.table, column.name
        ))),
        None => Ok(tables),
    }
}

fn copy_table(
    table: &Table,
    from: &mut dyn Tables,
    to: &mut dyn Tables,
    progress: &mut dyn FnMut(u64),
) -> Result<(), CopyError> {
    let reading = || CopyError::at(format!("read {}", table.name));
    let writing = || CopyError::at(format!("write {}", table.name));
    // Migrations add rows to some tables.
    to.clear(table).map_err(writing())?;
    let insert = to.insert(table);
    let select = from.select(table);
    // SQLite would begin again after the last row.
    let mut rows = from.rows(&select).map_err(reading())?.fuse();
    loop {
        let mut batch = String::new();
        let mut count = 0;
        while count < BATCH_ROWS && batch.len() < BATCH_BYTES {
            let Some(row) = rows.next() else { break };
            batch.push(if count == 0 { '[' } else { ',' });
            batch.push_str(&row.map_err(reading())?.json);
            count += 1;
        }
        if count == 0 {
            return Ok(());
        }
        batch.push(']');
        to.add(&insert, &batch).map_err(writing())?;
        progress(u64::try_from(count).unwrap_or(u64::MAX));
    }
}

fn counters_of(tables: &mut dyn Tables) -> Result<Vec<Counter>, CopyError> {
    let counters = tables.counters();
    let mut counters = counters.map_err(CopyError::at("tell what it has counted"))?;
    counters.sort();
    Ok(counters)
}

/// Reads all rows of both databases, and compares them.
fn compare(
    tables: &[Table],
    from: &mut dyn Tables,
    to: &mut dyn Tables,
    progress: &mut dyn FnMut(CopyProgress),
) -> Result<(), CopyError> {
    let mut compared = 0;
    for table in tables {
        let reading = || CopyError::at(format!("read {}", table.name));
        let (original, copy) = (from.select(table), to.select(table));
        let mut original = from.rows(&original).map_err(reading())?;
        let mut copy = to.rows(&copy).map_err(reading())?;
        for row in 1.. {
            let rows = (
                original.next().transpose().map_err(reading())?,
                copy.next().transpose().map_err(reading())?,
            );
            match rows {
                (None, None) => break,
                (Some(one), Some(other)) if one.is(&other) => {}
                _ => {
                    let table = table.name.clone();
                    return Err(CopyError::Differs { table, row });
                }
            }
            compared += 1;
            progress(CopyProgress::Compared(compared));
        }
    }
    Ok(())
}

impl Row {
    /// Returns whether both have the same values. The databases write JSON differently.
    fn is(&self, other: &Self) -> bool {
        let values = |row: &Self| serde_json::from_str::<Vec<Value>>(&row.json).ok();
        values(self).is_some_and(|values_of| Some(values_of) == values(other))
    }
}
