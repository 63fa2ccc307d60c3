//! The log of events: how fast it gives places, is checked, and is exported.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ideavault_domain::ids::IdeaId;
use tempfile::TempDir;

use crate::Outcome;
use crate::seed::{Crowd, Seeder};
use crate::server::{Server, peak_memory_of};

/// How often the log is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// Longest wait for the places of everything that was recorded.
const PLACES_MAX: Duration = Duration::from_secs(600);

/// The readers and comments of the idea that is exported: three events for each reader, one for
/// each comment.
pub(crate) const EXPORTED: Crowd = Crowd {
    readers: 1_000,
    comments: 7_000,
};
/// Events of that idea.
pub(crate) const EXPORTED_EVENTS: usize = 3 * EXPORTED.readers + EXPORTED.comments;

/// Duration and memory of a command of the server.
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
    /// `ideavault evidence export` of an idea with [`EXPORTED_EVENTS`] or a few more.
    pub(crate) export: Run,
    /// The same of an idea with a tenth of the events.
    pub(crate) large_export: Run,
    /// `ideavault verify` of the larger bundle.
    pub(crate) large_verification: Run,
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

/// Measures the commands beside a running server. The idea `exported` has the events of
/// [`EXPORTED`], and `large` a tenth of all.
pub(crate) fn measure(
    binary: &Path,
    server: &Server,
    seeder: &Seeder,
    [exported, large]: [IdeaId; 2],
    placed_per_second: f64,
) -> Outcome<Figures> {
    let folder = TempDir::new()?;
    let bundle = folder.path().join("evidence.zip");
    let large_bundle = folder.path().join("large.zip");
    let run = |arguments: &[&str]| {
        let mut command = server.command(binary);
        run(command.arg("evidence").args(arguments), 0)
    };
    let export =
        |idea: IdeaId, to: &Path| run(&["export", &idea.to_string(), &to.to_string_lossy()]);
    Ok(Figures {
        events: seeder.placed()?,
        placed_per_second,
        check: run(&["check"])?,
        export: export(exported, &bundle)?,
        large_export: export(large, &large_bundle)?,
        large_verification: verify(binary, &large_bundle)?,
        status: run(&["status"])?,
    })
}

/// Verifies a bundle, which nobody else has confirmed.
fn verify(binary: &Path, bundle: &Path) -> Outcome<Run> {
    const VALID_BY_THE_SERVER: i32 = 3;
    run(
        Command::new(binary).arg("verify").arg(bundle),
        VALID_BY_THE_SERVER,
    )
}

/// Runs a command to its end, with the expected status.
fn run(command: &mut Command, expected: i32) -> Outcome<Run> {
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
    if status.code() == Some(expected) {
        let took = began.elapsed();
        Ok(Run { took, memory })
    } else {
        Err(format!("{command:?} failed: {status}").into())
    }
}
