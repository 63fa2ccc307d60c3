//! Anchors: their repository, and the outsiders that confirm times.

use std::error::Error;
use std::ops::RangeInclusive;

use thiserror::Error;

use super::error::DatabaseError;
use crate::Timestamp;
use crate::digest::Digest;
use crate::evidence::{Anchor, AnchorService, LogId, Place};

type Result<T> = std::result::Result<T, DatabaseError>;

/// The anchors of signed checkpoints. Those that were confirmed never change.
pub trait Anchors {
    /// Adds an anchor. Returns `false` and adds nothing when the checkpoint has one at that
    /// service, or the service has not taken an earlier one yet.
    fn add_anchor(&mut self, anchor: &Anchor) -> Result<bool>;

    /// Returns the anchor of the newest checkpoint at a service.
    fn newest_anchor(&mut self, service: &AnchorService) -> Result<Option<Anchor>>;

    /// Returns the largest size of a log that a service has confirmed; 0 if none.
    fn confirmed_size(&mut self, service: &AnchorService, log: LogId) -> Result<u64>;

    /// Makes the anchors of a calendar due whose blocks nobody has checked or is going to check.
    fn queue_unchecked(&mut self, service: &AnchorService, now: Timestamp) -> Result<()>;

    /// Returns whether [`Anchors::claim_anchor`] would return an anchor.
    fn anchor_is_due(&mut self, service: &AnchorService, now: Timestamp) -> Result<bool>;

    /// Claims the anchor at a service that has been due the longest until `lease_ends`,
    /// and counts the attempt. Of concurrent servers, exactly one gets each anchor.
    fn claim_anchor(
        &mut self,
        service: &AnchorService,
        now: Timestamp,
        lease_ends: Timestamp,
    ) -> Result<Option<Anchor>>;

    /// Stores what became of an anchor that was claimed with that number of attempts, and
    /// releases it. Returns `false` when the claim was lost.
    fn release_anchor(&mut self, anchor: &Anchor, claimed_attempts: u32) -> Result<bool>;

    /// Returns anchors of checkpoints that cover the event at `place`: of each service the
    /// one that is furthest, the oldest of several, best first. Then those of services that
    /// have not taken an earlier checkpoint yet, unless their next exchange was due before
    /// `since`.
    fn anchors_covering(&mut self, place: Place, since: Timestamp) -> Result<Vec<Anchor>>;

    /// Returns the confirmations, and promises of one, without the seal that shows that a server
    /// of this vault stored them.
    fn unsealed_anchors(&mut self) -> Result<Vec<Anchor>>;

    /// Returns the anchors whose last exchange failed and whose next one was not due before
    /// `since`: later than that, no server knows the service any more.
    fn failing_anchors(&mut self, since: Timestamp) -> Result<Vec<Anchor>>;
}

/// The reason why an outsider confirmed nothing. Neither source names an address, which can
/// hold a password.
#[derive(Debug, Error)]
pub enum AnchorError {
    /// There was no answer.
    #[error("no answer")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
    /// The answer proves nothing.
    #[error("the answer proves nothing")]
    Refused(#[source] Box<dyn Error + Send + Sync>),
}

/// A verified time-stamp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeStamp {
    /// The response (RFC 3161, DER), which `openssl ts -verify` accepts.
    pub response: Vec<u8>,
    /// The certificates from the authority's to the root's, in PEM.
    pub chain: String,
    /// The time that it names.
    pub time: Timestamp,
}

/// A time-stamping authority. A call ends within a bounded time and contacts no other
/// address than the configured one.
pub trait TimeAuthority: Send + Sync {
    /// Returns its host.
    fn name(&self) -> &str;

    /// Asks for a time-stamp of `data` and verifies it in full: that it answers this `nonce`,
    /// that its time lies within `window`, and that a configured root vouches for it.
    fn stamp(
        &self,
        data: &[u8],
        nonce: [u8; 8],
        window: &RangeInclusive<Timestamp>,
    ) -> std::result::Result<TimeStamp, AnchorError>;
}

/// The verified signature of a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cosignature {
    /// The line of the signed note (C2SP tlog-cosignature), with its end.
    pub line: String,
    /// When the witness signed.
    pub time: Timestamp,
}

/// The response of a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WitnessAnswer {
    /// It signed.
    Cosigned(Cosignature),
    /// It has seen the log with this size, and wants a proof from there.
    Seen(u64),
}

/// A witness of the log: signs that a checkpoint extends all earlier ones that it has seen. A
/// call ends within a bounded time and contacts no other address than the configured one.
pub trait Witness: Send + Sync {
    /// Returns the name in its key.
    fn name(&self) -> &str;

    /// Sends a signed checkpoint with the proof that it extends the log of `old` events
    /// (empty for 0), and verifies the signature in full: by the configured key, over this
    /// checkpoint, at a time within `window`.
    fn cosign(
        &self,
        old: u64,
        proof: &[[u8; 32]],
        note: &[u8],
        window: &RangeInclusive<Timestamp>,
    ) -> std::result::Result<WitnessAnswer, AnchorError>;
}

/// A proof that leads to a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockProof {
    /// The proof as calendars send it, without its digest.
    pub proof: Vec<u8>,
    /// Number of the block. Whether the block is as the proof says has to be checked with
    /// its header.
    pub block: u64,
}

/// A block of Bitcoin that confirms a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfirmedBlock {
    /// Its number.
    pub block: u64,
    /// The time that its miner set, which may be up to two hours off.
    pub time: Timestamp,
}

/// The blocks of Bitcoin, as a node of the operator knows them. A call ends within a bounded
/// time and contacts nobody but that node.
pub trait BlockChain: Send + Sync {
    /// Returns a block whose header has the Merkle root to which `proof` leads from `digest`.
    ///
    /// # Errors
    /// [`AnchorError`]: [`AnchorError::Refused`] if the blocks that the proof names have other
    /// roots.
    fn confirm(
        &self,
        digest: &Digest,
        proof: &[u8],
    ) -> std::result::Result<ConfirmedBlock, AnchorError>;
}

/// A calendar of OpenTimestamps. A call ends within a bounded time and contacts no other
/// address than the configured one, also none that a proof names.
pub trait Calendar: Send + Sync {
    /// Returns its host.
    fn name(&self) -> &str;

    /// Submits a digest and returns the calendar's promise: a proof that leads from the
    /// digest to a pending attestation.
    fn submit(&self, digest: &Digest) -> std::result::Result<Vec<u8>, AnchorError>;

    /// Asks for the rest of a proof of `digest` that this calendar has promised; `None` while
    /// it has none.
    fn upgrade(
        &self,
        digest: &Digest,
        proof: &[u8],
    ) -> std::result::Result<Option<BlockProof>, AnchorError>;
}
