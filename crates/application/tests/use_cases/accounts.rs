use std::sync::Arc;

use ideavault_application::accounts::{Accounts, Admission, SignUp};
use ideavault_domain::account::ConfirmationLink;
use ideavault_domain::admission::{AddressConfirmation, RegistrationMode};
use ideavault_domain::audit::AuditKind;
use ideavault_domain::device::KnownDevice;
use ideavault_domain::email::Email;
use ideavault_domain::failure::Failure;
use ideavault_domain::token::Token;

use crate::support::{at, bytes};
use crate::vault::{Vault, composer, failure, hash_of, now, origin, token_in};

fn accounts(vault: &Arc<Vault>, registration: RegistrationMode) -> Accounts<Vault> {
    let admission = Admission {
        registration,
        confirmation: AddressConfirmation::Required,
    };
    Accounts::new(vault.deps(), vault.hasher(), composer(), admission)
}

const FORM: SignUp<'_> = SignUp {
    name: " Ada ",
    email: " ADA@example.org",
    password: "secret",
    invitation: None,
};

#[test]
fn registering_stores_the_parsed_account_and_only_a_hash() {
    let vault = Vault::new();
    let area = accounts(&vault, RegistrationMode::Open);
    let added = area.register(FORM, None, origin()).unwrap();
    let ada = Email::parse("ada@example.org").unwrap();
    let stored = vault.read(|tx| tx.users().credentials(&ada)).unwrap();
    assert_eq!(stored.user, added.user);
    assert_eq!(stored.user.name.as_str(), "Ada");
    assert_eq!(stored.user.created_at, now());
    assert_eq!(stored.user.email_confirmed_at, None);
    assert_eq!(stored.password_hash, hash_of("secret"));
    assert_eq!(vault.audited(), [AuditKind::Registered]);
    // The registering browser becomes a known device.
    let device = KnownDevice {
        user: added.user.id,
        key_hash: added.device.hash(),
        last_seen_at: now(),
    };
    assert!(vault.write(|tx| tx.known_devices().record_device(&device)));
    let token = token_in(&vault.mail(), "confirm-email/").hash();
    let link = vault.read(|tx| tx.email_confirmations().email_confirmation(&token, now()));
    assert_eq!(link, ConfirmationLink::Live(added.user.id));
}

#[test]
fn nothing_is_hashed_or_stored_for_a_form_that_is_refused() {
    use RegistrationMode::{Closed, Invite, Open};
    let vault = Vault::new();
    let unknown = Token::from_random(bytes()).reveal();
    let with = |invitation| SignUp {
        invitation: Some(invitation),
        ..FORM
    };
    for (mode, form, refused) in [
        (Open, SignUp { name: "A", ..FORM }, "name"),
        (
            Open,
            SignUp {
                email: "ada",
                ..FORM
            },
            "email",
        ),
        (
            Open,
            SignUp {
                password: "short",
                ..FORM
            },
            "password",
        ),
        (Open, with("x"), "invitation"),
        (Open, with(&unknown), "invitation"),
        (Invite, with(" "), "by invitation only"),
        (Invite, FORM, "by invitation only"),
        (Closed, FORM, "closed"),
    ] {
        let found = match failure(accounts(&vault, mode).register(form, None, origin())) {
            Failure::Invalid(invalid) => invalid.field.to_owned(),
            Failure::Forbidden(message) => message,
            other => panic!("{other:?}"),
        };
        assert!(found.contains(refused), "{refused}: {found}");
    }
    assert_eq!((vault.hasher.calls(), vault.count("users")), (0, 0));
}

#[test]
fn an_invitation_confirms_the_address_of_its_recipient_once() {
    let vault = Vault::new();
    let ada = Email::parse("ada@example.org").unwrap();
    let token = Token::from_random(bytes());
    vault.write(|tx| {
        tx.invitations().invite(&ada, at(0))?;
        let hash = token.hash();
        tx.invitations()
            .announce_invitation(&ada, &hash, at(0), at(60))
    });
    let token = token.reveal();
    let form = SignUp {
        invitation: Some(&token),
        ..FORM
    };
    let register = |form| accounts(&vault, RegistrationMode::Invite).register(form, None, origin());
    let another = SignUp {
        email: "eve@example.org",
        ..form
    };
    assert!(matches!(failure(register(another)), Failure::Forbidden(_)));
    let added = register(form).unwrap();
    assert_eq!(added.user.email_confirmed_at, Some(now()));
    assert!(vault.mails().is_empty());
    assert!(matches!(failure(register(form)), Failure::Forbidden(_)));
}
