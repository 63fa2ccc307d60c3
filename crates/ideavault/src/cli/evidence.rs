//! `ideavault evidence`: the log of events, for the operator.

use std::fs::File;
use std::io::{self, BufRead as _, BufWriter, IsTerminal as _, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use ideavault_application::deps::Deps;
use ideavault_application::event_log::{CheckPhase, Difference, EventLog};
use ideavault_application::evidence::{Bundles, Comparison};
use ideavault_crypto::KeyRing;
use ideavault_db::SqlDatabase;
use ideavault_domain::ids::IdeaId;
use ideavault_domain::ports::{BlobStore, Database as _};
use ideavault_files::{CheckpointFile, SealedStorage};

use super::{CommandError, Listed, counted, deps_on, write};
use crate::config::DataOptions;
use crate::data::{self, OpenVault};
use crate::status::Recording;

/// Least time between two lines on how far a command is, and before the first.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// Commands about the log of events.
#[derive(Subcommand, Clone, Debug)]
pub enum EvidenceCommand {
    /// Show the log: its name, size, last checkpoint, and whether recording has stopped.
    Status(DataOptions),
    /// Print the log's public keys, the newest last.
    Key(DataOptions),
    /// Add a key, with which the log is signed from now on.
    RotateKey(DataOptions),
    /// Begin a new log after recording has stopped: an older copy of the database was
    /// restored. Says what that means, and asks.
    Resume(ResumeOptions),
    /// Compare events, disclosures, tree and checkpoints with each other, and with the
    /// other tables and the stored files.
    Check(CheckOptions),
    /// Write the evidence of an idea to a file.
    Export(ExportOptions),
}

/// Options of `ideavault evidence resume`.
#[derive(Args, Clone, Debug)]
pub struct ResumeOptions {
    /// Begin it without asking.
    #[arg(long)]
    pub yes: bool,

    /// Location of the vault.
    #[command(flatten)]
    pub data: DataOptions,
}

/// Options of `ideavault evidence check`.
#[derive(Args, Clone, Debug)]
pub struct CheckOptions {
    /// Print a JSON object for each difference.
    #[arg(long)]
    pub json: bool,

    /// Location of the vault.
    #[command(flatten)]
    pub data: DataOptions,
}

/// Options of `ideavault evidence export`.
#[derive(Args, Clone, Debug)]
pub struct ExportOptions {
    /// Number of the idea.
    pub idea: i64,

    /// The file to write, which must not exist.
    pub file: PathBuf,

    /// Location of the vault.
    #[command(flatten)]
    pub data: DataOptions,
}

struct Vault {
    deps: Deps<SqlDatabase>,
    ring: KeyRing,
    log: EventLog<SqlDatabase>,
}

impl Vault {
    fn open(options: &DataOptions) -> Result<Self, CommandError> {
        let OpenVault { database, ring, .. } = data::open_existing(options)?;
        let deps = deps_on(Arc::new(database));
        let host = deps.database.read(|tx| {
            let origins = tx.evidence_log().log_origins()?;
            let newest = origins.into_iter().next_back();
            Ok::<_, ideavault_domain::ports::DatabaseError>(newest.map(|(_, origin)| origin))
        })?;
        let host = host
            .as_deref()
            .and_then(|origin| origin.rsplit_once("/log"));
        let log = EventLog::new(
            deps.clone(),
            Arc::new(CheckpointFile::new(&options.data_dir)),
            host.map(|(host, _)| host.to_owned()).unwrap_or_default(),
        );
        Ok(Self { deps, ring, log })
    }

    fn storage(&self, options: &DataOptions) -> Result<Arc<dyn BlobStore>, CommandError> {
        let blobs = data::files_of(options)?;
        let storage = SealedStorage::new(blobs, Arc::new(self.ring.clone()))?;
        Ok(Arc::new(storage))
    }
}

/// Runs a command about the log of events and prints to `out`, and to `progress` how far a long
/// one is.
pub fn evidence(
    command: &EvidenceCommand,
    out: &mut dyn Write,
    progress: &mut dyn Write,
) -> Result<(), CommandError> {
    match command {
        EvidenceCommand::Status(options) => {
            let status = Vault::open(options)?.log.status()?;
            let checkpoint = status.checkpoint.map_or_else(
                || "none yet".to_owned(),
                |checkpoint| {
                    let at = checkpoint.made_at.to_rfc3339();
                    format!("{} events, signed at {at}", checkpoint.head.size)
                },
            );
            let recording = Recording::of(status.stopped).text();
            let rows = [
                ("log", status.log.head.origin),
                ("events", status.log.head.size.to_string()),
                ("checkpoint", checkpoint),
                ("waiting", status.waiting.to_string()),
                ("recording", recording),
            ];
            let lines = rows
                .iter()
                .map(|(name, text)| format!("{name:<12}{text}\n"));
            write(out, &lines.collect::<String>())
        }
        EvidenceCommand::Key(options) => {
            let keys = Vault::open(options)?.log.keys()?;
            write(
                out,
                &keys
                    .iter()
                    .map(|key| format!("{key}\n"))
                    .collect::<String>(),
            )
        }
        EvidenceCommand::RotateKey(options) => {
            let key = Vault::open(options)?.log.rotate_key()?;
            write(
                out,
                &format!("The log is signed with another key from now on:\n{key}\n"),
            )
        }
        EvidenceCommand::Resume(options) => resume(options, out),
        EvidenceCommand::Check(options) => check(options, out, progress),
        EvidenceCommand::Export(options) => export(options, out),
    }
}

fn resume(options: &ResumeOptions, out: &mut dyn Write) -> Result<(), CommandError> {
    let log = Vault::open(&options.data)?.log;
    // Without a reason there is nothing to ask: it is refused.
    if let Some(reason) = log.status()?.stopped
        && !options.yes
    {
        let text = format!(
            "Recording has stopped: {reason}.\n\
             This begins a new log. Its first event says where the log before it stopped; \
             everybody who gets evidence sees that, and nothing undoes it. If the newer database \
             still exists, put it back instead: recording then goes on by itself.\n"
        );
        write(out, &text)?;
        confirm(out)?;
    }
    let origin = log.resume()?;
    let text = format!(
        "Recording goes on in the log {origin}. Evidence shows that the log before it stopped, and \
         where.\n"
    );
    write(out, &text)
}

/// Asks the operator for a word.
fn confirm(out: &mut dyn Write) -> Result<(), CommandError> {
    let stdin = io::stdin();
    if !stdin.is_terminal() {
        return Err(CommandError::NotResumed);
    }
    write(out, "Enter resume to begin the new log: ")?;
    let mut answer = String::new();
    stdin.lock().read_line(&mut answer)?;
    match answer.trim() {
        "resume" => Ok(()),
        _ => Err(CommandError::NotResumed),
    }
}

fn check(
    options: &CheckOptions,
    out: &mut dyn Write,
    progress: &mut dyn Write,
) -> Result<(), CommandError> {
    let progress = &mut Progress::new(progress, Instant::now());
    let vault = Vault::open(&options.data)?;
    let comparison = Comparison::new(vault.deps.clone(), vault.storage(&options.data)?);
    let mut found = 0_usize;
    let mut failed = None;
    let mut report = |difference: Difference| {
        found += 1;
        let line = match options.json {
            true => format!("{}\n", difference.to_json()),
            false => format!("{difference}\n"),
        };
        if let Err(error) = write(out, &line) {
            failed = Some(error);
        }
    };
    let checked = vault.log.check_all(&mut report, &mut |phase| {
        progress.show(Instant::now(), || phase_text(phase));
    })?;
    let compared = comparison.compare_all(&checked.foreign, &mut report, &mut |compared| {
        progress.show(Instant::now(), || {
            let (ideas, rows, files) = (compared.ideas, compared.rows, compared.files);
            format!("compared {ideas} ideas with {rows} rows and {files} files")
        });
    })?;
    if let Some(error) = failed {
        return Err(error);
    }
    if found > 0 {
        return Err(CommandError::EvidenceDiffers(found));
    }
    if options.json {
        return Ok(());
    }
    write(
        out,
        &format!(
            "Checked {} and {} against {} and {} of {}: no differences.\n",
            counted(checked.events, "event"),
            counted(checked.checkpoints, "checkpoint"),
            counted(compared.rows, "row"),
            counted(compared.files, "file"),
            counted(compared.ideas, "idea"),
        ),
    )
}

/// Prints a line on how far something is, from time to time.
pub(super) struct Progress<'p> {
    out: &'p mut dyn Write,
    last: Instant,
}

impl<'p> Progress<'p> {
    pub(super) fn new(out: &'p mut dyn Write, began: Instant) -> Self {
        Self { out, last: began }
    }

    /// Prints the text unless the last one, or the beginning, is too recent.
    pub(super) fn show(&mut self, now: Instant, text: impl FnOnce() -> String) {
        if now.saturating_duration_since(self.last) < PROGRESS_INTERVAL {
            return;
        }
        self.last = now;
        // Nobody may be there to see it.
        let _shown = writeln!(self.out, "{}", text()).is_ok();
    }
}

fn phase_text(phase: CheckPhase) -> String {
    let (what, done, of) = match phase {
        CheckPhase::Events { done, of } => ("events", done, of),
        CheckPhase::Checkpoints { done, of } => ("events below checkpoints", done, of),
    };
    let percent = (done.saturating_mul(100) / of.max(1)).min(100);
    format!("checked {done} of {of} {what} ({percent} %)")
}

fn export(options: &ExportOptions, out: &mut dyn Write) -> Result<(), CommandError> {
    let vault = Vault::open(&options.data)?;
    let storage = vault.storage(&options.data)?;
    let bundles = Bundles::new(vault.deps, storage);
    let plan = bundles.plan_for_operator(IdeaId::from(options.idea))?;
    let file = File::create_new(&options.file).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => CommandError::Exists {
            path: options.file.clone(),
            kind: "name",
        },
        _ => CommandError::at(&options.file)(error),
    })?;
    let mut writer = BufWriter::new(file);
    let missing = match bundles.write(&plan, &mut writer) {
        Ok(missing) => missing,
        Err(error) => {
            // Half a bundle is none.
            drop(writer);
            std::fs::remove_file(&options.file).map_err(CommandError::at(&options.file))?;
            return Err(error.into());
        }
    };
    writer.flush().map_err(CommandError::at(&options.file))?;
    write(out, &format!("{} is written.\n", options.file.display()))?;
    match missing.is_empty() {
        true => Ok(()),
        false => Err(CommandError::Lacking(Listed::of(missing))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_shown_each_second_and_not_at_once() {
        let mut shown = Vec::new();
        let began = Instant::now();
        let mut progress = Progress::new(&mut shown, began);
        for (milliseconds, done) in [(0, 1), (999, 2), (1_000, 3), (1_900, 4), (2_500, 5)] {
            let now = began + Duration::from_millis(milliseconds);
            progress.show(now, || phase_text(CheckPhase::Events { done, of: 8 }));
        }
        assert_eq!(
            String::from_utf8(shown).unwrap(),
            "checked 3 of 8 events (37 %)\nchecked 5 of 8 events (62 %)\n"
        );
    }

    #[test]
    fn events_that_come_meanwhile_do_not_exceed_the_whole() {
        for (done, of) in [(9, 8), (1, 0), (u64::MAX, 1)] {
            let text = phase_text(CheckPhase::Checkpoints { done, of });
            assert!(text.ends_with("(100 %)"), "{text}");
        }
    }
}
