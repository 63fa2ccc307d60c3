//! A minimal HTTP/1.1 client for responses with Content-Length: a full client would
//! use more processor time than the server under measurement.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use crate::Outcome;

/// How long a response may take before the measurement fails.
const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// An encoded request, which can be sent repeatedly.
#[derive(Clone)]
pub(crate) struct Request(Vec<u8>);

impl Request {
    /// Encodes a GET request without cookies.
    pub(crate) fn get(path: &str) -> Self {
        Self::new("GET", path, "", None)
    }

    /// Encodes a request with `cookies` as the Cookie header and `json` as the body.
    pub(crate) fn new(method: &str, path: &str, cookies: &str, json: Option<&str>) -> Self {
        let body = json.map(|json| ("application/json", json.as_bytes()));
        Self::with_body(method, path, cookies, body)
    }

    /// Encodes a request with a body of any type.
    pub(crate) fn with_body(
        method: &str,
        path: &str,
        cookies: &str,
        body: Option<(&str, &[u8])>,
    ) -> Self {
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: bench\r\n");
        if !cookies.is_empty() {
            head.push_str(&format!("Cookie: {cookies}\r\n"));
        }
        let (media_type, body) = body.unwrap_or_default();
        if !media_type.is_empty() {
            let length = body.len();
            head.push_str(&format!(
                "Content-Type: {media_type}\r\nContent-Length: {length}\r\n"
            ));
        }
        Self([head.as_bytes(), b"\r\n", body].concat())
    }

    /// Accepts a compressed response.
    pub(crate) fn accepting_gzip(mut self) -> Self {
        let after = self.0.windows(2).position(|pair| pair == b"\r\n");
        let at = after.map_or(0, |after| after + 2);
        self.0.splice(at..at, *b"Accept-Encoding: gzip\r\n");
        self
    }

    /// Returns the encoded bytes.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// A response.
pub(crate) struct Answer {
    /// The status code.
    pub(crate) status: u16,
    /// `name=value` for each cookie that was set.
    pub(crate) cookies: Vec<String>,
    /// The raw body.
    pub(crate) body: Vec<u8>,
}

/// A keep-alive connection.
pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
    line: String,
}

impl Connection {
    /// Connects.
    pub(crate) fn open(address: SocketAddr) -> Outcome<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(READ_TIMEOUT))?;
        Ok(Self {
            stream: BufReader::with_capacity(32 * 1024, stream),
            line: String::new(),
        })
    }

    /// Sends a request and reads the whole response.
    pub(crate) fn send(&mut self, request: &Request) -> Outcome<Answer> {
        self.stream.get_mut().write_all(request.as_bytes())?;
        let status = self
            .read_line()?
            .split(' ')
            .nth(1)
            .and_then(|code| code.parse().ok())
            .ok_or("no status line")?;
        let mut length = 0;
        let mut cookies = Vec::new();
        loop {
            let line = self.read_line()?;
            if line.is_empty() {
                break;
            }
            let (name, value) = line.split_once(':').ok_or("no header")?;
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse()?;
            } else if name.eq_ignore_ascii_case("set-cookie") {
                cookies.extend(value.trim().split(';').next().map(str::to_owned));
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        Ok(Answer {
            status,
            cookies,
            body,
        })
    }

    fn read_line(&mut self) -> Outcome<&str> {
        self.line.clear();
        if self.stream.read_line(&mut self.line)? == 0 {
            return Err("the server closed the connection".into());
        }
        Ok(self.line.trim_end())
    }
}
