//! The limit on failed logins of this server, which spares it the check of passwords beyond. The
//! same limit holds across servers in
//! [`Logins::log_in_within`](ideavault_application::logins::Logins::log_in_within).

use ideavault_application::logins::LoginError;
use ideavault_domain::email::Email;
use ideavault_domain::failure::Failure;
use ideavault_domain::rate_limit::{LimitKey, RateLimit};

use super::rates::Rates;

/// An attempt to log in that was admitted. A client that disconnects is not refunded.
pub struct FailedLogins {
    rates: Rates,
    key: Option<LimitKey>,
}

impl FailedLogins {
    /// Counts an attempt before it is checked, so that concurrent ones do not pass together.
    pub fn admit(rates: Rates, email: &str) -> Result<Self, Failure> {
        let email = Email::parse(email).ok();
        let key = email.map(|email| LimitKey::client_on(rates.client(), email));
        if let Some(key) = &key {
            rates.admit(RateLimit::FailedLogin, key.clone())?;
        }
        Ok(Self { rates, key })
    }

    /// Returns the address and the client, for which failed logins are counted; `None` if the
    /// address is not valid.
    #[must_use]
    pub fn key(&self) -> Option<&LimitKey> {
        self.key.as_ref()
    }

    /// Resets the count after a login. Refunds an attempt that was not checked: `checked` is an
    /// error then.
    ///
    /// # Errors
    /// Those of `checked`.
    pub fn settle<T>(self, checked: Result<Result<T, LoginError>, Failure>) -> Result<T, Failure> {
        if let Some(key) = &self.key {
            match &checked {
                Ok(Ok(_)) => self.rates.here().reset(RateLimit::FailedLogin, key),
                Ok(Err(_)) => {}
                Err(_) => self.rates.here().refund(RateLimit::FailedLogin, key),
            }
        }
        Ok(checked??)
    }
}
