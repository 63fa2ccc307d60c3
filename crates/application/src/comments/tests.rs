use std::sync::Arc;

use ideavault_domain::ids::ShareId;
use ideavault_domain::page::Cursor;
use ideavault_domain::rate_limit::{LimitKey, RateLimit};
use ideavault_domain::share::ShareTerms;

use super::*;
use crate::testing::{
    MockDatabase, MockTransaction, at, deps, disclosed, draft_idea, has_idea, owner, progress,
    registered, share, stranger, viewer, viewer_key,
};

fn comments(
    reads: impl FnOnce(&mut MockTransaction),
    writes: impl FnOnce(&mut MockTransaction),
) -> Comments<MockDatabase> {
    Comments::new(deps(MockDatabase::new(reads, writes)))
}

/// Comments of writers who have reached their limit.
fn busy_comments(writes: impl FnOnce(&mut MockTransaction)) -> Comments<MockDatabase> {
    let area = comments(|_| {}, writes);
    for writer in [owner().to_string(), progress(true).recipient.id.to_string()] {
        let here = area.deps.limits.here();
        here.exhaust(RateLimit::Comments, &LimitKey::of(writer));
    }
    area
}

/// How many comments of a writer count.
fn counted(area: &Comments<MockDatabase>, writer: impl ToString) -> u32 {
    let here = area.deps.limits.here();
    here.counted(RateLimit::Comments, &writer.to_string())
}

fn knows(agreed: bool) -> impl Fn(&mut MockTransaction) {
    move |tx| {
        tx.expect_viewer_session().returning(|_| Ok(Some(viewer())));
        has_idea(tx, draft_idea());
        tx.expect_disclosed_idea()
            .returning(|_| Ok(Some(disclosed(draft_idea()))));
        let on = move || (share(ShareTerms::FullAccess), progress(agreed));
        tx.expect_browser_registrations()
            .returning(move |_, _| Ok(Some(registered([on()]))));
    }
}

fn recipient() -> Caller {
    Caller {
        user: None,
        viewer: Some(viewer_key()),
    }
}

fn creator(user: UserId) -> Caller {
    Caller {
        user: Some(user),
        viewer: None,
    }
}

fn form(text: &str) -> CommentForm<'_> {
    CommentForm {
        recipient: None,
        idea: None,
        reply_to: None,
        text,
        request: None,
    }
}

fn written() -> Comment {
    Comment {
        id: CommentId::from_random([1; 16]),
        idea: 7.into(),
        recipient: None,
        author: progress(true).recipient.name,
        text: CommentText::parse("Nice").unwrap(),
        reply_to: None,
        share: None,
        created_at: at(-1),
        edited_at: None,
        withdrawn_at: None,
    }
}

fn page(comments: impl IntoIterator<Item = Comment>, paging: Paging) -> Page<Comment> {
    let rows = comments.into_iter().map(|comment| {
        let at = comment.created_at;
        (
            Cursor {
                at,
                ..Cursor::OLDEST
            },
            comment,
        )
    });
    Page::new(rows.collect(), paging.size)
}

#[test]
fn a_recipient_reads_and_writes_only_after_agreement() {
    let refused =
        comments(knows(false), |_| {}).list(&recipient(), Some(7.into()), Paging::default());
    assert!(matches!(refused, Err(CommentError::NotAgreed)));
    let refused = busy_comments(knows(false)).add(&recipient(), form("Hi"));
    assert!(matches!(refused, Err(CommentError::NotAgreed)));

    let read = comments(
        |reads| {
            knows(true)(reads);
            reads
                .expect_comments_on()
                .returning(|_, _, paging| Ok(page([written()], paging)));
        },
        |_| {},
    )
    .list(&recipient(), Some(7.into()), Paging::default())
    .unwrap();
    assert_eq!(read.into_items(), [written()]);
}

#[test]
fn own_and_disclosed_comments_are_one_list() {
    let both = Caller {
        user: Some(stranger()),
        ..recipient()
    };
    let own = Comment {
        created_at: at(-2),
        ..written()
    };
    let reads = |comment: Comment| {
        move |reads: &mut MockTransaction| {
            knows(true)(reads);
            reads
                .expect_comments_for_owner()
                .withf(|owner, _| *owner == stranger())
                .returning(move |_, paging| Ok(page([comment.clone()], paging)));
            reads
                .expect_comments_on()
                .returning(|_, _, paging| Ok(page([written()], paging)));
        }
    };
    let list = |paging| {
        let listed = comments(reads(own.clone()), |_| {}).list(&both, None, paging);
        listed.unwrap()
    };
    let first = list(Paging {
        size: "1".parse().unwrap(),
        after: None,
    });
    assert_eq!(first.next().map(|cursor| cursor.at), Some(own.created_at));
    assert_eq!(first.into_items(), std::slice::from_ref(&own));
    let all = list(Paging::default());
    assert_eq!(all.next(), None);
    assert_eq!(all.into_items(), [own, written()]);
}

#[test]
fn the_author_is_the_registered_recipient() {
    let comments = comments(
        |_| {},
        |writes| {
            knows(true)(writes);
            writes.expect_add_comment().times(1).returning(|_| Ok(()));
        },
    );
    let comment = comments.add(&recipient(), form(" Nice ")).unwrap();
    assert_eq!(counted(&comments, progress(true).recipient.id), 1);
    assert_eq!(comment.author, progress(true).recipient.name);
    assert_eq!(comment.recipient, Some(progress(true).recipient.id));
    assert_eq!(comment.text.as_str(), "Nice");
}

#[test]
fn a_recipient_of_another_browser_is_not_found() {
    let foreign = CommentForm {
        recipient: Some(RecipientId::from_random([77; 16])),
        ..form("Hi")
    };
    let error = busy_comments(knows(true)).add(&recipient(), foreign);
    assert!(matches!(error, Err(CommentError::NotFound)));
}

#[test]
fn owners_comment_only_on_their_own_ideas() {
    let about = CommentForm {
        idea: Some(7.into()),
        ..form("Thanks")
    };
    let comments = comments(
        |_| {},
        |writes| {
            knows(true)(writes);
            writes.expect_add_comment().returning(|_| Ok(()));
        },
    );
    let comment = comments.add(&creator(owner()), about).unwrap();
    assert_eq!(counted(&comments, owner()), 1);
    assert_eq!(comment.author.as_str(), "Ada Lovelace");
    assert_eq!(comment.recipient, None);

    let error = busy_comments(knows(true)).add(&creator(stranger()), about);
    assert!(matches!(error, Err(CommentError::NotFound)));
}

#[test]
fn an_anonymous_caller_is_asked_to_sign_in() {
    let nobody = Caller::default();
    let list = comments(|_| {}, |_| {}).list(&nobody, Some(7.into()), Paging::default());
    assert!(matches!(list, Err(CommentError::Unknown)));
    let add = busy_comments(|_| {}).add(&nobody, form("Hi"));
    assert!(matches!(add, Err(CommentError::Unknown)));
}

#[test]
fn a_comment_over_the_rate_limit_is_refused() {
    let about = CommentForm {
        idea: Some(7.into()),
        ..form("Hi")
    };
    for caller in [recipient(), creator(owner())] {
        let error = busy_comments(knows(true)).add(&caller, about).unwrap_err();
        assert!(matches!(Failure::from(error), Failure::TooMany { .. }));
    }
}

#[test]
fn what_is_run_again_after_a_conflict_counts_once() {
    let database = MockDatabase::conflicting(|writes| {
        knows(true)(writes);
        writes
            .expect_comment()
            .returning(|_| Ok(Some(by_recipient())));
        writes.expect_add_comment().returning(|_| Ok(()));
        writes.expect_change_comment().returning(|_| Ok(true));
    });
    let area = Comments::new(deps(database));
    let counted = || counted(&area, progress(true).recipient.id);
    area.add(&recipient(), form("Hi")).unwrap();
    assert_eq!(counted(), 1);
    area.edit(&recipient(), by_recipient().id, "Nicer").unwrap();
    assert_eq!(counted(), 2);
    area.withdraw(&recipient(), by_recipient().id).unwrap();
    assert_eq!(counted(), 3);
}

#[test]
fn readers_list_comments_for_their_links() {
    let scope_of = |caller: Caller| {
        let asked = Arc::new(std::sync::Mutex::new(None));
        let seen = Arc::clone(&asked);
        let reads = move |reads: &mut MockTransaction| {
            knows(true)(reads);
            reads.expect_comments_on().returning(move |_, scope, _| {
                *seen.lock().unwrap() = Some(scope.clone());
                Ok(Page::default())
            });
        };
        let list = comments(reads, |_| {}).list(&caller, Some(7.into()), Paging::default());
        list.unwrap();
        asked.lock().unwrap().take().unwrap()
    };
    let own = share(ShareTerms::FullAccess).id;
    assert_eq!(scope_of(recipient()), CommentScope::Links(vec![own]));
}

#[test]
fn an_owner_may_have_no_comments_yet() {
    let list = |user| {
        let reads = |reads: &mut MockTransaction| has_idea(reads, draft_idea());
        comments(reads, |_| {}).list(&creator(user), Some(7.into()), Paging::default())
    };
    assert!(list(owner()).unwrap().is_empty());
    assert!(matches!(list(stranger()), Err(CommentError::NotFound)));
}

/// Replies to `replied_to` as `caller`.
fn replying(
    caller: &Caller,
    idea: Option<IdeaId>,
    replied_to: Option<Comment>,
) -> Result<Comment, CommentError> {
    let form = CommentForm {
        idea,
        reply_to: Some(CommentId::from_random([1; 16])),
        ..form("Indeed")
    };
    let writes = move |writes: &mut MockTransaction| {
        knows(true)(writes);
        writes
            .expect_comment()
            .returning(move |_| Ok(replied_to.clone()));
        writes.expect_add_comment().returning(|_| Ok(()));
    };
    comments(|_| {}, writes).add(caller, form)
}

#[test]
fn an_owners_reply_is_visible_where_its_comment_is() {
    let link = ShareId::from_random([6; 16]);
    let replied_to = Comment {
        share: Some(link),
        ..written()
    };
    let id = replied_to.id;
    let reply = replying(&creator(owner()), Some(7.into()), Some(replied_to)).unwrap();
    assert_eq!(reply.reply_to, Some(id));
    assert_eq!(reply.share, Some(link));
    let to_all = replying(&creator(owner()), Some(7.into()), Some(written())).unwrap();
    assert_eq!(to_all.share, None);
}

#[test]
fn a_readers_reply_to_the_owner_stays_on_the_link() {
    let reply = replying(&recipient(), None, Some(written())).unwrap();
    assert_eq!(reply.share, Some(share(ShareTerms::FullAccess).id));
}

#[test]
fn a_reply_to_a_reply_joins_the_thread() {
    let first = CommentId::from_random([2; 16]);
    let replied_to = Comment {
        reply_to: Some(first),
        ..written()
    };
    let reply = replying(&recipient(), None, Some(replied_to)).unwrap();
    assert_eq!(reply.reply_to, Some(first));
}

#[test]
fn an_invisible_comment_cannot_be_replied_to() {
    let elsewhere = Comment {
        idea: 8.into(),
        ..written()
    };
    let of_another_link = Comment {
        share: Some(ShareId::from_random([6; 16])),
        ..written()
    };
    for replied_to in [None, Some(elsewhere.clone()), Some(of_another_link)] {
        let error = replying(&recipient(), None, replied_to);
        assert!(matches!(error, Err(CommentError::NotFound)));
    }
    let error = replying(&creator(owner()), Some(7.into()), Some(elsewhere));
    assert!(matches!(error, Err(CommentError::NotFound)));
    let withdrawn = written().withdrawn(at(0));
    let error = replying(&recipient(), None, Some(withdrawn));
    assert!(matches!(error, Err(CommentError::Withdrawn)));
}

/// A database with one comment, with a change expected if `changes`.
fn holding(comment: Comment, changes: bool) -> Comments<MockDatabase> {
    comments(
        |_| {},
        move |writes| {
            knows(true)(writes);
            writes
                .expect_comment()
                .returning(move |_| Ok(Some(comment.clone())));
            writes
                .expect_change_comment()
                .times(usize::from(changes))
                .returning(|_| Ok(true));
        },
    )
}

fn by_recipient() -> Comment {
    Comment {
        recipient: Some(progress(true).recipient.id),
        ..written()
    }
}

#[test]
fn authors_can_edit_and_withdraw_their_comments() {
    for (caller, comment) in [(recipient(), by_recipient()), (creator(owner()), written())] {
        let edited = holding(comment.clone(), true).edit(&caller, comment.id, " Nicer ");
        let edited = edited.unwrap();
        assert_eq!(edited.text.as_str(), "Nicer");
        assert_eq!(edited.edited_at, Some(at(0)));
        assert_eq!(edited.created_at, comment.created_at);
        let withdrawn = holding(comment.clone(), true).withdraw(&caller, comment.id);
        assert_eq!(withdrawn.unwrap(), comment.withdrawn(at(0)));
    }
}

#[test]
fn saving_the_same_text_is_not_an_edit() {
    let same = holding(by_recipient(), false).edit(&recipient(), by_recipient().id, "Nice");
    assert_eq!(same.unwrap().edited_at, None);
}

#[test]
fn a_comment_can_be_edited_for_ten_minutes_and_withdrawn_at_any_time() {
    let old = Comment {
        created_at: at(-600),
        ..by_recipient()
    };
    let edit = holding(old.clone(), false).edit(&recipient(), old.id, "Nicer");
    assert!(matches!(edit, Err(CommentError::TooOld)));
    let withdrawn = holding(old.clone(), true).withdraw(&recipient(), old.id);
    assert!(withdrawn.is_ok());
}

#[test]
fn a_withdrawn_comment_cannot_be_edited() {
    let gone = by_recipient().withdrawn(at(-1));
    let edit = holding(gone.clone(), false).edit(&recipient(), gone.id, "Back");
    assert!(matches!(edit, Err(CommentError::Withdrawn)));
    let again = holding(gone.clone(), false).withdraw(&recipient(), gone.id);
    assert_eq!(again.unwrap(), gone);
}

#[test]
fn nobody_comments_on_the_idea_of_an_account_that_is_gone() {
    let gone = || DatabaseError::AccountGone { operation: "test" };
    let area = comments(
        |_| {},
        |writes| {
            knows(true)(writes);
            writes
                .expect_comment()
                .returning(|_| Ok(Some(by_recipient())));
            writes.expect_add_comment().returning(move |_| Err(gone()));
            writes
                .expect_change_comment()
                .returning(move |_| Err(gone()));
        },
    );
    let added = area.add(&recipient(), form("Late"));
    let edited = area.edit(&recipient(), by_recipient().id, "Late");
    let withdrawn = area.withdraw(&recipient(), by_recipient().id);
    for refused in [added, edited, withdrawn] {
        assert!(
            matches!(refused, Err(CommentError::NotFound)),
            "{refused:?}"
        );
    }
}

#[test]
fn comments_of_others_cannot_be_changed() {
    let by_other_recipient = Comment {
        recipient: Some(RecipientId::from_random([77; 16])),
        ..written()
    };
    for (caller, comment) in [
        (recipient(), by_other_recipient),
        (recipient(), written()),
        (creator(owner()), by_recipient()),
        (creator(stranger()), written()),
    ] {
        let edit = holding(comment.clone(), false).edit(&caller, comment.id, "Mine");
        assert!(matches!(edit, Err(CommentError::NotFound)));
        let withdraw = holding(comment.clone(), false).withdraw(&caller, comment.id);
        assert!(matches!(withdraw, Err(CommentError::NotFound)));
    }
    let nobody = holding(written(), false).edit(&Caller::default(), written().id, "Hi");
    assert!(matches!(nobody, Err(CommentError::Unknown)));
}
