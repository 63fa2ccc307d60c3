use ideavault_domain::evidence::encode_salt;
use serde_json::json;

use super::*;

fn salted(mut value: Value) -> Vec<u8> {
    value["salt"] = json!(encode_salt(&[7; 32]));
    canonical::write(&value).unwrap()
}

fn content(sha256: &str) -> Value {
    json!({
        "title": "Title", "creator": "Ada", "sha256": sha256,
        "files": [{"name": "a.png", "mediaType": "image/png", "sha256": sha256}],
    })
}

#[test]
fn disclosures_are_parsed_by_their_names() {
    let digest = "a".repeat(64);
    let Some(Disclosure::Content(parsed)) = parse("content", &salted(content(&digest))).unwrap()
    else {
        panic!("not a content");
    };
    assert_eq!(parsed.files[0].name, "a.png");
    assert_eq!(parsed.sha256, digest);
    let Some(Disclosure::Terms(terms)) =
        parse("terms", &salted(json!({"sha256": digest}))).unwrap()
    else {
        panic!("not terms");
    };
    assert_eq!(terms.sha256, digest);
    for (name, value) in [
        (
            "agreement",
            json!({"template": "nda", "version": "2", "sha256": digest}),
        ),
        (
            "person",
            json!({"name": "Bob", "email": "bob@example.com", "identity": "self-declared"}),
        ),
        (
            "person",
            json!({
                "name": "Bob", "email": "b@c.de", "phone": "1", "identity": "email-confirmed",
                "confirmedAt": "2026-11-22T12:00:00.000000Z",
            }),
        ),
        ("origin", json!({"address": "192.0.2.1", "browser": "x"})),
        ("origin", json!({"address": "192.0.2.1"})),
        (
            "file",
            json!({"name": "a.pdf", "mediaType": "application/pdf", "sha256": digest}),
        ),
        ("comment", json!({"author": "Bob", "sha256": digest})),
        ("anything", json!({"else": [1, 2]})),
    ] {
        let parsed = parse(name, &salted(value)).unwrap();
        let known = parsed.map_or("anything", |parsed| parsed.name());
        assert_eq!(known, name);
    }
}

#[test]
fn a_disclosure_of_another_shape_is_refused() {
    let digest = "a".repeat(64);
    let refused = |name, value| parse(name, &salted(value)).unwrap_err();
    let listed = |file: Value| {
        let mut content = content(&digest);
        content["files"] = json!([file]);
        content
    };
    assert!(matches!(
        refused("content", content("x")),
        DisclosureError::Digest
    ));
    assert!(matches!(
        refused("terms", json!({"sha256": "A".repeat(64)})),
        DisclosureError::Digest
    ));
    assert!(matches!(
        refused("comment", json!({"author": "Bob", "sha256": ""})),
        DisclosureError::Digest
    ));
    for (name, value) in [
        ("terms", json!({"sha256": digest, "more": 1})),
        ("origin", json!({"address": "192.0.2.1", "browser": null})),
        ("content", listed(json!(["a.png", "image/png", digest]))),
        (
            "content",
            listed(json!({"name": "a.png", "mediaType": "image/png", "sha256": digest, "more": 1})),
        ),
        ("terms", json!({})),
        ("person", json!({"name": "Bob"})),
        ("origin", json!({"address": 1, "browser": "x"})),
        ("agreement", json!({"template": "nda"})),
    ] {
        assert!(matches!(refused(name, value), DisclosureError::Json(_)));
    }
    for salt in [json!(null), json!(1), json!(""), json!("AAAA")] {
        let unsalted = canonical::write(&json!({"salt": salt, "sha256": digest})).unwrap();
        let error = parse("terms", &unsalted).unwrap_err();
        assert!(matches!(error, DisclosureError::Salt));
    }
    let spaced = [salted(json!({"sha256": digest})).as_slice(), b"\n"].concat();
    let error = parse("terms", &spaced).unwrap_err();
    assert!(matches!(error, DisclosureError::Json(_)));
}
