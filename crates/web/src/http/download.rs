//! Responses that carry a file.

use std::io::Read;

use actix_web::body::SizedStream;
use actix_web::http::StatusCode;
use actix_web::http::header;
use actix_web::web::Bytes;
use actix_web::{HttpResponse, HttpResponseBuilder};
use futures_util::{Stream, stream};
use ideavault_application::files::OpenedFile;
use ideavault_domain::failure::Failure;
use ideavault_domain::file::{FileKind, StoredFile};
use ideavault_domain::ids::FileId;
use ideavault_files::Scratch;

use super::blocking::blocking;
use super::error::ApiError;
use super::ranges::{Plan, RangeRequest};

/// Size of the chunks in which a file is read.
const CHUNK: usize = 64 * 1024;

/// Content security policy of images: shown, and nothing else.
const IMAGE_POLICY: &str =
    "default-src 'none'; sandbox; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
/// Content security policy of PDFs: our own pages may frame them. A sandbox would prevent
/// browsers from showing them, because PDF viewers run in the origin of the file.
const PDF_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; \
                          frame-ancestors 'self'; base-uri 'none'; form-action 'none'";

/// Returns the entity tag of a file: its id, because a stored file never changes.
pub fn tag(id: FileId) -> String {
    format!("\"{id}\"")
}

/// Responds with the requested part of a file. `attach` asks browsers to save it.
///
/// # Errors
/// [`ApiError::Range`].
pub fn answer(
    opened: OpenedFile,
    wish: &RangeRequest,
    attach: bool,
) -> Result<HttpResponse, ApiError> {
    let OpenedFile { file, content } = opened;
    let plan = wish.plan(file.size);
    let mut response = HttpResponse::Ok();
    describe(&mut response, &file, attach);
    let length = match plan {
        Plan::Unsatisfiable => return Err(ApiError::Range { size: file.size }),
        Plan::NotModified => return Ok(response.status(StatusCode::NOT_MODIFIED).finish()),
        Plan::Head | Plan::Whole => file.size,
        Plan::Part(part) => {
            let last = part.end.saturating_sub(1);
            let range = format!("bytes {}-{last}/{}", part.start, file.size);
            response
                .status(StatusCode::PARTIAL_CONTENT)
                .insert_header((header::CONTENT_RANGE, range));
            part.end.saturating_sub(part.start)
        }
    };
    response.content_type(file.media_type.as_str());
    Ok(match content {
        Some(content) => response.body(SizedStream::new(length, chunks(content))),
        None => response.body(SizedStream::new(length, stream::empty::<Chunk>())),
    })
}

/// Responds with an HTML page to save. If it is shown instead, it cannot run anything.
pub fn page(name: &str, html: String) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .insert_header((header::CONTENT_SECURITY_POLICY, IMAGE_POLICY))
        .insert_header((header::CONTENT_DISPOSITION, disposition(name, true)))
        .body(html)
}

/// Responds with an archive to save.
///
/// # Errors
/// If it cannot be read.
pub fn archive(name: &str, file: Scratch) -> Result<HttpResponse, ApiError> {
    let size = file.size();
    let content = file.into_reader().map_err(Failure::from)?;
    Ok(HttpResponse::Ok()
        .content_type("application/zip")
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .insert_header((header::CONTENT_DISPOSITION, disposition(name, true)))
        .body(SizedStream::new(size, chunks(Box::new(content)))))
}

fn describe(response: &mut HttpResponseBuilder, file: &StoredFile, attach: bool) {
    let policy = match file.kind() {
        FileKind::Pdf => PDF_POLICY,
        FileKind::Image => IMAGE_POLICY,
    };
    let name = disposition(file.name.as_str(), attach);
    response
        .insert_header((header::ETAG, tag(file.id)))
        .insert_header((header::ACCEPT_RANGES, "bytes"))
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .insert_header((header::CONTENT_SECURITY_POLICY, policy))
        .insert_header((header::CONTENT_DISPOSITION, name));
}

/// Formats the file name in UTF-8 and, for old browsers, in ASCII (RFC 6266). Neither can
/// end its quotes, its parameter or the header.
fn disposition(name: &str, attach: bool) -> String {
    let how = if attach { "attachment" } else { "inline" };
    let plain: String = name
        .chars()
        .map(|c| match c {
            '"' | '\\' | '%' => '_',
            ' '..='~' => c,
            _ => '_',
        })
        .collect();
    let mut encoded = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    format!("{how}; filename=\"{plain}\"; filename*=UTF-8''{encoded}")
}

type Chunk = Result<Bytes, ApiError>;

fn chunks(content: Box<dyn Read + Send>) -> impl Stream<Item = Chunk> {
    stream::try_unfold(content, |mut content| async {
        let read = blocking(move || {
            let mut chunk = Vec::new();
            let mut part = (&mut content).take(CHUNK as u64);
            match part.read_to_end(&mut chunk) {
                Ok(0) => Ok(None),
                Ok(_) => Ok(Some((Bytes::from(chunk), content))),
                Err(error) => Err(Failure::Unavailable(Box::new(error))),
            }
        });
        Ok(read.await?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_cannot_escape_its_header() {
        for (name, header) in [
            (
                "plan.pdf",
                "inline; filename=\"plan.pdf\"; filename*=UTF-8''plan.pdf",
            ),
            (
                "Größe \"1\"; filename=x.html",
                "inline; filename=\"Gr__e _1_; filename=x.html\"; \
                 filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22%3B%20filename%3Dx.html",
            ),
            (
                "a\\b%22\r\n",
                "inline; filename=\"a_b_22__\"; filename*=UTF-8''a%5Cb%2522%0D%0A",
            ),
        ] {
            assert_eq!(disposition(name, false), header);
        }
        assert!(
            disposition("x", true)
                .to_string()
                .starts_with("attachment; ")
        );
    }
}
