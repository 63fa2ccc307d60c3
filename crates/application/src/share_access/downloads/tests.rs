use serde_json::{Map, Value, json};

use ideavault_domain::text::{PersonName, Title};

use super::page::{Facts, drawing, texts, write};
use crate::testing::{at, draft_idea};

fn facts(title: &str, reader: &str) -> Facts {
    let mut idea = draft_idea();
    idea.title = Title::parse(title).unwrap();
    Facts {
        sharer: PersonName::parse_creator("Ada Lovelace").unwrap(),
        reader: PersonName::parse_recipient(reader).unwrap(),
        at: at(0),
        idea,
    }
}

fn object(json: Value) -> Map<String, Value> {
    json.as_object().unwrap().clone()
}

#[test]
fn a_page_states_its_owner_its_reader_and_that_it_is_confidential() {
    let page = write(
        &facts("<b>Kettle</b>", "Grace \"<i>\" Hopper"),
        "<p>Waits</p>",
    );
    for expected in [
        "<title>&lt;b&gt;Kettle&lt;/b&gt;</title>",
        "Confidential.",
        "<dd>Ada Lovelace</dd>",
        "<dd>Grace &quot;&lt;i&gt;&quot; Hopper</dd>",
        "<dd>2027-01-15 08:00 UTC</dd>",
        "<p>Waits</p>",
        "default-src 'none'",
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    assert!(!page.contains("<i>"), "{page}");
}

#[test]
fn a_title_becomes_a_portable_file_name() {
    let name = |title: &str| facts(title, "Grace Hopper").file_name();
    assert_eq!(
        name("A \"kettle\": <that>/waits?"),
        "A kettle thatwaits.html"
    );
    assert_eq!(name("../.."), "Idea 7.html");
}

#[test]
fn drawings_and_older_formats_are_text_only() {
    let elements = json!({ "elements": [
        { "type": "text", "x": 1, "y": 2, "text": "<script>\nb", "fontSize": 10 },
        { "type": "rect", "x": 5, "y": 5, "width": 10, "height": 10, "fill": "red\"" },
        { "type": "circle", "x": 50, "y": 50, "radius": 9 },
    ]});
    let drawn = drawing(&object(elements));
    assert!(drawn.contains("&lt;script&gt;</tspan>"), "{drawn}");
    assert!(drawn.contains("fill=\"red&quot;\""), "{drawn}");
    assert!(drawn.contains("viewBox=\"-9 -8 78 77\""), "{drawn}");
    let old = texts(&object(
        json!({ "pages": [{ "body": "Old <words>" }, 7, " "] }),
    ));
    assert!(old.ends_with("<p>Old &lt;words&gt;</p>"), "{old}");
}
