//! The people who use the server.

use std::ops::Deref;

use serde_json::{Value, json};

use super::answer::Answer;
use super::browser::Browser;
use super::form::Form;

/// Default password of creators.
pub const PASSWORD: &str = "correct horse battery";

/// A signed-in creator.
pub struct Creator {
    browser: Browser,
    /// Email address of the account.
    pub email: String,
    /// Its password.
    pub password: &'static str,
}

/// A share link.
#[derive(Clone)]
pub struct Link {
    /// The share's id.
    pub id: String,
    /// The token in the link.
    pub token: String,
}

impl Creator {
    /// Registers and signs in.
    pub async fn sign_up(browser: Browser, name: &str) -> Self {
        let creator = Self {
            browser,
            email: format!(
                "{}@example.org",
                name.replace(|c: char| !c.is_ascii_alphanumeric(), "")
            ),
            password: PASSWORD,
        };
        let account = json!({ "name": name, "email": creator.email, "password": PASSWORD });
        creator
            .post("/api/auth/register", account)
            .await
            .expect(201);
        creator.log_in(&creator.browser).await.expect(200);
        creator
    }

    /// Signs in in another browser.
    pub async fn log_in(&self, browser: &Browser) -> Answer {
        let credentials = json!({ "email": self.email, "password": self.password });
        browser.post("/api/auth/login", credentials).await
    }

    /// Saves a new idea and returns its id.
    pub async fn idea(&self, title: &str, content: impl Into<Value>) -> i64 {
        let idea = json!({ "title": title, "content": content.into() });
        let answer = self.post("/api/ideas", idea).await.expect(201);
        answer.json()["id"].as_i64().unwrap()
    }

    /// Uploads a PDF and returns the idea that was made from it.
    pub async fn pdf_idea(&self, content: &[u8]) -> Value {
        let form = Form::default().file("file", "Kettle.pdf", "application/pdf", content);
        self.upload("/api/ideas/pdf", &form)
            .await
            .expect(201)
            .json()
    }

    /// Uploads an image and returns its path.
    pub async fn image(&self, name: &str, content: &[u8]) -> String {
        let form = Form::default().file("image", name, "image/png", content);
        let answer = self.upload("/api/upload/image", &form).await.expect(200);
        answer.json()["url"].as_str().unwrap().to_owned()
    }

    /// Publishes an idea and returns it.
    pub async fn publish(&self, idea: i64) -> Value {
        let path = format!("/api/ideas/{idea}/publish");
        let publish = self.send(reqwest::Method::PUT, &path, |request| request);
        publish.await.expect(200).json()
    }

    /// Makes a link of that type with the limits in `terms`.
    pub async fn share(&self, idea: i64, share_type: &str, terms: Value) -> Link {
        let answer = self.try_share(idea, share_type, terms).await.expect(201);
        let share = answer.json();
        let text = |key: &str| share[key].as_str().unwrap().to_owned();
        Link {
            id: text("id"),
            token: text("accessLink"),
        }
    }

    /// Requests a new link.
    pub async fn try_share(&self, idea: i64, share_type: &str, terms: Value) -> Answer {
        let mut body = json!({ "ideaId": idea, "shareType": share_type });
        let limits = terms.as_object().cloned().unwrap_or_default();
        body.as_object_mut().unwrap().extend(limits);
        self.post("/api/shares", body).await
    }

    /// Returns a link as its owner sees it.
    pub async fn look_at(&self, idea: i64, link: &Link) -> Value {
        let shares = self.get(&format!("/api/ideas/{idea}/shares")).await;
        let shares = shares.expect(200).json();
        let shares = shares.as_array().unwrap();
        let share = shares.iter().find(|share| share["id"] == link.id);
        share.unwrap().clone()
    }

    /// Returns the number of counted views of a link.
    pub async fn views(&self, idea: i64, link: &Link) -> i64 {
        self.look_at(idea, link).await["viewCount"]
            .as_i64()
            .unwrap()
    }

    /// Returns the activity on the links of an idea, the newest first.
    pub async fn activity(&self, idea: i64) -> Vec<Value> {
        let activity = self.get(&format!("/api/ideas/{idea}/activity")).await;
        activity.expect(200).json().as_array().unwrap().clone()
    }
}

impl Deref for Creator {
    type Target = Browser;

    fn deref(&self) -> &Browser {
        &self.browser
    }
}

/// A person with a recipient's browser.
#[derive(Clone)]
pub struct Visitor(Browser);

impl Visitor {
    /// Returns a person who uses `browser`.
    pub fn new(browser: Browser) -> Self {
        Self(browser)
    }

    /// Looks the link up.
    pub async fn open(&self, link: &Link) -> Answer {
        self.get(&format!("/api/share/{}", link.token)).await
    }

    /// Looks the link up as one of many at once, again while the server says that it is too busy:
    /// on a slow machine, the last of a crowd wait for longer than a request may.
    pub async fn open_in_crowd(&self, link: &Link) -> Answer {
        loop {
            let answer = self.open(link).await;
            if answer.status != 503 {
                return answer;
            }
        }
    }

    /// Looks the link up and registers, perhaps after a visit that has ended. Returns the recipient's
    /// id.
    pub async fn register(&self, link: &Link) -> String {
        let found = self.open(link).await;
        assert!([200, 410].contains(&found.status), "{found:?}");
        let answer = self
            .try_register(link, "vera@example.org")
            .await
            .expect(201);
        answer.json()["id"].as_str().unwrap().to_owned()
    }

    /// Registers on a link.
    pub async fn try_register(&self, link: &Link, email: &str) -> Answer {
        let details = json!({ "name": "Vera", "email": email, "accessToken": link.token });
        self.post("/api/recipients", details).await
    }

    /// Takes all steps to reading. Returns the recipient's id.
    pub async fn agree(&self, link: &Link) -> String {
        let recipient = self.register(link).await;
        self.accept(&recipient).await.expect(200);
        recipient
    }

    /// Enters the code that was mailed to that recipient.
    pub async fn verify(&self, recipient: &str, code: &str) -> Answer {
        let path = format!("/api/recipients/{recipient}/verify");
        self.post(&path, json!({ "code": code })).await
    }

    /// Accepts the agreement as that recipient.
    pub async fn accept(&self, recipient: &str) -> Answer {
        let path = format!("/api/recipients/{recipient}/nda");
        self.put(&path, json!({ "agreed": true })).await
    }

    /// Returns the content, which must be present.
    pub async fn read(&self, link: &Link) -> Value {
        let opened = self.open(link).await.expect(200).json();
        assert_eq!(opened["stage"], "open", "{opened}");
        opened["idea"]["content"].clone()
    }

    /// Closes the document.
    pub async fn close(&self, link: &Link) -> Answer {
        let path = format!("/api/share/{}/close", link.token);
        self.post(&path, json!({})).await
    }
}

impl Deref for Visitor {
    type Target = Browser;

    fn deref(&self) -> &Browser {
        &self.0
    }
}
