//! Connections to clients, who may read slowly or not at all.
//!
//! Invariant: an answer that waits for its client leaves at 64 KiB in each 30 seconds, or the
//! connection ends. While one waits, nothing is read, so that no further answers pile up behind it.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use actix_web::rt::net::TcpStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

use super::body_deadline::{MIN_RATE_BYTES, MIN_RATE_WINDOW};

/// A connection to a client.
pub struct Connection {
    stream: TcpStream,
    window: Duration,
    /// Bytes waiting to be sent; none once everything was.
    waiting: Option<Waiting>,
    /// Who wants to read once nothing waits.
    reader: Option<Waker>,
}

/// An answer that the client has not read completely.
struct Waiting {
    window_end: Pin<Box<Sleep>>,
    /// Bytes that have to leave before it.
    bytes: usize,
}

impl Connection {
    /// Answers over `stream`.
    #[must_use]
    pub fn new(stream: TcpStream) -> Self {
        // Else the end of a large answer waits until the client confirms its beginning: some 40 ms.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a client waits longer for the end of large answers");
        }
        Self::with_window(stream, MIN_RATE_WINDOW)
    }

    fn with_window(stream: TcpStream, window: Duration) -> Self {
        Self {
            stream,
            window,
            waiting: None,
            reader: None,
        }
    }

    /// Begins to wait for the client, unless it is waited for already. Wakes at the end of the
    /// window.
    fn wait(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let window = self.window;
        let waiting = self.waiting.get_or_insert_with(|| Waiting {
            window_end: Box::pin(sleep(window)),
            bytes: MIN_RATE_BYTES,
        });
        match waiting.window_end.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }

    fn count(&mut self, sent: usize) {
        if let Some(waiting) = &mut self.waiting {
            waiting.bytes = waiting.bytes.saturating_sub(sent);
            if waiting.bytes == 0 {
                waiting.bytes = MIN_RATE_BYTES;
                let end = Instant::now() + self.window;
                waiting.window_end.as_mut().reset(end);
            }
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match Pin::new(&mut self.stream).poll_write(context, bytes) {
            Poll::Pending => self.wait(context),
            Poll::Ready(sent) => {
                self.count(sent.as_ref().copied().unwrap_or(0));
                Poll::Ready(sent)
            }
        }
    }

    /// Is called when everything that there was to send was sent.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.waiting = None;
        if let Some(reader) = self.reader.take() {
            reader.wake();
        }
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.waiting.is_some() {
            self.reader = Some(context.waker().clone());
            return Poll::Pending;
        }
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;

    static CHUNK: [u8; 64 * 1024] = [7; 64 * 1024];

    /// Returns both ends of a connection.
    async fn connected(window: Duration) -> (Connection, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap());
        let (client, accepted) = tokio::join!(client, listener.accept());
        let (server, _) = accepted.unwrap();
        (Connection::with_window(server, window), client.unwrap())
    }

    /// Writes until the client has to read.
    async fn fill(server: &mut Connection) -> usize {
        let mut sent = 0;
        poll_fn(|context| {
            while let Poll::Ready(written) = Pin::new(&mut *server).poll_write(context, &CHUNK) {
                sent += written.unwrap();
            }
            Poll::Ready(())
        })
        .await;
        sent
    }

    #[tokio::test]
    async fn the_end_of_an_answer_does_not_wait_for_its_beginning() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap());
        let (_client, accepted) = tokio::join!(client, listener.accept());
        let server = Connection::new(accepted.unwrap().0);
        assert!(server.stream.nodelay().unwrap());
    }

    #[tokio::test]
    async fn a_client_that_does_not_read_is_given_up() {
        let (mut server, client) = connected(Duration::from_millis(1)).await;
        let error = loop {
            if let Err(error) = server.write_all(&CHUNK).await {
                break error;
            }
        };
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(client);
    }

    #[tokio::test]
    async fn nothing_is_read_while_an_answer_waits() {
        let (mut server, mut client) = connected(MIN_RATE_WINDOW).await;
        client.write_all(b"next").await.unwrap();
        let mut sent = fill(&mut server).await;
        let mut asked = [0; 4];
        poll_fn(|context| {
            let mut buffer = ReadBuf::new(&mut asked);
            let read = Pin::new(&mut server).poll_read(context, &mut buffer);
            assert!(read.is_pending());
            Poll::Ready(())
        })
        .await;
        // The client reads all of it, and the rest leaves.
        let mut buffer = vec![0; CHUNK.len()];
        while sent > 0 {
            sent -= client.read(&mut buffer).await.unwrap();
        }
        server.write_all(b"rest").await.unwrap();
        server.flush().await.unwrap();
        server.read_exact(&mut asked).await.unwrap();
        assert_eq!(&asked, b"next");
    }

    #[tokio::test]
    async fn a_client_that_reads_gets_another_window() {
        let (mut server, mut client) = connected(MIN_RATE_WINDOW).await;
        fill(&mut server).await;
        let first = server.waiting.as_ref().unwrap().window_end.deadline();
        let reading = async {
            let mut buffer = vec![0; CHUNK.len()];
            loop {
                client.read_exact(&mut buffer).await.unwrap();
            }
        };
        let writing = async {
            for _ in 0..1_000 {
                server.write_all(&CHUNK).await.unwrap();
            }
        };
        tokio::select! {
            () = writing => {}
            () = reading => {}
        }
        let last = server.waiting.as_ref().unwrap().window_end.deadline();
        assert!(last > first);
        server.flush().await.unwrap();
        assert!(server.waiting.is_none());
    }
}
