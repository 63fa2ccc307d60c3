//! Rows of the log prove that a server of this vault wrote them.

use std::sync::Arc;

use ideavault_crypto::{KeyRing, MasterKey};
use ideavault_db::SqlDatabase;
use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::{Anchor, AnchorKind, AnchorService, Event, LogHead, LogId, Place};
use ideavault_domain::ports::{Database as _, DatabaseError};

use crate::support::{Fixture, at, full_access, on_both_databases};

on_both_databases!(
    a_waiting_event_is_sealed_only_as_and_where_it_was_written,
    every_column_is_sealed_or_need_not_be,
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
        "seal = digest",
    ] {
        let fixture = another(fixture);
        waiting(&fixture);
        let sql = format!("UPDATE evidence_events SET {changed} WHERE seq = 3");
        tamper(&fixture, "evidence_events", &sql);
        assert_eq!(sealed(&fixture), [true, true, false], "{changed}");
    }
}

/// The columns of the tables.
const SCHEMA: &str = include_str!("../../src/repo/schema.rs");

/// Columns of sealed rows that the seal is not about, and why.
const NOT_SEALED: [(&str, &[&str], &str); 4] = [
    (
        "evidence_events",
        &["at", "in_activity"],
        "the body, whose digest is sealed, says the same, and the check compares them",
    ),
    (
        "evidence_events",
        &["log", "place"],
        "given later, and then the tree and the checkpoint speak",
    ),
    (
        "evidence_checkpoints",
        &["note"],
        "signed by the log's keys",
    ),
    (
        "evidence_anchors",
        &["attempts", "asked_at", "next_attempt_at", "error"],
        "of the requests, not of what was confirmed",
    ),
];

/// Returns the columns of a table, and a change of each.
fn changes(table: &str) -> Vec<(&'static str, String)> {
    let (_, rest) = SCHEMA.split_once(&format!("    {table} (")).unwrap();
    let (_, rest) = rest.split_once("{\n").unwrap();
    let (columns, _) = rest.split_once('}').unwrap();
    let columns = columns
        .lines()
        .filter_map(|line| line.trim().split_once(" -> "));
    let changes = columns.map(|(column, kind)| {
        let kind = kind.trim_end_matches(',').trim_start_matches("Nullable<");
        let change = match kind.trim_end_matches('>') {
            "BigInt" | "Integer" => format!("coalesce({column}, 0) + 1"),
            "Text" => format!("coalesce({column}, '') || 'x'"),
            "Binary" => "(SELECT digest FROM evidence_events WHERE seq = 1)".to_owned(),
            "SqlTimestamp" => "'2031-11-27T12:00:00Z'".to_owned(),
            "Bool" => format!("NOT {column}"),
            other => panic!("{table} {column}: {other}"),
        };
        (column, change)
    });
    changes.collect()
}

/// Returns whether all rows of a table are as a server has written them.
fn is_whole(fixture: &Fixture, table: &str) -> bool {
    let read = fixture.store.read(|tx| match table {
        "evidence_events" => {
            let waiting = tx.evidence_log().unplaced_events(0, 10)?;
            Ok(waiting.len() == 3 && waiting.iter().all(|event| event.is_sealed))
        }
        "evidence_checkpoints" => {
            let chain = tx.evidence_log().chained_checkpoints(LogId::FIRST, 0, 10)?;
            Ok(chain.len() == 3 && chain.iter().all(|link| link.is_sealed))
        }
        _ => Ok::<_, DatabaseError>(tx.anchors().unsealed_anchors()?.is_empty()),
    });
    read.unwrap_or(false)
}

/// A column that is added later is sealed, or named above with the reason why not.
fn every_column_is_sealed_or_need_not_be(fixture: &Fixture) {
    let unchecked = match fixture.is_postgres() {
        true => {
            "DO $$ DECLARE r record; BEGIN FOR r IN SELECT conrelid::regclass AS t, conname \
             FROM pg_constraint WHERE contype IN ('c', 'f') \
             AND conrelid::regclass::text LIKE 'evidence_%' LOOP \
             EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', r.t, r.conname); \
             END LOOP; END $$"
        }
        false => "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON",
    };
    for (table, row) in [
        ("evidence_events", "seq = 3"),
        ("evidence_checkpoints", "size = 9"),
        ("evidence_anchors", "state = 'confirmed'"),
    ] {
        for (column, change) in changes(table) {
            let mut exceptions = NOT_SEALED.iter();
            if exceptions.any(|(of, columns, _)| *of == table && columns.contains(&column)) {
                continue;
            }
            let fixture = another(fixture);
            waiting(&fixture);
            checkpoints(&fixture, &[1, 4, 9]);
            confirmed(&fixture, 4);
            assert!(is_whole(&fixture, table), "{table}");
            let sql = format!("UPDATE {table} SET {column} = {change} WHERE {row}");
            tamper(&fixture, table, &format!("{unchecked}; {sql}"));
            assert!(!is_whole(&fixture, table), "{sql}");
        }
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
