//! `ideavault erase-person`.

use std::io::{self, BufRead as _, IsTerminal as _, Write};
use std::sync::Arc;

use clap::Args;
use ideavault_application::erasure::{PersonErasure, PersonSummary};

use super::{CommandError, Listed, write};
use crate::config::DataOptions;
use crate::data;
use crate::platform::SystemClock;

/// Options of `ideavault erase-person`.
#[derive(Args, Clone, Debug)]
pub struct ErasePersonOptions {
    /// Email address that the person opened links with.
    pub email: String,

    /// Keep the texts of accepted agreements, with the name and the address in them, where
    /// the law wants them kept.
    #[arg(long)]
    pub keep_agreements: bool,

    /// Erase without asking.
    #[arg(long)]
    pub yes: bool,

    /// Location of the vault.
    #[command(flatten)]
    pub data: DataOptions,
}

/// Erases a reader in all ideas, and reports it on `out`.
pub fn erase_person(options: &ErasePersonOptions, out: &mut dyn Write) -> Result<(), CommandError> {
    let database = Arc::new(data::open_existing(&options.data)?.database);
    let erasure = PersonErasure::new(database, Arc::new(SystemClock));
    let person = erasure.find(&options.email)?;
    if person.is_empty() {
        let text = format!("The vault has nothing of {}.\n", person.email);
        return write(out, &text);
    }
    let texts = match (person.agreements, options.keep_agreements) {
        (0, _) => "",
        (_, true) => " The texts of accepted agreements are kept, with the name in them.",
        (_, false) => " The texts of accepted agreements go too.",
    };
    let account = match person.has_account {
        true => " The account with this address is not touched: see user delete.",
        false => "",
    };
    let plan = format!(
        "This erases {}: {}. Name, address, phone number, network addresses and the authorship \
         of comments go, and waiting mails to that person.{texts} What happened and when stays \
         on record, without the person. Evidence bundles that were handed out and backups \
         still have everything.{account}\n",
        person.email,
        counts(&person),
    );
    write(out, &plan)?;
    if !options.yes {
        confirm(&person, out)?;
    }
    let erased = erasure.erase_everywhere(&options.email, options.keep_agreements)?;
    let text = format!("{} is erased: {}.\n", erased.email, counts(&erased));
    write(out, &text)?;
    if erased.damaged.is_empty() {
        Ok(())
    } else {
        Err(CommandError::PersonUnknown(Listed::of(&erased.damaged)))
    }
}

fn counts(person: &PersonSummary) -> String {
    let count = |number: usize, one: &str, many: &str| match number {
        1 => format!("1 {one}"),
        number => format!("{number} {many}"),
    };
    format!(
        "{}, {}, {}, {}",
        count(person.registrations, "registration", "registrations"),
        count(
            person.agreements,
            "accepted agreement",
            "accepted agreements"
        ),
        count(
            person.links,
            "link for this address only",
            "links for this address only"
        ),
        count(
            person.applications,
            "entry in the waitlist or in invitations",
            "entries in the waitlist and in invitations"
        ),
    )
}

/// Asks the operator to type the address again.
fn confirm(person: &PersonSummary, out: &mut dyn Write) -> Result<(), CommandError> {
    let stdin = io::stdin();
    if !stdin.is_terminal() {
        return Err(CommandError::Unconfirmed);
    }
    write(out, "Enter the address again to erase the person: ")?;
    let mut answer = String::new();
    stdin.lock().read_line(&mut answer)?;
    if answer.trim().eq_ignore_ascii_case(person.email.as_str()) {
        Ok(())
    } else {
        Err(CommandError::Unconfirmed)
    }
}
