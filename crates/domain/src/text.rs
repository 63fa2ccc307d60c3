//! Short typed texts: names, titles, phone numbers. Invariant: a parsed text is
//! trimmed, within its length limit, a single line, and free of control characters,
//! so that it is safe in mail headers, file names and logs, and reads in an agreement
//! as it is recorded.

use std::fmt::{self, Write as _};

use crate::characters::{compatible, hides_characters, is_control, is_visible, letters};
use crate::failure::Invalid;
use crate::file_name::FileName;

/// Longest name of a person, in characters.
pub const NAME_MAX: usize = 120;
/// Longest idea title, in characters.
pub const TITLE_MAX: usize = 200;
/// Title of an idea without one.
const UNTITLED: &str = "Untitled Idea";
/// Longest profession, in characters.
pub const PROFESSION_MAX: usize = 120;
/// Longest name of a share link, in characters.
pub const SHARE_NAME_MAX: usize = 120;
/// Longest reason for declining, in characters.
pub const DECLINE_REASON_MAX: usize = 500;
/// Longest personal line in an invitation, in characters.
pub const INVITATION_MESSAGE_MAX: usize = 300;
/// Longest phone number, in characters.
pub const PHONE_MAX: usize = 40;

macro_rules! text_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name(String);

        impl $name {
            /// Returns the text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// Wraps a text validated before it was stored.
            #[must_use]
            pub fn from_stored(text: String) -> Self {
                Self(text)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

text_type!(
    /// A person's name.
    PersonName
);
text_type!(
    /// An idea's title.
    Title
);
text_type!(
    /// The profession of somebody on the waitlist.
    Profession
);
text_type!(
    /// A recipient's phone number, as typed.
    Phone
);
text_type!(
    /// Why a reader declined the agreement.
    DeclineReason
);
text_type!(
    /// The owner's name for a share link; only the owner sees it.
    ShareName
);

text_type!(
    /// The creator's personal line in an invitation to read an idea.
    InvitationMessage
);

impl PersonName {
    /// Parses a creator's name: at least 2 characters
    /// (`docs/rules.md#account-fields`).
    ///
    /// # Errors
    /// [`Invalid`] on `name`.
    pub fn parse_creator(raw: &str) -> Result<Self, Invalid> {
        line(
            "name",
            raw,
            2,
            NAME_MAX,
            "Name must be at least 2 characters",
        )
        .and_then(harmless_name)
        .map(Self)
    }

    /// Parses a recipient's name: at least 3 letters, of which one Han, Kana or Hangul
    /// character counts as two (`docs/rules.md#recipient-fields`).
    ///
    /// # Errors
    /// [`Invalid`] on `name`.
    pub fn parse_recipient(raw: &str) -> Result<Self, Invalid> {
        let too_short = "Name must be at least 3 characters";
        let name = line("name", raw, 1, NAME_MAX, too_short)?;
        if letters(&name) < 3 {
            return Err(Invalid::new("name", too_short));
        }
        harmless_name(name).map(Self)
    }

    /// Parses a name for the waitlist: one that an account can have (`docs/rules.md#waitlist`).
    ///
    /// # Errors
    /// [`Invalid`] on `name`.
    pub fn parse_waiting(raw: &str) -> Result<Self, Invalid> {
        if !raw.contains(is_visible) {
            return Err(Invalid::new("name", "Name is required"));
        }
        Self::parse_creator(raw)
    }
}

impl Title {
    /// Parses a title: not blank after trimming (`docs/rules.md#idea-fields`).
    ///
    /// # Errors
    /// [`Invalid`] on `title`.
    pub fn parse(raw: &str) -> Result<Self, Invalid> {
        line(
            "title",
            raw,
            1,
            TITLE_MAX,
            "Please enter a title for your idea",
        )
        .map(Self)
    }

    /// Parses the title of an unsaved text, which may be blank.
    ///
    /// # Errors
    /// [`Invalid`] on `title`.
    pub fn parse_unsaved(raw: &str) -> Result<Self, Invalid> {
        if !raw.contains(is_visible) {
            return Ok(Self(String::new()));
        }
        Self::parse(raw)
    }
}

impl Title {
    /// Parses the cover title of a link; a blank one is none (`docs/rules.md#share-fields`).
    ///
    /// # Errors
    /// [`Invalid`] on `coverTitle`.
    pub fn parse_cover(raw: &str) -> Result<Option<Self>, Invalid> {
        if raw.trim().is_empty() {
            return Ok(None);
        }
        let title = Self::parse(raw).map_err(|invalid| invalid.at("coverTitle"))?;
        Ok(Some(title))
    }
}

impl Title {
    /// Makes the title of an uploaded file: the given one, or else the file name
    /// without '.pdf' (`docs/rules.md#files`). Never fails, because the browser
    /// derives it from the file name: unsuitable characters are removed, and a long
    /// title is cut.
    #[must_use]
    pub fn of_upload(given: &str, name: &FileName) -> Self {
        [given, name.without_pdf(), UNTITLED]
            .into_iter()
            .map(|raw| {
                let kept: String = raw
                    .trim()
                    .chars()
                    .filter(|c| !is_control(*c))
                    .take(TITLE_MAX)
                    .collect();
                kept.trim().to_owned()
            })
            .find(|title| title.contains(is_visible))
            .map_or_else(|| Self(UNTITLED.to_owned()), Self)
    }
}

impl Profession {
    /// Parses a profession: not blank after trimming (`docs/rules.md#waitlist`).
    ///
    /// # Errors
    /// [`Invalid`] on `profession`.
    pub fn parse(raw: &str) -> Result<Self, Invalid> {
        let too_short = "Profession is required";
        line("profession", raw, 1, PROFESSION_MAX, too_short).map(Self)
    }
}

impl Phone {
    /// Parses an optional phone number: blank means none
    /// (`docs/rules.md#recipient-fields`).
    ///
    /// # Errors
    /// [`Invalid`] on `phone`.
    pub fn parse_optional(raw: Option<&str>) -> Result<Option<Self>, Invalid> {
        match raw.map(str::trim) {
            None | Some("") => Ok(None),
            Some(text) => {
                let unreadable = "Please enter a phone number, or leave it empty";
                line("phone", text, 1, PHONE_MAX, unreadable).map(|text| Some(Self(text)))
            }
        }
    }
}

impl DeclineReason {
    /// Parses an optional reason: blank means none, and line breaks become spaces
    /// (`docs/rules.md#share-close`).
    ///
    /// # Errors
    /// [`Invalid`] on `reason`.
    pub fn parse_optional(raw: Option<&str>) -> Result<Option<Self>, Invalid> {
        let raw = raw.map(|raw| raw.replace(['\r', '\n', '\t'], " "));
        match raw.as_deref().map(str::trim) {
            None | Some("") => Ok(None),
            Some(text) => {
                let unreadable = "Please enter a reason, or leave it empty";
                line("reason", text, 1, DECLINE_REASON_MAX, unreadable).map(|text| Some(Self(text)))
            }
        }
    }
}

impl ShareName {
    /// Parses an optional name: blank means none.
    ///
    /// # Errors
    /// [`Invalid`] on `name`.
    pub fn parse_optional(raw: Option<&str>) -> Result<Option<Self>, Invalid> {
        match raw.map(str::trim) {
            None | Some("") => Ok(None),
            Some(text) => {
                let unreadable = "Please enter a name, or leave it empty";
                line("name", text, 1, SHARE_NAME_MAX, unreadable).map(|text| Some(Self(text)))
            }
        }
    }
}

impl InvitationMessage {
    /// Parses an optional message: blank means none, and line breaks become spaces. As its reader
    /// may not know the sender, it has no addresses (`docs/rules.md#share-fields`).
    ///
    /// # Errors
    /// [`Invalid`] on `message`.
    pub fn parse_optional(raw: Option<&str>) -> Result<Option<Self>, Invalid> {
        let words: Vec<&str> = raw.unwrap_or_default().split_whitespace().collect();
        if words.is_empty() {
            return Ok(None);
        }
        let unreadable = "Please write a message, or leave it empty";
        line(
            "message",
            &words.join(" "),
            1,
            INVITATION_MESSAGE_MAX,
            unreadable,
        )
        .and_then(|text| without_addresses("message", text))
        .map(|text| Some(Self(text)))
    }
}

pub(crate) fn line(
    field: &'static str,
    raw: &str,
    min: usize,
    max: usize,
    too_short: &str,
) -> Result<String, Invalid> {
    let text = raw.trim();
    let length = text.chars().count();
    if length < min || !text.contains(is_visible) {
        return Err(Invalid::new(field, too_short));
    }
    if length > max {
        return Err(Invalid::new(
            field,
            format!("Please use at most {max} characters"),
        ));
    }
    if text.chars().any(is_control) {
        return Err(Invalid::new(field, "Please remove control characters"));
    }
    Ok(text.to_owned())
}

/// Quotes a typed text on one line; the text cannot end the quotation.
#[must_use]
pub fn quoted(text: &str) -> String {
    let inner: String = text
        .chars()
        .map(|character| match character {
            '"' | '\u{201c}'..='\u{201f}' | '\u{ab}' | '\u{bb}' | '\u{ff02}' => '\'',
            other if is_control(other) => ' ',
            other => other,
        })
        .collect();
    format!("\"{inner}\"")
}

/// Makes a text safe for mails: anything a mail program would turn into a link is
/// broken up.
#[must_use]
pub fn without_links(text: &str) -> String {
    if !holds_address(text) {
        return text.to_owned();
    }
    let mut apart = String::new();
    for character in text.chars() {
        match character {
            '.' | '\u{2024}' | '\u{3002}' | '\u{ff0e}' | '\u{ff61}' | ':' => {
                apart.push(character);
                apart.push(' ');
            }
            '@' | '\u{fe6b}' | '\u{ff20}' => apart.push_str(" (at) "),
            other => apart.push(other),
        }
    }
    apart
}

/// Percent-encodes the UTF-8 bytes of `text` except the unreserved characters of RFC 3986.
#[must_use]
pub fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

/// Returns whether a text contains a web or email address, or anything that looks
/// like one.
fn holds_address(text: &str) -> bool {
    let text = compatible(text).to_lowercase().replace('\u{3002}', ".");
    let is_part = |character: char| character.is_alphanumeric() || matches!(character, '.' | '-');
    text.contains('@')
        || text.contains("://")
        || text.contains("www.")
        || text
            .split(|character| !is_part(character))
            .any(|word| is_domain(word) || is_ipv4(word))
}

/// Returns whether a word is dot-separated labels whose last one can be a top-level
/// domain.
fn is_domain(word: &str) -> bool {
    let Some((name, last)) = word.trim_matches('.').rsplit_once('.') else {
        return false;
    };
    let is_top_level = last.starts_with("xn--")
        || last.chars().count() >= 2 && last.chars().all(char::is_alphabetic);
    !name.ends_with('.') && is_top_level
}

/// Returns whether a word has the form of an IPv4 address, of which mail programs make a link.
fn is_ipv4(word: &str) -> bool {
    let parts: Vec<&str> = word.trim_matches('.').split('.').collect();
    parts.len() == 4
        && parts
            .iter()
            .all(|part| part.len() <= 3 && part.parse::<u8>().is_ok())
}

/// Names appear in mails to people who do not know who chose them.
fn harmless_name(text: String) -> Result<String, Invalid> {
    // The beginning of an encoded word (RFC 2047), which mail programs decode.
    if text.contains("=?") {
        return Err(Invalid::new("name", "Please leave out \"=?\""));
    }
    without_addresses("name", text)
}

/// Refuses what a mail program makes a link of, and what hides it.
fn without_addresses(field: &'static str, text: String) -> Result<String, Invalid> {
    if hides_characters(&text) {
        return Err(Invalid::new(field, "Please remove invisible characters"));
    }
    if holds_address(&text) {
        return Err(Invalid::new(
            field,
            "Please leave out web and email addresses, and put a space after a full stop",
        ));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_contain_an_address() {
        for raw in [
            "Ada ada@example.org",
            "Win at http://x",
            "WWW.example",
            "see Evil.Example/offer now",
            "evil\u{3002}com",
            "evil\u{2024}com",
            "xn--e1.xn--p1ai",
            "t.co",
            "pay 192.0.2.7/now",
            "Ada (10.0.0.1)",
            "\u{ff11}\u{ff19}\u{ff12}.0.2.7",
            "ａｄａ\u{ff20}x",
        ] {
            for parsed in [
                PersonName::parse_creator(raw),
                PersonName::parse_recipient(raw),
            ] {
                let refused = parsed.unwrap_err();
                assert_eq!(refused.field, "name");
                assert!(refused.message.contains("addresses"), "{raw}");
            }
        }
        for raw in [
            "J.R.R. Tolkien",
            "Dr. Smith",
            "Anne-Marie O'Neil",
            "Ph.D. Ada",
            "Ada & Co.",
            "Ada 1.2.3",
            "Louis XIV.",
        ] {
            assert_eq!(PersonName::parse_creator(raw).unwrap().as_str(), raw);
        }
    }

    #[test]
    fn the_title_of_an_unsaved_text_may_be_blank() {
        for blank in ["", " \t", "\u{200b}"] {
            assert_eq!(Title::parse_unsaved(blank).unwrap().as_str(), "");
        }
        assert_eq!(Title::parse_unsaved(" Kettle ").unwrap().as_str(), "Kettle");
        assert!(Title::parse_unsaved(&"é".repeat(TITLE_MAX + 1)).is_err());
    }

    #[test]
    fn a_message_is_one_line_without_addresses() {
        let parse = |raw: &str| InvitationMessage::parse_optional(Some(raw));
        let parsed = |raw| parse(raw).unwrap().map(|message| message.to_string());
        assert_eq!(
            parsed(" Dear Grace,\r\n\n  as promised.\tAda ").as_deref(),
            Some("Dear Grace, as promised. Ada")
        );
        for blank in ["", " \n "] {
            assert_eq!(parsed(blank), None);
        }
        assert!(parsed(&"é".repeat(INVITATION_MESSAGE_MAX)).is_some());
        for (raw, why) in [
            ("é".repeat(301), "Please use at most 300 characters"),
            (
                "\u{200b}".into(),
                "Please write a message, or leave it empty",
            ),
            (
                "evil\u{200b}.com".into(),
                "Please remove invisible characters",
            ),
            ("a\u{202e}b".into(), "Please remove control characters"),
            (
                "Write to me@example.org".into(),
                "Please leave out web and email addresses, and put a space after a full stop",
            ),
            (
                "See evil.example\nnow".into(),
                "Please leave out web and email addresses, and put a space after a full stop",
            ),
        ] {
            assert_eq!(parse(&raw).unwrap_err(), Invalid::new("message", why));
        }
    }

    #[test]
    fn a_title_in_a_mail_contains_no_link() {
        assert_eq!(
            without_links("Version 2.0: a kettle."),
            "Version 2.0: a kettle."
        );
        assert_eq!(
            without_links("Claim at https://evil.example/now or a@b.example"),
            "Claim at https: //evil. example/now or a (at) b. example"
        );
        assert_eq!(
            without_links("Log in at 192.0.2.7 or a\u{ff20}b"),
            "Log in at 192. 0. 2. 7 or a (at) b"
        );
        assert_eq!(without_links("evil\u{ad}.example"), "evil\u{ad}. example");
        assert_eq!(quoted("a \"b\"\n\u{201d}"), "\"a 'b' '\"");
    }

    #[test]
    fn creator_name_needs_two_characters_after_trimming() {
        assert_eq!(
            PersonName::parse_creator(" A ").unwrap_err(),
            Invalid::new("name", "Name must be at least 2 characters")
        );
        assert_eq!(PersonName::parse_creator(" Al ").unwrap().as_str(), "Al");
    }

    #[test]
    fn recipient_name_needs_three_characters() {
        assert_eq!(
            PersonName::parse_recipient("Al").unwrap_err().message,
            "Name must be at least 3 characters"
        );
        assert!(PersonName::parse_recipient("Ada").is_ok());
    }

    #[test]
    fn a_name_of_two_han_kana_or_hangul_characters_is_a_whole_name() {
        for name in ["王伟", "김수", "あい", "리 아", "王A", "Li Na"] {
            assert_eq!(PersonName::parse_recipient(name).unwrap().as_str(), name);
        }
        for name in ["王", "김", "Bo", "Юл", " 王 "] {
            assert_eq!(
                PersonName::parse_recipient(name).unwrap_err().message,
                "Name must be at least 3 characters"
            );
        }
        assert!(PersonName::parse_creator("王伟").is_ok());
        assert!(PersonName::parse_waiting("王伟").is_ok());
        for parse in [PersonName::parse_creator, PersonName::parse_waiting] {
            assert_eq!(
                parse("王").unwrap_err().message,
                "Name must be at least 2 characters"
            );
        }
        for blank in [" ", "\u{200b}"] {
            assert_eq!(
                PersonName::parse_waiting(blank).unwrap_err().message,
                "Name is required"
            );
        }
    }

    #[test]
    fn a_name_holds_no_encoded_word_and_nothing_invisible() {
        let parsers = [
            PersonName::parse_creator,
            PersonName::parse_recipient,
            PersonName::parse_waiting,
        ];
        for parse in parsers {
            for raw in ["=?utf-8?B?UGF5IG5vdw==?=", "Ada =?utf-8?q?x?=", "Ada=?x"] {
                let refused = parse(raw).unwrap_err();
                assert_eq!(refused, Invalid::new("name", "Please leave out \"=?\""));
            }
            for raw in [
                "Ada\u{ad}Byron",
                "evil\u{200b}.com",
                "Ada\u{200c}Byron",
                "Ada\u{200d}Byron",
                "\u{feff}Ada",
                "Ada\u{2060}Byron",
            ] {
                let refused = parse(raw).unwrap_err();
                let invisible = Invalid::new("name", "Please remove invisible characters");
                assert_eq!(refused, invisible, "{raw:?}");
            }
            for name in ["علی\u{200c}رضا", "लक्\u{200d}ष्मी", "Ada = Byron?", "A? = B"]
            {
                assert_eq!(parse(name).unwrap().as_str(), name);
            }
        }
    }

    #[test]
    fn a_name_of_invisible_characters_is_refused() {
        for nothing in [
            "\u{200b}\u{200b}\u{200b}",
            "\u{feff}\u{2060}\u{ad}",
            "\u{3164}\u{2800}\u{3164}",
        ] {
            assert_eq!(
                PersonName::parse_recipient(nothing).unwrap_err().message,
                "Name must be at least 3 characters"
            );
            assert!(Title::parse(nothing).is_err());
        }
        // Persian names need the joiner, emoji the variation selector.
        assert!(PersonName::parse_recipient("علی\u{200c}رضا").is_ok());
        assert!(Title::parse("\u{2764}\u{fe0f}").is_ok());
    }

    #[test]
    fn length_counts_characters_not_bytes() {
        assert!(PersonName::parse_recipient("小明王").is_ok());
        assert!(Title::parse(&"é".repeat(TITLE_MAX)).is_ok());
        assert_eq!(
            Title::parse(&"é".repeat(TITLE_MAX + 1))
                .unwrap_err()
                .message,
            "Please use at most 200 characters"
        );
    }

    #[test]
    fn blank_title_is_refused_with_the_spec_message() {
        assert_eq!(
            Title::parse(" \t\n").unwrap_err(),
            Invalid::new("title", "Please enter a title for your idea")
        );
    }

    #[test]
    fn the_default_title_of_an_upload_is_its_file_name() {
        let name = FileName::clean("Kettle.pdf", "document.pdf");
        let title = |given: &str| Title::of_upload(given, &name).to_string();
        assert_eq!(title(" My kettle "), "My kettle");
        assert_eq!(title(" \u{0} "), "Kettle");
        assert_eq!(title("a\r\nb"), "ab");
        assert_eq!(title(&"é".repeat(300)), "é".repeat(TITLE_MAX));
        assert_eq!(title("Loom\u{2028}Party: \u{202e}boB"), "LoomParty: boB");
        assert_eq!(title("\u{200b}\u{2066}"), "Kettle");
        let nameless = FileName::from_stored(" ".into());
        assert_eq!(Title::of_upload("", &nameless).as_str(), "Untitled Idea");
    }

    #[test]
    fn line_breaks_inside_a_name_are_refused() {
        assert!(PersonName::parse_creator("Ada\r\nBcc: x").is_err());
        assert!(Title::parse("a\0b").is_err());
    }

    #[test]
    fn text_with_misleading_control_characters_is_refused() {
        for forged in ["Eve\u{2028}Party: Bob", "Eve\u{202e}nhoJ", "Eve\u{2067}x"] {
            assert!(PersonName::parse_recipient(forged).is_err(), "{forged:?}");
            assert!(Title::parse(forged).is_err(), "{forged:?}");
        }
        for name in [
            "שלום עולם",
            "مرحبا",
            "👩\u{200d}👧 Family",
            "\u{200f}דן כהן",
        ] {
            assert!(PersonName::parse_recipient(name).is_ok(), "{name:?}");
        }
    }

    #[test]
    fn a_blank_phone_number_counts_as_absent() {
        assert_eq!(Phone::parse_optional(Some("  ")).unwrap(), None);
        assert_eq!(Phone::parse_optional(None).unwrap(), None);
        assert!(Phone::parse_optional(Some(&"1".repeat(41))).is_err());
    }

    #[test]
    fn a_reason_for_declining_is_optional_and_one_line() {
        for blank in [None, Some(""), Some(" \n ")] {
            assert_eq!(DeclineReason::parse_optional(blank).unwrap(), None);
        }
        let reason = DeclineReason::parse_optional(Some(" Too strict:\nclause 6 "));
        assert_eq!(reason.unwrap().unwrap().as_str(), "Too strict: clause 6");
        let longest = "é".repeat(DECLINE_REASON_MAX);
        assert!(DeclineReason::parse_optional(Some(&longest)).is_ok());
        for wrong in [format!("{longest}x"), "a\u{202e}b".into()] {
            let refused = DeclineReason::parse_optional(Some(&wrong));
            assert_eq!(refused.unwrap_err().field, "reason");
        }
    }

    #[test]
    fn a_blank_cover_title_is_none() {
        assert_eq!(Title::parse_cover("  ").unwrap(), None);
        let refused = Title::parse_cover(&"x".repeat(TITLE_MAX + 1));
        assert_eq!(refused.unwrap_err().field, "coverTitle");
    }
}
