//! Responses that carry a file.

use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

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
use ideavault_domain::text::percent_encoded;
use ideavault_files::Scratch;

use super::blocking::blocking;
use super::error::ApiError;
use super::ranges::{Plan, RangeRequest};

/// Size of the chunks in which a file is read.
const CHUNK: usize = 64 * 1024;

/// How long a client may take for a chunk of a file that was written for it alone. Then the
/// space of the file is needed for others.
const STALL_MAX: Duration = Duration::from_secs(60);

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
pub fn respond(
    opened: OpenedFile,
    requested: &RangeRequest,
    attach: bool,
) -> Result<HttpResponse, ApiError> {
    let OpenedFile { file, content } = opened;
    let plan = requested.plan(file.size);
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
        .body(SizedStream::new(
            size,
            chunks(Box::new(Abandonable::new(content, STALL_MAX))),
        )))
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
    let encoded = percent_encoded(name);
    format!("{how}; filename=\"{plain}\"; filename*=UTF-8''{encoded}")
}

/// A reader that is dropped when nothing was read from it for a while.
struct Abandonable<R>(Arc<Mutex<Held<R>>>);

struct Held<R> {
    /// `None` once it was abandoned.
    content: Option<R>,
    reads: u64,
}

impl<R: Read + Send + 'static> Abandonable<R> {
    fn new(content: R, stall_max: Duration) -> Self {
        let held = Arc::new(Mutex::new(Held {
            content: Some(content),
            reads: 0,
        }));
        let watched = Arc::downgrade(&held);
        actix_web::rt::spawn(async move {
            let mut seen = 0;
            loop {
                tokio::time::sleep(stall_max).await;
                // Gone once everything was read, or the client has disconnected.
                let Some(held) = watched.upgrade() else {
                    return;
                };
                let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
                if held.reads == seen {
                    held.content = None;
                    return;
                }
                seen = held.reads;
            }
        });
        Self(held)
    }
}

impl<R: Read> Read for Abandonable<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.reads += 1;
        match &mut held.content {
            Some(content) => content.read(buffer),
            None => Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "the client has not read for too long",
            )),
        }
    }
}

type Chunk = Result<Bytes, ApiError>;

fn chunks(content: Box<dyn Read + Send>) -> impl Stream<Item = Chunk> {
    stream::try_unfold(content, |mut content| async {
        let read = blocking(move || {
            let mut chunk = Vec::with_capacity(CHUNK);
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
    use futures_util::StreamExt as _;
    use tokio::sync::oneshot;

    use super::*;

    /// Says when it is dropped.
    struct Content(Option<oneshot::Sender<()>>);

    impl Read for Content {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            Ok(buffer.len())
        }
    }

    impl Drop for Content {
        fn drop(&mut self) {
            self.0.take().unwrap().send(()).unwrap();
        }
    }

    #[actix_web::test]
    async fn a_file_that_nobody_reads_is_given_up() {
        let (drop, dropped) = oneshot::channel();
        let content = Abandonable::new(Content(Some(drop)), Duration::from_millis(1));
        dropped.await.unwrap();
        let mut chunks = std::pin::pin!(chunks(Box::new(content)));
        assert!(chunks.next().await.unwrap().is_err());
    }

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
