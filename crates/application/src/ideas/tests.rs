use mockall::mock;
use serde_json::json;

use super::*;
use crate::testing::{
    MockSession, MockStore, Nines, StoppedClock, at, draft_idea, owner, published_idea, stranger,
};

mock! {
    Sanitizer {}

    impl HtmlSanitizer for Sanitizer {
        fn sanitize(&self, html: &str) -> String;
    }
}

fn ideas(
    reads: impl FnOnce(&mut MockSession),
    writes: impl FnOnce(&mut MockSession),
) -> Ideas<MockStore> {
    let mut sanitizer = MockSanitizer::new();
    sanitizer
        .expect_sanitize()
        .returning(|html| html.replace("<script>", ""));
    Ideas::new(
        MockStore::new(reads, writes),
        Arc::new(StoppedClock),
        Arc::new(Nines),
        Arc::new(sanitizer),
    )
}

fn finds(idea: Idea) -> impl FnOnce(&mut MockSession) {
    move |session| {
        session
            .expect_idea()
            .returning(move |_| Ok(Some(idea.clone())));
    }
}

#[test]
fn what_is_not_yours_looks_absent() {
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
                .returning(|_| Ok(draft_idea()));
        },
    );
    ideas
        .create(owner(), "Kettle", json!("<script><p>Hi</p>"))
        .unwrap();
}

#[test]
fn a_published_idea_takes_no_edit_and_no_deletion() {
    let update = ideas(|_| {}, finds(published_idea())).update(
        owner(),
        7.into(),
        "New",
        json!("<p>New</p>"),
    );
    assert!(matches!(update, Err(IdeaError::Published)));
    let delete = ideas(|_| {}, finds(published_idea())).delete(owner(), 7.into());
    assert!(matches!(delete, Err(IdeaError::Published)));
}

#[test]
fn publishing_again_answers_the_same_and_writes_nothing() {
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
    let published = ideas.publish(owner(), 7.into()).unwrap();
    assert_eq!(published.idea, published_idea());
}

#[test]
fn a_publication_that_lost_a_race_answers_the_one_that_won() {
    let ideas = ideas(
        |_| {},
        |writes| {
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
    let published = ideas.publish(owner(), 7.into()).unwrap();
    assert_eq!(published.idea, published_idea());
}

#[test]
fn a_save_that_lost_a_race_is_a_conflict() {
    let ideas = ideas(
        |_| {},
        |writes| {
            finds(draft_idea())(writes);
            writes.expect_add_revision().returning(|_, _, _| Ok(false));
        },
    );
    let error = ideas
        .update(owner(), 7.into(), "New", json!("<p>New</p>"))
        .unwrap_err();
    assert!(matches!(Failure::from(error), Failure::Conflict(_)));
}

#[test]
fn a_pdf_path_cannot_be_invented_or_changed() {
    let pdf = |path: &str| json!({"type": "pdf", "fileName": "a.pdf", "pdfPath": path});
    for path in ["/etc/passwd", "https://evil.test/a.pdf", "/api/files/x"] {
        let error = ideas(|_| {}, |_| {})
            .create(owner(), "Kettle", pdf(path))
            .unwrap_err();
        assert!(matches!(error, IdeaError::Invalid(_)), "{path}");
    }
    let stored = Content::from_json(pdf("/api/files/1")).unwrap();
    let ideas = ideas(
        |_| {},
        |writes| {
            finds(draft_idea())(writes);
            writes
                .expect_revision_content()
                .returning(move |_, _| Ok(Some(stored.clone())));
            writes.expect_add_revision().returning(|_, _, _| Ok(true));
        },
    );
    assert!(
        ideas
            .update(owner(), 7.into(), "T", pdf("/api/files/1"))
            .is_ok()
    );
    assert!(matches!(
        ideas.update(owner(), 7.into(), "T", pdf("/api/files/2")),
        Err(IdeaError::Invalid(_))
    ));
}
