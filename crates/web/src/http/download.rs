//! Responses that carry a file.

use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

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

use super::archives::OpenArchive;
use super::error::ApiError;
use super::ranges::{Plan, RangeRequest};
use super::use_cases::UseCases;

/// Size of the chunks in which a file is read.
const CHUNK: usize = 64 * 1024;

/// How long a client may take for a chunk of a file that was written for it alone. Then the
/// space of the file is needed for others.
const STALL_MAX: Duration = Duration::from_secs(60);
/// Bytes of such a file that a client takes in a second on average, after the first minute: a
/// quarter of a megabit.
const LEAST_RATE: u64 = 32 * 1024;

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
pub fn respond(
    use_cases: UseCases,
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
        Some(content) => response.body(SizedStream::new(length, chunks(use_cases, content))),
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

/// Responds with an archive to save, which is open until it was sent.
///
/// # Errors
/// If it cannot be read.
pub fn archive(
    use_cases: UseCases,
    name: &str,
    file: Scratch,
    open: OpenArchive,
) -> Result<HttpResponse, ApiError> {
    let size = file.size();
    let content = file.into_reader().map_err(Failure::from)?;
    Ok(HttpResponse::Ok()
        .content_type("application/zip")
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .insert_header((header::CONTENT_DISPOSITION, disposition(name, true)))
        .body(SizedStream::new(
            size,
            chunks(
                use_cases,
                Box::new(Abandonable::new((content, open), STALL_MAX)),
            ),
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

/// A reader of what was written for one client, dropped once that reads too slowly.
struct Abandonable<R>(Arc<Mutex<Held<R>>>);

struct Held<R> {
    /// `None` once it was abandoned. What belongs to the content is dropped with it.
    content: Option<(R, OpenArchive)>,
    reads: u64,
    read: u64,
}

impl<R: Read + Send + 'static> Abandonable<R> {
    fn new(content: (R, OpenArchive), stall_max: Duration) -> Self {
        let held = Arc::new(Mutex::new(Held {
            content: Some(content),
            reads: 0,
            read: 0,
        }));
        let watched = Arc::downgrade(&held);
        actix_web::rt::spawn(async move {
            let (mut seen, began) = (0, Instant::now());
            loop {
                tokio::time::sleep(stall_max).await;
                // Gone once everything was read, or the client has disconnected.
                let Some(held) = watched.upgrade() else {
                    return;
                };
                let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
                if held.reads == seen || is_too_slow(held.read, began.elapsed()) {
                    held.content = None;
                    return;
                }
                seen = held.reads;
            }
        });
        Self(held)
    }
}

fn is_too_slow(read: u64, elapsed: Duration) -> bool {
    let beyond = elapsed.saturating_sub(STALL_MAX).as_secs();
    read < beyond.saturating_mul(LEAST_RATE)
}

impl<R: Read> Read for Abandonable<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.reads += 1;
        let Some((content, _)) = &mut held.content else {
            return Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "the client has read too slowly",
            ));
        };
        let read = content.read(buffer)?;
        held.read += read as u64;
        Ok(read)
    }
}

type Chunk = Result<Bytes, ApiError>;

fn chunks<A: Send + Sync + 'static>(
    use_cases: UseCases<A>,
    content: Box<dyn Read + Send>,
) -> impl Stream<Item = Chunk> {
    stream::try_unfold((use_cases, content), |(use_cases, mut content)| async {
        let read = use_cases.on_file(move || {
            let mut chunk = Vec::with_capacity(CHUNK);
            let mut part = (&mut content).take(CHUNK as u64);
            match part.read_to_end(&mut chunk) {
                Ok(0) => Ok(None),
                Ok(_) => Ok(Some((chunk, content))),
                Err(error) => Err(Failure::Unavailable(Box::new(error))),
            }
        });
        let read = read.await?;
        Ok(read.map(|(chunk, content)| (Bytes::from(chunk), (use_cases, content))))
    })
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt as _;
    use tokio::sync::oneshot;

    use super::*;
    use crate::http::archives::OpenArchives;
    use crate::http::callers::Caller;
    use crate::http::executor::Executor;
    use crate::http::testing::{FakeDatabase, StoppedClock};

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
        let archives = OpenArchives::default();
        let open = archives.open(&Caller::named("ada")).await.unwrap();
        let content = (Content(Some(drop)), open);
        let content = Abandonable::new(content, Duration::from_millis(1));
        dropped.await.unwrap();
        archives.open(&Caller::named("ada")).await.unwrap();
        let executor = Executor::new(
            (),
            Arc::new(FakeDatabase::default()),
            Arc::new(StoppedClock),
        );
        let chunks = chunks(executor.for_server(), Box::new(content));
        let mut chunks = std::pin::pin!(chunks);
        assert!(chunks.next().await.unwrap().is_err());
    }

    #[test]
    fn a_client_reads_with_a_least_rate_over_the_whole_transfer() {
        let minute = Duration::from_secs(60);
        assert!(!is_too_slow(0, minute));
        assert!(is_too_slow(100, minute * 2));
        let hour_and_minute = minute * 61;
        assert!(is_too_slow(3_600 * LEAST_RATE - 1, hour_and_minute));
        assert!(!is_too_slow(3_600 * LEAST_RATE, hour_and_minute));
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
