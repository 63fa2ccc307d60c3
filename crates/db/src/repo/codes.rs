//! Mailed codes that confirm a recipient's address, and their tries.

use diesel::prelude::{
    BoolExpressionMethods, ExpressionMethods, OptionalExtension, QueryDsl, Queryable, RunQueryDsl,
    Selectable, SelectableHelper,
};

use ideavault_domain::Timestamp;
use ideavault_domain::code::{CODE_ATTEMPTS, EmailCode};
use ideavault_domain::ids::RecipientId;
use ideavault_domain::ports::{Codes, DatabaseError};

use super::addresses::address_of;
use super::schema::{email_codes, recipients};
use super::{Repository, folding};
use crate::error::QueryResult;
use crate::stored::{self, Time};

#[derive(Queryable, Selectable)]
#[diesel(table_name = email_codes)]
pub(super) struct CodeRow {
    recipient_id: String,
    code_hash: Vec<u8>,
    attempts: i32,
    sent_at: Time,
    expires_at: Time,
}

impl CodeRow {
    /// Parses the row.
    pub(super) fn into_code(self) -> QueryResult<EmailCode> {
        Ok(EmailCode {
            recipient: stored::parsed("recipient id", &self.recipient_id)?,
            hash: stored::code_hash(self.code_hash)?,
            attempts: self.attempts,
            sent_at: self.sent_at.into(),
            expires_at: self.expires_at.into(),
        })
    }
}

impl Codes for Repository<'_> {
    fn replace_code(&mut self, code: &EmailCode) -> Result<(), DatabaseError> {
        self.run("store a code", |connection| {
            let hash = code.hash.as_bytes().as_slice();
            diesel::insert_into(email_codes::table)
                .values((
                    email_codes::recipient_id.eq(code.recipient.to_string()),
                    email_codes::code_hash.eq(hash),
                    email_codes::attempts.eq(code.attempts),
                    email_codes::sent_at.eq(code.sent_at),
                    email_codes::expires_at.eq(code.expires_at),
                ))
                .on_conflict(email_codes::recipient_id)
                .do_update()
                .set((
                    email_codes::code_hash.eq(hash),
                    email_codes::attempts.eq(code.attempts),
                    email_codes::sent_at.eq(code.sent_at),
                    email_codes::expires_at.eq(code.expires_at),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    fn try_code(
        &mut self,
        recipient: RecipientId,
        now: Timestamp,
    ) -> Result<Option<EmailCode>, DatabaseError> {
        self.run("try a code", |connection| {
            let live = email_codes::table.find(recipient.to_string()).filter(
                email_codes::attempts
                    .lt(CODE_ATTEMPTS)
                    .and(email_codes::expires_at.gt(now)),
            );
            diesel::update(live)
                .set(email_codes::attempts.eq(email_codes::attempts + 1))
                .returning(CodeRow::as_returning())
                .get_result(connection)
                .optional()?
                .map(CodeRow::into_code)
                .transpose()
        })
    }

    fn delete_expired_codes(&mut self, now: Timestamp) -> Result<usize, DatabaseError> {
        self.run("clean up codes", |connection| {
            let expired = email_codes::table.filter(email_codes::expires_at.le(now));
            Ok(diesel::delete(expired).execute(connection)?)
        })
    }

    fn confirm_email(
        &mut self,
        recipient: RecipientId,
        at: Timestamp,
    ) -> Result<(), DatabaseError> {
        let encryption = self.encryption;
        let readable = self.readable();
        self.run("confirm an email address", |connection| {
            let id = recipient.to_string();
            let address = address_of(connection, encryption, &readable, &id)?;
            let unconfirmed = recipients::table
                .find(&id)
                .filter(recipients::email_confirmed_at.is_null());
            diesel::update(unconfirmed)
                .set((
                    recipients::email_confirmed_at.eq(at),
                    recipients::address_hash.eq(address),
                ))
                .execute(connection)?;
            folding::advance(connection, &id)?;
            diesel::delete(email_codes::table.find(&id)).execute(connection)?;
            Ok(())
        })
    }
}
