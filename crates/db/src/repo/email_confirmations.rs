//! Links that confirm the address of an account.

use diesel::prelude::{
    BoolExpressionMethods, ExpressionMethods, NullableExpressionMethods, OptionalExtension,
    QueryDsl, RunQueryDsl,
};

use ideavault_domain::Timestamp;
use ideavault_domain::account::{ConfirmationLink, EmailConfirmation};
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{DatabaseError, EmailConfirmations};
use ideavault_domain::token::TokenHash;

use super::Repository;
use super::schema::{email_confirmations, users};
use crate::stored::{self, Time};

impl EmailConfirmations for Repository<'_> {
    fn replace_email_confirmation(
        &mut self,
        confirmation: &EmailConfirmation,
    ) -> Result<(), DatabaseError> {
        self.run("store an email confirmation", |connection| {
            let values = (
                email_confirmations::token_hash.eq(confirmation.token_hash.as_bytes().as_slice()),
                email_confirmations::requested_at.eq(confirmation.requested_at),
                email_confirmations::expires_at.eq(confirmation.expires_at),
                email_confirmations::used_at.eq(None::<Timestamp>),
            );
            diesel::insert_into(email_confirmations::table)
                .values((
                    email_confirmations::user_id.eq(confirmation.user.to_string()),
                    values,
                ))
                .on_conflict(email_confirmations::user_id)
                .do_update()
                .set(values)
                .execute(connection)?;
            Ok(())
        })
    }

    fn email_confirmation(
        &mut self,
        token: &TokenHash,
        now: Timestamp,
    ) -> Result<ConfirmationLink, DatabaseError> {
        self.run("look up an email confirmation", |connection| {
            let found: Option<(String, Option<Time>)> = email_confirmations::table
                .filter(email_confirmations::token_hash.eq(token.as_bytes().as_slice()))
                .filter(email_confirmations::expires_at.gt(now))
                .select((email_confirmations::user_id, email_confirmations::used_at))
                .first(connection)
                .optional()?;
            Ok(match found {
                Some((user, None)) => ConfirmationLink::Live(stored::parsed("user id", &user)?),
                Some((_, Some(_))) => ConfirmationLink::UsedBefore,
                None => ConfirmationLink::Denied,
            })
        })
    }

    fn consume_email_confirmation(
        &mut self,
        token: &TokenHash,
        now: Timestamp,
    ) -> Result<ConfirmationLink, DatabaseError> {
        self.run("consume an email confirmation", |connection| {
            let found = email_confirmations::table
                .filter(email_confirmations::token_hash.eq(token.as_bytes().as_slice()))
                .filter(email_confirmations::expires_at.gt(now));
            let live = found.filter(email_confirmations::used_at.is_null());
            let taken: Option<String> = diesel::update(live)
                .set(email_confirmations::used_at.eq(now))
                .returning(email_confirmations::user_id)
                .get_result(connection)
                .optional()?;
            if let Some(user) = taken {
                return Ok(ConfirmationLink::Live(stored::parsed("user id", &user)?));
            }
            let used: bool = diesel::select(diesel::dsl::exists(found)).get_result(connection)?;
            Ok(if used {
                ConfirmationLink::UsedBefore
            } else {
                ConfirmationLink::Denied
            })
        })
    }

    fn delete_expired_email_confirmations(
        &mut self,
        now: Timestamp,
    ) -> Result<usize, DatabaseError> {
        self.run("clean up email confirmations", |connection| {
            let expired = email_confirmations::expires_at.le(now);
            Ok(diesel::delete(email_confirmations::table.filter(expired)).execute(connection)?)
        })
    }

    fn confirm_address(&mut self, user: UserId, at: Timestamp) -> Result<bool, DatabaseError> {
        self.run("confirm an address", |connection| {
            let unconfirmed = users::table
                .find(user.to_string())
                .filter(users::email_confirmed_at.is_null());
            let confirmed = diesel::update(unconfirmed)
                .set(users::email_confirmed_at.eq(at))
                .execute(connection)?;
            Ok(confirmed == 1)
        })
    }

    fn try_record_registration_notice(
        &mut self,
        user: UserId,
        at: Timestamp,
        last: Timestamp,
    ) -> Result<bool, DatabaseError> {
        self.run("record a notice of a registration", |connection| {
            let long_ago = users::registration_told_at
                .is_null()
                .or(users::registration_told_at.le(last).assume_not_null());
            let untold = users::table.find(user.to_string()).filter(long_ago);
            let noted = diesel::update(untold)
                .set(users::registration_told_at.eq(at))
                .execute(connection)?;
            Ok(noted == 1)
        })
    }
}
