//! Lists whose rows change between two pages.

use ideavault_domain::comment::{Comment, CommentScope};
use ideavault_domain::idea::Idea;
use ideavault_domain::ids::IdeaId;
use ideavault_domain::organization::Archived;
use ideavault_domain::page::{Cursor, Page, Paging};
use ideavault_domain::ports::{DatabaseError, Transaction};
use ideavault_domain::recipient::Ending;

use crate::support::{
    Fixture, acceptance, at, comment, draft, full_access, grant, new_idea, on_both_databases,
    recipient,
};

on_both_databases!(
    ideas_changed_between_pages_do_not_shift_others,
    comments_added_between_pages_are_on_the_last_page,
    comments_removed_between_pages_hide_no_others,
    activity_pages_continue_within_one_microsecond,
    an_exactly_full_page_is_the_last_one,
);

/// Returns two rows of a list, and the cursor of the next page.
fn two<T>(
    fixture: &Fixture,
    after: Option<Cursor>,
    read: impl Fn(&mut dyn Transaction, Paging) -> Result<Page<T>, DatabaseError>,
) -> (Vec<T>, Option<Cursor>) {
    let size = "2".parse().unwrap();
    let page = fixture.read(|tx| read(tx, Paging { size, after }));
    let next = page.next();
    (page.into_items(), next)
}

fn ideas_changed_between_pages_do_not_shift_others(fixture: &Fixture) {
    let owner = fixture.add_user().id;
    let add = |minute| {
        let new = new_idea(owner, "<p>first</p>", at(minute));
        fixture.write(|tx| tx.ideas().add_idea(&new)).unwrap()
    };
    // All but the first have the same time, so that they are sorted by number.
    let [old, a, b, c, d, e] = [1, 3, 3, 3, 3, 3].map(add);
    let page = |after| {
        let read = |tx: &mut dyn Transaction, paging| {
            tx.ideas().ideas_of(owner, Archived::LeftOut, paging)
        };
        let (ideas, next) = two(fixture, after, read);
        let ids: Vec<IdeaId> = ideas.into_iter().map(|idea| idea.summary.id).collect();
        (ids, next)
    };

    let (first, next) = page(None);
    assert_eq!(first, [e.id, d.id]);
    add(9);
    let delete = |idea: &Idea| fixture.write(|tx| tx.ideas().delete_draft(idea.id, at(9)));
    assert!(delete(&d) && delete(&c));
    assert!(fixture.write(|tx| tx.ideas().add_revision(&b, &draft("<p>2</p>"), at(8))));
    let (second, next) = page(next);
    assert_eq!(second, [a.id, old.id]);
    assert_eq!(next, None);
}

fn comments_added_between_pages_are_on_the_last_page(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let say = |text: &str, minute| {
        let comment = comment(idea.id, None, text, at(minute));
        fixture.write(|tx| tx.comments().add_comment(&comment));
        comment
    };
    let page = |after| {
        two(fixture, after, |tx, paging| {
            tx.comments()
                .comments_on(idea.id, &CommentScope::All, paging)
        })
    };
    let [a, b, c] = ["a", "b", "c"].map(|text| say(text, 7));

    let (first, next) = page(None);
    assert_eq!(first, [a, b]);
    let (same, late) = (say("In the same microsecond", 7), say("Later", 8));
    let (second, next) = page(next);
    assert_eq!(second, [c, same]);
    let (third, next) = page(next);
    assert_eq!(third, [late]);
    assert_eq!(next, None);
}

fn comments_removed_between_pages_hide_no_others(fixture: &Fixture) {
    let owner = fixture.add_user().id;
    let (doomed, kept) = (fixture.add_idea(owner), fixture.add_idea(owner));
    let say = |idea: &Idea, minute| {
        let comment = comment(idea.id, None, "So?", at(minute));
        fixture.write(|tx| tx.comments().add_comment(&comment));
        comment
    };
    let said: Vec<Comment> = [(&kept, 1), (&doomed, 2), (&doomed, 3), (&kept, 3)]
        .map(|(idea, minute)| say(idea, minute))
        .into();
    let page = |after| {
        two(fixture, after, |tx, paging| {
            tx.comments().comments_for_owner(owner, paging)
        })
    };

    let (first, next) = page(None);
    assert_eq!(first, said[..2]);
    assert!(fixture.write(|tx| tx.ideas().delete_draft(doomed.id, at(9))));
    let (second, next) = page(next);
    assert_eq!(second, said[3..]);
    assert_eq!(next, None);
}

fn activity_pages_continue_within_one_microsecond(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let share = fixture.add_share(idea.id, full_access());
    let come = || {
        let recipient = recipient(fixture.add_viewer().id, &share, at(4));
        fixture.write(|tx| {
            tx.recipients().add_recipient(&recipient)?;
            tx.recipients()
                .add_acceptance(&acceptance(&recipient, at(4)))?;
            tx.shares().claim_view(&grant(&recipient, at(4)))
        });
        recipient.id
    };
    let (one, other) = (come(), come());
    fixture.record_facts(idea.id);
    let page = |after| {
        let (activity, next) = two(fixture, after, |tx, paging| {
            tx.recipients().activity_of(idea.id, paging)
        });
        let who: Vec<_> = activity.iter().map(|entry| entry.recipient).collect();
        (who, next)
    };

    let (viewed, next) = page(None);
    assert_eq!(viewed, [other, one]);
    let closed = fixture
        .read(|tx| tx.recipients().registration(one))
        .unwrap();
    assert!(fixture.end(&closed.progress.recipient, Ending::Closed, at(4)));
    fixture.record_facts(idea.id);
    let (agreed, next) = page(next);
    assert_eq!(agreed, [other, one]);
    let (registered, next) = page(next);
    assert_eq!(registered, [other, one]);
    assert_eq!(next, None);
}

fn an_exactly_full_page_is_the_last_one(fixture: &Fixture) {
    let owner = fixture.add_user().id;
    fixture.add_idea(owner);
    fixture.add_idea(owner);
    let (ideas, next) = two(fixture, None, |tx, paging| {
        tx.ideas().ideas_of(owner, Archived::LeftOut, paging)
    });
    assert_eq!((ideas.len(), next), (2, None));
}
