//! Text that flows over as many pages as it needs.

use krilla::Document;
use krilla::page::PageSettings;

use crate::canvas::{A4, Align, Canvas, Colour, INK, LINE, MUTED, SEAL};
use crate::fonts::{Face, Fonts, Line};
use crate::paragraphs::broken;
use crate::pdf::DocumentError;

const MARGIN: f32 = 68.0;
/// Between the margins.
pub const WIDTH: f32 = A4.0 - 2.0 * MARGIN;
const TOP: f32 = 76.0;
const BOTTOM: f32 = A4.1 - 82.0;
/// Where values begin.
pub const COLUMN: f32 = 118.0;
/// Distance of the lines of a paragraph, in sizes.
pub const LEADING: f32 = 1.4;

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

/// What stands on the pages besides.
pub struct Frame<'t> {
    /// Name of the vault.
    pub vault: &'t str,
    /// The title, on the first page.
    pub title: &'t str,
    /// At the foot of each page, before its number.
    pub foot: &'t str,
}

/// How a paragraph is set.
pub struct Setting {
    /// Its font.
    pub face: Face,
    /// Its size.
    pub size: f32,
    /// Its colour.
    pub colour: Colour,
    /// Its distance from the margin.
    pub x: f32,
}

/// Items in the order of reading.
pub struct Flow<'f> {
    fonts: &'f Fonts,
    pages: Vec<Vec<Placed>>,
    y: f32,
}

impl<'f> Flow<'f> {
    /// Begins below the head of the first page.
    pub fn new(fonts: &'f Fonts) -> Self {
        Self {
            fonts,
            pages: vec![Vec::new()],
            y: TOP + 58.0,
        }
    }

    /// Adds the pages to a document.
    pub fn draw(self, document: &mut Document, frame: &Frame<'_>) -> Result<(), DocumentError> {
        let count = self.pages.len();
        for (index, items) in self.pages.iter().enumerate() {
            let settings = PageSettings::from_wh(A4.0, A4.1).ok_or(DocumentError::Settings)?;
            let mut page = document.start_page_with(settings);
            let mut canvas = Canvas::new(page.surface(), self.fonts);
            if index == 0 {
                head(&mut canvas, self.fonts, frame);
            }
            for (y, item) in items {
                draw(&mut canvas, *y, item);
            }
            foot(&mut canvas, self.fonts, frame, (index + 1, count));
            canvas.finish();
            page.finish();
        }
        Ok(())
    }

    /// Makes room for `height` points, on a new page if need be.
    pub fn reserve(&mut self, height: f32) {
        if self.y + height > BOTTOM {
            self.new_page();
        }
    }

    /// Begins a page.
    pub fn new_page(&mut self) {
        self.pages.push(Vec::new());
        self.y = TOP;
    }

    /// Leaves `height` points empty.
    pub fn skip(&mut self, height: f32) {
        self.y += height;
    }

    fn put(&mut self, item: Item) {
        let y = self.y;
        if let Some(page) = self.pages.last_mut() {
            page.push((y, item));
        }
    }

    /// Adds a heading, which a rule underlines.
    pub fn heading(&mut self, text: &str) {
        self.reserve(60.0);
        let line = self.fonts.line(Face::SansBold, &text.to_uppercase());
        self.put(Item::Heading(line.spaced(0.1)));
        self.y += 8.0;
        self.put(Item::Rule);
        self.y += 17.0;
    }

    /// Adds a label, beside which the next thing stands.
    pub fn label(&mut self, setting: &Setting, text: &str) {
        self.reserve(setting.size * LEADING);
        let text = self.fonts.visible(setting.face, text);
        self.put(Item::Text {
            line: self.fonts.line(setting.face, &text),
            x: setting.x,
            size: setting.size,
            colour: setting.colour,
        });
    }

    /// Adds a label and a value.
    pub fn row(&mut self, label: &str, value: &str) {
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

    /// Adds a paragraph.
    pub fn paragraph(&mut self, setting: &Setting, text: &str) {
        let Setting {
            face,
            size,
            colour,
            x,
        } = *setting;
        let leading = size * LEADING;
        for line in broken(self.fonts, face, size, WIDTH - x, text) {
            self.reserve(leading);
            self.put(Item::Text {
                line,
                x,
                size,
                colour,
            });
            self.y += leading;
        }
    }
}

fn head(canvas: &mut Canvas<'_, '_>, fonts: &Fonts, frame: &Frame<'_>) {
    canvas.seal((MARGIN + 19.0, TOP + 8.0), 38.0);
    let vault = fonts.visible(Face::SansBold, &frame.vault.to_uppercase());
    let vault = fonts.line(Face::SansBold, &vault).spaced(0.18);
    let x = MARGIN + 54.0;
    canvas.text(&vault, (x, TOP - 2.0), 7.5, MUTED, Align::Left);
    let title = fonts.line(Face::Serif, frame.title);
    canvas.text(&title, (x, TOP + 20.0), 21.0, INK, Align::Left);
}

fn foot(canvas: &mut Canvas<'_, '_>, fonts: &Fonts, frame: &Frame<'_>, page: (usize, usize)) {
    let y = A4.1 - 52.0;
    canvas.rule((MARGIN, y - 14.0), (A4.0 - MARGIN, y - 14.0), 0.4, LINE);
    let left = fonts.line(Face::Sans, frame.foot);
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
