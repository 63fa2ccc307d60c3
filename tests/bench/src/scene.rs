//! What the measured requests are about: a creator with 100 ideas, a link, and
//! a recipient who agreed.

use std::net::SocketAddr;

use serde_json::{Value, json};

use crate::Outcome;
use crate::http::{Connection, Request};

const IDEAS: usize = 100;
const CONTENT_BYTES: usize = 10 * 1024;

/// The requests to measure, with a title each.
pub(crate) struct Scene {
    requests: Vec<(&'static str, Request)>,
}

/// One browser: a connection and its cookies.
struct Browser {
    connection: Connection,
    cookies: Vec<String>,
}

impl Scene {
    /// Sets the scene through the API.
    pub(crate) fn set(server: SocketAddr) -> Outcome<Self> {
        let mut creator = Browser::new(server)?;
        let account = json!({
            "name": "Ada Lovelace", "email": "ada@example.org", "password": "correct horse",
        });
        creator.call("POST", "/api/auth/register", Some(&account))?;
        creator.call("POST", "/api/auth/login", Some(&account))?;
        let content = format!("<p>{}</p>", "idea ".repeat(CONTENT_BYTES / 5));
        let mut newest = Value::Null;
        for number in 1..=IDEAS {
            let idea = json!({"title": format!("Idea {number}"), "content": content});
            newest = creator.call("POST", "/api/ideas", Some(&idea))?;
        }
        let link = json!({"shareType": "full-access", "ideaId": newest.get("id")});
        let share = creator.call("POST", "/api/shares", Some(&link))?;
        let token = text(&share, "accessLink")?;
        let page = format!("/api/share/{token}");

        let mut recipient = Browser::new(server)?;
        let details = json!({
            "name": "Grace Hopper", "email": "grace@example.org", "accessToken": token,
        });
        let registered = recipient.call("POST", "/api/recipients", Some(&details))?;
        let id = text(&registered, "id")?;
        let agreement = format!("/api/recipients/{id}/nda");
        recipient.call("PUT", &agreement, Some(&json!({"agreed": true})))?;
        recipient.call("GET", &page, None)?;

        let comment = json!({"recipientId": id, "author": "Grace Hopper", "content": "Noted."});
        let signed_in = creator.cookies.join("; ");
        let agreed = recipient.cookies.join("; ");
        let get = |path: &str, cookies: &str| Request::new("GET", path, cookies, None);
        Ok(Self {
            requests: vec![
                ("GET /api/auth/me", get("/api/auth/me", &signed_in)),
                ("GET /api/ideas (100)", get("/api/ideas", &signed_in)),
                ("GET /api/share/{token} before", get(&page, "")),
                ("GET /api/share/{token} in a view", get(&page, &agreed)),
                (
                    "POST /api/comments",
                    Request::new("POST", "/api/comments", &agreed, Some(&comment.to_string())),
                ),
            ],
        })
    }

    /// What to measure.
    pub(crate) fn requests(&self) -> impl Iterator<Item = (&'static str, &Request)> {
        self.requests
            .iter()
            .map(|(title, request)| (*title, request))
    }
}

fn text<'value>(object: &'value Value, key: &str) -> Outcome<&'value str> {
    let value = object.get(key).and_then(Value::as_str);
    value.ok_or_else(|| format!("the answer has no {key}").into())
}

impl Browser {
    fn new(server: SocketAddr) -> Outcome<Self> {
        Ok(Self {
            connection: Connection::open(server)?,
            cookies: Vec::new(),
        })
    }

    fn call(&mut self, method: &str, path: &str, body: Option<&Value>) -> Outcome<Value> {
        let json = body.map(Value::to_string);
        let request = Request::new(method, path, &self.cookies.join("; "), json.as_deref());
        let answer = self.connection.send(&request)?;
        if !(200..300).contains(&answer.status) {
            let text = String::from_utf8_lossy(&answer.body).into_owned();
            return Err(format!("{method} {path} answered {}: {text}", answer.status).into());
        }
        for cookie in answer.cookies {
            let name = cookie.split('=').next().unwrap_or_default().to_owned();
            self.cookies
                .retain(|kept| !kept.starts_with(&format!("{name}=")));
            self.cookies.push(cookie);
        }
        Ok(serde_json::from_slice(&answer.body)?)
    }
}
