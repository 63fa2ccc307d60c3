//! One of several servers on one database and one bucket.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::server::{command_on, end, signal, until_ready};

use super::bucket;

/// How long a stopped instance may work on before it counts as hanging.
const STOP_TIMEOUT: Duration = Duration::from_secs(40);
/// How often it is asked meanwhile whether it has ended.
const ASK_EVERY: Duration = Duration::from_millis(20);

/// The settings that all instances share.
pub(super) struct Vault {
    /// The server.
    pub(super) binary: PathBuf,
    /// The address of the Postgres database.
    pub(super) database_url: String,
    /// The address of the S3 server.
    pub(super) bucket_endpoint: String,
    /// The address of the proxy.
    pub(super) public_url: String,
    /// The master key.
    pub(super) key: String,
}

impl Vault {
    /// Returns a command on the vault, without arguments.
    pub(super) fn command(&self, data: &Path) -> Command {
        let mut command = command_on(&self.binary, data, Some(&self.database_url));
        command
            .envs(bucket::SETTINGS)
            .env("AWS_ENDPOINT_URL", &self.bucket_endpoint)
            .env("IDEAVAULT_SECRET_KEY", &self.key)
            .env("IDEAVAULT_PUBLIC_URL", &self.public_url)
            .env("IDEAVAULT_TRUSTED_PROXIES", "127.0.0.1")
            .env("IDEAVAULT_RATE_LIMIT_SCALE", "0")
            // A database or a file that is away for a moment is part of the measurement.
            .env("RUST_LOG", "error");
        command
    }
}

/// A server with a data folder and an address of its own, killed on drop.
pub(super) struct Instance {
    data: PathBuf,
    address: SocketAddr,
    process: Option<Child>,
}

impl Instance {
    /// Returns an instance that does not run yet.
    pub(super) fn new(data: PathBuf, address: SocketAddr) -> Outcome<Self> {
        std::fs::create_dir(&data)?;
        Ok(Self {
            data,
            address,
            process: None,
        })
    }

    /// Returns its data folder.
    pub(super) fn data(&self) -> &Path {
        &self.data
    }

    /// Starts it, without waiting until it is ready.
    pub(super) fn start(&mut self, vault: &Vault) -> Outcome<()> {
        let mut command = vault.command(&self.data);
        command
            .arg("serve")
            .env("IDEAVAULT_LISTEN", self.address.to_string());
        self.process = Some(command.spawn()?);
        Ok(())
    }

    /// Waits until it answers requests.
    pub(super) fn until_ready(&self) -> Outcome<()> {
        until_ready(self.address)
    }

    /// Ends it in the midst of whatever it does.
    pub(super) fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            end(&mut process);
        }
    }

    /// Asks it to end, and waits until it has.
    pub(super) fn stop(&mut self) -> Outcome<()> {
        let Some(process) = &mut self.process else {
            return Ok(());
        };
        signal(process, "TERM")?;
        let began = Instant::now();
        while process.try_wait()?.is_none() {
            if began.elapsed() > STOP_TIMEOUT {
                return Err("an instance does not stop".into());
            }
            thread::sleep(ASK_EVERY);
        }
        self.process = None;
        Ok(())
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        self.kill();
    }
}
