//! Names of uploaded files.
//!
//! Invariant: a name is only for display. It never becomes part of a path, and
//! contains nothing that could mislead a header, a terminal or a reader.

use std::fmt;

use crate::media_type::MediaType;

/// Longest name, in characters.
pub const FILE_NAME_MAX: usize = 255;

/// Longest suffix treated as an extension when a name is shortened, in characters.
const EXTENSION_MAX: usize = 10;

/// The name of an uploaded file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileName(String);

impl FileName {
    /// Makes a safe name from the one a browser sends. Never fails: folders, control
    /// characters and bidirectional controls are removed, a long name is shortened,
    /// and an empty one is replaced by `fallback`.
    #[must_use]
    pub fn clean(raw: &str, fallback: &str) -> Self {
        let last = raw.rsplit(['/', '\\']).next().unwrap_or_default();
        let kept: String = last
            .chars()
            .filter(|c| !c.is_control() && !is_invisible(*c))
            .collect();
        let name = shortened(kept.trim());
        if name.chars().all(|c| c == '.' || c.is_whitespace()) {
            Self(fallback.to_owned())
        } else {
            Self(name)
        }
    }

    /// Wraps a stored name.
    #[must_use]
    pub fn from_stored(name: String) -> Self {
        Self(name)
    }

    /// Returns the name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the name without a `.pdf` extension.
    #[must_use]
    pub fn without_pdf(&self) -> &str {
        without_suffix(&self.0, ".pdf").unwrap_or(&self.0)
    }

    /// Returns the name with the extension of the current type: a GIF that is stored
    /// as a PNG must not be saved as `.gif`.
    #[must_use]
    pub fn as_image(&self, media_type: MediaType) -> Self {
        const OF_IMAGES: [&str; 5] = [".png", ".jpg", ".jpeg", ".gif", ".webp"];
        let fitting: &[&str] = match media_type {
            MediaType::Jpeg => &[".jpg", ".jpeg"],
            MediaType::Png | MediaType::Pdf => &[".png"],
        };
        let ends_with = |suffixes: &[&str]| {
            suffixes
                .iter()
                .find_map(|suffix| without_suffix(&self.0, suffix))
        };
        match (ends_with(fitting), fitting.first()) {
            (None, Some(extension)) => {
                let stem = ends_with(&OF_IMAGES).unwrap_or(&self.0);
                Self(shortened(&format!("{stem}{extension}")))
            }
            _ => self.clone(),
        }
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns whether a character is a bidirectional control or has no width: with them
/// `invoice_fdp.exe` can read as if it ended in `pdf`.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    )
}

/// Shortens a name to [`FILE_NAME_MAX`] characters, keeping the extension.
fn shortened(name: &str) -> String {
    let length = name.chars().count();
    if length <= FILE_NAME_MAX {
        return name.to_owned();
    }
    let (stem, extension) = match name.rfind('.').map(|dot| name.split_at(dot)) {
        Some((stem, extension)) if extension.chars().count() <= EXTENSION_MAX => (stem, extension),
        _ => (name, ""),
    };
    let room = FILE_NAME_MAX - extension.chars().count();
    stem.chars().take(room).chain(extension.chars()).collect()
}

/// Removes `suffix`, ignoring case; a name that consists only of it stays.
fn without_suffix<'name>(name: &'name str, suffix: &str) -> Option<&'name str> {
    let at = name.len().checked_sub(suffix.len())?;
    let (stem, end) = name.split_at_checked(at)?;
    (end.eq_ignore_ascii_case(suffix) && !stem.trim().is_empty()).then_some(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean(raw: &str) -> String {
        FileName::clean(raw, "document.pdf").to_string()
    }

    #[test]
    fn ordinary_names_are_unchanged() {
        for name in [
            "plan.pdf",
            "Größe — 温度 🫖.pdf",
            "a b (2).PDF",
            "<b>x</b>".replace('/', "").as_str(),
        ] {
            assert_eq!(clean(name), name);
        }
    }

    #[test]
    fn folders_and_misleading_characters_are_removed() {
        for (raw, name) in [
            ("../../etc/passwd", "passwd"),
            ("C:\\Users\\Ada\\plan.pdf", "plan.pdf"),
            ("a\r\nSet-Cookie: x=1.pdf", "aSet-Cookie: x=1.pdf"),
            ("nul\0.pdf", "nul.pdf"),
            ("invoice\u{202e}fdp.exe", "invoicefdp.exe"),
            ("  spaced.pdf ", "spaced.pdf"),
        ] {
            assert_eq!(clean(raw), name);
        }
    }

    #[test]
    fn an_empty_name_is_replaced() {
        for raw in ["", " ", ".", "..", "../", "\u{200b}", "a/.. "] {
            assert_eq!(clean(raw), "document.pdf", "{raw:?}");
        }
    }

    #[test]
    fn a_long_name_keeps_its_extension() {
        let name = clean(&format!("{}.pdf", "é".repeat(400)));
        assert_eq!(name.chars().count(), FILE_NAME_MAX);
        assert!(name.ends_with("é.pdf"));
        assert_eq!(clean(&"x".repeat(400)).len(), FILE_NAME_MAX);
    }

    #[test]
    fn a_title_omits_the_extension() {
        for (name, stem) in [
            ("Kettle.pdf", "Kettle"),
            ("Kettle.PDF", "Kettle"),
            ("Kettle.v2.pdf", "Kettle.v2"),
            (".pdf", ".pdf"),
            ("Kettle.txt", "Kettle.txt"),
            ("é", "é"),
        ] {
            assert_eq!(FileName::clean(name, "x").without_pdf(), stem);
        }
    }

    #[test]
    fn an_image_gets_the_extension_of_its_new_format() {
        for (name, media_type, expected) in [
            ("a.gif", MediaType::Png, "a.png"),
            ("a.WebP", MediaType::Jpeg, "a.jpg"),
            ("a.JPEG", MediaType::Jpeg, "a.JPEG"),
            ("a.png", MediaType::Png, "a.png"),
            ("screenshot", MediaType::Png, "screenshot.png"),
            ("a.html", MediaType::Png, "a.html.png"),
        ] {
            let named = FileName::clean(name, "x").as_image(media_type);
            assert_eq!(named.as_str(), expected);
        }
    }
}
