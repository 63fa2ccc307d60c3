//! Forms with files, written byte by byte, so that tests can malform them.

use reqwest::RequestBuilder;

const BOUNDARY: &str = "----ideavault-7d1c9e";

/// A `multipart/form-data` body.
#[derive(Clone, Default)]
pub struct Form {
    parts: Vec<u8>,
}

impl Form {
    /// Adds a file. `name` goes into the header verbatim, as browsers write it.
    pub fn file(self, field: &str, name: &str, media_type: &str, content: &[u8]) -> Self {
        let name = name.replace('"', "%22");
        let head = format!(
            "Content-Disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\n\
             Content-Type: {media_type}"
        );
        self.part(&head, content)
    }

    /// Adds a text field.
    pub fn text(self, field: &str, text: &str) -> Self {
        let head = format!("Content-Disposition: form-data; name=\"{field}\"");
        self.part(&head, text.as_bytes())
    }

    /// Adds raw bytes.
    pub fn part(mut self, head: &str, content: &[u8]) -> Self {
        let head = format!("--{BOUNDARY}\r\n{head}\r\n\r\n");
        self.parts.extend(head.as_bytes());
        self.parts.extend(content);
        self.parts.extend(b"\r\n");
        self
    }

    /// Returns the body without the closing boundary.
    pub fn unfinished(&self) -> Vec<u8> {
        self.parts.clone()
    }

    /// Returns the complete body.
    pub fn body(&self) -> Vec<u8> {
        let end = format!("--{BOUNDARY}--\r\n");
        [self.unfinished(), end.into_bytes()].concat()
    }

    /// Returns the content type.
    pub fn media_type() -> String {
        format!("multipart/form-data; boundary={BOUNDARY}")
    }

    /// Sets it as the body of a request.
    pub fn on(&self, request: RequestBuilder) -> RequestBuilder {
        request
            .header("content-type", Self::media_type())
            .body(self.body())
    }
}

/// Returns `size` bytes that pass for a PDF, without repetitions.
pub fn pdf(size: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_u32;
    let noise = std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state.to_le_bytes()[0]
    });
    let page = "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]\
                /Count 1>>endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj trailer\
                <</Root 1 0 R>>\n%";
    assert!(
        size >= page.len(),
        "a PDF has {} bytes at least",
        page.len()
    );
    page.bytes().chain(noise).take(size).collect()
}

/// Returns a small image.
pub fn png() -> Vec<u8> {
    let image = image::RgbImage::from_fn(30, 20, |x, y| image::Rgb([x as u8, y as u8, 200]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    image.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}
