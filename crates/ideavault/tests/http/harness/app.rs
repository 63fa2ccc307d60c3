//! The server under test.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::thread::{self, JoinHandle};

use chrono::{Duration, NaiveTime};
use clap::Parser;
use ideavault::{ServeOptions, Server};
use ideavault_anchors::bitcoin::Network;
use ideavault_crypto::{HashingCost, KeyRing, MasterKey};
use ideavault_db::testing::{Cell, Column, TestDatabase};
use ideavault_domain::Timestamp;
use ideavault_domain::ports::Clock as _;
use ideavault_domain::ports::Encryption;
use ideavault_mail::testing::SmtpSink;
use ideavault_web::PersonalContentTimeout;
use tempfile::TempDir;
use tokio::sync::oneshot;

use super::browser::Browser;
use super::clock::TestClock;
use super::people::{Creator, Visitor};

/// A running server, which stops when dropped.
pub struct App {
    running: Running,
    client: reqwest::Client,
    world: Arc<World>,
}

/// The data of a stopped server.
pub struct Stopped(Arc<World>);

impl Stopped {
    /// Starts the server again.
    pub async fn start(self) -> App {
        self.start_with(&[]).await
    }

    /// Starts the server again with further `options`.
    pub async fn start_with(self, options: &[&str]) -> App {
        App::start(self.0, options).await
    }

    /// Creates an empty database of the same kind.
    pub fn blank_database(&self) -> TestDatabase {
        self.0.database.blank_like()
    }

    /// URL of the database.
    pub fn database_url(&self) -> &str {
        self.0.database.url()
    }

    /// The data folder.
    pub fn data_dir(&self) -> &Path {
        self.0.data_dir.path()
    }

    /// Returns every value in the database.
    pub fn cells(&self) -> Vec<Cell> {
        self.0.database.cells()
    }

    /// Returns the columns of all tables.
    pub fn columns(&self) -> Vec<Column> {
        self.0.database.columns()
    }
}

/// Resources that concurrent servers share. Dropped last, after all of them.
struct World {
    clock: Arc<TestClock>,
    data_dir: TempDir,
    database: TestDatabase,
}

/// Creates an empty database. Its keys do not matter, because the server opens it with its
/// own.
pub fn vault() -> Arc<dyn Encryption> {
    Arc::new(KeyRing::new(&[MasterKey::from_random([7; 32])]).unwrap())
}

/// One HTTP client for all tests, because building one reads the system's certificates. It
/// keeps no connections, because each test has a runtime of its own.
fn client() -> reqwest::Client {
    static CLIENT: LazyLock<reqwest::Client> = LazyLock::new(|| {
        reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .pool_max_idle_per_host(0)
            .build()
            .unwrap()
    });
    CLIENT.clone()
}

/// The command line's options, for their defaults.
#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    serve: ServeOptions,
}

impl App {
    /// Starts with a new SQLite database.
    pub async fn on_sqlite() -> Self {
        Self::on(TestDatabase::sqlite(vault())).await
    }

    /// Starts with a new Postgres database.
    pub async fn on_postgres() -> Self {
        Self::on(TestDatabase::postgres(vault())).await
    }

    /// Starts with a new SQLite database and further `options`.
    pub async fn with(options: &[&str]) -> Self {
        Self::on_with(TestDatabase::sqlite(vault()), options).await
    }

    async fn on(database: TestDatabase) -> Self {
        Self::on_with(database, &[]).await
    }

    async fn on_with(database: TestDatabase, options: &[&str]) -> Self {
        let world = World {
            clock: Arc::new(TestClock::start()),
            data_dir: TempDir::new().unwrap(),
            database,
        };
        Self::start(Arc::new(world), options).await
    }

    /// Starts another server on the same database, data folder and clock, with further
    /// `options`.
    pub async fn another(&self, options: &[&str]) -> Self {
        Self::start(Arc::clone(&self.world), options).await
    }

    /// Starts another one whose documents wait no longer for their content than in production.
    pub async fn another_impatient(&self, options: &[&str]) -> Self {
        let world = Arc::clone(&self.world);
        Self::start_waiting(world, options, PersonalContentTimeout::default()).await
    }

    /// Starts a server with the same clock on another data folder and database.
    pub async fn elsewhere(&self, data_dir: TempDir, database: TestDatabase) -> Self {
        let world = World {
            clock: Arc::clone(&self.world.clock),
            data_dir,
            database,
        };
        Self::start(Arc::new(world), &[]).await
    }

    /// Creates an empty database of the same kind.
    pub fn blank_database(&self) -> TestDatabase {
        self.world.database.blank_like()
    }

    /// Blocks writes to that table until the guard is dropped.
    pub fn hold(&self, table: &str) -> Box<dyn Send> {
        self.world.database.hold(table)
    }

    /// Executes SQL that no server would.
    pub fn execute(&self, sql: &str) {
        self.world.database.execute(sql);
    }

    /// Returns whether the database runs SQL that no server would.
    pub fn allows(&self, sql: &str) -> bool {
        self.world.database.try_execute(sql).is_ok()
    }

    /// Returns every value in the database.
    pub fn cells(&self) -> Vec<Cell> {
        self.world.database.cells()
    }

    /// Stops the server. Its database and data folder stay.
    pub fn stop(self) -> Stopped {
        Stopped(Arc::clone(&self.world))
    }

    /// Stops the server and starts it again with further `options`.
    pub async fn restart(self, options: &[&str]) -> Self {
        let world = Arc::clone(&self.world);
        drop(self);
        Self::start(world, options).await
    }

    /// Restarts the server with `sink` as its mail server.
    pub async fn mailing_to(self, sink: &SmtpSink) -> Self {
        self.restart(&mail_options(&sink.url())).await
    }

    /// Starts another server beside this one, with `sink` as its mail server.
    pub async fn another_mailing_to(&self, sink: &SmtpSink) -> Self {
        self.another(&mail_options(&sink.url())).await
    }

    async fn start(world: Arc<World>, options: &[&str]) -> Self {
        // A busy machine can stop for seconds.
        let patient = PersonalContentTimeout(std::time::Duration::from_secs(30));
        Self::start_waiting(world, options, patient).await
    }

    async fn start_waiting(
        world: Arc<World>,
        options: &[&str],
        personal_content_timeout: PersonalContentTimeout,
    ) -> Self {
        let data_dir = world.data_dir.path().to_str().unwrap();
        let mut arguments = vec!["ideavault"];
        arguments.extend(["--listen", "127.0.0.1:0"]);
        arguments.extend(["--data-dir", data_dir]);
        if !options.contains(&"--database-url") {
            arguments.extend(["--database-url", world.database.url()]);
        }
        // Tests send more requests than people do; tests of rate limits turn them on.
        if !options.contains(&"--rate-limit-scale") {
            arguments.extend(["--rate-limit-scale", "0"]);
        }
        // Address confirmation is off, too.
        if !options.contains(&"--confirm-addresses") {
            arguments.extend(["--confirm-addresses", "never"]);
        }
        arguments.extend(options);
        let mut options = CommandLine::parse_from(arguments).serve;
        // Blocks of the main network cannot be made up.
        options.anchors.bitcoin_network = Network::Regtest;
        // Tests register people by the thousand.
        options.hashing_cost = HashingCost {
            memory_kib: 8,
            passes: 1,
        };
        options.personal_content_timeout = personal_content_timeout;
        let running = Running::start(options, Arc::clone(&world.clock)).await;
        Self {
            running,
            client: client(),
            world,
        }
    }

    /// Returns a browser without cookies.
    pub fn browser(&self) -> Browser {
        Browser::new(self.client.clone(), self.origin())
    }

    /// Registers a creator with that name and signs in.
    pub async fn creator(&self, name: &str) -> Creator {
        Creator::sign_up(self.browser(), name).await
    }

    /// Returns a person with a new browser, to open share links.
    pub fn visitor(&self) -> Visitor {
        Visitor::new(self.browser())
    }

    /// URL of the database.
    pub fn database_url(&self) -> &str {
        self.world.database.url()
    }

    /// The data folder, with secret key and outbox.
    pub fn data_dir(&self) -> &Path {
        self.world.data_dir.path()
    }

    /// The listen address.
    pub fn address(&self) -> SocketAddr {
        self.running.address
    }

    /// The listen address of the metrics, if there are any.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.running.metrics_address
    }

    /// The base of every link that it sends.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address())
    }

    /// Path of the stored bytes of the file at that address.
    pub fn stored(&self, path: &str) -> PathBuf {
        let id = path.strip_prefix("/api/files/").unwrap();
        self.data_dir().join("files").join(&id[..2]).join(id)
    }

    /// Advances the server's clock.
    pub fn advance(&self, by: Duration) {
        self.world.clock.advance(by);
    }

    /// Advances the server's clock by more than the time in which a mail that was handed over has
    /// to be on record as sent, once all are: the server would send them again.
    pub async fn advance_past_mails(&self, by: Duration) {
        while self.cells().iter().any(|cell| cell.table == "outbox_mails") {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        self.advance(by);
    }

    /// Advances the server's clock to the next midnight, UTC, where daily caps begin anew.
    pub fn advance_to_midnight(&self) {
        let tomorrow = self.now().date_naive().succ_opt().unwrap();
        self.advance(tomorrow.and_time(NaiveTime::MIN).and_utc() - self.now());
    }

    /// Returns the server's time.
    pub fn now(&self) -> Timestamp {
        self.world.clock.now()
    }
}

fn mail_options(smtp_url: &str) -> [&str; 4] {
    ["--smtp-url", smtp_url, "--mail-from", "vault@example.org"]
}

/// Fails with an instruction if the frontend is not built.
pub fn require_frontend() {
    let index = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../frontend/dist/index.html"
    );
    assert!(
        Path::new(index).exists(),
        "the frontend is not built, so that the server has no pages: run `just test-sqlite`, \
         or `npm run build` in frontend/",
    );
}

/// Runs a server on a thread of its own, because it has an event loop of its own.
struct Running {
    address: SocketAddr,
    metrics_address: Option<SocketAddr>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    async fn start(options: ServeOptions, clock: Arc<TestClock>) -> Self {
        let (stop, stopped) = oneshot::channel::<()>();
        let (tell, bound) = oneshot::channel();
        let thread = thread::spawn(move || {
            actix_web::rt::System::new().block_on(async move {
                let server = Server::bind(options, clock).await.unwrap();
                let addresses = (server.address(), server.metrics_address());
                tell.send(addresses).unwrap();
                tokio::select! {
                    ended = server.run() => ended.unwrap(),
                    _ = stopped => {}
                }
            });
        });
        let (address, metrics_address) = bound.await.unwrap();
        Self {
            address,
            metrics_address,
            stop: Some(stop),
            thread: Some(thread),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.stop.take());
        let ended = self.thread.take().map(JoinHandle::join);
        if !thread::panicking() {
            ended.unwrap().unwrap();
        }
    }
}
