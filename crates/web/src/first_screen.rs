//! The first screen of an agreement or a document as markup, which the document of its page shows
//! before any script has run.
//!
//! Invariant: of stored text, only what stands between tags gets into the markup, and no tag but
//! those that are written here. So nothing in a stored text can add an element or an attribute.

use ideavault_application::share_access::{ShareView, Stage};
use ideavault_domain::content::Content;
use ideavault_domain::file;
use ideavault_domain::idea::IdeaStatus;
use ideavault_domain::nda::AgreementParts;
use minijinja::{HtmlEscape, Value};
use serde::Serialize;

/// How many bytes of text fill the first screen of a desktop.
const ENOUGH: usize = 6 * 1024;
/// Most bytes of one paragraph.
const LONGEST_BLOCK: usize = 16 * 1024;

/// The first screen of a link for a registered recipient.
#[derive(Serialize)]
pub struct FirstScreen {
    /// The idea's title.
    pub title: String,
    /// The sharer's name.
    pub sharer: String,
    /// The recipient's name.
    pub recipient: String,
    /// Its document id, once it is published.
    pub document_id: Option<String>,
    /// Whether the reader's view ends at some time, or will.
    pub has_end: bool,
    /// The beginning of the text, as markup; empty if the document is a PDF.
    pub text: Value,
    /// Address of its file, if the document is a PDF.
    pub pdf: Option<String>,
}

impl FirstScreen {
    /// Returns the screen of an agreement that waits for an answer.
    #[must_use]
    pub fn of_agreement(view: &ShareView) -> Option<Self> {
        match &view.stage {
            Stage::Nda(agreement) => Self::of(view, paragraphs(&agreement.parts()), None),
            Stage::Collect | Stage::Verify(_) | Stage::Open { .. } => None,
        }
    }

    /// Returns the screen of an open document, if it begins with text or is a PDF.
    #[must_use]
    pub fn of_document(view: &ShareView) -> Option<Self> {
        let Stage::Open { content, .. } = &view.stage else {
            return None;
        };
        match content {
            Content::Html(html) => {
                let markup = beginning(html);
                if markup.is_empty() {
                    return None;
                }
                Self::of(view, markup, None)
            }
            Content::Pdf { pdf_path, .. } => {
                file::id_in_path(pdf_path)?;
                Self::of(view, String::new(), Some(pdf_path.clone()))
            }
            _ => None,
        }
    }

    fn of(view: &ShareView, markup: String, pdf: Option<String>) -> Option<Self> {
        let idea = &view.disclosed.idea;
        Some(Self {
            title: idea.title.as_str().to_owned(),
            sharer: view.disclosed.sharer.to_string(),
            recipient: view.recipient.as_ref()?.recipient.name.to_string(),
            document_id: match &idea.status {
                IdeaStatus::Published(publication) => {
                    Some(publication.document_id.as_str().to_owned())
                }
                IdeaStatus::Draft => None,
            },
            // Whenever it begins.
            has_end: view.share.view_end(view.share.created_at).is_some(),
            text: Value::from_safe_string(markup),
            pdf,
        })
    }
}

/// Returns the beginning of an agreement as a heading and paragraphs.
fn paragraphs(agreement: &AgreementParts) -> String {
    let mut markup = String::new();
    for block in agreement.blocks() {
        if markup.len() > ENOUGH {
            break;
        }
        let tag = if markup.is_empty() { "h2" } else { "p" };
        let block = HtmlEscape(&block);
        markup.push_str(&format!("<{tag}>{block}</{tag}>"));
    }
    markup
}

/// Returns the beginning of a stored document: as many paragraphs and headings as come before
/// anything else, such as a list, an image or a video.
fn beginning(html: &str) -> String {
    let mut markup = String::new();
    let mut rest = html;
    while markup.len() < ENOUGH
        && let Some((block, after)) = first_block(rest)
    {
        markup.push_str(&block);
        rest = after;
    }
    markup
}

/// Elements of text with their start tags. The page has a heading of its own.
const BLOCKS: [(&str, &str); 4] = [
    ("p", "<p>"),
    ("h1", "<h1 aria-level=\"2\">"),
    ("h2", "<h2 aria-level=\"3\">"),
    ("h3", "<h3 aria-level=\"4\">"),
];
/// Elements that may stand in them.
const INLINE: [&str; 7] = ["strong", "em", "s", "code", "mark", "sub", "sup"];
/// Elements that mean nothing without their attributes.
const UNWRAPPED: [&str; 2] = ["span", "a"];

/// Splits off the first block, if it is one of text alone that is not too long.
fn first_block(html: &str) -> Option<(String, &str)> {
    let (name, mut rest) = tag(html.strip_prefix('<')?)?;
    let (name, start) = BLOCKS.iter().find(|(block, _)| *block == name)?;
    let mut markup = (*start).to_owned();
    loop {
        let (text, after) = rest.split_once('<')?;
        if markup.len() + text.len() > LONGEST_BLOCK {
            return None;
        }
        markup.push_str(text);
        let (found, after) = tag(after)?;
        rest = after;
        let (slash, element) = match found.strip_prefix('/') {
            Some(element) => ("/", element),
            None => ("", found),
        };
        if element == *name && slash == "/" {
            markup.extend(["</", name, ">"]);
            return Some((markup, rest));
        }
        if found == "br" || INLINE.contains(&element) {
            markup.extend(["<", slash, element, ">"]);
        } else if !UNWRAPPED.contains(&element) {
            return None;
        }
    }
}

/// Splits what follows a `<` into the name of the tag, with its slash, and what follows the tag.
fn tag(html: &str) -> Option<(&str, &str)> {
    let mut is_quoted = false;
    let end = html.find(|letter| {
        is_quoted ^= letter == '"';
        letter == '>' && !is_quoted
    })?;
    let (inside, rest) = html.split_at_checked(end)?;
    let name = inside.split_ascii_whitespace().next()?;
    Some((name, rest.strip_prefix('>')?))
}

#[cfg(test)]
mod tests {
    use ideavault_domain::nda::Clause;

    use super::*;

    #[test]
    fn a_document_begins_with_its_text() {
        for (html, expected) in [
            (
                "<p>One</p><p>Two &amp; three</p>",
                "<p>One</p><p>Two &amp; three</p>",
            ),
            (
                "<h1>Title</h1><p>a<br>b <strong>c</strong></p>",
                "<h1 aria-level=\"2\">Title</h1><p>a<br>b <strong>c</strong></p>",
            ),
            (
                "<p><span style=\"color:#ff0000\">red</span> \
                 <a href=\"https://example.org/?a>b\" rel=\"x\">link</a></p>",
                "<p>red link</p>",
            ),
            (
                "<p><em style=\"color:#fff\">e</em></p>",
                "<p><em>e</em></p>",
            ),
        ] {
            assert_eq!(beginning(html), expected, "{html}");
        }
    }

    #[test]
    fn it_ends_before_what_is_not_text() {
        for after in [
            "<ul><li>x</li></ul>",
            "<p><img src=\"/api/files/1\"></p>",
            "<iframe src=\"https://www.youtube-nocookie.com/embed/x\"></iframe>",
            "<p><script>x</script></p>",
            "<script>x</script>",
            "<p onclick=\"x\" <b>",
            "<p>unclosed",
            "<P>other case</P>",
            "text",
            "<",
            "<!-- x --><p>y</p>",
        ] {
            assert_eq!(
                beginning(&format!("<p>One</p>{after}")),
                "<p>One</p>",
                "{after}"
            );
            assert_eq!(beginning(after), "", "{after}");
        }
    }

    #[test]
    fn no_attribute_gets_into_the_markup() {
        let html = "<p onclick=\"x\" class='y'>a<em onclick=\"x\">b</em></p>";
        assert_eq!(beginning(html), "<p>a<em>b</em></p>");
    }

    #[test]
    fn it_is_as_long_as_a_screen() {
        let paragraph = format!("<p>{}</p>", "x".repeat(1_000));
        let long = beginning(&paragraph.repeat(100));
        assert!((ENOUGH..ENOUGH + 2_000).contains(&long.len()));
        let longest = format!("<p>{}</p>", "x".repeat(LONGEST_BLOCK));
        assert!(beginning(&longest).is_empty());
    }

    #[test]
    fn an_agreement_is_a_heading_and_paragraphs() {
        const CLAUSE: Clause = Clause {
            heading: "1. Clause",
            body: "Body.",
        };
        let agreement = AgreementParts {
            title: "AGREEMENT",
            terms: vec![("Idea", "<b>".into()), ("Number", "7".into())],
            preamble: &["Before."],
            clauses: &[CLAUSE],
        };
        let expected = "<h2>AGREEMENT</h2><p>Idea:             &lt;b&gt;\nNumber:           7</p>\
                        <p>Before.</p><p>1. Clause. Body.</p>";
        assert_eq!(paragraphs(&agreement), expected);
    }
}
