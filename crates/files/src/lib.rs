//! The bytes of files, encrypted, in a folder.
//!
//! Invariant: no path is built of anything but a UUID that the server made.

mod blobs;
mod folder;
mod scratch;
mod sealed;

pub use blobs::Blobs;
pub use folder::FolderStorage;
pub use scratch::Scratch;
pub use sealed::SealedStorage;
