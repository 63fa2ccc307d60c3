//! A network connection that can fail.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// Treatment of transmitted data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mood {
    /// Data is passed on.
    Passing,
    /// Data is accepted, and held back until the proxy passes again.
    Stalled,
    /// Connections are closed, and new ones refused.
    Cut,
    /// Data is passed on until a connection has carried this text and then a COMMIT,
    /// whose answer is lost with the connection.
    LosingCommitAfter(&'static str),
    /// Requests are passed on, and the connection is closed with the first of their answers.
    LosingAnswers,
}

/// States of a connection in [`Mood::LosingCommitAfter`], by the data sent to its target so far.
const NOTHING: u8 = 0;
const TEXT: u8 = 1;
const COMMIT: u8 = 2;

/// A proxy between a server and its database, or a browser and its server.
pub struct Proxy {
    address: SocketAddr,
    mood: Arc<watch::Sender<Mood>>,
    trips: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    /// Starts a proxy to `target`.
    pub async fn to(target: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mood = Arc::new(watch::Sender::new(Mood::Passing));
        let moods = Arc::clone(&mood);
        let trips = Arc::<Mutex<Vec<String>>>::default();
        let begun = Arc::clone(&trips);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let Ok(far) = TcpStream::connect(target).await else {
                    continue;
                };
                let ((near_read, near_write), (far_read, far_write)) =
                    (near.into_split(), far.into_split());
                let sent = Arc::new(AtomicU8::new(NOTHING));
                let answered = Arc::clone(&sent);
                // Whether the target has answered all that it was sent.
                let is_idle = Arc::new(AtomicBool::new(true));
                let answers = Arc::clone(&is_idle);
                let begun = Arc::clone(&begun);
                tokio::spawn(pass(
                    near_read,
                    far_write,
                    moods.subscribe(),
                    move |now, bytes| {
                        note(&sent, now, bytes);
                        if is_idle.swap(false, Ordering::SeqCst) {
                            let text = String::from_utf8_lossy(bytes).into_owned();
                            begun.lock().unwrap().push(text);
                        }
                        true
                    },
                ));
                tokio::spawn(pass(
                    far_read,
                    near_write,
                    moods.subscribe(),
                    move |now, _| {
                        answers.store(true, Ordering::SeqCst);
                        answered.load(Ordering::SeqCst) != COMMIT && now != Mood::LosingAnswers
                    },
                ));
            }
        });
        Self {
            address,
            mood,
            trips,
        }
    }

    /// Returns what began each round trip since the last call, in the order in which they began.
    pub fn take_trips(&self) -> Vec<String> {
        std::mem::take(&mut *self.trips.lock().unwrap())
    }

    /// The proxy's address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Passes all data on.
    pub fn pass(&self) {
        self.mood.send_replace(Mood::Passing);
    }

    /// Holds all data back.
    pub fn stall(&self) {
        self.mood.send_replace(Mood::Stalled);
    }

    /// Closes all connections, and refuses new ones.
    pub fn cut(&self) {
        self.mood.send_replace(Mood::Cut);
    }

    /// Passes requests on, and loses all answers.
    pub fn lose_answers(&self) {
        self.mood.send_replace(Mood::LosingAnswers);
    }

    /// Loses the answer to the next COMMIT of a transaction that sends `text`.
    pub fn lose_commit_after(&self, text: &'static str) {
        self.mood.send_replace(Mood::LosingCommitAfter(text));
    }
}

/// Notes whether `bytes` hold what the proxy waits for.
fn note(sent: &AtomicU8, now: Mood, bytes: &[u8]) {
    let Mood::LosingCommitAfter(text) = now else {
        return;
    };
    let holds = |text: &str| {
        bytes
            .windows(text.len())
            .any(|part| part == text.as_bytes())
    };
    if holds(text) {
        sent.store(TEXT, Ordering::SeqCst);
    } else if sent.load(Ordering::SeqCst) == TEXT && holds("COMMIT") {
        sent.store(COMMIT, Ordering::SeqCst);
    }
}

/// Passes data on while `may_pass` says so.
async fn pass(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut mood: watch::Receiver<Mood>,
    may_pass: impl Fn(Mood, &[u8]) -> bool,
) {
    let mut bytes = vec![0; 16 * 1024];
    loop {
        let read = tokio::select! {
            read = from.read(&mut bytes) => read,
            _ = mood.wait_for(|mood| *mood == Mood::Cut) => return,
        };
        let Ok(read @ 1..) = read else {
            return;
        };
        let Ok(now) = mood
            .wait_for(|mood| *mood != Mood::Stalled)
            .await
            .map(|mood| *mood)
        else {
            return;
        };
        let may_pass = now != Mood::Cut && may_pass(now, &bytes[..read]);
        if !may_pass || to.write_all(&bytes[..read]).await.is_err() {
            return;
        }
    }
}
