use ideavault_domain::activity::{Activity, ActivityEvent};
use ideavault_domain::recipient::{NdaAcceptance, Recipient, ViewGrant};
use ideavault_domain::share::ShareType;

use crate::support::{
    Fixture, acceptance, at, full_access, grant, on_both_databases, one_time, recipient,
};

on_both_databases!(
    activity_is_newest_first_and_complete,
    what_happens_within_one_microsecond_keeps_its_order,
    activity_of_other_ideas_is_left_out,
    activity_stays_after_revocation,
);

fn agreed(acceptance: &NdaAcceptance) -> ActivityEvent {
    ActivityEvent::Agreed {
        nda_version: acceptance.nda_version.clone(),
        nda_sha256: acceptance.nda_sha256,
        revision_sha256: acceptance.revision_sha256,
        identity: acceptance.identity,
        origin: acceptance.origin.clone(),
    }
}

fn viewed(grant: &ViewGrant) -> ActivityEvent {
    ActivityEvent::Viewed {
        revision_sha256: grant.revision_sha256,
        ends_at: grant.ends_at,
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
    fixture.write(|session| session.add_recipient(&two));
    let (first, second) = (grant(&one, at(6)), grant(&one, at(40)));
    for grant in [&first, &second] {
        assert!(fixture.write(|session| session.claim_view(grant)));
    }
    fixture.write(|session| session.close_recipient(one.id, at(41)));

    let activity = fixture.listed(|session, paging| session.activity_of(idea.id, paging));

    assert_eq!(
        summary(&activity),
        [
            (one.id, ActivityEvent::Closed),
            (one.id, viewed(&second)),
            (two.id, ActivityEvent::Registered),
            (one.id, viewed(&first)),
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
            event: ActivityEvent::Registered,
        }
    );
}

fn what_happens_within_one_microsecond_keeps_its_order(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let share = fixture.add_share(idea.id, full_access());
    let recipient = recipient(fixture.add_viewer().id, &share, at(4));
    let acceptance = acceptance(&recipient, at(4));
    let grant = grant(&recipient, at(4));
    fixture.write(|session| {
        session.add_recipient(&recipient)?;
        session.add_acceptance(&acceptance)?;
        session.claim_view(&grant)?;
        session.close_recipient(recipient.id, at(4))
    });

    let activity = fixture.listed(|session, paging| session.activity_of(idea.id, paging));

    assert_eq!(
        summary(&activity),
        [
            (recipient.id, ActivityEvent::Closed),
            (recipient.id, viewed(&grant)),
            (recipient.id, agreed(&acceptance)),
            (recipient.id, ActivityEvent::Registered),
        ]
    );
}

fn activity_of_other_ideas_is_left_out(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let other = fixture.add_share(fixture.add_idea(idea.owner).id, full_access());
    let guest = fixture.add_guest(&other);
    assert!(fixture.write(|session| session.claim_view(&grant(&guest, at(6)))));
    let activity = fixture.listed(|session, paging| session.activity_of(idea.id, paging));
    assert_eq!(activity, []);
}

fn activity_stays_after_revocation(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let share = fixture.add_share(idea.id, full_access());
    fixture.add_guest(&share);
    fixture.write(|session| session.revoke_share(share.id, at(9)));
    let activity = fixture.listed(|session, paging| session.activity_of(idea.id, paging));
    assert_eq!(activity.len(), 2);
}
