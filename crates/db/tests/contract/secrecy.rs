//! A copy of the database says nothing without the master key.

use std::path::Path;

use diesel::prelude::*;
use diesel::sql_types::Text;

use ideavault_crypto::{KeyRing, MasterKey, Purpose};
use ideavault_db::Database;
use ideavault_domain::file::MediaType;
use ideavault_domain::idea::Draft;
use ideavault_domain::ports::{NewIdea, Sealer as _, Store as _, StoreError};
use ideavault_domain::second_factor::{RecoveryCode, TotpSecret};
use ideavault_domain::text::{ShareName, Title};

use crate::support::{
    Fixture, acceptance, at, comment, draft, full_access, on_both_databases, recipient,
};

on_both_databases!(
    nothing_confidential_can_be_read_in_the_database,
    another_master_key_opens_nothing,
    what_is_moved_to_another_idea_does_not_open,
);

const CANARY: &str = "CANARY-9f2c";

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Text)]
    text: String,
}

/// All that the database's tables or files hold, as text.
fn everything(fixture: &Fixture) -> String {
    let Some(path) = fixture.sqlite_path() else {
        let mut connection = PgConnection::establish(fixture.database.url()).unwrap();
        // Binary values in the encoding that shows readable letters as they are.
        diesel::sql_query("SET bytea_output = 'escape'")
            .execute(&mut connection)
            .unwrap();
        let dump = "SELECT query_to_xml('SELECT t::text FROM ' || c.oid::regclass || ' t', \
             true, true, '')::text AS text FROM pg_class c \
             WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'";
        let rows: Vec<Row> = diesel::sql_query(dump).load(&mut connection).unwrap();
        return rows.into_iter().map(|row| row.text).collect();
    };
    let folder = Path::new(path).parent().unwrap();
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| std::fs::read(entry.unwrap().path()).unwrap())
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .collect()
}

fn canary_draft() -> Draft {
    Draft {
        title: Title::from_stored(CANARY.to_owned()),
        ..draft(&format!("<p>{CANARY}</p>"))
    }
}

fn nothing_confidential_can_be_read_in_the_database(fixture: &Fixture) {
    let owner = fixture.add_user();
    let idea = fixture.write(|session| {
        session.add_idea(&NewIdea {
            owner: owner.id,
            draft: canary_draft(),
            created_at: at(0),
        })
    });
    let share = fixture.add_share(idea.id, full_access());
    let name = ShareName::from_stored(CANARY.to_owned());
    fixture.write(|session| session.rename_share(share.id, Some(&name)));
    let viewer = fixture.add_viewer();
    let guest = recipient(viewer.id, &share, at(4));
    fixture.write(|session| {
        session.add_recipient(&guest)?;
        session.add_acceptance(&acceptance(&guest, at(5)))?;
        session.add_comment(&comment(idea.id, Some(guest.id), CANARY, at(6)))
    });
    let file = fixture.add_file(owner.id, MediaType::Png, at(7));
    let secret = TotpSecret::from_random(*b"CANARY-secret-of-app");
    let code = RecoveryCode::from_random([9; 16]);
    fixture.write(|session| {
        let ring = KeyRing::new(&[MasterKey::from_random([7; 32])]).unwrap();
        let sealer = ring.sealer(Purpose::TotpSecrets);
        let sealed = sealer.seal(owner.id.as_uuid(), secret.as_bytes()).unwrap();
        session.begin_second_factor(owner.id, &sealed)?;
        session.add_recovery_codes(owner.id, &[code.hash()])
    });
    let seen = everything(fixture);
    // What is not confidential is found, so that this would find the rest.
    assert!(seen.contains(owner.email.as_str()));
    let agent = acceptance(&guest, at(5)).origin.user_agent.unwrap();
    for secret in [
        CANARY,
        guest.name.as_str(),
        guest.email.as_str(),
        guest.agreement.idea_title.as_str(),
        &agent,
        file.name.as_str(),
        "CANARY-secret-of-app",
        &secret.reveal(),
        &code.reveal(),
        &code.reveal().replace('-', ""),
    ] {
        assert!(!seen.contains(secret), "{secret}");
    }
}

fn another_master_key_opens_nothing(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let ring = KeyRing::new(&[MasterKey::from_random([8; 32])]).unwrap();
    let other = Database::connect(fixture.database.url(), std::sync::Arc::new(ring)).unwrap();
    let refused = other.read(|session| session.idea(idea.id));
    assert!(matches!(refused, Err(StoreError::Internal { .. })));
    let refused = other.read(|session| session.revision_content(idea.id, 1));
    assert!(matches!(refused, Err(StoreError::Internal { .. })));
}

fn what_is_moved_to_another_idea_does_not_open(fixture: &Fixture) {
    let (theirs, mine) = (fixture.add_draft(), fixture.add_draft());
    fixture
        .sql(&format!(
            "UPDATE idea_keys SET content = \
                 (SELECT content FROM idea_keys WHERE idea_id = {theirs}), \
             evidence = (SELECT evidence FROM idea_keys WHERE idea_id = {theirs}) \
             WHERE idea_id = {mine}; \
             UPDATE ideas SET title = (SELECT title FROM ideas WHERE id = {theirs}) \
             WHERE id = {mine}",
            theirs = theirs.id,
            mine = mine.id,
        ))
        .unwrap();
    let refused = fixture.store.read(|session| session.idea(mine.id));
    assert!(matches!(refused, Err(StoreError::Internal { .. })));
    assert_eq!(fixture.idea(theirs.id), theirs);
}
