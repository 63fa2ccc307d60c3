use std::panic::resume_unwind;
use std::sync::atomic::AtomicUsize;

use super::*;
use crate::http::testing::{FakeDatabase, StoppedClock};

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
