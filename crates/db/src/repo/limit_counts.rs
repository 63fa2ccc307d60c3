//! Counts of what is limited, which all servers share.

use diesel::dsl::auto_type;
use diesel::prelude::{
    BoolExpressionMethods as _, ExpressionMethods, OptionalExtension as _, QueryDsl, RunQueryDsl,
};
use diesel::query_dsl::methods::FilterDsl;

use ideavault_domain::Timestamp;
use ideavault_domain::client_network::CLIENT_LEVELS;
use ideavault_domain::ports::{DatabaseError, LimitCounts};
use ideavault_domain::rate_limit::{CountKey, CountLimit};

use super::Repository;
use super::schema::limit_counts;
use crate::stored::Time;

impl LimitCounts for Repository<'_> {
    fn count_event(
        &mut self,
        key: &CountKey,
        now: Timestamp,
        ends: Timestamp,
        most: u32,
    ) -> Result<Option<Timestamp>, DatabaseError> {
        self.run("count an event", |connection| {
            let key = key.as_bytes().as_slice();
            let ended = QueryDsl::filter(
                limit_counts::table.find(key),
                limit_counts::window_ends_at.le(now),
            );
            diesel::delete(ended).execute(connection)?;
            // A conflicting row is locked until the commit, so that two servers cannot both
            // count the last event.
            let counted = diesel::insert_into(limit_counts::table)
                .values((
                    limit_counts::key_hash.eq(key),
                    limit_counts::window_ends_at.eq(ends),
                    limit_counts::events.eq(1),
                ))
                .on_conflict(limit_counts::key_hash)
                .do_update()
                .set(limit_counts::events.eq(limit_counts::events + 1))
                .filter(limit_counts::events.lt(i32::try_from(most).unwrap_or(i32::MAX)))
                .execute(connection)?;
            if counted == 1 {
                return Ok(None);
            }
            let ends = limit_counts::table
                .find(key)
                .select(limit_counts::window_ends_at)
                .first(connection)
                .optional()?;
            Ok(Some(ends.unwrap_or(now)))
        })
    }

    fn limited_until(
        &mut self,
        limits: &[CountLimit],
        now: Timestamp,
    ) -> Result<Option<Timestamp>, DatabaseError> {
        self.run("check limits", |connection| {
            let running = QueryDsl::filter(
                limit_counts::table.select(limit_counts::window_ends_at),
                limit_counts::window_ends_at.gt(now),
            );
            let reached = QueryDsl::filter(running, reached(limits));
            let ends = QueryDsl::order(reached, limit_counts::window_ends_at.desc())
                .first::<Time>(connection)
                .optional()?;
            Ok(ends.map(Into::into))
        })
    }

    fn reset_count(&mut self, key: &CountKey) -> Result<(), DatabaseError> {
        self.run("reset a count", |connection| {
            let key = key.as_bytes().as_slice();
            diesel::delete(limit_counts::table.find(key)).execute(connection)?;
            Ok(())
        })
    }

    fn refund_event(&mut self, key: &CountKey, now: Timestamp) -> Result<(), DatabaseError> {
        self.run("refund an event", |connection| {
            let row = limit_counts::table.find(key.as_bytes().as_slice());
            let running = QueryDsl::filter(row, limit_counts::window_ends_at.gt(now));
            let counted = QueryDsl::filter(running, limit_counts::events.gt(0));
            diesel::update(counted)
                .set(limit_counts::events.eq(limit_counts::events - 1))
                .execute(connection)?;
            Ok(())
        })
    }

    fn delete_ended_counts(&mut self, now: Timestamp) -> Result<usize, DatabaseError> {
        self.run("clean up counts of limits", |connection| {
            let ended = limit_counts::window_ends_at.le(now);
            Ok(diesel::delete(QueryDsl::filter(limit_counts::table, ended)).execute(connection)?)
        })
    }
}

/// A count that one of the limits refuses; of at most [`CLIENT_LEVELS`] limits.
#[auto_type(no_type_alias)]
pub(super) fn reached<'a>(limits: &'a [CountLimit]) -> _ {
    let first: &'a [u8] = key(limits, 0);
    let second: &'a [u8] = key(limits, 1);
    let third: &'a [u8] = key(limits, 2);
    let first_most: i32 = most(limits, 0);
    let second_most: i32 = most(limits, 1);
    let third_most: i32 = most(limits, 2);
    limit_counts::key_hash
        .eq(first)
        .and(limit_counts::events.ge(first_most))
        .or(limit_counts::key_hash
            .eq(second)
            .and(limit_counts::events.ge(second_most)))
        .or(limit_counts::key_hash
            .eq(third)
            .and(limit_counts::events.ge(third_most)))
}

const _: () = assert!(
    CLIENT_LEVELS == 3,
    "each level has its part of the condition"
);

/// No key is empty.
fn key(limits: &[CountLimit], level: usize) -> &[u8] {
    let limit = limits.get(level);
    limit.map_or(&[], |limit| limit.key.as_bytes().as_slice())
}

fn most(limits: &[CountLimit], level: usize) -> i32 {
    let limit = limits.get(level);
    limit.map_or(i32::MAX, |limit| {
        i32::try_from(limit.most).unwrap_or(i32::MAX)
    })
}
