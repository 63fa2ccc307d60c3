use std::panic::resume_unwind;
use std::sync::atomic::AtomicUsize;

use super::*;
use crate::http::testing::{FakeDatabase, StoppedClock};

#[tokio::test]
async fn the_use_cases_of_a_request_share_its_timeout() {
    let seconds = Duration::from_secs;
    let in_request = REQUEST.scope(RequestState::default(), async {
        assert_eq!(waited(), Duration::ZERO);
        add_to_waited(seconds(3));
        add_to_waited(seconds(4));
        assert_eq!(REQUEST_TIMEOUT.saturating_sub(waited()), seconds(1));
        add_to_waited(seconds(4));
        assert_eq!(REQUEST_TIMEOUT.saturating_sub(waited()), Duration::ZERO);
    });
    in_request.await;
    // Another request begins anew, and so does what belongs to none.
    add_to_waited(seconds(4));
    assert_eq!(waited(), Duration::ZERO);
}

#[tokio::test]
async fn a_probe_that_panics_permits_the_next_one() {
    let probes = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&probes);
    let database = FakeDatabase::with_probe(move || {
        counted.fetch_add(1, Ordering::Relaxed);
        resume_unwind(Box::new("the driver is broken"));
    });
    let executor = Executor::new((), Arc::new(database), Arc::new(StoppedClock));
    let second = async {
        while probes.load(Ordering::Relaxed) < 2 {
            executor.probe();
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    let probed = tokio::time::timeout(Duration::from_secs(30), second).await;
    assert!(probed.is_ok());
}
