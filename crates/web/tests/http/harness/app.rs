//! The server under test.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::thread::{self, JoinHandle};

use chrono::Duration;
use clap::Parser;
use ideavault_crypto::{KeyRing, MasterKey};
use ideavault_db::testing::TestDatabase;
use ideavault_domain::Timestamp;
use ideavault_domain::ports::Clock as _;
use ideavault_domain::ports::Vault;
use ideavault_mail::testing::SmtpSink;
use ideavault_web::{ServeOptions, Server};
use tempfile::TempDir;
use tokio::sync::oneshot;

use super::browser::Browser;
use super::clock::TestClock;
use super::people::{Creator, Visitor};

/// A running server. It stops when this goes out of scope.
pub struct App {
    running: Running,
    client: reqwest::Client,
    world: Arc<World>,
}

/// What a server leaves that has stopped.
pub struct Stopped(Arc<World>);

impl Stopped {
    /// What the database is called.
    pub fn database_url(&self) -> &str {
        self.0.database.url()
    }

    /// Where everything else is.
    pub fn data_dir(&self) -> &Path {
        self.0.data_dir.path()
    }
}

/// What servers share that run side by side. Goes last, after all of them.
struct World {
    clock: Arc<TestClock>,
    data_dir: TempDir,
    database: TestDatabase,
}

/// Any vault makes an empty database: the server brings its own.
fn vault() -> Arc<dyn Vault> {
    Arc::new(KeyRing::new(&[MasterKey::from_random([7; 32])]).unwrap())
}

/// One client for all tests, since each one that is built reads the system's
/// certificates. It keeps no connection, because each test has a runtime of its own.
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

/// The command line's options, so that each has its default.
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

    async fn on(database: TestDatabase) -> Self {
        let world = World {
            clock: Arc::new(TestClock::start()),
            data_dir: TempDir::new().unwrap(),
            database,
        };
        Self::start(Arc::new(world), &[]).await
    }

    /// Another server on the same database, data folder and clock, started
    /// with more `options`.
    pub async fn another(&self, options: &[&str]) -> Self {
        Self::start(Arc::clone(&self.world), options).await
    }

    /// A server of the same time on another data folder and database.
    pub async fn elsewhere(&self, data_dir: TempDir, database: TestDatabase) -> Self {
        let world = World {
            clock: Arc::clone(&self.world.clock),
            data_dir,
            database,
        };
        Self::start(Arc::new(world), &[]).await
    }

    /// A database of the same kind with nothing in it.
    pub fn blank_database(&self) -> TestDatabase {
        self.world.database.blank_like()
    }

    /// Keeps that table of its database as it is, until that goes out of scope.
    pub fn hold(&self, table: &str) -> Box<dyn Send> {
        self.world.database.hold(table)
    }

    /// Does to its database what no server does.
    pub fn execute(&self, sql: &str) {
        self.world.database.execute(sql);
    }

    /// Another server, which reaches the database by another address.
    pub async fn reaching(&self, database_url: &str) -> Self {
        self.another(&["--database-url", database_url]).await
    }

    /// Stops it; its database and data folder stay.
    pub fn stop(self) -> Stopped {
        Stopped(Arc::clone(&self.world))
    }

    /// The same server, stopped and started again with more `options`.
    pub async fn restart(self, options: &[&str]) -> Self {
        let world = Arc::clone(&self.world);
        drop(self);
        Self::start(world, options).await
    }

    /// Restarts it with `sink` as its mail server.
    pub async fn mailing_to(self, sink: &SmtpSink) -> Self {
        let options = [
            "--smtp-url",
            &sink.url(),
            "--mail-from",
            "vault@example.org",
        ];
        self.restart(&options).await
    }

    async fn start(world: Arc<World>, options: &[&str]) -> Self {
        let data_dir = world.data_dir.path().to_str().unwrap();
        let mut arguments = vec!["ideavault"];
        arguments.extend(["--listen", "127.0.0.1:0"]);
        arguments.extend(["--data-dir", data_dir]);
        if !options.contains(&"--database-url") {
            arguments.extend(["--database-url", world.database.url()]);
        }
        // Tests ask more often than people, unless they are about just that.
        if !options.contains(&"--rate-limit-scale") {
            arguments.extend(["--rate-limit-scale", "0"]);
        }
        // Nor do they confirm addresses.
        if !options.contains(&"--confirm-addresses") {
            arguments.extend(["--confirm-addresses", "never"]);
        }
        arguments.extend(options);
        let options = CommandLine::parse_from(arguments).serve;
        let running = Running::start(options, Arc::clone(&world.clock)).await;
        Self {
            running,
            client: client(),
            world,
        }
    }

    /// A browser that was never here.
    pub fn browser(&self) -> Browser {
        Browser::new(self.client.clone(), self.origin())
    }

    /// A creator who has registered under that name and signed in.
    pub async fn creator(&self, name: &str) -> Creator {
        Creator::sign_up(self.browser(), name).await
    }

    /// Somebody who is about to open a share link.
    pub fn visitor(&self) -> Visitor {
        Visitor::new(self.browser())
    }

    /// Which database it uses.
    pub fn database_url(&self) -> &str {
        self.world.database.url()
    }

    /// Where it keeps its secret key and its outbox.
    pub fn data_dir(&self) -> &Path {
        self.world.data_dir.path()
    }

    /// What it listens on.
    pub fn address(&self) -> SocketAddr {
        self.running.address
    }

    /// The base of every link that it sends.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address())
    }

    /// Where the bytes of the file at that address are.
    pub fn stored(&self, path: &str) -> PathBuf {
        let id = path.strip_prefix("/api/files/").unwrap();
        self.data_dir().join("files").join(&id[..2]).join(id)
    }

    /// Moves the server's clock.
    pub fn advance(&self, by: Duration) {
        self.world.clock.advance(by);
    }

    /// The server's time.
    pub fn now(&self) -> Timestamp {
        self.world.clock.now()
    }
}

/// Fails when the frontend is not built, and says what to do.
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

/// A server on a thread of its own, as it has an event loop of its own.
struct Running {
    address: SocketAddr,
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
                tell.send(server.address().unwrap()).unwrap();
                tokio::select! {
                    ended = server.run() => ended.unwrap(),
                    _ = stopped => {}
                }
            });
        });
        Self {
            address: bound.await.unwrap(),
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
