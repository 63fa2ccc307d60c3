//! Stores the content of files, encrypted, in a folder, and the last checkpoint of the
//! evidence log.
//!
//! Invariant: paths are built only from UUIDs that the server generated.

mod blobs;
mod checkpoint;
mod error;
mod folder;
mod scratch;
mod sealed;

pub use blobs::Blobs;
pub use checkpoint::CheckpointFile;
pub use folder::FolderStorage;
pub use scratch::Scratch;
pub use sealed::SealedStorage;
