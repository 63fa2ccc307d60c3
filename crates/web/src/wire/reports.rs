//! Reports of ideas, as pages and PDFs.

use ideavault_domain::document::utc;
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::report::{LIMITS, Report};
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment};
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

/// The form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportFormat {
    /// PDF/A.
    Pdf,
    /// A page to print.
    Html,
}

/// Query with the form of a report.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ReportFormatQuery {
    /// pdf or html.
    pub format: Option<String>,
}

impl ReportFormatQuery {
    /// Returns the form.
    ///
    /// # Errors
    /// [`Invalid`] on `format`.
    pub fn parse(&self) -> Result<ReportFormat, Invalid> {
        match self.format.as_deref() {
            Some("pdf") => Ok(ReportFormat::Pdf),
            Some("html") => Ok(ReportFormat::Html),
            _ => Err(Invalid::new("format", "format must be pdf or html")),
        }
    }
}

/// The variables of `report.html`.
#[derive(Serialize)]
struct Page {
    vault: String,
    title: String,
    idea: String,
    document_id: String,
    creator: String,
    made_at: String,
    scope: String,
    limits: &'static str,
    lines: Vec<Line>,
    basis: Vec<String>,
}

#[derive(Serialize)]
struct Line {
    at: String,
    sentence: String,
    details: String,
    basis: String,
}

/// Returns a report as a page that needs nothing else.
///
/// # Errors
/// [`Failure::Internal`] if it cannot be written.
pub fn page(report: Report) -> Result<String, Failure> {
    let mut environment = Environment::empty();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    let page = Page {
        scope: report.scope(),
        basis: report.basis(),
        limits: LIMITS,
        vault: report.vault,
        title: report.title,
        idea: report.idea,
        document_id: report.document_id.unwrap_or_else(|| "none yet".into()),
        creator: report.creator,
        made_at: utc(report.made_at),
        lines: report
            .lines
            .into_iter()
            .map(|line| Line {
                at: utc(line.at),
                sentence: line.sentence,
                details: line.details.join(", "),
                basis: line.basis,
            })
            .collect(),
    };
    environment
        .render_str(include_str!("../report.html"), Serde(page))
        .map_err(|error| Failure::Internal(Box::new(error)))
}
