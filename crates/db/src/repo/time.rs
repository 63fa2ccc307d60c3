//! The newest time on record, which the clock may not fall behind.

use diesel::prelude::{
    BoolExpressionMethods, ExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl,
};

use ideavault_domain::Timestamp;
use ideavault_domain::ports::{DatabaseError, NewestTime};

use super::Repository;
use super::schema::newest_time;
use crate::stored::Time;

impl NewestTime for Repository<'_> {
    fn newest_time(&mut self) -> Result<Option<Timestamp>, DatabaseError> {
        self.run("read the newest time", |connection| {
            let at = newest_time::table.select(newest_time::at);
            let at: Option<Time> = at.first(connection).optional()?;
            Ok(at.map(Timestamp::from))
        })
    }

    fn record_time(&mut self, at: Timestamp, wrong_after: Timestamp) -> Result<(), DatabaseError> {
        self.run("record the newest time", |connection| {
            let added = diesel::insert_into(newest_time::table)
                .values((newest_time::one.eq(1), newest_time::at.eq(at)))
                .on_conflict_do_nothing()
                .execute(connection)?;
            if added == 0 {
                let is_older = newest_time::at.lt(at);
                let is_wrong = newest_time::at.gt(wrong_after);
                diesel::update(newest_time::table.filter(is_older.or(is_wrong)))
                    .set(newest_time::at.eq(at))
                    .execute(connection)?;
            }
            Ok(())
        })
    }
}
