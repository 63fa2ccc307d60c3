//! The limits for the figures of one database.

use std::io::Write as _;
use std::time::Duration;

use crate::Outcome;
use crate::evidence::{EXPORTED_EVENTS, Figures, Run};
use crate::load::Measured;
use crate::report::{Row, mebibytes, milliseconds, rate};
use crate::slow::Cut;

/// How many times longer a response may take with the large data set than with the small one.
const MUCH_DATA: f64 = 2.0;
/// The variation between runs of the same measurement.
const NOISE: Duration = Duration::from_millis(2);
/// Longest response time for others during writes, slow clients or logins.
const OTHERS_WAIT_MAX: Duration = Duration::from_secs(1);
/// Longest time until a slow body is cut off, with two seconds to begin and to notice it.
const BODY: Duration = Duration::from_secs(32);
/// Most resident memory under all of the load, in KiB.
const MEMORY: u64 = 80 * 1024;
/// Most resident memory after many logins, when nothing is requested, in KiB.
const MEMORY_AT_REST: u64 = 40 * 1024;
/// Longest start on the large data set.
const START: Duration = Duration::from_millis(200);
/// Factor on the share that is promised on SQLite, for Postgres: each statement is a round trip to
/// another process.
const ON_POSTGRES: f64 = 0.5;

/// Events that the repositories add in each second, however many there are.
const ADDED_PER_SECOND: f64 = 300.0;
/// Longest wait of an event for its place.
const PLACE: Duration = Duration::from_secs(5);
/// Events that get a place in each second.
const PLACES_PER_SECOND: f64 = 2_000.0;
/// Longest check of that many events.
const CHECK: Duration = Duration::from_secs(120);
const CHECKED: f64 = 1_000_000.0;
/// Longest export of that many events, and the memory that it may use, in KiB. A larger one may
/// take as much for each event.
const EXPORT: Duration = Duration::from_secs(10);
const EXPORTED: f64 = 10_000.0;
const EXPORT_MEMORY: f64 = 64.0 * 1024.0;
/// Longest verification of the larger bundle.
const VERIFY: Duration = Duration::from_secs(120);

/// A figure and whether it is within its limit.
struct Promise {
    what: String,
    figure: String,
    is_kept: bool,
}

/// All figures of one database.
#[derive(Default)]
pub(crate) struct Promises(Vec<Promise>);

impl Promises {
    /// Checks the share of the bare route that each route reaches.
    pub(crate) fn shares(&mut self, rows: &[Row], is_postgres: bool) {
        let part = if is_postgres { ON_POSTGRES } else { 1.0 };
        for row in rows {
            if let Some(share) = row.promised_share {
                let (share, reached) = (share * part, row.share());
                self.add(
                    format!("{}: share of the bare route", row.title),
                    format!("{reached:.1} % of {share:.1} %"),
                    reached >= share,
                );
            }
        }
    }

    /// Checks the memory that is kept after logins.
    pub(crate) fn memory_at_rest(&mut self, kibibytes: u64) {
        self.add(
            "memory at rest after a hundred logins".into(),
            format!("{:.1} MiB", mebibytes(kibibytes)),
            kibibytes <= MEMORY_AT_REST,
        );
    }

    /// Checks how long a server takes to start on the large data set.
    pub(crate) fn start(&mut self, time: Duration) {
        self.add(
            "start with much data".into(),
            format!("{:.0} ms", milliseconds(time)),
            time <= START,
        );
    }

    /// Checks how fast the large data set was added.
    pub(crate) fn filling(&mut self, events: u64, took: Duration) {
        let per_second = rate(events, took);
        self.add(
            "events added to the large data set".into(),
            format!("{per_second:.0} a second"),
            per_second >= ADDED_PER_SECOND,
        );
    }

    /// Checks that no route is slow with the large data set.
    pub(crate) fn much_data(&mut self, rows: &[Row]) {
        for row in rows {
            let (small, large) = (row.measured.p99, row.with_much_data.p99);
            self.add(
                format!("{}: p99 with much data", row.title),
                format!(
                    "{:.2} ms, {:.1} times {:.2} ms",
                    milliseconds(large),
                    row.times_slower(),
                    milliseconds(small)
                ),
                large <= small.mul_f64(MUCH_DATA) || large <= small + NOISE,
            );
        }
    }

    /// Checks that writes, each of which ends what is kept in memory, do not block others.
    pub(crate) fn writes(&mut self, others: &Measured) {
        self.patience("beside comments that are written", others);
    }

    /// Checks that slow clients do not block others, and are cut off.
    pub(crate) fn slow_clients(&mut self, others: &Measured, cut: &Cut) {
        self.patience("beside 200 slow clients", others);
        self.add(
            "slow bodies are cut off".into(),
            format!(
                "{}, after {:.1} s at most",
                cut.bodies,
                cut.longest.as_secs_f64()
            ),
            cut.bodies > 0 && cut.longest <= BODY,
        );
    }

    /// Checks that password hashing does not block others.
    pub(crate) fn logins(&mut self, others: &Measured) {
        self.patience("beside 50 logins at a time", others);
    }

    /// Checks how long events wait for their places under the load of writes.
    pub(crate) fn wait_for_places(&mut self, longest: Duration) {
        self.add(
            "an event waits for its place beside writes".into(),
            format!("{:.0} ms at most", milliseconds(longest)),
            longest <= PLACE,
        );
    }

    /// Checks the log of events.
    pub(crate) fn evidence(&mut self, figures: &Figures) {
        self.add(
            "events of a backlog that get a place".into(),
            format!("{:.0} a second", figures.placed_per_second),
            figures.placed_per_second >= PLACES_PER_SECOND,
        );
        #[expect(clippy::cast_precision_loss, reason = "some millions")]
        let events = figures.events as f64;
        let took = figures.check.took.as_secs_f64();
        self.add(
            "ideavault evidence check".into(),
            format!("{events} events in {took:.1} s"),
            took <= CHECK.as_secs_f64() * (events / CHECKED).max(0.1),
        );
        #[expect(clippy::cast_precision_loss, reason = "some thousands")]
        let exported = EXPORTED_EVENTS as f64;
        self.export(exported, &figures.export, &figures.status);
        self.export(events / 10.0, &figures.large_export, &figures.status);
        self.add(
            "ideavault verify of the larger bundle".into(),
            format!(
                "{:.1} s, {:.1} MiB",
                figures.large_verification.took.as_secs_f64(),
                mebibytes(figures.large_verification.memory)
            ),
            figures.large_verification.took <= VERIFY,
        );
    }

    /// Checks an export, beside a command that does nothing.
    fn export(&mut self, events: f64, export: &Run, nothing: &Run) {
        let extra = export.memory.saturating_sub(nothing.memory);
        let times = (events / EXPORTED).max(1.0);
        #[expect(clippy::cast_precision_loss, reason = "some gigabytes at most")]
        let extra_kibibytes = extra as f64;
        self.add(
            format!("ideavault evidence export of {events:.0} events"),
            format!(
                "{:.1} s, {:.1} MiB more than a command that does nothing",
                export.took.as_secs_f64(),
                mebibytes(extra)
            ),
            export.took <= EXPORT.mul_f64(times) && extra_kibibytes <= EXPORT_MEMORY * times,
        );
    }

    /// Checks the peak memory of the server.
    pub(crate) fn memory(&mut self, kibibytes: u64) {
        self.add(
            "memory under all of this".into(),
            format!("{:.1} MiB", mebibytes(kibibytes)),
            kibibytes <= MEMORY,
        );
    }

    fn patience(&mut self, beside: &str, others: &Measured) {
        let (p99, per_second) = (milliseconds(others.p99), others.per_second);
        self.add(
            format!("GET /api/auth/me {beside}: p99"),
            format!("{p99:.2} ms, at {per_second:.0} a second"),
            others.p99 <= OTHERS_WAIT_MAX,
        );
    }

    fn add(&mut self, what: String, figure: String, is_kept: bool) {
        self.0.push(Promise {
            what,
            figure,
            is_kept,
        });
    }

    /// Prints the figures to standard output; returns whether all are within their limits.
    pub(crate) fn print(&self) -> Outcome<bool> {
        let mut out = std::io::stdout().lock();
        writeln!(out)?;
        for promise in &self.0 {
            let verdict = if promise.is_kept { "within" } else { "OVER  " };
            writeln!(out, "{verdict}  {}: {}", promise.what, promise.figure)?;
        }
        out.flush()?;
        Ok(self.0.iter().all(|promise| promise.is_kept))
    }
}
