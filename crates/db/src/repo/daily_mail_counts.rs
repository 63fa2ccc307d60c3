//! Mails per day, for the daily caps.

use diesel::prelude::{ExpressionMethods, QueryDsl, RunQueryDsl};
use diesel::query_dsl::methods::FilterDsl;

use ideavault_domain::Timestamp;
use ideavault_domain::daily_caps::{CappedMails, end_of_day};
use ideavault_domain::ports::{DailyMailCounts, DatabaseError};

use super::Repository;
use super::schema::daily_mail_counts;

impl DailyMailCounts for Repository<'_> {
    fn count_mail(
        &mut self,
        mails: CappedMails,
        at: Timestamp,
        most: u32,
    ) -> Result<bool, DatabaseError> {
        self.run("count a mail", |connection| {
            let account = mails.account().map(|account| account.to_string());
            let most = i32::try_from(most).unwrap_or(i32::MAX);
            // A conflicting row is locked until the commit, so that two servers cannot
            // both count the last mail.
            let counted = diesel::insert_into(daily_mail_counts::table)
                .values((
                    daily_mail_counts::kind.eq(mails.as_str()),
                    daily_mail_counts::account.eq(account.unwrap_or_default()),
                    daily_mail_counts::day_ends_at.eq(end_of_day(at)),
                    daily_mail_counts::mails.eq(1),
                ))
                .on_conflict((
                    daily_mail_counts::kind,
                    daily_mail_counts::account,
                    daily_mail_counts::day_ends_at,
                ))
                .do_update()
                .set(daily_mail_counts::mails.eq(daily_mail_counts::mails + 1))
                .filter(daily_mail_counts::mails.lt(most))
                .execute(connection)?;
            Ok(counted == 1)
        })
    }

    fn delete_old_mail_counts(&mut self, before: Timestamp) -> Result<usize, DatabaseError> {
        self.run("clean up counts of mails", |connection| {
            let old = daily_mail_counts::day_ends_at.lt(before);
            Ok(
                diesel::delete(QueryDsl::filter(daily_mail_counts::table, old))
                    .execute(connection)?,
            )
        })
    }
}
