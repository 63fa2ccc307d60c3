//! The key ring: the master keys of an installation.
//!
//! The current master key encrypts. The former ones only decrypt existing values, until a
//! rotation has rewrapped them. Every encrypted value therefore begins with the id of its
//! master key (8 bytes); the rest has the layout of [`crate::seal`].

use std::sync::{Arc, PoisonError, RwLock};

use chacha20poly1305::{KeyInit as _, XChaCha20Poly1305};
use hmac::{Hmac, Mac as _};
use ideavault_domain::evidence::Salt;
use ideavault_domain::keys::{DATA_KEY_LENGTH, DataKey, MasterKeyId, MasterSealed, WrappedKey};
use ideavault_domain::ports::{Encryption, PortError, Random as _};
use sha2::Sha256;

use crate::keys::{KeyError, MasterKey};
use crate::port_error;
use crate::random::SystemRandom;
use crate::seal;

mod unwrapped;

pub use self::unwrapped::CacheUse;
use self::unwrapped::Unwrapped;

/// The kinds of values. Each kind has its own derived key, so that a value of one kind
/// cannot be passed off as one of another with the same id.
#[derive(Clone, Copy)]
enum Purpose {
    /// The keys of ideas and files.
    DataKeys,
    /// The tokens of share links, which 'Copy Link' needs.
    ShareTokens,
    /// Emails in the outbox.
    Mails,
    /// The secrets that accounts share with authenticator apps.
    TotpSecrets,
    /// The seeds of the evidence log's keys.
    LogSeeds,
    /// Proofs of who wrote the rows of the evidence log.
    Rows,
    /// The key from which those of cookies are derived.
    CookieKey,
}

/// Calls `work` with the purpose and the associated data of a value.
fn with_binding<T>(what: MasterSealed<'_>, work: impl FnOnce(Purpose, &[u8]) -> T) -> T {
    match what {
        MasterSealed::DataKey(aad) => work(Purpose::DataKeys, aad.as_bytes()),
        MasterSealed::ShareToken(id) => work(Purpose::ShareTokens, id.as_uuid().as_bytes()),
        MasterSealed::Mail(id) => work(Purpose::Mails, id.as_uuid().as_bytes()),
        MasterSealed::TotpSecret(id) => work(Purpose::TotpSecrets, id.as_uuid().as_bytes()),
        MasterSealed::LogSeed(vkey) => work(Purpose::LogSeeds, vkey.as_bytes()),
        MasterSealed::Row(values) => work(Purpose::Rows, values.as_bytes()),
        MasterSealed::CookieKey => work(Purpose::CookieKey, b""),
    }
}

struct Master {
    id: MasterKeyId,
    data_keys: XChaCha20Poly1305,
    share_tokens: XChaCha20Poly1305,
    mails: XChaCha20Poly1305,
    totp_secrets: XChaCha20Poly1305,
    log_seeds: XChaCha20Poly1305,
    rows: XChaCha20Poly1305,
    cookie_key: XChaCha20Poly1305,
    codes: [u8; 32],
    limits: [u8; 32],
    requests: [u8; 32],
}

impl Master {
    fn new(key: &MasterKey) -> Result<Self, KeyError> {
        let cipher = |purpose| {
            let derived: [u8; 32] = key.derive(purpose)?;
            Ok(XChaCha20Poly1305::new(&derived.into()))
        };
        Ok(Self {
            id: key.id()?,
            data_keys: cipher("data keys")?,
            share_tokens: cipher("share tokens")?,
            mails: cipher("mails")?,
            totp_secrets: cipher("totp secrets")?,
            log_seeds: cipher("log seeds")?,
            rows: cipher("evidence rows")?,
            cookie_key: cipher("cookie key")?,
            codes: key.derive("email codes")?,
            limits: key.derive("limits")?,
            requests: key.derive("requests")?,
        })
    }

    fn cipher(&self, purpose: Purpose) -> &XChaCha20Poly1305 {
        match purpose {
            Purpose::DataKeys => &self.data_keys,
            Purpose::ShareTokens => &self.share_tokens,
            Purpose::Mails => &self.mails,
            Purpose::TotpSecrets => &self.totp_secrets,
            Purpose::LogSeeds => &self.log_seeds,
            Purpose::Rows => &self.rows,
            Purpose::CookieKey => &self.cookie_key,
        }
    }
}

/// Returns the available master keys, to find one that is not on the ring.
type Source = dyn Fn() -> Vec<MasterKey> + Send + Sync;

/// The master keys, with the current one first. Clones share them.
#[derive(Clone)]
pub struct KeyRing {
    masters: Arc<RwLock<Vec<Arc<Master>>>>,
    unwrapped: Arc<Unwrapped>,
    source: Arc<Source>,
}

impl KeyRing {
    /// Creates a ring of these keys, of which the first is current.
    ///
    /// # Errors
    /// [`KeyError::Length`], which cannot happen for the lengths in use.
    pub fn new<'k>(keys: impl IntoIterator<Item = &'k MasterKey>) -> Result<Self, KeyError> {
        let masters = keys
            .into_iter()
            .map(|key| Master::new(key).map(Arc::new))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            masters: Arc::new(RwLock::new(masters)),
            unwrapped: Arc::default(),
            source: Arc::new(Vec::new),
        })
    }

    /// Sets where to find a master key that is not on the ring, such as the new one
    /// after a rotation by another process.
    #[must_use]
    pub fn with_source(self, source: impl Fn() -> Vec<MasterKey> + Send + Sync + 'static) -> Self {
        Self {
            source: Arc::new(source),
            ..self
        }
    }

    /// Returns how often the key of an idea or file was found without unwrapping it.
    #[must_use]
    pub fn cache_use(&self) -> CacheUse {
        self.unwrapped.use_so_far()
    }

    /// Returns the keys for hashes of codes, the current one first.
    pub(crate) fn code_keys(&self) -> Vec<[u8; 32]> {
        let masters = self.masters.read().unwrap_or_else(PoisonError::into_inner);
        masters.iter().map(|master| master.codes).collect()
    }

    /// Returns the current key for hashes of what limits count by.
    pub(crate) fn limit_key(&self) -> Result<[u8; 32], PortError> {
        self.current().map(|master| master.limits)
    }

    /// Returns the current key for hashes of requests.
    pub(crate) fn request_key(&self) -> Result<[u8; 32], PortError> {
        self.current().map(|master| master.requests)
    }

    fn current(&self) -> Result<Arc<Master>, PortError> {
        let masters = self.masters.read().unwrap_or_else(PoisonError::into_inner);
        let first = masters.first().map(Arc::clone);
        first.ok_or_else(|| port_error("finding a master key", "the ring is empty"))
    }

    fn find(&self, id: MasterKeyId) -> Result<Arc<Master>, PortError> {
        if let Some(master) = self.on_the_ring(id) {
            return Ok(master);
        }
        for key in (self.source)() {
            let master = Master::new(&key).map_err(|error| port_error("deriving a key", error))?;
            if master.id == id {
                let master = Arc::new(master);
                self.change(|masters| masters.push(Arc::clone(&master)));
                return Ok(master);
            }
        }
        Err(port_error("finding a master key", "no key has that id"))
    }

    fn on_the_ring(&self, id: MasterKeyId) -> Option<Arc<Master>> {
        let masters = self.masters.read().unwrap_or_else(PoisonError::into_inner);
        masters
            .iter()
            .find(|master| master.id == id)
            .map(Arc::clone)
    }

    fn change(&self, change: impl FnOnce(&mut Vec<Arc<Master>>)) {
        change(&mut self.masters.write().unwrap_or_else(PoisonError::into_inner));
    }

    fn seal_for(
        &self,
        purpose: Purpose,
        aad: &[u8],
        plaintext: &[u8],
    ) -> Result<Vec<u8>, PortError> {
        let current = self.current()?;
        let sealed = seal::seal(current.cipher(purpose), aad, plaintext)?;
        Ok([current.id.as_bytes().as_slice(), &sealed].concat())
    }

    fn open_for(&self, purpose: Purpose, aad: &[u8], sealed: &[u8]) -> Result<Vec<u8>, PortError> {
        let (id, sealed) = sealed
            .split_first_chunk::<8>()
            .ok_or_else(|| port_error("decrypting", "it is too short"))?;
        let master = self.find(MasterKeyId::from_bytes(*id))?;
        seal::open(master.cipher(purpose), aad, sealed)
    }
}

impl Encryption for KeyRing {
    fn master_key(&self) -> Result<MasterKeyId, PortError> {
        self.current().map(|master| master.id)
    }

    fn activate(&self, id: MasterKeyId) -> Result<(), PortError> {
        let adopted = self.find(id)?;
        self.change(|masters| {
            masters.retain(|master| master.id != id);
            masters.insert(0, adopted);
        });
        Ok(())
    }

    fn rewrap(&self, what: MasterSealed<'_>, sealed: &[u8]) -> Result<Vec<u8>, PortError> {
        self.seal_with_master(what, &self.open_with_master(what, sealed)?)
    }

    fn seal_with_master(
        &self,
        what: MasterSealed<'_>,
        plaintext: &[u8],
    ) -> Result<Vec<u8>, PortError> {
        with_binding(what, |purpose, aad| self.seal_for(purpose, aad, plaintext))
    }

    fn open_with_master(
        &self,
        what: MasterSealed<'_>,
        sealed: &[u8],
    ) -> Result<Vec<u8>, PortError> {
        with_binding(what, |purpose, aad| self.open_for(purpose, aad, sealed))
    }

    fn new_key(&self) -> Result<DataKey, PortError> {
        let mut bytes = [0_u8; DATA_KEY_LENGTH];
        SystemRandom.fill(&mut bytes)?;
        Ok(DataKey::from_random(bytes))
    }

    fn new_salt(&self) -> Result<Salt, PortError> {
        let mut salt = Salt::default();
        SystemRandom.fill(&mut salt)?;
        Ok(salt)
    }

    fn wrap(&self, aad: &str, key: &DataKey) -> Result<WrappedKey, PortError> {
        self.seal_for(Purpose::DataKeys, aad.as_bytes(), key.as_bytes())
            .map(WrappedKey::from_stored)
    }

    fn unwrap(&self, aad: &str, wrapped: &WrappedKey) -> Result<DataKey, PortError> {
        if let Some(key) = self.unwrapped.find(aad, wrapped) {
            return Ok(key);
        }
        let bytes = self.open_for(Purpose::DataKeys, aad.as_bytes(), wrapped.as_bytes())?;
        let key = <[u8; DATA_KEY_LENGTH]>::try_from(bytes)
            .map(DataKey::from_random)
            .map_err(|_| port_error("unwrapping a key", "the key has the wrong length"))?;
        self.unwrapped.keep(aad, wrapped, &key);
        Ok(key)
    }

    fn seal(&self, key: &DataKey, aad: &str, plaintext: &[u8]) -> Result<Vec<u8>, PortError> {
        let cipher = XChaCha20Poly1305::new(key.as_bytes().into());
        seal::seal(&cipher, aad.as_bytes(), plaintext)
    }

    fn open(&self, key: &DataKey, aad: &str, sealed: &[u8]) -> Result<Vec<u8>, PortError> {
        let cipher = XChaCha20Poly1305::new(key.as_bytes().into());
        seal::open(&cipher, aad.as_bytes(), sealed)
    }

    fn hash(&self, key: &DataKey, text: &str) -> Result<[u8; 32], PortError> {
        let mut mac = Hmac::<Sha256>::new_from_slice(key.as_bytes())
            .map_err(|error| port_error("hashing a text", error))?;
        mac.update(text.as_bytes());
        Ok(mac.finalize().into_bytes().into())
    }
}

#[cfg(test)]
mod tests;
