//! Fuzzes the union of contents: accepted contents are read back as they were written.
#![no_main]

use ideavault_domain::content::Content;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(json) = serde_json::from_slice(data) else {
        return;
    };
    let Ok(content) = Content::from_json(json) else {
        return;
    };
    let again = Content::from_json(content.to_json());
    assert_eq!(again.as_ref(), Ok(&content), "accepted once and not again");
    let stored = Content::from_stored(content.kind(), content.to_stored());
    assert_eq!(
        stored.as_ref(),
        Ok(&content),
        "stored, and not the same any more"
    );
    assert_eq!(again.map(|again| again.digest()), Ok(content.digest()));
    let _ = content.files();
});
