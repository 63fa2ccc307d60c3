//! Tags of ideas, and their archive.

use ideavault_domain::ids::IdeaId;
use ideavault_domain::organization::{Archived, Organization, OrganizationChange, Tags};
use ideavault_domain::ports::Database as _;

use crate::support::{Fixture, at, on_both_databases, publication, race};

on_both_databases!(
    what_a_change_leaves_out_stays,
    a_published_idea_is_organized,
    lists_leave_archived_ideas_out_unless_asked,
    tags_of_another_idea_are_not_shown,
    concurrent_changes_are_all_made,
    a_deleted_draft_is_not_organized,
);

fn tagged(tags: &[&str]) -> OrganizationChange {
    let tags: Vec<String> = tags.iter().map(ToString::to_string).collect();
    OrganizationChange {
        tags: Some(Tags::parse(&tags).unwrap()),
        is_archived: None,
    }
}

fn archived(is_archived: bool) -> OrganizationChange {
    OrganizationChange {
        tags: None,
        is_archived: Some(is_archived),
    }
}

fn organize(fixture: &Fixture, idea: IdeaId, change: &OrganizationChange) -> Option<Organization> {
    let organized = fixture.write(|tx| tx.ideas().organize_idea(idea, change));
    assert_eq!(fixture.read(|tx| tx.ideas().organization(idea)), organized);
    organized
}

fn what_a_change_leaves_out_stays(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let before = fixture.read(|tx| tx.ideas().organization(idea.id));
    assert_eq!(before, Some(Organization::default()));
    let nothing = OrganizationChange::default();
    assert_eq!(organize(fixture, idea.id, &nothing), before);
    let change = tagged(&["Kettle", "steam age"]);
    let both = Organization {
        tags: change.tags.clone().unwrap(),
        is_archived: true,
    };
    organize(fixture, idea.id, &change);
    assert_eq!(
        organize(fixture, idea.id, &archived(true)),
        Some(both.clone())
    );
    assert_eq!(organize(fixture, idea.id, &nothing), Some(both.clone()));
    let listed =
        fixture.listed(|tx, paging| tx.ideas().ideas_of(idea.owner, Archived::Included, paging));
    assert_eq!(listed[0].organization, both);
    // The idea itself did not change.
    assert_eq!(fixture.idea(idea.id), idea);
    organize(fixture, idea.id, &tagged(&[]));
    let emptied = organize(fixture, idea.id, &archived(false));
    assert_eq!(emptied, Some(Organization::default()));
}

fn a_published_idea_is_organized(fixture: &Fixture) {
    let idea = fixture.add_draft();
    assert!(fixture.write(|tx| tx.ideas().publish_idea(&idea, &publication(at(7)))));
    organize(fixture, idea.id, &archived(true));
    let organized = organize(fixture, idea.id, &tagged(&["filed"])).unwrap();
    assert!(organized.is_archived);
    assert_eq!(organized.tags.into_vec(), ["filed"]);
}

fn lists_leave_archived_ideas_out_unless_asked(fixture: &Fixture) {
    let owner = fixture.add_user();
    let [plain, kept, back] = [(); 3].map(|()| fixture.add_idea(owner.id).id);
    organize(fixture, kept, &archived(true));
    organize(fixture, back, &archived(true));
    organize(fixture, back, &archived(false));
    let ids = |archived| {
        let listed = fixture.listed(|tx, paging| tx.ideas().ideas_of(owner.id, archived, paging));
        let mut ids: Vec<_> = listed.iter().map(|idea| idea.summary.id.as_i64()).collect();
        ids.sort_unstable();
        ids
    };
    assert_eq!(ids(Archived::LeftOut), [plain, back].map(IdeaId::as_i64));
    assert_eq!(
        ids(Archived::Included),
        [plain, kept, back].map(IdeaId::as_i64)
    );
}

fn tags_of_another_idea_are_not_shown(fixture: &Fixture) {
    let owner = fixture.add_user();
    let [one, other] = [(); 2].map(|()| fixture.add_idea(owner.id).id);
    organize(fixture, one, &tagged(&["one"]));
    organize(fixture, other, &tagged(&["other"]));
    let copy = format!(
        "UPDATE organized_ideas SET tags = (SELECT tags FROM organized_ideas WHERE idea_id = {other}) \
         WHERE idea_id = {one}"
    );
    fixture.sql(&copy).unwrap();
    let listed =
        fixture.listed(|tx, paging| tx.ideas().ideas_of(owner.id, Archived::LeftOut, paging));
    let damaged: Vec<_> = listed.iter().filter(|idea| idea.is_damaged).collect();
    assert_eq!(damaged.len(), 1);
    assert_eq!(damaged[0].summary.id, one);
    let read = fixture
        .database
        .open()
        .read(|tx| tx.ideas().organization(one));
    assert!(read.is_err());
    // Its owner tags it anew.
    organize(fixture, one, &tagged(&["one"]));
}

fn concurrent_changes_are_all_made(fixture: &Fixture) {
    let idea = fixture.add_draft().id;
    race(2, |number| {
        let change = match number {
            0 => tagged(&["kettle"]),
            _ => archived(true),
        };
        fixture.write(|tx| tx.ideas().organize_idea(idea, &change))
    });
    let organized = fixture.read(|tx| tx.ideas().organization(idea)).unwrap();
    assert!(organized.is_archived);
    assert_eq!(organized.tags.into_vec(), ["kettle"]);
}

fn a_deleted_draft_is_not_organized(fixture: &Fixture) {
    let idea = fixture.add_draft().id;
    organize(fixture, idea, &tagged(&["kettle"]));
    assert!(fixture.write(|tx| tx.ideas().delete_draft(idea, at(9))));
    assert_eq!(organize(fixture, idea, &archived(true)), None);
    let absent = IdeaId::from(999_999);
    assert_eq!(organize(fixture, absent, &archived(true)), None);
}
