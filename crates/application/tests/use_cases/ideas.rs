use std::sync::Arc;

use ideavault_application::ideas::{IdeaError, Ideas};
use ideavault_domain::content::Content;
use ideavault_domain::file::MediaType;
use ideavault_domain::idea::{Draft, Idea};
use ideavault_domain::ports::{HtmlSanitizer, NewIdea};
use ideavault_domain::quota::Quotas;
use serde_json::json;

use crate::storage::MockStorage;
use crate::support::{at, draft, publication};
use crate::vault::{Disturbance, Vault, origin};

struct NothingToSanitize;

impl HtmlSanitizer for NothingToSanitize {
    fn sanitize(&self, html: &str) -> String {
        html.to_owned()
    }
}

pub(crate) fn ideas(vault: &Arc<Vault>) -> Ideas<Vault> {
    ideas_with(vault, MockStorage::new())
}

fn ideas_with(vault: &Arc<Vault>, storage: MockStorage) -> Ideas<Vault> {
    Ideas::new(
        vault.deps(),
        Arc::new(NothingToSanitize),
        Arc::new(storage),
        Quotas::default(),
    )
}

/// Saves and publishes an idea to which that happens first.
fn overtaken(happens: fn(&Vault, &Idea)) -> [IdeaError; 2] {
    let begin = || {
        let vault = Vault::new();
        let idea = vault.add_draft();
        let before = idea.clone();
        vault.overtake(move |vault| happens(vault, &before));
        (vault, idea)
    };
    let (vault, idea) = begin();
    let saved = ideas(&vault).update(
        idea.owner,
        idea.id,
        "New",
        json!("<p>New</p>"),
        Some(1),
        None,
    );
    let (vault, idea) = begin();
    let published = ideas(&vault).publish(idea.owner, idea.id, Some(1), origin());
    [saved.unwrap_err(), published.unwrap_err()]
}

#[test]
fn who_comes_second_learns_what_came_first() {
    let saved = overtaken(|vault, idea| {
        let revision = draft("<p>other</p>");
        assert!(vault.write(|tx| tx.ideas().add_revision(idea, &revision, at(2))));
    });
    for error in saved {
        assert!(matches!(error, IdeaError::Outdated(2)), "{error}");
    }
    let deleted = overtaken(|vault, idea| {
        assert!(vault.write(|tx| tx.ideas().delete_draft(idea.id, at(2))));
    });
    for error in deleted {
        assert!(matches!(error, IdeaError::NotFound), "{error}");
    }
}

#[test]
fn publishing_again_returns_the_publication_that_came_first() {
    let vault = Vault::new();
    let idea = vault.add_draft();
    let (before, first) = (idea.clone(), publication(at(2)));
    let winner = first.clone();
    vault.overtake(move |vault| {
        assert!(vault.write(|tx| tx.ideas().publish_idea(&before, &winner)));
    });
    let area = ideas(&vault);
    let published = area
        .publish(idea.owner, idea.id, Some(1), origin())
        .unwrap();
    assert_eq!(published.idea.status.publication(), Some(&first));
    for base in [Some(1), Some(9), None] {
        let saved = area.update(idea.owner, idea.id, "New", json!("<p>New</p>"), base, None);
        assert!(matches!(saved, Err(IdeaError::Published)), "{base:?}");
    }
    let deleted = area.delete(idea.owner, idea.id, origin());
    assert!(matches!(deleted, Err(IdeaError::Published)));
}

#[test]
fn a_save_that_starts_from_no_revision_of_the_idea_is_invalid() {
    let vault = Vault::new();
    let idea = vault.add_draft();
    let area = ideas(&vault);
    for base in [i32::MIN, -1, 0, 2, i32::MAX] {
        let saved = area.update(
            idea.owner,
            idea.id,
            "New",
            json!("<p>New</p>"),
            Some(base),
            None,
        );
        let published = area.publish(idea.owner, idea.id, Some(base), origin());
        for refused in [saved, published] {
            assert!(matches!(refused, Err(IdeaError::Invalid(_))), "{base}");
        }
    }
    assert_eq!(vault.idea(idea.id), idea);
}

#[test]
fn a_deletion_that_fails_keeps_the_pdf() {
    let vault = Vault::new();
    let pdf = vault.add_file(vault.add_user().id, MediaType::Pdf, at(0));
    let content = Content::Pdf {
        file_name: "Kettle.pdf".to_owned(),
        pdf_path: pdf.path(),
    };
    let new = NewIdea {
        owner: pdf.owner,
        draft: Draft::new(draft("").title, content),
        created_at: at(0),
        key: None,
    };
    let idea = vault.write(|tx| tx.ideas().add_idea(&new)).unwrap().id;
    let mut storage = MockStorage::new();
    let discarded = storage.expect_discard().withf(move |id| *id == pdf.id);
    discarded.times(1).returning(|_| ());
    // The first of the two must not discard it.
    vault.disturb(Disturbance::Full);
    let failed = ideas(&vault).delete(pdf.owner, idea, origin());
    assert!(matches!(failed, Err(IdeaError::Database(_))));
    assert_eq!(vault.count("files"), 1);
    ideas_with(&vault, storage)
        .delete(pdf.owner, idea, origin())
        .unwrap();
    assert_eq!(vault.count("files"), 0);
}
