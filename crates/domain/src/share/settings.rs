//! What the owner of a link decides about its readers, and may change at any time.

use crate::failure::Invalid;
use crate::text::Title;

/// The settings of a link (`docs/rules.md#share-types`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShareSettings {
    /// The title of its idea for readers who have not accepted the agreement yet; without one, they
    /// see the idea's own.
    pub cover_title: Option<Title>,
    /// Whether its readers and those of the idea's other links with this setting see
    /// each other's names and comments.
    pub shows_other_readers: bool,
    /// Whether its readers may download the document.
    pub allow_download: bool,
}

impl Default for ShareSettings {
    fn default() -> Self {
        Self {
            cover_title: None,
            shows_other_readers: false,
            allow_download: true,
        }
    }
}

/// The settings that a request names, not validated; the others stay as they are.
#[derive(Clone, Debug, Default)]
pub struct ShareSettingsRequest {
    /// Replaces [`ShareSettings::cover_title`]; a blank one removes it.
    pub cover_title: Option<String>,
    /// Replaces [`ShareSettings::shows_other_readers`].
    pub shows_other_readers: Option<bool>,
    /// Replaces [`ShareSettings::allow_download`].
    pub allow_download: Option<bool>,
}

/// The settings that change; the others stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShareSettingsChange {
    /// Replaces [`ShareSettings::cover_title`].
    pub cover_title: Option<Option<Title>>,
    /// Replaces [`ShareSettings::shows_other_readers`].
    pub shows_other_readers: Option<bool>,
    /// Replaces [`ShareSettings::allow_download`].
    pub allow_download: Option<bool>,
}

impl ShareSettingsChange {
    /// Validates a request.
    ///
    /// # Errors
    /// [`Invalid`] on the first invalid field.
    pub fn parse(request: &ShareSettingsRequest) -> Result<Self, Invalid> {
        let cover_title = request.cover_title.as_deref();
        Ok(Self {
            cover_title: cover_title.map(Title::parse_cover).transpose()?,
            shows_other_readers: request.shows_other_readers,
            allow_download: request.allow_download,
        })
    }

    /// Returns `settings` with the change.
    #[must_use]
    pub fn applied_to(self, settings: ShareSettings) -> ShareSettings {
        ShareSettings {
            cover_title: self.cover_title.unwrap_or(settings.cover_title),
            shows_other_readers: self
                .shows_other_readers
                .unwrap_or(settings.shows_other_readers),
            allow_download: self.allow_download.unwrap_or(settings.allow_download),
        }
    }
}
