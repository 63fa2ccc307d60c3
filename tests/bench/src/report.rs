//! The table that a measurement prints.

use std::error::Error;
use std::io::Write as _;
use std::time::Duration;

use crate::Outcome;
use crate::earlier::Earlier;
use crate::load::Measured;

/// The figures of one route.
pub(crate) struct Row {
    /// The name of the route in the table.
    pub(crate) title: &'static str,
    /// The size of the response body.
    pub(crate) bytes: usize,
    /// The server's figures.
    pub(crate) measured: Measured,
    /// The bare route's figures.
    pub(crate) ceiling: Measured,
    /// The server's figures with the large data set.
    pub(crate) with_much_data: Measured,
    /// The promised share of the bare route's speed, in percent.
    pub(crate) promised_share: Option<f64>,
}

impl Row {
    /// Returns how many times longer the p99 is with the large data set.
    pub(crate) fn times_slower(&self) -> f64 {
        self.with_much_data.p99.as_secs_f64() / self.measured.p99.as_secs_f64()
    }

    /// Returns the share of the bare route's speed, in percent.
    pub(crate) fn share(&self) -> f64 {
        100.0 * self.measured.per_second / self.ceiling.per_second
    }
}

/// The figures of one database.
pub(crate) struct Report<'name> {
    /// The name of the database.
    pub(crate) database: &'name str,
    /// The time from start to ready.
    pub(crate) start: Duration,
    /// The time for adding the large data set.
    pub(crate) seeded_in: Duration,
    /// The peak resident memory at the end of each part, in KiB.
    pub(crate) memory: [(&'static str, u64); 5],
    /// The shares of an earlier run.
    pub(crate) earlier: Earlier,
    /// One row for each route.
    pub(crate) rows: Vec<Row>,
}

impl Report<'_> {
    /// Prints the report to standard output.
    pub(crate) fn print(&self) -> Outcome<()> {
        let mut out = std::io::stdout().lock();
        writeln!(
            out,
            "\n{}: starts in {} ms, filled in {:.0} s",
            self.database,
            self.start.as_millis(),
            self.seeded_in.as_secs_f64(),
        )?;
        for (by, kibibytes) in self.memory {
            writeln!(out, "{:.1} MiB at most {by}", mebibytes(kibibytes))?;
        }
        writeln!(out)?;
        writeln!(
            out,
            "| {:<32} | {:>6} | {:>8} | {:>8} | {:>8} | {:>8} | {:>8} | {:>5} | {:>7} | {:>8} |",
            "route",
            "bytes",
            "req/s",
            "p50 ms",
            "p99 ms",
            "bare/s",
            "bare p99",
            "of it",
            "earlier",
            "p99 much"
        )?;
        writeln!(out, "|{}|", ["---"; 10].join("|"))?;
        for row in &self.rows {
            writeln!(
                out,
                "| {:<32} | {:>6} | {:>8.0} | {:>8.2} | {:>8.2} | {:>8.0} | {:>8.2} | {:>4.0}% | {:>7} | {:>8.2} |",
                row.title,
                row.bytes,
                row.measured.per_second,
                milliseconds(row.measured.p50),
                milliseconds(row.measured.p99),
                row.ceiling.per_second,
                milliseconds(row.ceiling.p99),
                row.share(),
                self.earlier.share_of(row.title),
                milliseconds(row.with_much_data.p99),
            )?;
        }
        Ok(out.flush()?)
    }
}

/// Prints why the measurement failed.
pub(crate) fn failure(error: &(dyn Error + Send + Sync)) {
    // Nothing can be reported if even standard error is closed.
    drop(writeln!(std::io::stderr(), "error: {error}"));
}

/// Returns how many in each second.
pub(crate) fn rate(count: u64, time: Duration) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "some millions")]
    let count = count as f64;
    count / time.as_secs_f64()
}

pub(crate) fn mebibytes(kibibytes: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "some thousand KiB")]
    let kibibytes = kibibytes as f64;
    kibibytes / 1024.0
}

pub(crate) fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}
