//! Signed checkpoints (C2SP tlog-checkpoint, Ed25519) of stored states, with stored keys.

use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::{LogHead, LogSeed, StoredLogKey};
use ideavault_evidence::checkpoint::{Checkpoint, CheckpointError, LogKey, SignedCheckpoint};

/// Returns the public key of `seed` for the log with that origin, as a C2SP `vkey`.
pub(super) fn vkey(origin: &str, seed: &LogSeed) -> Result<String, CheckpointError> {
    Ok(log_key(origin, seed)?.verifier().to_string())
}

/// Returns the note for `head`, signed with each key, so that a verifier who trusts an older one
/// can follow the log to a newer one; `None` without a key, or if the secret part of one is damaged.
pub(super) fn sign(
    head: &LogHead,
    keys: &[StoredLogKey],
) -> Result<Option<String>, CheckpointError> {
    let mut signed: Option<SignedCheckpoint> = None;
    for key in keys {
        let Some(seed) = &key.seed else {
            return Ok(None);
        };
        let key = log_key(&head.origin, seed)?;
        signed = Some(match &signed {
            Some(signed) => key.cosign(signed)?,
            None => {
                let root = *head.root.as_bytes();
                key.sign(Checkpoint::new(&head.origin, head.size, root)?)?
            }
        });
    }
    // A signed note is text.
    Ok(signed.map(|signed| String::from_utf8_lossy(signed.bytes()).into_owned()))
}

/// Returns the state that a note names, without checking its signature.
pub(super) fn head_of(note: &str) -> Result<LogHead, CheckpointError> {
    let signed = SignedCheckpoint::parse(note.as_bytes())?;
    let checkpoint = signed.checkpoint();
    Ok(LogHead {
        origin: checkpoint.origin().to_owned(),
        size: checkpoint.size(),
        root: Digest::from_bytes(*checkpoint.root()),
    })
}

fn log_key(origin: &str, seed: &LogSeed) -> Result<LogKey, CheckpointError> {
    LogKey::from_seed(origin, seed.as_bytes())
}
