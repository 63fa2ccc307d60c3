//! Accounts as operators manage them: list, disable, delete.

use std::collections::HashMap;

use diesel::dsl::count_star;
use diesel::prelude::{
    ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl, RunQueryDsl, SelectableHelper,
};

use ideavault_domain::Timestamp;
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{AccountSummary, Administration, DatabaseError};

use super::cipher::destroy_content_key;
use super::erased::lock_account;
use super::files::delete_shown_files;
use super::idea_rows::{DRAFT, PUBLISHED};
use super::schema::{
    comments, email_confirmations, file_keys, files, idea_files, idea_revisions, ideas,
    invitations, known_devices, organized_ideas, password_resets, shares, two_factors,
    user_sessions, users,
};
use super::users::UserRow;
use super::working_copies::delete_copies_of;
use super::{Connection, Repository};
use crate::error::QueryResult;

/// A hash that no known password matches; verifying takes as long as with any other.
const UNUSABLE_PASSWORD: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$\
                                AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
/// The name of a deleted account, wherever it is still shown.
const NAME: &str = "Deleted account";

impl Administration for Repository<'_> {
    fn accounts(&mut self) -> Result<Vec<AccountSummary>, DatabaseError> {
        self.run("list accounts", |connection| {
            let own = |status: &'static str, connection: &mut Connection| {
                ideas::table
                    .filter(ideas::deleted_at.is_null())
                    .filter(ideas::status.eq(status))
                    .group_by(ideas::owner_id)
                    .select((ideas::owner_id, count_star()))
                    .load::<(String, i64)>(connection)
            };
            let drafts = counts(own(DRAFT, connection)?);
            let published = counts(own(PUBLISHED, connection)?);
            let links = shares::table
                .inner_join(ideas::table.on(ideas::id.eq(shares::idea_id)))
                .filter(shares::revoked_at.is_null())
                .filter(ideas::deleted_at.is_null())
                .group_by(ideas::owner_id)
                .select((ideas::owner_id, count_star()))
                .load::<(String, i64)>(connection)?;
            let links = counts(links);
            let of = |counts: &HashMap<String, i64>, id: &str| counts.get(id).copied().unwrap_or(0);
            users::table
                .filter(users::deleted_at.is_null())
                .order((users::created_at, users::id))
                .select(UserRow::as_select())
                .load(connection)?
                .into_iter()
                .map(|row| {
                    let user = row.into_user()?;
                    let id = user.id.to_string();
                    Ok(AccountSummary {
                        ideas: of(&drafts, &id) + of(&published, &id),
                        published: of(&published, &id),
                        links: of(&links, &id),
                        user,
                    })
                })
                .collect()
        })
    }

    fn set_disabled(
        &mut self,
        user: UserId,
        disabled_at: Option<Timestamp>,
    ) -> Result<bool, DatabaseError> {
        self.run("disable or enable an account", |connection| {
            let account = users::table
                .find(user.to_string())
                .filter(users::deleted_at.is_null());
            let set = users::disabled_at.eq(disabled_at);
            let changed = match disabled_at {
                Some(_) => diesel::update(account.filter(users::disabled_at.is_null()))
                    .set(set)
                    .execute(connection)?,
                None => diesel::update(account.filter(users::disabled_at.is_not_null()))
                    .set(set)
                    .execute(connection)?,
            };
            Ok(changed == 1)
        })
    }

    fn lock_account(&mut self, user: UserId) -> Result<(), DatabaseError> {
        self.run("lock an account", |connection| {
            lock_account(connection, &user.to_string())
        })
    }

    fn delete_account(&mut self, user: UserId, at: Timestamp) -> Result<bool, DatabaseError> {
        let deleted = self.run("delete an account", |connection| {
            let id = user.to_string();
            let email: Option<String> = users::table
                .find(&id)
                .filter(users::deleted_at.is_null())
                .select(users::email)
                .first(connection)
                .optional()?;
            let Some(email) = email else {
                return Ok(false);
            };
            let living = users::table.find(&id).filter(users::deleted_at.is_null());
            let deleted = diesel::update(living)
                .set((
                    users::deleted_at.eq(at),
                    users::disabled_at.eq(at),
                    users::email.eq(format!("deleted-{id}@deleted.invalid")),
                    users::name.eq(NAME),
                    users::password_hash.eq(UNUSABLE_PASSWORD),
                    users::profile_image.eq(None::<String>),
                    users::session_epoch.eq(users::session_epoch + 1),
                ))
                .execute(connection)?;
            if deleted == 0 {
                return Ok(false);
            }
            diesel::delete(invitations::table.find(&email)).execute(connection)?;
            delete_access(connection, &id)?;
            delete_copies_of(connection, &id)?;
            erase_ideas(connection, &id, at)?;
            erase_files(connection, &id)?;
            Ok(true)
        })?;
        self.effects.erased |= deleted;
        Ok(deleted)
    }
}

fn counts(rows: Vec<(String, i64)>) -> HashMap<String, i64> {
    rows.into_iter().collect()
}

/// Deletes the account's sessions and everything that allows signing in.
fn delete_access(connection: &mut Connection, user: &str) -> QueryResult<()> {
    diesel::delete(user_sessions::table.filter(user_sessions::user_id.eq(user)))
        .execute(connection)?;
    diesel::delete(known_devices::table.filter(known_devices::user_id.eq(user)))
        .execute(connection)?;
    diesel::delete(two_factors::table.find(user)).execute(connection)?;
    diesel::delete(password_resets::table.find(user)).execute(connection)?;
    diesel::delete(email_confirmations::table.find(user)).execute(connection)?;
    Ok(())
}

/// Deletes the drafts and destroys the content of the published ideas, whose rows are
/// kept for the evidence of who saw them.
fn erase_ideas(connection: &mut Connection, user: &str, at: Timestamp) -> QueryResult<()> {
    let own: Vec<(i64, String)> = ideas::table
        .filter(ideas::owner_id.eq(user))
        .filter(ideas::deleted_at.is_null())
        .select((ideas::id, ideas::status))
        .load(connection)?;
    for (idea, status) in own {
        let live = shares::table
            .filter(shares::idea_id.eq(idea))
            .filter(shares::revoked_at.is_null());
        diesel::update(live)
            .set(shares::revoked_at.eq(at))
            .execute(connection)?;
        diesel::delete(comments::table.filter(comments::idea_id.eq(idea))).execute(connection)?;
        if status == DRAFT {
            diesel::update(ideas::table.find(idea))
                .set(ideas::deleted_at.eq(at))
                .execute(connection)?;
            diesel::update(idea_revisions::table.filter(idea_revisions::idea_id.eq(idea)))
                .set(idea_revisions::content.eq(None::<Vec<u8>>))
                .execute(connection)?;
            delete_shown_files(connection, idea)?;
        }
        diesel::delete(organized_ideas::table.find(idea)).execute(connection)?;
        destroy_content_key(connection, idea)?;
    }
    Ok(())
}

/// Destroys the keys of all files and deletes the rows of those that no published idea
/// shows; the cleanup removes their bytes.
fn erase_files(connection: &mut Connection, user: &str) -> QueryResult<()> {
    let own = files::table
        .filter(files::owner_id.eq(user))
        .select(files::id);
    diesel::delete(file_keys::table.filter(file_keys::file_id.eq_any(own))).execute(connection)?;
    let shown = idea_files::table.select(idea_files::file_id);
    let unshown = files::table
        .filter(files::owner_id.eq(user))
        .filter(files::id.ne_all(shown));
    diesel::delete(unshown).execute(connection)?;
    Ok(())
}
