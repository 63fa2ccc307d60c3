//! Just enough HTTP/1.1 to load a server that answers with Content-Length: a
//! full client would take more of the processor than what is measured.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use crate::Outcome;

/// How long an answer may take before the measurement is given up.
const PATIENCE: Duration = Duration::from_secs(30);

/// A request, ready to be written again and again.
#[derive(Clone)]
pub(crate) struct Request(Vec<u8>);

impl Request {
    /// A GET without cookies.
    pub(crate) fn get(path: &str) -> Self {
        Self::new("GET", path, "", None)
    }

    /// Any request; `cookies` as in a Cookie header, `json` as its body.
    pub(crate) fn new(method: &str, path: &str, cookies: &str, json: Option<&str>) -> Self {
        let body = json.map(|json| ("application/json", json.as_bytes()));
        Self::with_body(method, path, cookies, body)
    }

    /// Any request, with a body of any type.
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

    /// What goes over the wire.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// What came back.
pub(crate) struct Answer {
    /// The status code.
    pub(crate) status: u16,
    /// `name=value` of each cookie that was set.
    pub(crate) cookies: Vec<String>,
    /// The body.
    pub(crate) body: Vec<u8>,
}

/// One connection that is kept alive.
pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
    line: String,
}

impl Connection {
    /// Connects.
    pub(crate) fn open(address: SocketAddr) -> Outcome<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Self {
            stream: BufReader::with_capacity(32 * 1024, stream),
            line: String::new(),
        })
    }

    /// Sends a request and reads its whole answer.
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
