//! Object identifiers of RFC 3161, RFC 5652 and RFC 5280, and of the algorithms.

use der::oid::ObjectIdentifier;

const fn oid(text: &str) -> ObjectIdentifier {
    ObjectIdentifier::new_unwrap(text)
}

pub(super) const SIGNED_DATA: ObjectIdentifier = oid("1.2.840.113549.1.7.2");
pub(super) const TST_INFO: ObjectIdentifier = oid("1.2.840.113549.1.9.16.1.4");

pub(super) const CONTENT_TYPE: ObjectIdentifier = oid("1.2.840.113549.1.9.3");
pub(super) const MESSAGE_DIGEST: ObjectIdentifier = oid("1.2.840.113549.1.9.4");
pub(super) const SIGNING_CERTIFICATE: ObjectIdentifier = oid("1.2.840.113549.1.9.16.2.12");
pub(super) const SIGNING_CERTIFICATE_V2: ObjectIdentifier = oid("1.2.840.113549.1.9.16.2.47");

pub(super) const SHA1: ObjectIdentifier = oid("1.3.14.3.2.26");
pub(super) const SHA256: ObjectIdentifier = oid("2.16.840.1.101.3.4.2.1");
pub(super) const SHA384: ObjectIdentifier = oid("2.16.840.1.101.3.4.2.2");
pub(super) const SHA512: ObjectIdentifier = oid("2.16.840.1.101.3.4.2.3");

pub(super) const RSA: ObjectIdentifier = oid("1.2.840.113549.1.1.1");
pub(super) const RSA_PSS: ObjectIdentifier = oid("1.2.840.113549.1.1.10");
pub(super) const MGF1: ObjectIdentifier = oid("1.2.840.113549.1.1.8");
pub(super) const RSA_SHA256: ObjectIdentifier = oid("1.2.840.113549.1.1.11");
pub(super) const RSA_SHA384: ObjectIdentifier = oid("1.2.840.113549.1.1.12");
pub(super) const RSA_SHA512: ObjectIdentifier = oid("1.2.840.113549.1.1.13");
pub(super) const EC: ObjectIdentifier = oid("1.2.840.10045.2.1");
pub(super) const P256: ObjectIdentifier = oid("1.2.840.10045.3.1.7");
pub(super) const P384: ObjectIdentifier = oid("1.3.132.0.34");
/// P-521, and brainpoolP256r1, P384r1 and P512r1 (RFC 5639).
pub(super) const OPENSSL_CURVES: [ObjectIdentifier; 4] = [
    oid("1.3.132.0.35"),
    oid("1.3.36.3.3.2.8.1.1.7"),
    oid("1.3.36.3.3.2.8.1.1.11"),
    oid("1.3.36.3.3.2.8.1.1.13"),
];
pub(super) const ECDSA_SHA256: ObjectIdentifier = oid("1.2.840.10045.4.3.2");
pub(super) const ECDSA_SHA384: ObjectIdentifier = oid("1.2.840.10045.4.3.3");
pub(super) const ECDSA_SHA512: ObjectIdentifier = oid("1.2.840.10045.4.3.4");

pub(super) const TIME_STAMPING: ObjectIdentifier = oid("1.3.6.1.5.5.7.3.8");
pub(super) const ANY_PURPOSE: ObjectIdentifier = oid("2.5.29.37.0");
pub(super) const BASIC_CONSTRAINTS: ObjectIdentifier = oid("2.5.29.19");
pub(super) const KEY_USAGE: ObjectIdentifier = oid("2.5.29.15");
pub(super) const EXTENDED_KEY_USAGE: ObjectIdentifier = oid("2.5.29.37");
pub(super) const SUBJECT_KEY_ID: ObjectIdentifier = oid("2.5.29.14");
pub(super) const SUBJECT_ALT_NAME: ObjectIdentifier = oid("2.5.29.17");
pub(super) const CERTIFICATE_POLICIES: ObjectIdentifier = oid("2.5.29.32");

pub(super) const COMMON_NAME: ObjectIdentifier = oid("2.5.4.3");
pub(super) const ORGANIZATION: ObjectIdentifier = oid("2.5.4.10");
