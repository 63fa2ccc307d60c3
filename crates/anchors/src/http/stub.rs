//! A server on loopback that sends whatever bytes a test wants.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::Endpoint;

/// How the server behaves after it has read a request.
pub(crate) enum Behaviour {
    /// Sends these bytes and closes.
    Sends(Vec<u8>),
    /// Sends these bytes, then the letter `x` until the client hangs up.
    NeverEnds(Vec<u8>),
    /// Sends these bytes and keeps the connection open.
    Stalls(Vec<u8>),
}

/// A server that serves each request by a function of it.
pub(crate) struct Stub {
    address: SocketAddr,
    serving: JoinHandle<()>,
}

impl Stub {
    /// Starts a server.
    pub(crate) async fn start(
        mut respond: impl FnMut(&Request) -> Behaviour + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let serving = tokio::spawn(async move {
            let mut stalled = Vec::new();
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let request = read(&mut stream).await;
                // A client may hang up early.
                match respond(&request) {
                    Behaviour::Sends(bytes) => {
                        let _ = stream.write_all(&bytes).await;
                    }
                    Behaviour::NeverEnds(bytes) => {
                        let _ = stream.write_all(&bytes).await;
                        while stream.write_all(&[b'x'; 4096]).await.is_ok() {}
                    }
                    Behaviour::Stalls(bytes) => {
                        let _ = stream.write_all(&bytes).await;
                        stalled.push(stream);
                    }
                }
            }
        });
        Self { address, serving }
    }

    /// Returns the address of a path of this server.
    pub(crate) fn endpoint(&self, path: &str) -> Endpoint {
        format!("http://{}{path}", self.address).parse().unwrap()
    }

    /// Returns host and port.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Stub {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// A request as it arrived.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// Request line and headers.
    pub(crate) head: String,
    /// The body.
    pub(crate) body: Vec<u8>,
}

/// Composes a response with its length.
pub(crate) fn response(status: &str, media_type: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {media_type}\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n"
    );
    [head.as_bytes(), body].concat()
}

async fn read(stream: &mut TcpStream) -> Request {
    let mut seen = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        if let Some(end) = seen.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            let head = String::from_utf8(seen[..end].to_vec()).unwrap();
            let length = head
                .to_ascii_lowercase()
                .lines()
                .find_map(|line| line.strip_prefix("content-length: ").map(str::to_owned))
                .map_or(0, |length| length.parse::<usize>().unwrap());
            let body = seen[end + 4..].to_vec();
            if body.len() >= length {
                return Request { head, body };
            }
        }
        let count = stream.read(&mut buffer).await.unwrap();
        assert!(count > 0, "the request broke off");
        seen.extend_from_slice(&buffer[..count]);
    }
}
