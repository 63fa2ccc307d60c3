//! Cross-site requests.

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{App, Browser};

on_sqlite!(
    cross_site_requests_change_nothing,
    same_origin_and_non_browser_requests_are_accepted,
    a_body_with_another_content_type_is_refused,
    the_json_content_type_is_case_insensitive_and_may_have_parameters,
    cors_preflights_are_not_granted,
    get_requests_to_unsafe_routes_change_nothing,
);

/// Headers of requests from another site.
const FOREIGN: [&[(&str, &str)]; 8] = [
    &[("origin", "https://evil.example")],
    &[("origin", "null")],
    &[("sec-fetch-site", "cross-site")],
    &[("sec-fetch-site", "same-site")],
    &[("sec-fetch-site", "none")],
    &[("sec-fetch-site", "")],
    &[("origin", "")],
    &[("sec-fetch-site", "cross-site"), ("origin", "OWN")],
];

/// Routes that change something, with a valid body.
fn unsafe_routes(
    idea: i64,
    share: &str,
    token: &str,
    recipient: &str,
) -> Vec<(Method, String, Value)> {
    let account = json!({ "name": "Eve", "email": "eve@example.org", "password": "secret" });
    let login = json!({ "email": "ada@example.org", "password": "correct horse battery" });
    let draft = json!({ "title": "Taken over", "content": "<p>Mine</p>" });
    let link = json!({ "ideaId": idea, "shareType": "full-access" });
    let details = json!({ "name": "Eve", "email": "eve@example.org", "accessToken": token });
    let comment = json!({ "recipientId": recipient, "content": "Hello" });
    vec![
        (Method::POST, "/api/auth/register".into(), account),
        (Method::POST, "/api/auth/login".into(), login),
        (Method::POST, "/api/auth/logout".into(), json!({})),
        (Method::POST, "/api/ideas".into(), draft.clone()),
        (Method::PUT, format!("/api/ideas/{idea}"), draft),
        (Method::PUT, format!("/api/ideas/{idea}/publish"), json!({})),
        (
            Method::PUT,
            format!("/api/ideas/{idea}/organize"),
            json!({ "archived": true }),
        ),
        (
            Method::PUT,
            format!("/api/ideas/{idea}/working-copy"),
            json!({ "title": "", "content": "", "baseRevision": 1, "session": "a" }),
        ),
        (
            Method::DELETE,
            format!("/api/ideas/{idea}/working-copy?session=a"),
            json!({}),
        ),
        (Method::DELETE, format!("/api/ideas/{idea}"), json!({})),
        (Method::POST, "/api/shares".into(), link),
        (Method::DELETE, format!("/api/shares/{share}"), json!({})),
        (
            Method::PUT,
            format!("/api/shares/{share}"),
            json!({ "name": "Mine" }),
        ),
        (Method::POST, "/api/recipients".into(), details),
        (
            Method::PUT,
            format!("/api/recipients/{recipient}/nda"),
            json!({ "agreed": true }),
        ),
        (
            Method::POST,
            format!("/api/recipients/{recipient}/verify"),
            json!({ "code": "123456" }),
        ),
        (
            Method::POST,
            format!("/api/recipients/{recipient}/code"),
            json!({}),
        ),
        (Method::POST, "/api/comments".into(), comment),
        (Method::POST, format!("/api/share/{token}/close"), json!({})),
        (Method::POST, "/api/no/such/route".into(), json!({})),
    ]
}

/// Routes that read a request body.
fn takes_json(path: &str) -> bool {
    ["/logout", "/publish", "/close", "/code", "/no/such/route"]
        .iter()
        .all(|end| !path.ends_with(end))
}

async fn cross_site_requests_change_nothing(app: App) {
    let own = format!("http://{}", app.address());
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    let recipient = vera.register(&link).await;
    // One browser with every cookie that a victim can have.
    let victim = ada.stolen();
    for (name, value) in vera.cookies() {
        victim.set_cookie(&name, &value);
    }
    let before = whole(&ada, idea).await;
    for (method, path, body) in unsafe_routes(idea, &link.id, &link.token, &recipient) {
        for headers in FOREIGN {
            let answer = victim.send_bare(method.clone(), &path, |mut request| {
                for (name, value) in headers {
                    let value = if *value == "OWN" { &own } else { *value };
                    request = request.header(*name, value);
                }
                request.json(&body)
            });
            let answer = answer.await.expect(403);
            assert!(answer.cookies().is_empty(), "{answer:?}");
        }
        // A form needs no preflight request.
        let form = victim.send_bare(method, &path, |request| {
            request
                .header("origin", "https://evil.example")
                .header("content-type", "multipart/form-data; boundary=x")
                .body("--x--")
        });
        form.await.expect(403);
    }
    assert_eq!(whole(&ada, idea).await, before);
    assert_eq!(vera.open(&link).await.json()["stage"], "nda");
    let eve = json!({ "email": "eve@example.org", "password": "secret" });
    app.browser().post("/api/auth/login", eve).await.expect(401);
}

async fn whole(creator: &Browser, idea: i64) -> Vec<Value> {
    let mut all = Vec::new();
    for path in ["", "/shares", "/activity"] {
        let answer = creator.get(&format!("/api/ideas/{idea}{path}")).await;
        all.push(answer.expect(200).json());
    }
    all.push(creator.get("/api/ideas").await.expect(200).json());
    all.push(creator.get("/api/comments").await.expect(200).json());
    all
}

async fn same_origin_and_non_browser_requests_are_accepted(app: App) {
    let own = format!("http://{}", app.address());
    let ada = app.creator("ada").await;
    let draft = json!({ "title": "Kettle", "content": "<p>Waits</p>" });
    for headers in [
        vec![],
        vec![("origin", own.as_str())],
        vec![("sec-fetch-site", "same-origin")],
        vec![("sec-fetch-site", "same-origin"), ("origin", own.as_str())],
    ] {
        let answer = ada.send_bare(Method::POST, "/api/ideas", |mut request| {
            for (name, value) in headers {
                request = request.header(name, value);
            }
            request.json(&draft)
        });
        answer.await.expect(201);
    }
    // Behind a proxy with TLS, pages have another origin.
    let https = app
        .another(&[
            "--public-url",
            "https://vault.example.org",
            "--trusted-proxies",
            "none",
        ])
        .await;
    for (origin, status) in [("https://vault.example.org", 401), (own.as_str(), 403)] {
        let browser = https.browser();
        let answer = browser.send_bare(Method::POST, "/api/ideas", |request| {
            request.header("origin", origin).json(&draft)
        });
        answer.await.expect(status);
    }
}

async fn a_body_with_another_content_type_is_refused(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    let recipient = vera.register(&link).await;
    let before = whole(&ada, idea).await;
    let browser = ada.stolen();
    for (name, value) in vera.cookies() {
        browser.set_cookie(&name, &value);
    }
    let mut tried = 0;
    for (method, path, body) in unsafe_routes(idea, &link.id, &link.token, &recipient) {
        if method == Method::DELETE || !takes_json(&path) {
            continue;
        }
        tried += 1;
        for media_type in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "application/jsonp",
            "text/json",
            "",
        ] {
            let answer = browser.send(method.clone(), &path, |request| {
                let request = request.body(body.to_string());
                if media_type.is_empty() {
                    request
                } else {
                    request.header("content-type", media_type)
                }
            });
            answer.await.expect(415);
        }
    }
    assert_eq!(tried, 12);
    assert_eq!(whole(&ada, idea).await, before);
}

async fn the_json_content_type_is_case_insensitive_and_may_have_parameters(app: App) {
    let ada = app.creator("ada").await;
    for media_type in [
        "application/json",
        "application/json; charset=utf-8",
        "Application/JSON",
        "application/json ;charset=UTF-8",
    ] {
        let answer = ada.send(Method::POST, "/api/ideas", |request| {
            request
                .header("content-type", media_type)
                .body(r#"{"title":"Kettle","content":"<p>Waits</p>"}"#)
        });
        answer.await.expect(201);
    }
}

async fn cors_preflights_are_not_granted(app: App) {
    let browser = app.browser();
    for (_, path, _) in unsafe_routes(1, "x", "x", "x") {
        let answer = browser
            .send_bare(Method::OPTIONS, &path, |request| {
                request
                    .header("origin", "https://evil.example")
                    .header("access-control-request-method", "POST")
                    .header("access-control-request-headers", "content-type")
            })
            .await;
        let invites = answer
            .headers
            .keys()
            .any(|name| name.as_str().starts_with("access-control"));
        assert!(!invites, "{answer:?}");
        assert!(answer.status >= 400, "{answer:?}");
    }
    let page = browser.send_bare(Method::GET, "/", |request| {
        request.header("origin", "https://evil.example")
    });
    assert_eq!(page.await.header("access-control-allow-origin"), "");
}

async fn get_requests_to_unsafe_routes_change_nothing(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let before = whole(&ada, idea).await;
    for (_, path, _) in unsafe_routes(idea, &link.id, &link.token, "x") {
        let listed = ["/api/ideas", "/api/comments"].contains(&path.as_str());
        let shown = path == format!("/api/ideas/{idea}") || path.contains("/working-copy");
        if !listed && !shown {
            let answer = ada.get(&path).await;
            assert!(matches!(answer.status, 404 | 405), "{answer:?}");
        }
    }
    // A method override header, which other frameworks honour, has no effect.
    let path = format!("/api/ideas/{idea}");
    let answer = ada.send(Method::GET, &path, |request| {
        request.header("x-http-method-override", "DELETE")
    });
    answer.await.expect(200);
    assert_eq!(whole(&ada, idea).await, before);
}
