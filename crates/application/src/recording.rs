//! Records business facts for evidence, in the transaction of the change: one function
//! for each fact that needs more than its event.
//!
//! Whoever records something reads the time within the transaction: what waits for its turn to write
//! would else be older than events that got their places before it.

use ideavault_domain::Timestamp;
use ideavault_domain::content::Content;
use ideavault_domain::evidence::{
    ContentFacts, Event, FileFacts, delivered_agreement, delivered_file, delivered_revision,
    recorded_revision,
};
use ideavault_domain::file::StoredFile;
use ideavault_domain::idea::{DisclosedIdea, Idea, Publication};
use ideavault_domain::ids::{FileId, IdeaId};
use ideavault_domain::ports::{DatabaseError, Transaction};
use ideavault_domain::recipient::{NdaAcceptance, Recipient, ViewGrant};

/// Records the current revision of an idea. Returns `false` when it was on record.
pub(crate) fn put_on_record(
    tx: &mut dyn Transaction,
    idea: &DisclosedIdea,
    at: Timestamp,
) -> Result<bool, DatabaseError> {
    let (id, revision) = (idea.idea.id, idea.idea.revision);
    if is_on_record(tx, id, revision)? {
        return Ok(false);
    }
    let facts = current_content(tx, idea, idea.idea.status.publication())?;
    let event = Event::revision_recorded(id, revision, facts, at);
    tx.evidence_log().append_event(&event)
}

/// Returns whether a revision is on record.
pub(crate) fn is_on_record(
    tx: &mut dyn Transaction,
    idea: IdeaId,
    revision: i32,
) -> Result<bool, DatabaseError> {
    let key = recorded_revision(idea, revision);
    Ok(tx.evidence_log().digest_by_once_key(&key)?.is_some())
}

/// Records the publication of an idea in its current revision.
pub(crate) fn idea_published(
    tx: &mut dyn Transaction,
    idea: &DisclosedIdea,
    publication: &Publication,
) -> Result<(), DatabaseError> {
    let facts = current_content(tx, idea, Some(publication))?;
    let (id, revision) = (idea.idea.id, idea.idea.revision);
    let event = Event::idea_published(id, revision, facts, publication.at);
    tx.evidence_log().append_event(&event)?;
    Ok(())
}

fn current_content(
    tx: &mut dyn Transaction,
    disclosed: &DisclosedIdea,
    publication: Option<&Publication>,
) -> Result<ContentFacts, DatabaseError> {
    let idea = &disclosed.idea;
    let files = files_of(tx, idea, idea.revision)?;
    Ok(ContentFacts {
        title: idea.title.to_string(),
        creator: disclosed.sharer.to_string(),
        sha256: idea.sha256.to_string(),
        document_id: publication.map(|publication| publication.document_id.to_string()),
        files,
    })
}

fn files_of(
    tx: &mut dyn Transaction,
    idea: &Idea,
    revision: i32,
) -> Result<Vec<FileFacts>, DatabaseError> {
    let content = tx.ideas().revision_content(idea.id, revision)?;
    let mut files = Vec::new();
    for id in content.iter().flat_map(Content::files) {
        let file = tx.files().file(id)?;
        // Files of other owners are not shown, whatever the content says.
        files.extend(file.filter(|file| file.owner == idea.owner));
    }
    Ok(files.iter().map(FileFacts::of).collect())
}

/// Returns whether it is on record that a revision was sent in a view.
pub(crate) fn is_revision_delivered(
    tx: &mut dyn Transaction,
    grant: &ViewGrant,
    revision: i32,
) -> Result<bool, DatabaseError> {
    if revision == grant.revision {
        return Ok(true);
    }
    let key = delivered_revision(grant.id, revision);
    Ok(tx.evidence_log().digest_by_once_key(&key)?.is_some())
}

/// Records that the current revision was sent in a view that began with an older one.
pub(crate) fn revision_delivered(
    tx: &mut dyn Transaction,
    idea: &DisclosedIdea,
    grant: &ViewGrant,
    at: Timestamp,
) -> Result<(), DatabaseError> {
    put_on_record(tx, idea, at)?;
    let event = Event::revision_delivered(idea.idea.id, grant, idea.idea.revision, at);
    tx.evidence_log().append_event(&event)?;
    Ok(())
}

/// Records an acceptance, with the delivery before it.
pub(crate) fn agreement_accepted(
    tx: &mut dyn Transaction,
    recipient: &Recipient,
    acceptance: &NdaAcceptance,
) -> Result<(), DatabaseError> {
    let delivery = delivered_agreement(recipient.id);
    let delivery = tx.evidence_log().digest_by_once_key(&delivery)?;
    let event = Event::agreement_accepted(recipient, acceptance, delivery);
    tx.evidence_log().append_event(&event)?;
    Ok(())
}

/// Returns whether the delivery of a file in a view is on record.
pub(crate) fn is_file_delivered(
    tx: &mut dyn Transaction,
    grant: &ViewGrant,
    file: &StoredFile,
) -> Result<bool, DatabaseError> {
    let key = delivered_file(grant.id, file.id);
    Ok(tx.evidence_log().digest_by_once_key(&key)?.is_some())
}

/// Records that a file was sent in a view of an idea.
pub(crate) fn file_delivered(
    tx: &mut dyn Transaction,
    (idea, grant): (IdeaId, &ViewGrant),
    file: &StoredFile,
    at: Timestamp,
) -> Result<(), DatabaseError> {
    let event = Event::file_delivered(idea, grant, file.id, FileFacts::of(file), at);
    tx.evidence_log().append_event(&event)?;
    Ok(())
}

/// Records that the document was downloaded in a view of an idea: as the imported file with that
/// id, or as a page.
pub(crate) fn downloaded(
    tx: &mut dyn Transaction,
    (idea, grant): (IdeaId, &ViewGrant),
    id: Option<FileId>,
    file: FileFacts,
    at: Timestamp,
) -> Result<(), DatabaseError> {
    let event = Event::downloaded(idea, grant, id, file, at);
    tx.evidence_log().append_event(&event)?;
    Ok(())
}
