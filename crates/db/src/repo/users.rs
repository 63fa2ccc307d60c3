//! Accounts.

use diesel::prelude::{
    ExpressionMethods, OptionalExtension, QueryDsl, Queryable, RunQueryDsl, Selectable,
    SelectableHelper,
};

use ideavault_domain::account::{PasswordHash, SessionEpoch, User};
use ideavault_domain::email::Email;
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{Credentials, DatabaseError, Users};
use ideavault_domain::text::PersonName;

use super::Repository;
use super::schema::users;
use crate::error::QueryResult;
use crate::stored::{self, Time};

#[derive(Queryable, Selectable)]
#[diesel(table_name = users)]
pub(super) struct UserRow {
    id: String,
    email: String,
    name: String,
    profile_image: Option<String>,
    created_at: Time,
    email_confirmed_at: Option<Time>,
    disabled_at: Option<Time>,
}

impl UserRow {
    pub(super) fn into_user(self) -> QueryResult<User> {
        Ok(User {
            id: stored::parsed("user id", &self.id)?,
            name: PersonName::from_stored(self.name),
            email: Email::from_stored(self.email),
            profile_image: self.profile_image,
            created_at: self.created_at.into(),
            email_confirmed_at: self.email_confirmed_at.map(Into::into),
            disabled_at: self.disabled_at.map(Into::into),
        })
    }
}

impl Users for Repository<'_> {
    fn add_user(
        &mut self,
        user: &User,
        password_hash: &PasswordHash,
    ) -> Result<bool, DatabaseError> {
        self.run("add a user", |connection| {
            let added = diesel::insert_into(users::table)
                .values((
                    users::id.eq(user.id.to_string()),
                    users::email.eq(user.email.as_str()),
                    users::name.eq(user.name.as_str()),
                    users::password_hash.eq(password_hash.as_str()),
                    users::profile_image.eq(user.profile_image.as_deref()),
                    users::created_at.eq(user.created_at),
                    users::email_confirmed_at.eq(user.email_confirmed_at),
                    users::disabled_at.eq(user.disabled_at),
                ))
                .on_conflict(users::email)
                .do_nothing()
                .execute(connection)?;
            Ok(added == 1)
        })
    }

    fn credentials(&mut self, email: &Email) -> Result<Option<Credentials>, DatabaseError> {
        self.run("read credentials", |connection| {
            users::table
                .filter(users::email.eq(email.as_str()))
                .select((
                    UserRow::as_select(),
                    users::password_hash,
                    users::session_epoch,
                ))
                .first::<(UserRow, String, i64)>(connection)
                .optional()?
                .map(|(row, password_hash, epoch)| {
                    Ok(Credentials {
                        user: row.into_user()?,
                        password_hash: PasswordHash::new(password_hash),
                        epoch: SessionEpoch::from_number(epoch),
                    })
                })
                .transpose()
        })
    }

    fn user(&mut self, id: UserId) -> Result<Option<User>, DatabaseError> {
        self.run("read a user", |connection| {
            users::table
                .find(id.to_string())
                .select(UserRow::as_select())
                .first(connection)
                .optional()?
                .map(UserRow::into_user)
                .transpose()
        })
    }

    fn set_profile_image(&mut self, id: UserId, path: &str) -> Result<bool, DatabaseError> {
        self.run("set a profile image", |connection| {
            let active = users::table
                .find(id.to_string())
                .filter(users::disabled_at.is_null());
            let changed = diesel::update(active)
                .set(users::profile_image.eq(path))
                .execute(connection)?;
            Ok(changed == 1)
        })
    }
}
