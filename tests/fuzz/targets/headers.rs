//! Fuzzes security-relevant headers: the requested range of a file, and the client's
//! address.
#![no_main]

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use actix_web::http::Method;
use actix_web::http::header::{self, HeaderValue};
use actix_web::test::TestRequest;
use actix_web::web::Data;
use libfuzzer_sys::fuzz_target;

#[path = "../../../crates/web/src/http/client.rs"]
mod client;
#[path = "../../../crates/web/src/http/ranges.rs"]
mod ranges;

use client::{ClientOrigin, TrustedProxies};
use ranges::{Plan, RangeRequest};

const TAG: &str = "\"0b9f1c1e\"";

fuzz_target!(|input: (u64, bool, bool, &[u8], &[u8])| {
    let (size, is_head, is_proxy, first, second) = input;
    let (Ok(first), Ok(second)) = (
        HeaderValue::from_bytes(first),
        HeaderValue::from_bytes(second),
    ) else {
        return;
    };
    let method = if is_head { Method::HEAD } else { Method::GET };
    let request = TestRequest::default()
        .method(method)
        .insert_header((header::RANGE, first.clone()))
        .insert_header((header::IF_RANGE, TAG))
        .insert_header((header::IF_NONE_MATCH, second.clone()))
        .to_http_request();
    let wish = RangeRequest::of(&request, TAG);
    let plan = wish.plan(size);
    assert!(!is_head || matches!(plan, Plan::Head | Plan::NotModified));
    if let Some(part) = wish.part(size) {
        assert!(part.end <= size);
        assert!(part.start < part.end || plan == Plan::Whole);
    }

    let peer = IpAddr::V4(Ipv4Addr::new(10, 0, 0, u8::from(is_proxy)));
    let proxies = TrustedProxies(vec!["10.0.0.1/32".parse().unwrap()]);
    let request = TestRequest::default()
        .peer_addr(SocketAddr::new(peer, 1))
        .app_data(Data::new(proxies))
        .insert_header((header::X_FORWARDED_FOR, first))
        .append_header((header::X_FORWARDED_FOR, second.clone()))
        .insert_header((header::USER_AGENT, second))
        .to_http_request();
    let origin = ClientOrigin::of(&request).0;
    assert!(is_proxy || origin.ip == peer, "a stranger chose an address");
    assert!(
        origin
            .user_agent
            .is_none_or(|agent| agent.chars().count() <= 512)
    );
});
