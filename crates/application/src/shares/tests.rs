use ideavault_domain::share::ShareType;

use super::*;
use crate::testing::{
    MockSealer, MockSession, MockStore, Nines, StoppedClock, draft_idea, owner, share, stranger,
};

fn shares(writes: impl FnOnce(&mut MockSession)) -> Shares<MockStore> {
    let mut sealer = MockSealer::new();
    sealer.expect_seal().returning(|_, _| Ok(vec![42]));
    Shares::new(
        MockStore::new(|_| {}, writes),
        Arc::new(StoppedClock),
        Arc::new(Nines),
        Arc::new(sealer),
    )
}

fn one_time() -> ShareRequest {
    ShareRequest {
        share_type: "one-time".into(),
        ..ShareRequest::default()
    }
}

fn finds_idea(session: &mut MockSession) {
    session.expect_idea().returning(|_| Ok(Some(draft_idea())));
}

#[test]
fn the_store_gets_a_hash_and_a_sealed_copy_of_the_token() {
    let created = shares(|writes| {
        finds_idea(writes);
        writes
            .expect_add_share()
            .withf(|share| share.token_sealed == [42] && share.terms.max_views == Some(1))
            .times(1)
            .returning(|_| Ok(()));
    })
    .create(owner(), 7.into(), &one_time())
    .unwrap();
    assert_eq!(created.share.token_hash, created.token.hash());
    assert_eq!(created.state, ShareState::Active);
}

#[test]
fn nobody_makes_a_link_to_an_idea_of_somebody_else() {
    let error = shares(finds_idea)
        .create(stranger(), 7.into(), &one_time())
        .unwrap_err();
    assert!(matches!(Failure::from(error), Failure::NotFound));
}

#[test]
fn nobody_revokes_a_link_of_somebody_else() {
    let id = share(ShareType::FullAccess, None).id;
    let error = shares(|writes| {
        writes
            .expect_share()
            .returning(|_| Ok(Some(share(ShareType::FullAccess, None))));
        finds_idea(writes);
    })
    .revoke(stranger(), id)
    .unwrap_err();
    assert!(matches!(Failure::from(error), Failure::NotFound));
}
