//! The `ideavault` binary.

use std::error::Error;
use std::io::{self, IsTerminal as _, Write as _};
use std::num::NonZero;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};
use ideavault::cli::{
    self, AdoptFilesOptions, AuditOptions, BackupOptions, CommandError, DatabaseCommand,
    DoctorOptions, ErasePersonOptions, EvidenceCommand, HealthOptions, InviteOptions, MailsOptions,
    RestoreOptions, RotateOptions, StatusOptions, StorageCommand, TwoFactorCommand, UserCommand,
    VerifyOptions, WaitlistCommand,
};
use ideavault::{
    EXIT_SETTING, LogFormat, ServeOptions, Server, StartError, VERSION_AND_COMMIT, advice, clock,
    release_listener,
};
use ideavault_web::openapi_document;
use tracing_subscriber::EnvFilter;

/// A vault for ideas: write, publish with a fingerprint, disclose under an NDA.
#[derive(Parser)]
#[command(version = VERSION_AND_COMMIT, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Start the server. Exit status: 0 after a stop, 78 if a setting or what it names cannot work,
    /// 75 if the database or the file storage is away, 1 for everything else.
    Serve(Box<ServeOptions>),
    /// Show the waitlist.
    #[command(subcommand)]
    Waitlist(WaitlistCommand),
    /// Show security events: sign-ins, denials, links made and revoked, drafts deleted. The
    /// newest comes last.
    Audit(AuditOptions),
    /// Invite somebody by mail to register while registration is by invitation.
    Invite(InviteOptions),
    /// List, show, disable, enable or delete accounts, or set what one may store.
    #[command(subcommand)]
    User(UserCommand),
    /// Erase a person who opened links, in all ideas. What happened stays on record, without
    /// the person.
    ErasePerson(ErasePersonOptions),
    /// List the mails that wait, and what they are for.
    Mails(MailsOptions),
    /// Turn two-step sign-in off for somebody who has lost app and recovery codes.
    #[command(subcommand)]
    #[command(name = "second-factor")]
    TwoFactor(TwoFactorCommand),
    /// Copy the database and the files to a new folder. Servers may run.
    Backup(BackupOptions),
    /// Restore a backup into a new data folder and database, and check all of it.
    Restore(RestoreOptions),
    /// Show the state of the vault: waiting mails, the last backup, free space, the
    /// database.
    Status(StatusOptions),
    /// Check settings, database, files, mail server, clock, keys and disk, and say what to do.
    /// Changes nothing. Exit status: 0, or 1 if something failed.
    Doctor(Box<DoctorOptions>),
    /// Ask the server on this machine whether it can serve, for health checks. Exit status: 0, or 1
    /// if it cannot.
    Health(HealthOptions),
    /// Copy the database from SQLite to Postgres, or back.
    #[command(subcommand)]
    Database(DatabaseCommand),
    /// Copy files between folder and bucket.
    #[command(subcommand)]
    Storage(StorageCommand),
    /// Bind the file storage to this database, after it was put back or replaced by hand.
    /// Servers refuse any other.
    AdoptFiles(AdoptFilesOptions),
    /// Replace the master key. Servers may run. Run it again if it was interrupted.
    RotateKey(RotateOptions),
    /// Show, check, export or continue the log of events that evidence is made of.
    #[command(subcommand)]
    Evidence(EvidenceCommand),
    /// Check an evidence bundle, without any vault. Exit status: 0 valid and confirmed by
    /// others, 1 invalid, 2 confirmation pending or unchecked, 3 valid on the server's own
    /// word, 64 wrong usage.
    Verify(VerifyOptions),
    /// Print the OpenAPI description of the API.
    Openapi,
}

/// Parses the command line, or ends the program. `verify` tells wrong usage from what it
/// finds out by the exit status, and `serve` a wrong setting from what may pass.
fn parse() -> Cli {
    Cli::try_parse().unwrap_or_else(|error| {
        let command = std::env::args_os().nth(1).unwrap_or_default();
        let status = match command.to_str() {
            Some("verify") => cli::EXIT_USAGE,
            Some("serve") => EXIT_SETTING,
            _ => error.exit(),
        };
        if error.use_stderr() {
            // Nothing can be reported when standard error is closed.
            error.print().ok();
            std::process::exit(status.into());
        }
        error.exit()
    })
}

fn main() -> ExitCode {
    ideavault_allocator::keep_little(processors());
    let outcome = match parse().command {
        Command::Serve(options) => serve(*options),
        Command::Waitlist(command) => {
            cli::waitlist(&command, &mut io::stdout()).map_err(Into::into)
        }
        Command::Audit(options) => cli::audit(&options, &mut io::stdout()).map_err(Into::into),
        Command::Invite(options) => cli::invite(&options, &mut io::stdout()).map_err(Into::into),
        Command::User(command) => cli::user(&command, &mut io::stdout()).map_err(Into::into),
        Command::ErasePerson(options) => {
            cli::erase_person(&options, &mut io::stdout()).map_err(Into::into)
        }
        Command::Mails(options) => cli::mails(&options, &mut io::stdout()).map_err(Into::into),
        Command::TwoFactor(command) => {
            cli::two_factor(&command, &mut io::stdout()).map_err(Into::into)
        }
        Command::Backup(options) => cli::back_up(&options, &mut io::stdout()).map_err(Into::into),
        Command::Restore(options) => cli::restore(&options, &mut io::stdout()).map_err(Into::into),
        Command::Status(options) => cli::status(&options, &mut io::stdout()).map_err(Into::into),
        Command::Doctor(options) => return doctor(&options),
        Command::Health(options) => health(&options),
        Command::Database(command) => {
            cli::database(&command, &mut io::stdout(), &mut io::stderr()).map_err(Into::into)
        }
        Command::Storage(command) => cli::storage(&command, &mut io::stdout()).map_err(Into::into),
        Command::AdoptFiles(options) => {
            cli::adopt_files(&options, &mut io::stdout()).map_err(Into::into)
        }
        Command::RotateKey(options) => {
            cli::rotate_key(&options, &mut io::stdout()).map_err(Into::into)
        }
        Command::Evidence(command) => {
            cli::evidence(&command, &mut io::stdout(), &mut io::stderr()).map_err(Into::into)
        }
        Command::Verify(options) => return verify(&options),
        Command::Openapi => print_openapi(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report(error.as_ref());
            let of_command = error.downcast_ref().map(CommandError::exit_status);
            let of_start = || error.downcast_ref().map(StartError::exit_status);
            of_command
                .or_else(of_start)
                .map_or(ExitCode::FAILURE, ExitCode::from)
        }
    }
}

/// Returns the number of processors; 1 if it is unknown.
fn processors() -> i32 {
    let count = std::thread::available_parallelism().map(NonZero::get);
    count.map_or(1, |count| i32::try_from(count).unwrap_or(i32::MAX))
}

/// Time for jobs and mails that are at work when everything else has stopped.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);

#[actix_web::main]
async fn serve(options: ServeOptions) -> Result<(), Box<dyn Error>> {
    begin_log(options.log);
    let server = Server::bind(options, clock())
        .await
        .inspect_err(|_| release_listener())?;
    server.announce();
    let outcome = server.run().await;
    exit_after(EXIT_TIMEOUT, i32::from(outcome.is_err()));
    Ok(outcome?)
}

/// Begins the log, with the filter of `RUST_LOG`, or from level info on.
fn begin_log(format: LogFormat) {
    let wanted = std::env::var("RUST_LOG").unwrap_or_default();
    let (filter, problem) = match EnvFilter::try_new(&wanted) {
        Ok(filter) if !wanted.trim().is_empty() => (filter, None),
        Ok(_) => (EnvFilter::new("info"), None),
        Err(error) => (EnvFilter::new("info"), Some(error)),
    };
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr);
    match format {
        LogFormat::Text => log.with_ansi(io::stderr().is_terminal()).init(),
        LogFormat::Json => log.json().with_span_list(false).init(),
    }
    if let Some(error) = problem {
        tracing::warn!(%error, "RUST_LOG cannot be used; logging from level info on");
    } else if !tracing::enabled!(tracing::Level::ERROR) && wanted != "off" {
        // The log would hide it, and nothing can be told when standard error is closed.
        let text = "RUST_LOG hides errors of the server: use error, warn, info, debug or trace";
        writeln!(io::stderr(), "warning: {text}").ok();
    }
}

/// Ends the process if it has not ended by then: the runtime waits for the threads of jobs and
/// mails without a limit. Everything is made for crashes, so nothing is lost.
fn exit_after(timeout: Duration, code: i32) {
    std::thread::spawn(move || {
        std::thread::sleep(timeout);
        tracing::warn!("stopped in the middle of a job");
        std::process::exit(code);
    });
}

#[actix_web::main]
async fn health(options: &HealthOptions) -> Result<(), Box<dyn Error>> {
    Ok(cli::health(options).await?)
}

fn verify(options: &VerifyOptions) -> ExitCode {
    match cli::verify(options, &mut io::stdout()) {
        Ok(verdict) => ExitCode::from(verdict.exit_code()),
        Err(error) => {
            report(&error);
            ExitCode::from(cli::EXIT_USAGE)
        }
    }
}

fn doctor(options: &DoctorOptions) -> ExitCode {
    cli::become_owner(&options.serve.data);
    match cli::doctor(options, clock().as_ref(), &mut io::stdout()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            report(&error);
            ExitCode::FAILURE
        }
    }
}

fn print_openapi() -> Result<(), Box<dyn Error>> {
    let document = openapi_document().to_pretty_json()?;
    writeln!(std::io::stdout(), "{document}")?;
    Ok(())
}

/// Prints the error and its causes, one on each line, and what to do.
fn report(error: &(dyn Error + 'static)) {
    let mut stderr = std::io::stderr();
    let mut cause: Option<&dyn Error> = Some(error);
    let mut lead = "error";
    while let Some(current) = cause {
        // Nothing can be reported when standard error is closed.
        if writeln!(stderr, "{lead}: {current}").is_err() {
            return;
        }
        lead = "caused by";
        cause = current.source();
    }
    if let Some(advice) = advice(error) {
        // Nothing can be reported when standard error is closed.
        writeln!(stderr, "what to do: {advice}").ok();
    }
}
