use chrono::Duration;
use ideavault_domain::Timestamp;
use ideavault_domain::audit::{AuditEntry, AuditKind, DENIALS_PER_MINUTE, Occurrences, Subject};
use ideavault_domain::ids::{RecipientId, ShareId, UserId};
use ideavault_domain::recipient::Origin;

use crate::support::{Fixture, at, on_both_databases, race};

on_both_databases!(
    every_kind_round_trips,
    entries_are_listed_oldest_first,
    occurrences_are_counted_by_kind,
    only_the_first_denial_of_a_slot_is_kept,
    concurrent_denials_of_one_slot_keep_one,
    a_distributed_flood_of_denials_is_bounded_and_hides_no_other_entry,
    a_rolled_back_transaction_leaves_no_entry,
    the_database_refuses_to_change_or_delete_an_entry,
    old_entries_are_deleted_oldest_first_and_no_others,
    old_addresses_are_erased_with_their_digests,
);

fn from(ip: &str) -> Option<Origin> {
    Some(Origin {
        ip: ip.parse().unwrap(),
        user_agent: Some("Browser/1 (it's \"quoted\")".into()),
    })
}

fn denial(at: Timestamp, ip: &str) -> AuditEntry {
    AuditEntry {
        at,
        kind: AuditKind::LinkDenied,
        account: None,
        subject: None,
        origin: from(ip),
    }
}

fn login(at: Timestamp) -> AuditEntry {
    let origin = from("203.0.113.9").unwrap();
    AuditEntry::by(
        UserId::from_random([1; 16]),
        AuditKind::LoggedIn,
        at,
        origin,
    )
}

fn stored(fixture: &Fixture) -> Vec<AuditEntry> {
    fixture.read(|tx| tx.audit().audit(None, 1_000))
}

fn record(fixture: &Fixture, entry: &AuditEntry) {
    fixture.write(|tx| tx.audit().record(entry));
}

fn deny(fixture: &Fixture, entry: &AuditEntry) -> bool {
    fixture.write(|tx| tx.audit().record_denial(entry))
}

fn every_kind_round_trips(fixture: &Fixture) {
    let mut subjects = [
        None,
        Some(Subject::Share(ShareId::from_random([2; 16]))),
        Some(Subject::Idea(7.into())),
        Some(Subject::Recipient(RecipientId::from_random([3; 16]))),
        Some(Subject::Route("GET /api/share/{token}".into())),
    ]
    .into_iter()
    .cycle();
    let entries: Vec<_> = AuditKind::ALL
        .iter()
        .zip(0..)
        .map(|(kind, second)| AuditEntry {
            kind: *kind,
            subject: subjects.next().unwrap(),
            ..login(at(second))
        })
        .chain([AuditEntry {
            account: None,
            origin: None,
            ..login(at(100))
        }])
        .collect();
    for entry in &entries {
        record(fixture, entry);
    }
    assert_eq!(stored(fixture), entries);
}

fn entries_are_listed_oldest_first(fixture: &Fixture) {
    let entries = [login(at(1)), login(at(2)), login(at(2)), login(at(3))];
    for entry in [&entries[3], &entries[0], &entries[1], &entries[2]] {
        record(fixture, entry);
    }
    assert_eq!(stored(fixture), entries);
    let newest = fixture.read(|tx| tx.audit().audit(None, 2));
    assert_eq!(newest, entries[2..]);
    let since = fixture.read(|tx| tx.audit().audit(Some(at(3)), 10));
    assert_eq!(since, entries[3..]);
}

fn only_the_first_denial_of_a_slot_is_kept(fixture: &Fixture) {
    let first = denial(at(0), "203.0.113.9");
    let soon = at(0) + Duration::seconds(30);
    let elsewhere = denial(soon, "203.0.113.10");
    let later = denial(at(1), "203.0.113.9");
    assert!(deny(fixture, &first));
    assert!(!deny(fixture, &denial(soon, "203.0.113.9")));
    assert!(deny(fixture, &elsewhere));
    assert!(deny(fixture, &later));
    assert_eq!(stored(fixture), [first, elsewhere, later]);
}

fn concurrent_denials_of_one_slot_keep_one(fixture: &Fixture) {
    let kept = race(8, |_| deny(fixture, &denial(at(0), "203.0.113.9")));
    assert_eq!(kept.into_iter().filter(|kept| *kept).count(), 1);
    assert_eq!(fixture.count("audit_entries"), 1);
}

fn a_distributed_flood_of_denials_is_bounded_and_hides_no_other_entry(fixture: &Fixture) {
    for client in 0..DENIALS_PER_MINUTE + 5 {
        let ip = format!("10.0.{}.{}", client / 250, client % 250);
        assert_eq!(
            deny(fixture, &denial(at(0), &ip)),
            client < DENIALS_PER_MINUTE
        );
    }
    record(fixture, &login(at(0)));
    assert_eq!(fixture.count("audit_entries"), DENIALS_PER_MINUTE + 1);
    assert!(deny(fixture, &denial(at(1), "10.1.0.1")));
}

fn a_rolled_back_transaction_leaves_no_entry(fixture: &Fixture) {
    use ideavault_domain::ports::{Database as _, DatabaseError};
    let failed = fixture.store.write(|tx| {
        tx.audit().record(&login(at(0)))?;
        Err::<(), _>(DatabaseError::Internal {
            operation: "a change",
            source: "it failed".into(),
        })
    });
    assert!(failed.is_err());
    assert_eq!(stored(fixture), []);
}

fn the_database_refuses_to_change_or_delete_an_entry(fixture: &Fixture) {
    let kept = denial(at(0), "203.0.113.9");
    assert!(deny(fixture, &kept));
    fixture.refuses(
        "the audit trail is final",
        &[
            "UPDATE audit_entries SET kind = 'login'",
            "UPDATE audit_entries SET at = at",
            "DELETE FROM audit_entries",
        ],
    );
    if fixture.is_postgres() {
        fixture.refuses("the audit trail is final", &["TRUNCATE audit_entries"]);
    } else {
        let columns = "account_id, subject, ip, user_agent, slot FROM audit_entries";
        for replace in [
            format!("INSERT OR REPLACE INTO audit_entries SELECT seq, at, 'login', {columns}"),
            format!(
                "INSERT OR REPLACE INTO audit_entries \
                 (at, kind, account_id, subject, ip, user_agent, slot) \
                 SELECT at, 'login', {columns}"
            ),
        ] {
            fixture.sql(&replace).unwrap();
        }
    }
    assert_eq!(stored(fixture), [kept]);
}

fn occurrences_are_counted_by_kind(fixture: &Fixture) {
    let backups = || fixture.read(|tx| tx.audit().occurrences(AuditKind::BackedUp));
    let (count, last) = (0, None);
    assert_eq!(backups(), Occurrences { count, last });
    for second in [7, 3] {
        let backup = AuditEntry {
            kind: AuditKind::BackedUp,
            account: None,
            origin: None,
            ..login(at(second))
        };
        record(fixture, &backup);
        record(fixture, &login(at(second + 10)));
    }
    let (count, last) = (2, Some(at(7)));
    assert_eq!(backups(), Occurrences { count, last });
}

fn old_entries_are_deleted_oldest_first_and_no_others(fixture: &Fixture) {
    for minute in [3, 1, 9, 2] {
        record(fixture, &login(at(minute)));
    }
    let delete = |before, limit| fixture.write(|tx| tx.audit().delete_entries(before, limit));
    assert_eq!(delete(at(9), 2), 2);
    assert_eq!(stored(fixture), [login(at(3)), login(at(9))]);
    fixture.refuses(
        "the audit trail is final",
        &[
            "DELETE FROM audit_entries",
            "UPDATE audit_entries SET ip = NULL",
        ],
    );
    assert_eq!((delete(at(9), 2), delete(at(9), 2)), (1, 0));
    assert_eq!(stored(fixture), [login(at(9))]);
}

fn old_addresses_are_erased_with_their_digests(fixture: &Fixture) {
    let denied = denial(at(1), "203.0.113.9");
    assert!(deny(fixture, &denied));
    let by_command = AuditEntry {
        origin: None,
        ..login(at(2))
    };
    for entry in [&by_command, &login(at(3)), &login(at(9))] {
        record(fixture, entry);
    }
    let erase = |limit| fixture.write(|tx| tx.audit().erase_addresses(at(9), limit));
    assert_eq!(erase(1), 1);
    assert_eq!(fixture.count("audit_entries WHERE ip IS NOT NULL"), 2);
    assert_eq!((erase(9), erase(9)), (1, 0));
    let erased = |entry: &AuditEntry| AuditEntry {
        origin: None,
        ..entry.clone()
    };
    let expected = [
        erased(&denied),
        by_command,
        erased(&login(at(3))),
        login(at(9)),
    ];
    assert_eq!(stored(fixture), expected);
    let left = "audit_entries WHERE user_agent IS NOT NULL OR slot IS NOT NULL";
    assert_eq!(fixture.count(left), 1);
    fixture.refuses(
        "the audit trail is final",
        &[
            "UPDATE audit_entries SET kind = 'login'",
            "UPDATE audit_entries SET ip = '192.0.2.1'",
            "UPDATE audit_entries SET ip = NULL, user_agent = NULL",
            "DELETE FROM audit_entries",
        ],
    );
}
