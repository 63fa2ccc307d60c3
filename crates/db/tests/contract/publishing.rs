//! A published idea cannot be changed, even by somebody who bypasses the server.

use ideavault_domain::idea::IdeaStatus;
use ideavault_domain::idempotency::IdempotencyKey;
use ideavault_domain::ports::{Database as _, DatabaseError, NewIdea};

use crate::support::{Fixture, at, draft, new_idea, on_both_databases, publication, race};

on_both_databases!(
    publishing_records_the_document_id_and_the_time,
    a_published_idea_accepts_no_revision,
    publishing_again_changes_nothing,
    concurrent_publications_have_one_winner,
    a_concurrent_publication_and_save_never_both_succeed_unseen,
    publishing_an_outdated_revision_is_refused,
    two_ideas_never_share_a_document_id,
    the_database_refuses_to_change_a_published_idea,
    an_idea_is_not_replaced_by_another_with_its_key,
    the_database_refuses_to_change_revisions,
    the_database_refuses_an_incomplete_publication,
    the_database_refuses_to_delete_the_keys_of_an_idea,
);

fn publishing_records_the_document_id_and_the_time(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let publication = publication(at(7));

    assert!(fixture.write(|tx| tx.ideas().publish_idea(&idea, &publication)));

    let published = fixture.idea(idea.id);
    assert_eq!(published.status, IdeaStatus::Published(publication));
    assert_eq!(published.updated_at, at(7));
    assert_eq!(
        (published.revision, published.sha256),
        (idea.revision, idea.sha256)
    );
}

fn a_published_idea_accepts_no_revision(fixture: &Fixture) {
    let idea = fixture.add_published();
    assert!(!fixture.write(|tx| tx.ideas().add_revision(&idea, &draft("<p>x</p>"), at(9))));
    assert_eq!(fixture.idea(idea.id), idea);
    assert_eq!(fixture.count("idea_revisions"), 1);
}

fn publishing_again_changes_nothing(fixture: &Fixture) {
    let idea = fixture.add_published();
    assert!(!fixture.write(|tx| tx.ideas().publish_idea(&idea, &publication(at(9)))));
    assert_eq!(fixture.idea(idea.id), idea);
}

fn concurrent_publications_have_one_winner(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let published = race(16, |_| {
        fixture.write(|tx| tx.ideas().publish_idea(&idea, &publication(at(1))))
    });
    assert_eq!(published.into_iter().filter(|done| *done).count(), 1);
}

fn a_concurrent_publication_and_save_never_both_succeed_unseen(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let won = race(8, |index| {
        if index % 2 == 0 {
            fixture.write(|tx| tx.ideas().publish_idea(&idea, &publication(at(1))))
        } else {
            fixture.write(|tx| tx.ideas().add_revision(&idea, &draft("<p>2</p>"), at(1)))
        }
    });
    assert_eq!(won.into_iter().filter(|won| *won).count(), 1);
    let after = fixture.idea(idea.id);
    assert_eq!(after.revision, if after.is_published() { 1 } else { 2 });
    let content = fixture
        .read(|tx| tx.ideas().revision_content(idea.id, after.revision))
        .unwrap();
    assert_eq!(content.digest(), after.sha256);
    assert_eq!(fixture.count("idea_revisions"), i64::from(after.revision));
}

fn publishing_an_outdated_revision_is_refused(fixture: &Fixture) {
    let seen = fixture.add_draft();
    assert!(fixture.write(|tx| tx.ideas().add_revision(&seen, &draft("<p>2</p>"), at(1))));
    let saved = fixture.idea(seen.id);
    assert!(!fixture.write(|tx| tx.ideas().publish_idea(&seen, &publication(at(2)))));
    assert_eq!(fixture.idea(seen.id), saved);
    assert!(fixture.write(|tx| tx.ideas().publish_idea(&saved, &publication(at(2)))));
}

fn two_ideas_never_share_a_document_id(fixture: &Fixture) {
    let (one, two) = (fixture.add_draft(), fixture.add_draft());
    let publication = publication(at(1));
    assert!(fixture.write(|tx| tx.ideas().publish_idea(&one, &publication)));
    let refused = fixture
        .store
        .write(|tx| tx.ideas().publish_idea(&two, &publication));
    assert!(
        matches!(refused, Err(DatabaseError::Internal { .. })),
        "{refused:?}"
    );
    assert_eq!(fixture.idea(two.id), two);
}

fn the_database_refuses_to_change_a_published_idea(fixture: &Fixture) {
    let idea = fixture.add_published();
    fixture.refuses(
        "a published idea is final",
        &[
            "UPDATE ideas SET title = title",
            "UPDATE ideas SET content_kind = 'pdf'",
            "UPDATE ideas SET status = 'draft', document_id = NULL, published_at = NULL",
            "UPDATE ideas SET document_id = 'IV-0000-0000-0000'",
            "UPDATE ideas SET published_at = '2020-01-01 00:00:00+00:00'",
            "UPDATE ideas SET revision = 2",
            "UPDATE ideas SET deleted_at = '2030-01-01 00:00:00+00:00'",
            "DELETE FROM ideas",
        ],
    );
    if fixture.is_postgres() {
        fixture.refuses("final", &["TRUNCATE ideas CASCADE"]);
    } else {
        let replace = "INSERT OR REPLACE INTO ideas SELECT id, owner_id, title, status, \
             content_kind, document_id, published_at, revision, created_at, updated_at, \
             deleted_at, idempotency_key FROM ideas";
        fixture.refuses("an idea is never replaced", &[replace]);
    }
    assert_eq!(fixture.idea(idea.id), idea);
}

fn an_idea_is_not_replaced_by_another_with_its_key(fixture: &Fixture) {
    let new = NewIdea {
        key: Some(IdempotencyKey::parse("one").unwrap()),
        ..new_idea(fixture.add_user().id, "<p>1</p>", at(0))
    };
    let idea = fixture.write(|tx| tx.ideas().add_idea(&new)).unwrap();
    assert!(fixture.write(|tx| tx.ideas().publish_idea(&idea, &publication(at(1)))));
    let published = fixture.idea(idea.id);
    let insert = if fixture.is_postgres() {
        "INSERT"
    } else {
        "INSERT OR REPLACE"
    };
    // Postgres has no such statement, and refuses a second idea of the key.
    let inserted = fixture.sql(&format!(
        "{insert} INTO ideas (id, owner_id, title, status, content_kind, revision, created_at, \
             updated_at, idempotency_key) \
         SELECT id + 1000, owner_id, title, 'draft', content_kind, 1, created_at, updated_at, \
             idempotency_key FROM ideas WHERE id = {}",
        idea.id
    ));
    assert_eq!(inserted.is_err(), fixture.is_postgres());
    assert_eq!(fixture.idea(idea.id), published);
    assert_eq!(fixture.write(|tx| tx.ideas().add_idea(&new)), None);
}

fn the_database_refuses_to_change_revisions(fixture: &Fixture) {
    let copy = "INSERT INTO idea_revisions \
         (idea_id, number, title, content_kind, sha256, created_at, content) \
         SELECT idea_id, number + 1, title, content_kind, sha256, created_at, content \
         FROM idea_revisions";
    let idea = fixture.add_draft();
    fixture.refuses(
        "only the content of a draft may be erased",
        &[
            "UPDATE idea_revisions SET content = title",
            "UPDATE idea_revisions SET title = content, content = NULL",
            "UPDATE idea_revisions SET number = 2, content = NULL",
        ],
    );
    fixture.refuses("never deleted", &["DELETE FROM idea_revisions"]);
    assert!(fixture.write(|tx| tx.ideas().publish_idea(&idea, &publication(at(1)))));
    let erase = "UPDATE idea_revisions SET content = NULL";
    let (no_erasure, no_copy) = if fixture.is_postgres() {
        let is_final = "a revision of a published idea is final";
        (is_final, is_final)
    } else {
        (
            "only the content of a draft may be erased",
            "a revision of a published idea, or one that exists, is final",
        )
    };
    fixture.refuses(no_erasure, &[erase]);
    fixture.refuses(no_copy, &[copy]);
    fixture.refuses("never deleted", &["DELETE FROM idea_revisions"]);
    if fixture.is_postgres() {
        fixture.refuses("never deleted", &["TRUNCATE idea_revisions CASCADE"]);
    } else {
        let replace = copy
            .replace("INSERT", "INSERT OR REPLACE")
            .replace("number + 1", "number");
        fixture.refuses("final", &[&replace]);
    }
    let content = fixture.read(|tx| tx.ideas().revision_content(1.into(), 1));
    assert_eq!(content, Some(draft("<p>first</p>").content));
    assert_eq!(fixture.count("idea_revisions"), 1);
}

fn the_database_refuses_to_delete_the_keys_of_an_idea(fixture: &Fixture) {
    let draft = fixture.add_draft();
    let erase = "UPDATE idea_keys SET content = NULL";
    fixture.refuses("never deleted", &["DELETE FROM idea_keys"]);
    fixture.refuses("constraint", &["UPDATE idea_keys SET evidence = NULL"]);
    assert!(fixture.write(|tx| tx.ideas().publish_idea(&draft, &publication(at(1)))));
    fixture.refuses("published idea are kept", &[erase]);
    if fixture.is_postgres() {
        fixture.refuses("never deleted", &["TRUNCATE idea_keys"]);
    } else {
        let replace = "INSERT OR REPLACE INTO idea_keys SELECT * FROM idea_keys";
        fixture.refuses("never replaced", &[replace]);
    }
    assert_eq!(fixture.idea(draft.id).title, draft.title);
}

fn the_database_refuses_an_incomplete_publication(fixture: &Fixture) {
    fixture.add_draft();
    fixture.refuses(
        " constraint",
        &[
            "UPDATE ideas SET status = 'published'",
            "UPDATE ideas SET status = 'final'",
            "UPDATE ideas SET document_id = 'IV-0000-0000-0000'",
            "UPDATE ideas SET status = 'published', document_id = 'IV', \
             published_at = '2030-01-01 00:00:00+00:00', deleted_at = '2030-01-01 00:00:00+00:00'",
        ],
    );
}
