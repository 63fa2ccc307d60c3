//! Tells the audit trail of what was denied, once the answer is on its way:
//! whoever was denied must not learn anything from how long that takes.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::middleware::Next;
use actix_web::{Error, FromRequest as _, HttpRequest, web};
use ideavault_application::audit::GateDenial;
use ideavault_application::visits::ShareReference;
use ideavault_domain::failure::Failure;
use ideavault_domain::recipient::Origin;

use super::blocking::UseCases;
use super::client::ClientOrigin;
use super::rates::{Limit, Rates};
use super::sessions;

/// Records that a link let somebody no further, if that is what `failure` says.
/// `link` is none when what was sent is no token.
pub fn at_gate(cases: &UseCases, failure: &Failure, link: Option<ShareReference>, origin: Origin) {
    let denial = match failure {
        Failure::NotFound => GateDenial::DeadLink,
        Failure::Forbidden(_) => GateDenial::WrongAddress,
        _ => return,
    };
    cases.run_later("recording a denial", move |app| {
        app.audit.gate_denied(denial, link.as_ref(), origin)
    });
}

/// Records which requests came too often, for one client once a minute: a
/// refusal is to cost less than what it refuses.
pub async fn record_limits<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let response = next.call(request).await?;
    if response.status() == StatusCode::TOO_MANY_REQUESTS {
        limit_reached(response.request());
    }
    Ok(response)
}

fn limit_reached(request: &HttpRequest) {
    let Ok(rates) = Rates::extract(request).into_inner() else {
        return;
    };
    let (Some(cases), Ok(())) = (
        request.app_data::<web::Data<UseCases>>(),
        rates.admit(Limit::RecordedRefusals, rates.client()),
    ) else {
        return;
    };
    let pattern = request.match_pattern().unwrap_or_default();
    let route = format!("{} {pattern}", request.method());
    let account = sessions::signed_in(request);
    let origin = ClientOrigin::of(request).0;
    cases.run_later("recording a limit", move |app| {
        app.audit.limit_reached(route, account, origin)
    });
}
