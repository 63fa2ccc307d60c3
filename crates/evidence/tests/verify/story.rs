//! A bundle with two revisions, two pictures, and two readers, of whom one comments: there is
//! something to exchange and to cut out.

use std::collections::BTreeMap;

use ideavault_domain::evidence::{
    ContentFacts, Delivery, Disclosure, EventBody, EventKind, FileFacts, PersonFacts, TermsFacts,
};
use ideavault_domain::hex;
use ideavault_evidence::sha256;

use super::sample::*;

const DRAWING: &str = "1d3c9a70-6a0e-4a55-9b58-2f6f1f5f0c01";
const DETAIL: &str = "7be2f4d5-0c3f-4b1f-8a6c-94c2a7b7d302";

/// What both versions show is there once.
pub const DRAWING_FILE: &str = "idea/version-1-1.png";
pub const DETAIL_FILE: &str = "idea/version-2-2.png";

pub struct Story {
    pub files: Files,
    /// Places of the events of the first reader, by their types.
    pub bob: BTreeMap<&'static str, u64>,
    /// The agreements of both.
    pub agreements: [String; 2],
    /// Path of the anchored checkpoint, without its ending.
    pub anchor: String,
}

pub fn story() -> Story {
    let mut log = Log::new(key(1));
    log.event(EventKind::LogStarted, |_| {});
    log.others(2);
    let pictures = [
        (DRAWING, b"a drawing".as_slice()),
        (DETAIL, b"a detail of it"),
    ];
    for (path, (_, bytes)) in [DRAWING_FILE, DETAIL_FILE].iter().zip(pictures) {
        log.put(path, bytes);
    }
    // The first revision is put on record by its owner; the second one is what readers see.
    for number in ["1", "2"] {
        let shown = match number {
            "1" => &pictures[..1],
            _ => &pictures[..],
        };
        let mut html = format!("<p>Revision {number} of a kettle</p>");
        for (id, _) in shown {
            html.push_str(&format!("<img src=\"/api/files/{id}\">"));
        }
        let (content, digest) = disclosure(
            &mut log,
            &Disclosure::Content(ContentFacts {
                title: "A kettle that waits".to_owned(),
                creator: "Ada Inventor".to_owned(),
                sha256: hex::encode(&sha256(html.as_bytes())),
                document_id: None,
                files: shown
                    .iter()
                    .map(|(_, bytes)| FileFacts {
                        name: "picture.png".to_owned(),
                        media_type: "image/png".to_owned(),
                        sha256: hex::encode(&sha256(bytes)),
                        original: None,
                    })
                    .collect(),
            }),
        );
        let place = log.event(EventKind::RevisionRecorded, |event| {
            event.revision = Some(number.to_owned());
            event.discloses.insert("content".to_owned(), digest);
        });
        log.put(&format!("disclosures/{place}-content.json"), content);
        log.put(&format!("idea/version-{number}.html"), html);
    }
    log.event(EventKind::ShareCreated, |event| {
        event.share = Some("share-1".to_owned());
    });
    let bob = read(&mut log, "1");
    let other = read(&mut log, "2");
    let size = log.size();
    log.write_log("", &[1]);
    log.write_stamps(size);
    Story {
        files: log.files.clone(),
        agreements: [&bob, &other]
            .map(|reader| format!("agreements/{}.txt", reader["agreement.offered"])),
        bob,
        anchor: format!("anchors/{size}-bitcoin"),
    }
}

/// A reader registers, accepts, reads the first revision, and comments.
fn read(log: &mut Log, number: &str) -> BTreeMap<&'static str, u64> {
    let text = format!("Reader {number} keeps secret what Ada Inventor shows.\n");
    let (terms, terms_digest) = disclosure(
        log,
        &Disclosure::Terms(TermsFacts {
            sha256: hex::encode(&sha256(text.as_bytes())),
        }),
    );
    let (person, person_digest) = disclosure(
        log,
        &Disclosure::Person(PersonFacts {
            name: format!("Reader {number}"),
            email: format!("reader{number}@example.com"),
            phone: None,
            identity: "self-declared".to_owned(),
            confirmed_at: None,
            company: None,
            role: None,
            provider: None,
        }),
    );
    let recipient = format!("recipient-{number}");
    let view = format!("view-{number}");
    let by_reader = |event: &mut EventBody| {
        event.share = Some("share-1".to_owned());
        event.recipient = Some(recipient.clone());
    };
    let offered = log.event(EventKind::AgreementOffered, |event| {
        by_reader(event);
        event.discloses.insert("terms".to_owned(), terms_digest);
        event.discloses.insert("person".to_owned(), person_digest);
    });
    log.put(&format!("disclosures/{offered}-terms.json"), terms);
    log.put(&format!("disclosures/{offered}-person.json"), person);
    log.put(&format!("agreements/{offered}.txt"), text);
    let delivered = log.event(EventKind::AgreementDelivered, by_reader);
    let digest = sha256(
        log.events[usize::try_from(delivered).unwrap()]
            .as_ref()
            .unwrap(),
    );
    let accepted = log.event(EventKind::AgreementAccepted, |event| {
        by_reader(event);
        event.delivered = Some(Delivery::Event(hex::encode(&digest)));
    });
    let viewed = log.event(EventKind::ViewStarted, |event| {
        by_reader(event);
        event.revision = Some("1".to_owned());
        event.view = Some(view.clone());
    });
    let sent = log.event(EventKind::FileDelivered, |event| {
        by_reader(event);
        event.file = Some(DRAWING.to_owned());
        event.view = Some(view.clone());
    });
    let comment = |event: &mut EventBody| {
        by_reader(event);
        event.comment = Some(format!("comment-{number}"));
    };
    let added = log.event(EventKind::CommentAdded, comment);
    let changed = log.event(EventKind::CommentChanged, comment);
    log.others(1);
    BTreeMap::from([
        ("agreement.offered", offered),
        ("agreement.delivered", delivered),
        ("agreement.accepted", accepted),
        ("view.started", viewed),
        ("file.delivered", sent),
        ("comment.added", added),
        ("comment.changed", changed),
    ])
}
