use std::ops::RangeInclusive;
use std::sync::Mutex;

use chrono::Duration;
use ideavault_domain::evidence::{Log, LogId};
use ideavault_domain::ports::{BlockProof, ConfirmedBlock, TimeStamp};

use super::*;
use crate::testing::{MockDatabase, MockTransaction, at, deps};

const NOTE: &str = "vault.example.org/log1\n7\nroot\n\n— signed\n";

/// An outsider that gives one answer.
struct Outside<T>(Mutex<Option<Result<T, AnchorError>>>);

impl<T> Outside<T> {
    fn new(answer: Result<T, AnchorError>) -> Self {
        Self(Mutex::new(Some(answer)))
    }

    fn answer(&self) -> Result<T, AnchorError> {
        self.0.lock().unwrap().take().unwrap()
    }
}

impl TimeAuthority for Outside<TimeStamp> {
    fn name(&self) -> &str {
        "tsa.example.org"
    }

    fn stamp(
        &self,
        data: &[u8],
        _: [u8; 8],
        window: &RangeInclusive<Timestamp>,
    ) -> Result<TimeStamp, AnchorError> {
        assert_eq!(data, NOTE.as_bytes());
        assert_eq!(*window, at(-60 - 300)..=at(300));
        self.answer()
    }
}

impl Calendar for Outside<BlockProof> {
    fn name(&self) -> &str {
        "ots.example.org"
    }

    fn submit(&self, digest: &Digest) -> Result<Vec<u8>, AnchorError> {
        assert_eq!(*digest, sent());
        Ok(self.answer()?.proof)
    }

    fn upgrade(&self, digest: &Digest, proof: &[u8]) -> Result<Option<BlockProof>, AnchorError> {
        assert_eq!((digest, proof), (&sent(), &b"promise"[..]));
        self.answer().map(Some)
    }
}

/// A witness that has seen the log with one size after the other, and signs at last.
struct Seer {
    seen: Vec<u64>,
    asked: Arc<Mutex<Vec<(u64, usize)>>>,
}

impl Witness for Seer {
    fn name(&self) -> &str {
        "witness.example.org/w1"
    }

    fn cosign(
        &self,
        old: u64,
        proof: &[[u8; 32]],
        note: &[u8],
        window: &RangeInclusive<Timestamp>,
    ) -> Result<WitnessAnswer, AnchorError> {
        assert_eq!(note, NOTE.as_bytes());
        assert!(window.contains(&at(-30)));
        let mut asked = self.asked.lock().unwrap();
        let answer = self.seen.get(asked.len());
        asked.push((old, proof.len()));
        Ok(match answer {
            Some(seen) => WitnessAnswer::Seen(*seen),
            None => WitnessAnswer::Cosigned(Cosignature {
                line: "signed\n".to_owned(),
                time: at(-30),
            }),
        })
    }
}

/// Returns the digest that calendars receive for [`checkpoint`].
fn sent() -> Digest {
    let note = Digest::of(NOTE.as_bytes());
    let root = Digest::of(b"root");
    Digest::of(&[*root.as_bytes(), *note.as_bytes()].concat())
}

fn authority(answer: Result<TimeStamp, AnchorError>) -> Outsider {
    Outsider::Authority(Arc::new(Outside::new(answer)))
}

fn calendar(answer: Result<BlockProof, AnchorError>) -> Outsider {
    Outsider::Calendar(Arc::new(Outside::new(answer)))
}

fn stamp() -> TimeStamp {
    TimeStamp {
        response: b"token".to_vec(),
        chain: "chain".into(),
        time: at(-30),
    }
}

fn checkpoint() -> StoredCheckpoint {
    StoredCheckpoint {
        log: LogId::FIRST,
        head: LogHead {
            origin: "vault.example.org/log1".into(),
            size: 7,
            root: Digest::of(b"root"),
        },
        made_at: at(-60),
        note: NOTE.into(),
    }
}

/// Expects reads of the log and of the newest anchor of the service.
fn has(tx: &mut MockTransaction, newest: Option<Anchor>) {
    tx.expect_current_log().returning(|| {
        let StoredCheckpoint { log, head, .. } = checkpoint();
        Ok(Some(Log { id: log, head }))
    });
    tx.expect_newest_checkpoint()
        .returning(|_| Ok(Some(checkpoint())));
    tx.expect_newest_anchor()
        .returning(move |_| Ok(newest.clone()));
    tx.expect_anchor_is_due().returning(|_, _| Ok(false));
    tx.expect_confirmed_size().returning(|_, _| Ok(5));
    tx.expect_nodes()
        .returning(|_, positions| Ok(vec![Digest::of(b"node"); positions.len()]));
}

/// Lets one server claim `claimed`, and returns what is stored of it.
fn run(outsider: Outsider, newest: Option<Anchor>, claimed: Anchor) -> Anchor {
    run_with(None, outsider, newest, claimed)
}

fn run_with(
    blocks: Option<Arc<dyn BlockChain>>,
    outsider: Outsider,
    newest: Option<Anchor>,
    claimed: Anchor,
) -> Anchor {
    let reading = newest.clone();
    let stored = Arc::new(Mutex::new(None));
    let keep = Arc::clone(&stored);
    let database = MockDatabase::new(
        |tx| has(tx, reading),
        move |tx| {
            has(tx, newest);
            tx.expect_queue_unchecked().returning(|_, _| Ok(()));
            tx.expect_add_anchor().returning(|_| Ok(true));
            tx.expect_claim_anchor()
                .withf(|_, now, ends| *now == at(0) && *ends == at(300))
                .times(1)
                .returning(move |_, _, _| Ok(Some(claimed.clone())));
            tx.expect_first_checkpoint_of_at_least()
                .returning(|_, _| Ok(Some(checkpoint())));
            tx.expect_release_anchor()
                .withf(|_, attempts| *attempts == 1)
                .times(1)
                .returning(move |anchor, _| {
                    *keep.lock().unwrap() = Some(anchor.clone());
                    Ok(true)
                });
        },
    );
    let anchoring = Anchoring::new(deps(database), vec![outsider], blocks);
    let exchanges = anchoring.advance().unwrap();
    assert_eq!(exchanges.len(), 1);
    let stored = stored.lock().unwrap().clone();
    stored.unwrap()
}

fn claimed(outsider: &Outsider) -> Anchor {
    let mut anchor = Anchor::queued(LogId::FIRST, 7, outsider.service(), at(0));
    anchor.state = AnchorState::Submitted;
    anchor.attempts = 1;
    anchor.asked_at = Some(at(0));
    anchor
}

#[test]
fn without_outsiders_nothing_is_read() {
    let database = MockDatabase::new(|_| {}, |_| {});
    let anchoring = Anchoring::new(deps(database), Vec::new(), None);
    assert!(anchoring.advance().unwrap().is_empty());
}

#[test]
fn nothing_is_written_when_the_newest_checkpoint_is_anchored_or_it_is_too_early() {
    let outsider = authority(Ok(stamp()));
    let mut same = claimed(&outsider);
    same.confirm_time(Vec::new(), String::new(), at(0));
    let mut recent = Anchor {
        size: 6,
        ..same.clone()
    };
    recent.asked_at = Some(at(-59));
    same.asked_at = Some(at(-3_600));
    let open = Anchor::queued(LogId::FIRST, 6, outsider.service(), at(0));
    for newest in [same, recent, open] {
        let database = MockDatabase::new(|tx| has(tx, Some(newest)), |_| {});
        let anchoring = Anchoring::new(deps(database), vec![outsider.clone()], None);
        assert!(anchoring.advance().unwrap().is_empty());
    }
}

#[test]
fn a_verified_time_is_stored() {
    let outsider = authority(Ok(stamp()));
    let mut earlier = Anchor {
        size: 6,
        ..claimed(&outsider)
    };
    earlier.confirm_time(Vec::new(), String::new(), at(-60));
    earlier.asked_at = Some(at(-60));
    for newest in [None, Some(earlier)] {
        let outsider = authority(Ok(stamp()));
        let claimed = claimed(&outsider);
        let stored = run(outsider, newest, claimed);
        assert_eq!(stored.state, AnchorState::Confirmed);
        assert_eq!(stored.artefact.as_deref(), Some(&b"token"[..]));
        assert_eq!(stored.time, Some(at(-30)));
    }
}

#[test]
fn failures_are_kept_with_their_causes_and_retried() {
    let cause = || Box::new(io::Error::other("it hung up"));
    for (error, state) in [
        (AnchorError::Unavailable(cause()), AnchorState::Queued),
        (AnchorError::Refused(cause()), AnchorState::Refused),
    ] {
        let outsider = authority(Err(error));
        let claimed = claimed(&outsider);
        let stored = run(outsider, None, claimed);
        assert_eq!(stored.state, state);
        assert!(stored.error.unwrap().ends_with(": it hung up"));
        assert!(stored.next_attempt_at.unwrap() >= at(60));
        assert_eq!(stored.artefact, None);
    }
}

#[test]
fn a_promise_of_a_calendar_becomes_a_proof() {
    let proof = |proof: &[u8]| {
        Ok(BlockProof {
            proof: proof.to_vec(),
            block: 871_234,
        })
    };
    let outsider = calendar(proof(b"promise"));
    let submitted = claimed(&outsider);
    let mut promised = run(outsider, None, submitted);
    assert_eq!(promised.state, AnchorState::Pending);
    assert_eq!(promised.next_attempt_at, Some(at(0) + Duration::hours(1)));
    promised.attempts = 1;
    let stored = run(calendar(proof(b"proof")), None, promised);
    // The calendar alone says so, and nobody is going to check it.
    assert_eq!(stored.state, AnchorState::Pending);
    assert_eq!(stored.block, Some(871_234));
    assert_eq!(stored.time, None);
    assert_eq!(stored.next_attempt_at, None);
    assert_eq!(stored.artefact.as_deref(), Some(&b"proof"[..]));
}

/// An anchor that a calendar has promised to confirm.
fn promised() -> Anchor {
    let mut promised = claimed(&calendar(unused()));
    promised.promise(b"promise".to_vec(), at(-3_600));
    promised.attempts = 1;
    promised
}

fn proof() -> Result<BlockProof, AnchorError> {
    Ok(BlockProof {
        proof: b"proof".to_vec(),
        block: 871_234,
    })
}

fn unused() -> Result<BlockProof, AnchorError> {
    Err(AnchorError::Refused("nobody asks".into()))
}

impl BlockChain for Outside<ConfirmedBlock> {
    fn confirm(&self, digest: &Digest, proof: &[u8]) -> Result<ConfirmedBlock, AnchorError> {
        assert_eq!((digest, proof), (&sent(), &b"proof"[..]));
        self.answer()
    }
}

fn chain(answer: Result<ConfirmedBlock, AnchorError>) -> Option<Arc<dyn BlockChain>> {
    Some(Arc::new(Outside::new(answer)))
}

fn mined() -> Result<ConfirmedBlock, AnchorError> {
    Ok(ConfirmedBlock {
        block: 871_234,
        time: at(-600),
    })
}

#[test]
fn a_block_with_a_checked_header_confirms_the_time() {
    let stored = run_with(chain(mined()), calendar(proof()), None, promised());
    assert_eq!(stored.state, AnchorState::Confirmed);
    assert_eq!(stored.block, Some(871_234));
    assert_eq!(stored.time, Some(at(-600)));
    assert_eq!(stored.artefact.as_deref(), Some(&b"proof"[..]));
    assert_eq!(stored.next_attempt_at, None);
}

#[test]
fn a_block_that_could_not_be_checked_stays_the_calendars_word_and_is_checked_later() {
    let down = AnchorError::Unavailable("the node is down".into());
    let mut reported = run_with(chain(Err(down)), calendar(proof()), None, promised());
    assert_eq!(reported.state, AnchorState::Pending);
    assert_eq!(reported.block, Some(871_234));
    assert_eq!(reported.time, None);
    assert!(
        reported
            .error
            .as_ref()
            .unwrap()
            .contains("the node is down")
    );
    assert_eq!(reported.next_attempt_at, Some(at(3_600)));
    // The calendar is not asked again.
    reported.attempts = 1;
    let stored = run_with(chain(mined()), calendar(unused()), None, reported);
    assert_eq!(stored.state, AnchorState::Confirmed);
    assert_eq!(stored.time, Some(at(-600)));
    assert_eq!(stored.error, None);
}

#[test]
fn a_block_with_another_root_proves_nothing_and_the_calendar_is_asked_again() {
    let other = AnchorError::Refused("another root".into());
    let stored = run_with(chain(Err(other)), calendar(proof()), None, promised());
    assert_eq!(stored.state, AnchorState::Pending);
    assert_eq!(stored.block, None);
    assert_eq!(stored.artefact.as_deref(), Some(&b"promise"[..]));
    assert!(stored.error.unwrap().contains("another root"));
    assert_eq!(stored.next_attempt_at, Some(at(6 * 3_600)));
}

#[test]
fn blocks_that_were_reported_earlier_are_queued_once() {
    let database = MockDatabase::new(
        |tx| {
            tx.expect_current_log().returning(|| Ok(None));
            tx.expect_newest_anchor().returning(|_| Ok(None));
            tx.expect_anchor_is_due().returning(|_, _| Ok(false));
        },
        |tx| {
            tx.expect_queue_unchecked()
                .withf(|service, now| service.kind == AnchorKind::Ots && *now == at(0))
                .times(1)
                .returning(|_, _| Ok(()));
        },
    );
    let outsiders = vec![authority(Ok(stamp())), calendar(unused())];
    let anchoring = Anchoring::new(deps(database), outsiders, chain(mined()));
    for _ in 0..2 {
        assert!(anchoring.advance().unwrap().is_empty());
    }
}

/// Lets a witness sign that has confirmed a log of 5 events and has seen it with these sizes.
/// Returns the anchor, and what the witness was sent: sizes, and the lengths of proofs.
fn witnessed(seen: &[u64]) -> (Anchor, Vec<(u64, usize)>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let witness = Outsider::Witness(Arc::new(Seer {
        seen: seen.to_vec(),
        asked: Arc::clone(&asked),
    }));
    let claimed = claimed(&witness);
    let stored = run(witness, None, claimed);
    let asked = asked.lock().unwrap().clone();
    (stored, asked)
}

#[test]
fn a_witness_is_sent_a_proof_from_what_it_has_confirmed() {
    let (anchor, asked) = witnessed(&[]);
    assert_eq!(asked, [(5, 4)]);
    assert_eq!(anchor.state, AnchorState::Confirmed);
    assert_eq!(anchor.artefact.as_deref(), Some(&b"signed\n"[..]));
    assert_eq!(anchor.time, Some(at(-30)));
    assert_eq!(anchor.chain, None);
}

#[test]
fn a_witness_that_has_seen_another_size_is_asked_once_more() {
    for (seen, proof) in [(0, 0), (3, 4), (7, 0)] {
        let (anchor, asked) = witnessed(&[seen]);
        assert_eq!(asked, [(5, 4), (seen, proof)]);
        assert_eq!(anchor.state, AnchorState::Confirmed);
    }
    let (anchor, asked) = witnessed(&[3, 4, 5]);
    assert_eq!(asked.len(), 2);
    assert_eq!(anchor.state, AnchorState::Refused);
}

#[test]
fn a_witness_that_has_seen_more_reveals_a_restored_database() {
    let (anchor, asked) = witnessed(&[8]);
    assert_eq!(asked.len(), 1);
    assert_eq!(anchor.state, AnchorState::Refused);
    let error = anchor.error.unwrap();
    assert!(error.contains("restored from a backup"), "{error}");
}
