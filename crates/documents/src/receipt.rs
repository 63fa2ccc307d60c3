//! The receipt: who accepted which text when, and the text itself.

use ideavault_domain::digest::Digest;
use ideavault_domain::document::{Receipt, sentences, utc};
use ideavault_domain::nda::AgreementParts;
use ideavault_domain::share::ShareType;
use krilla::page::PageSettings;

use crate::canvas::{A4, Align, Canvas, Colour, INK, LINE, MUTED, SEAL};
use crate::fonts::{Face, Fonts, Line};
use crate::paragraphs::broken;
use crate::pdf::{self, DocumentError};

const MARGIN: f32 = 68.0;
const WIDTH: f32 = A4.0 - 2.0 * MARGIN;
const TOP: f32 = 76.0;
const BOTTOM: f32 = A4.1 - 82.0;
/// Where values begin.
const COLUMN: f32 = 118.0;
/// Size of the accepted text: the current wording fits on one page. Distance of its lines, in
/// sizes.
const TERMS: f32 = 9.5;
const LEADING: f32 = 1.4;
/// Distance between its paragraphs besides.
const GAP: f32 = 6.5;

/// Something on a page.
enum Item {
    Text {
        line: Line,
        x: f32,
        size: f32,
        colour: Colour,
    },
    Rule,
    Heading(Line),
}

/// An item and its distance from the top of its page.
type Placed = (f32, Item);

/// Writes the document, with these fonts besides the program's own.
pub fn write(receipt: &Receipt, added: &[&'static [u8]]) -> Result<Vec<u8>, DocumentError> {
    let fonts = Fonts::load(added)?;
    let heading = format!("Receipt of an accepted agreement: {}", receipt.title);
    let mut document = pdf::begin(&heading, &receipt.vault, receipt.made_at)?;
    let mut flow = Flow::new(&fonts);
    flow.summary(receipt);
    flow.terms(&receipt.terms);
    let pages = flow.pages;
    for (index, items) in pages.iter().enumerate() {
        let settings = PageSettings::from_wh(A4.0, A4.1).ok_or(DocumentError::Settings)?;
        let mut page = document.start_page_with(settings);
        let mut canvas = Canvas::new(page.surface(), &fonts);
        if index == 0 {
            first_head(&mut canvas, &fonts, receipt);
        }
        for (y, item) in items {
            draw(&mut canvas, *y, item);
        }
        foot(&mut canvas, &fonts, receipt, (index + 1, pages.len()));
        canvas.finish();
        page.finish();
    }
    for attachment in &receipt.attachments {
        pdf::embed(&mut document, attachment, receipt.made_at)?;
    }
    pdf::finish(document)
}

fn first_head(canvas: &mut Canvas<'_, '_>, fonts: &Fonts, receipt: &Receipt) {
    canvas.seal((MARGIN + 19.0, TOP + 8.0), 38.0);
    let vault = fonts.visible(Face::SansBold, &receipt.vault.to_uppercase());
    let vault = fonts.line(Face::SansBold, &vault).spaced(0.18);
    let x = MARGIN + 54.0;
    canvas.text(&vault, (x, TOP - 2.0), 7.5, MUTED, Align::Left);
    let title = fonts.line(Face::Serif, "Receipt of an accepted agreement");
    canvas.text(&title, (x, TOP + 20.0), 21.0, INK, Align::Left);
}

fn foot(canvas: &mut Canvas<'_, '_>, fonts: &Fonts, receipt: &Receipt, page: (usize, usize)) {
    let y = A4.1 - 52.0;
    canvas.rule((MARGIN, y - 14.0), (A4.0 - MARGIN, y - 14.0), 0.4, LINE);
    let left = fonts.line(Face::Sans, &format!("Receipt {}", receipt.number));
    let right = fonts.line(Face::Sans, &format!("Page {} of {}", page.0, page.1));
    canvas.text(&left, (MARGIN, y), 7.5, MUTED, Align::Left);
    canvas.text(&right, (A4.0 - MARGIN, y), 7.5, MUTED, Align::Right);
}

fn draw(canvas: &mut Canvas<'_, '_>, y: f32, item: &Item) {
    match item {
        Item::Text {
            line,
            x,
            size,
            colour,
        } => canvas.text(line, (MARGIN + x, y), *size, *colour, Align::Left),
        Item::Rule => canvas.rule((MARGIN, y), (A4.0 - MARGIN, y), 0.5, LINE),
        Item::Heading(line) => canvas.text(line, (MARGIN, y), 8.0, SEAL, Align::Left),
    }
}

/// Items in the order of reading, on as many pages as they need.
struct Flow<'f> {
    fonts: &'f Fonts,
    pages: Vec<Vec<Placed>>,
    y: f32,
}

impl<'f> Flow<'f> {
    fn new(fonts: &'f Fonts) -> Self {
        Self {
            fonts,
            pages: vec![Vec::new()],
            y: TOP + 58.0,
        }
    }

    /// Makes room for `height` points, on a new page if need be.
    fn reserve(&mut self, height: f32) {
        if self.y + height > BOTTOM {
            self.new_page();
        }
    }

    fn new_page(&mut self) {
        self.pages.push(Vec::new());
        self.y = TOP;
    }

    fn put(&mut self, item: Item) {
        let y = self.y;
        if let Some(page) = self.pages.last_mut() {
            page.push((y, item));
        }
    }

    fn heading(&mut self, text: &str) {
        self.reserve(60.0);
        let line = self.fonts.line(Face::SansBold, &text.to_uppercase());
        self.put(Item::Heading(line.spaced(0.1)));
        self.y += 8.0;
        self.put(Item::Rule);
        self.y += 17.0;
    }

    fn row(&mut self, label: &str, value: &str) {
        const LEADING: f32 = 13.0;
        const ROOM: f32 = WIDTH - COLUMN;
        // A digest on one line can be compared.
        let size = match broken(self.fonts, Face::Sans, 8.8, ROOM, value).len() {
            1 if !value.contains(' ') => 8.8,
            _ => 9.5,
        };
        let lines = broken(self.fonts, Face::Sans, size, ROOM, value);
        self.reserve(LEADING);
        let label = self.fonts.line(Face::Sans, label);
        self.put(Item::Text {
            line: label,
            x: 0.0,
            size: 9.0,
            colour: MUTED,
        });
        for line in lines {
            self.reserve(LEADING);
            self.put(Item::Text {
                line,
                x: COLUMN,
                size,
                colour: INK,
            });
            self.y += LEADING;
        }
        self.y += 3.5;
    }

    fn paragraph(&mut self, face: Face, size: f32, (x, width): (f32, f32), text: &str) {
        let leading = size * LEADING;
        for line in broken(self.fonts, face, size, width, text) {
            self.reserve(leading);
            self.put(Item::Text {
                line,
                x,
                size,
                colour: INK,
            });
            self.y += leading;
        }
    }

    fn summary(&mut self, receipt: &Receipt) {
        self.heading("The parties");
        self.row("Receiving party", &receipt.name);
        self.row("Email address", &receipt.email);
        self.row("This address", &receipt.identity());
        self.row("Disclosing party", &receipt.sharer);
        self.y += 14.0;
        self.heading("The acceptance");
        self.row("Accepted on", &utc(receipt.accepted_at));
        let agreement = format!("IdeaVault NDA, version {}", receipt.version);
        self.row("Agreement", &agreement);
        let terms = Digest::of(receipt.terms.text().as_bytes());
        self.row("SHA-256 of the text", &terms.to_string());
        match &receipt.origin {
            Some(origin) => {
                self.row("From", &origin.ip.to_string());
                let browser = origin.user_agent.as_deref();
                self.row("Browser", browser.unwrap_or("not stated"));
            }
            None => self.row("From", "erased at the request of the receiving party"),
        }
        self.row("Link", link(receipt.share_type));
        self.y += 14.0;
        self.heading("The idea");
        self.row("Title", &receipt.title);
        let document = receipt.document_id.as_deref();
        self.row("Document ID", document.unwrap_or("none yet"));
        self.row(
            "Version",
            &format!("{} of idea {}", receipt.revision, receipt.idea),
        );
        self.row("SHA-256 of content", &receipt.revision_sha256.to_string());
        self.y += 14.0;
        self.heading("The record");
        match &receipt.place {
            Some(place) => {
                let (index, size) = (place.index, place.size);
                let covered = format!("No. {index}, covered by the checkpoint of {size} events");
                self.row("Log", &place.origin);
                self.row("Place", &covered);
                self.row("Root of the log", &place.root.to_string());
            }
            None => self.row("Log", "no place yet: download this receipt again later"),
        }
        self.row(
            "Time",
            &sentences(&receipt.confirmations, receipt.has_witnesses).join(" "),
        );
        let names: Vec<_> = receipt
            .attachments
            .iter()
            .map(|file| file.name.as_str())
            .collect();
        if !names.is_empty() {
            let files = format!("{} (attached to this PDF)", names.join(", "));
            self.row("Files", &files);
        }
        self.row("Issued on", &utc(receipt.made_at));
    }

    /// Adds the full text, beginning on a page of its own.
    fn terms(&mut self, terms: &AgreementParts) {
        self.new_page();
        self.heading("The text that was accepted");
        self.paragraph(Face::Serif, TERMS, (0.0, WIDTH), terms.title);
        self.y += GAP;
        for (label, value) in &terms.terms {
            self.labelled(&format!("{label}:"), value);
        }
        for paragraph in terms.paragraphs() {
            self.y += GAP;
            self.paragraph(Face::Serif, TERMS, (0.0, WIDTH), &paragraph);
        }
    }

    fn labelled(&mut self, label: &str, value: &str) {
        self.reserve(TERMS * LEADING);
        let label = self
            .fonts
            .line(Face::Serif, &self.fonts.visible(Face::Serif, label));
        self.put(Item::Text {
            line: label,
            x: 0.0,
            size: TERMS,
            colour: INK,
        });
        self.paragraph(Face::Serif, TERMS, (COLUMN, WIDTH - COLUMN), value);
    }
}

fn link(share_type: ShareType) -> &'static str {
    match share_type {
        ShareType::OneTime => "one-time: a number of readers, one view each",
        ShareType::TimeDependent => "time-dependent: until a date",
        ShareType::FullAccess => "full access: until revoked",
        ShareType::Email => "by email: for one address only",
    }
}
