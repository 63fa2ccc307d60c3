//! Confirmations of checkpoints by outsiders.

use chrono::Duration;
use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::{
    ANCHOR_LEASE, Anchor, AnchorKind, AnchorService, AnchorState, Event, LogHead, LogId, LogSeed,
    Place, StoredLogKey,
};

use crate::support::{Fixture, at, on_both_databases, race};

on_both_databases!(
    an_anchor_round_trips,
    a_service_is_sent_one_checkpoint_after_the_other,
    concurrent_servers_claim_an_anchor_once,
    a_lost_claim_stores_nothing,
    the_best_anchor_of_each_service_covers_an_event,
    a_block_that_nobody_checked_is_due_once_it_can_be,
    a_calendars_word_on_a_block_comes_before_its_promise,
    failing_anchors_are_listed_while_they_are_tried,
    a_confirmation_is_final,
    a_witness_confirms_with_its_line,
);

fn service(kind: AnchorKind, name: &str) -> AnchorService {
    let name = name.to_owned();
    AnchorService { kind, name }
}

fn tsa() -> AnchorService {
    service(AnchorKind::Tsa, "tsa.example.org")
}

fn ots() -> AnchorService {
    service(AnchorKind::Ots, "ots.example.org:8080")
}

fn witness() -> AnchorService {
    service(AnchorKind::Witness, "witness.example.org/w1")
}

/// Adds a log with checkpoints of these sizes.
fn checkpoints(fixture: &Fixture, sizes: &[u64]) {
    let key = StoredLogKey {
        log: LogId::FIRST,
        from_size: 0,
        vkey: "vault.test/log1+00000000+AA".into(),
        seed: Some(LogSeed::from_random([7; 32])),
    };
    fixture.write(|tx| {
        let first = Event::log_started(&key.vkey, at(0));
        tx.evidence_log()
            .begin_log(&key, "vault.test/log1", &first)?;
        let mut previous = 0;
        for &size in sizes {
            let head = LogHead {
                origin: "vault.test/log1".into(),
                size,
                root: Digest::of(&size.to_be_bytes()),
            };
            tx.evidence_log()
                .add_checkpoint(key.log, &head, previous, at(0))?;
            previous = size;
        }
        Ok(())
    });
}

fn add(fixture: &Fixture, size: u64, service: AnchorService) -> bool {
    let anchor = Anchor::queued(LogId::FIRST, size, service, at(1));
    fixture.write(|tx| tx.anchors().add_anchor(&anchor))
}

fn claim(fixture: &Fixture, service: &AnchorService, minute: i64) -> Option<Anchor> {
    let now = at(minute);
    let is_due = fixture.read(|tx| tx.anchors().anchor_is_due(service, now));
    let ends = now + ANCHOR_LEASE;
    let claimed = fixture.write(|tx| tx.anchors().claim_anchor(service, now, ends));
    assert_eq!(is_due, claimed.is_some());
    claimed
}

fn release(fixture: &Fixture, anchor: &Anchor, attempts: u32) -> bool {
    fixture.write(|tx| tx.anchors().release_anchor(anchor, attempts))
}

fn newest(fixture: &Fixture, service: &AnchorService) -> Anchor {
    let newest = fixture.read(|tx| tx.anchors().newest_anchor(service));
    newest.unwrap()
}

/// Adds an anchor that is confirmed.
fn confirmed(fixture: &Fixture, size: u64, service: AnchorService) -> Anchor {
    assert!(add(fixture, size, service.clone()));
    let mut anchor = claim(fixture, &service, 2).unwrap();
    match service.kind {
        AnchorKind::Tsa => anchor.confirm_time(vec![1], "chain".into(), at(2)),
        AnchorKind::Ots => anchor.confirm_block(vec![2], 871_234, at(2)),
        AnchorKind::Witness => anchor.confirm_cosignature("signed\n".into(), at(2)),
    }
    assert!(release(fixture, &anchor, 1));
    anchor
}

fn an_anchor_round_trips(fixture: &Fixture) {
    checkpoints(fixture, &[1]);
    assert!(
        fixture
            .read(|tx| tx.anchors().newest_anchor(&tsa()))
            .is_none()
    );
    assert!(add(fixture, 1, tsa()));
    assert_eq!(
        newest(fixture, &tsa()),
        Anchor::queued(LogId::FIRST, 1, tsa(), at(1))
    );
    assert_eq!(claim(fixture, &tsa(), 0), None);
    let mut anchor = claim(fixture, &tsa(), 1).unwrap();
    assert_eq!(anchor.state, AnchorState::Submitted);
    assert_eq!(anchor.attempts, 1);
    assert_eq!(newest(fixture, &tsa()), anchor);
    anchor.fail(true, "wrong imprint", at(1), 0);
    assert!(release(fixture, &anchor, 1));
    assert_eq!(newest(fixture, &tsa()), anchor);
    let mut anchor = claim(fixture, &tsa(), 2).unwrap();
    anchor.confirm_time(vec![1, 2], "chain".into(), at(2));
    assert!(release(fixture, &anchor, 2));
    assert_eq!(newest(fixture, &tsa()), anchor);
    assert_eq!(claim(fixture, &tsa(), 10_000), None);
    assert!(add(fixture, 1, ots()));
    let mut promised = claim(fixture, &ots(), 3).unwrap();
    promised.promise(vec![3], at(3));
    assert!(release(fixture, &promised, 1));
    assert_eq!(claim(fixture, &ots(), 62), None);
    let mut asked = claim(fixture, &ots(), 63).unwrap();
    assert_eq!(asked.state, AnchorState::Pending);
    asked.report_block(vec![4], 871_234, None);
    assert!(release(fixture, &asked, 1));
    assert_eq!(newest(fixture, &ots()), asked);
}

fn a_block_that_nobody_checked_is_due_once_it_can_be(fixture: &Fixture) {
    checkpoints(fixture, &[1, 2, 3]);
    for size in [1, 2] {
        assert!(add(fixture, size, ots()));
        let mut anchor = claim(fixture, &ots(), 2).unwrap();
        anchor.report_block(vec![4], 871_234, None);
        assert!(release(fixture, &anchor, 1));
    }
    confirmed(fixture, 3, ots());
    assert_eq!(claim(fixture, &ots(), 10_000), None);
    let queue = |service: &AnchorService| {
        fixture.write(|tx| tx.anchors().queue_unchecked(service, at(60)));
    };
    queue(&service(AnchorKind::Ots, "other.example.org"));
    assert_eq!(claim(fixture, &ots(), 10_000), None);
    queue(&ots());
    for size in [1, 2] {
        let mut due = claim(fixture, &ots(), 60).unwrap();
        assert_eq!((due.size, due.block), (size, Some(871_234)));
        assert_eq!(due.state, AnchorState::Pending);
        due.confirm_block(vec![4], 871_234, at(30));
        assert!(release(fixture, &due, due.attempts));
    }
    assert_eq!(claim(fixture, &ots(), 10_000), None);
}

fn a_calendars_word_on_a_block_comes_before_its_promise(fixture: &Fixture) {
    checkpoints(fixture, &[1, 2, 3]);
    let mut anchors = Vec::new();
    for size in [1, 2] {
        assert!(add(fixture, size, ots()));
        let mut anchor = claim(fixture, &ots(), 2).unwrap();
        match size {
            1 => anchor.promise(vec![3], at(2)),
            _ => anchor.report_block(vec![4], 871_234, None),
        }
        assert!(release(fixture, &anchor, 1));
        anchors.push(anchor);
    }
    let log = LogId::FIRST;
    let covering =
        |index| fixture.read(|tx| tx.anchors().anchors_covering(Place { log, index }, at(0)));
    assert_eq!(covering(0), [anchors.pop().unwrap()]);
    let checked = confirmed(fixture, 3, ots());
    assert_eq!(covering(0), [checked]);
}

fn a_service_is_sent_one_checkpoint_after_the_other(fixture: &Fixture) {
    checkpoints(fixture, &[1, 2, 3]);
    confirmed(fixture, 1, tsa());
    assert!(!add(fixture, 1, tsa()), "it has one");
    assert!(add(fixture, 2, tsa()));
    assert!(!add(fixture, 3, tsa()), "one is waiting");
    assert!(add(fixture, 3, ots()));
    let added = race(8, |number| {
        let other = service(AnchorKind::Tsa, "other.example.org");
        add(fixture, if number % 2 == 0 { 2 } else { 3 }, other)
    });
    assert_eq!(added.into_iter().filter(|added| *added).count(), 1);
}

fn concurrent_servers_claim_an_anchor_once(fixture: &Fixture) {
    checkpoints(fixture, &[1]);
    assert!(add(fixture, 1, tsa()));
    let claim_at = |minute| {
        let claims = race(8, |_| {
            let (now, ends) = (at(minute), at(minute) + ANCHOR_LEASE);
            fixture.write(|tx| tx.anchors().claim_anchor(&tsa(), now, ends))
        });
        claims.into_iter().flatten().count()
    };
    assert_eq!(claim_at(1), 1);
    // The server that had it is gone.
    assert_eq!(claim_at(6), 1);
    assert_eq!(newest(fixture, &tsa()).attempts, 2);
}

fn a_lost_claim_stores_nothing(fixture: &Fixture) {
    checkpoints(fixture, &[1]);
    assert!(add(fixture, 1, tsa()));
    let mut slow = claim(fixture, &tsa(), 1).unwrap();
    let other = claim(fixture, &tsa(), 6).unwrap();
    slow.confirm_time(vec![1], "chain".into(), at(2));
    assert!(!release(fixture, &slow, 1));
    assert_eq!(newest(fixture, &tsa()), other);
}

fn the_best_anchor_of_each_service_covers_an_event(fixture: &Fixture) {
    checkpoints(fixture, &[1, 2, 3]);
    let early = confirmed(fixture, 1, tsa());
    let late = confirmed(fixture, 3, tsa());
    let block = confirmed(fixture, 2, ots());
    let third = service(AnchorKind::Tsa, "third.example.org");
    assert!(add(fixture, 3, third.clone()));
    let waiting = newest(fixture, &third);
    let covering = |index| {
        let log = LogId::FIRST;
        fixture.read(|tx| tx.anchors().anchors_covering(Place { log, index }, at(0)))
    };
    assert_eq!(covering(0), [early, block.clone(), waiting.clone()]);
    assert_eq!(covering(1), [late.clone(), block, waiting.clone()]);
    assert_eq!(covering(2), [late, waiting.clone()]);
    assert_eq!(covering(3), [waiting], "it has not taken an earlier one");
    let place = Place {
        log: LogId::FIRST,
        index: 3,
    };
    let abandoned = fixture.read(|tx| tx.anchors().anchors_covering(place, at(2)));
    assert_eq!(abandoned, []);
}

fn failing_anchors_are_listed_while_they_are_tried(fixture: &Fixture) {
    checkpoints(fixture, &[1]);
    assert!(add(fixture, 1, tsa()));
    assert!(add(fixture, 1, ots()));
    let mut anchor = claim(fixture, &tsa(), 1).unwrap();
    anchor.fail(false, "no answer", at(1), 0);
    assert!(release(fixture, &anchor, 1));
    let failing = |since| fixture.read(|tx| tx.anchors().failing_anchors(since));
    assert_eq!(failing(at(2)), [anchor]);
    assert_eq!(failing(at(2) + Duration::seconds(1)), []);
}

fn a_confirmation_is_final(fixture: &Fixture) {
    checkpoints(fixture, &[1, 2]);
    let anchor = confirmed(fixture, 1, tsa());
    let mut other = anchor.clone();
    other.time = Some(at(-1_000));
    assert!(!release(fixture, &other, 1));
    let mut statements = vec![
        "DELETE FROM evidence_anchors",
        "UPDATE evidence_anchors SET size = 2",
        "UPDATE evidence_anchors SET name = 'other.example.org'",
        "UPDATE evidence_anchors SET attempts = attempts + 1",
    ];
    if fixture.is_postgres() {
        statements.push("TRUNCATE evidence_anchors");
    } else {
        fixture
            .sql(
                "INSERT OR REPLACE INTO evidence_anchors SELECT log, size, kind, name, state, 9, \
                 asked_at, next_attempt_at, error, artefact, chain, time, block, seal \
                 FROM evidence_anchors",
            )
            .unwrap();
    }
    fixture.refuses("a confirmation is final", &statements);
    fixture.refuses(
        " constraint",
        &[
            "INSERT INTO evidence_anchors (log, size, kind, name, state, attempts) \
             VALUES (1, 2, 'tsa', 'other.example.org', 'confirmed', 1)",
            "INSERT INTO evidence_anchors (log, size, kind, name, state, attempts, \
             next_attempt_at) VALUES (1, 9, 'tsa', 'a', 'queued', 1, '2026-11-22T00:00:00.000000Z')",
        ],
    );
    assert_eq!(newest(fixture, &tsa()), anchor);
}

fn a_witness_confirms_with_its_line(fixture: &Fixture) {
    let size_at = |service: &AnchorService| {
        fixture.read(|tx| tx.anchors().confirmed_size(service, LogId::FIRST))
    };
    checkpoints(fixture, &[3, 7]);
    assert_eq!(size_at(&witness()), 0);
    confirmed(fixture, 3, tsa());
    let anchor = confirmed(fixture, 3, witness());
    assert_eq!(newest(fixture, &witness()), anchor);
    assert_eq!(size_at(&witness()), 3);
    assert!(add(fixture, 7, witness()));
    assert_eq!(size_at(&witness()), 3);
    let place = Place {
        log: LogId::FIRST,
        index: 2,
    };
    let covering = fixture.read(|tx| tx.anchors().anchors_covering(place, at(0)));
    assert!(covering.contains(&anchor), "{covering:?}");
}
