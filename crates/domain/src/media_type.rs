//! Types and purposes of files.

/// The purpose of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// The content of one idea; deleted with that idea.
    Pdf,
    /// An asset of its owner, which ideas and the profile may show.
    Image,
}

impl FileKind {
    /// Returns the name used in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Image => "image",
        }
    }
}

/// The media types that files are served as. Images of other types are converted to
/// one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MediaType {
    /// A PDF.
    Pdf,
    /// A lossless image.
    Png,
    /// A lossy image.
    Jpeg,
}

impl MediaType {
    /// Returns the media type's name (RFC 6838).
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pdf => "application/pdf",
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
        }
    }

    /// Returns the type with that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Pdf, Self::Png, Self::Jpeg]
            .into_iter()
            .find(|media_type| media_type.as_str() == name)
    }

    /// Returns the purpose of files of that type.
    #[must_use]
    pub fn kind(self) -> FileKind {
        match self {
            Self::Pdf => FileKind::Pdf,
            Self::Png | Self::Jpeg => FileKind::Image,
        }
    }
}
