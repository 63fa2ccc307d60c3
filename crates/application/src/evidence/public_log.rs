//! The log as files that anybody can follow (C2SP tlog-tiles): hashes only.

use ideavault_domain::evidence::LogId;
use ideavault_domain::failure::Failure;
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{Database, DatabaseError};
use ideavault_evidence::tree::tiles::TilePath;
use thiserror::Error;

use crate::deps::Deps;
use crate::log_tree::LogTree;

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

/// A part of a log (C2SP tlog-tiles).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogTile {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Whether it is full, and so never changes.
    pub is_full: bool,
}

/// Returns the parts of the logs.
pub struct PublicLog<S> {
    deps: Deps<S>,
    is_public: bool,
}

impl<S: Database> PublicLog<S> {
    /// Creates the service. `is_public`: whether everybody may read the log, not only
    /// those who are signed in.
    pub fn new(deps: Deps<S>, is_public: bool) -> Self {
        Self { deps, is_public }
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
        let path = TilePath::parse(path).ok_or(PublicLogError::NotFound)?;
        self.deps.database.read(|tx| {
            let newest = tx.evidence_log().newest_checkpoint(log)?;
            let newest = newest.ok_or(PublicLogError::NotFound)?;
            let bytes = LogTree::of(tx, log).tile(path, newest.head.size)?;
            Ok(LogTile {
                bytes: bytes.ok_or(PublicLogError::NotFound)?,
                is_full: path.is_full(),
            })
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
