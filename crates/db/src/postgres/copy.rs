//! Postgres as one end of a copy to the other kind of database.

use std::time::{Duration, Instant};

use diesel::connection::{
    AnsiTransactionManager, Connection as _, SimpleConnection as _, TransactionManager as _,
};
use diesel::pg::PgRowByRowLoadingMode;
use diesel::prelude::{QueryResult, QueryableByName, RunQueryDsl as _};
use diesel::sql_types::{BigInt, Text};
use ideavault_domain::ids::StorageId;

use super::address::with_parameters;
use super::pool::{MIGRATION_LOCK, run_migrations};
use super::repo::begin;
use super::{Connection, shared_connections, tools};
use crate::copy::{
    Column, ColumnType, CopyError, Counter, NewTables, Row, Rows, Table, Tables, new_storage_id,
};
use crate::error::{ConnectError, is_locked, table_with_dangling_reference};

/// How long to wait for servers that are stopping.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);
const STOP_RETRY: Duration = Duration::from_millis(50);

const UNLIMITED: &str = "
    SET LOCAL statement_timeout = 0;
    SET LOCAL idle_in_transaction_session_timeout = 0;
    SET LOCAL lock_timeout = '5s';
";

/// Lets nobody write until the transaction ends.
const LOCK_TABLES: &str = "
    DO $$
    DECLARE name REGCLASS;
    BEGIN
        FOR name IN SELECT oid FROM pg_class
            WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
        LOOP
            EXECUTE format('LOCK TABLE %s IN EXCLUSIVE MODE', name);
        END LOOP;
    END
    $$";

/// Within a transaction, Postgres shows who is connected as it was when it was first asked.
const LOOK_AGAIN: &str = "SELECT pg_stat_clear_snapshot()";

/// Connections of programs that are called as this one.
const OTHERS: &str = "SELECT count(*) AS count FROM pg_stat_activity \
     WHERE datname = current_database() AND pid <> pg_backend_pid() \
     AND application_name = current_setting('application_name')";

const COLUMNS: &str = "
    SELECT relname::text AS table, attname::text AS name, attgenerated <> '' AS is_generated,
        format_type(atttypid, NULL) AS postgres_type,
        array_position(indkey::int2[], attnum) AS key_position
    FROM pg_class
    JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
    LEFT JOIN pg_index ON indrelid = pg_class.oid AND indisprimary
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
        AND relname <> '__diesel_schema_migrations'";

const COUNTERS: &str = r#"
    SELECT * FROM (
        SELECT table_name::text AS "table", pg_sequence_last_value(
            pg_get_serial_sequence(quote_ident(table_name), column_name)::regclass
        ) AS value
        FROM information_schema.columns
        WHERE table_schema = current_schema() AND is_identity = 'YES'
    ) AS counters
    WHERE value IS NOT NULL"#;

const SET_COUNTER: &str = "
    SELECT setval(pg_get_serial_sequence(quote_ident(table_name), column_name), $2)
    FROM information_schema.columns
    WHERE table_schema = current_schema() AND is_identity = 'YES' AND table_name = $1";

#[derive(QueryableByName)]
struct Others {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

/// The tables of a Postgres database.
pub(crate) struct PostgresTables(Connection);

impl PostgresTables {
    /// Opens the vault at `url`, to which nobody can write from now on.
    pub(crate) fn locked(url: &str) -> Result<Self, CopyError> {
        let mut tables = Self(connect(url)?);
        let locked = begin(&mut tables.0, "BEGIN")
            .and_then(|()| tables.0.batch_execute(UNLIMITED))
            .and_then(|()| tables.0.batch_execute(LOCK_TABLES));
        match locked {
            Err(error) if is_locked(&error) => return Err(CopyError::InUse),
            locked => locked.map_err(CopyError::at("be locked"))?,
        }
        // A server that was told to stop may not have ended yet.
        let deadline = Instant::now() + STOP_TIMEOUT;
        loop {
            let others = (tables.0.batch_execute(LOOK_AGAIN))
                .and_then(|()| diesel::sql_query(OTHERS).get_result::<Others>(&mut tables.0));
            if others.map_err(CopyError::at("tell who uses it"))?.count == 0 {
                return Ok(tables);
            }
            if Instant::now() >= deadline {
                return Err(CopyError::InUse);
            }
            std::thread::sleep(STOP_RETRY);
        }
    }

    /// Makes the tables of a vault in the empty database at `url`.
    pub(crate) fn made(url: &str) -> Result<Self, CopyError> {
        let mut connection = connect(url).map_err(CopyError::target)?;
        shared_connections::refuse(&mut connection, url).map_err(CopyError::target)?;
        begin(&mut connection, "BEGIN")
            .and_then(|()| connection.batch_execute(MIGRATION_LOCK))
            .and_then(|()| connection.batch_execute(UNLIMITED))
            .map_err(CopyError::at("begin a transaction"))?;
        tools::require_no_tables(&mut connection)?;
        run_migrations(&mut connection).map_err(CopyError::Schema)?;
        connection
            .batch_execute(&for_all("DISABLE", "DEFERRABLE INITIALLY DEFERRED"))
            .map_err(CopyError::at("put off its triggers"))?;
        Ok(Self(connection))
    }
}

fn connect(url: &str) -> Result<Connection, ConnectError> {
    // Before libpq does it; see the pool.
    openssl_sys::init();
    Connection::establish(&with_parameters(url))
        .map_err(|error| ConnectError::Unreadable(error.into()))
}

/// Enables or disables the triggers of all tables, and puts off their foreign keys or does not.
fn for_all(triggers: &str, foreign_keys: &str) -> String {
    format!(
        "DO $$
         DECLARE found RECORD;
         BEGIN
             FOR found IN SELECT oid::regclass AS name FROM pg_class
                 WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
             LOOP
                 EXECUTE format('ALTER TABLE %s {triggers} TRIGGER USER', found.name);
             END LOOP;
             FOR found IN SELECT conrelid::regclass AS name, conname FROM pg_constraint
                 WHERE connamespace = current_schema()::regnamespace AND contype = 'f'
             LOOP
                 EXECUTE format('ALTER TABLE %s ALTER CONSTRAINT %I {foreign_keys}', found.name,
                     found.conname);
             END LOOP;
         END
         $$"
    )
}

impl Tables for PostgresTables {
    fn columns(&mut self) -> QueryResult<Vec<Column>> {
        diesel::sql_query(COLUMNS).load(&mut self.0)
    }

    fn select(&self, table: &Table) -> String {
        let values = table.selected(|column, kind| match kind {
            ColumnType::Integer | ColumnType::Text => column.to_owned(),
            ColumnType::Bytes => format!("upper(encode({column}, 'hex'))"),
            ColumnType::Boolean => format!("{column}::int"),
            // Without zeros at the end, in groups of three.
            ColumnType::Time => format!(
                "regexp_replace(to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'), \
                 '(\\.000)?000$', '') || '+00:00'"
            ),
        });
        // As SQLite orders texts.
        let key = table.key(|column, kind| match kind {
            ColumnType::Text => format!("{column} COLLATE \"C\""),
            _ => column.to_owned(),
        });
        let name = table.name();
        format!("SELECT json_build_array({values})::text AS json FROM {name} ORDER BY {key}")
    }

    fn insert(&self, table: &Table) -> String {
        let values = table.written_values(|place, kind| {
            let value = format!("value->>{place}");
            match kind {
                ColumnType::Text => value,
                ColumnType::Integer => format!("({value})::bigint"),
                ColumnType::Bytes => format!("decode({value}, 'hex')"),
                ColumnType::Boolean => format!("({value})::int::boolean"),
                ColumnType::Time => format!("({value})::timestamptz"),
            }
        });
        let (name, columns) = (table.name(), table.written_names());
        format!(
            "INSERT INTO {name} ({columns}) OVERRIDING SYSTEM VALUE \
             SELECT {values} FROM jsonb_array_elements($1::jsonb)"
        )
    }

    fn rows(&mut self, select: &str) -> QueryResult<Rows<'_>> {
        let query = diesel::sql_query(select);
        let rows = query.load_iter::<Row, PgRowByRowLoadingMode>(&mut self.0)?;
        Ok(Box::new(rows))
    }

    fn add(&mut self, insert: &str, rows: &str) -> QueryResult<usize> {
        let insert = diesel::sql_query(insert).bind::<Text, _>(rows);
        insert.execute(&mut self.0)
    }

    fn clear(&mut self, table: &Table) -> QueryResult<usize> {
        diesel::sql_query(format!("DELETE FROM {}", table.name())).execute(&mut self.0)
    }

    fn counters(&mut self) -> QueryResult<Vec<Counter>> {
        diesel::sql_query(COUNTERS).load(&mut self.0)
    }

    fn set_counter(&mut self, counter: &Counter) -> QueryResult<usize> {
        diesel::sql_query(SET_COUNTER)
            .bind::<Text, _>(&counter.table)
            .bind::<BigInt, _>(counter.value)
            .execute(&mut self.0)
    }
}

impl NewTables for PostgresTables {
    fn set_storage_id(&mut self, id: StorageId) -> QueryResult<()> {
        self.0.batch_execute(&new_storage_id(id))
    }

    fn finish(mut self) -> Result<(), CopyError> {
        self.0
            .batch_execute("SET CONSTRAINTS ALL IMMEDIATE")
            .map_err(|error| match table_with_dangling_reference(&error) {
                Some(table) => CopyError::DanglingReference(table.to_owned()),
                None => CopyError::at("check its references")(error),
            })?;
        self.0
            .batch_execute(&for_all("ENABLE", "NOT DEFERRABLE"))
            .and_then(|()| AnsiTransactionManager::commit_transaction(&mut self.0))
            .map_err(CopyError::at("commit"))
    }
}
