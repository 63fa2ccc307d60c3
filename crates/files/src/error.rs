//! Failures of the file system.

use std::io;

use ideavault_domain::ports::StorageError;

/// Describes a failed operation on the file system.
pub(crate) fn failed(operation: &'static str) -> impl FnOnce(io::Error) -> StorageError {
    move |error| {
        let is_full = matches!(
            error.kind(),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
        );
        let source = Box::new(error);
        if is_full {
            StorageError::Full { operation, source }
        } else {
            StorageError::Unavailable { operation, source }
        }
    }
}
