use super::*;

fn at(seconds: i64) -> Cursor {
    Cursor {
        at: DateTime::from_timestamp(1_800_000_000 + seconds, 123_456_000).unwrap(),
        ..Cursor::OLDEST
    }
}

fn rows(seconds: impl IntoIterator<Item = i64>) -> Vec<(Cursor, i64)> {
    let rows = seconds.into_iter();
    rows.map(|second| (at(second), second)).collect()
}

fn size(text: &str) -> PageSize {
    text.parse().unwrap()
}

#[test]
fn a_page_size_has_a_minimum_and_a_maximum() {
    for text in ["", "0", "1001", "-1", "1.5", "ten", "99999999999"] {
        assert_eq!(text.parse::<PageSize>().unwrap_err().field, "limit");
    }
    assert_eq!(size("1").rows_to_read(), 2);
    assert_eq!(size("1000").rows_to_read(), 1_001);
}

#[test]
fn a_cursor_round_trips_and_other_texts_are_refused() {
    let row = Cursor {
        step: 3,
        row: -7,
        ..at(5)
    };
    for cursor in [row, Cursor::OLDEST, Cursor::NEWEST] {
        assert_eq!(cursor.to_string().parse(), Ok(cursor));
    }
    let text = row.to_string();
    let long = format!("{text}AAAA");
    let before_1970 = URL_SAFE_NO_PAD.encode([255; 20]);
    let after_9999 = URL_SAFE_NO_PAD.encode([127; 20]);
    for other in ["", "x", &text[1..], &long, &before_1970, &after_9999] {
        assert_eq!(other.parse::<Cursor>().unwrap_err().field, "cursor");
    }
}

#[test]
fn a_page_ends_where_the_next_one_starts() {
    let page = Page::new(rows(1..=3), size("2"));
    assert_eq!(page.next(), Some(at(2)));
    assert_eq!(page.into_items(), [1, 2]);
    let last = Page::new(rows(3..=4), size("2"));
    assert_eq!(last.next(), None);
    assert_eq!(last.into_items(), [3, 4]);
    assert_eq!(Page::<i64>::default().next(), None);
}

#[test]
fn several_lists_merge_in_order() {
    let odd = Page::new(rows([1, 3, 5]), size("2"));
    let even = Page::new(rows([2]), size("2"));
    let page = Page::merged([odd, even], size("2"));
    assert_eq!(page.next(), Some(at(2)));
    assert_eq!(page.into_items(), [1, 2]);
}

#[test]
fn merging_keeps_the_next_page_of_each_list() {
    let long = Page::new(rows([1, 2]), size("1"));
    let page = Page::merged([long, Page::default()], size("1"));
    assert_eq!(page.next(), Some(at(1)));
}
