//! Saving and publishing with the revision that an edit started from.

use ideavault_domain::failure::Failure;

use super::*;

fn at_revision(revision: i32) -> Idea {
    Idea {
        revision,
        ..draft_idea()
    }
}

fn save(base: Option<i32>, writes: impl FnOnce(&mut MockTransaction)) -> Result<Idea, IdeaError> {
    ideas(|_| {}, writes)
        .update(owner(), 7.into(), "New", json!("<p>New</p>"), base)
        .map(|saved| saved.idea)
}

#[test]
fn a_save_based_on_an_older_revision_is_refused_without_writing() {
    for base in [1, 2] {
        // The mock expects no write.
        let error = save(Some(base), finds(at_revision(3))).unwrap_err();
        assert!(
            matches!(
                Failure::from(error),
                Failure::Outdated { revision: 3, message } if message.contains("saved elsewhere")
            ),
            "{base}"
        );
    }
}

#[test]
fn a_save_based_on_a_nonexistent_revision_is_invalid() {
    for base in [i32::MIN, -1, 0, 4, i32::MAX] {
        let error = save(Some(base), finds(at_revision(3))).unwrap_err();
        assert!(
            matches!(&error, IdeaError::Invalid(invalid) if invalid.field == "baseRevision"),
            "{base}: {error}"
        );
    }
}

#[test]
fn a_save_based_on_the_current_or_no_revision_replaces_the_current_one() {
    for base in [Some(3), None] {
        let saved = save(base, |writes| {
            finds(at_revision(3))(writes);
            writes
                .expect_add_revision()
                .withf(|idea, _, _| idea.revision == 3)
                .times(1)
                .returning(|_, _, _| Ok(true));
        });
        assert!(saved.is_ok(), "{base:?}");
    }
}

#[test]
fn a_save_to_a_published_idea_is_refused_whatever_its_base() {
    for base in [Some(1), Some(9), None] {
        let error = save(base, finds(published_idea())).unwrap_err();
        assert!(matches!(error, IdeaError::Published), "{base:?}");
    }
}

/// A save that finds `before` and, after a lost race, `after`.
fn lost_race(before: Idea, after: Idea) -> IdeaError {
    save(Some(before.revision), |writes| {
        has_owner(writes, &draft_idea());
        for found in [before, after] {
            writes
                .expect_idea()
                .times(1)
                .return_once(move |_| Ok(Some(found)));
        }
        writes
            .expect_add_revision()
            .times(1)
            .returning(|_, _, _| Ok(false));
    })
    .unwrap_err()
}

#[test]
fn a_save_that_lost_a_race_reports_the_winner() {
    let error = lost_race(at_revision(3), at_revision(4));
    assert!(matches!(error, IdeaError::Outdated(4)));
    let error = lost_race(draft_idea(), published_idea());
    assert!(matches!(error, IdeaError::Published));
    let deleted = Idea {
        deleted_at: Some(at(0)),
        ..draft_idea()
    };
    let error = lost_race(draft_idea(), deleted);
    assert!(matches!(error, IdeaError::NotFound));
}

fn publish(
    base: Option<i32>,
    writes: impl FnOnce(&mut MockTransaction),
) -> Result<IdeaWithContent, IdeaError> {
    ideas(|_| {}, writes).publish(owner(), 7.into(), base, origin())
}

#[test]
fn publishing_an_unseen_revision_is_refused() {
    // The mock expects no write.
    let error = publish(Some(2), finds(at_revision(3))).unwrap_err();
    assert!(matches!(error, IdeaError::Outdated(3)), "{error}");
    let error = publish(Some(4), finds(at_revision(3))).unwrap_err();
    assert!(
        matches!(&error, IdeaError::Invalid(invalid) if invalid.field == "baseRevision"),
        "{error}"
    );
}

#[test]
fn a_publication_overtaken_by_a_save_is_reported_as_outdated() {
    let error = publish(None, |writes| {
        has_owner(writes, &draft_idea());
        for revision in [3, 4] {
            writes
                .expect_idea()
                .times(1)
                .return_once(move |_| Ok(Some(at_revision(revision))));
        }
        writes
            .expect_publish_idea()
            .withf(|idea, _| idea.revision == 3)
            .times(1)
            .returning(|_, _| Ok(false));
    })
    .unwrap_err();
    assert!(matches!(error, IdeaError::Outdated(4)), "{error}");
}
