use ideavault_domain::activity::ActivityEvent;
use ideavault_domain::evidence::Event;
use ideavault_domain::gate::RecipientProgress;
use ideavault_domain::idea::DocumentId;
use ideavault_domain::ids::{IdeaId, RecipientId};
use ideavault_domain::nda::Agreement;
use ideavault_domain::ports::{Database as _, DatabaseError, RecipientWithShare, Transaction};
use ideavault_domain::recipient::{Ending, Recipient, ViewerSession};
use ideavault_domain::share::Share;
use ideavault_domain::text::{DeclineReason, PersonName, Phone, Title};

use crate::support::{
    Fixture, acceptance, at, by_email, bytes, full_access, grant, on_both_databases, one_time,
    race, recipient, token,
};

on_both_databases!(
    a_browser_is_found_by_its_key,
    a_registration_round_trips_with_its_agreement_verbatim,
    an_agreement_that_does_not_match_its_recipient_is_refused,
    a_registration_includes_its_acceptance_and_its_newest_view,
    a_view_of_a_one_time_link_counts_for_all_registrations_of_its_browser,
    a_new_key_takes_over_the_registrations_of_its_browser,
    the_first_used_of_two_new_keys_takes_over,
    a_replaced_key_still_identifies_its_browser,
    a_registration_moves_to_one_session_once,
    a_browser_registers_on_each_link_separately,
    the_newest_registration_may_be_closed,
    open_registrations_are_listed_newest_first,
    a_registration_says_whether_its_idea_exists,
    a_damaged_registration_leaves_the_others_of_its_browser,
    the_first_closing_is_kept,
    unknown_recipients_are_not_found,
    the_first_reason_for_declining_is_kept_until_the_person_is_erased,
    an_accepted_registration_opens_again_for_another_view,
    only_an_accepted_registration_opens_again,
    confirmed_acceptances_of_a_link_are_listed_newest_first,
);

fn erase(fixture: &Fixture, reader: &Recipient) {
    let share = fixture.share(reader.share);
    let event = Event::person_erased(share.idea, share.id, reader.id, at(9));
    fixture.write(|tx| {
        tx.evidence_log().append_event(&event)?;
        tx.erasures().erase_person(reader.id, false, at(9))
    });
}

/// The reasons for declining in the activity of an idea, newest first.
fn reasons(fixture: &Fixture, idea: IdeaId) -> Vec<Option<String>> {
    let events = fixture
        .activity_of(idea)
        .into_iter()
        .map(|entry| entry.event);
    events
        .filter_map(|event| match event {
            ActivityEvent::Declined { reason } => Some(reason.map(|reason| reason.to_string())),
            _ => None,
        })
        .collect()
}

fn the_first_reason_for_declining_is_kept_until_the_person_is_erased(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let share = fixture.add_share(idea.id, full_access());
    let reader = fixture.add_recipient(fixture.add_viewer().id, &share);
    let add = |text: &str| {
        let reason = DeclineReason::parse_optional(Some(text)).unwrap().unwrap();
        fixture.write(|tx| tx.recipients().add_decline_reason(reader.id, &reason));
    };
    // Nothing was declined yet.
    add("Too early");
    assert!(fixture.end(&reader, Ending::Declined, at(5)));
    assert_eq!(reasons(fixture, idea.id), [None]);
    add("Too strict");
    add("Another one");
    assert_eq!(reasons(fixture, idea.id), [Some("Too strict".into())]);
    erase(fixture, &reader);
    assert_eq!(reasons(fixture, idea.id), [None]);
    add("After all");
    assert_eq!(reasons(fixture, idea.id), [None]);
}

fn an_accepted_registration_opens_again_for_another_view(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let reader = fixture.add_recipient(fixture.add_viewer().id, &share);
    fixture.write(|tx| tx.recipients().add_acceptance(&acceptance(&reader, at(5))));
    let view = grant(&reader, at(6));
    assert!(fixture.write(|tx| tx.shares().claim_view(&view)));
    let id = reader.id;
    assert!(fixture.end(&reader, Ending::Closed, at(7)));
    let other = fixture.add_viewer();
    assert!(fixture.write(|tx| tx.recipients().reopen_recipient(id, other.id)));
    let progress = registrations(fixture, &other).remove(0).progress;
    assert_eq!(progress.recipient.closed_at, None);
    assert_eq!(progress.grant.map(|grant| grant.ends_at), Some(at(7)));
}

fn only_an_accepted_registration_opens_again(fixture: &Fixture) {
    fixture.begin_log();
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let [registered, erased] =
        [(); 2].map(|()| fixture.add_recipient(fixture.add_viewer().id, &share));
    fixture.write(|tx| tx.recipients().add_acceptance(&acceptance(&erased, at(5))));
    erase(fixture, &erased);
    for reader in [registered, erased] {
        let (id, viewer) = (reader.id, reader.viewer_session);
        fixture.end(&reader, Ending::Closed, at(7));
        assert!(!fixture.write(|tx| tx.recipients().reopen_recipient(id, viewer)));
        let stored = fixture.read(|tx| tx.recipients().registration(id)).unwrap();
        assert!(stored.progress.recipient.closed_at.is_some());
    }
}

fn confirmed_acceptances_of_a_link_are_listed_newest_first(fixture: &Fixture) {
    fixture.begin_log();
    let idea = fixture.add_draft();
    let [share, other] =
        [(); 2].map(|()| fixture.add_share(idea.id, by_email("grace@example.org")));
    let accepted = |share: &Share, is_confirmed: bool, seconds: i64| {
        let reader = fixture.add_recipient(fixture.add_viewer().id, share);
        fixture.write(|tx| {
            if is_confirmed {
                tx.codes().confirm_email(reader.id, at(4))?;
            }
            tx.recipients()
                .add_acceptance(&acceptance(&reader, at(seconds)))
        });
        reader
    };
    let [first, second] = [5, 6].map(|seconds| accepted(&share, true, seconds));
    accepted(&share, false, 7);
    accepted(&other, true, 8);
    fixture.add_recipient(fixture.add_viewer().id, &share);
    let erased = accepted(&share, true, 9);
    erase(fixture, &erased);
    let listed = |most| -> Vec<RecipientId> {
        let found = fixture.read(|tx| tx.recipients().confirmed_acceptances(share.id, most));
        found.into_iter().map(|recipient| recipient.id).collect()
    };
    assert_eq!(listed(9), [second.id, first.id]);
    assert_eq!(listed(1), [second.id]);
    // One that cannot be read is in nobody's way.
    fixture.damage_details(second.id, first.id);
    assert_eq!(listed(9), [first.id]);
}

fn registrations(fixture: &Fixture, viewer: &ViewerSession) -> Vec<RecipientWithShare> {
    let browser = fixture.read(|tx| {
        tx.recipients()
            .browser_registrations(&viewer.key_hash, at(9))
    });
    let browser = browser.unwrap();
    assert_eq!(browser.viewer.id, viewer.id);
    let open = browser.open.into_iter();
    open.map(|gate| RecipientWithShare {
        progress: gate.progress.unwrap(),
        share: gate.share,
    })
    .collect()
}

fn a_browser_is_found_by_its_key(fixture: &Fixture) {
    let viewer = fixture.add_viewer();
    let found = fixture.read(|tx| tx.recipients().viewer_session(&viewer.key_hash));
    assert_eq!(found, Some(viewer));
    assert_eq!(
        fixture.read(|tx| tx.recipients().viewer_session(&token())),
        None
    );
}

fn a_registration_round_trips_with_its_agreement_verbatim(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let plain = recipient(fixture.add_viewer().id, &share, at(4));
    let name = PersonName::from_stored("Grâce \"Amazing\" Hopper".into());
    let full = Recipient {
        name: name.clone(),
        phone: Some(Phone::from_stored("+49 (30) 1234".into())),
        agreement: Agreement {
            idea_title: Title::from_stored("A kettle, renamed since".into()),
            document_id: Some(DocumentId::from_random([3; 12])),
            recipient: name,
            offered_at: at(3),
            ..plain.agreement.clone()
        },
        id: RecipientId::from_random(bytes()),
        viewer_session: fixture.add_viewer().id,
        ..plain.clone()
    };
    for recipient in [plain, full] {
        fixture.write(|tx| tx.recipients().add_recipient(&recipient));
        let stored = fixture
            .read(|tx| tx.recipients().registration(recipient.id))
            .unwrap();
        assert_eq!(
            stored.progress.recipient.agreement.digest(),
            recipient.agreement.digest()
        );
        assert_eq!(
            stored,
            RecipientWithShare {
                progress: RecipientProgress {
                    recipient,
                    acceptance: None,
                    grant: None,
                    browser_had_view: false,
                },
                share: share.clone()
            }
        );
    }
}

fn an_agreement_that_does_not_match_its_recipient_is_refused(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let right = recipient(fixture.add_viewer().id, &share, at(4));
    let another_name = Recipient {
        name: PersonName::from_stored("Mallory".into()),
        ..right.clone()
    };
    let another_idea = Recipient {
        agreement: Agreement {
            idea: fixture.add_draft().id,
            ..right.agreement.clone()
        },
        ..right
    };
    for wrong in [another_name, another_idea] {
        let refused = fixture
            .store
            .write(|tx| tx.recipients().add_recipient(&wrong));
        assert!(
            matches!(refused, Err(DatabaseError::Internal { .. })),
            "{refused:?}"
        );
    }
    assert_eq!(fixture.count("recipients"), 0);
}

fn a_registration_includes_its_acceptance_and_its_newest_view(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let viewer = fixture.add_viewer();
    let recipient = fixture.add_recipient(viewer.id, &share);
    let acceptance = acceptance(&recipient, at(5));
    assert!(fixture.write(|tx| tx.recipients().add_acceptance(&acceptance)));
    let first = grant(&recipient, at(6));
    let second = grant(&recipient, first.ends_at);
    for grant in [&first, &second] {
        assert!(fixture.write(|tx| tx.shares().claim_view(grant)));
    }
    let expected = RecipientProgress {
        acceptance: Some(acceptance),
        grant: Some(second),
        recipient: recipient.clone(),
        browser_had_view: false,
    };

    let guest = fixture.newest(recipient.viewer_session, share.id);
    let registration = fixture.read(|tx| tx.recipients().registration(recipient.id));

    assert_eq!(guest.as_ref(), Some(&expected));
    let registration = registration.unwrap();
    assert_eq!(registration.progress, expected);
    assert_eq!(registration.share.view_count, 2);
    assert_eq!(registrations(fixture, &viewer), [registration]);
}

fn a_view_of_a_one_time_link_counts_for_all_registrations_of_its_browser(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, one_time(3));
    let former = fixture.add_viewer();
    let keys = [(); 2].map(|()| fixture.add_key(&former));
    let readers = keys
        .each_ref()
        .map(|key| fixture.add_reader(key.id, &share));
    let had_view = |reader: &Recipient| {
        let registration = fixture.read(|tx| tx.recipients().registration(reader.id));
        let newest = fixture.newest(reader.viewer_session, share.id).unwrap();
        assert_eq!(registration.unwrap().progress, newest);
        newest.browser_had_view
    };
    assert!(!readers.iter().any(had_view));
    assert!(fixture.write(|tx| tx.shares().claim_view(&grant(&readers[0], at(6)))));
    assert!(readers.iter().all(had_view));
    let other = fixture.add_recipient(fixture.add_viewer().id, &share);
    assert!(!had_view(&other));
}

fn a_new_key_takes_over_the_registrations_of_its_browser(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let [one, two] = [(); 2].map(|()| fixture.add_share(idea.id, full_access()));
    let former = fixture.add_viewer();
    let (first, other) = (
        fixture.add_recipient(former.id, &one),
        fixture.add_recipient(former.id, &two),
    );
    let next = fixture.add_key(&former);
    let again = fixture.add_recipient(next.id, &one);
    let of = |viewer: &ViewerSession| {
        let listed = registrations(fixture, viewer).into_iter();
        let ids = listed.map(|found| found.progress.recipient.id);
        ids.collect::<Vec<_>>()
    };
    // While the new session is unused, it has only its own registration.
    assert_eq!(of(&former), [other.id, first.id]);
    assert_eq!(of(&next), [again.id]);
    let found = fixture.read(|tx| tx.recipients().viewer_session(&next.key_hash));
    assert_eq!(found.as_ref(), Some(&next));

    race(4, |_| {
        fixture.write(|tx| tx.recipients().replace_viewer_session(&next, at(8)))
    });

    assert_eq!(of(&next), [again.id, other.id]);
    let found = |viewer: &ViewerSession| {
        fixture.read(|tx| tx.recipients().viewer_session(&viewer.key_hash))
    };
    assert_eq!(found(&former), None);
    assert_eq!(found(&next).unwrap().replaces, None);
    let ended = fixture
        .read(|tx| tx.recipients().registration(first.id))
        .unwrap();
    assert_eq!(ended.progress.recipient.closed_at, Some(at(8)));
}

fn the_first_used_of_two_new_keys_takes_over(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let [one, two] = [(); 2].map(|()| fixture.add_share(idea.id, full_access()));
    let former = fixture.add_viewer();
    fixture.add_recipient(former.id, &one);
    let (used, late) = (fixture.add_key(&former), fixture.add_key(&former));
    let alone = fixture.add_recipient(late.id, &two);
    fixture.write(|tx| tx.recipients().replace_viewer_session(&used, at(8)));
    fixture.write(|tx| tx.recipients().replace_viewer_session(&late, at(9)));
    let listed = registrations(fixture, &late);
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].progress.recipient.id, alone.id);
    let listed = registrations(fixture, &used);
    assert_eq!(listed.len(), 1);
}

fn a_replaced_key_still_identifies_its_browser(fixture: &Fixture) {
    let browser_of = |key| fixture.read(|tx| tx.recipients().browser_of(&key));
    let former = fixture.add_viewer();
    let next = fixture.add_key(&former);
    fixture.write(|tx| tx.recipients().replace_viewer_session(&next, at(8)));
    let last = fixture.add_key(&next);
    for session in [&former, &next, &last] {
        assert_eq!(browser_of(session.key_hash), Some(former.id));
    }
    assert_eq!(browser_of(token()), None);
    let other = fixture.add_viewer();
    assert_eq!(browser_of(other.key_hash), Some(other.id));
}

fn a_registration_moves_to_one_session_once(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let former = fixture.add_viewer();
    let reader = fixture.add_recipient(former.id, &share);
    let next = [(); 4].map(|()| fixture.add_key(&former));
    let moved = race(4, |place| {
        fixture.write(|tx| {
            tx.recipients()
                .move_recipient(reader.id, former.id, next[place].id)
        })
    });
    assert_eq!(moved.into_iter().filter(|moved| *moved).count(), 1);
    let stored = fixture.read(|tx| tx.recipients().registration(reader.id));
    let reader = stored.unwrap().progress.recipient;
    assert!(fixture.end(&reader, Ending::Declined, at(9)));
    let back = |tx: &mut dyn Transaction| {
        tx.recipients()
            .move_recipient(reader.id, reader.viewer_session, former.id)
    };
    assert!(!fixture.write(back));
}

fn a_browser_registers_on_each_link_separately(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let one = fixture.add_share(idea.id, full_access());
    let two = fixture.add_share(idea.id, full_access());
    let viewer = fixture.add_viewer();
    let on_one = fixture.add_recipient(viewer.id, &one);
    fixture.add_recipient(viewer.id, &two);
    fixture.add_recipient(fixture.add_viewer().id, &one);
    let newest = fixture.newest(viewer.id, one.id);
    assert_eq!(newest.unwrap().recipient, on_one);
}

fn the_newest_registration_may_be_closed(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let guest = fixture.add_guest(&share);
    assert!(fixture.end(&guest, Ending::Closed, at(9)));
    let newest = fixture.newest(guest.viewer_session, share.id);
    assert_eq!(newest.unwrap().recipient.closed_at, Some(at(9)));
}

fn open_registrations_are_listed_newest_first(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let viewer = fixture.add_viewer();
    let register = |minute| {
        let share = fixture.add_share(idea.id, full_access());
        let recipient = recipient(viewer.id, &share, at(minute));
        fixture.write(|tx| tx.recipients().add_recipient(&recipient));
        recipient
    };
    let (one, two, three, four) = (register(4), register(5), register(6), register(6));
    assert!(fixture.end(&two, Ending::Closed, at(9)));

    let listed: Vec<_> = registrations(fixture, &viewer)
        .into_iter()
        .map(|registration| registration.progress.recipient)
        .collect();
    assert_eq!(listed, [four, three, one]);
}

fn a_registration_says_whether_its_idea_exists(fixture: &Fixture) {
    let viewer = fixture.add_viewer();
    let [kept, deleted] = [(); 2].map(|()| fixture.add_draft());
    for idea in [&kept, &deleted] {
        fixture.add_recipient(viewer.id, &fixture.add_share(idea.id, full_access()));
    }
    let existing = || {
        let browser = fixture.read(|tx| {
            tx.recipients()
                .browser_registrations(&viewer.key_hash, at(9))
        });
        let open = browser.unwrap().open.into_iter();
        let existing = open.filter(|open| open.idea_exists);
        existing.map(|open| open.share.idea).collect::<Vec<_>>()
    };
    assert_eq!(existing().len(), 2);
    assert!(fixture.write(|tx| tx.ideas().delete_draft(deleted.id, at(9))));
    assert_eq!(existing(), [kept.id]);
    assert!(fixture.write(|tx| tx.administration().set_disabled(kept.owner, Some(at(9)))));
    assert_eq!(existing(), []);
}

fn a_damaged_registration_leaves_the_others_of_its_browser(fixture: &Fixture) {
    let viewer = fixture.add_viewer();
    let [intact, damaged] = [(); 2].map(|()| fixture.add_draft().id);
    for idea in [intact, damaged] {
        let share = fixture.add_share(idea, full_access());
        fixture.add_recipient(viewer.id, &share);
    }
    // A key that was moved does not decrypt.
    fixture
        .sql(&format!(
            "UPDATE idea_keys SET evidence = \
             (SELECT evidence FROM idea_keys WHERE idea_id = {intact}) WHERE idea_id = {damaged}",
        ))
        .unwrap();
    let found = registrations(fixture, &viewer);
    let ideas: Vec<_> = found.iter().map(|found| found.share.idea).collect();
    assert_eq!(ideas, [intact]);
}

fn the_first_closing_is_kept(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let guest = fixture.add_guest(&share);
    assert!(fixture.end(&guest, Ending::Closed, at(9)));
    assert!(!fixture.end(&guest, Ending::Declined, at(10)));
    let stored = fixture.read(|tx| tx.recipients().registration(guest.id));
    assert_eq!(stored.unwrap().progress.recipient.closed_at, Some(at(9)));
}

fn unknown_recipients_are_not_found(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let viewer = fixture.add_viewer();
    let unknown = RecipientId::from_random(bytes());
    assert_eq!(
        fixture.read(|tx| tx.recipients().registration(unknown)),
        None
    );
    let newest = fixture.newest(viewer.id, share.id);
    assert_eq!(newest, None);
    assert_eq!(registrations(fixture, &viewer), []);
}
