//! `ideavault-bench attack`: one caller sends the heaviest requests there are on many connections,
//! and somebody else lists their ideas meanwhile.

use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::browser::{Browser, number, text};
use crate::http::{Connection, Request};
use crate::load::{Load, Measured};
use crate::report::{mebibytes, milliseconds};
use crate::server::Server;
use crate::workload::sign_up;
use crate::{Kind, Outcome};

/// Connections of the attacker.
const AT_ONCE: usize = 128;
/// Connections that request pages, of which one takes little.
const PAGES_AT_ONCE: usize = 400;
/// Connections that read nothing.
const IDLE: usize = 150;
/// Connections of the other account, and its ideas.
const OTHERS: usize = 2;
const IDEAS: usize = 20;
/// How long the attacker waits after a refusal.
const REFUSED_PAUSE: Duration = Duration::from_millis(50);
/// Longest time that the other account waits for its list, at the 99th percentile.
const P99: Duration = Duration::from_millis(100);
/// Most memory that answers take which nobody reads, in KiB.
const UNREAD: u64 = 160 * 1024;
/// Close to the largest body of a request.
const LARGE_TEXT: usize = 8 * 1024 * 1024 - 64 * 1024;
/// Close to the largest text that is checked among queries, when each letter is escaped.
const AMPERSANDS: usize = 31 * 1024;
const COMMENTS: usize = 1_000;
/// Characters of a comment, of four bytes each.
const COMMENT: usize = 5_000;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// An optimised build of the server.
    #[arg(long)]
    server: PathBuf,
    /// A Postgres superuser's address; without it only SQLite is attacked.
    #[arg(long, env = "IDEAVAULT_TEST_POSTGRES_URL", hide_env_values = true)]
    postgres: Option<String>,
    /// Attack only this database.
    #[arg(long)]
    only: Option<Kind>,
    /// Seconds for each attack.
    #[arg(long, default_value_t = 5)]
    seconds: u64,
}

/// Attacks a server on each database; returns whether the other account was served in time.
pub(crate) fn run(options: &Options) -> Outcome<bool> {
    let is_asked = |kind| options.only.is_none_or(|only| only == kind);
    let mut all_kept = true;
    if is_asked(Kind::Sqlite) {
        all_kept &= on("SQLite", options, None)?;
    }
    if is_asked(Kind::Postgres) {
        match options.postgres.as_deref() {
            Some(url) => all_kept &= on("Postgres", options, Some(url))?,
            None if options.only.is_some() => return Err("--postgres is missing".into()),
            None => {}
        }
    }
    Ok(all_kept)
}

/// A request that is sent again and again on many connections.
struct Attack {
    title: &'static str,
    connections: usize,
    request: Request,
}

/// Both accounts: what the attacker sends, and the list of the other.
struct Scene {
    attacks: Vec<Attack>,
    large: Request,
    list: Request,
}

fn on(database: &str, options: &Options, url: Option<&str>) -> Outcome<bool> {
    let server = Server::start(&options.server, url)?;
    let scene = Scene::set(server.address())?;
    let address = server.address();
    let load = Load {
        connections: OTHERS,
        duration: Duration::from_secs(options.seconds),
    };
    let mut out = std::io::stdout().lock();
    writeln!(out, "\n{database}: GET /api/ideas of another account\n")?;
    let quiet = load.run(address, &scene.list)?;
    row(&mut out, "beside nothing", &quiet, "")?;
    let mut all_kept = true;
    for attack in &scene.attacks {
        let (measured, answers) = beside(address, attack, || load.run(address, &scene.list))?;
        let memory = mebibytes(server.memory()?);
        let more = format!("{answers}, {memory:.0} MiB");
        all_kept &= row(&mut out, attack.title, &measured, &more)?;
    }
    let before = server.memory()?;
    let unread = idle(address, &scene.large)?;
    let measured = load.run(address, &scene.list)?;
    let grown = server.memory()?.saturating_sub(before);
    drop(unread);
    let more = format!("{:.0} MiB more memory", mebibytes(grown));
    all_kept &= row(&mut out, "150 answers that nobody reads", &measured, &more)?;
    all_kept &= grown <= UNREAD;
    Ok(all_kept)
}

/// Prints a row; returns whether its promise is kept.
fn row(out: &mut impl Write, title: &str, measured: &Measured, more: &str) -> Outcome<bool> {
    let is_kept = measured.p99 <= P99;
    let verdict = if is_kept { "within" } else { "OVER  " };
    let (p50, p99) = (milliseconds(measured.p50), milliseconds(measured.p99));
    let rate = measured.per_second;
    writeln!(
        out,
        "{verdict}  {title:<40} p50 {p50:>8.2} ms  p99 {p99:>8.2} ms  {rate:>7.0}/s  {more}"
    )?;
    out.flush()?;
    Ok(is_kept)
}

/// Measures during an attack; returns also how the attacker was answered.
fn beside(
    server: SocketAddr,
    attack: &Attack,
    measure: impl FnOnce() -> Outcome<Measured>,
) -> Outcome<(Measured, String)> {
    let has_ended = AtomicBool::new(false);
    let answers = Answers::default();
    let measured = thread::scope(|scope| {
        for _ in 0..attack.connections {
            scope.spawn(|| {
                while !has_ended.load(Ordering::Relaxed) {
                    // A connection that was ended is one that was refused.
                    if ask_until(server, &attack.request, &has_ended, &answers).is_err() {
                        answers.refuse();
                    }
                }
            });
        }
        let measured = measure();
        has_ended.store(true, Ordering::Relaxed);
        measured
    })?;
    let (served, refused) = (answers.served.into_inner(), answers.refused.into_inner());
    Ok((measured, format!("{served} served, {refused} refused")))
}

/// How the attacker was answered.
#[derive(Default)]
struct Answers {
    served: AtomicUsize,
    refused: AtomicUsize,
}

impl Answers {
    fn refuse(&self) {
        self.refused.fetch_add(1, Ordering::Relaxed);
        // Without a pause, this would measure how much processor time the attacker takes.
        thread::sleep(REFUSED_PAUSE);
    }
}

fn ask_until(
    server: SocketAddr,
    request: &Request,
    has_ended: &AtomicBool,
    answers: &Answers,
) -> Outcome<()> {
    let mut connection = Connection::open(server)?;
    while !has_ended.load(Ordering::Relaxed) {
        match connection.send(request)?.status {
            200..300 => {
                answers.served.fetch_add(1, Ordering::Relaxed);
            }
            _ => answers.refuse(),
        }
    }
    Ok(())
}

/// Requests on many connections, and reads nothing.
fn idle(server: SocketAddr, request: &Request) -> Outcome<Vec<TcpStream>> {
    let mut streams = Vec::new();
    for _ in 0..IDLE {
        let mut stream = TcpStream::connect(server)?;
        stream.write_all(request.as_bytes())?;
        streams.push(stream);
    }
    Ok(streams)
}

/// Returns letters that compress badly.
fn noise(bytes: usize) -> String {
    let mut state = 1_u32;
    let letters = std::iter::repeat_with(|| {
        // Constants of Numerical Recipes.
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from(b'a' + u8::try_from(state >> 28).unwrap_or(0))
    });
    letters.take(bytes).collect()
}

impl Scene {
    /// Creates both accounts through the API.
    fn set(server: SocketAddr) -> Outcome<Self> {
        let (mut mallory, _) = sign_up(server, "Mallory Grey", "mallory@example.org")?;
        let (mut ada, _) = sign_up(server, "Ada Lovelace", "ada@example.org")?;
        for nth in 0..IDEAS {
            let idea = json!({"title": format!("Idea {nth}"), "content": "<p>Waits</p>"});
            ada.call("POST", "/api/ideas", &idea)?;
        }
        let text = noise(LARGE_TEXT);
        let large = json!({"title": "Large", "content": format!("<p>{text}</p>")});
        let large = number(&mallory.call("POST", "/api/ideas", &large)?, "id")?;
        let large_path = format!("/api/ideas/{large}");
        let changed = json!({"title": "Large", "content": format!("<p>Another {text}</p>")});
        mallory.call("PUT", &large_path, &changed)?;
        mallory.call("PUT", &format!("{large_path}/publish"), &Value::Null)?;
        let (mut reader, token, recipient) = reader(server, &mut mallory, large)?;
        reader.call("GET", &format!("/api/share/{token}"), &Value::Null)?;
        let comment = json!({"ideaId": large, "content": "\u{1f4a1}".repeat(COMMENT)});
        for _ in 0..COMMENTS {
            mallory.call("POST", "/api/comments", &comment)?;
        }
        let small = json!({"title": "Small", "content": "<p>Waits</p>"});
        let small = number(&mallory.call("POST", "/api/ideas", &small)?, "id")?;
        let text = "&".repeat(AMPERSANDS);
        let save = json!({"title": "Small", "content": format!("<p>{text}</p>")}).to_string();
        let cookies = mallory.cookies();
        let save = Request::new("PUT", &format!("/api/ideas/{small}"), &cookies, Some(&save));
        let attack = |title, request| Attack {
            title,
            connections: AT_ONCE,
            request,
        };
        let of_large = |part: &str| mallory.get(&format!("{large_path}{part}"));
        let comments = format!("/api/comments?limit=1000&ideaId={large}");
        let receipt = format!("/api/recipients/{recipient}/receipt.pdf");
        Ok(Self {
            attacks: vec![
                attack("an own idea of 8 MB", of_large("")),
                attack("the same, compressed", of_large("").accepting_gzip()),
                attack(
                    "a link to it, within a view",
                    reader.get(&format!("/api/share/{token}")),
                ),
                attack("1,000 comments of 20 KB", mallory.get(&comments)),
                attack("an old revision of 8 MB", of_large("/revisions/1")),
                attack("receipts", reader.get(&receipt)),
                attack("certificates", of_large("/certificate.pdf")),
                attack("saves of 31 KB of &", save),
                Attack {
                    title: "400 pages",
                    connections: PAGES_AT_ONCE,
                    request: Request::get("/login").accepting_gzip(),
                },
            ],
            large: of_large(""),
            list: ada.get("/api/ideas"),
        })
    }
}

/// Shares an idea with somebody without an account, who agrees. Returns the browser, the link's
/// token and the registration.
fn reader(
    server: SocketAddr,
    owner: &mut Browser,
    idea: i64,
) -> Outcome<(Browser, String, String)> {
    let link = json!({"shareType": "full-access", "ideaId": idea});
    let share = owner.call("POST", "/api/shares", &link)?;
    let token = text(&share, "accessLink")?.to_owned();
    let mut reader = Browser::new(server)?;
    let details = json!({
        "name": "Grace Hopper", "email": "grace@example.org", "accessToken": token,
    });
    let registered = reader.call("POST", "/api/recipients", &details)?;
    let recipient = text(&registered, "id")?.to_owned();
    let agreement = format!("/api/recipients/{recipient}/nda");
    reader.call("PUT", &agreement, &json!({"agreed": true}))?;
    Ok((reader, token, recipient))
}
