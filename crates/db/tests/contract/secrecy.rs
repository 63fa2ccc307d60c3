//! A copy of the database discloses nothing confidential without the master key.

use std::path::Path;

use diesel::prelude::*;
use diesel::sql_types::Text;

use ideavault_crypto::{KeyRing, MasterKey};
use ideavault_db::SqlDatabase;
use ideavault_domain::comment::CommentScope;
use ideavault_domain::digest::Digest;
use ideavault_domain::file::MediaType;
use ideavault_domain::idea::{Draft, ListedIdea};
use ideavault_domain::idempotency::IdempotencyKey;
use ideavault_domain::keys::CookieKey;
use ideavault_domain::organization::Archived;
use ideavault_domain::page::Paging;
use ideavault_domain::ports::{Database as _, DatabaseError, NewIdea};
use ideavault_domain::text::{ShareName, Title};
use ideavault_domain::two_factor::{RecoveryCode, TotpSecret};
use ideavault_domain::working_copy::{EditingSession, WorkingCopy};

use crate::support::{
    Fixture, acceptance, at, by_email, comment, draft, full_access, grant, on_both_databases,
    recipient,
};

on_both_databases!(
    nothing_confidential_is_stored_in_plaintext,
    another_master_key_decrypts_nothing,
    data_moved_to_another_idea_does_not_decrypt,
    stored_digests_cannot_confirm_a_guess,
    digests_round_trip,
    changing_the_owner_in_the_database_discloses_nothing,
);

const CANARY: &str = "CANARY-9f2c";

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Text)]
    text: String,
}

/// Returns the content of all tables or files of the database, as text.
fn everything(fixture: &Fixture) -> String {
    let Some(path) = fixture.sqlite_path() else {
        let mut connection = PgConnection::establish(fixture.database.url()).unwrap();
        let dump = "SELECT query_to_xml('SELECT t::text FROM ' || c.oid::regclass || ' t', \
             true, true, '')::text AS text FROM pg_class c \
             WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'";
        // Binary values as text where they are readable, and in hex.
        return ["escape", "hex"]
            .into_iter()
            .flat_map(|encoding| {
                let encoded = format!("SET bytea_output = '{encoding}'");
                diesel::sql_query(encoded).execute(&mut connection).unwrap();
                diesel::sql_query(dump)
                    .load::<Row>(&mut connection)
                    .unwrap()
            })
            .map(|row| row.text)
            .collect();
    };
    let folder = Path::new(path).parent().unwrap();
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| std::fs::read(entry.unwrap().path()).unwrap())
        .map(|bytes| {
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            String::from_utf8_lossy(&bytes).into_owned() + &hex
        })
        .collect()
}

fn canary_draft() -> Draft {
    Draft {
        title: Title::from_stored(CANARY.to_owned()),
        ..draft(&format!("<p>{CANARY}</p>"))
    }
}

fn nothing_confidential_is_stored_in_plaintext(fixture: &Fixture) {
    let owner = fixture.add_user();
    let idea = fixture.write(|tx| {
        tx.ideas().add_idea(&NewIdea {
            owner: owner.id,
            draft: canary_draft(),
            created_at: at(0),
            key: Some(IdempotencyKey::parse(CANARY).unwrap()),
        })
    });
    let idea = idea.unwrap();
    let share = fixture.add_share(idea.id, by_email("canary-reader@example.org"));
    let read = fixture.read(|tx| tx.shares().share(share.id));
    assert_eq!(read.as_ref(), Some(&share));
    let name = ShareName::from_stored(CANARY.to_owned());
    fixture.write(|tx| tx.shares().rename_share(share.id, Some(&name)));
    let viewer = fixture.add_viewer();
    let guest = recipient(viewer.id, &share, at(4));
    fixture.write(|tx| {
        tx.recipients().add_recipient(&guest)?;
        tx.recipients().add_acceptance(&acceptance(&guest, at(5)))?;
        tx.comments()
            .add_comment(&comment(idea.id, Some(guest.id), CANARY, at(6)))
    });
    let file = fixture.add_file(owner.id, MediaType::Png, at(7));
    let secret = TotpSecret::from_random(*b"CANARY-secret-of-app");
    let code = RecoveryCode::from_random([9; 16]);
    fixture.write(|tx| {
        tx.two_factors().begin_two_factor(owner.id, &secret)?;
        tx.two_factors()
            .add_recovery_codes(owner.id, &[code.hash()])
    });
    let cookies = CookieKey::from_random(*b"CANARY-key-of-cookies-CANARY-key");
    fixture.write(|tx| tx.cookie_key().init_cookie_key(&cookies));
    let unsaved = WorkingCopy {
        title: Title::from_stored(CANARY.to_owned()),
        html: CANARY.to_owned(),
        base: None,
        session: EditingSession::parse(Some("a")).unwrap(),
        kept_at: at(8),
    };
    fixture.write(|tx| {
        tx.working_copies()
            .keep_working_copy(owner.id, None, &unsaved)
    });
    assert_eq!(fixture.count("working_copies"), 1);
    let seen = everything(fixture);
    // Plain values are found, so that the search works.
    assert!(seen.contains(owner.email.as_str()));
    let agent = acceptance(&guest, at(5))
        .origin
        .unwrap()
        .user_agent
        .unwrap();
    for secret in [
        CANARY,
        "canary-reader",
        guest.name.as_str(),
        guest.email.as_str(),
        guest.agreement.idea_title.as_str(),
        &agent,
        file.name.as_str(),
        "CANARY-secret-of-app",
        "CANARY-key-of-cookies",
        &secret.reveal(),
        &code.reveal(),
        &code.reveal().replace('-', ""),
    ] {
        assert!(!seen.contains(secret), "{secret}");
    }
}

fn another_master_key_decrypts_nothing(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let ring = KeyRing::new(&[MasterKey::from_random([8; 32])]).unwrap();
    let other = SqlDatabase::connect(fixture.database.url(), std::sync::Arc::new(ring)).unwrap();
    let refused = other.read(|tx| tx.ideas().idea(idea.id));
    assert!(matches!(refused, Err(DatabaseError::Damaged { .. })));
    let refused = other.read(|tx| tx.ideas().revision_content(idea.id, 1));
    assert!(matches!(refused, Err(DatabaseError::Damaged { .. })));
}

fn data_moved_to_another_idea_does_not_decrypt(fixture: &Fixture) {
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
    let refused = fixture.store.read(|tx| tx.ideas().idea(mine.id));
    assert!(matches!(refused, Err(DatabaseError::Damaged { .. })));
    assert_eq!(fixture.idea(theirs.id), theirs);
}

fn stored_digests_cannot_confirm_a_guess(fixture: &Fixture) {
    let published = fixture.add_published();
    let share = fixture.add_share(published.id, full_access());
    let guest = fixture.add_guest(&share);
    let deleted = fixture.add_draft();
    fixture.write(|tx| tx.ideas().delete_draft(deleted.id, at(3)));
    let file = fixture.add_file(published.owner, MediaType::Pdf, at(3));
    let acceptance = acceptance(&guest, at(5));
    let grant = grant(&guest, at(6));
    fixture.write(|tx| tx.recipients().add_acceptance(&acceptance));
    assert!(fixture.write(|tx| tx.shares().claim_view(&grant)));
    let seen = everything(fixture);
    // A value in hex is found, so that the search works.
    let token: String = share
        .token_hash
        .as_bytes()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert!(seen.contains(&token));
    for digest in [
        published.sha256,
        deleted.sha256,
        file.sha256,
        acceptance.nda_sha256,
        acceptance.revision_sha256,
        grant.revision_sha256,
        Digest::of(guest.email.as_str().as_bytes()),
    ] {
        assert!(!seen.contains(&digest.to_string()), "{digest}");
    }
}

fn digests_round_trip(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let share = fixture.add_share(idea.id, full_access());
    let guest = fixture.add_guest(&share);
    let file = fixture.add_file(idea.owner, MediaType::Pdf, at(3));
    let acceptance = acceptance(&guest, at(5));
    let grant = grant(&guest, at(6));
    fixture.write(|tx| tx.recipients().add_acceptance(&acceptance));
    assert!(fixture.write(|tx| tx.shares().claim_view(&grant)));
    let read = fixture.read(|tx| tx.files().file(file.id));
    assert_eq!(read.unwrap().sha256, file.sha256);
    let revisions = fixture.listed(|tx, paging| tx.ideas().revisions_of(idea.id, paging));
    assert_eq!(revisions[0].sha256, idea.sha256);
    // The evidence is unchanged after the draft is deleted.
    fixture.write(|tx| tx.ideas().delete_draft(idea.id, at(7)));
    assert_ne!(fixture.idea(idea.id).sha256, idea.sha256);
    let kept = fixture.read(|tx| tx.recipients().registration(guest.id));
    let kept = kept.unwrap().progress;
    assert_eq!(kept.acceptance, Some(acceptance));
    assert_eq!(kept.grant, Some(grant));
}

fn changing_the_owner_in_the_database_discloses_nothing(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let file = fixture.add_file(idea.owner, MediaType::Png, at(3));
    let share = fixture.add_share(idea.id, full_access());
    fixture.write(|tx| {
        tx.comments()
            .add_comment(&comment(idea.id, None, CANARY, at(6)))
    });
    fixture.add_guest(&share);
    fixture.record_facts(idea.id);
    let thief = fixture.add_user().id;
    let trigger = if fixture.is_postgres() {
        " ON files"
    } else {
        ""
    };
    fixture
        .sql(&format!(
            "UPDATE ideas SET owner_id = '{thief}' WHERE id = {idea}; \
             UPDATE comments SET owner_id = '{thief}' WHERE idea_id = {idea}; \
             DROP TRIGGER files_update{trigger}; \
             UPDATE files SET owner_id = '{thief}'",
            idea = idea.id,
        ))
        .unwrap();
    let store = &fixture.store;
    let why = store.read(|tx| tx.ideas().idea(idea.id)).unwrap_err();
    let why = std::error::Error::source(&why).unwrap().to_string();
    assert!(why.contains("owner of the idea"), "{why}");
    let paging = Paging::default;
    let listed = store.read(|tx| tx.ideas().ideas_of(thief, Archived::LeftOut, paging()));
    let listed = listed.unwrap().into_items();
    let title = |listed: &ListedIdea| (listed.is_damaged, listed.summary.title.to_string());
    assert_eq!(
        listed.iter().map(title).collect::<Vec<_>>(),
        [(true, String::new())]
    );
    let revisions = store.read(|tx| tx.ideas().revisions_of(idea.id, paging()));
    assert!(revisions.is_err());
    let content = store.read(|tx| tx.ideas().revision_content(idea.id, 1));
    assert!(content.is_err());
    let comments = store.read(|tx| {
        tx.comments()
            .comments_on(idea.id, &CommentScope::All, paging())
    });
    assert!(comments.is_err());
    let comments = store.read(|tx| tx.comments().comments_for_owner(thief, paging()));
    assert_eq!(comments.unwrap().into_items(), []);
    let activity = store.read(|tx| tx.recipients().activity_of(idea.id, paging()));
    assert!(activity.is_err());
    assert!(store.read(|tx| tx.shares().share(share.id)).is_err());
    assert!(store.read(|tx| tx.files().file(file.id)).is_err());
    let images = store.read(|tx| tx.files().images_of(thief));
    assert_eq!(images.unwrap(), []);
}
