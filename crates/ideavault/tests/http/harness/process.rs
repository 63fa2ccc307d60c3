//! The real binary as a process.

use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use chrono::Duration;

use super::app::{App, Stopped};
use super::browser::Browser;

/// A running `ideavault serve`.
pub struct Process {
    child: Child,
    base: String,
    clock: PathBuf,
    log: Arc<Mutex<String>>,
    /// Reads the log continuously, so that the process never blocks on it.
    reader: Option<JoinHandle<()>>,
}

/// Settings that tests turn off unless they test them.
const UNLIMITED: (&str, &str) = ("IDEAVAULT_RATE_LIMIT_SCALE", "0");

impl Process {
    /// Starts one on the database and data folder of `app`, with the most detailed log.
    pub fn start(app: &App) -> Self {
        Self::spawn(app.data_dir(), app.database_url(), &[("RUST_LOG", "trace")])
    }

    /// Starts one on the database and data folder of `app` with these variables.
    pub fn with(app: &App, settings: &[(&str, &str)]) -> Self {
        Self::spawn(app.data_dir(), app.database_url(), settings)
    }

    /// Starts one on the database and data folder of `app`, without rate limits.
    pub fn beside(app: &App) -> Self {
        Self::spawn(app.data_dir(), app.database_url(), &[UNLIMITED])
    }

    /// Starts one on the database of `app` with a data folder of its own.
    pub fn elsewhere(app: &App, data_dir: &Path) -> Self {
        Self::spawn(data_dir, app.database_url(), &[UNLIMITED])
    }

    /// Starts one where another has stopped, without rate limits.
    pub fn of(home: &Stopped) -> Self {
        Self::spawn(home.data_dir(), home.database_url(), &[UNLIMITED])
    }

    fn spawn(data_dir: &Path, database_url: &str, settings: &[(&str, &str)]) -> Self {
        let clock = data_dir.join("clock");
        let mut child = Command::new(env!("CARGO_BIN_EXE_ideavault"))
            .args(["serve", "--listen", "127.0.0.1:0"])
            .env("IDEAVAULT_DATABASE_URL", database_url)
            .env("IDEAVAULT_DATA_DIR", data_dir)
            .env("IDEAVAULT_TEST_CLOCK", &clock)
            .envs(settings.iter().copied())
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut seen = String::new();
        let base = loop {
            let Some(line) = lines.next() else {
                panic!("it did not start:\n{seen}");
            };
            let line = line.unwrap();
            seen.push_str(&line);
            seen.push('\n');
            let url = line
                .split_once("listening url=\"")
                .or_else(|| line.split_once("\"listening\",\"url\":\""));
            if let Some((_, rest)) = url {
                break rest.split('"').next().unwrap().to_owned();
            }
        };
        let log = Arc::new(Mutex::new(seen));
        let seen = Arc::clone(&log);
        let reader = thread::spawn(move || {
            for line in lines {
                let mut seen = seen.lock().unwrap();
                seen.push_str(&line.unwrap());
                seen.push('\n');
            }
        });
        Self {
            child,
            base,
            clock,
            log,
            reader: Some(reader),
        }
    }

    /// Returns a browser that uses it.
    pub fn browser(&self) -> Browser {
        // The server closes idle connections, perhaps in the moment in which one is used again.
        let client = reqwest::Client::builder()
            .no_proxy()
            .pool_max_idle_per_host(0)
            .build()
            .unwrap();
        Browser::new(client, self.base.clone())
    }

    /// Its base URL.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Sets its clock, and that of its successors, to that offset from the real time.
    pub fn set_clock(&self, ahead: Duration) {
        let new = self.clock.with_extension("new");
        std::fs::write(&new, ahead.num_seconds().to_string()).unwrap();
        // Replaced atomically, so that the server never reads half a number.
        std::fs::rename(new, &self.clock).unwrap();
    }

    /// Kills it with SIGKILL.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Opens a TCP connection to it.
    pub fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address()).unwrap()
    }

    /// The listen address.
    pub fn address(&self) -> &str {
        self.base.trim_start_matches("http://")
    }

    /// Its peak memory, in bytes.
    pub fn peak_memory(&self) -> u64 {
        let status = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(status).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes = peak.unwrap().trim().trim_end_matches(" kB");
        kibibytes.parse::<u64>().unwrap() * 1_024
    }

    /// Sends SIGTERM.
    pub fn terminate(&self) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &pid]).status();
        assert!(sent.unwrap().success());
    }

    /// Waits until its log has that text.
    pub async fn logs(&self, text: &str) {
        loop {
            let has_ended = self.reader.as_ref().unwrap().is_finished();
            if self.log.lock().unwrap().contains(text) {
                return;
            }
            assert!(!has_ended, "{}", self.log.lock().unwrap());
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }

    /// Waits until it has ended successfully. Returns its log.
    pub fn end(mut self) -> String {
        self.reader.take().unwrap().join().unwrap();
        let log = self.log.lock().unwrap().clone();
        let status = self.child.wait().unwrap();
        assert_eq!(status.code(), Some(0), "{log}");
        log
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Fails if it has ended already, as it should have.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
