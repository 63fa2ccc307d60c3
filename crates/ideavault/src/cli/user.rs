//! `ideavault user`.

use std::io::{self, BufRead as _, IsTerminal as _, Write};
use std::sync::Arc;

use chrono::SecondsFormat;
use clap::{Args, Subcommand};
use ideavault_application::administration::{AccountDetails, Administration};
use ideavault_db::SqlDatabase;
use ideavault_domain::Timestamp;
use ideavault_domain::account::User;
use ideavault_domain::ports::AccountSummary;
use ideavault_domain::quota::ByteSize;

use super::user_quota::{QuotaOptions, set_quota};
use super::{CommandError, Rows, table, write};
use crate::config::DataOptions;
use crate::data::{self, DataError};
use crate::platform::SystemClock;

/// Commands about accounts.
#[derive(Subcommand, Clone, Debug)]
pub enum UserCommand {
    /// Print all accounts, the oldest first.
    List(DataOptions),
    /// Print the details of one account.
    Show(UserOptions),
    /// Disable an account: end its sessions, refuse to sign it in, and open none of its links,
    /// until it is enabled again.
    Disable(UserOptions),
    /// Enable a disabled account again, with its links.
    Enable(UserOptions),
    /// Set the storage of one account, such as 500MB.
    Quota(QuotaOptions),
    /// Delete an account for good: its drafts, its files and the content of its published
    /// ideas. Accepted agreements stay on record.
    Delete(DeletionOptions),
}

/// Options of the commands about one account.
#[derive(Args, Clone, Debug)]
pub struct UserOptions {
    /// Email address of the account.
    pub email: String,

    /// Location of the vault.
    #[command(flatten)]
    pub data: DataOptions,
}

/// Options of `ideavault user delete`.
#[derive(Args, Clone, Debug)]
pub struct DeletionOptions {
    /// Delete without asking.
    #[arg(long)]
    pub yes: bool,

    /// The account to delete.
    #[command(flatten)]
    pub user: UserOptions,
}

/// Lists, shows or changes accounts, and reports it on `out`.
pub fn user(command: &UserCommand, out: &mut dyn Write) -> Result<(), CommandError> {
    match command {
        UserCommand::List(options) => {
            let accounts = open(options)?.list()?;
            write(
                out,
                &table::format(&rows(&accounts), "There are no accounts."),
            )
        }
        UserCommand::Quota(options) => set_quota(options, out),
        UserCommand::Show(options) => {
            let account = open(&options.data)?.show(&options.email)?;
            write(out, &details(&account))
        }
        UserCommand::Disable(options) => {
            let email = open(&options.data)?.disable(&options.email)?;
            let text = format!(
                "{email} is disabled: nobody can sign in with it, and its links do not open, until \
                 you enable it again.\n"
            );
            write(out, &text)
        }
        UserCommand::Enable(options) => {
            let email = open(&options.data)?.enable(&options.email)?;
            write(
                out,
                &format!("{email} can sign in again, and its links work.\n"),
            )
        }
        UserCommand::Delete(options) => delete(options, out),
    }
}

fn open(options: &DataOptions) -> Result<Administration<SqlDatabase>, DataError> {
    let database = Arc::new(data::open_existing(options)?.database);
    Ok(Administration::new(database, Arc::new(SystemClock)))
}

fn delete(options: &DeletionOptions, out: &mut dyn Write) -> Result<(), CommandError> {
    let administration = open(&options.user.data)?;
    let account = administration.show(&options.user.email)?.summary;
    if !options.yes {
        confirm(&account, out)?;
    }
    let email = administration.delete(&options.user.email)?;
    let text = format!(
        "{email} is deleted, and nobody can read its ideas any more. Backups from before still \
         have them.\n"
    );
    write(out, &text)
}

/// Asks the operator to type the address again.
fn confirm(account: &AccountSummary, out: &mut dyn Write) -> Result<(), CommandError> {
    let stdin = io::stdin();
    if !stdin.is_terminal() {
        return Err(CommandError::Unconfirmed);
    }
    let AccountSummary {
        user, ideas, links, ..
    } = account;
    let question = format!(
        "This deletes the account of {} ({}) for good, with {ideas} ideas, and ends {links} \
         links.\nEnter the address again to delete it: ",
        user.email,
        printable(user.name.as_str()),
    );
    write(out, &question)?;
    let mut answer = String::new();
    stdin.lock().read_line(&mut answer)?;
    if answer.trim().eq_ignore_ascii_case(user.email.as_str()) {
        Ok(())
    } else {
        Err(CommandError::Unconfirmed)
    }
}

fn rows(accounts: &[AccountSummary]) -> Rows {
    let heading = [
        "email",
        "name",
        "registered",
        "confirmed",
        "state",
        "ideas",
        "links",
    ];
    let rows = accounts.iter().map(|account| {
        let user = &account.user;
        vec![
            user.email.to_string(),
            printable(user.name.as_str()),
            time(user.created_at),
            user.email_confirmed_at.map_or_else(|| "-".into(), time),
            state(user).to_owned(),
            account.ideas.to_string(),
            account.links.to_string(),
        ]
    });
    std::iter::once(heading.map(str::to_owned).to_vec())
        .chain(rows)
        .collect()
}

fn details(account: &AccountDetails) -> String {
    let summary = &account.summary;
    let user = &summary.user;
    let lines = [
        ("email", user.email.to_string()),
        ("name", printable(user.name.as_str())),
        ("id", user.id.to_string()),
        ("registered", time(user.created_at)),
        (
            "confirmed",
            user.email_confirmed_at.map_or_else(|| "no".into(), time),
        ),
        (
            "state",
            user.disabled_at.map_or_else(
                || state(user).into(),
                |since| format!("disabled since {}", time(since)),
            ),
        ),
        (
            "two-step",
            if account.two_factor { "on" } else { "off" }.into(),
        ),
        ("sessions", account.sessions.to_string()),
        (
            "ideas",
            format!("{} ({} published)", summary.ideas, summary.published),
        ),
        ("links", summary.links.to_string()),
        (
            "stored",
            ByteSize::from_bytes(account.storage.used).to_string(),
        ),
        (
            "quota",
            account.storage.quota.map_or_else(
                || "as much as the server allows every account".into(),
                |quota| quota.to_string(),
            ),
        ),
    ];
    lines
        .iter()
        .map(|(name, value)| format!("{:<12}{value}\n", format!("{name}:")))
        .collect()
}

fn state(user: &User) -> &'static str {
    if user.is_disabled() {
        "disabled"
    } else {
        "active"
    }
}

fn time(at: Timestamp) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// Replaces control characters, so that a name cannot control the terminal.
fn printable(text: &str) -> String {
    text.replace(char::is_control, "?")
}
