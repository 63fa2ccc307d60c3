//! The text of a receipt, and the files embedded in it.

use ideavault_domain::Timestamp;
use ideavault_domain::document::{Attachment, Receipt};
use ideavault_domain::idea::DocumentId;
use ideavault_domain::ports::PortError;
use ideavault_domain::recipient::{NdaAcceptance, Recipient};
use ideavault_domain::share::ShareType;

use super::Recorded;

/// Facts for a receipt that neither registration nor acceptance contain.
pub(super) struct Facts<'v> {
    pub(super) vault: &'v str,
    pub(super) share_type: ShareType,
    pub(super) has_witnesses: bool,
    pub(super) now: Timestamp,
}

/// Returns a receipt without its files.
pub(super) fn receipt(
    recipient: &Recipient,
    acceptance: &NdaAcceptance,
    recorded: Option<&Recorded>,
    facts: &Facts<'_>,
) -> Receipt {
    let agreement = &recipient.agreement;
    Receipt {
        vault: facts.vault.to_owned(),
        number: recipient.id.to_string(),
        made_at: facts.now,
        idea: agreement.idea.to_string(),
        title: agreement.idea_title.to_string(),
        document_id: agreement.document_id.as_ref().map(DocumentId::to_string),
        sharer: agreement.sharer.to_string(),
        name: agreement.recipient.to_string(),
        email: agreement.recipient_email.to_string(),
        confirmed_at: acceptance.identity.confirmed_at(),
        accepted_at: acceptance.accepted_at,
        version: acceptance.nda_version.to_string(),
        terms: agreement.parts(),
        revision: acceptance.revision,
        revision_sha256: acceptance.revision_sha256,
        origin: acceptance.origin.clone(),
        share_type: facts.share_type,
        event: recorded.map(|recorded| recorded.event.digest),
        place: recorded.and_then(|recorded| recorded.place.clone()),
        confirmations: recorded.map(Recorded::confirmations).unwrap_or_default(),
        has_witnesses: facts.has_witnesses,
        attachments: Vec::new(),
    }
}

/// Returns the receipt as JSON, and the exact text of the agreement.
pub(super) fn plain_files(receipt: &Receipt) -> Result<Vec<Attachment>, PortError> {
    let facts = receipt.facts().map_err(|error| PortError {
        operation: "write a receipt as JSON",
        source: Box::new(error),
    })?;
    let text = Attachment {
        name: "agreement.txt".to_owned(),
        media_type: "text/plain",
        description: "The exact text that was accepted",
        content: receipt.terms.text().into_bytes(),
    };
    let facts = json("receipt.json", "The facts of this receipt", &facts);
    Ok(vec![facts, text])
}

/// Returns the files that prove the place of the event, with the key that signed it.
pub(super) fn proof_files(
    proof: Vec<u8>,
    note: &str,
    vkey: Option<String>,
) -> impl Iterator<Item = Attachment> {
    let files = [
        (
            "event.tlog-proof",
            "The proof that the log has the event (c2sp.org/tlog-proof)",
            Some(proof),
        ),
        (
            "checkpoint",
            "The signed checkpoint of the log (c2sp.org/tlog-checkpoint)",
            Some(note.as_bytes().to_vec()),
        ),
        (
            "vkey",
            "The public key of the log: compare it with one that you have from elsewhere",
            vkey.map(String::into_bytes),
        ),
    ];
    let files = files.into_iter();
    files.filter_map(|(name, description, content)| {
        Some(Attachment {
            name: name.to_owned(),
            media_type: "text/plain",
            description,
            content: content?,
        })
    })
}

/// Returns a JSON file.
pub(super) fn json(name: &str, description: &'static str, body: &str) -> Attachment {
    Attachment {
        name: name.to_owned(),
        media_type: "application/json",
        description,
        content: body.as_bytes().to_vec(),
    }
}
