use serde_json::json;

use ideavault_domain::content::Content;
use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::{ContentFacts, Event};
use ideavault_domain::idea::{DisclosedIdea, Draft, Idea, IdeaStatus, ListedIdea, Revision};
use ideavault_domain::idempotency::IdempotencyKey;
use ideavault_domain::ids::UserId;
use ideavault_domain::organization::{Archived, Organization};
use ideavault_domain::page::Paging;
use ideavault_domain::ports::{Database as _, DatabaseError, NewIdea, unless_damaged};
use ideavault_domain::text::Title;

use crate::support::{
    Fixture, at, comment, draft, full_access, grant, new_idea, on_both_databases, publication, race,
};

on_both_databases!(
    a_new_idea_is_a_draft_with_revision_1,
    an_idea_is_added_once_for_each_key_of_its_owner,
    of_concurrent_requests_with_one_key_one_adds_an_idea,
    every_kind_of_content_round_trips,
    saving_adds_a_revision_and_keeps_the_previous_one,
    a_stale_save_writes_nothing,
    concurrent_saves_have_one_winner,
    the_list_has_the_ideas_of_the_owner_last_changed_first,
    the_list_says_of_which_ideas_the_current_revision_is_on_record,
    the_list_marks_damaged_ideas_and_shows_the_others,
    the_list_counts_the_links_and_views_of_each_idea,
    a_disclosed_idea_includes_the_name_of_its_owner,
    deleting_a_draft_erases_its_content_and_comments,
    a_deleted_draft_leaves_the_list_and_keeps_its_row,
    only_a_draft_can_be_deleted,
    a_draft_of_which_nothing_can_be_read_is_deleted,
    absent_ideas_are_not_found,
    revisions_are_listed_newest_first,
);

fn a_new_idea_is_a_draft_with_revision_1(fixture: &Fixture) {
    let owner = fixture.add_user();
    let new = new_idea(owner.id, "<p>first</p>", at(0));

    let idea = fixture.write(|tx| tx.ideas().add_idea(&new)).unwrap();

    assert_eq!(idea.owner, owner.id);
    assert_eq!(idea.title, new.draft.title);
    assert_eq!(idea.status, IdeaStatus::Draft);
    assert_eq!(idea.revision, 1);
    assert_eq!(idea.sha256, new.draft.content.digest());
    assert_eq!((idea.created_at, idea.updated_at), (at(0), at(0)));
    assert_eq!(fixture.idea(idea.id), idea);
    let content = fixture.read(|tx| tx.ideas().revision_content(idea.id, 1));
    assert_eq!(content, Some(new.draft.content));
}

fn with_key(owner: UserId, key: &str) -> NewIdea {
    NewIdea {
        key: Some(IdempotencyKey::parse(key).unwrap()),
        ..new_idea(owner, "<p>first</p>", at(0))
    }
}

fn an_idea_is_added_once_for_each_key_of_its_owner(fixture: &Fixture) {
    let (ada, bob) = (fixture.add_user().id, fixture.add_user().id);
    let add = |owner, key| fixture.write(|tx| tx.ideas().add_idea(&with_key(owner, key)));
    let of_key = |owner, key| {
        let key = IdempotencyKey::parse(key).unwrap();
        fixture.read(|tx| tx.ideas().idea_of_key(owner, &key))
    };
    assert_eq!(of_key(ada, "one"), None);

    let first = add(ada, "one").unwrap().id;
    assert_eq!(add(ada, "one"), None);
    assert_eq!(of_key(ada, "one"), Some(first));

    // Another key, and the same key of somebody else.
    let second = add(ada, "One").unwrap().id;
    let foreign = add(bob, "one").unwrap().id;
    assert_eq!(of_key(ada, "One"), Some(second));
    assert_eq!(of_key(bob, "one"), Some(foreign));
    assert_eq!(of_key(bob, "One"), None);

    // Ideas without a key are never the same.
    fixture.add_idea(ada);
    fixture.add_idea(ada);
    let ideas = fixture.read(|tx| {
        tx.ideas()
            .ideas_of(ada, Archived::LeftOut, Paging::default())
    });
    assert_eq!(ideas.items().len(), 4);

    // A deleted idea keeps its key: a late repetition does not bring it back.
    assert!(fixture.write(|tx| tx.ideas().delete_draft(first, at(1))));
    assert_eq!(add(ada, "one"), None);
    assert_eq!(of_key(ada, "one"), Some(first));
}

fn of_concurrent_requests_with_one_key_one_adds_an_idea(fixture: &Fixture) {
    let ada = fixture.add_user().id;
    let new = with_key(ada, "one");
    let key = new.key.clone().unwrap();
    let seen = race(8, |_| {
        fixture.write(|tx| {
            let added = tx.ideas().add_idea(&new)?.map(|idea| idea.id);
            Ok((added, tx.ideas().idea_of_key(ada, &key)?))
        })
    });
    let added: Vec<_> = seen.iter().filter_map(|(added, _)| *added).collect();
    assert_eq!(added.len(), 1);
    // Those that added none see the one that was added, in the same transaction.
    assert!(seen.iter().all(|(_, found)| *found == Some(added[0])));
}

fn every_kind_of_content_round_trips(fixture: &Fixture) {
    let owner = fixture.add_user();
    for json in [
        json!("<p>Größe — 温度 🫖</p>\n<p>'; --</p>"),
        json!(""),
        json!({"type": "pdf", "fileName": "Plan \u{0} \"1\".pdf", "pdfPath": "/api/files/1"}),
        json!({"elements": [{"type": "text", "x": 1.5, "y": 0, "text": "é"}]}),
        json!({"old": {"z": 1, "a": null}}),
    ] {
        let content = Content::from_json(json).unwrap();
        let new = NewIdea {
            owner: owner.id,
            draft: Draft::new(
                Title::parse("A kettle that waits").unwrap(),
                content.clone(),
            ),
            created_at: at(0),
            key: None,
        };
        let idea = fixture.write(|tx| tx.ideas().add_idea(&new)).unwrap();
        assert_eq!(idea.content_kind, content.kind());
        assert_eq!(fixture.idea(idea.id), idea);
        let stored = fixture.read(|tx| tx.ideas().revision_content(idea.id, 1));
        assert_eq!(stored.as_ref().map(Content::digest), Some(idea.sha256));
        assert_eq!(stored, Some(content));
    }
}

fn saving_adds_a_revision_and_keeps_the_previous_one(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let next = Draft::new(
        Title::parse("A kettle that hurries").unwrap(),
        Content::from_json(json!({"elements": []})).unwrap(),
    );

    assert!(fixture.write(|tx| tx.ideas().add_revision(&idea, &next, at(5))));

    assert_eq!(
        fixture.idea(idea.id),
        Idea {
            title: next.title.clone(),
            content_kind: next.content.kind(),
            revision: 2,
            sha256: next.content.digest(),
            updated_at: at(5),
            ..idea.clone()
        }
    );
    let contents = fixture.read(|tx| {
        Ok([
            tx.ideas().revision_content(idea.id, 1)?,
            tx.ideas().revision_content(idea.id, 2)?,
            tx.ideas().revision_content(idea.id, 3)?,
        ])
    });
    assert_eq!(
        contents,
        [
            Some(draft("<p>first</p>").content),
            Some(next.content),
            None
        ]
    );
}

fn a_stale_save_writes_nothing(fixture: &Fixture) {
    let stale = fixture.add_draft();
    assert!(fixture.write(|tx| tx.ideas().add_revision(&stale, &draft("<p>2</p>"), at(1))));
    let current = fixture.idea(stale.id);

    assert!(!fixture.write(|tx| tx.ideas().add_revision(&stale, &draft("<p>x</p>"), at(2))));

    assert_eq!(fixture.idea(stale.id), current);
    assert_eq!(fixture.count("idea_revisions"), 2);
}

fn concurrent_saves_have_one_winner(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let saved = race(16, |index| {
        let draft = draft(&format!("<p>{index}</p>"));
        fixture.write(|tx| tx.ideas().add_revision(&idea, &draft, at(1)))
    });
    assert_eq!(saved.into_iter().filter(|saved| *saved).count(), 1);
    assert_eq!(fixture.idea(idea.id).revision, 2);
    assert_eq!(fixture.count("idea_revisions"), 2);
}

fn the_list_has_the_ideas_of_the_owner_last_changed_first(fixture: &Fixture) {
    let owner = fixture.add_user();
    fixture.add_draft();
    let add = |minute| {
        let new = new_idea(owner.id, "<p>first</p>", at(minute));
        fixture.write(|tx| tx.ideas().add_idea(&new)).unwrap()
    };
    let (one, two, three, four) = (add(1), add(2), add(3), add(3));
    assert!(fixture.write(|tx| tx.ideas().delete_draft(two.id, at(9))));
    assert!(fixture.write(|tx| tx.ideas().add_revision(&one, &draft("<p>2</p>"), at(5))));

    let listed =
        fixture.listed(|tx, paging| tx.ideas().ideas_of(owner.id, Archived::LeftOut, paging));

    assert_eq!(
        listed,
        [fixture.idea(one.id), four, three].map(|idea| ListedIdea {
            summary: idea.into(),
            on_record: false,
            link_count: 0,
            view_count: 0,
            organization: Organization::default(),
            is_damaged: false,
        })
    );
}

fn the_list_says_of_which_ideas_the_current_revision_is_on_record(fixture: &Fixture) {
    let owner = fixture.add_user();
    let [never, before, now, published] = [(); 4].map(|()| fixture.add_idea(owner.id));
    fixture.begin_log();
    for (idea, revision) in [(&before, 1), (&now, 2)] {
        assert!(fixture.write(|tx| tx.ideas().add_revision(idea, &draft("<p>2</p>"), at(5))));
        let content = ContentFacts {
            title: "Kettle".into(),
            creator: "Ada".into(),
            sha256: idea.sha256.to_string(),
            document_id: None,
            files: Vec::new(),
        };
        let event = Event::revision_recorded(idea.id, revision, content, at(6));
        assert!(fixture.write(|tx| tx.evidence_log().append_event(&event)));
    }
    assert!(fixture.write(|tx| tx.ideas().publish_idea(&published, &publication(at(7)))));

    let listed =
        fixture.listed(|tx, paging| tx.ideas().ideas_of(owner.id, Archived::LeftOut, paging));

    let is_recorded = |idea: &Idea| {
        let mut found = listed.iter().filter(|listed| listed.summary.id == idea.id);
        found.next().unwrap().on_record
    };
    assert_eq!(
        [&never, &before, &now, &published].map(is_recorded),
        [false, false, true, true]
    );
}

fn the_list_marks_damaged_ideas_and_shows_the_others(fixture: &Fixture) {
    let owner = fixture.add_user();
    let ideas: Vec<i64> = (0..7)
        .map(|_| fixture.add_idea(owner.id).id.as_i64())
        .collect();
    let foreign = fixture.add_draft().id;
    let damaged = [ideas[3], ideas[4], ideas[6]];
    fixture
        .sql(&format!(
            "UPDATE ideas SET owner_id = '{}' WHERE id = {foreign}",
            owner.id
        ))
        .unwrap();
    for id in damaged {
        fixture
            .sql(&format!(
                "UPDATE ideas SET title = (SELECT title FROM ideas WHERE id = {}) WHERE id = {id}",
                ideas[0]
            ))
            .unwrap();
    }
    let listed =
        fixture.listed(|tx, paging| tx.ideas().ideas_of(owner.id, Archived::LeftOut, paging));
    for idea in &listed {
        let ListedIdea {
            summary,
            is_damaged,
            ..
        } = idea;
        let id = summary.id.as_i64();
        assert_eq!(*is_damaged, id == foreign.as_i64() || damaged.contains(&id));
        assert_eq!(summary.title.as_str().is_empty(), *is_damaged);
    }
    let readable = listed.iter().filter(|idea| !idea.is_damaged);
    let readable: Vec<i64> = readable.map(|idea| idea.summary.id.as_i64()).collect();
    assert_eq!(readable, [ideas[5], ideas[2], ideas[1], ideas[0]]);
    assert_eq!(listed.len(), ideas.len() + 1);
    let left_out = fixture.read(|tx| {
        tx.ideas()
            .ideas_of(owner.id, Archived::LeftOut, Paging::default())?;
        Ok(tx.inspection().left_out())
    });
    assert_eq!(left_out.len(), damaged.len() + 1);
}

fn a_draft_of_which_nothing_can_be_read_is_deleted(fixture: &Fixture) {
    let owner = fixture.add_user();
    let (idea, other) = (fixture.add_idea(owner.id), fixture.add_idea(owner.id));
    let (id, other) = (idea.id.as_i64(), other.id.as_i64());
    fixture
        .sql(&format!(
            "UPDATE ideas SET title = (SELECT title FROM ideas WHERE id = {other}) \
             WHERE id = {id}; \
             UPDATE idea_keys SET content = (SELECT content FROM idea_keys WHERE idea_id = {other}) \
             WHERE idea_id = {id}"
        ))
        .unwrap();
    let refused = fixture.store.read(|tx| tx.ideas().idea(idea.id));
    assert!(matches!(refused, Err(DatabaseError::Damaged { .. })));
    // Reading a damaged value does not end the transaction.
    let deleted = fixture.write(|tx| {
        assert_eq!(unless_damaged(tx.ideas().idea(idea.id))?, None);
        tx.ideas().delete_draft(idea.id, at(9))
    });
    assert!(deleted);
    let found = fixture.read(|tx| tx.ideas().idea_owner(idea.id)).unwrap();
    assert_eq!(found.owner, owner.id);
    assert!(found.is_deleted && !found.is_published);
    assert!(!found.belongs_to(owner.id));
}

fn the_list_counts_the_links_and_views_of_each_idea(fixture: &Fixture) {
    let owner = fixture.add_user();
    let (shared, unshared) = (fixture.add_idea(owner.id), fixture.add_idea(owner.id));
    fixture.add_share(fixture.add_draft().id, full_access());
    let (one, two) = (
        fixture.add_share(shared.id, full_access()),
        fixture.add_share(shared.id, full_access()),
    );
    for link in [&one, &two, &two] {
        let guest = fixture.add_guest(link);
        assert!(fixture.write(|tx| tx.shares().claim_view(&grant(&guest, at(9)))));
    }
    fixture.write(|tx| tx.shares().revoke_share(one.id, at(10)));

    let listed =
        fixture.listed(|tx, paging| tx.ideas().ideas_of(owner.id, Archived::LeftOut, paging));

    let counts = |idea: &ListedIdea| (idea.summary.id, idea.link_count, idea.view_count);
    assert_eq!(
        listed.iter().map(counts).collect::<Vec<_>>(),
        [(unshared.id, 0, 0), (shared.id, 2, 3)]
    );
}

fn a_disclosed_idea_includes_the_name_of_its_owner(fixture: &Fixture) {
    let owner = fixture.add_user();
    let idea = fixture.add_idea(owner.id);
    let disclosed = fixture.read(|tx| tx.ideas().disclosed_idea(idea.id));
    assert_eq!(
        disclosed,
        Some(DisclosedIdea {
            idea,
            sharer: owner.name
        })
    );
}

fn deleting_a_draft_erases_its_content_and_comments(fixture: &Fixture) {
    let idea = fixture.add_draft();
    assert!(fixture.write(|tx| tx.ideas().add_revision(&idea, &draft("<p>2</p>"), at(1))));
    let kept = fixture.add_idea(idea.owner);
    for on in [idea.id, kept.id] {
        fixture.write(|tx| tx.comments().add_comment(&comment(on, None, "So?", at(2))));
    }

    assert!(fixture.write(|tx| tx.ideas().delete_draft(idea.id, at(3))));

    for revision in [1, 2] {
        let content = fixture.read(|tx| tx.ideas().revision_content(idea.id, revision));
        assert_eq!(content, None);
    }
    assert_eq!(fixture.count("idea_revisions WHERE content IS NULL"), 2);
    let comments =
        fixture.listed(|tx, paging| tx.comments().comments_for_owner(idea.owner, paging));
    assert_eq!(comments.len(), 1);
    let content = fixture.read(|tx| tx.ideas().revision_content(kept.id, 1));
    assert!(content.is_some());
}

fn a_deleted_draft_leaves_the_list_and_keeps_its_row(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let share = fixture.add_share(idea.id, full_access());
    let guest = fixture.add_guest(&share);

    assert!(fixture.write(|tx| tx.ideas().delete_draft(idea.id, at(9))));

    let listed =
        fixture.listed(|tx, paging| tx.ideas().ideas_of(idea.owner, Archived::LeftOut, paging));
    assert_eq!(listed, []);
    let deleted = fixture.idea(idea.id);
    assert_eq!(deleted.deleted_at, Some(at(9)));
    // The former digest would allow confirming a guess of the content.
    assert_eq!(deleted.sha256, Digest::of(&[]));
    let registration = fixture.read(|tx| tx.recipients().registration(guest.id));
    assert!(registration.unwrap().progress.acceptance.is_some());
    let activity = fixture.activity_of(idea.id);
    assert_eq!(activity.len(), 2);
}

fn only_a_draft_can_be_deleted(fixture: &Fixture) {
    let published = fixture.add_published();
    assert!(!fixture.write(|tx| tx.ideas().delete_draft(published.id, at(9))));
    assert_eq!(fixture.idea(published.id), published);

    let deleted = fixture.add_draft();
    assert!(fixture.write(|tx| tx.ideas().delete_draft(deleted.id, at(9))));
    let once = fixture.idea(deleted.id);
    fixture.write(|tx| {
        assert!(!tx.ideas().delete_draft(deleted.id, at(10))?);
        assert!(!tx.ideas().publish_idea(&once, &publication(at(10)))?);
        assert!(
            !tx.ideas()
                .add_revision(&once, &draft("<p>back</p>"), at(10))?
        );
        Ok(())
    });
    assert_eq!(fixture.idea(deleted.id), once);
}

fn absent_ideas_are_not_found(fixture: &Fixture) {
    let absent = 4711.into();
    assert_eq!(fixture.read(|tx| tx.ideas().idea(absent)), None);
    assert_eq!(fixture.read(|tx| tx.ideas().disclosed_idea(absent)), None);
    let content = fixture.read(|tx| tx.ideas().revision_content(absent, 1));
    assert_eq!(content, None);
    let never = i64::MAX.into();
    assert!(!fixture.write(|tx| tx.ideas().delete_draft(never, at(0))));
}

fn revisions_are_listed_newest_first(fixture: &Fixture) {
    let idea = fixture.add_draft();
    fixture.add_draft();
    let next = Draft::new(
        Title::parse("A kettle that hurries").unwrap(),
        Content::from_json(json!({"elements": []})).unwrap(),
    );
    assert!(fixture.write(|tx| tx.ideas().add_revision(&idea, &next, at(5))));
    let list = || fixture.listed(|tx, paging| tx.ideas().revisions_of(idea.id, paging));
    let listed = list();
    let second = Revision {
        number: 2,
        title: next.title.clone(),
        content_kind: next.content.kind(),
        sha256: next.sha256,
        created_at: at(5),
        is_kept: true,
    };
    let first = Revision {
        number: 1,
        title: idea.title.clone(),
        content_kind: idea.content_kind,
        sha256: idea.sha256,
        created_at: at(0),
        is_kept: true,
    };
    assert_eq!(listed, [second, first]);
    // Times that are set back do not change the order.
    for number in 2..5 {
        let idea = Idea {
            revision: number,
            ..idea.clone()
        };
        assert!(fixture.write(|tx| tx.ideas().add_revision(&idea, &next, at(4))));
    }
    let listed: Vec<i32> = list().iter().map(|revision| revision.number).collect();
    assert_eq!(listed, [5, 4, 3, 2, 1]);
    let none = fixture.listed(|tx, paging| tx.ideas().revisions_of(4711.into(), paging));
    assert_eq!(none, []);
}
