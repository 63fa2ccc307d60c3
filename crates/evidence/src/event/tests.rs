use std::collections::BTreeMap;

use ideavault_domain::evidence::{EventSubject, encode_salt};
use serde_json::{Value, json};

use super::*;
use crate::checkpoint::LogKey;

const LOG: &str = "vault.example.com/log1";

fn at() -> DateTime<Utc> {
    parse_time("2026-11-22T19:38:51.000001Z").unwrap()
}

fn event(kind: EventKind) -> EventBody {
    let mut event = EventBody {
        log: LOG.to_owned(),
        salt: encode_salt(&[7; 32]),
        ..EventBody::new(kind, at(), EventSubject::default())
    };
    if kind.is_about_log() {
        event.vkey = Some(key(LOG));
    } else {
        event.idea = Some("IV-2026-1".to_owned());
    }
    event
}

fn key(log: &str) -> String {
    let key = LogKey::from_seed(log, &[1; 32]).unwrap();
    key.verifier().to_string()
}

/// The events that have fields of their own.
fn special() -> Vec<EventBody> {
    let mut resumed = event(EventKind::LogResumed);
    let log0 = OtherLog {
        log: "vault.example.com/log0".to_owned(),
        checkpoint: "0".repeat(64),
    };
    resumed.previous = Some(log0.clone());
    resumed.abandoned = Some(log0);
    let mut accepted = event(EventKind::AgreementAccepted);
    accepted.delivered = Some(Delivery::Event("c".repeat(64)));
    accepted.recipient = Some("recipient".to_owned());
    accepted.discloses = BTreeMap::from([("terms".to_owned(), "a".repeat(64))]);
    let mut undelivered = event(EventKind::AgreementAccepted);
    undelivered.delivered = Some(Delivery::None(false));
    let mut delivered = event(EventKind::FileDelivered);
    delivered.view = Some("view".to_owned());
    let mut viewed = event(EventKind::ViewStarted);
    viewed.view = Some("view".to_owned());
    vec![
        event(EventKind::LogStarted),
        event(EventKind::KeyRotated),
        viewed,
        resumed,
        accepted,
        undelivered,
        delivered,
    ]
}

#[test]
fn an_event_is_read_as_it_is_written() {
    for event in special() {
        let json = write(&event).unwrap();
        assert_eq!(parse(&json).unwrap(), event);
    }
}

#[test]
fn an_event_is_canonical_json_with_short_names() {
    let json = String::from_utf8(write(&event(EventKind::VisitClosed)).unwrap()).unwrap();
    assert_eq!(
        json,
        r#"{"at":"2026-11-22T19:38:51.000001Z","discloses":{},"idea":"IV-2026-1","log":"vault.example.com/log1","salt":"BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc","type":"visit.closed","v":1}"#
    );
}

#[test]
fn a_field_that_is_missing_malformed_or_of_another_type_is_refused() {
    let changed = |event: &EventBody, field: &str, value: Value| {
        let mut json = serde_json::to_value(event).unwrap();
        json[field] = value;
        if json[field] == json!("missing") {
            json.as_object_mut().unwrap().remove(field);
        }
        let json = serde_json_canonicalizer::to_vec(&json).unwrap();
        parse(&json).unwrap_err().to_string()
    };
    let special = special();
    let by_kind = |kind: EventKind| special.iter().find(|event| event.kind == kind).unwrap();
    let view = by_kind(EventKind::ViewStarted);
    for (event, field, value) in [
        (view, "v", json!(2)),
        (view, "log", json!("")),
        (view, "at", json!("2026-11-22T19:38:51Z")),
        (view, "at", json!("2026-11-22T19:38:51.000001+00:00")),
        (view, "at", json!("2026-11-22T19:38:51.000001z")),
        (view, "at", json!("2026-02-30T19:38:51.000001Z")),
        (view, "at", json!("2026-11-22T19:38:51.0000011Z")),
        (view, "idea", json!("missing")),
        (view, "idea", json!("")),
        (view, "idea", json!("a\nb")),
        (view, "share", json!("a".repeat(201))),
        (view, "salt", json!("")),
        (view, "salt", json!("BwcH")),
        (
            view,
            "salt",
            json!("BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="),
        ),
        (view, "discloses", json!({"terms": "A".repeat(64)})),
        (view, "discloses", json!({"../x": "a".repeat(64)})),
        (view, "vkey", json!(key(LOG))),
        (view, "delivered", json!("a".repeat(64))),
        (view, "view", json!("missing")),
        (view, "download", json!(true)),
        (by_kind(EventKind::FileDelivered), "download", json!(false)),
        (by_kind(EventKind::LogStarted), "vkey", json!("missing")),
        (
            by_kind(EventKind::LogStarted),
            "vkey",
            json!(key("other/log1")),
        ),
        (
            by_kind(EventKind::LogStarted),
            "vkey",
            json!(format!("{} ", key(LOG))),
        ),
        (by_kind(EventKind::LogStarted), "idea", json!("IV-2026-1")),
        (by_kind(EventKind::LogResumed), "previous", json!("missing")),
        (
            by_kind(EventKind::LogResumed),
            "previous",
            json!({"log": LOG, "checkpoint": "0".repeat(64)}),
        ),
        (
            by_kind(EventKind::LogResumed),
            "abandoned",
            json!({"log": LOG, "checkpoint": "0".repeat(64)}),
        ),
        (
            by_kind(EventKind::ViewStarted),
            "abandoned",
            json!({"log": "vault.example.com/log0", "checkpoint": "0".repeat(64)}),
        ),
        (
            by_kind(EventKind::AgreementAccepted),
            "delivered",
            json!("missing"),
        ),
        (
            by_kind(EventKind::AgreementAccepted),
            "delivered",
            json!(true),
        ),
        (
            by_kind(EventKind::AgreementAccepted),
            "delivered",
            json!("x"),
        ),
        (by_kind(EventKind::FileDelivered), "view", json!("missing")),
        (by_kind(EventKind::LogStarted), "view", json!("view")),
    ] {
        let message = changed(event, field, value.clone());
        assert!(
            message.contains(&format!("field {field} ")),
            "{message} {value}"
        );
    }
    for (field, value) in [
        ("type", json!("view.ended")),
        ("unknown", json!(1)),
        ("idea", json!(5)),
        ("v", json!("1")),
        ("discloses", json!("missing")),
        ("share", Value::Null),
    ] {
        let message = changed(view, field, value);
        assert_eq!(message, "this has unexpected fields or values");
    }
    let resumed = by_kind(EventKind::LogResumed);
    let previous = json!(["vault.example.com/log0", "0".repeat(64)]);
    let message = changed(resumed, "previous", previous);
    assert_eq!(message, "this has unexpected fields or values");
}

#[test]
fn times_are_read_as_they_are_written() {
    let text = "2026-11-22T19:38:51.000001Z";
    assert_eq!(timestamp(parse_time(text).unwrap()), text);
    assert_eq!(parse_time("2026-11-22 19:38:51.000001Z"), None);
    let leap = "2016-12-31T23:59:60.000000Z";
    assert!(parse_time(leap).is_none_or(|time| timestamp(time) == leap));
}
