//! Properties of characters, which decide what a typed text may hold.

use std::borrow::Cow;

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
use icu_properties::props::{
    CanonicalCombiningClass, DefaultIgnorableCodePoint, ExtendedPictographic, JoiningType, Script,
};
use icu_properties::{CodePointMapData, CodePointSetData};

const NON_JOINER: char = '\u{200c}';
const JOINER: char = '\u{200d}';

/// Returns the text in normalization form C: a letter and a mark typed apart become the one
/// character that other keyboards send.
#[must_use]
pub fn composed(text: &str) -> Cow<'_, str> {
    ComposingNormalizerBorrowed::new_nfc().normalize(text)
}

/// Returns the text as programs compare it that look for addresses: full-width and other
/// variants become the usual characters, and what cannot be seen is left out.
pub(crate) fn compatible(text: &str) -> String {
    let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
    ComposingNormalizerBorrowed::new_nfkc()
        .normalize(text)
        .chars()
        .filter(|character| !ignorable.contains(*character))
        .collect()
}

/// Returns the text as people look for it: without case, and without the marks on letters.
pub(crate) fn folded(text: &str) -> String {
    let class = CodePointMapData::<CanonicalCombiningClass>::new();
    DecomposingNormalizerBorrowed::new_nfkd()
        .normalize(text)
        .chars()
        .filter(|character| class.get(*character) == CanonicalCombiningClass::NotReordered)
        .flat_map(char::to_lowercase)
        .collect()
}

/// Returns how many letters of an alphabet a text is worth. One Han, Kana or Hangul character is a
/// syllable or a word, and counts as two.
pub(crate) fn letters(text: &str) -> usize {
    let script = CodePointMapData::<Script>::new();
    let whole = [
        Script::Han,
        Script::Hiragana,
        Script::Katakana,
        Script::Hangul,
    ];
    composed(text)
        .chars()
        .map(|character| {
            if whole.contains(&script.get(character)) {
                2
            } else {
                1
            }
        })
        .sum()
}

/// Returns whether a character is visible by itself. Characters that only join,
/// separate or pad others are allowed in a text, but do not make one.
pub(crate) fn is_visible(character: char) -> bool {
    !character.is_whitespace()
        && !is_control(character)
        && !matches!(
            character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}'
                | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2065}' | '\u{2800}' | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        )
}

/// Returns whether a character affects the text around it: ends the line, or
/// overrides the direction, so that it reads differently from how it is stored.
/// Joiners and marks that right-to-left scripts need are not included.
pub(crate) fn is_control(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

/// Returns whether a text has characters that cannot be seen and that its script does not need,
/// with which two texts look alike and an address escapes those who look for it.
pub(crate) fn hides_characters(text: &str) -> bool {
    let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
    text.char_indices().any(|(at, character)| {
        ignorable.contains(character)
            && match character {
                NON_JOINER | JOINER => !is_needed_joiner(text, at, character),
                // The directions of right-to-left scripts, and the variants of a character.
                '\u{61c}' | '\u{200e}' | '\u{200f}' => false,
                '\u{180b}'..='\u{180d}' | '\u{180f}' => false,
                '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => false,
                _ => true,
            }
    })
}

/// Returns whether the joiner at `at` changes how its neighbours are drawn: RFC 5892, appendix A.1
/// for the non-joiner and A.2 for the joiner, which also makes one emoji of two. Bengali, Kannada and
/// Sinhala write the joiner before the virama, too.
fn is_needed_joiner(text: &str, at: usize, joiner: char) -> bool {
    let (before, rest) = text.split_at(at);
    let before = || before.chars().rev();
    let after = || rest.chars().skip(1);
    let class = CodePointMapData::<CanonicalCombiningClass>::new();
    if before()
        .next()
        .is_some_and(|last| class.get(last) == CanonicalCombiningClass::Virama)
    {
        return true;
    }
    if joiner == NON_JOINER {
        let joining = CodePointMapData::<JoiningType>::new();
        let is_seen = |joining: &JoiningType| *joining != JoiningType::Transparent;
        let left = before().map(|c| joining.get(c)).find(is_seen);
        let right = after().map(|c| joining.get(c)).find(is_seen);
        return left.is_some_and(|left| {
            [JoiningType::LeftJoining, JoiningType::DualJoining].contains(&left)
        }) && right.is_some_and(|right| {
            [JoiningType::RightJoining, JoiningType::DualJoining].contains(&right)
        });
    }
    if let (Some(last), Some(next)) = (before().next(), after().next()) {
        let script = CodePointMapData::<Script>::new();
        let is_virama = class.get(next) == CanonicalCombiningClass::Virama;
        if is_virama && script.get(last) == script.get(next) {
            return true;
        }
    }
    let emoji = CodePointSetData::new::<ExtendedPictographic>();
    let is_base = |c: &char| !matches!(c, '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}');
    before().find(is_base).is_some_and(|c| emoji.contains(c))
        && after().next().is_some_and(|c| emoji.contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joiners_are_hidden_unless_the_script_needs_them() {
        for needed in [
            "علی\u{200c}رضا",
            "می\u{64e}\u{200c}\u{64e}رود",
            "क्\u{200d}ष",
            "क्\u{200c}ष",
            "ශ්\u{200d}රී",
            "র\u{200d}্যাচেল",
            "ರ\u{200d}್ಯಾಂಕ್",
            "👩\u{200d}👧",
            "👩🏽\u{200d}❤\u{fe0f}\u{200d}👨🏽",
        ] {
            assert!(!hides_characters(needed), "{needed:?}");
        }
        for hidden in [
            "Ada\u{200c}Byron",
            "Ada\u{200d}Byron",
            "\u{200c}علی",
            "علی\u{200c}",
            "علی\u{200d}رضا",
            "علی\u{200c}Ada",
            "क\u{200d}ष",
            "Ada\u{200d}\u{9cd}",
            "👩\u{200d}Ada",
            "\u{200d}👩",
        ] {
            assert!(hides_characters(hidden), "{hidden:?}");
        }
    }

    #[test]
    fn soft_hyphens_fillers_and_tags_are_hidden() {
        for hidden in [
            '\u{ad}',
            '\u{34f}',
            '\u{115f}',
            '\u{180e}',
            '\u{200b}',
            '\u{2060}',
            '\u{2064}',
            '\u{3164}',
            '\u{feff}',
            '\u{ffa0}',
            '\u{e0041}',
        ] {
            assert!(hides_characters(&format!("Ada{hidden}Byron")), "{hidden:?}");
        }
        for shown in ["葛\u{e0100}城", "\u{200f}דן כהן", "❤\u{fe0f}", "ᠠ\u{180b}"] {
            assert!(!hides_characters(shown), "{shown:?}");
        }
    }

    #[test]
    fn a_character_of_a_syllabary_counts_as_two_letters() {
        for (text, worth) in [
            ("王伟", 4),
            ("王", 2),
            ("김", 2),
            ("\u{1100}\u{1175}\u{11b7}", 2),
            ("リー", 3),
            ("あい", 4),
            ("Bo", 2),
            ("Zoe\u{308}", 3),
            ("Юл", 2),
        ] {
            assert_eq!(letters(text), worth, "{text}");
        }
    }
}
