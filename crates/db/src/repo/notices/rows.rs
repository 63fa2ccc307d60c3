//! Reading notices with the title of their idea and the name of their recipient, both of
//! which are stored encrypted elsewhere.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use diesel::dsl::auto_type;
use diesel::prelude::{
    ExpressionMethods, JoinOnDsl, NullableExpressionMethods, QueryDsl, Queryable, Selectable,
};

use ideavault_domain::notice::{Notice, NoticeKind};
use ideavault_domain::page::Cursor;
use ideavault_domain::ports::Encryption;
use ideavault_domain::text::{PersonName, Title};

use super::super::cipher::{Cipher, IdeaKeyKind};
use super::super::idea_rows::title_of;
use super::super::rows::share_name;
use super::super::schema::{idea_keys, ideas, recipients, shares};
use super::super::sealed::{RecipientDetails, Sealable as _};
use super::tables::notices;
use crate::error::QueryResult;
use crate::stored::{self, Time};

#[derive(Queryable, Selectable)]
#[diesel(table_name = notices)]
pub(super) struct NoticeRow {
    pub(super) seq: i64,
    share_id: String,
    kind: String,
    recipient_id: Option<String>,
    count: i32,
    first_at: Time,
    last_at: Time,
    read_at: Option<Time>,
}

impl NoticeRow {
    pub(super) fn cursor(&self) -> Cursor {
        Cursor {
            at: self.last_at.into(),
            row: self.seq,
            ..Cursor::NEWEST
        }
    }
}

/// A notice, its idea with the owner and the title, the type and the encrypted name of its
/// share, the idea's two wrapped keys, and the encrypted details of the recipient.
pub(super) type ListedRow = (
    NoticeRow,
    (i64, String, Vec<u8>),
    (String, Option<Vec<u8>>),
    (Option<Vec<u8>>, Vec<u8>),
    Option<Vec<u8>>,
);

/// Notices on ideas that are not deleted.
#[auto_type]
pub(super) fn listed() -> _ {
    notices::table
        .inner_join(shares::table.on(shares::id.eq(notices::share_id)))
        .inner_join(ideas::table.on(ideas::id.eq(shares::idea_id)))
        .inner_join(idea_keys::table.on(idea_keys::idea_id.eq(shares::idea_id)))
        .left_join(recipients::table.on(notices::recipient_id.eq(recipients::id.nullable())))
        .filter(ideas::deleted_at.is_null())
}

/// Decrypts rows; each idea's keys are unwrapped once.
pub(super) struct NoticeDecryptor<'v> {
    encryption: &'v dyn Encryption,
    ideas: HashMap<i64, (Title, Cipher<'v>)>,
}

impl<'v> NoticeDecryptor<'v> {
    pub(super) fn new(encryption: &'v dyn Encryption) -> Self {
        Self {
            encryption,
            ideas: HashMap::new(),
        }
    }

    pub(super) fn read(&mut self, row: ListedRow) -> QueryResult<Notice> {
        let (row, (idea, owner, sealed_title), share, (content, evidence), details) = row;
        let (share_type, sealed_name) = share;
        let (title, cipher) = match self.ideas.entry(idea) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert((
                title_of(self.encryption, idea, &owner, content, &sealed_title)?,
                Cipher::of_idea(
                    self.encryption,
                    IdeaKeyKind::Evidence,
                    idea,
                    &owner,
                    evidence,
                )?,
            )),
        };
        let name = match (&row.recipient_id, details) {
            (Some(id), Some(details)) => {
                let details = RecipientDetails::open(cipher, id, &details)?;
                Some(PersonName::from_stored(details.name))
            }
            _ => None,
        };
        let share_name = sealed_name
            .map(|sealed| share_name(cipher, &row.share_id, &sealed))
            .transpose()?;
        Ok(Notice {
            seq: row.seq,
            kind: stored::required("kind of notice", NoticeKind::from_name(&row.kind))?,
            idea: idea.into(),
            title: title.clone(),
            share: stored::parsed("share id", &row.share_id)?,
            share_type: stored::share_type(&share_type)?,
            share_name,
            recipient: row
                .recipient_id
                .map(|id| stored::parsed("recipient id", &id))
                .transpose()?,
            name,
            count: row.count,
            first_at: row.first_at.into(),
            last_at: row.last_at.into(),
            read: row.read_at.is_some(),
        })
    }
}
