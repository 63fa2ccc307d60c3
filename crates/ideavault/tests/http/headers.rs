//! Security headers of every response.

use reqwest::Method;
use serde_json::json;

use crate::harness::{App, require_frontend};

on_sqlite!(
    each_page_has_a_policy_with_its_own_nonce,
    every_response_has_the_security_headers,
    hsts_is_sent_over_https,
    token_pages_are_not_indexed,
    api_responses_are_not_cached,
);

async fn each_page_has_a_policy_with_its_own_nonce(app: App) {
    require_frontend();
    let browser = app.browser();
    let mut nonces = Vec::new();
    for path in ["/", "/", "/about", "/view/some-token", "/login"] {
        let page = browser.get(path).await.expect(200);
        let policy = page.header("content-security-policy").to_owned();
        for directive in [
            "default-src 'self'",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        ] {
            let found = policy.split(';').any(|part| part.trim() == directive);
            assert!(found, "{directive}: {policy}");
        }
        assert!(!policy.contains("unsafe-eval"), "{policy}");
        let scripts = policy.split(';').map(str::trim);
        let mut scripts = scripts.filter_map(|part| part.strip_prefix("script-src "));
        let mut sources = scripts.next().unwrap().split(' ');
        assert_eq!(sources.next(), Some("'self'"), "{policy}");
        assert!(
            sources.all(|source| source.starts_with("'sha256-")),
            "{policy}"
        );
        assert_eq!(scripts.next(), None);
        let (_, rest) = policy.split_once("'nonce-").unwrap();
        let (nonce, _) = rest.split_once('\'').unwrap();
        assert!(nonce.len() >= 22, "{nonce}");
        assert!(page.text().contains(nonce), "the page knows its nonce");
        assert!(!page.text().contains("csp_nonce"));
        nonces.push(nonce.to_owned());
    }
    nonces.sort();
    nonces.dedup();
    assert_eq!(nonces.len(), 5);
}

async fn every_response_has_the_security_headers(app: App) {
    require_frontend();
    let ada = app.creator("ada").await;
    let script = crate::pages::main_script(&ada).await;
    for path in [
        "/",
        "/view/some-token",
        &script,
        "/assets/missing.js",
        "/favicon.svg",
        "/healthz",
        "/readyz",
        "/api/auth/me",
        "/api/nothing",
        "/api/share/unknown",
        "/api/openapi.json",
    ] {
        let answer = ada.get(path).await;
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
        assert_eq!(
            answer.header("cross-origin-opener-policy"),
            "same-origin",
            "{path}"
        );
        assert_eq!(
            answer.header("cross-origin-resource-policy"),
            "same-origin",
            "{path}"
        );
        assert_eq!(answer.header("strict-transport-security"), "", "{path}");
        assert_eq!(answer.header("server"), "", "{path}");
        let policy = answer.header("content-security-policy");
        let is_refused = answer.status >= 400;
        assert!(
            !is_refused || policy.contains("frame-ancestors 'none'"),
            "{path}: {policy}"
        );
    }
    let refused = ada.send_bare(Method::POST, "/api/ideas", |request| {
        request.header("origin", "https://evil.example")
    });
    let refused = refused.await.expect(403);
    assert_eq!(refused.header("x-content-type-options"), "nosniff");
    assert_eq!(refused.header("cache-control"), "no-store");
}

async fn hsts_is_sent_over_https(app: App) {
    require_frontend();
    let https = app
        .another(&[
            "--public-url",
            "https://vault.example.org",
            "--trusted-proxies",
            "none",
        ])
        .await;
    for path in ["/", "/api/auth/me", "/healthz", "/assets/missing.js"] {
        let answer = https.browser().get(path).await;
        let value = answer.header("strict-transport-security");
        assert!(value.starts_with("max-age=31536000"), "{path}: {value}");
    }
}

async fn token_pages_are_not_indexed(app: App) {
    require_frontend();
    let browser = app.browser();
    for path in [
        "/view/x",
        "/View/x",
        "/collect/x",
        "/collect?accessToken=x",
        "/nda/x",
        "/document/x",
        "/reset-password/x",
        "/confirm-email/x",
        "/unsubscribe/x",
        "/register?invitation=x",
        "/Register/?invitation=x",
        "/share/1",
        "/record/IV-0000-0000-0000",
    ] {
        let page = browser.get(path).await.expect(200);
        assert!(page.header("x-robots-tag").contains("noindex"), "{path}");
        assert_eq!(page.header("referrer-policy"), "no-referrer", "{path}");
    }
    for (path, status) in [
        ("/", 200),
        ("/login", 200),
        ("/register", 200),
        ("/about", 200),
        ("/viewing", 404),
        ("/document-list", 404),
    ] {
        let page = browser.get(path).await.expect(status);
        assert_eq!(page.header("x-robots-tag"), "", "{path}");
    }
}

async fn api_responses_are_not_cached(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    for path in [
        "/api/auth/me".to_owned(),
        "/api/ideas".to_owned(),
        format!("/api/ideas/{idea}"),
        format!("/api/share/{}", link.token),
        "/api/comments".to_owned(),
        "/api/nothing".to_owned(),
    ] {
        let answer = ada.get(&path).await;
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
        assert_eq!(answer.header("content-type"), "application/json", "{path}");
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'"), "{path}: {policy}");
    }
    let gone = ada.delete(&format!("/api/ideas/{idea}")).await.expect(204);
    assert_eq!(gone.header("cache-control"), "no-store");
    assert!(gone.body.is_empty());
}
