use std::convert::Infallible;

use serde_json::Value;

use super::*;
use crate::email::Email;
use crate::idea::DocumentId;
use crate::ids::ViewGrantId;
use crate::nda::{Agreement, AgreementVersion};
use crate::recipient::{Erasure, Identity, NdaAcceptance, Origin, Recipient, ViewGrant};
use crate::text::{PersonName, Title};

#[derive(Debug)]
struct Failed;

impl From<NotCanonical> for Failed {
    fn from(_: NotCanonical) -> Self {
        Self
    }
}

impl From<Infallible> for Failed {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

fn at(micros: i64) -> Timestamp {
    chrono::DateTime::from_timestamp_micros(1_800_000_000_000_000 + micros).unwrap()
}

fn recorded(event: &Event) -> RecordedEvent {
    let mut next = 0;
    let salt = || {
        next += 1;
        Ok::<_, Failed>([next; 32])
    };
    event.record("vault.example.org/log1", salt).unwrap()
}

fn parsed(event: &Event) -> Value {
    serde_json::from_str(&recorded(event).body).unwrap()
}

fn recipient() -> Recipient {
    let email = Email::parse("grace@example.org").unwrap();
    let name = PersonName::parse_recipient("Grace Hopper").unwrap();
    Recipient {
        id: RecipientId::from_random([3; 16]),
        viewer_session: crate::ids::ViewerSessionId::from_random([4; 16]),
        share: ShareId::from_random([5; 16]),
        name: name.clone(),
        email: email.clone(),
        phone: None,
        agreement: Agreement {
            version: AgreementVersion::CURRENT,
            idea: 7.into(),
            idea_title: Title::parse("Kettle").unwrap(),
            document_id: None,
            sharer: PersonName::parse_creator("Ada Lovelace").unwrap(),
            recipient: name,
            recipient_email: email,
            offered_at: at(0),
        },
        created_at: at(0),
        identity: Identity::EmailConfirmed { at: at(-1) },
        closed_at: None,
        erasure: Erasure::default(),
    }
}

fn origin() -> Origin {
    Origin {
        ip: "203.0.113.7".parse().unwrap(),
        user_agent: None,
    }
}

#[test]
fn an_event_is_canonical_json_with_the_digests_of_its_disclosures() {
    let event = Event::agreement_offered(&recipient(), Some(&origin()));
    let recorded = recorded(&event);
    assert_eq!(recorded.digest, Digest::of(recorded.body.as_bytes()));
    let json: Value = serde_json::from_str(&recorded.body).unwrap();
    assert_eq!(canonical(&json).unwrap(), recorded.body);
    assert_eq!(json["v"], 1);
    assert_eq!(json["log"], "vault.example.org/log1");
    assert_eq!(json["type"], "agreement.offered");
    assert_eq!(json["at"], "2027-01-15T08:00:00.000000Z");
    assert_eq!(json["idea"], "7");
    assert_eq!(json["recipient"], recipient().id.to_string());
    assert_eq!(json.get("comment"), None);
    let names: Vec<&str> = recorded.disclosures.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["agreement", "terms", "person", "origin"]);
    for (name, body) in &recorded.disclosures {
        let digest = Digest::of(body.as_bytes()).to_string();
        assert_eq!(json["discloses"][name], digest, "{name}");
    }
}

/// Somebody with only the event must not be able to confirm a guess.
#[test]
fn each_disclosure_and_the_event_have_a_salt_of_their_own() {
    let recorded = recorded(&Event::agreement_offered(&recipient(), Some(&origin())));
    let bodies = recorded.disclosures.iter().map(|(_, body)| body);
    let mut salts: Vec<String> = bodies
        .chain([&recorded.body])
        .map(|body| {
            let json: Value = serde_json::from_str(body).unwrap();
            json["salt"].as_str().unwrap().to_owned()
        })
        .collect();
    salts.dedup();
    assert_eq!(salts.len(), 5);
    assert!(salts.iter().all(|salt| salt.len() == 43));
}

#[test]
fn an_event_names_nobody_and_no_content() {
    let content = ContentFacts {
        title: "Kettle".into(),
        creator: "Ada Lovelace".into(),
        sha256: Digest::of(b"content").to_string(),
        document_id: Some(DocumentId::from_random([1; 12]).to_string()),
        files: Vec::new(),
    };
    let events = [
        Event::agreement_offered(&recipient(), Some(&origin())),
        Event::email_confirmed(&recipient(), at(1)),
        Event::idea_published(7.into(), 2, content, at(2)),
    ];
    for event in events {
        let body = recorded(&event).body;
        let digest = Digest::of(b"content").to_string();
        for word in ["Grace", "grace@", "Ada", "Kettle", "203.0.113.7", &digest] {
            assert!(!body.contains(word), "{word} in {body}");
        }
    }
}

#[test]
fn facts_that_are_not_known_are_left_out() {
    let recorded = recorded(&Event::email_confirmed(&recipient(), at(0)));
    let person: Value = serde_json::from_str(&recorded.disclosures[0].1).unwrap();
    assert_eq!(person["identity"], "email-confirmed");
    assert_eq!(person["confirmedAt"], "2027-01-15T07:59:59.999999Z");
    assert_eq!(person.get("phone"), None);
}

#[test]
fn an_acceptance_says_that_nothing_was_delivered_before() {
    let acceptance = NdaAcceptance {
        recipient: recipient().id,
        share: recipient().share,
        nda_version: AgreementVersion::CURRENT,
        nda_sha256: recipient().agreement.digest(),
        revision: 3,
        revision_sha256: Digest::of(b"content"),
        identity: Identity::SelfDeclared,
        accepted_at: at(5),
        origin: Some(origin()),
    };
    let without = parsed(&Event::agreement_accepted(&recipient(), &acceptance, None));
    assert_eq!(without["delivered"], false);
    let delivery = Digest::of(b"delivery");
    let with = Event::agreement_accepted(&recipient(), &acceptance, Some(delivery));
    assert_eq!(parsed(&with)["delivered"], delivery.to_string());
    assert_eq!(parsed(&with)["revision"], "3");
}

/// A key that differs from that of what happened would keep another event from being recorded.
#[test]
fn keys_of_events_are_those_that_are_looked_up() {
    let grant = ViewGrant {
        id: ViewGrantId::from_random([6; 16]),
        share: recipient().share,
        recipient: recipient().id,
        revision: 2,
        revision_sha256: Digest::of(b"content"),
        granted_at: at(0),
        ends_at: at(1),
    };
    let (idea, file) = (IdeaId::from(7), FileId::from_random([8; 16]));
    let facts = || FileFacts {
        name: "a.png".into(),
        media_type: "image/png".into(),
        sha256: Digest::of(b"a").to_string(),
        original: None,
    };
    for (event, key) in [
        (
            Event::agreement_delivered(&recipient(), at(0)),
            Some(delivered_agreement(recipient().id)),
        ),
        (
            Event::file_delivered(idea, &grant, file, facts(), at(0)),
            Some(delivered_file(grant.id, file)),
        ),
        (
            Event::revision_delivered(idea, &grant, 3, at(0)),
            Some(delivered_revision(grant.id, 3)),
        ),
        (
            Event::downloaded(idea, &grant, Some(file), facts(), at(0)),
            None,
        ),
        (Event::view_started(idea, &grant), None),
    ] {
        assert_eq!(event.once_key(), key);
        assert_eq!(recorded(&event).event.once_key(), key);
    }
}

#[test]
fn an_event_has_the_first_version_that_knows_all_of_it() {
    let event = |kind, disclosures: Vec<Disclosure>| {
        let subject = EventSubject::of_recipient(7.into(), recipient().share, recipient().id);
        Event::new(kind, at(0), subject).disclosing(disclosures)
    };
    let person = |change: fn(&mut PersonFacts)| {
        let mut person = PersonFacts::of(&recipient());
        change(&mut person);
        event(EventKind::EmailConfirmed, vec![Disclosure::Person(person)])
    };
    let signatory = Disclosure::Signatory(SignatoryFacts {
        name: "Ada Lovelace".into(),
        company: None,
        role: None,
    });
    let mut marked = event(EventKind::ViewStarted, vec![]);
    marked.body.mark = Some("IVC-7K3M-Q9TX-2B4S".into());
    for (event, version) in [
        (person(|_| {}), 1),
        (
            person(|person| {
                person.company = Some("Hopper Inc".into());
                person.role = Some("CTO".into());
            }),
            2,
        ),
        (
            person(|person| person.identity = PROVIDER_CONFIRMED.into()),
            2,
        ),
        (event(EventKind::ViewStarted, vec![]), 1),
        (marked, 2),
        (event(EventKind::AccessRequested, vec![]), 2),
        (event(EventKind::AgreementAccepted, vec![signatory]), 2),
    ] {
        let recorded = recorded(&event);
        assert_eq!(recorded.event.v, version, "{}", recorded.body);
        // What has no member of the second version reads as it did before.
        assert_eq!(
            recorded.body.contains("\"mark\""),
            event.body.mark.is_some()
        );
    }
}

#[test]
fn names_of_kinds_round_trip() {
    for kind in EventKind::ALL {
        assert_eq!(kind.as_str().parse::<EventKind>().ok(), Some(*kind));
    }
    assert!("".parse::<EventKind>().is_err());
}
