//! Bodies that are under way from and to clients, who may take their time: their memory is bounded.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::web::{Bytes, Data};
use actix_web::{Error, HttpRequest, ResponseError as _};
use ideavault_domain::failure::Failure;

use super::callers::{Amounts, Caller};
use super::error::{ApiError, Busy};
use super::request_caller::caller;

/// Most bytes under way of one caller, unless it is a single body.
const PER_CALLER: u32 = 32 * 1024 * 1024;
/// Most bytes under way in all.
const IN_ALL: u32 = 128 * 1024 * 1024;
/// Bodies up to this size fit into the buffer of their connection, and are not counted.
const SMALL: usize = 32 * 1024;
/// Bytes that an answer takes when it is made while it is sent.
const STREAMED: usize = 128 * 1024;

/// Marks an answer whose body is a part of the program, and takes no memory of its own.
pub struct InProgram;

/// The bytes of bodies that are under way to and from one server.
#[derive(Default)]
pub struct UnderWay(Mutex<Amounts>);

impl UnderWay {
    fn amounts(&self) -> MutexGuard<'_, Amounts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a body until its share is dropped.
    fn admit(self: &Arc<Self>, caller: Caller, bytes: usize) -> Result<Share, Failure> {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let mut amounts = self.amounts();
        let own = amounts.of(&caller);
        let is_over = own > 0 && own.saturating_add(bytes) > PER_CALLER;
        if is_over || amounts.add(&caller, bytes, IN_ALL).is_err() {
            return Err(Failure::Unavailable(Box::new(Busy)));
        }
        Ok(Share {
            under_way: Arc::clone(self),
            caller,
            bytes,
        })
    }
}

/// The bytes of one body.
pub struct Share {
    under_way: Arc<UnderWay>,
    caller: Caller,
    bytes: u32,
}

impl Drop for Share {
    fn drop(&mut self) {
        self.under_way.amounts().subtract(&self.caller, self.bytes);
    }
}

/// Counts the body of a request, of at most `bytes`, until its share is dropped; small ones have
/// none.
///
/// # Errors
/// [`Failure::Unavailable`] if too much is under way.
pub fn admit_body(request: &HttpRequest, bytes: usize) -> Result<Option<Share>, Failure> {
    if bytes <= SMALL {
        return Ok(None);
    }
    let under_way = request.app_data::<Data<UnderWay>>();
    let under_way = under_way.ok_or_else(|| Failure::Internal("bodies are not counted".into()))?;
    under_way.admit(caller(request), bytes).map(Some)
}

/// Middleware that refuses an answer with 503 if too much is under way, and hands large ones to
/// their connection in small portions.
///
/// # Errors
/// Those of the request.
pub async fn bound_answers<B: MessageBody + 'static>(
    under_way: Data<UnderWay>,
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let response = next.call(request).await?.map_into_boxed_body();
    match response.response().body().size() {
        BodySize::None => return Ok(response),
        BodySize::Sized(size) if size <= SMALL as u64 => return Ok(response),
        BodySize::Sized(_) | BodySize::Stream => {}
    }
    let (request, response) = response.into_parts();
    let is_in_program = response.extensions().get::<InProgram>().is_some();
    let (response, body) = response.into_parts();
    let body = body.try_into_bytes();
    let bytes = body.as_ref().map_or(STREAMED, Bytes::len);
    let share = match is_in_program {
        true => Ok(None),
        false => under_way.admit(caller(&request), bytes).map(Some),
    };
    let response = match share {
        Ok(share) => response.set_body(match body {
            Ok(bytes) => BoxBody::new(Portions {
                rest: bytes,
                _share: share,
            }),
            Err(stream) => BoxBody::new(Streamed {
                body: stream,
                _share: share,
            }),
        }),
        Err(refused) => ApiError::from(refused).error_response(),
    };
    Ok(ServiceResponse::new(request, response))
}

/// A body in memory, which its connection copies in portions.
struct Portions {
    rest: Bytes,
    _share: Option<Share>,
}

impl MessageBody for Portions {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.rest.len() as u64)
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Infallible>>> {
        let length = self.rest.len().min(SMALL);
        let portion = (length > 0).then(|| Ok(self.rest.split_to(length)));
        Poll::Ready(portion)
    }
}

/// A body that is made while it is sent.
struct Streamed {
    body: BoxBody,
    _share: Option<Share>,
}

impl MessageBody for Streamed {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        self.body.as_pin_mut().poll_next(context)
    }
}

#[cfg(test)]
mod tests {
    use actix_web::body::to_bytes;
    use actix_web::http::StatusCode;
    use actix_web::middleware::from_fn;
    use actix_web::test::{TestRequest, call_service, init_service};
    use actix_web::{App, HttpResponse, web};

    use super::*;
    use crate::http::callers::tests::account;

    #[test]
    fn nobody_takes_more_than_their_share() {
        let under_way = Arc::new(UnderWay::default());
        let admit = |name, bytes| under_way.admit(Caller::named(name), bytes as usize);
        let first = admit("mallory", PER_CALLER - 1).unwrap();
        let second = admit("mallory", 1).unwrap();
        assert!(admit("mallory", 1).is_err());
        drop(second);
        let again = admit("mallory", 1).unwrap();
        // Others still have theirs, up to the bound of all.
        let mut shares = vec![first, again];
        shares.push(admit("ada", PER_CALLER).unwrap());
        assert!(admit("mallory", 1).is_err());
        // A single answer may be larger.
        shares.push(admit("grace", IN_ALL / 2).unwrap());
        assert!(admit("vera", 1).is_err());
        drop(shares);
        assert_eq!(under_way.amounts().in_all(), 0);
    }

    #[test]
    fn accounts_of_one_network_leave_some_for_others() {
        let under_way = Arc::new(UnderWay::default());
        let admit = |nth| under_way.admit(account(nth, "203.0.113.7"), PER_CALLER as usize);
        let shares: Vec<_> = (0..9).map_while(|nth| admit(nth).ok()).collect();
        assert_eq!(shares.len(), 3);
        let other = account(9, "198.51.100.1");
        assert!(under_way.admit(other, PER_CALLER as usize).is_ok());
    }

    #[actix_web::test]
    async fn what_is_in_the_program_is_not_counted() {
        let under_way = Data::new(UnderWay::default());
        let part = || async {
            let mut response = HttpResponse::Ok();
            response.extensions_mut().insert(InProgram);
            response.body(vec![b'x'; PER_CALLER as usize])
        };
        let service = App::new()
            .app_data(under_way.clone())
            .wrap(from_fn(bound_answers))
            .route("/part", web::get().to(part));
        let app = init_service(service).await;
        let get = async || call_service(&app, TestRequest::get().uri("/part").to_request()).await;
        let (first, second) = (get().await, get().await);
        assert_eq!(
            (first.status(), second.status()),
            (StatusCode::OK, StatusCode::OK)
        );
        assert_eq!(under_way.amounts().in_all(), 0);
    }

    #[actix_web::test]
    async fn an_answer_is_under_way_until_it_was_taken() {
        let under_way = Data::new(UnderWay::default());
        let large = || async { HttpResponse::Ok().body(vec![b'x'; PER_CALLER as usize / 2 + 1]) };
        let small = || async { HttpResponse::Ok().body(vec![b'x'; SMALL]) };
        let app = init_service(
            App::new()
                .app_data(under_way.clone())
                .wrap(from_fn(bound_answers))
                .route("/large", web::get().to(large))
                .route("/small", web::get().to(small)),
        )
        .await;
        let get = |path| call_service(&app, TestRequest::get().uri(path).to_request());
        let first = get("/large").await;
        assert_eq!(first.status(), 200);
        let refused = get("/large").await;
        assert_eq!(refused.status(), 503);
        let body = to_bytes(refused.into_body()).await.unwrap();
        assert!(body.starts_with(b"{\"message\":\"The service is unavailable"));
        assert_eq!(get("/small").await.status(), 200);
        let taken = to_bytes(first.into_body()).await.unwrap();
        assert_eq!(taken.len(), PER_CALLER as usize / 2 + 1);
        assert_eq!(get("/large").await.status(), 200);
    }
}
