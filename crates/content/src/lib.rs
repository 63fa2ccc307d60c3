//! Cleans and checks the content that people bring in.

mod attributes;
mod html;

pub use html::AllowListSanitizer;
