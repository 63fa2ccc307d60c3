//! Sessions of accounts, by the hash of their key.

use diesel::prelude::{
    BoolExpressionMethods, ExpressionMethods, OptionalExtension, QueryDsl, Queryable, RunQueryDsl,
    Selectable, SelectableHelper,
};

use ideavault_domain::Timestamp;
use ideavault_domain::account::{SessionEpoch, UserSession};
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{DatabaseError, UserSessions};
use ideavault_domain::token::TokenHash;

use super::Repository;
use super::schema::{user_sessions, users};
use crate::error::QueryResult;
use crate::stored::{self, Time};

#[derive(Queryable, Selectable)]
#[diesel(table_name = user_sessions)]
pub(in super::super) struct UserSessionRow {
    key_hash: Vec<u8>,
    user_id: Option<String>,
    state: String,
    created_at: Time,
    last_seen_at: Time,
}

impl UserSessionRow {
    pub(in super::super) fn into_session(self) -> QueryResult<UserSession> {
        Ok(UserSession {
            key_hash: stored::token_hash(self.key_hash)?,
            user: self
                .user_id
                .map(|id| stored::parsed("user id", &id))
                .transpose()?,
            state: self.state,
            created_at: self.created_at.into(),
            last_seen_at: self.last_seen_at.into(),
        })
    }
}

impl UserSessions for Repository<'_> {
    fn user_session(&mut self, key: &TokenHash) -> Result<Option<UserSession>, DatabaseError> {
        self.run("read a user session", |connection| {
            user_sessions::table
                .find(key.as_bytes().as_slice())
                .select(UserSessionRow::as_select())
                .first(connection)
                .optional()?
                .map(UserSessionRow::into_session)
                .transpose()
        })
    }

    fn user_sessions_of(&mut self, user: UserId) -> Result<Vec<UserSession>, DatabaseError> {
        self.run("list a user's sessions", |connection| {
            let rows: Vec<UserSessionRow> = user_sessions::table
                .filter(user_sessions::user_id.eq(user.to_string()))
                .order((
                    user_sessions::last_seen_at.desc(),
                    user_sessions::created_at.desc(),
                    user_sessions::key_hash,
                ))
                .select(UserSessionRow::as_select())
                .load(connection)?;
            rows.into_iter().map(UserSessionRow::into_session).collect()
        })
    }

    fn lock_sessions_of(&mut self, user: UserId) -> Result<Vec<UserSession>, DatabaseError> {
        self.run("lock a user's sessions", |connection| {
            // Changes nothing, but locks the user against a concurrent login or the
            // end of all sessions.
            Ok(diesel::update(users::table.find(user.to_string()))
                .set(users::session_epoch.eq(users::session_epoch))
                .execute(connection)?)
        })?;
        self.user_sessions_of(user)
    }

    fn begin_user_session(
        &mut self,
        session: &UserSession,
        user: UserId,
        epoch: SessionEpoch,
    ) -> Result<bool, DatabaseError> {
        let still_current = self.run("begin a user session", |connection| {
            let current = users::table
                .find(user.to_string())
                .filter(users::session_epoch.eq(epoch.number()));
            // Changes nothing, but locks the user against a concurrent end of all
            // sessions.
            Ok(diesel::update(current)
                .set(users::session_epoch.eq(epoch.number()))
                .execute(connection)?)
        })?;
        if still_current == 0 {
            return Ok(false);
        }
        self.upsert_user_session(session)?;
        Ok(true)
    }

    fn upsert_user_session(&mut self, session: &UserSession) -> Result<(), DatabaseError> {
        self.run("store a user session", |connection| {
            let user = session.user.map(|id| id.to_string());
            diesel::insert_into(user_sessions::table)
                .values((
                    user_sessions::key_hash.eq(session.key_hash.as_bytes().as_slice()),
                    user_sessions::user_id.eq(user.as_deref()),
                    user_sessions::state.eq(&session.state),
                    user_sessions::created_at.eq(session.created_at),
                    user_sessions::last_seen_at.eq(session.last_seen_at),
                ))
                .on_conflict(user_sessions::key_hash)
                .do_update()
                .set((
                    user_sessions::user_id.eq(user.as_deref()),
                    user_sessions::state.eq(&session.state),
                    user_sessions::last_seen_at.eq(session.last_seen_at),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    fn touch_user_session(&mut self, key: &TokenHash, at: Timestamp) -> Result<(), DatabaseError> {
        self.run("touch a user session", |connection| {
            // Never backwards: requests can overtake each other.
            let older = user_sessions::table
                .find(key.as_bytes().as_slice())
                .filter(user_sessions::last_seen_at.lt(at));
            diesel::update(older)
                .set(user_sessions::last_seen_at.eq(at))
                .execute(connection)?;
            Ok(())
        })
    }

    fn remove_user_session(&mut self, key: &TokenHash) -> Result<(), DatabaseError> {
        self.run("remove a user session", |connection| {
            diesel::delete(user_sessions::table.find(key.as_bytes().as_slice()))
                .execute(connection)?;
            Ok(())
        })
    }

    fn delete_expired_user_sessions(
        &mut self,
        idle_since: Timestamp,
        created_before: Timestamp,
    ) -> Result<usize, DatabaseError> {
        self.run("clean up user sessions", |connection| {
            let idle = user_sessions::last_seen_at.lt(idle_since);
            let old = user_sessions::created_at.lt(created_before);
            Ok(diesel::delete(user_sessions::table.filter(idle.or(old))).execute(connection)?)
        })
    }
}
