//! Views are counted by the database, and never exceed a limit.

use chrono::Duration;

use ideavault_domain::email::Email;
use ideavault_domain::gate::Refusal;
use ideavault_domain::ports::{GateAddress, Transaction};
use ideavault_domain::recipient::{Ending, Recipient, ViewGrant};
use ideavault_domain::share::{Share, ShareTerms};

use crate::support::{
    Fixture, at, full_access, grant, on_both_databases, one_time, race, time_dependent,
};

on_both_databases!(
    a_claim_counts_a_view_and_records_the_grant,
    a_recipient_can_view_again_unless_the_link_is_one_time,
    a_one_time_link_gives_each_recipient_one_view,
    a_one_time_link_gives_a_browser_one_view_across_registrations,
    a_one_time_link_gives_a_browser_one_view_across_concurrent_keys,
    concurrent_keys_of_one_browser_claim_one_view_of_a_one_time_link,
    what_the_gate_refuses_is_not_counted,
    closing_concurrently_with_a_claim_leaves_no_view_after_the_end,
    a_registration_gets_no_view_of_another_link,
    an_idea_that_is_gone_gives_no_view,
    an_expired_link_gives_no_view,
    an_exhausted_link_gives_no_view,
    one_of_64_concurrent_recipients_gets_the_only_view,
    concurrent_claims_of_one_recipient_use_one_view,
    concurrent_recipients_get_every_view_and_no_more,
    the_database_refuses_to_count_past_the_limit,
);

fn claim(fixture: &Fixture, grant: &ViewGrant) -> bool {
    fixture.write(|tx| tx.shares().claim_view(grant))
}

/// Asserts that the claim fails and leaves nothing behind.
fn assert_refused(fixture: &Fixture, grant: &ViewGrant) {
    let share = fixture.share(grant.share);
    let grants = fixture.count("view_grants");
    assert!(!claim(fixture, grant));
    assert_eq!(fixture.share(grant.share), share);
    assert_eq!(fixture.count("view_grants"), grants);
}

fn stored_grant(fixture: &Fixture, recipient: &Recipient) -> Option<ViewGrant> {
    fixture
        .read(|tx| tx.recipients().registration(recipient.id))
        .unwrap()
        .progress
        .grant
}

fn a_claim_counts_a_view_and_records_the_grant(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let guest = fixture.add_guest(&share);
    let grant = grant(&guest, at(6));

    assert!(claim(fixture, &grant));

    assert_eq!(
        fixture.share(share.id),
        Share {
            view_count: 1,
            ..share
        }
    );
    assert_eq!(stored_grant(fixture, &guest), Some(grant));
}

fn a_recipient_can_view_again_unless_the_link_is_one_time(fixture: &Fixture) {
    let idea = fixture.add_draft();
    for terms in [full_access(), time_dependent(at(1_000), Some(2))] {
        let share = fixture.add_share(idea.id, terms);
        let guest = fixture.add_guest(&share);
        let (first, second) = (grant(&guest, at(6)), grant(&guest, at(60)));
        assert!(claim(fixture, &first));
        assert!(claim(fixture, &second));
        assert_eq!(fixture.share(share.id).view_count, 2);
        assert_eq!(stored_grant(fixture, &guest), Some(second));
    }
}

fn a_one_time_link_gives_each_recipient_one_view(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, one_time(3));
    let (one, two) = (fixture.add_guest(&share), fixture.add_guest(&share));
    assert!(claim(fixture, &grant(&one, at(6))));
    assert_refused(fixture, &grant(&one, at(60)));
    assert!(claim(fixture, &grant(&two, at(61))));
    assert_eq!(fixture.share(share.id).view_count, 2);
}

fn a_one_time_link_gives_a_browser_one_view_across_registrations(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, one_time(3));
    let former = fixture.add_viewer();
    let first = fixture.add_reader(former.id, &share);
    let next = fixture.add_key(&former);
    let again = fixture.add_reader(next.id, &share);
    assert!(claim(fixture, &grant(&first, at(6))));
    fixture.write(|tx| tx.recipients().replace_viewer_session(&next, at(7)));
    assert_refused(fixture, &grant(&again, at(8)));
    assert!(claim(fixture, &grant(&fixture.add_guest(&share), at(9))));
}

fn a_one_time_link_gives_a_browser_one_view_across_concurrent_keys(fixture: &Fixture) {
    let idea = fixture.add_draft();
    // Whichever of the keys is used first, and whether or not the registrations got
    // keys of their own since.
    for used in 0..3 {
        let share = fixture.add_share(idea.id, one_time(3));
        let former = fixture.add_viewer();
        let keys = [(); 3].map(|()| fixture.add_key(&former));
        let readers = keys
            .each_ref()
            .map(|key| fixture.add_reader(key.id, &share));
        for key in &keys {
            fixture.write(|tx| tx.recipients().replace_viewer_session(key, at(6)));
        }
        assert!(claim(fixture, &grant(&readers[used], at(7))));
        for (reader, key) in readers.iter().zip(&keys) {
            let next = fixture.add_key(key);
            let moved = |tx: &mut dyn Transaction| {
                tx.recipients().move_recipient(reader.id, key.id, next.id)
            };
            assert!(fixture.write(moved));
            assert_refused(fixture, &grant(reader, at(60)));
        }
        assert!(claim(fixture, &grant(&fixture.add_guest(&share), at(61))));
    }
}

fn concurrent_keys_of_one_browser_claim_one_view_of_a_one_time_link(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, one_time(8));
    let former = fixture.add_viewer();
    let readers: Vec<_> = (0..8)
        .map(|_| fixture.add_reader(fixture.add_key(&former).id, &share))
        .collect();
    let claimed = race(8, |index| claim(fixture, &grant(&readers[index], at(7))));
    assert_eq!(claimed.into_iter().filter(|claimed| *claimed).count(), 1);
    assert_eq!(fixture.share(share.id).view_count, 1);
}

/// The statement that counts a view knows each condition of the gate by itself.
fn what_the_gate_refuses_is_not_counted(fixture: &Fixture) {
    for refusal in Refusal::in_order() {
        let terms = match refusal {
            Refusal::UsedUp => one_time(1),
            Refusal::Unconfirmed => ShareTerms::Email {
                recipient: Email::from_stored("guest@example.org".into()),
            },
            Refusal::Ended | Refusal::Unregistered | Refusal::NotAgreed => full_access(),
        };
        let share = fixture.add_share(fixture.add_draft().id, terms);
        let viewer = fixture.add_viewer();
        let reader = fixture.add_recipient(viewer.id, &share);
        if refusal != Refusal::NotAgreed {
            fixture.accept(&reader);
        }
        match refusal {
            Refusal::Ended => {
                assert!(fixture.write(|tx| tx.shares().revoke_share(share.id, at(5))));
            }
            Refusal::UsedUp => assert!(claim(fixture, &grant(&fixture.add_guest(&share), at(5)))),
            Refusal::Unregistered => assert!(fixture.end(&reader, Ending::Closed, at(5))),
            Refusal::Unconfirmed | Refusal::NotAgreed => {}
        }
        let gate = fixture.gate(GateAddress::Share(share.id), viewer.id);
        let context = gate.unwrap().context;
        assert_eq!(context.require_view(at(9)).unwrap_err(), refusal);
        assert_refused(fixture, &grant(&reader, at(9)));
    }
}

fn closing_concurrently_with_a_claim_leaves_no_view_after_the_end(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    for _ in 0..20 {
        let guest = fixture.add_guest(&share);
        let done = race(2, |index| match index {
            0 => {
                let closed = fixture.end(&guest, Ending::Closed, at(6));
                // The view that the reader got is one from before the end.
                let seen = stored_grant(fixture, &guest);
                assert!(closed);
                seen.is_some()
            }
            _ => claim(fixture, &grant(&guest, at(5))),
        });
        assert_eq!(done[0], done[1], "a view after the end, or a lost one");
    }
}

fn a_registration_gets_no_view_of_another_link(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let guest = fixture.add_guest(&fixture.add_share(idea.id, full_access()));
    let other = fixture.add_share(idea.id, full_access());
    let foreign = ViewGrant {
        share: other.id,
        ..grant(&guest, at(6))
    };
    assert_refused(fixture, &foreign);
}

fn an_idea_that_is_gone_gives_no_view(fixture: &Fixture) {
    let [deleted, disabled] = [(); 2].map(|()| fixture.add_draft());
    let guests = [&deleted, &disabled]
        .map(|idea| fixture.add_guest(&fixture.add_share(idea.id, full_access())));
    assert!(fixture.write(|tx| tx.ideas().delete_draft(deleted.id, at(6))));
    assert!(fixture.write(|tx| {
        tx.administration()
            .set_disabled(disabled.owner, Some(at(6)))
    }));
    for guest in &guests {
        assert_refused(fixture, &grant(guest, at(7)));
    }
}

fn an_expired_link_gives_no_view(fixture: &Fixture) {
    let idea = fixture.add_draft();
    // Also at a whole second, whose text form has another length.
    let whole = at(100) - Duration::microseconds(123_456);
    for end in [at(100), whole] {
        let share = fixture.add_share(idea.id, time_dependent(end, None));
        let guest = fixture.add_guest(&share);
        for late in [
            end,
            end + Duration::microseconds(1),
            end + Duration::milliseconds(1),
            end + Duration::days(365),
        ] {
            assert_refused(fixture, &grant(&guest, late));
        }
        for early in [
            end - Duration::microseconds(1),
            end - Duration::milliseconds(1),
            end - Duration::seconds(1),
        ] {
            let guest = fixture.add_guest(&share);
            assert!(claim(fixture, &grant(&guest, early)), "{early}");
        }
    }
}

fn an_exhausted_link_gives_no_view(fixture: &Fixture) {
    let idea = fixture.add_draft();
    for terms in [one_time(2), time_dependent(at(1_000), Some(2))] {
        let share = fixture.add_share(idea.id, terms);
        for _ in 0..2 {
            assert!(claim(fixture, &grant(&fixture.add_guest(&share), at(6))));
        }
        assert_refused(fixture, &grant(&fixture.add_guest(&share), at(6)));
    }
}

fn one_of_64_concurrent_recipients_gets_the_only_view(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, one_time(1));
    let guests: Vec<_> = (0..64).map(|_| fixture.add_guest(&share)).collect();
    let claimed = race(64, |index| claim(fixture, &grant(&guests[index], at(6))));
    assert_eq!(claimed.into_iter().filter(|claimed| *claimed).count(), 1);
    assert_eq!(fixture.share(share.id).view_count, 1);
    assert_eq!(fixture.count("view_grants"), 1);
}

fn concurrent_claims_of_one_recipient_use_one_view(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, one_time(8));
    let guest = fixture.add_guest(&share);
    let claimed = race(16, |_| claim(fixture, &grant(&guest, at(6))));
    assert_eq!(claimed.into_iter().filter(|claimed| *claimed).count(), 1);
    assert_eq!(fixture.share(share.id).view_count, 1);
    assert_eq!(fixture.count("view_grants"), 1);
}

fn concurrent_recipients_get_every_view_and_no_more(fixture: &Fixture) {
    let terms = time_dependent(at(1_000), Some(10));
    let share = fixture.add_share(fixture.add_draft().id, terms);
    let guests: Vec<_> = (0..32).map(|_| fixture.add_guest(&share)).collect();
    let claimed = race(32, |index| claim(fixture, &grant(&guests[index], at(6))));
    assert_eq!(claimed.into_iter().filter(|claimed| *claimed).count(), 10);
    assert_eq!(fixture.share(share.id).view_count, 10);
    assert_eq!(fixture.count("view_grants"), 10);
}

fn the_database_refuses_to_count_past_the_limit(fixture: &Fixture) {
    fixture.add_share(fixture.add_draft().id, one_time(1));
    fixture.refuses(
        " constraint",
        &[
            "UPDATE shares SET view_count = 2",
            "UPDATE shares SET view_count = -1",
        ],
    );
}
