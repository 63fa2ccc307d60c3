//! What the owner of a link may change at any time, for all of its readers.

/// What the readers of a link may do (`docs/rules.md#share-types`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShareOptions {
    /// Whether its readers and those of the idea's other links with this option see
    /// each other's names and comments.
    pub shows_other_readers: bool,
    /// Whether its readers may download the document.
    pub allow_download: bool,
}

impl Default for ShareOptions {
    fn default() -> Self {
        Self {
            shows_other_readers: false,
            allow_download: true,
        }
    }
}

/// The options that a request names; the others stay as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShareOptionsChange {
    /// Replaces [`ShareOptions::shows_other_readers`].
    pub shows_other_readers: Option<bool>,
    /// Replaces [`ShareOptions::allow_download`].
    pub allow_download: Option<bool>,
}

impl ShareOptionsChange {
    /// Returns `options` with the change.
    #[must_use]
    pub fn applied_to(self, options: ShareOptions) -> ShareOptions {
        ShareOptions {
            shows_other_readers: self
                .shows_other_readers
                .unwrap_or(options.shows_other_readers),
            allow_download: self.allow_download.unwrap_or(options.allow_download),
        }
    }
}
