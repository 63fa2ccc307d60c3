//! Complete bundles, good and hostile, through the public interface of the crate.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod approval;
mod attacks;
mod claims;
mod older;
mod sample;
mod script;
mod story;
mod vectors;
