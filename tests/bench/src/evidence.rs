//! The log of events: how fast it gives places, is checked, and is exported.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ideavault_domain::ids::IdeaId;
use tempfile::TempDir;

use crate::Outcome;
use crate::seed::Seeder;
use crate::server::{Server, peak_memory_of};

/// How often the log is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// Longest wait for the places of everything that was recorded.
const PLACES_MAX: Duration = Duration::from_secs(600);

/// What a command of the server took.
pub(crate) struct Run {
    /// From its start to its end.
    pub(crate) took: Duration,
    /// Peak resident memory, in KiB.
    pub(crate) memory: u64,
}

/// The figures of the log.
pub(crate) struct Figures {
    /// Number of events in the log.
    pub(crate) events: u64,
    /// The number of events that got a place in each second after the large data set was
    /// recorded.
    pub(crate) placed_per_second: f64,
    /// `ideavault evidence check`.
    pub(crate) check: Run,
    /// `ideavault evidence export` of an idea with a tenth of the events.
    pub(crate) export: Run,
    /// `ideavault evidence status`, which does next to nothing.
    pub(crate) status: Run,
}

/// Waits until all events have places.
pub(crate) fn until_placed(seeder: &Seeder) -> Outcome<()> {
    let began = Instant::now();
    while seeder.oldest_waiting()?.is_some() {
        if began.elapsed() > PLACES_MAX {
            return Err("events wait for their places".into());
        }
        thread::sleep(LOOK_EVERY);
    }
    Ok(())
}

/// Returns the longest time that an event was seen waiting for its place while `work` ran.
pub(crate) fn longest_wait<T>(
    seeder: &Seeder,
    work: impl FnOnce() -> Outcome<T>,
) -> Outcome<(T, Duration)> {
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        let looking = scope.spawn(|| {
            let (mut longest, mut since) = (Duration::ZERO, None);
            while !is_done.load(Ordering::Relaxed) {
                let oldest = seeder.oldest_waiting()?;
                since = match (oldest, since) {
                    (Some(row), Some((same, began))) if row == same => Some((same, began)),
                    (Some(row), _) => Some((row, Instant::now())),
                    (None, _) => None,
                };
                if let Some((_, began)) = since {
                    longest = longest.max(began.elapsed());
                }
                thread::sleep(LOOK_EVERY);
            }
            Ok::<_, crate::Failure>(longest)
        });
        let done = work();
        is_done.store(true, Ordering::Relaxed);
        let longest = looking
            .join()
            .map_err(|_| "a thread that looks panicked")??;
        Ok((done?, longest))
    })
}

/// Measures the commands beside a running server.
pub(crate) fn measure(
    binary: &Path,
    server: &Server,
    seeder: &Seeder,
    idea: IdeaId,
    placed_per_second: f64,
) -> Outcome<Figures> {
    let folder = TempDir::new()?;
    let bundle = folder.path().join("evidence.zip");
    let run = |arguments: &[&str]| {
        let mut command = server.command(binary);
        run(command.arg("evidence").args(arguments))
    };
    Ok(Figures {
        events: seeder.placed()?,
        placed_per_second,
        check: run(&["check"])?,
        export: run(&["export", &idea.to_string(), &bundle.to_string_lossy()])?,
        status: run(&["status"])?,
    })
}

/// Runs a command to its end, which must be a success.
fn run(command: &mut Command) -> Outcome<Run> {
    let began = Instant::now();
    let mut child = command.stdout(Stdio::null()).spawn()?;
    let mut memory = 0;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        // It may have ended since.
        memory = memory.max(peak_memory_of(&child).unwrap_or_default());
        thread::sleep(LOOK_EVERY);
    };
    if status.success() {
        let took = began.elapsed();
        Ok(Run { took, memory })
    } else {
        Err(format!("{command:?} failed").into())
    }
}
