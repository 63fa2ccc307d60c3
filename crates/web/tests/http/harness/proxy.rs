//! A network that can fail.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// What becomes of what is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mood {
    /// It arrives.
    Passing,
    /// It is taken, and kept until it passes again.
    Stalled,
    /// Connections end, and no new one comes about.
    Cut,
}

/// Stands between a server and its database.
pub struct Proxy {
    address: SocketAddr,
    mood: Arc<watch::Sender<Mood>>,
}

impl Proxy {
    /// Passes everything on to `target`.
    pub async fn to(target: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mood = Arc::new(watch::Sender::new(Mood::Passing));
        let moods = Arc::clone(&mood);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let Ok(far) = TcpStream::connect(target).await else {
                    continue;
                };
                let ((near_read, near_write), (far_read, far_write)) =
                    (near.into_split(), far.into_split());
                tokio::spawn(pass(near_read, far_write, moods.subscribe()));
                tokio::spawn(pass(far_read, near_write, moods.subscribe()));
            }
        });
        Self { address, mood }
    }

    /// Where it is.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Lets everything pass.
    pub fn pass(&self) {
        self.mood.send_replace(Mood::Passing);
    }

    /// Keeps everything.
    pub fn stall(&self) {
        self.mood.send_replace(Mood::Stalled);
    }

    /// Ends all connections, and those to come.
    pub fn cut(&self) {
        self.mood.send_replace(Mood::Cut);
    }
}

async fn pass(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut mood: watch::Receiver<Mood>) {
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
        if now == Mood::Cut || to.write_all(&bytes[..read]).await.is_err() {
            return;
        }
    }
}
