//! One X.509 certificate: the parts that matter, and the exact bytes that were signed.

use chrono::{DateTime, Utc};
use der::asn1::{BmpString, Ia5StringRef, PrintableStringRef, TeletexStringRef, Utf8StringRef};
use der::oid::ObjectIdentifier;
use der::{Any, Decode, Encode, Reader, SliceReader, Tag, Tagged};
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::{BasicConstraints, ExtendedKeyUsage, KeyUsage};
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::{AlgorithmIdentifierOwned, SubjectPublicKeyInfoOwned};
use x509_cert::time::Time;

use super::oids;
use super::shape;
use super::signature::{self, SignatureError};

/// Most characters of a name that is shown.
const NAME_MAX: usize = 100;

/// The extensions whose critical mark does not make a certificate unusable. Policies set no
/// limit unless others say so, and those are not listed.
const UNDERSTOOD: [ObjectIdentifier; 6] = [
    oids::BASIC_CONSTRAINTS,
    oids::KEY_USAGE,
    oids::EXTENDED_KEY_USAGE,
    oids::SUBJECT_KEY_ID,
    oids::SUBJECT_ALT_NAME,
    oids::CERTIFICATE_POLICIES,
];

/// A parsed certificate.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Certificate {
    der: Vec<u8>,
    /// The signed bytes as they arrived, never encoded again.
    signed: Vec<u8>,
    parsed: x509_cert::Certificate,
}

/// The extended key usage.
pub(super) struct Purposes {
    pub(super) critical: bool,
    pub(super) list: Vec<ObjectIdentifier>,
}

impl Certificate {
    /// Parses a certificate that fills `der`. Returns none if it is malformed, or has an
    /// extension twice.
    pub(super) fn parse(der: &[u8]) -> Option<Self> {
        let (_, rest) = shape::check(der, "").ok()?;
        if !rest.is_empty() {
            return None;
        }
        let parsed = x509_cert::Certificate::from_der(der).ok()?;
        let mut reader = SliceReader::new(der).ok()?;
        let signed = reader
            .sequence(|reader| {
                let signed = reader.tlv_bytes()?;
                reader.tlv_bytes()?;
                reader.tlv_bytes()?;
                Ok(signed)
            })
            .ok()?;
        let certificate = Self {
            der: der.to_vec(),
            signed: signed.to_vec(),
            parsed,
        };
        let ids: Vec<_> = certificate
            .extensions()
            .map(|found| found.extn_id)
            .collect();
        let unique = ids
            .iter()
            .enumerate()
            .all(|(place, id)| ids.iter().take(place).all(|other| other != id));
        unique.then_some(certificate)
    }

    pub(super) fn der(&self) -> &[u8] {
        &self.der
    }

    pub(super) fn subject(&self) -> &Name {
        &self.parsed.tbs_certificate.subject
    }

    pub(super) fn issuer(&self) -> &Name {
        &self.parsed.tbs_certificate.issuer
    }

    pub(super) fn serial(&self) -> &SerialNumber {
        &self.parsed.tbs_certificate.serial_number
    }

    pub(super) fn key(&self) -> &SubjectPublicKeyInfoOwned {
        &self.parsed.tbs_certificate.subject_public_key_info
    }

    pub(super) fn is_self_issued(&self) -> bool {
        self.subject() == self.issuer()
    }

    /// Returns the subject's common name, otherwise its organization, fit to be shown.
    pub(super) fn name(&self) -> String {
        [oids::COMMON_NAME, oids::ORGANIZATION]
            .into_iter()
            .find_map(|part| self.name_part(part))
            .unwrap_or_else(|| "an authority without a name".to_owned())
    }

    fn name_part(&self, part: ObjectIdentifier) -> Option<String> {
        let sets = self.subject().0.iter();
        let mut found = sets
            .flat_map(|set| set.0.iter())
            .filter(|pair| pair.oid == part);
        let text: String = text_of(&found.next()?.value)?
            .chars()
            .filter(|letter| !is_invisible(*letter))
            .take(NAME_MAX)
            .collect();
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    pub(super) fn is_valid_at(&self, time: DateTime<Utc>) -> bool {
        let validity = &self.parsed.tbs_certificate.validity;
        // A certificate is valid to the end of the second that it names.
        let seconds = time.timestamp();
        seconds_of(validity.not_before) <= seconds && seconds <= seconds_of(validity.not_after)
    }

    pub(super) fn has_unknown_critical_extension(&self) -> bool {
        self.extensions()
            .any(|found| found.critical && !UNDERSTOOD.contains(&found.extn_id))
    }

    /// Returns the basic constraints; none if there are none, or if they are malformed.
    pub(super) fn basic_constraints(&self) -> Option<BasicConstraints> {
        let found = self.extension(oids::BASIC_CONSTRAINTS)?;
        BasicConstraints::from_der(found.extn_value.as_bytes()).ok()
    }

    /// Returns whether the key usage, if there is one, satisfies `allowed`.
    pub(super) fn key_usage_is(&self, allowed: impl FnOnce(KeyUsage) -> bool) -> bool {
        match self.extension(oids::KEY_USAGE) {
            None => true,
            Some(found) => KeyUsage::from_der(found.extn_value.as_bytes()).is_ok_and(allowed),
        }
    }

    /// Returns the extended key usage; an empty list if it is malformed.
    pub(super) fn purposes(&self) -> Option<Purposes> {
        let found = self.extension(oids::EXTENDED_KEY_USAGE)?;
        let list = ExtendedKeyUsage::from_der(found.extn_value.as_bytes());
        Some(Purposes {
            critical: found.critical,
            list: list.map(|list| list.0).unwrap_or_default(),
        })
    }

    /// Verifies the certificate's signature with the issuer's key.
    pub(super) fn verify_signature(&self, issuer: &Self) -> Result<(), SignatureError> {
        let algorithm: &AlgorithmIdentifierOwned = &self.parsed.signature_algorithm;
        if *algorithm != self.parsed.tbs_certificate.signature {
            return Err(SignatureError::Wrong);
        }
        let signature = self.parsed.signature.as_bytes();
        let signature = signature.ok_or(SignatureError::Wrong)?;
        signature::verify(issuer.key(), algorithm, None, &self.signed, signature)
    }

    fn extensions(&self) -> impl Iterator<Item = &Extension> {
        self.parsed.tbs_certificate.extensions.iter().flatten()
    }

    fn extension(&self, id: ObjectIdentifier) -> Option<&Extension> {
        self.extensions().find(|found| found.extn_id == id)
    }
}

fn seconds_of(time: Time) -> i64 {
    // Fits: the latest time is the end of the year 9999.
    i64::try_from(time.to_unix_duration().as_secs()).unwrap_or(i64::MAX)
}

fn text_of(value: &Any) -> Option<String> {
    let bytes = value.to_der().ok()?;
    match value.tag() {
        Tag::Utf8String => Utf8StringRef::from_der(&bytes)
            .ok()
            .map(|text| text.to_string()),
        Tag::PrintableString => PrintableStringRef::from_der(&bytes)
            .ok()
            .map(|text| text.to_string()),
        Tag::Ia5String => Ia5StringRef::from_der(&bytes)
            .ok()
            .map(|text| text.to_string()),
        Tag::TeletexString => TeletexStringRef::from_der(&bytes)
            .ok()
            .map(|text| text.to_string()),
        Tag::BmpString => BmpString::from_der(&bytes)
            .ok()
            .map(|text| text.to_string()),
        _ => None,
    }
}

/// Returns whether a letter could turn a line of text around or break it.
fn is_invisible(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' | '\u{feff}')
}
