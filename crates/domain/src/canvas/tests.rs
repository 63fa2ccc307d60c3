use serde_json::json;

use super::*;

fn parsed(canvas: Value) -> Result<Value, Invalid> {
    let Value::Object(canvas) = canvas else {
        panic!("not an object")
    };
    parse(canvas).map(Value::Object)
}

fn refusal(element: Value) -> String {
    let invalid = parsed(json!({"elements": [element]})).unwrap_err();
    assert_eq!(invalid.field, "content");
    invalid.message
}

#[test]
fn every_field_of_the_spec_is_preserved() {
    let canvas = json!({"elements": [
        {
            "type": "text", "x": 1, "y": -2.5, "rotation": 45, "text": "<b>Größe</b>\n",
            "fontSize": 18, "fontFamily": "Times New Roman, 'Noto Serif'", "fill": "#1a2b3c",
            "fontStyle": "bold italic", "width": 200
        },
        {
            "type": "rect", "x": 0, "y": 0, "width": 10, "height": 0.5, "fill": "transparent",
            "stroke": "rgba(1, 2, 3, .5)", "strokeWidth": 2
        },
        {"type": "circle", "x": 3, "y": 4, "radius": 5, "stroke": "hsl(120 50% 50% / 30%)"},
    ]});
    assert_eq!(parsed(canvas.clone()), Ok(canvas));
}

#[test]
fn unknown_fields_are_removed() {
    let canvas = json!({
        "elements": [{
            "type": "rect", "x": 1, "y": 2, "id": "shape-1", "draggable": true,
            "onclick": "alert(1)", "stroke": null, "children": [{"deep": {}}]
        }],
        "width": 800,
    });
    assert_eq!(
        parsed(canvas),
        Ok(json!({"elements": [{"type": "rect", "x": 1, "y": 2}]}))
    );
}

#[test]
fn an_element_without_type_or_position_is_refused_by_its_index() {
    for element in [
        json!(null),
        json!("rect"),
        json!([]),
        json!({"x": 1, "y": 1}),
        json!({"type": "image", "x": 1, "y": 1, "src": "https://evil.test/x.png"}),
        json!({"type": ["rect"], "x": 1, "y": 1}),
        json!({"type": "rect", "y": 1}),
        json!({"type": "rect", "x": 1, "y": null}),
    ] {
        let message = refusal(element);
        assert!(message.starts_with("Element 1 of the canvas "), "{message}");
    }
}

#[test]
fn an_invalid_value_is_refused_by_its_field() {
    for (field, value) in [
        ("x", json!("1")),
        ("y", json!(1e7)),
        ("rotation", json!([])),
        ("fontSize", json!(-1)),
        ("fontSize", json!(1e6)),
        ("width", json!(-0.1)),
        ("height", json!(1e300)),
        ("radius", json!(true)),
        ("strokeWidth", json!({})),
        ("text", json!(5)),
        ("text", json!("x".repeat(TEXT_MAX + 1))),
        ("fontFamily", json!("x;background:url(//evil.test)")),
        ("fontFamily", json!("x".repeat(101))),
        ("fontStyle", json!("expression(alert(1))")),
        ("fill", json!("url(#gradient)")),
        ("fill", json!("#12345")),
        ("fill", json!("var(--x)")),
        ("fill", json!("rgb(1,2,3);x:y")),
        ("stroke", json!("javascript:alert(1)")),
    ] {
        let mut element = json!({"type": "text", "x": 1, "y": 1});
        element[field] = value.clone();
        let message = refusal(element);
        assert!(
            message.contains(&format!(" {field} ")),
            "{value}: {message}"
        );
    }
}

#[test]
fn the_number_of_elements_of_a_canvas_is_limited() {
    let elements =
        |count: usize| json!({"elements": vec![json!({"type": "rect", "x": 1, "y": 1}); count]});
    assert!(parsed(elements(ELEMENTS_MAX)).is_ok());
    assert!(parsed(elements(ELEMENTS_MAX + 1)).is_err());
    assert!(parsed(json!({"elements": {}})).is_err());
    assert_eq!(parsed(json!({"elements": []})), Ok(json!({"elements": []})));
}
