//! Somebody who is signed in, and somebody who was.

use ideavault_domain::account::UserSession;
use ideavault_domain::token::Token;

use super::{MockTransaction, at, owner};
use crate::actor::Actor;

/// The owner, in [`own_session`].
pub(crate) fn actor() -> Actor {
    Actor {
        user: owner(),
        session: own_session().id(),
    }
}

/// The session that the owner asks from.
pub(crate) fn own_session() -> UserSession {
    UserSession {
        key_hash: Token::from_random([1; 32]).hash(),
        user: Some(owner()),
        state: "{}".into(),
        created_at: at(-60),
        last_seen_at: at(0),
    }
}

/// Has the session of [`actor`].
pub(crate) fn signed_in(tx: &mut MockTransaction) {
    has(tx, vec![own_session()]);
}

/// What may be left when the session of [`actor`] is over.
pub(crate) fn after_sign_out() -> [Vec<UserSession>; 3] {
    let elsewhere = UserSession {
        key_hash: Token::from_random([2; 32]).hash(),
        ..own_session()
    };
    let idle = UserSession {
        last_seen_at: at(-13 * 3_600),
        ..own_session()
    };
    [vec![], vec![elsewhere], vec![idle]]
}

/// Has those sessions of the owner, when they are locked.
pub(crate) fn has(tx: &mut MockTransaction, sessions: Vec<UserSession>) {
    tx.expect_lock_sessions_of()
        .withf(|user| *user == owner())
        .returning(move |_| Ok(sessions.clone()));
}
