//! Text broken into lines that fit.

use crate::fonts::{Face, Fonts, Line};

/// Returns the lines of a paragraph that is `width` points wide. A word that is longer
/// than that is broken.
pub fn broken(fonts: &Fonts, face: Face, size: f32, width: f32, text: &str) -> Vec<Line> {
    let text = fonts.visible(face, text);
    let fits = |text: &str| fonts.line(face, text).width(size) <= width;
    let mut lines = Vec::new();
    let mut current = String::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let joined = match current.is_empty() {
            true => word.to_owned(),
            false => format!("{current} {word}"),
        };
        if fits(&joined) {
            current = joined;
            continue;
        }
        if !current.is_empty() {
            lines.push(std::mem::take(&mut current));
        }
        for character in word.chars() {
            current.push(character);
            if !fits(&current) && current.chars().count() > 1 {
                current.pop();
                lines.push(std::mem::take(&mut current));
                current.push(character);
            }
        }
    }
    if !current.is_empty() || lines.is_empty() {
        lines.push(current);
    }
    lines.iter().map(|line| fonts.line(face, line)).collect()
}

/// A paragraph in the largest size that fits into a box.
pub struct Fitted {
    /// The font size.
    pub size: f32,
    /// The lines.
    pub lines: Vec<Line>,
}

/// Returns a paragraph in the largest of `sizes` in which it is at most `height` points
/// high, with lines `leading` times the size apart. In the smallest size, the lines that
/// do not fit are left out, and an ellipsis says so.
pub fn fitted(
    fonts: &Fonts,
    face: Face,
    sizes: &[f32],
    (width, height): (f32, f32),
    leading: f32,
    text: &str,
) -> Fitted {
    let mut found = Fitted {
        size: 0.0,
        lines: Vec::new(),
    };
    for size in sizes.iter().copied() {
        let lines = broken(fonts, face, size, width, text);
        let fits = lines.len() as f32 * size * leading <= height;
        found = Fitted { size, lines };
        if fits {
            return found;
        }
    }
    let most = (height / (found.size * leading)).floor().max(1.0) as usize;
    if found.lines.len() > most {
        found.lines.truncate(most.saturating_sub(1));
        found.lines.push(fonts.line(face, "…"));
    }
    found
}

/// Returns a paragraph in the same size and number of lines, which are about equally long: for
/// centred text.
pub fn balanced(fonts: &Fonts, face: Face, fitted: Fitted, width: f32, text: &str) -> Fitted {
    let Fitted { size, lines } = fitted;
    let visible = fonts.visible(face, text);
    let words = visible.split(' ').map(|word| fonts.line(face, word));
    // No word is broken for the sake of balance.
    let longest = words.map(|word| word.width(size)).fold(0.0, f32::max);
    let mut best = lines;
    let mut narrower = width;
    while best.len() > 1 && narrower > width / 2.0 {
        narrower -= width / 40.0;
        if narrower < longest {
            break;
        }
        let lines = broken(fonts, face, size, narrower, text);
        if lines.len() > best.len() {
            break;
        }
        best = lines;
    }
    Fitted { size, lines: best }
}
