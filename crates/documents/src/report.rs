//! The report of an idea: every line of it, and what they rest on.

use ideavault_domain::document::utc;
use ideavault_domain::report::{LIMITS, Report, ReportLine};

use crate::canvas::{INK, MUTED};
use crate::flow::{Flow, Frame, LEADING, Setting};
use crate::fonts::{Face, Fonts};
use crate::pdf::{self, DocumentError};

/// Beside the longest time.
const BESIDE: f32 = 134.0;
const TIME: Setting = Setting {
    face: Face::Sans,
    size: 7.5,
    colour: MUTED,
    x: 0.0,
};
const SENTENCE: Setting = Setting {
    face: Face::Sans,
    size: 9.5,
    colour: INK,
    x: BESIDE,
};
const SMALL: Setting = Setting {
    face: Face::Sans,
    size: 7.0,
    colour: MUTED,
    x: BESIDE,
};
const NOTE: Setting = Setting { x: 0.0, ..SENTENCE };

/// Writes the document, with these fonts besides the program's own.
pub fn write(report: &Report, added: &[&'static [u8]]) -> Result<Vec<u8>, DocumentError> {
    let fonts = Fonts::load(added)?;
    let heading = format!("Report: {}", report.title);
    let mut document = pdf::begin(&heading, &report.vault, report.made_at)?;
    let mut flow = Flow::new(&fonts);
    flow.heading("The idea");
    flow.row("Title", &report.title);
    flow.row("Idea number", &report.idea);
    let document_id = report.document_id.as_deref();
    flow.row("Document ID", document_id.unwrap_or("none yet"));
    flow.row("Owner", &report.creator);
    flow.row("Made on", &utc(report.made_at));
    flow.skip(6.0);
    flow.paragraph(&NOTE, &report.scope());
    flow.skip(3.0);
    flow.paragraph(&NOTE, LIMITS);
    flow.skip(14.0);
    flow.heading("What happened");
    for line in &report.lines {
        add(&mut flow, line);
    }
    flow.skip(10.0);
    flow.heading("What this rests on");
    for sentence in report.basis() {
        flow.paragraph(&NOTE, &sentence);
        flow.skip(4.0);
    }
    let frame = Frame {
        vault: &report.vault,
        title: "Report of an idea",
        foot: &format!("Report of idea {}, {}", report.idea, utc(report.made_at)),
    };
    flow.draw(&mut document, &frame)?;
    pdf::finish(document)
}

fn add(flow: &mut Flow<'_>, line: &ReportLine) {
    // Its first lines stay together.
    flow.reserve(LEADING * (SENTENCE.size + 2.0 * SMALL.size));
    flow.label(&TIME, &utc(line.at));
    flow.paragraph(&SENTENCE, &line.sentence);
    if !line.details.is_empty() {
        flow.paragraph(&SMALL, &line.details.join(", "));
    }
    flow.paragraph(&SMALL, &line.basis);
    flow.skip(5.0);
}
