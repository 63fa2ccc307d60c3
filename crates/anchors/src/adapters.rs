//! Adapters of the domain's ports: authorities, calendars and witnesses of the configuration.
//!
//! Invariant: nothing is returned that was not verified as far as it can be verified here.
//! Whether a block is as a proof says, only a node of the operator knows ([`NodeBlocks`]).

use std::collections::BTreeSet;
use std::error::Error;
use std::ops::RangeInclusive;
use std::sync::Arc;

use ideavault_domain::Timestamp;
use ideavault_domain::digest::Digest;
use ideavault_domain::ports::{
    AnchorError, BlockChain, BlockProof, Calendar, ConfirmedBlock, Cosignature, TimeAuthority,
    TimeStamp, Witness, WitnessAnswer,
};
use ideavault_evidence::checkpoint::SignedCheckpoint;
use ideavault_evidence::cosignature::{CosignatureError, SignatureLine, WitnessKey};
use ideavault_evidence::ots::{Attestation, CalendarTimestamp};
use thiserror::Error;
use tokio::runtime::Builder;

use crate::authority;
use crate::bitcoin::{Header, HeaderError};
use crate::calendar::{self, CalendarError};
use crate::http::{Endpoint, HttpClient, HttpError, HttpRequest};
use crate::node::{BitcoinNode, NodeError};
use crate::rfc3161::{self, Nonce, Refusal, Roots, to_pem};
use crate::witness::{self, Answer, WitnessError};

const TOO_MANY_REQUESTS: u16 = 429;
const SERVER_ERRORS: u16 = 500;
/// Most bytes of a page that is asked for to see whether somebody answers.
const PAGE_MAX: usize = 64 * 1024;
/// Most blocks of a proof that are looked at.
const BLOCKS_MAX: usize = 16;

/// The reason why a response is of no use.
#[derive(Clone, Copy, Debug, Error, Eq, PartialEq)]
enum UnusableResponse {
    /// There is no pending attestation.
    #[error("the calendar promises nothing")]
    NoPromise,
    /// No attestation names a block.
    #[error("the proof does not lead to a block")]
    NoBlock,
    /// No signature is by the configured key.
    #[error("the witness signed with another key than the configured one")]
    OtherKey,
    /// The time is not that of the exchange.
    #[error("the clock of the witness is wrong")]
    OtherTime,
}

/// A height, and the node's header of the block there or the reason why there is none.
pub type HeaderAt = (u64, Result<Header, NodeError>);

/// Why a node was not asked to the end.
#[derive(Debug, Error)]
pub enum HeadersError {
    /// The exchange could not begin.
    #[error("the Bitcoin node cannot be asked")]
    Exchange(#[from] AnchorError),
    /// The node is of no use.
    #[error(transparent)]
    Node(NodeError),
}

/// A time-stamping authority (RFC 3161).
pub struct Rfc3161Authority {
    endpoint: Endpoint,
    name: String,
    roots: Arc<Roots>,
    client: Arc<dyn HttpClient>,
}

impl Rfc3161Authority {
    /// Creates the adapter. Only `roots` are trusted.
    #[must_use]
    pub fn new(endpoint: Endpoint, roots: Arc<Roots>, client: Arc<dyn HttpClient>) -> Self {
        Self {
            name: endpoint.host(),
            endpoint,
            roots,
            client,
        }
    }
}

impl TimeAuthority for Rfc3161Authority {
    fn name(&self) -> &str {
        &self.name
    }

    fn stamp(
        &self,
        data: &[u8],
        nonce: [u8; 8],
        window: &RangeInclusive<Timestamp>,
    ) -> Result<TimeStamp, AnchorError> {
        let nonce = Nonce::from_random(nonce);
        let request = rfc3161::request(data, nonce);
        let asking = authority::ask(self.client.as_ref(), &self.endpoint, &request);
        let response = wait(asking)?.map_err(of_http)?;
        let confirmation = rfc3161::verify(&response, data, Some(nonce), &self.roots, window)
            .map_err(|refusal: Refusal| AnchorError::Refused(refusal.into()))?;
        Ok(TimeStamp {
            response,
            chain: confirmation.chain.iter().map(|der| to_pem(der)).collect(),
            time: confirmation.gen_time,
        })
    }
}

/// A calendar of OpenTimestamps.
pub struct OtsCalendar {
    endpoint: Endpoint,
    name: String,
    client: Arc<dyn HttpClient>,
}

impl OtsCalendar {
    /// Creates the adapter.
    #[must_use]
    pub fn new(endpoint: Endpoint, client: Arc<dyn HttpClient>) -> Self {
        Self {
            name: endpoint.host(),
            endpoint,
            client,
        }
    }
}

impl Calendar for OtsCalendar {
    fn name(&self) -> &str {
        &self.name
    }

    fn submit(&self, digest: &Digest) -> Result<Vec<u8>, AnchorError> {
        let submitting = calendar::submit(self.client.as_ref(), &self.endpoint, digest.as_bytes());
        let proof = wait(submitting)?.map_err(of_calendar)?;
        pending(&proof)?;
        Ok(proof.bytes().to_vec())
    }

    /// Asks for the first of several promises: calendars give one.
    fn upgrade(&self, digest: &Digest, proof: &[u8]) -> Result<Option<BlockProof>, AnchorError> {
        let proof = CalendarTimestamp::parse(proof, digest.as_bytes()).map_err(refused)?;
        let commitment = pending(&proof)?;
        let asking = calendar::upgrade(self.client.as_ref(), &self.endpoint, &commitment);
        let Some(rest) = wait(asking)?.map_err(of_calendar)? else {
            return Ok(None);
        };
        let proof = proof.upgraded(&rest).map_err(refused)?;
        let block = first_block(&proof)?;
        Ok(Some(BlockProof {
            proof: proof.bytes().to_vec(),
            block,
        }))
    }
}

/// A witness of the log (C2SP tlog-witness).
pub struct LogWitness {
    endpoint: Endpoint,
    key: WitnessKey,
    client: Arc<dyn HttpClient>,
}

impl LogWitness {
    /// Creates the adapter. Only signatures by `key` count.
    #[must_use]
    pub fn new(endpoint: Endpoint, key: WitnessKey, client: Arc<dyn HttpClient>) -> Self {
        Self {
            endpoint,
            key,
            client,
        }
    }
}

impl Witness for LogWitness {
    fn name(&self) -> &str {
        self.key.name()
    }

    fn cosign(
        &self,
        old: u64,
        proof: &[[u8; 32]],
        note: &[u8],
        window: &RangeInclusive<Timestamp>,
    ) -> Result<WitnessAnswer, AnchorError> {
        let signed = SignedCheckpoint::parse(note).map_err(refused)?;
        let client = self.client.as_ref();
        let asking = witness::add_checkpoint(client, &self.endpoint, (old, proof), note);
        let lines = match wait(asking)?.map_err(of_witness)? {
            Answer::Seen(size) => return Ok(WitnessAnswer::Seen(size)),
            Answer::Signed(lines) => lines,
        };
        let body = signed.checkpoint().body();
        // A witness may sign with several keys, of which this is the one that counts.
        for line in lines.lines() {
            let parsed: SignatureLine = line.parse().map_err(refused)?;
            let time = match self.key.verify(&body, &parsed) {
                Err(CosignatureError::OtherKey) => continue,
                verified => verified.map_err(refused)?,
            };
            if !window.contains(&time) {
                return Err(refused(UnusableResponse::OtherTime));
            }
            return Ok(WitnessAnswer::Cosigned(Cosignature {
                line: format!("{line}\n"),
                time,
            }));
        }
        Err(refused(UnusableResponse::OtherKey))
    }
}

/// The blocks that a node of the operator knows.
pub struct NodeBlocks {
    node: BitcoinNode,
}

impl NodeBlocks {
    /// Creates the adapter.
    #[must_use]
    pub fn new(node: BitcoinNode) -> Self {
        Self { node }
    }
}

impl BlockChain for NodeBlocks {
    /// Looks at the first blocks that a proof names: calendars name one, seldom two.
    fn confirm(&self, digest: &Digest, proof: &[u8]) -> Result<ConfirmedBlock, AnchorError> {
        let proof = CalendarTimestamp::parse(proof, digest.as_bytes()).map_err(refused)?;
        let roots: Vec<(u64, [u8; 32])> = blocks(&proof).take(BLOCKS_MAX).collect();
        let heights: BTreeSet<u64> = roots.iter().map(|(height, _)| *height).collect();
        let headers = headers_of(&self.node, heights).map_err(|error| match error {
            HeadersError::Exchange(error) => error,
            HeadersError::Node(error) => AnchorError::Unavailable(error.into()),
        })?;
        let mut other = None;
        for (height, header) in headers {
            let header = match header {
                Ok(header) => header,
                Err(error) => {
                    // It may only be behind.
                    other = Some(AnchorError::Unavailable(error.into()));
                    continue;
                }
            };
            let confirmed = roots
                .iter()
                .filter(|(of, _)| *of == height)
                .find_map(|(_, root)| header.confirm(root).ok());
            if let Some(time) = confirmed {
                return Ok(ConfirmedBlock {
                    block: height,
                    time,
                });
            }
        }
        Err(other.unwrap_or_else(|| refused(HeaderError::OtherBlock)))
    }
}

/// Asks a node for the headers of blocks, one after the other, and returns what it said of each
/// height. What would be the same for all heights ends it: nothing is returned then.
pub fn headers_of(
    node: &BitcoinNode,
    heights: impl IntoIterator<Item = u64>,
) -> Result<Vec<HeaderAt>, HeadersError> {
    wait(async {
        node.check_network().await?;
        let mut headers = Vec::new();
        for height in heights {
            match node.header(height).await {
                Err(error) if error.is_about_node() => return Err(error),
                header => headers.push((height, header)),
            }
        }
        Ok(headers)
    })?
    .map_err(HeadersError::Node)
}

/// Checks that a web server answers at an address, whatever it says. Sends nothing but the
/// request for a page.
pub fn reach(client: &dyn HttpClient, endpoint: Endpoint) -> Result<(), AnchorError> {
    let request = HttpRequest {
        endpoint,
        accept: "*/*",
        post: None,
        response_max: PAGE_MAX,
    };
    match wait(client.send(request))? {
        Ok(response) if response.status >= SERVER_ERRORS => {
            Err(of_http(HttpError::Status(response.status)))
        }
        // It is there; how much else it says is of no interest.
        Ok(_) | Err(HttpError::TooLarge(_)) => Ok(()),
        Err(error) => Err(of_http(error)),
    }
}

/// Returns the message of the first pending attestation.
fn pending(proof: &CalendarTimestamp) -> Result<Vec<u8>, AnchorError> {
    let mut promised = proof.attestations().filter_map(|found| match found {
        Attestation::Pending { message, .. } => Some(message.clone()),
        Attestation::Bitcoin { .. } | Attestation::Unknown { .. } => None,
    });
    promised
        .next()
        .ok_or(UnusableResponse::NoPromise)
        .map_err(refused)
}

/// Returns the blocks that a proof leads to, and the roots that they should have.
fn blocks(proof: &CalendarTimestamp) -> impl Iterator<Item = (u64, [u8; 32])> {
    proof.attestations().filter_map(|found| match found {
        Attestation::Bitcoin {
            height,
            merkle_root,
        } => Some((*height, *merkle_root)),
        Attestation::Pending { .. } | Attestation::Unknown { .. } => None,
    })
}

/// Returns the number of the first block that a proof leads to.
fn first_block(proof: &CalendarTimestamp) -> Result<u64, AnchorError> {
    let heights = blocks(proof).map(|(height, _)| height);
    heights
        .min()
        .ok_or(UnusableResponse::NoBlock)
        .map_err(refused)
}

fn refused<E: Error + Send + Sync + 'static>(error: E) -> AnchorError {
    AnchorError::Refused(Box::new(error))
}

fn of_http(error: HttpError) -> AnchorError {
    match error {
        HttpError::Client(_) | HttpError::Transport(_) | HttpError::TimedOut => {
            AnchorError::Unavailable(error.into())
        }
        HttpError::Status(TOO_MANY_REQUESTS | SERVER_ERRORS..) => {
            AnchorError::Unavailable(error.into())
        }
        HttpError::Status(_) | HttpError::TooLarge(_) => refused(error),
    }
}

fn of_calendar(error: CalendarError) -> AnchorError {
    match error {
        CalendarError::Http(error) => of_http(error),
        CalendarError::Proof(error) => refused(error),
    }
}

fn of_witness(error: WitnessError) -> AnchorError {
    match error {
        WitnessError::Http(error) => of_http(error),
        WitnessError::Malformed => refused(error),
    }
}

/// Waits for an exchange, which has a timeout of its own. Each has a runtime of its own:
/// they are rare, and callers may be on any thread that may block.
fn wait<T>(exchange: impl Future<Output = T>) -> Result<T, AnchorError> {
    let runtime = Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| AnchorError::Unavailable(error.into()))?;
    let outcome = runtime.block_on(exchange);
    // A lookup of a name may go on after its timeout.
    runtime.shutdown_background();
    Ok(outcome)
}

#[cfg(test)]
mod tests;
