//! Cleans and checks the content that people bring in.

mod attributes;
mod html;
mod images;

pub use html::AllowListSanitizer;
pub use images::PixelsOnly;
