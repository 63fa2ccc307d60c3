//! People who ask to be let in.

use std::sync::Arc;

use ideavault_domain::admission::WaitlistEntry;
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::ports::{Clock, Store, StoreError};
use thiserror::Error;

/// Why an action on the waitlist failed.
#[derive(Debug, Error)]
pub enum WaitlistError {
    /// A field breaks a rule.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The store could not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<WaitlistError> for Failure {
    fn from(error: WaitlistError) -> Self {
        match error {
            WaitlistError::Invalid(invalid) => Self::Invalid(invalid),
            WaitlistError::Store(error) => error.into(),
        }
    }
}

/// The waitlist.
pub struct Waitlist<S> {
    store: Arc<S>,
    clock: Arc<dyn Clock>,
}

impl<S: Store> Waitlist<S> {
    /// Wires the area.
    pub fn new(store: Arc<S>, clock: Arc<dyn Clock>) -> Self {
        Self { store, clock }
    }

    /// Puts somebody on the list. An address that is on it already stays as it
    /// is, which whoever asks must not learn.
    ///
    /// # Errors
    /// [`WaitlistError::Invalid`].
    pub fn join(&self, name: &str, email: &str, profession: &str) -> Result<(), WaitlistError> {
        let entry = WaitlistEntry::parse(name, email, profession, self.clock.now())?;
        self.store.write(|session| session.join_waitlist(&entry))?;
        Ok(())
    }

    /// Everybody, in the order in which they joined. For whoever runs the
    /// server; no request may get here.
    ///
    /// # Errors
    /// [`WaitlistError::Store`].
    pub fn list(&self) -> Result<Vec<WaitlistEntry>, WaitlistError> {
        Ok(self.store.read(|session| session.waitlist())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{MockStore, StoppedClock, at};

    #[test]
    fn a_repeated_address_is_answered_like_a_new_one() {
        for is_new in [true, false] {
            let store = MockStore::new(
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
            let waitlist = Waitlist::new(store, Arc::new(StoppedClock));
            waitlist.join("Ada", " ADA@example.org", "Poet").unwrap();
        }
    }

    #[test]
    fn nothing_is_kept_when_a_field_is_wrong() {
        let store = MockStore::new(|_| {}, |_| {});
        let waitlist = Waitlist::new(store, Arc::new(StoppedClock));
        let refused = waitlist.join("Ada", "ada", "Poet");
        assert!(matches!(
            refused,
            Err(WaitlistError::Invalid(Invalid { field: "email", .. }))
        ));
    }
}
