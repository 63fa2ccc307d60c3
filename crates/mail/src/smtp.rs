//! Delivers emails by SMTP.

use std::error::Error;
use std::fmt::Display;
use std::net::IpAddr;
use std::time::{Duration, Instant};

use ideavault_domain::mail::OutgoingMail;
use ideavault_domain::ports::{Mailer, MailerError};
use lettre::Message;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{SmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Noop, Rcpt};
use lettre::transport::smtp::extension::ClientId;
use lettre::transport::smtp::{Error as SmtpError, SMTP_PORT, SUBMISSION_PORT, SUBMISSIONS_PORT};
use percent_encoding::percent_decode_str;
use thiserror::Error;
use url::Url;

use crate::message::{Carrier, Sender, message};

/// Permanent replies about the login (RFC 4954), which concern the configuration and not the
/// email: a wrong password can be corrected before the email expires.
const AUTHENTICATION_CODES: [u16; 4] = [530, 534, 535, 538];

/// Permanent replies about a mailbox, where no enhanced status says more (RFC 5321).
const RECIPIENT_CODES: [u16; 3] = [550, 551, 553];

/// Longest word of a reply that is kept, and longest text. Tokens in links have 43 letters.
const WORD_MAX: usize = 24;
const TEXT_MAX: usize = 200;

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

/// How long to wait for a mail server.
#[derive(Clone, Copy, Debug)]
struct Timeouts {
    /// For the greeting and most replies.
    reply: Duration,
    /// For everything up to the text of the email together.
    before_text: Duration,
    /// For the reply to the whole text.
    acceptance: Duration,
    /// For the reply to `QUIT`, of which nothing depends.
    goodbye: Duration,
}

/// The timeouts of RFC 5321, section 4.5.3.2: filters of mail servers take minutes over a text,
/// and a client that does not wait sends it again. In all less than
/// [`LEASE`](ideavault_domain::mail::LEASE).
const PATIENT: Timeouts = Timeouts {
    reply: Duration::from_secs(5 * 60),
    before_text: Duration::from_secs(10 * 60),
    acceptance: Duration::from_secs(10 * 60),
    goodbye: Duration::from_secs(10),
};

/// When somebody waits for the result of a check.
const CHECK_TIMEOUT: Duration = Duration::from_secs(10);

/// Encryption of the connection.
enum Encryption {
    /// From the start.
    Always(TlsParameters),
    /// After STARTTLS.
    Required(TlsParameters),
    /// After STARTTLS, if the server has it.
    Opportunistic(TlsParameters),
    Never,
}

/// [`Mailer`] that sends emails to a server, over a new connection for each, since
/// there are few.
pub struct SmtpMailer {
    host: String,
    port: u16,
    encryption: Encryption,
    credentials: Option<Credentials>,
    hello: ClientId,
    sender: Sender,
    timeouts: Timeouts,
}

impl SmtpMailer {
    /// Creates a mailer for the server at `url`. `smtps` uses TLS from the start, `smtp`
    /// with `?tls=required` after STARTTLS. A path is the name to greet the server with.
    pub fn new(url: &str, sender: Sender) -> Result<Self, SmtpConfigError> {
        let address = Url::parse(url).map_err(|_| SmtpConfigError::Address)?;
        let host = address.host_str().ok_or(SmtpConfigError::Address)?;
        let tls = address.query_pairs().find(|(key, _)| key == "tls");
        let tls = tls.map(|(_, value)| value.into_owned());
        let parameters = || TlsParameters::new(host.to_owned()).map_err(SmtpConfigError::Refused);
        let (encryption, port) = match (address.scheme(), tls.as_deref()) {
            ("smtps", _) => (Encryption::Always(parameters()?), SUBMISSIONS_PORT),
            ("smtp", Some("required")) => (Encryption::Required(parameters()?), SUBMISSION_PORT),
            ("smtp", Some("opportunistic")) => {
                (Encryption::Opportunistic(parameters()?), SUBMISSION_PORT)
            }
            ("smtp", None) => (Encryption::Never, SMTP_PORT),
            _ => return Err(SmtpConfigError::Address),
        };
        let is_encrypted = matches!(encryption, Encryption::Always(_) | Encryption::Required(_));
        if address.password().is_some() && !is_encrypted && !is_here(host) {
            return Err(SmtpConfigError::PasswordInTheClear);
        }
        let decoded = |text| {
            let text = percent_decode_str(text).decode_utf8();
            text.map(Into::into).map_err(|_| SmtpConfigError::Address)
        };
        let credentials = address.password().map(|password| {
            Ok::<_, SmtpConfigError>(Credentials::new(
                decoded(address.username())?,
                decoded(password)?,
            ))
        });
        let hello = match address.path().trim_matches('/') {
            "" => sender.domain(),
            name => name,
        };
        Ok(Self {
            host: host.to_owned(),
            port: address.port().unwrap_or(port),
            encryption,
            credentials: credentials.transpose()?,
            hello: ClientId::Domain(hello.to_owned()),
            sender,
            timeouts: PATIENT,
        })
    }
}

/// Why the mail server cannot be used.
#[derive(Debug, Error)]
#[error("the mail server cannot be used")]
pub struct SmtpUnusable(#[source] Box<dyn Error + Send + Sync>);

impl SmtpMailer {
    /// Connects, with encryption and login as configured, and hangs up. Sends no email.
    pub fn check(&self) -> Result<(), SmtpUnusable> {
        let waiting = Waiting::new(CHECK_TIMEOUT, CHECK_TIMEOUT, "");
        let tested = self.connect(&waiting).and_then(|mut connection| {
            let tested = waiting.command(&mut connection, Noop);
            self.hang_up(connection);
            tested
        });
        tested.map_err(|error| match error {
            MailerError::Refused(source)
            | MailerError::NoRecipient(source)
            | MailerError::Unavailable(source)
            | MailerError::Unconfirmed(source) => SmtpUnusable(source),
        })
    }

    fn connect(&self, waiting: &Waiting<'_>) -> Result<SmtpConnection, MailerError> {
        let tls = match &self.encryption {
            Encryption::Always(parameters) => Some(parameters),
            _ => None,
        };
        let server = (self.host.as_str(), self.port);
        let timeout = Some(waiting.next());
        let mut connection = SmtpConnection::connect(server, timeout, &self.hello, tls, None)
            .map_err(|error| waiting.failure(error))?;
        let upgrade = match &self.encryption {
            Encryption::Required(parameters) => Some(parameters),
            Encryption::Opportunistic(parameters) if connection.can_starttls() => Some(parameters),
            _ => None,
        };
        if let Some(parameters) = upgrade {
            set_timeout(&mut connection, waiting.next())?;
            let upgraded = connection.starttls(parameters, &self.hello);
            upgraded.map_err(|error| waiting.failure(error))?;
        }
        if let Some(credentials) = &self.credentials {
            set_timeout(&mut connection, waiting.next())?;
            let known = connection.auth(DEFAULT_MECHANISMS, credentials);
            known.map_err(|error| waiting.failure(error))?;
        }
        Ok(connection)
    }

    /// Hands an email over. Once its whole text has been sent, anything but a reply leaves open
    /// whether it was accepted.
    fn hand_over(
        &self,
        connection: &mut SmtpConnection,
        waiting: &Waiting<'_>,
        message: &Message,
    ) -> Result<(), MailerError> {
        let envelope = message.envelope();
        let from = Mail::new(envelope.from().cloned(), Vec::new());
        waiting.command(connection, from)?;
        for to in envelope.to() {
            let to = Rcpt::new(to.clone(), Vec::new());
            waiting.command(connection, to)?;
        }
        waiting.command(connection, Data)?;
        set_timeout(connection, self.timeouts.acceptance)?;
        let mut is_sent = false;
        let text = std::iter::once(message.formatted()).chain(std::iter::from_fn(|| {
            is_sent = true;
            None
        }));
        match connection.message_iter(text) {
            Ok(_) => Ok(()),
            Err(error) => Err(match waiting.failure(error) {
                MailerError::Unavailable(source) if is_sent && !is_status(source.as_ref()) => {
                    MailerError::Unconfirmed(source)
                }
                refused => refused,
            }),
        }
    }

    /// Tells the server that nothing follows; what it replies changes nothing.
    fn hang_up(&self, mut connection: SmtpConnection) {
        if set_timeout(&mut connection, self.timeouts.goodbye).is_ok() {
            connection.abort();
        }
    }
}

impl Mailer for SmtpMailer {
    fn deliver(&self, mail: &OutgoingMail) -> Result<(), MailerError> {
        let message = message(mail, &self.sender, Carrier::SevenBit)?;
        let to = mail.mail.to().as_str();
        let waiting = Waiting::new(self.timeouts.reply, self.timeouts.before_text, to);
        let mut connection = self.connect(&waiting)?;
        let delivered = self.hand_over(&mut connection, &waiting, &message);
        self.hang_up(connection);
        delivered
    }
}

/// How long one reply may take, when all together have an end.
struct Waiting<'m> {
    reply: Duration,
    ends: Instant,
    /// The recipient, whom no reply may name.
    to: &'m str,
}

impl<'m> Waiting<'m> {
    fn new(reply: Duration, all: Duration, to: &'m str) -> Self {
        Self {
            reply,
            to,
            ends: Instant::now() + all,
        }
    }

    /// Returns the time for the next reply, which is never zero: that would be no limit.
    fn next(&self) -> Duration {
        let left = self.ends.saturating_duration_since(Instant::now());
        self.reply.min(left).max(Duration::from_millis(1))
    }

    fn failure(&self, error: SmtpError) -> MailerError {
        failure(error, self.to)
    }

    fn command(
        &self,
        connection: &mut SmtpConnection,
        command: impl Display,
    ) -> Result<(), MailerError> {
        set_timeout(connection, self.next())?;
        let replied = connection.command(command);
        replied.map(drop).map_err(|error| self.failure(error))
    }
}

fn set_timeout(connection: &mut SmtpConnection, timeout: Duration) -> Result<(), MailerError> {
    connection
        .set_timeout(Some(timeout))
        .map_err(|error| MailerError::Unavailable(Box::new(error)))
}

fn is_here(host: &str) -> bool {
    host == "localhost"
        || host
            .parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

/// The reply of the mail server.
#[derive(Debug, Error)]
enum Reply {
    #[error("the mail server replied with status {code}{text}")]
    Code {
        code: u16,
        /// Its words, without what names the recipient or may be quoted from the mail.
        text: String,
    },
    #[error("the mail server's reply is invalid")]
    Nonsense,
}

/// Returns whether the mail server replied with a status.
fn is_status(error: &(dyn Error + Send + Sync + 'static)) -> bool {
    matches!(error.downcast_ref(), Some(Reply::Code { .. }))
}

fn failure(error: SmtpError, to: &str) -> MailerError {
    if error.is_response() {
        return MailerError::Unavailable(Box::new(Reply::Nonsense));
    }
    let Some(status) = error.status() else {
        return MailerError::Unavailable(Box::new(error));
    };
    let is_permanent = error.is_permanent();
    let code = u16::from(status);
    let said = error.source().map(ToString::to_string).unwrap_or_default();
    let text = without_details(&said, to);
    let text = match text.is_empty() {
        true => text,
        false => format!(": {text}"),
    };
    let answer = Box::new(Reply::Code { code, text });
    if !is_permanent || AUTHENTICATION_CODES.contains(&code) {
        MailerError::Unavailable(answer)
    } else if is_about_recipient(code, &said) {
        MailerError::NoRecipient(answer)
    } else {
        MailerError::Refused(answer)
    }
}

/// Returns whether a permanent reply says that there is no such mailbox, or that it takes nothing
/// (RFC 3463: 5.1 without the sender's 5.1.7 and 5.1.8, and 5.2), and not that this server or its
/// mails are refused.
fn is_about_recipient(code: u16, said: &str) -> bool {
    let enhanced = said
        .split_whitespace()
        .find(|word| word.starts_with("5.") && word.split('.').count() == 3);
    match enhanced {
        Some("5.1.7" | "5.1.8") => false,
        Some(status) => status.starts_with("5.1.") || status.starts_with("5.2."),
        None => RECIPIENT_CODES.contains(&code),
    }
}

/// Returns the words of a reply without those that name the recipient, look like an address or a
/// link, or are long enough for a token: filters quote from mails.
fn without_details(said: &str, to: &str) -> String {
    let name = to.split('@').next().unwrap_or_default().to_lowercase();
    let is_detail = |word: &str| {
        let word = word.to_lowercase();
        word.contains(['@', '/', '\\', '%', '='])
            || word.chars().count() > WORD_MAX
            || (!name.is_empty() && word.contains(&name))
    };
    let words = said.split(|letter: char| letter.is_whitespace() || letter.is_control());
    let words = words.filter(|word| !word.is_empty());
    let mut text = String::new();
    for word in words {
        let word = if is_detail(word) { "…" } else { word };
        if text.chars().count() + word.chars().count() > TEXT_MAX {
            text.push_str(" …");
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::net::TcpListener;
    use std::thread::JoinHandle;

    use ideavault_domain::Timestamp;
    use ideavault_domain::email::Email;
    use ideavault_domain::ids::MailId;
    use ideavault_domain::mail::Mail as Composed;

    use super::*;

    fn mailer(url: &str) -> Result<SmtpMailer, SmtpConfigError> {
        SmtpMailer::new(
            url,
            Sender::parse("vault@example.org", "IdeaVault").unwrap(),
        )
    }

    #[test]
    fn a_claim_outlasts_the_slowest_delivery() {
        let Timeouts {
            reply,
            before_text,
            acceptance,
            goodbye,
        } = PATIENT;
        let minutes = |minutes: u64| Duration::from_secs(60 * minutes);
        assert!(reply >= minutes(5) && acceptance >= minutes(10));
        // A reply that begins just before the end of all of them may still take its time.
        let longest = before_text + reply + acceptance + goodbye;
        assert!(longest < ideavault_domain::mail::LEASE.to_std().unwrap());
    }

    /// A server that stops replying at the line that begins with `last`; the call returns once the
    /// connection ends.
    fn stopping_at(last: &'static str) -> (SmtpMailer, JoinHandle<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("smtp://{}", listener.local_addr().unwrap());
        let server = std::thread::spawn(move || {
            let (mut client, _) = listener.accept().unwrap();
            let mut lines = BufReader::new(client.try_clone().unwrap()).lines();
            client.write_all(b"220 here\r\n").unwrap();
            let mut is_text = false;
            while let Some(Ok(line)) = lines.next() {
                if line == last {
                    // Until the client gives up.
                    while let Some(Ok(_)) = lines.next() {}
                    return;
                }
                is_text = line == "DATA" || is_text && line != ".";
                if !is_text || line == "DATA" {
                    let reply: &[u8] = if is_text {
                        b"354 go on\r\n"
                    } else {
                        b"250 fine\r\n"
                    };
                    client.write_all(reply).unwrap();
                }
            }
        });
        let impatient = Duration::from_millis(50);
        let mailer = SmtpMailer {
            timeouts: Timeouts {
                reply: impatient,
                before_text: Duration::from_secs(60),
                acceptance: impatient,
                goodbye: impatient,
            },
            ..mailer(&url).unwrap()
        };
        (mailer, server)
    }

    #[test]
    fn only_a_whole_text_without_an_answer_is_unconfirmed() {
        let mail = OutgoingMail {
            id: MailId::from_random([7; 16]),
            written_at: Timestamp::UNIX_EPOCH,
            mail: Composed::new(
                Email::parse("ada@example.org").unwrap(),
                "An idea",
                "Hello".into(),
            ),
            attachments: Vec::new(),
        };
        for (last, is_sent) in [("DATA", false), (".", true)] {
            let (mailer, server) = stopping_at(last);
            let failed = mailer.deliver(&mail).unwrap_err();
            let is_unconfirmed = matches!(failed, MailerError::Unconfirmed(_));
            assert_eq!(is_unconfirmed, is_sent, "{failed:?}");
            server.join().unwrap();
        }
    }

    #[test]
    fn replies_are_told_without_the_recipient_and_what_filters_quote() {
        let told = |said: &str| without_details(said, "grace@example.org");
        assert_eq!(
            told("5.1.1 <grace@example.org>: user GRACE unknown"),
            "5.1.1 … user … unknown"
        );
        let token = "a".repeat(43);
        let quoted = format!("5.7.1 spam: https://vault/view/{token} {token}\r\nsee\0below");
        assert_eq!(told(&quoted), "5.7.1 spam: … … see below");
        assert!(told(&"word ".repeat(100)).chars().count() < 210);
    }

    #[test]
    fn a_refused_recipient_is_told_from_a_refused_server() {
        for (code, said, expected) in [
            (550, "5.1.1 no such user", true),
            (552, "5.2.2 mailbox full", true),
            (550, "no such user", true),
            (550, "5.7.1 blocked", false),
            (553, "5.1.8 bad sender", false),
            (554, "rejected", false),
        ] {
            assert_eq!(is_about_recipient(code, said), expected, "{code} {said}");
        }
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
