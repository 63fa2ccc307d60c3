//! Rows of the log prove that a server of this vault wrote them.

use std::sync::Arc;

use ideavault_crypto::{KeyRing, MasterKey};
use ideavault_db::SqlDatabase;
use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::{Anchor, AnchorKind, AnchorService, Event, LogHead, LogId, Place};
use ideavault_domain::ports::Database as _;

use crate::support::{Fixture, at, full_access, on_both_databases};

on_both_databases!(
    a_waiting_event_is_sealed_only_as_and_where_it_was_written,
    a_waiting_event_cannot_be_moved_or_doubled,
    a_changed_or_removed_checkpoint_breaks_the_chain,
    a_changed_confirmation_is_told,
    seals_survive_a_rotation_of_the_master_key,
    numbers_of_ideas_are_skipped_and_never_go_back,
    an_event_is_not_left_out_when_numbers_of_rows_go_back,
);

/// Turns triggers off, and changes the database as somebody does who controls it.
fn tamper(fixture: &Fixture, table: &str, sql: &str) {
    if fixture.is_postgres() {
        let off = format!("ALTER TABLE {table} DISABLE TRIGGER USER");
        fixture.sql(&off).unwrap();
    } else {
        for event in ["update", "delete", "replace"] {
            let off = format!("DROP TRIGGER IF EXISTS {table}_{event}");
            fixture.sql(&off).unwrap();
        }
    }
    fixture.sql(sql).unwrap();
}

/// Makes a database of the same kind.
fn another(fixture: &Fixture) -> Fixture {
    match fixture.is_postgres() {
        true => Fixture::postgres(),
        false => Fixture::sqlite(),
    }
}

/// Records the beginning of the log and two links, which wait for their places.
fn waiting(fixture: &Fixture) {
    fixture.begin_log();
    let idea = fixture.add_draft().id;
    let (one, two) = (
        fixture.add_share(idea, full_access()),
        fixture.add_share(idea, full_access()),
    );
    fixture.write(|tx| {
        tx.evidence_log()
            .append_event(&Event::share_created(&one))?;
        tx.evidence_log().append_event(&Event::share_created(&two))
    });
    assert_eq!(sealed(fixture), [true; 3]);
}

/// Returns of each waiting event whether it is sealed.
fn sealed(fixture: &Fixture) -> Vec<bool> {
    let waiting = fixture.read(|tx| tx.evidence_log().unplaced_events(0, 10));
    waiting.iter().map(|event| event.is_sealed).collect()
}

fn a_waiting_event_is_sealed_only_as_and_where_it_was_written(fixture: &Fixture) {
    for changed in [
        "kind = 'person.erased'",
        "body = replace(body, 'share.created', 'share.revoked')",
        "digest = (SELECT digest FROM evidence_events WHERE seq = 1)",
        "idea_id = NULL",
        "share_id = recipient_id",
        "recipient_id = share_id",
        "comment_id = share_id",
        "once = share_id",
        "seal = (SELECT seal FROM evidence_events WHERE seq = 1)",
        "seal = NULL",
    ] {
        let fixture = another(fixture);
        waiting(&fixture);
        let sql = format!("UPDATE evidence_events SET {changed} WHERE seq = 3");
        tamper(&fixture, "evidence_events", &sql);
        assert_eq!(sealed(&fixture), [true, true, false], "{changed}");
    }
}

fn a_waiting_event_cannot_be_moved_or_doubled(fixture: &Fixture) {
    waiting(fixture);
    let columns = "kind, at, idea_id, share_id, recipient_id, comment_id, body, digest, seal";
    let double = format!(
        "INSERT INTO evidence_events (seq, {columns}) SELECT 9, {columns} FROM evidence_events \
         WHERE seq = 3"
    );
    tamper(fixture, "evidence_events", &double);
    assert_eq!(sealed(fixture), [true, true, true, false]);
    // The two links change places.
    for (from, to) in [(2, 20), (3, 2), (20, 3)] {
        let moved = format!("UPDATE evidence_events SET seq = {to} WHERE seq = {from}");
        fixture.sql(&moved).unwrap();
    }
    assert_eq!(sealed(fixture), [true, false, false, false]);
}

/// Adds checkpoints of these sizes.
fn checkpoints(fixture: &Fixture, sizes: &[u64]) {
    fixture.write(|tx| {
        let mut previous = 0;
        for size in sizes {
            let head = LogHead {
                origin: "vault.test/log1".into(),
                size: *size,
                root: Digest::of(&size.to_be_bytes()),
            };
            let log = tx.evidence_log();
            log.add_checkpoint(LogId::FIRST, &head, previous, at(0))?;
            previous = *size;
        }
        Ok(())
    });
}

/// Returns the size of each checkpoint, that of the one before, and whether it is sealed.
fn chain(fixture: &Fixture) -> Vec<(u64, u64, bool)> {
    let chain = fixture.read(|tx| tx.evidence_log().chained_checkpoints(LogId::FIRST, 0, 10));
    let chain = chain.iter();
    chain
        .map(|link| (link.head.size, link.previous, link.is_sealed))
        .collect()
}

fn a_changed_or_removed_checkpoint_breaks_the_chain(fixture: &Fixture) {
    fixture.begin_log();
    checkpoints(fixture, &[1, 4, 9]);
    assert_eq!(chain(fixture), [(1, 0, true), (4, 1, true), (9, 4, true)]);
    let table = "evidence_checkpoints";
    let removed = "DELETE FROM evidence_checkpoints WHERE size = 4";
    tamper(fixture, table, removed);
    assert_eq!(chain(fixture), [(1, 0, true), (9, 4, true)]);
    let mended = "UPDATE evidence_checkpoints SET previous = 1 WHERE size = 9";
    tamper(fixture, table, mended);
    assert_eq!(chain(fixture), [(1, 0, true), (9, 1, false)]);
    let time = "UPDATE evidence_checkpoints SET made_at = '2026-11-27T12:00:00Z'";
    tamper(fixture, table, time);
    assert!(chain(fixture).iter().all(|(.., is_sealed)| !is_sealed));
}

/// Adds a confirmation of the checkpoint of that size.
fn confirmed(fixture: &Fixture, size: u64) {
    let service = AnchorService {
        kind: AnchorKind::Tsa,
        name: "tsa.example.org".into(),
    };
    let queued = Anchor::queued(LogId::FIRST, size, service.clone(), at(1));
    fixture.write(|tx| {
        tx.anchors().add_anchor(&queued)?;
        let claimed = tx.anchors().claim_anchor(&service, at(1), at(5))?;
        let mut anchor = claimed.unwrap();
        let attempts = anchor.attempts;
        anchor.confirm_time(b"token".to_vec(), "chain".into(), at(2));
        tx.anchors().release_anchor(&anchor, attempts)
    });
}

fn a_changed_confirmation_is_told(fixture: &Fixture) {
    let unsealed = |fixture: &Fixture| fixture.read(|tx| tx.anchors().unsealed_anchors()).len();
    for changed in ["artefact = seal", "chain = 'other'", "time = asked_at"] {
        let fixture = another(fixture);
        fixture.begin_log();
        checkpoints(&fixture, &[1, 4]);
        confirmed(&fixture, 4);
        assert_eq!(unsealed(&fixture), 0);
        let sql = format!("UPDATE evidence_anchors SET {changed} WHERE state = 'confirmed'");
        tamper(&fixture, "evidence_anchors", &sql);
        assert_eq!(unsealed(&fixture), 1, "{changed}");
    }
}

fn seals_survive_a_rotation_of_the_master_key(fixture: &Fixture) {
    waiting(fixture);
    checkpoints(fixture, &[1]);
    confirmed(fixture, 1);
    fixture.write(|tx| {
        let log = tx.evidence_log();
        let place = Place {
            log: LogId::FIRST,
            index: 0,
        };
        let first = log.unplaced_events(0, 1)?;
        let rows: Vec<i64> = first.iter().map(|event| event.row).collect();
        log.place_events(place, &rows)
    });
    let master = |byte| MasterKey::from_random([byte; 32]);
    let open = |keys: &[u8]| {
        let keys: Vec<_> = keys.iter().map(|byte| master(*byte)).collect();
        let ring = KeyRing::new(&keys).unwrap();
        SqlDatabase::connect(fixture.database.url(), Arc::new(ring)).unwrap()
    };
    let rotating = open(&[8, 7]);
    let id = master(8).id().unwrap();
    rotating
        .write(|tx| tx.master_keys().replace_master_key(id))
        .unwrap();
    let mut damaged = Vec::new();
    while rotating
        .write(|tx| tx.master_keys().rewrap_batch(1, &mut damaged))
        .unwrap()
        > 0
    {}
    assert_eq!(damaged, []);
    let after = open(&[8]);
    after
        .read(|tx| {
            let log = tx.evidence_log();
            let waiting = log.unplaced_events(0, 10)?;
            assert_eq!(waiting.len(), 2);
            // The first one has a place that nothing signs for yet.
            let beyond = log.events_beyond(LogId::FIRST, 0)?;
            assert_eq!(beyond.len(), 1);
            assert!(waiting.iter().chain(&beyond).all(|event| event.is_sealed));
            let chain = log.chained_checkpoints(LogId::FIRST, 0, 10)?;
            assert!(chain.iter().all(|link| link.is_sealed));
            assert_eq!(tx.anchors().unsealed_anchors()?, []);
            Ok::<_, ideavault_domain::ports::DatabaseError>(())
        })
        .unwrap();
}

fn numbers_of_ideas_are_skipped_and_never_go_back(fixture: &Fixture) {
    // No idea was ever added.
    fixture.write(|tx| tx.evidence_log().skip_idea_numbers(50.into()));
    assert_eq!(fixture.add_draft().id, 51.into());
    fixture.write(|tx| tx.evidence_log().skip_idea_numbers(7.into()));
    assert_eq!(fixture.add_draft().id, 52.into());
    fixture.write(|tx| tx.evidence_log().skip_idea_numbers(52.into()));
    assert_eq!(fixture.add_draft().id, 53.into());
    let newest = fixture.read(|tx| tx.evidence_log().newest_idea());
    assert_eq!(newest, Some(53.into()));
}

/// Else, whoever sets the numbers back would have events left out in silence.
fn an_event_is_not_left_out_when_numbers_of_rows_go_back(fixture: &Fixture) {
    waiting(fixture);
    fixture
        .sql(match fixture.is_postgres() {
            true => "SELECT setval('evidence_events_seq_seq', 1)",
            false => "UPDATE sqlite_sequence SET seq = 1 WHERE name = 'evidence_events'",
        })
        .unwrap();
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let recorded = fixture.store.write(|tx| {
        tx.evidence_log()
            .append_event(&Event::share_created(&share))
    });
    // Postgres may try again, with the next number.
    assert!(!matches!(recorded, Ok(false)), "{recorded:?}");
}
