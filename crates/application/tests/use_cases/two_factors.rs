use std::sync::Arc;

use ideavault_application::two_factors::{TwoFactorRemoval, TwoFactors};
use ideavault_domain::Timestamp;
use ideavault_domain::account::User;
use ideavault_domain::admission::AddressConfirmation;
use ideavault_domain::audit::AuditKind;
use ideavault_domain::failure::Failure;
use ideavault_domain::two_factor::{RecoveryCode, Step, TotpSecret};

use crate::support::{at, bytes};
use crate::vault::{
    NumberedSteps, PASSWORD, Vault, composer, failure, invalid, now, origin, shown,
};

fn two_factors(vault: &Arc<Vault>) -> TwoFactors<Vault> {
    let confirmation = AddressConfirmation::Required;
    let totp = Arc::new(NumberedSteps);
    TwoFactors::new(vault.deps(), vault.hasher(), totp, composer(), confirmation)
}

/// Turns two-step sign-in on.
pub(crate) fn enable(vault: &Vault, user: &User, at: Timestamp) {
    let secret = TotpSecret::from_random(bytes());
    assert!(vault.write(|tx| {
        tx.two_factors().begin_two_factor(user.id, &secret)?;
        tx.two_factors()
            .confirm_two_factor(user.id, &secret, Step::at(at), at)
    }));
}

#[test]
fn the_right_code_enables_it_ends_all_sessions_and_notifies_the_owner() {
    let vault = Vault::new();
    let (user, actor) = vault.signed_in();
    let area = two_factors(&vault);
    let setup = area.begin(actor, PASSWORD).unwrap();
    let stored = vault.read(|tx| tx.two_factors().totp_secret(user.id));
    assert_eq!(stored, Some(setup.secret));
    for code in ["12345", "", &shown(at(5)), &shown(at(15))] {
        let refused = area.confirm(actor, code, origin());
        assert_eq!(invalid(refused).field, "code", "{code}");
    }
    let confirmed = area.confirm(actor, &shown(now()), origin()).unwrap();
    assert_eq!(confirmed.recovery.len(), 10);
    assert!(
        vault
            .read(|tx| tx.user_sessions().user_sessions_of(user.id))
            .is_empty()
    );
    assert_eq!(
        vault.mail().subject(),
        "Two-step sign-in is on for IdeaVault"
    );
    // Only their hashes are stored.
    for code in &confirmed.recovery {
        let hash = RecoveryCode::hash(code);
        assert!(vault.write(|tx| tx.two_factors().consume_recovery_code(user.id, &hash)));
    }
    let again = vault.sign_in(&user, now());
    let refused = failure(area.begin(again, PASSWORD));
    assert!(matches!(refused, Failure::Conflict(_)));
}

#[test]
fn without_the_password_or_a_second_step_there_is_nothing_to_change() {
    let vault = Vault::new();
    let (_, actor) = vault.signed_in();
    let area = two_factors(&vault);
    for password in ["", "wrong one"] {
        for refused in [
            invalid(area.begin(actor, password)),
            invalid(area.turn_off(actor, password, origin())),
            invalid(area.replace_recovery_codes(actor, password, origin())),
        ] {
            assert_eq!(refused.field, "currentPassword");
        }
    }
    for refused in [
        failure(area.confirm(actor, &shown(now()), origin())),
        failure(area.replace_recovery_codes(actor, PASSWORD, origin())),
    ] {
        assert!(matches!(refused, Failure::Conflict(_)), "{refused}");
    }
    area.turn_off(actor, PASSWORD, origin()).unwrap();
    assert!(vault.mails().is_empty() && vault.audited().is_empty());
}

#[test]
fn the_operator_removes_an_enabled_factor_and_it_is_recorded() {
    let vault = Vault::new();
    let user = vault.add_confirmed();
    let removal = TwoFactorRemoval::new(Arc::clone(&vault), vault.clock());
    let typed = format!(" {} ", user.email.as_str().to_uppercase());
    removal.remove(&typed).unwrap_err();
    enable(&vault, &user, at(0));
    assert_eq!(removal.remove(&typed).unwrap(), user.email);
    let entries = vault.read(|tx| tx.audit().audit(None, 10));
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0].kind, AuditKind::TwoFactorRemoved);
    assert_eq!(entries[0].account, Some(user.id));
    assert_eq!(entries[0].origin, None);
}
