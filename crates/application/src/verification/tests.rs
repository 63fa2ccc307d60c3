use ideavault_domain::content::ContentKind;
use ideavault_domain::file::MediaType;
use ideavault_domain::idea::Draft;
use ideavault_domain::page::Cursor;

use super::*;
use crate::testing::{MockDatabase, MockStorage, MockTransaction, at, draft_idea, stored_file};

fn revision(number: i32, sha256: Digest) -> Revision {
    Revision {
        number,
        title: draft_idea().title,
        content_kind: ContentKind::Html,
        sha256,
        created_at: at(-50),
        is_kept: true,
    }
}

/// A database with one idea of one revision, and one file.
fn holding(said: Option<Content>, recorded: Digest) -> Arc<MockDatabase> {
    let reads = move |tx: &mut MockTransaction| {
        tx.expect_idea_ids_after().returning(|after, _| {
            let first = after.is_none().then(|| draft_idea().id);
            Ok(first.into_iter().collect())
        });
        tx.expect_inspected_idea()
            .returning(|_| Ok(Some(draft_idea())));
        tx.expect_shares_of().returning(|_| Ok(Vec::new()));
        tx.expect_left_out().returning(Vec::new);
        tx.expect_revisions_of().returning(move |_, paging| {
            // The current revision is on the second page.
            let erased = |number| Revision {
                is_kept: false,
                ..revision(number, recorded)
            };
            let rows: Vec<_> = match paging.after {
                None => (4..=204).rev().map(erased).collect(),
                Some(_) => vec![revision(3, recorded)],
            };
            let rows = rows.into_iter().map(|revision| {
                let row = i64::from(revision.number);
                (
                    Cursor {
                        row,
                        ..Cursor::NEWEST
                    },
                    revision,
                )
            });
            Ok(Page::new(rows.collect(), paging.size))
        });
        tx.expect_revision_content()
            .returning(move |_, _| Ok(said.clone()));
        tx.expect_comments_on()
            .returning(|_, _, _| Ok(Page::default()));
        tx.expect_activity_of()
            .returning(|_, _| Ok(Page::default()));
        tx.expect_file()
            .returning(|_| Ok(Some(stored_file(MediaType::Pdf))));
        tx.expect_file_ids_after().returning(|after, _| {
            let first = after.is_none().then(|| stored_file(MediaType::Pdf).id);
            Ok(first.into_iter().collect())
        });
    };
    MockDatabase::new(reads, |_| {})
}

fn verify(database: Arc<MockDatabase>, bytes: &'static [u8]) -> Verified {
    let mut storage = MockStorage::new();
    storage
        .expect_open()
        .withf(|file, part| *part == (0..file.size))
        .returning(move |_, _| Ok(Box::new(bytes)));
    Verification::new(database, Arc::new(storage))
        .verify()
        .unwrap()
}

fn html(text: &str) -> Option<Content> {
    Some(Content::Html(text.into()))
}

#[test]
fn unchanged_content_is_counted() {
    let database = holding(html("<p>1</p>"), Digest::of(b"<p>1</p>"));
    let verified = verify(database, b"%PDF-1.7");
    let counts = (verified.ideas, verified.revisions, verified.files);
    assert_eq!(counts, (1, 1, 1));
    assert!(verified.defects.is_empty());
}

#[test]
fn a_pdf_is_compared_by_its_file() {
    let pdf = Draft::of_pdf(draft_idea().title, &stored_file(MediaType::Pdf));
    let database = holding(Some(pdf.content.clone()), pdf.sha256);
    assert!(verify(database, b"%PDF-1.7").defects.is_empty());
    let database = holding(Some(pdf.content), Digest::of(b"another"));
    let found = verify(database, b"%PDF-1.7").defects;
    assert!(matches!(found[..], [Defect::Revision { .. }]));
}

#[test]
fn changed_or_missing_content_is_detected_and_the_rest_verified() {
    for said in [html("<p>2</p>"), None] {
        let found = verify(holding(said, Digest::of(b"<p>1</p>")), b"%PDF-1.7");
        let defects = &found.defects[..];
        assert!(matches!(defects, [Defect::Revision { number: 3, .. }]));
        assert_eq!((found.ideas, found.revisions, found.files), (1, 0, 1));
    }
}

#[test]
fn a_changed_file_is_detected() {
    let database = holding(html("<p>1</p>"), Digest::of(b"<p>1</p>"));
    let found = verify(database, b"%PDF-1.8");
    assert!(matches!(found.defects[..], [Defect::File(_)]));
    assert_eq!((found.revisions, found.files), (1, 0));
}
