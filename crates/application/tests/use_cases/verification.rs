use std::sync::Arc;

use ideavault_application::verification::{Defect, Verification, Verified};
use ideavault_domain::digest::Digest;
use ideavault_domain::file::{MediaType, StoredFile};
use ideavault_domain::idea::Draft;
use ideavault_domain::ports::NewIdea;

use crate::storage::MockStorage;
use crate::support::{at, draft, file};
use crate::vault::Vault;

const PDF: &[u8] = b"%PDF-1.7";

/// Adds a PDF, and the idea that was made of a PDF with that digest.
fn add_pdf(vault: &Vault, of: Digest) {
    let owner = vault.add_user().id;
    let pdf = StoredFile {
        size: PDF.len() as u64,
        sha256: Digest::of(PDF),
        ..file(owner, MediaType::Pdf, at(0))
    };
    let imported = StoredFile {
        sha256: of,
        ..pdf.clone()
    };
    let new = NewIdea {
        owner,
        draft: Draft::of_pdf(draft("").title, &imported),
        created_at: at(0),
        key: None,
    };
    vault.write(|tx| {
        tx.files().add_file(&pdf)?;
        tx.ideas().add_idea(&new)
    });
}

fn verify(vault: &Arc<Vault>, bytes: &'static [u8]) -> Verified {
    let mut storage = MockStorage::new();
    let opened = storage
        .expect_open()
        .withf(|file, part| *part == (0..file.size));
    opened.returning(move |_, _| Ok(Box::new(bytes)));
    Verification::new(Arc::clone(vault), Arc::new(storage))
        .verify()
        .unwrap()
}

#[test]
fn unchanged_content_is_counted_and_a_changed_file_is_found() {
    let vault = Vault::new();
    let idea = vault.add_draft();
    add_pdf(&vault, Digest::of(PDF));
    assert!(vault.write(|tx| tx.ideas().add_revision(&idea, &draft("<p>2</p>"), at(2))));
    let verified = verify(&vault, PDF);
    assert!(verified.defects.is_empty(), "{:?}", verified.defects);
    assert_eq!(
        (verified.ideas, verified.revisions, verified.files),
        (2, 3, 1)
    );
    let changed = verify(&vault, b"%PDF-1.8");
    assert!(matches!(changed.defects[..], [Defect::File(_)]));
    assert_eq!((changed.revisions, changed.files), (3, 0));
}

#[test]
fn changed_or_missing_content_is_detected_and_the_rest_verified() {
    let vault = Vault::new();
    let [missing, moved, intact] = [(); 3].map(|()| vault.add_draft().id);
    add_pdf(&vault, Digest::of(b"another"));
    vault
        .sql(&format!(
            "DROP TRIGGER idea_revisions_update; \
             UPDATE idea_revisions SET content = NULL WHERE idea_id = {missing}; \
             UPDATE idea_revisions SET content = \
             (SELECT content FROM idea_revisions WHERE idea_id = {intact}) WHERE idea_id = {moved}",
        ))
        .unwrap();
    let found = verify(&vault, PDF);
    match &found.defects[..] {
        [
            Defect::Revision { idea, number: 1 },
            Defect::Idea { id, .. },
            Defect::Revision { number: 1, .. },
        ] => assert_eq!((*idea, *id), (missing, moved)),
        other => panic!("{other:?}"),
    }
    assert_eq!((found.ideas, found.revisions, found.files), (3, 1, 1));
}
