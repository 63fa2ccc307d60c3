//! Changes of an account: name, password, reset links, the end of its sessions.

use diesel::prelude::{
    BoolExpressionMethods, ExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl,
    SelectableHelper,
};

use ideavault_domain::Timestamp;
use ideavault_domain::account::{PasswordHash, PasswordReset, SessionEpoch, User};
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{AccountChanges, DatabaseError};
use ideavault_domain::text::PersonName;
use ideavault_domain::token::TokenHash;

use super::Repository;
use super::erased::{lock_account, protect_account};
use super::schema::{password_resets, user_sessions, users};
use super::users::UserRow;
use crate::stored;

impl AccountChanges for Repository<'_> {
    fn rename_user(
        &mut self,
        id: UserId,
        name: &PersonName,
    ) -> Result<Option<User>, DatabaseError> {
        self.run("rename a user", |connection| {
            let active = users::table
                .find(id.to_string())
                .filter(users::disabled_at.is_null());
            diesel::update(active)
                .set(users::name.eq(name.as_str()))
                .returning(UserRow::as_returning())
                .get_result(connection)
                .optional()?
                .map(UserRow::into_user)
                .transpose()
        })
    }

    fn set_password(&mut self, id: UserId, hash: &PasswordHash) -> Result<bool, DatabaseError> {
        self.run("set a password", |connection| {
            let changed = diesel::update(users::table.find(id.to_string()))
                .set(users::password_hash.eq(hash.as_str()))
                .execute(connection)?;
            Ok(changed == 1)
        })
    }

    fn replace_password(
        &mut self,
        id: UserId,
        known: &PasswordHash,
        hash: &PasswordHash,
    ) -> Result<bool, DatabaseError> {
        self.run("replace a password", |connection| {
            let unchanged = users::table
                .find(id.to_string())
                .filter(users::password_hash.eq(known.as_str()));
            let changed = diesel::update(unchanged)
                .set(users::password_hash.eq(hash.as_str()))
                .execute(connection)?;
            Ok(changed == 1)
        })
    }

    fn end_sessions_of(&mut self, id: UserId) -> Result<Option<SessionEpoch>, DatabaseError> {
        self.run("end a user's sessions", |connection| {
            // First, so that a concurrent login waits and then sees the new epoch.
            let epoch: Option<i64> = diesel::update(users::table.find(id.to_string()))
                .set(users::session_epoch.eq(users::session_epoch + 1))
                .returning(users::session_epoch)
                .get_result(connection)
                .optional()?;
            let own = user_sessions::table.filter(user_sessions::user_id.eq(id.to_string()));
            diesel::delete(own).execute(connection)?;
            Ok(epoch.map(SessionEpoch::from_number))
        })
    }

    fn replace_password_reset(&mut self, reset: &PasswordReset) -> Result<(), DatabaseError> {
        self.run("store a password reset", |connection| {
            let user = reset.user.to_string();
            protect_account(connection, &user)?;
            let token = reset.token_hash.as_bytes().as_slice();
            diesel::insert_into(password_resets::table)
                .values((
                    password_resets::user_id.eq(user),
                    password_resets::token_hash.eq(token),
                    password_resets::requested_at.eq(reset.requested_at),
                    password_resets::expires_at.eq(reset.expires_at),
                ))
                .on_conflict(password_resets::user_id)
                .do_update()
                .set((
                    password_resets::token_hash.eq(token),
                    password_resets::requested_at.eq(reset.requested_at),
                    password_resets::expires_at.eq(reset.expires_at),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    fn password_reset(
        &mut self,
        token: &TokenHash,
        now: Timestamp,
    ) -> Result<Option<UserId>, DatabaseError> {
        self.run("look up a password reset", |connection| {
            let live = password_resets::token_hash
                .eq(token.as_bytes().as_slice())
                .and(password_resets::expires_at.gt(now));
            let owner: Option<String> = password_resets::table
                .filter(live)
                .select(password_resets::user_id)
                .first(connection)
                .optional()?;
            owner
                .map(|owner| stored::parsed("user id", &owner))
                .transpose()
        })
    }

    fn consume_password_reset(
        &mut self,
        token: &TokenHash,
        now: Timestamp,
    ) -> Result<Option<UserId>, DatabaseError> {
        self.run("consume a password reset", |connection| {
            let live = password_resets::token_hash
                .eq(token.as_bytes().as_slice())
                .and(password_resets::expires_at.gt(now));
            let live = password_resets::table.filter(live);
            let owner: Option<String> = live
                .select(password_resets::user_id)
                .first(connection)
                .optional()?;
            let Some(owner) = owner else {
                return Ok(None);
            };
            // The account first, as everybody does who changes both: else a change of its
            // password and this one could wait for each other.
            lock_account(connection, &owner)?;
            let consumed = diesel::delete(live).execute(connection)?;
            match consumed {
                0 => Ok(None),
                _ => stored::parsed("user id", &owner).map(Some),
            }
        })
    }

    fn delete_expired_password_resets(&mut self, now: Timestamp) -> Result<usize, DatabaseError> {
        self.run("clean up password resets", |connection| {
            let expired = password_resets::table.filter(password_resets::expires_at.le(now));
            Ok(diesel::delete(expired).execute(connection)?)
        })
    }

    fn remove_password_reset(&mut self, user: UserId) -> Result<(), DatabaseError> {
        self.run("remove a password reset", |connection| {
            diesel::delete(password_resets::table.find(user.to_string())).execute(connection)?;
            Ok(())
        })
    }
}
