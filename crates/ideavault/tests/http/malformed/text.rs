//! Control characters, and characters that only resemble others.

use serde_json::{Value, json};

use super::everybody;
use crate::harness::{App, Visitor};

on_both_databases!(
    control_characters_are_refused_in_every_single_line_field,
    text_that_would_rewrite_the_agreement_is_refused,
    every_script_is_accepted,
    pathological_html_is_refused,
    content_with_control_characters_is_stored_or_cleaned_and_never_fails,
);

async fn control_characters_are_refused_in_every_single_line_field(app: App) {
    let (browser, idea, link, _) = everybody(&app).await;
    for evil in [
        "Ada\0Lovelace",
        "Ada\r\nBcc: x",
        "Ada\u{1b}[31m",
        "Ada\u{85}x",
        "Ada\u{7f}x",
    ] {
        let account = json!({ "name": evil, "email": "eve@example.org", "password": "secret" });
        browser
            .post("/api/auth/register", account)
            .await
            .refuses("name");
        let draft = json!({ "title": evil, "content": "" });
        browser
            .post("/api/ideas", draft.clone())
            .await
            .refuses("title");
        browser
            .put(&format!("/api/ideas/{idea}"), draft)
            .await
            .refuses("title");
        let details = |name: &str, email: &str, phone: &str| json!({ "name": name, "email": email, "phone": phone, "accessToken": link.token });
        let register = async |details: Value| browser.post("/api/recipients", details).await;
        register(details(evil, "eve@example.org", "1"))
            .await
            .refuses("name");
        register(details("Eve", "eve@example.org", evil))
            .await
            .refuses("phone");
        let address = format!("{}@example.org", evil.replace(' ', ""));
        register(details("Eve", &address, "1"))
            .await
            .refuses("email");
        let account = json!({ "name": "Eve", "email": address, "password": "secret" });
        browser
            .post("/api/auth/register", account)
            .await
            .refuses("email");
        let share = json!({ "ideaId": idea, "shareType": "email", "recipientEmail": address });
        browser
            .post("/api/shares", share)
            .await
            .refuses("recipientEmail");
    }
}

async fn text_that_would_rewrite_the_agreement_is_refused(app: App) {
    let (browser, _, link, _) = everybody(&app).await;
    // Line and paragraph separators can forge lines; direction overrides can make text read
    // differently from what is recorded.
    for evil in [
        "Eve\u{2028}Disclosing Party: Bob",
        "Eve\u{2029}x",
        "Eve\u{202e}ecalevoL",
        "Eve\u{202a}x",
        "Eve\u{2066}x",
    ] {
        let details =
            json!({ "name": evil, "email": "eve@example.org", "accessToken": link.token });
        browser
            .post("/api/recipients", details)
            .await
            .refuses("name");
        let draft = json!({ "title": evil, "content": "" });
        browser.post("/api/ideas", draft).await.refuses("title");
        let address = format!("{}@example.org", evil.replace([' ', ':'], ""));
        let details = json!({ "name": "Eve", "email": address, "accessToken": link.token });
        browser
            .post("/api/recipients", details)
            .await
            .refuses("email");
    }
}

async fn every_script_is_accepted(app: App) {
    let (browser, idea, link, _) = everybody(&app).await;
    for text in [
        "שלום עולם",
        "مرحبا بالعالم",
        "小明王",
        "👩‍👩‍👧 Family",
        "Zoë Ünal",
        "O'Neil & <Sons>",
    ] {
        let draft = json!({ "title": text, "content": format!("<p>{}</p>", text.replace(['&', '<', '>'], "")) });
        let saved = browser
            .put(&format!("/api/ideas/{idea}"), draft.clone())
            .await;
        let saved = saved.expect(200).json();
        assert_eq!(saved["title"], text);
        assert_eq!(saved["content"], draft["content"]);
        let details =
            json!({ "name": text, "email": "eve@example.org", "accessToken": link.token });
        let recipient = browser
            .post("/api/recipients", details)
            .await
            .expect(201)
            .json();
        assert_eq!(recipient["name"], text);
        let nda = Visitor::new(browser.clone()).open(&link).await.json()["nda"].clone();
        assert!(nda["text"].as_str().unwrap().contains(text));
    }
}

async fn content_with_control_characters_is_stored_or_cleaned_and_never_fails(app: App) {
    let (browser, idea, link, recipient) = everybody(&app).await;
    let vera = Visitor::new(browser.clone());
    vera.accept(&recipient).await.expect(200);
    let path = format!("/api/ideas/{idea}");
    for content in [
        json!("<p>a\0b</p>"),
        json!("<p>a&#0;b&#x1b;c&#xd800;</p>"),
        json!("<a href=\"https://example.org/\0\">\0</a><pre>\0\n\0</pre>"),
        json!("\0"),
        json!("<script>\0</script>\u{1}\u{85}\u{fffe}\u{10ffff}"),
        json!("<p title=\"\0\" \0=\0>x</p\0><\0p><!--\0--><![CDATA[\0]]>"),
        json!({ "a\0": "b\0", "\u{1}": ["\0", { "\0": null }] }),
        json!({ "elements": [{ "type": "text", "x": 0, "y": 0, "text": "\0\u{1b}" }] }),
    ] {
        let draft = json!({ "title": "Kettle", "content": content });
        let saved = browser.put(&path, draft).await.expect(200).json();
        if content.is_object() {
            assert_eq!(saved["content"], content);
        } else {
            assert!(
                !saved["content"].as_str().unwrap().contains('\0'),
                "{saved}"
            );
        }
        assert_eq!(browser.get(&path).await.expect(200).json(), saved);
        assert_eq!(vera.read(&link).await, saved["content"]);
    }
}

async fn pathological_html_is_refused(app: App) {
    let (browser, idea, ..) = everybody(&app).await;
    let path = format!("/api/ideas/{idea}");
    let formats: String = (0..500).map(|number| format!("<b id={number}>")).collect();
    for html in [
        "<ul><li>".repeat(50_000),
        "<div>".repeat(50_000),
        format!("<p>{formats}{}", "x<p>".repeat(50_000)),
        format!("<p>{}{}", &formats[..400], "<p>x</p>".repeat(50_000)),
        format!("<p {}>", "a ".repeat(50_000)),
    ] {
        let draft = json!({ "title": "Kettle", "content": html });
        browser
            .post("/api/ideas", draft.clone())
            .await
            .refuses("content");
        browser.put(&path, draft).await.refuses("content");
    }
    // The editor's HTML of a busy page stays far below these bounds.
    let list = format!("{}Waits{}", "<ul><li>".repeat(20), "</li></ul>".repeat(20));
    let words = "<p><strong><em><s><code>Waits</code></s></em></strong> a bit</p>".repeat(1_000);
    let draft = json!({ "title": "Kettle", "content": format!("{list}{words}") });
    let saved = browser.put(&path, draft.clone()).await.expect(200).json();
    assert!(saved["content"] == draft["content"]);
}
