//! A mail server for tests: speaks SMTP on the loopback and keeps what it is given.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test without its mail server can only fail"
)]

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

/// How long a test waits for a mail before it fails.
const RECEIVE_TIMEOUT: Duration = Duration::from_secs(30);

/// A running mail server.
pub struct SmtpSink {
    address: SocketAddr,
    received: Receiver<ReceivedMail>,
    refused: Receiver<String>,
}

/// Where conversations tell of what happened.
#[derive(Clone)]
struct Reports {
    received: Sender<ReceivedMail>,
    refused: Sender<String>,
}

/// A mail as it arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceivedMail {
    /// The envelope's sender.
    pub from: String,
    /// The envelope's recipients.
    pub to: Vec<String>,
    /// Headers and body, lines ended by `\n`.
    pub text: String,
}

impl SmtpSink {
    /// A server that takes every mail.
    #[must_use]
    pub fn start() -> Self {
        Self::answering("250 OK")
    }

    /// A server that gives `answer` to every recipient.
    ///
    /// # Panics
    /// When the loopback cannot be listened on.
    #[must_use]
    pub fn answering(answer: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("the loopback has a free port");
        let address = listener.local_addr().expect("a bound port has an address");
        let (tell_received, received) = channel();
        let (tell_refused, refused) = channel();
        let reports = Reports {
            received: tell_received,
            refused: tell_refused,
        };
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let reports = reports.clone();
                // A client that hangs up is the test's own business.
                thread::spawn(move || converse(&client, answer, &reports).ok());
            }
        });
        Self {
            address,
            received,
            refused,
        }
    }

    /// What `IDEAVAULT_SMTP_URL` takes.
    #[must_use]
    pub fn url(&self) -> String {
        format!("smtp://{}", self.address)
    }

    /// The next mail, which may still be on its way.
    ///
    /// # Panics
    /// When none comes.
    #[must_use]
    pub fn next(&self) -> ReceivedMail {
        match self.received.recv_timeout(RECEIVE_TIMEOUT) {
            Ok(mail) => mail,
            Err(error) => panic!("no mail came: {error}"),
        }
    }

    /// The next recipient who was not accepted; waits for one.
    ///
    /// # Panics
    /// When nobody asks.
    #[must_use]
    pub fn next_refused(&self) -> String {
        match self.refused.recv_timeout(RECEIVE_TIMEOUT) {
            Ok(recipient) => recipient,
            Err(error) => panic!("no mail was refused: {error}"),
        }
    }

    /// The next mail, if one has arrived by now.
    #[must_use]
    pub fn try_next(&self) -> Option<ReceivedMail> {
        self.received.try_recv().ok()
    }
}

impl ReceivedMail {
    /// The value of a header, as it travelled.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let prefix = format!("{name}: ");
        self.text
            .lines()
            .take_while(|line| !line.is_empty())
            .find_map(|line| line.strip_prefix(prefix.as_str()))
    }

    /// The rest of the line that begins with `start`: a link, for instance.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn line_after(&self, start: &str) -> &str {
        self.text
            .lines()
            .find_map(|line| line.strip_prefix(start))
            .unwrap_or_else(|| panic!("no line begins with {start}: {}", self.text))
    }
}

fn converse(client: &TcpStream, to_recipients: &str, reports: &Reports) -> io::Result<()> {
    let mut lines = BufReader::new(client).lines();
    let answer = |text: &str| {
        let mut client = client;
        client.write_all(format!("{text}\r\n").as_bytes())
    };
    let (mut from, mut to) = (String::new(), Vec::new());
    answer("220 sink")?;
    while let Some(line) = lines.next().transpose()? {
        let address = || line.split(['<', '>']).nth(1).unwrap_or_default().to_owned();
        match line.get(..4).unwrap_or_default() {
            "MAIL" => {
                from = address();
                answer("250 OK")?;
            }
            "RCPT" => {
                answer(to_recipients)?;
                if to_recipients.starts_with('2') {
                    to.push(address());
                } else {
                    reports.refused.send(address()).ok();
                }
            }
            "DATA" => {
                answer("354 go on")?;
                let mut text = String::new();
                while let Some(line) = lines.next().transpose()?.filter(|line| line != ".") {
                    text.push_str(line.strip_prefix('.').unwrap_or(&line));
                    text.push('\n');
                }
                let (from, to) = (std::mem::take(&mut from), std::mem::take(&mut to));
                // Nobody waits for it any more when the test is over.
                reports.received.send(ReceivedMail { from, to, text }).ok();
                answer("250 OK")?;
            }
            "QUIT" => return answer("221 bye"),
            _ => answer("250 sink")?,
        }
    }
    Ok(())
}
