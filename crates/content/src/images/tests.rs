use image::codecs::gif::GifEncoder;
use image::codecs::webp::WebPEncoder;
use image::{Frame, Rgb, RgbImage, Rgba, RgbaImage};

use super::*;

const CANARY: &str = "canary-9f27";

fn clean(file: &[u8]) -> CleanImage {
    ImageReencoder.clean(file).unwrap()
}

fn refusal(file: &[u8]) -> ImageRefused {
    ImageReencoder.clean(file).unwrap_err()
}

fn pixels(image: &CleanImage) -> DynamicImage {
    let format = match image.media_type {
        MediaType::Jpeg => ImageFormat::Jpeg,
        MediaType::Png | MediaType::Pdf => ImageFormat::Png,
    };
    image::load_from_memory_with_format(&image.bytes, format).unwrap()
}

fn contains(file: &[u8], what: &str) -> bool {
    file.windows(what.len())
        .any(|bytes| bytes == what.as_bytes())
}

/// An image with a red left and a blue right half.
fn halves(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, _| {
        if x < width / 2 {
            Rgb([255, 0, 0])
        } else {
            Rgb([0, 0, 255])
        }
    })
}

fn is_red(image: &DynamicImage, x: u32, y: u32) -> bool {
    let Rgb([red, _, blue]) = *image.to_rgb8().get_pixel(x, y);
    red > 200 && blue < 60
}

fn png(image: &DynamicImage) -> Vec<u8> {
    encode(image, MediaType::Png).unwrap()
}

fn jpeg(image: &RgbImage) -> Vec<u8> {
    encode(&DynamicImage::from(image.clone()), MediaType::Jpeg).unwrap()
}

fn webp(image: &DynamicImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    image
        .write_with_encoder(WebPEncoder::new_lossless(&mut bytes))
        .unwrap();
    bytes
}

fn gif(frames: &[RgbaImage]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = GifEncoder::new(&mut bytes);
    let frames = frames.iter().cloned().map(Frame::new);
    encoder.encode_frames(frames).unwrap();
    drop(encoder);
    bytes
}

/// Builds a PNG chunk with its checksum.
fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let body = [name, data].concat();
    let crc = body.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    });
    let length = u32::try_from(data.len()).unwrap().to_be_bytes();
    [&length[..], &body, &(!crc).to_be_bytes()].concat()
}

/// Inserts bytes into a file.
fn insert(file: &[u8], at: usize, bytes: &[u8]) -> Vec<u8> {
    [&file[..at], bytes, &file[at..]].concat()
}

/// Builds EXIF data with an orientation, a description and a location.
fn exif(orientation: u8) -> Vec<u8> {
    let text = format!("{CANARY}\0");
    let length = u8::try_from(text.len()).unwrap();
    // Little endian; three entries of 12 bytes begin at 10, the GPS directory
    // at 50, the text at 68.
    let mut tiff = b"II*\0\x08\0\0\0".to_vec();
    tiff.extend([3, 0]);
    tiff.extend([0x0e, 0x01, 2, 0, length, 0, 0, 0, 68, 0, 0, 0]);
    tiff.extend([0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]);
    tiff.extend([0x25, 0x88, 4, 0, 1, 0, 0, 0, 50, 0, 0, 0]);
    tiff.extend([0, 0, 0, 0]);
    // GPSLatitudeRef: N.
    tiff.extend([1, 0, 1, 0, 2, 0, 2, 0, 0, 0, b'N', 0, 0, 0, 0, 0, 0, 0]);
    tiff.extend(text.as_bytes());
    tiff
}

/// Builds a JPEG with EXIF data, as a camera writes it.
fn photograph(image: &RgbImage, orientation: u8) -> Vec<u8> {
    let body = [b"Exif\0\0".as_slice(), &exif(orientation)].concat();
    let length = u16::try_from(body.len() + 2).unwrap().to_be_bytes();
    let segment = [&[0xff, 0xe1][..], &length, &body].concat();
    insert(&jpeg(image), 2, &segment)
}

#[test]
fn a_photograph_loses_its_location_and_is_rotated_upright() {
    // After a quarter turn clockwise, the left half is at the top.
    let file = photograph(&halves(40, 20), 6);
    assert!(contains(&file, CANARY) && contains(&file, "Exif"));

    let image = clean(&file);

    assert_eq!(image.media_type, MediaType::Jpeg);
    assert!(!contains(&image.bytes, CANARY));
    assert!(!contains(&image.bytes, "Exif"));
    let pixels = pixels(&image);
    assert_eq!((pixels.width(), pixels.height()), (20, 40));
    assert!(is_red(&pixels, 10, 5));
    assert!(!is_red(&pixels, 10, 35));
}

#[test]
fn every_orientation_is_applied() {
    for orientation in 1..=8 {
        let pixels = pixels(&clean(&photograph(&halves(40, 20), orientation)));
        let lies = orientation >= 5;
        let size = if lies { (20, 40) } else { (40, 20) };
        assert_eq!((pixels.width(), pixels.height()), size, "{orientation}");
        let (x, y) = match orientation {
            1 | 4 => (5, 10),
            2 | 3 => (35, 10),
            5 | 6 => (10, 5),
            _ => (10, 35),
        };
        assert!(is_red(&pixels, x, y), "{orientation}");
    }
}

#[test]
fn a_png_keeps_every_pixel_and_no_text() {
    let image = RgbaImage::from_fn(33, 17, |x, y| {
        Rgba([(x * 7) as u8, (y * 11) as u8, (x * y) as u8, (x * 5) as u8])
    });
    let image = DynamicImage::from(image);
    // After the signature and the header.
    let text = chunk(b"tEXt", format!("Author\0{CANARY}").as_bytes());
    let file = insert(&png(&image), 33, &text);
    let file = [&file[..], format!("<script>{CANARY}</script>").as_bytes()].concat();

    let cleaned = clean(&file);

    assert_eq!(cleaned.media_type, MediaType::Png);
    assert!(!contains(&cleaned.bytes, CANARY));
    assert_eq!(pixels(&cleaned).to_rgba8(), image.to_rgba8());
}

#[test]
fn pngs_keep_bit_depth_and_grayscale() {
    use image::ColorType::{L8, L16, La8, Rgb16, Rgba16};

    for color in [L8, La8, L16, Rgb16, Rgba16] {
        let file = png(&DynamicImage::new(5, 5, color));
        assert_eq!(pixels(&clean(&file)).color(), color);
    }
}

#[test]
fn a_lossless_webp_becomes_a_png() {
    for image in [
        DynamicImage::from(halves(31, 9)),
        DynamicImage::from(RgbaImage::from_pixel(31, 9, Rgba([1, 2, 3, 4]))),
    ] {
        let cleaned = clean(&webp(&image));
        assert_eq!(cleaned.media_type, MediaType::Png);
        assert_eq!(pixels(&cleaned).to_rgba8(), image.to_rgba8());
    }
}

#[test]
fn a_lossy_webp_becomes_a_jpeg() {
    // One pixel, with lossy compression.
    let file: &[u8] = b"RIFF\x22\0\0\0WEBPVP8 \x16\0\0\0\x30\x01\0\x9d\x01\x2a\x01\0\x01\0\x0e\xc0\xfe\x25\xa4\0\x03\x70\0\0\0\0";
    let cleaned = clean(file);
    assert_eq!(cleaned.media_type, MediaType::Jpeg);
    assert_eq!(pixels(&cleaned).width(), 1);
}

#[test]
fn an_animation_keeps_only_its_first_frame() {
    let [red, blue] = [[255, 0, 0, 255], [0, 0, 255, 255]]
        .map(|colour| RgbaImage::from_pixel(12, 8, Rgba(colour)));
    let cleaned = clean(&gif(&[red, blue]));
    assert_eq!(cleaned.media_type, MediaType::Png);
    let pixels = pixels(&cleaned);
    assert_eq!((pixels.width(), pixels.height()), (12, 8));
    assert!(is_red(&pixels, 6, 4));
}

#[test]
fn a_gif_that_is_also_a_script_is_reduced_to_pixels() {
    // Its width reads `/*` and its comment ends in `*/=1;alert(...)`: a valid
    // script to a browser that ignores the type.
    let mut file = gif(&[RgbaImage::from_pixel(1, 1, Rgba([255, 0, 0, 255]))]);
    file[6..8].copy_from_slice(b"/*");
    let script = format!("*/=1;alert('{CANARY}')//");
    let length = u8::try_from(script.len()).unwrap();
    let comment = [&[0x21, 0xfe, length][..], script.as_bytes(), &[0]].concat();
    let trailer = file.len() - 1;
    let file = insert(&file, trailer, &comment);
    let file = [&file[..], script.as_bytes()].concat();
    assert!(file.starts_with(b"GIF89a/*"));

    let cleaned = clean(&file);

    assert_eq!(cleaned.media_type, MediaType::Png);
    for part in [CANARY, "alert", "/*", "GIF"] {
        assert!(!contains(&cleaned.bytes, part), "{part}");
    }
}

#[test]
fn unsupported_formats_are_refused_whatever_their_name() {
    let bitmap = b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0";
    for file in [
        b"".as_slice(),
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"<?xml version='1.0'?><svg/>",
        b"<html>",
        b"%PDF-1.7",
        b"MM\0*\0\0\0\x08",
        b"\0\0\0\x20ftypavif",
        bitmap,
        b"just text",
    ] {
        assert!(matches!(refusal(file), ImageRefused::Format), "{file:?}");
    }
}

#[test]
fn a_decompression_bomb_is_refused_by_its_header() {
    // 60,000 by 60,000 pixels, in a few bytes.
    let mut header = [0; 13];
    header[..4].copy_from_slice(&60_000_u32.to_be_bytes());
    header[4..8].copy_from_slice(&60_000_u32.to_be_bytes());
    header[8..10].copy_from_slice(&[8, 2]);
    let png = [
        b"\x89PNG\r\n\x1a\n".as_slice(),
        &chunk(b"IHDR", &header),
        &chunk(b"IDAT", b""),
    ]
    .concat();
    assert!(matches!(refusal(&png), ImageRefused::TooManyPixels));

    let mut gif = gif(&[RgbaImage::new(1, 1)]);
    gif[6..10].copy_from_slice(&[0xff; 4]);
    assert!(matches!(refusal(&gif), ImageRefused::TooManyPixels));

    let mut jpeg = jpeg(&halves(8, 8));
    let frame = jpeg
        .windows(2)
        .position(|marker| marker == [0xff, 0xc0])
        .unwrap();
    jpeg[frame + 5..frame + 9].copy_from_slice(&[0xff; 4]);
    assert!(matches!(refusal(&jpeg), ImageRefused::TooManyPixels));
}

#[test]
fn images_over_forty_megapixels_are_refused() {
    let of_size = |width, height| png(&DynamicImage::new_luma8(width, height));
    assert_eq!(clean(&of_size(8_000, 5_000)).media_type, MediaType::Png);
    let over = of_size(8_000, 5_001);
    assert!(matches!(refusal(&over), ImageRefused::TooManyPixels));
}

#[test]
fn a_damaged_or_truncated_image_is_refused() {
    let halves = halves(64, 64);
    let image = DynamicImage::from(halves.clone());
    let frame = RgbaImage::from_fn(64, 64, |x, y| Rgba([x as u8, y as u8, 7, 255]));
    for file in [png(&image), jpeg(&halves), webp(&image), gif(&[frame])] {
        clean(&file);
        for length in [16, file.len() / 2] {
            let cut = &file[..length];
            assert!(
                matches!(refusal(cut), ImageRefused::Damaged(_)),
                "{length} of {}",
                file.len()
            );
        }
    }
}
