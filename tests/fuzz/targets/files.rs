//! Fuzzes files: the PDF check, and the decoding of images.
#![no_main]

use ideavault_content::{ImageReencoder, PdfPageChecker};
use ideavault_domain::file::{MediaType, PDF_LIMIT_DEFAULT, check_pdf};
use ideavault_domain::ports::{ImageCleaner as _, PdfChecker as _};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let declared = if data.len() % 2 == 0 {
        "application/pdf"
    } else {
        "text/html"
    };
    let head = data.get(..5).unwrap_or(data);
    let is_pdf = check_pdf(PDF_LIMIT_DEFAULT, declared, data.len() as u64, head).is_ok();
    assert_eq!(
        is_pdf,
        declared == "application/pdf" && data.starts_with(b"%PDF-")
    );

    // Any result is fine, as long as the check ends.
    let _ = PdfPageChecker.check(data);

    if let Ok(image) = ImageReencoder.clean(data) {
        let again = ImageReencoder.clean(&image.bytes);
        let again = again.expect("what we wrote ourselves is an image");
        assert_eq!(again.media_type, image.media_type);
        if image.media_type == MediaType::Png {
            assert_eq!(again.bytes, image.bytes, "a PNG loses nothing");
        }
    }
});
