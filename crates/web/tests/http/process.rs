//! The real binary: what it writes down, and how it stops.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};

use serde_json::json;

use crate::harness::{App, Browser, Creator, Stopped, Visitor};

on_both_databases!(
    no_secret_is_written_to_the_log,
    it_ends_what_it_has_begun_before_it_stops,
    an_idle_connection_does_not_keep_it_from_stopping,
    a_second_process_serves_the_same_sessions_and_links,
);

/// `ideavault serve` as a process of its own.
pub struct Process {
    child: Child,
    base: String,
    /// Reads what it writes, so that it never waits for a reader.
    log: Option<JoinHandle<String>>,
}

impl Process {
    /// Starts one on the database and data folder of `app`, which logs all it can.
    pub fn start(app: &App) -> Self {
        Self::spawn(app.data_dir(), app.database_url(), &[("RUST_LOG", "trace")])
    }

    /// Starts one where another has stopped, without limits on how often
    /// something may be done.
    pub fn of(home: &Stopped) -> Self {
        let unlimited = [("IDEAVAULT_RATE_LIMIT_SCALE", "0")];
        Self::spawn(home.data_dir(), home.database_url(), &unlimited)
    }

    fn spawn(data_dir: &Path, database_url: &str, settings: &[(&str, &str)]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ideavault"))
            .args(["serve", "--listen", "127.0.0.1:0"])
            .env("IDEAVAULT_DATABASE_URL", database_url)
            .env("IDEAVAULT_DATA_DIR", data_dir)
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
            if let Some((_, rest)) = line.split_once("listening url=\"") {
                break rest.split('"').next().unwrap().to_owned();
            }
        };
        let log = thread::spawn(move || {
            for line in lines {
                seen.push_str(&line.unwrap());
                seen.push('\n');
            }
            seen
        });
        Self {
            child,
            base,
            log: Some(log),
        }
    }

    /// Somebody who talks to it.
    pub fn browser(&self) -> Browser {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        Browser::new(client, self.base.clone())
    }

    /// Where it is.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Ends it without a warning, with SIGKILL.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// A connection to it.
    pub fn connect(&self) -> TcpStream {
        TcpStream::connect(self.base.trim_start_matches("http://")).unwrap()
    }

    /// The most memory that it ever had, in bytes.
    pub fn peak_memory(&self) -> u64 {
        let status = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(status).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes = peak.unwrap().trim().trim_end_matches(" kB");
        kibibytes.parse::<u64>().unwrap() * 1_024
    }

    fn terminate(&self) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &pid]).status();
        assert!(sent.unwrap().success());
    }

    /// Waits for its end, which must be a good one; answers all that it wrote.
    fn end(mut self) -> String {
        let log = self.log.take().unwrap().join().unwrap();
        let status = self.child.wait().unwrap();
        assert_eq!(status.code(), Some(0), "{log}");
        log
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Fails when it has ended, as it should have.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

async fn no_secret_is_written_to_the_log(app: App) {
    const CANARY: &str = "canary-c0ffee";
    let process = Process::start(&app);
    let ada = Creator::sign_up(process.browser(), "ada").await;
    let title = format!("Kettle {CANARY}");
    let idea = ada.idea(&title, format!("<p>{CANARY}</p>")).await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = Visitor::new(process.browser());
    let recipient = vera.agree(&link).await;
    vera.read(&link).await;
    let comment = json!({ "recipientId": recipient, "content": CANARY });
    vera.post("/api/comments", comment).await.expect(201);
    let mut secrets = vec![CANARY.to_owned(), link.token.clone()];
    secrets.extend(ada.cookies().into_values());
    secrets.extend(vera.cookies().into_values());
    secrets.extend([ada.password, "ada@example.org", "vera@example.org"].map(str::to_owned));

    // Whatever goes wrong is written down without what was sent.
    let path = format!("/api/share/{}", link.token);
    vera.close(&link).await.expect(204);
    for path in [
        format!("{path}/{CANARY}"),
        format!("/view/{}?{CANARY}", link.token),
        format!("/api/comments?ideaId={CANARY}"),
        format!("/api/ideas/{CANARY}"),
        format!("/{CANARY}"),
        format!("/api/{CANARY}"),
    ] {
        ada.get(&path).await;
        ada.post(&path, json!({ "agreed": CANARY })).await;
    }
    for path in [
        "/api/ideas",
        "/api/comments",
        "/api/recipients",
        "/api/auth/register",
    ] {
        ada.post(path, json!({ "title": [CANARY], "email": CANARY }))
            .await
            .expect(400);
        ada.raw(reqwest::Method::POST, path, format!("{{\"{CANARY}"))
            .await
            .expect(400);
    }
    let forged = process.browser();
    forged.set_cookie("ideavault", &format!("{CANARY}={}", link.token));
    forged.get("/api/ideas").await.expect(401);
    let wrong = json!({ "email": "ada@example.org", "password": CANARY });
    forged.post("/api/auth/login", wrong).await.expect(401);
    ada.delete(&format!("/api/ideas/{idea}")).await.expect(204);
    ada.post("/api/auth/logout", json!({})).await.expect(200);

    // The password of the database is nobody's business either.
    let database = app.database_url().to_owned();
    if let Some((_, rest)) = database.split_once("ideavault:") {
        secrets.push(rest.split('@').next().unwrap().to_owned());
    }
    secrets.push(std::fs::read_to_string(app.data_dir().join("secret.key")).unwrap());
    process.terminate();
    let log = process.end();
    assert!(
        log.contains("/api/share/{token}"),
        "requests are logged:\n{log}"
    );
    assert!(!log.contains('\u{1b}'), "a file is no terminal:\n{log}");
    for secret in secrets {
        let secret = secret.trim();
        assert!(
            secret.len() > 8 && !log.contains(secret),
            "{secret} in\n{log}"
        );
    }
}

async fn it_ends_what_it_has_begun_before_it_stops(app: App) {
    let process = Process::start(&app);
    let mut stream = process.connect();
    let body = br#"{"name":"Ada","email":"ada@example.org","password":"secret"}"#;
    let (first, second) = body.split_at(20);
    write!(
        stream,
        "POST /api/auth/register HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
         content-length: {}\r\nexpect: 100-continue\r\n\r\n",
        body.len()
    )
    .unwrap();
    // The answer to `expect` shows that the request has begun.
    let mut interim = [0; 25];
    stream.read_exact(&mut interim).unwrap();
    assert!(interim.starts_with(b"HTTP/1.1 100"));
    stream.write_all(first).unwrap();
    process.terminate();
    // Once nobody new is let in, it has heard.
    let address = process.base.trim_start_matches("http://").to_owned();
    while TcpStream::connect(&address).is_ok() {
        tokio::task::yield_now().await;
    }
    stream.write_all(second).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
    process.end();
    let login = json!({ "email": "ada@example.org", "password": "secret" });
    app.browser()
        .post("/api/auth/login", login)
        .await
        .expect(200);
}

async fn an_idle_connection_does_not_keep_it_from_stopping(app: App) {
    let process = Process::start(&app);
    let idle = process.connect();
    let browser = process.browser();
    browser.get("/healthz").await.expect(200);
    process.terminate();
    process.end();
    drop(idle);
}

async fn a_second_process_serves_the_same_sessions_and_links(app: App) {
    let process = Process::start(&app);
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "one-time", json!({})).await;
    let vera = app.visitor();
    vera.agree(&link).await;
    let elsewhere = Visitor::new(vera.at(&process.browser()));
    assert_eq!(elsewhere.read(&link).await, "<p>Waits</p>");
    vera.read(&link).await;
    let ada_elsewhere = ada.at(&process.browser());
    ada_elsewhere.get("/api/auth/me").await.expect(200);
    ada_elsewhere
        .post("/api/auth/logout", json!({}))
        .await
        .expect(200);
    ada.get("/api/auth/me").await.expect(401);
}
