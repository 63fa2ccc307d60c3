//! Notices about a creator's links, and their mail settings.

use actix_web::http::Uri;
use actix_web::http::header::LOCATION;
use actix_web::web::{Data, Json, Path, Query};
use actix_web::{HttpResponse, get, post, put};

use super::{UseCases, Work, no_content};
use crate::app::App;
use crate::http::body::{JsonBody, SMALL};
use crate::http::error::{ApiError, ErrorBody};
use crate::http::identity::SignedIn;
use crate::http::origin::PublicOrigin;
use crate::http::paging::{PageQuery, Paged};
use crate::http::params;
use crate::wire::notifications::{
    NoticeView, NotificationSettingsBody, NotificationSettingsView, ReadNoticesBody,
    ShareNotificationsBody, ShareNotificationsView, UnreadView,
};

/// Lists notices, the newest first; the next page is in `Link`.
#[utoipa::path(
    tag = "notices",
    operation_id = "listNotices",
    params(PageQuery),
    responses(
        (status = 200, body = Vec<NoticeView>),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
    ),
)]
#[get("/notices")]
pub async fn list_notices(
    uri: Uri,
    use_cases: UseCases,
    user: SignedIn,
    page: Query<PageQuery>,
) -> Result<HttpResponse, ApiError> {
    let paging = page.parse()?;
    let list = move |app: &App| {
        let notices = app.notifications.list(user.0, paging)?;
        Paged::<NoticeView>::from(notices).response(&uri)
    };
    Ok(use_cases.read(Work::Query, list).await?.into())
}

/// Returns the number of unread notices.
#[utoipa::path(
    tag = "notices",
    operation_id = "countUnreadNotices",
    responses(
        (status = 200, body = UnreadView),
        (status = 401, body = ErrorBody),
    ),
)]
#[get("/notices/unread")]
pub async fn count_unread_notices(
    use_cases: UseCases,
    user: SignedIn,
) -> Result<Json<UnreadView>, ApiError> {
    let unread = use_cases
        .run(Work::Query, move |app| app.notifications.unread(user.0))
        .await?;
    Ok(Json(UnreadView { unread }))
}

/// Marks notices up to a time as read.
#[utoipa::path(
    tag = "notices",
    operation_id = "readNotices",
    request_body = ReadNoticesBody,
    responses(
        (status = 204),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/notices/read")]
pub async fn read_notices(
    use_cases: UseCases,
    user: SignedIn,
    body: JsonBody<ReadNoticesBody, SMALL>,
) -> Result<HttpResponse, ApiError> {
    use_cases
        .run(Work::Query, move |app| {
            app.notifications.mark_read(user.0, &body.0.up_to)
        })
        .await?;
    Ok(no_content())
}

/// Returns when notices are mailed.
#[utoipa::path(
    tag = "notices",
    operation_id = "getNotificationSettings",
    responses(
        (status = 200, body = NotificationSettingsView),
        (status = 401, body = ErrorBody),
    ),
)]
#[get("/profile/notifications")]
pub async fn get_notification_settings(
    use_cases: UseCases,
    user: SignedIn,
) -> Result<Json<NotificationSettingsView>, ApiError> {
    let mode = use_cases
        .run(Work::Query, move |app| app.notifications.mode(user.0))
        .await?;
    Ok(Json(NotificationSettingsView { mode: mode.into() }))
}

/// Changes when notices are mailed.
#[utoipa::path(
    tag = "notices",
    operation_id = "updateNotificationSettings",
    request_body = NotificationSettingsBody,
    responses(
        (status = 200, body = NotificationSettingsView),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[put("/profile/notifications")]
pub async fn update_notification_settings(
    use_cases: UseCases,
    user: SignedIn,
    body: JsonBody<NotificationSettingsBody, SMALL>,
) -> Result<Json<NotificationSettingsView>, ApiError> {
    let mode = use_cases
        .run(Work::Query, move |app| {
            app.notifications.set_mode(user.0, &body.0.mode)
        })
        .await?;
    Ok(Json(NotificationSettingsView { mode: mode.into() }))
}

/// Changes when notices about one link are mailed.
#[utoipa::path(
    tag = "notices",
    operation_id = "updateShareNotifications",
    params(("id" = uuid::Uuid, Path)),
    request_body = ShareNotificationsBody,
    responses(
        (status = 200, body = ShareNotificationsView),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[put("/{id}/notifications")]
pub async fn update_share_notifications(
    use_cases: UseCases,
    user: SignedIn,
    id: Path<String>,
    body: JsonBody<ShareNotificationsBody, SMALL>,
) -> Result<Json<ShareNotificationsView>, ApiError> {
    let id = params::id(&id)?;
    let mode = use_cases
        .run(Work::Query, move |app| {
            let mode = body.0.mode.as_deref();
            app.notifications.set_share_mode(user.0, id, mode)
        })
        .await?;
    Ok(Json(ShareNotificationsView {
        mode: mode.map(Into::into),
    }))
}

/// Redirects to the page that stops mails; changes nothing.
#[utoipa::path(
    tag = "notices",
    operation_id = "showUnsubscribe",
    params(("token" = String, Path)),
    responses(
        (status = 303, description = "The page"),
        (status = 404, body = ErrorBody, description = "Not a token"),
    ),
)]
#[get("/unsubscribe/{token}")]
pub async fn show_unsubscribe(
    origin: Data<PublicOrigin>,
    token: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let token = params::token(&token)?;
    let page = format!("{}/unsubscribe/{}", origin.0, token.reveal());
    let mut response = HttpResponse::SeeOther();
    Ok(response.insert_header((LOCATION, page)).finish())
}

/// Stops the mails that the token belongs to.
///
/// Needs no login and reads no body (RFC 8058).
#[utoipa::path(
    tag = "notices",
    operation_id = "unsubscribe",
    params(("token" = String, Path)),
    responses(
        (status = 204),
        (status = 404, body = ErrorBody, description = "No such token"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("/unsubscribe/{token}")]
pub async fn unsubscribe(
    use_cases: UseCases,
    token: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let token = params::token(&token)?;
    use_cases
        .run(Work::Query, move |app| {
            app.notifications.unsubscribe(&token)
        })
        .await?;
    Ok(no_content())
}
