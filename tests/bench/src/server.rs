//! The server under measurement, in a process of its own.

use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::Outcome;
use crate::http::{Connection, Request};

/// How long a server may take to start.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often it is asked meanwhile.
const ASK_EVERY: Duration = Duration::from_millis(2);

/// A running server, killed when it goes out of scope.
pub(crate) struct Server {
    child: Child,
    address: SocketAddr,
    start_time: Duration,
    postgres: Option<String>,
    data: TempDir,
}

impl Server {
    /// Starts it on an empty database and waits until it can serve.
    pub(crate) fn start(binary: &Path, database: Option<&str>) -> Outcome<Self> {
        let data = TempDir::new()?;
        // Free a moment ago; nobody else starts servers during a measurement.
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let mut command = Command::new(binary);
        command
            .arg("serve")
            .env("IDEAVAULT_LISTEN", address.to_string())
            .env("IDEAVAULT_DATA_DIR", data.path())
            .env("IDEAVAULT_RATE_LIMIT_SCALE", "0")
            .env("RUST_LOG", "warn")
            .stderr(Stdio::inherit());
        if let Some(url) = database {
            command.env("IDEAVAULT_DATABASE_URL", url);
        }
        let began = Instant::now();
        let child = command.spawn()?;
        let mut server = Self {
            child,
            address,
            start_time: Duration::ZERO,
            postgres: database.map(str::to_owned),
            data,
        };
        while !server.is_ready() {
            if began.elapsed() > PATIENCE {
                return Err("the server does not start".into());
            }
            thread::sleep(ASK_EVERY);
        }
        server.start_time = began.elapsed();
        Ok(server)
    }

    fn is_ready(&self) -> bool {
        let ask = || Connection::open(self.address)?.send(&Request::get("/readyz"));
        ask().is_ok_and(|answer| answer.status == 200)
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where its database is.
    pub(crate) fn database_url(&self) -> String {
        let file = self.data.path().join("ideavault.sqlite");
        let sqlite = || format!("sqlite://{}", file.display());
        self.postgres.clone().unwrap_or_else(sqlite)
    }

    /// Where its master key is.
    pub(crate) fn key_file(&self) -> PathBuf {
        self.data.path().join("secret.key")
    }

    /// From its start to its first answer that it is ready.
    pub(crate) fn start_time(&self) -> Duration {
        self.start_time
    }

    /// The most resident memory that it ever had, in KiB.
    pub(crate) fn peak_memory(&self) -> Outcome<u64> {
        self.status("VmHWM:")
    }

    fn status(&self, key: &str) -> Outcome<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let value = status
            .lines()
            .find_map(|line| line.strip_prefix(key))
            .and_then(|rest| rest.split_whitespace().next())
            .ok_or("the system does not tell the memory of a process")?;
        Ok(value.parse()?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

/// Kills a child; one that is gone already is fine.
pub(crate) fn end(child: &mut Child) {
    if child.kill().is_ok() {
        // Only reaps what was just killed: there is nothing to do about a failure.
        drop(child.wait());
    }
}
