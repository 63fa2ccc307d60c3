use std::sync::mpsc;

use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::*;
use crate::http::queue::{Bounds, TEXTS};
use crate::http::testing::{FakeDatabase, StoppedClock};

/// Clients whose work ends on command.
struct Clients {
    executor: Executor<()>,
}

/// Requested work.
struct Pending {
    begun: oneshot::Receiver<()>,
    finish: mpsc::Sender<()>,
    answer: JoinHandle<Result<(), Failure>>,
}

impl Clients {
    fn new() -> Self {
        let executor = Executor::new(
            (),
            Arc::new(FakeDatabase::default()),
            Arc::new(StoppedClock),
        );
        Self { executor }
    }

    fn use_cases(&self, quota_key: &str) -> UseCases<()> {
        UseCases {
            executor: self.executor.clone(),
            quota_key: quota_key.into(),
        }
    }

    /// Requests work: parsing a long text.
    async fn ask(&self, quota_key: &str) -> Pending {
        let (begin, begun) = oneshot::channel();
        let (finish, finished) = mpsc::channel::<()>();
        let use_cases = self.use_cases(quota_key);
        let answer = tokio::task::spawn_local(async move {
            let work = move |_: &()| {
                begin.send(()).unwrap();
                finished.recv().unwrap();
                Ok::<_, Failure>(())
            };
            use_cases.run_parsing(SHORT_TEXT + 1, work).await
        });
        // Until it has taken its place in the queue.
        tokio::task::yield_now().await;
        Pending {
            begun,
            finish,
            answer,
        }
    }
}

impl Pending {
    async fn done(self) {
        self.begun.await.unwrap();
        self.finish.send(()).unwrap();
        self.answer.await.unwrap().unwrap();
    }
}

#[actix_web::test]
async fn a_disconnected_client_keeps_its_permit_until_the_work_ends() {
    let clients = Clients::new();
    let threads = &clients.executor.queues.texts.0.threads;
    let asked = clients.ask("ada").await;
    asked.begun.await.unwrap();
    asked.answer.abort();
    assert!(asked.answer.await.unwrap_err().is_cancelled());
    assert_eq!(threads.available_permits(), 0);
    asked.finish.send(()).unwrap();
    clients.ask("ada").await.done().await;
    assert_eq!(threads.available_permits(), 1);
}

#[actix_web::test]
async fn work_of_a_client_that_disconnected_while_waiting_is_skipped() {
    let clients = Clients::new();
    let running = clients.ask("ada").await;
    let waiting = clients.ask("grace").await;
    waiting.answer.abort();
    assert!(waiting.answer.await.unwrap_err().is_cancelled());
    running.done().await;
    assert!(waiting.begun.await.is_err());
}

#[actix_web::test]
async fn queued_work_alternates_between_accounts() {
    let clients = Clients::new();
    let mut flood = Vec::new();
    for _ in 0..TEXTS.per_account {
        flood.push(clients.ask("mallory").await);
    }
    let refused = clients.ask("mallory").await.answer.await.unwrap();
    assert!(matches!(refused, Err(Failure::TooMany { .. })));
    let other = clients.ask("ada").await;
    let mut flood = flood.into_iter();
    flood.next().unwrap().done().await;
    // Not last in line: all earlier work belongs to one account.
    other.done().await;
    for asked in flood {
        asked.done().await;
    }
    let accounts = &clients.executor.queues.texts.0.accounts;
    assert!(accounts.lock().unwrap().is_empty());
}

#[actix_web::test]
async fn a_full_queue_does_not_block_the_others() {
    let clients = Clients::new();
    let mut flood = Vec::new();
    for account in 0..TEXTS.in_all {
        flood.push(clients.ask(&account.to_string()).await);
    }
    let refused = clients.ask("ada").await.answer.await.unwrap();
    assert!(matches!(refused, Err(Failure::Unavailable(_))));
    let ada = clients.use_cases("ada");
    let nothing = |_: &()| Ok::<_, Failure>(());
    ada.run(nothing).await.unwrap();
    ada.run_parsing(SHORT_TEXT, nothing).await.unwrap();
    ada.run_imaging(nothing).await.unwrap();
    ada.run_pdf(nothing).await.unwrap();
    ada.run_hashing(nothing).await.unwrap();
    for asked in flood {
        asked.done().await;
    }
}

#[actix_web::test]
async fn accounts_without_work_have_a_place_while_others_fill_the_queue() {
    let clients = Clients::new();
    let mut flood = Vec::new();
    for account in 0..TEXTS.in_all / TEXTS.per_account {
        for _ in 0..TEXTS.per_account {
            flood.push(clients.ask(&account.to_string()).await);
        }
    }
    flood.push(clients.ask("ada").await);
    let refused = clients.ask("ada").await.answer.await.unwrap();
    assert!(matches!(refused, Err(Failure::TooMany { .. })));
    for asked in &flood {
        // Fails for those beyond the half, which were refused at once.
        let _ = asked.finish.send(());
    }
    let mut done = 0;
    for asked in flood {
        done += usize::from(asked.answer.await.unwrap().is_ok());
    }
    assert_eq!(done, TEXTS.in_all / 2 + 4 + 1);
}

#[actix_web::test]
async fn work_that_panics_releases_its_permit() {
    let clients = Clients::new();
    let ada = clients.use_cases("ada");
    let broken = ada.run_pdf(|_| -> Result<(), Failure> { panic!("on purpose") });
    assert!(matches!(broken.await, Err(Failure::Unavailable(_))));
    ada.run_pdf(|_| Ok::<_, Failure>(())).await.unwrap();
}

#[actix_web::test]
async fn work_that_times_out_keeps_its_permit_until_it_ends() {
    let clients = Clients::new();
    let mut timeout = std::time::Duration::from_millis(1);
    // Work whose time is over before its thread runs is skipped: then it gets more time.
    let (queue, finish, ended) = loop {
        let queue = Queue::new(Bounds { timeout, ..TEXTS });
        let (finish, finished) = mpsc::channel::<()>();
        let (begin, begun) = oneshot::channel();
        let (end, ended) = oneshot::channel();
        let stuck = move |_: &(), is_awaited: IsAwaited<'_>| {
            begin.send(()).unwrap();
            finished.recv().unwrap_err();
            end.send(is_awaited()).unwrap();
            Ok::<_, Failure>(())
        };
        let answer = clients.use_cases("ada").run_in(&queue, stuck).await;
        assert!(matches!(answer, Err(Failure::Unavailable(_))));
        if begun.await.is_ok() {
            break (queue, finish, ended);
        }
        timeout *= 2;
    };
    assert_eq!(queue.0.threads.available_permits(), 0);
    drop(finish);
    let is_awaited = ended.await.unwrap();
    assert!(!is_awaited);
}
