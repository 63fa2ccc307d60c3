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

fn a_database_of_an_unknown_version_is_refused_and_unchanged(fixture: &Fixture) {
    let user = fixture.add_user();
    fixture
        .sql("INSERT INTO __diesel_schema_migrations (version) VALUES ('29991231000000')")
        .unwrap();
    let refused = fixture.store.migrate().unwrap_err();
    let why = std::error::Error::source(&refused).unwrap().to_string();
    assert!(why.contains("29991231000000"), "{why}");
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
    fixture
        .sql("INSERT INTO __diesel_schema_migrations (version) VALUES ('29991231000000')")
        .unwrap();
    let state = fixture.store.state().unwrap();
    assert_eq!(state.schema, SchemaState::Unknown("29991231000000".into()));
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
    assert!(names("sqlite").len() >= 5);
}
