use std::sync::mpsc;

use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::*;
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

    fn use_cases(&self, caller: &str) -> UseCases<()> {
        self.executor.for_caller(Caller::named(caller))
    }

    async fn ask(&self, work: Work, caller: &str) -> Pending {
        let (begin, begun) = oneshot::channel();
        let (finish, finished) = mpsc::channel::<()>();
        let use_cases = self.use_cases(caller);
        let answer = tokio::task::spawn_local(async move {
            let use_case = move |_: &()| {
                begin.send(()).unwrap();
                finished.recv().unwrap();
                Ok::<_, Failure>(())
            };
            use_cases.run(work, use_case).await
        });
        // Until it has taken its place in the queue.
        tokio::task::yield_now().await;
        Pending {
            begun,
            finish,
            answer,
        }
    }

    async fn flood(&self, work: Work, caller: &str) -> Vec<Pending> {
        let mut flood = Vec::new();
        for _ in 0..work.bounds().per_caller {
            flood.push(self.ask(work, caller).await);
        }
        flood
    }

    fn taken(&self, work: Work) -> u32 {
        let mut queues = self.executor.taken_places();
        queues.find(|(queue, _)| *queue == work.queue()).unwrap().1
    }
}

impl Pending {
    async fn done(self) {
        self.begun.await.unwrap();
        self.finish.send(()).unwrap();
        self.answer.await.unwrap().unwrap();
    }

    async fn refusal(self) -> Failure {
        self.answer.await.unwrap().unwrap_err()
    }
}

fn nothing(_: &()) -> Result<(), Failure> {
    Ok(())
}

#[actix_web::test]
async fn a_disconnected_client_keeps_its_turn_until_the_work_ends() {
    let clients = Clients::new();
    let asked = clients.ask(Work::Text, "ada").await;
    asked.begun.await.unwrap();
    asked.answer.abort();
    assert!(asked.answer.await.unwrap_err().is_cancelled());
    assert_eq!(clients.taken(Work::Text), 1);
    let mut next = clients.ask(Work::Text, "ada").await;
    assert!(next.begun.try_recv().is_err());
    asked.finish.send(()).unwrap();
    next.done().await;
    assert_eq!(clients.taken(Work::Text), 0);
}

#[actix_web::test]
async fn work_of_a_client_that_disconnected_while_waiting_is_skipped() {
    let clients = Clients::new();
    let running = clients.ask(Work::Text, "ada").await;
    let waiting = clients.ask(Work::Text, "grace").await;
    waiting.answer.abort();
    assert!(waiting.answer.await.unwrap_err().is_cancelled());
    running.done().await;
    assert!(waiting.begun.await.is_err());
}

#[actix_web::test]
async fn a_caller_has_a_few_turns_at_a_time_whatever_it_asks_for() {
    for work in Work::ALL {
        let bounds = work.bounds();
        assert!(bounds.at_work <= 2 || work == Work::Job, "{work:?}");
        let clients = Clients::new();
        let mut flood = clients.flood(work, "mallory").await;
        for asked in flood.iter_mut().take(bounds.at_work) {
            (&mut asked.begun).await.unwrap();
        }
        for waiting in flood.iter_mut().skip(bounds.at_work) {
            assert!(waiting.begun.try_recv().is_err(), "{work:?}");
        }
        let one_more = clients.ask(work, "mallory").await;
        assert!(
            matches!(one_more.refusal().await, Failure::TooMany { .. }),
            "{work:?}"
        );
        // Where there are more threads, others need not even wait.
        if bounds.threads > bounds.at_work {
            clients.ask(work, "ada").await.done().await;
        }
        for asked in flood {
            // Those that have begun have said so already.
            asked.finish.send(()).unwrap();
            asked.answer.await.unwrap().unwrap();
        }
        assert_eq!(clients.taken(work), 0, "{work:?}");
    }
}

#[actix_web::test]
async fn callers_take_turns() {
    let clients = Clients::new();
    let flood = clients.flood(Work::Text, "mallory").await;
    let other = clients.ask(Work::Text, "ada").await;
    let mut flood = flood.into_iter();
    flood.next().unwrap().done().await;
    // Not last in line: all earlier work belongs to one caller.
    other.done().await;
    for asked in flood {
        asked.done().await;
    }
    assert_eq!(clients.taken(Work::Text), 0);
}

#[actix_web::test]
async fn a_full_queue_does_not_block_the_others() {
    let clients = Clients::new();
    let mut flood = Vec::new();
    for caller in 0..Work::Text.bounds().in_all {
        flood.push(clients.ask(Work::Text, &caller.to_string()).await);
    }
    let refused = clients.ask(Work::Text, "ada").await.refusal().await;
    assert!(matches!(refused, Failure::Unavailable(_)));
    let ada = clients.use_cases("ada");
    for work in Work::ALL.into_iter().filter(|work| *work != Work::Text) {
        ada.run(work, nothing).await.unwrap();
    }
    for asked in flood {
        asked.done().await;
    }
}

#[actix_web::test]
async fn callers_without_work_have_a_place_while_others_fill_the_queue() {
    let clients = Clients::new();
    let bounds = Work::Text.bounds();
    let mut flood = Vec::new();
    for caller in 0..bounds.in_all / bounds.per_caller {
        flood.extend(clients.flood(Work::Text, &caller.to_string()).await);
    }
    flood.push(clients.ask(Work::Text, "ada").await);
    let refused = clients.ask(Work::Text, "ada").await.refusal().await;
    assert!(matches!(refused, Failure::TooMany { .. }));
    for asked in &flood {
        // Fails for those beyond the half, which were refused at once.
        let _ = asked.finish.send(());
    }
    let mut done = 0;
    for asked in flood {
        done += u32::from(asked.answer.await.unwrap().is_ok());
    }
    assert_eq!(done, bounds.in_all / 2 + 4 + 1);
}

#[actix_web::test]
async fn work_that_panics_releases_its_turn() {
    let clients = Clients::new();
    let ada = clients.use_cases("ada");
    let broken = ada.run(Work::Pdf, |_| -> Result<(), Failure> {
        panic!("on purpose")
    });
    assert!(matches!(broken.await, Err(Failure::Unavailable(_))));
    ada.run(Work::Pdf, nothing).await.unwrap();
}

#[actix_web::test]
async fn work_that_nobody_waits_for_any_more_keeps_its_turn_and_is_told() {
    let clients = Clients::new();
    let (finish, finished) = mpsc::channel::<()>();
    let (begin, begun) = oneshot::channel();
    let (end, ended) = oneshot::channel();
    let use_cases = clients.use_cases("ada");
    let stuck = tokio::task::spawn_local(async move {
        let stuck = move |_: &(), is_awaited: IsAwaited<'_>| {
            begin.send(()).unwrap();
            finished.recv().unwrap_err();
            end.send(is_awaited()).unwrap();
            Ok::<_, Failure>(())
        };
        use_cases.run_while_awaited(Work::Bundle, stuck).await
    });
    begun.await.unwrap();
    stuck.abort();
    assert!(stuck.await.unwrap_err().is_cancelled());
    assert_eq!(clients.taken(Work::Bundle), 1);
    drop(finish);
    assert!(!ended.await.unwrap());
}

#[actix_web::test]
async fn a_read_that_is_not_short_is_repeated_among_the_large_ones() {
    let clients = Clients::new();
    let executor = Executor::new(
        (),
        Arc::new(FakeDatabase::where_nothing_is_short()),
        Arc::new(StoppedClock),
    );
    let large = executor.for_caller(Caller::named("ada"));
    let of_both = [large, clients.use_cases("ada")];
    for (use_cases, expected) in of_both.into_iter().zip([(0, 1), (1, 0)]) {
        let executor = use_cases.executor.clone();
        let taken = move |_: &()| {
            let of = |name| executor.taken_places().find(|(queue, _)| *queue == name);
            let of = |work: Work| of(work.queue()).map_or(0, |(_, taken)| taken);
            Ok::<_, Failure>((of(Work::Query), of(Work::Large)))
        };
        assert_eq!(use_cases.read(Work::Query, taken).await.unwrap(), expected);
    }
}
