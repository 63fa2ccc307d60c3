//! Implements the ports of the domain over this crate's formats.

mod archives;
mod bundles;

use std::error::Error;

use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::{self as domain, LogHead, LogSeed, Node};
use ideavault_domain::ports::{
    Appended, CheckpointSigner, DatabaseError, LogTile, LogTree, NodeReader, PortError, TileSource,
};
use zeroize::Zeroizing;

pub use bundles::ZipBundles;

use crate::checkpoint::{Checkpoint, CheckpointError, LogKey, SignedCheckpoint};
use crate::tree::tiles::{self, TilePath, TileReader};
use crate::tree::{self, TreeError};

/// The Merkle tree of RFC 9162.
#[derive(Clone, Copy, Debug)]
pub struct Rfc9162Tree;

struct Reader<'r, 'n>(&'r mut NodeReader<'n>);

impl tree::NodeReader for Reader<'_, '_> {
    type Error = DatabaseError;

    fn nodes(&mut self, positions: &[u64]) -> Result<Vec<crate::Digest>, DatabaseError> {
        (self.0)(positions).map(|nodes| bytes(&nodes))
    }
}

struct Tiles<'s>(&'s mut dyn TileSource);

fn bytes(digests: &[Digest]) -> Vec<crate::Digest> {
    digests.iter().map(|digest| *digest.as_bytes()).collect()
}

impl tree::NodeReader for Tiles<'_> {
    type Error = DatabaseError;

    fn nodes(&mut self, positions: &[u64]) -> Result<Vec<crate::Digest>, DatabaseError> {
        self.0.nodes(positions).map(|nodes| bytes(&nodes))
    }
}

impl TileReader for Tiles<'_> {
    fn events(&mut self, first: u64, count: u64) -> Result<Vec<crate::Digest>, DatabaseError> {
        self.0.entries(first, count).map(|entries| bytes(&entries))
    }
}

fn database_error(error: TreeError<DatabaseError>) -> DatabaseError {
    match error {
        TreeError::Read(error) => error,
        other @ (TreeError::WrongCount { .. } | TreeError::OutOfRange) => DatabaseError::Internal {
            operation: "read the tree of the log",
            source: Box::new(other),
        },
    }
}

fn digests(hashes: Vec<crate::Digest>) -> Vec<Digest> {
    hashes.into_iter().map(Digest::from_bytes).collect()
}

impl LogTree for Rfc9162Tree {
    fn append(
        &self,
        size: u64,
        leaves: &[Digest],
        mut nodes: NodeReader<'_>,
    ) -> Result<Appended, DatabaseError> {
        let leaves: Vec<crate::Digest> = leaves.iter().map(|leaf| *leaf.as_bytes()).collect();
        let appended = tree::append(size, &leaves, &mut Reader(&mut nodes));
        let tree::Appended { nodes, size, root } = appended.map_err(database_error)?;
        let nodes = nodes.into_iter().map(|(position, hash)| Node {
            position,
            hash: Digest::from_bytes(hash),
        });
        Ok(Appended {
            nodes: nodes.collect(),
            size,
            root: Digest::from_bytes(root),
        })
    }

    fn root(&self, size: u64, mut nodes: NodeReader<'_>) -> Result<Digest, DatabaseError> {
        let root = tree::root(size, &mut Reader(&mut nodes));
        root.map(Digest::from_bytes).map_err(database_error)
    }

    fn inclusion(
        &self,
        index: u64,
        size: u64,
        mut nodes: NodeReader<'_>,
    ) -> Result<Vec<Digest>, DatabaseError> {
        let proof = tree::inclusion_proof(index, size, &mut Reader(&mut nodes));
        proof.map(digests).map_err(database_error)
    }

    fn consistency(
        &self,
        old: u64,
        new: u64,
        mut nodes: NodeReader<'_>,
    ) -> Result<Vec<Digest>, DatabaseError> {
        let proof = tree::consistency_proof(old, new, &mut Reader(&mut nodes));
        proof.map(digests).map_err(database_error)
    }

    fn tile(
        &self,
        path: &str,
        size: u64,
        source: &mut dyn TileSource,
    ) -> Result<Option<LogTile>, DatabaseError> {
        let Some(path) = TilePath::parse(path) else {
            return Ok(None);
        };
        match tiles::tile(path, size, &mut Tiles(source)) {
            Ok(bytes) => Ok(Some(LogTile {
                bytes,
                is_full: path.is_full(),
            })),
            Err(TreeError::OutOfRange) => Ok(None),
            Err(error) => Err(database_error(error)),
        }
    }
}

/// Signs checkpoints as signed notes, with Ed25519.
#[derive(Clone, Copy, Debug)]
pub struct NoteSigner;

/// A checkpoint could not be signed or read.
#[derive(Debug, thiserror::Error)]
#[error("the checkpoint is not text")]
struct NotText;

#[derive(Debug, thiserror::Error)]
#[error("the secret part of a key is damaged")]
struct NoSeed;

fn port_error(error: impl Error + Send + Sync + 'static) -> PortError {
    PortError {
        operation: "sign or read a checkpoint",
        source: Box::new(error),
    }
}

fn key(origin: &str, seed: &LogSeed) -> Result<LogKey, CheckpointError> {
    LogKey::from_seed(origin, &Zeroizing::new(*seed.as_bytes()))
}

impl CheckpointSigner for NoteSigner {
    fn vkey(&self, origin: &str, seed: &LogSeed) -> Result<String, PortError> {
        let key = key(origin, seed).map_err(port_error)?;
        Ok(key.verifier().to_string())
    }

    fn sign(&self, head: &LogHead, keys: &[domain::StoredLogKey]) -> Result<String, PortError> {
        let mut note = String::new();
        for signing in keys {
            let seed = signing.seed.as_ref().ok_or_else(|| port_error(NoSeed))?;
            let sign = || {
                let root = *head.root.as_bytes();
                let checkpoint = Checkpoint::new(&head.origin, head.size, root)?;
                let body = checkpoint.body();
                let signed = key(&head.origin, seed)?.sign(checkpoint)?;
                Ok::<_, CheckpointError>((body, signed))
            };
            let (body, signed) = sign().map_err(port_error)?;
            let signed = str::from_utf8(signed.bytes()).map_err(|_| port_error(NotText))?;
            // A note is its body, an empty line, and a line for each signature.
            match signed.strip_prefix(&body) {
                Some(signatures) if !note.is_empty() => note.push_str(signatures.trim_start()),
                _ => note.push_str(signed),
            }
        }
        Ok(note)
    }

    fn read(&self, note: &str) -> Result<LogHead, PortError> {
        let signed = SignedCheckpoint::parse(note.as_bytes()).map_err(port_error)?;
        let checkpoint = signed.checkpoint();
        Ok(LogHead {
            origin: checkpoint.origin().to_owned(),
            size: checkpoint.size(),
            root: Digest::from_bytes(*checkpoint.root()),
        })
    }
}
