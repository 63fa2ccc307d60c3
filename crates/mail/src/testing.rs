//! A mail server for tests: accepts SMTP on the loopback interface and keeps the emails.

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

/// How long a test waits for an email before it fails.
const RECEIVE_TIMEOUT: Duration = Duration::from_secs(30);

/// A running mail server.
pub struct SmtpSink {
    address: SocketAddr,
    received: Receiver<ReceivedMail>,
    refused: Receiver<String>,
}

/// Replies of the server.
#[derive(Clone, Copy)]
struct Answers {
    recipient: &'static str,
    text: &'static str,
}

impl Default for Answers {
    fn default() -> Self {
        Self {
            recipient: "250 OK",
            text: "250 OK",
        }
    }
}

/// The channels on which connections report emails and refusals.
#[derive(Clone)]
struct Reports {
    received: Sender<ReceivedMail>,
    refused: Sender<String>,
}

/// An email as it arrived.
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
    /// Starts a server that accepts every email.
    #[must_use]
    pub fn start() -> Self {
        Self::with(Answers::default())
    }

    /// Starts a server that replies `answer` to every recipient.
    #[must_use]
    pub fn answering(answer: &'static str) -> Self {
        Self::with(Answers {
            recipient: answer,
            ..Answers::default()
        })
    }

    /// Starts a server that replies `answer` to every whole text; if it is empty, it hangs up.
    #[must_use]
    pub fn answering_texts(answer: &'static str) -> Self {
        Self::with(Answers {
            text: answer,
            ..Answers::default()
        })
    }

    fn with(answers: Answers) -> Self {
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
                // Whether a client may hang up is checked by the test itself.
                thread::spawn(move || converse(&client, answers, &reports).ok());
            }
        });
        Self {
            address,
            received,
            refused,
        }
    }

    /// Returns the value for `IDEAVAULT_SMTP_URL`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("smtp://{}", self.address)
    }

    /// Waits for the next email.
    ///
    /// # Panics
    /// If none arrives in time.
    #[must_use]
    pub fn next(&self) -> ReceivedMail {
        match self.received.recv_timeout(RECEIVE_TIMEOUT) {
            Ok(mail) => mail,
            Err(error) => panic!("no mail came: {error}"),
        }
    }

    /// Waits for the next recipient that was refused.
    ///
    /// # Panics
    /// If there is none in time.
    #[must_use]
    pub fn next_refused(&self) -> String {
        match self.refused.recv_timeout(RECEIVE_TIMEOUT) {
            Ok(recipient) => recipient,
            Err(error) => panic!("no mail was refused: {error}"),
        }
    }

    /// Returns the next email, if one has arrived already.
    #[must_use]
    pub fn try_next(&self) -> Option<ReceivedMail> {
        self.received.try_recv().ok()
    }
}

impl ReceivedMail {
    /// Returns the value of a header as it was sent.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let prefix = format!("{name}: ");
        self.text
            .lines()
            .take_while(|line| !line.is_empty())
            .find_map(|line| line.strip_prefix(prefix.as_str()))
    }

    /// Returns the rest of the line that begins with `start`: a link, for instance.
    ///
    /// # Panics
    /// If there is no such line.
    #[must_use]
    pub fn line_after(&self, start: &str) -> &str {
        self.text
            .lines()
            .find_map(|line| line.strip_prefix(start))
            .unwrap_or_else(|| panic!("no line begins with {start}: {}", self.text))
    }
}

fn converse(client: &TcpStream, answers: Answers, reports: &Reports) -> io::Result<()> {
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
                answer(answers.recipient)?;
                if answers.recipient.starts_with('2') {
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
                // Fails harmlessly once the test is over.
                reports.received.send(ReceivedMail { from, to, text }).ok();
                if answers.text.is_empty() {
                    return Ok(());
                }
                answer(answers.text)?;
            }
            "QUIT" => return answer("221 bye"),
            _ => answer("250 sink")?,
        }
    }
    Ok(())
}
