//! Pages, files of the frontend, and everything else outside `/api/`.

use reqwest::Method;
use serde_json::json;

use crate::harness::{Answer, App, Browser, require_frontend};

on_sqlite!(
    every_page_is_a_shell_and_other_paths_are_not_found,
    each_route_has_its_own_shell,
    a_shell_preloads_only_existing_files,
    a_shell_does_not_reveal_whether_its_resource_exists,
    a_shell_is_compressed_for_browsers_that_accept_it,
    hashed_files_are_immutable_and_compressed,
    other_files_are_revalidated,
    a_missing_file_is_not_found,
    no_path_escapes_the_frontend_folder,
    health_checks_respond_to_get_and_head,
    the_api_serves_its_description,
);

async fn get_with(browser: &Browser, path: &str, name: &str, value: &str) -> Answer {
    browser
        .send_bare(Method::GET, path, |request| request.header(name, value))
        .await
}

/// The script that the shell loads first.
pub async fn main_script(browser: &Browser) -> String {
    let shell = browser.get("/").await.expect(200).text();
    let mut scripts = attributes(&shell, "<script type=\"module\"", "src");
    scripts.pop().unwrap().to_owned()
}

async fn every_page_is_a_shell_and_other_paths_are_not_found(app: App) {
    require_frontend();
    let browser = app.browser();
    for (path, status) in [
        ("/", 200),
        ("/login", 200),
        ("/Login/", 200),
        ("/view/some-token", 200),
        ("/terms", 200),
        ("/?query=1", 200),
        ("/index.html", 404),
        ("/shells/login.html", 404),
        ("/shells/routes.json", 404),
        ("/no/such/page", 404),
        ("/view/some-token/more", 404),
        ("/editor", 404),
        ("/apiary", 404),
        ("/%FF", 404),
    ] {
        let page = browser.get(path).await.expect(status);
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
        assert_eq!(page.header("cache-control"), "no-store");
        assert!(page.text().contains("<div id=\"root\">"), "{page:?}");
        let head = browser
            .send(Method::HEAD, path, |head| head)
            .await
            .expect(status);
        assert_eq!(head.header("content-type"), page.header("content-type"));
        assert!(head.body.is_empty());
    }
    for method in [Method::POST, Method::PUT, Method::DELETE, Method::PATCH] {
        browser
            .send(method, "/login", |request| request)
            .await
            .expect(404);
    }
}

/// Returns the attribute's value in each element of the document with that beginning.
fn attributes<'a>(document: &'a str, beginning: &str, name: &str) -> Vec<&'a str> {
    document
        .split(beginning)
        .skip(1)
        .map(|rest| rest.split_once('>').unwrap().0)
        .map(|element| element.split_once(&format!("{name}=\"")).unwrap().1)
        .map(|rest| rest.split_once('"').unwrap().0)
        .collect()
}

/// The metadata of a share link that a message preview shows.
const SHARED: &str = "A confidential document was shared with you";

fn title(document: &str) -> &str {
    let (_, rest) = document.split_once("<title>").unwrap();
    rest.split_once("</title>").unwrap().0
}

async fn each_route_has_its_own_shell(app: App) {
    require_frontend();
    let browser = app.browser();
    for (path, expected, content) in [
        ("/", "Put your idea on record", "Put your idea on record"),
        ("/login", "Sign in", "Welcome back"),
        ("/Login/", "Sign in", "Welcome back"),
        ("/register", "Register", "Create your account"),
        ("/forgot-password", "Reset Password", "Reset Password"),
        ("/reset-password/x", "Choose a new password", "<main"),
        ("/about", "About Us", "Our mission"),
        ("/contact", "Contact", "Contact"),
        ("/privacy-policy", "Privacy Policy", "January 2025"),
        ("/data-handling", "Data Handling", "72 hours"),
        ("/collect", SHARED, "Verifying access..."),
        ("/collect?accessToken=x", SHARED, "Verifying access..."),
        ("/view/x", SHARED, "Verifying access..."),
        ("/nda/x", SHARED, "Verifying access..."),
        ("/document/x", SHARED, "Verifying access..."),
        ("/dashboard", "Idea Portfolio", "Verifying access..."),
        ("/editor/new", "Editor", "Verifying access..."),
        ("/share/1", "Share your idea", "Verifying access..."),
        ("/evidence/1", "Evidence", "Verifying access..."),
        ("/verify", "Check evidence", "never uploaded"),
        ("/profile", "Profile", "Verifying access..."),
        ("/editor", "404 Page Not Found", "404 Page Not Found"),
        ("/terms", "Terms of Service", "Terms of Service"),
        ("/view/x/y", "404 Page Not Found", "404 Page Not Found"),
        (
            "/shells/login.html",
            "404 Page Not Found",
            "404 Page Not Found",
        ),
    ] {
        let status = if expected.starts_with("404") {
            404
        } else {
            200
        };
        let page = browser.get(path).await.expect(status).text();
        assert_eq!(title(&page), format!("{expected} · IdeaVault"), "{path}");
        let (start, root) = page.split_once("<div id=\"root\">").unwrap();
        assert!(root.contains(content), "{path}");
        assert!(start.contains("href=\"#main\""), "{path}: a skip link");
        assert!(root.contains("<header"), "{path}");
        assert!(root.contains("<footer"), "{path}");
        assert!(!root.contains("<style"), "{path}: the policy forbids it");
        assert!(!root.contains(" style="), "{path}");
    }
}

async fn a_shell_preloads_only_existing_files(app: App) {
    require_frontend();
    let browser = app.browser();
    let mut sets = Vec::new();
    for path in ["/", "/login", "/document/x", "/editor/new", "/nowhere"] {
        let status = if path == "/nowhere" { 404 } else { 200 };
        let page = browser.get(path).await.expect(status).text();
        let scripts = attributes(&page, "<link rel=\"modulepreload\"", "href");
        let fonts = attributes(&page, "<link rel=\"preload\" as=\"font\"", "href");
        let styles = attributes(&page, "<link rel=\"stylesheet\"", "href");
        let entry = attributes(&page, "<script type=\"module\"", "src");
        // That of the interface, and the serif's weights that the page begins with.
        assert!(
            !styles.is_empty() && (2..=3).contains(&fonts.len()),
            "{path}"
        );
        assert_eq!(entry.len(), 2, "{path}: React, and the application");
        let inline = page.matches("<style nonce=").count();
        let whole = page.matches(" data-whole ").count();
        assert_eq!(
            (inline, whole),
            (styles.len() / 2, styles.len() / 2),
            "{path}: the first paint waits for none"
        );
        for file in [&scripts, &fonts, &styles, &entry].into_iter().flatten() {
            let answer = browser.get(file).await.expect(200);
            assert!(answer.header("cache-control").contains("immutable"));
        }
        sets.push(scripts.join(" "));
    }
    sets.sort();
    sets.dedup();
    assert_eq!(sets.len(), 5, "each route preloads what it needs");
}

async fn a_shell_does_not_reveal_whether_its_resource_exists(app: App) {
    require_frontend();
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let stranger = app.browser();
    for (real, unreal) in [
        (format!("/nda/{}", link.token), "/nda/nothing"),
        (format!("/document/{}", link.token), "/document/nothing"),
        (format!("/share/{idea}"), "/share/999999"),
        (format!("/editor/{idea}"), "/editor/999999"),
    ] {
        let unreal = without_nonce(&stranger.get(unreal).await.expect(200));
        for browser in [&ada, &stranger] {
            let page = browser.get(&real).await.expect(200);
            assert!(without_nonce(&page) == unreal, "{real}");
        }
    }
}

/// Waits until a document shows `text`: a server like in production leaves out what takes long.
pub async fn shows(browser: &Browser, path: &str, text: &str) {
    let showing = async { while !browser.get(path).await.expect(200).html().contains(text) {} };
    let shown = tokio::time::timeout(std::time::Duration::from_secs(180), showing).await;
    assert!(shown.is_ok(), "{path} does not show {text}");
}

/// Returns a document without what is different each time.
pub fn without_nonce(page: &Answer) -> String {
    let policy = page.header("content-security-policy");
    let (_, rest) = policy.split_once("'nonce-").unwrap();
    let (nonce, _) = rest.split_once('\'').unwrap();
    page.html().replace(nonce, "")
}

async fn a_shell_is_compressed_for_browsers_that_accept_it(app: App) {
    require_frontend();
    let browser = app.browser();
    let plain = browser.get("/login").await.expect(200);
    for (accepted, encoding) in [
        ("gzip, deflate, br, zstd", "gzip"),
        ("gzip", "gzip"),
        ("gzip;q=0", ""),
        ("br", ""),
        ("identity", ""),
        ("nonsense;;q=x", ""),
    ] {
        let page = get_with(&browser, "/login", "accept-encoding", accepted)
            .await
            .expect(200);
        assert_eq!(page.header("content-encoding"), encoding, "{accepted}");
        assert_eq!(page.header("content-type"), plain.header("content-type"));
        assert_eq!(page.header("vary"), "Accept-Encoding");
        assert_eq!(page.header("cache-control"), "no-store");
        let is_small = page.body.len() * 2 < plain.body.len();
        assert_eq!(is_small, !encoding.is_empty(), "{accepted}");
        assert_eq!(page.body.starts_with(&[0x1f, 0x8b]), encoding == "gzip");
    }
}

async fn hashed_files_are_immutable_and_compressed(app: App) {
    require_frontend();
    let browser = app.browser();
    let path = main_script(&browser).await;
    let plain = browser.get(&path).await.expect(200);
    assert_eq!(
        plain.header("content-type"),
        "text/javascript; charset=utf-8"
    );
    assert_eq!(plain.header("content-encoding"), "");
    for (accepted, encoding) in [
        ("br", "br"),
        ("gzip", "gzip"),
        ("gzip, deflate, br, zstd", "br"),
        ("br;q=0, gzip", "gzip"),
        ("gzip;q=1.0, identity; q=0.5", "gzip"),
        ("gzip;q=0", ""),
        ("identity", ""),
        ("zstd", ""),
        ("nonsense;;q=x", ""),
    ] {
        let answer = get_with(&browser, &path, "accept-encoding", accepted)
            .await
            .expect(200);
        assert_eq!(answer.header("content-encoding"), encoding, "{accepted}");
        assert_eq!(answer.header("content-type"), plain.header("content-type"));
        assert_eq!(answer.header("vary"), "Accept-Encoding");
        assert_eq!(
            answer.header("cache-control"),
            "public, max-age=31536000, immutable"
        );
        assert_eq!(answer.body == plain.body, encoding.is_empty(), "{accepted}");
        assert_eq!(answer.body.len() < plain.body.len(), !encoding.is_empty());
        assert_eq!(answer.body.starts_with(&[0x1f, 0x8b]), encoding == "gzip");
    }
    let tag = plain.header("etag").to_owned();
    let unchanged = get_with(&browser, &path, "if-none-match", &tag)
        .await
        .expect(304);
    assert!(unchanged.body.is_empty());
    get_with(&browser, &path, "if-none-match", "\"other\"")
        .await
        .expect(200);
    let head = browser
        .send(Method::HEAD, &path, |head| head)
        .await
        .expect(200);
    assert_eq!(head.header("content-length"), plain.body.len().to_string());
    assert!(head.body.is_empty());
}

async fn other_files_are_revalidated(app: App) {
    require_frontend();
    let browser = app.browser();
    for (path, media_type) in [
        ("/favicon.svg", "image/svg+xml"),
        ("/theme.js", "text/javascript; charset=utf-8"),
    ] {
        let answer = browser.get(path).await.expect(200);
        assert_eq!(answer.header("content-type"), media_type);
        assert_eq!(
            answer.header("cache-control"),
            "public, max-age=0, must-revalidate"
        );
    }
}

async fn a_missing_file_is_not_found(app: App) {
    require_frontend();
    let browser = app.browser();
    for path in [
        "/assets/missing.js",
        "/assets/",
        "/assets/index.css",
        "/assets/%FF",
    ] {
        let answer = browser.get(path).await.expect(404);
        assert_eq!(answer.json(), json!({ "message": "Not found" }));
        // While servers of two versions run, another one may have it.
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
    }
}

async fn no_path_escapes_the_frontend_folder(app: App) {
    require_frontend();
    let browser = app.browser();
    for path in [
        "/.vite/manifest.json",
        "/assets/%2e%2e/%2e%2e/Cargo.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2fetc%2fpasswd",
        "/assets/..%5c..%5cCargo.toml",
        "//etc/passwd",
        "/secret.key",
        "/ideavault.sqlite",
        "/data/ideavault.sqlite",
    ] {
        let answer = browser.get(path).await;
        assert_eq!(answer.status, 404, "{path}");
        if answer.header("content-type").starts_with("text/html") {
            assert!(answer.text().contains("<div id=\"root\">"), "{path}");
        }
    }
}

async fn health_checks_respond_to_get_and_head(app: App) {
    let browser = app.browser();
    for (path, expected) in [("/healthz", "ok\n"), ("/readyz", "{\"ready\":true}")] {
        // A request through a proxy does not come from this machine.
        let ask = |method| browser.send_bare(method, path, |head| head.header("via", "1.1 proxy"));
        let answer = ask(Method::GET).await.expect(200);
        assert_eq!(answer.text(), expected);
        let head = ask(Method::HEAD).await.expect(200);
        assert_eq!(head.header("content-type"), answer.header("content-type"));
        assert_eq!(head.header("content-length"), expected.len().to_string());
        browser.post(path, json!({})).await.expect(404);
    }
}

async fn the_api_serves_its_description(app: App) {
    let described = app.browser().get("/api/openapi.json").await.expect(200);
    assert_eq!(described.header("content-type"), "application/json");
    let described = described.json();
    assert!(described["openapi"].as_str().unwrap().starts_with("3.1"));
    let calls: usize = described["paths"]
        .as_object()
        .unwrap()
        .values()
        .map(|path| path.as_object().unwrap().len())
        .sum();
    assert!(calls >= 20, "{calls}");
    // The server sends the committed description; this one is made from the routes.
    let current = ideavault_web::openapi_document().to_json().unwrap();
    let current: serde_json::Value = serde_json::from_str(&current).unwrap();
    assert!(described == current, "run `just schema`");
}
