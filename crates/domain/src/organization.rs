//! How creators organize their ideas: tags and an archive (`docs/rules.md#organizing`). Nobody
//! else sees either, and a published idea has them too.

use std::collections::HashSet;

use crate::failure::Invalid;
use crate::text::line;

/// Most tags of an idea.
pub const TAGS_MAX: usize = 10;
/// Longest tag, in characters.
pub const TAG_MAX: usize = 30;

/// The tags of an idea, as typed, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags(Vec<String>);

impl Tags {
    /// Parses tags. Of those that differ in nothing but case, the first is kept.
    ///
    /// # Errors
    /// [`Invalid`] on `tags`.
    pub fn parse(raw: &[String]) -> Result<Self, Invalid> {
        let mut seen = HashSet::new();
        let mut tags = Vec::new();
        for raw in raw {
            let tag = line("tags", raw, 1, TAG_MAX, "Please remove empty tags")?;
            if seen.insert(tag.to_lowercase()) {
                tags.push(tag);
            }
        }
        if tags.len() > TAGS_MAX {
            let too_many = format!("Please use at most {TAGS_MAX} tags");
            return Err(Invalid::new("tags", too_many));
        }
        Ok(Self(tags))
    }

    /// Reads what [`Tags::to_stored`] wrote.
    #[must_use]
    pub fn from_stored(text: &str) -> Self {
        Self(text.lines().map(str::to_owned).collect())
    }

    /// Writes each on a line of its own, which no tag has within.
    #[must_use]
    pub fn to_stored(&self) -> String {
        self.0.join("\n")
    }

    /// Returns the tags in their order.
    #[must_use]
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }

    /// Returns the tags in their order.
    #[must_use]
    pub fn into_vec(self) -> Vec<String> {
        self.0
    }
}

/// What its creator has said of an idea.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Organization {
    /// Its tags.
    pub tags: Tags,
    /// Whether it is archived: lists leave it out unless it is asked for. Links go on working.
    pub is_archived: bool,
}

/// A change of an [`Organization`]; what is `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrganizationChange {
    /// All tags from now on.
    pub tags: Option<Tags>,
    /// Whether it is archived from now on.
    pub is_archived: Option<bool>,
}

/// What a list does with archived ideas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Archived {
    /// Leaves them out.
    LeftOut,
    /// Has them among the others.
    Included,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(raw: &[&str]) -> Result<Tags, Invalid> {
        Tags::parse(&raw.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn tags_are_trimmed_and_each_is_there_once() {
        let tags = parse(&[" Kettle ", "steam age", "KETTLE", "Kessel"]).unwrap();
        assert_eq!(Tags::from_stored(&tags.to_stored()), tags);
        assert_eq!(tags.into_vec(), ["Kettle", "steam age", "Kessel"]);
        let none = parse(&[]).unwrap();
        assert_eq!(Tags::from_stored(&none.to_stored()), none);
    }

    #[test]
    fn tags_are_few_and_short() {
        let many: Vec<String> = (0..11).map(|number| number.to_string()).collect();
        assert!(Tags::parse(&many[..10]).is_ok());
        assert!(parse(&["é".repeat(30).as_str()]).is_ok());
        for (tags, why) in [
            (many, "Please use at most 10 tags"),
            (vec!["é".repeat(31)], "Please use at most 30 characters"),
            (vec!["a".into(), " ".into()], "Please remove empty tags"),
            (vec!["a\nb".into()], "Please remove control characters"),
        ] {
            assert_eq!(Tags::parse(&tags).unwrap_err(), Invalid::new("tags", why));
        }
    }
}
