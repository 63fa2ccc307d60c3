//! Drawing on a page of A4, in points from its upper left corner.

use krilla::color::rgb;
use krilla::geom::{Path, PathBuilder, Point, Rect, Transform};
use krilla::num::NormalizedF32;
use krilla::paint::{Fill, FillRule, Stroke};
use krilla::surface::Surface;
use qrcode::{Color as Module, EcLevel, QrCode};

use crate::fonts::{Fonts, Line};
use crate::pdf::DocumentError;

/// Width and height of A4.
pub const A4: (f32, f32) = (595.28, 841.89);

/// A colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(u8, u8, u8);

/// Text.
pub const INK: Colour = Colour(0x14, 0x21, 0x3d);
/// Labels.
pub const MUTED: Colour = Colour(0x52, 0x5c, 0x73);
/// Rules and frames.
pub const LINE: Colour = Colour(0xc9, 0xc3, 0xb4);
/// The seal, the one accent.
pub const SEAL: Colour = Colour(0x8c, 0x2a, 0x32);
/// The colour of the ring and the keyhole on the seal.
const PAPER: Colour = Colour(0xff, 0xff, 0xff);

impl Colour {
    fn fill(self) -> Fill {
        Fill {
            paint: rgb::Color::new(self.0, self.1, self.2).into(),
            opacity: NormalizedF32::ONE,
            rule: FillRule::NonZero,
        }
    }

    fn stroke(self, width: f32) -> Stroke {
        Stroke {
            paint: rgb::Color::new(self.0, self.1, self.2).into(),
            width,
            ..Stroke::default()
        }
    }
}

/// Where text stands in relation to its x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// It begins there.
    Left,
    /// It is centred there.
    Centre,
    /// It ends there.
    Right,
}

/// A page being drawn.
pub struct Canvas<'s, 'f> {
    surface: Surface<'s>,
    fonts: &'f Fonts,
}

impl<'s, 'f> Canvas<'s, 'f> {
    /// Draws on a page.
    pub fn new(surface: Surface<'s>, fonts: &'f Fonts) -> Self {
        Self { surface, fonts }
    }

    /// Draws a line of text with its base line at `y`.
    pub fn text(&mut self, line: &Line, (x, y): (f32, f32), size: f32, colour: Colour, to: Align) {
        let width = line.width(size);
        let mut x = match to {
            Align::Left => x,
            Align::Centre => x - width / 2.0,
            Align::Right => x - width,
        };
        self.surface.set_stroke(None);
        self.surface.set_fill(Some(colour.fill()));
        for run in &line.runs {
            if let Some(font) = self.fonts.font(run.face) {
                let at = Point::from_xy(x, y);
                self.surface
                    .draw_glyphs(at, &run.glyphs, font, &run.text, size, false);
            }
            x += run.glyphs.iter().map(|glyph| glyph.x_advance).sum::<f32>() * size;
        }
    }

    /// Draws a straight line.
    pub fn rule(&mut self, from: (f32, f32), to: (f32, f32), width: f32, colour: Colour) {
        let mut path = PathBuilder::new();
        path.move_to(from.0, from.1);
        path.line_to(to.0, to.1);
        self.outline(path.finish(), width, colour);
    }

    /// Draws a rectangle `inset` points from the edges of the page.
    pub fn frame(&mut self, inset: f32, width: f32, colour: Colour) {
        let mut path = PathBuilder::new();
        if let Some(rect) = Rect::from_ltrb(inset, inset, A4.0 - inset, A4.1 - inset) {
            path.push_rect(rect);
        }
        self.outline(path.finish(), width, colour);
    }

    /// Draws quarter circles into the corners of a frame.
    pub fn corners(&mut self, inset: f32, radius: f32, width: f32, colour: Colour) {
        let (left, top, right, bottom) = (inset, inset, A4.0 - inset, A4.1 - inset);
        for (x, y, to_right, down) in [
            (left, top, 1.0, 1.0),
            (right, top, -1.0, 1.0),
            (left, bottom, 1.0, -1.0),
            (right, bottom, -1.0, -1.0),
        ] {
            let mut path = PathBuilder::new();
            path.move_to(x + to_right * radius, y);
            path.quad_to(
                x + to_right * radius * 0.9,
                y + down * radius * 0.9,
                x,
                y + down * radius,
            );
            self.outline(path.finish(), width, colour);
        }
    }

    fn outline(&mut self, path: Option<Path>, width: f32, colour: Colour) {
        if let Some(path) = path {
            self.surface.set_fill(None);
            self.surface.set_stroke(Some(colour.stroke(width)));
            self.surface.draw_path(&path);
            self.surface.set_stroke(None);
        }
    }

    fn area(&mut self, path: Option<Path>, colour: Colour) {
        if let Some(path) = path {
            self.surface.set_stroke(None);
            self.surface.set_fill(Some(colour.fill()));
            self.surface.draw_path(&path);
        }
    }

    /// Draws the vault's seal around a point.
    pub fn seal(&mut self, (x, y): (f32, f32), size: f32) {
        const TEETH: u16 = 12;
        let turn = |tooth: u16| f32::from(tooth) * std::f32::consts::TAU / f32::from(TEETH);
        let on = |angle: f32, radius: f32| (radius * angle.cos(), radius * angle.sin());
        let mut scallops = PathBuilder::new();
        scallops.move_to(0.85, 0.0);
        for tooth in 0..TEETH {
            let half = turn(1) / 2.0;
            let (bulge_x, bulge_y) = on(turn(tooth) + half, 1.12);
            let (end_x, end_y) = on(turn(tooth + 1), 0.85);
            scallops.quad_to(bulge_x, bulge_y, end_x, end_y);
        }
        scallops.close();
        let mut keyhole = PathBuilder::new();
        circle(&mut keyhole, (0.0, -0.18), 0.21);
        keyhole.move_to(-0.09, -0.08);
        keyhole.line_to(0.09, -0.08);
        keyhole.line_to(0.19, 0.38);
        keyhole.line_to(-0.19, 0.38);
        keyhole.close();
        let mut ring = PathBuilder::new();
        circle(&mut ring, (0.0, 0.0), 0.66);

        let scale = size / 2.0;
        let to_page = Transform::from_row(scale, 0.0, 0.0, scale, x, y);
        self.surface.push_transform(&to_page);
        self.area(scallops.finish(), SEAL);
        self.outline(ring.finish(), 0.05, PAPER);
        self.area(keyhole.finish(), PAPER);
        self.surface.pop();
    }

    /// Draws a QR code whose quiet zone is left to the caller.
    pub fn code(&mut self, text: &str, (x, y): (f32, f32), size: f32) -> Result<(), DocumentError> {
        let code =
            QrCode::with_error_correction_level(text, EcLevel::M).map_err(DocumentError::Code)?;
        let width = code.width();
        let module = size / width as f32;
        let mut path = PathBuilder::new();
        for (index, colour) in code.to_colors().into_iter().enumerate() {
            if colour == Module::Light {
                continue;
            }
            let (column, row) = (index % width, index / width);
            let left = x + column as f32 * module;
            let top = y + row as f32 * module;
            if let Some(square) = Rect::from_xywh(left, top, module, module) {
                path.push_rect(square);
            }
        }
        self.area(path.finish(), INK);
        Ok(())
    }

    /// Ends the page's drawing.
    pub fn finish(self) {
        self.surface.finish();
    }
}

fn circle(path: &mut PathBuilder, (x, y): (f32, f32), radius: f32) {
    // The usual approximation of a quarter circle by a Bézier curve.
    let handle = radius * 0.552_285;
    path.move_to(x + radius, y);
    path.cubic_to(
        x + radius,
        y + handle,
        x + handle,
        y + radius,
        x,
        y + radius,
    );
    path.cubic_to(
        x - handle,
        y + radius,
        x - radius,
        y + handle,
        x - radius,
        y,
    );
    path.cubic_to(
        x - radius,
        y - handle,
        x - handle,
        y - radius,
        x,
        y - radius,
    );
    path.cubic_to(
        x + handle,
        y - radius,
        x + radius,
        y - handle,
        x + radius,
        y,
    );
    path.close();
}
