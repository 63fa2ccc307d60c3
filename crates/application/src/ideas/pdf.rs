//! The special rules of PDF ideas.

use ideavault_domain::content::{Content, ContentKind};
use ideavault_domain::failure::Invalid;
use ideavault_domain::idea::{Draft, IdeaWithContent};
use ideavault_domain::text::Title;

/// Returns the next content of a PDF idea. The server owns the path and file name of
/// a PDF (`docs/rules.md#idea-content`): a client sends back what it received, and a
/// PDF can be neither replaced nor turned into another kind of content.
pub(super) fn next_of_pdf(
    title: Title,
    sent: &Content,
    current: IdeaWithContent,
) -> Result<Draft, Invalid> {
    match (sent, &current.content) {
        (Content::Pdf { pdf_path: sent, .. }, Content::Pdf { pdf_path, .. })
            if sent == pdf_path =>
        {
            Ok(Draft::retitled(title, current))
        }
        _ => Err(Invalid::new(
            "content",
            "The PDF of an idea cannot be replaced",
        )),
    }
}

/// Refuses PDF content, which must be uploaded.
pub(super) fn not_a_pdf(content: Content) -> Result<Content, Invalid> {
    if content.kind() == ContentKind::Pdf {
        let message = "A PDF can only be uploaded, not linked or changed";
        return Err(Invalid::new("content", message));
    }
    Ok(content)
}
