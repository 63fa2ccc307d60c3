//! The database, as the server itself uses it.

use ideavault_db::{DataVersion, SqlDatabase};
use ideavault_domain::account::UserSession;
use ideavault_domain::ports::DatabaseError;
use ideavault_domain::token::TokenHash;

/// The database, as far as no use case reaches it: its connections, and the version of its data.
pub trait DatabaseHandle: Send + Sync {
    /// Sends a query, which shows whether the database responds. Blocks.
    fn probe(&self);

    /// Returns whether queries were sent and none is responded to.
    fn is_stalled(&self) -> bool;

    /// Closes the connections if the database is stalled. Returns whether it is.
    fn abandon_if_stalled(&self) -> bool;

    /// Runs `work`, which reads, without any wait. Returns `false` if it would have had to wait;
    /// part of it may have run then.
    fn at_once(&self, work: &mut dyn FnMut()) -> bool;

    /// Runs `work`, which reads, as long as it decrypts no more than a query may. Returns `false` if
    /// it would have had to; part of it may have run then. Blocks.
    fn within_bounds(&self, work: &mut dyn FnMut()) -> bool;

    /// Returns which state of the data a read that begins now sees, or a later one. Blocks.
    fn version(&self) -> Result<DataVersion, DatabaseError>;

    /// Returns the version as [`version`](Self::version) does, and those sessions that have one of
    /// these keys then, or later. Blocks.
    fn version_with_sessions(
        &self,
        keys: &[TokenHash],
    ) -> Result<(DataVersion, Vec<UserSession>), DatabaseError>;
}

impl DatabaseHandle for SqlDatabase {
    fn probe(&self) {
        self.probe();
    }

    fn is_stalled(&self) -> bool {
        self.is_stalled()
    }

    fn abandon_if_stalled(&self) -> bool {
        self.abandon_if_stalled()
    }

    fn at_once(&self, work: &mut dyn FnMut()) -> bool {
        self.at_once(work)
    }

    fn within_bounds(&self, work: &mut dyn FnMut()) -> bool {
        self.within_bounds(work)
    }

    fn version(&self) -> Result<DataVersion, DatabaseError> {
        self.version()
    }

    fn version_with_sessions(
        &self,
        keys: &[TokenHash],
    ) -> Result<(DataVersion, Vec<UserSession>), DatabaseError> {
        self.version_with_sessions(keys)
    }
}
