//! The table that a measurement prints.

use std::error::Error;
use std::io::Write as _;
use std::time::Duration;

use crate::Outcome;
use crate::load::Measured;

/// One route.
pub(crate) struct Row {
    /// Which.
    pub(crate) title: &'static str,
    /// Size of the answer's body.
    pub(crate) bytes: usize,
    /// The server's figures.
    pub(crate) measured: Measured,
    /// The bare route's figures.
    pub(crate) ceiling: Measured,
}

/// One database.
pub(crate) struct Report<'name> {
    /// Which.
    pub(crate) database: &'name str,
    /// From start to ready.
    pub(crate) start: Duration,
    /// Resident memory before the first request, in KiB.
    pub(crate) at_rest: u64,
    /// The most resident memory, in KiB.
    pub(crate) under_load: u64,
    /// The routes.
    pub(crate) rows: Vec<Row>,
}

impl Report<'_> {
    /// Prints it to standard output.
    pub(crate) fn print(&self) -> Outcome<()> {
        let mut out = std::io::stdout().lock();
        writeln!(
            out,
            "\n{}: starts in {} ms, {:.1} MiB at rest, {:.1} MiB at most under load\n",
            self.database,
            self.start.as_millis(),
            mebibytes(self.at_rest),
            mebibytes(self.under_load),
        )?;
        writeln!(
            out,
            "| {:<32} | {:>6} | {:>8} | {:>8} | {:>8} | {:>8} | {:>8} | {:>5} |",
            "route", "bytes", "req/s", "p50 ms", "p99 ms", "bare/s", "bare p99", "of it"
        )?;
        writeln!(out, "|{}|", ["---"; 8].join("|"))?;
        for row in &self.rows {
            writeln!(
                out,
                "| {:<32} | {:>6} | {:>8.0} | {:>8.2} | {:>8.2} | {:>8.0} | {:>8.2} | {:>4.0}% |",
                row.title,
                row.bytes,
                row.measured.per_second,
                milliseconds(row.measured.p50),
                milliseconds(row.measured.p99),
                row.ceiling.per_second,
                milliseconds(row.ceiling.p99),
                100.0 * row.measured.per_second / row.ceiling.per_second,
            )?;
        }
        Ok(out.flush()?)
    }
}

/// Says why nothing could be measured.
pub(crate) fn failure(error: &(dyn Error + Send + Sync)) {
    // Nothing is left to tell when even standard error is gone.
    drop(writeln!(std::io::stderr(), "error: {error}"));
}

fn mebibytes(kibibytes: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "some thousand KiB")]
    let kibibytes = kibibytes as f64;
    kibibytes / 1024.0
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}
