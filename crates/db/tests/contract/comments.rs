use ideavault_domain::comment::{Comment, CommentScope, CommentText};
use ideavault_domain::ports::{Database as _, DatabaseError};

use crate::support::{Fixture, at, comment, full_access, on_both_databases};

on_both_databases!(
    comments_are_listed_oldest_first,
    an_owner_lists_the_comments_on_all_own_ideas,
    a_deleted_idea_accepts_no_comment,
    a_comment_by_an_unknown_recipient_is_refused,
    readers_list_only_comments_for_their_links,
    a_comment_can_be_changed_until_it_is_withdrawn,
    a_reply_belongs_to_a_top_level_comment_of_the_same_idea,
    a_draft_is_deleted_with_its_threads,
);

fn comments_are_listed_oldest_first(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let share = fixture.add_share(idea.id, full_access());
    let guest = fixture.add_guest(&share);
    let late = comment(idea.id, Some(guest.id), "Line\nbreak 'quoted' 🫖", at(9));
    let early = comment(idea.id, None, "From the owner", at(7));
    let same = comment(idea.id, None, "Later in the same microsecond", at(7));
    for comment in [&late, &early, &same] {
        fixture.write(|tx| tx.comments().add_comment(comment));
    }

    let listed = fixture.listed(|tx, paging| {
        tx.comments()
            .comments_on(idea.id, &CommentScope::All, paging)
    });

    assert_eq!(listed, [early, same, late]);
}

fn an_owner_lists_the_comments_on_all_own_ideas(fixture: &Fixture) {
    let owner = fixture.add_user();
    let (one, two) = (fixture.add_idea(owner.id), fixture.add_idea(owner.id));
    let other = fixture.add_draft();
    let first = comment(two.id, None, "First", at(1));
    let second = comment(one.id, None, "Second", at(2));
    for comment in [
        &second,
        &comment(other.id, None, "Elsewhere", at(3)),
        &first,
    ] {
        fixture.write(|tx| tx.comments().add_comment(comment));
    }

    let listed = fixture.listed(|tx, paging| tx.comments().comments_for_owner(owner.id, paging));

    assert_eq!(listed, [first, second]);
    let on_one = fixture.listed(|tx, paging| {
        tx.comments()
            .comments_on(one.id, &CommentScope::All, paging)
    });
    assert_eq!(on_one.len(), 1);
    let own =
        |owner| fixture.listed(|tx, paging| tx.comments().comments_on_own(owner, one.id, paging));
    assert_eq!(own(owner.id), on_one);
    assert_eq!(own(other.owner), []);
    fixture.write(|tx| tx.administration().set_disabled(owner.id, Some(at(4))));
    assert_eq!(own(owner.id), []);
}

fn a_deleted_idea_accepts_no_comment(fixture: &Fixture) {
    let idea = fixture.add_draft();
    assert!(fixture.write(|tx| tx.ideas().delete_draft(idea.id, at(1))));
    let late = comment(idea.id, None, "Too late", at(2));
    let refused = fixture.store.write(|tx| tx.comments().add_comment(&late));
    // Postgres asks for a retry, because the idea may be deleted while the comment is added.
    let is_expected = match refused {
        Err(DatabaseError::Unavailable { .. }) => fixture.is_postgres(),
        Err(DatabaseError::Internal { .. }) => !fixture.is_postgres(),
        _ => false,
    };
    assert!(is_expected, "{refused:?}");
    assert_eq!(fixture.count("comments"), 0);
}

fn a_comment_by_an_unknown_recipient_is_refused(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let stranger = ideavault_domain::ids::RecipientId::from_random([9; 16]);
    let foreign = comment(idea.id, Some(stranger), "Hello", at(2));
    let refused = fixture
        .store
        .write(|tx| tx.comments().add_comment(&foreign));
    assert!(
        matches!(refused, Err(DatabaseError::Internal { .. })),
        "{refused:?}"
    );
}

fn readers_list_only_comments_for_their_links(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let (one, two) = (
        fixture.add_share(idea.id, full_access()),
        fixture.add_share(idea.id, full_access()),
    );
    let to_all = comment(idea.id, None, "To all", at(1));
    let on_one = Comment {
        share: Some(one.id),
        ..comment(idea.id, Some(fixture.add_guest(&one).id), "On one", at(2))
    };
    let on_two = Comment {
        share: Some(two.id),
        ..comment(idea.id, Some(fixture.add_guest(&two).id), "On two", at(3))
    };
    for comment in [&to_all, &on_one, &on_two] {
        fixture.write(|tx| tx.comments().add_comment(comment));
    }
    let listed = |links: Vec<_>| {
        let scope = CommentScope::Links(links);
        fixture.listed(|tx, paging| tx.comments().comments_on(idea.id, &scope, paging))
    };

    assert_eq!(listed(vec![one.id]), [to_all.clone(), on_one.clone()]);
    assert_eq!(listed(vec![two.id]), [to_all.clone(), on_two.clone()]);
    assert_eq!(
        listed(vec![one.id, two.id]),
        [to_all.clone(), on_one, on_two]
    );
    assert_eq!(listed(vec![]), [to_all]);
}

fn a_comment_can_be_changed_until_it_is_withdrawn(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let original = comment(idea.id, None, "Frist", at(1));
    fixture.write(|tx| tx.comments().add_comment(&original));
    let edited = Comment {
        text: CommentText::parse("First").unwrap(),
        edited_at: Some(at(2)),
        ..original
    };
    assert!(fixture.write(|tx| tx.comments().change_comment(&edited)));
    let read = |fixture: &Fixture| fixture.read(|tx| tx.comments().comment(edited.id));
    assert_eq!(read(fixture), Some(edited.clone()));

    let withdrawn = edited.clone().withdrawn(at(3));
    assert!(fixture.write(|tx| tx.comments().change_comment(&withdrawn)));
    assert!(!fixture.write(|tx| tx.comments().change_comment(&edited)));
    assert_eq!(read(fixture), Some(withdrawn));

    let never_added = comment(idea.id, None, "Never", at(4));
    assert!(!fixture.write(|tx| tx.comments().change_comment(&never_added)));
    assert_eq!(
        fixture.read(|tx| tx.comments().comment(never_added.id)),
        None
    );
}

fn a_reply_belongs_to_a_top_level_comment_of_the_same_idea(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let first = comment(idea.id, None, "First", at(1));
    let answer = Comment {
        reply_to: Some(first.id),
        ..comment(idea.id, None, "Answer", at(2))
    };
    for comment in [&first, &answer] {
        fixture.write(|tx| tx.comments().add_comment(comment));
    }
    assert_eq!(
        fixture.read(|tx| tx.comments().comment(answer.id)),
        Some(answer.clone())
    );
    let nested = Comment {
        reply_to: Some(answer.id),
        ..comment(idea.id, None, "Nested", at(3))
    };
    let elsewhere = Comment {
        reply_to: Some(first.id),
        ..comment(fixture.add_draft().id, None, "Elsewhere", at(3))
    };
    for refused in [nested, elsewhere] {
        let added = fixture
            .store
            .write(|tx| tx.comments().add_comment(&refused));
        assert!(added.is_err(), "{refused:?}");
    }
}

fn a_draft_is_deleted_with_its_threads(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let first = comment(idea.id, None, "First", at(1));
    let answer = Comment {
        reply_to: Some(first.id),
        ..comment(idea.id, None, "Answer", at(2))
    };
    for comment in [&first, &answer] {
        fixture.write(|tx| tx.comments().add_comment(comment));
    }
    assert!(fixture.write(|tx| tx.ideas().delete_draft(idea.id, at(3))));
    assert_eq!(fixture.read(|tx| tx.comments().comment(first.id)), None);
    assert!(!fixture.write(|tx| tx.comments().change_comment(&answer)));
    assert_eq!(fixture.count("comments"), 0);
}
