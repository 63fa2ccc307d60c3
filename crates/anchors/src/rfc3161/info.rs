//! Parses the signed content of a time-stamp (`TSTInfo`).

use chrono::{DateTime, NaiveDate, Utc};
use der::asn1::{AnyRef, Int, ObjectIdentifier, OctetString};
use der::{Decode, Reader, Sequence, Tag, TagMode, TagNumber, Tagged};
use x509_cert::ext::Extensions;
use x509_cert::spki::AlgorithmIdentifierOwned;

use super::fields::{optional, read};
use super::refusal::Refusal;
use super::shape;

/// The content of a time-stamp (RFC 3161 section 2.4.2), as far as it matters. Its name of the
/// authority is not read: the certificate's holds.
pub(super) struct TstInfo {
    pub(super) imprint: MessageImprint,
    pub(super) serial: Int,
    pub(super) gen_time: DateTime<Utc>,
    pub(super) nonce: Option<Int>,
    pub(super) has_critical_extension: bool,
}

/// A digest with its algorithm.
#[derive(Sequence)]
pub(super) struct MessageImprint {
    pub(super) algorithm: AlgorithmIdentifierOwned,
    pub(super) digest: OctetString,
}

impl TstInfo {
    /// Parses the content of a token.
    pub(super) fn parse(content: &[u8]) -> Result<Self, Refusal> {
        const WHAT: &str = "the time-stamp";
        let (_, rest) = shape::check(content, WHAT)?;
        if !rest.is_empty() {
            return Err(Refusal::Malformed(WHAT));
        }
        read(content, WHAT, |reader| {
            reader.sequence(|reader| {
                if u8::decode(reader)? != 1 {
                    return Err(Tag::Integer.value_error());
                }
                // The policy: none was asked for.
                ObjectIdentifier::decode(reader)?;
                let imprint = MessageImprint::decode(reader)?;
                let serial = Int::decode(reader)?;
                let gen_time = gen_time(AnyRef::decode(reader)?)?;
                let mut next = |tag: Tag| -> der::Result<Option<AnyRef<'_>>> {
                    match !reader.is_finished() && reader.peek_tag()? == tag {
                        true => AnyRef::decode(reader).map(Some),
                        false => Ok(None),
                    }
                };
                next(Tag::Sequence)?;
                next(Tag::Boolean)?;
                let nonce = next(Tag::Integer)?
                    .map(|found| found.decode_as())
                    .transpose()?;
                optional(reader, TagNumber::N0)?;
                let extensions: Option<Extensions> =
                    reader.context_specific(TagNumber::N1, TagMode::Implicit)?;
                let has_critical_extension = extensions
                    .iter()
                    .flatten()
                    .any(|extension| extension.critical);
                Ok(Self {
                    imprint,
                    serial,
                    gen_time,
                    nonce,
                    has_critical_extension,
                })
            })
        })
    }
}

/// Reads a GeneralizedTime with the fractions of a second that RFC 3161 allows. Microseconds are
/// kept, what is smaller is cut off.
fn gen_time(value: AnyRef<'_>) -> der::Result<DateTime<Utc>> {
    value.tag().assert_eq(Tag::GeneralizedTime)?;
    std::str::from_utf8(value.value())
        .ok()
        .and_then(parse_gen_time)
        .ok_or_else(|| Tag::GeneralizedTime.value_error())
}

fn parse_gen_time(text: &str) -> Option<DateTime<Utc>> {
    let text = text.strip_suffix('Z')?;
    let (whole, micros) = match text.split_once('.') {
        None => (text, 0),
        Some((whole, digits)) => {
            let is_fraction = !digits.ends_with('0') && (1..=9).contains(&digits.len());
            if !is_fraction || !is_number(digits) {
                return None;
            }
            let micros = format!("{digits:0<6}").get(..6)?.parse().ok()?;
            (whole, micros)
        }
    };
    if whole.len() != 14 || !is_number(whole) {
        return None;
    }
    let part = |from: usize, to: usize| whole.get(from..to)?.parse::<u32>().ok();
    let year = whole.get(..4)?.parse().ok()?;
    NaiveDate::from_ymd_opt(year, part(4, 6)?, part(6, 8)?)?
        .and_hms_micro_opt(part(8, 10)?, part(10, 12)?, part(12, 14)?, micros)
        .map(|time| time.and_utc())
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_fractions_of_a_second() {
        for (text, expected) in [
            ("20260102030405Z", "2026-01-02T03:04:05Z"),
            ("20260102030405.5Z", "2026-01-02T03:04:05.500Z"),
            ("20260102030405.000001Z", "2026-01-02T03:04:05.000001Z"),
            ("20260102030405.123456789Z", "2026-01-02T03:04:05.123456Z"),
        ] {
            let expected: DateTime<Utc> = expected.parse().unwrap();
            assert_eq!(parse_gen_time(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn times_that_der_does_not_allow_are_refused() {
        for text in [
            "20260102030405",
            "202601020304Z",
            "20260102030405.Z",
            "20260102030405.50Z",
            "20260102030405,5Z",
            "20260102030405+0100",
            "20260102030405.1234567891Z",
            "20261302030405Z",
            "20260102030460Z",
            "+0260102030405Z",
            "20260102030405.+1Z",
            "2026010203040\u{e9}Z",
        ] {
            assert_eq!(parse_gen_time(text), None, "{text}");
        }
    }
}
