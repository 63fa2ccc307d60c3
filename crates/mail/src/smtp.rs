//! Delivers emails by SMTP.

use std::error::Error;
use std::net::IpAddr;
use std::time::Duration;

use ideavault_domain::mail::OutgoingMail;
use ideavault_domain::ports::{Mailer, MailerError};
use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::extension::ClientId;
use lettre::{SmtpTransport, Transport as _};
use thiserror::Error;
use url::Url;

use crate::message::{Carrier, Sender, message};

/// How long the mail server may take for each reply.
const SMTP_TIMEOUT: Duration = Duration::from_secs(10);

/// Permanent replies about the login (RFC 4954), which concern the configuration and not the
/// email: a wrong password can be corrected before the email expires.
const AUTHENTICATION_CODES: [u16; 4] = [530, 534, 535, 538];

/// Why the address of a mail server cannot be used. Never contains the address, which
/// can hold a password.
#[derive(Debug, Error)]
pub enum SmtpConfigError {
    /// It is not a valid SMTP URL.
    #[error(
        "the mail server's address must be smtps://USER:PASSWORD@HOST, \
         smtp://USER:PASSWORD@HOST?tls=required, or smtp://HOST for one that needs neither"
    )]
    Address,
    /// A password would be sent unencrypted.
    #[error(
        "the mail server's address sends a password without encryption: \
         use smtps:// or add ?tls=required"
    )]
    PasswordInTheClear,
    /// The mail library rejects it.
    #[error("the mail server's address cannot be used")]
    Refused(#[source] SmtpError),
}

/// [`Mailer`] that sends emails to a server, over a new connection for each, since
/// there are few.
pub struct SmtpMailer {
    transport: SmtpTransport,
    sender: Sender,
}

impl SmtpMailer {
    /// Creates a mailer for the server at `url`. `smtps` uses TLS from the start, `smtp`
    /// with `?tls=required` after STARTTLS.
    ///
    /// # Errors
    /// [`SmtpConfigError`].
    pub fn new(url: &str, sender: Sender) -> Result<Self, SmtpConfigError> {
        let address = Url::parse(url).map_err(|_| SmtpConfigError::Address)?;
        let encrypted = match address.scheme() {
            "smtps" => true,
            "smtp" => address
                .query_pairs()
                .any(|(key, value)| key == "tls" && value == "required"),
            _ => return Err(SmtpConfigError::Address),
        };
        let host = address.host_str().ok_or(SmtpConfigError::Address)?;
        if address.password().is_some() && !encrypted && !is_here(host) {
            return Err(SmtpConfigError::PasswordInTheClear);
        }
        let mut builder = SmtpTransport::from_url(url).map_err(SmtpConfigError::Refused)?;
        if address.path().len() <= 1 {
            builder = builder.hello_name(ClientId::Domain(sender.domain().to_owned()));
        }
        Ok(Self {
            transport: builder.timeout(Some(SMTP_TIMEOUT)).build(),
            sender,
        })
    }
}

/// Why the mail server cannot be used.
#[derive(Debug, Error)]
#[error("the mail server cannot be used")]
pub struct SmtpUnusable(#[source] Box<dyn Error + Send + Sync>);

impl SmtpMailer {
    /// Connects, with encryption and login as configured, and hangs up. Sends no email.
    ///
    /// # Errors
    /// [`SmtpUnusable`].
    pub fn check(&self) -> Result<(), SmtpUnusable> {
        match self.transport.test_connection() {
            Ok(true) => Ok(()),
            Ok(false) => Err(SmtpUnusable(Box::new(Reply::Nonsense))),
            Err(error) => Err(SmtpUnusable(match failure(error) {
                MailerError::Refused(source) | MailerError::Unavailable(source) => source,
            })),
        }
    }
}

impl Mailer for SmtpMailer {
    fn deliver(&self, mail: &OutgoingMail) -> Result<(), MailerError> {
        let message = message(mail, &self.sender, Carrier::SevenBit)?;
        match self.transport.send(&message) {
            Ok(_) => Ok(()),
            Err(error) => Err(failure(error)),
        }
    }
}

fn is_here(host: &str) -> bool {
    host == "localhost"
        || host
            .parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

/// The reply of the mail server without its text, in which filters may quote links.
#[derive(Debug, Error)]
enum Reply {
    #[error("the mail server replied with status {0}")]
    Code(u16),
    #[error("the mail server's reply is invalid")]
    Nonsense,
}

fn failure(error: SmtpError) -> MailerError {
    if error.is_response() {
        return MailerError::Unavailable(Box::new(Reply::Nonsense));
    }
    let Some(status) = error.status() else {
        return MailerError::Unavailable(Box::new(error));
    };
    let is_permanent = error.is_permanent();
    let code = u16::from(status);
    let answer = Box::new(Reply::Code(code));
    if is_permanent && !AUTHENTICATION_CODES.contains(&code) {
        MailerError::Refused(answer)
    } else {
        MailerError::Unavailable(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mailer(url: &str) -> Result<SmtpMailer, SmtpConfigError> {
        SmtpMailer::new(
            url,
            Sender::parse("vault@example.org", "IdeaVault").unwrap(),
        )
    }

    #[test]
    fn common_urls_are_accepted() {
        for url in [
            "smtps://user:secret@mail.example.org",
            "smtps://mail.example.org:2465",
            "smtp://user:p%40ss@mail.example.org:587?tls=required",
            "smtp://mail.example.org",
            "smtp://user:secret@localhost:2525",
            "smtp://user:secret@127.0.0.1:2525/vault.example.org",
        ] {
            assert!(mailer(url).is_ok(), "{url}");
        }
    }

    #[test]
    fn a_password_is_never_sent_unencrypted() {
        for url in [
            "smtp://user:secret@mail.example.org",
            "smtp://user:secret@mail.example.org?tls=opportunistic",
            "smtp://user:secret@10.0.0.1",
        ] {
            assert!(
                matches!(mailer(url), Err(SmtpConfigError::PasswordInTheClear)),
                "{url}"
            );
        }
    }

    #[test]
    fn invalid_urls_are_refused_without_being_shown() {
        for url in [
            "hush",
            "https://user:hush@mail.example.org",
            "smtp:hush",
            "smtp://mail.example.org?tls=hush",
        ] {
            let error = mailer(url).err().unwrap();
            assert!(!error.to_string().contains("hush"), "{error}");
        }
    }
}
