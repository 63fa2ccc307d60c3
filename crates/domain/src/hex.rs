//! Bytes as lower-case hexadecimal text.

use std::fmt::Write as _;

/// Returns bytes as lower-case hexadecimal digits, two for each byte.
#[must_use]
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Parses 64 lower-case hexadecimal digits, such as those of a SHA-256 digest. Returns `None` for
/// any other text.
#[must_use]
pub fn decode(text: &str) -> Option<[u8; 32]> {
    decode_bytes(text)?.try_into().ok()
}

/// Parses lower-case hexadecimal digits. Returns `None` for any other text.
#[must_use]
pub fn decode_bytes(text: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let bytes = pairs
        .iter()
        .map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?));
    rest.is_empty().then(|| bytes.collect())?
}

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::Digest;

    #[test]
    fn digests_are_read_as_they_are_written() {
        let digest = *Digest::of(b"").as_bytes();
        let text = encode(&digest);
        assert_eq!(
            text,
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
        assert_eq!(decode(&text), Some(digest));
        for bad in [
            "",
            &text[1..],
            &text[2..],
            &text.to_uppercase(),
            &text.replace('e', "g"),
        ] {
            assert_eq!(decode(bad), None, "{bad}");
        }
    }
}
