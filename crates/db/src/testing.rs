//! Fresh, migrated databases for tests: one for each test, so that tests run in
//! parallel and in any order. The schema is created once and then copied.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test without its database can only fail"
)]

use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use diesel::prelude::{Connection, QueryableByName, RunQueryDsl};
use diesel::query_builder::SqlQuery;
use diesel::query_dsl::LoadQuery;
use diesel::sql_types::{BigInt, Binary, Bool, Text};
use diesel::sqlite::SqliteConnection;
use ideavault_domain::ports::Encryption;
use tempfile::TempDir;

use crate::{PoolSize, SqlDatabase};

/// The environment variable with the address of a Postgres server for tests: a superuser
/// on the database `postgres`.
pub const POSTGRES_URL: &str = "IDEAVAULT_TEST_POSTGRES_URL";

/// The template's name, which changes with the migrations.
const TEMPLATE: &str = concat!("ideavault_template_", env!("IDEAVAULT_MIGRATIONS_DIGEST"));

/// A migrated, empty database, removed on drop.
pub struct TestDatabase {
    url: String,
    encryption: Arc<dyn Encryption>,
    home: Home,
}

/// A value of a row, as bytes; the text of a value that is neither text nor bytes.
#[derive(Debug, QueryableByName)]
pub struct Cell {
    /// The table.
    #[diesel(sql_type = Text)]
    pub table: String,
    /// The column.
    #[diesel(sql_type = Text)]
    pub column: String,
    /// The value.
    #[diesel(sql_type = Binary)]
    pub bytes: Vec<u8>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, QueryableByName)]
pub struct Column {
    /// The table.
    #[diesel(sql_type = Text)]
    pub table: String,
    /// The column.
    #[diesel(sql_type = Text)]
    pub column: String,
}

#[derive(QueryableByName)]
struct Statement {
    #[diesel(embed)]
    column: Column,
    #[diesel(sql_type = Text)]
    sql: String,
}

/// Makes a query for the values of each column on SQLite.
const SQLITE_COLUMNS: &str = "SELECT tables.name AS \"table\", columns.name AS \"column\", \
     format('SELECT %Q AS \"table\", %Q AS \"column\", \
     CAST(\"%w\" AS BLOB) AS bytes FROM \"%w\" WHERE \"%w\" IS NOT NULL', \
     tables.name, columns.name, columns.name, tables.name, columns.name) AS sql \
     FROM sqlite_master tables, pragma_table_xinfo(tables.name) columns \
     WHERE tables.type = 'table'";

/// Makes a query for the values of each column on Postgres.
const POSTGRES_COLUMNS: &str = "SELECT table_name::text AS \"table\", \
     column_name::text AS \"column\", format('SELECT %L AS \"table\", %L AS \"column\", \
     ' || CASE data_type WHEN 'bytea' THEN '%I' ELSE 'convert_to(%I::text, ''UTF8'')' END || \
     ' AS bytes FROM %I.%I WHERE %I IS NOT NULL', \
     table_name, column_name, column_name, table_schema, table_name, column_name) AS sql \
     FROM information_schema.columns JOIN information_schema.tables \
     USING (table_catalog, table_schema, table_name) \
     WHERE table_type = 'BASE TABLE' \
     AND table_schema NOT IN ('pg_catalog', 'information_schema')";

#[derive(Debug)]
enum Home {
    Folder(TempDir),
    Server { admin: String, name: String },
}

impl TestDatabase {
    /// Creates a SQLite file, to be opened with `encryption`.
    #[must_use]
    pub fn sqlite(encryption: Arc<dyn Encryption>) -> Self {
        static TEMPLATE: OnceLock<Vec<u8>> = OnceLock::new();
        let template = TEMPLATE.get_or_init(|| {
            let folder = TempDir::new().expect("a temporary folder");
            let path = folder.path().join("template.sqlite");
            let url = format!("sqlite://{}", path.display());
            let database = SqlDatabase::connect(&url, Arc::clone(&encryption));
            database
                .expect("a new SQLite file opens")
                .migrate()
                .expect("the SQLite migrations run");
            // Closing the last connection has checkpointed the write-ahead log.
            std::fs::read(path).expect("the template is readable")
        });
        let folder = TempDir::new().expect("a temporary folder");
        let path = folder.path().join("ideavault.sqlite");
        std::fs::write(&path, template).expect("the template is copied");
        Self {
            url: format!("sqlite://{}", path.display()),
            encryption,
            home: Home::Folder(folder),
        }
    }

    /// Creates a database on the server that [`POSTGRES_URL`] names.
    ///
    /// # Panics
    /// If that variable is not set: a test that did not run must not seem to pass.
    #[must_use]
    pub fn postgres(encryption: Arc<dyn Encryption>) -> Self {
        static MADE: OnceLock<()> = OnceLock::new();
        let Ok(admin) = std::env::var(POSTGRES_URL) else {
            panic!("{POSTGRES_URL} is not set: run `just test-postgres`, which starts a server");
        };
        MADE.get_or_init(|| make_template(&admin, Arc::clone(&encryption)));
        Self::on_server(admin, TEMPLATE, encryption)
    }

    fn on_server(admin: String, template: &str, encryption: Arc<dyn Encryption>) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("ideavault_test_{}_{count}", process::id());
        let mut server = connect(&admin);
        for statement in [
            format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"),
            format!("CREATE DATABASE {name} TEMPLATE {template}"),
        ] {
            server
                .batch_execute(&statement)
                .expect("a database is made of the template");
        }
        Self {
            url: with_name(&admin, &name),
            encryption,
            home: Home::Server { admin, name },
        }
    }

    /// Creates another database of the same kind, without any tables.
    #[must_use]
    pub fn blank_like(&self) -> Self {
        let encryption = Arc::clone(&self.encryption);
        match &self.home {
            Home::Folder(_) => {
                let folder = TempDir::new().expect("a temporary folder");
                Self {
                    url: format!("sqlite://{}", folder.path().join("blank.sqlite").display()),
                    encryption,
                    home: Home::Folder(folder),
                }
            }
            Home::Server { admin, .. } => Self::on_server(admin.clone(), "template0", encryption),
        }
    }

    /// Returns the address for [`SqlDatabase::connect`].
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Blocks all other writes to the table until the returned guard is dropped; reads
    /// go on. On SQLite this locks all tables.
    #[must_use]
    pub fn hold(&self, table: &str) -> Box<dyn Send> {
        if let Some(path) = self.url.strip_prefix("sqlite://") {
            let mut file = SqliteConnection::establish(path).expect("the file opens");
            file.batch_execute("PRAGMA busy_timeout = 10000; BEGIN IMMEDIATE")
                .expect("the file is locked for writing");
            return Box::new(file);
        }
        let mut server = connect(&self.url);
        server
            .batch_execute(&format!("BEGIN; LOCK TABLE {table} IN EXCLUSIVE MODE"))
            .expect("the table is locked");
        Box::new(server)
    }

    /// Runs SQL that no server runs.
    pub fn execute(&self, sql: &str) {
        self.try_execute(sql).expect("the statement runs");
    }

    /// Runs SQL that no server runs, and that the database may refuse.
    ///
    /// # Errors
    /// The refusal.
    pub fn try_execute(&self, sql: &str) -> diesel::QueryResult<()> {
        if let Some(path) = self.url.strip_prefix("sqlite://") {
            let mut file = SqliteConnection::establish(path).expect("the file opens");
            return file.batch_execute(&format!("PRAGMA busy_timeout = 10000; {sql}"));
        }
        connect(&self.url).batch_execute(sql)
    }

    /// Returns the number of rows of a table.
    #[must_use]
    pub fn count(&self, table: &str) -> i64 {
        let query = diesel::sql_query(format!("SELECT count(*) AS count FROM {table}"));
        let found: diesel::QueryResult<Count> = match self.url.strip_prefix("sqlite://") {
            Some(path) => {
                query.get_result(&mut SqliteConnection::establish(path).expect("it opens"))
            }
            None => query.get_result(&mut connect(&self.url)),
        };
        found.expect("the rows are counted").count
    }

    /// Returns every value of every column of every table, except NULL.
    #[must_use]
    pub fn cells(&self) -> Vec<Cell> {
        self.columns_and_cells().1
    }

    /// Returns the columns of all tables.
    #[must_use]
    pub fn columns(&self) -> Vec<Column> {
        self.columns_and_cells().0
    }

    fn columns_and_cells(&self) -> (Vec<Column>, Vec<Cell>) {
        if let Some(path) = self.url.strip_prefix("sqlite://") {
            let mut file = SqliteConnection::establish(path).expect("the file opens");
            file.batch_execute("PRAGMA busy_timeout = 10000")
                .expect("the statement runs");
            return read_cells(&mut file, SQLITE_COLUMNS);
        }
        read_cells(&mut connect(&self.url), POSTGRES_COLUMNS)
    }

    /// Opens the database.
    #[must_use]
    pub fn open(&self) -> SqlDatabase {
        SqlDatabase::connect(&self.url, Arc::clone(&self.encryption))
            .expect("the test database opens")
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        match &self.home {
            Home::Folder(folder) => tracing::trace!(folder = %folder.path().display(), "removed"),
            Home::Server { admin, name } => {
                let dropped = PgConnection::establish(admin).map(|mut server| {
                    server.batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"))
                });
                if !matches!(dropped, Ok(Ok(()))) {
                    tracing::warn!(name, "could not drop a test database");
                }
            }
        }
    }
}

/// Runs the queries that the query `columns` makes.
fn read_cells<C>(connection: &mut C, columns: &str) -> (Vec<Column>, Vec<Cell>)
where
    C: Connection,
    SqlQuery: for<'q> LoadQuery<'q, C, Statement> + for<'q> LoadQuery<'q, C, Cell>,
{
    let statements: Vec<Statement> = diesel::sql_query(columns)
        .load(connection)
        .expect("the database lists its columns");
    let read = statements.iter().flat_map(|statement| -> Vec<Cell> {
        diesel::sql_query(&statement.sql)
            .load(connection)
            .expect("a column can be read")
    });
    let cells = read.collect();
    let columns = statements.into_iter().map(|statement| statement.column);
    (columns.collect(), cells)
}

/// Creates the template under another name first, so that an incomplete one is never used.
fn make_template(admin: &str, encryption: Arc<dyn Encryption>) {
    let mut server = connect(admin);
    // Held until this connection closes: other test processes wait.
    server
        .batch_execute("SELECT pg_advisory_lock(x'696465617661756c'::bigint)")
        .expect("the template is locked");
    let exists = diesel::sql_query(format!(
        "SELECT EXISTS (SELECT FROM pg_database WHERE datname = '{TEMPLATE}') AS exists"
    ))
    .get_result::<Exists>(&mut server)
    .expect("the server lists its databases");
    if exists.exists {
        return;
    }
    let draft = format!("{TEMPLATE}_new");
    for statement in [
        format!("DROP DATABASE IF EXISTS {draft} WITH (FORCE)"),
        format!("CREATE DATABASE {draft} TEMPLATE template0"),
    ] {
        server
            .batch_execute(&statement)
            .expect("a template is made");
    }
    let size = PoolSize {
        postgres: 1,
        ..PoolSize::default()
    };
    SqlDatabase::connect_with(&with_name(admin, &draft), encryption, size)
        .expect("the template opens")
        .migrate()
        .expect("the Postgres migrations run");
    server
        .batch_execute(&format!("ALTER DATABASE {draft} RENAME TO {TEMPLATE}"))
        .expect("the template gets its name");
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

#[derive(QueryableByName)]
struct Exists {
    #[diesel(sql_type = Bool)]
    exists: bool,
}

fn connect(url: &str) -> PgConnection {
    // Before libpq does it; see the server's pool.
    openssl_sys::init();
    PgConnection::establish(url).expect("the Postgres server for tests answers")
}

/// Replaces the database in a server's address.
fn with_name(url: &str, name: &str) -> String {
    let (address, parameters) = url.split_once('?').unwrap_or((url, ""));
    let (server, _) = address
        .rsplit_once('/')
        .expect("the server's address names a database");
    format!("{server}/{name}?{parameters}")
}
