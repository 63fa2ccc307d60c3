//! A client of the cluster: a creator who writes and reads, and remembers what was acknowledged.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Outcome;
use crate::browser::{Browser, number, text};

use super::tally::Tally;

const PASSWORD: &str = "correct horse";
/// The pause before a request is tried again.
const AGAIN_AFTER: Duration = Duration::from_millis(50);
/// How long a request is tried.
const GIVE_UP_AFTER: Duration = Duration::from_secs(60);
/// One idea in so many is a PDF.
const PDF_EVERY: usize = 10;

/// An idea whose creation was acknowledged.
pub(super) struct Idea {
    /// Its id.
    pub(super) id: i64,
    /// Its newest acknowledged title.
    pub(super) title: String,
    /// The acknowledged comments on it.
    pub(super) comments: Vec<String>,
    /// The address and the content of its PDF.
    pub(super) file: Option<(String, Vec<u8>)>,
}

/// A creator with an account of its own.
pub(super) struct Client {
    /// The session.
    pub(super) browser: Browser,
    /// Acknowledged ideas.
    pub(super) ideas: Vec<Idea>,
    name: String,
    sent: usize,
}

impl Client {
    /// Registers an account and signs in.
    pub(super) fn sign_up(server: SocketAddr, number: usize) -> Outcome<Self> {
        let name = format!("Client {number}");
        let account = json!({
            "name": name, "email": format!("client{number}@example.org"), "password": PASSWORD,
        });
        let mut browser = Browser::new(server)?;
        browser.call("POST", "/api/auth/register", &account)?;
        browser.call("POST", "/api/auth/login", &account)?;
        Ok(Self {
            browser,
            ideas: Vec::new(),
            name,
            sent: 0,
        })
    }

    /// Works until `stop`, and counts.
    pub(super) fn run(&mut self, stop: &AtomicBool) -> Outcome<Tally> {
        let mut tally = Tally::default();
        while !stop.load(Ordering::Relaxed) {
            self.round(&mut tally)?;
        }
        Ok(tally)
    }

    /// Writes an idea, saves it, comments on it twice, and reads.
    fn round(&mut self, tally: &mut Tally) -> Outcome<()> {
        let idea = if self.ideas.len() % PDF_EVERY == PDF_EVERY - 1 {
            self.upload(tally)?
        } else {
            self.write(tally)?
        };
        let id = idea.id;
        self.ideas.push(idea);
        for _ in 0..2 {
            let comment = self.unique("Comment");
            let body = json!({"ideaId": id, "author": self.name, "content": comment});
            tally.add_request(self.call("POST", "/api/comments", &body)?.1);
            if let Some(idea) = self.ideas.last_mut() {
                idea.comments.push(comment);
            }
        }
        for path in [
            "/api/auth/me".to_owned(),
            "/api/ideas".to_owned(),
            format!("/api/ideas/{id}"),
            format!("/api/comments?ideaId={id}"),
        ] {
            tally.add_request(self.call("GET", &path, &Value::Null)?.1);
        }
        Ok(())
    }

    fn write(&mut self, tally: &mut Tally) -> Outcome<Idea> {
        let first = json!({"title": self.unique("Idea"), "content": "<p>It waits.</p>"});
        let (created, waited) = self.call("POST", "/api/ideas", &first)?;
        tally.add_request(waited);
        let id = number(&created, "id")?;
        let title = self.unique("Idea");
        let saved = json!({"title": title, "content": "<p>It waits, and whistles.</p>"});
        let path = format!("/api/ideas/{id}");
        tally.add_request(self.call("PUT", &path, &saved)?.1);
        Ok(Idea {
            id,
            title,
            comments: Vec::new(),
            file: None,
        })
    }

    fn upload(&mut self, tally: &mut Tally) -> Outcome<Idea> {
        let content = format!("{PDF}% {}\n", self.unique("File")).into_bytes();
        let (created, waited) =
            self.patiently(|browser| browser.upload("/api/ideas/pdf", "file", &content))?;
        tally.add_request(waited);
        let path = created.pointer("/content/pdfPath").and_then(Value::as_str);
        Ok(Idea {
            id: number(&created, "id")?,
            title: text(&created, "title")?.to_owned(),
            comments: Vec::new(),
            file: Some((path.ok_or("the answer has no file")?.to_owned(), content)),
        })
    }

    /// Returns a text that nobody else sends.
    fn unique(&mut self, kind: &str) -> String {
        self.sent += 1;
        format!("{kind} {} of {}", self.sent, self.name)
    }

    fn call(&mut self, method: &str, path: &str, body: &Value) -> Outcome<(Value, Duration)> {
        self.patiently(|browser| browser.call(method, path, body))
    }

    /// Sends again until the answer is a success. Returns it, and how long that took.
    fn patiently(
        &mut self,
        send: impl Fn(&mut Browser) -> Outcome<Value>,
    ) -> Outcome<(Value, Duration)> {
        let began = Instant::now();
        loop {
            match send(&mut self.browser) {
                Ok(answer) => return Ok((answer, began.elapsed())),
                Err(error) if began.elapsed() > GIVE_UP_AFTER => return Err(error),
                Err(_) => {
                    thread::sleep(AGAIN_AFTER);
                    self.browser.reconnect()?;
                }
            }
        }
    }
}

const PDF: &str = "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages\
    /Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj trailer\
    <</Root 1 0 R>>\n";
