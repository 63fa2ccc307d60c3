use ideavault_domain::content::Content;
use ideavault_domain::email::Email;
use ideavault_domain::failure::Failure;
use ideavault_domain::file::MediaType;
use ideavault_domain::gate::{GateContext, RecipientProgress};
use ideavault_domain::idea::Idea;
use ideavault_domain::ids::{ViewGrantId, ViewerSessionId};
use ideavault_domain::ports::{DatabaseError, FoundGate, GateAddress, GateQuery, StorageError};
use ideavault_domain::rate_limit::RateLimit;
use ideavault_domain::recipient::{Identity, ViewGrant, ViewerSession};
use ideavault_domain::share::{Share, ShareTerms};

use super::*;
use crate::testing::{
    MinuteClock, MockDatabase, MockStorage, MockTransaction, UnkeyedCodeHasher,
    UnkeyedRequestHasher, at, count_key, deps, disclosed, draft_idea, email_composer, has_idea,
    origin, owner, progress, share, share_token, stored_file, viewer, viewer_key,
};

pub(super) fn share_access(
    reads: impl FnOnce(&mut MockTransaction),
    writes: impl FnOnce(&mut MockTransaction),
) -> ShareAccess<MockDatabase> {
    on_database(MockDatabase::new(reads, writes))
}

pub(super) fn on_database(database: Arc<MockDatabase>) -> ShareAccess<MockDatabase> {
    ShareAccess::new(
        deps(database),
        Duration::minutes(30),
        email_composer(),
        Hashers {
            codes: Arc::new(UnkeyedCodeHasher),
            requests: Arc::new(UnkeyedRequestHasher),
        },
        Arc::new(MockStorage::new()),
    )
}

pub(super) fn one_time() -> Share {
    share(ShareTerms::OneTime { max_views: 1 })
}

/// A transaction with one share, its idea, one browser and its registration.
pub(super) fn gate(
    share: Share,
    progress: Option<RecipientProgress>,
) -> impl Fn(&mut MockTransaction) {
    move |tx| {
        let by_id = share.clone();
        tx.expect_share()
            .returning(move |_| Ok(Some(by_id.clone())));
        let gate = found(share.clone(), progress.clone());
        tx.expect_find_gate()
            .returning(move |query| Ok(of_browser(gate.clone(), query)));
        tx.expect_viewer_session().returning(|_| Ok(Some(viewer())));
        tx.expect_browser_of()
            .returning(|_| Ok(Some(viewer().browser)));
    }
}

/// Returns what a query finds of a gate.
fn of_browser(gate: FoundGate, query: &GateQuery<'_>) -> Option<FoundGate> {
    let progress = gate.context.progress.filter(|progress| {
        query.viewer.is_some() && progress.recipient.viewer_session == viewer().id
    });
    let is_open = |found: &RecipientProgress| found.recipient.closed_at.is_none();
    if matches!(query.address, GateAddress::Recipient(_)) && !progress.as_ref().is_some_and(is_open)
    {
        return None;
    }
    Some(FoundGate {
        context: GateContext {
            progress,
            ..gate.context
        },
        viewer: gate.viewer.filter(|_| query.viewer.is_some()),
        content: gate.content.filter(|_| query.with_content),
        ..gate
    })
}

fn with_content(tx: &mut MockTransaction) {
    tx.expect_revision_content()
        .returning(|_, _| Ok(Some(Content::Html("<p>Secret</p>".into()))));
}

/// A recipient who accepted, on a link with a view left.
fn ready_to_view(tx: &mut MockTransaction) {
    gate(one_time(), Some(progress(true)))(tx);
    with_content(tx);
}

/// Expects a new key, whose session replaces `former` when it is first used.
pub(super) fn renews(tx: &mut MockTransaction, former: Option<ViewerSessionId>) {
    tx.expect_add_viewer_session()
        .withf(move |fresh| {
            let browser = former.map_or(fresh_session(), |_| viewer().browser);
            fresh.replaces == former && fresh.id == fresh_session() && fresh.browser == browser
        })
        .times(1)
        .returning(|_| Ok(()));
}

/// Expects a new key, to whose session alone the registration moves.
pub(super) fn advances(tx: &mut MockTransaction) {
    renews(tx, Some(viewer().id));
    tx.expect_move_recipient()
        .withf(|_, from, to| *from == viewer().id && *to == fresh_session())
        .times(1)
        .returning(|_, _, _| Ok(true));
}

/// The id of a new session.
fn fresh_session() -> ViewerSessionId {
    ViewerSessionId::from_random([9; 16])
}

pub(super) const DETAILS: RegistrationForm<'static> = RegistrationForm {
    name: "Grace Hopper",
    email: "grace@example.org",
    phone: None,
};

#[test]
fn the_content_is_not_read_before_agreement() {
    for (progress, collect) in [(None, true), (Some(progress(false)), false)] {
        let opened = share_access(
            |reads| {
                gate(one_time(), progress)(reads);
                reads.expect_revision_content().times(0);
            },
            |_| {},
        )
        .open(&share_token(), Some(&viewer_key()), &[])
        .unwrap();
        assert_eq!(opened.stage == Stage::Collect, collect);
    }
}

#[test]
fn the_first_content_claims_a_view_of_the_current_revision() {
    let opened = share_access(ready_to_view, |writes| {
        gate(one_time(), Some(progress(true)))(writes);
        with_content(writes);
        writes
            .expect_claim_view()
            .withf(|grant| {
                grant.recipient == progress(true).recipient.id
                    && grant.revision == 3
                    && grant.granted_at == at(0)
                    && grant.ends_at == at(1800)
            })
            .times(1)
            .returning(|_| Ok(true));
    })
    .open(&share_token(), Some(&viewer_key()), &[])
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
fn a_view_of_an_unreadable_file_is_not_counted() {
    let reads = |tx: &mut MockTransaction| {
        let pdf = stored_file(MediaType::Pdf);
        let content = Content::Pdf {
            file_name: "Kettle.pdf".into(),
            pdf_path: pdf.path(),
        };
        gate(one_time(), Some(progress(true)))(tx);
        tx.expect_revision_content()
            .returning(move |_, _| Ok(Some(content.clone())));
        tx.expect_file().returning(move |_| Ok(Some(pdf.clone())));
    };
    let mut storage = MockStorage::new();
    storage.expect_open().returning(|file, _| {
        Err(StorageError::Missing {
            operation: "open",
            id: file.id,
        })
    });
    let share_access = ShareAccess {
        storage: Arc::new(storage),
        // The writing transaction expects no call.
        ..share_access(reads, |_| {})
    };
    let failed = share_access.open(&share_token(), Some(&viewer_key()), &[]);
    assert!(matches!(failed, Err(ShareAccessError::FileUnreadable(_))));
}

#[test]
fn no_view_begins_on_a_link_that_expires_while_it_waits_to_be_counted() {
    let expiring = ShareTerms::TimeDependent {
        expires_at: at(30),
        max_views: None,
    };
    let expiring = gate(share(expiring), Some(progress(true)));
    let reads = |tx: &mut MockTransaction| {
        expiring(tx);
        with_content(tx);
    };
    // The writing transaction expects no view.
    let area = share_access(reads, &expiring);
    let deps = Deps {
        clock: Arc::new(MinuteClock::default()),
        ..area.deps.clone()
    };
    let late = ShareAccess { deps, ..area }.open(&share_token(), Some(&viewer_key()), &[]);
    assert!(matches!(late, Err(ShareAccessError::NotFound)), "{late:?}");
}

#[test]
fn losing_the_race_for_the_last_view_returns_no_content() {
    let error = share_access(ready_to_view, |writes| {
        gate(one_time(), Some(progress(true)))(writes);
        writes.expect_claim_view().returning(|_| Ok(false));
        writes.expect_revision_content().times(0);
    })
    .open(&share_token(), Some(&viewer_key()), &[])
    .unwrap_err();
    assert!(matches!(error, ShareAccessError::NotFound));
}

/// A recipient whose view goes on.
pub(super) fn viewing(tx: &mut MockTransaction) {
    gate(one_time(), Some(viewing_revision(3)))(tx);
    with_content(tx);
}

#[test]
fn an_active_view_reloads_without_writing() {
    let access = share_access(viewing, |_| {});
    let opened = access
        .open(&share_token(), Some(&viewer_key()), &[])
        .unwrap();
    assert!(matches!(opened.stage, Stage::Open { .. }));
    let again = access.open_again(&share_token(), Some(&viewer_key()), &[]);
    assert_eq!(again.unwrap(), Some(opened));
}

/// Returns the gate as the database finds it for [`viewer_key`].
pub(super) fn found(share: Share, progress: Option<RecipientProgress>) -> FoundGate {
    let is_viewing = progress.iter().any(|progress| progress.grant.is_some());
    FoundGate {
        context: GateContext {
            share,
            idea_exists: true,
            progress,
        },
        disclosed: disclosed(draft_idea()),
        viewer: Some(viewer()),
        code: None,
        is_delivered: !is_viewing,
        content: is_viewing.then(|| Content::Html("<p>Secret</p>".into())),
        limited_until: None,
    }
}

/// The progress of a recipient whose view of a revision goes on.
pub(super) fn viewing_revision(revision: i32) -> RecipientProgress {
    let grant = ViewGrant {
        id: ViewGrantId::from_random([3; 16]),
        share: one_time().id,
        recipient: progress(true).recipient.id,
        revision,
        revision_sha256: draft_idea().sha256,
        granted_at: at(-10),
        ends_at: at(10),
    };
    RecipientProgress {
        grant: Some(grant),
        ..progress(true)
    }
}

fn open_again(gate: FoundGate) -> Result<Option<ShareView>, ShareAccessError> {
    let access = share_access(
        |reads| {
            reads
                .expect_find_gate()
                .returning(move |_| Ok(Some(gate.clone())));
        },
        |_| {},
    );
    access.open_again(&share_token(), Some(&viewer_key()), &[])
}

#[test]
fn one_statement_shows_what_was_shown_before() {
    let current = draft_idea().revision;
    let by_email = ShareTerms::Email {
        recipient: progress(false).recipient.email,
    };
    for (share, progress, stage_of) in [
        (one_time(), None, "collect"),
        (share(by_email), Some(progress(false)), "code"),
        (one_time(), Some(progress(false)), "agreement"),
        (one_time(), Some(viewing_revision(current)), "open"),
    ] {
        let known = open_again(found(share, progress)).unwrap().unwrap();
        let stage = match known.stage {
            Stage::Collect => "collect",
            Stage::Nda(_) => "agreement",
            Stage::Open { .. } => "open",
            Stage::Verify(_) => "code",
        };
        assert_eq!(stage, stage_of);
    }
    // Recorded when it was shown before.
    let newer = FoundGate {
        is_delivered: true,
        ..found(one_time(), Some(viewing_revision(current - 1)))
    };
    assert!(open_again(newer).unwrap().is_some());
}

#[test]
fn who_has_guessed_too_much_has_to_wait() {
    let limited = open_again(FoundGate {
        limited_until: Some(at(60)),
        ..found(one_time(), Some(viewing_revision(3)))
    });
    let Failure::TooMany { retry_after } = limited.unwrap_err().into() else {
        panic!("it was shown");
    };
    assert_eq!(retry_after.as_secs(), 61);
}

#[test]
fn one_statement_shows_nothing_that_is_counted_or_recorded() {
    let current = draft_idea().revision;
    for gate in [
        // A newer revision is recorded when it is shown.
        found(one_time(), Some(viewing_revision(current - 1))),
        // A view is counted.
        found(one_time(), Some(progress(true))),
        // So is the first showing of an agreement.
        FoundGate {
            is_delivered: false,
            ..found(one_time(), Some(progress(false)))
        },
    ] {
        assert_eq!(open_again(gate.clone()).unwrap(), None, "{gate:?}");
    }
}

#[test]
fn a_dead_link_shows_nothing_again() {
    let revoked = Share {
        revoked_at: Some(at(-1)),
        ..one_time()
    };
    let mut deleted = found(one_time(), Some(viewing_revision(3)));
    deleted.context.idea_exists = false;
    for gate in [found(revoked, Some(viewing_revision(3))), deleted] {
        let refused = open_again(gate);
        assert!(matches!(refused, Err(ShareAccessError::NotFound)));
    }
}

#[test]
fn a_new_key_takes_over_before_anything_is_shown_again() {
    let mut new_key = found(one_time(), None);
    new_key.viewer = Some(ViewerSession {
        replaces: Some(ViewerSessionId::from_random([8; 16])),
        ..viewer()
    });
    let mut gates = vec![found(one_time(), Some(viewing_revision(3))), new_key];
    let access = share_access(
        |reads| {
            reads.expect_find_gate().returning(move |_| Ok(gates.pop()));
        },
        |writes| {
            writes
                .expect_replace_viewer_session()
                .times(1)
                .returning(|_, _| Ok(()));
        },
    );
    let shown = access.open_again(&share_token(), Some(&viewer_key()), &[]);
    let stage = shown.unwrap().unwrap().stage;
    assert!(matches!(stage, Stage::Open { .. }));
}

#[test]
fn registering_offers_an_agreement_with_idea_and_parties() {
    let registered = share_access(
        |_| {},
        |writes| {
            gate(one_time(), None)(writes);
            renews(writes, Some(viewer().id));
            writes.expect_add_recipient().times(1).returning(|_| Ok(()));
        },
    )
    .register(
        &ShareReference::Token(share_token()),
        DETAILS,
        Some(&viewer_key()),
        &origin(),
        None,
    )
    .unwrap();
    assert_ne!(registered.new_viewer_key, viewer_key());
    let text = registered.recipient.agreement.text();
    for part in ["Kettle", "Ada Lovelace", "Grace Hopper"] {
        assert!(text.contains(part));
    }
}

#[test]
fn a_link_ends_with_its_account_also_during_a_registration() {
    let gone = share_access(
        |_| {},
        |writes| {
            gate(one_time(), None)(writes);
            renews(writes, Some(viewer().id));
            writes
                .expect_add_recipient()
                .returning(|_| Err(DatabaseError::AccountGone { operation: "test" }));
        },
    )
    .register(
        &ShareReference::Token(share_token()),
        DETAILS,
        Some(&viewer_key()),
        &origin(),
        None,
    );
    assert!(matches!(gone, Err(ShareAccessError::NotFound)), "{gone:?}");
}

#[test]
fn an_unknown_browser_gets_its_own_key() {
    let registered = share_access(
        |_| {},
        |writes| {
            gate(one_time(), None)(writes);
            renews(writes, None);
            writes.expect_add_recipient().returning(|_| Ok(()));
        },
    )
    .register(
        &ShareReference::Id(one_time().id),
        DETAILS,
        None,
        &origin(),
        None,
    )
    .unwrap();
    assert_eq!(registered.recipient.viewer_session, fresh_session());
}

#[test]
fn a_replaced_key_still_identifies_the_browser() {
    let registered = share_access(
        |_| {},
        |writes| {
            let gate = FoundGate {
                viewer: None,
                ..found(one_time(), None)
            };
            writes
                .expect_find_gate()
                .returning(move |_| Ok(Some(gate.clone())));
            writes
                .expect_browser_of()
                .withf(|key| *key == viewer_key().hash())
                .returning(|_| Ok(Some(viewer().browser)));
            writes
                .expect_add_viewer_session()
                .withf(|fresh| fresh.browser == viewer().browser && fresh.replaces.is_none())
                .times(1)
                .returning(|_| Ok(()));
            writes.expect_add_recipient().returning(|_| Ok(()));
        },
    )
    .register(
        &ShareReference::Token(share_token()),
        DETAILS,
        Some(&viewer_key()),
        &origin(),
        None,
    )
    .unwrap();
    // Nothing that the browser had is found by it.
    assert_eq!(registered.recipient.identity, Identity::SelfDeclared);
}

#[test]
fn an_email_link_admits_only_its_address() {
    let recipient = Email::parse("other@example.org").unwrap();
    let email_share = share(ShareTerms::Email { recipient });
    let error = share_access(|_| {}, gate(email_share, None))
        .register(
            &ShareReference::Token(share_token()),
            DETAILS,
            None,
            &origin(),
            None,
        )
        .unwrap_err();
    assert!(matches!(Failure::from(error), Failure::Forbidden(_)));
}

#[test]
fn agreeing_records_the_agreement_and_the_origin() {
    let agreement_digest = progress(false).recipient.agreement.digest();
    let state = share_access(
        |_| {},
        |writes| {
            gate(one_time(), Some(progress(false)))(writes);
            advances(writes);
            writes
                .expect_add_acceptance()
                .withf(move |acceptance| {
                    acceptance.nda_sha256 == agreement_digest
                        && acceptance.revision_sha256 == draft_idea().sha256
                        && acceptance.accepted_at == at(0)
                        && acceptance.origin == Some(origin())
                })
                .times(1)
                .returning(|_| Ok(true));
        },
    )
    .agree(
        progress(false).recipient.id,
        true,
        Some(&viewer_key()),
        origin(),
        None,
    )
    .unwrap();
    assert!(state.state.agreed);
    assert!(state.new_viewer_key.is_some());
}

#[test]
fn beyond_the_daily_cap_an_agreement_counts_without_a_mail() {
    let mut confirmed = progress(false);
    confirmed.recipient.identity = Identity::EmailConfirmed { at: at(0) };
    let id = confirmed.recipient.id;
    let agreed = share_access(
        |_| {},
        |writes| {
            gate(one_time(), Some(confirmed))(writes);
            advances(writes);
            writes
                .expect_add_acceptance()
                .times(1)
                .returning(|_| Ok(true));
            let receipts = count_key(RateLimit::ReceiptsOfOwner, &owner().to_string());
            writes
                .expect_count_event()
                .withf(move |key, _, _, most| *key == receipts && *most == 200)
                .times(1)
                .returning(|_, _, ends, _| Ok(Some(ends)));
            writes.expect_queue_mail().never();
        },
    )
    .agree(id, true, Some(&viewer_key()), origin(), None);
    assert!(agreed.unwrap().state.agreed);
}

#[test]
fn another_browser_cannot_agree() {
    let mut foreign = progress(false);
    foreign.recipient.viewer_session = ViewerSessionId::from_random([99; 16]);
    let id = foreign.recipient.id;
    let error = share_access(|_| {}, gate(one_time(), Some(foreign)))
        .agree(id, true, Some(&viewer_key()), origin(), None)
        .unwrap_err();
    assert!(matches!(error, ShareAccessError::NotFound));
}

#[test]
fn agreed_can_only_be_true() {
    let error = share_access(|_| {}, |_| {})
        .agree(
            progress(false).recipient.id,
            false,
            Some(&viewer_key()),
            origin(),
            None,
        )
        .unwrap_err();
    assert!(matches!(error, ShareAccessError::Invalid(invalid) if invalid.field == "agreed"));
}

#[test]
fn a_view_claimed_by_another_tab_is_shared() {
    let mut viewing = progress(true);
    viewing.grant = Some(ViewGrant {
        id: ViewGrantId::from_random([3; 16]),
        share: viewing.recipient.share,
        recipient: viewing.recipient.id,
        revision: 3,
        revision_sha256: draft_idea().sha256,
        granted_at: at(0),
        ends_at: at(1700),
    });
    let opened = share_access(ready_to_view, |writes| {
        let mut gates = vec![
            found(one_time(), Some(viewing)),
            found(one_time(), Some(progress(true))),
        ];
        writes
            .expect_find_gate()
            .returning(move |_| Ok(gates.pop()));
        writes.expect_claim_view().returning(|_| Ok(false));
    })
    .open(&share_token(), Some(&viewer_key()), &[])
    .unwrap();
    assert!(matches!(opened.stage, Stage::Open { ends_at, .. } if ends_at == Some(at(1700))));
}

#[test]
fn opening_an_idea_that_is_deleted_concurrently_is_not_found() {
    let error = share_access(ready_to_view, |writes| {
        gate(one_time(), Some(progress(true)))(writes);
        writes.expect_claim_view().returning(|_| Ok(true));
        writes.expect_revision_content().returning(|_, _| Ok(None));
        let deleted = Idea {
            deleted_at: Some(at(-1)),
            ..draft_idea()
        };
        has_idea(writes, deleted);
    })
    .open(&share_token(), Some(&viewer_key()), &[])
    .unwrap_err();
    assert!(matches!(error, ShareAccessError::NotFound));
}

#[test]
fn closing_the_link_of_a_deleted_idea_is_not_found() {
    let error = share_access(
        |_| {},
        |writes| {
            let mut gate = found(one_time(), Some(progress(true)));
            gate.context.idea_exists = false;
            writes
                .expect_find_gate()
                .returning(move |_| Ok(Some(gate.clone())));
        },
    )
    .close(&share_token(), Some(&viewer_key()))
    .unwrap_err();
    assert!(matches!(error, ShareAccessError::NotFound));
}

/// A registration that a concurrent call closes before this one ends it.
fn closed_meanwhile(agreed: bool) -> impl FnOnce(&mut MockTransaction) {
    move |tx| {
        let open = progress(agreed);
        let mut closed = open.clone();
        closed.recipient.closed_at = Some(at(0));
        let gate_of = |progress| found(share(ShareTerms::FullAccess), Some(progress));
        let mut gates = vec![gate_of(closed), gate_of(open)];
        tx.expect_find_gate()
            .times(2)
            .returning(move |_| Ok(gates.pop()));
        tx.expect_end_recipient()
            .times(1)
            .returning(|_, _, _, _| Ok(false));
    }
}

#[test]
fn closing_twice_at_once_succeeds_twice() {
    share_access(|_| {}, closed_meanwhile(true))
        .close(&share_token(), Some(&viewer_key()))
        .unwrap();
}

#[test]
fn declining_while_the_document_is_closed_is_recorded() {
    share_access(
        |_| {},
        |writes| {
            closed_meanwhile(false)(writes);
            writes
                .expect_decline_closed()
                .times(1)
                .returning(|_, _| Ok(true));
        },
    )
    .decline(&share_token(), Some(&viewer_key()))
    .unwrap();
}

#[test]
fn closing_a_registration_that_is_accepted_meanwhile_ends_no_other() {
    let refused = share_access(
        |_| {},
        |writes| {
            // Its registration has moved to another key, and an older one is the newest.
            let mut older = progress(false);
            older.recipient.id = RecipientId::from_random([3; 16]);
            older.recipient.closed_at = Some(at(-10));
            let gate_of = |progress| found(share(ShareTerms::FullAccess), Some(progress));
            let mut gates = vec![gate_of(older), gate_of(progress(false))];
            writes
                .expect_find_gate()
                .returning(move |_| Ok(gates.pop()));
            writes
                .expect_end_recipient()
                .returning(|_, _, _, _| Ok(false));
        },
    )
    .decline(&share_token(), Some(&viewer_key()));
    assert!(matches!(refused, Err(ShareAccessError::NotFound)));
}
