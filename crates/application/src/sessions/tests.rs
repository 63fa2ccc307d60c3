use super::*;
use crate::testing::{
    MockDatabase, MockTransaction, actor, after_sign_out, at, deps, has_sessions, origin,
    own_session, owner,
};

fn session(key: u8, seen: i64) -> UserSession {
    UserSession {
        key_hash: Token::from_random([key; 32]).hash(),
        user: Some(owner()),
        state: "{}".into(),
        created_at: at(-60),
        last_seen_at: at(seen),
    }
}

fn dead() -> UserSession {
    UserSession {
        created_at: at(-8 * 86_400),
        ..session(3, -13 * 3_600)
    }
}

fn three() -> Vec<UserSession> {
    vec![own_session(), session(2, -1), dead()]
}

fn has_three(tx: &mut MockTransaction) {
    has_sessions(tx, three());
}

fn ends(writes: &mut MockTransaction, doomed: &UserSession) {
    let (key, id) = (doomed.key_hash, doomed.id());
    writes
        .expect_remove_user_session()
        .withf(move |removed| *removed == key)
        .times(1)
        .returning(|_| Ok(()));
    writes
        .expect_record()
        .withf(move |entry| {
            entry.kind == AuditKind::SessionRevoked
                && entry.account == Some(owner())
                && entry.subject == Some(Subject::Session(id))
        })
        .times(1)
        .returning(|_| Ok(()));
}

fn sessions(
    reads: impl FnOnce(&mut MockTransaction),
    writes: impl FnOnce(&mut MockTransaction),
) -> Sessions<MockDatabase> {
    let database = MockDatabase::new(reads, writes);
    Sessions::new(deps(database))
}

#[test]
fn a_session_begins_only_in_the_epoch_of_its_login() {
    for current in [true, false] {
        let writes = |writes: &mut MockTransaction| {
            writes
                .expect_begin_user_session()
                .withf(|tx, user, epoch| {
                    tx.user == Some(owner())
                        && *user == owner()
                        && *epoch == SessionEpoch::from_number(4)
                })
                .times(1)
                .returning(move |_, _, _| Ok(current));
        };
        let user = Some((owner(), SessionEpoch::from_number(4)));
        let begun = sessions(|_| {}, writes).begin(user, "{}".into());
        match begun {
            Ok(_) => assert!(current),
            Err(error) => assert!(!current && matches!(error, SessionError::Outdated)),
        }
    }
}

#[test]
fn only_live_sessions_are_listed() {
    let reads = |reads: &mut MockTransaction| {
        reads
            .expect_user_sessions_of()
            .withf(|user| *user == owner())
            .returning(|_| Ok(three()));
    };
    let listed = sessions(reads, |_| {}).list(owner()).unwrap();
    assert_eq!(listed, [own_session(), session(2, -1)]);
}

#[test]
fn a_session_is_ended_by_its_id_and_recorded_with_it() {
    let writes = |writes: &mut MockTransaction| {
        has_three(writes);
        ends(writes, &session(2, -1));
    };
    sessions(|_| {}, writes)
        .revoke(actor(), session(2, -1).id(), &origin())
        .unwrap();
}

#[test]
fn ended_sessions_and_sessions_of_others_are_not_found() {
    for id in [dead().id(), session(9, 0).id()] {
        let ended = sessions(|_| {}, has_three).revoke(actor(), id, &origin());
        assert!(matches!(ended, Err(SessionError::NotFound)));
    }
}

#[test]
fn revoking_other_sessions_keeps_the_current_one() {
    let writes = |writes: &mut MockTransaction| {
        has_three(writes);
        ends(writes, &session(2, -1));
    };
    sessions(|_| {}, writes)
        .revoke_others(actor(), &origin())
        .unwrap();
}

#[test]
fn an_ended_session_cannot_end_others() {
    for left in after_sign_out() {
        let area = || sessions(|_| {}, |writes| has_sessions(writes, left.clone()));
        let other = session(2, -1).id();
        for refused in [
            area().revoke(actor(), other, &origin()),
            area().revoke_others(actor(), &origin()),
        ] {
            let failure = Failure::from(refused.unwrap_err());
            assert!(matches!(failure, Failure::Unauthenticated(_)), "{left:?}");
        }
    }
}

#[test]
fn a_session_is_the_same_until_its_use_has_to_be_recorded() {
    let load = |found: Option<UserSession>, writes: fn(&mut MockTransaction)| {
        let reads = move |reads: &mut MockTransaction| {
            reads
                .expect_user_session()
                .returning(move |_| Ok(found.clone()));
        };
        let area = sessions(reads, writes);
        area.load(&Token::from_random([2; 32])).unwrap()
    };
    let is_settled = |found: Option<&UserSession>| sessions(|_| {}, |_| {}).is_settled(found);
    let seen = session(2, -100);
    assert!(is_settled(Some(&seen)) && is_settled(None));
    assert_eq!(load(Some(seen.clone()), |_| {}), Some(seen));
    assert_eq!(load(None, |_| {}), None);

    let old = session(2, -300);
    assert!(!is_settled(Some(&old)) && !is_settled(Some(&dead())));
    let touched = load(Some(old.clone()), |writes| {
        writes
            .expect_touch_user_session()
            .times(1)
            .returning(|_, _| Ok(()));
    });
    assert_eq!(touched, Some(old));
    let ended = load(Some(dead()), |writes| {
        writes
            .expect_remove_user_session()
            .times(1)
            .returning(|_| Ok(()));
    });
    assert_eq!(ended, None);
}
