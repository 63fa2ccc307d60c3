use ideavault_application::sessions::{SessionError, Sessions};
use ideavault_domain::account::UserSession;
use ideavault_domain::token::Token;

use crate::support::{at, bytes};
use crate::vault::{Vault, now, origin};

#[test]
fn only_live_sessions_are_listed_and_ended() {
    let vault = Vault::new();
    let (user, actor) = vault.signed_in();
    let idle = vault.sign_in(&user, at(10 - 13 * 60));
    let area = Sessions::new(vault.deps());
    let listed = area.list(user.id).unwrap();
    let listed: Vec<_> = listed.iter().map(UserSession::id).collect();
    assert_eq!(listed, [actor.session]);
    let ended = area.revoke(actor, idle.session, &origin());
    assert!(matches!(ended, Err(SessionError::NotFound)));
    area.revoke_others(actor, &origin()).unwrap();
    assert!(vault.audited().is_empty());
}

#[test]
fn a_session_is_the_same_until_its_use_has_to_be_recorded() {
    let vault = Vault::new();
    let user = vault.add_confirmed();
    let area = Sessions::new(vault.deps());
    let key = Token::from_random(bytes());
    let put = |last_seen_at| {
        let session = UserSession {
            key_hash: key.hash(),
            user: Some(user.id),
            state: "{}".into(),
            created_at: at(0),
            last_seen_at,
        };
        vault.write(|tx| tx.user_sessions().upsert_user_session(&session));
    };
    let stored = || vault.read(|tx| tx.user_sessions().user_session(&key.hash()));
    for (seen, is_live, stays) in [
        (9, true, true),
        (5, true, false),
        (10 - 13 * 60, false, false),
    ] {
        put(at(seen));
        let found = stored();
        assert_eq!(area.is_settled(found.as_ref()), stays);
        assert_eq!(area.load(&key).unwrap(), found.filter(|_| is_live));
        let seen_at = if stays { at(seen) } else { now() };
        let left = stored().map(|session| session.last_seen_at);
        assert_eq!(left, is_live.then_some(seen_at));
    }
    assert!(area.is_settled(None));
    assert_eq!(area.load(&key).unwrap(), None);
}
