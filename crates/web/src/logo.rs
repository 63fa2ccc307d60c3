//! The operator's logo.
//!
//! Invariant: the logo is served as an image and never written into a page. Its policy lets
//! it neither run nor load anything when it is opened by itself.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use actix_web::http::header::{self, EntityTag};
use actix_web::{HttpRequest, HttpResponse, web};
use ideavault_domain::digest::Digest;
use thiserror::Error;

/// Path of the logo.
pub const LOGO_PATH: &str = "/logo";
/// Largest logo, in bytes: it is part of every page.
const LOGO_MAX: u64 = 256_000;
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
                      frame-ancestors 'none'; sandbox";

/// Reasons why a file cannot be a logo.
#[derive(Debug, Error)]
pub enum LogoError {
    /// The file cannot be read.
    #[error("the file cannot be read")]
    Read(#[from] io::Error),
    /// The file is too large.
    #[error("the file is larger than 256 KB")]
    TooLarge,
    /// The file is neither PNG nor SVG.
    #[error("the file is neither PNG nor SVG")]
    Format,
}

/// A logo in memory.
#[derive(Clone, Debug)]
pub struct Logo {
    media_type: &'static str,
    bytes: web::Bytes,
    tag: String,
}

impl Logo {
    /// Reads the file at `path`. Its content decides on its type, not its name.
    pub fn read(path: &Path) -> Result<Self, LogoError> {
        let mut bytes = Vec::new();
        File::open(path)?
            .take(LOGO_MAX + 1)
            .read_to_end(&mut bytes)?;
        if u64::try_from(bytes.len()).is_ok_and(|size| size > LOGO_MAX) {
            return Err(LogoError::TooLarge);
        }
        let media_type = media_type(&bytes).ok_or(LogoError::Format)?;
        let tag = Digest::of(&bytes).to_string();
        Ok(Self {
            media_type,
            bytes: bytes.into(),
            tag,
        })
    }

    /// Responds with the image, or with 304 if the browser has it.
    pub fn respond(&self, request: &HttpRequest) -> HttpResponse {
        let tag = EntityTag::new_strong(self.tag.clone());
        let is_unchanged = request
            .headers()
            .get(header::IF_NONE_MATCH)
            .is_some_and(|seen| seen.as_bytes() == tag.to_string().as_bytes());
        let mut response = if is_unchanged {
            HttpResponse::NotModified()
        } else {
            HttpResponse::Ok()
        };
        response
            .insert_header((header::CACHE_CONTROL, "public, max-age=0, must-revalidate"))
            .insert_header((header::CONTENT_SECURITY_POLICY, POLICY))
            .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
            .insert_header(header::ETag(tag));
        if is_unchanged {
            response.finish()
        } else {
            response
                .content_type(self.media_type)
                .body(self.bytes.clone())
        }
    }
}

fn media_type(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(PNG) {
        return Some("image/png");
    }
    let text = std::str::from_utf8(bytes).ok()?;
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let is_svg = text.starts_with('<') && text.contains("<svg") && text.contains("</svg>");
    is_svg.then_some("image/svg+xml")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(content: &[u8]) -> Result<Logo, LogoError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("logo");
        std::fs::write(&path, content).unwrap();
        Logo::read(&path)
    }

    #[test]
    fn the_type_of_a_logo_is_detected_from_its_content() {
        let png = [PNG, b"rest"].concat();
        assert_eq!(read(&png).unwrap().media_type, "image/png");
        let svg = "\u{feff}<?xml version=\"1.0\"?>\n<svg xmlns=\"x\"></svg>\n";
        assert_eq!(read(svg.as_bytes()).unwrap().media_type, "image/svg+xml");
        for other in [
            &b""[..],
            b"GIF89a",
            b"<html></html>",
            b"\xff<svg></svg>",
            b"x<svg></svg>",
        ] {
            assert!(matches!(read(other), Err(LogoError::Format)), "{other:?}");
        }
    }

    #[test]
    fn a_large_logo_is_refused() {
        let mut png = PNG.to_vec();
        png.resize(256_000, 0);
        assert!(read(&png).is_ok());
        png.push(0);
        assert!(matches!(read(&png), Err(LogoError::TooLarge)));
    }
}
