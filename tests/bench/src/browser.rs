//! A client that keeps its cookies and sends and reads JSON.

use std::net::SocketAddr;

use serde_json::Value;

use crate::Outcome;
use crate::http::{Answer, Connection, Request};

/// A connection and its cookies.
pub(crate) struct Browser {
    server: SocketAddr,
    connection: Connection,
    cookies: Vec<String>,
}

impl Browser {
    /// Connects without cookies.
    pub(crate) fn new(server: SocketAddr) -> Outcome<Self> {
        Ok(Self {
            server,
            connection: Connection::open(server)?,
            cookies: Vec::new(),
        })
    }

    /// Connects anew, with the same cookies.
    pub(crate) fn reconnect(&mut self) -> Outcome<()> {
        self.connection = Connection::open(self.server)?;
        Ok(())
    }

    /// Returns the value of the Cookie header.
    pub(crate) fn cookies(&self) -> String {
        self.cookies.join("; ")
    }

    /// Returns a GET request for that path with the cookies, to be sent repeatedly.
    pub(crate) fn get(&self, path: &str) -> Request {
        Request::new("GET", path, &self.cookies(), None)
    }

    /// Sends and reads JSON; any status other than success is an error.
    pub(crate) fn call(&mut self, method: &str, path: &str, body: &Value) -> Outcome<Value> {
        let json = body.to_string();
        let body = (!body.is_null()).then_some(json.as_str());
        let request = Request::new(method, path, &self.cookies(), body);
        self.send(&request, path)
    }

    /// Uploads a file in a form; any status other than success is an error.
    pub(crate) fn upload(&mut self, path: &str, field: &str, pdf: &[u8]) -> Outcome<Value> {
        let head = format!(
            "--bench\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"bench.pdf\"\r\n\
             Content-Type: application/pdf\r\n\r\n"
        );
        let form = [head.as_bytes(), pdf, b"\r\n--bench--\r\n"].concat();
        let body = Some(("multipart/form-data; boundary=bench", form.as_slice()));
        let request = Request::with_body("POST", path, &self.cookies(), body);
        self.send(&request, path)
    }

    /// Returns the content of a file; any status other than success is an error.
    pub(crate) fn download(&mut self, path: &str) -> Outcome<Vec<u8>> {
        Ok(self.answer(&self.get(path), path)?.body)
    }

    fn send(&mut self, request: &Request, path: &str) -> Outcome<Value> {
        let answer = self.answer(request, path)?;
        self.keep(&answer);
        Ok(serde_json::from_slice(&answer.body)?)
    }

    fn answer(&mut self, request: &Request, path: &str) -> Outcome<Answer> {
        let answer = self.connection.send(request)?;
        if (200..300).contains(&answer.status) {
            return Ok(answer);
        }
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        Err(format!("{path} answered {}: {text}", answer.status).into())
    }

    fn keep(&mut self, answer: &Answer) {
        for cookie in &answer.cookies {
            let name = cookie.split('=').next().unwrap_or_default();
            let same = format!("{name}=");
            self.cookies.retain(|kept| !kept.starts_with(&same));
            self.cookies.push(cookie.clone());
        }
    }
}

/// Returns a string in a JSON object.
pub(crate) fn text<'value>(object: &'value Value, key: &str) -> Outcome<&'value str> {
    let value = object.get(key).and_then(Value::as_str);
    value.ok_or_else(|| format!("the answer has no {key}").into())
}

/// Returns an integer in a JSON object.
pub(crate) fn number(object: &Value, key: &str) -> Outcome<i64> {
    let value = object.get(key).and_then(Value::as_i64);
    value.ok_or_else(|| format!("the answer has no {key}").into())
}
