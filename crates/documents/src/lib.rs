//! Writes receipts, certificates and reports as PDF/A-3, with all fonts inside.
//!
//! Invariant: no character vanishes. The fonts of `assets/` have Latin with Vietnamese, Greek
//! and Cyrillic. What they and the operator's fonts lack is written as code points in
//! brackets, like `[U+738B U+5C0F]`; the JSON inside the document has the text itself.

mod canvas;
mod certificate;
mod flow;
mod fonts;
mod paragraphs;
mod pdf;
mod receipt;
mod report;

use ideavault_domain::document::{Certificate, Receipt};
use ideavault_domain::ports::{DocumentWriter, PortError};
use ideavault_domain::report::Report;
use thiserror::Error;

use crate::fonts::Fonts;
use crate::pdf::DocumentError;

/// A file is no font in a format of OpenType.
#[derive(Clone, Copy, Debug, Error)]
#[error("it is no OpenType font")]
pub struct NotAFont;

/// [`DocumentWriter`] for PDF/A-3.
#[derive(Clone, Debug, Default)]
pub struct PdfDocuments {
    added: Vec<&'static [u8]>,
}

impl PdfDocuments {
    /// Adds a font for characters that the fonts before it lack. It stays in memory until the
    /// program ends.
    pub fn with_font(mut self, font: Vec<u8>) -> Result<Self, NotAFont> {
        self.added.push(font.leak());
        match Fonts::load(&self.added) {
            Ok(_) => Ok(self),
            Err(_) => Err(NotAFont),
        }
    }
}

impl DocumentWriter for PdfDocuments {
    fn receipt(&self, receipt: &Receipt) -> Result<Vec<u8>, PortError> {
        receipt::write(receipt, &self.added).map_err(|error| failed("write a receipt", error))
    }

    fn certificate(&self, certificate: &Certificate) -> Result<Vec<u8>, PortError> {
        certificate::write(certificate, &self.added)
            .map_err(|error| failed("write a certificate", error))
    }

    fn report(&self, report: &Report) -> Result<Vec<u8>, PortError> {
        report::write(report, &self.added).map_err(|error| failed("write a report", error))
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
