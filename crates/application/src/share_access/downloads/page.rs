//! A document as one self-contained HTML page.

use ideavault_domain::Timestamp;
use ideavault_domain::idea::{Idea, Revision};
use ideavault_domain::text::PersonName;
use serde_json::{Map, Value};

/// Facts about the document that the page states.
pub(super) struct Facts {
    pub(super) idea: Idea,
    pub(super) sharer: PersonName,
    pub(super) reader: PersonName,
    pub(super) at: Timestamp,
}

/// Image sources in the policy of a page that embeds its images.
const INSIDE: &str = "data:";
/// Image sources in the policy of an owner's page: embedded, or files beside it.
const BESIDE: &str = "data: file:";

const STYLE: &str = "body{max-width:46rem;margin:0 auto;padding:2rem 1.25rem 4rem;\
color:#141b2d;background:#fff;font:1.0625rem/1.65 Georgia,serif;overflow-wrap:anywhere}\
header{border-bottom:1px solid #c9cfdb;margin-bottom:2rem;padding-bottom:1.25rem;\
font-family:system-ui,sans-serif;font-size:.9rem}\
h1,h2,h3{line-height:1.25}header h1{font:600 1.75rem/1.25 Georgia,serif;margin:.25rem 0 .75rem}\
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem;margin:0}dt{color:#525c73}\
dd{margin:0}img,svg{max-width:100%;height:auto}pre,p{white-space:pre-wrap}\
pre{background:#f2f4f8;padding:1rem}blockquote{border-left:3px solid #c9cfdb;margin-left:0;\
padding-left:1rem}table{border-collapse:collapse}td,th{border:1px solid #c9cfdb;\
padding:.35rem .6rem;text-align:left;vertical-align:top}";

impl Facts {
    /// Returns a file name made from the title.
    pub(super) fn file_name(&self) -> String {
        let title: String = self
            .idea
            .title
            .as_str()
            .chars()
            .filter(|c| !c.is_control() && !"/\\:*?\"<>|".contains(*c))
            .take(80)
            .collect();
        match title.trim().trim_matches('.') {
            "" => format!("Idea {}.html", self.idea.id),
            title => format!("{title}.html"),
        }
    }
}

/// Renders the page around an HTML body.
pub(super) fn write(facts: &Facts, body: &str) -> String {
    let title = escape(facts.idea.title.as_str());
    let publication = facts.idea.status.publication();
    let document = publication.map_or(String::new(), |publication| {
        row("Document ID", &publication.document_id.to_string())
    });
    let shared = row("Shared by", facts.sharer.as_str());
    let reader = row("Downloaded by", facts.reader.as_str());
    let at = row(
        "Downloaded",
        &facts.at.format("%Y-%m-%d %H:%M UTC").to_string(),
    );
    let notice = "<p>Confidential. Disclosed under a non-disclosure agreement; please do not pass \
                  it on.</p>\n";
    let facts = format!("{document}{shared}{reader}{at}");
    document_around(&title, INSIDE, notice, &facts, body)
}

/// Renders the page of an own revision around an HTML body.
pub(super) fn write_own(revision: &Revision, body: &str) -> String {
    let title = escape(revision.title.as_str());
    let number = row("Version", &revision.number.to_string());
    let at = row(
        "Saved",
        &revision.created_at.format("%Y-%m-%d %H:%M UTC").to_string(),
    );
    let digest = row("SHA-256", &revision.sha256.to_string());
    let facts = format!("{number}{at}{digest}");
    document_around(&title, BESIDE, "", &facts, body)
}

/// Renders a page that runs no scripts and makes no network requests.
fn document_around(title: &str, images: &str, notice: &str, facts: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         img-src {images}; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"robots\" content=\"noindex\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<header>\n\
         {notice}\
         <h1>{title}</h1>\n<dl>{facts}</dl>\n</header>\n\
         <main>\n{body}\n</main>\n</body>\n</html>\n"
    )
}

fn row(label: &str, value: &str) -> String {
    format!("<dt>{label}</dt><dd>{}</dd>", escape(value))
}

/// Renders every text in legacy content as a paragraph.
pub(super) fn texts(object: &Map<String, Value>) -> String {
    let mut html = String::from("<p>Content imported from previous format</p>");
    for value in object.values() {
        add_texts(&mut html, value);
    }
    html
}

/// Recursion is bounded: the nesting depth is limited when content is accepted.
fn add_texts(html: &mut String, value: &Value) {
    match value {
        Value::String(text) if !text.trim().is_empty() => {
            html.push_str(&format!("<p>{}</p>", escape(text)));
        }
        Value::Array(list) => list.iter().for_each(|inner| add_texts(html, inner)),
        Value::Object(object) => object.values().for_each(|inner| add_texts(html, inner)),
        _ => {}
    }
}

/// Renders a canvas as a drawing.
pub(super) fn drawing(canvas: &Map<String, Value>) -> String {
    let elements = canvas.get("elements").and_then(Value::as_array);
    let (mut shapes, mut corners) = (String::new(), Vec::new());
    for element in elements.into_iter().flatten().filter_map(Value::as_object) {
        let (width, height) = add_shape(&mut shapes, element);
        let (x, y) = (number(element, "x", 0.0), number(element, "y", 0.0));
        let turn = number(element, "rotation", 0.0).to_radians();
        for (right, down) in [(0.0, 0.0), (width, 0.0), (0.0, height), (width, height)] {
            corners.push((
                x + right * turn.cos() - down * turn.sin(),
                y + right * turn.sin() + down * turn.cos(),
            ));
        }
        if element.get("type").and_then(Value::as_str) == Some("circle") {
            corners.push((x - width, y - height));
        }
    }
    let least = |least: f64, value: f64| least.min(value);
    let (xs, ys) = (corners.iter().map(|c| c.0), corners.iter().map(|c| c.1));
    let (left, top) = (
        xs.clone().fold(f64::INFINITY, least),
        ys.clone().fold(f64::INFINITY, least),
    );
    if !left.is_finite() || !top.is_finite() {
        return String::new();
    }
    let (width, height) = (
        xs.fold(left, f64::max) - left + 20.0,
        ys.fold(top, f64::max) - top + 20.0,
    );
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{} {} {width} {height}\">{shapes}</svg>",
        left - 10.0,
        top - 10.0,
    )
}

/// Adds one element; returns its right and bottom extent.
fn add_shape(shapes: &mut String, element: &Map<String, Value>) -> (f64, f64) {
    let text = |key: &str| element.get(key).and_then(Value::as_str);
    let kind = text("type").unwrap_or_default();
    let stroke = text("stroke").unwrap_or("none");
    let fill = text("fill").unwrap_or(if kind == "text" { "#141b2d" } else { "none" });
    let attributes = format!(
        "fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\" transform=\"translate({} {}) rotate({})\"",
        escape(fill),
        escape(stroke),
        number(element, "strokeWidth", 1.0),
        number(element, "x", 0.0),
        number(element, "y", 0.0),
        number(element, "rotation", 0.0),
    );
    match kind {
        "rect" => {
            let (width, height) = (
                number(element, "width", 0.0),
                number(element, "height", 0.0),
            );
            shapes.push_str(&format!(
                "<rect {attributes} width=\"{width}\" height=\"{height}\"/>"
            ));
            (width, height)
        }
        "circle" => {
            let radius = number(element, "radius", 0.0);
            shapes.push_str(&format!("<circle {attributes} r=\"{radius}\"/>"));
            (radius, radius)
        }
        "text" => {
            let size = number(element, "fontSize", 16.0);
            let style = text("fontStyle").unwrap_or_default();
            let weight = if style.contains("bold") {
                "bold"
            } else {
                "normal"
            };
            let slant = if style.contains("italic") {
                "italic"
            } else {
                "normal"
            };
            shapes.push_str(&format!(
                "<text {attributes} font-size=\"{size}\" font-weight=\"{weight}\" font-style=\"{slant}\">"
            ));
            let (mut down, mut width) = (0.0, 0.0_f64);
            for line in text("text").unwrap_or_default().split('\n') {
                let baseline = down + size * 0.9;
                shapes.push_str(&format!(
                    "<tspan x=\"0\" y=\"{baseline}\">{}</tspan>",
                    escape(line)
                ));
                down += size * 1.2;
                let emails = u32::try_from(line.chars().count()).unwrap_or(u32::MAX);
                width = width.max(f64::from(emails) * size * 0.6);
            }
            shapes.push_str("</text>");
            (width, down)
        }
        _ => (0.0, 0.0),
    }
}

fn number(element: &Map<String, Value>, key: &str, otherwise: f64) -> f64 {
    element
        .get(key)
        .and_then(Value::as_f64)
        .unwrap_or(otherwise)
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}
