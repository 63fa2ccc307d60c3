//! Fuzzes the allow-list for HTML: the output contains only listed elements and
//! attributes.
#![no_main]

use ideavault_content::AllowListSanitizer;
use ideavault_domain::content::Content;
use ideavault_domain::ports::HtmlSanitizer as _;
use libfuzzer_sys::fuzz_target;

#[path = "../../../crates/content/src/html/tests/foreign.rs"]
mod foreign;

/// Pieces that change the state of a parser. Non-ASCII bytes stand for them, so that the
/// fuzzer need not find each letter by letter.
const PIECES: &[&str] = &[
    "<svg>",
    "</svg>",
    "<math>",
    "</math>",
    "<mtext>",
    "<mglyph>",
    "<malignmark>",
    "<mi>",
    "<annotation-xml encoding=\"text/html\">",
    "<foreignObject>",
    "<desc>",
    "<title>",
    "</title>",
    "<style>",
    "</style>",
    "<script>",
    "</script>",
    "<textarea>",
    "</textarea>",
    "<noscript>",
    "</noscript>",
    "<xmp>",
    "</xmp>",
    "<plaintext>",
    "<template>",
    "</template>",
    "<table>",
    "</table>",
    "<tr>",
    "<td>",
    "<caption>",
    "<select>",
    "<option>",
    "<form>",
    "</form>",
    "<p>",
    "</p>",
    "<a href=\"",
    "<a>",
    "</a>",
    "<b>",
    "</b>",
    "<i>",
    "<strong>",
    "<em>",
    "<s>",
    "<del>",
    "<strike>",
    "<code>",
    "<pre>",
    "<ul>",
    "<li>",
    "</li>",
    "<ol start=\"2\">",
    "<blockquote>",
    "<h1>",
    "</h1>",
    "<br>",
    "<hr>",
    "<span style=\"color:#fff\">",
    "</span>",
    "<mark>",
    "<img ",
    "<img src=x onerror=alert(1)>",
    "<iframe ",
    "<iframe srcdoc=\"",
    "</iframe>",
    " src=\"https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ\"",
    " src=\"/api/files/",
    " src=\"data:image/png;base64,AAAA\"",
    " style=\"",
    " onclick=\"",
    " title=\"",
    "\">",
    "'>",
    "/>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<!DOCTYPE ",
    "<?",
    "&lt;",
    "&gt;",
    "&quot;",
    "&#0;",
    "&#x6a;",
    "&colon;",
    "&Tab;",
    "javascript:alert(1)",
    "https://example.org/",
    "data:text/html,",
    "\u{0}",
    "\u{c}",
    "\u{a0}",
    "\u{fffd}",
    "\u{202e}",
    "é",
    "🫖",
];

fn markup(data: &[u8]) -> String {
    let mut html = String::new();
    for byte in data {
        match PIECES.get(usize::from(*byte).wrapping_sub(128)) {
            Some(piece) => html.push_str(piece),
            None => html.push(char::from(*byte)),
        }
    }
    html
}

fuzz_target!(|data: &[u8]| {
    // Texts that are too complex are rejected before parsing.
    let Ok(Content::Html(html)) = Content::from_json(markup(data).into()) else {
        return;
    };
    let clean = AllowListSanitizer.sanitize(&html);
    assert_eq!(
        AllowListSanitizer.sanitize(&clean),
        clean,
        "cleaning again changed something"
    );
    assert_eq!(foreign::foreign(&clean), [""; 0], "{clean:?}");
});
