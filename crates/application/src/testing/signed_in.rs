//! A signed-in actor, and one whose session has ended.

use ideavault_domain::account::UserSession;
use ideavault_domain::token::Token;

use super::{MockTransaction, at, owner};
use crate::actor::Actor;

/// The owner, signed in with [`own_session`].
pub(crate) fn actor() -> Actor {
    Actor {
        user: owner(),
        session: own_session().id(),
    }
}

/// The owner's current session.
pub(crate) fn own_session() -> UserSession {
    UserSession {
        key_hash: Token::from_random([1; 32]).hash(),
        user: Some(owner()),
        state: "{}".into(),
        created_at: at(-60),
        last_seen_at: at(0),
    }
}

/// Has the live session of [`actor`].
pub(crate) fn signed_in(tx: &mut MockTransaction) {
    has(tx, vec![own_session()]);
}

/// The sessions that may be left when that of [`actor`] has ended.
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

/// Returns those sessions of the owner when they are locked.
pub(crate) fn has(tx: &mut MockTransaction, sessions: Vec<UserSession>) {
    tx.expect_lock_sessions_of()
        .withf(|user| *user == owner())
        .returning(move |_| Ok(sessions.clone()));
}
