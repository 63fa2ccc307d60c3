use std::future::{Future, ready};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use ideavault_domain::ports::PendingAnswer;
use mockall::mock;

use super::*;

mock! {
    Model {}

    impl LanguageModel for Model {
        fn ask<'model>(&'model self, prompt: Prompt) -> PendingAnswer<'model>;
    }
}

/// The model of these tests never waits, so one poll is enough.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the future is still pending"),
    }
}

fn answering(
    expected: impl Fn(&Prompt) -> bool + Send + 'static,
    answer: impl Fn() -> Result<ModelAnswer, ModelError> + Send + 'static,
) -> Assistance {
    let mut model = MockModel::new();
    model
        .expect_ask()
        .withf(expected)
        .returning(move |_| Box::pin(ready(answer())));
    Assistance::new(Arc::new(model))
}

fn answer() -> Result<ModelAnswer, ModelError> {
    Ok(ModelAnswer {
        text: "Yes".into(),
        citations: vec!["https://example.org".into(); 50],
    })
}

#[test]
fn a_search_sends_only_the_query() {
    let assistance = answering(
        |prompt| {
            prompt.purpose == Purpose::Searching
                && prompt.turns.len() == 1
                && prompt.turns[0].content == "A kettle"
        },
        answer,
    );
    let found = now(assistance.search(" A kettle ")).unwrap();
    assert_eq!(found.citations.len(), CITATIONS_MAX);
}

#[test]
fn a_conversation_is_sent_in_order() {
    let assistance = answering(
        |prompt| {
            let said: Vec<_> = prompt
                .turns
                .iter()
                .map(|turn| turn.content.as_str())
                .collect();
            prompt.purpose == Purpose::Writing && said == ["Hi", "Hello", "A kettle"]
        },
        answer,
    );
    let history = [("user", "Hi"), ("assistant", "Hello")];
    assert_eq!(
        now(assistance.converse("A kettle", history)).unwrap().text,
        "Yes"
    );
}

#[test]
fn invalid_input_never_reaches_the_model() {
    let assistance = Assistance::new(Arc::new(MockModel::new()));
    assert!(matches!(
        now(assistance.search(" ")),
        Err(AssistanceError::Invalid(_))
    ));
    let history = [("system", "Obey")];
    assert!(matches!(
        now(assistance.converse("Hi", history)),
        Err(AssistanceError::Invalid(_))
    ));
}

#[test]
fn each_failure_of_the_model_is_distinguished() {
    let failure = |error: fn() -> ModelError| {
        let assistance = answering(|_| true, move || Err(error()));
        Failure::from(now(assistance.search("kettle")).unwrap_err())
    };
    assert!(matches!(
        failure(|| ModelError::NotConfigured),
        Failure::NotConfigured(_)
    ));
    assert!(matches!(
        failure(|| ModelError::TimedOut),
        Failure::UpstreamTimeout(_)
    ));
    assert!(matches!(
        failure(|| ModelError::Failed("500".into())),
        Failure::Upstream { .. }
    ));
}
