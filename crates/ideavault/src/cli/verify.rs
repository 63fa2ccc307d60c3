//! `ideavault verify`: checks an evidence bundle without any vault.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use clap::Args;
use ideavault_anchors::adapters::{HeadersError, headers_of};
use ideavault_anchors::bitcoin::{Header, HeaderError, Network};
use ideavault_anchors::http::{EndpointError, WebClient};
use ideavault_anchors::node::{BitcoinNode, NODE_TIMEOUT, NodeError};
use ideavault_anchors::rfc3161::{self, Refusal, Roots, RootsError};
use ideavault_evidence::bundle::{BundleError, BundleReader, Limits};
use ideavault_evidence::checkpoint::{CheckpointError, SignedCheckpoint, VerifierKey};
use ideavault_evidence::cosignature::{CosignatureError, WitnessKey};
use ideavault_evidence::ots::BlockHeader;
use ideavault_evidence::verify::{
    self, AuthorityTime, Claim, ClaimKind, KnownHeader, Older, Options, Outcome, Report,
    TimestampError, TimestampVerifier, Verdict, bitcoin_heights, escaped,
};
use thiserror::Error;

/// Exit status for wrong usage and unreadable files (`sysexits.h`).
pub const EXIT_USAGE: u8 = 64;

/// Most blocks whose headers a node is asked for. The bundles of a vault name about 2,000.
const HEIGHTS_MAX: usize = 4_096;

const INVALID: &str = "INVALID: what FAILS is not what was recorded.";

/// Options of `ideavault verify`.
#[derive(Args, Clone, Debug)]
pub struct VerifyOptions {
    /// The bundle, a zip file.
    pub bundle: PathBuf,

    /// The log's key, from a source other than the bundle.
    #[arg(long, value_name = "VKEY")]
    pub key: Option<String>,

    /// Certificates of time-stamping authorities that you trust, as PEM.
    #[arg(long, value_name = "PEM")]
    pub roots: Option<PathBuf>,

    /// Key of a witness of the log that you trust.
    #[arg(long, value_name = "VKEY")]
    pub witness: Vec<String>,

    /// Header of a Bitcoin block, as 160 hexadecimal digits, from your own node.
    #[arg(long, value_name = "HEX")]
    pub header: Vec<String>,

    /// JSON-RPC of your own Bitcoin node, such as http://127.0.0.1:8332, which is asked for the
    /// headers. With --bitcoin-cookie, or a name and password in the address.
    #[arg(long, value_name = "URL", conflicts_with = "header")]
    pub bitcoin_node: Option<String>,

    /// The file .cookie of that node, with its name and password.
    #[arg(long, value_name = "FILE", requires = "bitcoin_node")]
    pub bitcoin_cookie: Option<PathBuf>,

    /// Network of the headers; another one than the main one only in tests.
    #[arg(skip)]
    pub network: Network,

    /// An older bundle or checkpoint of the same log.
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,
}

/// Why a bundle could not be verified; says nothing about the bundle.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// A file cannot be read.
    #[error("{} cannot be read", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
    /// The bundle cannot be read.
    #[error("the bundle cannot be read")]
    Bundle(#[source] BundleError),
    /// The value of `--key` is not the key of a log.
    #[error(
        "--key is not a key of a log (copy the whole line that `ideavault evidence key` prints)"
    )]
    Key(#[source] CheckpointError),
    /// The file of `--roots` has no certificate that can be trusted.
    #[error("--roots has no certificates that can be trusted")]
    Roots(#[source] RootsError),
    /// A value of `--witness` is not the key of a witness.
    #[error("--witness is not the key of a witness")]
    Witness(#[source] CosignatureError),
    /// A value of `--header` is not the header of a block.
    #[error("--header is not the header of a Bitcoin block")]
    Header(#[source] HeaderError),
    /// The value of `--bitcoin-node` is not an address.
    #[error("--bitcoin-node is not the address of a node")]
    NodeAddress(#[source] EndpointError),
    /// No request can be sent to the node of `--bitcoin-node`.
    #[error("--bitcoin-node cannot be asked")]
    Node(#[source] NodeError),
    /// The file of `--against` is neither a bundle nor a checkpoint.
    #[error(
        "--against is neither a bundle nor a checkpoint: give a bundle (.zip), or the file \
         log/checkpoint of one"
    )]
    Older,
    /// The output cannot be written.
    #[error("the output cannot be written")]
    Output(#[from] std::io::Error),
}

/// Verifies time-stamps with certificates, or all but who vouches for them if there are none.
struct Timestamps {
    roots: Roots,
}

impl TimestampVerifier for Timestamps {
    fn verify(
        &self,
        answer: &[u8],
        data: &[u8],
        _roots: &[String],
    ) -> Result<AuthorityTime, TimestampError> {
        // When it was made is compared with the events by the caller.
        let window = DateTime::<Utc>::MIN_UTC..=DateTime::<Utc>::MAX_UTC;
        match rfc3161::verify(answer, data, None, &self.roots, &window) {
            Ok(confirmed) => Ok(AuthorityTime {
                time: confirmed.gen_time,
                authority: confirmed.authority_name,
            }),
            Err(refusal @ (Refusal::NoChain | Refusal::BrokenChain(_))) => {
                Err(TimestampError::Untrusted(refusal.to_string()))
            }
            Err(refusal) => Err(TimestampError::Invalid(refusal.to_string())),
        }
    }
}

/// Prints every claim of a bundle to `out`, and whether it is true.
pub fn verify(options: &VerifyOptions, out: &mut dyn Write) -> Result<Verdict, VerifyError> {
    let key = options
        .key
        .as_deref()
        .map(str::trim)
        .map(VerifierKey::parse);
    let key = key.transpose().map_err(VerifyError::Key)?;
    let pem = options.roots.as_deref().map(text_of).transpose()?;
    let roots = pem.as_deref().map(Roots::from_pem).transpose();
    let timestamps = Timestamps {
        roots: roots.map_err(VerifyError::Roots)?.unwrap_or_default(),
    };
    let witnesses = options.witness.iter().map(|key| WitnessKey::parse(key));
    let witnesses: Result<_, _> = witnesses.collect();
    let headers = options
        .header
        .iter()
        .map(|text| header(text, options.network));
    let node = node(options)?;
    let older = options
        .against
        .as_deref()
        .map(OlderFile::open)
        .transpose()?;
    let mut known = Options {
        key,
        roots: pem.into_iter().collect(),
        timestamps: Some(&timestamps),
        witnesses: witnesses.map_err(VerifyError::Witness)?,
        headers: headers.collect::<Result<_, _>>()?,
        missing_headers: BTreeMap::new(),
        older: older.as_ref().map(OlderFile::evidence),
        now: Some(Utc::now()),
    };
    let bundle = match open(&options.bundle)? {
        Ok(bundle) => bundle,
        Err(refused) if refused.is_unreadable() => return Err(VerifyError::Bundle(refused)),
        Err(refused) => {
            let line = format!("FAILS    {}: {refused}", options.bundle.display());
            writeln!(out, "{}", escaped(&line))?;
            conclude(INVALID, out)?;
            return Ok(Verdict::Invalid);
        }
    };
    if let Some(node) = node {
        ask(&node, &bundle, &mut known)?;
    }
    let report = verify::verify(&bundle, &known).map_err(VerifyError::Bundle)?;
    for claim in &report.claims {
        writeln!(out, "{claim}")?;
    }
    conclude(conclusion(&report, options), out)?;
    Ok(report.verdict())
}

fn conclusion(report: &Report, options: &VerifyOptions) -> &'static str {
    let of = |kind| report.claims.iter().filter(move |claim| claim.kind == kind);
    let is_open = |claim: &Claim| matches!(claim.outcome, Outcome::Unknown { .. });
    match report.verdict() {
        Verdict::Invalid => INVALID,
        Verdict::OwnWord if of(ClaimKind::Older).any(is_open) => {
            "Valid, but on the server's own word: nothing connects it with the older evidence."
        }
        Verdict::OwnWord if of(ClaimKind::Key).all(|claim| claim.outcome == Outcome::Holds) => {
            "Valid, but on the server's own word: nobody whom you trust confirms the time. Give \
             --roots or --witness if the bundle has answers of an authority or a witness."
        }
        Verdict::OwnWord if options.key.is_some() => {
            "Valid, but on the server's own word: nothing vouches for the key of an older log."
        }
        Verdict::OwnWord => {
            "Valid, but on the server's own word: give the log's key with --key, from a source \
             other than the bundle."
        }
        Verdict::Pending => {
            "Valid, but the time is not confirmed by others yet: it is pending in Bitcoin, or needs \
             --bitcoin-node, --roots or --witness to be checked."
        }
        Verdict::Confirmed => "Valid, and the time is confirmed by others.",
    }
}

fn conclude(conclusion: &str, out: &mut dyn Write) -> Result<(), VerifyError> {
    Ok(writeln!(out, "\n{conclusion}")?)
}

fn open(path: &Path) -> Result<Result<BundleReader, BundleError>, VerifyError> {
    let file = File::open(path).map_err(unreadable(path))?;
    Ok(BundleReader::open(file, &Limits::default()))
}

fn unreadable(path: &Path) -> impl FnOnce(std::io::Error) -> VerifyError {
    move |source| VerifyError::Unreadable {
        path: path.to_owned(),
        source,
    }
}

fn text_of(path: &Path) -> Result<String, VerifyError> {
    std::fs::read_to_string(path).map_err(unreadable(path))
}

fn header(text: &str, network: Network) -> Result<KnownHeader, VerifyError> {
    let header = Header::from_hex(text, network).map_err(VerifyError::Header)?;
    known_header(None, &header).ok_or(VerifyError::Header(HeaderError::NotAHeader))
}

fn known_header(height: Option<u64>, header: &Header) -> Option<KnownHeader> {
    Some(KnownHeader {
        height,
        header: BlockHeader {
            merkle_root: header.merkle_root(),
            time: u32::try_from(header.time().timestamp()).ok()?,
        },
    })
}

fn node(options: &VerifyOptions) -> Result<Option<BitcoinNode>, VerifyError> {
    let Some(address) = &options.bitcoin_node else {
        return Ok(None);
    };
    let endpoint = address.trim().parse().map_err(VerifyError::NodeAddress)?;
    let client = WebClient::without_proxy(NODE_TIMEOUT)
        .map_err(|error| VerifyError::Node(NodeError::Http(error)))?;
    let cookie = options.bitcoin_cookie.clone();
    let node = BitcoinNode::new(endpoint, cookie, options.network, Arc::new(client));
    Ok(Some(node))
}

/// Asks a node for the headers that decide the claims of a bundle. Stores the reason for each
/// missing header in `known`.
fn ask(
    node: &BitcoinNode,
    bundle: &BundleReader,
    known: &mut Options<'_>,
) -> Result<(), VerifyError> {
    let mut heights = bitcoin_heights(bundle);
    if heights.is_empty() {
        return Ok(());
    }
    let last = heights.iter().nth(HEIGHTS_MAX).copied();
    let beyond = last.map(|last| heights.split_off(&last));
    for height in beyond.into_iter().flatten() {
        let reason = format!("The bundle names more than {HEIGHTS_MAX} blocks.");
        known.missing_headers.insert(height, reason);
    }
    match headers_of(node, heights.iter().copied()) {
        Ok(found) => {
            for (height, header) in found {
                match header {
                    Ok(header) => known.headers.extend(known_header(Some(height), &header)),
                    Err(error) => {
                        known.missing_headers.insert(height, not_checked(&error));
                    }
                }
            }
        }
        Err(HeadersError::Node(error @ (NodeError::Cookie(_) | NodeError::CookieForm))) => {
            return Err(VerifyError::Node(error));
        }
        Err(error) => {
            let reason = not_checked(&error);
            let all = heights.into_iter().map(|height| (height, reason.clone()));
            known.missing_headers.extend(all);
        }
    }
    Ok(())
}

fn not_checked(error: &dyn std::error::Error) -> String {
    format!("It was not checked: {error}.")
}

enum OlderFile {
    Checkpoint(SignedCheckpoint),
    Bundle(BundleReader),
}

impl OlderFile {
    fn open(path: &Path) -> Result<Self, VerifyError> {
        if let Ok(bundle) = open(path)? {
            return Ok(Self::Bundle(bundle));
        }
        let bytes = std::fs::read(path).map_err(unreadable(path))?;
        SignedCheckpoint::parse(&bytes)
            .map(Self::Checkpoint)
            .map_err(|_| VerifyError::Older)
    }

    fn evidence(&self) -> Older<'_> {
        match self {
            Self::Checkpoint(checkpoint) => Older::Checkpoint(checkpoint.clone()),
            Self::Bundle(bundle) => Older::Bundle(bundle),
        }
    }
}
