//! Tests for a database in one file.

use std::path::Path;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary};

use ideavault_db::{BackupError, ConnectError, SqlDatabase};
use ideavault_domain::idea::Idea;
use ideavault_domain::ids::IdeaId;
use ideavault_domain::organization::Archived;
use ideavault_domain::page::Paging;
use ideavault_domain::ports::Database as _;

use crate::support::{Fixture, at, comment, draft, encryption, new_idea, race};

fn connect(url: &str) -> ConnectError {
    match SqlDatabase::connect(url, encryption()) {
        Ok(_) => panic!("{url} was opened"),
        Err(error) => error,
    }
}

#[test]
fn an_unsupported_url_is_refused_with_the_supported_forms() {
    for url in [
        "",
        "ideavault.sqlite",
        "sqlite:ideavault.sqlite",
        "sqlite://",
        "sqlite://:memory:",
        "mysql://root:secret@localhost/ideavault",
        "postgres://",
    ] {
        let message = connect(url).to_string();
        assert!(message.contains("sqlite://PATH"), "{url}: {message}");
        assert!(message.contains("postgres://"), "{url}: {message}");
        assert!(!message.contains("secret"), "{url}: {message}");
    }
}

#[test]
fn a_file_in_a_missing_folder_is_refused_by_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("absent/ideavault.sqlite");
    let message = connect(&format!("sqlite://{}", path.display())).to_string();
    assert!(message.contains("absent/ideavault.sqlite"), "{message}");
}

#[test]
fn a_file_that_is_not_a_database_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ideavault.sqlite");
    std::fs::write(
        &path,
        "not a database, but long enough to have a header".repeat(9),
    )
    .unwrap();
    // A pool would try for a while, and then say that it did.
    let error = connect(&format!("sqlite://{}", path.display()));
    assert!(matches!(error, ConnectError::Sqlite { .. }), "{error:?}");
}

#[cfg(unix)]
#[test]
fn a_new_database_file_is_private() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().unwrap();
    // A name that SQLite could interpret as a URI.
    let path = folder.path().join("file:vault?mode=memory");
    let database =
        SqlDatabase::connect(&format!("sqlite://{}", path.display()), encryption()).unwrap();
    database.migrate().unwrap();
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let mode = file.unwrap().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    assert!(path.exists());
}

#[test]
fn data_persists_across_a_restart() {
    let fixture = Fixture::sqlite();
    let user = fixture.add_user();
    let Fixture { store, database } = fixture;
    drop(store);
    let found = database.open().read(|tx| tx.users().user(user.id));
    assert_eq!(found.unwrap(), Some(user));
}

#[test]
fn a_copy_is_not_restored_beside_files_of_another_database() {
    let fixture = Fixture::sqlite();
    let user = fixture.add_user();
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy");
    fixture.store.back_up(&copy).unwrap();
    let path = folder.path().join("ideavault.sqlite");
    let url = format!("sqlite://{}", path.display());
    for name in ["-wal", "-shm", "-journal"].map(|end| format!("ideavault.sqlite{end}")) {
        let left = folder.path().join(name);
        std::fs::write(&left, "left").unwrap();
        let refused = SqlDatabase::restore(&url, &copy);
        let Err(BackupError::LeftOver(named)) = refused else {
            panic!("beside {}: {refused:?}", left.display());
        };
        assert_eq!(named, left);
        assert!(!path.exists());
        std::fs::remove_file(left).unwrap();
    }
    SqlDatabase::restore(&url, &copy).unwrap();
    let restored = SqlDatabase::connect(&url, encryption()).unwrap();
    let found = restored.read(|tx| tx.users().user(user.id)).unwrap();
    assert_eq!(found, Some(user));
}

const SECRET: &str = "the kettle's secret is a second spout";

/// Adds a draft that repeats the secret until it fills whole pages.
fn add_secret(fixture: &Fixture) -> Idea {
    let owner = fixture.add_user();
    let long = format!("<p>{}</p>", SECRET.repeat(1_000));
    let idea = fixture
        .write(|tx| tx.ideas().add_idea(&new_idea(owner.id, &long, at(0))))
        .unwrap();
    fixture.write(|tx| {
        assert!(tx.ideas().add_revision(&idea, &draft(SECRET), at(1))?);
        tx.comments()
            .add_comment(&comment(idea.id, None, SECRET, at(2)))
    });
    idea
}

#[derive(QueryableByName)]
struct Key {
    #[diesel(sql_type = Binary)]
    content: Vec<u8>,
}

/// Returns the wrapped content key of `idea`.
fn key_of(fixture: &Fixture, idea: IdeaId) -> Vec<u8> {
    let path = fixture.sqlite_path().unwrap();
    let mut connection = SqliteConnection::establish(path).unwrap();
    diesel::sql_query("SELECT content FROM idea_keys WHERE idea_id = ?")
        .bind::<BigInt, _>(idea.as_i64())
        .get_result::<Key>(&mut connection)
        .unwrap()
        .content
}

#[derive(QueryableByName)]
struct Sealed {
    #[diesel(sql_type = Binary)]
    sealed: Vec<u8>,
}

#[test]
fn a_withdrawn_comment_is_erased_from_all_files() {
    let fixture = Fixture::sqlite();
    let idea = fixture.add_draft();
    let said = comment(idea.id, None, SECRET, at(2));
    fixture.write(|tx| tx.comments().add_comment(&said));
    let path = fixture.sqlite_path().unwrap();
    let mut connection = SqliteConnection::establish(path).unwrap();
    let Sealed { sealed } = diesel::sql_query("SELECT sealed FROM comments")
        .get_result(&mut connection)
        .unwrap();
    drop(connection);
    assert!(files_with(&fixture, &sealed) > 0);
    let withdrawn = said.withdrawn(at(3));
    assert!(fixture.write(|tx| tx.comments().change_comment(&withdrawn)));
    assert_eq!(files_with(&fixture, &sealed), 0);
}

/// Counts the database's files that contain these bytes.
fn files_with(fixture: &Fixture, wanted: &[u8]) -> usize {
    let folder = Path::new(fixture.sqlite_path().unwrap()).parent().unwrap();
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| std::fs::read(entry.unwrap().path()).unwrap())
        .filter(|bytes| bytes.windows(wanted.len()).any(|window| window == wanted))
        .count()
}

#[test]
fn an_erased_key_is_erased_from_all_files() {
    let fixture = Fixture::sqlite();
    let idea = add_secret(&fixture);
    let key = key_of(&fixture, idea.id);
    assert!(files_with(&fixture, &key) > 0);
    assert!(fixture.write(|tx| tx.ideas().delete_draft(idea.id, at(3))));
    assert_eq!(files_with(&fixture, &key), 0);
}

#[test]
fn an_erased_key_leaves_the_files_once_open_reads_end() {
    let fixture = Fixture::sqlite();
    let idea = add_secret(&fixture);
    let key = key_of(&fixture, idea.id);
    fixture.read(|reader| {
        let before = reader.ideas().revision_content(idea.id, 2)?;
        assert!(fixture.write(|tx| tx.ideas().delete_draft(idea.id, at(3))));
        assert_eq!(reader.ideas().revision_content(idea.id, 2)?, before);
        Ok(())
    });
    fixture.add_user();
    assert_eq!(files_with(&fixture, &key), 0);
}

/// Such as the server and a command at the same time.
#[test]
fn two_processes_can_write_to_one_file() {
    let fixture = Fixture::sqlite();
    let owner = fixture.add_user();
    let other = fixture.database.open();
    race(4, |index| {
        let store = [&fixture.store, &other][index % 2];
        for _ in 0..25 {
            store
                .write(|tx| {
                    tx.ideas()
                        .ideas_of(owner.id, Archived::LeftOut, Paging::default())?;
                    tx.ideas().add_idea(&new_idea(owner.id, "<p>1</p>", at(0)))
                })
                .unwrap();
        }
    });
    let listed =
        fixture.listed(|tx, paging| tx.ideas().ideas_of(owner.id, Archived::LeftOut, paging));
    assert_eq!(listed.len(), 100);
}
