//! Sanitizes and checks uploaded content: HTML, images and PDFs.

mod attributes;
mod html;
mod images;
mod pdf;

pub use html::AllowListSanitizer;
pub use images::ImageReencoder;
pub use pdf::PdfPageChecker;
