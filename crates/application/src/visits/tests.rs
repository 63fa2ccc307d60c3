use ideavault_domain::content::Content;
use ideavault_domain::email::Email;
use ideavault_domain::file::MediaType;
use ideavault_domain::idea::Idea;
use ideavault_domain::ids::ViewerSessionId;
use ideavault_domain::share::{Share, ShareType};
use ideavault_domain::visit::Guest;

use super::*;
use crate::testing::{
    MockSession, MockStorage, MockStore, Nines, OpenCodes, StoppedClock, at, disclosed, draft_idea,
    guest, origin, postbox, share, share_token, stored_file, viewer, viewer_key,
};

pub(super) fn visits(
    reads: impl FnOnce(&mut MockSession),
    writes: impl FnOnce(&mut MockSession),
) -> Visits<MockStore> {
    Visits::new(
        MockStore::new(reads, writes),
        Arc::new(StoppedClock),
        Arc::new(Nines),
        Duration::minutes(30),
        postbox(),
        Arc::new(OpenCodes),
        Arc::new(MockStorage::new()),
    )
}

fn one_time() -> Share {
    share(ShareType::OneTime, Some(1))
}

/// A session that knows one share, its idea, one browser and its registration.
pub(super) fn scene(share: Share, guest: Option<Guest>) -> impl Fn(&mut MockSession) {
    move |session| {
        let (by_token, by_id) = (share.clone(), share.clone());
        session
            .expect_share_by_token()
            .returning(move |_| Ok(Some(by_token.clone())));
        session
            .expect_share()
            .returning(move |_| Ok(Some(by_id.clone())));
        session
            .expect_disclosed_idea()
            .returning(|_| Ok(Some(disclosed(draft_idea()))));
        session
            .expect_viewer_session()
            .returning(|_| Ok(Some(viewer())));
        let newest = guest.clone();
        session
            .expect_newest_guest()
            .returning(move |_, _| Ok(newest.clone()));
        let (share, guest) = (share.clone(), guest.clone());
        session.expect_registration().returning(move |_| {
            Ok(guest
                .clone()
                .map(|guest| ideavault_domain::ports::Registration {
                    guest,
                    share: share.clone(),
                }))
        });
    }
}

fn with_content(session: &mut MockSession) {
    session
        .expect_revision_content()
        .returning(|_, _| Ok(Some(Content::Html("<p>Secret</p>".into()))));
}

/// An agreed reader of a link with a view left.
fn ready_to_view(session: &mut MockSession) {
    scene(one_time(), Some(guest(true)))(session);
    with_content(session);
}

/// Expects a new key, whose session replaces that one when it is used.
pub(super) fn renews(session: &mut MockSession, former: Option<ViewerSessionId>) {
    session
        .expect_add_viewer_session()
        .withf(move |fresh| fresh.replaces == former && fresh.id == fresh_session())
        .times(1)
        .returning(|_| Ok(()));
}

/// Expects a new key, to whose session alone the registration goes.
pub(super) fn advances(session: &mut MockSession) {
    renews(session, Some(viewer().id));
    session
        .expect_move_recipient()
        .withf(|_, from, to| *from == viewer().id && *to == fresh_session())
        .times(1)
        .returning(|_, _, _| Ok(true));
}

/// What chance makes of a new session.
fn fresh_session() -> ViewerSessionId {
    ViewerSessionId::from_random([9; 16])
}

pub(super) const DETAILS: Details<'static> = Details {
    name: "Grace Hopper",
    email: "grace@example.org",
    phone: None,
};

#[test]
fn before_agreement_the_content_is_not_even_read() {
    for (guest, collect) in [(None, true), (Some(guest(false)), false)] {
        let opened = visits(
            |reads| {
                scene(one_time(), guest)(reads);
                reads.expect_revision_content().times(0);
            },
            |_| {},
        )
        .open(&share_token(), Some(&viewer_key()))
        .unwrap();
        assert_eq!(opened.stage == Stage::Collect, collect);
    }
}

#[test]
fn the_first_content_claims_a_view_of_the_current_revision() {
    let opened = visits(ready_to_view, |writes| {
        scene(one_time(), Some(guest(true)))(writes);
        with_content(writes);
        writes
            .expect_claim_view()
            .withf(|grant| {
                grant.recipient == guest(true).recipient.id
                    && grant.revision == 3
                    && grant.granted_at == at(0)
                    && grant.ends_at == at(1800)
            })
            .times(1)
            .returning(|_| Ok(true));
    })
    .open(&share_token(), Some(&viewer_key()))
    .unwrap();
    assert_eq!(
        opened.stage,
        Stage::Open {
            content: Content::Html("<p>Secret</p>".into()),
            ends_at: Some(at(1800))
        }
    );
}

#[test]
fn a_view_of_a_file_that_cannot_be_read_is_not_counted() {
    let reads = |session: &mut MockSession| {
        let pdf = stored_file(MediaType::Pdf);
        let content = Content::Pdf {
            file_name: "Kettle.pdf".into(),
            pdf_path: pdf.path(),
        };
        scene(one_time(), Some(guest(true)))(session);
        session
            .expect_revision_content()
            .returning(move |_, _| Ok(Some(content.clone())));
        session
            .expect_file()
            .returning(move |_| Ok(Some(pdf.clone())));
    };
    let mut storage = MockStorage::new();
    storage.expect_open().returning(|file, _| {
        Err(StorageError::Missing {
            operation: "open",
            id: file.id,
        })
    });
    let visits = Visits {
        storage: Arc::new(storage),
        // Nothing is expected of a writing transaction.
        ..visits(reads, |_| {})
    };
    let failed = visits.open(&share_token(), Some(&viewer_key()));
    assert!(matches!(failed, Err(VisitError::FileUnreadable(_))));
}

#[test]
fn who_loses_the_race_for_the_last_view_gets_nothing() {
    let error = visits(ready_to_view, |writes| {
        scene(one_time(), Some(guest(true)))(writes);
        writes.expect_claim_view().returning(|_| Ok(false));
        writes.expect_revision_content().times(0);
    })
    .open(&share_token(), Some(&viewer_key()))
    .unwrap_err();
    assert!(matches!(error, VisitError::NotFound));
}

#[test]
fn a_running_view_reloads_without_writing() {
    let grant = ViewGrant {
        id: ViewGrantId::from_random([3; 16]),
        share: one_time().id,
        recipient: guest(true).recipient.id,
        revision: 3,
        revision_sha256: draft_idea().sha256,
        granted_at: at(-10),
        ends_at: at(10),
    };
    let viewing = Guest {
        grant: Some(grant),
        ..guest(true)
    };
    let opened = visits(
        |reads| {
            scene(one_time(), Some(viewing))(reads);
            with_content(reads);
        },
        |_| {},
    )
    .open(&share_token(), Some(&viewer_key()))
    .unwrap();
    assert!(matches!(opened.stage, Stage::Open { .. }));
}

#[test]
fn registering_offers_an_agreement_that_names_idea_and_parties() {
    let registered = visits(
        |_| {},
        |writes| {
            scene(one_time(), None)(writes);
            renews(writes, Some(viewer().id));
            writes.expect_add_recipient().times(1).returning(|_| Ok(()));
        },
    )
    .register(
        &ShareReference::Token(share_token()),
        DETAILS,
        Some(&viewer_key()),
        &|_| Ok(()),
        &|_| Ok(()),
    )
    .unwrap();
    assert_ne!(registered.new_viewer_key, viewer_key());
    let text = registered.recipient.agreement.text();
    for part in ["Kettle", "Ada Lovelace", "Grace Hopper"] {
        assert!(text.contains(part));
    }
}

#[test]
fn an_unknown_browser_gets_a_key_of_its_own() {
    let registered = visits(
        |_| {},
        |writes| {
            scene(one_time(), None)(writes);
            renews(writes, None);
            writes.expect_add_recipient().returning(|_| Ok(()));
        },
    )
    .register(
        &ShareReference::Id(one_time().id),
        DETAILS,
        None,
        &|_| Ok(()),
        &|_| Ok(()),
    )
    .unwrap();
    assert_eq!(registered.recipient.viewer_session, fresh_session());
}

#[test]
fn an_email_link_admits_only_its_address() {
    let mut email_share = share(ShareType::Email, None);
    email_share.terms.recipient_email = Some(Email::parse("other@example.org").unwrap());
    let error = visits(|_| {}, scene(email_share, None))
        .register(
            &ShareReference::Token(share_token()),
            DETAILS,
            None,
            &|_| Ok(()),
            &|_| Ok(()),
        )
        .unwrap_err();
    assert!(matches!(Failure::from(error), Failure::Forbidden(_)));
}

#[test]
fn agreeing_records_what_was_read_and_where_it_came_from() {
    let agreement_digest = guest(false).recipient.agreement.digest();
    let state = visits(
        |_| {},
        |writes| {
            scene(one_time(), Some(guest(false)))(writes);
            advances(writes);
            writes
                .expect_add_acceptance()
                .withf(move |acceptance| {
                    acceptance.nda_sha256 == agreement_digest
                        && acceptance.revision_sha256 == draft_idea().sha256
                        && acceptance.accepted_at == at(0)
                        && acceptance.origin == origin()
                })
                .times(1)
                .returning(|_| Ok(true));
        },
    )
    .agree(
        guest(false).recipient.id,
        true,
        Some(&viewer_key()),
        origin(),
    )
    .unwrap();
    assert!(state.state.agreed);
    assert!(state.new_viewer_key.is_some());
}

#[test]
fn nobody_agrees_for_another_browser() {
    let mut foreign = guest(false);
    foreign.recipient.viewer_session = ViewerSessionId::from_random([99; 16]);
    let id = foreign.recipient.id;
    let error = visits(|_| {}, scene(one_time(), Some(foreign)))
        .agree(id, true, Some(&viewer_key()), origin())
        .unwrap_err();
    assert!(matches!(error, VisitError::NotFound));
}

#[test]
fn agreed_can_only_be_true() {
    let error = visits(|_| {}, |_| {})
        .agree(
            guest(false).recipient.id,
            false,
            Some(&viewer_key()),
            origin(),
        )
        .unwrap_err();
    assert!(matches!(error, VisitError::Invalid(invalid) if invalid.field == "agreed"));
}

#[test]
fn a_view_that_another_tab_claimed_first_is_shared_with_it() {
    let mut viewing = guest(true);
    viewing.grant = Some(ViewGrant {
        id: ViewGrantId::from_random([3; 16]),
        share: viewing.recipient.share,
        recipient: viewing.recipient.id,
        revision: 3,
        revision_sha256: draft_idea().sha256,
        granted_at: at(0),
        ends_at: at(1700),
    });
    let opened = visits(ready_to_view, |writes| {
        writes
            .expect_newest_guest()
            .times(1)
            .return_once(|_, _| Ok(Some(guest(true))));
        scene(one_time(), Some(viewing))(writes);
        writes.expect_claim_view().returning(|_| Ok(false));
        with_content(writes);
    })
    .open(&share_token(), Some(&viewer_key()))
    .unwrap();
    assert!(matches!(opened.stage, Stage::Open { ends_at, .. } if ends_at == Some(at(1700))));
}

#[test]
fn an_idea_that_is_deleted_while_it_is_opened_is_a_dead_link() {
    let error = visits(ready_to_view, |writes| {
        scene(one_time(), Some(guest(true)))(writes);
        writes.expect_claim_view().returning(|_| Ok(true));
        writes.expect_revision_content().returning(|_, _| Ok(None));
        deleted(writes);
    })
    .open(&share_token(), Some(&viewer_key()))
    .unwrap_err();
    assert!(matches!(error, VisitError::NotFound));
}

#[test]
fn the_link_of_a_deleted_idea_cannot_even_be_closed() {
    let error = visits(
        |_| {},
        |writes| {
            scene(one_time(), Some(guest(true)))(writes);
            deleted(writes);
        },
    )
    .close(&share_token(), Some(&viewer_key()))
    .unwrap_err();
    assert!(matches!(error, VisitError::NotFound));
}

fn deleted(session: &mut MockSession) {
    session.expect_idea().returning(|_| {
        Ok(Some(Idea {
            deleted_at: Some(at(-1)),
            ..draft_idea()
        }))
    });
}
