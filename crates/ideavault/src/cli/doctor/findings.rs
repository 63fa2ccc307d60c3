//! The findings of the checks, as text and as JSON.

use serde_json::{Value, json};

use crate::version::{COMMIT, VERSION};

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Ok,
    /// The vault works, but somebody should look at it.
    Warning,
    /// Something does not work.
    Failed,
}

impl Outcome {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Failed => "failed",
        }
    }
}

/// A line of the report.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Finding {
    area: &'static str,
    outcome: Outcome,
    text: String,
}

/// The report.
#[derive(Debug, Default)]
pub(super) struct Findings(Vec<Finding>);

impl Findings {
    pub(super) fn add(&mut self, area: &'static str, outcome: Outcome, text: impl Into<String>) {
        let text = text.into();
        self.0.push(Finding {
            area,
            outcome,
            text,
        });
    }

    pub(super) fn ok(&mut self, area: &'static str, text: impl Into<String>) {
        self.add(area, Outcome::Ok, text);
    }

    pub(super) fn warn(&mut self, area: &'static str, text: impl Into<String>) {
        self.add(area, Outcome::Warning, text);
    }

    pub(super) fn fail(&mut self, area: &'static str, text: impl Into<String>) {
        self.add(area, Outcome::Failed, text);
    }

    pub(super) fn count(&self, outcome: Outcome) -> usize {
        let same = self.0.iter().filter(|finding| finding.outcome == outcome);
        same.count()
    }

    pub(super) fn text(&self) -> String {
        let lines = self.0.iter().map(|finding| {
            let outcome = finding.outcome.as_str();
            format!("{outcome:<9}{:<12}{}\n", finding.area, finding.text)
        });
        lines.collect()
    }

    pub(super) fn json(&self) -> Value {
        let checks = self.0.iter().map(|finding| {
            json!({
                "area": finding.area,
                "outcome": finding.outcome.as_str(),
                "text": finding.text,
            })
        });
        json!({
            "version": VERSION,
            "commit": COMMIT,
            "failed": self.count(Outcome::Failed),
            "warnings": self.count(Outcome::Warning),
            "checks": checks.collect::<Vec<_>>(),
        })
    }
}
