//! Events of version 2 of the format: an owner who decides who may read, companies that sign, texts
//! that bind both sides, copies with numbers.

use ideavault_domain::evidence::{EventKind, encode_salt, timestamp};
use ideavault_domain::hex;
use ideavault_evidence::{canonical, sha256};
use serde_json::{Map, Value, json};

use chrono::TimeDelta;

use super::sample::*;

/// The number of a copy.
const MARK: &str = "IVC-7K3M-Q9TX-2B4S";

/// The text that a disclosure `terms` is of.
const TEXT: &str = "Both keep secret what they show each other.\n";

/// Makes the files of a log with these events, which begins with `log.started`. Members that all
/// events have alike need not be given; `facts` become disclosures.
pub fn log_of(events: &[Value]) -> Files {
    let mut log = Log::new(key(1));
    log.event(EventKind::LogStarted, |_| {});
    for given in events {
        let place = log.size();
        let minutes = i64::try_from(place).unwrap();
        let mut event = json!({
            "v": 1, "log": ORIGIN, "at": timestamp(start() + TimeDelta::minutes(minutes)),
            "idea": IDEA, "salt": encode_salt(&log.salt()), "discloses": {},
        });
        let mut given = given.as_object().unwrap().clone();
        for (name, mut facts) in object(given.remove("facts")) {
            facts["salt"] = json!(encode_salt(&log.salt()));
            let facts = canonical::write(&facts).unwrap();
            event["discloses"][&name] = json!(hex::encode(&sha256(&facts)));
            log.put(&format!("disclosures/{place}-{name}.json"), facts);
        }
        event.as_object_mut().unwrap().extend(given);
        log.written(canonical::write(&event).unwrap());
    }
    log.write_log("", &[]);
    log.files
}

fn object(value: Option<Value>) -> Map<String, Value> {
    value.map_or_else(Map::new, |value| value.as_object().unwrap().clone())
}

/// Returns an object with the members of another one as well.
fn with(mut value: Value, more: Value) -> Value {
    value.as_object_mut().unwrap().extend(object(Some(more)));
    value
}

/// An event of a reader.
pub fn by(reader: &str, kind: &str, v: u64, more: Value) -> Value {
    let event = json!({ "type": kind, "v": v, "share": "share-2", "recipient": reader });
    with(event, more)
}

pub fn agreement(kind: &str) -> Value {
    let digest = hex::encode(&sha256(b"the body"));
    json!({
        "template": "Our NDA", "version": "3", "sha256": digest, "kind": kind, "language": "de-AT",
    })
}

pub fn signatory() -> Value {
    json!({ "name": "Ada Inventor", "company": "Kettles \"R\" Us", "role": "CEO" })
}

pub fn grace() -> Value {
    json!({
        "name": "Grace Hopper", "email": "grace@example.org", "identity": "provider-confirmed",
        "provider": "https://accounts.example.org", "company": "Hopper Inc", "role": "CTO",
    })
}

fn terms() -> Value {
    json!({ "sha256": hex::encode(&sha256(TEXT.as_bytes())) })
}

fn file(name: &str) -> Value {
    let digest = hex::encode(&sha256(name.as_bytes()));
    json!({ "name": name, "mediaType": "application/pdf", "sha256": digest })
}

/// A reader registers and accepts: two events.
pub fn accepted(reader: &str, v: u64, facts: Value) -> [Value; 2] {
    let facts = json!({ "facts": facts });
    let accepted = json!({ "delivered": false, "revision": "1" });
    [
        by(reader, "agreement.offered", v, facts.clone()),
        by(reader, "agreement.accepted", v, with(facts, accepted)),
    ]
}

pub fn recorded() -> Value {
    let content = json!({
        "title": "A kettle that waits", "creator": "Ada Inventor",
        "sha256": hex::encode(&sha256(b"content")), "files": [file("drawing.pdf")],
    });
    json!({
        "type": "revision.recorded", "v": 2, "revision": "1",
        "facts": { "content": content, "sources": { "files": [file("model.step")] } },
    })
}

pub fn issued() -> Value {
    json!({
        "type": "agreement.issued", "v": 2, "share": "share-1",
        "facts": { "agreement": agreement("mutual"), "signatory": signatory() },
    })
}

pub fn viewed(reader: &str, v: u64, more: Value) -> Value {
    let view = json!({ "revision": "1", "view": format!("view of {reader}") });
    by(reader, "view.started", v, with(view, more))
}

/// A bundle in which one reader is approved for a company, one is declined, one needs no approval of
/// its own, and one has an agreement of before.
pub fn approval() -> Files {
    let offered = json!({
        "agreement": agreement("mutual"), "person": grace(), "terms": terms(),
    });
    let one_way = json!({ "agreement": agreement("one-way"), "terms": terms() });
    let mut before = agreement("one-way");
    before
        .as_object_mut()
        .unwrap()
        .retain(|name, _| !["kind", "language"].contains(&name.as_str()));
    let sent = json!({
        "file": "file-1", "view": "view of grace",
        "facts": { "file": with(file("drawing.pdf"), json!({ "original": "0".repeat(64) })) },
    });
    let decided = json!({ "facts": { "signatory": signatory(), "terms": terms() } });
    let mut events = vec![recorded(), issued()];
    events.extend(accepted("grace", 2, offered));
    events.extend([
        by("grace", "access.requested", 2, json!({})),
        by("grace", "access.approved", 2, decided),
        viewed("grace", 2, json!({ "mark": "IVC-7K3M-Q9TX-2B4S" })),
        by("grace", "file.delivered", 2, sent),
    ]);
    events.extend(accepted("bob", 2, one_way.clone()));
    events.extend([
        by("bob", "access.requested", 2, json!({})),
        by("bob", "access.refused", 2, json!({})),
    ]);
    events.extend(accepted("eve", 2, one_way));
    events.extend([
        by("eve", "access.approved", 2, json!({})),
        viewed("eve", 1, json!({})),
    ]);
    let on_issued = json!({ "share": "share-1" });
    let offered = json!({ "agreement": agreement("mutual") });
    events.extend(accepted("ann", 2, offered).map(|event| with(event, on_issued.clone())));
    events.push(with(viewed("ann", 1, json!({})), on_issued));
    events.extend(accepted("dan", 1, json!({ "agreement": before })));
    events.push(viewed("dan", 1, json!({})));
    let mut files = log_of(&events);
    files.insert("agreements/3.txt".to_owned(), TEXT.into());
    files
}

/// Logs that nobody can have written, as name, file at fault, and events.
pub fn hostile() -> Vec<(&'static str, &'static str, Vec<Value>)> {
    let mutual = json!({ "agreement": agreement("mutual") });
    let one_way = json!({ "agreement": agreement("one-way") });
    let [offered, accepts] = accepted("grace", 2, one_way.clone());
    let after = |events: &[Value]| {
        let mut all = vec![offered.clone(), accepts.clone()];
        all.extend_from_slice(events);
        all
    };
    let requested = by("grace", "access.requested", 2, json!({}));
    let approved = by("grace", "access.approved", 2, json!({}));
    let refused = by("grace", "access.refused", 2, json!({}));
    let opened = by("grace", "view.started", 1, json!({ "view": "view-1" }));
    let commented = by(
        "grace",
        "comment.added",
        1,
        json!({ "comment": "comment-1" }),
    );
    let marked = |v, mark: &str| {
        after(&[by(
            "grace",
            "view.started",
            v,
            json!({ "view": "view-1", "mark": mark }),
        )])
    };
    let signed = |facts: Value| by("grace", "access.approved", 2, json!({ "facts": facts }));
    let whole = json!({ "signatory": signatory(), "terms": terms() });
    let without = |event: &Value, member: &str| {
        let mut event = event.clone();
        event.as_object_mut().unwrap().remove(member).unwrap();
        event
    };
    let offers = |v: u64, name: &str, facts: Value| {
        vec![by(
            "grace",
            "agreement.offered",
            v,
            json!({ "facts": { name: facts } }),
        )]
    };
    let person = |more: Value| {
        let person = json!({ "name": "G", "email": "g@h.org", "identity": "self-declared" });
        with(person, more)
    };
    let issues = |facts: Value| {
        vec![json!({ "type": "agreement.issued", "v": 2, "share": "share-1", "facts": facts })]
    };
    let mut listed = recorded();
    listed["facts"]["content"]["files"][0]["original"] = json!("0".repeat(64));
    let mut sourceless = recorded();
    sourceless["facts"]["sources"] = json!({});
    let (first, second, third) = ("events/1.json", "events/2.json", "events/3.json");
    let (fourth, fifth) = ("events/4.json", "events/5.json");
    let offer = "disclosures/1-person.json";
    let text = "disclosures/1-agreement.json";
    vec![
        (
            "a copy number in version 1",
            third,
            marked(1, "IVC-7K3M-Q9TX-2B4S"),
        ),
        (
            "a copy number with a letter that it cannot have",
            third,
            marked(2, "IVC-7K3M-Q9TX-2B4O"),
        ),
        (
            "a copy number that says more",
            third,
            marked(2, "IVC-7K3M-Q9TX-2B4S. All is well"),
        ),
        (
            "a copy number of another event",
            first,
            vec![json!({
                "type": "idea.deleted", "v": 2, "mark": "IVC-7K3M-Q9TX-2B4S",
            })],
        ),
        (
            "an event of version 3",
            first,
            vec![json!({ "type": "idea.deleted", "v": 3 })],
        ),
        (
            "version 2 of an event without anything new",
            first,
            vec![json!({
                "type": "idea.deleted", "v": 2,
            })],
        ),
        (
            "version 2 of a text without anything new",
            first,
            offers(
                2,
                "agreement",
                json!({
                    "template": "Our NDA", "version": "3", "sha256": "0".repeat(64),
                }),
            ),
        ),
        (
            "a kind of text in version 1",
            first,
            offers(1, "agreement", agreement("mutual")),
        ),
        (
            "a company in version 1",
            first,
            offers(1, "person", grace()),
        ),
        (
            "a request in version 1",
            third,
            after(&[with(requested.clone(), json!({ "v": 1 }))]),
        ),
        (
            "a request of nobody",
            third,
            after(&[without(&requested, "recipient")]),
        ),
        (
            "a refusal by no link",
            fourth,
            after(&[requested.clone(), without(&refused, "share")]),
        ),
        (
            "a request that discloses",
            third,
            after(&[with(
                requested.clone(),
                json!({
                    "facts": { "person": grace() },
                }),
            )]),
        ),
        (
            "a request before the acceptance",
            second,
            vec![offered.clone(), requested.clone()],
        ),
        (
            "an approval before the acceptance",
            second,
            vec![offered.clone(), approved.clone()],
        ),
        (
            "a refusal before the acceptance",
            second,
            vec![offered.clone(), refused.clone()],
        ),
        (
            "a view without the approval",
            fourth,
            after(&[requested.clone(), opened.clone()]),
        ),
        (
            "a view before the approval",
            fourth,
            after(&[requested.clone(), opened.clone(), approved.clone()]),
        ),
        (
            "a request after a view",
            fourth,
            after(&[opened.clone(), requested.clone()]),
        ),
        (
            "a view after a refusal",
            fifth,
            after(&[requested.clone(), refused.clone(), opened.clone()]),
        ),
        (
            "an approval after a refusal",
            fifth,
            after(&[requested.clone(), refused.clone(), approved.clone()]),
        ),
        (
            "a refusal after an approval",
            fifth,
            after(&[requested.clone(), approved.clone(), refused.clone()]),
        ),
        (
            "an approval that the owner signs for a text that binds the reader alone",
            third,
            {
                let mut events = accepted("grace", 2, one_way.clone()).to_vec();
                events.push(signed(whole.clone()));
                events
            },
        ),
        (
            "an owner who signs a text that binds the reader alone",
            first,
            issues(json!({
                "agreement": agreement("one-way"), "signatory": signatory(),
            })),
        ),
        (
            "an owner who signs and is not named",
            first,
            issues(mutual.clone()),
        ),
        (
            "an owner who signs no text",
            first,
            issues(json!({ "signatory": signatory() })),
        ),
        (
            "an owner who signs for no link",
            first,
            vec![without(&issued(), "share")],
        ),
        (
            "an approval that names who signed and no text",
            third,
            after(&[signed(json!({
                "signatory": signatory(),
            }))]),
        ),
        (
            "an approval that names a text and not who signed",
            third,
            after(&[signed(json!({
                "terms": terms(),
            }))]),
        ),
        (
            "a reader's acceptance that the owner signs",
            second,
            vec![
                offered.clone(),
                by(
                    "grace",
                    "agreement.accepted",
                    2,
                    json!({
                        "delivered": false, "facts": { "signatory": signatory() },
                    }),
                ),
            ],
        ),
        (
            "files of the owner in another event",
            first,
            vec![json!({
                "type": "share.created", "v": 2, "share": "s",
                "facts": { "sources": { "files": [] } },
            })],
        ),
        (
            "files of the owner that are none",
            "disclosures/1-sources.json",
            vec![sourceless],
        ),
        (
            "a copy among the files of a version",
            "disclosures/1-content.json",
            vec![listed],
        ),
        (
            "a copy of what is no digest",
            "disclosures/4-file.json",
            after(&[
                opened.clone(),
                by(
                    "grace",
                    "file.delivered",
                    2,
                    json!({
                        "view": "view-1",
                        "facts": { "file": with(file("a.pdf"), json!({ "original": "b.pdf" })) },
                    }),
                ),
            ]),
        ),
        (
            "a company without a role",
            offer,
            offers(
                2,
                "person",
                person(json!({
                    "company": "Hopper Inc",
                })),
            ),
        ),
        (
            "a role without a company",
            offer,
            offers(2, "person", person(json!({ "role": "CTO" }))),
        ),
        (
            "a provider of nothing",
            offer,
            offers(
                2,
                "person",
                person(json!({
                    "provider": "https://accounts.example.org",
                })),
            ),
        ),
        (
            "an address that no provider confirmed",
            offer,
            offers(
                2,
                "person",
                person(json!({
                    "identity": "provider-confirmed",
                })),
            ),
        ),
        (
            "a company that is null",
            offer,
            offers(
                2,
                "person",
                person(json!({
                    "company": null, "role": null,
                })),
            ),
        ),
        (
            "a text that binds neither",
            text,
            offers(2, "agreement", agreement("neither")),
        ),
        ("a text of no language", text, {
            let mut agreement = agreement("mutual");
            agreement.as_object_mut().unwrap().remove("language");
            offers(2, "agreement", agreement)
        }),
        (
            "a text of a language that cannot be",
            text,
            offers(
                2,
                "agreement",
                with(
                    agreement("mutual"),
                    json!({ "language": "German, of course" }),
                ),
            ),
        ),
        (
            "who signed in a role of no company",
            "disclosures/1-signatory.json",
            issues(json!({
                "agreement": agreement("mutual"), "signatory": { "name": "Ada", "role": "CEO" },
            })),
        ),
        (
            "a view of a text that binds both, which the owner did not accept",
            third,
            {
                let mut events = accepted("grace", 2, mutual.clone()).to_vec();
                events.push(opened.clone());
                events
            },
        ),
        (
            "a view of a text that binds both, with an approval that does not accept it",
            fourth,
            {
                let mut events = accepted("grace", 2, mutual.clone()).to_vec();
                events.extend([approved.clone(), opened.clone()]);
                events
            },
        ),
        (
            "an approval that the owner signs for another text",
            third,
            {
                let text = json!({ "sha256": "1".repeat(64) });
                let facts = with(mutual.clone(), json!({ "terms": text }));
                let mut events = accepted("grace", 2, facts).to_vec();
                events.push(signed(whole.clone()));
                events
            },
        ),
        ("an approval that the owner signs for no text", third, {
            let mut events = accepted("grace", 1, json!({})).to_vec();
            events.push(signed(whole.clone()));
            events
        }),
        (
            "a view of another text than the owner accepted for the link",
            fourth,
            {
                let mut other = agreement("mutual");
                other["sha256"] = json!("2".repeat(64));
                let on_link = json!({ "share": "share-1" });
                let events = accepted("grace", 2, json!({ "agreement": other }));
                let mut all = vec![issued()];
                all.extend(events.map(|event| with(event, on_link.clone())));
                all.push(with(opened.clone(), on_link));
                all
            },
        ),
        (
            "a view of another text than the owner accepted for the reader",
            "events/6.json",
            {
                let other = with(
                    mutual.clone(),
                    json!({ "terms": { "sha256": "1".repeat(64) } }),
                );
                let mut all = accepted(
                    "grace",
                    2,
                    with(mutual.clone(), json!({ "terms": terms() })),
                )
                .to_vec();
                all.push(signed(whole.clone()));
                all.extend(accepted("grace", 2, other));
                all.push(opened.clone());
                all
            },
        ),
        (
            "a comment of a reader who waits",
            fourth,
            after(&[requested.clone(), commented.clone()]),
        ),
        (
            "a comment after a refusal",
            fifth,
            after(&[requested.clone(), refused.clone(), commented.clone()]),
        ),
        (
            "a file for a reader who waits",
            fifth,
            after(&[
                with(opened.clone(), json!({ "recipient": "bob" })),
                requested.clone(),
                by("grace", "file.delivered", 1, json!({ "view": "view-1" })),
            ]),
        ),
        (
            "a copy number twice",
            fourth,
            after(&[
                by(
                    "grace",
                    "view.started",
                    2,
                    json!({ "view": "1", "mark": MARK }),
                ),
                by(
                    "grace",
                    "view.started",
                    2,
                    json!({ "view": "2", "mark": MARK }),
                ),
            ]),
        ),
        (
            "an owner who signs towards one reader",
            first,
            vec![with(issued(), json!({ "recipient": "grace" }))],
        ),
        (
            "a company without a name",
            offer,
            offers(2, "person", person(json!({ "company": "", "role": "" }))),
        ),
        (
            "a disclosure whose name is none",
            first,
            vec![json!({ "type": "idea.deleted", "discloses": { "Agreement": "0".repeat(64) } })],
        ),
        (
            "another log before an event that continues none",
            first,
            vec![json!({
                "type": "idea.deleted",
                "previous": { "log": "vault.example.com/log0", "checkpoint": "0".repeat(64) },
            })],
        ),
    ]
}
