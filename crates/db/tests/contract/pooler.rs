//! PgBouncer between the server and Postgres.

use std::fs;
use std::io::{BufRead as _, BufReader, Lines};
use std::net::TcpListener;
use std::process::{Child, ChildStderr, Command, Stdio};

use ideavault_db::{ConnectError, SqlDatabase};
use ideavault_domain::ports::Database as _;
use tempfile::TempDir;

use crate::support::{Fixture, encryption, password_hash, user};

/// A pooler, which ends with the value.
struct Pooler {
    process: Child,
    url: String,
    _log: Lines<BufReader<ChildStderr>>,
    _folder: TempDir,
}

impl Pooler {
    /// Starts PgBouncer in front of the fixture's database.
    fn start(fixture: &Fixture, settings: &str) -> Self {
        // Somebody else may take the port before.
        let mut tries = (0..10).filter_map(|_| Self::try_start(fixture, settings));
        tries.next().unwrap()
    }

    /// Returns nothing if it could not listen.
    fn try_start(fixture: &Fixture, settings: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let port = {
            let free = TcpListener::bind("127.0.0.1:0").unwrap();
            free.local_addr().unwrap().port()
        };
        let address = fixture.database.url().split('?').next().unwrap();
        let (credentials, place) = address
            .split_once("://")
            .unwrap()
            .1
            .split_once('@')
            .unwrap();
        let (user, password) = credentials.split_once(':').unwrap();
        let (server, name) = place.split_once('/').unwrap();
        let (host, server_port) = server.split_once(':').unwrap();
        let config = folder.path().join("pgbouncer.ini");
        let text = format!(
            "[databases]\n{name} = host={host} port={server_port} user={user} password={password}\n\
             [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nauth_type = any\n\
             unix_socket_dir =\n{settings}\n"
        );
        fs::write(&config, text).unwrap();
        let mut command = Command::new("pgbouncer");
        // It refuses to run as root.
        if fs::metadata("/proc/self").is_ok_and(|of_process| is_roots(&of_process)) {
            command.args(["-u", "nobody"]);
        }
        let mut process = command.arg(&config).stderr(Stdio::piped()).spawn().unwrap();
        let mut log = BufReader::new(process.stderr.take().unwrap()).lines();
        // Listens before.
        let mut lines = log.by_ref().map(Result::unwrap);
        let is_up = lines.any(|line| line.contains("process up"));
        let url = format!("postgres://{user}:{password}@127.0.0.1:{port}/{name}");
        let pooler = Self {
            process,
            url,
            _log: log,
            _folder: folder,
        };
        is_up.then_some(pooler)
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

#[cfg(unix)]
fn is_roots(of_process: &fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::uid(of_process) == 0
}

#[test]
fn a_pooler_that_shares_connections_is_refused() {
    let fixture = Fixture::postgres();
    for settings in [
        "pool_mode = transaction",
        "pool_mode = statement",
        "pool_mode = transaction\nserver_reset_query_always = 1",
    ] {
        let pooler = Pooler::start(&fixture, settings);
        let opened = SqlDatabase::connect(&pooler.url, encryption());
        let error = opened.err().unwrap();
        assert!(
            matches!(error, ConnectError::SharedConnections),
            "{settings}: {error:?}"
        );
    }
}

#[test]
fn a_pooler_that_keeps_connections_apart_is_used() {
    let fixture = Fixture::postgres();
    let pooler = Pooler::start(&fixture, "pool_mode = session");
    let database = SqlDatabase::connect(&pooler.url, encryption()).unwrap();
    let user = user();
    let added = database.write(|tx| tx.users().add_user(&user, &password_hash()));
    assert!(added.unwrap());
    assert!(
        database
            .read(|tx| tx.users().user(user.id))
            .unwrap()
            .is_some()
    );
}
