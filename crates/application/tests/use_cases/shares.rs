use std::sync::Arc;

use ideavault_application::shares::Shares;
use ideavault_domain::admission::AddressConfirmation;
use ideavault_domain::audit::AuditKind;
use ideavault_domain::failure::Failure;
use ideavault_domain::share::ShareRequest;

use crate::support::user;
use crate::vault::{Vault, composer, failure, origin};

fn shares(vault: &Arc<Vault>) -> Shares<Vault> {
    let confirmation = AddressConfirmation::Required;
    Shares::new(vault.deps(), composer(), confirmation)
}

fn to_grace() -> ShareRequest {
    ShareRequest {
        share_type: "email".into(),
        recipient_email: Some("Grace@example.org".into()),
        ..ShareRequest::default()
    }
}

fn one_time() -> ShareRequest {
    ShareRequest {
        share_type: "one-time".into(),
        ..ShareRequest::default()
    }
}

#[test]
fn links_mailed_in_a_day_are_capped_and_others_do_not_count() {
    let vault = Vault::new();
    let owner = vault.add_confirmed().id;
    let idea = vault.add_idea(owner).id;
    let area = shares(&vault);
    let create = |request| area.create(owner, idea, &request, origin(), None);
    for _ in 0..20 {
        create(one_time()).unwrap();
        let mailed = create(to_grace()).unwrap();
        let mail = vault.mail();
        assert_eq!(mail.to().as_str(), "grace@example.org");
        let token = mailed.token.unwrap();
        assert_eq!(mailed.share.token_hash, token.hash());
        let link = format!("https://vault.example.org/view/{}", token.reveal());
        assert!(mail.body().contains(&link), "{}", mail.body());
    }
    let Failure::TooMany { retry_after } = failure(create(to_grace())) else {
        panic!("the link was mailed");
    };
    // Until midnight.
    assert_eq!(retry_after.as_secs(), (15 * 60 + 50) * 60);
    create(one_time()).unwrap();
    let recorded = vault.audited();
    assert_eq!(recorded, vec![AuditKind::ShareCreated; 41]);
}

#[test]
fn nobody_shares_the_idea_of_another_or_without_a_confirmed_address() {
    let vault = Vault::new();
    let owner = vault.add_account(user()).id;
    let idea = vault.add_idea(owner).id;
    let create = |by| failure(shares(&vault).create(by, idea, &one_time(), origin(), None));
    assert!(matches!(create(owner), Failure::Forbidden(_)));
    assert!(matches!(
        create(vault.add_confirmed().id),
        Failure::NotFound
    ));
    assert!(vault.audited().is_empty());
}

#[test]
fn answers_go_to_no_address_that_nobody_has_confirmed() {
    let vault = Vault::new();
    let owner = vault.add_account(user()).id;
    let idea = vault.add_idea(owner).id;
    let area = Shares::new(vault.deps(), composer(), AddressConfirmation::Offered);
    let create = |reply_to_me| {
        let request = ShareRequest {
            reply_to_me,
            ..to_grace()
        };
        area.create(owner, idea, &request, origin(), None)
    };
    assert!(matches!(failure(create(true)), Failure::Forbidden(_)));
    assert!(vault.mails().is_empty());
    create(false).unwrap();
    assert_eq!(vault.mail().reply_to(), None);
}

#[test]
fn a_revoked_link_takes_its_mail_back() {
    let vault = Vault::new();
    let owner = vault.add_confirmed().id;
    let idea = vault.add_idea(owner).id;
    let area = shares(&vault);
    let created = area
        .create(owner, idea, &to_grace(), origin(), None)
        .unwrap();
    let other = vault.add_confirmed().id;
    let refused = failure(area.revoke(other, created.share.id, origin()));
    assert!(matches!(refused, Failure::NotFound));
    area.revoke(owner, created.share.id, origin()).unwrap();
    assert!(vault.mails().is_empty());
    assert_eq!(
        vault.audited(),
        [AuditKind::ShareCreated, AuditKind::ShareRevoked]
    );
}
