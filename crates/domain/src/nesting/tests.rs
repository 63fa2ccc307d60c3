use super::check;

fn repeated(part: &str) -> String {
    part.repeat(10_000)
}

#[test]
fn long_balanced_markup_is_accepted() {
    for part in [
        "<p>Waits <strong><em><s><code>a <a href=\"/x>y\">bit</a></code></s></em></strong></p>",
        "<P>Waits</P><br><hr/><img src=x><Br>",
        "<ul><li>one<li>two<p>three</p></li></ul>",
        "<p>one<p>two",
        "<iframe src=\"https://youtube-nocookie.com/x\"></iframe>",
        "<!-- <b> --><p title='</p>' class = x/y a/=b ==c>x</p >",
        "<style>b > i { }</style><textarea><b></textarea >",
        "a < b </> </ b> <3 <!x> <?y>",
        "<table><tr><td>x</td></tr></table>",
    ] {
        assert_eq!(check(&repeated(part)), Ok(()), "{part}");
    }
    assert_eq!(check(&format!("{}x", "<ul><li>".repeat(100))), Ok(()));
}

#[test]
fn accumulating_open_elements_are_refused() {
    for part in [
        "<ul><li>",
        "<div>",
        "<b>",
        "<B/>",
        "<b></i>",
        "<b><p></b>",
        "<b title='</b>'>",
        "<b a=\"</b>\">",
        "<b =\">",
        "<b><!--</b>-->",
        "<b><!-->",
        "<b><?</b>",
        "<b><style></b></style>",
        "<b></ b>",
        "<b><svg><style><!--</style></svg></b>-->",
        "<b><script><!--<script></script></b>--></script>",
        "<svg></svg>",
    ] {
        let refused = check(&repeated(part)).map_err(|invalid| invalid.field);
        assert_eq!(refused, Err("content"), "{part}");
    }
}

#[test]
fn too_many_elements_are_refused() {
    assert_eq!(check(&"<p>".repeat(200_000)), Ok(()));
    for part in ["<p>", "<br>", "<p>x</p>"] {
        let refused = check(&part.repeat(200_001)).map_err(|invalid| invalid.field);
        assert_eq!(refused, Err("content"), "{part}");
    }
}

#[test]
fn too_many_special_characters_are_refused() {
    for part in ["&amp;", "<", "</x>", "<!>", "\u{a0}", "\n", "\r", "\0"] {
        let refused = check(&part.repeat(500_001)).map_err(|invalid| invalid.field);
        assert_eq!(refused, Err("content"), "{part:?}");
        assert_eq!(check(&part.repeat(20_000)), Ok(()), "{part:?}");
    }
    let raw_text = format!("<textarea>{}", "</x>".repeat(500_001));
    assert!(check(&raw_text).is_err());
    assert_eq!(check(&"a°«é".repeat(500_001)), Ok(()));
}

#[test]
fn many_tags_inside_many_open_elements_are_refused() {
    let open = "<span>".repeat(250);
    for part in ["</p>", "</b>", "<li></li>", "<p></p>", "<br>"] {
        let refused = check(&format!("{open}{}", part.repeat(10_000))).map_err(|e| e.field);
        assert_eq!(refused, Err("content"), "{part}");
        assert_eq!(check(&format!("{open}{}", part.repeat(300))), Ok(()));
    }
    let list = format!("{}x{}", "<ul><li>".repeat(10), "</li></ul>".repeat(10));
    assert_eq!(check(&list.repeat(4_000)), Ok(()));
}

#[test]
fn attributes_are_counted_across_all_tags() {
    for tag in [
        format!("<p{}>", " a".repeat(200)),
        format!("</p{}>", " a".repeat(200)),
    ] {
        assert_eq!(check(&tag.repeat(2_000)), Ok(()));
        assert!(check(&tag.repeat(3_000)).is_err());
    }
}

#[test]
fn formats_left_open_before_many_paragraphs_are_refused() {
    let open = "<b class=\"1\"><b class=\"2\"><i><u><tt><s>".repeat(10);
    assert!(check(&format!("<p>{open}{}", repeated("<p>x</p>"))).is_err());
    assert_eq!(
        check(&format!("<p>{open}{}", "<p>x</p>".repeat(500))),
        Ok(())
    );
}

#[test]
fn the_number_of_attributes_of_a_tag_is_limited() {
    for attribute in ["a", " a=b", " a='>'", " a=\">\"", "/ ="] {
        let tag = |count: usize| format!("<p{}></p{}>", attribute.repeat(count), attribute);
        assert_eq!(check(&tag(200)), Ok(()), "{attribute}");
    }
    assert!(check(&format!("<p{}>", " a=b".repeat(300))).is_err());
    assert!(check(&format!("</p{}>", " a=b".repeat(300))).is_err());
    assert!(check(&format!("<style></style{}>", " a".repeat(300))).is_err());
}

#[test]
fn truncated_text_is_read_to_its_end() {
    let html = "<p class=\"a\" id='b' c = d>é<!--e--><iframe>f</iframe></p><b/>";
    for end in html.char_indices().map(|(at, _)| at) {
        assert_eq!(check(html.get(..end).unwrap()), Ok(()));
    }
}
