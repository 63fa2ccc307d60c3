//! Commands that root runs in the vault of another user.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::commands::{binary, stderr, tools};
use crate::harness::{App, Stopped, pdf};

on_both_databases!(
    root_leaves_nothing_behind_in_the_vault_of_another_user,
    the_doctor_of_root_judges_as_the_user_of_the_vault,
);

/// A user that the system need not know.
const OWNER: u32 = 54_321;

/// Gives the vault to another user. Returns `None` where this is not root, who alone can.
fn given_away(app: App) -> Option<Stopped> {
    // A server goes on writing as root: mails, the newest checkpoint of the log.
    let vault = app.stop();
    let mut found = paths(vault.data_dir());
    // Where tests have their folders, others may not look.
    let around = vault.data_dir().parent().unwrap();
    let mut mode = fs::metadata(around).unwrap().permissions();
    mode.set_mode(mode.mode() | 0o011);
    fs::set_permissions(around, mode).unwrap();
    if let Some(file) = vault.database_url().strip_prefix("sqlite://") {
        found.extend(paths(Path::new(file).parent().unwrap()));
    }
    let given = found
        .iter()
        .map(|path| chown(path, Some(OWNER), Some(OWNER)));
    given.collect::<Result<(), _>>().is_ok().then_some(vault)
}

fn paths(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(paths(&path));
        } else {
            found.push(path);
        }
    }
    found
}

fn owned_by_others(folder: &Path) -> Vec<PathBuf> {
    let mut found = paths(folder);
    found.retain(|path| fs::metadata(path).unwrap().uid() != OWNER);
    found
}

fn as_root(vault: &Stopped, arguments: &[&str]) -> Output {
    output(binary(arguments), vault)
}

fn as_owner(vault: &Stopped, arguments: &[&str]) -> Output {
    let mut command = Command::new("setpriv");
    command
        .args([&format!("--reuid={OWNER}"), &format!("--regid={OWNER}")])
        .args(["--clear-groups", "--"])
        .arg(binary(arguments).get_program())
        .args(arguments)
        .env_clear();
    output(command, vault)
}

fn output(mut command: Command, vault: &Stopped) -> Output {
    command
        .env("IDEAVAULT_DATABASE_URL", vault.database_url())
        .env("IDEAVAULT_DATA_DIR", vault.data_dir())
        .envs(tools())
        .output()
        .unwrap()
}

async fn root_leaves_nothing_behind_in_the_vault_of_another_user(app: App) {
    app.creator("ada").await.pdf_idea(&pdf(1_000)).await;
    let Some(vault) = given_away(app) else {
        return;
    };
    let key = fs::read(vault.data_dir().join("secret.key")).unwrap();
    let elsewhere = tempfile::TempDir::new().unwrap();
    let backup = elsewhere.path().join("backup");
    let backup = backup.to_str().unwrap();
    for arguments in [
        &["rotate-key"][..],
        &["backup", backup],
        &["restore", backup],
        &["adopt-files"],
        &["storage", "copy", "--to", "folder"],
        &["invite", "grace@example.org"],
        &["evidence", "check"],
    ] {
        let complaint = stderr(&as_root(&vault, arguments));
        assert!(
            complaint.contains("belongs to the user #54321"),
            "{complaint}"
        );
        assert!(complaint.contains("ideavault-admin"), "{complaint}");
    }
    assert_eq!(owned_by_others(vault.data_dir()), Vec::<PathBuf>::new());
    assert_eq!(fs::read(vault.data_dir().join("secret.key")).unwrap(), key);
    assert!(!Path::new(backup).exists());
    assert!(as_root(&vault, &["status"]).status.success());
    chown(elsewhere.path(), Some(OWNER), Some(OWNER)).unwrap();
    let made = as_owner(&vault, &["backup", backup]);
    assert!(made.status.success(), "{made:?}");
    // Root may look at it.
    assert!(
        as_root(&vault, &["backup", "--verify", backup])
            .status
            .success()
    );
    assert_eq!(owned_by_others(vault.data_dir()), Vec::<PathBuf>::new());
}

async fn the_doctor_of_root_judges_as_the_user_of_the_vault(app: App) {
    app.creator("ada").await.pdf_idea(&pdf(1_000)).await;
    let Some(vault) = given_away(app) else {
        return;
    };
    let doctor = || {
        let output = as_root(&vault, &["doctor"]);
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
        )
    };
    let (status, report) = doctor();
    assert_eq!(status, Some(0), "{report}");
    assert!(
        report.contains("#54321, to whom the data folder belongs"),
        "{report}"
    );
    // As a command of root would have left them.
    let lock = vault.data_dir().join("rotation.lock");
    fs::write(&lock, "").unwrap();
    let incoming = vault.data_dir().join("files").join("incoming");
    chown(&incoming, Some(0), Some(0)).unwrap();
    let (status, report) = doctor();
    assert_eq!(status, Some(1), "{report}");
    for told in [
        lock.to_str().unwrap(),
        incoming.to_str().unwrap(),
        "chown -R 54321:",
    ] {
        assert!(report.contains(told), "{told}: {report}");
    }
    assert!(report.contains("failed   files"), "{report}");
}
