//! The bytes of files, in a folder.
//!
//! Invariant: no path is built of anything but a UUID that the server made.

mod folder;
mod scratch;

pub use folder::FolderStorage;
pub use scratch::Scratch;
