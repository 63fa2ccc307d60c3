//! Signatures by RSA and ECDSA, over SHA-256, SHA-384 or SHA-512.
//!
//! Invariant: only public keys occur here, so the timing of the arithmetic tells nothing.

use der::asn1::ObjectIdentifier;
use der::{Any, Decode, Encode};
use openssl::ec::EcKey;
use openssl::ecdsa::EcdsaSig;
use p256::ecdsa::signature::hazmat::PrehashVerifier;
use rsa::pkcs1::RsaPssParams;
use rsa::sha2 as rsa_sha2;
use rsa::traits::PublicKeyParts;
use rsa::{BigUint, Pkcs1v15Sign, Pss, RsaPublicKey};
use sha2::{Digest, Sha256, Sha384, Sha512};
use x509_cert::spki::{AlgorithmIdentifierOwned, SubjectPublicKeyInfoOwned};

use super::oids;

/// Sizes of an RSA modulus, in bits.
const RSA_MIN_BITS: usize = 2048;
const RSA_MAX_BITS: usize = 8192;

/// Why a signature counts for nothing.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum SignatureError {
    /// An algorithm or a key that is unknown or too weak.
    Unsupported,
    /// The signature does not verify.
    Wrong,
}

/// A hash function that resists collisions.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Hash {
    Sha256,
    Sha384,
    Sha512,
}

impl Hash {
    /// Returns the hash function of an identifier.
    pub(super) fn by_oid(oid: ObjectIdentifier) -> Option<Self> {
        match oid {
            oids::SHA256 => Some(Self::Sha256),
            oids::SHA384 => Some(Self::Sha384),
            oids::SHA512 => Some(Self::Sha512),
            _ => None,
        }
    }

    /// Hashes `data`.
    pub(super) fn digest(self, data: &[u8]) -> Vec<u8> {
        match self {
            Self::Sha256 => Sha256::digest(data).to_vec(),
            Self::Sha384 => Sha384::digest(data).to_vec(),
            Self::Sha512 => Sha512::digest(data).to_vec(),
        }
    }

    fn pkcs1v15(self) -> Pkcs1v15Sign {
        match self {
            Self::Sha256 => Pkcs1v15Sign::new::<rsa_sha2::Sha256>(),
            Self::Sha384 => Pkcs1v15Sign::new::<rsa_sha2::Sha384>(),
            Self::Sha512 => Pkcs1v15Sign::new::<rsa_sha2::Sha512>(),
        }
    }

    fn pss(self, salt_len: usize) -> Pss {
        match self {
            Self::Sha256 => Pss::new_with_salt::<rsa_sha2::Sha256>(salt_len),
            Self::Sha384 => Pss::new_with_salt::<rsa_sha2::Sha384>(salt_len),
            Self::Sha512 => Pss::new_with_salt::<rsa_sha2::Sha512>(salt_len),
        }
    }
}

/// How a signature is made.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Scheme {
    Pkcs1v15,
    Pss { salt_len: usize },
    Ecdsa,
}

/// Verifies a signature. `digest` is the hash function named beside the signature, as CMS does;
/// an algorithm that names its own must name the same.
pub(super) fn verify(
    key: &SubjectPublicKeyInfoOwned,
    algorithm: &AlgorithmIdentifierOwned,
    digest: Option<Hash>,
    message: &[u8],
    signature: &[u8],
) -> Result<(), SignatureError> {
    let (scheme, hash) = scheme(algorithm, digest).ok_or(SignatureError::Unsupported)?;
    if digest.is_some_and(|digest| digest != hash) {
        return Err(SignatureError::Unsupported);
    }
    let hashed = hash.digest(message);
    let verified = match scheme {
        Scheme::Pkcs1v15 => rsa_key(key)?
            .verify(hash.pkcs1v15(), &hashed, signature)
            .is_ok(),
        Scheme::Pss { salt_len } => rsa_key(key)?
            .verify(hash.pss(salt_len), &hashed, signature)
            .is_ok(),
        Scheme::Ecdsa => ecdsa(key, &hashed, signature)?,
    };
    verified.then_some(()).ok_or(SignatureError::Wrong)
}

fn scheme(algorithm: &AlgorithmIdentifierOwned, digest: Option<Hash>) -> Option<(Scheme, Hash)> {
    Some(match algorithm.oid {
        oids::RSA => (Scheme::Pkcs1v15, digest?),
        oids::RSA_SHA256 => (Scheme::Pkcs1v15, Hash::Sha256),
        oids::RSA_SHA384 => (Scheme::Pkcs1v15, Hash::Sha384),
        oids::RSA_SHA512 => (Scheme::Pkcs1v15, Hash::Sha512),
        oids::ECDSA_SHA256 => (Scheme::Ecdsa, Hash::Sha256),
        oids::ECDSA_SHA384 => (Scheme::Ecdsa, Hash::Sha384),
        oids::ECDSA_SHA512 => (Scheme::Ecdsa, Hash::Sha512),
        oids::RSA_PSS => pss(algorithm.parameters.as_ref()?)?,
        _ => return None,
    })
}

/// Reads the parameters of RFC 4055 section 3.1; both hash functions have to be the same.
fn pss(parameters: &Any) -> Option<(Scheme, Hash)> {
    let bytes = parameters.to_der().ok()?;
    let parameters = RsaPssParams::from_der(&bytes).ok()?;
    let hash = Hash::by_oid(parameters.hash.oid)?;
    let mask_hash = parameters.mask_gen.parameters?.oid;
    if parameters.mask_gen.oid != oids::MGF1 || Hash::by_oid(mask_hash) != Some(hash) {
        return None;
    }
    let salt_len = usize::from(parameters.salt_len);
    Some((Scheme::Pss { salt_len }, hash))
}

fn rsa_key(key: &SubjectPublicKeyInfoOwned) -> Result<RsaPublicKey, SignatureError> {
    if !matches!(key.algorithm.oid, oids::RSA | oids::RSA_PSS) {
        return Err(SignatureError::Unsupported);
    }
    let bytes = key.subject_public_key.as_bytes();
    let parsed = bytes
        .and_then(|bytes| rsa::pkcs1::RsaPublicKey::from_der(bytes).ok())
        .ok_or(SignatureError::Unsupported)?;
    let modulus = BigUint::from_bytes_be(parsed.modulus.as_bytes());
    let exponent = BigUint::from_bytes_be(parsed.public_exponent.as_bytes());
    let key = RsaPublicKey::new_with_max_size(modulus, exponent, RSA_MAX_BITS)
        .map_err(|_| SignatureError::Unsupported)?;
    if key.n().bits() < RSA_MIN_BITS {
        return Err(SignatureError::Unsupported);
    }
    Ok(key)
}

fn ecdsa(
    key: &SubjectPublicKeyInfoOwned,
    hashed: &[u8],
    signature: &[u8],
) -> Result<bool, SignatureError> {
    if key.algorithm.oid != oids::EC {
        return Err(SignatureError::Unsupported);
    }
    let parameters = key.algorithm.parameters.as_ref();
    let curve = parameters.and_then(|curve| curve.decode_as::<ObjectIdentifier>().ok());
    let point = key.subject_public_key.as_bytes();
    let point = point.ok_or(SignatureError::Unsupported)?;
    match curve {
        Some(oids::P256) => {
            let key = p256::ecdsa::VerifyingKey::from_sec1_bytes(point)
                .map_err(|_| SignatureError::Unsupported)?;
            Ok(p256::ecdsa::DerSignature::from_bytes(signature)
                .is_ok_and(|signature| key.verify_prehash(hashed, &signature).is_ok()))
        }
        Some(oids::P384) => {
            let key = p384::ecdsa::VerifyingKey::from_sec1_bytes(point)
                .map_err(|_| SignatureError::Unsupported)?;
            Ok(p384::ecdsa::DerSignature::from_bytes(signature)
                .is_ok_and(|signature| key.verify_prehash(hashed, &signature).is_ok()))
        }
        Some(curve) if oids::OPENSSL_CURVES.contains(&curve) => by_openssl(key, hashed, signature),
        _ => Err(SignatureError::Unsupported),
    }
}

/// Verifies ECDSA on a curve that OpenSSL knows; not every build knows all of them.
fn by_openssl(
    key: &SubjectPublicKeyInfoOwned,
    hashed: &[u8],
    signature: &[u8],
) -> Result<bool, SignatureError> {
    let key = key.to_der().map_err(|_| SignatureError::Unsupported)?;
    let key = EcKey::public_key_from_der(&key).map_err(|_| SignatureError::Unsupported)?;
    let signature = EcdsaSig::from_der(signature);
    Ok(signature.is_ok_and(|signature| signature.verify(hashed, &key).unwrap_or(false)))
}
