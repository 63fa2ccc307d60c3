//! The events of every request that can change something. The list of requests is taken from
//! the server's OpenAPI description, so that a new one cannot be forgotten.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::Method;
use serde_json::json;

use crate::erasure::erase;
use crate::harness::{Answer, App, Creator, Form, code_in, pdf, png};
use crate::uploads::path_of;

on_both_databases!(every_request_records_what_it_changes);

/// The expected events of a request.
#[derive(Clone, Copy)]
enum Records {
    /// Events of these kinds, each once. The story below makes the request.
    These(&'static [&'static str]),
    /// Nothing, because it is not about what evidence speaks of.
    Unrelated,
    /// Checked by another test.
    ElsewhereTested,
}

use Records::{ElsewhereTested, These, Unrelated};

/// Every request that is not only a look, and looks that may record.
const REQUESTS: &[(&str, Records)] = &[
    ("POST /api/ideas", These(&[])),
    ("POST /api/ideas/pdf", These(&[])),
    ("PUT /api/ideas/{id}", These(&[])),
    (
        "POST /api/ideas/{id}/evidence/record",
        These(&["revision.recorded"]),
    ),
    ("PUT /api/ideas/{id}/publish", These(&["idea.published"])),
    ("PUT /api/ideas/{id}/public-record", These(&[])),
    ("PUT /api/ideas/{id}/organize", These(&[])),
    ("PUT /api/ideas/{id}/working-copy", These(&[])),
    ("DELETE /api/ideas/{id}/working-copy", These(&[])),
    ("GET /api/ideas/{id}/certificate.pdf", These(&[])),
    ("DELETE /api/ideas/{id}", These(&["idea.deleted"])),
    ("POST /api/upload/image", These(&[])),
    ("DELETE /api/assets/{id}", These(&[])),
    ("POST /api/shares", These(&["share.created"])),
    ("PUT /api/shares/{id}", These(&[])),
    ("PUT /api/shares/{id}/notifications", These(&[])),
    ("DELETE /api/shares/{id}", These(&["share.revoked"])),
    ("POST /api/my-documents", Unrelated),
    ("POST /api/my-documents/open", Unrelated),
    ("POST /api/my-documents/end", Unrelated),
    ("POST /api/recipients", These(&["agreement.offered"])),
    ("POST /api/recipients/{id}/code", These(&[])),
    (
        "POST /api/recipients/{id}/verify",
        These(&["email.confirmed"]),
    ),
    ("GET /api/share/{token}", These(&["agreement.delivered"])),
    (
        "PUT /api/recipients/{id}/nda",
        These(&["agreement.accepted"]),
    ),
    (
        "GET /api/share/{token} to read",
        These(&["revision.recorded", "view.started"]),
    ),
    ("GET /api/files/{id}", These(&["file.delivered"])),
    (
        "GET /api/share/{token}/download",
        These(&["file.delivered"]),
    ),
    ("GET /api/share/{token}/evidence.zip", These(&[])),
    ("GET /api/recipients/{id}/agreement.txt", These(&[])),
    ("POST /api/comments", These(&["comment.added"])),
    ("PUT /api/comments/{id}", These(&["comment.changed"])),
    ("DELETE /api/comments/{id}", These(&["comment.withdrawn"])),
    ("POST /api/share/{token}/close", These(&["visit.closed"])),
    // The view that follows is recorded.
    ("POST /api/share/{token}/reopen", These(&[])),
    (
        "POST /api/share/{token}/decline",
        These(&["agreement.declined"]),
    ),
    (
        "DELETE /api/recipients/{id}/person",
        These(&["person.erased"]),
    ),
    // leaving::a_deleted_account_leaves_proofs_without_content_and_name
    ("DELETE /api/account", ElsewhereTested),
    // revoking_by_a_reset_is_recorded
    ("POST /api/auth/reset-password", ElsewhereTested),
    ("POST /api/ai-search", Unrelated),
    ("POST /api/ai-writing-assistant", Unrelated),
    ("POST /api/auth/change-password", Unrelated),
    ("POST /api/auth/confirm-email", Unrelated),
    ("POST /api/auth/confirm-email/look", Unrelated),
    ("POST /api/auth/confirm-email/resend", Unrelated),
    ("POST /api/auth/forgot-password", Unrelated),
    ("POST /api/auth/login", Unrelated),
    ("POST /api/auth/logout", Unrelated),
    ("POST /api/auth/register", Unrelated),
    ("POST /api/auth/reset-password/look", Unrelated),
    ("DELETE /api/auth/sessions", Unrelated),
    ("DELETE /api/auth/sessions/{id}", Unrelated),
    ("PUT /api/auth/totp", Unrelated),
    ("POST /api/auth/totp", Unrelated),
    ("DELETE /api/auth/totp", Unrelated),
    ("POST /api/auth/totp/recovery-codes", Unrelated),
    ("POST /api/notices/read", Unrelated),
    ("PUT /api/profile", Unrelated),
    ("POST /api/profile/image", Unrelated),
    ("PUT /api/profile/notifications", Unrelated),
    ("POST /api/unsubscribe/{token}", Unrelated),
    ("POST /api/waitlist", Unrelated),
];

/// Follows what is recorded.
struct Story<'a> {
    app: &'a App,
    recorded: BTreeMap<String, usize>,
    told: BTreeSet<&'static str>,
}

impl Story<'_> {
    /// Counts the events of each kind.
    fn kinds(app: &App) -> BTreeMap<String, usize> {
        let mut kinds = BTreeMap::new();
        for cell in app.cells() {
            if cell.table == "evidence_events" && cell.column == "kind" {
                *kinds
                    .entry(String::from_utf8(cell.bytes).unwrap())
                    .or_default() += 1;
            }
        }
        kinds
    }

    /// Checks that an accepted request has recorded what the table says.
    fn did(&mut self, request: &'static str, answer: Answer) -> Answer {
        assert!(answer.status < 300, "{request}: {}", answer.text());
        let entry = REQUESTS.iter().find(|(name, _)| *name == request);
        let Some((_, These(expected))) = entry else {
            panic!("{request} is not in the table");
        };
        let now = Self::kinds(self.app);
        let mut new = Vec::new();
        for (kind, count) in &now {
            let before = self.recorded.get(kind).copied().unwrap_or_default();
            new.extend((before..*count).map(|_| kind.as_str()));
        }
        assert_eq!(new, *expected, "{request}");
        self.recorded = now;
        self.told.insert(request);
        answer
    }
}

fn text(answer: &Answer, name: &str) -> String {
    answer.json()[name].as_str().unwrap().to_owned()
}

async fn every_request_records_what_it_changes(app: App) {
    let ada = app.creator("ada").await;
    let mut story = Story {
        recorded: Story::kinds(&app),
        app: &app,
        told: BTreeSet::new(),
    };
    drafts(&mut story, &ada).await;
    let (idea, token) = disclosure(&mut story, &ada).await;
    refusals(&mut story, &ada, &token).await;
    erasure(&mut story, &ada).await;
    let path = format!("/api/ideas/{idea}/publish");
    let publish = ada.send(Method::PUT, &path, |request| request).await;
    story.did("PUT /api/ideas/{id}/publish", publish);
    let path = format!("/api/ideas/{idea}");
    let enabled = json!({ "enabled": true });
    let shown = ada.put(&format!("{path}/public-record"), enabled).await;
    story.did("PUT /api/ideas/{id}/public-record", shown);
    let archived = json!({ "archived": true, "tags": ["kettle"] });
    let organized = ada.put(&format!("{path}/organize"), archived).await;
    story.did("PUT /api/ideas/{id}/organize", organized);
    let certificate = ada.get(&format!("{path}/certificate.pdf")).await;
    story.did("GET /api/ideas/{id}/certificate.pdf", certificate);
    is_complete(&story, &ada).await;
}

/// Runs the requests of an owner without readers.
async fn drafts(story: &mut Story<'_>, ada: &Creator) {
    let idea = json!({ "title": "Kettle", "content": "<p>Waits</p>" });
    let saved = story.did("POST /api/ideas", ada.post("/api/ideas", idea).await);
    let id = saved.json()["id"].as_i64().unwrap();
    let path = format!("/api/ideas/{id}");
    let edit = json!({ "title": "Kettle", "content": "<p>Boils</p>" });
    story.did("PUT /api/ideas/{id}", ada.put(&path, edit).await);
    let copy = format!("{path}/working-copy");
    let unsaved = json!({ "title": "", "content": "", "baseRevision": 1, "session": "a" });
    let kept = ada.put(&copy, unsaved).await;
    story.did("PUT /api/ideas/{id}/working-copy", kept);
    let discarded = ada.delete(&format!("{copy}?session=a")).await;
    story.did("DELETE /api/ideas/{id}/working-copy", discarded);
    let image = Form::default().file("image", "kettle.png", "image/png", &png());
    let image = ada.upload("/api/upload/image", &image).await;
    let image = text(&story.did("POST /api/upload/image", image), "url");
    let asset = image.rsplit('/').next().unwrap();
    let deleted = ada.delete(&format!("/api/assets/{asset}")).await;
    story.did("DELETE /api/assets/{id}", deleted);
    let record = ada
        .post(&format!("{path}/evidence/record"), json!({}))
        .await;
    story.did("POST /api/ideas/{id}/evidence/record", record);
    story.did("DELETE /api/ideas/{id}", ada.delete(&path).await);
}

/// Runs the requests of a reader who accepts the agreement. Returns the idea and the link's token.
async fn disclosure(story: &mut Story<'_>, ada: &Creator) -> (i64, String) {
    let form = Form::default().file("file", "Kettle.pdf", "application/pdf", &pdf(1_000));
    let imported = ada.upload("/api/ideas/pdf", &form).await;
    let imported = story.did("POST /api/ideas/pdf", imported).json();
    let idea = imported["id"].as_i64().unwrap();
    let terms = json!({ "recipientEmail": "vera@example.org", "allowDownload": true });
    let link = ada.try_share(idea, "email", terms).await;
    let link = story.did("POST /api/shares", link);
    let (token, share) = (text(&link, "accessLink"), text(&link, "id"));
    let path = format!("/api/shares/{share}");
    let name = json!({ "name": "Mill" });
    story.did("PUT /api/shares/{id}", ada.put(&path, name).await);
    let never = json!({ "mode": "never" });
    let never = ada.put(&format!("{path}/notifications"), never).await;
    story.did("PUT /api/shares/{id}/notifications", never);

    let vera = story.app.visitor();
    let open = format!("/api/share/{token}");
    vera.get(&open).await.expect(200);
    let details = json!({ "name": "Vera", "email": "vera@example.org", "accessToken": token });
    let registered = vera.post("/api/recipients", details).await;
    let id = text(&story.did("POST /api/recipients", registered), "id");
    let recipient = format!("/api/recipients/{id}");
    let first = story.app.mailed_code().await;
    story.app.advance(chrono::Duration::minutes(2));
    let again = vera.post(&format!("{recipient}/code"), json!({})).await;
    story.did("POST /api/recipients/{id}/code", again);
    let newest = |code: String| (code != first).then_some(code);
    let code = story
        .app
        .mailed(|mail| code_in(mail).and_then(newest))
        .await;
    let confirmed = vera.verify(&id, &code).await;
    story.did("POST /api/recipients/{id}/verify", confirmed);
    story.did("GET /api/share/{token}", vera.get(&open).await);
    let accepted = vera.accept(&id).await;
    story.did("PUT /api/recipients/{id}/nda", accepted);
    story.did("GET /api/share/{token} to read", vera.get(&open).await);
    let file = vera.get(&path_of(&imported)).await;
    story.did("GET /api/files/{id}", file);
    // Neither the same file nor the same view is recorded twice.
    vera.get(&path_of(&imported)).await.expect(200);
    vera.get(&open).await.expect(200);
    let text_file = vera.get(&format!("{recipient}/agreement.txt")).await;
    story.did("GET /api/recipients/{id}/agreement.txt", text_file);
    let bundle = vera.get(&format!("{open}/evidence.zip")).await;
    story.did("GET /api/share/{token}/evidence.zip", bundle);
    let comment = json!({ "recipientId": id, "content": "Nice" });
    let comment = vera.post("/api/comments", comment).await;
    let comment = text(&story.did("POST /api/comments", comment), "id");
    let comment = format!("/api/comments/{comment}");
    let edit = json!({ "content": "Very nice" });
    story.did("PUT /api/comments/{id}", vera.put(&comment, edit).await);
    let withdrawn = vera.delete(&comment).await;
    story.did("DELETE /api/comments/{id}", withdrawn);
    story.did(
        "POST /api/share/{token}/close",
        vera.post(&format!("{open}/close"), json!({})).await,
    );
    story.did(
        "POST /api/share/{token}/reopen",
        vera.post(&format!("{open}/reopen"), json!({})).await,
    );
    story.did("DELETE /api/shares/{id}", ada.delete(&path).await);
    (idea, token)
}

/// A reader who declines, and one who downloads a page.
async fn refusals(story: &mut Story<'_>, ada: &Creator, ended: &str) {
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let terms = json!({ "allowDownload": true });
    let link = ada.share(idea, "full-access", terms).await;
    let grace = story.app.visitor();
    grace.register(&link).await;
    story.recorded = Story::kinds(story.app);
    let decline = format!("/api/share/{}/decline", link.token);
    let declined = grace.post(&decline, json!({})).await;
    story.did("POST /api/share/{token}/decline", declined);
    let willi = story.app.visitor();
    willi.agree(&link).await;
    willi.read(&link).await;
    story.recorded = Story::kinds(story.app);
    let download = format!("/api/share/{}/download", link.token);
    let download = willi.get(&download).await;
    story.did("GET /api/share/{token}/download", download);
    // Requests that are refused record nothing.
    willi.get(&format!("/api/share/{ended}")).await.expect(404);
    willi.post(&decline, json!({})).await;
    ada.delete("/api/ideas/999999").await.expect(404);
    let recorded = Story::kinds(story.app);
    let new: Vec<_> = recorded
        .iter()
        .filter(|(kind, count)| story.recorded.get(*kind) != Some(*count))
        .collect();
    // Declining after having accepted is recorded, too.
    assert!(
        new.iter().all(|(kind, _)| *kind == "agreement.declined"),
        "{new:?}"
    );
    story.recorded = recorded;
}

/// A reader whose person is erased.
async fn erasure(story: &mut Story<'_>, ada: &Creator) {
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let reader = story.app.visitor();
    reader.open(&link).await.expect(200);
    let registered = reader.try_register(&link, "mallory@example.org").await;
    let id = text(&registered.expect(201), "id");
    story.recorded = Story::kinds(story.app);
    let erased = erase(ada, &id).await;
    story.did("DELETE /api/recipients/{id}/person", erased);
}

/// Checks that the table has every request, and that the story has made all of those that
/// it has to.
async fn is_complete(story: &Story<'_>, ada: &Creator) {
    let description = ada.get("/api/openapi.json").await.expect(200).json();
    let known: BTreeSet<&str> = REQUESTS.iter().map(|(name, _)| *name).collect();
    let mut described = BTreeSet::new();
    for (pattern, operations) in description["paths"].as_object().unwrap() {
        for method in operations.as_object().unwrap().keys() {
            let name = format!("{} {pattern}", method.to_uppercase());
            if method != "get" {
                assert!(known.contains(name.as_str()), "What does {name} record?");
            }
            described.insert(name);
        }
    }
    for (name, records) in REQUESTS {
        let request = name.trim_end_matches(" to read");
        assert!(described.contains(request), "There is no {name} any more.");
        if let These(_) = records {
            assert!(story.told.contains(name), "{name} was not made.");
        }
    }
}
