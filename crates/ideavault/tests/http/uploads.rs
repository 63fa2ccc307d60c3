//! PDF ideas.

use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::harness::{App, Form, keys, pdf};

on_both_databases!(
    a_pdf_becomes_an_idea_with_the_digest_of_its_bytes,
    the_default_title_is_the_file_name,
    pdfs_over_ten_mebibytes_are_refused,
    the_operator_decides_how_large_pdfs_may_be,
    a_file_that_is_not_a_pdf_is_refused,
    a_damaged_or_protected_pdf_is_refused,
    a_body_that_is_not_a_multipart_form_is_refused,
    only_the_first_file_is_used_and_other_fields_are_ignored,
    a_file_name_is_treated_as_plain_text,
    a_cross_site_upload_is_refused,
);

const IMPORT: &str = "/api/ideas/pdf";
const NOT_A_PDF: &str = "Only PDF files are supported at this time";
const TOO_LARGE: &str = "PDF files must be less than 10MB";

fn form(name: &str, content: &[u8]) -> Form {
    Form::default().file("file", name, "application/pdf", content)
}

/// SHA-256 in hex, as `sha256sum` prints it.
pub fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Address of the file of a PDF idea.
pub fn path_of(idea: &Value) -> String {
    idea["content"]["pdfPath"].as_str().unwrap().to_owned()
}

async fn a_pdf_becomes_an_idea_with_the_digest_of_its_bytes(app: App) {
    let ada = app.creator("ada").await;
    let content = pdf(300_000);
    let upload = form("Kettle.pdf", &content).text("title", "My kettle");
    let idea = ada.upload(IMPORT, &upload).await.expect(201).json();
    assert_eq!(idea["title"], "My kettle");
    assert_eq!(idea["status"], "draft");
    assert_eq!(idea["contentKind"], "pdf");
    assert_eq!(idea["revision"], 1);
    assert_eq!(idea["sha256"], sha256(&content));
    assert_eq!(keys(&idea["content"]), ["fileName", "pdfPath", "type"]);
    assert_eq!(idea["content"]["type"], "pdf");
    assert_eq!(idea["content"]["fileName"], "Kettle.pdf");
    let path = path_of(&idea);
    assert!(
        path.starts_with("/api/files/") && path.len() == 47,
        "{path}"
    );
    let served = ada.get(&path).await.expect(200);
    assert_eq!(served.header("content-type"), "application/pdf");
    assert!(served.body == content);
    let read = ada.get(&format!("/api/ideas/{}", idea["id"])).await.json();
    assert_eq!(read, idea);
    // It is the content of an idea, and not an asset.
    assert_eq!(ada.get("/api/assets").await.json(), json!([]));
}

async fn the_default_title_is_the_file_name(app: App) {
    let ada = app.creator("ada").await;
    for (name, given, title) in [
        ("Kettle.pdf", Some(" My kettle "), "My kettle"),
        ("Kettle.v2.PDF", Some("  "), "Kettle.v2"),
        ("Größe — 温度.pdf", None, "Größe — 温度"),
        ("Plan \"B\".pdf", None, "Plan \"B\""),
        ("Loom\u{202e}fdp.pdf", Some("A\u{2028}B\u{2066}"), "AB"),
        ("no extension", None, "no extension"),
        ("", None, "document"),
    ] {
        let mut upload = form(name, &pdf(220));
        if let Some(given) = given {
            upload = upload.text("title", given);
        }
        let idea = ada.upload(IMPORT, &upload).await.expect(201).json();
        assert_eq!(idea["title"], title);
    }
    // The title may precede the file.
    let upload = Form::default().text("title", "First").file(
        "file",
        "Kettle.pdf",
        "application/pdf",
        &pdf(220),
    );
    let idea = ada.upload(IMPORT, &upload).await.expect(201).json();
    assert_eq!(idea["title"], "First");
    let long = form("Kettle.pdf", &pdf(220)).text("title", &"x".repeat(4_097));
    ada.upload(IMPORT, &long).await.refuses("title");
}

async fn pdfs_over_ten_mebibytes_are_refused(app: App) {
    let ada = app.creator("ada").await;
    let whole = pdf(10_485_760);
    let idea = ada.pdf_idea(&whole).await;
    assert_eq!(idea["sha256"], sha256(&whole));
    for size in [10_485_761, 10_485_760 + 64 * 1024, 30_000_000] {
        let upload = form("Kettle.pdf", &pdf(size));
        let refused = ada.upload(IMPORT, &upload).await.expect(413);
        assert_eq!(refused.json()["message"], TOO_LARGE, "{size}");
    }
    let ideas = ada.get("/api/ideas").await.json();
    assert_eq!(ideas.as_array().unwrap().len(), 1);
}

async fn the_operator_decides_how_large_pdfs_may_be(app: App) {
    let app = app.restart(&["--pdf-size", "11MiB"]).await;
    let ada = app.creator("ada").await;
    let whole = pdf(11 * 1024 * 1024);
    let idea = ada.pdf_idea(&whole).await;
    assert_eq!(idea["sha256"], sha256(&whole));
    let path = idea["content"]["pdfPath"].as_str().unwrap();
    assert!(ada.get(path).await.expect(200).body == whole);
    let upload = form("Kettle.pdf", &pdf(11 * 1024 * 1024 + 1));
    let refused = ada.upload(IMPORT, &upload).await.expect(413).json();
    assert_eq!(refused["message"], "PDF files must be less than 11MB");
    let page = app.browser().get("/contact").await.expect(200).text();
    for part in ["data-pdf-bytes=\"11534336\"", "data-pdf-size=\"11 MB\""] {
        assert!(page.contains(part), "{part} in {page}");
    }
    // Smaller ones than by default, too.
    let app = app.restart(&["--pdf-size", "1MiB"]).await;
    let ada = ada.at(&app.browser());
    let upload = form("Kettle.pdf", &pdf(1024 * 1024 + 1));
    let refused = ada.upload(IMPORT, &upload).await.expect(413).json();
    assert_eq!(refused["message"], "PDF files must be less than 1MB");
    // What is there stays.
    assert!(ada.get(path).await.expect(200).body == whole);
}

async fn a_file_that_is_not_a_pdf_is_refused(app: App) {
    let ada = app.creator("ada").await;
    for (name, media_type, content) in [
        (
            "page.pdf",
            "application/pdf",
            b"<html><script>alert(1)</script>".to_vec(),
        ),
        ("page.html", "text/html", pdf(300)),
        ("empty.pdf", "application/pdf", Vec::new()),
        ("short.pdf", "application/pdf", b"%PDF".to_vec()),
    ] {
        let upload = Form::default().file("file", name, media_type, &content);
        let refused = ada.upload(IMPORT, &upload).await.refuses("file");
        assert_eq!(refused.json()["message"], NOT_A_PDF, "{name}");
    }
    let later = [b"\n", &pdf(300)[..]].concat();
    let later = Form::default().file("file", "later.pdf", "application/pdf", &later);
    let refused = ada.upload(IMPORT, &later).await.refuses("file");
    let said = refused.json()["message"].to_string();
    assert!(said.contains("something else before its PDF"), "{said}");
    assert_eq!(ada.get("/api/ideas").await.json(), json!([]));
    let untyped = Form::default().part(
        "Content-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"",
        &pdf(300),
    );
    ada.upload(IMPORT, &untyped).await.expect(201);
    for media_type in [
        "application/octet-stream",
        "application/x-download",
        "text/plain",
        "image/png",
    ] {
        let upload = Form::default().file("file", "a.pdf", media_type, &pdf(300));
        ada.upload(IMPORT, &upload).await.expect(201);
    }
}

async fn a_damaged_or_protected_pdf_is_refused(app: App) {
    let ada = app.creator("ada").await;
    let locked = include_bytes!("../../../../tests/e2e/samples/password.pdf");
    for (content, told) in [
        (&pdf(2_000)[..100], "This PDF is damaged or incomplete"),
        (locked.as_slice(), "This PDF is protected with a password"),
    ] {
        let refused = ada.upload(IMPORT, &form("Kettle.pdf", content)).await;
        let refused = refused.refuses("file").text();
        assert!(refused.contains(told), "{refused}");
    }
    let owners = include_bytes!("../../../../tests/e2e/samples/owner-password.pdf");
    ada.pdf_idea(owners).await;
    let ideas = ada.get("/api/ideas").await.json();
    assert_eq!(ideas.as_array().unwrap().len(), 1);
}

async fn a_body_that_is_not_a_multipart_form_is_refused(app: App) {
    let ada = app.creator("ada").await;
    for path in [IMPORT, "/api/upload/image", "/api/profile/image"] {
        let json = ada.post(path, json!({ "file": "%PDF-" })).await.expect(415);
        assert_eq!(json.json()["message"], "Please send multipart/form-data");
        ada.send(Method::POST, path, |request| request.body(pdf(300)))
            .await
            .expect(415);
        for media_type in ["multipart/form-data", "multipart/form-data; boundary="] {
            ada.send(Method::POST, path, |request| {
                request
                    .header("content-type", media_type)
                    .body(form("a.pdf", &pdf(300)).body())
            })
            .await
            .expect(400);
        }
        let fileless = Form::default().text("title", "Kettle");
        let refused = ada.upload(path, &fileless).await.expect(400).json();
        let field = if path == IMPORT { "file" } else { "image" };
        assert_eq!(refused["field"], field);
    }
}

async fn only_the_first_file_is_used_and_other_fields_are_ignored(app: App) {
    let ada = app.creator("ada").await;
    let (first, second) = (pdf(1_000), pdf(2_000));
    let upload = Form::default()
        .text("owner", "somebody")
        .file("attachment", "x.html", "text/html", b"<html>")
        .file("file", "first.pdf", "application/pdf", &first)
        .file("file", "second.pdf", "application/pdf", &second);
    let idea = ada.upload(IMPORT, &upload).await.expect(201).json();
    assert_eq!(idea["content"]["fileName"], "first.pdf");
    assert!(ada.get(&path_of(&idea)).await.body == first);
}

async fn a_file_name_is_treated_as_plain_text(app: App) {
    let ada = app.creator("ada").await;
    for (name, kept) in [
        ("../../../etc/passwd", "passwd"),
        ("..\\\\..\\\\boot.ini", "boot.ini"),
        ("/api/files/../auth/me", "me"),
        ("..", "document.pdf"),
        (
            "\"><img src=x onerror=alert(1)>.pdf",
            "\"><img src=x onerror=alert(1)>.pdf",
        ),
        ("a\u{202e}fdp.exe", "afdp.exe"),
        ("a;filename=x.html", "a;filename=x.html"),
        ("'; DROP TABLE files; --.pdf", "'; DROP TABLE files; --.pdf"),
        ("%00%2e%2e%2f.pdf", "%00%2e%2e%2f.pdf"),
        ("温度 🫖.pdf", "温度 🫖.pdf"),
    ] {
        let idea = ada.upload(IMPORT, &form(name, &pdf(250))).await.expect(201);
        let idea = idea.json();
        assert_eq!(idea["content"]["fileName"], kept);
        let served = ada.get(&path_of(&idea)).await.expect(200);
        let disposition = served.header("content-disposition");
        assert!(
            disposition.starts_with("inline; filename=\""),
            "{disposition}"
        );
        assert!(disposition.is_ascii(), "{disposition}");
        assert_eq!(disposition.matches('"').count(), 2, "{disposition}");
        assert_eq!(served.header("content-type"), "application/pdf");
    }
    let long = format!("{}.pdf", "x".repeat(5_000));
    let idea = ada
        .upload(IMPORT, &form(&long, &pdf(250)))
        .await
        .expect(201);
    let name = idea.json()["content"]["fileName"].as_str().unwrap().len();
    assert_eq!(name, 255);
}

async fn a_cross_site_upload_is_refused(app: App) {
    let ada = app.creator("ada").await;
    let upload = form("Kettle.pdf", &pdf(300));
    for path in [IMPORT, "/api/upload/image", "/api/profile/image"] {
        for header in [
            ("origin", "https://evil.example"),
            ("origin", "null"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
        ] {
            let (name, value) = header;
            ada.send_bare(Method::POST, path, |request| {
                upload.on(request.header(name, value))
            })
            .await
            .expect(403);
        }
    }
    assert_eq!(ada.get("/api/ideas").await.json(), json!([]));
}
