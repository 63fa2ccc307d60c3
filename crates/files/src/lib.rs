//! Stores the content of files, encrypted, in a folder or an S3 bucket, and the last
//! checkpoint of the evidence log.
//!
//! Invariant: paths and keys are built only from UUIDs that the server generated.

mod blobs;
mod bucket;
mod checkpoint;
mod disk;
mod error;
mod folder;
mod scratch;
mod sealed;
#[cfg(feature = "testing")]
pub mod testing;

pub use blobs::Blobs;
pub use bucket::{BucketAddress, BucketError, BucketSettings, BucketStorage, Limits};
pub use checkpoint::CheckpointFile;
pub use disk::DiskSpace;
pub use folder::FolderStorage;
pub use scratch::{Scratch, ScratchFolder};
pub use sealed::SealedStorage;
