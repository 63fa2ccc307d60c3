//! Figures of this process, by the names that every Prometheus client gives them.

use ideavault_domain::Timestamp;
use ideavault_web::ProcessFigure;

/// Returns what the system tells about this process, which began to serve at that time; nothing
/// where it does not.
#[cfg(target_os = "linux")]
#[must_use]
pub fn process_figures(started_at: Timestamp) -> Vec<ProcessFigure> {
    use rustix::param::{clock_ticks_per_second, page_size};
    use rustix::process::{Resource, getrlimit};

    let mut figures = Vec::new();
    let mut add = |name, help, is_counter, value| {
        figures.push(ProcessFigure {
            name,
            help,
            is_counter,
            value,
        });
    };
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    if let Some(stat) = Stat::parse(&stat) {
        let ticks = precise(clock_ticks_per_second());
        let help = "Time that processors have spent on this process";
        add(
            "process_cpu_seconds",
            help,
            true,
            precise(stat.ticks) / ticks,
        );
        let resident = stat.pages.saturating_mul(page_size() as u64);
        let help = "Memory that this process occupies";
        add(
            "process_resident_memory_bytes",
            help,
            false,
            precise(resident),
        );
        let help = "Addresses that this process has reserved";
        add(
            "process_virtual_memory_bytes",
            help,
            false,
            precise(stat.virtual_bytes),
        );
        add(
            "process_threads",
            "Threads of this process",
            false,
            precise(stat.threads),
        );
    }
    let started = u64::try_from(started_at.timestamp()).unwrap_or_default();
    let help = "When this process began to serve, in seconds since 1970";
    add("process_start_time_seconds", help, false, precise(started));
    if let Ok(open) = std::fs::read_dir("/proc/self/fd") {
        // One is of this look.
        let open = open.count().saturating_sub(1) as u64;
        add(
            "process_open_fds",
            "Open files and sockets",
            false,
            precise(open),
        );
    }
    if let Some(most) = getrlimit(Resource::Nofile).current {
        let help = "Most files and sockets that may be open";
        add("process_max_fds", help, false, precise(most));
    }
    figures
}

/// Returns nothing: other systems tell it in other ways.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn process_figures(_: Timestamp) -> Vec<ProcessFigure> {
    Vec::new()
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a rounded figure is as good, and Prometheus has no other numbers"
)]
fn precise(value: u64) -> f64 {
    value as f64
}

/// The fields of `/proc/self/stat` that are told.
#[derive(Debug, PartialEq, Eq)]
struct Stat {
    ticks: u64,
    threads: u64,
    virtual_bytes: u64,
    pages: u64,
}

impl Stat {
    /// The name of the program stands in parentheses, and may have spaces and parentheses.
    fn parse(text: &str) -> Option<Self> {
        let (_, fields) = text.rsplit_once(')')?;
        let fields: Vec<_> = fields.split_whitespace().collect();
        // Counted from the third field of proc(5), the state.
        let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
        Some(Self {
            ticks: field(14)?.saturating_add(field(15)?),
            threads: field(20)?,
            virtual_bytes: field(23)?,
            pages: field(24)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_are_found_behind_any_name() {
        let text = "7 (idea ) vault) S 1 7 7 0 -1 4194560 5 0 0 0 30 12 0 0 20 0 9 0 99 1000 25 18";
        let expected = Stat {
            ticks: 42,
            threads: 9,
            virtual_bytes: 1_000,
            pages: 25,
        };
        assert_eq!(Stat::parse(text), Some(expected));
        assert_eq!(Stat::parse(""), None);
    }
}
