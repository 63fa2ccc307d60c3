//! Slow clients: they send headers or bodies, or read responses, a little at a time, and
//! reconnect when they are cut off.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::http::Request;

/// Concurrent slow clients.
const CLIENTS: usize = 200;
/// The pause between two bytes.
const PAUSE: Duration = Duration::from_millis(500);
/// How long they run: longer than the time limit for a body.
const DURATION: Duration = Duration::from_secs(34);
/// How much earlier the concurrent measurement ends, which warms up first.
const MARGIN: Duration = Duration::from_secs(2);

/// The part that a client sends or reads slowly.
#[derive(Clone, Copy)]
enum Slow {
    Headers,
    Body,
    Reading,
}

/// How the server treated slow bodies.
pub(crate) struct Cut {
    /// The number of bodies that were cut off.
    pub(crate) bodies: usize,
    /// The longest time until one was cut off.
    pub(crate) longest: Duration,
}

/// Runs `work`, with the time that it may take, while slow clients occupy the server's
/// connections; `download` requests a large file.
pub(crate) fn beside<T>(
    server: SocketAddr,
    download: &Request,
    work: impl FnOnce(Duration) -> Outcome<T>,
) -> Outcome<(T, Cut)> {
    let end = Instant::now() + DURATION;
    thread::scope(|scope| {
        let clients: Vec<_> = [Slow::Headers, Slow::Body, Slow::Reading]
            .into_iter()
            .cycle()
            .take(CLIENTS)
            .map(|slow| scope.spawn(move || client(server, download, slow, end)))
            .collect();
        let done = work(DURATION.saturating_sub(MARGIN))?;
        let mut cut = Cut {
            bodies: 0,
            longest: Duration::ZERO,
        };
        for client in clients {
            let lives = client.join().map_err(|_| "a slow client panicked")??;
            cut.bodies += lives.len();
            cut.longest = lives.into_iter().fold(cut.longest, Duration::max);
        }
        Ok((done, cut))
    })
}

/// Connects repeatedly; returns how long each body lasted that was cut off.
fn client(
    server: SocketAddr,
    download: &Request,
    slow: Slow,
    end: Instant,
) -> Outcome<Vec<Duration>> {
    let mut lives = Vec::new();
    while Instant::now() < end {
        let began = Instant::now();
        let mut stream = TcpStream::connect(server)?;
        stream.set_read_timeout(Some(PAUSE))?;
        let was_cut = match slow {
            Slow::Headers => {
                let head = b"GET /healthz HTTP/1.1\r\nHost: bench\r\nX-Slow: ";
                drip(&mut stream, head, end)
            }
            Slow::Body => {
                let head = b"POST /api/auth/login HTTP/1.1\r\nHost: bench\r\n\
                    Content-Type: application/json\r\nContent-Length: 4000\r\n\r\n";
                drip(&mut stream, head, end)
            }
            Slow::Reading => {
                read_slowly(&mut stream, download, end)?;
                false
            }
        };
        if was_cut && matches!(slow, Slow::Body) {
            lives.push(began.elapsed());
        }
    }
    Ok(lives)
}

/// Sends `head`, then spaces one by one. Returns whether the server cut it off.
fn drip(stream: &mut TcpStream, head: &[u8], end: Instant) -> bool {
    if stream.write_all(head).is_err() {
        return true;
    }
    while Instant::now() < end {
        // Waits for a response that should not come yet.
        match stream.read(&mut [0; 512]) {
            Err(error) if is_timeout(error.kind()) => {}
            _ => return true,
        }
        if stream.write_all(b" ").is_err() {
            return true;
        }
    }
    false
}

/// Reads slowly, byte by byte, until the response or the time ends.
fn read_slowly(stream: &mut TcpStream, request: &Request, end: Instant) -> Outcome<()> {
    stream.write_all(request.as_bytes())?;
    while Instant::now() < end {
        match stream.read(&mut [0; 1]) {
            Ok(1) => thread::sleep(PAUSE),
            Err(error) if is_timeout(error.kind()) => {}
            _ => break,
        }
    }
    Ok(())
}

fn is_timeout(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::WouldBlock | ErrorKind::TimedOut)
}
