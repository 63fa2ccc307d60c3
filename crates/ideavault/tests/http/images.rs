//! Images: accepted formats, and what is left after re-encoding.

use image::{ImageFormat, Rgb, RgbImage};
use reqwest::Method;
use serde_json::json;

use crate::accounts::USER_KEYS;
use crate::harness::{App, Form, keys, png};

on_sqlite!(
    an_image_is_served_reencoded_without_trailing_data,
    the_location_is_removed_from_a_photograph,
    unsupported_files_are_refused_whatever_their_name,
    a_decompression_bomb_is_refused,
    images_over_five_mebibytes_are_refused,
    an_image_for_an_idea_requires_that_idea,
    assets_list_own_images_newest_first,
    a_profile_photo_is_stored_and_served_as_an_image,
    images_are_kept_when_their_draft_is_deleted,
);

const UPLOAD: &str = "/api/upload/image";
const CANARY: &str = "canary-6d1f";

fn encoded(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let image = RgbImage::from_fn(width, height, |x, y| Rgb([x as u8, y as u8, 200]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn form(name: &str, content: &[u8]) -> Form {
    Form::default().file("image", name, "image/png", content)
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes
        .windows(text.len())
        .any(|part| part == text.as_bytes())
}

async fn an_image_is_served_reencoded_without_trailing_data(app: App) {
    let ada = app.creator("ada").await;
    for (format, name, stored_as, media_type) in [
        (ImageFormat::Png, "a.png", "a.png", "image/png"),
        (ImageFormat::Jpeg, "a.jpeg", "a.jpeg", "image/jpeg"),
        (ImageFormat::Gif, "a.gif", "a.png", "image/png"),
        (ImageFormat::WebP, "a.webp", "a.png", "image/png"),
    ] {
        // Data after the image may be the other half of a polyglot.
        let tail = format!("<script>{CANARY}</script>");
        let file = [encoded(30, 20, format), tail.into_bytes()].concat();
        let answer = ada
            .upload(UPLOAD, &form(name, &file))
            .await
            .expect(200)
            .json();
        assert_eq!(keys(&answer), ["url"]);
        let served = ada.get(answer["url"].as_str().unwrap()).await.expect(200);
        assert!(!contains(&served.body, CANARY), "{name}");
        assert_eq!(served.header("content-type"), media_type);
        assert_eq!(served.header("x-content-type-options"), "nosniff");
        assert_eq!(served.header("cache-control"), "private, no-store");
        let policy = served.header("content-security-policy");
        assert!(
            policy.starts_with("default-src 'none'; sandbox;"),
            "{policy}"
        );
        let disposition = served.header("content-disposition");
        assert!(
            disposition.contains(&format!("\"{stored_as}\"")),
            "{disposition}"
        );
        let image = image::load_from_memory(&served.body).unwrap();
        assert_eq!((image.width(), image.height()), (30, 20));
    }
}

async fn the_location_is_removed_from_a_photograph(app: App) {
    let ada = app.creator("ada").await;
    let jpeg = encoded(30, 20, ImageFormat::Jpeg);
    // Big-endian EXIF data with one entry, a description.
    let text = format!("GPS 48.137N 11.575E {CANARY}\0");
    let mut exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x0e\0\x02".to_vec();
    exif.extend(u32::try_from(text.len()).unwrap().to_be_bytes());
    exif.extend([0, 0, 0, 26, 0, 0, 0, 0]);
    exif.extend(text.as_bytes());
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    let file = [&jpeg[..2], &[0xff, 0xe1], &length, &exif, &jpeg[2..]].concat();
    assert!(contains(&file, CANARY));
    let served = ada.get(&ada.image("holiday.jpg", &file).await).await;
    let served = served.expect(200);
    assert_eq!(served.header("content-type"), "image/jpeg");
    for told in [CANARY, "GPS", "Exif"] {
        assert!(!contains(&served.body, told), "{told}");
    }
}

async fn unsupported_files_are_refused_whatever_their_name(app: App) {
    let ada = app.creator("ada").await;
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>";
    let truncated = &png()[..60];
    for (name, media_type, content) in [
        ("a.svg", "image/svg+xml", svg.as_bytes()),
        ("a.png", "image/png", svg.as_bytes()),
        ("a.png", "image/png", b"<html>"),
        ("a.png", "image/png", b"%PDF-1.7"),
        ("a.png", "image/png", b""),
        ("a.gif", "image/gif", b"GIF89a/*"),
        ("a.png", "image/png", truncated),
    ] {
        let upload = Form::default().file("image", name, media_type, content);
        for path in [UPLOAD, "/api/profile/image"] {
            ada.upload(path, &upload).await.refuses("image");
        }
    }
    assert_eq!(ada.get("/api/assets").await.json(), json!([]));
    assert_eq!(
        ada.get("/api/auth/me").await.json()["profileImage"],
        json!(null)
    );
    // The bytes decide on the type.
    let upload = Form::default().file("image", "a.svg", "image/svg+xml", &png());
    ada.upload(UPLOAD, &upload).await.expect(200);
}

async fn a_decompression_bomb_is_refused(app: App) {
    let ada = app.creator("ada").await;
    let mut gif = encoded(1, 1, ImageFormat::Gif);
    gif[6..10].copy_from_slice(&[0xff; 4]);
    let refused = ada.upload(UPLOAD, &form("a.gif", &gif)).await;
    let refused = refused.refuses("image").json();
    assert_eq!(refused["message"], "Images can have at most 40 megapixels");
}

async fn images_over_five_mebibytes_are_refused(app: App) {
    let ada = app.creator("ada").await;
    let padded = |size: usize| {
        let mut file = png();
        file.resize(size, 0);
        file
    };
    let limit = 5 * 1024 * 1024;
    ada.upload(UPLOAD, &form("a.png", &padded(limit)))
        .await
        .expect(200);
    for path in [UPLOAD, "/api/profile/image"] {
        for size in [limit + 1, 20_000_000] {
            let refused = ada.upload(path, &form("a.png", &padded(size))).await;
            let message = refused.expect(413).json()["message"].clone();
            assert_eq!(message, "Images must be less than 5MB");
        }
    }
}

async fn an_image_for_an_idea_requires_that_idea(app: App) {
    let (ada, bob) = (app.creator("ada").await, app.creator("bob").await);
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let with = |id: &str| form("a.png", &png()).text("ideaId", id);
    ada.upload(UPLOAD, &with(&idea.to_string()))
        .await
        .expect(200);
    ada.upload(UPLOAD, &with("")).await.expect(200);
    let foreign = bob
        .upload(UPLOAD, &with(&idea.to_string()))
        .await
        .expect(404);
    let absent = bob.upload(UPLOAD, &with("999999")).await.expect(404);
    assert_eq!(foreign.body, absent.body);
    for wrong in ["one", "1.5", "+1", "1 OR 1=1"] {
        bob.upload(UPLOAD, &with(wrong)).await.refuses("ideaId");
    }
    assert_eq!(bob.get("/api/assets").await.json(), json!([]));
}

async fn assets_list_own_images_newest_first(app: App) {
    let (ada, bob) = (app.creator("ada").await, app.creator("bob").await);
    let first = ada.image("first.png", &png()).await;
    let second = ada
        .image("second.gif", &encoded(3, 3, ImageFormat::Gif))
        .await;
    bob.image("foreign.png", &png()).await;
    let assets = ada.get("/api/assets").await.expect(200).json();
    let assets = assets.as_array().unwrap();
    assert_eq!(
        keys(&assets[0]),
        ["createdAt", "fileName", "filePath", "id"]
    );
    let listed: Vec<_> = assets
        .iter()
        .map(|asset| (asset["fileName"].clone(), asset["filePath"].clone()))
        .collect();
    let expected = [
        (json!("second.png"), json!(second)),
        (json!("first.png"), json!(first)),
    ];
    assert_eq!(listed, expected);
    let id = assets[0]["id"].as_str().unwrap();
    assert_eq!(second, format!("/api/files/{id}"));
}

async fn a_profile_photo_is_stored_and_served_as_an_image(app: App) {
    let (ada, bob) = (app.creator("ada").await, app.creator("bob").await);
    let mut photos = Vec::new();
    for name in ["one.png", "two.png"] {
        let user = ada.upload("/api/profile/image", &form(name, &png())).await;
        let user = user.expect(200).json();
        assert_eq!(keys(&user), USER_KEYS);
        assert_eq!(ada.get("/api/auth/me").await.json(), user);
        photos.push(user["profileImage"].as_str().unwrap().to_owned());
    }
    assert_ne!(photos[0], photos[1]);
    for photo in &photos {
        ada.get(photo).await.expect(200);
        bob.get(photo).await.expect(404);
    }
    let assets = ada.get("/api/assets").await.json();
    assert_eq!(assets.as_array().unwrap().len(), 2);
    let me = bob.get("/api/auth/me").await.json();
    assert_eq!(me["profileImage"], json!(null));
}

async fn images_are_kept_when_their_draft_is_deleted(app: App) {
    let ada = app.creator("ada").await;
    let image = ada.image("a.png", &png()).await;
    let idea = ada
        .idea("Kettle", format!("<p><img src=\"{image}\" alt=\"\"></p>"))
        .await;
    let path = format!("/api/ideas/{idea}");
    ada.send(Method::DELETE, &path, |request| request)
        .await
        .expect(204);
    ada.get(&image).await.expect(200);
    assert!(app.stored(&image).exists());
}
