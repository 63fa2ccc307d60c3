//! A network connection that can fail.

use std::net::SocketAddr;
use std::sync::Arc;

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
}

/// A proxy between a server and its database.
pub struct Proxy {
    address: SocketAddr,
    mood: Arc<watch::Sender<Mood>>,
}

impl Proxy {
    /// Starts a proxy to `target`.
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
