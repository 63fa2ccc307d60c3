//! Documents as files that people keep and print.

use super::platform::PortError;
use crate::document::{Certificate, Receipt};
use crate::report::Report;

/// Writes documents as PDF/A-3, which needs no program or font of its time.
///
/// Characters that the adapter's fonts lack are written visibly in another form, never left
/// out.
pub trait DocumentWriter: Send + Sync {
    /// Returns the receipt, with its attachments embedded.
    ///
    /// # Errors
    /// When the document cannot be written.
    fn receipt(&self, receipt: &Receipt) -> Result<Vec<u8>, PortError>;

    /// Returns the certificate, which is one page.
    ///
    /// # Errors
    /// When the document cannot be written.
    fn certificate(&self, certificate: &Certificate) -> Result<Vec<u8>, PortError>;

    /// Returns the report, on as many pages as it needs.
    ///
    /// # Errors
    /// When the document cannot be written.
    fn report(&self, report: &Report) -> Result<Vec<u8>, PortError>;
}
