//! Notices: added in the transaction of their event, settled by one mailer. See
//! `docs/rules.md#notices`.

mod adding;
mod rows;
mod settings;
mod tables;

use std::collections::HashSet;

use diesel::dsl::{count, exists, not};
use diesel::prelude::{
    AggregateExpressionMethods, BoolExpressionMethods, ExpressionMethods, JoinOnDsl,
    NullableExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl, SelectableHelper,
};

use ideavault_domain::Timestamp;
use ideavault_domain::ids::{MailId, ShareId, UserId};
use ideavault_domain::notice::{
    DueNotice, ENDING_SOON, NewNotice, Notice, NoticeKind, ending_soon_from,
};
use ideavault_domain::page::{Cursor, Page, Paging};
use ideavault_domain::ports::{DatabaseError, Notices};

use self::rows::{ListedRow, NoticeDecryptor, NoticeRow, listed};
use self::tables::{notices, unsubscribe_tokens};
use super::locking::Locking;
use super::schema::{idea_keys, ideas, recipients, shares};
use super::{Connection, LOCKING_NOTICES, Repository};
use crate::error::QueryResult;
use crate::stored::{self, Time};

const ANSWERED: &str = NoticeKind::Answered.as_str();
/// Most notices in one email.
const PENDING_MAX: i64 = 500;
/// Most ending shares that are returned at once.
const ENDING_MAX: usize = 100;

/// Deletes what waits to be mailed to a reader who was erased, and the reader's tokens.
pub(super) fn delete_of_erased(connection: &mut Connection, reader: &str) -> QueryResult<()> {
    let waiting = notices::table
        .filter(notices::recipient_id.eq(reader))
        .filter(notices::kind.eq(ANSWERED));
    diesel::delete(waiting).execute(connection)?;
    let tokens = unsubscribe_tokens::table.filter(unsubscribe_tokens::recipient_id.eq(reader));
    diesel::delete(tokens).execute(connection)?;
    Ok(())
}

/// Returns the recipients of an owner's links who came back to one that let nobody in any more.
pub(super) fn turned_away(
    connection: &mut Connection,
    owner: &str,
) -> QueryResult<HashSet<String>> {
    let found: Vec<Option<String>> = notices::table
        .filter(notices::account_id.eq(owner))
        .filter(notices::kind.eq(NoticeKind::Refused.as_str()))
        .select(notices::recipient_id)
        .load(connection)?;
    Ok(found.into_iter().flatten().collect())
}

impl Notices for Repository<'_> {
    fn add_notice(&mut self, notice: &NewNotice) -> Result<(), DatabaseError> {
        self.run("add a notice", |connection| adding::add(connection, notice))
    }

    fn take_back_notice(&mut self, notice: &NewNotice) -> Result<(), DatabaseError> {
        self.run("take a notice back", |connection| {
            adding::take_back(connection, notice)
        })
    }

    fn notices_of(
        &mut self,
        account: UserId,
        paging: Paging,
    ) -> Result<Page<Notice>, DatabaseError> {
        let encryption = self.encryption;
        let readable = self.readable();
        self.run("list notices", |connection| {
            let after = paging.after.unwrap_or(Cursor::NEWEST);
            let is_earlier = notices::last_at.lt(after.at).or(notices::seq.lt(after.row));
            let mut decryptor = NoticeDecryptor::new(encryption);
            let rows = listed()
                .filter(notices::account_id.eq(account.to_string()))
                .filter(notices::kind.ne(ANSWERED))
                .filter(notices::last_at.le(after.at))
                .filter(is_earlier)
                .order((notices::last_at.desc(), notices::seq.desc()))
                .limit(paging.size.rows_to_read())
                .select((
                    NoticeRow::as_select(),
                    (ideas::id, ideas::owner_id, ideas::title),
                    (shares::share_type, shares::name),
                    (idea_keys::content, idea_keys::evidence),
                    recipients::details.nullable(),
                ))
                .load::<ListedRow>(connection)?;
            let rows = rows.into_iter().map(|row| {
                let (cursor, id) = (row.0.cursor(), row.0.seq.to_string());
                (cursor, id, decryptor.read(row))
            });
            readable.page(connection, "notice", rows, paging.size)
        })
    }

    fn unread_notices(&mut self, account: UserId) -> Result<i64, DatabaseError> {
        self.run("count unread notices", |connection| {
            Ok(notices::table
                .inner_join(shares::table.on(shares::id.eq(notices::share_id)))
                .inner_join(ideas::table.on(ideas::id.eq(shares::idea_id)))
                .filter(notices::account_id.eq(account.to_string()))
                .filter(notices::read_at.is_null())
                .filter(notices::kind.ne(ANSWERED))
                .filter(ideas::deleted_at.is_null())
                .count()
                .get_result(connection)?)
        })
    }

    fn read_notices(
        &mut self,
        account: UserId,
        up_to: Timestamp,
        now: Timestamp,
    ) -> Result<(), DatabaseError> {
        self.run("mark notices as read", |connection| {
            let unread = notices::table
                .filter(notices::account_id.eq(account.to_string()))
                .filter(notices::read_at.is_null())
                .filter(notices::last_at.le(up_to));
            diesel::update(unread)
                .set(notices::read_at.eq(now))
                .execute(connection)?;
            Ok(())
        })
    }

    fn due_notice(&mut self, now: Timestamp) -> Result<Option<DueNotice>, DatabaseError> {
        self.run("find a due notice", |connection| {
            notices::table
                .filter(notices::settled_at.is_null())
                .filter(notices::due_at.le(now))
                .order((notices::due_at, notices::seq))
                .select((
                    notices::seq,
                    notices::account_id,
                    notices::share_id,
                    notices::kind,
                    notices::recipient_id,
                    notices::first_at,
                ))
                .first::<(i64, String, String, String, Option<String>, Time)>(connection)
                .optional()?
                .map(|(seq, account, share, kind, recipient, first_at)| {
                    Ok(DueNotice {
                        seq,
                        account: stored::parsed("account id", &account)?,
                        share: stored::parsed("share id", &share)?,
                        reader: recipient
                            .filter(|_| kind == ANSWERED)
                            .map(|id| stored::parsed("recipient id", &id))
                            .transpose()?,
                        first_at: first_at.into(),
                    })
                })
                .transpose()
        })
    }

    fn claim_notice(&mut self, due: &DueNotice, now: Timestamp) -> Result<bool, DatabaseError> {
        self.run("claim a notice", |connection| {
            // On Postgres a concurrent claim waits here for the first to commit, and
            // then finds the notice settled or postponed.
            let still_due = notices::table
                .find(due.seq)
                .filter(notices::settled_at.is_null())
                .filter(notices::due_at.le(now));
            let claimed = diesel::update(still_due)
                .set(notices::due_at.eq(now))
                .execute(connection)?;
            Ok(claimed == 1)
        })
    }

    fn pending_notices(&mut self, due: &DueNotice) -> Result<Vec<Notice>, DatabaseError> {
        let encryption = self.encryption;
        let readable = self.readable();
        self.run("list pending notices", |connection| {
            let mut decryptor = NoticeDecryptor::new(encryption);
            let mut query = listed()
                .filter(notices::account_id.eq(due.account.to_string()))
                .filter(notices::settled_at.is_null())
                .into_boxed();
            query = match due.reader {
                Some(reader) => query
                    .filter(notices::kind.eq(ANSWERED))
                    .filter(notices::recipient_id.eq(reader.to_string())),
                None => query.filter(notices::kind.ne(ANSWERED)),
            };
            // With many, those that belong to the due notice must not be cut off.
            let is_elsewhere = notices::share_id.ne(due.share.to_string());
            let query = query
                .order((notices::seq.ne(due.seq), is_elsewhere, notices::seq))
                .limit(PENDING_MAX)
                .select((
                    NoticeRow::as_select(),
                    (ideas::id, ideas::owner_id, ideas::title),
                    (shares::share_type, shares::name),
                    (idea_keys::content, idea_keys::evidence),
                    recipients::details.nullable(),
                ));
            let mut pending: Vec<Notice> = Locking::new(query, LOCKING_NOTICES)
                .load::<ListedRow>(connection)?
                .into_iter()
                .filter_map(|row| {
                    let seq = row.0.seq;
                    let read = decryptor.read(row);
                    if seq == due.seq {
                        return Some(read);
                    }
                    readable
                        .unless_damaged(connection, ("notice", &seq.to_string()), read)
                        .transpose()
                })
                .collect::<QueryResult<_>>()?;
            pending.sort_unstable_by_key(|notice| notice.seq);
            Ok(pending)
        })
    }

    fn settle_notices(
        &mut self,
        seqs: &[i64],
        mail: Option<MailId>,
        at: Timestamp,
    ) -> Result<(), DatabaseError> {
        self.run("settle notices", |connection| {
            let pending = notices::table
                .filter(notices::seq.eq_any(seqs))
                .filter(notices::settled_at.is_null());
            diesel::update(pending)
                .set((
                    notices::settled_at.eq(at),
                    notices::mail_id.eq(mail.map(|id| id.to_string())),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    fn postpone_notices(&mut self, seqs: &[i64], due_at: Timestamp) -> Result<(), DatabaseError> {
        self.run("postpone notices", |connection| {
            let pending = notices::table
                .filter(notices::seq.eq_any(seqs))
                .filter(notices::settled_at.is_null());
            diesel::update(pending)
                .set(notices::due_at.eq(due_at))
                .execute(connection)?;
            Ok(())
        })
    }

    fn notice_mails_since(
        &mut self,
        account: UserId,
        to_readers: bool,
        since: Timestamp,
    ) -> Result<i64, DatabaseError> {
        self.run("count emails about notices", |connection| {
            let mailed = notices::table
                .filter(notices::account_id.eq(account.to_string()))
                .filter(notices::settled_at.gt(since))
                .filter(notices::kind.eq(ANSWERED).eq(to_readers));
            Ok(mailed
                .select(count(notices::mail_id).aggregate_distinct())
                .first(connection)?)
        })
    }

    fn shares_ending(&mut self, now: Timestamp) -> Result<Vec<ShareId>, DatabaseError> {
        self.run("find shares that end soon", |connection| {
            let told = notices::table
                .filter(notices::share_id.eq(shares::id))
                .filter(notices::kind.eq(NoticeKind::EndingSoon.as_str()));
            let views_left = shares::max_views.is_null().or(shares::view_count
                .nullable()
                .lt(shares::max_views)
                .assume_not_null());
            let rows: Vec<(String, Option<Time>, Time)> = shares::table
                .inner_join(ideas::table.on(ideas::id.eq(shares::idea_id)))
                .filter(shares::revoked_at.is_null())
                .filter(shares::expires_at.gt(now))
                .filter(shares::expires_at.le(now + ENDING_SOON))
                .filter(shares::created_at.le(now))
                .filter(views_left)
                .filter(ideas::deleted_at.is_null())
                .filter(not(exists(told)))
                .order(shares::expires_at)
                .select((shares::id, shares::expires_at, shares::created_at))
                .load(connection)?;
            rows.into_iter()
                .filter(|(_, end, made)| {
                    end.and_then(|end| ending_soon_from((*made).into(), end.into()))
                        .is_some_and(|from| from <= now)
                })
                .take(ENDING_MAX)
                .map(|(id, ..)| stored::parsed("share id", &id))
                .collect()
        })
    }

    fn delete_old_notices(&mut self, before: Timestamp) -> Result<usize, DatabaseError> {
        self.run("clean up notices", |connection| {
            let old = notices::table.filter(notices::last_at.lt(before));
            let removed = diesel::delete(old).execute(connection)?;
            let old = unsubscribe_tokens::table.filter(unsubscribe_tokens::created_at.lt(before));
            Ok(removed + diesel::delete(old).execute(connection)?)
        })
    }
}
