//! How long what was read stays true.

use ideavault_domain::Timestamp;

/// A value that was read. Until some time, reading it again would find the same and record
/// nothing, unless something is committed to the database meanwhile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fresh<T> {
    /// The value.
    pub value: T,
    /// When it may change by itself.
    pub until: Timestamp,
}

impl<T> Fresh<T> {
    /// A value that does not depend on the time.
    pub fn always(value: T) -> Self {
        Self {
            value,
            until: Timestamp::MAX_UTC,
        }
    }

    /// A value whose reading was recorded at `now`, or that changes with every moment.
    pub fn once(value: T, now: Timestamp) -> Self {
        Self { value, until: now }
    }

    /// Converts the value.
    pub fn map<U>(self, convert: impl FnOnce(T) -> U) -> Fresh<U> {
        Fresh {
            value: convert(self.value),
            until: self.until,
        }
    }
}
