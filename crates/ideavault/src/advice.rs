//! Advice on errors that come from the system or the database, whose own texts only say
//! what happened.

use std::error::Error;
use std::io;
use std::iter::successors;

use ideavault_db::{BackupError, ConnectError, CopyError};

use crate::platform::User;

/// Returns what to do about an error, unless its text says so.
#[must_use]
pub fn advice(error: &(dyn Error + 'static)) -> Option<String> {
    let chain = || successors(Some(error), |error| (*error).source());
    let text: Vec<_> = chain().map(ToString::to_string).collect();
    let text = text.join("\n");
    // SQLite's words for a file or a folder that it may not use.
    let of_sqlite = ["readonly database", "unable to open database file"];
    if chain().any(is_forbidden) || of_sqlite.iter().any(|words| text.contains(words)) {
        let user = User::current().map_or_else(|| "this user".to_owned(), |user| user.to_string());
        return Some(format!(
            "run it as the user of the server, or let {user}, who runs this, read and write there \
             (chown, chmod)"
        ));
    }
    let advice = chain().find_map(|cause| {
        if let Some(error) = cause.downcast_ref::<ConnectError>() {
            return of_connection(error, &text);
        }
        if cause.is::<CopyError>() && text.contains("permission denied") {
            return Some(of_postgres(&text).to_owned());
        }
        match cause.downcast_ref::<BackupError>()? {
            BackupError::Program { .. } => Some(INSTALL_TOOLS.to_owned()),
            BackupError::Failed { complaint, .. } if complaint.contains("version mismatch") => {
                Some(NEWER_TOOLS.to_owned())
            }
            BackupError::Failed { .. } | BackupError::SqlDatabase(_)
                if text.contains("connection to server") || text.contains("permission denied") =>
            {
                Some(of_postgres(&text).to_owned())
            }
            _ => None,
        }
    })?;
    let is_of_target =
        |cause: &(dyn Error + 'static)| matches!(cause.downcast_ref(), Some(CopyError::Target(_)));
    Some(match chain().any(is_of_target) {
        true => advice.replace("IDEAVAULT_DATABASE_URL", "--to"),
        false => advice,
    })
}

const INSTALL_TOOLS: &str = "install PostgreSQL's client programs (on Debian: `apt-get install \
                             postgresql-client`), not older than the Postgres server";
const NEWER_TOOLS: &str = "install client programs that are not older than the Postgres server \
                           (https://wiki.postgresql.org/wiki/Apt), and put them first in PATH";

/// Returns whether the system has refused access.
fn is_forbidden(cause: &(dyn Error + 'static)) -> bool {
    let error = cause.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::PermissionDenied)
}

fn of_connection(error: &ConnectError, text: &str) -> Option<String> {
    let advice = match error {
        // It says what to do by itself.
        ConnectError::UnknownAddress | ConnectError::SharedConnections => return None,
        ConnectError::File { .. } => {
            "correct IDEAVAULT_DATABASE_URL or IDEAVAULT_DATA_DIR, or put the file back"
        }
        ConnectError::Sqlite { .. } if text.contains("not a database") => {
            "correct IDEAVAULT_DATABASE_URL or IDEAVAULT_DATA_DIR if they name another file; if the \
             file is damaged, move it away with its -wal and -shm, and restore a backup: `ideavault \
             restore FOLDER`"
        }
        ConnectError::Sqlite { .. } => {
            "see that nothing else locks the file, and that the disk has space and no errors; if \
             the file is damaged, move it away with its -wal and -shm, and restore a backup: \
             `ideavault restore FOLDER`"
        }
        ConnectError::Postgres(_) | ConnectError::Unreadable(_) => of_postgres(text),
    };
    Some(advice.to_owned())
}

/// Returns whether Postgres answers, or the address cannot be read at all: only a change of
/// settings, or of Postgres, helps then.
#[must_use]
pub fn is_refused_by_postgres(error: &ConnectError) -> bool {
    let chain = successors(Some(error as &dyn Error), |error| (*error).source());
    let text: Vec<_> = chain.map(ToString::to_string).collect();
    !matches!(
        Refusal::told(&text.join("\n")),
        Refusal::Away | Refusal::Full
    )
}

/// Why Postgres cannot be used.
enum Refusal {
    Login,
    Host,
    NoDatabase,
    Rights,
    Full,
    Address,
    Away,
}

impl Refusal {
    /// Reads the words of libpq, which has nothing else to tell them apart by.
    fn told(text: &str) -> Self {
        let says = |words: &[&str]| words.iter().any(|words| text.contains(words));
        // First: it names the role as well, and passes by itself.
        if says(&[
            "too many clients",
            "too many connections",
            "remaining connection slots",
        ]) {
            Self::Full
        } else if says(&["authentication failed", "no password supplied", "role \""]) {
            Self::Login
        } else if says(&["pg_hba.conf"]) {
            Self::Host
        } else if says(&["database \""]) && says(&["does not exist"]) {
            Self::NoDatabase
        } else if says(&["permission denied"]) {
            Self::Rights
        } else if says(&[
            "invalid port",
            "invalid integer value",
            "invalid URI",
            "invalid percent-encoded",
            "unexpected character",
            "URI query parameter",
        ]) {
            Self::Address
        } else {
            Self::Away
        }
    }
}

fn of_postgres(text: &str) -> &'static str {
    match Refusal::told(text) {
        Refusal::Login => {
            "correct user and password in IDEAVAULT_DATABASE_URL (in them, write each of \
             @ : / ? # % as %40 %3A %2F %3F %23 %25), or make the role: `sudo -u postgres \
             createuser --pwprompt NAME`"
        }
        Refusal::Host => {
            "let this machine in: add a line for it to pg_hba.conf of Postgres, and reload Postgres"
        }
        Refusal::NoDatabase => {
            "make it: `sudo -u postgres createdb --owner=ROLE --encoding=UTF8 --template=template0 \
             NAME`; a vault that had one needs `ideavault restore FOLDER` then. Or correct the \
             name at the end of IDEAVAULT_DATABASE_URL"
        }
        Refusal::Rights => {
            "correct the user in IDEAVAULT_DATABASE_URL, or let that role own the database and its \
             tables: `REASSIGN OWNED BY FORMER TO ROLE` in the database, as a superuser"
        }
        Refusal::Full => {
            "raise max_connections of Postgres (or the limit of the role or the database), or let \
             others use fewer: each server opens up to 13"
        }
        Refusal::Address => {
            "correct IDEAVAULT_DATABASE_URL: postgres://USER:PASSWORD@HOST:PORT/DATABASE, and in \
             user and password write each of @ : / ? # % as %40 %3A %2F %3F %23 %25"
        }
        Refusal::Away => {
            "start Postgres (`systemctl start postgresql`), or correct host and port in \
             IDEAVAULT_DATABASE_URL"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::DataError;

    fn postgres(text: &str) -> String {
        let error = DataError::from(ConnectError::Unreadable(text.into()));
        advice(&error).unwrap()
    }

    #[test]
    fn what_postgres_says_decides_what_to_do() {
        for (said, to_do) in [
            (
                "FATAL:  password authentication failed for user \"x\"",
                "%40",
            ),
            ("FATAL:  role \"x\" does not exist", "createuser"),
            ("FATAL:  database \"x\" does not exist", "createdb"),
            ("permission denied for table master_key", "REASSIGN OWNED"),
            (
                "FATAL:  too many connections for role \"x\"",
                "max_connections",
            ),
            ("no pg_hba.conf entry for host", "pg_hba.conf"),
            ("connection refused", "systemctl start postgresql"),
            ("invalid port number: \"hush\"", "postgres://USER"),
            (
                "missing key/value separator \"=\" in URI query parameter: \"x\"",
                "postgres://USER",
            ),
        ] {
            assert!(postgres(said).contains(to_do), "{said}");
        }
    }

    #[test]
    fn what_the_system_refuses_is_for_another_user() {
        let refused = || io::Error::from(io::ErrorKind::PermissionDenied);
        let path = std::path::Path::new("/data");
        let error = DataError::at(path)(refused());
        assert!(advice(&error).unwrap().contains("the user of the server"));
        let error = DataError::at(path)(io::Error::other("broken"));
        assert_eq!(advice(&error), None);
        let error = DataError::from(ConnectError::Sqlite {
            path: path.to_owned(),
            source: "unable to open database file".into(),
        });
        assert!(advice(&error).unwrap().contains("the user of the server"));
    }
}
