//! Readers: every registration on the links of an owner, with what came of it, and how owners look
//! through them.

use std::str::FromStr;

use chrono::{Days, NaiveDate, NaiveTime};

use crate::Timestamp;
use crate::characters::folded;
use crate::digest::Digest;
use crate::document::utc;
use crate::email::Email;
use crate::failure::Invalid;
use crate::ids::{IdeaId, RecipientId, ShareId};
use crate::nda::AgreementVersion;
use crate::page::{Cursor, Page, Paging};
use crate::recipient::Identity;
use crate::share::ShareType;
use crate::text::{PersonName, ShareName, Title, quoted};

/// Most registrations that a page is looked for in.
pub const LOOKED_THROUGH: usize = 20_000;
/// Most registrations of an export.
pub const EXPORTED: usize = 50_000;
/// Longest text to look for, in characters.
const TEXT_MAX: usize = 200;

/// A registration on a link, as its owner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reader {
    /// Grows with each registration.
    pub number: i64,
    /// The registration.
    pub recipient: RecipientId,
    /// The idea.
    pub idea: IdeaId,
    /// Its title, as the agreement names it.
    pub idea_title: Title,
    /// Its document id, if it is published.
    pub document_id: Option<String>,
    /// The link.
    pub share: ShareId,
    /// Its type.
    pub share_type: ShareType,
    /// The owner's name for it.
    pub share_name: Option<ShareName>,
    /// Name and address; `None` once the person was erased.
    pub person: Option<(PersonName, Email)>,
    /// How far the identity is confirmed.
    pub identity: Identity,
    /// When it was made.
    pub registered_at: Timestamp,
    /// What was accepted.
    pub acceptance: Option<ReaderAcceptance>,
    /// Whether the agreement was declined.
    pub has_declined: bool,
    /// Whether the reader came back to a link that had ended by itself, as far as a notice says so,
    /// which is kept for 90 days.
    pub was_turned_away: bool,
    /// The versions that were opened, in the order in which they were first.
    pub versions: Vec<OpenedVersion>,
    /// Number of counted views.
    pub views: i64,
    /// When a version was last opened.
    pub last_opened_at: Option<Timestamp>,
    /// Number of downloads.
    pub downloads: i64,
    /// Number of comments, without those that were withdrawn.
    pub comments: i64,
}

/// What a reader accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReaderAcceptance {
    /// When.
    pub at: Timestamp,
    /// Version of the agreement's wording.
    pub agreement: AgreementVersion,
    /// SHA-256 of the accepted text; `None` once that was erased.
    pub sha256: Option<Digest>,
    /// The version of the idea at that time.
    pub version: i32,
}

/// A version that a reader opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenedVersion {
    /// Its number.
    pub number: i32,
    /// Its SHA-256; `None` once the draft was deleted.
    pub sha256: Option<Digest>,
    /// When it was first opened.
    pub first_opened_at: Timestamp,
}

/// How far a reader came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReaderState {
    /// Registered.
    Registered,
    /// Has still to confirm the address.
    Unconfirmed,
    /// Accepted the agreement, and opened nothing yet.
    Agreed,
    /// Opened the idea.
    Opened,
    /// Declined the agreement.
    Declined,
    /// Accepted, and came back when the link let nobody in any more.
    Refused,
    /// Was erased.
    Erased,
}

impl ReaderState {
    const ALL: [Self; 7] = [
        Self::Registered,
        Self::Unconfirmed,
        Self::Agreed,
        Self::Opened,
        Self::Declined,
        Self::Refused,
        Self::Erased,
    ];

    /// Returns the name used in the API.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Registered => "registered",
            Self::Unconfirmed => "unconfirmed",
            Self::Agreed => "agreed",
            Self::Opened => "opened",
            Self::Declined => "declined",
            Self::Refused => "refused",
            Self::Erased => "erased",
        }
    }
}

impl Reader {
    /// Returns how far the reader came.
    #[must_use]
    pub fn state(&self) -> ReaderState {
        if self.person.is_none() {
            ReaderState::Erased
        } else if !self.versions.is_empty() {
            ReaderState::Opened
        } else if self.has_declined {
            ReaderState::Declined
        } else if self.was_turned_away {
            ReaderState::Refused
        } else if self.acceptance.is_some() {
            ReaderState::Agreed
        } else if self.share_type == ShareType::Email && self.identity == Identity::SelfDeclared {
            ReaderState::Unconfirmed
        } else {
            ReaderState::Registered
        }
    }

    /// Returns when something was first opened.
    #[must_use]
    pub fn first_opened_at(&self) -> Option<Timestamp> {
        Some(self.versions.first()?.first_opened_at)
    }

    /// Returns when a version was first opened, or was accepted without being opened.
    fn met(&self, version: i32) -> Option<(Timestamp, ReaderState)> {
        let opened = self.versions.iter().find(|one| one.number == version);
        let accepted = self.acceptance.as_ref();
        let accepted = accepted.filter(|acceptance| acceptance.version == version);
        opened
            .map(|one| (one.first_opened_at, ReaderState::Opened))
            .or_else(|| accepted.map(|acceptance| (acceptance.at, ReaderState::Agreed)))
    }
}

/// The registrations to look through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReaderScope {
    /// Those for one idea.
    pub idea: Option<IdeaId>,
    /// Those on one link.
    pub share: Option<ShareId>,
}

/// What an owner looks for, as it was sent.
#[derive(Clone, Debug, Default)]
pub struct ReaderQuery {
    /// Id of an idea.
    pub idea: Option<IdeaId>,
    /// Id of a link.
    pub share: Option<String>,
    /// A part of name or address.
    pub text: Option<String>,
    /// Number of a version.
    pub version: Option<String>,
    /// Name of a state.
    pub state: Option<String>,
    /// Earliest time or day.
    pub from: Option<String>,
    /// Latest time or day.
    pub to: Option<String>,
    /// Name of an order.
    pub sort: Option<String>,
}

/// What an owner looks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReaderFilter {
    /// The registrations to look through.
    pub scope: ReaderScope,
    /// In the form of [`folded`].
    text: String,
    version: Option<i32>,
    state: Option<ReaderState>,
    from: Option<Timestamp>,
    /// Excluded.
    until: Option<Timestamp>,
    order: ReaderOrder,
}

impl ReaderFilter {
    /// Checks a query. A day stands for its whole, in UTC.
    ///
    /// # Errors
    /// [`Invalid`] on the parameter.
    pub fn parse(query: &ReaderQuery) -> Result<Self, Invalid> {
        let text = query.text.as_deref().unwrap_or_default().trim();
        if text.chars().count() > TEXT_MAX {
            let message = format!("Please look for at most {TEXT_MAX} characters");
            return Err(Invalid::new("q", message));
        }
        let share = |id: &String| {
            let no_id = |_| Invalid::new("shareId", "shareId must be the id of a link");
            id.parse().map_err(no_id)
        };
        let version = |number: &String| {
            let number = number.parse().ok().filter(|number| *number >= 1);
            number.ok_or_else(|| Invalid::new("version", "version must be a whole number from 1"))
        };
        let state = |name: &String| {
            let known = ReaderState::ALL.into_iter();
            let mut known = known.filter(|state| state.as_str() == name);
            known.next().ok_or_else(|| {
                let names = ReaderState::ALL.map(ReaderState::as_str).join(", ");
                Invalid::new("state", format!("state must be one of {names}"))
            })
        };
        Ok(Self {
            scope: ReaderScope {
                idea: query.idea,
                share: query.share.as_ref().map(share).transpose()?,
            },
            text: folded(text),
            version: query.version.as_ref().map(version).transpose()?,
            state: query.state.as_ref().map(state).transpose()?,
            from: time("from", query.from.as_deref(), 0)?,
            until: time("to", query.to.as_deref(), 1)?,
            order: query.sort.as_deref().unwrap_or("-registeredAt").parse()?,
        })
    }

    /// Returns whether this looks for all readers of its scope.
    #[must_use]
    pub fn finds_all(&self) -> bool {
        let all = Self {
            text: String::new(),
            version: None,
            state: None,
            from: None,
            until: None,
            ..self.clone()
        };
        *self == all
    }

    /// Returns what of an idea this looks for, `link` being the name of the link: the link with all
    /// its readers, or readers with their links.
    #[must_use]
    pub fn in_words(&self, link: Option<&str>) -> String {
        let on_link = self.scope.share.map(|_| match link {
            Some(name) => format!("the link {}", quoted(name)),
            None => "one link".into(),
        });
        if let Some(link) = on_link.as_ref().filter(|_| self.finds_all()) {
            return format!("{link} and its readers");
        }
        let parts = [
            on_link.map(|link| format!("on {link}")),
            (!self.text.is_empty())
                .then(|| format!("with {} in name or address", quoted(&self.text))),
            self.version.map(|number| format!("of version {number}")),
            self.state
                .map(|state| format!("in the state \"{}\"", state.as_str())),
            self.from
                .map(|from| format!("who first opened it, or registered, from {} on", utc(from))),
            self.until
                .map(|until| format!("who first opened it, or registered, before {}", utc(until))),
        ];
        let parts: Vec<_> = parts.into_iter().flatten().collect();
        format!(
            "the readers {} whom the list of readers shows, and of their links",
            parts.join(", ")
        )
    }

    /// Returns the readers that are looked for, in order.
    #[must_use]
    pub fn found(&self, mut readers: Vec<Reader>) -> Vec<Reader> {
        readers.retain(|reader| self.matches(reader));
        self.order.sort(readers)
    }

    /// Returns a page of the readers that are looked for, and their number. The page begins after
    /// a reader wherever that one is by now, even if it is looked for no longer.
    #[must_use]
    pub fn page(&self, readers: Vec<Reader>, paging: Paging) -> (Page<Reader>, usize) {
        let after = paging.after.map(|cursor| cursor.row);
        let readers = self.order.sort(readers);
        let last = readers
            .iter()
            .position(|reader| Some(reader.number) == after);
        let matching = readers.iter().filter(|reader| self.matches(reader));
        let total = matching.count();
        let following = readers
            .into_iter()
            .skip(last.map_or(0, |last| last + 1))
            .filter(|reader| self.matches(reader))
            .map(|reader| {
                let cursor = Cursor {
                    at: reader.registered_at,
                    step: 0,
                    row: reader.number,
                };
                (cursor, reader)
            });
        let most = usize::try_from(paging.size.rows_to_read()).unwrap_or(usize::MAX);
        (
            Page::new(following.take(most).collect(), paging.size),
            total,
        )
    }

    fn matches(&self, reader: &Reader) -> bool {
        let state = reader.state();
        // Of a version, what came of it counts and not what came of others.
        let met = match self.version {
            Some(version) => reader.met(version),
            None => {
                let at = reader.first_opened_at().unwrap_or(reader.registered_at);
                Some((at, state))
            }
        };
        let Some((at, of_version)) = met else {
            return false;
        };
        let is_state = |wanted| match wanted {
            ReaderState::Opened => of_version == wanted && state != ReaderState::Erased,
            _ => state == wanted,
        };
        self.state.is_none_or(is_state)
            && self.from.is_none_or(|from| at >= from)
            && self.until.is_none_or(|until| at < until)
            && self.has_text(reader)
    }

    fn has_text(&self, reader: &Reader) -> bool {
        if self.text.is_empty() {
            return true;
        }
        reader.person.as_ref().is_some_and(|(name, email)| {
            let found = |text: &str| folded(text).contains(&self.text);
            found(name.as_str()) || found(email.as_str())
        })
    }
}

/// Parses a time or, `days` after its begin, a day.
fn time(field: &'static str, text: Option<&str>, days: u64) -> Result<Option<Timestamp>, Invalid> {
    let Some(text) = text else {
        return Ok(None);
    };
    let day = text.parse::<NaiveDate>().ok();
    let day = day.and_then(|day| day.checked_add_days(Days::new(days)));
    let time = match day {
        Some(day) => Some(day.and_time(NaiveTime::MIN).and_utc()),
        None => Timestamp::from_str(text).ok(),
    };
    time.map(Some).ok_or_else(|| {
        let message = format!("{field} must be a day such as 2026-05-03, or a time with its zone");
        Invalid::new(field, message)
    })
}

/// The order of a list of readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ReaderOrder {
    by: ReaderKey,
    is_descending: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReaderKey {
    RegisteredAt,
    Name,
    FirstOpenedAt,
    LastOpenedAt,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Number(i64),
    Text(String),
    Time(Timestamp),
}

impl ReaderOrder {
    /// Those without what is compared come last, and of equal ones the newest comes first.
    fn sort(self, readers: Vec<Reader>) -> Vec<Reader> {
        let mut keyed: Vec<_> = readers
            .into_iter()
            .map(|reader| (self.key(&reader), reader))
            .collect();
        keyed.sort_by(|(key, one), (other_key, other)| {
            let compared = match (key, other_key) {
                (Some(key), Some(other)) if self.is_descending => other.cmp(key),
                (Some(key), Some(other)) => key.cmp(other),
                (key, other) => key.is_none().cmp(&other.is_none()),
            };
            compared.then(other.number.cmp(&one.number))
        });
        keyed.into_iter().map(|(_, reader)| reader).collect()
    }

    fn key(self, reader: &Reader) -> Option<Key> {
        match self.by {
            ReaderKey::RegisteredAt => Some(Key::Number(reader.number)),
            ReaderKey::Name => {
                let (name, _) = reader.person.as_ref()?;
                Some(Key::Text(folded(name.as_str())))
            }
            ReaderKey::FirstOpenedAt => reader.first_opened_at().map(Key::Time),
            ReaderKey::LastOpenedAt => reader.last_opened_at.map(Key::Time),
        }
    }
}

impl FromStr for ReaderOrder {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        let (name, is_descending) = match text.strip_prefix('-') {
            Some(name) => (name, true),
            None => (text, false),
        };
        let by = match name {
            "registeredAt" => ReaderKey::RegisteredAt,
            "name" => ReaderKey::Name,
            "firstOpenedAt" => ReaderKey::FirstOpenedAt,
            "lastOpenedAt" => ReaderKey::LastOpenedAt,
            _ => {
                let message = "sort must be registeredAt, name, firstOpenedAt or lastOpenedAt, \
                               with - before it for the opposite order";
                return Err(Invalid::new("sort", message));
            }
        };
        Ok(Self { by, is_descending })
    }
}

#[cfg(test)]
mod tests;
