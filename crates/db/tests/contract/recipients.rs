use ideavault_domain::idea::DocumentId;
use ideavault_domain::ids::RecipientId;
use ideavault_domain::nda::Agreement;
use ideavault_domain::ports::{Registration, Store as _, StoreError};
use ideavault_domain::recipient::Recipient;
use ideavault_domain::text::{PersonName, Phone, Title};
use ideavault_domain::visit::Guest;

use crate::support::{
    Fixture, acceptance, at, bytes, full_access, grant, on_both_databases, race, recipient, token,
};

on_both_databases!(
    a_browser_is_found_by_its_key,
    a_registration_comes_back_with_its_agreement_word_for_word,
    an_agreement_of_somebody_else_is_refused,
    a_registration_carries_its_acceptance_and_its_newest_view,
    registering_again_closes_the_former_registration,
    a_browser_registers_on_each_link_apart,
    racing_registrations_of_one_browser_leave_one_open,
    the_newest_guest_may_be_closed,
    open_registrations_are_listed_newest_first,
    the_first_closing_counts,
    unknown_recipients_are_none,
);

fn a_browser_is_found_by_its_key(fixture: &Fixture) {
    let viewer = fixture.add_viewer();
    let found = fixture.read(|session| session.viewer_session(&viewer.key_hash));
    assert_eq!(found, Some(viewer));
    assert_eq!(
        fixture.read(|session| session.viewer_session(&token())),
        None
    );
}

fn a_registration_comes_back_with_its_agreement_word_for_word(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let viewer = fixture.add_viewer();
    let plain = recipient(viewer.id, &share, at(4));
    let name = PersonName::from_stored("Grâce \"Amazing\" Hopper".into());
    let full = Recipient {
        name: name.clone(),
        phone: Some(Phone::from_stored("+49 (30) 1234".into())),
        agreement: Agreement {
            version: "0.9".into(),
            idea_title: Title::from_stored("A kettle, renamed since".into()),
            document_id: Some(DocumentId::from_random([3; 12])),
            recipient: name,
            offered_at: at(3),
            ..plain.agreement.clone()
        },
        id: RecipientId::from_random(bytes()),
        ..plain.clone()
    };
    for recipient in [plain, full] {
        fixture.write(|session| session.add_recipient(&recipient));
        let stored = fixture
            .read(|session| session.registration(recipient.id))
            .unwrap();
        assert_eq!(
            stored.guest.recipient.agreement.digest(),
            recipient.agreement.digest()
        );
        assert_eq!(
            stored,
            Registration {
                guest: Guest {
                    recipient,
                    acceptance: None,
                    grant: None
                },
                share: share.clone()
            }
        );
    }
}

fn an_agreement_of_somebody_else_is_refused(fixture: &Fixture) {
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
        let refused = fixture.store.write(|session| session.add_recipient(&wrong));
        assert!(
            matches!(refused, Err(StoreError::Internal { .. })),
            "{refused:?}"
        );
    }
    assert_eq!(fixture.count("recipients"), 0);
}

fn a_registration_carries_its_acceptance_and_its_newest_view(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let recipient = fixture.add_guest(&share);
    let first = grant(&recipient, at(6));
    let second = grant(&recipient, first.ends_at);
    for grant in [&first, &second] {
        assert!(fixture.write(|session| session.claim_view(grant)));
    }
    let expected = Guest {
        acceptance: Some(acceptance(&recipient, at(5))),
        grant: Some(second),
        recipient: recipient.clone(),
    };

    let (guest, registration, listed) = fixture.read(|session| {
        Ok((
            session.newest_guest(recipient.viewer_session, share.id)?,
            session.registration(recipient.id)?,
            session.registrations_of(recipient.viewer_session)?,
        ))
    });

    assert_eq!(guest.as_ref(), Some(&expected));
    let registration = registration.unwrap();
    assert_eq!(registration.guest, expected);
    assert_eq!(registration.share.view_count, 2);
    assert_eq!(listed, [registration]);
}

fn registering_again_closes_the_former_registration(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let viewer = fixture.add_viewer();
    let first = fixture.add_recipient(viewer.id, &share);
    let second = recipient(viewer.id, &share, at(8));

    fixture.write(|session| session.add_recipient(&second));

    let former = fixture.read(|session| session.registration(first.id));
    assert_eq!(former.unwrap().guest.recipient.closed_at, Some(at(8)));
    let newest = fixture.read(|session| session.newest_guest(viewer.id, share.id));
    assert_eq!(newest.unwrap().recipient, second);
}

fn a_browser_registers_on_each_link_apart(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let one = fixture.add_share(idea.id, full_access());
    let two = fixture.add_share(idea.id, full_access());
    let viewer = fixture.add_viewer();
    let on_one = fixture.add_recipient(viewer.id, &one);
    fixture.add_recipient(viewer.id, &two);
    fixture.add_recipient(fixture.add_viewer().id, &one);
    let newest = fixture.read(|session| session.newest_guest(viewer.id, one.id));
    assert_eq!(newest.unwrap().recipient, on_one);
}

fn racing_registrations_of_one_browser_leave_one_open(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let viewer = fixture.add_viewer();
    race(8, |_| {
        fixture.add_recipient(viewer.id, &share);
    });
    assert_eq!(fixture.count("recipients"), 8);
    assert_eq!(fixture.count("recipients WHERE closed_at IS NULL"), 1);
    let newest = fixture.read(|session| session.newest_guest(viewer.id, share.id));
    assert_eq!(newest.unwrap().recipient.closed_at, None);
}

fn the_newest_guest_may_be_closed(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let guest = fixture.add_guest(&share);
    fixture.write(|session| session.close_recipient(guest.id, at(9)));
    let newest = fixture.read(|session| session.newest_guest(guest.viewer_session, share.id));
    assert_eq!(newest.unwrap().recipient.closed_at, Some(at(9)));
}

fn open_registrations_are_listed_newest_first(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let viewer = fixture.add_viewer();
    let register = |minute| {
        let share = fixture.add_share(idea.id, full_access());
        let recipient = recipient(viewer.id, &share, at(minute));
        fixture.write(|session| session.add_recipient(&recipient));
        recipient
    };
    let (one, two, three, four) = (register(4), register(5), register(6), register(6));
    fixture.write(|session| session.close_recipient(two.id, at(9)));

    let listed = fixture.read(|session| session.registrations_of(viewer.id));

    let listed: Vec<_> = listed
        .into_iter()
        .map(|registration| registration.guest.recipient)
        .collect();
    assert_eq!(listed, [four, three, one]);
}

fn the_first_closing_counts(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let guest = fixture.add_guest(&share);
    fixture.write(|session| session.close_recipient(guest.id, at(9)));
    fixture.write(|session| session.close_recipient(guest.id, at(10)));
    let stored = fixture.read(|session| session.registration(guest.id));
    assert_eq!(stored.unwrap().guest.recipient.closed_at, Some(at(9)));
}

fn unknown_recipients_are_none(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let viewer = fixture.add_viewer();
    let unknown = RecipientId::from_random(bytes());
    assert_eq!(fixture.read(|session| session.registration(unknown)), None);
    let newest = fixture.read(|session| session.newest_guest(viewer.id, share.id));
    assert_eq!(newest, None);
    let listed = fixture.read(|session| session.registrations_of(viewer.id));
    assert_eq!(listed, []);
}
