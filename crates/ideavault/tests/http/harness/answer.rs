//! Responses of the server.

use reqwest::header::HeaderMap;
use serde_json::Value;

/// Text that a refusal must not contain: statements, libraries, paths, backtraces.
const INSIDE: [&str; 12] = [
    "select ",
    "insert ",
    "sqlite",
    "postgres",
    "diesel",
    "actix",
    "panicked",
    "backtrace",
    ".rs:",
    "/tmp/",
    "/home/",
    "/src/",
];

/// A complete response.
#[derive(Clone)]
pub struct Answer {
    /// The request, for messages.
    pub request: String,
    /// The status code.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Vec<u8>,
}

impl Answer {
    /// Checks that hold for every response: no defect, and the one error body in every refusal
    /// of the API.
    pub fn check(&self) {
        // These report that a dependency is down, and are expected where it is.
        let is_damage = || self.text().contains("its stored data is damaged");
        assert!(self.status != 500 || is_damage(), "{self:?}");
        let path = self.request.split(' ').nth(1).unwrap();
        let below_api = path == "/api" || path.starts_with("/api/");
        let has_body = !self.request.starts_with("HEAD ");
        if below_api && self.status >= 400 && has_body {
            assert_eq!(self.header("content-type"), "application/json", "{self:?}");
            let body = self.json();
            let object = body.as_object().unwrap();
            assert!(body["message"].is_string(), "{self:?}");
            assert!(body.get("field").is_none_or(Value::is_string), "{self:?}");
            let known = |key: &String| match key.as_str() {
                "message" | "field" => true,
                "revision" => self.status == 409,
                "ended" => self.status == 410,
                _ => false,
            };
            assert!(object.keys().all(known), "{self:?}");
            let told = self.text().to_lowercase();
            let leaked = INSIDE.iter().find(|word| told.contains(*word));
            assert_eq!(leaked, None, "{self:?}");
        }
    }

    /// Asserts the status.
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{self:?}");
        self
    }

    /// Asserts a refusal that names a field.
    #[track_caller]
    pub fn refuses(self, field: &str) -> Self {
        let answer = self.expect(400);
        assert_eq!(answer.json()["field"], field, "{answer:?}");
        answer
    }

    /// Parses the body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        match serde_json::from_slice(&self.body) {
            Ok(json) => json,
            Err(error) => panic!("{error}: {self:?}"),
        }
    }

    /// Returns the body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Returns the body of a document, with slashes as they read: its template escapes them.
    pub fn html(&self) -> String {
        self.text().replace("&#x2f;", "/")
    }

    /// Returns a header; empty if absent.
    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    /// Returns the address of the next page of a list, if there is one.
    pub fn next_page(&self) -> Option<String> {
        let link = self.header("link").strip_prefix('<')?;
        link.strip_suffix(">; rel=\"next\"").map(str::to_owned)
    }

    /// Returns the `Set-Cookie` headers.
    pub fn cookies(&self) -> Vec<String> {
        self.headers
            .get_all("set-cookie")
            .iter()
            .map(|value| value.to_str().unwrap().to_owned())
            .collect()
    }
}

impl std::fmt::Debug for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let body: String = self.text().chars().take(2_000).collect();
        write!(f, "{} answered {}: {body}", self.request, self.status)
    }
}

/// Returns the keys of a JSON object, sorted.
#[track_caller]
pub fn keys(object: &Value) -> Vec<&str> {
    let mut keys: Vec<_> = object
        .as_object()
        .unwrap_or_else(|| panic!("no object: {object}"))
        .keys()
        .map(String::as_str)
        .collect();
    keys.sort_unstable();
    keys
}
