use std::sync::Arc;

use ideavault_application::confirmations::{ConfirmationError, Confirmations};
use ideavault_domain::account::User;
use ideavault_domain::audit::AuditKind;
use ideavault_domain::failure::Failure;

use crate::support::user;
use crate::vault::{PASSWORD, Vault, composer, failure, invalid, now, origin, token_in};

fn confirmations(vault: &Arc<Vault>) -> Confirmations<Vault> {
    Confirmations::new(vault.deps(), vault.hasher(), composer())
}

/// Adds an account, and returns it with the token that it was mailed.
fn asked(vault: &Arc<Vault>) -> (User, String) {
    let user = vault.add_account(user());
    confirmations(vault).send(user.id, &origin()).unwrap();
    let mail = vault.mail();
    assert_eq!(mail.to(), &user.email);
    // The name was typed at registration, perhaps by somebody else.
    assert!(!mail.body().contains(user.name.as_str()));
    (user, token_in(&mail, "confirm-email/").reveal())
}

#[test]
fn a_confirmed_account_gets_no_confirmation_mail() {
    let vault = Vault::new();
    let user = vault.add_confirmed();
    let refused = failure(confirmations(&vault).send(user.id, &origin()));
    assert!(matches!(refused, Failure::Conflict(_)));
    assert!(vault.mails().is_empty());
}

#[test]
fn a_link_alone_confirms_nothing() {
    let vault = Vault::new();
    let (user, token) = asked(&vault);
    let (_, other) = vault.signed_in();
    let area = confirmations(&vault);
    for (caller, needs_password) in [
        (None, true),
        (Some(other.user), true),
        (Some(user.id), false),
    ] {
        let look = area.look(&token, caller).unwrap();
        assert_eq!(
            (look.email, look.needs_password),
            (user.email.clone(), needs_password)
        );
    }
    for (actor, password, message) in [
        (None, None, "Please enter"),
        (None, Some(""), "Please enter"),
        (Some(other), None, "Please enter"),
        (None, Some("secreT"), "This is not"),
        (None, Some("x"), "This is not"),
    ] {
        let refused = invalid(area.confirm(&token, actor, password, origin()));
        assert_eq!(refused.field, "password");
        assert!(refused.message.starts_with(message), "{}", refused.message);
    }
    assert_eq!(vault.read(|tx| tx.users().user(user.id)), Some(user));
}

#[test]
fn a_valid_link_confirms_once_in_a_session_or_with_the_password() {
    for is_signed_in in [true, false] {
        let vault = Vault::new();
        let (user, token) = asked(&vault);
        let actor = is_signed_in.then(|| vault.sign_in(&user, now()));
        let password = (!is_signed_in).then_some(PASSWORD);
        let area = confirmations(&vault);
        area.confirm(&token, actor, password, origin()).unwrap();
        let confirmed = vault.read(|tx| tx.users().user(user.id)).unwrap();
        assert_eq!(confirmed.email_confirmed_at, Some(now()));
        assert_eq!(vault.audited(), [AuditKind::EmailConfirmed]);
        for again in [
            failure(area.look(&token, None)),
            failure(area.confirm(&token, actor, password, origin())),
        ] {
            assert!(matches!(again, Failure::Conflict(_)), "{again}");
        }
    }
    let vault = Vault::new();
    let unknown = confirmations(&vault).confirm("x", None, Some(PASSWORD), origin());
    assert!(matches!(unknown, Err(ConfirmationError::InvalidLink)));
}
