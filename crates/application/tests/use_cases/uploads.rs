use std::io::Read as _;
use std::sync::Arc;

use ideavault_application::uploads::{Upload, UploadError, Uploads};
use ideavault_domain::account::User;
use ideavault_domain::content::Content;
use ideavault_domain::digest::Digest;
use ideavault_domain::file::{MediaType, UploadLimit, key_aad};
use ideavault_domain::idempotency::IdempotencyKey;
use ideavault_domain::ports::{CleanImage, ImageCleaner, ImageRefused, PdfChecker, PdfRefused};
use ideavault_domain::quota::Quotas;

use crate::storage::MockStorage;
use crate::support::encryption;
use crate::vault::{Disturbance, Vault, failure, invalid, now};

const PDF: &[u8] = b"%PDF-1.7 and what a PDF says";
/// The limit that the operator has set.
const PDF_MAX: u64 = 11_000_000;

/// Refuses files whose own text asks for it, and keeps only the pixels of images.
struct Checked;

impl PdfChecker for Checked {
    fn check(&self, file: &[u8]) -> Result<(), PdfRefused> {
        match file {
            b"%PDF-damaged" => Err(PdfRefused::Damaged),
            b"%PDF-protected" => Err(PdfRefused::Protected),
            _ => Ok(()),
        }
    }
}

impl ImageCleaner for Checked {
    fn clean(&self, file: &[u8]) -> Result<CleanImage, ImageRefused> {
        match file {
            b"pixels and a script" => Ok(CleanImage {
                media_type: MediaType::Png,
                bytes: b"pixels".to_vec(),
            }),
            b"detailed" => Err(ImageRefused::TooDetailed),
            b"large" => Err(ImageRefused::TooManyPixels),
            b"damaged" => Err(ImageRefused::Damaged("x".into())),
            _ => Err(ImageRefused::Format),
        }
    }
}

fn uploads(vault: &Arc<Vault>, storage: MockStorage) -> Uploads<Vault> {
    let checked = || Arc::new(Checked);
    let quotas = Quotas::default();
    Uploads::new(
        vault.deps(),
        Arc::new(storage),
        checked(),
        quotas,
        checked(),
        UploadLimit::of_pdfs(PDF_MAX),
    )
}

/// A storage that keeps that many files with this content, and discards as many again.
fn keeping(kept: usize, discarded: usize, content: &'static [u8]) -> MockStorage {
    let mut storage = MockStorage::new();
    storage
        .expect_put()
        .times(kept + discarded)
        .returning(move |id, given| {
            let mut bytes = Vec::new();
            given.read_to_end(&mut bytes).unwrap();
            assert_eq!(bytes, content);
            let encryption = encryption();
            let key = encryption.new_key().unwrap();
            Ok(encryption.wrap(&key_aad(id), &key).unwrap())
        });
    storage.expect_discard().times(discarded).returning(|_| ());
    storage
}

fn upload<'a>(name: &'a str, media_type: &'a str, content: &'a mut &'static [u8]) -> Upload<'a> {
    Upload {
        name,
        media_type,
        size: content.len() as u64,
        content,
    }
}

fn import(uploads: &Uploads<Vault>, user: &User) -> Result<(), UploadError> {
    let content = &mut &*PDF;
    let upload = upload("a.pdf", "application/pdf", content);
    uploads.import_pdf(user.id, "", upload, None).map(drop)
}

#[test]
fn a_pdf_becomes_a_draft_with_the_digest_of_its_bytes() {
    let vault = Vault::new();
    let user = vault.add_user();
    let content = &mut &*PDF;
    let upload = upload("C:\\plans\\Kettle.pdf", "application/pdf", content);
    let imported = uploads(&vault, keeping(1, 0, PDF)).import_pdf(user.id, " ", upload, None);
    let imported = imported.unwrap();
    assert_eq!(imported.idea.title.as_str(), "Kettle");
    assert_eq!(imported.idea.sha256, Digest::of(PDF));
    let pdf = vault
        .read(|tx| tx.files().pdf_of(imported.idea.id))
        .unwrap();
    let file = vault.read(|tx| tx.files().file(pdf)).unwrap();
    assert_eq!(
        (file.media_type, file.name.as_str()),
        (MediaType::Pdf, "Kettle.pdf")
    );
    assert_eq!((file.size, file.created_at), (PDF.len() as u64, now()));
    let expected = Content::Pdf {
        file_name: "Kettle.pdf".into(),
        pdf_path: file.path(),
    };
    assert_eq!(imported.content, expected);
}

#[test]
fn a_refused_file_is_not_stored() {
    let vault = Vault::new();
    let user = vault.add_user();
    let uploads = uploads(&vault, MockStorage::new());
    for (media_type, content, told) in [
        (
            "application/pdf",
            b"%PDF-damaged".as_slice(),
            "This PDF is damaged",
        ),
        (
            "application/pdf",
            b"%PDF-protected",
            "This PDF is protected with a password",
        ),
        ("text/html", PDF, ""),
        ("application/pdf", b"<html>", ""),
        ("application/pdf", b"\n%PDF-1.7", ""),
        ("application/pdf", b"", ""),
    ] {
        let content = &mut &*content;
        let upload = upload("a.pdf", media_type, content);
        let refused = invalid(uploads.import_pdf(user.id, "", upload, None).map(drop));
        assert_eq!(refused.field, "file");
        assert!(refused.message.starts_with(told), "{}", refused.message);
    }
    for (content, told) in [
        (b"detailed".as_slice(), "too large"),
        (b"large", "40 megapixels"),
        (b"damaged", "damaged"),
        (b"GIF", "PNG, JPEG, GIF or WebP"),
    ] {
        let content = &mut &*content;
        let upload = upload("a.png", "image/png", content);
        let refused = invalid(uploads.add_image(user.id, None, upload, None));
        assert_eq!(refused.field, "image");
        assert!(refused.message.contains(told), "{}", refused.message);
    }
}

#[test]
fn a_file_whose_row_was_not_written_is_discarded() {
    let vault = Vault::new();
    let user = vault.add_user();
    let uploads = uploads(&vault, keeping(1, 1, PDF));
    vault.disturb(Disturbance::Full);
    let failed = import(&uploads, &user);
    assert!(matches!(failed, Err(UploadError::Database(_))));
    // One whose row may have been committed is kept.
    vault.disturb(Disturbance::LostCommit);
    let lost = import(&uploads, &user);
    assert!(matches!(lost, Err(UploadError::Database(_))));
    assert_eq!(vault.count("files"), 1);
}

#[test]
fn only_the_cleaned_image_is_stored_with_a_matching_file_name() {
    let vault = Vault::new();
    let user = vault.add_user();
    let image: &[u8] = b"pixels and a script";
    let uploads = uploads(&vault, keeping(1, 1, b"pixels"));
    let key = IdempotencyKey::parse("one").unwrap();
    let [first, again] = [(); 2].map(|()| {
        let image = &mut &*image;
        let upload = upload("Fox.gif", "image/gif", image);
        uploads
            .add_image(user.id, None, upload, Some(&key))
            .unwrap()
    });
    assert_eq!(first.name.as_str(), "Fox.png");
    assert_eq!(first.sha256, Digest::of(b"pixels"));
    // What is sent again is discarded.
    assert_eq!(again, first);
}

#[test]
fn the_photo_of_an_account_that_is_gone_is_discarded() {
    let vault = Vault::new();
    let user = vault.add_user();
    let image: &[u8] = b"pixels and a script";
    let uploads = uploads(&vault, keeping(1, 1, b"pixels"));
    let set = || {
        let image = &mut &*image;
        let upload = upload("a.jpg", "image/jpeg", image);
        uploads.set_profile_image(user.id, upload, None)
    };
    let photo = set().unwrap().profile_image.unwrap();
    assert!(photo.starts_with("/api/files/"), "{photo}");
    vault.disable(&user);
    failure(set());
    assert_eq!(vault.count("files"), 1);
}

#[test]
fn a_pdf_may_be_as_large_as_the_operator_says() {
    for (size, is_refused) in [(PDF_MAX, false), (PDF_MAX + 1, true)] {
        let vault = Vault::new();
        let user = vault.add_user();
        let mut storage = MockStorage::new();
        let put = storage.expect_put().times(usize::from(!is_refused));
        put.returning(move |id, given| {
            assert_eq!(std::io::copy(given, &mut std::io::sink()).unwrap(), size);
            let encryption = encryption();
            let key = encryption.new_key().unwrap();
            Ok(encryption.wrap(&key_aad(id), &key).unwrap())
        });
        let rest = size - PDF.len() as u64;
        let mut content = PDF.chain(std::io::repeat(b' ').take(rest));
        let upload = Upload {
            name: "a.pdf",
            media_type: "application/pdf",
            size,
            content: &mut content,
        };
        match uploads(&vault, storage).import_pdf(user.id, "", upload, None) {
            Ok(_) => assert!(!is_refused),
            Err(error) => assert!(
                is_refused && error.to_string() == "PDF files must be less than 11MB",
                "{error}"
            ),
        }
    }
}
