//! `just bench`: starts the binary of `just dist` on SQLite and on Postgres,
//! loads its most used routes from this second process, and compares each with a bare
//! actix-web route with the same response body as the baseline. Then measures again
//! with a large data set, during slow clients and during many logins, and fails if a
//! figure exceeds its limit.
//!
//! Then attacks it: see [`attack`].
//!
//! `just cluster`: see [`cluster`].
//!
//! The load is bounded: a fixed number of connections, each one request at a
//! time, for a fixed number of seconds, over loopback only.

mod attack;
mod bare;
mod browser;
mod cluster;
mod course;
mod earlier;
mod evidence;
mod http;
mod load;
mod promises;
mod report;
mod seed;
mod server;
mod slow;
mod workload;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand, ValueEnum};

use crate::course::Course;
use crate::load::Load;

/// An error that stops a measurement.
type Failure = Box<dyn Error + Send + Sync>;
type Outcome<T> = Result<T, Failure>;

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
    /// Send the heaviest requests on many connections, and print how long somebody else waits.
    Attack(attack::Options),
    /// Run several instances, end and start them under load, and print what was lost.
    Cluster(cluster::Options),
    /// Respond to every request with the bytes of a file (started by `run`).
    Bare {
        /// The file.
        body: PathBuf,
    },
}

#[derive(clap::Args)]
struct Options {
    /// An optimised build of the server.
    #[arg(long)]
    server: PathBuf,
    /// A Postgres superuser's address; without it only SQLite is measured.
    #[arg(long, env = "IDEAVAULT_TEST_POSTGRES_URL", hide_env_values = true)]
    postgres: Option<String>,
    /// Measure only this database.
    #[arg(long)]
    only: Option<Kind>,
    /// Connections at a time.
    #[arg(long, default_value_t = 16)]
    connections: usize,
    /// Seconds for each measurement.
    #[arg(long, default_value_t = 3)]
    seconds: u64,
    /// Ideas in the large data set; with 10 times as many readers and 100 times as many comments.
    #[arg(long, default_value_t = 10_000)]
    ideas: usize,
    /// Where the figures are kept for the next run.
    #[arg(long, default_value = "target")]
    figures: PathBuf,
}

/// A kind of database.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    Sqlite,
    Postgres,
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Run(options) => run(&options),
        Command::Attack(options) => attack::run(&options),
        Command::Cluster(options) => cluster::run(&options),
        Command::Bare { body } => bare::serve(&body).map(|()| true),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            report::failure(error.as_ref());
            ExitCode::FAILURE
        }
    }
}

/// Returns whether all figures are within their limits.
fn run(options: &Options) -> Outcome<bool> {
    let course = |name, postgres| Course {
        name,
        binary: &options.server,
        postgres,
        load: Load {
            connections: options.connections,
            duration: Duration::from_secs(options.seconds),
        },
        ideas: options.ideas,
        figures: &options.figures,
    };
    let is_asked = |kind| options.only.is_none_or(|only| only == kind);
    let mut all_kept = true;
    if is_asked(Kind::Sqlite) {
        all_kept &= course("SQLite", None).run()?;
    }
    if is_asked(Kind::Postgres) {
        match &options.postgres {
            Some(url) => all_kept &= course("Postgres", Some(url)).run()?,
            None if options.only.is_some() => return Err("--postgres is missing".into()),
            None => {}
        }
    }
    Ok(all_kept)
}
