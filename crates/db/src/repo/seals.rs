//! Seals of rows of the log: who has the database but not the master key cannot make one, so a
//! row with its seal was written by a server of this vault.

use diesel::prelude::{Queryable, Selectable};

use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::UnplacedEvent;
use ideavault_domain::keys::MasterSealed;
use ideavault_domain::ports::Encryption;

use super::Connection;
use super::current_key::sealed_under_current;
use super::damage::explained;
use super::schema::evidence_events;
use crate::error::{QueryError, QueryResult};

/// Returns the seal of a row with these values, under the current master key.
pub(super) fn seal(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    values: &str,
) -> QueryResult<Vec<u8>> {
    sealed_under_current(connection, encryption, MasterSealed::Row(values), b"")
}

/// Returns whether that is the seal of a row with these values.
pub(super) fn is_sealed(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    values: &str,
    seal: &[u8],
) -> QueryResult<bool> {
    let Err(error) = encryption.open_with_master(MasterSealed::Row(values), seal) else {
        return Ok(true);
    };
    match explained(connection, encryption, QueryError::Decryption(error)) {
        QueryError::Decryption(_) => Ok(false),
        error => Err(error),
    }
}

/// An event with what its seal is about. The time is in the body, whose digest is sealed.
#[derive(Queryable, Selectable)]
#[diesel(table_name = evidence_events)]
pub(super) struct SealedEvent {
    pub(super) seq: i64,
    pub(super) kind: String,
    pub(super) idea_id: Option<i64>,
    pub(super) share_id: Option<String>,
    pub(super) recipient_id: Option<String>,
    pub(super) comment_id: Option<String>,
    pub(super) once: Option<String>,
    pub(super) body: String,
    pub(super) digest: Vec<u8>,
    pub(super) seal: Vec<u8>,
}

impl SealedEvent {
    /// Returns what is sealed, which differs wherever a column differs.
    pub(super) fn values(&self) -> String {
        format!(
            "event {:?}",
            (
                self.seq,
                &self.kind,
                self.idea_id,
                &self.share_id,
                &self.recipient_id,
                &self.comment_id,
                &self.once,
                &self.digest,
            )
        )
    }

    /// Returns what the sequencer needs.
    pub(super) fn into_unplaced(
        self,
        connection: &mut Connection,
        encryption: &dyn Encryption,
    ) -> QueryResult<UnplacedEvent> {
        let digest = Digest::of(self.body.as_bytes());
        let is_sealed = self.digest == digest.as_bytes()
            && is_sealed(connection, encryption, &self.values(), &self.seal)?;
        Ok(UnplacedEvent {
            row: self.seq,
            digest,
            is_sealed,
        })
    }
}
