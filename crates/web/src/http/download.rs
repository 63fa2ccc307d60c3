//! Answers that carry a file.

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

use super::blocking::blocking;
use super::error::ApiError;
use super::ranges::{Plan, RangeRequest};

/// How much of a file is in memory at a time.
const CHUNK: usize = 64 * 1024;

/// An image is shown, and does nothing.
const IMAGE_POLICY: &str =
    "default-src 'none'; sandbox; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
/// A PDF may be framed by our own pages. A sandbox would keep browsers from
/// showing it at all: their viewers run where the file does.
const PDF_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; \
                          frame-ancestors 'self'; base-uri 'none'; form-action 'none'";

/// The entity tag of a file. Its id serves, as a stored file never changes.
pub fn tag(id: FileId) -> String {
    format!("\"{id}\"")
}

/// Answers with what was wished for. `attach` asks browsers to save the file.
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

/// Answers with a page for the browser to save; shown instead, it would run nothing.
pub fn page(name: &str, html: String) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .insert_header((header::CONTENT_SECURITY_POLICY, IMAGE_POLICY))
        .insert_header((header::CONTENT_DISPOSITION, disposition(name, true)))
        .body(html)
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

/// The name as it is, for browsers of this century, and a plain one for others
/// (RFC 6266). Neither can end its quotes, its parameter or the header.
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
    fn a_name_cannot_break_out_of_its_header() {
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
