//! Servers on loopback in the place of outsiders.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// A server on loopback that counts its requests.
pub struct Outsider {
    address: SocketAddr,
    requests: Arc<AtomicUsize>,
}

impl Outsider {
    pub fn start(answer: impl Fn(&[u8], TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&requests);
        let answer = Arc::new(answer);
        // It ends with the tests.
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (mut stream, answer) = (stream.unwrap(), Arc::clone(&answer));
                counted.fetch_add(1, Ordering::SeqCst);
                thread::spawn(move || {
                    let request = read(&mut stream);
                    answer(&request, stream);
                });
            }
        });
        Self { address, requests }
    }

    pub fn name(&self) -> String {
        self.address.to_string()
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

fn read(stream: &mut TcpStream) -> Vec<u8> {
    let (mut request, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        if let Some(end) = request.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&request[..end]).to_lowercase();
            let mut lines = head.lines();
            let length = lines.find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.map_or(0, |length| length.parse().unwrap());
            if request.len() >= end + 4 + length {
                return request;
            }
        }
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return request,
            Ok(count) => request.extend_from_slice(&buffer[..count]),
        }
    }
}

/// A client may have hung up.
pub fn respond(stream: &mut TcpStream, status: &str, media_type: &str, body: &[u8]) {
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {media_type}\r\nContent-Length: {}\r\n\
         Location: http://127.0.0.1:1/\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all(&[head.as_bytes(), body].concat());
}
