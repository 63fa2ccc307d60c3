//! `just bench`: starts the release build of the server on SQLite and on
//! Postgres, loads its most used routes from this second process, and puts a
//! bare actix-web route that answers the same bytes beside each, as the ceiling.
//!
//! The load is bounded: a fixed number of connections, each one request at a
//! time, for a fixed number of seconds, over loopback only.

mod bare;
mod http;
mod load;
mod report;
mod scene;
mod server;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};

use crate::bare::BareServer;
use crate::http::{Connection, Request};
use crate::load::Load;
use crate::report::{Report, Row};
use crate::scene::Scene;
use crate::server::Server;

/// Anything that stops a measurement.
type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

#[derive(Parser)]
#[command(about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measure, and print a table for each database.
    Run(Options),
    /// Answer every request with the bytes of a file (started by `run`).
    Bare {
        /// The file.
        body: PathBuf,
    },
}

#[derive(clap::Args)]
struct Options {
    /// The release build of the server.
    #[arg(long)]
    server: PathBuf,
    /// A Postgres superuser's address; without it only SQLite is measured.
    #[arg(long, env = "IDEAVAULT_TEST_POSTGRES_URL", hide_env_values = true)]
    postgres: Option<String>,
    /// Connections at a time.
    #[arg(long, default_value_t = 16)]
    connections: usize,
    /// Seconds for each measurement.
    #[arg(long, default_value_t = 5)]
    seconds: u64,
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Run(options) => run(&options),
        Command::Bare { body } => bare::serve(&body),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report::failure(error.as_ref());
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Outcome<()> {
    let load = Load {
        connections: options.connections,
        duration: Duration::from_secs(options.seconds),
    };
    measure(options, &load, "SQLite", None)?;
    if let Some(url) = &options.postgres {
        measure(options, &load, "Postgres", Some(url))?;
    }
    Ok(())
}

/// Measures every route on one database, beside its ceiling.
fn measure(options: &Options, load: &Load, name: &str, database: Option<&str>) -> Outcome<()> {
    let server = Server::start(&options.server, database)?;
    let at_rest = server.memory()?;
    let scene = Scene::set(server.address())?;
    let mut rows = Vec::new();
    for (title, request) in scene.requests() {
        let answer = Connection::open(server.address())?.send(request)?;
        let bare = BareServer::start(&answer.body)?;
        let ceiling = load.run(bare.address(), &Request::get("/"))?;
        drop(bare);
        rows.push(Row {
            title,
            bytes: answer.body.len(),
            measured: load.run(server.address(), request)?,
            ceiling,
        });
    }
    let report = Report {
        database: name,
        start: server.start_time(),
        at_rest,
        under_load: server.peak_memory()?,
        rows,
    };
    report.print()
}
