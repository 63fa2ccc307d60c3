//! Erasure of persons: only what the log says may go, and nothing comes back.

use ideavault_domain::comment::{Comment, CommentText, DAMAGED_TEXT};
use ideavault_domain::digest::Digest;
use ideavault_domain::email::Email;
use ideavault_domain::evidence::{Event, FileFacts};
use ideavault_domain::ids::{CommentId, FileId, MailId, UserId};
use ideavault_domain::mail::QueuedMail;
use ideavault_domain::ports::{Database as _, ErasureScope};
use ideavault_domain::recipient::{ERASED_EMAIL, ERASED_NAME, Erasure, Recipient};
use ideavault_domain::share::Share;

use crate::support::{
    Fixture, acceptance, at, bytes, full_access, grant, hello, on_both_databases,
};

on_both_databases!(
    an_erased_person_leaves_placeholders,
    a_kept_agreement_still_names_the_person,
    an_event_of_a_later_version_keeps_what_names_nobody,
    damaged_values_are_overwritten,
    a_comment_whose_key_is_damaged_is_emptied,
    persons_are_found_by_address_and_creator,
    the_database_refuses_an_erasure_that_is_not_on_record,
    the_database_refuses_to_undo_an_erasure,
    whoever_read_a_person_before_stores_nothing_of_them_after,
    an_erased_creator_leaves_no_agreement_and_no_content_facts,
    with_its_creator_goes_what_was_kept_of_an_erased_reader,
    with_its_creator_goes_the_title_that_an_erased_reader_saw,
    mails_to_readers_go_with_the_account,
);

/// A recipient who accepted and commented, with the events of both.
fn scene(fixture: &Fixture) -> (Share, Recipient) {
    fixture.begin_log();
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let recipient = fixture.add_recipient(fixture.add_viewer().id, &share);
    let given = acceptance(&recipient, at(5));
    let comment = comment(&recipient, share.idea);
    fixture.write(|tx| {
        tx.recipients().add_acceptance(&given)?;
        tx.comments().add_comment(&comment)?;
        let log = tx.evidence_log();
        log.append_event(&Event::agreement_offered(&recipient, given.origin.as_ref()))?;
        log.append_event(&Event::agreement_accepted(&recipient, &given, None))?;
        log.append_event(&Event::comment_added(&comment))
    });
    (share, recipient)
}

fn comment(recipient: &Recipient, idea: ideavault_domain::ids::IdeaId) -> Comment {
    Comment {
        id: CommentId::from_random([9; 16]),
        idea,
        recipient: Some(recipient.id),
        author: recipient.name.clone(),
        text: CommentText::parse("Nice").unwrap(),
        reply_to: None,
        share: Some(recipient.share),
        created_at: at(6),
        edited_at: None,
        withdrawn_at: None,
    }
}

fn erase(fixture: &Fixture, share: &Share, recipient: &Recipient, keep: bool) {
    let event = Event::person_erased(share.idea, share.id, recipient.id, at(9));
    fixture.write(|tx| {
        tx.evidence_log().append_event(&event)?;
        tx.erasures().erase_person(recipient.id, keep, at(9))
    });
}

/// Names of the disclosures of an idea's events, oldest first.
fn disclosures(fixture: &Fixture, share: &Share) -> Vec<String> {
    fixture.read(|tx| {
        let log = tx.evidence_log();
        let events = log.events_of(share.idea, Default::default())?.into_items();
        let mut names = Vec::new();
        for disclosed in log
            .disclosures_of(&events.iter().collect::<Vec<_>>())?
            .into_iter()
            .rev()
        {
            assert_eq!(disclosed.damaged, [""; 0]);
            names.extend(disclosed.readable.into_iter().map(|(name, _)| name));
        }
        Ok(names)
    })
}

fn stored(fixture: &Fixture, recipient: &Recipient) -> Recipient {
    let found = fixture.read(|tx| tx.recipients().registration(recipient.id));
    found.unwrap().progress.recipient
}

fn an_erased_person_leaves_placeholders(fixture: &Fixture) {
    let (share, recipient) = scene(fixture);
    erase(fixture, &share, &recipient, false);
    let erased = stored(fixture, &recipient);
    assert_eq!(erased.name.as_str(), ERASED_NAME);
    assert_eq!(erased.email.as_str(), ERASED_EMAIL);
    assert_eq!(erased.phone, None);
    assert_eq!(erased.agreement.recipient.as_str(), ERASED_NAME);
    assert_eq!(erased.closed_at, Some(at(9)));
    let complete = Erasure {
        person_at: Some(at(9)),
        agreement: true,
    };
    assert_eq!(erased.erasure, complete);
    let comment = fixture.read(|tx| tx.comments().comment(CommentId::from_random([9; 16])));
    let comment = comment.unwrap();
    assert_eq!(comment.author.as_str(), ERASED_NAME);
    assert_eq!(comment.text.as_str(), "Nice");
    assert_eq!(disclosures(fixture, &share), ["agreement", "agreement"]);
}

fn an_event_of_a_later_version_keeps_what_names_nobody(fixture: &Fixture) {
    let (share, recipient) = scene(fixture);
    let grant = grant(&recipient, at(6));
    let file = |name: &str| FileFacts {
        name: name.to_owned(),
        media_type: "text/html".to_owned(),
        sha256: Digest::of(name.as_bytes()).to_string(),
        original: None,
    };
    let image = Some(FileId::from_random(bytes()));
    fixture.write(|tx| {
        for (id, name) in [(image, "kettle.png"), (None, "made-for-the-reader.html")] {
            let sent = Event::downloaded(share.idea, &grant, id, file(name), at(7));
            tx.evidence_log().append_event(&sent)?;
        }
        Ok(())
    });
    change(
        fixture,
        "evidence_events",
        "body = replace(body, '{\"at\"', '{\"added\":1,\"at\"') WHERE kind = 'file.delivered'",
    );
    erase(fixture, &share, &recipient, false);
    assert_eq!(
        disclosures(fixture, &share),
        ["agreement", "agreement", "file"]
    );
}

/// Changes rows as somebody does who controls the database.
fn change(fixture: &Fixture, table: &str, assignment: &str) {
    let guards = match fixture.sqlite_path() {
        Some(_) => format!("DROP TRIGGER IF EXISTS {table}_update"),
        None => format!("ALTER TABLE {table} DISABLE TRIGGER USER"),
    };
    fixture.sql(&guards).unwrap();
    fixture
        .sql(&format!("UPDATE {table} SET {assignment}"))
        .unwrap();
}

/// Gives a value the bytes of a registration's details, which nothing else opens.
fn damage(fixture: &Fixture, table: &str, column: &str) {
    let details = "SELECT details FROM recipients LIMIT 1";
    change(fixture, table, &format!("{column} = ({details})"));
}

fn damaged_values_are_overwritten(fixture: &Fixture) {
    let (share, recipient) = scene(fixture);
    damage(fixture, "comments", "sealed");
    damage(fixture, "nda_acceptances", "details");
    let find = || {
        let under = fixture.read(|tx| {
            let scope = ErasureScope::Vault;
            tx.erasures().registrations_under(&recipient.email, scope)
        });
        let alone = fixture.read(|tx| tx.erasures().erasable(recipient.id));
        (under, alone.unwrap())
    };
    let (under, alone) = find();
    assert_eq!(under, std::slice::from_ref(&alone));
    assert!(alone.has_accepted);
    // A text of which nobody knows whether it was accepted is not kept.
    erase(fixture, &share, &recipient, true);
    let (under, alone) = find();
    assert_eq!(under, []);
    let complete = Erasure {
        person_at: Some(at(9)),
        agreement: true,
    };
    assert_eq!(alone.erasure, complete);
    assert_eq!(stored(fixture, &recipient).erasure, complete);
    let comment = fixture.read(|tx| tx.comments().comment(CommentId::from_random([9; 16])));
    let comment = comment.unwrap();
    assert_eq!(comment.author.as_str(), ERASED_NAME);
    assert_eq!(comment.text.as_str(), DAMAGED_TEXT);
    let found = fixture.read(|tx| tx.recipients().registration(recipient.id));
    let acceptance = found.unwrap().progress.acceptance.unwrap();
    assert_eq!(acceptance.origin, None);
}

fn a_comment_whose_key_is_damaged_is_emptied(fixture: &Fixture) {
    let (share, recipient) = scene(fixture);
    damage(fixture, "idea_keys", "content");
    erase(fixture, &share, &recipient, false);
    assert_eq!(fixture.count("comments WHERE length(sealed) = 0"), 1);
}

fn a_kept_agreement_still_names_the_person(fixture: &Fixture) {
    let (share, recipient) = scene(fixture);
    erase(fixture, &share, &recipient, true);
    let erased = stored(fixture, &recipient);
    assert_eq!(erased.name.as_str(), ERASED_NAME);
    assert_eq!(erased.agreement, recipient.agreement);
    assert!(!erased.erasure.agreement);
    assert_eq!(
        disclosures(fixture, &share),
        ["agreement", "terms", "agreement", "terms"]
    );
    // The address still finds what is kept, and erases that too.
    let scope = ErasureScope::Vault;
    let found = fixture.read(|tx| tx.erasures().registrations_under(&recipient.email, scope));
    assert_eq!(found.len(), 1);
    erase(fixture, &share, &recipient, false);
    assert!(stored(fixture, &recipient).erasure.agreement);
    let found = fixture.read(|tx| tx.erasures().registrations_under(&recipient.email, scope));
    assert_eq!(found, []);
}

fn persons_are_found_by_address_and_creator(fixture: &Fixture) {
    let (share, recipient) = scene(fixture);
    let owner = fixture
        .read(|tx| tx.ideas().idea(share.idea))
        .unwrap()
        .owner;
    let find = |email: &str, scope| {
        let email = Email::parse(email).unwrap();
        let found = fixture.read(|tx| tx.erasures().registrations_under(&email, scope));
        found.len()
    };
    let email = recipient.email.as_str();
    let stranger = ideavault_domain::ids::UserId::from_random([99; 16]);
    assert_eq!(find(email, ErasureScope::Vault), 1);
    assert_eq!(find(email, ErasureScope::IdeasOf(owner)), 1);
    assert_eq!(find(email, ErasureScope::IdeasOf(stranger)), 0);
    assert_eq!(find("nobody@example.org", ErasureScope::Vault), 0);
}

fn the_database_refuses_an_erasure_that_is_not_on_record(fixture: &Fixture) {
    let (_, recipient) = scene(fixture);
    let refused = fixture
        .store
        .write(|tx| tx.erasures().erase_person(recipient.id, false, at(9)));
    refused.unwrap_err();
    fixture.refuses("the log is final", &["DELETE FROM evidence_disclosures"]);
    assert_eq!(stored(fixture, &recipient), recipient);
}

fn the_database_refuses_to_undo_an_erasure(fixture: &Fixture) {
    let (share, recipient) = scene(fixture);
    erase(fixture, &share, &recipient, false);
    fixture.refuses(
        "final",
        &[
            "UPDATE recipients SET details = details",
            "UPDATE recipients SET erased_at = NULL",
            "UPDATE recipients SET agreement_version = '2.0'",
            "UPDATE nda_acceptances SET revision = 7",
        ],
    );
}

fn whoever_read_a_person_before_stores_nothing_of_them_after(fixture: &Fixture) {
    fixture.begin_log();
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let recipient = fixture.add_recipient(fixture.add_viewer().id, &share);
    erase(fixture, &share, &recipient, false);
    let given = acceptance(&recipient, at(10));
    let comment = comment(&recipient, share.idea);
    fixture.write(|tx| {
        tx.recipients().add_acceptance(&given)?;
        tx.comments().add_comment(&comment)?;
        let log = tx.evidence_log();
        log.append_event(&Event::agreement_accepted(&recipient, &given, None))?;
        log.append_event(&Event::comment_added(&comment))
    });
    assert_eq!(disclosures(fixture, &share), ["agreement"]);
    let late = fixture.read(|tx| tx.recipients().registration(recipient.id));
    let late = late.unwrap().progress.acceptance.unwrap();
    assert_ne!(late.nda_sha256, given.nda_sha256);
    assert_eq!(late.origin, None);
    let comment = fixture.read(|tx| tx.comments().comment(comment.id));
    assert_eq!(comment.unwrap().author.as_str(), ERASED_NAME);
}

fn an_erased_creator_leaves_no_agreement_and_no_content_facts(fixture: &Fixture) {
    let (share, recipient) = scene(fixture);
    let idea = share.idea;
    let deleted = Event::creator_erased(idea, at(9));
    fixture.write(|tx| {
        tx.evidence_log().append_event(&deleted)?;
        tx.erasures().erase_creator(idea)
    });
    let kept = stored(fixture, &recipient);
    assert_eq!(kept.name, recipient.name);
    assert_eq!(kept.agreement.sharer.as_str(), ERASED_NAME);
    let agreement_only = Erasure {
        person_at: None,
        agreement: true,
    };
    assert_eq!(kept.erasure, agreement_only);
    assert_eq!(kept.agreement.idea_title.as_str(), "");
    // The proofs of others stay.
    let names = disclosures(fixture, &share);
    assert!(names.contains(&"terms".to_owned()), "{names:?}");
    assert!(!names.contains(&"content".to_owned()), "{names:?}");
}

fn with_its_creator_goes_what_was_kept_of_an_erased_reader(fixture: &Fixture) {
    goes_with_its_creator(fixture, true);
}

fn with_its_creator_goes_the_title_that_an_erased_reader_saw(fixture: &Fixture) {
    goes_with_its_creator(fixture, false);
}

fn goes_with_its_creator(fixture: &Fixture, keep: bool) {
    let (share, recipient) = scene(fixture);
    erase(fixture, &share, &recipient, keep);
    let event = Event::creator_erased(share.idea, at(10));
    fixture.write(|tx| {
        tx.evidence_log().append_event(&event)?;
        tx.erasures().erase_creator(share.idea)
    });
    let erased = stored(fixture, &recipient);
    assert_eq!(erased.agreement.idea_title.as_str(), "");
    assert_eq!(erased.agreement.recipient.as_str(), ERASED_NAME);
    assert!(erased.erasure.agreement);
    let found = fixture.read(|tx| tx.recipients().registration(recipient.id));
    let acceptance = found.unwrap().progress.acceptance.unwrap();
    assert_eq!(acceptance.nda_sha256, Digest::of(b""));
    let names = disclosures(fixture, &share);
    assert!(!names.contains(&"terms".to_owned()), "{names:?}");
}

fn mails_to_readers_go_with_the_account(fixture: &Fixture) {
    let (share, recipient) = scene(fixture);
    for reader in [Some(recipient.id), None] {
        let mail = QueuedMail {
            id: MailId::from_random(bytes()),
            mail: hello(),
            queued_at: at(7),
            expires_at: at(100),
            first_attempt_at: at(7),
            reader,
        };
        fixture.write(|tx| tx.outbox().queue_mail(&mail));
    }
    let owner = fixture.read(|tx| tx.ideas().idea_owner(share.idea));
    let owner = owner.unwrap().owner;
    let waiting = || fixture.read(|tx| tx.outbox().waiting_mails()).count;
    fixture.write(|tx| {
        tx.erasures()
            .drop_mails_of_account(UserId::from_random([77; 16]))
    });
    assert_eq!(waiting(), 2);
    fixture.write(|tx| tx.erasures().drop_mails_of_account(owner));
    assert_eq!(waiting(), 1);
}
