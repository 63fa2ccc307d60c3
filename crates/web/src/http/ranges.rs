//! Conditional and range requests (RFC 9110, sections 13 and 14).

use std::ops::Range;

use actix_web::HttpRequest;
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderMap, HeaderName};

/// The headers of a request that decide how much of a file is sent.
#[derive(Clone, Debug)]
pub struct RangeRequest {
    /// The client has the file already.
    is_fresh: bool,
    /// The method is HEAD.
    is_head: bool,
    range: Option<String>,
}

/// How to respond to a request for a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// 304: the client has it.
    NotModified,
    /// Headers without a body.
    Head,
    /// The whole file.
    Whole,
    /// This part of it.
    Part(Range<u64>),
    /// 416: the file has no such part.
    Unsatisfiable,
}

impl RangeRequest {
    /// Requests the whole file, regardless of headers.
    pub const WHOLE: Self = Self {
        is_fresh: false,
        is_head: false,
        range: None,
    };

    /// Reads the headers. `tag` is the file's entity tag with its quotes. It is strong,
    /// because a stored file never changes.
    pub fn of(request: &HttpRequest, tag: &str) -> Self {
        let headers = request.headers();
        let is_head = request.method() == Method::HEAD;
        // If-Range names another file: the range does not apply.
        let applies = text(headers, header::IF_RANGE).is_none_or(|seen| seen.trim() == tag);
        Self {
            is_fresh: text(headers, header::IF_NONE_MATCH).is_some_and(|seen| lists(seen, tag)),
            is_head,
            range: text(headers, header::RANGE)
                .filter(|_| applies && !is_head)
                .map(str::to_owned),
        }
    }

    /// Decides on the response for a file of `size` bytes.
    pub fn plan(&self, size: u64) -> Plan {
        if self.is_fresh {
            return Plan::NotModified;
        }
        if self.is_head {
            return Plan::Head;
        }
        match self.range.as_deref().map(|range| single(range, size)) {
            None | Some(Asked::Nothing) => Plan::Whole,
            Some(Asked::Part(part)) => Plan::Part(part),
            Some(Asked::Beyond) => Plan::Unsatisfiable,
        }
    }

    /// Returns the bytes that the response contains; none if it has no body.
    pub fn part(&self, size: u64) -> Option<Range<u64>> {
        match self.plan(size) {
            Plan::NotModified | Plan::Head | Plan::Unsatisfiable => None,
            Plan::Whole => Some(0..size),
            Plan::Part(part) => Some(part),
        }
    }
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// Returns whether a list of entity tags contains `tag`. If-None-Match uses the weak
/// comparison.
fn lists(seen: &str, tag: &str) -> bool {
    seen.split(',')
        .map(str::trim)
        .any(|seen| seen == "*" || seen.strip_prefix("W/").unwrap_or(seen) == tag)
}

enum Asked {
    /// An unknown unit, a malformed range or several ranges, for which the whole file may be
    /// sent.
    Nothing,
    Part(Range<u64>),
    Beyond,
}

fn single(range: &str, size: u64) -> Asked {
    let Some((unit, spec)) = range.split_once('=') else {
        return Asked::Nothing;
    };
    let Some((first, last)) = spec.split_once('-') else {
        return Asked::Nothing;
    };
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return Asked::Nothing;
    }
    match (position(first), position(last)) {
        (Some(first), Some(last)) if first <= last => part(first, last.saturating_add(1), size),
        (Some(first), None) if last.trim().is_empty() => part(first, size, size),
        (None, Some(0)) if first.trim().is_empty() => Asked::Beyond,
        (None, Some(suffix)) if first.trim().is_empty() => {
            part(size.saturating_sub(suffix), size, size)
        }
        _ => Asked::Nothing,
    }
}

fn part(start: u64, end: u64, size: u64) -> Asked {
    if start < size {
        Asked::Part(start..end.min(size))
    } else {
        Asked::Beyond
    }
}

/// Parses an unsigned number without a sign. One that does not fit lies beyond every file.
fn position(text: &str) -> Option<u64> {
    let text = text.trim();
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    const TAG: &str = "\"a\"";

    fn plan(method: Method, headers: &[(&'static str, &'static str)]) -> Plan {
        let mut request = TestRequest::default().method(method);
        for header in headers {
            request = request.insert_header(*header);
        }
        RangeRequest::of(&request.to_http_request(), TAG).plan(1_000)
    }

    fn ranged(range: &'static str) -> Plan {
        plan(Method::GET, &[("range", range)])
    }

    #[test]
    fn a_single_range_is_clamped_to_the_file() {
        for (range, part) in [
            ("bytes=0-0", 0..1),
            ("bytes=0-999", 0..1_000),
            ("bytes=10-19", 10..20),
            ("bytes=999-", 999..1_000),
            ("bytes=0-", 0..1_000),
            ("bytes=-1", 999..1_000),
            ("bytes=-5000", 0..1_000),
            ("bytes=990-5000", 990..1_000),
            ("bytes=0-99999999999999999999999", 0..1_000),
            ("Bytes = 1 - 2 ", 1..3),
        ] {
            assert_eq!(ranged(range), Plan::Part(part), "{range}");
        }
    }

    #[test]
    fn a_range_beyond_the_file_is_unsatisfiable() {
        for range in [
            "bytes=1000-",
            "bytes=1000-2000",
            "bytes=-0",
            "bytes=99999999999999999999-",
        ] {
            assert_eq!(ranged(range), Plan::Unsatisfiable, "{range}");
        }
    }

    #[test]
    fn anything_but_a_single_range_gets_the_whole_file() {
        for range in [
            "",
            "bytes",
            "bytes=",
            "bytes=-",
            "bytes=a-b",
            "bytes=5-1",
            "bytes=+1-2",
            "bytes=1-+2",
            "bytes=0-1,5-6",
            "bytes=0-1,",
            "lines=0-1",
            "bytes=--1",
            "bytes=1-2-3",
        ] {
            assert_eq!(ranged(range), Plan::Whole, "{range}");
        }
    }

    #[test]
    fn a_range_applies_only_if_the_etag_matches() {
        let with = |tag| plan(Method::GET, &[("range", "bytes=0-0"), ("if-range", tag)]);
        assert_eq!(with(TAG), Plan::Part(0..1));
        for other in ["\"b\"", "W/\"a\"", "Sat, 21 Nov 2026 10:00:00 GMT"] {
            assert_eq!(with(other), Plan::Whole);
        }
    }

    #[test]
    fn a_matching_etag_gets_not_modified() {
        for seen in [TAG, "W/\"a\"", "*", "\"b\", \"a\""] {
            assert_eq!(
                plan(Method::GET, &[("if-none-match", seen)]),
                Plan::NotModified
            );
            assert_eq!(
                plan(Method::HEAD, &[("if-none-match", seen)]),
                Plan::NotModified
            );
        }
        assert_eq!(
            plan(Method::GET, &[("if-none-match", "\"b\"")]),
            Plan::Whole
        );
    }

    #[test]
    fn a_head_request_gets_no_body() {
        assert_eq!(plan(Method::HEAD, &[("range", "bytes=0-0")]), Plan::Head);
    }
}
