//! Asks a node of Bitcoin for the headers of blocks, by the JSON-RPC of Bitcoin Core.
//!
//! Invariant: the node is the caller's own, and its word counts. Still nothing that it sends is
//! shown, and a header is returned only with the work and the hash that it should have.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use thiserror::Error;

use crate::bitcoin::{Header, HeaderError, Network};
use crate::http::{Endpoint, HttpClient, HttpError, HttpRequest};

/// Timeout of each of the two or three requests for a header.
pub const NODE_TIMEOUT: Duration = Duration::from_secs(10);

const JSON: &str = "application/json";
/// Most bytes of a response. A header has 160 digits.
const RESPONSE_MAX: usize = 16 * 1024;
/// Most bytes of a cookie file. Bitcoin Core writes 75.
const COOKIE_MAX: u64 = 1024;
const OK: u16 = 200;
const UNAUTHORIZED: u16 = 401;
const FORBIDDEN: u16 = 403;
/// Code of a parameter out of range: `RPC_INVALID_PARAMETER`.
const OUT_OF_RANGE: i64 = -8;
/// Code of a node that still loads its blocks: `RPC_IN_WARMUP`.
const WARMING_UP: i64 = -28;

/// Why there is no header. No text comes from the node.
#[derive(Debug, Error)]
pub enum NodeError {
    /// The exchange failed.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The cookie file cannot be read.
    #[error("the cookie file of the Bitcoin node cannot be read")]
    Cookie(#[source] io::Error),
    /// The cookie file does not hold a name and a password.
    #[error("the cookie file of the Bitcoin node has no name and password in it")]
    CookieForm,
    /// Name and password are missing or wrong.
    #[error("the Bitcoin node refuses the name and password")]
    Credentials,
    /// It still loads its blocks.
    #[error("the Bitcoin node is still starting")]
    Starting,
    /// It reports another error.
    #[error("the Bitcoin node reports error {0}")]
    Reported(i64),
    /// The response is none of JSON-RPC, or of another type.
    #[error("the response is not one of a Bitcoin node")]
    NotANode,
    /// It follows another network, such as one for tests.
    #[error("the Bitcoin node follows another network")]
    OtherNetwork,
    /// Its chain is shorter.
    #[error("the Bitcoin node has no block {0}")]
    NoBlock(u64),
    /// It sent the header of another block than the one that it named.
    #[error("the Bitcoin node sent the header of another block")]
    OtherHeader,
    /// It sent no header.
    #[error("the Bitcoin node sent no valid header")]
    Header(#[from] HeaderError),
}

impl NodeError {
    /// Returns whether the same can be expected for all other blocks.
    #[must_use]
    pub fn is_about_node(&self) -> bool {
        !matches!(
            self,
            Self::NoBlock(_) | Self::OtherHeader | Self::Header(_) | Self::Reported(_)
        )
    }
}

/// A node of Bitcoin that the caller trusts.
#[derive(Clone)]
pub struct BitcoinNode {
    endpoint: Endpoint,
    cookie: Option<PathBuf>,
    network: Network,
    client: Arc<dyn HttpClient>,
}

/// A response of JSON-RPC.
#[derive(Deserialize)]
struct RpcResponse {
    #[serde(default)]
    result: Value,
    #[serde(default)]
    error: Option<RpcError>,
}

#[derive(Deserialize)]
struct RpcError {
    code: i64,
}

impl BitcoinNode {
    /// Creates a client. Name and password are part of the address, or the content of the
    /// `cookie` file, which the node writes anew at each start and which is read for each
    /// request.
    #[must_use]
    pub fn new(
        endpoint: Endpoint,
        cookie: Option<PathBuf>,
        network: Network,
        client: Arc<dyn HttpClient>,
    ) -> Self {
        Self {
            endpoint,
            cookie,
            network,
            client,
        }
    }

    /// Checks that the node follows the network.
    pub async fn check_network(&self) -> Result<(), NodeError> {
        match self.block_hash(0).await?.as_str() == self.network.genesis() {
            true => Ok(()),
            false => Err(NodeError::OtherNetwork),
        }
    }

    /// Returns the header of the block at that height of the chain that the node follows. Call
    /// [`Self::check_network`] first: heights of other networks mean other blocks.
    pub async fn header(&self, height: u64) -> Result<Header, NodeError> {
        let hash = self.block_hash(height).await?;
        let hex: String = self
            .call("getblockheader", &json!([hash, false]), height)
            .await?;
        let header = Header::from_hex(&hex, self.network)?;
        match header.hash_hex() == hash {
            true => Ok(header),
            false => Err(NodeError::OtherHeader),
        }
    }

    async fn block_hash(&self, height: u64) -> Result<String, NodeError> {
        self.call("getblockhash", &json!([height]), height).await
    }

    async fn call<T: DeserializeOwned>(
        &self,
        method: &'static str,
        parameters: &Value,
        height: u64,
    ) -> Result<T, NodeError> {
        let request = json!({
            "jsonrpc": "1.0", "id": "ideavault", "method": method, "params": parameters,
        });
        let response = self
            .client
            .send(HttpRequest {
                endpoint: self.address()?,
                accept: JSON,
                post: Some((JSON, request.to_string().as_bytes())),
                response_max: RESPONSE_MAX,
            })
            .await?;
        if matches!(response.status, UNAUTHORIZED | FORBIDDEN) {
            return Err(NodeError::Credentials);
        }
        // Errors have a status of their own, and a body that tells more.
        let parsed: Result<RpcResponse, _> = serde_json::from_slice(&response.body);
        match parsed {
            Ok(RpcResponse {
                error: Some(RpcError { code }),
                ..
            }) => Err(match code {
                OUT_OF_RANGE => NodeError::NoBlock(height),
                WARMING_UP => NodeError::Starting,
                other => NodeError::Reported(other),
            }),
            Ok(answer) if response.status == OK => {
                serde_json::from_value(answer.result).map_err(|_| NodeError::NotANode)
            }
            _ if response.status != OK => Err(HttpError::Status(response.status).into()),
            _ => Err(NodeError::NotANode),
        }
    }

    fn address(&self) -> Result<Endpoint, NodeError> {
        let Some(path) = &self.cookie else {
            return Ok(self.endpoint.clone());
        };
        let mut text = String::new();
        File::open(path)
            .and_then(|file| file.take(COOKIE_MAX).read_to_string(&mut text))
            .map_err(NodeError::Cookie)?;
        let (name, password) = text.trim().split_once(':').ok_or(NodeError::CookieForm)?;
        Ok(self.endpoint.with_credentials(name, password))
    }
}

#[cfg(test)]
mod tests;
