//! Filters attribute values. Returns the value to keep, unchanged wherever the editor
//! can have written it, or `None` to drop the attribute.

use std::borrow::Cow;

const YOUTUBE_PLAYER: &str = "https://www.youtube-nocookie.com/embed/";
const YOUTUBE_ID_LENGTH: usize = 11;
const UPLOADED: &str = "/api/files/";
/// Schemes of links with a host; see `docs/rules.md#link-schemes`.
const HOST_SCHEMES: [&str; 4] = ["http", "https", "ftp", "ftps"];
/// Other schemes of links.
const OTHER_SCHEMES: [&str; 6] = ["mailto", "tel", "callto", "sms", "cid", "xmpp"];
const INLINE_IMAGES: [&str; 4] = [
    "data:image/png;base64,",
    "data:image/jpeg;base64,",
    "data:image/gif;base64,",
    "data:image/webp;base64,",
];

/// Filters one attribute of one element.
pub(crate) fn filter<'value>(
    element: &str,
    attribute: &str,
    value: &'value str,
) -> Option<Cow<'value, str>> {
    let keep = |condition: bool| condition.then_some(Cow::Borrowed(value));
    match (element, attribute) {
        (_, "style") => style(value),
        ("a", "href") => keep(has_link_scheme(value)),
        ("a", "target") => keep(value == "_blank"),
        ("img", "src") => keep(is_image_source(value)),
        ("iframe", "src") => keep(is_youtube_player(value)),
        ("img" | "iframe", "width" | "height") | ("ol", "start") | ("li", "value") => {
            keep(is_number(value))
        }
        ("th" | "td", "colspan" | "rowspan") => keep(is_span(value)),
        ("pre", "data-language") => keep(is_word(value)),
        ("iframe", "data-lexical-youtube") => keep(is_youtube_id(value)),
        _ => Some(Cow::Borrowed(value)),
    }
}

/// Keeps text and background colours in hex, and drops everything else.
fn style(value: &str) -> Option<Cow<'_, str>> {
    let kept: Vec<String> = value
        .split(';')
        .filter_map(|declaration| declaration.split_once(':'))
        .map(|(name, colour)| (name.trim(), colour.trim()))
        .filter(|(name, colour)| {
            matches!(*name, "color" | "background-color") && is_hex_colour(colour)
        })
        .map(|(name, colour)| format!("{name}:{colour}"))
        .collect();
    (!kept.is_empty()).then(|| Cow::Owned(kept.join(";")))
}

fn is_hex_colour(text: &str) -> bool {
    text.strip_prefix('#').is_some_and(|digits| {
        matches!(digits.len(), 3 | 6) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// Returns whether a link is absolute with an allowed scheme: a relative one would lead
/// into this application, with the visitor's session, and so would `https:dashboard`. Unlike a
/// browser, does not ignore white space and control characters before the colon.
fn has_link_scheme(link: &str) -> bool {
    let Some((scheme, rest)) = link.split_once(':') else {
        return false;
    };
    let is_one_of = |schemes: &[&str]| {
        schemes
            .iter()
            .any(|allowed| scheme.eq_ignore_ascii_case(allowed))
    };
    if is_one_of(&HOST_SCHEMES) {
        let host = rest.strip_prefix("//");
        return host
            .is_some_and(|host| !host.is_empty() && !host.starts_with(['/', '\\', '?', '#']));
    }
    is_one_of(&OTHER_SCHEMES)
}

/// Allows own uploads and inline bitmaps: a remote image would disclose readers to its host.
fn is_image_source(source: &str) -> bool {
    let uploaded = source.strip_prefix(UPLOADED).is_some_and(|id| {
        id.len() == 36
            && id
                .bytes()
                .all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
    });
    let inline = INLINE_IMAGES
        .iter()
        .find_map(|prefix| source.strip_prefix(prefix))
        .is_some_and(|data| {
            data.bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='))
        });
    uploaded || inline
}

fn is_youtube_player(source: &str) -> bool {
    source
        .strip_prefix(YOUTUBE_PLAYER)
        .is_some_and(is_youtube_id)
}

fn is_youtube_id(text: &str) -> bool {
    text.len() == YOUTUBE_ID_LENGTH && is_word(text)
}

fn is_word(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'+' | b'#'))
}

/// Limits the rows or columns of one cell to two digits: no table may make a browser lay out
/// a grid of millions.
fn is_span(text: &str) -> bool {
    text.len() <= 2 && is_number(text)
}

fn is_number(text: &str) -> bool {
    (1..=5).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}
