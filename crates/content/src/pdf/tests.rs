use super::reader::INFLATED_MAX;
use super::*;

const LOCKED: &[u8] = include_bytes!("../../../../tests/e2e/samples/password.pdf");
const OWNER_LOCKED: &[u8] = include_bytes!("../../../../tests/e2e/samples/owner-password.pdf");
const PICTURES: &[u8] = include_bytes!("../../../../tests/e2e/samples/pictures.pdf");
const MINIMAL: &str = "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n\
     2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n\
     3 0 obj<</Type /Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\n\
     trailer<</Root 1 0 R>>\n";

const TREE: [&str; 3] = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R>>",
];

fn check(file: &[u8]) -> Result<(), PdfRefused> {
    PdfPageChecker.check(file)
}

/// Builds a file whose catalog and page tree are in a compressed object stream.
fn compressed(objects: &[&str]) -> Vec<u8> {
    let (mut head, mut body) = (String::new(), String::new());
    for (number, object) in (1..).zip(objects) {
        head.push_str(&format!("{number} {} ", body.len()));
        body.push_str(object);
        body.push(' ');
    }
    let first = head.len();
    let stream = miniz_oxide::deflate::compress_to_vec_zlib((head + &body).as_bytes(), 9);
    let mut file =
        format!("%PDF-1.7\n5 0 obj<</Type/ObjStm/First {first}/Filter/FlateDecode>>stream\r\n")
            .into_bytes();
    file.extend(stream);
    file.extend(b"\nendstream endobj\n6 0 obj<</Type/XRef/Root 1 0 R>>stream\nx\nendstream");
    file
}

#[test]
fn a_pdf_with_a_page_is_accepted() {
    for file in [MINIMAL.as_bytes(), PICTURES] {
        assert_eq!(check(file), Ok(()));
    }
    assert_eq!(check(&compressed(&TREE)), Ok(()));
    let mention = format!("{MINIMAL}% see /Encrypt 9 0 R and /Encrypt");
    assert_eq!(check(mention.as_bytes()), Ok(()));
}

#[test]
fn a_pdf_without_a_page_is_damaged() {
    for file in [
        "%PDF-1.7\n?????",
        "%PDF-1.7\ntrailer<</Root 1 0 R>>",
        &MINIMAL.replace("/Type /Page/", "/Type/Pages/"),
        &MINIMAL.replace("/Root", "/Rest"),
        MINIMAL.split_once("trailer").unwrap().0,
    ] {
        assert_eq!(check(file.as_bytes()), Err(PdfRefused::Damaged), "{file}");
    }
    assert_eq!(
        check(&compressed(&[TREE[0], TREE[1], "<</Type/Pages>>"])),
        Err(PdfRefused::Damaged)
    );
}

/// Changes the minimal file, and appends objects to it.
fn changed(from: &str, to: &str, appended: &str) -> Vec<u8> {
    assert!(MINIMAL.contains(from), "{from}");
    (MINIMAL.replace(from, to) + appended).into_bytes()
}

#[test]
fn a_page_outside_the_page_tree_does_not_count() {
    let kids = "/Kids[3 0 R]/Count 1";
    for file in [
        changed(kids, "/Kids[]/Count 0", ""),
        changed(kids, "/Kids[]/Count 2147483647", ""),
        changed(kids, "/Count 1", ""),
        changed(kids, "/Kids[9 0 R]/Count 1", ""),
        changed(kids, "/Kids[2 0 R]/Count 1", ""),
        changed(kids, "/Kids[4 0 R]", "4 0 obj<</Kids[2 0 R 4 0 R]>>endobj"),
        changed("/Pages 2 0 R", "", ""),
        changed("/Root 1 0 R", "/Root 7 0 R", ""),
        // A later revision that removes the only page.
        changed(kids, kids, "2 0 obj<</Type/Pages/Kids[]>>endobj"),
        compressed(&[TREE[0], "<</Type/Pages/Kids[]/Count 1>>", TREE[2]]),
    ] {
        let shown = String::from_utf8_lossy(&file);
        assert_eq!(check(&file), Err(PdfRefused::Damaged), "{shown}");
    }
    let mut locked = OWNER_LOCKED.to_vec();
    let kids = memchr::memmem::find(&locked, b"/Kids").unwrap();
    locked[kids..kids + 5].copy_from_slice(b"/Gone");
    assert_eq!(check(&locked), Err(PdfRefused::Damaged));
}

#[test]
fn a_page_is_found_in_any_form_of_page_tree() {
    let kids = "/Kids[3 0 R]/Count 1";
    let embedded = MINIMAL.replace("/Kids[3 0 R]", "/Kids[]");
    let length = embedded.len();
    let mut deep = String::new();
    for number in 10..2_000 {
        deep.push_str(&format!(
            "{number} 0 obj<</Kids[{} 0 R]>>endobj ",
            number + 1
        ));
    }
    deep.push_str("2000 0 obj<</Kids[3 0 R]>>endobj");
    for file in [
        changed(kids, "/Kids[3 0 R]/Count 2147483647", ""),
        changed(kids, "/Kids[3 0 R]/Count -1", ""),
        changed(kids, "/Kids 4 0 R", "4 0 obj\n[ 9 0 R 3 0 R ]\nendobj"),
        changed(
            kids,
            "/Kids[2 0 R 8 0 R 4 0 R]",
            "4 0 obj<</Kids[2 0 R 3 0 R]>>endobj",
        ),
        changed(kids, "/Kids[10 0 R]", &deep),
        changed(kids, "/Kids[<</Type/Page/Title (a \\) >> (b))>>]", ""),
        changed("/Type /Page/", "/", ""),
        changed("/Pages 2 0 R", "% a comment >>\n/Pages\n2\n0\nR/Last", ""),
        changed("endobj\n3 0", "endobj3 0", ""),
        // The objects of another file in a stream have their own numbers.
        changed(
            kids,
            kids,
            &format!("8 0 obj<</Length {length}>>stream\n{embedded}\nendstream endobj"),
        ),
        changed(kids, kids, "1 0 obj<</Type/Catalog/Pages 2 0 R"),
    ] {
        let shown = String::from_utf8_lossy(&file);
        assert_eq!(check(&file), Ok(()), "{shown}");
    }
}

#[test]
fn an_uninspectable_page_tree_is_accepted() {
    let tree = |filter: &str| {
        let file = String::from_utf8_lossy(&compressed(&TREE)).replace("/FlateDecode", filter);
        check(file.as_bytes())
    };
    assert_eq!(tree("/LZWDecode"), Ok(()));
    assert_eq!(tree("[/ASCIIHexDecode/FlateDecode]"), Ok(()));
}

#[test]
fn only_a_password_required_to_open_is_refused() {
    assert_eq!(check(LOCKED), Err(PdfRefused::Protected));
    assert_eq!(check(OWNER_LOCKED), Ok(()));
}

#[test]
fn a_decompression_bomb_is_refused_within_the_budget() {
    let spaces = " ".repeat(INFLATED_MAX / 4);
    let file = compressed(&[&spaces]).repeat(5);
    assert_eq!(check(&file), Err(PdfRefused::Damaged));
}

#[test]
fn a_truncated_or_changed_file_never_panics() {
    for sample in [LOCKED, OWNER_LOCKED, MINIMAL.as_bytes()] {
        for end in (0..sample.len()).step_by(211) {
            let _ = check(&sample[..end]);
            let mut changed = sample.to_vec();
            changed[end] ^= 0x15;
            let _ = check(&changed);
        }
    }
    for flood in [
        "/Encrypt ",
        "/Encrypt<<",
        "/Encrypt 1 0 R 1 0 obj<<",
        "/ObjStm stream",
        "/Type",
        "1 0 obj<<(",
        "1 0 obj<",
        "1 0 obj[",
        "1 0 obj<<>>stream",
        "1 0 obj<</Type/ObjStm/First 9>>stream 1 1 1 1 ",
        "[1 0 R ",
        "trailer<</Root 1 0 R>>",
        "trailer<<(",
    ] {
        let file = format!("{MINIMAL}{}", flood.repeat(20_000));
        let _ = check(file.as_bytes());
    }
}
