//! A creator's ideas as cards, which the document of the dashboard shows before any script has run.

use actix_web::{FromRequest as _, HttpRequest, web};
use ideavault_domain::failure::Failure;
use ideavault_domain::idea::ListedIdea;
use ideavault_domain::page::{Page, Paging};
use ideavault_domain::rate_limit::RateLimit;

use crate::app::App;
use crate::http::blocking::Executor;
use crate::http::rates::Rates;
use crate::http::sessions::SessionCookie;
use crate::template::Values;

/// Cards that a column shows at first: `PAGE` in
/// `frontend/src/features/ideas/components/IdeaColumn.tsx`.
const CARDS: usize = 6;

/// The columns of the dashboard.
pub struct Portfolio {
    drafts: Column,
    published: Column,
}

struct Column {
    /// How many ideas it has.
    count: String,
    /// How many of them have no card at first.
    more: String,
    has_more: bool,
    cards: Vec<Card>,
}

struct Card {
    id: String,
    title: String,
}

impl Portfolio {
    /// Returns the ideas of whoever is signed in; none if nobody is, beyond the account's limit,
    /// and where the page shows something else first: a notice above the ideas, or ideas of a
    /// second page of the list.
    pub async fn of(request: &HttpRequest) -> Option<Self> {
        let use_cases = request.app_data::<web::Data<Executor>>()?;
        let cookie = request.app_data::<web::Data<SessionCookie>>()?;
        let user = cookie.signed_in(request, use_cases).await?;
        let rates = Rates::extract(request).await.ok()?;
        rates.admit(RateLimit::Portfolio, &user.to_string()).ok()?;
        let read = move |app: &App| {
            let must_confirm = app.accounts.confirmation().is_required()
                && !app.accounts.current_user(user)?.has_confirmed_email();
            if must_confirm {
                return Ok::<_, Failure>(None);
            }
            Ok(Self::of_list(&app.ideas.list(user, Paging::default())?))
        };
        use_cases.run(read).await.ok()?
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

impl Values for Portfolio {
    fn value(&self, mark: &str) -> Option<&str> {
        Some(match mark {
            "__DRAFTS__" => &self.drafts.count,
            "__MORE_DRAFTS__" => &self.drafts.more,
            "__PUBLISHED__" => &self.published.count,
            "__MORE_PUBLISHED__" => &self.published.more,
            _ => return None,
        })
    }

    fn holds(&self, condition: &str) -> bool {
        match condition {
            "any idea" => !self.drafts.is_empty() || !self.published.is_empty(),
            "any drafts" => !self.drafts.is_empty(),
            "more drafts" => self.drafts.has_more,
            "any published" => !self.published.is_empty(),
            "more published" => self.published.has_more,
            _ => false,
        }
    }

    fn rows(&self, list: &str) -> Vec<&dyn Values> {
        match list {
            "drafts" => self.drafts.cards(),
            "published" => self.published.cards(),
            _ => Vec::new(),
        }
    }
}

impl Column {
    fn of(ideas: &[&ListedIdea]) -> Self {
        let more = ideas.len().saturating_sub(CARDS);
        Self {
            count: ideas.len().to_string(),
            more: more.to_string(),
            has_more: more > 0,
            cards: ideas
                .iter()
                .take(CARDS)
                .map(|idea| Card::of(idea))
                .collect(),
        }
    }

    fn is_empty(&self) -> bool {
        self.cards.is_empty()
    }

    fn cards(&self) -> Vec<&dyn Values> {
        self.cards.iter().map(|card| card as &dyn Values).collect()
    }
}

impl Card {
    fn of(idea: &ListedIdea) -> Self {
        Self {
            id: idea.summary.id.to_string(),
            title: idea.summary.title.as_str().to_owned(),
        }
    }
}

impl Values for Card {
    fn value(&self, mark: &str) -> Option<&str> {
        Some(match mark {
            "__IDEA_ID__" => &self.id,
            "__IDEA_TITLE__" => &self.title,
            _ => return None,
        })
    }

    fn holds(&self, condition: &str) -> bool {
        condition == "titled" && !self.title.is_empty()
    }
}
