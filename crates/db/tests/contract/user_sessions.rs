use ideavault_domain::account::{SessionEpoch, UserSession};
use ideavault_domain::ids::UserId;
use ideavault_domain::text::PersonName;
use ideavault_domain::token::TokenHash;

use crate::support::{Fixture, at, bytes, on_both_databases, race, token};

on_both_databases!(
    a_session_round_trips,
    a_session_begins_only_in_the_epoch_of_its_login,
    no_session_begins_concurrently_with_ending_all,
    only_the_sessions_of_the_account_are_locked,
    locking_the_sessions_serializes_transactions,
    changes_of_a_locked_session_precede_its_end,
    updating_a_session_keeps_its_creation_time,
    a_touch_updates_only_the_time_of_the_last_request,
    a_touch_never_moves_the_time_back,
    a_removed_session_is_deleted,
    cleanup_removes_idle_and_old_sessions,
    an_account_lists_its_own_sessions_last_seen_first,
);

fn session_of(user: Option<UserId>) -> UserSession {
    UserSession {
        key_hash: token(),
        user,
        state: r#"{"user":"1","quote":"'"}"#.into(),
        created_at: at(0),
        last_seen_at: at(1),
    }
}

fn stored(fixture: &Fixture, key: &TokenHash) -> Option<UserSession> {
    fixture.read(|tx| tx.user_sessions().user_session(key))
}

fn a_session_round_trips(fixture: &Fixture) {
    let user = fixture.add_user();
    for session in [session_of(None), session_of(Some(user.id))] {
        fixture.write(|tx| tx.user_sessions().upsert_user_session(&session));
        assert_eq!(stored(fixture, &session.key_hash), Some(session));
    }
}

fn a_session_begins_only_in_the_epoch_of_its_login(fixture: &Fixture) {
    let (ada, eve) = (fixture.add_user(), fixture.add_user());
    let epoch = || {
        let found = fixture.read(|tx| tx.users().credentials(&ada.email));
        found.unwrap().epoch
    };
    let begin = |user: UserId, epoch: SessionEpoch| {
        let session = session_of(Some(user));
        let begun =
            fixture.write(|tx| tx.user_sessions().begin_user_session(&session, user, epoch));
        assert_eq!(stored(fixture, &session.key_hash), begun.then_some(session));
        begun
    };
    let before = epoch();
    assert!(begin(ada.id, before));
    let ended = fixture.write(|tx| tx.account_changes().end_sessions_of(ada.id));
    assert_eq!(ended, Some(epoch()));
    assert!(!begin(ada.id, before));
    assert!(begin(ada.id, epoch()));
    // Other accounts are unaffected, and an unknown one cannot begin a session.
    assert!(begin(eve.id, before));
    assert!(!begin(UserId::from_random(bytes()), before));
}

fn no_session_begins_concurrently_with_ending_all(fixture: &Fixture) {
    for _ in 0..10 {
        let user = fixture.add_user().id;
        race(6, |racer| {
            if racer == 3 {
                fixture.write(|tx| tx.account_changes().end_sessions_of(user));
            } else {
                let session = session_of(Some(user));
                let epoch = SessionEpoch::default();
                fixture.write(|tx| tx.user_sessions().begin_user_session(&session, user, epoch));
            }
        });
        let left = fixture.read(|tx| tx.user_sessions().user_sessions_of(user));
        assert_eq!(left, []);
    }
}

fn only_the_sessions_of_the_account_are_locked(fixture: &Fixture) {
    let (ada, eve) = (fixture.add_user().id, fixture.add_user().id);
    let own = session_of(Some(ada));
    for session in [&own, &session_of(Some(eve)), &session_of(None)] {
        fixture.write(|tx| tx.user_sessions().upsert_user_session(session));
    }
    let locked = |user| fixture.write(|tx| tx.user_sessions().lock_sessions_of(user));
    assert_eq!(locked(ada), [own]);
    fixture.write(|tx| tx.account_changes().end_sessions_of(ada));
    assert_eq!(locked(ada), []);
    assert_eq!(locked(UserId::from_random(bytes())), []);
}

fn locking_the_sessions_serializes_transactions(fixture: &Fixture) {
    let user = fixture.add_user();
    race(8, |_| {
        fixture.write(|tx| {
            tx.user_sessions().lock_sessions_of(user.id)?;
            // If two transactions read the same name, one change would be lost.
            let found = tx.users().user(user.id)?.unwrap();
            let longer = PersonName::from_stored(format!("{}.", found.name.as_str()));
            tx.account_changes().rename_user(user.id, &longer)
        });
    });
    let named = fixture.read(|tx| tx.users().user(user.id)).unwrap().name;
    assert_eq!(named.as_str(), format!("{}........", user.name.as_str()));
}

fn changes_of_a_locked_session_precede_its_end(fixture: &Fixture) {
    for _ in 0..10 {
        let user = fixture.add_user();
        let session = session_of(Some(user.id));
        fixture.write(|tx| tx.user_sessions().upsert_user_session(&session));
        let after = PersonName::from_stored("After the end".into());
        let before = PersonName::from_stored("Before the end".into());
        race(6, |racer| {
            fixture.write(|tx| {
                if racer == 3 {
                    tx.account_changes().end_sessions_of(user.id)?;
                    tx.account_changes().rename_user(user.id, &after)?;
                } else if !tx.user_sessions().lock_sessions_of(user.id)?.is_empty() {
                    tx.account_changes().rename_user(user.id, &before)?;
                }
                Ok(())
            });
        });
        let named = fixture.read(|tx| tx.users().user(user.id)).unwrap().name;
        assert_eq!(named, after);
    }
}

fn updating_a_session_keeps_its_creation_time(fixture: &Fixture) {
    let user = fixture.add_user();
    let first = session_of(None);
    let second = UserSession {
        user: Some(user.id),
        state: "{}".into(),
        created_at: at(100),
        last_seen_at: at(100),
        ..first.clone()
    };
    fixture.write(|tx| tx.user_sessions().upsert_user_session(&first));
    fixture.write(|tx| tx.user_sessions().upsert_user_session(&second));
    assert_eq!(
        stored(fixture, &first.key_hash),
        Some(UserSession {
            created_at: at(0),
            ..second
        })
    );
}

fn a_touch_updates_only_the_time_of_the_last_request(fixture: &Fixture) {
    let session = session_of(None);
    fixture.write(|tx| tx.user_sessions().upsert_user_session(&session));
    fixture.write(|tx| {
        tx.user_sessions()
            .touch_user_session(&session.key_hash, at(9))
    });
    assert_eq!(
        stored(fixture, &session.key_hash),
        Some(UserSession {
            last_seen_at: at(9),
            ..session
        })
    );
}

fn a_touch_never_moves_the_time_back(fixture: &Fixture) {
    let session = session_of(None);
    fixture.write(|tx| tx.user_sessions().upsert_user_session(&session));
    fixture.write(|tx| {
        tx.user_sessions()
            .touch_user_session(&session.key_hash, at(0))
    });
    assert_eq!(stored(fixture, &session.key_hash), Some(session));
}

fn a_removed_session_is_deleted(fixture: &Fixture) {
    let session = session_of(None);
    fixture.write(|tx| tx.user_sessions().upsert_user_session(&session));
    for _ in 0..2 {
        fixture.write(|tx| tx.user_sessions().remove_user_session(&session.key_hash));
        assert_eq!(stored(fixture, &session.key_hash), None);
    }
}

fn cleanup_removes_idle_and_old_sessions(fixture: &Fixture) {
    let fresh = UserSession {
        created_at: at(10),
        last_seen_at: at(20),
        ..session_of(None)
    };
    let idle = UserSession {
        last_seen_at: at(19),
        ..UserSession {
            key_hash: token(),
            ..fresh.clone()
        }
    };
    let old = UserSession {
        created_at: at(9),
        ..UserSession {
            key_hash: token(),
            ..fresh.clone()
        }
    };
    for session in [&fresh, &idle, &old] {
        fixture.write(|tx| tx.user_sessions().upsert_user_session(session));
    }

    let swept = fixture.write(|tx| {
        tx.user_sessions()
            .delete_expired_user_sessions(at(20), at(10))
    });

    assert_eq!(swept, 2);
    assert_eq!(stored(fixture, &fresh.key_hash), Some(fresh));
    assert_eq!(stored(fixture, &idle.key_hash), None);
    assert_eq!(stored(fixture, &old.key_hash), None);
}

fn an_account_lists_its_own_sessions_last_seen_first(fixture: &Fixture) {
    let (ada, eve) = (fixture.add_user().id, fixture.add_user().id);
    let seen = |user: UserId, minute: i64| UserSession {
        last_seen_at: at(minute),
        ..session_of(Some(user))
    };
    let (early, late, foreign) = (seen(ada, 1), seen(ada, 2), seen(eve, 3));
    for session in [&early, &late, &foreign, &session_of(None)] {
        fixture.write(|tx| tx.user_sessions().upsert_user_session(session));
    }
    let listed = |user| fixture.read(|tx| tx.user_sessions().user_sessions_of(user));
    assert_eq!(listed(ada), [late, early]);
    assert_eq!(listed(eve), [foreign]);
}
