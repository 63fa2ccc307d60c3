//! Rotation of the master key.

use std::sync::Arc;

use ideavault_crypto::{KeyRing, MasterKey};
use ideavault_db::SqlDatabase;
use ideavault_domain::file::MediaType;
use ideavault_domain::ids::MailId;
use ideavault_domain::keys::{CookieKey, MasterKeyId};
use ideavault_domain::mail::QueuedMail;
use ideavault_domain::organization::Archived;
use ideavault_domain::page::{Page, Paging};
use ideavault_domain::ports::{Database as _, DatabaseError};
use ideavault_domain::text::Title;
use ideavault_domain::two_factor::TotpSecret;
use ideavault_domain::working_copy::{EditingSession, WorkingCopy};

use crate::support::{
    Fixture, at, bytes, full_access, hello, new_idea, on_both_databases, race, token_of,
};

on_both_databases!(
    everything_is_rewrapped_once_and_decrypts_without_the_former_key,
    a_rotation_interrupted_between_batches_can_be_resumed,
    a_server_unaware_of_the_rotation_inserts_with_the_new_key,
    a_server_without_the_new_key_cannot_insert,
    a_server_without_the_new_key_leaves_mails_to_others,
    a_server_without_the_new_key_is_unavailable_to_readers,
    a_server_unaware_of_the_rotation_rewraps_with_the_new_key,
    a_rotation_skips_damaged_values_and_names_them,
    concurrent_servers_have_one_cookie_key_also_after_a_rotation,
    a_cookie_key_that_no_key_opens_is_replaced,
    the_rotation_lock_is_released,
    the_first_master_key_is_kept,
    the_current_master_key_can_be_read,
);

fn master(byte: u8) -> MasterKey {
    MasterKey::from_random([byte; 32])
}

fn id(byte: u8) -> MasterKeyId {
    master(byte).id().unwrap()
}

/// Opens the fixture's database with these master keys, and `more` as a source.
fn open(fixture: &Fixture, keys: &[u8], more: &'static [u8]) -> (SqlDatabase, KeyRing) {
    let keys: Vec<_> = keys.iter().map(|byte| master(*byte)).collect();
    let ring = KeyRing::new(&keys).unwrap();
    let ring = ring.with_source(|| more.iter().map(|byte| master(*byte)).collect());
    let encryption = Arc::new(ring.clone());
    (
        SqlDatabase::connect(fixture.database.url(), encryption).unwrap(),
        ring,
    )
}

fn queue_mail(fixture: &Fixture) -> QueuedMail {
    let mail = QueuedMail {
        reader: None,
        id: MailId::from_random(bytes()),
        mail: hello(),
        queued_at: at(0),
        expires_at: at(600),
        first_attempt_at: at(0),
    };
    fixture.write(|tx| tx.outbox().queue_mail(&mail));
    mail
}

/// Rewraps until nothing is left; returns the sizes of the batches.
fn rewrap(database: &SqlDatabase, limit: usize) -> Vec<usize> {
    let batch = || database.write(|tx| tx.master_keys().rewrap_batch(limit, &mut Vec::new()));
    std::iter::from_fn(|| Some(batch().unwrap()).filter(|size| *size > 0)).collect()
}

fn everything_is_rewrapped_once_and_decrypts_without_the_former_key(fixture: &Fixture) {
    let (before, _) = open(fixture, &[7], &[]);
    before
        .write(|tx| tx.master_keys().init_master_key(id(7)))
        .unwrap();
    let kept = fixture.add_draft();
    let deleted = fixture.add_draft();
    fixture.write(|tx| tx.ideas().delete_draft(deleted.id, at(1)));
    let published = fixture.add_published();
    let file = fixture.add_file(fixture.add_user().id, MediaType::Png, at(1));
    let share = fixture.add_share(kept.id, full_access());
    let mail = queue_mail(fixture);
    let user = fixture.add_user().id;
    let secret = TotpSecret::from_random(bytes());
    fixture.write(|tx| tx.two_factors().begin_two_factor(user, &secret));
    let unsaved = unsaved(None);
    fixture.write(|tx| tx.working_copies().keep_working_copy(user, None, &unsaved));
    let reader = fixture.add_guest(&share);
    fixture.write(|tx| tx.codes().confirm_email(reader.id, at(6)));

    let (rotating, _) = open(fixture, &[8, 7], &[]);
    rotating
        .write(|tx| tx.master_keys().replace_master_key(id(8)))
        .unwrap();
    assert_eq!(rewrap(&rotating, 2), [1, 2, 1, 1, 1, 1, 1, 1]);

    let (after, _) = open(fixture, &[8], &[]);
    let read = |work: &dyn Fn(&mut dyn ideavault_domain::ports::Transaction)| {
        after
            .read(|tx| {
                work(tx);
                Ok::<_, DatabaseError>(())
            })
            .unwrap();
    };
    read(&|tx| {
        assert_eq!(tx.ideas().idea(kept.id).unwrap().unwrap(), kept);
        assert_eq!(tx.ideas().idea(published.id).unwrap().unwrap(), published);
        let activity = tx.recipients().activity_of(deleted.id, Paging::default());
        assert_eq!(activity.unwrap(), Page::default());
        assert_eq!(tx.files().file(file.id).unwrap().unwrap().name, file.name);
        let token = tx.shares().share_token(share.id).unwrap();
        assert_eq!(token, Some(token_of(share.id)));
        let stored = tx.two_factors().totp_secret(user).unwrap();
        assert_eq!(stored.as_ref(), Some(&secret));
        let read = tx.working_copies().newest_working_copies(user, None, 1);
        assert_eq!(read.unwrap().first(), Some(&unsaved));
        assert!(tx.document_links().has_documents(&reader.email).unwrap());
    });
    let claimed = after
        .write(|tx| tx.outbox().claim_mail(at(0), at(600)))
        .unwrap();
    let claimed = claimed.unwrap();
    assert_eq!(claimed.claim.id, mail.id);
    assert_eq!(claimed.mail.unwrap(), mail.mail);
}

fn a_rotation_interrupted_between_batches_can_be_resumed(fixture: &Fixture) {
    let ideas: Vec<_> = (0..5).map(|_| fixture.add_draft()).collect();
    let (rotating, _) = open(fixture, &[8, 7], &[]);
    rotating
        .write(|tx| tx.master_keys().replace_master_key(id(8)))
        .unwrap();
    rotating
        .write(|tx| tx.master_keys().rewrap_batch(2, &mut Vec::new()))
        .unwrap();
    // During the rotation, a server with both keys can read everything.
    for idea in &ideas {
        let read = rotating.read(|tx| tx.ideas().idea(idea.id)).unwrap();
        assert_eq!(read.as_ref(), Some(idea));
    }
    let (resumed, _) = open(fixture, &[8, 7], &[]);
    assert_eq!(rewrap(&resumed, 500), [3]);
}

fn a_server_unaware_of_the_rotation_inserts_with_the_new_key(fixture: &Fixture) {
    let owner = fixture.add_user();
    let (unaware, ring) = open(fixture, &[7], &[8]);
    let (rotating, _) = open(fixture, &[8, 7], &[]);
    rotating
        .write(|tx| tx.master_keys().replace_master_key(id(8)))
        .unwrap();
    let added = unaware
        .write(|tx| tx.ideas().add_idea(&new_idea(owner.id, "<p>1</p>", at(0))))
        .unwrap()
        .unwrap();
    assert_eq!(
        ideavault_domain::ports::Encryption::master_key(&ring).unwrap(),
        id(8)
    );
    let (after, _) = open(fixture, &[8], &[]);
    let read = after.read(|tx| tx.ideas().idea(added.id)).unwrap();
    assert_eq!(read, Some(added));
    assert_eq!(rewrap(&rotating, 500), [0_usize; 0]);
}

fn a_server_without_the_new_key_cannot_insert(fixture: &Fixture) {
    let owner = fixture.add_user();
    let (rotating, _) = open(fixture, &[8, 7], &[]);
    rotating
        .write(|tx| tx.master_keys().replace_master_key(id(8)))
        .unwrap();
    let refused = fixture
        .store
        .write(|tx| tx.ideas().add_idea(&new_idea(owner.id, "<p>1</p>", at(0))));
    assert!(
        matches!(refused, Err(DatabaseError::Unavailable { .. })),
        "{refused:?}"
    );
    assert_eq!(fixture.count("ideas"), 0);
}

/// As with two rotations at the same time.
/// Rotates from key 7 to key 8, and returns a server with key 7 alone.
fn left_behind(fixture: &Fixture) -> SqlDatabase {
    let (before, _) = open(fixture, &[7], &[]);
    before
        .write(|tx| tx.master_keys().init_master_key(id(7)))
        .unwrap();
    let (rotating, _) = open(fixture, &[8, 7], &[]);
    rotating
        .write(|tx| tx.master_keys().replace_master_key(id(8)))
        .unwrap();
    rewrap(&rotating, 500);
    before
}

fn a_server_without_the_new_key_leaves_mails_to_others(fixture: &Fixture) {
    let mail = queue_mail(fixture);
    let without = left_behind(fixture);
    let claim = |server: &SqlDatabase| server.write(|tx| tx.outbox().claim_mail(at(0), at(600)));
    let refused = claim(&without);
    assert!(matches!(refused, Err(DatabaseError::Unavailable { .. })));
    let (with, _) = open(fixture, &[8], &[]);
    let claimed = claim(&with).unwrap().unwrap();
    assert_eq!(claimed.claim.attempts, 1);
    assert_eq!(claimed.mail.unwrap(), mail.mail);
}

fn a_server_without_the_new_key_is_unavailable_to_readers(fixture: &Fixture) {
    let idea = fixture.add_published();
    let share = fixture.add_share(idea.id, full_access());
    let without = left_behind(fixture);
    let read = without.read(|tx| tx.ideas().idea(idea.id).map(drop));
    assert!(matches!(read, Err(DatabaseError::Unavailable { .. })));
    let read = without.read(|tx| tx.shares().share_token(share.id).map(drop));
    assert!(matches!(read, Err(DatabaseError::Unavailable { .. })));
    let read = without.read(|tx| {
        let listed = tx
            .ideas()
            .ideas_of(idea.owner, Archived::LeftOut, Paging::default());
        listed.map(drop)
    });
    assert!(matches!(read, Err(DatabaseError::Unavailable { .. })));
}

fn a_server_unaware_of_the_rotation_rewraps_with_the_new_key(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let (unaware, _) = open(fixture, &[7], &[8]);
    let (rotating, _) = open(fixture, &[8, 7], &[]);
    rotating
        .write(|tx| tx.master_keys().replace_master_key(id(8)))
        .unwrap();
    let batch = || {
        unaware
            .write(|tx| tx.master_keys().rewrap_batch(500, &mut Vec::new()))
            .unwrap()
    };
    assert_eq!([batch(), batch()], [1, 0]);
    let (after, _) = open(fixture, &[8], &[]);
    let read = after.read(|tx| tx.ideas().idea(idea.id)).unwrap();
    assert_eq!(read, Some(idea));
}

fn the_rotation_lock_is_released(fixture: &Fixture) {
    let other = fixture.database.open();
    let lock = |database: &SqlDatabase| database.lock_rotation().unwrap();
    let held = lock(&fixture.store).unwrap();
    // SQLite is not used from other machines.
    assert_eq!(lock(&other).is_none(), fixture.is_postgres());
    drop(held);
    assert!(lock(&other).is_some());
}

fn the_first_master_key_is_kept(fixture: &Fixture) {
    assert_eq!(
        fixture.write(|tx| tx.master_keys().init_master_key(id(1))),
        id(1)
    );
    assert_eq!(
        fixture.write(|tx| tx.master_keys().init_master_key(id(2))),
        id(1)
    );
}

fn a_rotation_skips_damaged_values_and_names_them(fixture: &Fixture) {
    let ideas = [(); 3].map(|()| fixture.add_draft().id);
    let shares = ideas.map(|idea| fixture.add_share(idea, full_access()).id);
    let mails = [(); 2].map(|()| queue_mail(fixture).id);
    let writer = fixture.idea(ideas[0]).owner;
    for (idea, base) in [(Some(ideas[0]), Some(1)), (None, None)] {
        let copy = unsaved(base);
        fixture.write(|tx| tx.working_copies().keep_working_copy(writer, idea, &copy));
    }
    // A value that was moved does not decrypt.
    fixture
        .sql(&format!(
            "UPDATE shares SET token_sealed = \
             (SELECT token_sealed FROM shares WHERE id = '{}') WHERE id = '{}'; \
             UPDATE idea_keys SET evidence = \
             (SELECT evidence FROM idea_keys WHERE idea_id = {}) WHERE idea_id = {}; \
             UPDATE outbox_mails SET sealed = \
             (SELECT sealed FROM outbox_mails WHERE id = '{}') WHERE id = '{}'; \
             UPDATE working_copies SET wrapped_key = \
             (SELECT wrapped_key FROM working_copies WHERE idea_id = 0) WHERE idea_id > 0",
            shares[0], shares[1], ideas[0], ideas[1], mails[0], mails[1],
        ))
        .unwrap();
    let (rotating, _) = open(fixture, &[8, 7], &[]);
    rotating
        .write(|tx| tx.master_keys().replace_master_key(id(8)))
        .unwrap();
    let mut damaged = Vec::new();
    let mut batch = || {
        rotating
            .write(|tx| tx.master_keys().rewrap_batch(2, &mut damaged))
            .unwrap()
    };
    let processed: usize = std::iter::from_fn(|| Some(batch()).filter(|size| *size > 0)).sum();
    assert_eq!(processed, 3 + 2 + 3 + 2);
    let named: Vec<_> = damaged.iter().map(ToString::to_string).collect();
    assert_eq!(
        named,
        [
            format!("keys of idea {}", ideas[1]),
            format!("key of unsaved text of {writer} {} a", ideas[0]),
            format!("token of link {}", shares[1]),
            format!("waiting mail {}", mails[1]),
        ]
    );
    let (after, _) = open(fixture, &[8], &[]);
    let begun = after.read(|tx| tx.working_copies().newest_working_copies(writer, None, 1));
    assert_eq!(begun.unwrap(), [unsaved(None)]);
    for (intact, share) in [(0, shares[0]), (2, shares[2])] {
        let read = after.read(|tx| {
            let token = tx.shares().share_token(share)?;
            Ok::<_, DatabaseError>((tx.ideas().idea(ideas[intact])?, token))
        });
        let (idea, token) = read.unwrap();
        assert!(idea.is_some());
        assert_eq!(token, Some(token_of(share)));
    }
}

fn the_current_master_key_can_be_read(fixture: &Fixture) {
    let (database, _) = open(fixture, &[8, 7], &[]);
    let current = || database.read(|tx| tx.master_keys().master_key()).unwrap();
    assert_eq!(current(), None);
    for key in [7, 8] {
        database
            .write(|tx| tx.master_keys().replace_master_key(id(key)))
            .unwrap();
        assert_eq!(current(), Some(id(key)));
    }
}

fn unsaved(base: Option<i32>) -> WorkingCopy {
    WorkingCopy {
        title: Title::from_stored("Kettle".into()),
        html: "<p>unsaved</p>".into(),
        base,
        session: EditingSession::parse(Some("a")).unwrap(),
        kept_at: at(2),
    }
}

fn cookie_key(byte: u8) -> CookieKey {
    CookieKey::from_random([byte; 32])
}

fn concurrent_servers_have_one_cookie_key_also_after_a_rotation(fixture: &Fixture) {
    fixture.write(|tx| tx.master_keys().init_master_key(id(7)));
    let found = race(4, |index| {
        let own = cookie_key(u8::try_from(index).unwrap());
        let (store, _) = open(fixture, &[7], &[]);
        store
            .write(|tx| tx.cookie_key().init_cookie_key(&own))
            .unwrap()
    });
    let first = found.first().unwrap();
    assert!(found.iter().all(|key| key == first));

    fixture.write(|tx| tx.master_keys().replace_master_key(id(8)));
    let (both, _) = open(fixture, &[8, 7], &[]);
    let own = cookie_key(9);
    let init = |store: &SqlDatabase| store.write(|tx| tx.cookie_key().init_cookie_key(&own));
    assert_eq!(&init(&both).unwrap(), first);
    assert_eq!(rewrap(&both, 10), [1]);
    let (after, _) = open(fixture, &[8], &[]);
    assert_eq!(&init(&after).unwrap(), first);

    let next = cookie_key(10);
    after
        .write(|tx| tx.cookie_key().replace_cookie_key(&next))
        .unwrap();
    assert_eq!(init(&after).unwrap(), next);
}

fn a_cookie_key_that_no_key_opens_is_replaced(fixture: &Fixture) {
    fixture.write(|tx| tx.master_keys().init_master_key(id(7)));
    fixture.write(|tx| tx.cookie_key().init_cookie_key(&cookie_key(1)));
    // A server that did not know the cookie key has replaced the master key.
    fixture.write(|tx| tx.master_keys().replace_master_key(id(8)));
    let found = race(4, |index| {
        let own = cookie_key(u8::try_from(index + 2).unwrap());
        let (store, _) = open(fixture, &[8], &[]);
        store
            .write(|tx| tx.cookie_key().init_cookie_key(&own))
            .unwrap()
    });
    let first = found.first().unwrap();
    assert_ne!(*first, cookie_key(1));
    assert!(found.iter().all(|key| key == first));
}
