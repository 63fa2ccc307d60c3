//! Who wants which notifications, and tokens to unsubscribe.

use diesel::dsl::exists;
use diesel::prelude::{ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl, RunQueryDsl};

use ideavault_domain::Timestamp;
use ideavault_domain::ids::{IdeaId, RecipientId, ShareId, UserId};
use ideavault_domain::notice::{NotificationMode, Subscriber};
use ideavault_domain::ports::{DatabaseError, NotificationSettings};
use ideavault_domain::token::TokenHash;

use super::super::schema::{ideas, shares, users};
use super::super::{Connection, Repository};
use super::tables::{muted_recipients, notices, share_notification_modes, unsubscribe_tokens};
use crate::error::QueryResult;
use crate::stored;

fn mode(name: &str) -> QueryResult<NotificationMode> {
    stored::required("notification mode", NotificationMode::from_name(name))
}

fn set_account_mode(
    connection: &mut Connection,
    account: UserId,
    mode: NotificationMode,
) -> QueryResult<()> {
    diesel::update(users::table.find(account.to_string()))
        .set(users::notification_mode.eq(mode.as_str()))
        .execute(connection)?;
    Ok(())
}

impl NotificationSettings for Repository<'_> {
    fn notification_mode(&mut self, account: UserId) -> Result<NotificationMode, DatabaseError> {
        self.run("read a notification mode", |connection| {
            let name: Option<String> = users::table
                .find(account.to_string())
                .select(users::notification_mode)
                .first(connection)
                .optional()?;
            name.map_or(Ok(NotificationMode::default()), |name| mode(&name))
        })
    }

    fn set_notification_mode(
        &mut self,
        account: UserId,
        mode: NotificationMode,
        now: Timestamp,
    ) -> Result<(), DatabaseError> {
        self.run("change a notification mode", |connection| {
            set_account_mode(connection, account, mode)?;
            let postponed = notices::table
                .filter(notices::account_id.eq(account.to_string()))
                .filter(notices::settled_at.is_null())
                .filter(notices::due_at.gt(now));
            diesel::update(postponed)
                .set(notices::due_at.eq(now))
                .execute(connection)?;
            Ok(())
        })
    }

    fn share_notification_mode(
        &mut self,
        share: ShareId,
    ) -> Result<Option<NotificationMode>, DatabaseError> {
        self.run("read a link's notification mode", |connection| {
            share_notification_modes::table
                .find(share.to_string())
                .select(share_notification_modes::mode)
                .first::<String>(connection)
                .optional()?
                .map(|name| mode(&name))
                .transpose()
        })
    }

    fn share_notification_modes(
        &mut self,
        idea: IdeaId,
    ) -> Result<Vec<(ShareId, NotificationMode)>, DatabaseError> {
        self.run("list links' notification modes", |connection| {
            share_notification_modes::table
                .inner_join(shares::table.on(shares::id.eq(share_notification_modes::share_id)))
                .filter(shares::idea_id.eq(idea.as_i64()))
                .select((
                    share_notification_modes::share_id,
                    share_notification_modes::mode,
                ))
                .load::<(String, String)>(connection)?
                .into_iter()
                .map(|(share, name)| Ok((stored::parsed("share id", &share)?, mode(&name)?)))
                .collect()
        })
    }

    fn set_share_notification_mode(
        &mut self,
        share: ShareId,
        mode: Option<NotificationMode>,
        now: Timestamp,
    ) -> Result<(), DatabaseError> {
        self.run("change a link's notification mode", |connection| {
            let share = share.to_string();
            match mode {
                Some(mode) => {
                    let mode = share_notification_modes::mode.eq(mode.as_str());
                    diesel::insert_into(share_notification_modes::table)
                        .values((share_notification_modes::share_id.eq(&share), mode))
                        .on_conflict(share_notification_modes::share_id)
                        .do_update()
                        .set(mode)
                        .execute(connection)?;
                }
                None => {
                    diesel::delete(share_notification_modes::table.find(&share))
                        .execute(connection)?;
                }
            }
            let postponed = notices::table
                .filter(notices::share_id.eq(&share))
                .filter(notices::settled_at.is_null())
                .filter(notices::due_at.gt(now));
            diesel::update(postponed)
                .set(notices::due_at.eq(now))
                .execute(connection)?;
            Ok(())
        })
    }

    fn add_unsubscribe_token(
        &mut self,
        token: &TokenHash,
        subscriber: Subscriber,
        at: Timestamp,
    ) -> Result<(), DatabaseError> {
        self.run("add an unsubscribe token", |connection| {
            let (account, recipient) = match subscriber {
                Subscriber::Account(id) => (Some(id.to_string()), None),
                Subscriber::Reader(id) => (None, Some(id.to_string())),
            };
            diesel::insert_into(unsubscribe_tokens::table)
                .values((
                    unsubscribe_tokens::token_hash.eq(token.as_bytes().as_slice()),
                    unsubscribe_tokens::account_id.eq(account),
                    unsubscribe_tokens::recipient_id.eq(recipient),
                    unsubscribe_tokens::created_at.eq(at),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    fn subscriber(&mut self, token: &TokenHash) -> Result<Option<Subscriber>, DatabaseError> {
        self.run("look up an unsubscribe token", |connection| {
            let found: Option<(Option<String>, Option<String>)> = unsubscribe_tokens::table
                .find(token.as_bytes().as_slice())
                .select((
                    unsubscribe_tokens::account_id,
                    unsubscribe_tokens::recipient_id,
                ))
                .first(connection)
                .optional()?;
            Ok(match found {
                Some((Some(id), _)) => {
                    Some(Subscriber::Account(stored::parsed("account id", &id)?))
                }
                Some((None, Some(id))) => {
                    Some(Subscriber::Reader(stored::parsed("recipient id", &id)?))
                }
                _ => None,
            })
        })
    }

    fn unsubscribe(&mut self, subscriber: Subscriber) -> Result<(), DatabaseError> {
        self.run("unsubscribe", |connection| {
            match subscriber {
                Subscriber::Account(account) => {
                    set_account_mode(connection, account, NotificationMode::Never)?;
                    let own = shares::table
                        .inner_join(ideas::table.on(ideas::id.eq(shares::idea_id)))
                        .filter(ideas::owner_id.eq(account.to_string()))
                        .select(shares::id);
                    let modes = share_notification_modes::table
                        .filter(share_notification_modes::share_id.eq_any(own));
                    diesel::delete(modes).execute(connection)?;
                }
                Subscriber::Reader(recipient) => {
                    let recipient = muted_recipients::recipient_id.eq(recipient.to_string());
                    diesel::insert_into(muted_recipients::table)
                        .values(recipient)
                        .on_conflict_do_nothing()
                        .execute(connection)?;
                }
            }
            Ok(())
        })
    }

    fn is_muted(&mut self, recipient: RecipientId) -> Result<bool, DatabaseError> {
        self.run("check whether a reader is muted", |connection| {
            let muted = muted_recipients::table.find(recipient.to_string());
            Ok(diesel::select(exists(muted)).get_result(connection)?)
        })
    }
}
