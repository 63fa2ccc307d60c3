//! Compression of responses on request. Files of the frontend are compressed by its build.

use std::io::{self, Write as _};

use actix_web::HttpRequest;
use actix_web::http::header::{AcceptEncoding, Encoding, Header as _};
use flate2::Compression;
use flate2::write::GzEncoder;

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
