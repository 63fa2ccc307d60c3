//! Erasure of old revisions of drafts.

use ideavault_domain::evidence::{ContentFacts, Event};
use ideavault_domain::idea::Idea;
use ideavault_domain::thinning::KeptRevision;

use crate::support::{
    Fixture, acceptance, at, draft, full_access, grant, on_both_databases, publication,
};

on_both_databases!(
    drafts_with_old_revisions_are_listed_in_pages,
    viewed_and_accepted_revisions_are_kept,
    revisions_on_record_are_kept,
    erased_revisions_stay_listed_without_content,
    a_published_or_deleted_idea_is_not_thinned,
);

/// Saves the draft `times` more and returns it.
fn saved(fixture: &Fixture, mut idea: Idea, times: i64) -> Idea {
    for minute in 1..=times {
        assert!(fixture.write(|tx| {
            tx.ideas()
                .add_revision(&idea, &draft("<p>2</p>"), at(minute))
        }));
        idea = fixture.idea(idea.id);
    }
    idea
}

fn drafts_with_old_revisions_are_listed_in_pages(fixture: &Fixture) {
    let single = fixture.add_draft();
    let drafts: Vec<_> = (0..3)
        .map(|_| saved(fixture, fixture.add_draft(), 2).id)
        .collect();
    let published = saved(fixture, fixture.add_draft(), 2);
    assert!(fixture.write(|tx| tx.ideas().publish_idea(&published, &publication(at(9)))));
    let deleted = saved(fixture, fixture.add_draft(), 2);
    assert!(fixture.write(|tx| tx.ideas().delete_draft(deleted.id, at(9))));

    let listed = |before, after| {
        fixture.read(|tx| tx.ideas().drafts_with_old_revisions(at(before), after, 2))
    };
    assert_eq!(listed(0, None), []);
    assert_eq!(listed(1, None), drafts[..2]);
    assert_eq!(listed(1, Some(drafts[1])), drafts[2..]);
    assert_eq!(listed(1, Some(drafts[2])), []);
    assert!(!listed(9, None).contains(&single.id));
}

fn revisions_on_record_are_kept(fixture: &Fixture) {
    let idea = saved(fixture, fixture.add_draft(), 2);
    let content = ContentFacts {
        title: "Kettle".into(),
        creator: "Ada".into(),
        sha256: idea.sha256.to_string(),
        document_id: None,
        files: Vec::new(),
    };
    fixture.begin_log();
    fixture.write(|tx| {
        let log = tx.evidence_log();
        log.append_event(&Event::revision_recorded(
            idea.id,
            2,
            content.clone(),
            at(5),
        ))
    });
    let kept = fixture.read(|tx| tx.ideas().kept_revisions(idea.id));
    let needed: Vec<_> = kept.iter().map(|revision| revision.is_needed).collect();
    // The newest first: the current one, the one on record, and the first.
    assert_eq!(needed, [true, true, false]);
}

fn viewed_and_accepted_revisions_are_kept(fixture: &Fixture) {
    let idea = saved(fixture, fixture.add_draft(), 4);
    let share = fixture.add_share(idea.id, full_access());
    let guest = fixture.add_guest(&share);
    let mut view = grant(&guest, at(6));
    view.revision = 3;
    assert!(fixture.write(|tx| tx.shares().claim_view(&view)));
    assert_eq!(acceptance(&guest, at(5)).revision, 1);

    let kept = fixture.read(|tx| tx.ideas().kept_revisions(idea.id));

    let expected = [
        (5, 4, true),
        (4, 3, false),
        (3, 2, true),
        (2, 1, false),
        (1, 0, true),
    ];
    let expected = expected.map(|(number, minute, is_needed)| KeptRevision {
        number,
        created_at: at(minute),
        is_needed,
    });
    assert_eq!(kept, expected);
}

fn erased_revisions_stay_listed_without_content(fixture: &Fixture) {
    let idea = saved(fixture, fixture.add_draft(), 2);
    assert_eq!(
        fixture.write(|tx| tx.ideas().erase_revisions(idea.id, &[1, 2])),
        2
    );
    assert_eq!(
        fixture.write(|tx| tx.ideas().erase_revisions(idea.id, &[1, 2])),
        0
    );
    let listed = fixture.listed(|tx, paging| tx.ideas().revisions_of(idea.id, paging));
    let listed: Vec<_> = listed.iter().map(|row| (row.number, row.is_kept)).collect();
    assert_eq!(listed, [(3, true), (2, false), (1, false)]);
    let content = |number| fixture.read(|tx| tx.ideas().revision_content(idea.id, number));
    assert!(content(1).is_none() && content(3).is_some());
    assert_eq!(fixture.idea(idea.id), idea);
}

fn a_published_or_deleted_idea_is_not_thinned(fixture: &Fixture) {
    let draft = saved(fixture, fixture.add_draft(), 1);
    // Not even if they are passed by mistake.
    assert_eq!(
        fixture.write(|tx| tx.ideas().erase_revisions(draft.id, &[1, 2])),
        0
    );
    assert_eq!(
        fixture.write(|tx| tx.ideas().erase_revisions(draft.id, &[])),
        0
    );
    assert!(fixture.write(|tx| tx.ideas().publish_idea(&draft, &publication(at(9)))));
    assert_eq!(
        fixture.write(|tx| tx.ideas().erase_revisions(draft.id, &[1])),
        0
    );
    let content = fixture.read(|tx| tx.ideas().revision_content(draft.id, 1));
    assert!(content.is_some());
}
