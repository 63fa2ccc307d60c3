use std::sync::Arc;

use ideavault_application::invitations::{InvitationError, InvitationMailer, Invitations};
use ideavault_domain::audit::AuditKind;
use ideavault_domain::email::Email;

use crate::support::at;
use crate::vault::{Vault, composer};

#[test]
fn an_invited_address_is_normalized_and_gets_one_mail() {
    let vault = Vault::new();
    let area = Invitations::new(Arc::clone(&vault), vault.clock());
    let grace = Email::parse("grace@example.org").unwrap();
    assert_eq!(area.invite(" Grace@Example.org ").unwrap(), grace);
    let refused = area.invite("grace");
    assert!(matches!(refused, Err(InvitationError::Invalid(_))));
    let known = vault.add_confirmed().email;
    let refused = area.invite(known.as_str()).unwrap_err().to_string();
    assert_eq!(refused, format!("{known} has an account already"));
    assert_eq!(vault.audited(), [AuditKind::Invited]);

    // Another server announces it after this one has looked.
    vault.overtake(|vault| {
        let token = crate::support::token();
        let grace = Email::parse("grace@example.org").unwrap();
        let end = at(99);
        assert!(vault.write(|tx| {
            tx.invitations()
                .announce_invitation(&grace, &token, at(10), end)
        }));
    });
    let mailer = InvitationMailer::new(vault.deps(), composer());
    assert_eq!(mailer.send_pending().unwrap(), 0);
    area.invite("grace@example.org").unwrap();
    assert_eq!(mailer.send_pending().unwrap(), 1);
    let mail = vault.mail();
    assert_eq!(mail.to(), &grace);
    let link = mail
        .body()
        .lines()
        .find(|line| line.starts_with("https://"))
        .unwrap();
    let (token, end) = link
        .strip_prefix("https://vault.example.org/register?invitation=")
        .and_then(|rest| rest.split_once('&'))
        .unwrap();
    assert_eq!(end, "email=grace%40example.org");
    let hash = token
        .parse::<ideavault_domain::token::Token>()
        .unwrap()
        .hash();
    // For two weeks.
    let live = |minutes| {
        vault.read(|tx| {
            tx.invitations()
                .invitation_is_live(&hash, &grace, at(minutes))
        })
    };
    assert!(live(9 + 14 * 24 * 60) && !live(10 + 14 * 24 * 60));
}
