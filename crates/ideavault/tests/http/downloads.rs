//! File downloads: whole, in part, and for their owner only.

use reqwest::Method;

use crate::harness::{Answer, App, Browser, Creator, pdf, png};

on_both_databases!(
    a_pdf_is_served_with_restrictive_headers,
    every_range_returns_exactly_its_bytes,
    a_range_beyond_the_file_is_refused,
    several_ranges_return_the_whole_file,
    a_head_request_returns_the_size_without_a_body,
    a_matching_etag_gets_not_modified,
    a_download_is_saved_under_its_name,
    files_of_others_are_not_found,
    malformed_file_addresses_are_not_found,
    other_methods_do_not_change_a_file,
);

const ABSENT: &str = "/api/files/00000000-0000-4000-8000-000000000000";

async fn stored(app: &App, content: &[u8]) -> (Creator, String) {
    let ada = app.creator("ada").await;
    let idea = ada.pdf_idea(content).await;
    let path = idea["content"]["pdfPath"].as_str().unwrap().to_owned();
    (ada, path)
}

async fn ask(browser: &Browser, path: &str, headers: &[(&str, &str)]) -> Answer {
    browser
        .send(Method::GET, path, |mut request| {
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            request
        })
        .await
}

async fn a_pdf_is_served_with_restrictive_headers(app: App) {
    let (ada, path) = stored(&app, &pdf(1_000)).await;
    let served = ada.get(&path).await.expect(200);
    assert_eq!(served.header("content-type"), "application/pdf");
    assert_eq!(served.header("content-length"), "1000");
    assert_eq!(served.header("accept-ranges"), "bytes");
    assert_eq!(served.header("cache-control"), "private, no-store");
    assert_eq!(served.header("x-content-type-options"), "nosniff");
    assert_eq!(served.header("cross-origin-resource-policy"), "same-origin");
    let policy = served.header("content-security-policy");
    assert!(policy.contains("default-src 'none'"), "{policy}");
    assert!(policy.contains("frame-ancestors 'self'"), "{policy}");
    assert!(!policy.contains("script-src"), "{policy}");
    let name = "inline; filename=\"Kettle.pdf\"; filename*=UTF-8''Kettle.pdf";
    assert_eq!(served.header("content-disposition"), name);
}

async fn every_range_returns_exactly_its_bytes(app: App) {
    let size = 300_007;
    let whole = pdf(size);
    let (ada, path) = stored(&app, &whole).await;
    let mut tried = 0;
    for (range, start, end) in [
        ("0-0".to_owned(), 0, 1),
        ("0-299".into(), 0, 300),
        ("65535-65536".into(), 65_535, 65_537),
        ("1-262145".into(), 1, 262_146),
        ("300006-".into(), 300_006, size),
        ("299000-999999999".into(), 299_000, size),
        ("0-".into(), 0, size),
        ("-1".into(), size - 1, size),
        ("-70000".into(), size - 70_000, size),
        ("-999999999".into(), 0, size),
    ]
    .into_iter()
    .chain((0..20).map(|step| {
        let (start, end) = (step * 14_999, (step * 14_999 + 65_536).min(size));
        (format!("{start}-{}", end - 1), start, end)
    })) {
        let range = format!("bytes={range}");
        let part = ask(&ada, &path, &[("range", &range)]).await.expect(206);
        let told = format!("bytes {start}-{}/{size}", end - 1);
        assert_eq!(part.header("content-range"), told);
        assert_eq!(part.header("content-length"), (end - start).to_string());
        assert_eq!(part.header("content-type"), "application/pdf");
        assert!(part.body == whole[start..end], "{range}");
        tried += 1;
    }
    assert_eq!(tried, 30);
}

async fn a_range_beyond_the_file_is_refused(app: App) {
    let (ada, path) = stored(&app, &pdf(1_000)).await;
    for range in ["bytes=1000-", "bytes=1000-1001", "bytes=-0"] {
        let refused = ask(&ada, &path, &[("range", range)]).await.expect(416);
        assert_eq!(refused.header("content-range"), "bytes */1000");
    }
}

async fn several_ranges_return_the_whole_file(app: App) {
    let (ada, path) = stored(&app, &pdf(1_000)).await;
    for range in [
        "bytes=0-1,5-6",
        "bytes=5-1",
        "lines=0-1",
        "nonsense",
        "bytes=0-1;x",
    ] {
        let answer = ask(&ada, &path, &[("range", range)]).await.expect(200);
        assert!(answer.body == pdf(1_000), "{range}");
    }
    let other = [("range", "bytes=0-1"), ("if-range", "\"another\"")];
    let answer = ask(&ada, &path, &other).await.expect(200);
    assert!(answer.body == pdf(1_000));
    let tag = answer.header("etag").to_owned();
    let same = [("range", "bytes=0-1"), ("if-range", tag.as_str())];
    assert_eq!(ask(&ada, &path, &same).await.expect(206).body, b"%P");
}

async fn a_head_request_returns_the_size_without_a_body(app: App) {
    let (ada, path) = stored(&app, &pdf(1_000)).await;
    let got = ada.get(&path).await.expect(200);
    let head = ada.send(Method::HEAD, &path, |request| request).await;
    let head = head.expect(200);
    assert!(head.body.is_empty());
    for header in ["content-length", "content-type", "etag", "accept-ranges"] {
        assert_eq!(head.header(header), got.header(header), "{header}");
    }
    let stranger = app.browser();
    let foreign = stranger.send(Method::HEAD, &path, |request| request);
    foreign.await.expect(404);
}

async fn a_matching_etag_gets_not_modified(app: App) {
    let (ada, path) = stored(&app, &pdf(1_000)).await;
    let tag = ada.get(&path).await.header("etag").to_owned();
    assert!(tag.starts_with('"') && tag.ends_with('"'), "{tag}");
    let fresh = ask(&ada, &path, &[("if-none-match", &tag)]).await;
    let fresh = fresh.expect(304);
    assert!(fresh.body.is_empty());
    assert_eq!(fresh.header("etag"), tag);
    ask(&ada, &path, &[("if-none-match", "\"x\"")])
        .await
        .expect(200);
    // Others do not learn that the file exists.
    let stranger = app.browser();
    ask(&stranger, &path, &[("if-none-match", &tag)])
        .await
        .expect(404);
}

async fn a_download_is_saved_under_its_name(app: App) {
    let (ada, path) = stored(&app, &pdf(1_000)).await;
    let saved = ada.get(&format!("{path}?download=1")).await.expect(200);
    let name = "attachment; filename=\"Kettle.pdf\"; filename*=UTF-8''Kettle.pdf";
    assert_eq!(saved.header("content-disposition"), name);
    for other in ["?download=0", "?download=", "?x=1"] {
        let shown = ada.get(&format!("{path}{other}")).await.expect(200);
        assert!(shown.header("content-disposition").starts_with("inline"));
    }
}

async fn files_of_others_are_not_found(app: App) {
    let (ada, path) = stored(&app, &pdf(1_000)).await;
    let image = ada.image("a.png", &png()).await;
    let bob = app.creator("bob").await;
    for browser in [&bob as &Browser, &app.browser(), &app.visitor()] {
        let absent = browser.get(ABSENT).await.expect(404);
        for path in [&path, &image] {
            let foreign = browser.get(path).await.expect(404);
            assert_eq!(foreign.body, absent.body);
            for header in ["etag", "content-disposition", "accept-ranges"] {
                assert_eq!(foreign.header(header), "");
            }
            ask(browser, path, &[("range", "bytes=0-1")])
                .await
                .expect(404);
            ask(browser, path, &[("range", "bytes=9999-")])
                .await
                .expect(404);
        }
    }
}

async fn malformed_file_addresses_are_not_found(app: App) {
    let (ada, path) = stored(&app, &pdf(1_000)).await;
    let absent = ada.get(ABSENT).await.expect(404).body;
    let id = path.strip_prefix("/api/files/").unwrap();
    for address in [
        "..%2f..%2fetc%2fpasswd",
        "..%2F..%2Fsecret.key",
        "%2e%2e%2fsecret.key",
        "%252e%252e%252fsecret.key",
        "..%5c..%5csecret.key",
        "%2fetc%2fpasswd",
        "%00",
        "%ff",
        "incoming",
        "-",
        &format!("{id}%00"),
        &format!("{id}%2f"),
        &format!("{id}.pdf"),
        &format!("%2e%2f{id}"),
        &format!("{{{id}}}"),
        &format!("urn:uuid:{id}"),
        &id.replace('-', ""),
    ] {
        let answer = ada.get(&format!("/api/files/{address}")).await.expect(404);
        assert_eq!(answer.body, absent, "{address}");
    }
    ada.get("/api/files").await.expect(404);
    ada.get(&format!("{path}/")).await.expect(404);
    ada.get(&path).await.expect(200);
}

async fn other_methods_do_not_change_a_file(app: App) {
    let (ada, path) = stored(&app, &pdf(1_000)).await;
    for method in [Method::POST, Method::PUT, Method::DELETE, Method::PATCH] {
        let answer = ada.send(method, &path, |request| request.body("x")).await;
        assert!(matches!(answer.status, 404 | 405), "{answer:?}");
    }
    assert!(ada.get(&path).await.expect(200).body == pdf(1_000));
}
