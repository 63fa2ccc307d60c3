//! Backup and restore with `pg_dump` and `pg_restore`.

use std::path::Path;
use std::process::{Command, Stdio};

use diesel::connection::{Connection as _, SimpleConnection as _};
use diesel::prelude::{QueryDsl as _, QueryableByName, RunQueryDsl as _};
use diesel::sql_types::{BigInt, Text};
use percent_encoding::percent_decode_str;
use url::Url;

use ideavault_domain::ids::FileId;

use super::Connection;
use super::repo::schema::file_keys;
use crate::error::BackupError;
use crate::stored;

#[derive(QueryableByName)]
struct Snapshot {
    #[diesel(sql_type = Text)]
    name: String,
}

#[derive(QueryableByName)]
struct Tables {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

/// Copies one snapshot to the file `to` and returns the ids of the files that the
/// same snapshot refers to.
pub(crate) fn back_up(url: &str, to: &Path) -> Result<Vec<FileId>, BackupError> {
    let mut connection = connect(url)?;
    connection.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")?;
    let snapshot = diesel::sql_query("SELECT pg_export_snapshot() AS name")
        .get_result::<Snapshot>(&mut connection)?
        .name;
    // A file without a key is erased, even if its bytes are still on the disk.
    let ids: Vec<String> = file_keys::table
        .select(file_keys::file_id)
        .load(&mut connection)?;
    let mut dump = command("pg_dump", url)?;
    dump.args(["--format=custom", "--no-owner", "--no-privileges"])
        .arg(format!("--snapshot={snapshot}"))
        .arg("--file")
        .arg(to);
    run("pg_dump", dump)?;
    connection.batch_execute("COMMIT")?;
    let ids = ids.iter().map(|id| stored::parsed("file id", id));
    Ok(ids.collect::<Result<_, _>>()?)
}

/// Fails if the database has tables.
pub(crate) fn require_empty(url: &str) -> Result<(), BackupError> {
    let mut connection = connect(url)?;
    let tables = diesel::sql_query(
        "SELECT count(*) AS count FROM pg_class \
         WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'",
    );
    if tables.get_result::<Tables>(&mut connection)?.count > 0 {
        return Err(BackupError::NotEmpty);
    }
    Ok(())
}

/// Restores a backup into an empty database, in one transaction.
pub(crate) fn restore(url: &str, from: &Path) -> Result<(), BackupError> {
    let mut restore = command("pg_restore", url)?;
    restore
        .args(["--exit-on-error", "--single-transaction"])
        .args(["--no-owner", "--no-privileges"])
        .arg(from);
    run("pg_restore", restore)
}

fn connect(url: &str) -> Result<Connection, BackupError> {
    // Before libpq does it; see the pool.
    openssl_sys::init();
    Connection::establish(url).map_err(|error| BackupError::SqlDatabase(Box::new(error)))
}

/// Prepares a client program for the database at `url`. The password is passed in
/// the environment: every user of the machine can see the arguments.
fn command(program: &'static str, url: &str) -> Result<Command, BackupError> {
    let mut url = Url::parse(url).map_err(|_| BackupError::Address)?;
    let mut command = Command::new(program);
    if let Some(password) = url.password() {
        let password = percent_decode_str(password)
            .decode_utf8()
            .map_err(|_| BackupError::Address)?;
        command.env("PGPASSWORD", password.as_ref());
    }
    url.set_password(None).map_err(|()| BackupError::Address)?;
    command.arg(format!("--dbname={url}")).stdin(Stdio::null());
    Ok(command)
}

fn run(program: &'static str, mut command: Command) -> Result<(), BackupError> {
    let output = command
        .output()
        .map_err(|source| BackupError::Program { program, source })?;
    if output.status.success() {
        return Ok(());
    }
    let complaint = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(BackupError::Failed { program, complaint })
}
