//! Content for one browser alone, embedded in the HTML of pages.
//!
//! Invariant: nothing that the API would not show this browser at that moment, and nothing that
//! would have to be counted as a view or recorded as evidence.

use std::time::Duration;

use actix_web::http::Method;
use actix_web::{FromRequest as _, HttpRequest, web};
use ideavault_application::share_access::{SharePreview, ShareView};
use serde::{Deserialize, Serialize};

use crate::first_screen::FirstScreen;
use crate::http::cookies::RecipientCookies;
use crate::http::links::LinkGuard;
use crate::portfolio::Portfolio;
use crate::shells::{Parameter, PersonalKind, Shell};

/// How long a document waits for it.
#[derive(Clone, Copy, Debug)]
pub struct PersonalContentTimeout(pub Duration);

impl Default for PersonalContentTimeout {
    fn default() -> Self {
        Self(Duration::from_millis(500))
    }
}

/// The personal content of one document, by the names that templates know it by.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PersonalContent {
    /// The title and the sharer of an idea.
    Preview(Preview),
    /// The beginning of an agreement.
    Agreement(FirstScreen),
    /// The beginning of a document.
    Document(FirstScreen),
    /// The creator's ideas.
    Portfolio(Portfolio),
}

/// The preview of a link for a browser that is unknown to this vault.
#[derive(Serialize)]
pub struct Preview {
    title: String,
    sharer: String,
    needs_code: bool,
}

impl PersonalContent {
    /// Returns what the document of `shell` shows to whoever requests it; none without a right to
    /// it, and where the database does not answer soon.
    pub async fn of(request: &HttpRequest, shell: &Shell<'_>) -> Option<Self> {
        let kind = shell.personal?;
        let timeout = request.app_data::<web::Data<PersonalContentTimeout>>()?.0;
        if request.method() != Method::GET || !is_navigation(request) {
            return None;
        }
        let find = async {
            match kind {
                PersonalKind::Portfolio => Portfolio::of(request).await.map(Self::Portfolio),
                PersonalKind::Preview => Self::preview(request, shell.parameter).await,
                PersonalKind::Agreement => Self::agreement(request, shell.parameter).await,
                PersonalKind::Document => Self::document(request, shell.parameter).await,
            }
        };
        let found = tokio::time::timeout(timeout, find).await;
        found
            .inspect_err(|_| tracing::debug!(?kind, "a document goes without its content"))
            .ok()
            .flatten()
    }

    async fn preview(request: &HttpRequest, parameter: Parameter<'_>) -> Option<Self> {
        let sent = token(request, parameter)?;
        let cookies = request.app_data::<web::Data<RecipientCookies>>()?;
        if cookies.has_registered(request) {
            return None;
        }
        let guard = LinkGuard::extract(request).await.ok()?;
        Some(Self::Preview(guard.preview(&sent).await?.into()))
    }

    async fn agreement(request: &HttpRequest, parameter: Parameter<'_>) -> Option<Self> {
        let screen = first_screen(request, parameter, FirstScreen::of_agreement).await;
        screen.map(Self::Agreement)
    }

    async fn document(request: &HttpRequest, parameter: Parameter<'_>) -> Option<Self> {
        let screen = first_screen(request, parameter, FirstScreen::of_document).await;
        screen.map(Self::Document)
    }
}

/// Returns whether the document is for a tab, as far as the browser says: another site could load
/// it as an image, and use up what its visitor may look up.
fn is_navigation(request: &HttpRequest) -> bool {
    let destination = request.headers().get("sec-fetch-dest");
    destination.is_none_or(|destination| destination.as_bytes() == b"document")
}

async fn first_screen(
    request: &HttpRequest,
    parameter: Parameter<'_>,
    of: impl Fn(&ShareView) -> Option<FirstScreen>,
) -> Option<FirstScreen> {
    let sent = token(request, parameter)?;
    let cookies = request.app_data::<web::Data<RecipientCookies>>()?;
    let guard = LinkGuard::extract(request).await.ok()?;
    of(&guard.open_again(&sent, cookies.viewer(request)?).await?)
}

/// Where a token can stand besides the path.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TokenQuery {
    access_token: Option<String>,
}

/// Returns the token in the address of a page.
fn token(request: &HttpRequest, parameter: Parameter<'_>) -> Option<String> {
    let query = web::Query::<TokenQuery>::from_query(request.query_string());
    parameter
        .map(str::to_owned)
        .or(query.ok()?.into_inner().access_token)
}

impl From<SharePreview> for Preview {
    fn from(preview: SharePreview) -> Self {
        Self {
            title: preview.title.as_str().to_owned(),
            sharer: preview.sharer.to_string(),
            needs_code: preview.needs_code,
        }
    }
}
