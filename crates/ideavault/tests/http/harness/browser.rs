//! A browser that keeps cookies.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use reqwest::{Method, RequestBuilder};
use serde_json::Value;

use super::answer::Answer;
use super::form::Form;
use super::proxy::Proxy;

/// An HTTP client for one server. It stores cookies by name alone and sends all of them, so
/// that tests can replay any. Clones share their cookies.
#[derive(Clone)]
pub struct Browser {
    client: reqwest::Client,
    base: String,
    cookies: Arc<Mutex<BTreeMap<String, String>>>,
}

impl Browser {
    /// A browser without cookies.
    pub fn new(client: reqwest::Client, base: String) -> Self {
        Self {
            client,
            base,
            cookies: Arc::default(),
        }
    }

    /// Returns another browser with a copy of this one's cookies.
    pub fn stolen(&self) -> Self {
        Self {
            cookies: Arc::new(Mutex::new(self.cookies())),
            ..self.clone()
        }
    }

    /// Returns the same browser at another process of the server.
    pub fn at(&self, base: &Self) -> Self {
        Self {
            base: base.base.clone(),
            client: base.client.clone(),
            ..self.stolen()
        }
    }

    /// Returns the stored cookies by name.
    pub fn cookies(&self) -> BTreeMap<String, String> {
        self.cookies.lock().unwrap().clone()
    }

    /// Returns the values of the stored cookies that are secret.
    pub fn secret_cookies(&self) -> Vec<String> {
        let mut cookies = self.cookies();
        // Says only that there was a registration.
        cookies.remove("ideavault-registered");
        cookies.into_values().collect()
    }

    /// Returns the `Cookie` header.
    pub fn cookie_header(&self) -> String {
        let cookies = self.cookies();
        let pairs = cookies
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        pairs.collect::<Vec<_>>().join("; ")
    }

    /// Returns the same browser, which reaches the server through `proxy`. They share their
    /// cookies.
    pub fn through(&self, proxy: &Proxy) -> Self {
        Self {
            base: format!("http://{}", proxy.address()),
            ..self.clone()
        }
    }

    /// Sets a cookie.
    pub fn set_cookie(&self, name: &str, value: &str) {
        let mut cookies = self.cookies.lock().unwrap();
        cookies.insert(name.into(), value.into());
    }

    /// GET with the headers of our own pages.
    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, |request| request).await
    }

    /// Reads all pages of a list, from that one on.
    pub async fn list(&self, path: &str) -> Vec<Value> {
        let mut listed = Vec::new();
        let mut next = Some(path.to_owned());
        while let Some(path) = next {
            let page = self.get(&path).await.expect(200);
            listed.extend(page.json().as_array().unwrap().iter().cloned());
            next = page.next_page();
        }
        listed
    }

    /// POST of JSON with the headers of our own pages.
    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.json(Method::POST, path, body).await
    }

    /// PUT of JSON with the headers of our own pages.
    pub async fn put(&self, path: &str, body: Value) -> Answer {
        self.json(Method::PUT, path, body).await
    }

    /// DELETE with the headers of our own pages.
    pub async fn delete(&self, path: &str) -> Answer {
        self.send(Method::DELETE, path, |request| request).await
    }

    /// Sends JSON.
    pub async fn json(&self, method: Method, path: &str, body: Value) -> Answer {
        self.send(method, path, |request| request.json(&body)).await
    }

    /// POST of a form with files, with the headers of our own pages.
    pub async fn upload(&self, path: &str, form: &Form) -> Answer {
        self.send(Method::POST, path, |request| form.on(request))
            .await
    }

    /// Sends a body with the media type of JSON.
    pub async fn raw(&self, method: Method, path: &str, body: impl Into<reqwest::Body>) -> Answer {
        let body = body.into();
        self.send(method, path, |request| {
            request
                .header("content-type", "application/json")
                .body(body)
        })
        .await
    }

    /// Sends a request of our own pages after `change`.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        change: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> Answer {
        self.send_bare(method, path, |request| {
            change(request.header("sec-fetch-site", "same-origin"))
        })
        .await
    }

    /// Sends a request with nothing but cookies after `change`.
    pub async fn send_bare(
        &self,
        method: Method,
        path: &str,
        change: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> Answer {
        let name = format!("{method} {path}");
        let response = match change(self.request(method, path)).send().await {
            Ok(response) => response,
            Err(error) => panic!("{name}: {error:?}"),
        };
        let answer = Answer {
            request: name,
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body: response.bytes().await.unwrap().into(),
        };
        answer.check();
        self.keep(&answer);
        answer
    }

    /// Sends JSON in vain: the connection ends before an answer arrives.
    pub async fn send_in_vain(&self, method: Method, path: &str, key: &str, body: &Value) {
        let request = self.request(method, path);
        let request = request.header("sec-fetch-site", "same-origin");
        let sent = request.header("Idempotency-Key", key).json(body).send();
        assert!(sent.await.is_err(), "an answer arrived");
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.base));
        let cookies = self.cookie_header();
        if cookies.is_empty() {
            request
        } else {
            request.header("cookie", cookies)
        }
    }

    fn keep(&self, answer: &Answer) {
        let mut cookies = self.cookies.lock().unwrap();
        for cookie in answer.cookies() {
            let mut parts = cookie.split("; ");
            let (name, value) = parts.next().unwrap().split_once('=').unwrap();
            if parts.any(|part| part == "Max-Age=0") {
                cookies.remove(name);
            } else {
                cookies.insert(name.into(), value.into());
            }
        }
    }
}
