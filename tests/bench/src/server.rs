//! The server under measurement, in a separate process.

use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::Outcome;
use crate::http::{Connection, Request};

/// How long a server may take to start.
const START_TIMEOUT: Duration = Duration::from_secs(30);
/// How often the server is asked meanwhile whether it is ready.
const ASK_EVERY: Duration = Duration::from_millis(2);

/// A running server, killed on drop.
pub(crate) struct Server {
    binary: PathBuf,
    child: Child,
    address: SocketAddr,
    start_time: Duration,
    postgres: Option<String>,
    data: TempDir,
}

impl Server {
    /// Starts a server on an empty database and waits until it is ready.
    pub(crate) fn start(binary: &Path, database: Option<&str>) -> Outcome<Self> {
        let data = TempDir::new()?;
        let address = free_address()?;
        let began = Instant::now();
        let child = serve(binary, data.path(), database, address)?;
        let mut server = Self {
            binary: binary.to_owned(),
            child,
            address,
            start_time: Duration::ZERO,
            postgres: database.map(str::to_owned),
            data,
        };
        until_ready(address)?;
        server.start_time = began.elapsed();
        Ok(server)
    }

    /// Stops it and starts it again on the same data. Returns the time until it is ready.
    pub(crate) fn restart(&mut self) -> Outcome<Duration> {
        signal(&self.child, "TERM")?;
        self.child.wait()?;
        let began = Instant::now();
        let database = self.postgres.as_deref();
        self.child = serve(&self.binary, self.data.path(), database, self.address)?;
        until_ready(self.address)?;
        Ok(began.elapsed())
    }

    /// Lets it stand still until [`Server::resume`].
    pub(crate) fn pause(&self) -> Outcome<()> {
        signal(&self.child, "STOP")
    }

    /// Lets it go on.
    pub(crate) fn resume(&self) -> Outcome<()> {
        signal(&self.child, "CONT")
    }

    /// Returns the address that it listens on.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the address of its database.
    pub(crate) fn database_url(&self) -> String {
        let file = self.data.path().join("ideavault.sqlite");
        let sqlite = || format!("sqlite://{}", file.display());
        self.postgres.clone().unwrap_or_else(sqlite)
    }

    /// Returns the path of its master key.
    pub(crate) fn key_file(&self) -> PathBuf {
        self.data.path().join("secret.key")
    }

    /// Returns the time from its start until it was ready.
    pub(crate) fn start_time(&self) -> Duration {
        self.start_time
    }

    /// Returns its peak resident memory, in KiB.
    pub(crate) fn peak_memory(&self) -> Outcome<u64> {
        peak_memory_of(&self.child)
    }

    /// Returns its resident memory, in KiB.
    pub(crate) fn memory(&self) -> Outcome<u64> {
        memory_of(&self.child, "VmRSS:")
    }

    /// Returns a command of `binary` on the same data, without arguments.
    pub(crate) fn command(&self, binary: &Path) -> Command {
        command_on(binary, self.data.path(), self.postgres.as_deref())
    }
}

/// Returns a free address. It stays free: nothing else starts servers during a measurement.
pub(crate) fn free_address() -> Outcome<SocketAddr> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}

/// Waits until a server that was started on `address` is ready.
pub(crate) fn until_ready(address: SocketAddr) -> Outcome<()> {
    let began = Instant::now();
    let ask = || Connection::open(address)?.send(&Request::get("/readyz"));
    while !ask().is_ok_and(|answer| answer.status == 200) {
        if began.elapsed() > START_TIMEOUT {
            return Err("the server does not start".into());
        }
        thread::sleep(ASK_EVERY);
    }
    Ok(())
}

/// Returns a command of `binary` on that data, without arguments.
pub(crate) fn command_on(binary: &Path, data: &Path, database: Option<&str>) -> Command {
    let mut command = Command::new(binary);
    command
        .env("IDEAVAULT_DATA_DIR", data)
        .env("RUST_LOG", "warn")
        .stderr(Stdio::inherit());
    if let Some(url) = database {
        command.env("IDEAVAULT_DATABASE_URL", url);
    }
    command
}

/// Starts a server on that data.
fn serve(
    binary: &Path,
    data: &Path,
    database: Option<&str>,
    address: SocketAddr,
) -> Outcome<Child> {
    let mut command = command_on(binary, data, database);
    command
        .arg("serve")
        .env("IDEAVAULT_LISTEN", address.to_string())
        .env("IDEAVAULT_RATE_LIMIT_SCALE", "0");
    Ok(command.spawn()?)
}

/// Returns the peak resident memory of a running process, in KiB.
pub(crate) fn peak_memory_of(child: &Child) -> Outcome<u64> {
    memory_of(child, "VmHWM:")
}

fn memory_of(child: &Child, field: &str) -> Outcome<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()))?;
    let value = status
        .lines()
        .find_map(|line| line.strip_prefix(field))
        .and_then(|rest| rest.split_whitespace().next())
        .ok_or("the system does not tell the memory of a process")?;
    Ok(value.parse()?)
}

impl Drop for Server {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

/// Sends a signal to a child process.
pub(crate) fn signal(child: &Child, name: &str) -> Outcome<()> {
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-s", name, &id]).status()?;
    if sent.success() {
        Ok(())
    } else {
        Err(format!("the signal {name} was not sent").into())
    }
}

/// Kills a child process, which may have ended already.
pub(crate) fn end(child: &mut Child) {
    if child.kill().is_ok() {
        // Only reaps the killed process; nothing can be done about a failure.
        drop(child.wait());
    }
}
