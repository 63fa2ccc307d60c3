//! Password hashing with Argon2id.

use std::sync::{Mutex, MutexGuard, PoisonError};

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash as Phc, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version, password_hash};
use ideavault_domain::account::{Password, PasswordHash};
use ideavault_domain::ports::{PasswordHasher, PortError, Random as _};

use crate::port_error;
use crate::random::SystemRandom;

/// The cost of one hash, for the server and for an attacker who guesses. One lane.
#[derive(Clone, Copy, Debug)]
pub struct HashingCost {
    /// Memory in KiB, at least 8.
    pub memory_kib: u32,
    /// How often the memory is worked through, at least once.
    pub passes: u32,
}

impl Default for HashingCost {
    /// 19 MiB and two passes, as OWASP's Password Storage Cheat Sheet recommends.
    fn default() -> Self {
        Self {
            memory_kib: 19 * 1024,
            passes: 2,
        }
    }
}

/// [`PasswordHasher`] with Argon2id.
pub struct Argon2Passwords {
    argon2: Argon2<'static>,
    pool: MemoryPool,
    /// The hash that stands in for an unknown account's, so that verifying takes as long.
    absent: PasswordHash,
}

impl Argon2Passwords {
    /// Creates the hasher for new passwords of that cost; costs one hash. A known hash is
    /// verified with the cost that it names.
    ///
    /// # Errors
    /// If the library refuses the cost, or the random source fails.
    pub fn new(HashingCost { memory_kib, passes }: HashingCost) -> Result<Self, PortError> {
        let params = Params::new(memory_kib, passes, 1, None)
            .map_err(|error| port_error("configuring argon2", error))?;
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        // With memory of its own, so that none is kept while idle.
        let absent = hash(&argon2, &MemoryPool::default(), b"nobody's password")?;
        Ok(Self {
            argon2,
            pool: MemoryPool::default(),
            absent,
        })
    }
}

impl PasswordHasher for Argon2Passwords {
    fn hash(&self, password: &Password) -> Result<PasswordHash, PortError> {
        hash(&self.argon2, &self.pool, password.reveal().as_bytes())
    }

    fn verify(&self, password: &Password, known: Option<&PasswordHash>) -> Result<bool, PortError> {
        let compared = known.unwrap_or(&self.absent);
        let is_right = verify(&self.pool, password.reveal().as_bytes(), compared)
            .map_err(|error| port_error("verifying a password", error))?;
        Ok(is_right && known.is_some())
    }
}

/// Hashes with the given parameters and a new salt.
fn hash(
    argon2: &Argon2<'_>,
    pool: &MemoryPool,
    password: &[u8],
) -> Result<PasswordHash, PortError> {
    let mut salt = [0; Salt::RECOMMENDED_LENGTH];
    SystemRandom.fill(&mut salt)?;
    let text = || -> password_hash::Result<String> {
        let hash = Phc {
            algorithm: argon2::ARGON2ID_IDENT,
            version: Some(Version::V0x13.into()),
            params: ParamsString::try_from(argon2.params())?,
            salt: Some(Salt::new(&salt)?),
            hash: Some(pool.hash(argon2, password, &salt)?),
        };
        Ok(hash.to_string())
    };
    text()
        .map(PasswordHash::new)
        .map_err(|error| port_error("hashing a password", error))
}

/// Hashes with the parameters of `known`, and compares in constant time.
fn verify(pool: &MemoryPool, password: &[u8], known: &PasswordHash) -> password_hash::Result<bool> {
    let known = Phc::new(known.as_str())?;
    let (Some(version), Some(salt), Some(expected)) = (known.version, &known.salt, &known.hash)
    else {
        return Err(password_hash::Error::EncodingInvalid);
    };
    let argon2 = Argon2::new(
        Algorithm::try_from(known.algorithm.as_str())?,
        Version::try_from(version)?,
        Params::try_from(&known)?,
    );
    Ok(pool.hash(&argon2, password, salt)? == *expected)
}

/// Memory for hashing, which is reused while hashes follow each other, and freed after the last
/// one.
#[derive(Default)]
struct MemoryPool(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    /// Hashes that are being computed.
    running: usize,
    memory: Vec<Vec<Block>>,
}

impl MemoryPool {
    fn hash(
        &self,
        argon2: &Argon2<'_>,
        password: &[u8],
        salt: &[u8],
    ) -> password_hash::Result<Output> {
        let mut memory = self.take();
        memory.resize(argon2.params().block_count(), Block::new());
        let mut output = [0; Params::DEFAULT_OUTPUT_LEN];
        let hashed =
            argon2.hash_password_into_with_memory(password, salt, &mut output, &mut memory[..]);
        self.give_back(memory);
        hashed?;
        Ok(Output::new(&output)?)
    }

    fn take(&self) -> Vec<Block> {
        let mut kept = self.lock();
        kept.running += 1;
        let memory = kept.memory.pop();
        memory.unwrap_or_default()
    }

    fn give_back(&self, memory: Vec<Block>) {
        let mut kept = self.lock();
        kept.running -= 1;
        kept.memory.push(memory);
        if kept.running == 0 {
            kept.memory = Vec::new();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hasher() -> Argon2Passwords {
        Argon2Passwords::new(HashingCost::default()).unwrap()
    }

    fn password(text: &str) -> Password {
        Password::parse("password", text).unwrap()
    }

    #[test]
    fn only_the_right_password_verifies() {
        let passwords = hasher();
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
    fn a_password_verifies_however_its_letters_are_typed() {
        let passwords = hasher();
        let forms = ["Gr\u{f6}\u{df}e-7-kettles", "Gro\u{308}\u{df}e-7-kettles"];
        for set in forms {
            let hash = passwords.hash(&password(set)).unwrap();
            let verify = |typed| passwords.verify(&password(typed), Some(&hash)).unwrap();
            assert!(forms.into_iter().all(verify));
            assert!(!verify("Grosse-7-kettles"));
        }
    }

    #[test]
    fn a_hash_made_by_the_library_verifies() {
        use argon2::PasswordHasher as _;

        let passwords = hasher();
        let hashed = passwords.argon2.hash_password(b"correct horse").unwrap();
        let hash = PasswordHash::new(hashed.to_string());
        assert_eq!(hash.as_str().len(), passwords.absent.as_str().len());
        for (text, is_right) in [("correct horse", true), ("correct horsf", false)] {
            assert_eq!(
                passwords.verify(&password(text), Some(&hash)).unwrap(),
                is_right
            );
        }
    }

    #[test]
    fn memory_is_reused_while_others_hash_and_given_back_after_the_last() {
        let pool = MemoryPool::default();
        let (first, second) = (pool.take(), pool.take());
        let address = first.as_ptr();
        pool.give_back(first);
        let third = pool.take();
        assert_eq!(third.as_ptr(), address);
        pool.give_back(third);
        assert_eq!(pool.lock().memory.len(), 1);
        pool.give_back(second);
        assert!(pool.lock().memory.is_empty());
    }

    #[test]
    fn no_memory_is_kept_while_nobody_hashes() {
        let passwords = hasher();
        assert!(passwords.pool.lock().memory.is_empty());
        passwords.hash(&password("correct horse")).unwrap();
        let kept = passwords.pool.lock();
        assert_eq!((kept.running, kept.memory.capacity()), (0, 0));
    }

    #[test]
    fn equal_passwords_have_different_hashes() {
        let passwords = hasher();
        let one = passwords.hash(&password("secret")).unwrap();
        let two = passwords.hash(&password("secret")).unwrap();
        assert_ne!(one.as_str(), two.as_str());
    }

    #[test]
    fn an_absent_account_never_verifies_even_with_the_dummy_password() {
        let passwords = hasher();
        assert!(
            !passwords
                .verify(&password("nobody's password"), None)
                .unwrap()
        );
    }

    #[test]
    fn a_damaged_hash_is_an_error_and_not_a_refusal() {
        let passwords = hasher();
        let damaged = PasswordHash::new("plain".into());
        assert!(
            passwords
                .verify(&password("secret"), Some(&damaged))
                .is_err()
        );
    }
}
