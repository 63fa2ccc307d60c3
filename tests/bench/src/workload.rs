//! The data and requests of the measurements: a creator with 100 ideas, of which one has
//! a share, readers and comments; a recipient who agreed on that share; and a collector,
//! who has many ideas.

use std::net::SocketAddr;

use ideavault_domain::ids::{IdeaId, UserId};
use serde_json::{Value, json};

use crate::Outcome;
use crate::browser::{Browser, number, text};
use crate::http::Request;

const IDEAS: usize = 100;
const CONTENT_BYTES: usize = 10 * 1024;
/// The size of a large file, close to the upload limit.
const PDF_BYTES: usize = 10 * 1024 * 1024 - 512;
const PDF_HEAD: &[u8] =
    b"%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages\
    /Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj trailer\
    <</Root 1 0 R>>\n";
const PASSWORD: &str = "correct horse";

/// A request to measure.
pub(crate) struct Route {
    /// Its name in the table.
    pub(crate) title: &'static str,
    /// The request to send.
    pub(crate) request: Request,
    /// The share of a bare route's speed that is promised on SQLite, in percent.
    pub(crate) promised_share: Option<f64>,
}

/// The accounts, and the requests to measure.
pub(crate) struct Workload {
    /// The idea with readers and comments.
    pub(crate) disclosed: IdeaId,
    /// An idea of the same creator that nothing was done with yet.
    pub(crate) exported: IdeaId,
    /// The account that has many ideas and lists them.
    pub(crate) collector: UserId,
    /// The account that owns the other ideas.
    pub(crate) others: UserId,
    /// The requests to measure.
    pub(crate) routes: Vec<Route>,
    /// A login of the creator.
    pub(crate) login: Request,
    /// A download of a large file by the creator.
    pub(crate) download: Request,
}

impl Workload {
    /// Creates the data through the API.
    pub(crate) fn set(server: SocketAddr) -> Outcome<Self> {
        let (mut creator, _) = sign_up(server, "Ada Lovelace", "ada@example.org")?;
        let (collector, collector_id) = sign_up(server, "Hans Sloane", "hans@example.org")?;
        let (_, others) = sign_up(server, "Mary Anning", "mary@example.org")?;
        let pdf = [PDF_HEAD, &vec![b' '; PDF_BYTES]].concat();
        let file = creator.upload("/api/ideas/pdf", "file", &pdf)?;
        let file = text(file.get("content").unwrap_or(&file), "pdfPath")?.to_owned();
        let content = format!("<p>{}</p>", "idea ".repeat(CONTENT_BYTES / 5));
        let mut ideas = Vec::new();
        for nth in 2..=IDEAS {
            let idea = json!({"title": format!("Idea {nth}"), "content": content});
            ideas.push(number(&creator.call("POST", "/api/ideas", &idea)?, "id")?);
        }
        let [exported, .., idea] = *ideas else {
            return Err("there are too few ideas".into());
        };
        let link = json!({"shareType": "full-access", "ideaId": idea});
        let share = creator.call("POST", "/api/shares", &link)?;
        let token = text(&share, "accessLink")?;
        let page = format!("/api/share/{token}");

        let mut recipient = Browser::new(server)?;
        let details = json!({
            "name": "Grace Hopper", "email": "grace@example.org", "accessToken": token,
        });
        let registered = recipient.call("POST", "/api/recipients", &details)?;
        let id = text(&registered, "id")?;
        let agreement = format!("/api/recipients/{id}/nda");
        recipient.call("PUT", &agreement, &json!({"agreed": true}))?;
        recipient.call("GET", &page, &Value::Null)?;

        let comment = json!({"recipientId": id, "author": "Grace Hopper", "content": "Noted."});
        let comment = comment.to_string();
        let on_idea = format!("/api/comments?ideaId={idea}");
        let activity = format!("/api/ideas/{idea}/activity");
        Ok(Self {
            disclosed: idea.into(),
            exported: exported.into(),
            collector: collector_id,
            others,
            routes: vec![
                route("GET /api/auth/me", 35.0, creator.get("/api/auth/me")),
                route("GET /api/ideas (100)", 20.0, creator.get("/api/ideas")),
                other("GET /api/ideas (a full page)", collector.get("/api/ideas")),
                route("GET /api/share/{token} before", 35.0, Request::get(&page)),
                route(
                    "GET /api/share/{token} in a view",
                    30.0,
                    recipient.get(&page),
                ),
                route(
                    "GET /api/comments of one idea",
                    25.0,
                    recipient.get(&on_idea),
                ),
                other(
                    "GET /api/comments of all ideas",
                    collector.get("/api/comments"),
                ),
                route("GET /api/ideas/{id}/activity", 15.0, creator.get(&activity)),
                other(
                    "POST /api/comments",
                    Request::new(
                        "POST",
                        "/api/comments",
                        &recipient.cookies(),
                        Some(&comment),
                    ),
                ),
            ],
            login: Request::new(
                "POST",
                "/api/auth/login",
                "",
                Some(&json!({"email": "ada@example.org", "password": PASSWORD}).to_string()),
            ),
            download: creator.get(&file),
        })
    }

    /// Returns the lightest request, for the signed-in user.
    pub(crate) fn lightest(&self) -> Outcome<&Request> {
        let lightest = self.routes.first().ok_or("nothing is measured")?;
        Ok(&lightest.request)
    }
}

fn route(title: &'static str, promised_share: f64, request: Request) -> Route {
    Route {
        title,
        request,
        promised_share: Some(promised_share),
    }
}

/// A route of which only the time with much data is promised.
fn other(title: &'static str, request: Request) -> Route {
    Route {
        title,
        request,
        promised_share: None,
    }
}

/// Registers somebody and signs them in.
pub(crate) fn sign_up(server: SocketAddr, name: &str, email: &str) -> Outcome<(Browser, UserId)> {
    let mut browser = Browser::new(server)?;
    let account = json!({ "name": name, "email": email, "password": PASSWORD });
    let user = browser.call("POST", "/api/auth/register", &account)?;
    browser.call("POST", "/api/auth/login", &account)?;
    let id = text(&user, "id")?.parse()?;
    Ok((browser, id))
}
