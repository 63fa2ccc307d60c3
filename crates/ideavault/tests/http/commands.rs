//! The operator's commands, run with the real binary.

use std::ffi::OsString;
use std::process::{Command, Output, Stdio};

use serde_json::json;

use crate::harness::App;

on_both_databases!(
    the_waitlist_is_listed_as_a_table,
    the_waitlist_is_exported_for_spreadsheets,
    an_existing_account_or_invalid_address_is_not_invited,
    no_command_creates_a_vault,
    a_vault_without_its_key_is_not_changed,
    commands_exit_cleanly_while_the_pool_still_connects,
    secrets_may_be_in_files,
);

/// Runs the binary on the database and data folder of `app`.
pub fn run(app: &App, arguments: &[&str]) -> Output {
    binary(arguments)
        .env("IDEAVAULT_DATABASE_URL", app.database_url())
        .env("IDEAVAULT_DATA_DIR", app.data_dir())
        .envs(tools())
        .output()
        .unwrap()
}

/// Where the system, and Postgres, have their programs.
pub fn tools() -> [(&'static str, OsString); 1] {
    [("PATH", std::env::var_os("PATH").unwrap())]
}

pub fn binary(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ideavault"));
    command.args(arguments).env_clear().stdin(Stdio::null());
    command
}

/// Returns the standard output of a command that succeeded.
#[track_caller]
pub fn stdout(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    // How far a check is, it tells on a busy machine.
    let mut errors = errors.lines();
    let unexpected = errors.find(|line| {
        !["checked ", "compared ", "copied "]
            .iter()
            .any(|begin| line.starts_with(begin))
    });
    assert_eq!(unexpected, None);
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Returns the standard error of a command that failed.
#[track_caller]
pub fn stderr(output: &Output) -> String {
    // 75 and 78 are those of `serve`.
    assert!(
        matches!(output.status.code(), Some(1 | 75 | 78)),
        "{output:?}"
    );
    assert_eq!(output.stdout, b"");
    String::from_utf8(output.stderr.clone()).unwrap()
}

async fn fill(app: &App) {
    for (name, email, profession) in [
        ("Zoë Zack", "zoe@example.org", "Poet, \"mostly\""),
        ("=HYPERLINK(\"evil\")", "+evil@example.org", "@SUM(A1:A9)"),
    ] {
        let body = json!({ "name": name, "email": email, "profession": profession });
        let joined = app.browser().post("/api/waitlist", body).await;
        joined.expect(200);
    }
}

async fn the_waitlist_is_listed_as_a_table(app: App) {
    fill(&app).await;
    let table = stdout(&run(&app, &["waitlist", "list"]));
    let lines: Vec<_> = table.lines().collect();
    assert_eq!(lines.len(), 3, "{table}");
    let words: Vec<_> = lines[0].split_whitespace().collect();
    assert_eq!(words, ["name", "email", "profession", "joinedAt"]);
    assert!(lines[1].starts_with("Zoë Zack"), "{table}");
    assert!(lines[1].contains("  zoe@example.org  "), "{table}");
    // Columns are aligned by characters, not bytes.
    let column = |line: &str, text: &str| {
        let (before, _) = line.split_once(text).unwrap();
        before.chars().count()
    };
    assert_eq!(column(lines[0], "email"), column(lines[1], "zoe@"));
    assert_eq!(column(lines[0], "email"), column(lines[2], "+evil@"));
}

async fn the_waitlist_is_exported_for_spreadsheets(app: App) {
    fill(&app).await;
    let csv = stdout(&run(&app, &["waitlist", "export"]));
    let lines: Vec<_> = csv.split("\r\n").collect();
    assert_eq!(lines.len(), 4, "{csv}");
    assert_eq!(lines[0], r#""name","email","profession","joinedAt""#);
    let zoe = r#""Zoë Zack","zoe@example.org","Poet, ""mostly""","2"#;
    assert!(lines[1].starts_with(zoe), "{csv}");
    let evil = r#""'=HYPERLINK(""evil"")","'+evil@example.org","'@SUM(A1:A9)","2"#;
    assert!(lines[2].starts_with(evil), "{csv}");
    assert_eq!(lines[3], "");
}

async fn an_existing_account_or_invalid_address_is_not_invited(app: App) {
    app.creator("ada").await;
    let complaint = stderr(&run(&app, &["invite", "Ada@example.org"]));
    assert_eq!(complaint, "error: ada@example.org has an account already\n");
    let complaint = stderr(&run(&app, &["invite", "nobody"]));
    assert_eq!(complaint, "error: Please enter a valid email address\n");
    let invited = stdout(&run(&app, &["invite", "Grace@example.org"]));
    assert!(invited.starts_with("grace@example.org is invited."));
}

/// Commands that need a vault, except `serve`.
const COMMANDS: [&[&str]; 9] = [
    &["waitlist", "list"],
    &["waitlist", "export"],
    &["audit"],
    &["invite", "grace@example.org"],
    &["second-factor", "remove", "grace@example.org"],
    &["backup", "/nowhere/backup"],
    &["rotate-key"],
    &["adopt-files"],
    &["database", "copy", "--to", "sqlite:///nowhere/copy"],
];

async fn no_command_creates_a_vault(app: App) {
    let home = tempfile::TempDir::new().unwrap();
    let (empty, missing) = (home.path().join("empty"), home.path().join("missing"));
    std::fs::create_dir(&empty).unwrap();
    let blank = app.blank_database();
    let key = std::fs::read_to_string(app.data_dir().join("secret.key")).unwrap();
    for arguments in COMMANDS {
        for folder in [&empty, &missing] {
            let sqlite = format!("sqlite://{}", folder.join("other.sqlite").display());
            let databases = [None, Some(sqlite.as_str()), Some(blank.url())];
            for database in databases {
                for key in [None, Some(key.trim())] {
                    let mut command = binary(arguments);
                    command.env("IDEAVAULT_DATA_DIR", folder);
                    command.envs(database.map(|url| ("IDEAVAULT_DATABASE_URL", url)));
                    command.envs(key.map(|key| ("IDEAVAULT_SECRET_KEY", key)));
                    let complaint = stderr(&command.output().unwrap());
                    assert!(complaint.contains("no vault was found"), "{complaint}");
                    assert!(
                        complaint.contains(folder.to_str().unwrap()),
                        "{arguments:?}: {complaint}"
                    );
                }
            }
        }
    }
    assert!(!missing.exists());
    assert_eq!(std::fs::read_dir(&empty).unwrap().count(), 0);
    let unknown = binary(&["waitlist", "list"])
        .env("IDEAVAULT_DATA_DIR", app.data_dir())
        .env("IDEAVAULT_DATABASE_URL", "mysql://user:hush@db/x")
        .output();
    let complaint = stderr(&unknown.unwrap());
    assert!(complaint.contains("sqlite://PATH"), "{complaint}");
    assert!(!complaint.contains("hush"), "{complaint}");
}

async fn a_vault_without_its_key_is_not_changed(app: App) {
    let key = app.data_dir().join("secret.key");
    let aside = app.data_dir().join("elsewhere");
    std::fs::rename(&key, &aside).unwrap();
    let commands = COMMANDS.iter().copied();
    for arguments in commands.chain([["serve", "--listen", "127.0.0.1:0"].as_slice()]) {
        let complaint = stderr(&run(&app, arguments));
        assert!(
            complaint.contains("secret key of this vault is not here"),
            "{arguments:?}: {complaint}"
        );
        assert!(complaint.contains(key.to_str().unwrap()), "{complaint}");
        assert!(!key.exists(), "{arguments:?}");
    }
}

async fn commands_exit_cleanly_while_the_pool_still_connects(app: App) {
    // A race, so it takes several runs to occur.
    for _ in 0..25 {
        stdout(&run(&app, &["waitlist", "list"]));
    }
}

async fn secrets_may_be_in_files(app: App) {
    let folder = tempfile::TempDir::new().unwrap();
    let key = folder.path().join("key");
    let url = folder.path().join("url");
    // Elsewhere than where it is looked for without the setting.
    std::fs::rename(app.data_dir().join("secret.key"), &key).unwrap();
    std::fs::write(&url, format!("{}\n", app.database_url())).unwrap();
    let with_files = |arguments: &[&str]| {
        let mut command = binary(arguments);
        command
            .env("IDEAVAULT_DATA_DIR", app.data_dir())
            .env("IDEAVAULT_DATABASE_URL_FILE", &url)
            .env("IDEAVAULT_SECRET_KEY_FILE", &key)
            .envs(tools());
        command
    };
    stdout(&with_files(&["user", "list"]).output().unwrap());
    let report = with_files(&["doctor"]).output().unwrap();
    let report = String::from_utf8(report.stdout).unwrap();
    assert!(
        report.contains("1 in the file of IDEAVAULT_SECRET_KEY_FILE"),
        "{report}"
    );
    assert!(!report.contains("is not a setting"), "{report}");
    let both = with_files(&["user", "list"])
        .env("IDEAVAULT_SECRET_KEY", "hush")
        .output()
        .unwrap();
    assert_eq!(both.status.code(), Some(2));
    std::fs::remove_file(&url).unwrap();
    let missing = with_files(&["user", "list"]).output().unwrap();
    assert_eq!(missing.status.code(), Some(2));
    let complaint = String::from_utf8(missing.stderr).unwrap();
    for part in [
        "--database-url-file",
        "cannot be read",
        url.to_str().unwrap(),
    ] {
        assert!(complaint.contains(part), "{complaint}");
    }
}
