//! Decodes and re-encodes images, so that only the pixels are kept.
//!
//! The type of an image is determined from its bytes; its name and its declared type are
//! ignored. A JPEG stays a JPEG, a lossy WebP becomes one, and all others become PNGs.
//! Only the first frame of an animation is kept: the limit of pixels does not bound the
//! number of frames.

use std::io::Cursor;

use ideavault_domain::file::{IMAGE_PIXELS_MAX, MediaType};
use ideavault_domain::ports::{CleanImage, ImageCleaner, ImageRefused};
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, ImageDecoder as _, ImageError, ImageFormat, ImageReader, Limits};

/// High enough that the second compression is invisible.
const JPEG_QUALITY: u8 = 90;
/// Most bytes of memory for decoding one image: 40 megapixels of four bytes fit.
const MEMORY_MAX: u64 = 256 * 1024 * 1024;
/// Most bytes of a re-encoded image, which can be larger than the original.
const STORED_MAX: usize = 32 * 1024 * 1024;

/// [`ImageCleaner`] that decodes and re-encodes.
#[derive(Clone, Copy, Debug, Default)]
pub struct ImageReencoder;

impl ImageCleaner for ImageReencoder {
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

/// Returns whether the last scan of a JPEG is complete. A decoder would fill a missing
/// part with grey.
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

/// Returns whether a WebP is lossless, as screenshots usually are.
fn is_lossless(webp: &[u8]) -> bool {
    // 'RIFF', a length, 'WEBP'; then chunks: a name, a length, and that many
    // bytes, padded to an even number.
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
