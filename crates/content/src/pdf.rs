//! Checks that readers will be able to open a PDF.
//!
//! Only looks for pages and for a required password. Nothing is rendered, and compressed
//! objects are inflated up to a limit, so that a small file cannot unpack to any size.
//! Invariant: time and memory are linear in the file's length.

mod objects;
mod pages;
mod reader;

use std::panic::catch_unwind;

use hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use ideavault_domain::ports::{PdfChecker, PdfRefused};

use reader::page_tree;

/// Most bytes and deepest nesting of an encryption dictionary.
const ENCRYPTION_MAX: usize = 2 * 1024;
const NESTING_MAX: usize = 16;
/// Most references to an encryption dictionary that are followed: each searches the file.
const TRAILERS_MAX: usize = 4;

/// [`PdfChecker`] that looks for pages and tries the empty password.
#[derive(Clone, Copy, Debug, Default)]
pub struct PdfPageChecker;

impl PdfChecker for PdfPageChecker {
    fn check(&self, file: &[u8]) -> Result<(), PdfRefused> {
        // Only a complete file names its root object.
        if find_name(file, b"/Root").is_none() {
            return Err(PdfRefused::Damaged);
        }
        let encryption = Encryption::of(file);
        if let Some(encryption) = &encryption {
            encryption.try_empty_password()?;
        }
        // Compressed objects of an encrypted file are encrypted too.
        let tree = page_tree(file, encryption.is_some()).ok_or(PdfRefused::Damaged)?;
        if tree.reaches_page() {
            Ok(())
        } else {
            Err(PdfRefused::Damaged)
        }
    }
}

/// Returns the position after the first occurrence of the whole name `name`.
fn find_name(bytes: &[u8], name: &[u8]) -> Option<usize> {
    names(bytes, name).next()
}

fn names<'a>(bytes: &'a [u8], name: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    occurrences(bytes, name).filter(move |end| {
        let next = bytes.get(*end);
        !next.is_some_and(|next| next.is_ascii_alphanumeric() || matches!(next, b'_' | b'.' | b'-'))
    })
}

/// Returns the position after each occurrence of `text`.
fn occurrences<'a>(bytes: &'a [u8], text: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    memchr::memmem::find_iter(bytes, text).map(move |at| at + text.len())
}

/// The encryption dictionary and related values of a file.
struct Encryption<'a> {
    dictionary: &'a [u8],
    id: &'a [u8],
}

impl<'a> Encryption<'a> {
    /// Reads the encryption from the last trailers that have a valid one. A text can
    /// contain the same name by chance.
    fn of(file: &'a [u8]) -> Option<Self> {
        let places: Vec<usize> = names(file, b"/Encrypt").collect();
        places
            .into_iter()
            .rev()
            .take(TRAILERS_MAX)
            .filter_map(|end| Self::read(file, end))
            .find(|found| find_name(found.dictionary, b"/Filter").is_some())
    }

    fn read(file: &'a [u8], end: usize) -> Option<Self> {
        let value = file.get(end..)?.trim_ascii_start();
        let dictionary = if value.starts_with(b"<<") {
            value
        } else {
            // An indirect reference: `12 0 R`.
            let text = value.get(..24).unwrap_or(value);
            let text: String = text.iter().map(|byte| char::from(*byte)).collect();
            let mut words = text.split_ascii_whitespace();
            let number: u32 = words.next()?.parse().ok()?;
            let generation: u32 = words.next()?.parse().ok()?;
            let head = format!("{number} {generation} obj");
            let at = occurrences(file, head.as_bytes())
                .filter(|end| {
                    let before = end.checked_sub(head.len() + 1);
                    !before
                        .and_then(|before| file.get(before))
                        .is_some_and(u8::is_ascii_digit)
                })
                .last()?;
            file.get(at..)?.trim_ascii_start()
        };
        let id = match names(file, b"/ID").last() {
            Some(end) => balanced(file.get(end..)?.trim_ascii_start(), b'[', b']')?,
            None => b"[<00><00>]".as_slice(),
        };
        Some(Self {
            dictionary: balanced(dictionary, b'<', b'>')?,
            id,
        })
    }

    /// Tries the empty password on a minimal file with the same encryption.
    fn try_empty_password(&self) -> Result<(), PdfRefused> {
        let mut file = b"%PDF-1.7\n".to_vec();
        let objects: [&[u8]; 4] = [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>",
            self.dictionary,
        ];
        let mut table = b"xref\n0 5\n0000000000 65535 f \n".to_vec();
        for (number, object) in (1..).zip(objects) {
            table.extend(format!("{:010} 00000 n \n", file.len()).bytes());
            file.extend(format!("{number} 0 obj\n").bytes());
            file.extend(object);
            file.extend(b"\nendobj\n");
        }
        let start = file.len();
        file.extend(table);
        file.extend(b"trailer\n<</Size 5/Root 1 0 R/Encrypt 4 0 R/ID ");
        file.extend(self.id);
        file.extend(format!(">>\nstartxref\n{start}\n%%EOF\n").bytes());
        let opened = catch_unwind(move || Pdf::new(file).map(drop));
        match opened {
            Ok(Ok(())) => Ok(()),
            Ok(Err(LoadPdfError::Decryption(
                DecryptionError::PasswordProtected | DecryptionError::UnsupportedAlgorithm,
            ))) => Err(PdfRefused::Protected),
            Ok(Err(_)) | Err(_) => Err(PdfRefused::Damaged),
        }
    }
}

/// Returns the part of `bytes` up to the bracket that closes the first one, within
/// [`ENCRYPTION_MAX`] and [`NESTING_MAX`]. Skips strings.
fn balanced(bytes: &[u8], open: u8, close: u8) -> Option<&[u8]> {
    let bytes = bytes.get(..ENCRYPTION_MAX).unwrap_or(bytes);
    if bytes.first() != Some(&open) {
        return None;
    }
    let (mut depth, mut brackets, mut in_string, mut escaped) = (0_usize, 0_usize, 0_usize, false);
    for (at, byte) in bytes.iter().enumerate() {
        if escaped {
            escaped = false;
            continue;
        }
        match *byte {
            b'\\' if in_string > 0 => escaped = true,
            b'(' => in_string += 1,
            b')' => in_string = in_string.saturating_sub(1),
            _ if in_string > 0 => {}
            byte if byte == open => depth += 1,
            byte if byte == close => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return bytes.get(..=at);
                }
            }
            b'[' | b'<' => brackets += 1,
            _ => {}
        }
        if depth > NESTING_MAX || in_string > NESTING_MAX || brackets > 4 * NESTING_MAX {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests;
