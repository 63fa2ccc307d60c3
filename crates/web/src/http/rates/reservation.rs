//! Events that are counted before it is known whether they count.

use std::sync::Arc;

use ideavault_domain::Timestamp;
use ideavault_domain::failure::Failure;

use super::table::Limit;
use super::windows::Windows;

/// One event that is counted in advance. Counting only after the event would let concurrent
/// events pass together. A reservation that is dropped is given back.
///
/// Move it into the work: a client that hangs up ends the handler, but not the work.
#[must_use = "what is dropped is given back"]
pub struct Reservation {
    windows: Arc<Windows>,
    limit: Limit,
    key: String,
    /// End of the window in which the event is counted; none once it is final.
    counted: Option<Timestamp>,
}

impl Reservation {
    pub(super) fn new(windows: &Arc<Windows>, limit: Limit, key: &str) -> Result<Self, Failure> {
        Ok(Self {
            counted: windows.count(limit, key)?,
            windows: Arc::clone(windows),
            limit,
            key: key.to_owned(),
        })
    }

    /// Makes the event count for good if `counts` is true.
    pub fn keep_if(mut self, counts: bool) {
        if counts {
            self.counted = None;
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if let Some(ends) = self.counted {
            self.windows.take_back(self.limit, &self.key, ends);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::windows::tests::windows;
    use super::*;

    fn reserve(windows: &Arc<Windows>, key: &str) -> Result<Reservation, Failure> {
        Reservation::new(windows, Limit::CodesByDay, key)
    }

    #[test]
    fn what_is_under_way_takes_room_until_it_turns_out_not_to_count() {
        let (windows, _) = windows(1.0);
        let under_way: Vec<_> = (0..30).map(|_| reserve(&windows, "a").unwrap()).collect();
        assert!(reserve(&windows, "a").is_err());
        assert!(reserve(&windows, "b").is_ok());
        for (index, reserved) in under_way.into_iter().enumerate() {
            reserved.keep_if(index < 10);
        }
        let more = (0..30).map(|_| reserve(&windows, "a")).collect::<Vec<_>>();
        assert_eq!(more.iter().filter(|reserved| reserved.is_ok()).count(), 20);
    }

    #[test]
    fn what_is_given_back_leaves_no_made_up_key_behind() {
        let (windows, _) = windows(1.0);
        for key in 0..100 {
            drop(reserve(&windows, &key.to_string()).unwrap());
        }
        assert_eq!(windows.remembered(), 0);
    }

    #[test]
    fn nothing_is_given_back_to_a_later_window() {
        let (windows, clock) = windows(1.0);
        let early = reserve(&windows, "a").unwrap();
        clock.advance(24 * 3_600);
        for _ in 0..30 {
            reserve(&windows, "a").unwrap().keep_if(true);
        }
        drop(early);
        assert!(reserve(&windows, "a").is_err());
    }

    #[test]
    fn without_limits_there_is_room_for_everything() {
        let (windows, _) = windows(0.0);
        for _ in 0..100 {
            reserve(&windows, "a").unwrap().keep_if(true);
        }
        assert!(reserve(&windows, "a").is_ok());
    }
}
