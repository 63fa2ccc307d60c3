use chrono::{DateTime, Duration};

use super::*;

fn denial() -> AuditEntry {
    AuditEntry {
        at: DateTime::from_timestamp(1_800_000_000, 0).unwrap(),
        kind: AuditKind::LinkDenied,
        account: None,
        subject: Some(Subject::Share(ShareId::from_random([1; 16]))),
        origin: Some(Origin {
            ip: "2001:db8::1".parse().unwrap(),
            user_agent: None,
        }),
    }
}

#[test]
fn names_are_unique_and_round_trip() {
    for kind in AuditKind::ALL {
        assert_eq!(AuditKind::from_name(kind.as_str()), Some(*kind));
    }
    assert_eq!(AuditKind::from_name("tea"), None);
}

#[test]
fn subjects_round_trip() {
    for subject in [
        Subject::Share(ShareId::from_random([1; 16])),
        Subject::Idea(7.into()),
        Subject::File(FileId::from_random([4; 16])),
        Subject::Recipient(RecipientId::from_random([2; 16])),
        Subject::Session(UserSessionId::from_random([3; 16])),
        Subject::Route("GET /api/share/{token}".into()),
    ] {
        assert_eq!(subject.to_string().parse(), Ok(subject));
    }
    for other in ["", "share", "share 1", "tea 1", "idea x"] {
        assert_eq!(other.parse::<Subject>(), Err(NotASubject));
    }
}

#[test]
fn a_slot_is_one_kind_subject_client_and_minute() {
    let first = denial();
    let origin = |ip: &str, agent: &str| {
        Some(Origin {
            ip: ip.parse().unwrap(),
            user_agent: Some(agent.into()),
        })
    };
    // Another browser, or another address in the same network, is not another client.
    let same = AuditEntry {
        at: first.at + Duration::seconds(59),
        origin: origin("2001:db8::2", "Other/1"),
        ..first.clone()
    };
    assert_eq!(first.slot(), same.slot());
    for other in [
        AuditEntry {
            at: first.at + Duration::seconds(60),
            ..first.clone()
        },
        AuditEntry {
            kind: AuditKind::AddressRefused,
            ..first.clone()
        },
        AuditEntry {
            subject: None,
            ..first.clone()
        },
        AuditEntry {
            account: Some(UserId::from_random([3; 16])),
            ..first.clone()
        },
        AuditEntry {
            origin: origin("2001:db8:0:1::1", "Other/1"),
            ..first.clone()
        },
    ] {
        assert_ne!(first.slot(), other.slot(), "{other:?}");
    }
}
