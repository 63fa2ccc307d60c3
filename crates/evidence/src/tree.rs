//! The append-only Merkle tree of a log, hashed as RFC 9162 section 2.1 says.
//!
//! A leaf's data is the 32-byte SHA-256 of an event. Nodes are stored at positions in the
//! numbering of `tlog_tiles` (Crosby and Wallach 2009, section 3.3): the nodes that an append
//! adds have the positions that follow those of all earlier ones, and no node ever changes.

use std::cell::RefCell;
use std::collections::HashMap;

use thiserror::Error;
use tlog_tiles::{Hash, HashReader};

use crate::Digest;

pub mod tiles;

#[cfg(test)]
mod tests;

/// The largest size of a tree: JSON holds no larger number exactly.
pub const MAX_SIZE: u64 = 1 << 53;

/// The most hashes in a proof: one for each level of the largest tree, and one more for the
/// start of a consistency proof.
pub const MAX_PROOF_HASHES: usize = 54;

/// The root of a tree without leaves: the SHA-256 of nothing.
pub const EMPTY_ROOT: Digest = tlog_tiles::EMPTY_HASH.0;

/// Reads stored nodes, in a transaction for example.
pub trait NodeReader {
    /// The error of a failed read.
    type Error;

    /// Returns the nodes at these positions, in this order. Every call of this module makes at
    /// most one read, of positions that an earlier append has added.
    ///
    /// # Errors
    ///
    /// Fails if a node cannot be read or is missing.
    fn nodes(&mut self, positions: &[u64]) -> Result<Vec<Digest>, Self::Error>;
}

impl<E, F: FnMut(&[u64]) -> Result<Vec<Digest>, E>> NodeReader for F {
    type Error = E;

    fn nodes(&mut self, positions: &[u64]) -> Result<Vec<Digest>, E> {
        self(positions)
    }
}

/// Failed to work with the tree.
#[derive(Debug, Error)]
pub enum TreeError<E> {
    /// The reader failed.
    #[error("reading nodes of the tree failed")]
    Read(#[source] E),
    /// The reader returned another number of nodes than it was asked for.
    #[error("{asked} nodes of the tree were asked for and {returned} returned")]
    WrongCount {
        /// Number of positions asked for.
        asked: usize,
        /// Number of nodes returned.
        returned: usize,
    },
    /// The tree has no such leaf, size or tile.
    #[error("the tree does not reach that far")]
    OutOfRange,
}

/// Failed to verify a proof: it does not lead to the expected root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the proof does not lead to the root")]
pub struct InvalidProof;

/// Result of an append.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appended {
    /// Nodes to store with their positions, which follow each other and all earlier ones.
    pub nodes: Vec<(u64, Digest)>,
    /// Number of leaves of the tree.
    pub size: u64,
    /// Root of the tree.
    pub root: Digest,
}

/// Side on which a proof's hash stands beside the path from a leaf to the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Hashed before the path.
    Left,
    /// Hashed after the path.
    Right,
}

/// Returns the hash of the leaf for an event's SHA-256.
pub fn leaf_hash(event: &Digest) -> Digest {
    tlog_tiles::record_hash(event).0
}

/// Returns the hash of an inner node.
pub fn node_hash(left: &Digest, right: &Digest) -> Digest {
    tlog_tiles::node_hash(Hash(*left), Hash(*right)).0
}

/// Returns the number of stored nodes of a tree of `size` leaves, which is the next free
/// position.
pub fn node_count(size: u64) -> u64 {
    tlog_tiles::stored_hash_count(size.min(MAX_SIZE))
}

/// Adds leaves to a tree of `size`, given the SHA-256 of each event. Reads one node for each
/// complete subtree of the old tree, at most 53 however many leaves are added.
///
/// # Errors
///
/// Fails if the reader does, or if the tree would be larger than [`MAX_SIZE`].
pub fn append<R: NodeReader>(
    size: u64,
    events: &[Digest],
    reader: &mut R,
) -> Result<Appended, TreeError<R::Error>> {
    let added = u64::try_from(events.len()).map_err(|_| TreeError::OutOfRange)?;
    let new_size = size
        .checked_add(added)
        .filter(|new_size| *new_size <= MAX_SIZE)
        .ok_or(TreeError::OutOfRange)?;
    let edge = tlog_tiles::sub_tree_index(0, size, Vec::new());
    let mut known = Known::read(&edge, reader)?;
    let mut nodes = Vec::with_capacity(events.len().saturating_mul(2));
    let mut position = node_count(size);
    for (index, event) in (size..).zip(events) {
        let hashes = tlog_tiles::stored_hashes(index, event, &Nodes::Known(&known))
            .map_err(|_| TreeError::OutOfRange)?;
        for hash in hashes {
            known.0.insert(position, hash);
            nodes.push((position, hash.0));
            position += 1;
        }
    }
    let root = tlog_tiles::tree_hash(new_size, &Nodes::Known(&known))
        .map_err(|_| TreeError::OutOfRange)?;
    Ok(Appended {
        nodes,
        size: new_size,
        root: root.0,
    })
}

/// Returns the root of the tree's first `size` leaves.
///
/// # Errors
///
/// Fails if the reader does, or if `size` is above [`MAX_SIZE`].
pub fn root<R: NodeReader>(size: u64, reader: &mut R) -> Result<Digest, TreeError<R::Error>> {
    if size > MAX_SIZE {
        return Err(TreeError::OutOfRange);
    }
    read_then(reader, |nodes| tlog_tiles::tree_hash(size, nodes)).map(|hash| hash.0)
}

/// Returns the proof that the tree's first `size` leaves contain the leaf at `index`, from the
/// leaf's sibling up (RFC 9162 section 2.1.3).
///
/// # Errors
///
/// Fails if the reader does, or if there is no such leaf.
pub fn inclusion_proof<R: NodeReader>(
    index: u64,
    size: u64,
    reader: &mut R,
) -> Result<Vec<Digest>, TreeError<R::Error>> {
    if size > MAX_SIZE || index >= size {
        return Err(TreeError::OutOfRange);
    }
    read_then(reader, |nodes| tlog_tiles::prove_record(size, index, nodes)).map(digests)
}

/// Returns the proof that the tree's first `new` leaves begin with its first `old` ones
/// (RFC 9162 section 2.1.4). It is empty if `old` is 0 or `new`.
///
/// # Errors
///
/// Fails if the reader does, or if `old` is above `new`.
pub fn consistency_proof<R: NodeReader>(
    old: u64,
    new: u64,
    reader: &mut R,
) -> Result<Vec<Digest>, TreeError<R::Error>> {
    if new > MAX_SIZE || old > new {
        return Err(TreeError::OutOfRange);
    }
    if old == 0 {
        return Ok(Vec::new());
    }
    read_then(reader, |nodes| tlog_tiles::prove_tree(new, old, nodes)).map(digests)
}

/// Checks that a tree of `size` with this root has the event at `index`.
///
/// # Errors
///
/// Fails if the proof does not lead to the root.
pub fn verify_inclusion(
    event: &Digest,
    index: u64,
    size: u64,
    root: &Digest,
    proof: &[Digest],
) -> Result<(), InvalidProof> {
    if size > MAX_SIZE || index >= size || proof.len() > MAX_PROOF_HASHES {
        return Err(InvalidProof);
    }
    let leaf = Hash(leaf_hash(event));
    tlog_tiles::check_record(&hashes(proof), size, Hash(*root), index, leaf)
        .map_err(|_| InvalidProof)
}

/// Checks that a tree of `new` leaves begins with a tree of `old` leaves, given the roots of
/// both.
///
/// # Errors
///
/// Fails if the proof does not lead to both roots.
pub fn verify_consistency(
    old: u64,
    old_root: &Digest,
    new: u64,
    new_root: &Digest,
    proof: &[Digest],
) -> Result<(), InvalidProof> {
    if new > MAX_SIZE || old > new || proof.len() > MAX_PROOF_HASHES {
        return Err(InvalidProof);
    }
    if old == 0 {
        let empty =
            *old_root == EMPTY_ROOT && proof.is_empty() && (new > 0 || old_root == new_root);
        return if empty { Ok(()) } else { Err(InvalidProof) };
    }
    tlog_tiles::check_tree(&hashes(proof), new, Hash(*new_root), old, Hash(*old_root))
        .map_err(|_| InvalidProof)
}

/// Returns on which side of the path each hash of an inclusion proof stands, from the leaf up
/// (RFC 9162 section 2.1.3.2).
///
/// # Errors
///
/// Fails if a proof of this leaf in a tree of this size has another number of hashes.
pub fn sides(index: u64, size: u64, proof: &[Digest]) -> Result<Vec<(Side, Digest)>, InvalidProof> {
    if size > MAX_SIZE || index >= size {
        return Err(InvalidProof);
    }
    let (mut node, mut last) = (index, size - 1);
    let mut steps = Vec::with_capacity(proof.len());
    for hash in proof {
        if last == 0 {
            return Err(InvalidProof);
        }
        if node & 1 == 1 || node == last {
            steps.push((Side::Left, *hash));
            // A node at the right edge without a sibling stands for its parent as well.
            while node & 1 == 0 && node != 0 {
                node >>= 1;
                last >>= 1;
            }
        } else {
            steps.push((Side::Right, *hash));
        }
        node >>= 1;
        last >>= 1;
    }
    if last == 0 {
        Ok(steps)
    } else {
        Err(InvalidProof)
    }
}

/// The positions that a computation asks for, or the nodes that it was given for them. The
/// computations of `tlog_tiles` ask once, and for positions that do not depend on hashes.
enum Nodes<'a> {
    Wanted(RefCell<Vec<u64>>),
    Known(&'a Known),
}

struct Known(HashMap<u64, Hash>);

impl Known {
    fn read<R: NodeReader>(positions: &[u64], reader: &mut R) -> Result<Self, TreeError<R::Error>> {
        if positions.is_empty() {
            return Ok(Self(HashMap::new()));
        }
        let nodes = reader.nodes(positions).map_err(TreeError::Read)?;
        if nodes.len() != positions.len() {
            return Err(TreeError::WrongCount {
                asked: positions.len(),
                returned: nodes.len(),
            });
        }
        let nodes = nodes.into_iter().map(Hash);
        Ok(Self(positions.iter().copied().zip(nodes).collect()))
    }
}

impl HashReader for Nodes<'_> {
    fn read_hashes(&self, positions: &[u64]) -> Result<Vec<Hash>, tlog_tiles::Error> {
        match self {
            Self::Wanted(wanted) => {
                wanted.borrow_mut().extend_from_slice(positions);
                Ok(vec![Hash::default(); positions.len()])
            }
            Self::Known(known) => positions
                .iter()
                .map(|position| known.0.get(position).copied())
                .collect::<Option<_>>()
                .ok_or(tlog_tiles::Error::IndexesNotInTree),
        }
    }
}

/// Runs a computation twice: to learn which nodes it needs, and with these.
fn read_then<R: NodeReader, T>(
    reader: &mut R,
    compute: impl Fn(&Nodes) -> Result<T, tlog_tiles::Error>,
) -> Result<T, TreeError<R::Error>> {
    let wanted = Nodes::Wanted(RefCell::default());
    compute(&wanted).map_err(|_| TreeError::OutOfRange)?;
    let positions = match wanted {
        Nodes::Wanted(positions) => positions.into_inner(),
        Nodes::Known(_) => Vec::new(),
    };
    let known = Known::read(&positions, reader)?;
    compute(&Nodes::Known(&known)).map_err(|_| TreeError::OutOfRange)
}

fn digests(hashes: Vec<Hash>) -> Vec<Digest> {
    hashes.into_iter().map(|hash| hash.0).collect()
}

fn hashes(digests: &[Digest]) -> Vec<Hash> {
    digests.iter().copied().map(Hash).collect()
}
