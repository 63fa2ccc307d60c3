//! Argon2id (design section 4: 19 MiB, two passes, one lane).

use argon2::password_hash::{Error, PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, Version};
use ideavault_domain::account::{Password, PasswordHash};
use ideavault_domain::ports::{PasswordHasher, PortError};

use crate::port_error;

/// Memory for one hash, in KiB.
const MEMORY_KIB: u32 = 19 * 1024;

/// [`PasswordHasher`] by argon2id.
pub struct Argon2Passwords {
    argon2: Argon2<'static>,
    /// What an unknown account's password is compared with.
    absent: PasswordHash,
}

impl Argon2Passwords {
    /// Prepares the hasher; costs one hash.
    ///
    /// # Errors
    /// When the library refuses the parameters, or no randomness is to be had.
    pub fn new() -> Result<Self, PortError> {
        let params = Params::new(MEMORY_KIB, 2, 1, None)
            .map_err(|error| port_error("configuring argon2", error))?;
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let absent = hash(&argon2, b"nobody's password")?;
        Ok(Self { argon2, absent })
    }
}

impl PasswordHasher for Argon2Passwords {
    fn hash(&self, password: &Password) -> Result<PasswordHash, PortError> {
        hash(&self.argon2, password.reveal().as_bytes())
    }

    fn verify(&self, password: &Password, known: Option<&PasswordHash>) -> Result<bool, PortError> {
        let compared = known.unwrap_or(&self.absent);
        match self
            .argon2
            .verify_password(password.reveal().as_bytes(), compared.as_str())
        {
            Ok(()) => Ok(known.is_some()),
            Err(Error::PasswordInvalid) => Ok(false),
            Err(error) => Err(port_error("verifying a password", error)),
        }
    }
}

fn hash(argon2: &Argon2<'_>, password: &[u8]) -> Result<PasswordHash, PortError> {
    argon2
        .hash_password(password)
        .map(|phc| PasswordHash::new(phc.to_string()))
        .map_err(|error| port_error("hashing a password", error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn password(text: &str) -> Password {
        Password::parse("password", text).unwrap()
    }

    #[test]
    fn only_the_right_password_verifies() {
        let passwords = Argon2Passwords::new().unwrap();
        let hash = passwords.hash(&password("correct horse")).unwrap();
        assert!(hash.as_str().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
        assert!(
            passwords
                .verify(&password("correct horse"), Some(&hash))
                .unwrap()
        );
        assert!(
            !passwords
                .verify(&password("correct horsf"), Some(&hash))
                .unwrap()
        );
    }

    #[test]
    fn equal_passwords_have_different_hashes() {
        let passwords = Argon2Passwords::new().unwrap();
        let one = passwords.hash(&password("secret")).unwrap();
        let two = passwords.hash(&password("secret")).unwrap();
        assert_ne!(one.as_str(), two.as_str());
    }

    #[test]
    fn nobody_signs_in_without_an_account_even_with_the_compared_password() {
        let passwords = Argon2Passwords::new().unwrap();
        assert!(
            !passwords
                .verify(&password("nobody's password"), None)
                .unwrap()
        );
    }

    #[test]
    fn a_damaged_hash_is_an_error_and_not_a_refusal() {
        let passwords = Argon2Passwords::new().unwrap();
        let damaged = PasswordHash::new("plain".into());
        assert!(
            passwords
                .verify(&password("secret"), Some(&damaged))
                .is_err()
        );
    }
}
