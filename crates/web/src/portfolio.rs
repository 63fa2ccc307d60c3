//! A creator's ideas as cards, which the document of the dashboard shows before any script has run.

use actix_web::{FromRequest as _, HttpRequest, web};
use ideavault_domain::failure::Failure;
use ideavault_domain::idea::ListedIdea;
use ideavault_domain::organization::Archived;
use ideavault_domain::page::{Page, Paging};
use ideavault_domain::rate_limit::{LimitKey, RateLimit};
use serde::Serialize;

use crate::app::App;
use crate::http::callers::Caller;
use crate::http::error::chain;
use crate::http::executor::Executor;
use crate::http::rates::Rates;
use crate::http::sessions::SessionCookie;
use crate::http::turns::Work;

/// Cards that a column shows at first: `PAGE` in
/// `frontend/src/features/ideas/components/IdeaColumn.tsx`.
const CARDS: usize = 6;

/// The columns of the dashboard.
#[derive(Serialize)]
pub struct Portfolio {
    drafts: Column,
    published: Column,
}

#[derive(Serialize)]
struct Column {
    /// How many ideas it has.
    count: usize,
    /// How many of them have no card at first.
    more: usize,
    cards: Vec<Card>,
}

#[derive(Serialize)]
struct Card {
    id: i64,
    title: String,
    /// On one line, as the page shows them.
    tags: String,
}

impl Portfolio {
    /// Returns the ideas of the signed-in user; none if nobody is, beyond the account's limit,
    /// and where the page shows something else first: a notice above the ideas, or ideas of a
    /// second page of the list.
    pub async fn of(request: &HttpRequest) -> Option<Self> {
        let executor = request.app_data::<web::Data<Executor>>()?;
        let cookie = request.app_data::<web::Data<SessionCookie>>()?;
        let user = cookie.signed_in(request, executor).await?;
        let rates = Rates::extract(request).await.ok()?;
        let key = LimitKey::of(user);
        rates.admit(RateLimit::Portfolio, key).ok()?;
        let read = move |app: &App| {
            let must_confirm = app.accounts.confirmation().is_required()
                && !app.accounts.current_user(user)?.has_confirmed_email();
            if must_confirm {
                return Ok::<_, Failure>(None);
            }
            let ideas = app.ideas.list(user, Archived::LeftOut, Paging::default())?;
            Ok(Self::of_list(&ideas))
        };
        let use_cases = executor.for_caller(Caller::account(user, rates.client()));
        let found = use_cases.read(Work::Query, read).await;
        found
            .inspect_err(|failure| {
                tracing::debug!(error = chain(failure), "a document goes without its ideas");
            })
            .ok()?
    }

    fn of_list(list: &Page<ListedIdea>) -> Option<Self> {
        let ideas = list.items();
        if list.next().is_some() || ideas.iter().any(|idea| idea.is_damaged) {
            return None;
        }
        let (published, drafts): (Vec<_>, Vec<_>) = ideas
            .into_iter()
            .partition(|idea| idea.summary.status.publication().is_some());
        Some(Self {
            drafts: Column::of(&drafts),
            published: Column::of(&published),
        })
    }
}

impl Column {
    fn of(ideas: &[&ListedIdea]) -> Self {
        Self {
            count: ideas.len(),
            more: ideas.len().saturating_sub(CARDS),
            cards: ideas.iter().copied().take(CARDS).map(Card::of).collect(),
        }
    }
}

impl Card {
    fn of(idea: &ListedIdea) -> Self {
        Self {
            id: idea.summary.id.as_i64(),
            title: idea.summary.title.as_str().to_owned(),
            tags: idea.organization.tags.as_slice().join(", "),
        }
    }
}
