//! `ideavault audit`.

use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;

use chrono::{NaiveDate, NaiveTime, SecondsFormat};
use clap::Args;
use ideavault_application::audit::Audit;
use ideavault_domain::Timestamp;
use ideavault_domain::audit::AuditEntry;
use ideavault_domain::email::Email;
use ideavault_domain::ids::UserId;
use thiserror::Error;

use super::{CommandError, Rows, csv, table, write};
use crate::config::DataOptions;
use crate::data;
use crate::platform::SystemClock;

/// Options of `ideavault audit`.
#[derive(Args, Clone, Debug)]
pub struct AuditOptions {
    /// Only entries since then: `2026-11-21`, or `2026-11-21T18:00:00Z`.
    #[arg(long, value_parser = moment)]
    since: Option<Timestamp>,

    /// Largest number of entries; the newest are kept.
    #[arg(long, default_value_t = 100)]
    limit: u32,

    /// Print CSV for spreadsheets instead of a table.
    #[arg(long)]
    csv: bool,

    /// Show the mail addresses of the accounts, too. The output is then personal data.
    #[arg(long)]
    names: bool,

    /// Location of the vault.
    #[command(flatten)]
    data: DataOptions,
}

/// Error: neither a date nor a time.
#[derive(Debug, Error)]
#[error("write a date like 2026-11-21, or a time like 2026-11-21T18:00:00Z")]
struct NotAMoment;

/// Parses a time, or a date as the beginning of that day, in UTC.
fn moment(text: &str) -> Result<Timestamp, NotAMoment> {
    match text.parse::<NaiveDate>() {
        Ok(day) => Ok(day.and_time(NaiveTime::MIN).and_utc()),
        Err(_) => text.parse().map_err(|_| NotAMoment),
    }
}

/// Prints the audit trail to `out`, the newest entry last.
pub fn audit(options: &AuditOptions, out: &mut dyn Write) -> Result<(), CommandError> {
    let database = Arc::new(data::open_existing(&options.data)?.database);
    let audit = Audit::new(database, Arc::new(SystemClock));
    let entries = audit.list(options.since, options.limit)?;
    let addresses = options.names.then(|| audit.addresses(&entries));
    let addresses = addresses.transpose()?;
    let rows = |blank| rows(&entries, addresses.as_ref(), blank);
    let text = if options.csv {
        csv::format(&rows(""))
    } else {
        table::format(&rows("-"), "Nothing has happened.")
    };
    write(out, &text)
}

/// Formats entries as rows, with `blank` for absent values, and with a last column for
/// account addresses if they are wanted.
fn rows(entries: &[AuditEntry], addresses: Option<&HashMap<UserId, Email>>, blank: &str) -> Rows {
    let heading = ["time", "event", "account", "subject", "address", "browser"];
    let mut heading: Vec<_> = heading.map(str::to_owned).to_vec();
    if addresses.is_some() {
        heading.push("email".to_owned());
    }
    let rows = entries.iter().map(|entry| {
        let origin = entry.origin.as_ref();
        let agent = origin.and_then(|origin| origin.user_agent.as_deref());
        let mut cells = vec![
            Some(entry.at.to_rfc3339_opts(SecondsFormat::Secs, true)),
            Some(entry.kind.as_str().to_owned()),
            entry.account.map(|id| id.to_string()),
            entry.subject.as_ref().map(ToString::to_string),
            origin.map(|origin| origin.ip.to_string()),
            agent.map(printable),
        ];
        if let Some(addresses) = addresses {
            let email = entry.account.and_then(|id| addresses.get(&id));
            cells.push(email.map(ToString::to_string));
        }
        cells
            .into_iter()
            .map(|cell| cell.unwrap_or_else(|| blank.to_owned()))
            .collect()
    });
    std::iter::once(heading).chain(rows).collect()
}

/// Replaces control characters, so that a user agent cannot control the terminal.
fn printable(text: &str) -> String {
    text.replace(char::is_control, "?")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_parsed_from_a_date_or_a_timestamp() {
        let text = |raw: &str| moment(raw).unwrap().to_rfc3339();
        assert_eq!(text("2026-11-21"), "2026-11-21T00:00:00+00:00");
        assert_eq!(
            text("2026-11-21T19:00:00+01:00"),
            "2026-11-21T18:00:00+00:00"
        );
        for raw in ["", "yesterday", "2026-13-01"] {
            assert!(moment(raw).is_err(), "{raw}");
        }
    }

    #[test]
    fn terminal_escapes_in_a_user_agent_are_replaced() {
        assert_eq!(printable("Evil\u{1b}[2J/1\n"), "Evil?[2J/1?");
    }
}
