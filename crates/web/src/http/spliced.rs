//! Texts that are kept compressed although something in them differs each time.

use std::io::{self, Write as _};

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

/// Header of a gzip stream: deflate, no name, no time, any system (RFC 1952, section 2.3).
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
/// The last block, which is empty (RFC 1951, section 3.2.6).
const LAST_BLOCK: [u8; 2] = [3, 0];

/// A text with gaps, compressed between them.
#[derive(Debug)]
pub struct Spliced {
    pieces: Vec<Piece>,
}

#[derive(Debug)]
struct Piece {
    plain: String,
    /// Complete blocks that refer to nothing before them.
    deflated: Vec<u8>,
    crc: Crc,
}

impl Spliced {
    /// Compresses `text`, which has a gap wherever `mark` stands.
    ///
    /// # Errors
    /// Those of the encoder.
    pub fn new(text: &str, mark: &str) -> io::Result<Self> {
        let pieces = text.split(mark).map(Piece::new);
        Ok(Self {
            pieces: pieces.collect::<io::Result<_>>()?,
        })
    }

    /// Returns the text with `filling` in all gaps.
    #[must_use]
    pub fn plain(&self, filling: &str) -> String {
        let pieces: Vec<_> = self.pieces.iter().map(|piece| &*piece.plain).collect();
        pieces.join(filling)
    }

    /// Returns the text with `filling`, which is short, in all gaps as gzip.
    ///
    /// # Errors
    /// If `filling` has 64 KiB or more.
    pub fn gzip(&self, filling: &str) -> io::Result<Vec<u8>> {
        let too_long = |_| io::Error::from(io::ErrorKind::InvalidInput);
        let length = u16::try_from(filling.len()).map_err(too_long)?;
        let mut gzip = HEADER.to_vec();
        let mut crc = Crc::new();
        for (nth, piece) in self.pieces.iter().enumerate() {
            if nth > 0 {
                // A stored block, which begins at a byte (RFC 1951, section 3.2.4).
                gzip.push(0);
                gzip.extend(length.to_le_bytes());
                gzip.extend((!length).to_le_bytes());
                gzip.extend(filling.as_bytes());
                crc.update(filling.as_bytes());
            }
            gzip.extend(&piece.deflated);
            crc.combine(&piece.crc);
        }
        gzip.extend(LAST_BLOCK);
        gzip.extend(crc.sum().to_le_bytes());
        gzip.extend(crc.amount().to_le_bytes());
        Ok(gzip)
    }
}

impl Piece {
    fn new(plain: &str) -> io::Result<Self> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(plain.as_bytes())?;
        // Ends the block at a byte, without making it the last.
        encoder.flush()?;
        let mut crc = Crc::new();
        crc.update(plain.as_bytes());
        Ok(Self {
            plain: plain.to_owned(),
            deflated: encoder.get_ref().clone(),
            crc,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::GzDecoder;

    use super::*;

    #[test]
    fn it_reads_as_the_text_with_its_gaps_filled() {
        let long = "<p>Lorem ipsum</p>".repeat(5_000);
        for text in ["", "#", "##", "no gap", "#a#b#", &format!("{long}#{long}#")] {
            let spliced = Spliced::new(text, "#").unwrap();
            for filling in ["", "x", "a nonce of 22 letters."] {
                let expected = text.replace('#', filling);
                assert_eq!(spliced.plain(filling), expected);
                let gzip = spliced.gzip(filling).unwrap();
                let mut read = String::new();
                GzDecoder::new(&*gzip).read_to_string(&mut read).unwrap();
                assert_eq!(read, expected);
            }
        }
    }

    #[test]
    fn what_is_too_long_for_a_gap_is_refused() {
        let spliced = Spliced::new("#", "#").unwrap();
        assert!(spliced.gzip(&"x".repeat(0x1_0000)).is_err());
    }
}
