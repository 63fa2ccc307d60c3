use ideavault_domain::activity::{Activity, ActivityEvent};
use ideavault_domain::recipient::{Ending, Identity, NdaAcceptance, Recipient, ViewGrant};
use ideavault_domain::share::{Share, ShareType};

use crate::support::{
    Fixture, acceptance, at, full_access, grant, on_both_databases, one_time, recipient,
};

on_both_databases!(
    activity_is_newest_first_and_complete,
    events_within_one_microsecond_keep_their_order,
    activity_of_other_ideas_is_left_out,
    activity_is_kept_after_revocation,
    activity_has_an_entry_for_each_event_only,
    a_closed_registration_can_still_be_declined_once,
    abandoned_registrations_beyond_the_first_few_are_only_counted,
);

const DECLINED: ActivityEvent = ActivityEvent::Declined { reason: None };

fn agreed(acceptance: &NdaAcceptance) -> ActivityEvent {
    ActivityEvent::Agreed {
        nda_version: acceptance.nda_version,
        nda_sha256: Some(acceptance.nda_sha256),
        revision: acceptance.revision,
        revision_sha256: acceptance.revision_sha256,
        identity: acceptance.identity,
        origin: acceptance.origin.clone(),
    }
}

fn viewed(share: &Share, grant: &ViewGrant) -> ActivityEvent {
    ActivityEvent::Viewed {
        revision: grant.revision,
        revision_sha256: grant.revision_sha256,
        ends_at: share.view_end(grant.ends_at),
    }
}

fn summary(activity: &[Activity]) -> Vec<(ideavault_domain::ids::RecipientId, ActivityEvent)> {
    activity
        .iter()
        .map(|entry| (entry.recipient, entry.event.clone()))
        .collect()
}

fn activity_is_newest_first_and_complete(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let open = fixture.add_share(idea.id, full_access());
    let once = fixture.add_share(idea.id, one_time(1));
    let one = fixture.add_guest(&open);
    let two = recipient(fixture.add_viewer().id, &once, at(20));
    fixture.write(|tx| tx.recipients().add_recipient(&two));
    let (first, mut second) = (grant(&one, at(6)), grant(&one, at(40)));
    second.revision = 2;
    for grant in [&first, &second] {
        assert!(fixture.write(|tx| tx.shares().claim_view(grant)));
    }
    assert!(fixture.end(&one, Ending::Closed, at(41)));

    let activity = fixture.activity_of(idea.id);

    assert_eq!(
        summary(&activity),
        [
            (one.id, ActivityEvent::Closed),
            (one.id, viewed(&open, &second)),
            (two.id, ActivityEvent::Registered),
            (one.id, viewed(&open, &first)),
            (one.id, agreed(&acceptance(&one, at(5)))),
            (one.id, ActivityEvent::Registered),
        ]
    );
    let times: Vec<_> = activity.iter().map(|entry| entry.at).collect();
    assert_eq!(times, [at(41), at(40), at(20), at(6), at(5), at(4)]);
    let Recipient {
        id,
        name,
        email,
        phone,
        identity,
        ..
    } = two;
    assert_eq!(
        activity[2],
        Activity {
            at: at(20),
            share: once.id,
            share_type: ShareType::OneTime,
            share_name: None,
            recipient: id,
            name,
            email,
            phone,
            identity,
            erased: false,
            event: ActivityEvent::Registered,
        }
    );
}

fn events_within_one_microsecond_keep_their_order(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let share = fixture.add_share(idea.id, full_access());
    let recipient = recipient(fixture.add_viewer().id, &share, at(4));
    let acceptance = acceptance(&recipient, at(4));
    let grant = grant(&recipient, at(4));
    fixture.write(|tx| {
        tx.recipients().add_recipient(&recipient)?;
        tx.recipients().add_acceptance(&acceptance)?;
        tx.shares().claim_view(&grant)?;
        let viewer = recipient.viewer_session;
        tx.recipients()
            .end_recipient(recipient.id, viewer, Ending::Closed, at(4))
    });

    let activity = fixture.activity_of(idea.id);

    assert_eq!(
        summary(&activity),
        [
            (recipient.id, ActivityEvent::Closed),
            (recipient.id, viewed(&share, &grant)),
            (recipient.id, agreed(&acceptance)),
            (recipient.id, ActivityEvent::Registered),
        ]
    );
}

fn activity_of_other_ideas_is_left_out(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let other = fixture.add_share(fixture.add_idea(idea.owner).id, full_access());
    let guest = fixture.add_guest(&other);
    assert!(fixture.write(|tx| tx.shares().claim_view(&grant(&guest, at(6)))));
    let activity = fixture.activity_of(idea.id);
    assert_eq!(activity, []);
}

fn activity_is_kept_after_revocation(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let share = fixture.add_share(idea.id, full_access());
    fixture.add_guest(&share);
    fixture.write(|tx| tx.shares().revoke_share(share.id, at(9)));
    let activity = fixture.activity_of(idea.id);
    assert_eq!(activity.len(), 2);
}

fn a_closed_registration_can_still_be_declined_once(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let share = fixture.add_share(idea.id, full_access());
    let [closed, open, anew] =
        [(); 3].map(|()| fixture.add_recipient(fixture.add_viewer().id, &share));
    let agreed = fixture.add_guest(&share);
    for (reader, ending) in [
        (&closed, Ending::Closed),
        (&anew, Ending::Replaced),
        (&agreed, Ending::Closed),
    ] {
        assert!(fixture.end(reader, ending, at(9)));
    }
    let decline = |reader: &Recipient, viewer| {
        fixture.write(|tx| tx.recipients().decline_closed(reader.id, viewer))
    };
    for reader in [&open, &anew, &agreed] {
        assert!(!decline(reader, reader.viewer_session));
    }
    assert!(!decline(&closed, open.viewer_session));
    assert!(decline(&closed, closed.viewer_session));
    assert!(!decline(&closed, closed.viewer_session));

    let kept = fixture.read(|tx| tx.recipients().registration(closed.id));
    assert_eq!(kept.unwrap().progress.recipient.closed_at, Some(at(9)));
    let activity = fixture.activity_of(idea.id);
    let declined: Vec<_> = activity
        .iter()
        .filter(|entry| entry.event == DECLINED)
        .map(|entry| entry.recipient)
        .collect();
    assert_eq!(declined, [closed.id]);
}

fn activity_has_an_entry_for_each_event_only(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let share = fixture.add_share(idea.id, full_access());
    let [unseen, anew, declined] =
        [(); 3].map(|()| fixture.add_recipient(fixture.add_viewer().id, &share));
    for (reader, ending) in [
        (&unseen, Ending::Closed),
        (&anew, Ending::Replaced),
        (&declined, Ending::Declined),
    ] {
        assert!(fixture.end(reader, ending, at(9)));
    }

    let activity = fixture.activity_of(idea.id);

    let registered = |reader: &Recipient| (reader.id, ActivityEvent::Registered);
    assert_eq!(
        summary(&activity),
        [
            (declined.id, DECLINED),
            registered(&declined),
            registered(&anew),
            registered(&unseen),
        ]
    );
}

fn abandoned_registrations_beyond_the_first_few_are_only_counted(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let flooded = fixture.add_share(idea.id, full_access());
    let quiet = fixture.add_share(idea.id, full_access());
    let register = |share, minute| {
        let one = recipient(fixture.add_viewer().id, share, at(minute));
        fixture.write(|tx| tx.recipients().add_recipient(&one));
        one
    };
    let flood: Vec<_> = (10..19).map(|minute| register(&flooded, minute)).collect();
    let known = Recipient {
        identity: Identity::EmailConfirmed { at: at(19) },
        ..recipient(fixture.add_viewer().id, &flooded, at(19))
    };
    fixture.write(|tx| tx.recipients().add_recipient(&known));
    let other = register(&quiet, 20);
    let listed = || {
        let activity = fixture.activity_of(idea.id);
        summary(&activity)
    };
    let folded = || {
        let shares = fixture.read(|tx| tx.shares().shares_of(idea.id));
        let one = shares.iter().find(|row| row.share.id == flooded.id);
        one.unwrap().folded_registrations
    };
    let registered = |one: &Recipient| (one.id, ActivityEvent::Registered);
    let mut expected = vec![registered(&other), registered(&known)];
    expected.extend(flood[..5].iter().rev().map(registered));
    assert_eq!(listed(), expected);
    assert_eq!(folded(), 4);

    let [.., confirms, declines, agrees] = &flood[..8] else {
        unreachable!()
    };
    fixture.write(|tx| tx.codes().confirm_email(confirms.id, at(30)));
    assert!(fixture.end(declines, Ending::Declined, at(31)));
    let accepted = acceptance(agrees, at(32));
    assert!(fixture.write(|tx| tx.recipients().add_acceptance(&accepted)));

    let mut unfolded = vec![
        (agrees.id, agreed(&accepted)),
        (declines.id, DECLINED),
        registered(&other),
        registered(&known),
    ];
    unfolded.extend(flood[..8].iter().rev().map(registered));
    assert_eq!(listed(), unfolded);
    assert_eq!(folded(), 1);
    // A registration that advances does not make room for another open one.
    let late = register(&flooded, 40);
    assert!(!listed().contains(&registered(&late)));
    assert_eq!(folded(), 2);
}
