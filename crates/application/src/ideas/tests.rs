use ideavault_domain::content::ContentKind;
use ideavault_domain::file::MediaType;
use mockall::mock;
use serde_json::json;

use super::*;
use crate::testing::{
    MockDatabase, MockStorage, MockTransaction, at, deps, draft_idea, has_idea, has_owner, origin,
    owner, owner_of, published_idea, records, stored_file, stranger,
};

mod bases;

mock! {
    Sanitizer {}

    impl HtmlSanitizer for Sanitizer {
        fn sanitize(&self, html: &str) -> String;
    }
}

fn ideas(
    reads: impl FnOnce(&mut MockTransaction),
    writes: impl FnOnce(&mut MockTransaction),
) -> Ideas<MockDatabase> {
    ideas_with(reads, writes, MockStorage::new())
}

fn ideas_with(
    reads: impl FnOnce(&mut MockTransaction),
    writes: impl FnOnce(&mut MockTransaction),
    storage: MockStorage,
) -> Ideas<MockDatabase> {
    let mut sanitizer = MockSanitizer::new();
    sanitizer
        .expect_sanitize()
        .returning(|html| html.replace("<script>", ""));
    Ideas::new(
        deps(MockDatabase::new(reads, writes)),
        Arc::new(sanitizer),
        Arc::new(storage),
        Quotas::default(),
    )
}

fn finds(idea: Idea) -> impl FnOnce(&mut MockTransaction) {
    move |tx| has_idea(tx, idea)
}

#[test]
fn ideas_of_others_and_deleted_ideas_are_not_found() {
    let deleted = Idea {
        deleted_at: Some(at(-1)),
        ..draft_idea()
    };
    for (idea, user) in [(draft_idea(), stranger()), (deleted, owner())] {
        let error = ideas(finds(idea), |_| {}).get(user, 7.into()).unwrap_err();
        assert!(matches!(error, IdeaError::NotFound));
    }
}

#[test]
fn html_is_sanitized_before_it_is_stored() {
    let ideas = ideas(
        |_| {},
        |writes| {
            writes
                .expect_add_idea()
                .withf(|new| new.draft.content == Content::Html("<p>Hi</p>".into()))
                .times(1)
                .returning(|_| Ok(Some(draft_idea())));
        },
    );
    ideas
        .create(owner(), "Kettle", json!("<script><p>Hi</p>"), None)
        .unwrap();
}

#[test]
fn a_published_idea_cannot_be_edited_or_deleted() {
    let update = ideas(|_| {}, finds(published_idea())).update(
        owner(),
        7.into(),
        "New",
        json!("<p>New</p>"),
        Some(1),
    );
    assert!(matches!(update, Err(IdeaError::Published)));
    let delete = ideas(|_| {}, finds(published_idea())).delete(owner(), 7.into(), origin());
    assert!(matches!(delete, Err(IdeaError::Published)));
}

#[test]
fn a_draft_deleted_during_a_read_is_not_found() {
    let found = |then: Idea| {
        ideas(
            move |reads| {
                reads.expect_idea().returning(|_| Ok(Some(draft_idea())));
                for owner in [owner_of(&draft_idea()), owner_of(&then)] {
                    reads
                        .expect_idea_owner()
                        .times(1)
                        .return_once(|_| Ok(Some(owner)));
                }
                reads.expect_revision_content().returning(|_, _| Ok(None));
            },
            |_| {},
        )
        .get(owner(), 7.into())
    };
    let deleted = Idea {
        deleted_at: Some(at(0)),
        ..draft_idea()
    };
    assert!(matches!(found(deleted), Err(IdeaError::NotFound)));
    let lost = found(draft_idea());
    assert!(matches!(lost, Err(IdeaError::ContentMissing(_))));
}

#[test]
fn publishing_again_returns_the_same_and_writes_nothing() {
    let ideas = ideas(
        |_| {},
        |writes| {
            finds(published_idea())(writes);
            writes
                .expect_revision_content()
                .returning(|_, _| Ok(Some(Content::Html("<p>Hi</p>".into()))));
            writes.expect_publish_idea().times(0);
        },
    );
    let published = ideas.publish(owner(), 7.into(), None, origin()).unwrap();
    assert_eq!(published.idea, published_idea());
}

#[test]
fn a_publication_that_lost_a_race_returns_the_winning_one() {
    let ideas = ideas(
        |_| {},
        |writes| {
            has_owner(writes, &draft_idea());
            for found in [draft_idea(), published_idea()] {
                writes
                    .expect_idea()
                    .times(1)
                    .return_once(move |_| Ok(Some(found)));
            }
            writes.expect_publish_idea().returning(|_, _| Ok(false));
            writes
                .expect_revision_content()
                .returning(|_, _| Ok(Some(Content::Html("<p>Hi</p>".into()))));
        },
    );
    let published = ideas.publish(owner(), 7.into(), None, origin()).unwrap();
    assert_eq!(published.idea, published_idea());
}

fn says(content: Content) -> impl FnOnce(&mut MockTransaction) {
    move |tx| {
        tx.expect_revision_content()
            .returning(move |_, _| Ok(Some(content.clone())));
    }
}

fn pdf_object(name: &str, path: &str) -> Value {
    json!({"type": "pdf", "fileName": name, "pdfPath": path})
}

/// Has a draft whose content is a PDF.
fn finds_pdf(tx: &mut MockTransaction) {
    let file = stored_file(MediaType::Pdf);
    let draft = Draft::of_pdf(draft_idea().title, &file);
    finds(Idea {
        content_kind: ContentKind::Pdf,
        sha256: draft.sha256,
        ..draft_idea()
    })(tx);
    says(draft.content)(tx);
}

#[test]
fn a_pdf_idea_cannot_be_created_from_a_path() {
    for path in ["/etc/passwd", "https://evil.test/a.pdf", "/api/files/x"] {
        let created =
            ideas(|_| {}, |_| {}).create(owner(), "Kettle", pdf_object("a.pdf", path), None);
        assert!(matches!(created, Err(IdeaError::Invalid(_))), "{path}");
        let update = ideas(
            |_| {},
            |writes| {
                finds(draft_idea())(writes);
                says(Content::Html("<p>Old</p>".into()))(writes);
            },
        )
        .update(owner(), 7.into(), "T", pdf_object("a.pdf", path), None);
        assert!(matches!(update, Err(IdeaError::Invalid(_))), "{path}");
    }
}

#[test]
fn retitling_a_pdf_keeps_its_path_name_and_digest() {
    let file = stored_file(MediaType::Pdf);
    for name in [file.name.as_str(), "other.pdf", "../../etc/passwd"] {
        let kept = Draft::of_pdf(Title::parse("Hurry").unwrap(), &file);
        let expected = kept.clone();
        let ideas = ideas(
            |_| {},
            |writes| {
                finds_pdf(writes);
                writes
                    .expect_add_revision()
                    .withf(move |_, draft, _| *draft == expected)
                    .times(1)
                    .returning(|_, _, _| Ok(true));
            },
        );
        let saved = ideas
            .update(
                owner(),
                7.into(),
                "Hurry",
                pdf_object(name, &file.path()),
                None,
            )
            .unwrap();
        assert_eq!(saved.content, kept.content);
    }
}

#[test]
fn the_content_of_a_pdf_idea_cannot_be_replaced() {
    for content in [
        pdf_object("Kettle.pdf", "/api/files/2"),
        pdf_object("Kettle.pdf", "/etc/passwd"),
        json!("<p>Now text</p>"),
        json!({"elements": []}),
        json!({"old": true}),
    ] {
        let update = ideas(|_| {}, finds_pdf).update(owner(), 7.into(), "T", content.clone(), None);
        assert!(
            matches!(&update, Err(IdeaError::Invalid(invalid)) if invalid.field == "content"),
            "{content}"
        );
    }
}

#[test]
fn deleting_a_draft_deletes_its_pdf() {
    let file = stored_file(MediaType::Pdf).id;
    let mut storage = MockStorage::new();
    storage
        .expect_discard()
        .withf(move |id| *id == file)
        .times(1)
        .returning(|_| ());
    let writes = move |tx: &mut MockTransaction| {
        // Nothing of the idea can be read.
        has_owner(tx, &draft_idea());
        tx.expect_pdf_of().returning(move |_| Ok(Some(file)));
        tx.expect_delete_draft().returning(|_, _| Ok(true));
        tx.expect_drop_mails_of_links_to()
            .withf(|idea| *idea == 7.into())
            .times(1)
            .returning(|_| Ok(()));
        records(tx, AuditKind::DraftDeleted);
        tx.expect_remove_file()
            .withf(move |id| *id == file)
            .times(1)
            .returning(|_| Ok(true));
    };
    ideas_with(|_| {}, writes, storage)
        .delete(owner(), 7.into(), origin())
        .unwrap();
}

#[test]
fn a_failed_deletion_keeps_the_pdf() {
    let writes = |tx: &mut MockTransaction| {
        has_owner(tx, &draft_idea());
        let file = stored_file(MediaType::Pdf).id;
        tx.expect_pdf_of().returning(move |_| Ok(Some(file)));
        tx.expect_delete_draft().returning(|_, _| Ok(false));
    };
    let deleted = ideas(|_| {}, writes).delete(owner(), 7.into(), origin());
    assert!(matches!(deleted, Err(IdeaError::Changed)));
}

#[test]
fn images_of_a_deleted_draft_remain_assets() {
    let writes = |tx: &mut MockTransaction| {
        has_owner(tx, &draft_idea());
        tx.expect_pdf_of().returning(|_| Ok(None));
        tx.expect_delete_draft().returning(|_, _| Ok(true));
        tx.expect_drop_mails_of_links_to()
            .withf(|idea| *idea == 7.into())
            .times(1)
            .returning(|_| Ok(()));
        records(tx, AuditKind::DraftDeleted);
        tx.expect_remove_file().times(0);
    };
    ideas(|_| {}, writes)
        .delete(owner(), 7.into(), origin())
        .unwrap();
}

#[test]
fn only_the_owner_lists_the_revisions_of_an_idea() {
    let history =
        ideas(finds(draft_idea()), |_| {}).revisions(stranger(), 7.into(), Paging::default());
    assert!(matches!(history, Err(IdeaError::NotFound)));
}
