//! Fuzzes typed texts, links and cookies: a text is rejected, or parsed into a value that
//! keeps the invariants of its type.
#![no_main]

use ideavault_domain::code::OneTimeCode;
use ideavault_domain::email::Email;
use ideavault_domain::file::{self, MediaType};
use ideavault_domain::file_name::{FILE_NAME_MAX, FileName};
use ideavault_domain::ids::{FileId, RecipientId, ShareId};
use ideavault_domain::page::{Cursor, PageSize};
use ideavault_domain::share::{ShareRequest, ShareTerms};
use ideavault_domain::text::{PersonName, Phone, Title};
use ideavault_domain::token::Token;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    credentials(text);
    typed(text);
    named(text);
    shared(text);
});

/// Checks that each token has one spelling, so that nothing has two addresses.
fn credentials(text: &str) {
    if let Ok(token) = text.parse::<Token>() {
        assert_eq!(token.reveal(), text);
    }
    if let Ok(cursor) = text.parse::<Cursor>() {
        assert_eq!(cursor.to_string(), text);
        assert!((Cursor::OLDEST.at..=Cursor::NEWEST.at).contains(&cursor.at));
    }
    if let Ok(size) = text.parse::<PageSize>() {
        assert!((2..=1_001).contains(&size.rows_to_read()));
    }
    if let Ok(code) = OneTimeCode::parse(text) {
        assert!(code.reveal().len() == 6 && code.reveal().bytes().all(|b| b.is_ascii_digit()));
    }
    if let Ok(id) = text.parse::<RecipientId>() {
        assert_eq!(id.to_string().parse().ok(), Some(id));
    }
    if let Ok(id) = text.parse::<FileId>() {
        assert_eq!(file::id_in_path(&file::path_of(id)), Some(id));
    }
    if let Some(id) = file::id_in_path(text) {
        assert_eq!(file::path_of(id), text);
    }
    if let Ok(id) = text.parse::<ShareId>() {
        assert_eq!(id.to_string().parse().ok(), Some(id));
    }
}

fn is_harmless(text: &str) -> bool {
    !text
        .chars()
        .any(|c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}'))
}

fn typed(text: &str) {
    if let Ok(email) = Email::parse(text) {
        assert!(is_harmless(email.as_str()) && email.as_str().len() <= 254);
        assert_eq!(Email::parse(email.as_str()), Ok(email.clone()));
    }
    if let Ok(name) = PersonName::parse_recipient(text) {
        assert!(is_harmless(name.as_str()));
        assert_eq!(PersonName::parse_recipient(name.as_str()), Ok(name.clone()));
    }
    if let Ok(title) = Title::parse(text) {
        assert!(is_harmless(title.as_str()));
        assert_eq!(Title::parse(title.as_str()), Ok(title.clone()));
    }
    if let Ok(Some(phone)) = Phone::parse_optional(Some(text)) {
        assert!(is_harmless(phone.as_str()));
    }
}

fn named(text: &str) {
    let name = FileName::clean(text, "file");
    let shown = name.as_str();
    assert!(!shown.is_empty() && is_harmless(shown) && !shown.contains(['/', '\\']));
    assert!(shown.chars().count() <= FILE_NAME_MAX);
    assert!(!name.without_pdf().is_empty());
    for media_type in [MediaType::Png, MediaType::Jpeg] {
        let image = name.as_image(media_type);
        assert!(image.as_str().chars().count() <= FILE_NAME_MAX);
        assert_eq!(image.as_image(media_type), image);
    }
    let title = Title::of_upload(text, &name);
    assert_eq!(Title::parse(title.as_str()), Ok(title));
}

fn shared(text: &str) {
    let now = std::time::UNIX_EPOCH.into();
    let request = ShareRequest {
        share_type: "time-dependent".into(),
        expires_at: Some(text.into()),
        ..ShareRequest::default()
    };
    if let Ok(terms) = ShareTerms::parse(&request, now) {
        assert!(terms.expires_at.is_some_and(|end| end > now));
    }
}
