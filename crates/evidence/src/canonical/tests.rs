use serde::Deserialize;
use serde_json::json;

use super::*;

fn error(text: &str) -> CanonicalError {
    read(text.as_bytes()).unwrap_err()
}

#[test]
fn the_example_of_rfc_8785_is_written_as_it_says() {
    let value: Value = serde_json::from_str(
        r#"{
          "numbers": [4.50, 2e-3, 0.000000000000000000000000001],
          "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
          "literals": [null, true, false]
        }"#,
    )
    .unwrap();
    let expected = r#"{"literals":[null,true,false],"numbers":[4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}"#;
    assert_eq!(write(&value).unwrap(), expected.as_bytes());
    assert_eq!(read(expected.as_bytes()).unwrap(), value);
}

#[test]
fn keys_are_ordered_by_utf_16() {
    let value = json!({"\u{20ac}": 1, "\r": 2, "\u{fb33}": 3, "1": 4, "\u{1f600}": 5, "\u{80}": 6});
    let text = String::from_utf8(write(&value).unwrap()).unwrap();
    let order: Vec<_> = ["2", "4", "6", "1", "5", "3"]
        .iter()
        .map(|digit| text.find(&format!(":{digit}")).unwrap())
        .collect();
    assert!(order.is_sorted(), "{text}");
}

#[test]
fn a_key_that_occurs_twice_is_refused() {
    for text in [r#"{"a":1,"a":1}"#, r#"[{"b":{"a":1,"\u0061":2}}]"#] {
        assert!(
            matches!(error(text), CanonicalError::DuplicateKey),
            "{text}"
        );
    }
}

#[test]
fn a_number_that_loses_precision_is_refused() {
    for text in [
        "9007199254740993",
        "-9007199254740993",
        r#"{"a":[18446744073709551615]}"#,
        "1e+30",
        "100000000000000000000",
    ] {
        assert!(matches!(error(text), CanonicalError::Number), "{text}");
    }
    assert!(matches!(
        write(&json!(u64::MAX)),
        Err(CanonicalError::Number)
    ));
    assert_eq!(
        read(b"9007199254740992").unwrap(),
        json!(9_007_199_254_740_992_u64)
    );
}

#[test]
fn another_form_of_the_same_value_is_refused() {
    for text in [
        r#"{"a": 1}"#,
        "{\"a\":1}\n",
        " 1",
        r#"{"b":1,"a":2}"#,
        r#"{"a":1,"b":2,"a":3}"#,
        "[1, 2]",
        r#"{"a" :1}"#,
        "1.0",
        "1e0",
        "-0",
        r#""\u0041""#,
        r#""\/""#,
        r#""\u000F""#,
    ] {
        assert!(matches!(error(text), CanonicalError::Form), "{text}");
    }
}

#[test]
fn what_is_not_json_is_refused() {
    let deep = "[".repeat(100_000);
    for text in [
        "",
        "{",
        "nul",
        "1 2",
        "{'a':1}",
        "\"\\ud800\"",
        "NaN",
        &deep,
    ] {
        assert!(matches!(error(text), CanonicalError::Syntax(_)));
    }
    assert!(matches!(
        read(b"\"\xff\"").unwrap_err(),
        CanonicalError::Syntax(_)
    ));
    assert!(matches!(
        read(b"\xef\xbb\xbf1").unwrap_err(),
        CanonicalError::Syntax(_)
    ));
}

#[test]
fn a_type_refuses_other_fields() {
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Point {
        x: u64,
    }
    let point: Point = read_as(br#"{"x":1}"#).unwrap();
    assert_eq!(point.x, 1);
    for other in ["{\"x\":1,\"y\":2}", "[1]"] {
        let error = read_as::<Point>(other.as_bytes()).unwrap_err();
        assert!(matches!(error, CanonicalError::Shape(_)), "{other}");
    }
}
