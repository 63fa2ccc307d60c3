use chrono::DateTime;

use super::*;

fn now() -> Timestamp {
    DateTime::from_timestamp(1_000_000, 0).unwrap()
}

fn request(share_type: &str) -> ShareRequest {
    ShareRequest {
        share_type: share_type.into(),
        ..ShareRequest::default()
    }
}

fn refused_field(request: &ShareRequest) -> &'static str {
    ShareTerms::parse(request, now()).unwrap_err().field
}

#[test]
fn a_one_time_link_gives_one_view_by_default() {
    let terms = ShareTerms::parse(&request("one-time"), now()).unwrap();
    assert_eq!(terms, ShareTerms::OneTime { max_views: 1 });
}

#[test]
fn a_time_dependent_link_lasts_a_week_by_default() {
    let terms = ShareTerms::parse(&request("time-dependent"), now()).unwrap();
    let expires_at = now() + Duration::days(7);
    assert_eq!(
        terms,
        ShareTerms::TimeDependent {
            expires_at,
            max_views: None
        }
    );
}

#[test]
fn a_past_or_malformed_expiry_is_refused() {
    for text in [
        "1970-01-01T00:00:00Z",
        "1970-01-12T13:46:40Z",
        "tomorrow",
        "2030-01-01T10:00",
        "9999-12-31T23:59:59-23:00",
    ] {
        let request = ShareRequest {
            expires_at: Some(text.into()),
            ..request("time-dependent")
        };
        assert_eq!(refused_field(&request), "expiresAt", "{text}");
    }
}

#[test]
fn an_expiry_is_truncated_to_microseconds() {
    let request = ShareRequest {
        expires_at: Some("2030-01-01T12:00:00.123456789+02:00".into()),
        ..request("time-dependent")
    };
    let end = ShareTerms::parse(&request, now())
        .unwrap()
        .expires_at()
        .unwrap();
    assert_eq!(end.to_rfc3339(), "2030-01-01T10:00:00.123456+00:00");
}

#[test]
fn an_expiry_must_be_storable_in_both_databases() {
    let ending = |text: &str| {
        let request = ShareRequest {
            expires_at: Some(text.into()),
            ..request("time-dependent")
        };
        ShareTerms::parse(&request, now())
    };
    let leap = ending("2030-12-31T23:59:60Z")
        .unwrap()
        .expires_at()
        .unwrap();
    assert_eq!(leap.to_rfc3339(), "2031-01-01T00:00:00+00:00");
    assert!(ending("9999-12-31T23:59:59.999999999Z").is_ok());
    let refused = ending("9999-12-31T23:59:59-10:00").unwrap_err();
    assert_eq!(refused.field, "expiresAt");
}

#[test]
fn a_view_ends_with_its_time_or_its_link_if_either_ends() {
    let granted_until = now() + Duration::minutes(30);
    let end_of = |expires_at, max_views| view_end(expires_at, max_views, granted_until);
    let (sooner, later) = (now() + Duration::minutes(2), now() + DEFAULT_EXPIRY);
    assert_eq!(end_of(Some(sooner), None), Some(sooner));
    assert_eq!(end_of(Some(later), None), Some(granted_until));
    assert_eq!(end_of(None, Some(1)), Some(granted_until));
    assert_eq!(end_of(None, None), None);
}

#[test]
fn impossible_view_counts_are_refused() {
    for count in [0, -1, 1 << 31, i64::MAX] {
        let request = ShareRequest {
            max_views: Some(count),
            ..request("one-time")
        };
        assert_eq!(refused_field(&request), "maxViews", "{count}");
    }
}

#[test]
fn an_email_link_needs_a_valid_address() {
    assert_eq!(refused_field(&request("email")), "recipientEmail");
    for text in ["", "nobody"] {
        let request = ShareRequest {
            recipient_email: Some(text.into()),
            ..request("email")
        };
        assert_eq!(refused_field(&request), "recipientEmail");
    }
}

#[test]
fn a_limit_of_another_link_type_is_refused() {
    let limited = ShareRequest {
        max_views: Some(3),
        ..request("full-access")
    };
    assert_eq!(refused_field(&limited), "maxViews");
    let addressed = ShareRequest {
        recipient_email: Some("ada@example.org".into()),
        ..request("one-time")
    };
    assert_eq!(refused_field(&addressed), "recipientEmail");
    let timed = ShareRequest {
        expires_at: Some("2030-01-01T00:00:00Z".into()),
        ..request("one-time")
    };
    assert_eq!(refused_field(&timed), "expiresAt");
}

#[test]
fn stored_terms_have_exactly_the_limits_of_their_type() {
    let email = Email::parse("ada@example.org").unwrap();
    for terms in [
        ShareTerms::OneTime { max_views: 2 },
        ShareTerms::TimeDependent {
            expires_at: now(),
            max_views: Some(2),
        },
        ShareTerms::FullAccess,
        ShareTerms::Email { recipient: email },
    ] {
        let of_type = |share_type| {
            ShareTerms::from_stored(
                share_type,
                terms.expires_at(),
                terms.max_views(),
                terms.recipient_email().cloned(),
            )
        };
        for share_type in ShareType::ALL {
            let expected = (share_type == terms.share_type()).then(|| terms.clone());
            assert_eq!(of_type(share_type), expected);
        }
    }
}

#[test]
fn an_unknown_type_is_refused() {
    assert_eq!(refused_field(&request("forever")), "shareType");
}
