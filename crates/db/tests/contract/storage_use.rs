//! The storage use of accounts is counted by the database itself.

use ideavault_domain::file::MediaType;
use ideavault_domain::idea::Draft;
use ideavault_domain::ids::{IdeaId, UserId};
use ideavault_domain::ports::{Database as _, DatabaseError, NewIdea};
use ideavault_domain::quota::{AccountStorage, ByteSize};

use crate::support::{Fixture, at, draft, on_both_databases, publication, race};

on_both_databases!(
    contents_and_files_count_their_unencrypted_size,
    erased_contents_and_removed_files_no_longer_count,
    a_rolled_back_transaction_does_not_count,
    concurrent_saves_are_all_counted,
    the_total_of_the_vault_is_serialized_between_transactions,
    a_quota_of_an_account_can_be_set_and_reset,
    a_file_shown_by_an_older_revision_is_not_removed,
);

fn used(fixture: &Fixture, user: UserId) -> u64 {
    fixture.read(|tx| tx.storage_use().storage_of(user)).used
}

/// Returns a draft with a content of that many bytes.
fn of_size(bytes: usize) -> Draft {
    draft(&"ä".repeat(bytes / 2))
}

fn add(fixture: &Fixture, owner: UserId, draft: Draft) -> IdeaId {
    let new = NewIdea {
        owner,
        draft,
        created_at: at(0),
        key: None,
    };
    fixture.write(|tx| tx.ideas().add_idea(&new)).unwrap().id
}

fn contents_and_files_count_their_unencrypted_size(fixture: &Fixture) {
    let (ada, bob) = (fixture.add_user().id, fixture.add_user().id);
    assert_eq!(used(fixture, ada), 0);
    let idea = fixture.idea(add(fixture, ada, of_size(1_000)));
    assert!(fixture.write(|tx| tx.ideas().add_revision(&idea, &of_size(500), at(1))));
    let file = fixture.add_file(ada, MediaType::Png, at(2));
    assert_eq!(used(fixture, ada), 1_500 + file.size);
    add(fixture, bob, of_size(10));
    assert_eq!(used(fixture, bob), 10);
    let total = fixture.write(|tx| tx.storage_use().lock_vault_storage());
    assert_eq!(total, 1_510 + file.size);
}

fn erased_contents_and_removed_files_no_longer_count(fixture: &Fixture) {
    let ada = fixture.add_user().id;
    let kept = fixture.idea(add(fixture, ada, of_size(100)));
    let gone = fixture.idea(add(fixture, ada, of_size(100)));
    assert!(fixture.write(|tx| tx.ideas().add_revision(&kept, &of_size(200), at(1))));
    assert!(fixture.write(|tx| tx.ideas().add_revision(&gone, &of_size(200), at(1))));
    let file = fixture.add_file(ada, MediaType::Png, at(2));
    assert!(fixture.write(|tx| tx.ideas().delete_draft(gone.id, at(3))));
    assert!(fixture.write(|tx| tx.files().remove_file(file.id)));
    assert_eq!(used(fixture, ada), 300);
    assert_eq!(
        fixture.write(|tx| tx.ideas().erase_revisions(kept.id, &[1])),
        1
    );
    assert_eq!(used(fixture, ada), 200);
    let kept = fixture.idea(kept.id);
    assert!(fixture.write(|tx| tx.ideas().publish_idea(&kept, &publication(at(4)))));
    assert_eq!(used(fixture, ada), 200);
}

fn a_rolled_back_transaction_does_not_count(fixture: &Fixture) {
    let ada = fixture.add_user().id;
    let new = NewIdea {
        owner: ada,
        draft: of_size(100),
        created_at: at(0),
        key: None,
    };
    let refused = fixture.store.write(|tx| {
        tx.ideas().add_idea(&new)?;
        assert_eq!(tx.storage_use().storage_of(ada)?.used, 100);
        Err::<(), _>(DatabaseError::Full {
            operation: "test",
            source: "over quota".into(),
        })
    });
    assert!(refused.is_err());
    assert_eq!(used(fixture, ada), 0);
}

fn concurrent_saves_are_all_counted(fixture: &Fixture) {
    let ada = fixture.add_user().id;
    // Each transaction sees the use of exactly those before it.
    let mut seen = race(12, |_| {
        let new = NewIdea {
            owner: ada,
            draft: of_size(100),
            created_at: at(0),
            key: None,
        };
        fixture.write(|tx| {
            tx.ideas().add_idea(&new)?;
            tx.storage_use().storage_of(ada)
        })
    });
    seen.sort_by_key(|storage| storage.used);
    let seen: Vec<u64> = seen.into_iter().map(|storage| storage.used).collect();
    assert_eq!(seen, (1..=12).map(|count| count * 100).collect::<Vec<_>>());
}

fn the_total_of_the_vault_is_serialized_between_transactions(fixture: &Fixture) {
    let owners: Vec<UserId> = (0..8).map(|_| fixture.add_user().id).collect();
    let mut seen = race(8, |index| {
        let new = NewIdea {
            owner: owners[index],
            draft: of_size(100),
            created_at: at(0),
            key: None,
        };
        fixture.write(|tx| {
            tx.ideas().add_idea(&new)?;
            tx.storage_use().lock_vault_storage()
        })
    });
    assert_eq!(fixture.read(|tx| tx.storage_use().vault_storage()), 800);
    seen.sort_unstable();
    assert_eq!(seen, (1..=8).map(|count| count * 100).collect::<Vec<_>>());
}

fn a_quota_of_an_account_can_be_set_and_reset(fixture: &Fixture) {
    let ada = fixture.add_user().id;
    for quota in [
        Some(ByteSize::from_bytes(77)),
        Some(ByteSize::from_bytes(0)),
        None,
    ] {
        fixture.write(|tx| tx.storage_use().set_storage_quota(ada, quota));
        let stored = fixture.read(|tx| tx.storage_use().storage_of(ada));
        assert_eq!(stored, AccountStorage { used: 0, quota });
    }
    add(fixture, ada, of_size(100));
    fixture.write(|tx| tx.storage_use().set_storage_quota(ada, None));
    assert_eq!(used(fixture, ada), 100);
}

fn a_file_shown_by_an_older_revision_is_not_removed(fixture: &Fixture) {
    let ada = fixture.add_user().id;
    let image = fixture.add_file(ada, MediaType::Png, at(0));
    let html = format!("<p><img src=\"{}\"></p>", image.path());
    let idea = fixture.idea(add(fixture, ada, draft(&html)));
    assert!(fixture.write(|tx| tx.ideas().add_revision(&idea, &draft("<p>2</p>"), at(1))));
    let showing = || fixture.read(|tx| tx.files().ideas_with_revisions_showing(image.id));
    assert_eq!(fixture.read(|tx| tx.files().ideas_showing(image.id)), []);
    assert_eq!(showing(), [idea.id]);
    assert!(!fixture.write(|tx| tx.files().remove_file(image.id)));
    assert_eq!(
        fixture.write(|tx| tx.ideas().erase_revisions(idea.id, &[1])),
        1
    );
    assert_eq!(showing(), []);
    assert!(fixture.write(|tx| tx.files().remove_file(image.id)));
}
