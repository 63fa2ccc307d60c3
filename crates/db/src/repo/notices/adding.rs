//! Adding a notice, or counting it in an existing one, and taking it back.

use diesel::prelude::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl, RunQueryDsl,
};

use ideavault_domain::Timestamp;
use ideavault_domain::notice::{FOLD_WINDOW, GROUPING_WINDOW, NOTICES_PER_LINK, NewNotice};

use super::super::Connection;
use super::super::schema::{ideas, shares};
use super::tables::notices;
use crate::error::QueryResult;

pub(super) fn add(connection: &mut Connection, notice: &NewNotice) -> QueryResult<()> {
    let share = notice.share.to_string();
    let owner: Option<String> = shares::table
        .inner_join(ideas::table.on(ideas::id.eq(shares::idea_id)))
        .filter(shares::id.eq(&share))
        .filter(ideas::deleted_at.is_null())
        .select(ideas::owner_id)
        .first(connection)
        .optional()?;
    let Some(owner) = owner else {
        return Ok(());
    };
    let recipient = notice.recipient.map(|id| id.to_string());
    if notice.kind.happens_once() {
        return insert(connection, notice, &owner, recipient.as_deref());
    }
    if let Some(recipient) = recipient {
        if count_in(connection, notice, Some(&recipient))? {
            return Ok(());
        }
        // A notice for a reader is about that reader, and is limited elsewhere.
        if notice.kind.is_for_reader() || may_add_one(connection, notice)? {
            return insert(connection, notice, &owner, Some(&recipient));
        }
    }
    if count_in(connection, notice, None)? {
        return Ok(());
    }
    insert(connection, notice, &owner, None)
}

/// Counts the event in the newest notice of the same kind, share and recipient: one that
/// is not settled, or one that began within the window, if it names nobody or repeats
/// mean nothing. Returns whether there was one.
fn count_in(
    connection: &mut Connection,
    notice: &NewNotice,
    recipient: Option<&str>,
) -> QueryResult<bool> {
    let mut alike = notices::table
        .filter(notices::share_id.eq(notice.share.to_string()))
        .filter(notices::kind.eq(notice.kind.as_str()))
        .into_boxed();
    alike = match recipient {
        Some(recipient) => alike.filter(notices::recipient_id.eq(recipient)),
        None => alike.filter(notices::recipient_id.is_null()),
    };
    let counts_when_settled = recipient.is_none() || notice.kind.repeats_mean_nothing();
    let is_recent = || notices::first_at.gt(window_begins(notice.at));
    alike = if counts_when_settled {
        alike.filter(notices::settled_at.is_null().or(is_recent()))
    } else {
        alike.filter(notices::settled_at.is_null())
    };
    let newest: Option<i64> = alike
        .order(notices::seq.desc())
        .select(notices::seq)
        .first(connection)
        .optional()?;
    let Some(newest) = newest else {
        return Ok(false);
    };
    let counting = diesel::update(notices::table.find(newest))
        .set((
            notices::count.eq(notices::count + 1),
            notices::last_at.eq(notice.at),
            notices::read_at.eq(None::<Timestamp>),
        ))
        .into_boxed();
    // The mailer may have settled it meanwhile: then no mail would tell of this event.
    let counting = if counts_when_settled {
        counting.filter(notices::settled_at.is_null().or(is_recent()))
    } else {
        counting.filter(notices::settled_at.is_null())
    };
    Ok(counting.execute(connection)? == 1)
}

fn may_add_one(connection: &mut Connection, notice: &NewNotice) -> QueryResult<bool> {
    let there: i64 = notices::table
        .filter(notices::share_id.eq(notice.share.to_string()))
        .filter(notices::kind.eq(notice.kind.as_str()))
        .filter(notices::first_at.gt(window_begins(notice.at)))
        .filter(notices::recipient_id.is_not_null())
        .count()
        .get_result(connection)?;
    Ok(there < NOTICES_PER_LINK)
}

pub(super) fn take_back(connection: &mut Connection, notice: &NewNotice) -> QueryResult<()> {
    let mut counting = notices::table
        .filter(notices::share_id.eq(notice.share.to_string()))
        .filter(notices::kind.eq(notice.kind.as_str()))
        .filter(notices::settled_at.is_null())
        .filter(notices::first_at.le(notice.at))
        .filter(notices::last_at.ge(notice.at))
        .into_boxed();
    if let Some(recipient) = notice.recipient {
        let own = notices::recipient_id.eq(recipient.to_string());
        counting = counting.filter(notices::recipient_id.is_null().or(own));
    }
    // Times of one link's notices may overlap, but seldom begin or end alike.
    let is_at_end = notices::first_at
        .eq(notice.at)
        .or(notices::last_at.eq(notice.at));
    let found: Option<i64> = counting
        .order((
            notices::recipient_id.is_null(),
            is_at_end.desc(),
            notices::seq,
        ))
        .select(notices::seq)
        .first(connection)
        .optional()?;
    let Some(found) = found else {
        return Ok(());
    };
    // The mailer may settle it, and a concurrent call may take another event back.
    let pending = || {
        notices::table
            .find(found)
            .filter(notices::settled_at.is_null())
    };
    let uncounted = diesel::update(pending().filter(notices::count.gt(1)))
        .set(notices::count.eq(notices::count - 1))
        .execute(connection)?;
    if uncounted == 0 {
        diesel::delete(pending().filter(notices::count.eq(1))).execute(connection)?;
    }
    Ok(())
}

fn window_begins(at: Timestamp) -> Timestamp {
    at - FOLD_WINDOW
}

fn insert(
    connection: &mut Connection,
    notice: &NewNotice,
    account: &str,
    recipient: Option<&str>,
) -> QueryResult<()> {
    diesel::insert_into(notices::table)
        .values((
            notices::account_id.eq(account),
            notices::share_id.eq(notice.share.to_string()),
            notices::kind.eq(notice.kind.as_str()),
            notices::recipient_id.eq(recipient),
            notices::count.eq(1),
            notices::first_at.eq(notice.at),
            notices::last_at.eq(notice.at),
            notices::due_at.eq(notice.at + GROUPING_WINDOW),
        ))
        .on_conflict_do_nothing()
        .execute(connection)?;
    Ok(())
}
