//! Whether this machine's clock agrees with the database's, and with what is on record.

use chrono::{Duration, SecondsFormat};
use ideavault_db::SqlDatabase;
use ideavault_domain::Timestamp;
use ideavault_domain::ports::{Clock, SET_BACK_MAX};

use super::findings::{Findings, Outcome};
use super::line;
use crate::data;

/// Difference between two clocks that needs no attention.
const CLOCK_TOLERANCE: Duration = Duration::seconds(5);

pub(super) fn clocks(database: &SqlDatabase, clock: &dyn Clock, findings: &mut Findings) {
    const AREA: &str = "clock";
    let before = clock.now();
    let there = database.server_time();
    let after = clock.now();
    match there {
        Ok(None) => {}
        Ok(Some(there)) => {
            let (outcome, text) = compare_clocks(before, there, after);
            findings.add(AREA, outcome, text);
        }
        Err(error) => findings.fail(AREA, line(&error)),
    }
    match data::newest_records(database) {
        Ok(records) => {
            let (outcome, text) = compare_records(&records, clock.now());
            findings.add(AREA, outcome, text);
        }
        Err(error) => findings.fail(AREA, line(&error)),
    }
}

/// Compares the time `there` with this machine's, which it was between `before` and `after`.
fn compare_clocks(before: Timestamp, there: Timestamp, after: Timestamp) -> (Outcome, String) {
    let here = there.clamp(before, after.max(before));
    let difference = there - here;
    if difference.abs() <= CLOCK_TOLERANCE {
        return (Outcome::Ok, "agrees with that of the database".to_owned());
    }
    let seconds = difference.num_seconds();
    let direction = if seconds < 0 { "behind" } else { "ahead of" };
    let text = format!(
        "that of the database is {} seconds {direction} this one: let both follow the same time \
         servers",
        seconds.abs()
    );
    (Outcome::Warning, text)
}

/// Compares the clock with the newest recorded times.
fn compare_records(records: &[Timestamp], now: Timestamp) -> (Outcome, String) {
    let newest = records.iter().max();
    let ahead = newest.map(|newest| (*newest, *newest - now));
    match ahead.filter(|(_, ahead)| *ahead > CLOCK_TOLERANCE) {
        None => (
            Outcome::Ok,
            "not behind the newest time on record".to_owned(),
        ),
        Some((newest, ahead)) => {
            let newest = newest.to_rfc3339_opts(SecondsFormat::Secs, true);
            let text = format!(
                "{} seconds behind the newest time on record, {newest}: set the clock by a time \
                 server",
                ahead.num_seconds()
            );
            let is_wrong = ahead > SET_BACK_MAX;
            let outcome = if is_wrong {
                Outcome::Failed
            } else {
                Outcome::Warning
            };
            (outcome, text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        chrono::DateTime::from_timestamp(1_800_000_000 + seconds, 0).unwrap()
    }

    #[test]
    fn a_clock_is_compared_with_the_moments_before_and_after_the_answer() {
        for (there, outcome) in [
            (0, Outcome::Ok),
            (9, Outcome::Ok),
            (14, Outcome::Ok),
            (-5, Outcome::Ok),
            (16, Outcome::Warning),
            (-6, Outcome::Warning),
        ] {
            let found = compare_clocks(at(0), at(there), at(9));
            assert_eq!(found.0, outcome, "{there}");
        }
        let (_, ahead) = compare_clocks(at(0), at(100), at(0));
        assert!(ahead.contains("100 seconds ahead of this one"), "{ahead}");
        let (_, behind) = compare_clocks(at(0), at(-100), at(0));
        assert!(behind.contains("100 seconds behind this one"), "{behind}");
    }

    #[test]
    fn a_clock_behind_the_records_is_told() {
        for (records, outcome) in [
            (vec![], Outcome::Ok),
            (vec![at(-9), at(5)], Outcome::Ok),
            (vec![at(6), at(-9)], Outcome::Warning),
            (vec![at(86_400)], Outcome::Warning),
            (vec![at(86_401)], Outcome::Failed),
        ] {
            assert_eq!(compare_records(&records, at(0)).0, outcome, "{records:?}");
        }
    }
}
