//! An idea's content: a JSON union of four forms (`docs/rules.md#idea-content`).

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::canvas;
use crate::digest::Digest;
use crate::failure::Invalid;
use crate::file;
use crate::ids::FileId;
use crate::legacy;
use crate::nesting;

pub mod embedding;
pub mod json_text;

/// The form of a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ContentKind {
    /// Rich text.
    Html,
    /// An imported PDF file.
    Pdf,
    /// Positioned shapes and texts.
    Canvas,
    /// An object in a format older than these.
    Legacy,
}

impl ContentKind {
    /// Returns the name used in the API and the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Pdf => "pdf",
            Self::Canvas => "canvas",
            Self::Legacy => "legacy",
        }
    }

    /// Returns the kind with that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Html, Self::Pdf, Self::Canvas, Self::Legacy]
            .into_iter()
            .find(|kind| kind.as_str() == name)
    }
}

/// The content of an idea.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Sanitized HTML.
    Html(String),
    /// A stored PDF; the server assigns the path.
    Pdf {
        /// File name at upload.
        file_name: String,
        /// Path at which the server serves it.
        pdf_path: String,
    },
    /// An object with `elements`.
    Canvas(Map<String, Value>),
    /// Any other object.
    Legacy(Map<String, Value>),
}

impl Content {
    /// Parses the union from JSON sent by a client. A canvas is reduced to what can
    /// be shown (see [`canvas`]).
    ///
    /// # Errors
    /// [`Invalid`] on `content` when it is none of the four forms, breaks the rules
    /// of its form, or is HTML too costly to parse.
    pub fn from_json(json: Value) -> Result<Self, Invalid> {
        match Self::of_any_shape(json)? {
            Self::Canvas(object) => canvas::parse(object).map(Self::Canvas),
            Self::Legacy(object) => {
                legacy::check(&object)?;
                Ok(Self::Legacy(object))
            }
            Self::Html(html) => {
                nesting::check(&html)?;
                Ok(Self::Html(html))
            }
            pdf @ Self::Pdf { .. } => Ok(pdf),
        }
    }

    /// Determines the form, without further validation.
    fn of_any_shape(json: Value) -> Result<Self, Invalid> {
        let wrong = |message: &str| Invalid::new("content", message);
        let object = match json {
            Value::String(html) => return Ok(Self::Html(html)),
            Value::Object(object) => object,
            _ => return Err(wrong("Content must be text or an object")),
        };
        if object.get("type").and_then(Value::as_str) == Some("pdf") {
            let text = |key: &str| object.get(key).and_then(Value::as_str).map(str::to_owned);
            return match (text("fileName"), text("pdfPath")) {
                (Some(file_name), Some(pdf_path)) => Ok(Self::Pdf {
                    file_name,
                    pdf_path,
                }),
                _ => Err(wrong("PDF content needs fileName and pdfPath")),
            };
        }
        match object.get("elements") {
            Some(Value::Array(_)) => Ok(Self::Canvas(object)),
            Some(_) => Err(wrong("Canvas content needs a list of elements")),
            None => Ok(Self::Legacy(object)),
        }
    }

    /// Returns the JSON form of the API.
    #[must_use]
    pub fn to_json(&self) -> Value {
        match self {
            Self::Html(html) => Value::String(html.clone()),
            Self::Pdf {
                file_name,
                pdf_path,
            } => serde_json::json!({
                "type": "pdf",
                "fileName": file_name,
                "pdfPath": pdf_path,
            }),
            Self::Canvas(object) | Self::Legacy(object) => Value::Object(object.clone()),
        }
    }

    /// Returns the form.
    #[must_use]
    pub fn kind(&self) -> ContentKind {
        match self {
            Self::Html(_) => ContentKind::Html,
            Self::Pdf { .. } => ContentKind::Pdf,
            Self::Canvas(_) => ContentKind::Canvas,
            Self::Legacy(_) => ContentKind::Legacy,
        }
    }

    /// Returns the exact text that is stored and hashed: HTML unchanged, everything
    /// else as JSON with sorted keys and without white space.
    #[must_use]
    pub fn to_stored(&self) -> String {
        match self {
            Self::Html(html) => html.clone(),
            _ => self.to_json().to_string(),
        }
    }

    /// Parses the output of [`Content::to_stored`].
    ///
    /// # Errors
    /// [`Invalid`] when the text is not of that kind, which means that the database
    /// is damaged.
    pub fn from_stored(kind: ContentKind, stored: String) -> Result<Self, Invalid> {
        if kind == ContentKind::Html {
            return Ok(Self::Html(stored));
        }
        let damaged = || Invalid::new("content", "The stored content is damaged");
        let json = serde_json::from_str(&stored).map_err(|_| damaged())?;
        // Not validated again: accepted content stays readable if the rules change.
        let content = Self::of_any_shape(json)?;
        if content.kind() == kind {
            Ok(content)
        } else {
            Err(damaged())
        }
    }

    /// Returns the SHA-256 of [`Content::to_stored`]. A PDF revision uses that of the
    /// file instead: see [`Draft::sha256`](crate::idea::Draft::sha256).
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(self.to_stored().as_bytes())
    }

    /// Returns the files shown: the PDF, or the images in the sanitized HTML. Does
    /// not check that they exist or who owns them.
    #[must_use]
    pub fn files(&self) -> BTreeSet<FileId> {
        match self {
            Self::Html(html) => html
                .split("<img ")
                .skip(1)
                .filter_map(image_source)
                .filter_map(file::id_in_path)
                .collect(),
            Self::Pdf { pdf_path, .. } => file::id_in_path(pdf_path).into_iter().collect(),
            Self::Canvas(_) | Self::Legacy(_) => BTreeSet::new(),
        }
    }
}

/// Returns the address in the attributes after `<img `. Relies on the sanitizer's
/// output: quotes within a value are escaped, and every image has a source, so the
/// first `src="` is the attribute.
fn image_source(attributes: &str) -> Option<&str> {
    let value = attributes
        .strip_prefix("src=\"")
        .or_else(|| Some(attributes.split_once(" src=\"")?.1))?;
    value.split('"').next()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_four_kinds_are_distinguished() {
        for (json, kind) in [
            (json!("<p>Hi</p>"), ContentKind::Html),
            (
                json!({"type": "pdf", "fileName": "a.pdf", "pdfPath": "/x"}),
                ContentKind::Pdf,
            ),
            (json!({"elements": []}), ContentKind::Canvas),
            (json!({"blocks": [1]}), ContentKind::Legacy),
        ] {
            let content = Content::from_json(json.clone()).unwrap();
            assert_eq!(content.kind(), kind);
            assert_eq!(content.to_json(), json);
            assert_eq!(Content::from_stored(kind, content.to_stored()), Ok(content));
        }
    }

    #[test]
    fn other_json_is_refused_on_the_content_field() {
        for json in [
            json!(null),
            json!(5),
            json!([]),
            json!(true),
            json!({"type": "pdf"}),
            json!({"type": "pdf", "fileName": 1, "pdfPath": "/x"}),
            json!({"elements": "none"}),
        ] {
            assert_eq!(Content::from_json(json).unwrap_err().field, "content");
        }
    }

    #[test]
    fn the_digest_of_html_is_the_digest_of_its_bytes() {
        assert_eq!(Content::Html("abc".into()).digest(), Digest::of(b"abc"));
    }

    #[test]
    fn html_references_the_images_that_it_embeds_from_this_vault() {
        let ids: Vec<FileId> = (1..=4).map(|n| FileId::from_random([n; 16])).collect();
        let path = |index: usize| file::path_of(ids[index]);
        let html = format!(
            "<p>{}</p><img src=\"{}\" alt=\"a\"><p>b<img alt=\"&quot; src=&quot;{}\" src=\"{}\"></p>\
             <img src=\"data:image/png;base64,AAAA\" alt=\"\"><a href=\"{}\">x</a>\
             <img src=\"/api/files/x\"><p> src=\"{}\"</p>",
            path(0),
            path(1),
            path(0),
            path(2),
            path(3),
            path(3),
        );
        let shown = Content::Html(html).files();
        assert_eq!(shown, BTreeSet::from([ids[1], ids[2]]));
    }

    #[test]
    fn a_pdf_references_its_file_and_objects_reference_none() {
        let id = FileId::from_random([1; 16]);
        let pdf = |path: String| Content::Pdf {
            file_name: "a.pdf".into(),
            pdf_path: path,
        };
        assert_eq!(pdf(file::path_of(id)).files(), BTreeSet::from([id]));
        assert_eq!(pdf("/etc/passwd".into()).files(), BTreeSet::new());
        let json = json!({"old": format!("<img src=\"{}\">", file::path_of(id))});
        let legacy = Content::from_json(json).unwrap();
        assert_eq!(legacy.files(), BTreeSet::new());
    }

    #[test]
    fn content_stored_before_a_rule_remains_readable() {
        let stored = r#"{"elements":[{"type":"star"}]}"#.to_owned();
        assert!(Content::from_stored(ContentKind::Canvas, stored.clone()).is_ok());
        assert!(Content::from_json(serde_json::from_str(&stored).unwrap()).is_err());
    }

    #[test]
    fn the_stored_form_does_not_depend_on_key_order() {
        let one = Content::from_json(serde_json::from_str(r#"{"b":1,"a":2}"#).unwrap()).unwrap();
        assert_eq!(one.to_stored(), r#"{"a":2,"b":1}"#);
    }
}
