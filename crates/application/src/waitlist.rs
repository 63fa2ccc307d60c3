//! People who ask to be let in.

use std::sync::Arc;

use ideavault_domain::admission::WaitlistEntry;
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::ports::{Clock, Database, DatabaseError};
use thiserror::Error;

/// Why an action on the waitlist failed.
#[derive(Debug, Error)]
pub enum WaitlistError {
    /// A field breaks a rule.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The store could not answer.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

impl From<WaitlistError> for Failure {
    fn from(error: WaitlistError) -> Self {
        match error {
            WaitlistError::Invalid(invalid) => Self::Invalid(invalid),
            WaitlistError::Database(error) => error.into(),
        }
    }
}

/// The waitlist.
pub struct Waitlist<S> {
    database: Arc<S>,
    clock: Arc<dyn Clock>,
}

impl<S: Database> Waitlist<S> {
    /// Wires the area.
    pub fn new(database: Arc<S>, clock: Arc<dyn Clock>) -> Self {
        Self { database, clock }
    }

    /// Puts somebody on the list. An address that is on it already stays as it
    /// is, which whoever asks must not learn.
    ///
    /// # Errors
    /// [`WaitlistError::Invalid`].
    pub fn join(&self, name: &str, email: &str, profession: &str) -> Result<(), WaitlistError> {
        let entry = WaitlistEntry::parse(name, email, profession, self.clock.now())?;
        self.database
            .write(|tx| tx.waitlist().join_waitlist(&entry))?;
        Ok(())
    }

    /// Everybody, in the order in which they joined. For whoever runs the
    /// server; no request may get here.
    ///
    /// # Errors
    /// [`WaitlistError::Database`].
    pub fn list(&self) -> Result<Vec<WaitlistEntry>, WaitlistError> {
        Ok(self.database.read(|tx| tx.waitlist().waitlist())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{MockDatabase, StoppedClock, at};

    #[test]
    fn a_repeated_address_is_answered_like_a_new_one() {
        for is_new in [true, false] {
            let database = MockDatabase::new(
                |_| {},
                |writes| {
                    writes
                        .expect_join_waitlist()
                        .withf(|entry| {
                            entry.email.as_str() == "ada@example.org" && entry.joined_at == at(0)
                        })
                        .times(1)
                        .returning(move |_| Ok(is_new));
                },
            );
            let waitlist = Waitlist::new(database, Arc::new(StoppedClock));
            waitlist.join("Ada", " ADA@example.org", "Poet").unwrap();
        }
    }

    #[test]
    fn nothing_is_kept_when_a_field_is_wrong() {
        let database = MockDatabase::new(|_| {}, |_| {});
        let waitlist = Waitlist::new(database, Arc::new(StoppedClock));
        let refused = waitlist.join("Ada", "ada", "Poet");
        assert!(matches!(
            refused,
            Err(WaitlistError::Invalid(Invalid { field: "email", .. }))
        ));
    }
}
