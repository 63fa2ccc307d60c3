//! The certificate: one page that can be framed.

use ideavault_domain::document::{Certificate, Confirmation, LogPlace, sentences, utc};
use krilla::page::PageSettings;
use krilla::surface::Surface;

use crate::canvas::{A4, Align, Canvas, Colour, INK, LINE, MUTED, SEAL};
use crate::fonts::{Face, Fonts};
use crate::paragraphs::{balanced, broken, fitted};
use crate::pdf::{self, DocumentError};

const CENTRE: f32 = A4.0 / 2.0;
/// From the edge of the page to its text.
const MARGIN: f32 = 82.0;
const WIDTH: f32 = A4.0 - 2.0 * MARGIN;
const TITLE_SIZES: [f32; 10] = [30.0, 26.0, 23.0, 20.0, 17.0, 14.0, 12.0, 10.0, 8.0, 6.0];
const VALUE_SIZES: [f32; 4] = [9.0, 8.7, 8.4, 8.1];
const NAME_SIZES: [f32; 5] = [16.0, 14.0, 12.0, 10.0, 8.0];
/// Top of the box of title and name, and the height of both.
const TITLE_TOP: f32 = 268.0;
const TITLE_HEIGHT: f32 = 132.0;
const NAME_HEIGHT: f32 = 40.0;
/// Where the facts begin.
const FACTS_TOP: f32 = 478.0;
/// Where the foot begins, at the highest.
const FOOT_TOP: f32 = 668.0;
const CODE: f32 = 76.0;
const NOTE: &str = "Fixing an idea makes none of it public. The evidence bundle of the idea proves \
                    every line of this page with public tools, without this server.";

/// Writes the document, with these fonts besides the program's own.
pub fn write(certificate: &Certificate, added: &[&'static [u8]]) -> Result<Vec<u8>, DocumentError> {
    let fonts = Fonts::load(added)?;
    let heading = format!("Certificate of Record {}", certificate.document_id);
    let mut document = pdf::begin(&heading, &certificate.vault, certificate.made_at)?;
    let settings = PageSettings::from_wh(A4.0, A4.1).ok_or(DocumentError::Settings)?;
    let mut page = document.start_page_with(settings);
    draw(page.surface(), &fonts, certificate)?;
    page.finish();
    for attachment in &certificate.attachments {
        pdf::embed(&mut document, attachment, certificate.made_at)?;
    }
    pdf::finish(document)
}

fn draw(
    surface: Surface<'_>,
    fonts: &Fonts,
    certificate: &Certificate,
) -> Result<(), DocumentError> {
    let mut sheet = Sheet {
        canvas: Canvas::new(surface, fonts),
        fonts,
    };
    let drawn = sheet.draw(certificate);
    sheet.canvas.finish();
    drawn
}

struct Sheet<'s, 'f> {
    canvas: Canvas<'s, 'f>,
    fonts: &'f Fonts,
}

impl Sheet<'_, '_> {
    fn draw(&mut self, certificate: &Certificate) -> Result<(), DocumentError> {
        self.canvas.frame(28.0, 1.1, INK);
        self.canvas.frame(33.5, 0.4, LINE);
        self.canvas.corners(33.5, 20.0, 0.4, LINE);
        self.canvas.seal((CENTRE, 104.0), 54.0);
        self.capitals(&certificate.vault, 156.0, 9.5, MUTED);
        self.centred(Face::Serif, "Certificate of Record", 203.0, 33.0, INK);
        self.canvas
            .rule((CENTRE - 24.0, 222.0), (CENTRE + 24.0, 222.0), 1.0, SEAL);
        self.centred(
            Face::SerifItalic,
            "This vault holds the idea named below, unchanged since it was fixed.",
            246.0,
            11.0,
            MUTED,
        );
        self.names(certificate);
        let end = self.facts(certificate);
        self.foot(certificate, (end + 16.0).max(FOOT_TOP))
    }

    fn names(&mut self, certificate: &Certificate) {
        let title = fitted(
            self.fonts,
            Face::SerifBold,
            &TITLE_SIZES,
            (WIDTH, TITLE_HEIGHT),
            1.22,
            &certificate.title,
        );
        let title = balanced(
            self.fonts,
            Face::SerifBold,
            title,
            WIDTH,
            &certificate.title,
        );
        let name = fitted(
            self.fonts,
            Face::SerifItalic,
            &NAME_SIZES,
            (WIDTH, NAME_HEIGHT),
            1.3,
            &certificate.creator,
        );
        let title_leading = title.size * 1.22;
        let name_leading = name.size * 1.3;
        let height = title.lines.len() as f32 * title_leading
            + 30.0
            + name.lines.len() as f32 * name_leading;
        let room = TITLE_HEIGHT + 30.0 + NAME_HEIGHT;
        let mut y = TITLE_TOP + (room - height).max(0.0) / 2.0 + title.size * 0.9;
        for line in &title.lines {
            self.canvas
                .text(line, (CENTRE, y), title.size, INK, Align::Centre);
            y += title_leading;
        }
        y += 2.0;
        let by = self.fonts.line(Face::Sans, "by");
        self.canvas
            .text(&by, (CENTRE, y), 9.0, MUTED, Align::Centre);
        y += 8.0 + name.size;
        for line in &name.lines {
            self.canvas
                .text(line, (CENTRE, y), name.size, INK, Align::Centre);
            y += name_leading;
        }
    }

    /// Draws the table, and returns where it ends.
    fn facts(&mut self, certificate: &Certificate) -> f32 {
        let top = FACTS_TOP;
        self.canvas
            .rule((MARGIN, top), (A4.0 - MARGIN, top), 0.5, LINE);
        let digest = certificate.sha256.to_string();
        let (place, root) = match &certificate.place {
            Some(place) => (placed(place), place.root.to_string()),
            None => ("no place yet".to_owned(), "—".to_owned()),
        };
        let mut y = top + 24.0;
        for (label, value) in [
            ("Document ID", certificate.document_id.clone()),
            ("Fixed on", utc(certificate.published_at)),
            ("SHA-256 of content", digest),
            ("Place in the log", place),
            ("Root of the log", root),
            (
                "Time",
                time(&certificate.confirmations, certificate.has_witnesses),
            ),
        ] {
            y = self.fact(label, &value, y);
        }
        y -= 6.0;
        self.canvas.rule((MARGIN, y), (A4.0 - MARGIN, y), 0.5, LINE);
        y
    }

    /// Draws a row of the table, and returns where the next begins.
    fn fact(&mut self, label: &str, value: &str, y: f32) -> f32 {
        const COLUMN: f32 = 108.0;
        const LEADING: f32 = 12.5;
        let label = self.fonts.line(Face::Sans, label);
        self.canvas
            .text(&label, (MARGIN, y), 8.5, MUTED, Align::Left);
        let width = WIDTH - COLUMN;
        // A digest on one line can be compared; everything else may take two.
        let one_line = fitted(
            self.fonts,
            Face::Sans,
            &VALUE_SIZES,
            (width, LEADING),
            1.3,
            value,
        );
        let is_whole = one_line.lines.iter().all(|line| !line.is_ellipsis());
        let value = match is_whole {
            true => one_line,
            false => {
                let room = (width, LEADING * 2.0);
                fitted(self.fonts, Face::Sans, &VALUE_SIZES, room, 1.3, value)
            }
        };
        let mut next = y;
        for line in &value.lines {
            let at = (MARGIN + COLUMN, next);
            self.canvas.text(line, at, value.size, INK, Align::Left);
            next += LEADING;
        }
        next + 9.0
    }

    fn foot(&mut self, certificate: &Certificate, top: f32) -> Result<(), DocumentError> {
        let made = format!("Issued on {}", utc(certificate.made_at));
        let bottom = A4.1 - 62.0;
        self.centred(Face::Sans, &made, bottom, 7.5, MUTED);
        let Some(record) = &certificate.record else {
            self.note(NOTE, (CENTRE, top + 26.0), WIDTH - 90.0, Align::Centre);
            return Ok(());
        };
        self.canvas.code(record, (MARGIN, top), CODE)?;
        let x = MARGIN + CODE + 20.0;
        let width = A4.0 - MARGIN - x;
        let mut y = top + 10.0;
        let heading = self.fonts.line(Face::SansBold, "Public record");
        self.canvas.text(&heading, (x, y), 8.5, SEAL, Align::Left);
        y = self.note(record, (x, y + 14.0), width, Align::Left) + 4.0;
        self.note(NOTE, (x, y), width, Align::Left);
        Ok(())
    }

    fn note(&mut self, text: &str, (x, y): (f32, f32), width: f32, align: Align) -> f32 {
        let mut y = y;
        for line in broken(self.fonts, Face::Sans, 8.0, width, text) {
            self.canvas.text(&line, (x, y), 8.0, MUTED, align);
            y += 11.5;
        }
        y
    }

    fn centred(&mut self, face: Face, text: &str, y: f32, size: f32, colour: Colour) {
        let line = self.fonts.line(face, &self.fonts.visible(face, text));
        self.canvas
            .text(&line, (CENTRE, y), size, colour, Align::Centre);
    }

    /// Draws a short text in spaced capitals, smaller if it is too wide.
    fn capitals(&mut self, text: &str, y: f32, size: f32, colour: Colour) {
        let text = self.fonts.visible(Face::SansBold, &text.to_uppercase());
        let line = self.fonts.line(Face::SansBold, &text).spaced(0.22);
        let size = match line.width(size) {
            width if width > WIDTH => size * WIDTH / width,
            _ => size,
        };
        self.canvas
            .text(&line, (CENTRE, y), size, colour, Align::Centre);
    }
}

/// Returns the best of each kind: there may be more outsiders than a page has room for. What
/// was not checked is left out beside what was.
fn time(confirmations: &[Confirmation], has_witnesses: bool) -> String {
    let is_checked = confirmations.iter().any(Confirmation::is_checked);
    let is_block = |found: &&Confirmation| {
        matches!(found, Confirmation::Block { .. }) && found.is_checked() == is_checked
    };
    let authority = confirmations
        .iter()
        .find(|found| matches!(found, Confirmation::Authority { .. }));
    let block = confirmations.iter().find(is_block);
    let best: Vec<_> = authority.into_iter().chain(block).cloned().collect();
    sentences(&best, has_witnesses).join(" ")
}

/// Names a place as the pages and the files of a bundle do, which count from 0.
fn placed(place: &LogPlace) -> String {
    let LogPlace {
        origin,
        index,
        size,
        ..
    } = place;
    format!("{origin}, No. {index}, covered by the checkpoint of {size} events")
}
