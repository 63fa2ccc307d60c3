//! The tree of a log over the nodes that the database has.

use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::{LogHead, LogId, Node};
use ideavault_domain::ports::{DatabaseError, Transaction};
use ideavault_evidence::tree::tiles::{self, TilePath, TileReader};
use ideavault_evidence::tree::{self, Appended, NodeReader, TreeError};

type Result<T> = std::result::Result<T, DatabaseError>;

/// A hash in a proof.
type Hash = ideavault_evidence::Digest;

/// The tree of a log.
pub(crate) struct LogTree<'t> {
    tx: &'t mut dyn Transaction,
    log: LogId,
}

impl<'t> LogTree<'t> {
    pub(crate) fn of(tx: &'t mut dyn Transaction, log: LogId) -> Self {
        Self { tx, log }
    }

    /// Adds leaves to the tree with that head. Returns the completed nodes, and the new head.
    pub(crate) fn append(
        &mut self,
        head: &LogHead,
        leaves: &[Digest],
    ) -> Result<(Vec<Node>, LogHead)> {
        let appended = tree::append(head.size, &hashes(leaves), self).map_err(database_error)?;
        let Appended { nodes, size, root } = appended;
        let nodes = nodes.into_iter().map(|(position, hash)| Node {
            position,
            hash: Digest::from_bytes(hash),
        });
        let head = LogHead {
            origin: head.origin.clone(),
            size,
            root: Digest::from_bytes(root),
        };
        Ok((nodes.collect(), head))
    }

    /// Returns the root over the first `size` leaves.
    pub(crate) fn root(&mut self, size: u64) -> Result<Digest> {
        let root = tree::root(size, self).map_err(database_error)?;
        Ok(Digest::from_bytes(root))
    }

    /// Proves that the leaf at `index` is in the tree of `size` leaves.
    pub(crate) fn inclusion(&mut self, index: u64, size: u64) -> Result<Vec<Hash>> {
        tree::inclusion_proof(index, size, self).map_err(database_error)
    }

    /// Proves that the tree of `old` leaves is a prefix of that of `new` leaves.
    pub(crate) fn consistency(&mut self, old: u64, new: u64) -> Result<Vec<Hash>> {
        tree::consistency_proof(old, new, self).map_err(database_error)
    }

    /// Returns a tile of the tree of `size` leaves; `None` if it has none.
    pub(crate) fn tile(&mut self, path: TilePath, size: u64) -> Result<Option<Vec<u8>>> {
        match tiles::tile(path, size, self) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(TreeError::OutOfRange) => Ok(None),
            Err(error) => Err(database_error(error)),
        }
    }
}

impl NodeReader for LogTree<'_> {
    type Error = DatabaseError;

    fn nodes(&mut self, positions: &[u64]) -> Result<Vec<Hash>> {
        let nodes = self.tx.evidence_log().nodes(self.log, positions)?;
        Ok(hashes(&nodes))
    }
}

impl TileReader for LogTree<'_> {
    fn events(&mut self, first: u64, count: u64) -> Result<Vec<Hash>> {
        let entries = self.tx.evidence_log().entries(self.log, first, count)?;
        Ok(hashes(&entries))
    }
}

/// Returns digests as the tree has them.
pub(crate) fn hashes(digests: &[Digest]) -> Vec<Hash> {
    digests.iter().map(|digest| *digest.as_bytes()).collect()
}

pub(crate) fn database_error(error: TreeError<DatabaseError>) -> DatabaseError {
    match error {
        TreeError::Read(error) => error,
        other @ (TreeError::WrongCount { .. } | TreeError::OutOfRange) => DatabaseError::Internal {
            operation: "read the tree of the log",
            source: Box::new(other),
        },
    }
}
