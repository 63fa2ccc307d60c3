//! The signed attribute that names the signer's certificate, so that no other certificate of the
//! same key can take its place.

use der::asn1::{AnyRef, ObjectIdentifier, OctetString};
use der::{Decode, Reader, Sequence, Tag};
use x509_cert::ext::pkix::name::GeneralNames;
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::AlgorithmIdentifierOwned;

/// The signed attribute that names the signer's certificate (RFC 2634 and RFC 5035).
pub(super) struct SigningCertificates(pub(super) Vec<EssCertId>);

/// Names a certificate by its digest.
pub(super) struct EssCertId {
    pub(super) algorithm: ObjectIdentifier,
    pub(super) digest: Vec<u8>,
    pub(super) issuer_serial: Option<IssuerSerial>,
}

/// Names a certificate by its issuer and number.
#[derive(Sequence)]
pub(super) struct IssuerSerial {
    pub(super) issuer: GeneralNames,
    pub(super) serial: SerialNumber,
}

impl SigningCertificates {
    /// Parses the value of the attribute; `default` is the hash function of the version.
    pub(super) fn parse(value: AnyRef<'_>, default: ObjectIdentifier) -> Option<Self> {
        value
            .sequence(|reader| {
                let ids = reader.sequence(|reader| {
                    let mut ids = Vec::new();
                    while !reader.is_finished() {
                        ids.push(EssCertId::read(reader, default)?);
                    }
                    Ok(ids)
                })?;
                // Policies: none was asked for.
                if !reader.is_finished() {
                    reader.tlv_bytes()?;
                }
                Ok(Self(ids))
            })
            .ok()
    }
}

impl EssCertId {
    fn read<'a>(reader: &mut impl Reader<'a>, default: ObjectIdentifier) -> der::Result<Self> {
        reader.sequence(|reader| {
            let algorithm = match reader.peek_tag()? {
                Tag::Sequence => AlgorithmIdentifierOwned::decode(reader)?.oid,
                _ => default,
            };
            let digest = OctetString::decode(reader)?.into_bytes();
            let issuer_serial = match reader.is_finished() {
                true => None,
                false => Some(IssuerSerial::decode(reader)?),
            };
            Ok(Self {
                algorithm,
                digest,
                issuer_serial,
            })
        })
    }
}
