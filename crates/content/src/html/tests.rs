mod foreign;

use std::collections::BTreeMap;

use super::*;
use foreign::foreign;

/// The documents that the editor's own tests export and import.
const EDITOR_DOCUMENTS: &str =
    include_str!("../../../../frontend/src/features/editor/html/corpus.json");

fn clean(html: &str) -> String {
    AllowListSanitizer.sanitize(html)
}

#[test]
fn editor_output_is_preserved_byte_for_byte() {
    for html in [
        "",
        "<h1>My Idea</h1><p>Text with <strong>bold</strong>, <em>italic</em>, <s>struck</s> and \
         <code>code</code>.</p>",
        "<ul><li>One</li><li>Two<ul><li>Nested</li></ul></li></ul><ol start=\"3\"><li value=\"3\">\
         Three</li></ol>",
        "<blockquote>Said &amp; done &lt;b&gt;</blockquote><hr><p>a<br>b</p>",
        "<pre data-language=\"rust\">let x = 1;<br>\tlet y = 2;</pre>",
        "<p><span style=\"color:#e60000;background-color:#ffcc00\">Red</span> <mark \
         style=\"background-color:#ffcc00\">marked</mark></p>",
        "<p><a href=\"https://example.org/?a=1&amp;b=2\" target=\"_blank\" rel=\"noopener \
         noreferrer nofollow\">link</a></p>",
        "<p>  two  spaces\tand a tab\u{a0}</p>"
            .replace('\u{a0}', "&nbsp;")
            .as_str(),
        "<p><img src=\"/api/files/0b9f1c1e-7d7b-4f5e-9a50-5b3a35a1f0aa\" alt=\"A &quot;kettle&quot;\" \
         width=\"640\" height=\"480\"></p>",
        "<p><img src=\"data:image/png;base64,iVBORw0KGgo=\" alt=\"\"></p>",
        "<iframe src=\"https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ\" width=\"560\" \
         height=\"315\" title=\"YouTube video\" allowfullscreen=\"\" loading=\"lazy\" \
         referrerpolicy=\"strict-origin-when-cross-origin\" \
         data-lexical-youtube=\"dQw4w9WgXcQ\"></iframe>",
        "<p>Ünïcödé 🫖 שלום</p>",
    ] {
        assert_eq!(clean(html), html);
    }
}

#[test]
fn every_document_of_the_editor_corpus_is_preserved_byte_for_byte() {
    let documents: BTreeMap<String, String> = serde_json::from_str(EDITOR_DOCUMENTS).unwrap();
    assert!(documents.len() > 50);
    for (name, html) in documents {
        assert_eq!(clean(&html), html, "{name}");
    }
}

#[test]
fn a_foreign_table_is_converted_to_the_editor_format() {
    assert_eq!(
        clean(
            "<table border=1 style=\"width:9px\"><caption>c</caption><thead><tr><th scope=col \
             colspan=2 rowspan=\"100\">a</th></tr></thead><tr><td onclick=x() colspan=\"-1\">b</td>\
             </tr></table>"
        ),
        "c<table><tbody><tr><th colspan=\"2\">a</th></tr></tbody><tbody><tr>\
         <td>b</td></tr></tbody></table>"
    );
}

#[test]
fn allowed_schemes_are_kept_and_other_links_are_unwrapped() {
    for scheme in [
        "http://", "https://", "ftp://", "ftps://", "mailto:", "tel:", "callto:", "sms:", "cid:",
        "xmpp:",
    ] {
        let html = format!(
            "<a href=\"{scheme}x\" target=\"_blank\" rel=\"noopener noreferrer nofollow\">t</a>"
        );
        assert_eq!(clean(&html), html);
    }
    for href in [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java\tscript:alert(1)",
        "java&#10;script:alert(1)",
        "&#1;javascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        " data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "//evil.test",
        "/api/ideas",
        "about:blank",
        "https:dashboard",
        "https:/dashboard",
        "https:///dashboard",
        "https://\\dashboard",
        "HTTP:dashboard",
        "https://",
        "ftp:x",
        "",
    ] {
        assert_eq!(clean(&format!("<a href=\"{href}\">t</a>")), "t", "{href:?}");
    }
}

#[test]
fn hostile_markup_leaves_nothing_executable() {
    for html in [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<svg><script>alert(1)</script></svg>",
        "<svg onload=alert(1)>",
        "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
        "<iframe srcdoc=\"<script>alert(1)</script>\"></iframe>",
        "<iframe src=\"https://www.youtube.com.evil.test/embed/dQw4w9WgXcQ\"></iframe>",
        "<iframe src=\"https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?x=1\"></iframe>",
        "<object data=x></object><embed src=x>",
        "<img src=\"https://evil.test/pixel.png\">",
        "<img src=\"data:image/svg+xml;base64,PHN2Zz4=\">",
        "<img src=\"//evil.test/x.png\">",
        "<img src=\"/api/files/../auth/me\">",
        "<form action=//evil.test><input></form>",
        "<style>@import 'x'</style>",
        "<template><script>alert(1)</script></template>",
        "<!--<img src=x onerror=alert(1)>-->",
        "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
        "<p style=\"background:url(//evil.test)\" onclick=alert(1)></p>",
        "<span style=\"color:expression(alert(1));color:red\"></span>",
        "<base href=//evil.test><meta http-equiv=refresh content=0>",
        "<a href=\"https://x\" onmouseover=alert(1) style=\"position:fixed\"></a>",
    ] {
        let cleaned = clean(html);
        let lower = cleaned.to_lowercase();
        for bad in [
            "<script",
            "onerror",
            "onload",
            "onclick",
            "onmouse",
            "<svg",
            "<math",
            "srcdoc",
            "evil.test",
            "<iframe",
            "<object",
            "<embed",
            "<form",
            "<input",
            "<style",
            "<base",
            "<meta",
            "url(",
            "expression",
            "position",
            "svg+xml",
            "auth/me",
        ] {
            assert!(!lower.contains(bad), "{html:?} left {bad:?} in {cleaned:?}");
        }
        assert_eq!(clean(&cleaned), cleaned, "cleaning again changed {html:?}");
    }
}

/// The browser tests render the same texts.
const HOSTILE: &str = include_str!("../../../../tests/hostile.json");

#[test]
fn hostile_markup_is_reduced_to_allowed_elements() {
    let corpus: BTreeMap<String, Vec<String>> = serde_json::from_str(HOSTILE).unwrap();
    let mut tried = 0;
    for frame in &corpus["frames"] {
        for payload in &corpus["payloads"] {
            let html = frame.replacen("{}", payload, 1);
            let cleaned = clean(&html);
            assert_eq!(clean(&cleaned), cleaned, "{html:?}");
            assert_eq!(foreign(&cleaned), [""; 0], "{html:?} left {cleaned:?}");
            tried += 1;
        }
    }
    assert!(tried > 300, "{tried}");
}

#[test]
fn cleaning_markup_with_removed_wrappers_is_idempotent() {
    for (html, cleaned) in [
        ("<li>a<object><li>b</object>", "<li>a</li><li>b</li>"),
        ("<p>a<button><p>b</button>", "<p>a</p><p>b</p><p></p>"),
        ("<h1>a<object><h2>b</object>", "<h1>a</h1><h2>b</h2>"),
    ] {
        assert_eq!(clean(html), cleaned);
        assert_eq!(clean(cleaned), cleaned);
    }
}

/// Each of these once took quadratic time: minutes or hours at the accepted length.
#[test]
fn pathological_texts_are_cleaned_in_one_pass() {
    let image = "/api/files/0b9f1c1e-7d7b-4f5e-9a50-5b3a35a1f0aa";
    let many = 200_000;
    for (html, cleaned) in [
        (
            format!("<p>{}", "&".repeat(many)),
            format!("<p>{}</p>", "&amp;".repeat(many)),
        ),
        (
            format!("<p>{}", "\u{a0}".repeat(many)),
            format!("<p>{}</p>", "&nbsp;".repeat(many)),
        ),
        (
            format!("<p>{}", "°".repeat(3 * many)),
            format!("<p>{}</p>", "°".repeat(3 * many)),
        ),
        (
            format!("<img src=\"{image}\" alt=\"{}\">", "&".repeat(many)),
            format!("<img src=\"{image}\" alt=\"{}\">", "&amp;".repeat(many)),
        ),
        (
            format!(
                "{}<table>{}",
                "<hr>".repeat(many / 4),
                "<br>".repeat(many / 4)
            ),
            format!(
                "{}{}<table></table>",
                "<hr>".repeat(many / 4),
                "<br>".repeat(many / 4)
            ),
        ),
    ] {
        assert!(
            clean(&html) == cleaned,
            "{}",
            html.get(..40).unwrap_or(&html)
        );
    }
}

#[test]
fn legacy_format_elements_are_converted() {
    assert_eq!(
        clean("<p><b>a</b><i>b</i><del>c</del><strike>d</strike></p>"),
        "<p><strong>a</strong><em>b</em><s>c</s><s>d</s></p>"
    );
}

#[test]
fn text_inside_a_video_player_is_removed() {
    let player = "<iframe src=\"https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ\"></iframe>";
    let stuffed = player.replace("></", "><img src=x onerror=alert(1)></");
    assert_eq!(clean(&stuffed), player);
}
