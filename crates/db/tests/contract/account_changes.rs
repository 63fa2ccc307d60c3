use chrono::Duration;

use ideavault_domain::Timestamp;
use ideavault_domain::account::{PasswordHash, PasswordReset, SessionEpoch, User, UserSession};
use ideavault_domain::ids::UserId;
use ideavault_domain::text::PersonName;
use ideavault_domain::token::TokenHash;

use crate::support::{Fixture, at, bytes, on_both_databases, password_hash, race, token};

on_both_databases!(
    renaming_an_account_changes_only_its_name,
    a_password_is_set,
    a_password_is_replaced_only_if_it_still_matches,
    concurrent_replacements_have_one_winner,
    changing_an_absent_account_does_nothing,
    ending_all_sessions_affects_only_one_account,
    a_reset_is_taken_once,
    a_newer_reset_replaces_the_previous_one,
    an_expired_reset_cannot_be_taken,
    cleanup_removes_expired_resets,
    an_unknown_reset_cannot_be_taken,
    concurrent_resets_have_one_winner,
    a_removed_reset_cannot_be_taken,
);

fn other_hash(text: &str) -> PasswordHash {
    PasswordHash::new(format!("$argon2id$v=19${text}"))
}

fn stored_hash(fixture: &Fixture, user: &User) -> PasswordHash {
    let found = fixture.read(|tx| tx.users().credentials(&user.email));
    found.unwrap().password_hash
}

fn add_reset(fixture: &Fixture, user: UserId, expires_at: Timestamp) -> TokenHash {
    let reset = PasswordReset {
        user,
        token_hash: token(),
        requested_at: at(0),
        expires_at,
    };
    fixture.write(|tx| tx.account_changes().replace_password_reset(&reset));
    reset.token_hash
}

/// Takes a reset, and asserts that a look at it before agrees.
fn take(fixture: &Fixture, token: &TokenHash, now: Timestamp) -> Option<UserId> {
    let seen = fixture.read(|tx| tx.account_changes().password_reset(token, now));
    let taken = fixture.write(|tx| tx.account_changes().consume_password_reset(token, now));
    assert_eq!(taken, seen);
    taken
}

fn renaming_an_account_changes_only_its_name(fixture: &Fixture) {
    let (user, other) = (fixture.add_user(), fixture.add_user());
    let name = PersonName::parse_creator("Ada \"Countess\" O'Lovelace").unwrap();
    let renamed = fixture.write(|tx| tx.account_changes().rename_user(user.id, &name));
    let expected = Some(User { name, ..user });
    assert_eq!(renamed, expected);
    assert_eq!(fixture.read(|tx| tx.users().user(user.id)), expected);
    assert_eq!(
        fixture.read(|tx| tx.users().user(other.id)),
        Some(other.clone())
    );
}

fn a_password_is_set(fixture: &Fixture) {
    let (user, other) = (fixture.add_user(), fixture.add_user());
    let hash = other_hash("new");
    assert!(fixture.write(|tx| tx.account_changes().set_password(user.id, &hash)));
    assert_eq!(stored_hash(fixture, &user), hash);
    assert_eq!(stored_hash(fixture, &other), password_hash());
}

fn a_password_is_replaced_only_if_it_still_matches(fixture: &Fixture) {
    let user = fixture.add_user();
    let (known, new) = (password_hash(), other_hash("new"));
    let replace = |known: &PasswordHash, new: &PasswordHash| {
        fixture.write(|tx| tx.account_changes().replace_password(user.id, known, new))
    };
    assert!(replace(&known, &new));
    assert_eq!(stored_hash(fixture, &user), new);
    assert!(!replace(&known, &other_hash("newer")));
    assert_eq!(stored_hash(fixture, &user), new);
}

fn concurrent_replacements_have_one_winner(fixture: &Fixture) {
    let user = fixture.add_user();
    let replaced = race(8, |index| {
        let new = other_hash(&index.to_string());
        fixture.write(|tx| {
            tx.account_changes()
                .replace_password(user.id, &password_hash(), &new)
        })
    });
    let winner = replaced.iter().position(|replaced| *replaced).unwrap();
    assert_eq!(replaced.iter().filter(|replaced| **replaced).count(), 1);
    assert_eq!(stored_hash(fixture, &user), other_hash(&winner.to_string()));
}

fn changing_an_absent_account_does_nothing(fixture: &Fixture) {
    let stranger = UserId::from_random(bytes());
    let name = PersonName::parse_creator("Nobody").unwrap();
    let hash = password_hash();
    fixture.write(|tx| {
        assert_eq!(tx.account_changes().rename_user(stranger, &name)?, None);
        assert!(!tx.account_changes().set_password(stranger, &hash)?);
        assert!(
            !tx.account_changes()
                .replace_password(stranger, &hash, &hash)?
        );
        assert_eq!(tx.account_changes().end_sessions_of(stranger)?, None);
        tx.account_changes().remove_password_reset(stranger)
    });
}

fn ending_all_sessions_affects_only_one_account(fixture: &Fixture) {
    let (user, other) = (fixture.add_user(), fixture.add_user());
    let add_session = |user: Option<UserId>| {
        let session = UserSession {
            key_hash: token(),
            user,
            state: "{}".into(),
            created_at: at(0),
            last_seen_at: at(0),
        };
        fixture.write(|tx| tx.user_sessions().upsert_user_session(&session));
        session.key_hash
    };
    let own = [add_session(Some(user.id)), add_session(Some(user.id))];
    let others = [add_session(Some(other.id)), add_session(None)];

    let ended = |user| fixture.write(|tx| tx.account_changes().end_sessions_of(user));
    assert_eq!(ended(user.id), Some(SessionEpoch::from_number(1)));

    let lives = |key: &TokenHash| {
        fixture
            .read(|tx| tx.user_sessions().user_session(key))
            .is_some()
    };
    assert!(!own.iter().any(lives));
    assert!(others.iter().all(lives));
}

fn a_reset_is_taken_once(fixture: &Fixture) {
    let user = fixture.add_user();
    let token = add_reset(fixture, user.id, at(30));
    assert_eq!(take(fixture, &token, at(1)), Some(user.id));
    assert_eq!(take(fixture, &token, at(1)), None);
}

fn a_newer_reset_replaces_the_previous_one(fixture: &Fixture) {
    let (user, other) = (fixture.add_user(), fixture.add_user());
    let others = add_reset(fixture, other.id, at(30));
    let old = add_reset(fixture, user.id, at(30));
    let new = add_reset(fixture, user.id, at(40));
    assert_eq!(take(fixture, &old, at(1)), None);
    assert_eq!(take(fixture, &new, at(39)), Some(user.id));
    assert_eq!(take(fixture, &others, at(1)), Some(other.id));
}

fn an_expired_reset_cannot_be_taken(fixture: &Fixture) {
    let user = fixture.add_user();
    let token = add_reset(fixture, user.id, at(30));
    assert_eq!(take(fixture, &token, at(31)), None);
    assert_eq!(take(fixture, &token, at(30)), None);
    let last_moment = at(30) - Duration::microseconds(1);
    assert_eq!(take(fixture, &token, last_moment), Some(user.id));
}

fn cleanup_removes_expired_resets(fixture: &Fixture) {
    let (user, other) = (fixture.add_user(), fixture.add_user());
    let old = add_reset(fixture, user.id, at(30));
    let new = add_reset(fixture, other.id, at(31));
    let sweep = |now| fixture.write(|tx| tx.account_changes().delete_expired_password_resets(now));
    assert_eq!(sweep(at(29)), 0);
    assert_eq!(sweep(at(30)), 1);
    assert_eq!(take(fixture, &old, at(1)), None);
    assert_eq!(take(fixture, &new, at(1)), Some(other.id));
}

fn an_unknown_reset_cannot_be_taken(fixture: &Fixture) {
    add_reset(fixture, fixture.add_user().id, at(30));
    assert_eq!(take(fixture, &token(), at(1)), None);
}

fn concurrent_resets_have_one_winner(fixture: &Fixture) {
    let user = fixture.add_user();
    let token = add_reset(fixture, user.id, at(30));
    let taken = race(8, |_| {
        fixture.write(|tx| tx.account_changes().consume_password_reset(&token, at(1)))
    });
    assert_eq!(taken.into_iter().flatten().collect::<Vec<_>>(), [user.id]);
}

fn a_removed_reset_cannot_be_taken(fixture: &Fixture) {
    let user = fixture.add_user();
    let token = add_reset(fixture, user.id, at(30));
    fixture.write(|tx| tx.account_changes().remove_password_reset(user.id));
    assert_eq!(take(fixture, &token, at(1)), None);
}
