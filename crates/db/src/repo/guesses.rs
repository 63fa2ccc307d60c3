//! Counts of guesses at passwords and codes, which all instances share.

use std::time::Duration;

use diesel::dsl::auto_type;
use diesel::prelude::{
    BoolExpressionMethods as _, ExpressionMethods, OptionalExtension as _, QueryDsl, RunQueryDsl,
};
use diesel::query_dsl::methods::FilterDsl;

use ideavault_domain::Timestamp;
use ideavault_domain::client_network::CLIENT_LEVELS;
use ideavault_domain::guesses::{GuessKey, GuessLimit};
use ideavault_domain::ports::{DatabaseError, GuessCounts};

use super::Repository;
use super::schema::guess_counts;
use crate::stored::Time;

impl GuessCounts for Repository<'_> {
    fn count_guess(
        &mut self,
        key: &GuessKey,
        now: Timestamp,
        window: Duration,
        most: u32,
    ) -> Result<Option<Timestamp>, DatabaseError> {
        self.run("count a guess", |connection| {
            let key = key.as_bytes().as_slice();
            let ended = QueryDsl::filter(
                guess_counts::table.find(key),
                guess_counts::window_ends_at.le(now),
            );
            diesel::delete(ended).execute(connection)?;
            // A conflicting row is locked until the commit, so that two servers cannot both
            // count the last guess.
            let counted = diesel::insert_into(guess_counts::table)
                .values((
                    guess_counts::key_hash.eq(key),
                    guess_counts::window_ends_at.eq(now + window),
                    guess_counts::guesses.eq(1),
                ))
                .on_conflict(guess_counts::key_hash)
                .do_update()
                .set(guess_counts::guesses.eq(guess_counts::guesses + 1))
                .filter(guess_counts::guesses.lt(i32::try_from(most).unwrap_or(i32::MAX)))
                .execute(connection)?;
            if counted == 1 {
                return Ok(None);
            }
            let ends = guess_counts::table
                .find(key)
                .select(guess_counts::window_ends_at)
                .first(connection)
                .optional()?;
            Ok(Some(ends.unwrap_or(now)))
        })
    }

    fn guesses_refused_until(
        &mut self,
        limits: &[GuessLimit],
        now: Timestamp,
    ) -> Result<Option<Timestamp>, DatabaseError> {
        self.run("check guesses", |connection| {
            let running = QueryDsl::filter(
                guess_counts::table.select(guess_counts::window_ends_at),
                guess_counts::window_ends_at.gt(now),
            );
            let reached = QueryDsl::filter(running, reached(limits));
            let ends = QueryDsl::order(reached, guess_counts::window_ends_at.desc())
                .first::<Time>(connection)
                .optional()?;
            Ok(ends.map(Into::into))
        })
    }

    fn reset_guesses(&mut self, key: &GuessKey) -> Result<(), DatabaseError> {
        self.run("reset guesses", |connection| {
            let key = key.as_bytes().as_slice();
            diesel::delete(guess_counts::table.find(key)).execute(connection)?;
            Ok(())
        })
    }

    fn refund_guess(&mut self, key: &GuessKey, now: Timestamp) -> Result<(), DatabaseError> {
        self.run("refund a guess", |connection| {
            let row = guess_counts::table.find(key.as_bytes().as_slice());
            let running = QueryDsl::filter(row, guess_counts::window_ends_at.gt(now));
            let counted = QueryDsl::filter(running, guess_counts::guesses.gt(0));
            diesel::update(counted)
                .set(guess_counts::guesses.eq(guess_counts::guesses - 1))
                .execute(connection)?;
            Ok(())
        })
    }

    fn delete_ended_guesses(&mut self, now: Timestamp) -> Result<usize, DatabaseError> {
        self.run("clean up counts of guesses", |connection| {
            let ended = guess_counts::window_ends_at.le(now);
            Ok(diesel::delete(QueryDsl::filter(guess_counts::table, ended)).execute(connection)?)
        })
    }
}

/// A count that one of the limits refuses; of at most [`CLIENT_LEVELS`] limits.
#[auto_type(no_type_alias)]
pub(super) fn reached<'a>(limits: &'a [GuessLimit]) -> _ {
    let first: &'a [u8] = key(limits, 0);
    let second: &'a [u8] = key(limits, 1);
    let third: &'a [u8] = key(limits, 2);
    let first_most: i32 = most(limits, 0);
    let second_most: i32 = most(limits, 1);
    let third_most: i32 = most(limits, 2);
    guess_counts::key_hash
        .eq(first)
        .and(guess_counts::guesses.ge(first_most))
        .or(guess_counts::key_hash
            .eq(second)
            .and(guess_counts::guesses.ge(second_most)))
        .or(guess_counts::key_hash
            .eq(third)
            .and(guess_counts::guesses.ge(third_most)))
}

const _: () = assert!(
    CLIENT_LEVELS == 3,
    "each level has its part of the condition"
);

/// No key is empty.
fn key(limits: &[GuessLimit], level: usize) -> &[u8] {
    let limit = limits.get(level);
    limit.map_or(&[], |limit| limit.key.as_bytes().as_slice())
}

fn most(limits: &[GuessLimit], level: usize) -> i32 {
    let limit = limits.get(level);
    limit.map_or(i32::MAX, |limit| {
        i32::try_from(limit.most).unwrap_or(i32::MAX)
    })
}
