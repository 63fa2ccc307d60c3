//! Cleans and checks the content that people bring in.

mod attributes;
mod html;
mod images;
mod pdf;

pub use html::AllowListSanitizer;
pub use images::PixelsOnly;
pub use pdf::PageFinder;
