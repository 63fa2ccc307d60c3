//! Thinning of a draft's old revisions: all of the last day are kept, then the newest
//! of each hour, day and week.

use chrono::Duration;

use crate::Timestamp;

/// Time for which every revision is kept.
pub const KEEP_ALL_FOR: Duration = Duration::days(1);
const KEEP_HOURLY_FOR: Duration = Duration::days(7);
const KEEP_DAILY_FOR: Duration = Duration::days(30);

const HOUR_SECONDS: i64 = 3_600;
const DAY_SECONDS: i64 = 24 * HOUR_SECONDS;
const WEEK_SECONDS: i64 = 7 * DAY_SECONDS;

/// A revision of a draft whose content is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptRevision {
    /// Revision number.
    pub number: i32,
    /// When it was saved.
    pub created_at: Timestamp,
    /// Whether it is the current one, or was viewed or accepted by somebody.
    pub is_needed: bool,
}

/// Returns the numbers of the revisions to erase at `now`, given all kept revisions
/// of one draft, newest first. The result does not depend on how often this ran
/// before.
#[must_use]
pub fn to_erase(newest_first: &[KeptRevision], now: Timestamp) -> Vec<i32> {
    let older_with_newer = newest_first.iter().skip(1).zip(newest_first);
    older_with_newer
        .filter(|(older, newer)| !older.is_needed && share_an_interval(older, newer, now))
        .map(|(older, _)| older.number)
        .collect()
}

/// Returns whether both were saved in the same interval, of the length that applies
/// to the older one's age. Hours lie within days, and days within weeks, so comparing
/// with the next newer revision suffices.
fn share_an_interval(older: &KeptRevision, newer: &KeptRevision, now: Timestamp) -> bool {
    let age = now - older.created_at;
    let seconds = if age <= KEEP_ALL_FOR {
        return false;
    } else if age <= KEEP_HOURLY_FOR {
        HOUR_SECONDS
    } else if age <= KEEP_DAILY_FOR {
        DAY_SECONDS
    } else {
        WEEK_SECONDS
    };
    let interval = |at: Timestamp| at.timestamp().div_euclid(seconds);
    interval(older.created_at) == interval(newer.created_at)
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;

    /// The beginning of an hour, a day and a week.
    const MONDAY: i64 = 2_900 * WEEK_SECONDS;

    fn at(seconds: i64) -> Timestamp {
        DateTime::from_timestamp(MONDAY + seconds, 0).unwrap()
    }

    /// Revisions saved at those seconds, oldest first, the last one current.
    fn saved(seconds: &[i64]) -> Vec<KeptRevision> {
        let last = seconds.len();
        let revision = |(index, seconds): (usize, &i64)| KeptRevision {
            number: i32::try_from(index).unwrap() + 1,
            created_at: at(*seconds),
            is_needed: index + 1 == last,
        };
        seconds.iter().enumerate().map(revision).rev().collect()
    }

    #[test]
    fn all_revisions_of_the_last_day_are_kept() {
        let kept = saved(&[0, 1, 2, 3]);
        assert_eq!(to_erase(&kept, at(DAY_SECONDS)), Vec::<i32>::new());
        assert_eq!(to_erase(&kept, at(DAY_SECONDS + 2)), [2, 1]);
    }

    #[test]
    fn older_revisions_are_thinned_to_one_per_hour_day_and_week() {
        let kept = saved(&[
            10,
            20,
            3_610,
            3_620,
            DAY_SECONDS + 5,
            9 * DAY_SECONDS,
            99 * DAY_SECONDS,
        ]);
        let after = |days: i64| to_erase(&kept, at(days * DAY_SECONDS));
        assert_eq!(after(2), [3, 1]);
        assert_eq!(after(9), [3, 2, 1]);
        assert_eq!(after(40), [4, 3, 2, 1]);
    }

    #[test]
    fn the_result_does_not_depend_on_how_often_thinning_runs() {
        let times: Vec<i64> = (0..400).map(|index| index * index * 47).collect();
        let all = saved(&times);
        let end = at(120 * DAY_SECONDS);
        let mut step_by_step = all.clone();
        for hour in 0..120 * 24 {
            let now = at(hour * HOUR_SECONDS);
            let visible: Vec<_> = step_by_step
                .iter()
                .filter(|kept| kept.created_at <= now)
                .copied()
                .collect();
            let erased = to_erase(&visible, now);
            step_by_step.retain(|kept| kept.is_needed || !erased.contains(&kept.number));
        }
        let erased = to_erase(&step_by_step, end);
        step_by_step.retain(|kept| !erased.contains(&kept.number));
        let mut at_once = all;
        let erased = to_erase(&at_once, end);
        at_once.retain(|kept| !erased.contains(&kept.number));
        assert_eq!(step_by_step, at_once);
        assert!(at_once.len() < 60, "{}", at_once.len());
    }

    #[test]
    fn needed_revisions_are_kept() {
        let mut kept = saved(&[0, 1, 2]);
        kept[2].is_needed = true;
        assert_eq!(to_erase(&kept, at(50 * DAY_SECONDS)), [2]);
    }
}
