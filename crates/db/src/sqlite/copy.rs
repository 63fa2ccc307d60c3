//! SQLite as one end of a copy to the other kind of database.

use std::path::Path;

use diesel::connection::{
    AnsiTransactionManager, Connection as _, DefaultLoadingMode, SimpleConnection as _,
    TransactionManager as _,
};
use diesel::prelude::{QueryResult, QueryableByName, RunQueryDsl as _};
use diesel::sql_types::{BigInt, Text};
use ideavault_domain::ids::StorageId;

use super::Connection;
use super::pool::{absolute, run_migrations};
use super::repo::begin;
use crate::copy::{
    Column, ColumnType, CopyError, Counter, NewTables, Row, Rows, Table, Tables, new_storage_id,
    quoted,
};
use crate::error::{ConnectError, is_locked};

/// Waits for servers that are stopping. Every other connection keeps the file from being locked.
const LOCK_FILE: &str = "
    PRAGMA busy_timeout = 5000;
    PRAGMA locking_mode = EXCLUSIVE;
";

/// References are checked at the end.
const NEW_FILE: &str = "
    PRAGMA foreign_keys = OFF;
    PRAGMA cache_size = -65536;
";

const COLUMNS: &str = r#"
    SELECT tables.name AS "table", columns.name AS name, columns.hidden <> 0 AS is_generated,
        NULL AS postgres_type, NULL AS key_position
    FROM sqlite_schema AS tables, pragma_table_xinfo(tables.name) AS columns
    WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite\_%' ESCAPE '\'
        AND tables.name <> '__diesel_schema_migrations'"#;

const TRIGGERS: &str = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'";

const COUNTERS: &str = r#"SELECT name AS "table", seq AS value FROM sqlite_sequence WHERE seq > 0"#;

#[derive(QueryableByName)]
struct Trigger {
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    sql: String,
}

#[derive(QueryableByName)]
struct Violation {
    #[diesel(sql_type = Text)]
    table: String,
}

/// The tables of a SQLite file.
pub(crate) struct SqliteTables {
    connection: Connection,
    /// Those that a new file does without until it is filled.
    triggers: Vec<Trigger>,
}

impl SqliteTables {
    /// Opens the vault in a file, which nobody else can open from now on.
    pub(crate) fn locked(path: &str) -> Result<Self, CopyError> {
        let mut connection = connect(path.as_ref())?;
        let locked = connection
            .batch_execute(LOCK_FILE)
            .and_then(|()| begin(&mut connection, "BEGIN EXCLUSIVE"));
        match locked {
            Err(error) if is_locked(&error) => return Err(CopyError::InUse),
            locked => locked.map_err(CopyError::at("be locked"))?,
        }
        Ok(Self {
            connection,
            triggers: Vec::new(),
        })
    }

    /// Makes the tables of a vault in an empty file.
    pub(crate) fn made(path: &Path) -> Result<Self, CopyError> {
        let mut connection = connect(path).map_err(CopyError::target)?;
        connection
            .batch_execute(NEW_FILE)
            .and_then(|()| begin(&mut connection, "BEGIN IMMEDIATE"))
            .map_err(CopyError::at("begin a transaction"))?;
        run_migrations(&mut connection).map_err(CopyError::Schema)?;
        let triggers = take_triggers(&mut connection);
        Ok(Self {
            triggers: triggers.map_err(CopyError::at("put off its triggers"))?,
            connection,
        })
    }
}

fn connect(path: &Path) -> Result<Connection, ConnectError> {
    Connection::establish(&absolute(path)?).map_err(|error| ConnectError::Sqlite {
        path: path.to_owned(),
        source: error.into(),
    })
}

fn take_triggers(connection: &mut Connection) -> QueryResult<Vec<Trigger>> {
    let triggers: Vec<Trigger> = diesel::sql_query(TRIGGERS).load(connection)?;
    for trigger in &triggers {
        connection.batch_execute(&format!("DROP TRIGGER {}", quoted(&trigger.name)))?;
    }
    Ok(triggers)
}

impl Tables for SqliteTables {
    fn columns(&mut self) -> QueryResult<Vec<Column>> {
        diesel::sql_query(COLUMNS).load(&mut self.connection)
    }

    fn select(&self, table: &Table) -> String {
        let values = table.selected(|column, kind| match kind {
            ColumnType::Bytes => {
                format!("CASE WHEN {column} IS NOT NULL THEN hex({column}) END")
            }
            _ => column.to_owned(),
        });
        let key = table.key(|column, _| column.to_owned());
        let name = table.name();
        format!("SELECT json_array({values}) AS json FROM {name} ORDER BY {key}")
    }

    fn insert(&self, table: &Table) -> String {
        let values = table.written_values(|place, kind| match kind {
            ColumnType::Bytes => format!("unhex(value->>{place})"),
            _ => format!("value->>{place}"),
        });
        let (name, columns) = (table.name(), table.written_names());
        format!("INSERT INTO {name} ({columns}) SELECT {values} FROM json_each($1)")
    }

    fn rows(&mut self, select: &str) -> QueryResult<Rows<'_>> {
        let query = diesel::sql_query(select);
        let rows = query.load_iter::<Row, DefaultLoadingMode>(&mut self.connection)?;
        Ok(Box::new(rows))
    }

    fn add(&mut self, insert: &str, rows: &str) -> QueryResult<usize> {
        let insert = diesel::sql_query(insert).bind::<Text, _>(rows);
        insert.execute(&mut self.connection)
    }

    fn clear(&mut self, table: &Table) -> QueryResult<usize> {
        diesel::sql_query(format!("DELETE FROM {}", table.name())).execute(&mut self.connection)
    }

    fn counters(&mut self) -> QueryResult<Vec<Counter>> {
        diesel::sql_query(COUNTERS).load(&mut self.connection)
    }

    fn set_counter(&mut self, counter: &Counter) -> QueryResult<usize> {
        diesel::sql_query("DELETE FROM sqlite_sequence WHERE name = $1")
            .bind::<Text, _>(&counter.table)
            .execute(&mut self.connection)?;
        diesel::sql_query("INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)")
            .bind::<Text, _>(&counter.table)
            .bind::<BigInt, _>(counter.value)
            .execute(&mut self.connection)
    }
}

impl NewTables for SqliteTables {
    fn set_storage_id(&mut self, id: StorageId) -> QueryResult<()> {
        self.connection.batch_execute(&new_storage_id(id))
    }

    fn finish(mut self) -> Result<(), CopyError> {
        let violations = diesel::sql_query("PRAGMA foreign_key_check");
        let violations: QueryResult<Vec<Violation>> = violations.load(&mut self.connection);
        let violations = violations.map_err(CopyError::at("check its references"))?;
        if let Some(Violation { table }) = violations.into_iter().next() {
            return Err(CopyError::DanglingReference(table));
        }
        let mut triggers = self.triggers.iter();
        triggers
            .try_for_each(|trigger| self.connection.batch_execute(&trigger.sql))
            .and_then(|()| AnsiTransactionManager::commit_transaction(&mut self.connection))
            .map_err(CopyError::at("commit"))
    }
}
