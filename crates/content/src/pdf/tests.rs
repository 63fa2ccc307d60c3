use super::*;

const LOCKED: &[u8] = include_bytes!("../../../../tests/e2e/samples/password.pdf");
const OWNER_LOCKED: &[u8] = include_bytes!("../../../../tests/e2e/samples/owner-password.pdf");
const PICTURES: &[u8] = include_bytes!("../../../../tests/e2e/samples/pictures.pdf");
const MINIMAL: &str = "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n\
     2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n\
     3 0 obj<</Type /Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\n\
     trailer<</Root 1 0 R>>\n";

fn check(file: &[u8]) -> Result<(), PdfRefused> {
    PageFinder.check(file)
}

/// Builds a file whose page is in a compressed object stream.
fn compressed(objects: &[u8]) -> Vec<u8> {
    let stream = miniz_oxide::deflate::compress_to_vec_zlib(objects, 9);
    let mut file =
        b"%PDF-1.7\n5 0 obj<</Type/ObjStm/N 1/First 4/Filter/FlateDecode>>stream\r\n".to_vec();
    file.extend(stream);
    file.extend(b"\nendstream endobj\n6 0 obj<</Type/XRef/Root 1 0 R>>stream\nx\nendstream");
    file
}

#[test]
fn what_has_a_page_is_accepted() {
    for file in [MINIMAL.as_bytes(), PICTURES] {
        assert_eq!(check(file), Ok(()));
    }
    assert_eq!(
        check(&compressed(b"3 0 <</Type/Page/Parent 2 0 R>>")),
        Ok(())
    );
    let mention = format!("{MINIMAL}% see /Encrypt 9 0 R and /Encrypt");
    assert_eq!(check(mention.as_bytes()), Ok(()));
}

#[test]
fn what_has_none_is_damaged() {
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
        check(&compressed(b"3 0 <</Type/Pages>>")),
        Err(PdfRefused::Damaged)
    );
}

#[test]
fn only_a_password_that_it_takes_to_open_is_in_the_way() {
    assert_eq!(check(LOCKED), Err(PdfRefused::Protected));
    assert_eq!(check(OWNER_LOCKED), Ok(()));
}

#[test]
fn a_file_that_unpacks_to_any_size_is_refused_within_the_budget() {
    let zeros = vec![0; INFLATED_MAX / 4];
    let file = compressed(&zeros).repeat(5);
    assert_eq!(check(&file), Err(PdfRefused::Damaged));
}

#[test]
fn a_file_that_is_cut_or_changed_anywhere_is_no_accident() {
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
    ] {
        let file = format!("{MINIMAL}{}", flood.repeat(20_000));
        let _ = check(file.as_bytes());
    }
}
