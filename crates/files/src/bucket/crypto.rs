//! The cryptography of signed requests.

use hmac::{Hmac, KeyInit as _, Mac as _};
use object_store::client::{
    CryptoProvider, DigestAlgorithm, DigestContext, HmacContext, Signer, SigningAlgorithm,
};
use object_store::{Error, Result};
use sha2::digest::Output;
use sha2::{Digest as _, Sha256};

/// SHA-256 and HMAC from the crates that the project uses anyway.
#[derive(Debug)]
pub(super) struct Sha256Provider;

struct Hashing {
    hash: Sha256,
    output: Output<Sha256>,
}

struct Authenticating {
    mac: Hmac<Sha256>,
    output: Output<Sha256>,
}

fn unsupported(what: &'static str) -> Error {
    Error::NotSupported {
        source: what.into(),
    }
}

impl CryptoProvider for Sha256Provider {
    fn digest(&self, algorithm: DigestAlgorithm) -> Result<Box<dyn DigestContext>> {
        match algorithm {
            DigestAlgorithm::Sha256 => Ok(Box::new(Hashing {
                hash: Sha256::new(),
                output: Output::<Sha256>::default(),
            })),
            _ => Err(unsupported("only SHA-256 is supported")),
        }
    }

    fn hmac(&self, algorithm: DigestAlgorithm, secret: &[u8]) -> Result<Box<dyn HmacContext>> {
        match algorithm {
            DigestAlgorithm::Sha256 => {
                let mac = Hmac::new_from_slice(secret);
                Ok(Box::new(Authenticating {
                    mac: mac.map_err(|_| unsupported("the key is unusable"))?,
                    output: Output::<Sha256>::default(),
                }))
            }
            _ => Err(unsupported("only SHA-256 is supported")),
        }
    }

    fn sign(&self, _: SigningAlgorithm, _: &[u8]) -> Result<Box<dyn Signer>> {
        Err(unsupported("S3 needs no signatures with RSA"))
    }
}

impl DigestContext for Hashing {
    fn update(&mut self, data: &[u8]) {
        self.hash.update(data);
    }

    fn finish(&mut self) -> Result<&[u8]> {
        self.output = self.hash.finalize_reset();
        Ok(&self.output)
    }
}

impl HmacContext for Authenticating {
    fn update(&mut self, data: &[u8]) {
        self.mac.update(data);
    }

    fn finish(&mut self) -> Result<&[u8]> {
        self.output = self.mac.clone().finalize().into_bytes();
        Ok(&self.output)
    }
}

#[cfg(test)]
mod tests {
    use ideavault_domain::hex;

    use super::*;

    /// Of FIPS 180-2 and RFC 4231.
    #[test]
    fn known_values_are_computed() {
        let mut hash = Sha256Provider.digest(DigestAlgorithm::Sha256).unwrap();
        hash.update(b"ab");
        hash.update(b"c");
        assert_eq!(
            hex::encode(hash.finish().unwrap()),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        let mut mac = Sha256Provider
            .hmac(DigestAlgorithm::Sha256, b"Jefe")
            .unwrap();
        mac.update(b"what do ya want ");
        mac.update(b"for nothing?");
        assert_eq!(
            hex::encode(mac.finish().unwrap()),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }
}
