use chrono::{DateTime, Duration};

use super::*;
use crate::digest::Digest;
use crate::email::Email;
use crate::ids::{RecipientId, ShareId, ViewGrantId, ViewerSessionId};
use crate::nda::{Agreement, AgreementVersion};
use crate::recipient::{Erasure, Identity};
use crate::share::{ShareSettings, ShareTerms};
use crate::text::{PersonName, Title};
use crate::token::Token;

fn at(seconds: i64) -> Timestamp {
    DateTime::from_timestamp(seconds, 0).unwrap()
}

fn share(terms: ShareTerms, view_count: i32) -> Share {
    Share {
        id: ShareId::from_random([1; 16]),
        idea: 1.into(),
        name: None,
        terms,
        token_hash: Token::from_random([2; 32]).hash(),
        view_count,
        settings: ShareSettings::default(),
        revoked_at: None,
        created_at: at(0),
    }
}

fn registered() -> RecipientProgress {
    let name = PersonName::parse_recipient("Grace Hopper").unwrap();
    let email = Email::parse("grace@example.org").unwrap();
    RecipientProgress {
        recipient: Recipient {
            id: RecipientId::from_random([3; 16]),
            viewer_session: ViewerSessionId::from_random([4; 16]),
            share: ShareId::from_random([1; 16]),
            name: name.clone(),
            email: email.clone(),
            phone: None,
            agreement: Agreement {
                version: AgreementVersion::CURRENT,
                idea: 1.into(),
                idea_title: Title::parse("Kettle").unwrap(),
                document_id: None,
                sharer: name.clone(),
                recipient: name,
                recipient_email: email,
                offered_at: at(1),
            },
            created_at: at(1),
            identity: Identity::SelfDeclared,
            closed_at: None,
            erasure: Erasure::default(),
        },
        acceptance: None,
        grant: None,
        browser_had_view: false,
    }
}

fn agreed() -> RecipientProgress {
    let progress = registered();
    RecipientProgress {
        acceptance: Some(NdaAcceptance {
            recipient: progress.recipient.id,
            share: progress.recipient.share,
            nda_version: AgreementVersion::CURRENT,
            nda_sha256: Digest::of(b"nda"),
            revision: 1,
            revision_sha256: Digest::of(b"idea"),
            identity: Identity::SelfDeclared,
            accepted_at: at(2),
            origin: None,
        }),
        ..progress
    }
}

fn viewing(ends_at: i64) -> RecipientProgress {
    let progress = agreed();
    RecipientProgress {
        grant: Some(ViewGrant {
            id: ViewGrantId::from_random([5; 16]),
            share: progress.recipient.share,
            recipient: progress.recipient.id,
            revision: 1,
            revision_sha256: Digest::of(b"idea"),
            granted_at: at(3),
            ends_at: at(ends_at),
        }),
        ..progress
    }
}

fn closed(progress: RecipientProgress) -> RecipientProgress {
    RecipientProgress {
        recipient: Recipient {
            closed_at: Some(at(4)),
            ..progress.recipient
        },
        ..progress
    }
}

/// The decision of a gate: a view that is active until then, or one that must be counted.
fn decided(context: &GateContext, now: i64) -> Result<Option<Timestamp>, Refusal> {
    let view = context.require_view(at(now))?;
    Ok(view.active.map(|grant| grant.ends_at))
}

fn access(
    share: Share,
    progress: Option<RecipientProgress>,
    now: i64,
) -> Result<Option<Timestamp>, Refusal> {
    let context = GateContext {
        share,
        idea_exists: true,
        progress,
    };
    decided(&context, now)
}

const ENDED: Result<Option<Timestamp>, Refusal> = Err(Refusal::Ended);
const USED_UP: Result<Option<Timestamp>, Refusal> = Err(Refusal::UsedUp);
const COLLECT: Result<Option<Timestamp>, Refusal> = Err(Refusal::Unregistered);
const VERIFY: Result<Option<Timestamp>, Refusal> = Err(Refusal::Unconfirmed);
const NDA: Result<Option<Timestamp>, Refusal> = Err(Refusal::NotAgreed);
const READY: Result<Option<Timestamp>, Refusal> = Ok(None);

fn one_time(view_count: i32) -> Share {
    share(ShareTerms::OneTime { max_views: 1 }, view_count)
}

fn full_access() -> Share {
    share(ShareTerms::FullAccess, 9)
}

#[test]
fn a_new_reader_is_asked_for_details_and_then_for_the_nda() {
    assert_eq!(access(one_time(0), None, 10), COLLECT);
    assert_eq!(access(one_time(0), Some(registered()), 10), NDA);
    assert_eq!(access(one_time(0), Some(agreed()), 10), READY);
}

/// A link for one address.
fn by_email() -> Share {
    let recipient = Email::parse("grace@example.org").unwrap();
    share(ShareTerms::Email { recipient }, 9)
}

fn confirmed(progress: RecipientProgress) -> RecipientProgress {
    RecipientProgress {
        recipient: Recipient {
            identity: Identity::EmailConfirmed { at: at(2) },
            ..progress.recipient
        },
        ..progress
    }
}

#[test]
fn an_email_link_requires_a_confirmed_address_first() {
    assert_eq!(access(by_email(), None, 10), COLLECT);
    for progress in [registered(), agreed(), viewing(100)] {
        assert_eq!(access(by_email(), Some(progress), 50), VERIFY);
    }
    assert_eq!(access(by_email(), Some(closed(registered())), 10), COLLECT);
}

#[test]
fn a_confirmed_address_is_handled_like_other_link_types() {
    for (progress, expected) in [
        (registered(), NDA),
        (agreed(), READY),
        (viewing(100), Ok(Some(at(100)))),
        (closed(viewing(100)), COLLECT),
    ] {
        let progress = Some(confirmed(progress));
        assert_eq!(access(by_email(), progress.clone(), 50), expected);
        assert_eq!(access(full_access(), progress, 50), expected);
    }
}

#[test]
fn an_active_view_survives_exhaustion_and_ends_on_time() {
    assert_eq!(
        access(one_time(1), Some(viewing(100)), 99),
        Ok(Some(at(100)))
    );
    assert_eq!(access(one_time(1), Some(viewing(100)), 100), USED_UP);
}

#[test]
fn an_exhausted_link_is_denied_without_an_active_view() {
    for progress in [
        None,
        Some(registered()),
        Some(agreed()),
        Some(closed(viewing(100))),
    ] {
        assert_eq!(access(one_time(1), progress, 50), USED_UP);
    }
}

#[test]
fn a_one_time_link_gives_a_browser_no_second_view_even_with_views_left() {
    let with_views_left = share(ShareTerms::OneTime { max_views: 5 }, 1);
    assert_eq!(
        access(with_views_left.clone(), Some(viewing(100)), 100),
        USED_UP
    );
    assert_eq!(
        access(with_views_left, Some(closed(viewing(100))), 50),
        USED_UP
    );
}

#[test]
fn a_view_under_another_registration_of_the_browser_is_its_only_one() {
    let with_views_left = share(ShareTerms::OneTime { max_views: 5 }, 1);
    for progress in [registered(), agreed(), closed(agreed())] {
        let progress = RecipientProgress {
            browser_had_view: true,
            ..progress
        };
        assert_eq!(access(with_views_left.clone(), Some(progress), 50), USED_UP);
    }
}

#[test]
fn other_link_types_give_another_view_after_one_has_ended() {
    assert_eq!(access(full_access(), Some(viewing(100)), 100), READY);
}

#[test]
fn closing_ends_a_view_immediately_and_asks_for_details_again() {
    assert_eq!(
        access(full_access(), Some(closed(viewing(100))), 50),
        COLLECT
    );
}

#[test]
fn a_grant_without_an_acceptance_gives_no_access() {
    let impossible = RecipientProgress {
        acceptance: None,
        ..viewing(100)
    };
    assert_eq!(access(full_access(), Some(impossible), 50), NDA);
}

#[test]
fn revocation_expiry_and_deletion_end_an_active_view() {
    let revoked = Share {
        revoked_at: Some(at(20)),
        ..full_access()
    };
    assert_eq!(access(revoked, Some(viewing(100)), 50), ENDED);

    let terms = ShareTerms::TimeDependent {
        expires_at: at(20) + Duration::seconds(30),
        max_views: None,
    };
    let expired = share(terms, 0);
    assert_eq!(
        access(expired.clone(), Some(viewing(100)), 49),
        Ok(Some(at(100)))
    );
    assert_eq!(access(expired, Some(viewing(100)), 50), ENDED);

    let deleted = GateContext {
        share: full_access(),
        idea_exists: false,
        progress: Some(viewing(100)),
    };
    assert_eq!(decided(&deleted, 50), ENDED);
}

#[test]
fn time_alone_changes_no_decision_before_it_is_due() {
    let timed = |ends: i64| {
        share(
            ShareTerms::TimeDependent {
                expires_at: at(ends),
                max_views: None,
            },
            0,
        )
    };
    let shares = [one_time(0), one_time(1), full_access(), timed(30), timed(8)];
    let progresses = [
        None,
        Some(registered()),
        Some(agreed()),
        Some(viewing(20)),
        Some(closed(viewing(20))),
    ];
    for (share, progress) in shares
        .iter()
        .flat_map(|share| progresses.iter().map(move |progress| (share, progress)))
    {
        let context = GateContext {
            share: share.clone(),
            idea_exists: true,
            progress: progress.clone(),
        };
        for now in 0..40 {
            let until = context.decided_until(at(now));
            assert!(until > at(now));
            for later in (now..40).take_while(|later| at(*later) < until) {
                let (then, first) = (decided(&context, later), decided(&context, now));
                assert_eq!(then, first, "{now} {later} {context:?}");
            }
        }
    }
}

#[test]
fn who_registers_again_gets_no_other_view_of_a_one_time_link() {
    let admits = |share: Share, progress| {
        let context = GateContext {
            share,
            idea_exists: true,
            progress,
        };
        context.admits_registration(at(50))
    };
    let with_views_left = || share(ShareTerms::OneTime { max_views: 5 }, 1);
    for progress in [None, Some(registered()), Some(closed(agreed()))] {
        assert!(admits(with_views_left(), progress.clone()));
        assert!(!admits(one_time(1), progress));
    }
    for progress in [viewing(100), closed(viewing(100))] {
        assert!(!admits(with_views_left(), Some(progress.clone())));
        assert!(admits(full_access(), Some(progress)));
    }
}

/// The end of a visit: why, and since when.
fn ended(share: Share, progress: RecipientProgress, now: i64) -> Option<(VisitEnding, i64)> {
    let context = GateContext {
        share,
        idea_exists: true,
        progress: Some(progress),
    };
    let visit = context.ended_visit(at(now))?;
    assert_eq!(visit.recipient, RecipientId::from_random([3; 16]));
    Some((visit.ending, visit.at.map_or(0, |at| at.timestamp())))
}

#[test]
fn a_visit_ends_for_whom_had_agreed_by_the_first_reason() {
    let revoked = |share: Share| Share {
        revoked_at: Some(at(7)),
        ..share
    };
    let until_8 = || {
        let terms = ShareTerms::TimeDependent {
            expires_at: at(8),
            max_views: None,
        };
        share(terms, 1)
    };
    for (link, reader, expected) in [
        (
            full_access(),
            closed(viewing(100)),
            (VisitEnding::Closed, 4),
        ),
        (until_8(), closed(viewing(100)), (VisitEnding::Expired, 8)),
        (
            revoked(full_access()),
            viewing(100),
            (VisitEnding::Revoked, 7),
        ),
        (one_time(1), viewing(9), (VisitEnding::Exhausted, 9)),
        (one_time(1), closed(viewing(9)), (VisitEnding::Exhausted, 4)),
        (one_time(1), agreed(), (VisitEnding::Exhausted, 0)),
    ] {
        assert_eq!(ended(link, reader, 10), Some(expected));
    }
    for (link, reader) in [
        (full_access(), viewing(100)),
        (full_access(), agreed()),
        (full_access(), registered()),
        (full_access(), closed(registered())),
        (revoked(full_access()), registered()),
    ] {
        assert_eq!(ended(link, reader, 10), None);
    }
}

#[test]
fn nothing_is_left_of_the_visit_of_an_erased_person_or_to_a_deleted_idea() {
    let reader = closed(viewing(100));
    let mut context = GateContext {
        share: full_access(),
        idea_exists: false,
        progress: Some(reader.clone()),
    };
    assert_eq!(context.ended_visit(at(10)), None);
    context.idea_exists = true;
    assert!(context.ended_visit(at(10)).is_some());
    let mut erased = reader;
    erased.recipient.erasure.person_at = Some(at(9));
    context.progress = Some(erased);
    assert_eq!(context.ended_visit(at(10)), None);
}
