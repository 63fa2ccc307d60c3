//! Doubles for the tests of the executor.

use ideavault_db::DataVersion;
use ideavault_domain::Timestamp;
use ideavault_domain::account::UserSession;
use ideavault_domain::ports::{Clock, DatabaseError};
use ideavault_domain::token::TokenHash;

use super::database_handle::DatabaseHandle;

/// A database that always responds, and holds nothing.
pub(super) struct FakeDatabase {
    probe: Box<dyn Fn() + Send + Sync>,
    is_all_short: bool,
}

impl FakeDatabase {
    /// Runs `probe` as its probe.
    pub(super) fn with_probe(probe: impl Fn() + Send + Sync + 'static) -> Self {
        Self {
            probe: Box::new(probe),
            is_all_short: true,
        }
    }

    /// Has too much to read for a short read.
    pub(super) fn where_nothing_is_short() -> Self {
        Self {
            is_all_short: false,
            ..Self::default()
        }
    }
}

impl Default for FakeDatabase {
    fn default() -> Self {
        Self::with_probe(|| {})
    }
}

impl DatabaseHandle for FakeDatabase {
    fn probe(&self) {
        (self.probe)();
    }

    fn is_stalled(&self) -> bool {
        false
    }

    fn abandon_if_stalled(&self) -> bool {
        false
    }

    fn at_once(&self, _: &mut dyn FnMut()) -> bool {
        false
    }

    fn within_bounds(&self, work: &mut dyn FnMut()) -> bool {
        work();
        self.is_all_short
    }

    fn version(&self) -> Result<DataVersion, DatabaseError> {
        unreachable!("nothing is kept here")
    }

    fn version_with_sessions(
        &self,
        _: &[TokenHash],
    ) -> Result<(DataVersion, Vec<UserSession>), DatabaseError> {
        unreachable!("nobody has a session here")
    }
}

/// A clock that always shows the same time.
pub(super) struct StoppedClock;

impl Clock for StoppedClock {
    fn now(&self) -> Timestamp {
        Timestamp::UNIX_EPOCH
    }
}
