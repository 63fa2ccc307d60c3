//! Writes receipts and certificates as PDF/A-3, with all fonts inside.
//!
//! Invariant: no character vanishes. What the fonts of `assets/` lack (they have Latin with
//! Vietnamese, Greek and Cyrillic) is written as its code points in brackets, like
//! `[U+738B U+5C0F]`; the JSON inside the document has the text itself.

mod canvas;
mod certificate;
mod fonts;
mod paragraphs;
mod pdf;
mod receipt;

use ideavault_domain::document::{Certificate, Receipt};
use ideavault_domain::ports::{DocumentWriter, PortError};

use crate::pdf::DocumentError;

/// [`DocumentWriter`] for PDF/A-3.
#[derive(Clone, Copy, Debug)]
pub struct PdfDocuments;

impl DocumentWriter for PdfDocuments {
    fn receipt(&self, receipt: &Receipt) -> Result<Vec<u8>, PortError> {
        receipt::write(receipt).map_err(|error| failed("write a receipt", error))
    }

    fn certificate(&self, certificate: &Certificate) -> Result<Vec<u8>, PortError> {
        certificate::write(certificate).map_err(|error| failed("write a certificate", error))
    }
}

fn failed(operation: &'static str, error: DocumentError) -> PortError {
    PortError {
        operation,
        source: Box::new(error),
    }
}

#[cfg(test)]
mod tests;
