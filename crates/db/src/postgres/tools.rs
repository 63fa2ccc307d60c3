//! Backup and restore with `pg_dump` and `pg_restore`.

use std::path::Path;
use std::process::{Command, Stdio};

use diesel::connection::{Connection as _, SimpleConnection as _};
use diesel::prelude::{QueryDsl as _, QueryableByName, RunQueryDsl as _};
use diesel::sql_types::{BigInt, Text};
use percent_encoding::percent_decode_str;

use ideavault_domain::ids::FileId;

use super::Connection;
use super::address::with_parameters;
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

/// Fails if the database has tables, in the schema of all or where its user makes them.
pub(crate) fn require_empty(url: &str) -> Result<(), BackupError> {
    require_no_tables(&mut connect(url)?)
}

/// The same, on a connection.
pub(super) fn require_no_tables(connection: &mut Connection) -> Result<(), BackupError> {
    let tables = diesel::sql_query(
        "SELECT count(*) AS count FROM pg_class \
         WHERE relnamespace IN ('public'::regnamespace, current_schema()::regnamespace) \
         AND relkind = 'r'",
    );
    if tables.get_result::<Tables>(connection)?.count > 0 {
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
    Connection::establish(&with_parameters(url))
        .map_err(|error| BackupError::SqlDatabase(Box::new(error)))
}

/// Has `pg_dump` read the schema, as a backup would, and `pg_restore` tell its version. Returns
/// the version of the former.
pub(crate) fn try_out(url: &str) -> Result<String, BackupError> {
    let version = |program| {
        let mut command = Command::new(program);
        command.arg("--version").stdin(Stdio::null());
        let output = command
            .output()
            .map_err(|source| BackupError::Program { program, source })?;
        Ok::<_, BackupError>(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    version("pg_restore")?;
    let found = version("pg_dump")?;
    let mut dump = command("pg_dump", url)?;
    dump.args(["--schema-only", "--file=/dev/null"]);
    run("pg_dump", dump)?;
    Ok(found)
}

/// Prepares a client program for the database at `url`. The password is passed in
/// the environment: every user of the machine can see the arguments.
fn command(program: &'static str, url: &str) -> Result<Command, BackupError> {
    let (url, password) = without_password(&with_parameters(url))?;
    let mut command = Command::new(program);
    if let Some(password) = password {
        command.env("PGPASSWORD", password);
    }
    command.arg(format!("--dbname={url}")).stdin(Stdio::null());
    Ok(command)
}

/// Splits the password off an address, as libpq reads it: also with several hosts, or with the
/// folder of a socket as host, which no other address has.
fn without_password(url: &str) -> Result<(String, Option<String>), BackupError> {
    let decoded = |text: &str| {
        let text = percent_decode_str(text).decode_utf8();
        text.map(String::from).map_err(|_| BackupError::Address)
    };
    let (scheme, rest) = url.split_once("://").ok_or(BackupError::Address)?;
    let mut password = None;
    let mut rest = rest.to_owned();
    if let Some((user_info, hosts)) = rest.split_once('@')
        && !user_info.contains('/')
        && let Some((user, found)) = user_info.split_once(':')
    {
        password = Some(decoded(found)?);
        rest = format!("{user}@{hosts}");
    }
    if let Some((place, parameters)) = rest.split_once('?') {
        let mut kept = Vec::new();
        for parameter in parameters.split('&') {
            match parameter.split_once('=') {
                Some(("password", found)) => password = Some(decoded(found)?),
                _ => kept.push(parameter),
            }
        }
        rest = format!("{place}?{}", kept.join("&"));
    }
    Ok((format!("{scheme}://{rest}"), password))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_password_is_taken_out_of_an_address() {
        for (url, without, password) in [
            (
                "postgres://u:p%40ss@db/x",
                "postgres://u@db/x",
                Some("p@ss"),
            ),
            ("postgres://u@db:5433/x", "postgres://u@db:5433/x", None),
            (
                "postgres:///x?host=/run/pg",
                "postgres:///x?host=/run/pg",
                None,
            ),
            (
                "postgres:///x?user=u&password=p%3Ass&host=/run/pg",
                "postgres:///x?user=u&host=/run/pg",
                Some("p:ss"),
            ),
            (
                "postgres://u:p@%2Frun%2Fpg/x",
                "postgres://u@%2Frun%2Fpg/x",
                Some("p"),
            ),
            (
                "postgres://u:p@a:5432,b:5433/x?target_session_attrs=read-write",
                "postgres://u@a:5432,b:5433/x?target_session_attrs=read-write",
                Some("p"),
            ),
            (
                "postgres://u:p?q@[::1]/x",
                "postgres://u@[::1]/x",
                Some("p?q"),
            ),
            (
                "postgres://db/x?options=a@b:c",
                "postgres://db/x?options=a@b:c",
                None,
            ),
        ] {
            let found = without_password(url).unwrap();
            assert_eq!(found, (without.to_owned(), password.map(str::to_owned)));
        }
    }
}
