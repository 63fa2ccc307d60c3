//! `ideavault doctor`.
//!
//! Invariant: nothing is changed, no mail is sent, and nobody outside is contacted unless
//! asked for.

mod clocks;
mod findings;
mod operation;
mod user;

use std::error::Error;
use std::fs;
use std::io::Write;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use ideavault_anchors::adapters::{headers_of, reach};
use ideavault_anchors::http::{HttpClient, TIMEOUT, WebClient};
use ideavault_crypto::MasterKey;
use ideavault_db::{SchemaState, SqlDatabase};
use ideavault_domain::ports::{Clock, Database as _, DatabaseError, StorageError};
use ideavault_files::DiskSpace;

use self::clocks::clocks;
use self::findings::{Findings, Outcome};
use self::operation::operation;
pub use self::user::become_owner;
use self::user::user;
use super::{CommandError, write};
use crate::advice::advice;
use crate::config::{ConfigError, ServeOptions, unknown_variables};
use crate::data::{self, DataError, FILES};
use crate::keys::{self, FILE_NAME as KEY_FILE};
use crate::mailer::smtp_mailer;
use crate::status::{VaultStatus, names};
use crate::storage_identity::{self, StorageIdentityError};

/// Free bytes below which uploads are about to fail.
const FREE_SPACE_LOW: u64 = 1_000_000_000;
/// Free bytes below which the database is about to fail.
const FREE_SPACE_MIN: u64 = 100_000_000;
/// Advice for a bucket that cannot be used.
const BUCKET_ADVICE: &str = "check IDEAVAULT_STORAGE, the AWS_ variables and the network, and \
                             let the access key list the bucket, and write, read and delete its \
                             objects";

/// Options of `ideavault doctor`.
#[derive(Args, Clone, Debug)]
pub struct DoctorOptions {
    /// Print JSON for programs.
    #[arg(long)]
    pub json: bool,

    /// Also contact the Bitcoin node, authorities, calendars and witnesses that are set.
    #[arg(long)]
    pub online: bool,

    /// The settings of the server.
    #[command(flatten)]
    pub serve: ServeOptions,
}

/// Checks what the server needs, and prints it to `out`. Returns whether nothing has failed.
pub fn doctor(
    options: &DoctorOptions,
    clock: &dyn Clock,
    out: &mut dyn Write,
) -> Result<bool, CommandError> {
    let serve = &options.serve;
    let mut findings = Findings::default();
    configuration(serve, &mut findings);
    // An unreadable database is reported by its own check.
    let has_vault = SqlDatabase::is_initialised(&serve.data.database_url()).unwrap_or(true);
    if has_vault {
        user(&serve.data, &mut findings);
    }
    let keys = has_vault.then(|| keys(serve, &mut findings)).flatten();
    let database = database(serve, &mut findings);
    let mut has_key = false;
    if let Some(database) = &database {
        clocks(database, clock, &mut findings);
        has_key = keys.is_some_and(|keys| key_of_database(database, &keys, &mut findings));
    }
    if has_vault {
        storage(serve, database.as_ref(), &mut findings);
    }
    mail(serve, &mut findings);
    witnesses(serve, &mut findings);
    if let Some(database) = &database {
        backup(database, &mut findings);
        // Without the key, nothing of the log can be read.
        if has_key {
            operation(database, serve, &mut findings);
        }
    }
    if options.online {
        outsiders(serve, &mut findings);
    }
    let text = if options.json {
        format!("{:#}\n", findings.json())
    } else {
        findings.text()
    };
    write(out, &text)?;
    Ok(findings.count(Outcome::Failed) == 0)
}

/// Returns an error and its causes as one line.
fn line(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let reason = error.to_string();
        // Some libraries repeat their cause.
        if !text.contains(&reason) {
            text.push_str(": ");
            text.push_str(&reason);
        }
        cause = error.source();
    }
    text.replace('\n', " ")
}

/// Returns an error, its causes and what to do, as one line.
fn line_with_advice(error: &(dyn Error + 'static)) -> String {
    match advice(error) {
        Some(advice) => format!("{}; {advice}", line(error)),
        None => line(error),
    }
}

fn configuration(serve: &ServeOptions, findings: &mut Findings) {
    const AREA: &str = "settings";
    let checks: [Result<(), ConfigError>; 12] = [
        serve.proxies().map(drop),
        serve.origin(serve.listen).map(drop),
        serve.view_window().map(drop),
        serve.pdf_limit().map(drop),
        serve.audit_retention().map(drop),
        serve.drain_time().map(drop),
        serve.anchors.outsiders().map(drop),
        serve.anchors.blocks().map(drop),
        serve.operator.operator().map(drop),
        serve.operator.terms().map(drop),
        serve.operator.logo().map(drop),
        serve.operator.documents().map(drop),
    ];
    let model = serve.language_model.model().map(drop);
    let mut is_ok = true;
    for error in checks.into_iter().chain([model]).filter_map(Result::err) {
        findings.fail(AREA, line(&error));
        is_ok = false;
    }
    for name in unknown_variables() {
        let text = format!("{name} is not a setting: see `ideavault serve --help`");
        findings.warn(AREA, text);
    }
    if serve.metrics_address == Some(serve.listen) {
        let text = "IDEAVAULT_METRICS_ADDRESS must not be the address of the pages, \
                    IDEAVAULT_LISTEN: choose another port";
        findings.fail(AREA, text);
        is_ok = false;
    }
    if serve.rate_limit_scale == 0.0 {
        let text = "rate limits are off: unset IDEAVAULT_RATE_LIMIT_SCALE outside of tests";
        findings.warn(AREA, text);
    }
    let host = serve.host(serve.listen);
    let is_here = data::is_this_machine(&host);
    let is_https = serve.public_url.as_ref().map(url::Url::scheme) == Some("https");
    if !is_https && !is_here {
        let text = "people reach this server without https: put a proxy in front of it, and set \
                    IDEAVAULT_PUBLIC_URL and IDEAVAULT_TRUSTED_PROXIES";
        findings.warn(AREA, text);
    }
    if is_here && serve.mail.smtp_url().is_some() {
        let text = format!(
            "links in mails lead to {host}, which only this machine reaches: set \
             IDEAVAULT_PUBLIC_URL to the address that people use"
        );
        findings.warn(AREA, text);
    }
    if let Some(address) = serve.metrics_address
        && !is_internal(address.ip())
    {
        let text = format!(
            "everybody who reaches {address} can read the metrics: set \
             IDEAVAULT_METRICS_ADDRESS to an address of this machine or of a private network"
        );
        findings.warn(AREA, text);
    }
    if is_ok {
        findings.ok(AREA, "can be used");
    }
}

/// Returns whether only this machine or a private network can reach the address.
fn is_internal(address: IpAddr) -> bool {
    address.is_loopback()
        || match address {
            IpAddr::V4(address) => address.is_private() || address.is_link_local(),
            IpAddr::V6(address) => address.is_unique_local() || address.is_unicast_link_local(),
        }
}

/// Checks that the keys are there and private.
fn keys(serve: &ServeOptions, findings: &mut Findings) -> Option<Vec<MasterKey>> {
    const AREA: &str = "keys";
    let data = &serve.data;
    let stored = keys::stored_master_keys(data.secret_key(), &data.data_dir);
    let keys = match stored {
        Ok(keys) if keys.is_empty() => {
            findings.fail(AREA, line(&DataError::KeyMissing(data.data_dir.clone())));
            return None;
        }
        Ok(keys) => keys,
        Err(error) => {
            findings.fail(AREA, line_with_advice(&error));
            return None;
        }
    };
    let mut is_private = true;
    for path in key_files(&data.data_dir) {
        match others_may(&path) {
            Ok(false) => {}
            Ok(true) => {
                is_private = false;
                let text = "can be read by other users: run `chmod 600` on it";
                findings.fail(AREA, format!("{} {text}", path.display()));
            }
            Err(error) => {
                is_private = false;
                findings.warn(AREA, format!("{}: {error}", path.display()));
            }
        }
    }
    match former_keys(&data.data_dir) {
        Ok(()) if is_private => {
            let source = match (&data.secret_key, &data.secret_key_file) {
                (Some(_), _) => "IDEAVAULT_SECRET_KEY".to_owned(),
                (None, Some(_)) => "the file of IDEAVAULT_SECRET_KEY_FILE".to_owned(),
                (None, None) => data.data_dir.join(KEY_FILE).display().to_string(),
            };
            findings.ok(AREA, format!("{} in {source}", keys.len()));
        }
        Ok(()) => {}
        Err(text) => findings.warn(AREA, text),
    }
    Some(keys)
}

fn former_keys(data_dir: &Path) -> Result<(), String> {
    let former = keys::former_master_keys(data_dir);
    former.map(drop).map_err(|error| line(&error))
}

/// Returns the key file and those of former keys, as far as they are there.
fn key_files(data_dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(data_dir).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path()).filter(|path| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with(KEY_FILE))
    });
    paths.collect()
}

/// Returns whether others than the file's owner may do anything with it.
#[cfg(unix)]
fn others_may(path: &Path) -> std::io::Result<bool> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(fs::metadata(path)?.permissions().mode() & 0o077 != 0)
}

/// Permissions of other systems are not checked.
#[cfg(not(unix))]
fn others_may(_: &Path) -> std::io::Result<bool> {
    Ok(false)
}

/// Opens the database; returns it if its schema is current.
fn database(serve: &ServeOptions, findings: &mut Findings) -> Option<Arc<SqlDatabase>> {
    const AREA: &str = "database";
    let opened = data::open_unchanged(&serve.data).map_err(|error| match error {
        // Told with the keys.
        DataError::KeyMissing(_) | DataError::MasterKey(_) => None,
        error => Some(line_with_advice(&error)),
    });
    let database = match opened {
        Ok(database) => database,
        Err(text) => {
            let text = text.unwrap_or_else(|| "not checked without its key".to_owned());
            findings.fail(AREA, text);
            return None;
        }
    };
    let state = match database.state() {
        Ok(state) => state,
        Err(error) => {
            findings.fail(AREA, line_with_advice(&error));
            return None;
        }
    };
    let compared = state.schema.clone();
    let status = VaultStatus {
        database: state,
        report: None,
        recording: None,
        witnesses: Vec::new(),
        free_bytes: None,
    };
    let name = status.database_name();
    let schema = status.schema();
    match compared {
        SchemaState::Current => findings.ok(AREA, format!("{name}, schema {schema}")),
        SchemaState::Newer(_) => findings.warn(
            AREA,
            format!(
                "{name}, schema {schema}: finish the upgrade, with the same version everywhere"
            ),
        ),
        SchemaState::Unknown(_) => {
            findings.fail(
                AREA,
                format!(
                    "{name}, schema {schema}: install the version that made it, or a newer one"
                ),
            );
            return None;
        }
        SchemaState::Pending(_) => {
            findings.warn(AREA, format!("{name}, {schema}; back it up before"));
            return None;
        }
    }
    Some(Arc::new(database))
}

/// Checks that the database is encrypted with a configured key. Returns whether it is.
fn key_of_database(database: &SqlDatabase, keys: &[MasterKey], findings: &mut Findings) -> bool {
    const AREA: &str = "keys";
    let current = database.read(|tx| tx.master_keys().master_key());
    match current {
        Ok(current) => {
            let is_here = keys
                .iter()
                .any(|key| key.id().is_ok_and(|id| Some(id) == current));
            if is_here {
                findings.ok(AREA, "the key of the database is among them");
            } else {
                findings.fail(AREA, line(&DataError::OtherKey));
            }
            is_here
        }
        Err::<_, DatabaseError>(error) => {
            findings.fail(AREA, line(&error));
            false
        }
    }
}

fn storage(serve: &ServeOptions, database: Option<&Arc<SqlDatabase>>, findings: &mut Findings) {
    const AREA: &str = "files";
    let data_dir = &serve.data.data_dir;
    let bucket = serve.data.storage.storage.as_ref();
    match data::existing_files_of(&serve.data) {
        Ok(blobs) => {
            let mut is_ok = true;
            if let Err(error) = blobs.probe() {
                is_ok = false;
                let advice = match (&error, bucket) {
                    (StorageError::Full { .. }, _) => "free some space, or enlarge it",
                    (_, None) => {
                        "give the user that runs the server the right to write there; where the file \
                         system is read-only, find out why, and mount it writable"
                    }
                    (_, Some(_)) => BUCKET_ADVICE,
                };
                findings.fail(AREA, format!("{}; {advice}", line(&error)));
            }
            match database.map(|database| storage_identity::check(database, blobs.as_ref())) {
                None | Some(Ok(true)) => {}
                Some(Ok(false)) => {
                    is_ok = false;
                    let text = "not yet bound to the database: start the server once";
                    findings.warn(AREA, text);
                }
                // Told already.
                Some(Err(StorageIdentityError::Storage { .. })) if !is_ok => {}
                Some(Err(error)) => {
                    is_ok = false;
                    findings.fail(AREA, line(&error));
                }
            }
            if is_ok {
                let text = match database {
                    Some(_) => "writable, and the ones of the database",
                    None => "writable; not compared with the database",
                };
                findings.ok(AREA, text);
            }
            if bucket.is_none() {
                space("files", &data_dir.join(FILES), findings);
            }
        }
        Err(error) if bucket.is_none() && is_missing(&error) => {
            let text = "put it back or mount it. If its files are lost, restore a backup, or go on \
                        without them: `ideavault adopt-files --accept-missing`";
            findings.fail(AREA, format!("{}; {text}", line(&error)));
        }
        Err(error) => findings.fail(AREA, line_with_advice(&error)),
    }
    space("data folder", data_dir, findings);
}

/// Tries what a backup of Postgres needs.
fn backup(database: &SqlDatabase, findings: &mut Findings) {
    const AREA: &str = "backup";
    match database.try_backup() {
        Ok(None) => {}
        Ok(Some(version)) => findings.ok(AREA, format!("{version} can read the database")),
        Err(error) => findings.fail(AREA, line_with_advice(&error)),
    }
}

fn is_missing(error: &DataError) -> bool {
    let kind = match error {
        DataError::Folder { source, .. } => Some(source.kind()),
        _ => None,
    };
    kind == Some(std::io::ErrorKind::NotFound)
}

fn space(name: &str, folder: &Path, findings: &mut Findings) {
    const AREA: &str = "disk";
    match DiskSpace::of(folder) {
        Ok(DiskSpace { free, .. }) => {
            let (outcome, advice) = match free {
                FREE_SPACE_LOW.. => (Outcome::Ok, ""),
                FREE_SPACE_MIN.. => (Outcome::Warning, ": free some, or enlarge the disk"),
                _ => (Outcome::Failed, ": free some, or enlarge the disk"),
            };
            let free = free / 1_000_000;
            findings.add(
                AREA,
                outcome,
                format!("{free} MB free for the {name}{advice}"),
            );
        }
        Err(error) => findings.warn(
            AREA,
            format!("free space for the {name} is unknown: {error}"),
        ),
    }
}

fn mail(serve: &ServeOptions, findings: &mut Findings) {
    const AREA: &str = "mail";
    // A wrong name is told with the settings.
    let vault = serve.operator.operator();
    let vault = vault.map(|operator| operator.vault).unwrap_or_default();
    match smtp_mailer(&serve.mail, &vault) {
        Ok(None) => findings.warn(
            AREA,
            "no mail server: mails become files in `outbox/`. Set IDEAVAULT_SMTP_URL to send them",
        ),
        Ok(Some(mailer)) => match mailer.check() {
            Ok(()) => findings.ok(AREA, "the mail server accepts connections as configured"),
            Err(error) => {
                findings.fail(AREA, format!("{}: check IDEAVAULT_SMTP_URL", line(&error)))
            }
        },
        Err(error) => findings.fail(AREA, line(&error)),
    }
}

/// Names the outside witnesses of the configuration.
fn witnesses(serve: &ServeOptions, findings: &mut Findings) {
    const AREA: &str = "witnesses";
    match serve.anchors.services() {
        Ok(services) if services.is_empty() => findings.warn(
            AREA,
            "no outside witness is set up: nobody but this vault can say when something was \
             recorded. Set IDEAVAULT_ANCHORS=recommended; what leaves the server then: \
             docs/operations.md#external-timestamps",
        ),
        Ok(services) => findings.ok(AREA, names(&services)),
        // Told with the settings.
        Err(_) => {}
    }
}

/// Contacts the outsiders of the configuration. None of them delays the vault.
fn outsiders(serve: &ServeOptions, findings: &mut Findings) {
    const AREA: &str = "online";
    // Wrong settings are told with the settings.
    let node = serve.anchors.node().ok().flatten();
    let addresses = serve.anchors.addresses().unwrap_or_default();
    if node.is_none() && addresses.is_empty() {
        findings.ok(AREA, "no outside service is set");
    }
    if let Some(node) = node {
        match headers_of(&node, []) {
            Ok(_) => findings.ok(AREA, "the Bitcoin node answers"),
            Err(error) => findings.warn(
                AREA,
                format!("{}: check IDEAVAULT_BITCOIN_NODE", line(&error)),
            ),
        }
    }
    let client = match WebClient::new(TIMEOUT) {
        Ok(client) => client,
        Err(error) => return findings.fail(AREA, line(&error)),
    };
    let client: &dyn HttpClient = &client;
    for address in addresses {
        let host = address.host();
        match reach(client, address) {
            Ok(()) => findings.ok(AREA, format!("{host} answers")),
            Err(error) => findings.warn(
                AREA,
                format!(
                    "{host}: {}: check its address, and the network",
                    line(&error)
                ),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_are_told_in_one_line_and_once() {
        let cause = std::io::Error::other("no such\nthing");
        let error = DataError::at(Path::new("/data"))(cause);
        assert_eq!(
            line(&error),
            "the data folder /data cannot be used: no such thing"
        );
    }
}
