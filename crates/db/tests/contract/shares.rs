use ideavault_domain::ids::ShareId;
use ideavault_domain::ports::{Database as _, DatabaseError, ListedShare};
use ideavault_domain::share::{Share, ShareSettings, ShareSettingsChange};
use ideavault_domain::text::{ShareName, Title};

use crate::support::{
    Fixture, at, by_email, bytes, full_access, grant, on_both_databases, one_time, share,
    time_dependent, token, token_of,
};

on_both_databases!(
    a_link_is_found_by_its_id_and_by_its_token,
    unknown_links_are_not_found,
    a_token_is_unique_to_one_link,
    the_list_is_newest_first_and_includes_dead_links,
    the_list_includes_the_time_of_the_last_view_of_each_link,
    a_revoked_link_can_be_renamed,
    a_damaged_token_leaves_its_link_readable,
    a_damaged_name_leaves_its_link_readable,
    a_cover_title_is_set_and_removed,
    a_link_with_a_damaged_cover_title_shows_nothing,
    a_change_of_settings_leaves_the_others_and_other_links,
    revoking_the_links_of_an_account_affects_no_others,
    the_first_revocation_is_kept,
    a_revoked_link_is_still_found,
    the_database_refuses_links_without_their_limits,
    the_database_refuses_to_point_a_link_at_another_idea,
);

fn a_link_is_found_by_its_id_and_by_its_token(fixture: &Fixture) {
    let idea = fixture.add_draft();
    for terms in [
        full_access(),
        one_time(3),
        time_dependent(at(60), None),
        time_dependent(at(60), Some(2)),
        by_email("grace@example.org"),
    ] {
        let share = fixture.add_share(idea.id, terms);
        assert_eq!(fixture.share(share.id), share);
        let by_token = fixture.read(|tx| tx.shares().share_by_token(&share.token_hash));
        assert_eq!(by_token, Some(share));
    }
}

fn a_damaged_token_leaves_its_link_readable(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let [kept, damaged] = [(); 2].map(|()| fixture.add_share(idea.id, full_access()));
    let token = |share: &Share| fixture.store.read(|tx| tx.shares().share_token(share.id));
    let tokens = || {
        fixture
            .store
            .read(|tx| tx.shares().share_tokens_of(idea.id))
    };
    assert_eq!(token(&damaged).unwrap(), Some(token_of(damaged.id)));
    let mut listed = tokens().unwrap();
    listed.sort_by_key(|(id, _)| *id != kept.id);
    assert_eq!(
        listed,
        [&kept, &damaged].map(|share| (share.id, token_of(share.id)))
    );
    fixture
        .sql(&format!(
            "UPDATE shares SET token_sealed = \
             (SELECT token_sealed FROM shares WHERE id = '{}') WHERE id = '{}'",
            kept.id, damaged.id,
        ))
        .unwrap();
    assert_eq!(token(&damaged).unwrap(), None);
    assert_eq!(tokens().unwrap(), [(kept.id, token_of(kept.id))]);
    assert_eq!(token(&kept).unwrap(), Some(token_of(kept.id)));
    assert_eq!(fixture.share(damaged.id), damaged);
    let listed = fixture.read(|tx| tx.shares().shares_of(idea.id));
    assert_eq!(listed.len(), 2);
    let by_token = fixture.read(|tx| tx.shares().share_by_token(&damaged.token_hash));
    assert_eq!(by_token, Some(damaged));
}

fn cover(fixture: &Fixture, id: ShareId, title: Option<&Title>) {
    let change = ShareSettingsChange {
        cover_title: Some(title.cloned()),
        ..ShareSettingsChange::default()
    };
    fixture.write(|tx| tx.shares().change_share_settings(id, &change));
}

fn a_cover_title_is_set_and_removed(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let title = Title::parse("Project Teapot").unwrap();
    let covered = Share {
        settings: ShareSettings {
            cover_title: Some(title.clone()),
            ..ShareSettings::default()
        },
        ..share(idea.id, full_access(), at(2))
    };
    fixture.write(|tx| tx.shares().add_share(&covered, &token_of(covered.id)));
    assert_eq!(fixture.share(covered.id), covered);
    let other = fixture.add_share(idea.id, full_access());
    cover(fixture, covered.id, None);
    cover(fixture, other.id, Some(&title));
    assert_eq!(fixture.share(covered.id).settings.cover_title, None);
    assert_eq!(fixture.share(other.id).settings.cover_title, Some(title));
}

/// Otherwise readers would see the title that it covers.
fn a_link_with_a_damaged_cover_title_shows_nothing(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let [kept, damaged] = [(); 2].map(|()| fixture.add_share(idea.id, full_access()));
    let title = Title::parse("Project Teapot").unwrap();
    cover(fixture, kept.id, Some(&title));
    fixture
        .sql(&format!(
            "UPDATE shares SET cover_title = \
             (SELECT cover_title FROM shares WHERE id = '{}') WHERE id = '{}'",
            kept.id, damaged.id,
        ))
        .unwrap();
    let read = fixture.store.read(|tx| tx.shares().share(damaged.id));
    assert!(
        matches!(read, Err(DatabaseError::Damaged { .. })),
        "{read:?}"
    );
}

fn a_damaged_name_leaves_its_link_readable(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let [kept, damaged] = [(); 2].map(|()| fixture.add_share(idea.id, full_access()));
    let name = ShareName::parse_optional(Some("Spring fair")).unwrap();
    for share in [&kept, &damaged] {
        fixture.write(|tx| tx.shares().rename_share(share.id, name.as_ref()));
    }
    fixture
        .sql(&format!(
            "UPDATE shares SET name = (SELECT name FROM shares WHERE id = '{}') WHERE id = '{}'",
            kept.id, damaged.id,
        ))
        .unwrap();
    assert_eq!(fixture.share(damaged.id), damaged);
    let by_token = fixture.read(|tx| tx.shares().share_by_token(&damaged.token_hash));
    assert_eq!(by_token, Some(damaged));
    assert_eq!(fixture.share(kept.id).name, name);
    let listed = fixture.read(|tx| tx.shares().shares_of(idea.id));
    assert_eq!(listed.len(), 2);
}

fn a_change_of_settings_leaves_the_others_and_other_links(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let [one, other] = [(); 2].map(|()| fixture.add_share(idea.id, full_access()));
    let downloads = |allowed| ShareSettingsChange {
        allow_download: Some(allowed),
        ..ShareSettingsChange::default()
    };
    let shows = |shown| ShareSettingsChange {
        shows_other_readers: Some(shown),
        ..ShareSettingsChange::default()
    };
    let mut settings = one.settings.clone();
    let nothing = ShareSettingsChange::default();
    for change in [
        downloads(false),
        shows(true),
        nothing,
        downloads(true),
        shows(false),
    ] {
        fixture.write(|tx| tx.shares().change_share_settings(one.id, &change));
        settings = change.applied_to(settings);
        assert_eq!(fixture.share(one.id).settings, settings);
        assert_eq!(fixture.share(other.id), other);
    }
    assert_eq!(fixture.share(one.id), one);
}

fn unknown_links_are_not_found(fixture: &Fixture) {
    let unknown = ShareId::from_random(bytes());
    assert_eq!(fixture.read(|tx| tx.shares().share(unknown)), None);
    let by_token = fixture.read(|tx| tx.shares().share_by_token(&token()));
    assert_eq!(by_token, None);
}

fn a_token_is_unique_to_one_link(fixture: &Fixture) {
    let first = fixture.add_share(fixture.add_draft().id, full_access());
    let second = Share {
        id: ShareId::from_random(bytes()),
        ..first.clone()
    };
    let refused = fixture
        .store
        .write(|tx| tx.shares().add_share(&second, &token_of(second.id)));
    assert!(
        matches!(refused, Err(DatabaseError::Internal { .. })),
        "{refused:?}"
    );
    assert_eq!(fixture.count("shares"), 1);
}

fn the_list_is_newest_first_and_includes_dead_links(fixture: &Fixture) {
    let idea = fixture.add_draft();
    fixture.add_share(fixture.add_draft().id, full_access());
    let add = |minute| {
        let share = share(idea.id, full_access(), at(minute));
        fixture.write(|tx| tx.shares().add_share(&share, &token_of(share.id)));
        share
    };
    let (one, two, three, four) = (add(1), add(2), add(3), add(3));
    fixture.write(|tx| tx.shares().revoke_share(two.id, at(9)));

    let listed = fixture.read(|tx| tx.shares().shares_of(idea.id));

    let two = fixture.share(two.id);
    assert_eq!(two.revoked_at, Some(at(9)));
    let unviewed = |share| ListedShare {
        share,
        last_view_at: None,
        folded_registrations: 0,
    };
    assert_eq!(listed, [four, three, two, one].map(unviewed));
}

fn the_list_includes_the_time_of_the_last_view_of_each_link(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let (read, unread) = (
        fixture.add_share(idea.id, one_time(3)),
        fixture.add_share(idea.id, one_time(3)),
    );
    for minute in [10, 30, 20] {
        let guest = fixture.add_guest(&read);
        assert!(fixture.write(|tx| tx.shares().claim_view(&grant(&guest, at(minute)))));
    }
    let listed = fixture.read(|tx| tx.shares().shares_of(idea.id));
    let last_view = |id| {
        let mut listed = listed.iter();
        listed.find(|row| row.share.id == id).unwrap().last_view_at
    };
    assert_eq!(last_view(read.id), Some(at(30)));
    assert_eq!(last_view(unread.id), None);
}

fn a_revoked_link_can_be_renamed(fixture: &Fixture) {
    let named = Share {
        name: Some(ShareName::from_stored("For Grace".into())),
        ..share(fixture.add_draft().id, full_access(), at(1))
    };
    fixture.write(|tx| tx.shares().add_share(&named, &token_of(named.id)));
    assert_eq!(fixture.share(named.id), named);
    fixture.write(|tx| tx.shares().revoke_share(named.id, at(7)));
    for name in [Some("Für Grace \u{1f5dd}"), None] {
        let name = name.map(|name| ShareName::from_stored(name.into()));
        fixture.write(|tx| tx.shares().rename_share(named.id, name.as_ref()));
        assert_eq!(fixture.share(named.id).name, name);
    }
}

fn the_first_revocation_is_kept(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    fixture.write(|tx| tx.shares().revoke_share(share.id, at(7)));
    fixture.write(|tx| tx.shares().revoke_share(share.id, at(8)));
    assert_eq!(fixture.share(share.id).revoked_at, Some(at(7)));
}

fn a_revoked_link_is_still_found(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    fixture.write(|tx| tx.shares().revoke_share(share.id, at(7)));
    let found = fixture.read(|tx| tx.shares().share_by_token(&share.token_hash));
    assert_eq!(
        found,
        Some(Share {
            revoked_at: Some(at(7)),
            ..share
        })
    );
}

fn the_database_refuses_links_without_their_limits(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let share = share(idea.id, one_time(0), at(1));
    let refused = fixture
        .store
        .write(|tx| tx.shares().add_share(&share, &token_of(share.id)));
    assert!(
        matches!(refused, Err(DatabaseError::Internal { .. })),
        "{refused:?}"
    );
    assert_eq!(fixture.count("shares"), 0);

    for (terms, limit) in [
        (one_time(1), "max_views"),
        (time_dependent(at(60), None), "expires_at"),
        (by_email("grace@example.org"), "recipient_email"),
    ] {
        let share = fixture.add_share(idea.id, terms);
        let statement = format!("UPDATE shares SET {limit} = NULL WHERE id = '{}'", share.id);
        fixture.refuses(" constraint", &[&statement]);
        assert_eq!(fixture.share(share.id), share);
    }
}

fn the_database_refuses_to_point_a_link_at_another_idea(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let other = fixture.add_draft();
    let statement = format!("UPDATE shares SET idea_id = {}", other.id);
    fixture.refuses("what a link discloses never changes", &[&statement]);
    assert_eq!(fixture.share(share.id), share);
}

fn revoking_the_links_of_an_account_affects_no_others(fixture: &Fixture) {
    let (own, other) = (fixture.add_draft(), fixture.add_draft());
    assert_ne!(own.owner, other.owner);
    let live = fixture.add_share(own.id, full_access());
    let revoked = fixture.add_share(own.id, full_access());
    fixture.write(|tx| tx.shares().revoke_share(revoked.id, at(5)));
    let foreign = fixture.add_share(other.id, full_access());
    let newly_revoked = fixture.write(|tx| tx.shares().revoke_shares_of(own.owner, at(9)));
    assert_eq!(newly_revoked, [(own.id, live.id)]);
    assert_eq!(fixture.share(live.id).revoked_at, Some(at(9)));
    assert_eq!(fixture.share(revoked.id).revoked_at, Some(at(5)));
    assert_eq!(fixture.share(foreign.id).revoked_at, None);
}
