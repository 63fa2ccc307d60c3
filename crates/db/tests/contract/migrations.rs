use std::collections::BTreeSet;
use std::path::Path;

use ideavault_db::{DatabaseKind, SchemaState};
use ideavault_domain::file::MediaType;
use ideavault_domain::idea::Draft;
use ideavault_domain::ports::NewIdea;

use crate::support::{Fixture, at, comment, full_access, grant, on_both_databases, race};

on_both_databases!(
    migrations_run_up_down_and_up_again,
    migrating_again_changes_nothing,
    a_database_of_an_unknown_version_is_refused_and_unchanged,
    a_program_works_beside_its_successor,
    a_schema_that_only_newer_programs_know_is_told,
    the_schema_state_is_reported_without_changing_it,
    servers_that_start_concurrently_migrate_once,
    a_database_server_tells_its_time,
);

/// Counts the tables and other objects that the migrations created.
fn objects(fixture: &Fixture) -> i64 {
    fixture.count(if fixture.is_postgres() {
        "(SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace \
          AND relname NOT LIKE '\\_\\_diesel%' \
          UNION ALL SELECT oid FROM pg_proc WHERE pronamespace = 'public'::regnamespace) AS o"
    } else {
        "sqlite_schema WHERE name NOT LIKE '\\_\\_diesel%' ESCAPE '\\' \
         AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    })
}

fn fill(fixture: &Fixture) {
    let idea = fixture.add_published();
    let share = fixture.add_share(idea.id, full_access());
    let guest = fixture.add_guest(&share);
    let owner = fixture.add_user().id;
    let pdf = fixture.add_file(owner, MediaType::Pdf, at(6));
    fixture.write(|tx| {
        tx.ideas().add_idea(&NewIdea {
            owner,
            draft: Draft::of_pdf(idea.title.clone(), &pdf),
            created_at: at(6),
            key: None,
        })?;
        tx.shares().claim_view(&grant(&guest, at(6)))?;
        tx.comments()
            .add_comment(&comment(idea.id, Some(guest.id), "Good", at(7)))
    });
}

fn migrations_run_up_down_and_up_again(fixture: &Fixture) {
    let made = objects(fixture);
    assert!(made > 10);
    for _ in 0..2 {
        fill(fixture);
        fixture.store.revert_all_migrations().unwrap();
        assert_eq!(objects(fixture), 0);
        fixture.store.migrate().unwrap();
        assert_eq!(objects(fixture), made);
    }
    fill(fixture);
}

fn migrating_again_changes_nothing(fixture: &Fixture) {
    let user = fixture.add_user();
    fixture.store.migrate().unwrap();
    assert!(fixture.read(|tx| tx.users().user(user.id)).is_some());
}

const FUTURE: &str = "29991231000000";

/// Records that a newer program has run its migration.
fn migrate_to_the_future(fixture: &Fixture) {
    let done = format!("INSERT INTO __diesel_schema_migrations (version) VALUES ('{FUTURE}')");
    fixture.sql(&done).unwrap();
}

/// Records which program the schema needs.
fn need(fixture: &Fixture, version: &str) {
    let needed = format!("UPDATE schema_compatibility SET oldest_version = '{version}'");
    fixture.sql(&needed).unwrap();
}

fn a_program_works_beside_its_successor(fixture: &Fixture) {
    let user = fixture.add_user();
    migrate_to_the_future(fixture);
    fixture
        .sql("ALTER TABLE users ADD COLUMN future TEXT")
        .unwrap();
    fixture.store.migrate().unwrap();
    assert!(fixture.store.can_use_schema().unwrap());
    let state = fixture.store.state().unwrap();
    assert_eq!(state.schema, SchemaState::Newer(FUTURE.into()));
    assert!(fixture.read(|tx| tx.users().user(user.id)).is_some());
    fill(fixture);
}

fn a_schema_that_only_newer_programs_know_is_told(fixture: &Fixture) {
    assert!(fixture.store.can_use_schema().unwrap());
    // As long as the migration runs, the schema is the former one.
    need(fixture, FUTURE);
    assert!(!fixture.store.can_use_schema().unwrap());
    migrate_to_the_future(fixture);
    let state = fixture.store.state().unwrap();
    assert_eq!(state.schema, SchemaState::Unknown(FUTURE.into()));
    fixture.store.migrate().unwrap_err();
    fixture.sql("DROP TABLE schema_compatibility").unwrap();
    fixture.store.can_use_schema().unwrap_err();
}

fn a_database_of_an_unknown_version_is_refused_and_unchanged(fixture: &Fixture) {
    let user = fixture.add_user();
    migrate_to_the_future(fixture);
    need(fixture, FUTURE);
    let refused = fixture.store.migrate().unwrap_err();
    let why = std::error::Error::source(&refused).unwrap().to_string();
    assert!(why.contains(FUTURE), "{why}");
    assert!(fixture.read(|tx| tx.users().user(user.id)).is_some());
}

fn the_schema_state_is_reported_without_changing_it(fixture: &Fixture) {
    let state = fixture.store.state().unwrap();
    let kind = if fixture.is_postgres() {
        DatabaseKind::Postgres
    } else {
        DatabaseKind::Sqlite
    };
    assert_eq!(state.kind, kind);
    assert!(
        state
            .version
            .starts_with(|first: char| first.is_ascii_digit()),
        "{state:?}"
    );
    assert_eq!(state.schema, SchemaState::Current);
    let newest = "DELETE FROM __diesel_schema_migrations WHERE version = \
                  (SELECT max(version) FROM __diesel_schema_migrations)";
    fixture.sql(newest).unwrap();
    for _ in 0..2 {
        let state = fixture.store.state().unwrap();
        assert_eq!(state.schema, SchemaState::Pending(1));
    }
    // Without a migration of this program, and with one that it does not know: of no version.
    migrate_to_the_future(fixture);
    let state = fixture.store.state().unwrap();
    assert_eq!(state.schema, SchemaState::Unknown(FUTURE.into()));
}

fn servers_that_start_concurrently_migrate_once(fixture: &Fixture) {
    fixture.store.revert_all_migrations().unwrap();
    race(4, |_| fixture.database.open().migrate().unwrap());
    fill(fixture);
}

fn a_database_server_tells_its_time(fixture: &Fixture) {
    let before = chrono::Utc::now();
    let told = fixture.store.server_time().unwrap();
    assert_eq!(told.is_some(), fixture.is_postgres());
    // The servers of tests run on this machine; their clock counts microseconds.
    let range = before - chrono::Duration::microseconds(1)..=chrono::Utc::now();
    assert!(told.is_none_or(|time| range.contains(&time)), "{told:?}");
}

/// Needs no database, but its name puts it in both runs.
#[test]
fn sqlite_and_postgres_have_the_same_migrations() {
    let names = |database: &str| -> BTreeSet<String> {
        let folder = Path::new("../../migrations").join(database);
        std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap())
            .inspect(|entry| {
                for file in ["up.sql", "down.sql"] {
                    assert!(entry.path().join(file).exists(), "{entry:?} {file}");
                }
            })
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect()
    };
    assert_eq!(names("sqlite"), names("postgres"));
    assert!(names("sqlite").iter().any(|name| name == INITIAL));
}

/// Statements that a program may not survive which does not know their migration: what it names
/// is gone, or what it writes is refused.
const BREAKING: [&str; 5] = [
    "DROP ",
    "RENAME ",
    "SET NOT NULL",
    "ADD CONSTRAINT",
    "ALTER COLUMN",
];

fn breaks_older_programs(sql: &str) -> bool {
    let statements = sql
        .lines()
        .filter(|line| !line.trim_start().starts_with("--"));
    let sql = statements.collect::<Vec<_>>().join(" ").to_uppercase();
    BREAKING.iter().any(|statement| sql.contains(statement))
}

fn says_so(sql: &str, version: &str) -> bool {
    sql.contains(&format!(
        "UPDATE schema_compatibility SET oldest_version = '{version}'"
    ))
}

/// The migration that makes the schema, which no program knew before.
const INITIAL: &str = "2026-11-27-000000_initial";

/// Returns whether a migration may run beside older programs, or says that it may not.
fn is_told(sql: &str, version: &str) -> bool {
    !breaks_older_programs(sql) || says_so(sql, version)
}

#[test]
fn a_migration_that_breaks_older_programs_says_so_in_sqlite_and_postgres() {
    for (sql, breaks) in [
        ("CREATE TABLE notes (id INTEGER PRIMARY KEY);", false),
        (
            "-- DROP nothing\nALTER TABLE users ADD COLUMN note TEXT;",
            false,
        ),
        ("ALTER TABLE users DROP COLUMN note;", true),
        ("alter table users rename column note to notes;", true),
        ("ALTER TABLE users ALTER COLUMN note TYPE TEXT;", true),
    ] {
        assert_eq!(!is_told(sql, FUTURE), breaks, "{sql}");
        let telling = format!("{sql} UPDATE schema_compatibility SET oldest_version = '{FUTURE}';");
        assert!(is_told(&telling, FUTURE), "{telling}");
    }
    for database in ["sqlite", "postgres"] {
        let folder = Path::new("../../migrations").join(database);
        for entry in std::fs::read_dir(folder).unwrap() {
            let folder = entry.unwrap().path();
            let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
            assert!(
                name.as_str() >= INITIAL,
                "{name} would run before {INITIAL}"
            );
            if name == INITIAL {
                continue;
            }
            let sql = std::fs::read_to_string(folder.join("up.sql")).unwrap();
            let version: String = name.chars().filter(char::is_ascii_digit).take(14).collect();
            assert!(
                is_told(&sql, &version),
                "{name}: set schema_compatibility.oldest_version to {version}"
            );
        }
    }
}
