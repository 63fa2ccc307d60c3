//! Compression of responses on request. Files of the frontend are compressed by its build.

use std::io::{self, Write as _};

use actix_web::body::BoxBody;
use actix_web::http::header::{self, AcceptEncoding, ContentEncoding, Encoding, Header as _};
use actix_web::{HttpRequest, HttpResponse, Responder};
use flate2::Compression;
use flate2::write::GzEncoder;
use ideavault_domain::failure::Failure;
use serde::Serialize;

/// Returns whether the browser accepts an encoding, and prefers it to none.
#[must_use]
pub fn accepts(request: &HttpRequest, encoding: &Encoding) -> bool {
    AcceptEncoding::parse(request).is_ok_and(|accepted| {
        accepted.negotiate([encoding.clone(), Encoding::identity()].iter())
            == Some(encoding.clone())
    })
}

/// Compresses a body. Its size must reveal nothing (BREACH): a body that holds a secret must hold
/// nothing that others can choose, request by request.
///
/// # Errors
/// Those of the encoder.
pub fn gzip(body: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 2), Compression::default());
    encoder.write_all(body)?;
    encoder.finish()
}

/// JSON that was written, and compressed if the browser accepts that, apart from the threads that
/// respond. See [`gzip`] for what must not be in it.
pub struct CompressedJson {
    body: Vec<u8>,
    is_compressed: bool,
}

impl CompressedJson {
    /// Writes a value.
    ///
    /// # Errors
    /// [`Failure::Internal`] if the value cannot be written.
    pub fn write(value: &impl Serialize, is_compressed: bool) -> Result<Self, Failure> {
        let plain =
            serde_json::to_vec(value).map_err(|error| Failure::Internal(Box::new(error)))?;
        let body = if is_compressed {
            gzip(&plain).map_err(|error| Failure::Internal(Box::new(error)))?
        } else {
            plain
        };
        Ok(Self {
            body,
            is_compressed,
        })
    }
}

impl Responder for CompressedJson {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        let mut response = HttpResponse::Ok();
        response
            .content_type("application/json")
            .insert_header((header::VARY, "Accept-Encoding"));
        if self.is_compressed {
            response.insert_header(ContentEncoding::Gzip);
        }
        response.body(self.body)
    }
}
