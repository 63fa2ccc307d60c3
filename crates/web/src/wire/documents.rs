//! JSON of public records.

use ideavault_application::documents::PublicRecord;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::evidence::{AnchorView, EvidenceStateView};
use super::time;

/// Whether the public record of an idea is on.
#[derive(Deserialize, Serialize, ToSchema)]
#[schema(as = PublicRecordSwitch)]
pub struct PublicRecordSwitch {
    /// Whether anybody may look it up.
    pub enabled: bool,
}

/// The public facts of a published idea, without its title, content and owner.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PublicRecord)]
pub struct PublicRecordView {
    document_id: String,
    #[schema(format = DateTime)]
    published_at: String,
    /// SHA-256 of the exact content, in hex; of a PDF, of the file.
    sha256: String,
    state: EvidenceStateView,
    /// Origin of the log, once the publication has a place.
    #[schema(required)]
    log: Option<String>,
    /// Place of the publication in the log.
    #[schema(required)]
    index: Option<u64>,
    /// Confirmations by outsiders, best first.
    anchors: Vec<AnchorView>,
    /// Whether this vault asks outsiders to confirm the time.
    has_witnesses: bool,
}

impl From<PublicRecord> for PublicRecordView {
    fn from(record: PublicRecord) -> Self {
        let index = record.place.as_ref().map(|place| place.index);
        Self {
            document_id: record.publication.document_id.to_string(),
            published_at: time(record.publication.at),
            sha256: record.sha256.to_string(),
            state: record.state.into(),
            log: record.place.map(|place| place.origin),
            index,
            anchors: record.anchors.into_iter().map(AnchorView::from).collect(),
            has_witnesses: record.has_witnesses,
        }
    }
}
