//! Schema of content. These types only describe it: the JSON itself is that of
//! [`ideavault_domain::content::Content`].

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// Content of an idea: HTML text, a PDF, positioned elements, or an object in an earlier
/// format.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes JSON that the domain writes")]
pub enum IdeaContent {
    /// Sanitized HTML.
    Html(String),
    /// An imported PDF.
    Pdf(PdfContent),
    /// Positioned elements.
    Canvas(CanvasContent),
    /// Any other object, from an earlier format.
    Legacy(LegacyContent),
}

/// Any other object, from an earlier format.
#[derive(Serialize, ToSchema)]
#[schema(value_type = Object)]
pub struct LegacyContent(Value);

/// An imported PDF.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PdfContent {
    r#type: PdfType,
    file_name: String,
    pdf_path: String,
}

/// The `type` of PDF content.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "describes JSON that the domain writes")]
pub enum PdfType {
    /// The only value.
    Pdf,
}

/// Positioned elements.
#[derive(Serialize, ToSchema)]
pub struct CanvasContent {
    elements: Vec<CanvasElement>,
}

/// One positioned element (docs/rules.md#idea-content).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CanvasElement {
    /// text, rect or circle.
    r#type: String,
    x: Option<f64>,
    y: Option<f64>,
    rotation: Option<f64>,
    text: Option<String>,
    font_size: Option<f64>,
    font_family: Option<String>,
    fill: Option<String>,
    /// bold or italic.
    font_style: Option<String>,
    width: Option<f64>,
    height: Option<f64>,
    radius: Option<f64>,
    stroke: Option<String>,
    stroke_width: Option<f64>,
}
