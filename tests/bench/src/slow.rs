//! Clients that waste a server's time: they send their headers or their bodies, or
//! read their answers, a little at a time, and come again when they are cut off.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::http::Request;

/// How many there are at a time.
const CLIENTS: usize = 200;
/// How long they wait between two bytes.
const PAUSE: Duration = Duration::from_millis(500);
/// How long they go on: longer than a body may take.
const DURATION: Duration = Duration::from_secs(34);
/// How much sooner the work beside them ends, which warms up first.
const MARGIN: Duration = Duration::from_secs(2);

/// What a client does slowly.
#[derive(Clone, Copy)]
enum Slow {
    Headers,
    Body,
    Reading,
}

/// How the server dealt with those who sent bodies.
pub(crate) struct Cut {
    /// How many bodies were cut off.
    pub(crate) bodies: usize,
    /// After how long at most.
    pub(crate) longest: Duration,
}

/// Runs `work`, for as long as it is told, while slow clients keep the server's
/// connections; `download` asks for something large.
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

/// Connects again and again; answers how long each body lasted that was cut off.
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

/// Sends `head`, then spaces one by one. Answers whether the server had enough.
fn drip(stream: &mut TcpStream, head: &[u8], end: Instant) -> bool {
    if stream.write_all(head).is_err() {
        return true;
    }
    while Instant::now() < end {
        // Waits for an answer that should not come yet.
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

/// Reads a byte now and then, until the answer or the time is over.
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
