use ideavault_domain::evidence::{EventSubject, UnplacedEvent};
use ideavault_domain::ports::{Disclosures, KnownCheckpoint};
use ideavault_domain::share::ShareTerms;

use super::*;
use crate::testing::{
    MockDatabase, MockTransaction, at, deps, disclosed, draft_idea, has_idea, owner, progress,
    published_idea, share, stranger, viewer, viewer_key,
};

/// Documents that say what they would hold.
struct Plain;

type PortResult<T> = Result<T, PortError>;

impl DocumentWriter for Plain {
    fn receipt(&self, receipt: &Receipt) -> PortResult<Vec<u8>> {
        let files: Vec<_> = receipt.attachments.iter().map(|file| &file.name).collect();
        Ok(format!("{} {files:?}", receipt.facts().unwrap()).into_bytes())
    }

    fn certificate(&self, certificate: &Certificate) -> PortResult<Vec<u8>> {
        Ok(format!("{certificate:?}").into_bytes())
    }
}

impl KnownCheckpoint for Plain {
    fn load(&self) -> PortResult<Option<String>> {
        Ok(None)
    }

    fn store(&self, _: &str) -> PortResult<()> {
        Ok(())
    }

    fn newest_idea(&self) -> PortResult<Option<IdeaId>> {
        Ok(None)
    }

    fn store_newest_idea(&self, _: IdeaId) -> PortResult<()> {
        Ok(())
    }
}

/// Documents over a database without any event.
fn documents(
    reads: impl FnOnce(&mut MockTransaction),
    writes: impl FnOnce(&mut MockTransaction),
) -> Documents<MockDatabase> {
    let database = MockDatabase::new(
        |tx| {
            // Of what the test has not recorded.
            tx.expect_newest_event()
                .withf(|kind, _, _| *kind != EventKind::IdeaPublished)
                .returning(|_, _, _| Ok(None));
            reads(tx);
        },
        writes,
    );
    let deps = deps(database);
    let host = "vault.example.org".to_owned();
    let event_log = EventLog::new(deps.clone(), Arc::new(Plain), host);
    let links = Links::new("https://vault.example.org");
    Documents::new(deps, Arc::new(event_log), Arc::new(Plain), links)
}

fn registered(tx: &mut MockTransaction, agreed: bool) {
    tx.expect_registration().returning(move |_| {
        Ok(Some(RecipientWithShare {
            progress: progress(agreed),
            share: share(ShareTerms::FullAccess),
        }))
    });
    tx.expect_viewer_session().returning(|_| Ok(Some(viewer())));
    has_idea(tx, draft_idea());
}

fn reader() -> Caller {
    Caller {
        user: None,
        viewer: Some(viewer_key()),
    }
}

fn creator(user: UserId) -> Caller {
    Caller {
        user: Some(user),
        viewer: None,
    }
}

fn recipient() -> RecipientId {
    progress(true).recipient.id
}

fn is_absent<T>(result: &Result<T, DocumentError>) -> bool {
    matches!(
        result,
        Err(DocumentError::Evidence(EvidenceError::NotFound))
    )
}

#[test]
fn a_receipt_is_for_both_parties() {
    for caller in [reader(), creator(owner())] {
        let documents = documents(|tx| registered(tx, true), |_| {});
        let receipt = documents.receipt(&caller, recipient()).unwrap();
        let receipt = String::from_utf8(receipt).unwrap();
        assert!(receipt.contains("Grace Hopper"), "{receipt}");
        assert!(
            receipt.ends_with(r#"["receipt.json", "agreement.txt"]"#),
            "{receipt}"
        );
    }
}

#[test]
fn nobody_else_gets_a_receipt_and_nobody_before_acceptance() {
    let nobody = Caller {
        user: None,
        viewer: None,
    };
    for caller in [creator(stranger()), nobody] {
        let documents = documents(|tx| registered(tx, true), |_| {});
        assert!(is_absent(&documents.receipt(&caller, recipient())));
    }
    let documents = documents(|tx| registered(tx, false), |_| {});
    assert!(is_absent(&documents.receipt(&reader(), recipient())));
    assert_eq!(documents.receipt_to_mail(recipient()).unwrap(), None);
}

/// Has the publication on record, as waiting for its place, an hour after what the table says.
fn recorded_an_hour_later(tx: &mut MockTransaction, is_sealed: bool) {
    tx.expect_newest_event().returning(|kind, idea, _| {
        Ok(Some(StoredEvent {
            row: 5,
            place: None,
            kind,
            at: at(3_600),
            subject: EventSubject {
                idea: Some(idea),
                ..EventSubject::default()
            },
            body: String::new(),
            digest: Digest::of(b""),
            once: None,
        }))
    });
    tx.expect_unplaced_events().returning(move |after, _| {
        assert_eq!(after, 4);
        Ok(vec![UnplacedEvent {
            row: 5,
            digest: Digest::of(b""),
            is_sealed,
        }])
    });
    tx.expect_disclosures_of().returning(|_| {
        let content = Disclosure::Content(ContentFacts {
            title: "As published".into(),
            creator: "Ada".into(),
            sha256: Digest::of(b"content").to_string(),
            document_id: None,
            files: Vec::new(),
        });
        Ok(vec![Disclosures {
            readable: vec![("content".to_owned(), content.encode(&[7; 32]).unwrap())],
            damaged: Vec::new(),
        }])
    });
}

#[test]
fn a_certificate_says_what_the_event_says() {
    let of = |is_sealed| {
        documents(
            move |tx| {
                recorded_an_hour_later(tx, is_sealed);
                has_idea(tx, published_idea());
                tx.expect_has_public_record().returning(|_| Ok(false));
            },
            |_| {},
        )
    };
    let certificate = of(true).certificate(owner(), 7.into()).unwrap();
    let certificate = String::from_utf8(certificate).unwrap();
    assert!(certificate.contains("As published"), "{certificate}");
    let time = format!("published_at: {:?}", at(3_600));
    assert!(certificate.contains(&time), "{certificate}");
    // Somebody else wrote the event.
    assert!(is_absent(&of(false).certificate(owner(), 7.into())));
}

#[test]
fn a_certificate_is_for_the_owner_of_a_published_idea() {
    let of = |idea: fn() -> Idea| {
        documents(
            move |tx| {
                recorded_an_hour_later(tx, true);
                has_idea(tx, idea());
                tx.expect_disclosed_idea()
                    .returning(move |_| Ok(Some(disclosed(idea()))));
                tx.expect_has_public_record().returning(|_| Ok(true));
            },
            |_| {},
        )
    };
    let certificate = of(published_idea).certificate(owner(), 7.into()).unwrap();
    let certificate = String::from_utf8(certificate).unwrap();
    assert!(certificate.contains("https://vault.example.org/record/IV-"));
    assert!(is_absent(
        &of(published_idea).certificate(stranger(), 7.into())
    ));
    assert!(matches!(
        of(draft_idea).certificate(owner(), 7.into()),
        Err(DocumentError::Draft)
    ));
}

#[test]
fn only_the_owner_turns_a_public_record_on_and_only_after_publication() {
    let documents = |idea: fn() -> Idea, times| {
        documents(
            |_| {},
            move |tx| {
                has_idea(tx, idea());
                tx.expect_set_public_record()
                    .withf(|_, since| *since == Some(at(0)))
                    .times(times)
                    .returning(|_, _| Ok(()));
            },
        )
    };
    let published = documents(published_idea, 1);
    published
        .set_public_record(owner(), 7.into(), true)
        .unwrap();
    let published = documents(published_idea, 0);
    assert!(is_absent(&published.set_public_record(
        stranger(),
        7.into(),
        true
    )));
    let draft = documents(draft_idea, 0);
    assert!(matches!(
        draft.set_public_record(owner(), 7.into(), true),
        Err(DocumentError::Draft)
    ));
}

#[test]
fn a_record_that_is_off_does_not_exist() {
    let documents = documents(
        |tx| {
            tx.expect_publicly_recorded().returning(|_| Ok(None));
        },
        |_| {},
    );
    assert!(is_absent(&documents.public_record("IV-1111-1111-1111")));
}
