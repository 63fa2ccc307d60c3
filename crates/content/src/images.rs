//! Images: decoded and encoded anew, so that nothing but pixels is kept.
//!
//! What an image is, its own bytes say; its name and its declared type count
//! for nothing. A photograph stays a JPEG, everything else becomes a PNG. Of an
//! animation the first frame is kept: a bounded number of pixels says nothing
//! about a number of frames.

use std::io::Cursor;

use ideavault_domain::file::{IMAGE_PIXELS_MAX, MediaType};
use ideavault_domain::ports::{CleanImage, ImageCleaner, ImageRefused};
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, ImageDecoder as _, ImageError, ImageFormat, ImageReader, Limits};

/// Good enough that nobody sees the second compression.
const JPEG_QUALITY: u8 = 90;
/// Most memory for the pixels of one image: 40 megapixels of four bytes fit.
const MEMORY_MAX: u64 = 256 * 1024 * 1024;
/// Largest file that is kept. Without its former compression, an image can grow.
const STORED_MAX: usize = 32 * 1024 * 1024;

/// [`ImageCleaner`] by decoding and encoding.
#[derive(Clone, Copy, Debug, Default)]
pub struct PixelsOnly;

impl ImageCleaner for PixelsOnly {
    fn clean(&self, file: &[u8]) -> Result<CleanImage, ImageRefused> {
        let format = format(file).ok_or(ImageRefused::Format)?;
        let image = decode(file, format)?;
        let media_type = media_type(file, format, &image);
        let bytes = encode(&image, media_type).map_err(damaged)?;
        if bytes.len() > STORED_MAX {
            return Err(ImageRefused::TooDetailed);
        }
        Ok(CleanImage { media_type, bytes })
    }
}

fn damaged(error: ImageError) -> ImageRefused {
    match error {
        ImageError::Limits(_) => ImageRefused::TooManyPixels,
        error => ImageRefused::Damaged(Box::new(error)),
    }
}

fn format(file: &[u8]) -> Option<ImageFormat> {
    image::guess_format(file).ok().filter(|format| {
        matches!(
            format,
            ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::Gif | ImageFormat::WebP
        )
    })
}

fn decode(file: &[u8], format: ImageFormat) -> Result<DynamicImage, ImageRefused> {
    if format == ImageFormat::Jpeg && !has_end(file) {
        return Err(ImageRefused::Damaged("the image is cut off".into()));
    }
    let mut limits = Limits::default();
    limits.max_alloc = Some(MEMORY_MAX);
    let mut reader = ImageReader::with_format(Cursor::new(file), format);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    if pixels > IMAGE_PIXELS_MAX || decoder.total_bytes() > MEMORY_MAX {
        return Err(ImageRefused::TooManyPixels);
    }
    let orientation = decoder.orientation().map_err(damaged)?;
    let mut image = DynamicImage::from_decoder(decoder).map_err(damaged)?;
    image.apply_orientation(orientation);
    Ok(image)
}

/// Whether the last scan of a JPEG ends. A decoder paints what is missing grey.
fn has_end(jpeg: &[u8]) -> bool {
    let last = |marker: [u8; 2]| jpeg.windows(2).rposition(|bytes| bytes == marker);
    last([0xff, 0xd9]) > last([0xff, 0xda])
}

fn media_type(file: &[u8], format: ImageFormat, image: &DynamicImage) -> MediaType {
    let photograph = match format {
        ImageFormat::Jpeg => true,
        ImageFormat::WebP => !image.color().has_alpha() && !is_lossless(file),
        _ => false,
    };
    if photograph {
        MediaType::Jpeg
    } else {
        MediaType::Png
    }
}

/// Whether a WebP was compressed without loss, as pictures of text are.
fn is_lossless(webp: &[u8]) -> bool {
    // 'RIFF', a length, 'WEBP'; then chunks: a name, a length, and as many
    // bytes, made even.
    let mut rest = webp.get(12..).unwrap_or_default();
    while let Some((name, after)) = rest.split_first_chunk::<4>() {
        let Some((length, after)) = after.split_first_chunk::<4>() else {
            return false;
        };
        if name == b"VP8L" {
            return true;
        }
        let length = u32::from_le_bytes(*length).next_multiple_of(2);
        rest = usize::try_from(length)
            .ok()
            .and_then(|length| after.get(length..))
            .unwrap_or_default();
    }
    false
}

fn encode(image: &DynamicImage, media_type: MediaType) -> Result<Vec<u8>, ImageError> {
    let mut bytes = Vec::new();
    if media_type == MediaType::Jpeg {
        let encoder = JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY);
        image.write_with_encoder(encoder)?;
    } else {
        let (compression, filter) = (CompressionType::Default, FilterType::Adaptive);
        let encoder = PngEncoder::new_with_quality(&mut bytes, compression, filter);
        image.write_with_encoder(encoder)?;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests;
