//! Confirmations of the log by outsiders.

use std::io;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex};

use chrono::Duration;
use ideavault_application::anchoring::{Anchoring, Outsider};
use ideavault_domain::Timestamp;
use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::{Anchor, AnchorState, Event, LogId, StoredCheckpoint};
use ideavault_domain::ports::{
    AnchorError, BlockChain, BlockProof, Calendar, ConfirmedBlock, Cosignature, TimeAuthority,
    TimeStamp, Witness, WitnessAnswer,
};
use mockall::mock;

use crate::support::{at, full_access};
use crate::vault::{Vault, now};

mock! {
    Authority {}

    impl TimeAuthority for Authority {
        fn name(&self) -> &str;
        fn stamp(
            &self,
            data: &[u8],
            nonce: [u8; 8],
            window: &RangeInclusive<Timestamp>,
        ) -> Result<TimeStamp, AnchorError>;
    }
}

mock! {
    Ots {}

    impl Calendar for Ots {
        fn name(&self) -> &str;
        fn submit(&self, digest: &Digest) -> Result<Vec<u8>, AnchorError>;
        fn upgrade(&self, digest: &Digest, proof: &[u8]) -> Result<Option<BlockProof>, AnchorError>;
    }
}

mock! {
    Node {}

    impl BlockChain for Node {
        fn confirm(&self, digest: &Digest, proof: &[u8]) -> Result<ConfirmedBlock, AnchorError>;
    }
}

mock! {
    Seer {}

    impl Witness for Seer {
        fn name(&self) -> &str;
        fn cosign(
            &self,
            old: u64,
            proof: &[[u8; 32]],
            note: &[u8],
            window: &RangeInclusive<Timestamp>,
        ) -> Result<WitnessAnswer, AnchorError>;
    }
}

/// Records so many events, and signs what they lead to.
fn record(vault: &Arc<Vault>, events: usize) -> StoredCheckpoint {
    let idea = vault.add_draft().id;
    for _ in 0..events {
        let created = Event::share_created(&vault.add_share(idea, full_access()));
        vault.write(|tx| tx.evidence_log().append_event(&created));
    }
    vault.event_log().advance().unwrap();
    let newest = vault.read(|tx| tx.evidence_log().newest_checkpoint(LogId::FIRST));
    newest.unwrap()
}

fn anchoring(vault: &Arc<Vault>, outsider: Outsider, node: Option<MockNode>) -> Anchoring<Vault> {
    let node = node.map(|node| Arc::new(node) as Arc<dyn BlockChain>);
    Anchoring::new(vault.deps(), vec![outsider], node)
}

/// Has the one exchange that is due, and returns what is stored of it.
fn exchange(anchoring: &Anchoring<Vault>) -> Anchor {
    let mut exchanges = anchoring.advance().unwrap();
    assert_eq!(exchanges.len(), 1);
    exchanges.remove(0).anchor
}

fn is_idle(anchoring: &Anchoring<Vault>) -> bool {
    anchoring.advance().unwrap().is_empty()
}

fn failure(is_refused: bool, why: &str) -> AnchorError {
    let cause = Box::new(io::Error::other(why.to_owned()));
    match is_refused {
        true => AnchorError::Refused(cause),
        false => AnchorError::Unavailable(cause),
    }
}

#[test]
fn a_verified_time_is_stored_of_each_checkpoint_after_its_interval() {
    let vault = Vault::new();
    let first = record(&vault, 2);
    let mut authority = MockAuthority::new();
    authority
        .expect_name()
        .return_const("tsa.example.org".to_owned());
    let sent = Arc::new(Mutex::new(Vec::new()));
    let (keep, signed_at) = (Arc::clone(&sent), at(9));
    authority.expect_stamp().returning(move |data, _, window| {
        assert!(window.contains(&signed_at));
        keep.lock().unwrap().push(data.to_vec());
        Ok(TimeStamp {
            response: b"token".to_vec(),
            chain: "chain".into(),
            time: signed_at,
        })
    });
    let anchoring = anchoring(&vault, Outsider::Authority(Arc::new(authority)), None);
    let stored = exchange(&anchoring);
    assert_eq!(
        (stored.state, stored.size),
        (AnchorState::Confirmed, first.head.size)
    );
    assert_eq!(stored.artefact.as_deref(), Some(&b"token"[..]));
    assert_eq!(stored.time, Some(signed_at));
    assert!(is_idle(&anchoring));
    let second = record(&vault, 1);
    let writes = vault.writes();
    // Too early.
    assert!(is_idle(&anchoring));
    assert_eq!(vault.writes(), writes);
    vault.clock.set(now() + Duration::minutes(1));
    assert_eq!(exchange(&anchoring).size, second.head.size);
    let sent = sent.lock().unwrap();
    assert_eq!(*sent, [first.note.into_bytes(), second.note.into_bytes()]);
}

#[test]
fn failures_are_kept_with_their_causes_and_retried() {
    for (is_refused, state) in [(false, AnchorState::Queued), (true, AnchorState::Refused)] {
        let vault = Vault::new();
        record(&vault, 1);
        let mut authority = MockAuthority::new();
        authority
            .expect_name()
            .return_const("tsa.example.org".to_owned());
        authority
            .expect_stamp()
            .times(2)
            .returning(move |_, _, _| Err(failure(is_refused, "it hung up")));
        let anchoring = anchoring(&vault, Outsider::Authority(Arc::new(authority)), None);
        let stored = exchange(&anchoring);
        assert_eq!((stored.state, stored.artefact), (state, None));
        assert!(stored.error.unwrap().ends_with(": it hung up"));
        let again = stored.next_attempt_at.unwrap();
        assert!(again >= now() + Duration::minutes(1) && is_idle(&anchoring));
        vault.clock.set(again);
        exchange(&anchoring);
    }
}

/// A calendar that promises a proof, and gives it as often as it is asked.
fn calendar(upgrades: usize) -> Outsider {
    let mut calendar = MockOts::new();
    calendar
        .expect_name()
        .return_const("ots.example.org".to_owned());
    calendar
        .expect_submit()
        .returning(|_| Ok(b"promise".to_vec()));
    let upgrade = calendar.expect_upgrade().times(upgrades);
    upgrade
        .withf(|_, proof| proof == b"promise")
        .returning(|_, _| {
            Ok(Some(BlockProof {
                proof: b"proof".to_vec(),
                block: 871_234,
            }))
        });
    Outsider::Calendar(Arc::new(calendar))
}

/// Lets a calendar promise a proof, and goes to the time at which it is asked for it.
fn promised(vault: &Arc<Vault>, anchoring: &Anchoring<Vault>) {
    record(vault, 1);
    let promised = exchange(anchoring);
    assert_eq!(promised.state, AnchorState::Pending);
    assert_eq!(promised.next_attempt_at, Some(now() + Duration::hours(1)));
    vault.clock.set(now() + Duration::hours(1));
}

fn mined() -> ConfirmedBlock {
    ConfirmedBlock {
        block: 871_234,
        time: at(-10),
    }
}

/// A node that gives these answers, one after the other.
fn node(answers: Vec<Result<ConfirmedBlock, AnchorError>>) -> MockNode {
    let mut node = MockNode::new();
    for answer in answers {
        let confirm = node.expect_confirm().times(1);
        confirm
            .withf(|_, proof| proof == b"proof")
            .return_once(move |_, _| answer);
    }
    node
}

#[test]
fn a_block_that_a_calendar_names_is_its_word_until_a_node_is_asked() {
    let vault = Vault::new();
    let alone = anchoring(&vault, calendar(1), None);
    promised(&vault, &alone);
    let reported = exchange(&alone);
    assert_eq!(
        (reported.state, reported.block),
        (AnchorState::Pending, Some(871_234))
    );
    assert_eq!((reported.time, reported.next_attempt_at), (None, None));
    assert_eq!(reported.artefact.as_deref(), Some(&b"proof"[..]));
    // Once there is a node, what was reported earlier is due, and the calendar is not asked.
    let checking = anchoring(&vault, calendar(0), Some(node(vec![Ok(mined())])));
    let confirmed = exchange(&checking);
    assert_eq!(
        (confirmed.state, confirmed.time),
        (AnchorState::Confirmed, Some(at(-10)))
    );
    assert!(is_idle(&checking));
}

#[test]
fn a_block_with_a_checked_header_confirms_the_time() {
    let vault = Vault::new();
    let anchoring = anchoring(&vault, calendar(1), Some(node(vec![Ok(mined())])));
    promised(&vault, &anchoring);
    let stored = exchange(&anchoring);
    assert_eq!(
        (stored.state, stored.block),
        (AnchorState::Confirmed, Some(871_234))
    );
    assert_eq!((stored.time, stored.next_attempt_at), (Some(at(-10)), None));
    assert_eq!(stored.artefact.as_deref(), Some(&b"proof"[..]));
}

#[test]
fn a_block_that_could_not_be_checked_stays_the_calendars_word_and_is_checked_later() {
    let vault = Vault::new();
    let answers = vec![Err(failure(false, "the node is down")), Ok(mined())];
    let anchoring = anchoring(&vault, calendar(1), Some(node(answers)));
    promised(&vault, &anchoring);
    let reported = exchange(&anchoring);
    assert_eq!(
        (reported.state, reported.block),
        (AnchorState::Pending, Some(871_234))
    );
    assert_eq!(reported.time, None);
    assert!(reported.error.unwrap().contains("the node is down"));
    assert_eq!(reported.next_attempt_at, Some(now() + Duration::hours(2)));
    // The calendar is not asked again.
    vault.clock.set(now() + Duration::hours(2));
    let stored = exchange(&anchoring);
    assert_eq!(
        (stored.state, stored.time),
        (AnchorState::Confirmed, Some(at(-10)))
    );
    assert_eq!(stored.error, None);
}

#[test]
fn a_block_with_another_root_proves_nothing_and_the_calendar_is_asked_again() {
    let vault = Vault::new();
    let answers = vec![Err(failure(true, "another root")), Ok(mined())];
    let anchoring = anchoring(&vault, calendar(2), Some(node(answers)));
    promised(&vault, &anchoring);
    let stored = exchange(&anchoring);
    assert_eq!((stored.state, stored.block), (AnchorState::Pending, None));
    assert_eq!(stored.artefact.as_deref(), Some(&b"promise"[..]));
    assert!(stored.error.unwrap().contains("another root"));
    assert_eq!(stored.next_attempt_at, Some(now() + Duration::hours(7)));
    vault.clock.set(now() + Duration::hours(7));
    assert_eq!(exchange(&anchoring).state, AnchorState::Confirmed);
}

/// Lets a witness sign a log of 8 events, of which it has confirmed 5, and has seen these sizes.
/// Returns the anchor, and what the witness was sent: sizes, and whether there was a proof.
fn witnessed(seen: &[u64]) -> (Anchor, Vec<(u64, bool)>) {
    let vault = Vault::new();
    assert_eq!(record(&vault, 4).head.size, 5);
    // The first time it signs.
    let answers = std::iter::once(None).chain(seen.iter().copied().map(Some));
    let answers = Mutex::new(answers.collect::<Vec<_>>().into_iter());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&asked);
    let mut witness = MockSeer::new();
    witness
        .expect_name()
        .return_const("witness.example.org/w1".to_owned());
    witness
        .expect_cosign()
        .returning(move |old, proof, _, window| {
            assert!(window.contains(&at(9)));
            keep.lock().unwrap().push((old, !proof.is_empty()));
            Ok(match answers.lock().unwrap().next().flatten() {
                Some(seen) => WitnessAnswer::Seen(seen),
                None => WitnessAnswer::Cosigned(Cosignature {
                    line: "signed\n".to_owned(),
                    time: at(9),
                }),
            })
        });
    let anchoring = anchoring(&vault, Outsider::Witness(Arc::new(witness)), None);
    assert_eq!(exchange(&anchoring).state, AnchorState::Confirmed);
    record(&vault, 3);
    vault.clock.set(at(11));
    let anchor = exchange(&anchoring);
    let mut asked = asked.lock().unwrap().clone();
    assert_eq!(asked.remove(0), (0, false));
    (anchor, asked)
}

#[test]
fn a_witness_is_sent_a_proof_from_what_it_has_confirmed() {
    let (anchor, asked) = witnessed(&[]);
    assert_eq!(asked, [(5, true)]);
    assert_eq!(anchor.state, AnchorState::Confirmed);
    assert_eq!(anchor.artefact.as_deref(), Some(&b"signed\n"[..]));
    assert_eq!((anchor.time, anchor.chain), (Some(at(9)), None));
}

#[test]
fn a_witness_that_has_seen_another_size_is_asked_once_more() {
    for (seen, has_proof) in [(0, false), (3, true), (8, false)] {
        let (anchor, asked) = witnessed(&[seen]);
        assert_eq!(asked, [(5, true), (seen, has_proof)]);
        assert_eq!(anchor.state, AnchorState::Confirmed);
    }
    let (anchor, asked) = witnessed(&[3, 4, 5]);
    assert_eq!((asked.len(), anchor.state), (2, AnchorState::Refused));
}

#[test]
fn a_witness_that_has_seen_more_reveals_a_restored_database() {
    let (anchor, asked) = witnessed(&[9]);
    assert_eq!((asked.len(), anchor.state), (1, AnchorState::Refused));
    let error = anchor.error.unwrap();
    assert!(error.contains("restored from a backup"), "{error}");
}
