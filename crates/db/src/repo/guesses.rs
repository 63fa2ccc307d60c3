use std::time::Duration;

use diesel::prelude::{ExpressionMethods, OptionalExtension as _, QueryDsl, RunQueryDsl};
use diesel::query_dsl::methods::FilterDsl;

use ideavault_domain::Timestamp;
use ideavault_domain::guesses::GuessKey;
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
        key: &GuessKey,
        now: Timestamp,
        most: u32,
    ) -> Result<Option<Timestamp>, DatabaseError> {
        self.run("check guesses", |connection| {
            let row = guess_counts::table.find(key.as_bytes().as_slice());
            let running = QueryDsl::filter(row, guess_counts::window_ends_at.gt(now));
            let most = i32::try_from(most).unwrap_or(i32::MAX);
            Ok(QueryDsl::filter(running, guess_counts::guesses.ge(most))
                .select(guess_counts::window_ends_at)
                .first::<Time>(connection)
                .optional()?
                .map(Into::into))
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
