use ideavault_domain::page::Cursor;
use ideavault_domain::share::ShareType;

use super::*;
use crate::testing::{
    MockSession, MockStore, Nines, StoppedClock, at, disclosed, draft_idea, guest, owner, share,
    stranger, viewer, viewer_key,
};

fn comments(
    reads: impl FnOnce(&mut MockSession),
    writes: impl FnOnce(&mut MockSession),
) -> Comments<MockStore> {
    Comments::new(
        MockStore::new(reads, writes),
        Arc::new(StoppedClock),
        Arc::new(Nines),
    )
}

fn knows(agreed: bool) -> impl Fn(&mut MockSession) {
    move |session| {
        session
            .expect_viewer_session()
            .returning(|_| Ok(Some(viewer())));
        session.expect_idea().returning(|_| Ok(Some(draft_idea())));
        session
            .expect_disclosed_idea()
            .returning(|_| Ok(Some(disclosed(draft_idea()))));
        session.expect_registrations_of().returning(move |_| {
            Ok(vec![Registration {
                guest: guest(agreed),
                share: share(ShareType::FullAccess, None),
            }])
        });
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
        text,
    }
}

/// For whom has no comment to make.
fn never(writer: Writer) -> Result<(), Failure> {
    panic!("{writer:?} was asked for")
}

/// Lets nobody but that one comment.
fn only(expected: Writer) -> impl Fn(Writer) -> Result<(), Failure> {
    move |writer| {
        assert_eq!(writer, expected);
        Ok(())
    }
}

fn written() -> Comment {
    Comment {
        id: CommentId::from_random([1; 16]),
        idea: 7.into(),
        recipient: None,
        author: guest(true).recipient.name,
        text: CommentText::parse("Nice").unwrap(),
        created_at: at(-1),
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
    let refused = comments(|_| {}, knows(false)).add(&recipient(), form("Hi"), &never);
    assert!(matches!(refused, Err(CommentError::NotAgreed)));

    let read = comments(
        |reads| {
            knows(true)(reads);
            reads
                .expect_comments_on()
                .returning(|_, paging| Ok(page([written()], paging)));
        },
        |_| {},
    )
    .list(&recipient(), Some(7.into()), Paging::default())
    .unwrap();
    assert_eq!(read.into_items(), [written()]);
}

#[test]
fn what_is_own_and_what_was_disclosed_is_one_list() {
    let both = Caller {
        user: Some(stranger()),
        ..recipient()
    };
    let own = Comment {
        created_at: at(-2),
        ..written()
    };
    let reads = |comment: Comment| {
        move |reads: &mut MockSession| {
            knows(true)(reads);
            reads
                .expect_comments_for_owner()
                .withf(|owner, _| *owner == stranger())
                .returning(move |_, paging| Ok(page([comment.clone()], paging)));
            reads
                .expect_comments_on()
                .returning(|_, paging| Ok(page([written()], paging)));
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
fn the_author_is_who_registered() {
    let comment = comments(
        |_| {},
        |writes| {
            knows(true)(writes);
            writes.expect_add_comment().times(1).returning(|_| Ok(()));
        },
    )
    .add(
        &recipient(),
        form(" Nice "),
        &only(Writer::Recipient(guest(true).recipient.id)),
    )
    .unwrap();
    assert_eq!(comment.author, guest(true).recipient.name);
    assert_eq!(comment.recipient, Some(guest(true).recipient.id));
    assert_eq!(comment.text.as_str(), "Nice");
}

#[test]
fn another_browsers_recipient_is_unknown() {
    let foreign = CommentForm {
        recipient: Some(RecipientId::from_random([77; 16])),
        ..form("Hi")
    };
    let error = comments(|_| {}, knows(true)).add(&recipient(), foreign, &never);
    assert!(matches!(error, Err(CommentError::NotFound)));
}

#[test]
fn owners_comment_on_own_ideas_only() {
    let about = CommentForm {
        idea: Some(7.into()),
        ..form("Thanks")
    };
    let comment = comments(
        |_| {},
        |writes| {
            knows(true)(writes);
            writes.expect_add_comment().returning(|_| Ok(()));
        },
    )
    .add(&creator(owner()), about, &only(Writer::Owner(owner())))
    .unwrap();
    assert_eq!(comment.author.as_str(), "Ada Lovelace");
    assert_eq!(comment.recipient, None);

    let error = comments(|_| {}, knows(true)).add(&creator(stranger()), about, &never);
    assert!(matches!(error, Err(CommentError::NotFound)));
}

#[test]
fn nobody_at_all_is_asked_to_sign_in() {
    let nobody = Caller::default();
    let list = comments(|_| {}, |_| {}).list(&nobody, Some(7.into()), Paging::default());
    assert!(matches!(list, Err(CommentError::Unknown)));
    let add = comments(|_| {}, |_| {}).add(&nobody, form("Hi"), &never);
    assert!(matches!(add, Err(CommentError::Unknown)));
}

#[test]
fn who_comments_too_often_adds_nothing() {
    let too_often = |_: Writer| {
        Err(Failure::TooMany {
            retry_after: std::time::Duration::from_secs(9),
        })
    };
    let about = CommentForm {
        idea: Some(7.into()),
        ..form("Hi")
    };
    for caller in [recipient(), creator(owner())] {
        let error = comments(|_| {}, knows(true))
            .add(&caller, about, &too_often)
            .unwrap_err();
        assert!(matches!(Failure::from(error), Failure::TooMany { .. }));
    }
}
