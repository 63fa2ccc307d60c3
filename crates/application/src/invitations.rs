//! Invitations to register: whoever runs the server invites, and a server
//! that runs tells by mail. Inviting needs neither key nor public address.

use std::sync::Arc;

use chrono::Duration;
use ideavault_domain::email::Email;
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::ports::{Clock, PortError, Store, StoreError};
use thiserror::Error;

use crate::letters;
use crate::postbox::Postbox;

/// How long the mail is worth delivering.
const LIFETIME: Duration = Duration::days(3);

/// Why nobody was invited.
#[derive(Debug, Error)]
pub enum InvitationError {
    /// It is no address.
    #[error("{}", .0.message)]
    Invalid(Invalid),
    /// The address has an account already.
    #[error("{0} has an account already")]
    HasAccount(Email),
    /// The store could not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Sealing or randomness failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<InvitationError> for Failure {
    fn from(error: InvitationError) -> Self {
        match error {
            InvitationError::Invalid(invalid) => Self::Invalid(invalid),
            InvitationError::HasAccount(_) => Self::Conflict(error.to_string()),
            InvitationError::Store(error) => error.into(),
            InvitationError::Port(error) => Self::Internal(Box::new(error)),
        }
    }
}

/// Invitations, for whoever runs the server; no request may get here.
pub struct Invitations<S> {
    store: Arc<S>,
    clock: Arc<dyn Clock>,
}

impl<S: Store> Invitations<S> {
    /// Wires the area.
    pub fn new(store: Arc<S>, clock: Arc<dyn Clock>) -> Self {
        Self { store, clock }
    }

    /// Invites an address and answers it as it was understood. Once more asks
    /// for another mail.
    ///
    /// # Errors
    /// [`InvitationError::Invalid`], or [`InvitationError::HasAccount`].
    pub fn invite(&self, email: &str) -> Result<Email, InvitationError> {
        let email = Email::parse(email).map_err(InvitationError::Invalid)?;
        let now = self.clock.now();
        self.store.write(|session| {
            if session.credentials(&email)?.is_some() {
                return Err(InvitationError::HasAccount(email.clone()));
            }
            session.invite(&email, now).map_err(InvitationError::from)
        })?;
        Ok(email)
    }
}

/// Tells people that they are invited.
pub struct Announcements<S> {
    store: Arc<S>,
    clock: Arc<dyn Clock>,
    postbox: Arc<Postbox>,
}

impl<S: Store> Announcements<S> {
    /// Wires the area.
    pub fn new(store: Arc<S>, clock: Arc<dyn Clock>, postbox: Arc<Postbox>) -> Self {
        Self {
            store,
            clock,
            postbox,
        }
    }

    /// Queues a mail for every invitation that none tells of, and answers how many.
    ///
    /// # Errors
    /// [`InvitationError`]; what was not told of is told of next time.
    pub fn announce(&self) -> Result<usize, InvitationError> {
        let invited = self
            .store
            .read(|session| session.unannounced_invitations())?;
        let mut announced = 0;
        for email in &invited {
            let now = self.clock.now();
            let mail = letters::registration_invitation(self.postbox.links(), email);
            let mail = self.postbox.seal(&mail, now, LIFETIME)?;
            announced += self.store.write(|session| {
                if !session.announce_invitation(email, now)? {
                    return Ok::<_, StoreError>(0);
                }
                session.queue_mail(&mail)?;
                Ok(1)
            })?;
        }
        Ok(announced)
    }
}

#[cfg(test)]
mod tests {
    use ideavault_domain::account::{PasswordHash, SessionEpoch};
    use ideavault_domain::mail::Mail;
    use ideavault_domain::ports::Credentials;

    use super::*;
    use crate::testing::{MockSession, MockStore, StoppedClock, ada, at, postbox};

    fn grace() -> Email {
        Email::parse("grace@example.org").unwrap()
    }

    fn invitations(writes: impl FnOnce(&mut MockSession)) -> Invitations<MockStore> {
        Invitations::new(MockStore::new(|_| {}, writes), Arc::new(StoppedClock))
    }

    #[test]
    fn an_address_is_invited_as_it_will_be_registered() {
        let area = invitations(|writes| {
            writes.expect_credentials().returning(|_| Ok(None));
            writes
                .expect_invite()
                .withf(|email, now| *email == grace() && *now == at(0))
                .times(1)
                .returning(|_, _| Ok(()));
        });
        assert_eq!(area.invite(" Grace@Example.org ").unwrap(), grace());
        assert!(matches!(
            area.invite("grace"),
            Err(InvitationError::Invalid(_))
        ));
    }

    #[test]
    fn who_has_an_account_is_not_invited() {
        let area = invitations(|writes| {
            writes.expect_credentials().returning(|_| {
                Ok(Some(Credentials {
                    user: ada(),
                    password_hash: PasswordHash::new("stored".into()),
                    epoch: SessionEpoch::default(),
                }))
            });
        });
        let refused = area.invite("ada@example.org").unwrap_err();
        assert_eq!(
            refused.to_string(),
            "ada@example.org has an account already"
        );
    }

    fn announcements(is_first: bool, mails: usize) -> Announcements<MockStore> {
        let store = MockStore::new(
            |reads| {
                reads
                    .expect_unannounced_invitations()
                    .returning(|| Ok(vec![grace()]));
            },
            |writes| {
                writes
                    .expect_announce_invitation()
                    .returning(move |_, _| Ok(is_first));
                writes
                    .expect_queue_mail()
                    .withf(|queued| {
                        let text = std::str::from_utf8(&queued.sealed).unwrap();
                        let mail = Mail::from_text(text).unwrap();
                        *mail.to() == grace()
                            && mail
                                .body()
                                .contains("\nhttps://vault.example.org/register\n")
                    })
                    .times(mails)
                    .returning(|_| Ok(()));
            },
        );
        Announcements::new(store, Arc::new(StoppedClock), postbox())
    }

    #[test]
    fn each_invitation_is_told_of_by_one_server() {
        assert_eq!(announcements(true, 1).announce().unwrap(), 1);
        assert_eq!(announcements(false, 0).announce().unwrap(), 0);
    }
}
