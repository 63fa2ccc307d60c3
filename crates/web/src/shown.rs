//! What documents show of what not everybody may see, before any script has run.
//!
//! Invariant: nothing that the API would not show this browser at that moment, and nothing that
//! would have to be counted or recorded.

use std::time::Duration;

use actix_web::http::Method;
use actix_web::{FromRequest as _, HttpRequest, web};
use ideavault_application::share_access::SharePreview;
use serde::Deserialize;

use crate::first_screen::FirstScreen;
use crate::http::cookies::RecipientCookies;
use crate::http::links::LinkGuard;
use crate::portfolio::Portfolio;
use crate::shells::{Parameter, Shell, Shows};

/// How long a document waits for what it shows.
const TIMEOUT: Duration = Duration::from_millis(500);

/// What one document shows.
pub enum Shown {
    /// What everybody sees.
    Nothing,
    /// Who shares what.
    Preview(SharePreview),
    /// The beginning of an agreement.
    Agreement(FirstScreen),
    /// The beginning of a document.
    Document(FirstScreen),
    /// The creator's ideas.
    Ideas(Portfolio),
}

impl Shown {
    /// Returns what the document of `shell` shows to whoever requests it.
    pub async fn to(request: &HttpRequest, shell: &Shell<'_>) -> Self {
        let Some(shows) = shell.shows else {
            return Self::Nothing;
        };
        if request.method() != Method::GET {
            return Self::Nothing;
        }
        let found = async {
            match shows {
                Shows::Ideas => Portfolio::of(request).await.map(Self::Ideas),
                _ => Self::of_link(request, shows, shell.parameter).await,
            }
        };
        let found = tokio::time::timeout(TIMEOUT, found).await;
        found.ok().flatten().unwrap_or(Self::Nothing)
    }

    async fn of_link(
        request: &HttpRequest,
        shows: Shows,
        parameter: Parameter<'_>,
    ) -> Option<Self> {
        let cookies = request.app_data::<web::Data<RecipientCookies>>()?;
        let query = web::Query::<TokenQuery>::from_query(request.query_string());
        let sent = parameter
            .map(str::to_owned)
            .or(query.ok()?.into_inner().access_token)?;
        let guard = LinkGuard::extract(request).await.ok()?;
        if shows == Shows::Preview {
            if cookies.has_registered(request) {
                return None;
            }
            return guard.preview(&sent).await.map(Self::Preview);
        }
        let view = guard.open_again(&sent, cookies.viewer(request)?).await?;
        match shows {
            Shows::Agreement => FirstScreen::of_agreement(&view).map(Self::Agreement),
            _ => FirstScreen::of_document(&view).map(Self::Document),
        }
    }

    /// Returns the preview of a link.
    #[must_use]
    pub fn preview(&self) -> Option<&SharePreview> {
        match self {
            Self::Preview(preview) => Some(preview),
            _ => None,
        }
    }

    /// Returns the first screen of an agreement or of a document.
    #[must_use]
    pub fn first_screen(&self) -> Option<&FirstScreen> {
        match self {
            Self::Agreement(screen) | Self::Document(screen) => Some(screen),
            _ => None,
        }
    }

    /// Returns the ideas of a creator.
    #[must_use]
    pub fn portfolio(&self) -> Option<&Portfolio> {
        match self {
            Self::Ideas(portfolio) => Some(portfolio),
            _ => None,
        }
    }
}

/// Where a token can stand besides the path.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TokenQuery {
    access_token: Option<String>,
}
