//! The receipt: who accepted which text when, and the text itself.

use ideavault_domain::digest::Digest;
use ideavault_domain::document::{Receipt, sentences, utc};
use ideavault_domain::nda::AgreementParts;
use ideavault_domain::share::ShareType;

use crate::canvas::INK;
use crate::flow::{COLUMN, Flow, Frame, Setting};
use crate::fonts::{Face, Fonts};
use crate::pdf::{self, DocumentError};

/// The accepted text: the current wording fits on one page.
const TERMS: Setting = Setting {
    face: Face::Serif,
    size: 9.5,
    colour: INK,
    x: 0.0,
};
/// Distance between its paragraphs besides that of its lines.
const GAP: f32 = 6.5;

/// Writes the document, with these fonts besides the program's own.
pub fn write(receipt: &Receipt, added: &[&'static [u8]]) -> Result<Vec<u8>, DocumentError> {
    let fonts = Fonts::load(added)?;
    let heading = format!("Receipt of an accepted agreement: {}", receipt.title);
    let mut document = pdf::begin(&heading, &receipt.vault, receipt.made_at)?;
    let mut flow = Flow::new(&fonts);
    summary(&mut flow, receipt);
    terms(&mut flow, &receipt.terms);
    let frame = Frame {
        vault: &receipt.vault,
        title: "Receipt of an accepted agreement",
        foot: &format!("Receipt {}", receipt.number),
    };
    flow.draw(&mut document, &frame)?;
    for attachment in &receipt.attachments {
        pdf::embed(&mut document, attachment, receipt.made_at)?;
    }
    pdf::finish(document)
}

fn summary(flow: &mut Flow<'_>, receipt: &Receipt) {
    flow.heading("The parties");
    flow.row("Receiving party", &receipt.name);
    flow.row("Email address", &receipt.email);
    flow.row("This address", &receipt.identity());
    flow.row("Disclosing party", &receipt.sharer);
    flow.skip(14.0);
    flow.heading("The acceptance");
    flow.row("Accepted on", &utc(receipt.accepted_at));
    let agreement = format!("IdeaVault NDA, version {}", receipt.version);
    flow.row("Agreement", &agreement);
    let terms = Digest::of(receipt.terms.text().as_bytes());
    flow.row("SHA-256 of the text", &terms.to_string());
    match &receipt.origin {
        Some(origin) => {
            flow.row("From", &origin.ip.to_string());
            let browser = origin.user_agent.as_deref();
            flow.row("Browser", browser.unwrap_or("not stated"));
        }
        None => flow.row("From", "erased at the request of the receiving party"),
    }
    flow.row("Link", link(receipt.share_type));
    flow.skip(14.0);
    flow.heading("The idea");
    flow.row("Title", &receipt.title);
    let document = receipt.document_id.as_deref();
    flow.row("Document ID", document.unwrap_or("none yet"));
    flow.row(
        "Version",
        &format!("{} of idea {}", receipt.revision, receipt.idea),
    );
    flow.row("SHA-256 of content", &receipt.revision_sha256.to_string());
    flow.skip(14.0);
    flow.heading("The record");
    match &receipt.place {
        Some(place) => {
            let (index, size) = (place.index, place.size);
            let covered = format!("No. {index}, covered by the checkpoint of {size} events");
            flow.row("Log", &place.origin);
            flow.row("Place", &covered);
            flow.row("Root of the log", &place.root.to_string());
        }
        None => flow.row("Log", "no place yet: download this receipt again later"),
    }
    flow.row(
        "Time",
        &sentences(&receipt.confirmations, receipt.has_witnesses).join(" "),
    );
    let names: Vec<_> = receipt
        .attachments
        .iter()
        .map(|file| file.name.as_str())
        .collect();
    if !names.is_empty() {
        let files = format!("{} (attached to this PDF)", names.join(", "));
        flow.row("Files", &files);
    }
    flow.row("Issued on", &utc(receipt.made_at));
}

/// Adds the full text, beginning on a page of its own.
fn terms(flow: &mut Flow<'_>, terms: &AgreementParts) {
    flow.new_page();
    flow.heading("The text that was accepted");
    flow.paragraph(&TERMS, terms.title);
    flow.skip(GAP);
    for (label, value) in &terms.terms {
        flow.label(&TERMS, &format!("{label}:"));
        flow.paragraph(&Setting { x: COLUMN, ..TERMS }, value);
    }
    for paragraph in terms.paragraphs() {
        flow.skip(GAP);
        flow.paragraph(&TERMS, &paragraph);
    }
}

fn link(share_type: ShareType) -> &'static str {
    match share_type {
        ShareType::OneTime => "one-time: a number of readers, one view each",
        ShareType::TimeDependent => "time-dependent: until a date",
        ShareType::FullAccess => "full access: until revoked",
        ShareType::Email => "by email: for one address only",
    }
}
