//! Bodies that are not JSON, or not the JSON that a route takes.

use reqwest::Method;
use serde_json::{Value, json};

use super::{everybody, routes_with_body};
use crate::harness::App;

on_both_databases!(
    a_body_that_is_not_json_is_refused,
    a_field_of_the_wrong_type_is_named_without_its_value,
    a_list_instead_of_an_object_is_refused,
    deep_nesting_is_refused,
    content_with_too_many_values_is_refused,
);

async fn a_body_that_is_not_json_is_refused(app: App) {
    let (browser, idea, _, recipient) = everybody(&app).await;
    for (method, path, body) in routes_with_body(idea, &recipient) {
        let good = body.to_string();
        let bodies: Vec<Vec<u8>> = vec![
            b"".to_vec(),
            b"{".to_vec(),
            b"{}".to_vec(),
            b"null".to_vec(),
            b"\"text\"".to_vec(),
            b"17".to_vec(),
            b"\xff\xfe{}".to_vec(),
            b"{\"a\":\"\xff\"}".to_vec(),
            b"{\"a\":\"\\ud800\"}".to_vec(),
            b"{\"a\":1e999}".to_vec(),
            b"\0".to_vec(),
            format!("\u{feff}{good}").into_bytes(),
            format!("{good} {good}").into_bytes(),
            format!("{good},").into_bytes(),
            good.replace('"', "'").into_bytes(),
            good.as_bytes()[..good.len() - 1].to_vec(),
        ];
        for body in bodies {
            browser.raw(method.clone(), &path, body).await.expect(400);
        }
    }
    assert_eq!(
        browser.get(&format!("/api/ideas/{idea}")).await.json()["revision"],
        1
    );
}

async fn a_field_of_the_wrong_type_is_named_without_its_value(app: App) {
    let (browser, idea, _, recipient) = everybody(&app).await;
    let mut tried = 0;
    for (method, path, good) in routes_with_body(idea, &recipient) {
        for (field, value) in good.as_object().unwrap() {
            for wrong in [
                json!({ "canary-e1": 1 }),
                json!(["canary-e1"]),
                json!(17.5),
                json!("canary-e1"),
            ] {
                let right = wrong.is_string() && value.is_string();
                // Any object is valid content.
                if right || (field == "content" && path.contains("ideas") && wrong.is_object()) {
                    continue;
                }
                let mut body = good.clone();
                body[field] = wrong;
                let answer = browser
                    .json(method.clone(), &path, body)
                    .await
                    .refuses(field);
                assert!(!answer.text().contains("canary-e1"), "{answer:?}");
                tried += 1;
            }
            let mut body = good.clone();
            body.as_object_mut().unwrap().remove(field);
            if !matches!(field.as_str(), "recipientId" | "accessToken") {
                let answer = browser.json(method.clone(), &path, body).await.expect(400);
                assert!(answer.text().contains(field), "{answer:?}");
            }
            let twice = good
                .to_string()
                .replacen('{', &format!("{{\"{field}\":{value},"), 1);
            browser.raw(method.clone(), &path, twice).await.expect(400);
        }
    }
    assert!(tried > 40, "{tried}");
}

async fn a_list_instead_of_an_object_is_refused(app: App) {
    let (browser, idea, _, recipient) = everybody(&app).await;
    for (method, path, good) in routes_with_body(idea, &recipient) {
        // Regardless of the order in which fields are declared.
        let values: Vec<Value> = good.as_object().unwrap().values().cloned().collect();
        let reversed: Vec<Value> = values.iter().rev().cloned().collect();
        for list in [json!(values), json!(reversed), json!([]), json!([good])] {
            browser.json(method.clone(), &path, list).await.expect(400);
        }
    }
    let login = json!(["ada@example.org", "correct horse battery"]);
    app.browser()
        .post("/api/auth/login", login)
        .await
        .expect(400);
}

async fn content_with_too_many_values_is_refused(app: App) {
    let (browser, idea, ..) = everybody(&app).await;
    for value in ["0,", "{\"\":0},", "[[]],"] {
        let content = format!("{{\"a\":[{}0]}}", value.repeat(1_000_000));
        let body = format!("{{\"title\":\"Many\",\"content\":{content}}}");
        for (method, path) in [
            (Method::POST, "/api/ideas".to_owned()),
            (Method::PUT, format!("/api/ideas/{idea}")),
        ] {
            let answer = browser.raw(method, &path, body.clone()).await;
            answer.refuses("content");
        }
    }
}

async fn deep_nesting_is_refused(app: App) {
    let (browser, idea, _, recipient) = everybody(&app).await;
    for depth in [200, 1_000] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let deep = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            for (method, path, good) in routes_with_body(idea, &recipient) {
                let answer = browser.raw(method.clone(), &path, deep.clone()).await;
                assert!(matches!(answer.status, 400 | 413), "{answer:?}");
                let inside = good
                    .to_string()
                    .replacen('{', &format!("{{\"x\":{deep},"), 1);
                let answer = browser.raw(method, &path, inside).await;
                // Unknown fields are skipped, at any depth.
                assert!(answer.status < 500, "{answer:?}");
            }
            let body = format!("{{\"title\":\"Deep\",\"content\":{{\"a\":{deep}}}}}");
            browser
                .raw(Method::POST, "/api/ideas", body)
                .await
                .expect(400);
        }
    }
    // Accepted content can be read back.
    for depth in 100..128 {
        let deep = format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        let body = format!("{{\"title\":\"Deep\",\"content\":{{\"a\":{deep}}}}}");
        let answer = browser.raw(Method::POST, "/api/ideas", body).await;
        if answer.status == 201 {
            let path = format!("/api/ideas/{}", answer.json()["id"]);
            assert_eq!(browser.get(&path).await.expect(200).json(), answer.json());
        } else {
            answer.expect(400);
        }
    }
}
