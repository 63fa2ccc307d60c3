//! Answers that are under way to clients, who may take their time: their memory is bounded.

use std::collections::HashMap;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::web::{Bytes, Data};
use actix_web::{Error, ResponseError as _};
use ideavault_domain::failure::Failure;

use super::error::ApiError;
use super::payer::payer;
use super::turns::Payer;

/// Most bytes under way to one payer, unless it is a single answer.
const PER_PAYER: usize = 32 * 1024 * 1024;
/// Most bytes under way in all.
const IN_ALL: usize = 128 * 1024 * 1024;
/// Answers up to this size fit into the buffer of their connection, and are not counted.
const SMALL: usize = 32 * 1024;
/// What an answer takes that is made while it is sent.
const STREAMED: usize = 128 * 1024;

/// Too much is under way.
#[derive(Debug, thiserror::Error)]
#[error("too many answers are under way")]
struct Busy;

/// The bytes of answers that are under way from one server.
#[derive(Default)]
pub struct UnderWay(Mutex<Amounts>);

#[derive(Default)]
struct Amounts {
    in_all: usize,
    payers: HashMap<Payer, usize>,
}

impl UnderWay {
    fn amounts(&self) -> MutexGuard<'_, Amounts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts an answer until its share is dropped. The second half of the bytes is for payers to
    /// whom nothing is under way.
    fn admit(self: &Arc<Self>, payer: Payer, bytes: usize) -> Result<Share, Failure> {
        let mut amounts = self.amounts();
        let own = amounts.payers.get(&payer).copied().unwrap_or(0);
        let is_over = own > 0 && (own + bytes > PER_PAYER || amounts.in_all + bytes > IN_ALL / 2);
        if is_over || amounts.in_all + bytes > IN_ALL {
            return Err(Failure::Unavailable(Box::new(Busy)));
        }
        amounts.in_all += bytes;
        *amounts.payers.entry(payer.clone()).or_default() += bytes;
        Ok(Share {
            under_way: Arc::clone(self),
            payer,
            bytes,
        })
    }
}

/// The bytes of one answer.
struct Share {
    under_way: Arc<UnderWay>,
    payer: Payer,
    bytes: usize,
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut amounts = self.under_way.amounts();
        amounts.in_all -= self.bytes;
        if let Some(own) = amounts.payers.get_mut(&self.payer) {
            *own -= self.bytes;
            if *own == 0 {
                amounts.payers.remove(&self.payer);
            }
        }
    }
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
    let (response, body) = response.into_parts();
    let body = body.try_into_bytes();
    let bytes = body.as_ref().map_or(STREAMED, Bytes::len);
    let response = match under_way.admit(payer(&request), bytes) {
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
    _share: Share,
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
    _share: Share,
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
    use actix_web::middleware::from_fn;
    use actix_web::test::{TestRequest, call_service, init_service};
    use actix_web::{App, HttpResponse, web};

    use super::*;

    fn of(name: &str) -> Payer {
        Payer::network(name)
    }

    #[test]
    fn nobody_takes_more_than_their_share() {
        let under_way = Arc::new(UnderWay::default());
        let admit = |name, bytes| under_way.admit(of(name), bytes);
        let first = admit("mallory", PER_PAYER - 1).unwrap();
        let second = admit("mallory", 1).unwrap();
        assert!(admit("mallory", 1).is_err());
        drop(second);
        let again = admit("mallory", 1).unwrap();
        // Others still have theirs, up to the bound of all.
        let mut shares = vec![first, again];
        shares.push(admit("ada", PER_PAYER).unwrap());
        assert!(admit("mallory", 1).is_err());
        // A single answer may be larger.
        shares.push(admit("grace", IN_ALL / 2).unwrap());
        assert!(admit("vera", 1).is_err());
        drop(shares);
        assert_eq!(under_way.amounts().in_all, 0);
        assert!(under_way.amounts().payers.is_empty());
    }

    #[actix_web::test]
    async fn an_answer_is_under_way_until_it_was_taken() {
        let under_way = Data::new(UnderWay::default());
        let large = || async { HttpResponse::Ok().body(vec![b'x'; PER_PAYER / 2 + 1]) };
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
        assert_eq!(taken.len(), PER_PAYER / 2 + 1);
        assert_eq!(get("/large").await.status(), 200);
    }
}
