//! Pages of lists (docs/rules.md#paging). The body is the list alone; the `Link` header has
//! the next page (RFC 8288).

use actix_web::http::Uri;
use actix_web::http::header::{self, HeaderValue};
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::page::{Cursor, Page, Paging};
use serde::{Deserialize, Serialize};
use url::form_urlencoded;
use utoipa::IntoParams;

use super::cacheable::CacheableResponse;

/// Selects a page of a list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// Largest number of entries on the page.
    #[param(value_type = Option<u16>, minimum = 1, maximum = 1000, default = 200)]
    limit: Option<String>,
    /// Start of the page: an opaque part of the address in `Link`.
    cursor: Option<String>,
}

impl PageQuery {
    /// Parses the page from the query.
    ///
    /// # Errors
    /// [`Invalid`] on `limit` or `cursor`.
    pub fn parse(&self) -> Result<Paging, Invalid> {
        let size = self.limit.as_deref().map(str::parse).transpose()?;
        Ok(Paging {
            size: size.unwrap_or_default(),
            after: self.cursor.as_deref().map(str::parse).transpose()?,
        })
    }
}

/// Responds with one page of a list, and with a `Link` to the next.
pub struct Paged<V> {
    items: Vec<V>,
    next: Option<Cursor>,
}

impl<T, V: From<T>> From<Page<T>> for Paged<V> {
    fn from(page: Page<T>) -> Self {
        Self {
            next: page.next(),
            items: page.into_items().into_iter().map(V::from).collect(),
        }
    }
}

impl<V: Serialize> Paged<V> {
    /// Writes the response to a request for `uri`.
    ///
    /// # Errors
    /// [`Failure::Internal`] if it cannot be written.
    pub fn response(self, uri: &Uri) -> Result<CacheableResponse, Failure> {
        linked(CacheableResponse::json(&self.items)?, uri, self.next)
    }
}

/// Adds the `Link` to the next page, if there is one, to the response to a request for `uri`.
///
/// # Errors
/// [`Failure::Internal`] if it cannot be written.
pub fn linked(
    response: CacheableResponse,
    uri: &Uri,
    next: Option<Cursor>,
) -> Result<CacheableResponse, Failure> {
    let Some(cursor) = next else {
        return Ok(response);
    };
    let link = HeaderValue::try_from(link_to_next(uri, cursor))
        .map_err(|error| Failure::Internal(Box::new(error)))?;
    Ok(response.with_header(header::LINK, link))
}

/// Returns the address `uri` with another cursor.
fn link_to_next(uri: &Uri, cursor: Cursor) -> String {
    let asked = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(asked.filter(|(name, _)| name != "cursor"))
        .append_pair("cursor", &cursor.to_string())
        .finish();
    format!("<{}?{query}>; rel=\"next\"", uri.path())
}
