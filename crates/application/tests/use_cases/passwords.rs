use std::sync::Arc;

use chrono::Duration;
use ideavault_application::passwords::{PasswordChange, PasswordResetForm, Passwords, Reset};
use ideavault_domain::account::User;
use ideavault_domain::audit::AuditKind;
use ideavault_domain::notice::NotificationMode;
use ideavault_domain::token::Token;
use ideavault_domain::two_factor::{Step, TotpSecret};

use crate::support::{at, bytes, full_access, user};
use crate::vault::{Vault, composer, hash_of, invalid, now, origin, token_in};

pub(crate) const CHANGE: PasswordChange<'_> = PasswordChange {
    current: "secret",
    new: "new secret",
    confirmation: "new secret",
};

fn passwords(vault: &Arc<Vault>) -> Passwords<Vault> {
    Passwords::new(vault.deps(), vault.hasher(), composer())
}

fn form(remove_two_factor: bool) -> PasswordResetForm<'static> {
    PasswordResetForm {
        password: "new secret",
        remove_two_factor,
    }
}

/// Asks for a reset, and returns the token that is mailed.
fn ask(vault: &Arc<Vault>, user: &User) -> String {
    passwords(vault).send_reset(user, origin()).unwrap();
    token_in(&vault.mail(), "reset-password/").reveal()
}

#[test]
fn no_reset_is_mailed_for_an_account_that_is_gone() {
    let vault = Vault::new();
    let user = vault.add_confirmed();
    vault.disable(&user);
    passwords(&vault).send_reset(&user, origin()).unwrap();
    assert!(vault.mails().is_empty());
    let found = passwords(&vault).forgotten_by(user.email.as_str()).unwrap();
    assert_eq!(found, None);
}

#[test]
fn nothing_is_hashed_for_a_link_that_resets_nothing() {
    let vault = Vault::new();
    let user = vault.add_confirmed();
    let used = ask(&vault, &user);
    passwords(&vault)
        .reset(&used, form(false), origin())
        .unwrap();
    vault.mails();
    let hashed = vault.hasher.calls();
    for token in [used.as_str(), "", "../../etc/passwd"] {
        let refused = invalid(passwords(&vault).reset(token, form(false), origin()));
        assert_eq!(refused.field, "token");
    }
    assert_eq!(vault.hasher.calls(), hashed);
    // One of an account that was disabled meanwhile does nothing either.
    let late = ask(&vault, &user);
    vault.disable(&user);
    let refused = passwords(&vault).reset(&late, form(false), origin());
    assert_eq!(invalid(refused).field, "token");
}

#[test]
fn a_reset_removes_a_second_step_of_the_first_two_weeks_if_asked() {
    let weeks = Duration::days(14);
    for (since, asked, is_offered) in [
        (Duration::zero(), true, true),
        (weeks - Duration::seconds(1), true, true),
        (Duration::days(1), false, true),
        (weeks, true, false),
    ] {
        let vault = Vault::new();
        let user = vault.add_confirmed();
        let secret = TotpSecret::from_random(bytes());
        let confirmed_at = at(0) + since;
        vault.write(|tx| {
            tx.two_factors().begin_two_factor(user.id, &secret)?;
            let step = Step::at(confirmed_at);
            tx.two_factors()
                .confirm_two_factor(user.id, &secret, step, confirmed_at)
        });
        let token = ask(&vault, &user);
        let area = passwords(&vault);
        let look = area.look_at_reset(&token).unwrap();
        assert_eq!(look.two_factor_removable, is_offered);
        area.reset(&token, form(asked), origin()).unwrap();
        let is_removed = asked && is_offered;
        let left = vault.read(|tx| tx.two_factors().two_factor(user.id));
        assert_eq!(left.is_none(), is_removed, "{since}");
        let told = vault.mails();
        assert_eq!(told.len(), if is_removed { 2 } else { 1 });
        assert_eq!(
            vault.audited().contains(&AuditKind::TwoFactorOff),
            is_removed
        );
    }
}

#[test]
fn resetting_an_unconfirmed_account_takes_its_links_and_settings_away() {
    let vault = Vault::new();
    let user = vault.add_account(user());
    let idea = vault.add_idea(user.id);
    let link = vault.add_share(idea.id, full_access());
    vault.write(|tx| {
        let never = NotificationMode::Never;
        tx.notification_settings()
            .set_notification_mode(user.id, never, at(1))
    });
    let token = ask(&vault, &user);
    let reset = passwords(&vault).reset(&token, form(false), origin());
    assert_eq!(
        reset.unwrap(),
        Reset {
            unproven_ideas: true
        }
    );
    assert_eq!(vault.share(link.id).revoked_at, Some(now()));
    let mode = vault.read(|tx| tx.notification_settings().notification_mode(user.id));
    assert_eq!(mode, NotificationMode::AtOnce);
    assert!(vault.mail().body().contains("were kept"));
}

#[test]
fn a_password_reset_during_a_change_is_not_overwritten() {
    let vault = Vault::new();
    let (user, actor) = vault.signed_in();
    let hash = hash_of("of the reset");
    vault.overtake({
        let hash = hash.clone();
        move |vault| assert!(vault.write(|tx| tx.account_changes().set_password(actor.user, &hash)))
    });
    let device = Token::from_random(bytes());
    let refused = passwords(&vault).change(actor, CHANGE, Some(&device), origin());
    assert_eq!(invalid(refused).field, "currentPassword");
    let stored = vault
        .read(|tx| tx.users().credentials(&user.email))
        .unwrap();
    assert_eq!(stored.password_hash, hash);
}
