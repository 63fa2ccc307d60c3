use ideavault_domain::ports::{Store as _, StoreError};

use crate::support::{Fixture, at, comment, full_access, on_both_databases};

on_both_databases!(
    comments_come_back_oldest_first,
    an_owner_gets_the_comments_on_all_own_ideas,
    a_deleted_idea_takes_no_comment,
    a_comment_by_nobody_known_is_refused,
);

fn comments_come_back_oldest_first(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let share = fixture.add_share(idea.id, full_access());
    let guest = fixture.add_guest(&share);
    let late = comment(idea.id, Some(guest.id), "Line\nbreak 'quoted' 🫖", at(9));
    let early = comment(idea.id, None, "From the owner", at(7));
    let same = comment(idea.id, None, "Later in the same microsecond", at(7));
    for comment in [&late, &early, &same] {
        fixture.write(|session| session.add_comment(comment));
    }

    let listed = fixture.listed(|session, paging| session.comments_on(idea.id, paging));

    assert_eq!(listed, [early, same, late]);
}

fn an_owner_gets_the_comments_on_all_own_ideas(fixture: &Fixture) {
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
        fixture.write(|session| session.add_comment(comment));
    }

    let listed = fixture.listed(|session, paging| session.comments_for_owner(owner.id, paging));

    assert_eq!(listed, [first, second]);
    let on_one = fixture.listed(|session, paging| session.comments_on(one.id, paging));
    assert_eq!(on_one.len(), 1);
}

fn a_deleted_idea_takes_no_comment(fixture: &Fixture) {
    let idea = fixture.add_draft();
    assert!(fixture.write(|session| session.delete_draft(idea.id, at(1))));
    let late = comment(idea.id, None, "Too late", at(2));
    let refused = fixture.store.write(|session| session.add_comment(&late));
    assert!(refused.is_err());
    assert_eq!(fixture.count("comments"), 0);
}

fn a_comment_by_nobody_known_is_refused(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let stranger = ideavault_domain::ids::RecipientId::from_random([9; 16]);
    let foreign = comment(idea.id, Some(stranger), "Hello", at(2));
    let refused = fixture.store.write(|session| session.add_comment(&foreign));
    assert!(
        matches!(refused, Err(StoreError::Internal { .. })),
        "{refused:?}"
    );
}
