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
        tx.expect_ideas_after().returning(|after, _| {
            let first = after.is_none().then(draft_idea);
            Ok(first.into_iter().collect())
        });
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
        tx.expect_files_after().returning(|after, _| {
            let first = after.is_none().then(|| stored_file(MediaType::Pdf));
            Ok(first.into_iter().collect())
        });
    };
    MockDatabase::new(reads, |_| {})
}

fn verify(
    database: Arc<MockDatabase>,
    bytes: &'static [u8],
) -> Result<Verified, VerificationError> {
    let mut storage = MockStorage::new();
    storage
        .expect_open()
        .withf(|file, part| *part == (0..file.size))
        .returning(move |_, _| Ok(Box::new(bytes)));
    Verification::new(database, Arc::new(storage)).verify()
}

fn html(text: &str) -> Option<Content> {
    Some(Content::Html(text.into()))
}

#[test]
fn unchanged_content_is_counted() {
    let database = holding(html("<p>1</p>"), Digest::of(b"<p>1</p>"));
    let verified = verify(database, b"%PDF-1.7").unwrap();
    let expected = Verified {
        ideas: 1,
        revisions: 1,
        files: 1,
        ..Verified::default()
    };
    assert_eq!(verified, expected);
}

#[test]
fn a_pdf_is_compared_by_its_file() {
    let pdf = Draft::of_pdf(draft_idea().title, &stored_file(MediaType::Pdf));
    let database = holding(Some(pdf.content.clone()), pdf.sha256);
    assert!(verify(database, b"%PDF-1.7").is_ok());
    let database = holding(Some(pdf.content), Digest::of(b"another"));
    let refused = verify(database, b"%PDF-1.7");
    assert!(matches!(refused, Err(VerificationError::Revision { .. })));
}

#[test]
fn changed_or_missing_content_is_detected() {
    for said in [html("<p>2</p>"), None] {
        let refused = verify(holding(said, Digest::of(b"<p>1</p>")), b"%PDF-1.7");
        assert!(matches!(
            refused,
            Err(VerificationError::Revision { number: 3, .. })
        ));
    }
}

#[test]
fn a_changed_file_is_detected() {
    let database = holding(html("<p>1</p>"), Digest::of(b"<p>1</p>"));
    let refused = verify(database, b"%PDF-1.8");
    assert!(matches!(refused, Err(VerificationError::File(_))));
}
