//! The API's routes, a file for each area. `openapi.json` describes all of them.

mod accounts;
mod assistance;
mod comments;
mod confirmations;
mod documents;
mod evidence;
mod exports;
mod files;
pub mod health;
mod ideas;
mod leaving;
mod my_documents;
mod notifications;
mod passwords;
pub mod public_log;
mod readers;
mod recipients;
mod sessions;
mod share_access;
mod shares;
mod two_factors;
mod uploads;
mod waitlist;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use utoipa_actix_web::{scope, service_config};

use crate::http::error::ApiError;
use crate::http::turns::Work;
use crate::http::use_cases::UseCases;

/// Adds all routes to `$config`, with the scopes of the same framework. A request is compared with
/// one pattern after the other, so those of the larger areas are behind a prefix, and what has a
/// parameter comes last.
macro_rules! add_routes {
    ($config:ident, $scope:path) => {
        $config
            .service(accounts::get_current_user)
            .service(accounts::login)
            .service(accounts::register)
            .service(accounts::logout)
            .service(accounts::update_profile)
            .service(leaving::export_account)
            .service(leaving::delete_account)
            .service(confirmations::confirm_email)
            .service(confirmations::look_at_email_confirmation)
            .service(confirmations::send_email_confirmation)
            .service(passwords::forgot_password)
            .service(passwords::reset_password)
            .service(passwords::look_at_password_reset)
            .service(passwords::change_password)
            .service(sessions::list_sessions)
            .service(sessions::end_other_sessions)
            .service(two_factors::get_two_factor)
            .service(two_factors::begin_two_factor)
            .service(two_factors::confirm_two_factor)
            .service(two_factors::remove_two_factor)
            .service(two_factors::replace_recovery_codes)
            .service(waitlist::join_waitlist)
            .service(uploads::upload_image)
            .service(uploads::upload_profile_image)
            .service(files::list_assets)
            .service(files::get_storage)
            .service(notifications::list_notices)
            .service(notifications::count_unread_notices)
            .service(notifications::read_notices)
            .service(notifications::get_notification_settings)
            .service(notifications::update_notification_settings)
            .service(comments::list_comments)
            .service(comments::create_comment)
            .service(assistance::search_ideas)
            .service(assistance::ask_assistant)
            .service(
                $scope("/share")
                    .service(share_access::open_share)
                    .service(evidence::download_shared_evidence)
                    .service(share_access::close_share)
                    .service(share_access::reopen_share)
                    .service(share_access::download_shared)
                    .service(share_access::decline_agreement)
                    .default_service(web::to(no_route)),
            )
            .service(
                $scope("/ideas")
                    // Before `/{id}`, whose pattern matches its path too.
                    .service(uploads::import_pdf)
                    .service(ideas::list_ideas)
                    .service(ideas::get_idea)
                    .service(ideas::create_idea)
                    .service(ideas::update_idea)
                    .service(ideas::publish_idea)
                    .service(ideas::delete_idea)
                    .service(ideas::organize_idea)
                    .service(ideas::keep_working_copy)
                    .service(ideas::get_working_copy)
                    .service(ideas::discard_working_copy)
                    .service(ideas::list_idea_activity)
                    .service(ideas::list_idea_revisions)
                    .service(ideas::get_idea_revision)
                    .service(evidence::download_evidence)
                    .service(evidence::get_evidence)
                    .service(evidence::record_revision)
                    .service(documents::download_certificate)
                    .service(documents::get_report)
                    .service(documents::set_public_record)
                    .service(exports::export_activity_csv)
                    .service(exports::export_activity_json)
                    .service(shares::list_idea_shares)
                    .default_service(web::to(no_route)),
            )
            .service(
                $scope("/readers")
                    .service(readers::list_readers)
                    .service(readers::export_readers)
                    .default_service(web::to(no_route)),
            )
            .service(
                $scope("/my-documents")
                    .service(my_documents::request_my_documents)
                    .service(my_documents::open_my_documents)
                    .service(my_documents::list_my_documents)
                    .service(my_documents::end_my_documents)
                    .service(my_documents::download_my_receipt)
                    .service(my_documents::get_my_agreement)
                    .default_service(web::to(no_route)),
            )
            .service(
                $scope("/recipients")
                    .service(documents::download_receipt)
                    .service(exports::get_agreement)
                    .service(recipients::register_recipient)
                    .service(recipients::verify_recipient)
                    .service(recipients::send_code)
                    .service(recipients::agree_to_nda)
                    .service(recipients::erase_person)
                    .default_service(web::to(no_route)),
            )
            .service(
                $scope("/shares")
                    .service(shares::create_share)
                    .service(shares::find_own_share)
                    .service(shares::preview_share)
                    .service(shares::revoke_share)
                    .service(shares::change_share)
                    .service(notifications::update_share_notifications)
                    .default_service(web::to(no_route)),
            )
            .service(sessions::end_session)
            .service(documents::get_public_record)
            .service(files::get_file)
            .service(files::delete_asset)
            .service(notifications::show_unsubscribe)
            .service(notifications::unsubscribe)
            .service(comments::edit_comment)
            .service(comments::withdraw_comment);
    };
}

/// Registers all routes below `/api`.
pub fn api(config: &mut web::ServiceConfig) {
    add_routes!(config, web::scope);
}

/// Registers all routes below `/api` with their descriptions.
pub fn described(config: &mut service_config::ServiceConfig<'_>) {
    add_routes!(config, scope::scope);
}

/// Responds to paths below `/api` without a route.
pub async fn no_route() -> Result<HttpResponse, ApiError> {
    Err(ApiError::NoRoute)
}

fn no_content() -> HttpResponse {
    HttpResponse::new(StatusCode::NO_CONTENT)
}
