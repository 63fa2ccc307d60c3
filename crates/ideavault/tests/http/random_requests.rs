//! Random requests, generated from the API description: each response is one of the
//! described ones, and none is a 5xx.

use serde_json::{Map, Value, json};

use crate::every_route::{LoadedGate, Route, scene};
use crate::harness::{App, Form, pdf, png};

on_both_databases!(random_requests_get_documented_responses);

mod torture {
    //! `just torture`.

    use crate::harness::App;

    #[tokio::test]
    #[ignore = "takes a minute: just torture"]
    async fn five_thousand_random_requests_get_documented_responses_on_sqlite() {
        super::make_up(App::on_sqlite().await, 5_000, 7).await;
    }

    #[tokio::test]
    #[ignore = "takes a minute: just torture"]
    async fn five_thousand_random_requests_get_documented_responses_on_postgres() {
        super::make_up(App::on_postgres().await, 5_000, 8).await;
    }
}

async fn random_requests_get_documented_responses(app: App) {
    make_up(app, 400, 1).await;
}

/// Excluded routes, after which most requests would be refused.
const ENDS: [&str; 6] = [
    "DELETE /api/account",
    "DELETE /api/recipients/{id}/person",
    "POST /api/auth/logout",
    "DELETE /api/auth/sessions",
    "DELETE /api/ideas/{id}",
    "DELETE /api/shares/{id}",
];

async fn make_up(app: App, requests: usize, seed: u64) {
    let scene = scene(&app).await;
    let mut random = PseudoRandom(seed);
    let mut worked = 0;
    for _ in 0..requests {
        let route = &scene.routes[random.below(scene.routes.len())];
        if ENDS.contains(&route.name().as_str()) {
            continue;
        }
        let browser = match random.below(5) {
            0 => &app.browser(),
            _ => &scene.everybody,
        };
        let path = random.path(route);
        let method = route.method.clone();
        let answer = match route.reads.as_deref() {
            None => browser.send(method, &path, |request| request).await,
            Some("application/json") => {
                let body = random.body(route, &scene);
                browser.json(method, &path, body).await
            }
            Some(_) => {
                let form = random.form();
                browser
                    .send(method, &path, |request| form.on(request))
                    .await
            }
        };
        let status = answer.status.to_string();
        assert!(
            route.answers.contains(&status),
            "not described: {} of {path}: {answer:?}",
            route.name()
        );
        worked += usize::from(answer.status < 300);
    }
    // Otherwise the requests would all have been refused.
    assert!(worked > requests / 20, "{worked} of {requests} worked");
}

/// A deterministic pseudo-random sequence.
struct PseudoRandom(u64);

impl PseudoRandom {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    fn path(&mut self, route: &Route) -> String {
        let mut path = route.path.clone();
        if route.pattern.contains('{') && self.below(4) == 0 {
            let odd = [
                "0",
                "-1",
                "x",
                "%00",
                "%FF",
                "9223372036854775808",
                "%2e%2e",
                "A",
            ];
            let odd = self.of(&odd);
            path = route.pattern.replace("{id}", odd).replace("{token}", odd);
        }
        if !route.changes_something() && self.below(3) == 0 {
            let name = self.of(&["ideaId", "limit", "cursor", "download", "x"]);
            let value = self.of(&[
                "", "1", "0", "-1", "99999", "%00", "%FF", "x", "AAAA", "1.5",
            ]);
            path = format!("{path}?{name}={value}");
        }
        path
    }

    /// Returns some of the fields that the route takes, and perhaps one more.
    fn body(&mut self, route: &Route, scene: &LoadedGate) -> Value {
        let mut body = Map::new();
        for field in &route.fields {
            if self.below(12) > 0 {
                body.insert(field.clone(), self.value(field, scene));
            }
        }
        if self.below(8) == 0 {
            body.insert("unknown".into(), self.odd());
        }
        Value::Object(body)
    }

    /// Returns a value that is usually valid for the field.
    fn value(&mut self, field: &str, scene: &LoadedGate) -> Value {
        if self.below(6) == 0 {
            return self.odd();
        }
        match field {
            "ideaId" => json!(scene.idea),
            "recipientId" => json!(scene.recipient),
            "accessToken" => json!(scene.token),
            "baseRevision" => json!(null),
            "agreed" => json!(true),
            "conversationHistory" => json!([]),
            "maxViews" => [json!(null), json!(3)][self.below(2)].clone(),
            "expiresAt" => [json!(null), json!("2999-01-01T00:00:00Z")][self.below(2)].clone(),
            "shareType" => json!(self.of(&["one-time", "time-dependent", "full-access", "email"])),
            "email" | "recipientEmail" => {
                json!(self.of(&["vera@example.org", " É@example.org", "a@b"]))
            }
            "content" => [
                json!("<p>Waits</p>"),
                json!({ "elements": [] }),
                json!({ "a": [1] }),
            ][self.below(3)]
            .clone(),
            _ => json!(self.of(&["Kettle", "correct horse battery", "123456", "é 🫖"])),
        }
    }

    fn odd(&mut self) -> Value {
        match self.below(14) {
            0 => json!(null),
            1 => json!(""),
            2 => json!(" \t"),
            3 => json!("\0"),
            4 => json!("x".repeat(3_000)),
            5 => json!("\u{202e}é\u{2028}"),
            6 => json!(-1),
            7 => json!(1.5),
            8 => json!(u64::MAX),
            9 => json!([]),
            10 => json!([[{}]]),
            11 => json!({}),
            12 => json!({ "type": "pdf", "fileName": "a", "pdfPath": "/api/files/x" }),
            _ => json!(false),
        }
    }

    fn form(&mut self) -> Form {
        let content = [
            pdf(200),
            png(),
            Vec::new(),
            b"%PDF-".to_vec(),
            b"\x89PNG\r\n".to_vec(),
        ];
        let content = &content[self.below(content.len())];
        let field = self.of(&["file", "image", "x"]);
        let name = self.of(&["a.pdf", "a.png", "", "../x", "é\u{202e}"]);
        let media_type = self.of(&["application/pdf", "image/png", "text/html"]);
        let form = Form::default().file(field, name, media_type, content);
        match self.below(3) {
            0 => form.text("title", self.of(&["Kettle", "", "\0"])),
            1 => form.text("ideaId", self.of(&["1", "x", "-1", "99999999999999999999"])),
            _ => form,
        }
    }
}
