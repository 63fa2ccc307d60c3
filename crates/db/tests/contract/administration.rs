//! Disabling, enabling and deleting accounts by the operator.

use ideavault_domain::account::PasswordReset;
use ideavault_domain::admission::INVITATION_LIFETIME;
use ideavault_domain::file::MediaType;
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{AccountSummary, Database as _, DatabaseError, Transaction};
use ideavault_domain::text::PersonName;
use ideavault_domain::two_factor::TotpSecret;

use crate::support::{
    Fixture, at, bytes, comment, file, full_access, grant, new_idea, on_both_databases,
    password_hash, publication, race, recipient, share, token, token_of, user,
};

on_both_databases!(
    accounts_are_listed_with_their_counts,
    an_account_is_disabled_and_enabled_once,
    ideas_of_a_disabled_account_are_not_found,
    deleting_an_account_keeps_only_its_evidence,
    nothing_is_written_for_an_account_that_is_gone,
    nothing_is_written_on_an_idea_whose_owner_is_gone,
    concurrent_deletions_have_one_winner,
    a_published_idea_keeps_its_key_while_its_owner_exists,
);

fn accounts(fixture: &Fixture) -> Vec<AccountSummary> {
    fixture.read(|tx| tx.administration().accounts())
}

fn accounts_are_listed_with_their_counts(fixture: &Fixture) {
    let published = fixture.add_published();
    let owner = published.owner;
    fixture.add_idea(owner);
    let deleted = fixture.add_idea(owner);
    fixture.add_share(published.id, full_access());
    fixture.add_share(deleted.id, full_access());
    assert!(fixture.write(|tx| tx.ideas().delete_draft(deleted.id, at(1))));
    let revoked = fixture.add_share(published.id, full_access());
    fixture.write(|tx| tx.shares().revoke_share(revoked.id, at(3)));
    let other = fixture.add_user();
    let listed = accounts(fixture);
    assert_eq!(listed.len(), 2);
    let of = |id: UserId| listed.iter().find(|found| found.user.id == id).unwrap();
    let figures = |found: &AccountSummary| (found.ideas, found.published, found.links);
    assert_eq!(figures(of(owner)), (2, 1, 1));
    assert_eq!(figures(of(other.id)), (0, 0, 0));
    assert_eq!(of(other.id).user, other);
}

fn set(fixture: &Fixture, user: UserId, minute: Option<i64>) -> bool {
    fixture.write(|tx| tx.administration().set_disabled(user, minute.map(at)))
}

fn an_account_is_disabled_and_enabled_once(fixture: &Fixture) {
    let (user, other) = (fixture.add_user(), fixture.add_user());
    assert!(!set(fixture, user.id, None));
    assert!(set(fixture, user.id, Some(1)));
    assert!(!set(fixture, user.id, Some(2)));
    let found = |id| fixture.read(|tx| tx.users().user(id)).unwrap();
    assert_eq!(found(user.id).disabled_at, Some(at(1)));
    assert_eq!(found(other.id), other);
    assert!(set(fixture, user.id, None));
    assert_eq!(found(user.id), user);
    assert!(!set(fixture, UserId::from_random(bytes()), Some(1)));
}

fn ideas_of_a_disabled_account_are_not_found(fixture: &Fixture) {
    let (idea, other) = (fixture.add_published(), fixture.add_draft());
    assert!(set(fixture, idea.owner, Some(2)));
    let found = |id| {
        fixture.read(|tx| {
            let disclosed = tx.ideas().disclosed_idea(id)?.map(|found| found.idea);
            assert_eq!(tx.ideas().idea(id)?, disclosed);
            Ok(disclosed)
        })
    };
    assert_eq!(found(idea.id), None);
    assert_eq!(found(other.id), Some(other));
    assert!(set(fixture, idea.owner, None));
    assert_eq!(found(idea.id), Some(idea));
}

fn deleting_an_account_keeps_only_its_evidence(fixture: &Fixture) {
    let published = fixture.add_published();
    let id = published.owner;
    let owner = fixture.read(|tx| tx.users().user(id)).unwrap();
    let draft = fixture.add_idea(id);
    fixture.add_file(id, MediaType::Pdf, at(1));
    let share = fixture.add_share(published.id, full_access());
    let guest = fixture.add_guest(&share);
    fixture.write(|tx| {
        tx.shares().claim_view(&grant(&guest, at(6)))?;
        tx.comments()
            .add_comment(&comment(published.id, Some(guest.id), "Good", at(7)))?;
        tx.invitations().invite(&owner.email, at(1))?;
        let end = at(1) + INVITATION_LIFETIME;
        tx.invitations()
            .announce_invitation(&owner.email, &token(), at(1), end)?;
        tx.two_factors()
            .begin_two_factor(id, &TotpSecret::from_random(bytes()))
    });
    let others = fixture.add_published();
    let activity = || fixture.activity_of(published.id);
    let before = activity().len();
    assert!(before > 2);

    assert!(fixture.write(|tx| tx.administration().delete_account(id, at(8))));
    assert!(!fixture.write(|tx| tx.administration().delete_account(id, at(9))));

    let left = fixture.read(|tx| tx.users().user(id)).unwrap();
    assert_eq!(left.name.as_str(), "Deleted account");
    assert!(left.email.as_str().ends_with("@deleted.invalid"));
    assert!(left.is_disabled());
    let by_address = fixture.read(|tx| tx.users().credentials(&owner.email));
    assert_eq!(by_address, None);
    assert!(accounts(fixture).iter().all(|found| found.user.id != id));
    for table in [
        "invitations",
        "two_factors",
        "comments",
        "file_keys",
        "files",
    ] {
        assert_eq!(fixture.count(table), 0, "{table}");
    }
    // The keys of other accounts are kept.
    assert_eq!(fixture.count("idea_keys WHERE content IS NOT NULL"), 1);
    assert_eq!(fixture.idea(others.id), others);
    for idea in [published.id, draft.id] {
        let content = fixture.read(|tx| tx.ideas().revision_content(idea, 1));
        assert_eq!(content, None);
    }
    assert_eq!(fixture.share(share.id).revoked_at, Some(at(8)));
    assert!(activity().len() >= before - 1);
    assert_eq!(fixture.count("nda_acceptances"), 1);
    // The address can be registered again.
    let again = ideavault_domain::account::User {
        email: owner.email,
        ..user()
    };
    assert!(fixture.write(|tx| tx.users().add_user(&again, &password_hash())));
}

fn nothing_is_written_for_an_account_that_is_gone(fixture: &Fixture) {
    let draft = fixture.add_draft();
    let id = draft.owner;
    fixture.write(|tx| {
        tx.administration().lock_account(id)?;
        tx.administration().delete_account(id, at(8))
    });
    let share = share(draft.id, full_access(), at(9));
    let file = file(id, MediaType::Pdf, at(9));
    let writes: [Work<'_>; 5] = [
        &|tx| {
            let idea = new_idea(id, "<p>late</p>", at(9));
            tx.ideas().add_idea(&idea).map(drop)
        },
        &|tx| tx.files().add_file(&file),
        &|tx| tx.shares().add_share(&share, &token_of(share.id)),
        &|tx| {
            tx.ideas()
                .publish_idea(&draft, &publication(at(9)))
                .map(drop)
        },
        &|tx| tx.account_changes().replace_password_reset(&reset(id)),
    ];
    assert_are_refused(fixture, &writes);
    let name = PersonName::parse_creator("Ada").unwrap();
    let renamed = fixture.write(|tx| tx.account_changes().rename_user(id, &name));
    assert_eq!(renamed, None);
    assert!(!fixture.write(|tx| tx.users().set_profile_image(id, "/api/files/late")));
}

fn nothing_is_written_on_an_idea_whose_owner_is_gone(fixture: &Fixture) {
    let idea = fixture.add_published();
    let share = fixture.add_share(idea.id, full_access());
    let reader = fixture.add_guest(&share);
    let written = comment(idea.id, Some(reader.id), "early", at(6));
    fixture.write(|tx| tx.comments().add_comment(&written));
    let id = idea.owner;
    // An account that is only disabled keeps the comment that is changed here.
    fixture.write(|tx| tx.administration().set_disabled(id, Some(at(8))));
    let late = recipient(fixture.add_viewer().id, &share, at(9));
    let writes: [Work<'_>; 4] = [
        &|tx| tx.recipients().add_recipient(&late),
        &|tx| {
            let by_owner = comment(idea.id, None, "late", at(9));
            tx.comments().add_comment(&by_owner)
        },
        &|tx| {
            let by_reader = comment(idea.id, Some(reader.id), "late", at(9));
            tx.comments().add_comment(&by_reader)
        },
        &|tx| {
            let withdrawn = written.clone().withdrawn(at(9));
            tx.comments().change_comment(&withdrawn).map(drop)
        },
    ];
    assert_are_refused(fixture, &writes);
}

type Work<'w> = &'w dyn Fn(&mut dyn Transaction) -> Result<(), DatabaseError>;

fn assert_are_refused(fixture: &Fixture, writes: &[Work<'_>]) {
    for (number, write) in writes.iter().enumerate() {
        let refused = fixture.store.write(write);
        let is_refused = matches!(refused, Err(DatabaseError::AccountGone { .. }));
        assert!(is_refused, "{number}: {refused:?}");
    }
}

fn reset(user: UserId) -> PasswordReset {
    PasswordReset {
        user,
        token_hash: token(),
        requested_at: at(9),
        expires_at: at(99),
    }
}

/// A deletion of an account sees what is being written for it, and what comes later sees the
/// deletion.
#[test]
fn an_account_waits_for_what_is_being_written_for_it() {
    let fixture = Fixture::postgres();
    let idea = fixture.add_published();
    let share = fixture.add_share(idea.id, full_access());
    let written = comment(idea.id, None, "early", at(6));
    fixture.write(|tx| tx.comments().add_comment(&written));
    let early = reset(idea.owner);
    fixture.write(|tx| tx.account_changes().replace_password_reset(&early));
    let late = recipient(fixture.add_viewer().id, &share, at(9));
    let writes: [Work<'_>; 5] = [
        &|tx| tx.recipients().add_recipient(&late),
        &|tx| {
            let comment = comment(idea.id, None, "late", at(9));
            tx.comments().add_comment(&comment)
        },
        &|tx| {
            let withdrawn = written.clone().withdrawn(at(9));
            tx.comments().change_comment(&withdrawn).map(drop)
        },
        &|tx| {
            tx.account_changes()
                .consume_password_reset(&early.token_hash, at(9))
                .map(drop)
        },
        &|tx| {
            tx.account_changes()
                .replace_password_reset(&reset(idea.owner))
        },
    ];
    let lock = format!(
        "BEGIN; SELECT FROM users WHERE id = '{}' FOR NO KEY UPDATE NOWAIT; ROLLBACK",
        idea.owner
    );
    for (number, write) in writes.iter().enumerate() {
        fixture.write(|tx| {
            write(tx)?;
            let waits = fixture.sql(&lock).expect_err("a lock");
            assert!(waits.to_string().contains("lock"), "{number}: {waits}");
            Ok(())
        });
        fixture.sql(&lock).unwrap();
    }
}

fn concurrent_deletions_have_one_winner(fixture: &Fixture) {
    let id = fixture.add_published().owner;
    let deleted = race(4, |_| {
        fixture.write(|tx| tx.administration().delete_account(id, at(8)))
    });
    assert_eq!(deleted.into_iter().filter(|deleted| *deleted).count(), 1);
}

fn a_published_idea_keeps_its_key_while_its_owner_exists(fixture: &Fixture) {
    let idea = fixture.add_published();
    let statement = format!(
        "UPDATE idea_keys SET content = NULL WHERE idea_id = {}",
        idea.id
    );
    fixture.refuses("the keys of a published idea are kept", &[&statement]);
}
