//! The fonts, and text as glyphs of known width.

use std::fmt::Write as _;

use krilla::Data;
use krilla::text::{Font, GlyphId, KrillaGlyph};
use rustybuzz::{Direction, Face as Shaper, UnicodeBuffer};

use crate::pdf::DocumentError;

/// A face of the two families.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// Text of documents.
    Serif,
    /// Titles.
    SerifBold,
    /// Names of people.
    SerifItalic,
    /// Labels and values.
    Sans,
    /// Labels that stand out.
    SansBold,
    /// A font that the operator added, by its index.
    Added(usize),
}

impl Face {
    const OWN: [(Self, &[u8]); 5] = [
        (Self::Serif, include_bytes!("../assets/serif-regular.ttf")),
        (
            Self::SerifBold,
            include_bytes!("../assets/serif-semibold.ttf"),
        ),
        (
            Self::SerifItalic,
            include_bytes!("../assets/serif-italic.ttf"),
        ),
        (Self::Sans, include_bytes!("../assets/sans-regular.ttf")),
        (
            Self::SansBold,
            include_bytes!("../assets/sans-semibold.ttf"),
        ),
    ];

    /// Returns the face with more characters.
    fn fallback(self) -> Option<Self> {
        match self {
            Self::Serif | Self::SerifBold | Self::Added(_) => None,
            Self::SerifItalic | Self::Sans => Some(Self::Serif),
            Self::SansBold => Some(Self::SerifBold),
        }
    }
}

/// Glyphs of one face.
#[derive(Clone, Debug)]
pub struct Run {
    /// The face.
    pub face: Face,
    /// The text that they stand for.
    pub text: String,
    /// The glyphs, in units of the font size.
    pub glyphs: Vec<KrillaGlyph>,
}

/// A line of text.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Its parts.
    pub runs: Vec<Run>,
}

impl Line {
    /// Returns its width at a font size.
    pub fn width(&self, size: f32) -> f32 {
        let glyphs = self.runs.iter().flat_map(|run| &run.glyphs);
        glyphs.map(|glyph| glyph.x_advance).sum::<f32>() * size
    }

    /// Returns whether it says that something is left out.
    pub fn is_ellipsis(&self) -> bool {
        matches!(self.runs.as_slice(), [run] if run.text == "…")
    }

    /// Adds space after each glyph, in units of the font size.
    pub fn spaced(mut self, space: f32) -> Self {
        for glyph in self.runs.iter_mut().flat_map(|run| &mut run.glyphs) {
            glyph.x_advance += space;
        }
        self
    }
}

struct Loaded {
    face: Face,
    font: Font,
    shaper: Shaper<'static>,
}

/// All faces.
pub struct Fonts {
    faces: Vec<Loaded>,
}

impl Fonts {
    /// Reads the fonts: the program's own, and those that the operator added.
    pub fn load(added: &[&'static [u8]]) -> Result<Self, DocumentError> {
        let added = added.iter().enumerate();
        let added = added.map(|(number, bytes)| (Face::Added(number), *bytes));
        let all = Face::OWN.into_iter().chain(added);
        let faces = all.map(|(face, bytes)| {
            let font = Font::new(Data::from(bytes), 0).ok_or(DocumentError::Font)?;
            let shaper = Shaper::from_slice(bytes, 0).ok_or(DocumentError::Font)?;
            Ok(Loaded { face, font, shaper })
        });
        Ok(Self {
            faces: faces.collect::<Result<_, DocumentError>>()?,
        })
    }

    fn loaded(&self, face: Face) -> Option<&Loaded> {
        self.faces.iter().find(|loaded| loaded.face == face)
    }

    /// Returns the font of a face.
    pub fn font(&self, face: Face) -> Option<Font> {
        self.loaded(face).map(|loaded| loaded.font.clone())
    }

    /// Returns the face that has a character: `face` itself, or its fallback.
    fn face_of(&self, face: Face, character: char) -> Option<Face> {
        let has = |face| {
            let loaded = self.loaded(face);
            !is_invisible(character)
                && loaded.is_some_and(|loaded| loaded.shaper.glyph_index(character).is_some())
        };
        if has(face) {
            return Some(face);
        }
        let added = self.faces.iter().map(|loaded| loaded.face);
        let added = added.filter(|face| matches!(face, Face::Added(_)));
        face.fallback()
            .into_iter()
            .chain(added)
            .find(|face| has(*face))
    }

    /// Returns the text with the code points of characters that no face has. Whitespace
    /// becomes spaces.
    pub fn visible(&self, face: Face, text: &str) -> String {
        let mut visible = String::new();
        let mut is_open = false;
        for character in text.chars() {
            if character.is_whitespace() && character != '\u{a0}' {
                close(&mut visible, &mut is_open);
                visible.push(' ');
            } else if self.face_of(face, character).is_some() {
                close(&mut visible, &mut is_open);
                visible.push(character);
            } else {
                visible.push(if is_open { ' ' } else { '[' });
                is_open = true;
                // Writing to a string cannot fail.
                let _ = write!(visible, "U+{:04X}", u32::from(character));
            }
        }
        close(&mut visible, &mut is_open);
        visible
    }

    /// Returns text as glyphs. Text is [`Fonts::visible`].
    pub fn line(&self, face: Face, text: &str) -> Line {
        let mut parts: Vec<(Face, String)> = Vec::new();
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            let follows = parts
                .last()
                .is_some_and(|(_, part)| is_read_from_right(part));
            let next = characters.peek().copied();
            let from_right = match character {
                // Words that are read from the right stay together, in their order.
                ' ' => follows && next.is_some_and(is_right_to_left),
                _ => is_right_to_left(character),
            };
            let face = match parts.last() {
                Some((last, _)) if character == ' ' && from_right => *last,
                _ => self.face_of(face, character).unwrap_or(face),
            };
            let last = parts.last_mut();
            match last.filter(|(last, _)| *last == face && follows == from_right) {
                Some((_, part)) => part.push(character),
                None => parts.push((face, character.into())),
            }
        }
        let runs = parts.into_iter().filter_map(|(face, text)| {
            let loaded = self.loaded(face)?;
            let glyphs = shaped(&loaded.shaper, &text);
            Some(Run { face, text, glyphs })
        });
        Line {
            runs: runs.collect(),
        }
    }
}

/// Returns whether a character is drawn as nothing, even by fonts that have it.
fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}')
}

/// Returns whether a part of a line is read from the right.
fn is_read_from_right(part: &str) -> bool {
    part.starts_with(is_right_to_left)
}

/// Returns whether a character is of a script that is read from the right.
fn is_right_to_left(character: char) -> bool {
    matches!(character, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}')
}

fn close(text: &mut String, is_open: &mut bool) {
    if std::mem::take(is_open) {
        text.push(']');
    }
}

fn shaped(shaper: &Shaper<'static>, text: &str) -> Vec<KrillaGlyph> {
    let mut buffer = UnicodeBuffer::new();
    buffer.push_str(text);
    buffer.guess_segment_properties();
    // A line of several scripts is read from the left.
    buffer.set_direction(match is_read_from_right(text) {
        true => Direction::RightToLeft,
        false => Direction::LeftToRight,
    });
    let shaped = rustybuzz::shape(shaper, &[], buffer);
    let starts: Vec<usize> = shaped
        .glyph_infos()
        .iter()
        .map(|glyph| glyph.cluster as usize)
        .collect();
    let em = shaper.units_per_em() as f32;
    let glyphs = shaped.glyph_infos().iter().zip(shaped.glyph_positions());
    glyphs
        .map(|(glyph, position)| {
            let start = glyph.cluster as usize;
            let later = starts.iter().copied().filter(|other| *other > start);
            let end = later.min().unwrap_or(text.len());
            KrillaGlyph::new(
                GlyphId::new(glyph.glyph_id),
                position.x_advance as f32 / em,
                position.x_offset as f32 / em,
                position.y_offset as f32 / em,
                position.y_advance as f32 / em,
                start..end,
                None,
            )
        })
        .collect()
}
