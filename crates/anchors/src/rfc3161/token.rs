//! The parts of a response (RFC 3161 section 2.4.2) and of the signed data in it (RFC 5652),
//! parsed and not yet believed.

use cms::content_info::CmsVersion;
use cms::signed_data::{EncapsulatedContentInfo, SignerIdentifier};
use der::asn1::{AnyRef, BitStringRef, ObjectIdentifier, OctetString, OctetStringRef};
use der::{Decode, Header, Reader, Tag, TagNumber};
use x509_cert::attr::{Attribute, Attributes};
use x509_cert::spki::AlgorithmIdentifierOwned;

use super::certificate::Certificate;
use super::fields::{context, optional, read};
use super::oids;
use super::refusal::Refusal;
use super::shape;

/// Most certificates in a token.
const CERTIFICATES_MAX: usize = 16;
/// `granted` and `grantedWithMods`: with both, a token follows.
const GRANTED: [u8; 2] = [0, 1];
/// The tag of a SET, under which attributes are signed (RFC 5652 section 5.4).
const SET_TAG: u8 = 0x31;

/// The signed data of a token.
pub(super) struct Token {
    /// The exact bytes of the time-stamp, which the signature covers.
    pub(super) content: Vec<u8>,
    pub(super) certificates: Vec<Certificate>,
    pub(super) signer: Signer,
}

/// The one signature.
pub(super) struct Signer {
    pub(super) id: SignerIdentifier,
    pub(super) digest: AlgorithmIdentifierOwned,
    pub(super) attributes: Attributes,
    /// The exact bytes of the attributes, as they were signed.
    pub(super) signed: Vec<u8>,
    pub(super) algorithm: AlgorithmIdentifierOwned,
    pub(super) signature: Vec<u8>,
}

impl Signer {
    /// Returns the one value of the attribute, if it is there.
    pub(super) fn attribute(
        &self,
        id: ObjectIdentifier,
        name: &'static str,
    ) -> Result<Option<AnyRef<'_>>, Refusal> {
        let mut found = self
            .attributes
            .iter()
            .filter(|attribute| attribute.oid == id);
        match (found.next(), found.next()) {
            (None, _) => Ok(None),
            (Some(attribute), None) => only_value(attribute)
                .map(Some)
                .ok_or(Refusal::SignedAttribute(name)),
            (Some(_), Some(_)) => Err(Refusal::SignedAttribute(name)),
        }
    }
}

fn only_value(attribute: &Attribute) -> Option<AnyRef<'_>> {
    match attribute.values.as_slice() {
        [value] => Some(value.into()),
        _ => None,
    }
}

/// Takes the token out of a response.
pub(super) fn of_response(response: &[u8]) -> Result<&[u8], Refusal> {
    let (value, rest) = shape::check(response, "the response")?;
    if !rest.is_empty() {
        return Err(Refusal::TrailingBytes);
    }
    let (status, token) = read(value, "the response", |reader| {
        reader.sequence(|reader| {
            let status = reader.sequence(|reader| {
                let status = u8::decode(reader)?;
                // Words of the authority, and the reason as bits.
                if !reader.is_finished() && reader.peek_tag()? == Tag::Sequence {
                    reader.tlv_bytes()?;
                }
                if !reader.is_finished() {
                    BitStringRef::decode(reader)?;
                }
                Ok(status)
            })?;
            let token = match reader.is_finished() {
                true => None,
                false => Some(reader.tlv_bytes()?),
            };
            Ok((status, token))
        })
    })?;
    if !GRANTED.contains(&status) {
        return Err(Refusal::NotGranted { status });
    }
    token.ok_or(Refusal::NoToken)
}

/// Parses a token.
pub(super) fn parse(token: &[u8]) -> Result<Token, Refusal> {
    let (kind, signed_data) = read(token, "the token", |reader| {
        reader.sequence(|reader| {
            let kind = ObjectIdentifier::decode(reader)?;
            let header = Header::decode(reader)?;
            header.tag.assert_eq(context(TagNumber::N0))?;
            Ok((kind, reader.read_slice(header.length)?))
        })
    })?;
    if kind != oids::SIGNED_DATA {
        return Err(Refusal::NotATimeStamp);
    }
    let parts = read(signed_data, "the token", |reader| {
        reader.sequence(|reader| {
            CmsVersion::decode(reader)?;
            reader.tlv_bytes()?;
            let content = EncapsulatedContentInfo::decode(reader)?;
            let certificates = optional(reader, TagNumber::N0)?.unwrap_or_default();
            // Revocation lists: what was revoked later was still valid at the time.
            optional(reader, TagNumber::N1)?;
            let header = Header::decode(reader)?;
            header.tag.assert_eq(Tag::Set)?;
            let signers = reader.read_slice(header.length)?;
            Ok((content, certificates, signers))
        })
    })?;
    let (content, certificates, signers) = parts;
    if content.econtent_type != oids::TST_INFO {
        return Err(Refusal::NotATimeStamp);
    }
    let content = content.econtent.ok_or(Refusal::NotATimeStamp)?;
    let content = content
        .decode_as::<OctetStringRef<'_>>()
        .map_err(|_| Refusal::Malformed("the token"))?;
    Ok(Token {
        content: content.as_bytes().to_vec(),
        certificates: certificates_of(certificates)?,
        signer: signer_of(signers)?,
    })
}

fn certificates_of(mut bytes: &[u8]) -> Result<Vec<Certificate>, Refusal> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let (value, rest) = shape::check(bytes, "a certificate")?;
        bytes = rest;
        if found.len() == CERTIFICATES_MAX {
            return Err(Refusal::TooManyCertificates);
        }
        found.push(Certificate::parse(value).ok_or(Refusal::Malformed("a certificate"))?);
    }
    Ok(found)
}

fn signer_of(bytes: &[u8]) -> Result<Signer, Refusal> {
    if bytes.is_empty() {
        return Err(Refusal::Signers);
    }
    let (value, rest) = shape::check(bytes, "the signature")?;
    if !rest.is_empty() {
        return Err(Refusal::Signers);
    }
    read(value, "the signature", |reader| {
        reader.sequence(|reader| {
            CmsVersion::decode(reader)?;
            let id = SignerIdentifier::decode(reader)?;
            let digest = AlgorithmIdentifierOwned::decode(reader)?;
            reader.peek_tag()?.assert_eq(context(TagNumber::N0))?;
            let sent = reader.tlv_bytes()?;
            let signed: Vec<u8> = std::iter::once(SET_TAG)
                .chain(sent.iter().copied().skip(1))
                .collect();
            let algorithm = AlgorithmIdentifierOwned::decode(reader)?;
            let signature = OctetString::decode(reader)?;
            optional(reader, TagNumber::N1)?;
            Ok(Signer {
                id,
                digest,
                attributes: Attributes::from_der(&signed)?,
                signed,
                algorithm,
                signature: signature.into_bytes(),
            })
        })
    })
}
