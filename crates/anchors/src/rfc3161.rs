//! Time-stamps of an authority (RFC 3161): the request, and the verification of the answer.
//!
//! Invariant: a [`Confirmation`] exists only for an answer that was verified in full, also by
//! what `openssl ts -verify` demands.

mod certificate;
mod chain;
mod fields;
mod info;
mod oids;
mod refusal;
mod shape;
mod signature;
mod signing_certificate;
mod token;

pub use self::chain::{Roots, RootsError, to_pem};
pub use self::refusal::Refusal;

use std::ops::RangeInclusive;

use chrono::{DateTime, Utc};
use cms::signed_data::SignerIdentifier;
use der::asn1::{ObjectIdentifier, OctetStringRef};
use ideavault_domain::hex;
use sha1::Sha1;
use sha2::{Digest, Sha256};
use x509_cert::ext::pkix::name::GeneralName;

use self::certificate::Certificate;
use self::info::TstInfo;
use self::signature::{Hash, SignatureError};
use self::signing_certificate::{EssCertId, SigningCertificates};
use self::token::{Signer, Token};

/// Most bytes of a response.
pub const RESPONSE_MAX: usize = 64 * 1024;

/// A number that is used for one request only, so that no earlier answer fits.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Nonce([u8; 8]);

impl Nonce {
    /// Makes a nonce of 62 random bits: eight bytes that are a positive INTEGER as they are.
    #[must_use]
    pub fn from_random(mut bytes: [u8; 8]) -> Self {
        bytes[0] = bytes[0] & 0x3f | 0x40;
        Self(bytes)
    }
}

/// A verified time-stamp.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Confirmation {
    /// The time that the authority signed.
    pub gen_time: DateTime<Utc>,
    /// The name in the authority's certificate, without control characters, at most 100 letters.
    pub authority_name: String,
    /// The authority's number of the time-stamp, in hexadecimal.
    pub serial: String,
    /// The token alone, in DER: the response without its status.
    pub token: Vec<u8>,
    /// The certificates from the authority's to the root's, in DER.
    pub chain: Vec<Vec<u8>>,
}

/// Returns the request for a time-stamp of `data`, in DER: its SHA-256, and that the answer
/// should contain the authority's certificate.
#[must_use]
pub fn request(data: &[u8], nonce: Nonce) -> Vec<u8> {
    // SEQUENCE { 1, SEQUENCE { SEQUENCE { sha256, NULL }, OCTET STRING
    const BEFORE_DIGEST: [u8; 24] = [
        0x30, 0x43, 0x02, 0x01, 0x01, 0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01,
        0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04, 0x20,
    ];
    // INTEGER
    const BEFORE_NONCE: [u8; 2] = [0x02, 0x08];
    // TRUE }
    const CERTIFICATE_REQUESTED: [u8; 3] = [0x01, 0x01, 0xff];
    let digest = Sha256::digest(data);
    [
        &BEFORE_DIGEST[..],
        &digest,
        &BEFORE_NONCE,
        &nonce.0,
        &CERTIFICATE_REQUESTED,
    ]
    .concat()
}

/// Verifies the response of an authority in full. For a stored response, whose request is gone,
/// there is no nonce. The chain is verified as of the time in the token, so that expired
/// certificates do no harm.
pub fn verify(
    response: &[u8],
    data: &[u8],
    nonce: Option<Nonce>,
    roots: &Roots,
    window: &RangeInclusive<DateTime<Utc>>,
) -> Result<Confirmation, Refusal> {
    if response.len() > RESPONSE_MAX {
        return Err(Refusal::TooLarge);
    }
    let token_der = token::of_response(response)?;
    let token = token::parse(token_der)?;
    let info = TstInfo::parse(&token.content)?;
    check_info(&info, data, nonce, window)?;

    let signer = signer_certificate(&token)?;
    let ids = signing_certificates(&token.signer)?;
    check_signature(&token, signer, &ids)?;
    check_purpose(signer)?;
    let chain = chain::find(signer, &token.certificates, roots, info.gen_time)?;
    // Where the authority names more certificates than its own, they have to be of the chain.
    let is_of_chain = |id: &EssCertId| chain.iter().any(|found| names(id, found));
    if !ids
        .iter()
        .flat_map(|ids| ids.0.iter().skip(1))
        .all(is_of_chain)
    {
        return Err(Refusal::OtherSigner);
    }
    Ok(Confirmation {
        gen_time: info.gen_time,
        authority_name: signer.name(),
        serial: hex::encode(info.serial.as_bytes()),
        token: token_der.to_vec(),
        chain: chain.iter().map(|found| found.der().to_vec()).collect(),
    })
}

fn check_info(
    info: &TstInfo,
    data: &[u8],
    nonce: Option<Nonce>,
    window: &RangeInclusive<DateTime<Utc>>,
) -> Result<(), Refusal> {
    if info.imprint.algorithm.oid != oids::SHA256 {
        return Err(Refusal::ImprintAlgorithm);
    }
    if info.imprint.digest.as_bytes() != Sha256::digest(data).as_slice() {
        return Err(Refusal::OtherData);
    }
    if let Some(Nonce(expected)) = nonce {
        let found = info.nonce.as_ref().map(der::asn1::Int::as_bytes);
        if found != Some(expected.as_slice()) {
            return Err(Refusal::OtherNonce);
        }
    }
    if info.has_critical_extension {
        return Err(Refusal::UnknownExtension);
    }
    if !window.contains(&info.gen_time) {
        return Err(Refusal::TimeOutsideWindow(info.gen_time));
    }
    Ok(())
}

fn signer_certificate(token: &Token) -> Result<&Certificate, Refusal> {
    let SignerIdentifier::IssuerAndSerialNumber(id) = &token.signer.id else {
        return Err(Refusal::NotForOpenSsl);
    };
    token
        .certificates
        .iter()
        .find(|found| id.issuer == *found.issuer() && id.serial_number == *found.serial())
        .ok_or(Refusal::SignerMissing)
}

/// Returns the signed identifiers of the signer's certificate: of the first version, of the
/// second, or of both.
fn signing_certificates(signer: &Signer) -> Result<Vec<SigningCertificates>, Refusal> {
    const NAME: &str = "signing-certificate";
    let mut found = Vec::new();
    for (id, default) in [
        (oids::SIGNING_CERTIFICATE, oids::SHA1),
        (oids::SIGNING_CERTIFICATE_V2, oids::SHA256),
    ] {
        if let Some(value) = signer.attribute(id, NAME)? {
            let ids = SigningCertificates::parse(value, default);
            found.push(ids.ok_or(Refusal::SignedAttribute(NAME))?);
        }
    }
    match found.is_empty() {
        true => Err(Refusal::SignedAttribute(NAME)),
        false => Ok(found),
    }
}

fn check_signature(
    token: &Token,
    certificate: &Certificate,
    ids: &[SigningCertificates],
) -> Result<(), Refusal> {
    const CONTENT_TYPE: &str = "content-type";
    const MESSAGE_DIGEST: &str = "message-digest";
    let signer = &token.signer;
    let content_type = signer
        .attribute(oids::CONTENT_TYPE, CONTENT_TYPE)?
        .ok_or(Refusal::SignedAttribute(CONTENT_TYPE))?;
    if content_type.decode_as::<ObjectIdentifier>() != Ok(oids::TST_INFO) {
        return Err(Refusal::ContentType);
    }
    let hash = Hash::by_oid(signer.digest.oid).ok_or(Refusal::UnsupportedAlgorithm("the token"))?;
    let digest = signer
        .attribute(oids::MESSAGE_DIGEST, MESSAGE_DIGEST)?
        .ok_or(Refusal::SignedAttribute(MESSAGE_DIGEST))?;
    let is_same = digest
        .decode_as::<OctetStringRef<'_>>()
        .is_ok_and(|digest| digest.as_bytes() == hash.digest(&token.content));
    if !is_same {
        return Err(Refusal::MessageDigest);
    }
    let names_signer =
        |ids: &SigningCertificates| ids.0.first().is_some_and(|id| names(id, certificate));
    if !ids.iter().all(names_signer) {
        return Err(Refusal::OtherSigner);
    }
    if signer.algorithm.oid == oids::RSA_PSS {
        return Err(Refusal::NotForOpenSsl);
    }
    signature::verify(
        certificate.key(),
        &signer.algorithm,
        Some(hash),
        &signer.signed,
        &signer.signature,
    )
    .map_err(|error| match error {
        SignatureError::Unsupported => Refusal::UnsupportedAlgorithm("the token"),
        SignatureError::Wrong => Refusal::WrongSignature,
    })
}

/// Whether an identifier is that of the certificate. SHA-1, the only choice of the first version,
/// is enough here: who could make two certificates of one digest has to be the trusted issuer.
fn names(id: &EssCertId, certificate: &Certificate) -> bool {
    let digest = match id.algorithm {
        oids::SHA1 => Sha1::digest(certificate.der()).to_vec(),
        other => match Hash::by_oid(other) {
            Some(hash) => hash.digest(certificate.der()),
            None => return false,
        },
    };
    let same_issuer = id.issuer_serial.as_ref().is_none_or(|found| {
        let issuer = GeneralName::DirectoryName(certificate.issuer().clone());
        found.issuer == [issuer] && found.serial == *certificate.serial()
    });
    digest == id.digest && same_issuer
}

/// Checks RFC 3161 section 2.3, and the key usage as OpenSSL does.
fn check_purpose(signer: &Certificate) -> Result<(), Refusal> {
    let purposes = signer.purposes().ok_or(Refusal::NotForTimeStamping)?;
    if purposes.list != [oids::TIME_STAMPING] {
        return Err(Refusal::NotForTimeStamping);
    }
    if !purposes.critical {
        return Err(Refusal::PurposeNotCritical);
    }
    let signs_only = signer.key_usage_is(|usage| {
        let signs = usage.digital_signature() || usage.non_repudiation();
        let more = usage.key_encipherment()
            || usage.data_encipherment()
            || usage.key_agreement()
            || usage.key_cert_sign()
            || usage.crl_sign()
            || usage.encipher_only()
            || usage.decipher_only();
        signs && !more
    });
    signs_only.then_some(()).ok_or(Refusal::KeyUsage)
}

#[cfg(test)]
mod tests;
