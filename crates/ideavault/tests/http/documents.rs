//! Receipts, certificates and public records: who may have them, and what they hold.

use chrono::Duration;
use ideavault_domain::digest::Digest;
use serde_json::{Value, json};

use crate::evidence::{events, placed};
use crate::harness::{Answer, App, Browser, Creator, keys};

on_both_databases!(
    a_receipt_holds_the_text_and_the_proof,
    a_receipt_is_for_its_two_parties,
    a_certificate_is_for_the_owner_of_a_published_idea,
    a_report_tells_the_owner_all_that_happened,
    a_report_of_chosen_readers_leaves_others_out_and_says_so,
    a_public_record_is_off_until_its_owner_turns_it_on,
    a_receipt_is_mailed_to_a_confirmed_reader_and_to_the_owner,
    an_address_that_nobody_confirmed_gets_no_receipt,
);

fn receipt(recipient: &str) -> String {
    format!("/api/recipients/{recipient}/receipt.pdf")
}

/// Returns a file inside a PDF, which begins like that.
fn embedded(pdf: &[u8], beginning: &str) -> Vec<u8> {
    let find = |part: &[u8], from: usize| {
        let found = pdf[from..].windows(part.len()).position(|at| at == part);
        found.map(|position| from + position)
    };
    let start = find(beginning.as_bytes(), 0).unwrap_or_else(|| panic!("no {beginning}"));
    let end = find(b"\nendstream", start).unwrap();
    pdf[start..end].to_vec()
}

/// Asks again until a signed checkpoint covers what the answer is about.
async fn covered(browser: &Browser, path: &str, is_covered: impl Fn(&Answer) -> bool) -> Answer {
    let asking = async {
        loop {
            let answer = browser.get(path).await.expect(200);
            if is_covered(&answer) {
                return answer;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    let covered = tokio::time::timeout(std::time::Duration::from_secs(180), asking).await;
    covered.unwrap()
}

fn is_pdf(answer: &Answer, name: &str) {
    assert_eq!(answer.header("content-type"), "application/pdf");
    let disposition = format!("attachment; filename=\"{name}\"");
    assert_eq!(answer.header("content-disposition"), disposition);
    assert_eq!(answer.header("cache-control"), "no-store");
    assert!(answer.body.starts_with(b"%PDF-1.7"));
    embedded(&answer.body, "<?xpacket");
}

async fn a_receipt_holds_the_text_and_the_proof(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "one-time", json!({})).await;
    let vera = app.visitor();
    let recipient = vera.agree(&link).await;
    vera.read(&link).await;
    let accepted = placed(&ada, idea).await;
    let accepted = accepted
        .iter()
        .find(|event| event["type"] == "agreement.accepted")
        .unwrap();

    let has_proof = |answer: &Answer| answer.text().contains("(event.tlog-proof)");
    let answer = covered(&vera, &receipt(&recipient), has_proof).await;
    is_pdf(&answer, &format!("receipt-{recipient}.pdf"));
    let facts: Value = serde_json::from_slice(&embedded(&answer.body, "{\"acceptedAt\"")).unwrap();
    assert_eq!(facts["acceptedAt"], accepted["at"]);
    assert_eq!(facts["receivingParty"]["name"], "Vera");
    assert_eq!(facts["receivingParty"]["confirmedAt"], Value::Null);
    assert_eq!(facts["idea"]["title"], "Kettle");
    assert_eq!(facts["shareType"], "one-time");
    assert_eq!(facts["origin"]["address"], "127.0.0.1");
    assert_eq!(facts["place"]["index"], accepted["index"]);
    assert_eq!(facts["confirmations"], json!([]));
    let text = embedded(&answer.body, "NON-DISCLOSURE AGREEMENT\n");
    let agreement = format!("/api/recipients/{recipient}/agreement.txt");
    assert_eq!(text, ada.get(&agreement).await.expect(200).body);
    assert_eq!(facts["agreement"]["sha256"], Digest::of(&text).to_string());
    let body = accepted["body"].as_str().unwrap();
    assert_eq!(embedded(&answer.body, body), body.as_bytes());
    assert_eq!(facts["event"], Digest::of(body.as_bytes()).to_string());
    let proof = String::from_utf8(embedded(&answer.body, "c2sp.org/tlog-proof@v1\n")).unwrap();
    let index = format!("index {}\n", accepted["index"]);
    assert!(proof.contains(&index), "{proof}");
    let evidence = ada.get(&format!("/api/ideas/{idea}/evidence")).await.json();
    let vkey = string(&evidence["log"]["vkey"]);
    assert_eq!(embedded(&answer.body, vkey), vkey.as_bytes());
    // The disclosures of the acceptance, and of nothing else.
    for name in ["agreement", "origin", "person", "terms"] {
        embedded(&answer.body, &format!("disclosure-{name}.json"));
    }
    let other = String::from_utf8_lossy(&answer.body).into_owned();
    assert!(!other.contains("disclosure-content"));
    assert!(!other.contains("Waits"));
}

async fn a_receipt_is_for_its_two_parties(app: App) {
    let (ada, eve) = (app.creator("ada").await, app.creator("eve").await);
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let (vera, other) = (app.visitor(), app.visitor());
    let recipient = vera.register(&link).await;
    let path = receipt(&recipient);
    vera.get(&path).await.expect(404);
    ada.get(&path).await.expect(404);
    vera.accept(&recipient).await.expect(200);
    other.agree(&link).await;
    let unknown = receipt("00000000-0000-4000-8000-000000000000");
    let unknown = ada.get(&unknown).await.expect(404);
    for stranger in [&app.browser(), &other as &Browser, &eve] {
        assert_eq!(stranger.get(&path).await.expect(404).body, unknown.body);
    }
    // It outlives the view, the link and the idea.
    vera.read(&link).await;
    vera.close(&link).await.expect(204);
    ada.delete(&format!("/api/ideas/{idea}")).await.expect(204);
    for party in [&vera as &Browser, &ada] {
        party.get(&path).await.expect(200);
    }
}

async fn a_certificate_is_for_the_owner_of_a_published_idea(app: App) {
    let (ada, eve) = (app.creator("ada").await, app.creator("eve").await);
    let idea = ada.idea("王小明 <Kettle>", "<p>Waits</p>").await;
    let path = format!("/api/ideas/{idea}/certificate.pdf");
    let draft = ada.get(&path).await.expect(409).json();
    assert_eq!(
        draft["message"],
        "This idea is still a draft. Publish it first."
    );
    ada.publish(idea).await;
    app.browser().get(&path).await.expect(401);
    eve.get(&path).await.expect(404);
    let name = format!("certificate-{idea}.pdf");
    is_pdf(&ada.get(&path).await.expect(200), &name);
    placed(&ada, idea).await;
    switch(&ada, idea, true).await.expect(200);
    let has_proof = |answer: &Answer| {
        String::from_utf8_lossy(&answer.body).contains("c2sp.org/tlog-proof@v1\n")
    };
    let certificate = covered(&ada, &path, has_proof).await;
    is_pdf(&certificate, &name);
    for file in [
        "event.json",
        "disclosure-content.json",
        "checkpoint",
        "vkey",
    ] {
        let listed = String::from_utf8_lossy(&certificate.body).contains(file);
        assert!(listed, "{file}");
    }
}

async fn report(ada: &Creator, idea: i64, query: &str) -> String {
    let path = format!("/api/ideas/{idea}/report?format=html{query}");
    let answer = ada.get(&path).await.expect(200);
    assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    let policy = answer.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    answer.text()
}

async fn a_report_tells_the_owner_all_that_happened(app: App) {
    let (ada, eve) = (app.creator("Ada Lovelace").await, app.creator("eve").await);
    let idea = ada.idea("<b>Kettle</b>", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let path = format!("/api/ideas/{idea}/report?format");
    let vera = app.visitor();
    vera.agree(&link).await;
    vera.read(&link).await;
    let declined = app.visitor();
    declined.register(&link).await;
    let decline = format!("/api/share/{}/decline", link.token);
    declined.post(&decline, json!({})).await.expect(204);
    let comment = json!({ "ideaId": idea, "content": "Hello" });
    ada.post("/api/comments", comment).await.expect(201);
    let recorded = placed(&ada, idea).await;

    let page = report(&ada, idea, "").await;
    assert!(page.contains("&lt;b&gt;Kettle&lt;&#x2f;b&gt;"), "{page}");
    assert!(!page.contains("<b>"), "{page}");
    let lines = page.matches("<li>").count();
    assert_eq!(lines, recorded.len());
    let scope = format!("{lines} lines: all that is recorded of this idea and its readers.");
    for told in [
        &scope,
        "was offered the agreement.",
        "&quot;Vera&quot; accepted the agreement for version 1.",
        "&quot;Vera&quot; opened version 1.",
        "&quot;Vera&quot; declined the agreement.",
        "&quot;Ada Lovelace&quot; commented.",
        "vera@example.org",
        "No outside witness is set up on this vault",
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
    for event in &recorded {
        let basis = format!(
            "No. {}, SHA-256 {}",
            event["index"],
            string(&event["digest"])
        );
        assert!(page.contains(&basis), "{basis}");
    }
    let pdf = ada.get(&format!("{path}=pdf")).await.expect(200);
    is_pdf(&pdf, &format!("report-{idea}.pdf"));

    for form in ["", "=", "=docx", "=PDF"] {
        ada.get(&format!("{path}{form}")).await.refuses("format");
    }
    let without = format!("/api/ideas/{idea}/report");
    ada.get(&without).await.refuses("format");
    app.browser().get(&format!("{path}=pdf")).await.expect(401);
    vera.get(&format!("{path}=pdf")).await.expect(401);
    eve.get(&format!("{path}=pdf")).await.expect(404);
    ada.delete(&format!("/api/ideas/{idea}")).await.expect(204);
    let deleted = report(&ada, idea, "").await;
    assert!(deleted.contains("The draft was deleted."), "{deleted}");
}

async fn a_report_of_chosen_readers_leaves_others_out_and_says_so(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let (one, other) = (
        ada.share(idea, "full-access", json!({})).await,
        ada.share(idea, "full-access", json!({})).await,
    );
    app.visitor().agree(&one).await;
    let grace = app.visitor();
    grace.open(&other).await.expect(200);
    let registered = grace.try_register(&other, "grace@example.org").await;
    registered.expect(201);

    let of_link = report(&ada, idea, &format!("&shareId={}", one.id)).await;
    let of_text = report(&ada, idea, "&q=VERA%40").await;
    for page in [&of_link, &of_text] {
        assert!(page.contains("vera@example.org"), "{page}");
        assert!(!page.contains("grace@example.org"), "{page}");
        assert!(
            page.contains("What else is recorded of this idea is left out."),
            "{page}"
        );
        assert_eq!(page.matches("was shared by").count(), 1, "{page}");
    }
    assert!(
        of_link.contains("all that is recorded of one link and its readers."),
        "{of_link}"
    );
    // The list shows the first few only of those who went no further.
    for _ in 0..6 {
        let idle = app.visitor();
        idle.open(&one).await.expect(200);
        idle.try_register(&one, "vera@example.org")
            .await
            .expect(201);
    }
    let whole = report(&ada, idea, &format!("&shareId={}", one.id)).await;
    assert_eq!(
        whole.matches("was offered the agreement").count(),
        7,
        "{whole}"
    );
    let days = report(&ada, idea, "&from=2020-01-01&to=2020-01-02").await;
    let told = "first opened it, or registered, before 3 January 2020, 00:00:00 UTC";
    assert!(days.contains(told), "{days}");
    let none = report(&ada, idea, "&version=7").await;
    assert!(none.contains("0 lines: all that is recorded of the readers of version 7"));
    let path = format!("/api/ideas/{idea}/report?format=html&state=reading");
    ada.get(&path).await.refuses("state");
}

fn string(value: &Value) -> &str {
    value.as_str().unwrap()
}

async fn switch(ada: &Creator, idea: i64, enabled: bool) -> Answer {
    let path = format!("/api/ideas/{idea}/public-record");
    ada.put(&path, json!({ "enabled": enabled })).await
}

async fn a_public_record_is_off_until_its_owner_turns_it_on(app: App) {
    let (ada, eve) = (app.creator("ada").await, app.creator("eve").await);
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    switch(&ada, idea, true).await.expect(409);
    let published = ada.publish(idea).await;
    let document = published["documentId"].as_str().unwrap();
    let path = format!("/api/record/{document}");
    let anybody = app.browser();
    let unknown = anybody.get("/api/record/IV-0000-0000-0000").await;
    let unknown = unknown.expect(404);
    for malformed in [
        "%00",
        "IV-0000-0000-000%00",
        "IV-0000-0000-0000%00",
        "%F0%9F%AB%96",
    ] {
        let answer = anybody.get(&format!("/api/record/{malformed}")).await;
        assert_eq!(answer.expect(404).body, unknown.body);
    }
    let is_off = || async {
        let off = anybody.get(&path).await.expect(404);
        assert_eq!(off.body, unknown.body);
        let evidence = ada.get(&format!("/api/ideas/{idea}/evidence")).await;
        assert_eq!(evidence.json()["publicRecord"], false);
    };
    is_off().await;
    switch(&eve, idea, true).await.expect(404);
    let bare = format!("/api/ideas/{idea}/public-record");
    anybody
        .put(&bare, json!({ "enabled": true }))
        .await
        .expect(401);
    ada.put(&bare, json!({})).await.expect(400);
    is_off().await;

    for _ in 0..2 {
        let answer = switch(&ada, idea, true).await.expect(200);
        assert_eq!(answer.json(), json!({ "enabled": true }));
    }
    let events = placed(&ada, idea).await;
    let has_place = |answer: &Answer| answer.json()["index"].is_number();
    let record = covered(&anybody, &path, has_place).await.json();
    assert_eq!(
        keys(&record),
        [
            "anchors",
            "documentId",
            "hasWitnesses",
            "index",
            "log",
            "publishedAt",
            "sha256",
            "state"
        ]
    );
    assert_eq!(record["documentId"], document);
    assert_eq!(record["index"], events[0]["index"]);
    assert_eq!(record["publishedAt"], events[0]["at"]);
    assert_eq!(record["sha256"], events[0]["facts"]["content"]["sha256"]);
    assert_eq!(record["state"], "recorded");
    assert_eq!(record["anchors"], json!([]));
    let evidence = ada.get(&format!("/api/ideas/{idea}/evidence")).await;
    assert_eq!(evidence.json()["publicRecord"], true);

    switch(&ada, idea, false).await.expect(200);
    is_off().await;
}

async fn a_receipt_is_mailed_to_a_confirmed_reader_and_to_the_owner(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let to = json!({ "recipientEmail": "vera@example.org" });
    let link = ada.share(idea, "email", to).await;
    let vera = app.visitor();
    let recipient = vera.register(&link).await;
    let code = app.mailed_code().await;
    vera.verify(&recipient, &code).await.expect(200);
    for _ in 0..2 {
        vera.accept(&recipient).await.expect(200);
    }
    placed(&ada, idea).await;
    app.advance(Duration::seconds(30));
    let file = format!("filename=\"receipt-{}.pdf\"", &recipient[..8]);
    for (to, subject) in [
        (
            "vera@example.org",
            "You agreed to an NDA for \"Kettle\": your receipt",
        ),
        (ada.email.as_str(), "Vera agreed to your NDA for \"Kettle\""),
    ] {
        let mail = app
            .mailed(|mail| {
                let is_it = mail.contains(&format!("To: {to}\r\n"))
                    && mail.contains(&format!("Subject: {subject}\r\n"));
                is_it.then(|| mail.to_owned())
            })
            .await;
        assert_eq!(
            mail.matches(&file).count(),
            1,
            "{}",
            &mail[..mail.len().min(20_000)]
        );
        assert!(mail.contains("Content-Type: application/pdf"), "{mail}");
    }
}

async fn an_address_that_nobody_confirmed_gets_no_receipt(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    app.visitor().agree(&link).await;
    events(&ada, idea).await;
    app.advance(Duration::seconds(30));
    // The owner's mail comes after any that the acceptance itself has queued.
    app.mailed(|mail| mail.contains("Vera agreed to your NDA").then_some(()))
        .await;
    let outbox = std::fs::read_dir(app.data_dir().join("outbox")).unwrap();
    for mail in outbox {
        let mail = std::fs::read_to_string(mail.unwrap().path()).unwrap();
        assert!(!mail.contains("To: vera@example.org"), "{mail}");
    }
}
