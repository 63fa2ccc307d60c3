use ideavault_domain::ports::ShareOwner;
use ideavault_domain::share::{ShareOptionsChange, ShareTerms};

use super::*;
use crate::testing::{
    MockDatabase, MockTransaction, ada, at, count_key, deps, draft_idea, email_composer, has_idea,
    origin, owner, records, share, stranger,
};

fn shares(writes: impl FnOnce(&mut MockTransaction)) -> Shares<MockDatabase> {
    Shares::new(
        deps(MockDatabase::new(|_| {}, writes)),
        email_composer(),
        AddressConfirmation::Required,
    )
}

fn one_time() -> ShareRequest {
    ShareRequest {
        share_type: "one-time".into(),
        ..ShareRequest::default()
    }
}

fn finds_idea(tx: &mut MockTransaction) {
    has_idea(tx, draft_idea());
    tx.expect_user().returning(|_| Ok(Some(ada())));
}

#[test]
fn an_unconfirmed_account_cannot_create_a_link() {
    let refused = shares(|writes| {
        has_idea(writes, draft_idea());
        writes.expect_user().returning(|_| {
            Ok(Some(User {
                email_confirmed_at: None,
                ..ada()
            }))
        });
    })
    .create(owner(), 7.into(), &one_time(), origin(), None)
    .unwrap_err();
    let Failure::Forbidden(message) = Failure::from(refused) else {
        panic!("the share was created");
    };
    assert!(message.contains("confirm your email address"), "{message}");
}

#[test]
fn the_database_gets_a_hash_and_a_copy_of_the_token() {
    let created = shares(|writes| {
        finds_idea(writes);
        records(writes, AuditKind::ShareCreated);
        writes
            .expect_add_share()
            .withf(|share, token| {
                share.token_hash == token.hash() && share.terms.max_views() == Some(1)
            })
            .times(1)
            .returning(|_, _| Ok(()));
    })
    .create(owner(), 7.into(), &one_time(), origin(), None)
    .unwrap();
    assert_eq!(created.share.token_hash, created.token.unwrap().hash());
    assert_eq!(created.state, ShareState::Active);
}

#[test]
fn a_link_for_an_address_is_mailed_in_the_same_transaction() {
    let request = ShareRequest {
        share_type: "email".into(),
        recipient_email: Some("Grace@example.org".into()),
        ..ShareRequest::default()
    };
    let token = Token::from_random([9; 32]);
    let link = format!("https://vault.example.org/view/{}", token.reveal());
    shares(|writes| {
        finds_idea(writes);
        records(writes, AuditKind::ShareCreated);
        writes.expect_user().returning(|_| Ok(Some(ada())));
        writes.expect_add_share().times(1).returning(|_, _| Ok(()));
        writes
            .expect_set_link()
            .withf(|_, link, sender| *link == ShareId::from_random([9; 16]) && *sender == owner())
            .times(1)
            .returning(|_, _, _| Ok(()));
        writes
            .expect_queue_mail()
            .withf(move |queued| {
                let mail = &queued.mail;
                mail.to().as_str() == "grace@example.org"
                    && mail.subject().contains("Ada Lovelace")
                    && mail.body().contains(&link)
                    && queued.first_attempt_at == at(0)
            })
            .times(1)
            .returning(|_| Ok(()));
    })
    .create(owner(), 7.into(), &request, origin(), None)
    .unwrap();
}

#[test]
fn a_link_to_an_idea_of_another_owner_cannot_be_created() {
    let error = shares(finds_idea)
        .create(stranger(), 7.into(), &one_time(), origin(), None)
        .unwrap_err();
    assert!(matches!(Failure::from(error), Failure::NotFound));
}

fn owned(_: ShareId) -> Result<Option<ShareOwner>, DatabaseError> {
    Ok(Some(ShareOwner {
        idea: draft_idea().id,
        owner: owner(),
    }))
}

#[test]
fn a_link_of_another_owner_cannot_be_revoked() {
    let id = share(ShareTerms::FullAccess).id;
    let error = shares(|writes| {
        writes.expect_share_owner().returning(owned);
    })
    .revoke(stranger(), id, origin())
    .unwrap_err();
    assert!(matches!(Failure::from(error), Failure::NotFound));
}

/// Changes a link whose owner it is.
fn changed(change: &ShareChange, writes: impl FnOnce(&mut MockTransaction)) {
    let id = share(ShareTerms::FullAccess).id;
    shares(|tx| {
        tx.expect_share()
            .returning(|_| Ok(Some(share(ShareTerms::FullAccess))));
        finds_idea(tx);
        writes(tx);
    })
    .change(owner(), id, change, origin())
    .unwrap();
}

#[test]
fn a_change_without_a_name_leaves_the_name_unchanged() {
    let change = ShareChange {
        options: ShareOptionsChange {
            shows_other_readers: Some(true),
            ..ShareOptionsChange::default()
        },
        ..ShareChange::default()
    };
    changed(&change, |writes| {
        writes.expect_rename_share().never();
        writes
            .expect_change_share_options()
            .times(1)
            .returning(|_, _| Ok(()));
    });
}

#[test]
fn a_blank_name_removes_the_name() {
    let change = ShareChange {
        name: Some(" ".into()),
        ..ShareChange::default()
    };
    changed(&change, |writes| {
        writes
            .expect_change_share_options()
            .returning(|_, _| Ok(()));
        writes
            .expect_rename_share()
            .withf(|_, name| name.is_none())
            .times(1)
            .returning(|_, _| Ok(()));
    });
}

#[test]
fn a_revocation_is_recorded_in_the_same_transaction() {
    let id = share(ShareTerms::FullAccess).id;
    shares(|writes| {
        writes.expect_share_owner().returning(owned);
        writes
            .expect_revoke_share()
            .times(1)
            .returning(|_, _| Ok(true));
        writes
            .expect_drop_mail_of_link()
            .withf(move |link| *link == id)
            .times(1)
            .returning(|_| Ok(()));
        writes
            .expect_record()
            .withf(move |entry| {
                entry.kind == AuditKind::ShareRevoked
                    && entry.account == Some(owner())
                    && entry.subject == Some(Subject::Share(id))
                    && entry.origin == Some(origin())
            })
            .times(1)
            .returning(|_| Ok(()));
    })
    .revoke(owner(), id, origin())
    .unwrap();
}

/// A link by mail, once that limit is reached.
fn mailed(reached: RateLimit) -> Result<OwnShare, ShareError> {
    let request = ShareRequest {
        share_type: "email".into(),
        recipient_email: Some("grace@example.org".into()),
        ..ShareRequest::default()
    };
    shares(|writes| {
        finds_idea(writes);
        writes.expect_record().returning(|_| Ok(()));
        writes.expect_add_share().returning(|_, _| Ok(()));
        writes.expect_set_link().returning(|_, _, _| Ok(()));
        writes.expect_queue_mail().returning(|_| Ok(()));
        writes
            .expect_count_event()
            .returning(move |key, now, ends, most| {
                assert_eq!(now, at(0));
                let limits = [
                    (RateLimit::Invitations, owner().to_string(), 20),
                    (RateLimit::InvitationsOfVault, String::new(), 500),
                ];
                let counted = limits
                    .into_iter()
                    .find(|(limit, name, _)| *key == count_key(*limit, name));
                // Who uses the limit of the vault is counted, too.
                let (limit, _, of_limit) = counted
                    .map_or((None, "".into(), 1), |(limit, name, most)| {
                        (Some(limit), name, most)
                    });
                assert_eq!(most, of_limit);
                Ok((limit == Some(reached)).then_some(ends))
            });
    })
    .create(owner(), 7.into(), &request, origin(), None)
}

#[test]
fn links_mailed_in_a_day_are_capped_by_account_and_vault() {
    for reached in [RateLimit::Invitations, RateLimit::InvitationsOfVault] {
        let Failure::TooMany { retry_after } = Failure::from(mailed(reached).unwrap_err()) else {
            panic!("the link was mailed");
        };
        // NOW is at 8:00 UTC.
        assert_eq!(retry_after, std::time::Duration::from_secs(16 * 3_600 + 1));
    }
    mailed(RateLimit::ConfirmationsOfVault).unwrap();
}

#[test]
fn a_link_that_is_not_mailed_does_not_count_towards_the_cap() {
    shares(|writes| {
        finds_idea(writes);
        records(writes, AuditKind::ShareCreated);
        writes.expect_add_share().returning(|_, _| Ok(()));
        writes.expect_count_event().never();
    })
    .create(owner(), 7.into(), &one_time(), origin(), None)
    .unwrap();
}
