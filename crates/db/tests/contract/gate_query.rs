//! One statement finds at a link what separate statements find.

use ideavault_db::holding;
use ideavault_domain::Timestamp;
use ideavault_domain::evidence::Event;
use ideavault_domain::ports::{Database as _, DatabaseError, FoundGate, GateAddress, GateQuery};
use ideavault_domain::rate_limit::{CountKey, CountLimit};
use ideavault_domain::recipient::{Ending, ViewerSession};
use ideavault_domain::share::Share;

use crate::support::{
    Fixture, acceptance, at, draft, full_access, grant, on_both_databases, one_time, race,
    recipient, time_dependent, token,
};

on_both_databases!(
    each_stage_is_found_as_by_separate_statements,
    the_newest_registration_is_found,
    the_content_is_found_only_during_a_view,
    the_delivery_of_an_agreement_is_found,
    the_delivery_of_a_revision_is_found_during_a_view,
    a_replaced_key_is_no_viewer,
    an_idea_that_is_gone_is_found_as_such,
    an_expired_key_is_no_viewer,
    a_gate_is_found_by_its_link_or_by_an_open_registration_of_the_browser,
    a_view_of_a_one_time_link_is_found_for_all_registrations_of_the_browser,
    a_limit_on_guesses_is_found,
    what_is_found_holds_until_time_alone_changes_it,
    a_link_that_is_being_revoked_is_found_before_or_after,
);

fn found(
    fixture: &Fixture,
    share: &Share,
    viewer: Option<&ViewerSession>,
    now: Timestamp,
) -> Option<FoundGate> {
    let query = GateQuery {
        address: GateAddress::Token(share.token_hash),
        viewer: viewer.map(|viewer| &viewer.key_hash),
        with_content: true,
        guesses: &[],
        now,
    };
    let found = fixture
        .store
        .read_one(|tx| tx.recipients().find_gate(&query));
    Result::<_, DatabaseError>::unwrap(found)
}

/// Returns what is found, after comparing it with what separate statements find.
fn compared(
    fixture: &Fixture,
    share: &Share,
    viewer: Option<&ViewerSession>,
    now: Timestamp,
) -> FoundGate {
    let gate = found(fixture, share, viewer, now).unwrap();
    fixture.read(|tx| {
        let found = tx.shares().share_by_token(&share.token_hash)?;
        assert_eq!(Some(&gate.context.share), found.as_ref());
        let disclosed = tx.ideas().disclosed_idea(share.idea)?;
        assert_eq!(Some(&gate.disclosed), disclosed.as_ref());
        let session = match viewer {
            Some(viewer) => tx.recipients().viewer_session(&viewer.key_hash)?,
            None => None,
        };
        assert_eq!(gate.viewer, session);
        if let Some(progress) = &gate.context.progress {
            let same = tx.recipients().registration(progress.recipient.id)?;
            assert_eq!(Some(progress), same.as_ref().map(|found| &found.progress));
        }
        Ok(())
    });
    assert_eq!(gate.limited_until, None);
    gate
}

fn each_stage_is_found_as_by_separate_statements(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_published().id, full_access());
    let viewer = fixture.add_viewer();
    let unknown = ViewerSession {
        key_hash: token(),
        ..viewer.clone()
    };
    for viewer in [None, Some(&unknown), Some(&viewer)] {
        assert_eq!(
            compared(fixture, &share, viewer, at(9)).context.progress,
            None
        );
    }
    let reader = fixture.add_recipient(viewer.id, &share);
    let offered = compared(fixture, &share, Some(&viewer), at(9));
    assert_eq!(offered.context.progress.unwrap().recipient, reader);
    let accepted = acceptance(&reader, at(5));
    fixture.write(|tx| tx.recipients().add_acceptance(&accepted));
    let agreed = compared(fixture, &share, Some(&viewer), at(9));
    assert_eq!(agreed.context.progress.unwrap().acceptance, Some(accepted));
    assert!(fixture.write(|tx| tx.shares().claim_view(&grant(&reader, at(6)))));
    assert!(
        compared(fixture, &share, Some(&viewer), at(9))
            .context
            .progress
            .unwrap()
            .grant
            .is_some()
    );
    assert!(fixture.write(|tx| tx.shares().revoke_share(share.id, at(8))));
    let revoked = compared(fixture, &share, Some(&viewer), at(9));
    assert_eq!(revoked.context.share.revoked_at, Some(at(8)));
}

fn the_newest_registration_is_found(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let viewer = fixture.add_viewer();
    let first = recipient(viewer.id, &share, at(4));
    fixture.write(|tx| tx.recipients().add_recipient(&first));
    fixture.write(|tx| tx.recipients().add_acceptance(&acceptance(&first, at(5))));
    let mut ends_at = at(6);
    for _ in 0..3 {
        let view = grant(&first, ends_at);
        assert!(fixture.write(|tx| tx.shares().claim_view(&view)));
        ends_at = view.ends_at;
    }
    compared(fixture, &share, Some(&viewer), at(7));
    assert!(fixture.end(&first, Ending::Closed, at(8)));
    let closed = compared(fixture, &share, Some(&viewer), at(9));
    assert_eq!(closed.context.progress.unwrap().recipient.id, first.id);
    let second = recipient(viewer.id, &share, at(9));
    fixture.write(|tx| tx.recipients().add_recipient(&second));
    let open = compared(fixture, &share, Some(&viewer), at(9));
    assert_eq!(open.context.progress.unwrap().recipient.id, second.id);
    // Another link of the same browser has its own.
    let other = fixture.add_share(share.idea, full_access());
    assert_eq!(
        compared(fixture, &other, Some(&viewer), at(9))
            .context
            .progress,
        None
    );
}

fn the_content_is_found_only_during_a_view(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let viewer = fixture.add_viewer();
    let content = |now| found(fixture, &share, Some(&viewer), now).unwrap().content;
    assert_eq!(content(at(7)), None);
    let reader = fixture.add_recipient(viewer.id, &share);
    fixture.write(|tx| tx.recipients().add_acceptance(&acceptance(&reader, at(5))));
    assert_eq!(content(at(7)), None);
    let view = grant(&reader, at(6));
    assert!(fixture.write(|tx| tx.shares().claim_view(&view)));
    assert_eq!(content(at(7)), Some(draft("<p>first</p>").content));
    assert_eq!(content(view.ends_at), None);
    // Nobody else's view shows it.
    let stranger = fixture.add_viewer();
    let shown = found(fixture, &share, Some(&stranger), at(7)).unwrap();
    assert_eq!((shown.content, shown.context.progress), (None, None));
}

fn the_delivery_of_an_agreement_is_found(fixture: &Fixture) {
    fixture.begin_log();
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let viewers = [(); 2].map(|()| fixture.add_viewer());
    let [reader, other] = viewers
        .each_ref()
        .map(|viewer| fixture.add_recipient(viewer.id, &share));
    let delivered = |viewer| {
        let gate = found(fixture, &share, Some(viewer), at(9)).unwrap();
        gate.is_delivered
    };
    assert!(!delivered(&viewers[0]));
    let event = Event::agreement_delivered(&other, at(5));
    fixture.write(|tx| tx.evidence_log().append_event(&event));
    assert_eq!([&viewers[0], &viewers[1]].map(delivered), [false, true]);
    let event = Event::agreement_delivered(&reader, at(5));
    fixture.write(|tx| tx.evidence_log().append_event(&event));
    assert!(delivered(&viewers[0]));
}

fn the_delivery_of_a_revision_is_found_during_a_view(fixture: &Fixture) {
    fixture.begin_log();
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let viewer = fixture.add_viewer();
    let reader = fixture.add_reader(viewer.id, &share);
    let view = grant(&reader, at(6));
    assert!(fixture.write(|tx| tx.shares().claim_view(&view)));
    let delivered = |now| {
        found(fixture, &share, Some(&viewer), now)
            .unwrap()
            .is_delivered
    };
    // That of the agreement does not count.
    let agreement = Event::agreement_delivered(&reader, at(5));
    fixture.write(|tx| tx.evidence_log().append_event(&agreement));
    assert!(!delivered(at(7)));
    let current = found(fixture, &share, None, at(7)).unwrap();
    let current = current.disclosed.idea.revision;
    for (revision, expected) in [(current + 1, false), (current, true)] {
        let event = Event::revision_delivered(share.idea, &view, revision, at(7));
        fixture.write(|tx| tx.evidence_log().append_event(&event));
        assert_eq!(delivered(at(7)), expected);
    }
    assert!(delivered(view.ends_at));
}

fn a_replaced_key_is_no_viewer(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let former = fixture.add_viewer();
    fixture.add_recipient(former.id, &share);
    let new = fixture.add_key(&former);
    assert!(
        compared(fixture, &share, Some(&new), at(9))
            .viewer
            .unwrap()
            .replaces
            .is_some()
    );
    fixture.write(|tx| tx.recipients().replace_viewer_session(&new, at(5)));
    let gate = compared(fixture, &share, Some(&former), at(9));
    assert_eq!((gate.viewer, gate.context.progress), (None, None));
    assert!(
        compared(fixture, &share, Some(&new), at(9))
            .context
            .progress
            .is_some()
    );
}

fn an_idea_that_is_gone_is_found_as_such(fixture: &Fixture) {
    let share_of = |idea| fixture.add_share(idea, full_access());
    let [deleted, disabled] = [(); 2].map(|()| fixture.add_draft());
    let shares = [share_of(deleted.id), share_of(disabled.id)];
    let exists = || {
        let gates = shares.each_ref();
        gates.map(|share| {
            found(fixture, share, None, at(9))
                .unwrap()
                .context
                .idea_exists
        })
    };
    assert_eq!(exists(), [true, true]);
    assert!(fixture.write(|tx| tx.ideas().delete_draft(deleted.id, at(5))));
    assert!(fixture.write(|tx| {
        tx.administration()
            .set_disabled(disabled.owner, Some(at(5)))
    }));
    assert_eq!(exists(), [false, false]);
    let unknown = Share {
        token_hash: token(),
        ..shares[0].clone()
    };
    assert_eq!(found(fixture, &unknown, None, at(9)), None);
}

fn an_expired_key_is_no_viewer(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let viewer = fixture.add_viewer();
    fixture.add_recipient(viewer.id, &share);
    let just_live = viewer.ends_at() - chrono::Duration::microseconds(1);
    assert!(
        compared(fixture, &share, Some(&viewer), just_live)
            .context
            .progress
            .is_some()
    );
    let gate = found(fixture, &share, Some(&viewer), viewer.ends_at()).unwrap();
    assert_eq!((gate.viewer, gate.context.progress), (None, None));
}

fn a_gate_is_found_by_its_link_or_by_an_open_registration_of_the_browser(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let viewer = fixture.add_viewer();
    let reader = fixture.add_reader(viewer.id, &share);
    let by_token = fixture.gate(GateAddress::Token(share.token_hash), viewer.id);
    assert!(by_token.is_some());
    assert_eq!(
        fixture.gate(GateAddress::Share(share.id), viewer.id),
        by_token
    );
    let registration = GateAddress::Recipient(reader.id);
    assert_eq!(fixture.gate(registration, viewer.id), by_token);
    let stranger = fixture.add_viewer();
    assert_eq!(fixture.gate(registration, stranger.id), None);
    assert!(fixture.end(&reader, Ending::Closed, at(8)));
    assert_eq!(fixture.gate(registration, viewer.id), None);
}

fn a_view_of_a_one_time_link_is_found_for_all_registrations_of_the_browser(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, one_time(2));
    let viewer = fixture.add_viewer();
    let next = fixture.add_key(&viewer);
    let readers = [&viewer, &next].map(|key| fixture.add_reader(key.id, &share));
    let had_view = |key: &ViewerSession| {
        let gate = compared(fixture, &share, Some(key), at(9));
        gate.context.progress.unwrap().browser_had_view
    };
    assert!(![&viewer, &next].into_iter().any(had_view));
    assert!(fixture.write(|tx| tx.shares().claim_view(&grant(&readers[0], at(6)))));
    assert!([&viewer, &next].into_iter().all(had_view));
    let other = fixture.add_viewer();
    fixture.add_reader(other.id, &share);
    assert!(!had_view(&other));
}

fn a_limit_on_guesses_is_found(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let limit = CountLimit {
        key: CountKey::from_bytes([3; 32]),
        most: 2,
    };
    let other = CountLimit {
        key: CountKey::from_bytes([4; 32]),
        ..limit
    };
    let limited_until = |limits: &[CountLimit], now| {
        let query = GateQuery {
            address: GateAddress::Token(share.token_hash),
            viewer: None,
            with_content: false,
            guesses: limits,
            now,
        };
        let gate = fixture
            .store
            .read_one(|tx| tx.recipients().find_gate(&query));
        Result::<_, DatabaseError>::unwrap(gate)
            .unwrap()
            .limited_until
    };
    for expected in [None, None, Some(at(61))] {
        assert_eq!(limited_until(&[other, other, limit], at(1)), expected);
        fixture.write(|tx| {
            tx.limit_counts()
                .count_event(&limit.key, at(1), at(61), limit.most)
        });
    }
    for (limits, now) in [(&[other][..], at(1)), (&[limit], at(61)), (&[], at(1))] {
        assert_eq!(limited_until(limits, now), None);
    }
}

fn what_is_found_holds_until_time_alone_changes_it(fixture: &Fixture) {
    let idea = fixture.add_draft().id;
    let until = |share: &Share, viewer: Option<&ViewerSession>, now| {
        holding(|| found(fixture, share, viewer, now).unwrap()).1
    };
    let viewer = fixture.add_viewer();
    let lasting = fixture.add_share(idea, full_access());
    assert_eq!(until(&lasting, None, at(6)), Timestamp::MAX_UTC);
    assert_eq!(until(&lasting, Some(&viewer), at(6)), viewer.ends_at());
    let ending = fixture.add_share(idea, time_dependent(at(40), None));
    assert_eq!(until(&ending, Some(&viewer), at(6)), at(40));
    let grant = grant(&fixture.add_reader(viewer.id, &ending), at(6));
    let ((), counted) = holding(|| assert!(fixture.write(|tx| tx.shares().claim_view(&grant))));
    assert_eq!(counted, Timestamp::MIN_UTC);
    assert_eq!(until(&ending, Some(&viewer), at(7)), grant.ends_at);
    let listed = holding(|| {
        fixture.read(|tx| {
            tx.recipients()
                .browser_registrations(&viewer.key_hash, at(7))
        })
    });
    assert_eq!(listed.1, grant.ends_at);
}

fn a_link_that_is_being_revoked_is_found_before_or_after(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let viewer = fixture.add_viewer();
    let reader = fixture.add_recipient(viewer.id, &share);
    fixture.write(|tx| tx.recipients().add_acceptance(&acceptance(&reader, at(5))));
    // In one transaction, so that both are seen or neither.
    let seen = race(4, |number| {
        if number == 0 {
            fixture.write(|tx| {
                tx.shares().revoke_share(share.id, at(8))?;
                tx.recipients()
                    .end_recipient(reader.id, viewer.id, Ending::Closed, at(8))
            });
        }
        (0..20).all(|_| {
            let gate = found(fixture, &share, Some(&viewer), at(9)).unwrap();
            let closed_at = gate.context.progress.unwrap().recipient.closed_at;
            gate.context.share.revoked_at == closed_at
        })
    });
    assert!(seen.into_iter().all(|agrees| agrees));
}
