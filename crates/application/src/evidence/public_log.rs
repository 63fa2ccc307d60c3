//! The log as files that anybody can follow (C2SP tlog-tiles): hashes only.

use std::sync::Arc;

use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::LogId;
use ideavault_domain::failure::Failure;
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{Database, DatabaseError, LogTile, LogTree, TileSource, Transaction};
use thiserror::Error;

use crate::deps::Deps;

/// The reason why a part of the log is not returned.
#[derive(Debug, Error)]
pub enum PublicLogError {
    /// Only those who are signed in may read it.
    #[error("the log is not public")]
    NotSignedIn,
    /// There is no such log or tile.
    #[error("no such part of the log")]
    NotFound,
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

impl From<PublicLogError> for Failure {
    fn from(error: PublicLogError) -> Self {
        match error {
            PublicLogError::NotSignedIn => Self::Unauthenticated("Please sign in".into()),
            PublicLogError::NotFound => Self::NotFound,
            PublicLogError::Database(error) => error.into(),
        }
    }
}

/// Returns the parts of the logs.
pub struct PublicLog<S> {
    deps: Deps<S>,
    tree: Arc<dyn LogTree>,
    is_public: bool,
}

impl<S: Database> PublicLog<S> {
    /// Creates the service. `is_public`: whether everybody may read the log, not only
    /// those who are signed in.
    pub fn new(deps: Deps<S>, tree: Arc<dyn LogTree>, is_public: bool) -> Self {
        Self {
            deps,
            tree,
            is_public,
        }
    }

    /// Returns the newest signed checkpoint of a log.
    pub fn checkpoint(&self, user: Option<UserId>, log: LogId) -> Result<String, PublicLogError> {
        self.admit(user)?;
        self.deps.database.read(|tx| {
            let newest = tx.evidence_log().newest_checkpoint(log)?;
            let newest = newest.ok_or(PublicLogError::NotFound)?;
            Ok(newest.note)
        })
    }

    /// Returns the tile at a path such as `tile/0/x001/234`, of the tree of the newest signed
    /// checkpoint.
    pub fn tile(
        &self,
        user: Option<UserId>,
        log: LogId,
        path: &str,
    ) -> Result<LogTile, PublicLogError> {
        self.admit(user)?;
        self.deps.database.read(|tx| {
            let newest = tx.evidence_log().newest_checkpoint(log)?;
            let newest = newest.ok_or(PublicLogError::NotFound)?;
            let size = newest.head.size;
            let tile = self.tree.tile(path, size, &mut Source { tx, log })?;
            tile.ok_or(PublicLogError::NotFound)
        })
    }

    fn admit(&self, user: Option<UserId>) -> Result<(), PublicLogError> {
        match user {
            Some(_) => Ok(()),
            None if self.is_public => Ok(()),
            None => Err(PublicLogError::NotSignedIn),
        }
    }
}

struct Source<'t> {
    tx: &'t mut dyn Transaction,
    log: LogId,
}

impl TileSource for Source<'_> {
    fn nodes(&mut self, positions: &[u64]) -> Result<Vec<Digest>, DatabaseError> {
        self.tx.evidence_log().nodes(self.log, positions)
    }

    fn entries(&mut self, first: u64, count: u64) -> Result<Vec<Digest>, DatabaseError> {
        self.tx.evidence_log().entries(self.log, first, count)
    }
}
