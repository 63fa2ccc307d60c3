//! Unsaved texts.

use ideavault_domain::ids::{IdeaId, UserId};
use ideavault_domain::ports::Database as _;
use ideavault_domain::text::Title;
use ideavault_domain::working_copy::{EditingSession, WorkingCopy};

use crate::support::{Fixture, at, on_both_databases, race};

on_both_databases!(
    each_session_has_its_own,
    one_session_is_discarded_or_all,
    published_deleted_and_foreign_ideas_take_none,
    it_goes_with_its_idea_and_with_its_account,
    its_content_counts_as_stored,
    calls_of_a_session_at_once_leave_one,
    one_kept_while_its_draft_is_deleted_does_not_stay,
    one_moved_to_another_account_does_not_decrypt,
    the_database_refuses_what_makes_no_sense,
);

fn session(name: &str) -> EditingSession {
    EditingSession::parse(Some(name)).unwrap()
}

fn copy(of: &str, html: &str, base: Option<i32>) -> WorkingCopy {
    WorkingCopy {
        title: Title::from_stored(String::new()),
        html: html.to_owned(),
        base,
        session: session(of),
        kept_at: at(3),
    }
}

fn keep(fixture: &Fixture, owner: UserId, idea: Option<IdeaId>, copy: &WorkingCopy) -> bool {
    fixture.write(|tx| tx.working_copies().keep_working_copy(owner, idea, copy))
}

fn found(fixture: &Fixture, owner: UserId, idea: Option<IdeaId>) -> Option<WorkingCopy> {
    all(fixture, owner, idea).into_iter().next()
}

fn all(fixture: &Fixture, owner: UserId, idea: Option<IdeaId>) -> Vec<WorkingCopy> {
    fixture.read(|tx| tx.working_copies().newest_working_copies(owner, idea, 9))
}

fn used(fixture: &Fixture, owner: UserId) -> u64 {
    fixture.read(|tx| tx.storage_use().storage_of(owner)).used
}

fn each_session_has_its_own(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let other = fixture.add_idea(idea.owner);
    let (ada, bob) = (idea.owner, fixture.add_user().id);
    let of_idea = copy("a", "<p>of the idea</p>", Some(1));
    let new = copy("a", "<p>new</p>", None);
    let of_bob = copy("b", "<p>of bob</p>", None);
    for (owner, id, copy) in [
        (ada, Some(idea.id), &of_idea),
        (ada, None, &new),
        (bob, None, &of_bob),
    ] {
        assert!(keep(fixture, owner, id, copy));
        assert_eq!(found(fixture, owner, id).as_ref(), Some(copy));
    }
    let of_c = WorkingCopy {
        kept_at: at(4),
        ..copy("c", "<p>later</p>", Some(1))
    };
    assert!(keep(fixture, ada, Some(idea.id), &of_c));
    assert_eq!(all(fixture, ada, Some(idea.id)), [of_c.clone(), of_idea]);
    let later = WorkingCopy {
        kept_at: at(5),
        ..copy("a", "<p>later</p>", Some(1))
    };
    assert!(keep(fixture, ada, Some(idea.id), &later));
    assert_eq!(all(fixture, ada, Some(idea.id)), [later.clone(), of_c]);
    let newest = fixture.read(|tx| {
        tx.working_copies()
            .newest_working_copies(ada, Some(idea.id), 1)
    });
    assert_eq!(newest, [later]);
    let others = |of: &str| {
        fixture.read(|tx| {
            tx.working_copies()
                .count_other_copies(ada, Some(idea.id), &session(of))
        })
    };
    assert_eq!((others("a"), others("d")), (1, 2));
    assert_eq!(all(fixture, ada, None), [new]);
    assert_eq!(all(fixture, ada, Some(other.id)), []);
    assert_eq!(all(fixture, bob, Some(idea.id)), []);
    assert_eq!(fixture.count("working_copies"), 4);
}

fn one_session_is_discarded_or_all(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let (ada, id) = (idea.owner, Some(idea.id));
    let discard = |of: Option<&str>| {
        let of = of.map(session);
        fixture.write(|tx| {
            tx.working_copies()
                .drop_working_copies(ada, id, of.as_ref())
        });
        all(fixture, ada, id).len()
    };
    for of in ["a", "b", "c"] {
        keep(fixture, ada, id, &copy(of, "<p>x</p>", Some(1)));
    }
    keep(fixture, ada, None, &copy("a", "<p>new</p>", None));
    assert_eq!(discard(Some("d")), 3);
    assert_eq!(discard(Some("a")), 2);
    assert_eq!(discard(Some("a")), 2);
    assert_eq!(discard(None), 0);
    assert!(found(fixture, ada, None).is_some());
}

fn published_deleted_and_foreign_ideas_take_none(fixture: &Fixture) {
    let published = fixture.add_published();
    let deleted = fixture.add_draft();
    fixture.write(|tx| tx.ideas().delete_draft(deleted.id, at(2)));
    let foreign = (fixture.add_user().id, fixture.add_draft().id);
    for (owner, id) in [
        (published.owner, published.id),
        (deleted.owner, deleted.id),
        foreign,
        (foreign.0, 999.into()),
    ] {
        let unsaved = copy("a", "<p>x</p>", Some(1));
        assert!(!keep(fixture, owner, Some(id), &unsaved));
    }
    assert_eq!(fixture.count("working_copies"), 0);
}

fn it_goes_with_its_idea_and_with_its_account(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let kept = fixture.add_idea(idea.owner);
    let unsaved = copy("a", "<p>x</p>", Some(1));
    let before = used(fixture, idea.owner);
    keep(fixture, idea.owner, Some(idea.id), &unsaved);
    keep(fixture, idea.owner, Some(kept.id), &unsaved);
    keep(fixture, idea.owner, None, &copy("a", "<p>x</p>", None));
    assert!(fixture.write(|tx| tx.ideas().delete_draft(idea.id, at(4))));
    assert_eq!(found(fixture, idea.owner, Some(idea.id)), None);
    assert_eq!(fixture.count("working_copies"), 2);
    assert!(fixture.write(|tx| tx.administration().delete_account(idea.owner, at(5))));
    assert_eq!(fixture.count("working_copies"), 0);
    assert!(used(fixture, idea.owner) < before);
}

fn its_content_counts_as_stored(fixture: &Fixture) {
    let ada = fixture.add_user().id;
    for size in [500, 200] {
        keep(fixture, ada, None, &copy("a", &"x".repeat(size), None));
        assert_eq!(used(fixture, ada), size as u64);
    }
    fixture.write(|tx| tx.working_copies().drop_working_copies(ada, None, None));
    assert_eq!(used(fixture, ada), 0);
}

fn calls_of_a_session_at_once_leave_one(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let before = used(fixture, idea.owner);
    for id in [Some(idea.id), None] {
        let kept = race(8, |number| {
            let unsaved = copy("a", &"x".repeat(number + 1), id.map(|_| 1));
            keep(fixture, idea.owner, id, &unsaved)
        });
        assert_eq!(kept, [true; 8]);
    }
    let sizes = [Some(idea.id), None].map(|id| found(fixture, idea.owner, id).unwrap().html.len());
    let sizes = sizes.iter().sum::<usize>();
    assert_eq!(used(fixture, idea.owner) - before, sizes as u64);
    assert_eq!(fixture.count("working_copies"), 2);
}

fn one_kept_while_its_draft_is_deleted_does_not_stay(fixture: &Fixture) {
    for _ in 0..10 {
        let idea = fixture.add_draft();
        race(2, |number| match number {
            0 => {
                keep(
                    fixture,
                    idea.owner,
                    Some(idea.id),
                    &copy("a", "<p>x</p>", Some(1)),
                );
            }
            _ => {
                fixture.write(|tx| tx.ideas().delete_draft(idea.id, at(4)));
            }
        });
        assert_eq!(fixture.count("working_copies"), 0);
    }
}

fn one_moved_to_another_account_does_not_decrypt(fixture: &Fixture) {
    let (ada, eve) = (fixture.add_user().id, fixture.add_user().id);
    keep(fixture, ada, None, &copy("a", "<p>x</p>", None));
    let moved = format!("UPDATE working_copies SET owner_id = '{eve}'");
    fixture.sql(&moved).unwrap();
    let stolen = fixture
        .store
        .read(|tx| tx.working_copies().newest_working_copies(eve, None, 1));
    assert!(stolen.is_err());
}

fn the_database_refuses_what_makes_no_sense(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let insert = |values: &str| {
        format!(
            "INSERT INTO working_copies (owner_id, session, kept_at, title, wrapped_key, size, \
             content, idea_id, base) SELECT owner_id, 's', created_at, title, title, 1, title, \
             {values} FROM ideas"
        )
    };
    for refused in [
        insert("id, NULL"),
        insert("id, 0"),
        insert("0, 1"),
        insert("-1, 1"),
        insert("id, 1").replace("'s'", &format!("'{}'", "s".repeat(65))),
    ] {
        fixture.refuses("constraint", &[&refused]);
    }
    fixture.sql(&insert("id, 1")).unwrap();
    fixture.sql(&insert("0, NULL")).unwrap();
    assert_eq!(fixture.idea(idea.id), idea);
}
