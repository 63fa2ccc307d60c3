//! `ideavault mails`.

use std::io::Write;

use chrono::SecondsFormat;
use clap::Args;
use ideavault_domain::Timestamp;
use ideavault_domain::mail::{MailKind, WaitingMail};
use ideavault_domain::ports::Database as _;

use super::{CommandError, Rows, table, write};
use crate::config::DataOptions;
use crate::data;

/// Options of `ideavault mails`.
#[derive(Args, Clone, Debug)]
pub struct MailsOptions {
    /// Largest number of mails.
    #[arg(long, default_value = "100")]
    pub limit: u32,

    /// Location of the vault.
    #[command(flatten)]
    pub data: DataOptions,
}

/// Prints the mails that wait to `out`, the oldest first. It names no address.
pub fn mails(options: &MailsOptions, out: &mut dyn Write) -> Result<(), CommandError> {
    let database = data::open_existing(&options.data)?.database;
    let waiting = database.read(|tx| tx.outbox().waiting(i64::from(options.limit)))?;
    write(out, &table::format(&rows(&waiting), "No mail waits."))
}

fn rows(waiting: &[WaitingMail]) -> Rows {
    let heading = [
        "mail", "kind", "account", "since", "attempts", "next", "until",
    ];
    let rows = waiting.iter().map(|mail| {
        vec![
            mail.id.to_string(),
            mail.kind.map_or("unreadable", MailKind::as_str).to_owned(),
            mail.sender
                .map_or_else(|| "-".to_owned(), |id| id.to_string()),
            time(mail.queued_at),
            mail.attempts.to_string(),
            time(mail.next_attempt_at),
            time(mail.expires_at),
        ]
    });
    std::iter::once(heading.map(str::to_owned).to_vec())
        .chain(rows)
        .collect()
}

fn time(at: Timestamp) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}
