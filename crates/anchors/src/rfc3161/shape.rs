//! The outline of a DER value, checked before anything is decoded from it.
//!
//! Invariant: what follows costs a time in proportion to the length. Decoders sort the elements
//! of a SET one by one, so a SET of thousands would cost seconds.

use super::refusal::Refusal;

/// Most values inside each other.
const DEPTH_MAX: usize = 40;
/// Most elements of a SET.
const SET_MAX: usize = 64;

const CONSTRUCTED: u8 = 0x20;
const TAG_NUMBER: u8 = 0x1f;
const SET: u8 = 0x31;
/// The content of SETs with a tag of their own in CMS: certificates and attributes.
const CONTEXT: u8 = 0xa0;

/// Returns the first value of `bytes` and the bytes after it, if the value is DER in its outline:
/// definite lengths, tags of one byte, every constructed value full of others.
pub(super) fn check<'a>(
    bytes: &'a [u8],
    what: &'static str,
) -> Result<(&'a [u8], &'a [u8]), Refusal> {
    first_value(bytes, DEPTH_MAX)
        .map(|length| bytes.split_at(length))
        .ok_or(Refusal::Malformed(what))
}

/// Returns the length of the first value, if it is in order.
fn first_value(bytes: &[u8], depth: usize) -> Option<usize> {
    let depth = depth.checked_sub(1)?;
    let (&tag, rest) = bytes.split_first()?;
    if tag & TAG_NUMBER == TAG_NUMBER {
        return None;
    }
    let (length, rest) = length(rest)?;
    let content = rest.get(..length)?;
    if tag & CONSTRUCTED != 0 {
        let limited = tag == SET || tag & CONTEXT == CONTEXT;
        let mut left = content;
        let mut elements = 0_usize;
        while !left.is_empty() {
            elements += 1;
            if limited && elements > SET_MAX {
                return None;
            }
            left = left.get(first_value(left, depth)?..)?;
        }
    }
    Some(bytes.len() - rest.len() + length)
}

/// Reads a length (X.690 sections 8.1.3 and 10.1) of at most four bytes.
fn length(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (&first, rest) = bytes.split_first()?;
    if first < 0x80 {
        return Some((usize::from(first), rest));
    }
    let count = usize::from(first & 0x7f);
    if !(1..=4).contains(&count) {
        return None;
    }
    let (digits, rest) = rest.split_at_checked(count)?;
    let length = digits
        .iter()
        .fold(0_usize, |length, digit| length << 8 | usize::from(*digit));
    Some((length, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(tag: u8, content: &[u8]) -> Vec<u8> {
        let length = u16::try_from(content.len()).unwrap().to_be_bytes();
        [&[tag, 0x82, length[0], length[1]], content].concat()
    }

    #[test]
    fn a_value_ends_where_the_next_begins() {
        let bytes = [0x30, 3, 2, 1, 7, 0xff];
        let (value, rest) = check(&bytes, "it").unwrap();
        assert_eq!((value, rest), (&bytes[..5], &bytes[5..]));
    }

    #[test]
    fn what_is_not_der_is_refused() {
        for bytes in [
            &[][..],
            &[0x30],
            &[0x30, 2, 2],
            &[0x30, 2, 2, 1],
            &[0x30, 0x80, 2, 1, 7, 0, 0],
            &[0x3f, 0x81, 1, 0],
            &[0x30, 0x85, 0, 0, 0, 0, 0],
            &[0x30, 0x84, 0xff, 0xff, 0xff, 0xff],
        ] {
            assert_eq!(
                check(bytes, "it"),
                Err(Refusal::Malformed("it")),
                "{bytes:?}"
            );
        }
    }

    #[test]
    fn deep_nesting_is_refused() {
        let nested = |depth| (1..depth).fold(vec![0x30, 0], |inner, _| wrapped(0x30, &inner));
        assert!(check(&nested(DEPTH_MAX), "it").is_ok());
        assert!(check(&nested(DEPTH_MAX + 1), "it").is_err());
        assert!(check(&nested(8_000), "it").is_err());
    }

    #[test]
    fn large_sets_are_refused_under_each_tag() {
        for tag in [0x31, 0xa0, 0xa1] {
            assert!(check(&wrapped(tag, &[5, 0].repeat(SET_MAX)), "it").is_ok());
            assert!(check(&wrapped(tag, &[5, 0].repeat(SET_MAX + 1)), "it").is_err());
        }
        assert!(check(&wrapped(0x30, &[5, 0].repeat(SET_MAX + 1)), "it").is_ok());
    }
}
