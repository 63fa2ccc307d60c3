//! Copies from SQLite to Postgres and back. Each test needs both, which its name says.

use std::path::Path;

use diesel::connection::{Connection as _, SimpleConnection as _};
use diesel::pg::PgConnection;
use diesel::prelude::RunQueryDsl as _;
use tempfile::TempDir;

use ideavault_db::testing::{POSTGRES_URL, TestDatabase};
use ideavault_db::{BackupError, CopyError, CopyProgress, DatabaseCopy, SqlDatabase};
use ideavault_domain::file::MediaType;
use ideavault_domain::ids::IdeaId;
use ideavault_domain::ports::Database as _;

use crate::support::{Fixture, at, comment, encryption, full_access, grant, new_idea};

/// Makes each of the functions a test in both directions. They take the original, and an empty
/// database of the other kind.
macro_rules! both_ways {
    ($($test:ident),* $(,)?) => {
        mod from_sqlite_to_postgres {
            $(
                #[test]
                fn $test() {
                    let target = super::Fixture::postgres().database.blank_like();
                    super::$test(super::Fixture::sqlite(), &target);
                }
            )*
        }

        mod from_postgres_to_sqlite {
            $(
                #[test]
                fn $test() {
                    let target = super::Fixture::sqlite().database.blank_like();
                    super::$test(super::Fixture::postgres(), &target);
                }
            )*
        }
    };
}

both_ways!(
    a_copy_of_a_copy_has_every_value,
    values_keep_their_last_digit,
    numbers_that_were_given_are_not_given_again,
    a_copy_protects_what_is_final,
    a_column_that_only_one_database_has_is_refused,
    a_row_that_refers_to_nothing_is_refused,
    an_open_vault_is_refused,
    a_database_that_is_not_empty_is_refused,
);

/// Copies a database that nobody has open any more.
fn copy(from: &TestDatabase, to: &TestDatabase) -> Result<DatabaseCopy, CopyError> {
    SqlDatabase::copy(from.url(), to.url(), None, &mut |_| {})
}

/// Closes the pools, and waits until the server has ended their connections.
fn closed(fixture: Fixture) -> TestDatabase {
    let Fixture { store, database } = fixture;
    drop(store);
    if database.url().starts_with("postgres") {
        let mut connection = PgConnection::establish(database.url()).unwrap();
        while is_in_use(&mut connection, "") {
            std::thread::yield_now();
        }
    }
    database
}

/// Tells whether a connection of the product to this database is there whose last statement looks
/// like this.
fn is_in_use(connection: &mut PgConnection, statement: &str) -> bool {
    diesel::sql_query(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database()
         AND application_name = 'ideavault' AND query LIKE '%' || $1 || '%'
         AND pid <> pg_backend_pid()",
    )
    .bind::<diesel::sql_types::Text, _>(statement)
    .execute(connection)
    .unwrap()
        > 0
}

#[track_caller]
fn refused(from: &TestDatabase, to: &TestDatabase) -> CopyError {
    let Err(error) = copy(from, to) else {
        panic!("it was copied");
    };
    SqlDatabase::require_empty(to.url()).expect("nothing is left in the database to copy to");
    error
}

/// Returns all values but those of the catalogue and of the migrations.
fn values(database: &TestDatabase) -> Vec<(String, String, Vec<u8>)> {
    let cells = database.cells().into_iter();
    let values = cells.map(|cell| (cell.table, cell.column, cell.bytes));
    let of_vault = |value: &(String, _, _)| {
        !["sqlite_sequence", "__diesel_schema_migrations"].contains(&value.0.as_str())
    };
    let mut values: Vec<_> = values.filter(of_vault).collect();
    values.sort();
    values
}

fn a_copy_of_a_copy_has_every_value(fixture: Fixture, target: &TestDatabase) {
    let idea = fixture.add_published();
    let share = fixture.add_share(idea.id, full_access());
    let guest = fixture.add_guest(&share);
    fixture.record_facts(idea.id);
    fixture.add_file(fixture.add_user().id, MediaType::Pdf, at(6));
    fixture.write(|tx| {
        tx.shares().claim_view(&grant(&guest, at(6)))?;
        // More rows than are written at a time, in the order of no key.
        for minute in 0..1_500 {
            let comment = comment(idea.id, Some(guest.id), "Good", at(minute));
            tx.comments().add_comment(&comment)?;
        }
        Ok(())
    });
    let original = closed(fixture);
    let mut copied = Vec::new();
    let done = SqlDatabase::copy(original.url(), target.url(), None, &mut |done| {
        copied.push(done)
    });
    let done = done.unwrap();
    assert!(done.tables > 40, "{}", done.tables);
    assert!(copied.contains(&CopyProgress::Copied(done.rows)));
    assert_eq!(copied.last(), Some(&CopyProgress::Compared(done.rows)));
    drop(done);
    let back = original.blank_like();
    drop(copy(target, &back).unwrap());
    let values_of_original = values(&original);
    assert!(values_of_original.len() > 10_000);
    assert!(values(&back) == values_of_original);
    assert_eq!(
        target.open().read(|tx| tx.ideas().idea(idea.id)).unwrap(),
        back.open().read(|tx| tx.ideas().idea(idea.id)).unwrap(),
    );
}

fn values_keep_their_last_digit(fixture: Fixture, target: &TestDatabase) {
    let bytes = match fixture.is_postgres() {
        true => "'\\x00ff5c27'",
        false => "X'00ff5c27'",
    };
    let none = match fixture.is_postgres() {
        true => "''",
        false => "X''",
    };
    for (number, time) in [
        "2026-11-27 12:00:00+00:00",
        "2026-11-27 12:00:00.100+00:00",
        "2026-11-27 12:00:00.000100+00:00",
        "2026-11-27 12:00:00.000001+00:00",
        "1999-12-31 23:59:59.999999+00:00",
    ]
    .iter()
    .enumerate()
    {
        let sql = format!(
            "INSERT INTO jobs (name, due_at, run_id, failures) \
             VALUES ('quote \" backslash \\ newline \n tab \t é 中 \u{1F600} {number}', '{time}', \
             '', 2147483647)"
        );
        fixture.sql(&sql).unwrap();
    }
    for sql in [
        format!("INSERT INTO cookie_key (one, sealed) VALUES (1, {bytes})"),
        "INSERT INTO evidence_logs VALUES (1, 'log', '2026-11-27 12:00:00+00:00')".to_owned(),
        format!("INSERT INTO evidence_log_keys VALUES (1, 9223372036854775807, '', {none})"),
    ] {
        fixture.sql(&sql).unwrap();
    }
    let hash = match fixture.is_postgres() {
        true => "sha256('')",
        false => "zeroblob(32)",
    };
    let time = "'2026-11-27 12:00:00.123+00:00'";
    for sql in [
        format!(
            "INSERT INTO evidence_checkpoints VALUES (1, 1, {hash}, {time}, 0, {bytes}, 'note')"
        ),
        format!(
            "INSERT INTO evidence_anchors (log, size, kind, name, state, attempts, artefact, \
             chain, time, seal) \
             VALUES (1, 1, 'tsa', 'a', 'confirmed', 1, {bytes}, 'PEM', {time}, {bytes})"
        ),
        format!(
            "INSERT INTO evidence_anchors (log, size, kind, name, state, attempts, artefact, \
             time, block, seal) \
             VALUES (1, 1, 'ots', 'b', 'confirmed', 1, {bytes}, {time}, 870000, {bytes})"
        ),
    ] {
        fixture.sql(&sql).unwrap();
    }
    let original = closed(fixture);
    drop(copy(&original, target).unwrap());
    let back = original.blank_like();
    drop(copy(target, &back).unwrap());
    assert_eq!(values(&back), values(&original));
    // Not only there and back: the copy itself has them.
    let found = values(target);
    let has = |column: &str, bytes: &[u8]| {
        assert!(
            found
                .iter()
                .any(|(_, of, value)| of == column && value == bytes),
            "{column}: {found:?}"
        );
    };
    has("sealed", &[0, 0xff, 0x5c, 0x27]);
    has("seed", &[]);
    has("artefact", &[0, 0xff, 0x5c, 0x27]);
    has("chain", b"PEM");
    has("block", b"870000");
    has("from_size", b"9223372036854775807");
    has(
        "name",
        "quote \" backslash \\ newline \n tab \t é 中 \u{1F600} 0".as_bytes(),
    );
}

fn numbers_that_were_given_are_not_given_again(fixture: Fixture, target: &TestDatabase) {
    let owner = fixture.add_user().id;
    fixture.add_idea(owner);
    fixture.write(|tx| tx.evidence_log().skip_idea_numbers(IdeaId::from(500)));
    let original = closed(fixture);
    drop(copy(&original, target).unwrap());
    let opened = target.open();
    let next = opened.write(|tx| tx.ideas().add_idea(&new_idea(owner, "<p>1</p>", at(8))));
    assert_eq!(next.unwrap().unwrap().id, IdeaId::from(501));
}

fn a_copy_protects_what_is_final(fixture: Fixture, target: &TestDatabase) {
    fixture.add_published();
    let is_to_postgres = !fixture.is_postgres();
    drop(copy(&closed(fixture), target).unwrap());
    for (reason, sql) in [
        ("is final", "UPDATE ideas SET status = 'draft'"),
        ("never deleted", "DELETE FROM idea_keys"),
        ("constraint", "INSERT INTO idea_files VALUES (77, 'x')"),
    ] {
        let keys = if is_to_postgres {
            ""
        } else {
            "PRAGMA foreign_keys = ON; "
        };
        let refused = target
            .try_execute(&format!("{keys}{sql}"))
            .unwrap_err()
            .to_string();
        assert!(refused.to_lowercase().contains(reason), "{sql}: {refused}");
    }
    // And all other rules are as the migrations make them.
    let migrated = match is_to_postgres {
        true => Fixture::postgres(),
        false => Fixture::sqlite(),
    };
    let rules = match is_to_postgres {
        true => [
            "pg_trigger WHERE NOT tgisinternal AND tgenabled = 'O'",
            "pg_constraint WHERE contype = 'f' AND NOT condeferrable AND convalidated",
        ],
        false => [
            "sqlite_schema WHERE type = 'trigger'",
            "sqlite_schema WHERE type = 'index'",
        ],
    };
    for rule in rules {
        assert!(target.count(rule) > 30, "{rule}");
        assert_eq!(target.count(rule), migrated.count(rule), "{rule}");
    }
}

fn a_column_that_only_one_database_has_is_refused(fixture: Fixture, target: &TestDatabase) {
    fixture
        .sql("CREATE TABLE forgotten (id TEXT PRIMARY KEY)")
        .unwrap();
    let original = closed(fixture);
    let error = refused(&original, target).to_string();
    assert!(error.contains("forgotten.id"), "{error}");
    original.execute("DROP TABLE forgotten; ALTER TABLE users ADD COLUMN forgotten TEXT");
    let error = refused(&original, target).to_string();
    assert!(error.contains("users.forgotten"), "{error}");
    original
        .execute("ALTER TABLE users DROP COLUMN forgotten; ALTER TABLE waitlist DROP COLUMN name");
    let error = refused(&original, target).to_string();
    assert!(error.contains("waitlist.name"), "{error}");
}

fn a_row_that_refers_to_nothing_is_refused(fixture: Fixture, target: &TestDatabase) {
    fixture.add_published();
    let off = match fixture.is_postgres() {
        true => "ALTER TABLE public_records DISABLE TRIGGER ALL",
        false => "PRAGMA foreign_keys = OFF",
    };
    let original = closed(fixture);
    original.execute(&format!(
        "{off}; INSERT INTO public_records VALUES (77, '2026-11-27 12:00:00+00:00')"
    ));
    let error = refused(&original, target).to_string();
    assert!(error.contains("a row of public_records"), "{error}");
}

fn an_open_vault_is_refused(fixture: Fixture, target: &TestDatabase) {
    let error = refused(&fixture.database, target);
    assert!(matches!(error, CopyError::InUse), "{error:?}");
    let original = closed(fixture);
    let done = copy(&original, target).unwrap();
    // Nobody can write until the caller has done the rest.
    let write = "INSERT INTO storage_identity VALUES (1, '00000000-0000-4000-8000-000000000000')";
    let hasty = match original.url().starts_with("sqlite") {
        true => "PRAGMA busy_timeout = 0; ",
        false => "SET lock_timeout = '10ms'; ",
    };
    let refused = original.try_execute(&format!("{hasty}{write}"));
    assert!(refused.is_err());
    drop(done);
    original.execute(write);
}

#[test]
fn a_server_on_postgres_may_still_be_stopping() {
    // The time that it has is enough nearly always, but the machine may stand still.
    let was_copied = (0..5).any(|_| {
        let Fixture { store, database } = Fixture::postgres();
        let target = TestDatabase::sqlite(encryption()).blank_like();
        std::thread::scope(|threads| {
            let copy = threads.spawn(|| copy(&database, &target).is_ok());
            let mut connection = PgConnection::establish(database.url()).unwrap();
            let asks = "count(*) AS count FROM pg_stat_activity";
            while !copy.is_finished() && !is_in_use(&mut connection, asks) {
                std::thread::yield_now();
            }
            drop(store);
            copy.join().unwrap()
        })
    });
    assert!(was_copied);
}

fn a_database_that_is_not_empty_is_refused(fixture: Fixture, target: &TestDatabase) {
    let original = closed(fixture);
    drop(copy(&original, target).unwrap());
    let before = values(target);
    let Err(error) = copy(&original, target) else {
        panic!("it was copied");
    };
    assert!(matches!(error, CopyError::NotEmpty), "{error:?}");
    assert_eq!(values(target), before);
}

#[test]
fn addresses_of_one_kind_or_none_are_refused_before_postgres_is_asked() {
    let folder = TempDir::new().unwrap();
    let sqlite = format!("sqlite://{}", folder.path().join("new").display());
    let postgres = "postgres://ideavault:hush@127.0.0.1:1/ideavault";
    for (from, to, part) in [
        (sqlite.as_str(), sqlite.as_str(), "same kind"),
        (postgres, postgres, "same kind"),
        (sqlite.as_str(), "mysql://u:hush@db/x", "--to"),
        (sqlite.as_str(), "postgres://", "--to"),
    ] {
        let Err(error) = SqlDatabase::copy(from, to, None, &mut |_| {}) else {
            panic!("{to} was used");
        };
        let error = format!("{error} {error:?}");
        assert!(error.contains(part), "{to}: {error}");
        assert!(!error.contains("hush"), "{error}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// As operators make it, other than the superuser of the other tests.
#[test]
fn a_role_that_owns_its_postgres_database_is_enough() {
    let admin = std::env::var(POSTGRES_URL).unwrap();
    let blank = TestDatabase::postgres(encryption()).blank_like();
    let address = blank.url().split('?').next().unwrap().to_owned();
    let (server, name) = address.rsplit_once('/').unwrap();
    let (_, host) = server.rsplit_once('@').unwrap();
    let mut connection = PgConnection::establish(&admin).unwrap();
    let sql = format!(
        "CREATE ROLE owner_of_{name} LOGIN PASSWORD 'secret'; \
         ALTER DATABASE {name} OWNER TO owner_of_{name}"
    );
    connection.batch_execute(&sql).unwrap();
    let url = format!("postgres://owner_of_{name}:secret@{host}/{name}");

    let fixture = Fixture::sqlite();
    fixture.add_published();
    let original = closed(fixture);
    drop(SqlDatabase::copy(original.url(), &url, None, &mut |_| {}).unwrap());
    let back = original.blank_like();
    drop(SqlDatabase::copy(&url, back.url(), None, &mut |_| {}).unwrap());
    assert_eq!(values(&back), values(&original));
    drop(blank);
    connection
        .batch_execute(&format!("DROP ROLE owner_of_{name}"))
        .unwrap();
}

/// Changes a table as soon as a Postgres database has it.
fn meddle(target: &TestDatabase, table: &str, change: &str) {
    target.execute(&format!(
        "CREATE OR REPLACE FUNCTION meddle() RETURNS event_trigger LANGUAGE plpgsql AS $$
         BEGIN
             IF EXISTS (
                 SELECT FROM pg_event_trigger_ddl_commands() WHERE object_identity = 'public.{table}'
             ) THEN
                 {change};
             END IF;
         END
         $$;
         DROP EVENT TRIGGER IF EXISTS meddle;
         CREATE EVENT TRIGGER meddle ON ddl_command_end WHEN TAG IN ('CREATE TABLE')
         EXECUTE FUNCTION meddle()"
    ));
}

#[test]
fn a_row_that_postgres_loses_or_changes_is_found() {
    let fixture = Fixture::sqlite();
    let id = "00000000-0000-4000-8000-000000000000";
    let insert = format!("INSERT INTO storage_identity VALUES (1, '{id}')");
    fixture.sql(&insert).unwrap();
    let original = closed(fixture);
    let target = TestDatabase::postgres(encryption()).blank_like();
    for instead in [
        "INSTEAD NOTHING",
        "ALSO UPDATE storage_identity SET id = replace(id, ''4'', ''5'')",
    ] {
        let rule =
            format!("EXECUTE 'CREATE RULE meddling AS ON INSERT TO storage_identity DO {instead}'");
        meddle(&target, "storage_identity", &rule);
        assert_eq!(
            refused(&original, &target).to_string(),
            "row 1 of storage_identity is not the same in the copy"
        );
    }
    meddle(&target, "notices", "NULL");
    drop(copy(&original, &target).unwrap());
}

#[test]
fn a_column_of_a_type_of_postgres_that_is_unknown_is_refused() {
    let original = closed(Fixture::sqlite());
    original.execute("ALTER TABLE users ADD COLUMN notes TEXT");
    let target = TestDatabase::postgres(encryption()).blank_like();
    meddle(&target, "users", "ALTER TABLE users ADD COLUMN notes JSON");
    assert_eq!(
        refused(&original, &target).to_string(),
        "the column users.notes has a type that cannot be copied"
    );
}

#[test]
fn a_file_that_cannot_be_made_is_named_before_postgres_is_locked() {
    let original = closed(Fixture::postgres());
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("absent/new.sqlite");
    let Err(error) = SqlDatabase::copy(original.url(), &address_of(&path), None, &mut |_| {})
    else {
        panic!("it was copied");
    };
    let CopyError::Target(cause) = error else {
        panic!("{error:?}");
    };
    assert!(cause.downcast_ref::<BackupError>().is_some());
    assert!(cause.to_string().contains("absent/new.sqlite"), "{cause}");
    // What another database has left there.
    std::fs::write(folder.path().join("new-wal"), "left").unwrap();
    let path = folder.path().join("new");
    let Err(error) = SqlDatabase::copy(original.url(), &address_of(&path), None, &mut |_| {})
    else {
        panic!("it was copied");
    };
    assert!(format!("{error:?}").contains("new-wal"), "{error:?}");
}

fn address_of(path: &Path) -> String {
    format!("sqlite://{}", path.display())
}
