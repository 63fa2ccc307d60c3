//! Rules for every route of the API, including future ones: the list of routes is the
//! server's own description.

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, App, Browser, Visitor, keys};

on_both_databases!(
    all_but_the_public_routes_require_a_session,
    every_unsafe_route_refuses_cross_site_requests,
    no_route_sends_cors_headers,
    every_json_route_refuses_other_content_types,
    no_unsafe_route_accepts_get,
    every_json_route_refuses_a_body_that_is_too_large,
);

/// Routes that need no account. Their own tests check how they refuse callers.
const PUBLIC: [&str; 28] = [
    "POST /api/ai-search",
    "POST /api/auth/confirm-email",
    "POST /api/auth/confirm-email/look",
    "POST /api/auth/forgot-password",
    "POST /api/auth/login",
    "POST /api/auth/logout",
    "POST /api/auth/register",
    "POST /api/auth/reset-password",
    "POST /api/auth/reset-password/look",
    "GET /api/files/{id}",
    "POST /api/my-documents",
    "POST /api/my-documents/open",
    "GET /api/recipients/{id}/agreement.txt",
    "GET /api/recipients/{id}/receipt.pdf",
    "GET /api/record/{documentId}",
    "POST /api/recipients",
    "POST /api/recipients/{id}/code",
    "PUT /api/recipients/{id}/nda",
    "POST /api/recipients/{id}/verify",
    "GET /api/share/{token}",
    "POST /api/share/{token}/close",
    "POST /api/share/{token}/decline",
    "GET /api/share/{token}/download",
    "GET /api/share/{token}/evidence.zip",
    "POST /api/share/{token}/reopen",
    "GET /api/unsubscribe/{token}",
    "POST /api/unsubscribe/{token}",
    "POST /api/waitlist",
];

/// A route of the description.
pub struct Route {
    pub method: Method,
    /// The path, with existing values for all parameters.
    pub path: String,
    pub pattern: String,
    /// The media type of the request body.
    pub reads: Option<String>,
    /// The fields of the request body, if it is JSON.
    pub fields: Vec<String>,
    /// The status codes in the description.
    pub answers: Vec<String>,
}

impl Route {
    pub fn name(&self) -> String {
        format!("{} {}", self.method, self.pattern)
    }

    pub fn changes_something(&self) -> bool {
        self.method != Method::GET
    }

    fn reads_json(&self) -> bool {
        self.reads.as_deref() == Some("application/json")
    }

    /// Sends a body that is valid for a comment and for nothing else.
    async fn ask(&self, browser: &Browser) -> Answer {
        browser
            .json(self.method.clone(), &self.path, json!({ "content": "Hi" }))
            .await
    }
}

/// A browser with both a session and an accepted agreement on a link.
pub struct LoadedGate {
    pub routes: Vec<Route>,
    pub everybody: Browser,
    pub idea: i64,
    pub recipient: String,
    pub token: String,
}

pub async fn scene(app: &App) -> LoadedGate {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let everybody = ada.stolen();
    let recipient = Visitor::new(everybody.clone()).agree(&link).await;
    let comment = json!({ "recipientId": recipient, "content": "Hi" });
    let comment = everybody.post("/api/comments", comment).await.expect(201);
    let comment = comment.json()["id"].as_str().unwrap().to_owned();
    let description = everybody.get("/api/openapi.json").await.expect(200).json();
    let mut routes = Vec::new();
    for (pattern, operations) in description["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let id = match pattern.as_str() {
                of_idea if of_idea.starts_with("/api/ideas/{id}") => idea.to_string(),
                of_share if of_share.starts_with("/api/shares/{id}") => link.id.clone(),
                "/api/comments/{id}" => comment.clone(),
                _ => recipient.clone(),
            };
            let path = pattern
                .replace("{id}", &id)
                .replace("{token}", &link.token)
                .replace("{number}", "1")
                .replace("{documentId}", "IV-0000-0000-0000");
            assert!(!path.contains('{'), "{pattern}: what is that?");
            let body = operation["requestBody"]["content"].as_object();
            let body = body.map(|kinds| kinds.iter().next().unwrap());
            routes.push(Route {
                method: Method::from_bytes(method.to_uppercase().as_bytes()).unwrap(),
                path,
                pattern: pattern.clone(),
                reads: body.map(|(kind, _)| kind.clone()),
                fields: body.map_or(Vec::new(), |(_, body)| fields(&description, body)),
                answers: keys(&operation["responses"])
                    .into_iter()
                    .map(str::to_owned)
                    .collect(),
            });
        }
    }
    assert!(routes.len() > 35, "{}", routes.len());
    LoadedGate {
        routes,
        everybody,
        idea,
        recipient,
        token: link.token,
    }
}

/// The fields of a body whose schema is a reference.
fn fields(description: &Value, body: &Value) -> Vec<String> {
    let reference = body["schema"]["$ref"].as_str().unwrap_or("#");
    let schema = description.pointer(&reference[1..]).unwrap();
    let names = schema["properties"].as_object();
    names.map_or(Vec::new(), |names| names.keys().cloned().collect())
}

impl LoadedGate {
    /// Everything that the routes could have changed.
    async fn whole(&self) -> Vec<Value> {
        let mut all = Vec::new();
        for path in ["", "/shares", "/activity", "/revisions"] {
            let path = format!("/api/ideas/{}{path}", self.idea);
            all.push(self.everybody.get(&path).await.expect(200).json());
        }
        for path in ["ideas", "comments", "assets", "auth/me"] {
            let answer = self.everybody.get(&format!("/api/{path}")).await;
            all.push(answer.expect(200).json());
        }
        all
    }
}

async fn all_but_the_public_routes_require_a_session(app: App) {
    let scene = scene(&app).await;
    let names: Vec<_> = scene.routes.iter().map(Route::name).collect();
    for public in PUBLIC {
        assert!(names.iter().any(|name| name == public), "{public}");
    }
    let nobody = app.browser();
    for route in &scene.routes {
        let answer = route.ask(&nobody).await;
        let name = route.name();
        let is_public = PUBLIC.contains(&name.as_str());
        assert_eq!(answer.status == 401, !is_public, "{answer:?}");
        // Signing out without a session succeeds.
        let may_work = ["POST /api/auth/logout", "GET /api/share/{token}"];
        let worked = answer.status < 300;
        assert_eq!(worked, may_work.contains(&name.as_str()), "{answer:?}");
        assert!(!answer.text().contains("Waits"), "{answer:?}");
    }
}

/// Headers of requests from another site.
const FOREIGN: [(&str, &str); 4] = [
    ("origin", "https://evil.example"),
    ("origin", "null"),
    ("sec-fetch-site", "cross-site"),
    ("sec-fetch-site", "same-site"),
];

async fn every_unsafe_route_refuses_cross_site_requests(app: App) {
    let scene = scene(&app).await;
    let before = scene.whole().await;
    for route in scene
        .routes
        .iter()
        .filter(|route| route.changes_something())
    {
        for (header, value) in FOREIGN {
            for media_type in [
                "application/json",
                "text/plain",
                "multipart/form-data; boundary=x",
            ] {
                let answer =
                    scene
                        .everybody
                        .send_bare(route.method.clone(), &route.path, |request| {
                            let request = request.header("content-type", media_type);
                            request.header(header, value).body("{}")
                        });
                let answer = answer.await.expect(403);
                assert!(answer.cookies().is_empty(), "{answer:?}");
            }
        }
    }
    assert_eq!(scene.whole().await, before);
}

async fn no_route_sends_cors_headers(app: App) {
    let scene = scene(&app).await;
    for route in &scene.routes {
        for method in [Method::OPTIONS, route.method.clone()] {
            let answer = scene.everybody.send_bare(method, &route.path, |request| {
                request
                    .header("origin", "https://evil.example")
                    .header("access-control-request-method", route.method.as_str())
                    .header("access-control-request-headers", "content-type")
            });
            let answer = answer.await;
            let names: Vec<_> = answer.headers.keys().map(|name| name.as_str()).collect();
            let invites = names
                .iter()
                .any(|name| name.starts_with("access-control-allow"));
            assert!(!invites, "{answer:?} {names:?}");
        }
    }
}

async fn every_json_route_refuses_other_content_types(app: App) {
    let scene = scene(&app).await;
    let before = scene.whole().await;
    for route in scene.routes.iter().filter(|route| route.reads_json()) {
        for media_type in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "application/json-patch+json",
        ] {
            let answer = scene
                .everybody
                .send(route.method.clone(), &route.path, |request| {
                    request.header("content-type", media_type).body("{}")
                });
            answer.await.expect(415);
        }
        let untyped = scene
            .everybody
            .send(route.method.clone(), &route.path, |request| {
                request.body("{}")
            });
        untyped.await.expect(415);
    }
    assert_eq!(scene.whole().await, before);
}

async fn no_unsafe_route_accepts_get(app: App) {
    let scene = scene(&app).await;
    let is_read = |path: &str| {
        let mut same = scene.routes.iter().filter(|route| route.path == path);
        same.any(|route| !route.changes_something())
    };
    let before = scene.whole().await;
    for route in scene.routes.iter().filter(|route| !is_read(&route.path)) {
        let query = format!("{}?_method={}", route.path, route.method);
        for path in [&route.path, &query] {
            let answer = scene.everybody.send(Method::GET, path, |request| {
                request.header("x-http-method-override", route.method.as_str())
            });
            let answer = answer.await;
            assert!(matches!(answer.status, 404 | 405), "{answer:?}");
        }
    }
    assert_eq!(scene.whole().await, before);
}

async fn every_json_route_refuses_a_body_that_is_too_large(app: App) {
    let scene = scene(&app).await;
    let before = scene.whole().await;
    for route in scene.routes.iter().filter(|route| route.reads_json()) {
        // One byte more than the largest body that any route allows.
        let body = format!("{{{}}}", " ".repeat(8 * 1024 * 1024 - 1));
        let answer = scene
            .everybody
            .raw(route.method.clone(), &route.path, body)
            .await;
        answer.expect(413);
    }
    assert_eq!(scene.whole().await, before);
}
