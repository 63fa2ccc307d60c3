//! `ideavault evidence`: the log of events, for the operator.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Subcommand};
use ideavault_application::deps::Deps;
use ideavault_application::event_log::Difference;
use ideavault_application::event_log::EventLog;
use ideavault_application::evidence::{Bundles, Comparison};
use ideavault_crypto::{KeyRing, SystemRandom};
use ideavault_db::SqlDatabase;
use ideavault_domain::ids::IdeaId;
use ideavault_domain::ports::{BlobStore, Database as _};
use ideavault_evidence::adapters::{NoteSigner, Rfc9162Tree, ZipBundles};
use ideavault_files::{CheckpointFile, SealedStorage};

use super::{CommandError, write};
use crate::config::DataOptions;
use crate::data::{self, OpenVault};
use crate::platform::SystemClock;

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
    /// restored.
    Resume(DataOptions),
    /// Compare events, disclosures, tree and checkpoints with each other, and with the
    /// other tables and the stored files.
    Check(CheckOptions),
    /// Write the evidence of an idea to a file.
    Export(ExportOptions),
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
        let deps = Deps {
            database: Arc::new(database),
            clock: Arc::new(SystemClock),
            random: Arc::new(SystemRandom),
        };
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
            Arc::new(Rfc9162Tree),
            Arc::new(NoteSigner),
            Arc::new(CheckpointFile::new(&options.data_dir)),
            host.map(|(host, _)| host.to_owned()).unwrap_or_default(),
        );
        Ok(Self { deps, ring, log })
    }

    fn storage(&self, options: &DataOptions) -> Result<Arc<dyn BlobStore>, CommandError> {
        let folder = Arc::new(data::files_of(&options.data_dir)?);
        let storage = SealedStorage::new(folder, Arc::new(self.ring.clone()))?;
        Ok(Arc::new(storage))
    }
}

/// Runs a command about the log of events and prints to `out`.
///
/// # Errors
/// [`CommandError`].
pub fn evidence(command: &EvidenceCommand, out: &mut dyn Write) -> Result<(), CommandError> {
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
            let recording = match status.stopped {
                None => "running".to_owned(),
                Some(reason) => format!("stopped: {reason}. See `ideavault evidence resume`"),
            };
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
        EvidenceCommand::Resume(options) => {
            let origin = Vault::open(options)?.log.resume()?;
            let text = format!(
                "Recording goes on in the log {origin}. Evidence shows that the log before it \
                 stopped, and where.\n"
            );
            write(out, &text)
        }
        EvidenceCommand::Check(options) => check(options, out),
        EvidenceCommand::Export(options) => export(options, out),
    }
}

fn check(options: &CheckOptions, out: &mut dyn Write) -> Result<(), CommandError> {
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
    let checked = vault.log.check_all(&mut report)?;
    let compared = comparison.compare_all(&mut report, &mut |compared| {
        tracing::info!(ideas = compared.ideas, rows = compared.rows, "comparing");
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
            "{} events and {} checkpoints fit together, and to {} rows and {} files of {} \
             ideas.\n",
            checked.events, checked.checkpoints, compared.rows, compared.files, compared.ideas
        ),
    )
}

fn export(options: &ExportOptions, out: &mut dyn Write) -> Result<(), CommandError> {
    let vault = Vault::open(&options.data)?;
    let storage = vault.storage(&options.data)?;
    let bundles = Bundles::new(
        vault.deps,
        storage,
        Arc::new(Rfc9162Tree),
        Arc::new(ZipBundles),
    );
    let plan = bundles.plan_for_operator(IdeaId::from(options.idea))?;
    let file = File::create_new(&options.file).map_err(CommandError::at(&options.file))?;
    let mut writer = BufWriter::new(file);
    if let Err(error) = bundles.write(&plan, &mut writer) {
        // Half a bundle is none.
        drop(writer);
        std::fs::remove_file(&options.file).map_err(CommandError::at(&options.file))?;
        return Err(error.into());
    }
    writer.flush().map_err(CommandError::at(&options.file))?;
    write(out, &format!("{} is written.\n", options.file.display()))
}
