//! The formats of evidence, and nothing else: the Merkle tree of the log, signed checkpoints,
//! cosignatures, proofs, canonical JSON, OpenTimestamps, bundles, and their verification.
//!
//! Pure code: no clock, no network, no database. What it writes can be verified with public
//! tools, because every format is somebody else's standard.

pub mod archive;
pub mod assets;
pub mod bundle;
pub mod canonical;
pub mod checkpoint;
pub mod cosignature;
pub mod disclosure;
pub mod event;
pub mod ots;
pub mod proof;
pub mod tree;
pub mod verify;

/// A SHA-256 digest, or the hash of a node.
pub type Digest = [u8; 32];

/// Returns the SHA-256 of `bytes`.
pub fn sha256(bytes: &[u8]) -> Digest {
    use sha2::Digest as _;

    sha2::Sha256::digest(bytes).into()
}
