use std::sync::Mutex;

use ideavault_domain::content::Content;
use ideavault_domain::digest::Digest;
use ideavault_domain::keys::WrappedKey;
use ideavault_domain::ports::CleanImage;
use mockall::mock;

use super::*;
use crate::testing::{
    MockDatabase, MockStorage, MockTransaction, at, deps, draft_idea, has_idea, owner, stranger,
};

mock! {
    Images {}

    impl ImageCleaner for Images {
        fn clean(&self, file: &[u8]) -> Result<CleanImage, ImageRefused>;
    }
}

mock! {
    Pdfs {}

    impl PdfChecker for Pdfs {
        fn check(&self, file: &[u8]) -> Result<(), PdfRefused>;
    }
}

const PDF: &[u8] = b"%PDF-1.7 and what a PDF says";

fn the_id() -> FileId {
    FileId::from_random([9; 16])
}

fn uploads(
    reads: impl FnOnce(&mut MockTransaction),
    writes: impl FnOnce(&mut MockTransaction),
    storage: MockStorage,
    images: MockImages,
) -> Uploads<MockDatabase> {
    Uploads::new(
        deps(MockDatabase::new(reads, writes)),
        Arc::new(storage),
        Arc::new(images),
        Quotas::default(),
        Arc::new(pdfs()),
    )
}

/// Refuses a file whose own text asks for it.
fn pdfs() -> MockPdfs {
    let mut pdfs = MockPdfs::new();
    pdfs.expect_check().returning(|file| match file {
        b"%PDF-damaged" => Err(PdfRefused::Damaged),
        b"%PDF-protected" => Err(PdfRefused::Protected),
        _ => Ok(()),
    });
    pdfs
}

#[test]
fn an_unreadable_pdf_is_not_stored() {
    for (content, told) in [
        (b"%PDF-damaged".as_slice(), "This PDF is damaged"),
        (b"%PDF-protected", "This PDF is protected with a password"),
    ] {
        let mut content = content;
        let uploads = uploads(|_| {}, |_| {}, MockStorage::new(), MockImages::new());
        let refused = uploads.import_pdf(
            owner(),
            "",
            upload("a.pdf", "application/pdf", &mut content),
            None,
        );
        let Err(UploadError::Refused(UploadRefused::Invalid(invalid))) = refused else {
            panic!("accepted, or refused for another reason");
        };
        assert_eq!(invalid.field, "file");
        assert!(invalid.message.starts_with(told), "{}", invalid.message);
    }
}

/// A storage that accepts one file, and the bytes it received.
fn taking() -> (MockStorage, Arc<Mutex<Vec<u8>>>) {
    let mut storage = MockStorage::new();
    let taken = Arc::new(Mutex::new(Vec::new()));
    let into = Arc::clone(&taken);
    storage
        .expect_put()
        .withf(|id, _| *id == the_id())
        .times(1)
        .returning(move |_, content| {
            content.read_to_end(&mut into.lock().unwrap()).unwrap();
            Ok(WrappedKey::from_stored(vec![7]))
        });
    (storage, taken)
}

fn upload<'a>(name: &'a str, media_type: &'a str, content: &'a mut &'static [u8]) -> Upload<'a> {
    Upload {
        name,
        media_type,
        size: content.len() as u64,
        content,
    }
}

/// An image cleaner that cleans one image.
fn cleaning(media_type: MediaType) -> MockImages {
    let mut images = MockImages::new();
    images.expect_clean().times(1).returning(move |_| {
        Ok(CleanImage {
            media_type,
            bytes: b"only pixels".to_vec(),
        })
    });
    images
}

#[test]
fn a_pdf_becomes_a_draft_with_the_digest_of_its_bytes() {
    let (storage, taken) = taking();
    let writes = |tx: &mut MockTransaction| {
        tx.expect_add_file()
            .withf(|file| {
                file.id == the_id()
                    && file.owner == owner()
                    && file.media_type == MediaType::Pdf
                    && file.name.as_str() == "Kettle.pdf"
                    && file.size == PDF.len() as u64
                    && file.sha256 == Digest::of(PDF)
                    && file.created_at == at(0)
            })
            .times(1)
            .returning(|_| Ok(()));
        tx.expect_add_idea()
            .withf(|new| {
                new.draft.title.as_str() == "Kettle" && new.draft.sha256 == Digest::of(PDF)
            })
            .times(1)
            .returning(|_| Ok(Some(draft_idea())));
    };
    let uploads = uploads(|_| {}, writes, storage, MockImages::new());
    let imported = uploads
        .import_pdf(
            owner(),
            " ",
            upload("C:\\plans\\Kettle.pdf", "application/pdf", &mut &*PDF),
            None,
        )
        .unwrap();
    assert_eq!(*taken.lock().unwrap(), PDF);
    let expected = Content::Pdf {
        file_name: "Kettle.pdf".into(),
        pdf_path: format!("/api/files/{}", the_id()),
    };
    assert_eq!(imported.content, expected);
}

#[test]
fn a_file_that_is_not_a_pdf_is_not_stored() {
    for (media_type, content) in [
        ("text/html", PDF),
        ("application/pdf", b"<html>"),
        ("application/pdf", b"\n%PDF-1.7"),
        ("application/pdf", b""),
    ] {
        let uploads = uploads(|_| {}, |_| {}, MockStorage::new(), MockImages::new());
        let refused = uploads.import_pdf(
            owner(),
            "",
            upload("a.pdf", media_type, &mut &*content),
            None,
        );
        let failure = Failure::from(refused.unwrap_err());
        assert!(matches!(failure, Failure::Invalid(invalid) if invalid.field == "file"));
    }
}

#[test]
fn a_pdf_over_the_limit_is_too_large() {
    let uploads = uploads(|_| {}, |_| {}, MockStorage::new(), MockImages::new());
    let mut content = PDF;
    let upload = Upload {
        size: 10_485_761,
        ..upload("a.pdf", "application/pdf", &mut content)
    };
    let failure = Failure::from(uploads.import_pdf(owner(), "", upload, None).unwrap_err());
    assert!(
        matches!(failure, Failure::TooLarge(message) if message == "PDF files must be less than 10MB")
    );
}

#[test]
fn a_file_whose_row_was_not_written_is_discarded() {
    let (mut storage, _) = taking();
    storage
        .expect_discard()
        .withf(|id| *id == the_id())
        .times(1)
        .returning(|_| ());
    let writes = |tx: &mut MockTransaction| {
        tx.expect_add_file().returning(|_| {
            Err(DatabaseError::Unavailable {
                operation: "add a file",
                source: "down".into(),
            })
        });
    };
    let uploads = uploads(|_| {}, writes, storage, MockImages::new());
    let failed = uploads.import_pdf(
        owner(),
        "",
        upload("a.pdf", "application/pdf", &mut &*PDF),
        None,
    );
    assert!(matches!(failed, Err(UploadError::Database(_))));
}

/// A database whose answer to COMMIT is lost.
struct LosingCommits(Arc<MockDatabase>);

impl Database for LosingCommits {
    fn read<T, E: From<DatabaseError>>(
        &self,
        work: impl FnMut(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        self.0.read(work)
    }

    fn read_one<T, E: From<DatabaseError>>(
        &self,
        work: impl FnMut(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        self.0.read_one(work)
    }

    fn write<T, E: From<DatabaseError>>(
        &self,
        work: impl FnMut(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        self.0.write(work)?;
        Err(E::from(DatabaseError::Unavailable {
            operation: "commit",
            source: "down".into(),
        }))
    }
}

#[test]
fn a_file_whose_row_may_have_been_committed_is_kept() {
    let (storage, taken) = taking();
    let writes = |tx: &mut MockTransaction| {
        tx.expect_add_file().times(1).returning(|_| Ok(()));
        tx.expect_add_idea()
            .times(1)
            .returning(|_| Ok(Some(draft_idea())));
    };
    let uploads = Uploads::new(
        deps(Arc::new(LosingCommits(MockDatabase::new(|_| {}, writes)))),
        Arc::new(storage),
        Arc::new(MockImages::new()),
        Quotas::default(),
        Arc::new(pdfs()),
    );
    let lost = uploads.import_pdf(
        owner(),
        "",
        upload("a.pdf", "application/pdf", &mut &*PDF),
        None,
    );
    assert!(matches!(lost, Err(UploadError::Database(_))));
    assert_eq!(*taken.lock().unwrap(), PDF);
}

#[test]
fn only_the_cleaned_image_is_stored_with_a_matching_file_name() {
    let (storage, taken) = taking();
    let writes = |tx: &mut MockTransaction| {
        tx.expect_add_file()
            .withf(|file| {
                file.media_type == MediaType::Png
                    && file.name.as_str() == "Fox.png"
                    && file.sha256 == Digest::of(b"only pixels")
            })
            .times(1)
            .returning(|_| Ok(()));
    };
    let uploads = uploads(|_| {}, writes, storage, cleaning(MediaType::Png));
    uploads
        .add_image(
            owner(),
            None,
            upload("Fox.gif", "image/gif", &mut &b"GIF89a and a script"[..]),
            None,
        )
        .unwrap();
    assert_eq!(*taken.lock().unwrap(), b"only pixels");
}

#[test]
fn an_image_for_an_idea_of_another_owner_is_not_decoded() {
    let reads = |tx: &mut MockTransaction| {
        has_idea(tx, draft_idea());
    };
    let uploads = uploads(reads, |_| {}, MockStorage::new(), MockImages::new());
    let refused = uploads.add_image(
        stranger(),
        Some(7.into()),
        upload("a.png", "image/png", &mut &b"png"[..]),
        None,
    );
    assert!(matches!(
        Failure::from(refused.unwrap_err()),
        Failure::NotFound
    ));
}

#[test]
fn a_refused_image_reports_the_reason() {
    for (refused, says) in [
        (ImageRefused::Format, "PNG, JPEG, GIF or WebP"),
        (ImageRefused::TooManyPixels, "40 megapixels"),
        (ImageRefused::TooDetailed, "too large"),
        (ImageRefused::Damaged("x".into()), "damaged"),
    ] {
        let failure = Failure::from(refused_image(refused));
        assert!(
            matches!(&failure, Failure::Invalid(invalid)
                if invalid.field == "image" && invalid.message.contains(says)),
            "{failure:?}"
        );
    }
}

#[test]
fn an_image_over_the_limit_is_too_large() {
    let uploads = uploads(|_| {}, |_| {}, MockStorage::new(), MockImages::new());
    let mut content = PDF;
    let upload = Upload {
        size: 5 * 1024 * 1024 + 1,
        ..upload("a.png", "image/png", &mut content)
    };
    let failure = Failure::from(uploads.add_image(owner(), None, upload, None).unwrap_err());
    assert!(matches!(failure, Failure::TooLarge(_)));
}

#[test]
fn a_new_photo_is_recorded_by_its_path() {
    let (storage, _) = taking();
    let photo = format!("/api/files/{}", the_id());
    let writes = move |tx: &mut MockTransaction| {
        tx.expect_add_file().times(1).returning(|_| Ok(()));
        tx.expect_set_profile_image()
            .withf(move |user, path| *user == owner() && path == photo)
            .times(1)
            .returning(|_, _| Ok(true));
        tx.expect_user().returning(|_| Ok(None));
    };
    let mut storage = storage;
    storage.expect_discard().times(1).returning(|_| ());
    let uploads = uploads(|_| {}, writes, storage, cleaning(MediaType::Jpeg));
    let gone = uploads.set_profile_image(
        owner(),
        upload("a.jpg", "image/jpeg", &mut &b"jpeg"[..]),
        None,
    );
    assert!(matches!(gone, Err(UploadError::NoSuchUser)));
}

#[test]
fn an_image_that_is_sent_again_is_discarded() {
    let (mut storage, _) = taking();
    storage
        .expect_discard()
        .withf(|id| *id == the_id())
        .times(1)
        .returning(|_| ());
    let writes = |tx: &mut MockTransaction| {
        tx.expect_add_file_of_request().returning(|_, _| Ok(false));
    };
    let reads = |tx: &mut MockTransaction| {
        tx.expect_file_of_request().returning(|_, _| Ok(None));
    };
    let uploads = uploads(reads, writes, storage, cleaning(MediaType::Png));
    let key = IdempotencyKey::parse("one").unwrap();
    let refused = uploads.add_image(
        owner(),
        None,
        upload("a.png", "image/png", &mut &b"png"[..]),
        Some(&key),
    );
    // The first one was deleted meanwhile.
    assert!(matches!(refused, Err(UploadError::UploadedBefore)));
}
