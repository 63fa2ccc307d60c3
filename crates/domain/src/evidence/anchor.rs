//! Anchors: confirmations by outsiders that a checkpoint existed (docs/rules.md#anchors).

use std::str::FromStr;

use chrono::Duration;
use thiserror::Error;

use super::LogId;
use crate::Timestamp;

/// Time after which another server may repeat an exchange that was begun and not ended.
pub const ANCHOR_LEASE: Duration = Duration::minutes(5);
/// Longest wait after failures.
pub const ANCHOR_RETRY_MAX: Duration = Duration::hours(6);
/// How far the clock of an authority may differ.
pub const CLOCK_SLACK: Duration = Duration::minutes(5);
/// Wait after a calendar has promised a proof.
const FIRST_UPGRADE: Duration = Duration::hours(1);
/// Wait after it had none.
const NEXT_UPGRADE: Duration = Duration::hours(6);
/// Wait after the header of a block could not be checked.
const NEXT_CHECK: Duration = Duration::hours(1);
/// Most characters of an error that are kept.
const ERROR_MAX: usize = 500;

/// A stored name is that of no kind or state.
#[derive(Debug, Error)]
#[error("unknown name")]
pub struct UnknownAnchorName;

macro_rules! names {
    ($(#[$doc:meta])* $type:ident: $($(#[$item:meta])* $variant:ident = $name:literal,)+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $type {
            $($(#[$item])* $variant,)+
        }

        impl $type {
            /// Returns the name in the API and the database.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }

        impl FromStr for $type {
            type Err = UnknownAnchorName;

            fn from_str(name: &str) -> Result<Self, UnknownAnchorName> {
                match name {
                    $($name => Ok(Self::$variant),)+
                    _ => Err(UnknownAnchorName),
                }
            }
        }
    };
}

names! {
    /// The kind of an anchor.
    AnchorKind:
    /// A time-stamping authority (RFC 3161).
    Tsa = "tsa",
    /// A calendar of OpenTimestamps, which leads to a block of Bitcoin.
    Ots = "ots",
    /// A witness of the log (C2SP tlog-witness).
    Witness = "witness",
}

names! {
    /// The state of an anchor. The better ones come first.
    AnchorState:
    /// The time is confirmed.
    Confirmed = "confirmed",
    /// A calendar has promised a proof, or names a block that nobody has checked.
    Pending = "pending",
    /// It is being sent.
    Submitted = "submitted",
    /// It waits to be sent, for the first time or again.
    Queued = "queued",
    /// The last answer proves nothing. It will be sent again.
    Refused = "refused",
}

impl AnchorKind {
    /// Returns the shortest time between two submissions to the same service.
    #[must_use]
    pub fn interval(self) -> Duration {
        match self {
            Self::Tsa | Self::Witness => Duration::minutes(1),
            Self::Ots => Duration::minutes(10),
        }
    }

    /// Returns the wait after that many consecutive failures: doubled with each, and up to a
    /// quarter longer by `jitter`, so that servers do not return all at once.
    #[must_use]
    pub fn retry_after(self, failures: u32, jitter: u8) -> Duration {
        // 2^10 times a minute is more than the longest wait.
        let doublings = failures.saturating_sub(1).min(10);
        let wait = (self.interval() * (1 << doublings)).min(ANCHOR_RETRY_MAX * 4 / 5);
        wait + wait * i32::from(jitter) / (4 * i32::from(u8::MAX))
    }
}

/// An outsider that confirms times.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AnchorService {
    /// Its kind.
    pub kind: AnchorKind,
    /// Its host; of a witness, the name in its key.
    pub name: String,
}

/// The anchor of a signed checkpoint at one service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// The log.
    pub log: LogId,
    /// Number of events that the checkpoint covers.
    pub size: u64,
    /// The service.
    pub service: AnchorService,
    /// How far it is.
    pub state: AnchorState,
    /// Exchanges that were begun since the last one that got further. Identifies a claim.
    pub attempts: u32,
    /// When the last exchange was begun.
    pub asked_at: Option<Timestamp>,
    /// When the next exchange is due; `None` once nothing is left to do.
    pub next_attempt_at: Option<Timestamp>,
    /// Why the last exchange failed, for the operator.
    pub error: Option<String>,
    /// The proof: the response of an authority (RFC 3161, DER), the timestamp of a
    /// calendar without its digest, or the signature line of a witness with its end.
    pub artefact: Option<Vec<u8>>,
    /// The certificates of an authority up to the root, in PEM.
    pub chain: Option<String>,
    /// The time that an authority or a witness has signed, or that of the block, once that was checked.
    pub time: Option<Timestamp>,
    /// Number of the block of Bitcoin that a calendar names. While the anchor is pending, the
    /// calendar alone says so.
    pub block: Option<u64>,
}

impl Anchor {
    /// Returns an anchor that has to be sent.
    #[must_use]
    pub fn queued(log: LogId, size: u64, service: AnchorService, now: Timestamp) -> Self {
        Self {
            log,
            size,
            service,
            state: AnchorState::Queued,
            attempts: 0,
            asked_at: None,
            next_attempt_at: Some(now),
            error: None,
            artefact: None,
            chain: None,
            time: None,
            block: None,
        }
    }

    /// Returns whether the service has taken what it was sent.
    #[must_use]
    pub fn was_taken(&self) -> bool {
        matches!(self.state, AnchorState::Pending | AnchorState::Confirmed)
    }

    /// Returns whether a later checkpoint may be sent to the same service.
    #[must_use]
    pub fn makes_room(&self, now: Timestamp) -> bool {
        let wait = self.service.kind.interval();
        self.was_taken() && self.asked_at.is_none_or(|asked| asked + wait <= now)
    }

    /// Records the response of an authority, which was verified.
    pub fn confirm_time(&mut self, response: Vec<u8>, chain: String, time: Timestamp) {
        self.confirm(response);
        self.chain = Some(chain);
        self.time = Some(time);
    }

    /// Records the signature of a witness, which was verified.
    pub fn confirm_cosignature(&mut self, line: String, time: Timestamp) {
        self.confirm(line.into_bytes());
        self.time = Some(time);
    }

    /// Records the proof of a calendar that leads to a block, which nobody has checked. Its
    /// header is to be checked at `check_at`, if it can be.
    pub fn report_block(&mut self, proof: Vec<u8>, block: u64, check_at: Option<Timestamp>) {
        self.state = AnchorState::Pending;
        self.artefact = Some(proof);
        self.block = Some(block);
        self.attempts = 0;
        self.error = None;
        self.next_attempt_at = check_at;
    }

    /// Records that the header of a block confirms the proof.
    pub fn confirm_block(&mut self, proof: Vec<u8>, block: u64, time: Timestamp) {
        self.confirm(proof);
        self.block = Some(block);
        self.time = Some(time);
    }

    fn confirm(&mut self, artefact: Vec<u8>) {
        self.state = AnchorState::Confirmed;
        self.artefact = Some(artefact);
        self.error = None;
        self.next_attempt_at = None;
    }

    /// Records the promise of a calendar.
    pub fn promise(&mut self, proof: Vec<u8>, now: Timestamp) {
        self.state = AnchorState::Pending;
        self.artefact = Some(proof);
        self.attempts = 0;
        self.error = None;
        self.next_attempt_at = Some(now + FIRST_UPGRADE);
    }

    /// Records that a calendar has no proof yet.
    pub fn still_pending(&mut self, now: Timestamp) {
        self.attempts = 0;
        self.error = None;
        self.next_attempt_at = Some(now + NEXT_UPGRADE);
    }

    /// Records that an exchange failed, or that what came proves nothing (`refused`).
    pub fn fail(&mut self, refused: bool, error: &str, now: Timestamp, jitter: u8) {
        self.error = Some(error.chars().take(ERROR_MAX).collect());
        if self.state == AnchorState::Pending {
            // A node of one's own is asked sooner than a calendar.
            let wait = match self.block {
                Some(_) => NEXT_CHECK,
                None => NEXT_UPGRADE,
            };
            self.next_attempt_at = Some(now + wait);
            return;
        }
        self.state = match refused {
            true => AnchorState::Refused,
            false => AnchorState::Queued,
        };
        let wait = self.service.kind.retry_after(self.attempts, jitter);
        self.next_attempt_at = Some(now + wait);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minutes: i64) -> Timestamp {
        let start: Timestamp = "2026-11-22T12:00:00Z".parse().unwrap();
        start + Duration::minutes(minutes)
    }

    fn anchor(kind: AnchorKind) -> Anchor {
        let name = "outside.example.org".to_owned();
        Anchor::queued(LogId::FIRST, 7, AnchorService { kind, name }, at(0))
    }

    #[test]
    fn names_round_trip() {
        for kind in [AnchorKind::Tsa, AnchorKind::Ots, AnchorKind::Witness] {
            assert_eq!(kind.as_str().parse::<AnchorKind>().ok(), Some(kind));
        }
        assert!("oracle".parse::<AnchorKind>().is_err());
        for state in ["queued", "submitted", "pending", "confirmed", "refused"] {
            assert_eq!(state.parse::<AnchorState>().unwrap().as_str(), state);
        }
    }

    #[test]
    fn waits_double_up_to_six_hours_and_never_get_shorter_than_the_interval() {
        let wait = |failures, jitter| AnchorKind::Tsa.retry_after(failures, jitter);
        assert_eq!(wait(1, 0), Duration::minutes(1));
        assert_eq!(wait(1, 255), Duration::seconds(75));
        assert_eq!(wait(4, 0), Duration::minutes(8));
        assert_eq!(AnchorKind::Ots.retry_after(2, 0), Duration::minutes(20));
        for failures in [20, u32::MAX] {
            for kind in [AnchorKind::Tsa, AnchorKind::Ots] {
                assert_eq!(kind.retry_after(failures, 255), ANCHOR_RETRY_MAX);
            }
        }
    }

    #[test]
    fn a_service_is_sent_the_next_checkpoint_after_its_interval() {
        let mut anchor = anchor(AnchorKind::Tsa);
        assert!(!anchor.makes_room(at(60)));
        anchor.asked_at = Some(at(0));
        anchor.fail(false, "no answer", at(0), 0);
        assert!(!anchor.makes_room(at(60)));
        anchor.confirm_time(vec![1], "chain".into(), at(0));
        assert!(!anchor.makes_room(at(0)));
        assert!(anchor.makes_room(at(1)));
    }

    #[test]
    fn failures_are_told_apart_and_retried() {
        let mut anchor = anchor(AnchorKind::Tsa);
        anchor.attempts = 2;
        anchor.fail(false, "no answer", at(0), 0);
        assert_eq!(anchor.state, AnchorState::Queued);
        assert_eq!(anchor.next_attempt_at, Some(at(2)));
        anchor.fail(true, &"x".repeat(1_000), at(0), 0);
        assert_eq!(anchor.state, AnchorState::Refused);
        assert_eq!(anchor.error.map(|error| error.len()), Some(500));
    }

    #[test]
    fn a_promise_is_asked_for_again_forever() {
        let mut anchor = anchor(AnchorKind::Ots);
        anchor.promise(vec![1], at(0));
        assert_eq!(anchor.next_attempt_at, Some(at(60)));
        anchor.attempts = 1_000;
        anchor.fail(true, "nonsense", at(60), 0);
        assert_eq!(anchor.state, AnchorState::Pending);
        assert_eq!(anchor.artefact, Some(vec![1]));
        assert_eq!(anchor.next_attempt_at, Some(at(60 + 360)));
        anchor.still_pending(at(420));
        assert_eq!(anchor.error, None);
        assert_eq!(anchor.next_attempt_at, Some(at(420 + 360)));
        anchor.report_block(vec![2], 871_234, Some(at(420)));
        assert_eq!(anchor.state, AnchorState::Pending);
        anchor.fail(false, "the node is down", at(420), 0);
        assert_eq!(anchor.state, AnchorState::Pending);
        assert_eq!(anchor.next_attempt_at, Some(at(420 + 60)));
        assert_eq!(anchor.block, Some(871_234));
        anchor.confirm_block(vec![2], 871_234, at(400));
        assert_eq!(anchor.state, AnchorState::Confirmed);
        assert_eq!(anchor.time, Some(at(400)));
        assert_eq!(anchor.next_attempt_at, None);
    }
}
