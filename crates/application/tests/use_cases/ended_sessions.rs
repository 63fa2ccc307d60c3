//! A session that ended while its request was under way changes nothing.

use std::sync::Arc;

use ideavault_application::actor::Actor;
use ideavault_application::confirmations::Confirmations;
use ideavault_application::leaving::Leaving;
use ideavault_application::passwords::Passwords;
use ideavault_application::sessions::Sessions;
use ideavault_application::two_factors::TwoFactors;
use ideavault_domain::account::EmailConfirmation;
use ideavault_domain::admission::AddressConfirmation;
use ideavault_domain::failure::Failure;
use ideavault_domain::token::Token;

use crate::passwords::CHANGE;
use crate::support::{at, bytes};
use crate::vault::{NumberedSteps, PASSWORD, Vault, composer, failure, now, origin, shown};

#[test]
fn an_ended_session_changes_nothing() {
    for is_elsewhere in [false, true] {
        let vault = Vault::new();
        let user = vault.add_confirmed();
        // It was idle for too long, or is gone.
        let ended = vault.sign_in(&user, at(10 - 13 * 60));
        if is_elsewhere {
            vault.write(|tx| tx.account_changes().end_sessions_of(user.id));
            vault.sign_in(&user, now());
        }
        let token = Token::from_random(bytes());
        let confirmation = EmailConfirmation {
            user: user.id,
            token_hash: token.hash(),
            requested_at: at(0),
            expires_at: at(60),
        };
        vault.write(|tx| {
            tx.email_confirmations()
                .replace_email_confirmation(&confirmation)
        });
        for refused in actions(&vault, ended, &token) {
            assert!(matches!(refused, Failure::Unauthenticated(_)), "{refused}");
        }
        assert!(vault.audited().is_empty() && vault.mails().is_empty());
    }
}

fn actions(vault: &Arc<Vault>, actor: Actor, token: &Token) -> Vec<Failure> {
    let (deps, hasher) = (|| vault.deps(), || vault.hasher());
    let totp = || Arc::new(NumberedSteps);
    let sessions = Sessions::new(deps());
    let two_factors = TwoFactors::new(
        deps(),
        hasher(),
        totp(),
        composer(),
        AddressConfirmation::Required,
    );
    let passwords = Passwords::new(deps(), hasher(), composer());
    let confirmations = Confirmations::new(deps(), hasher(), composer());
    let leaving = Leaving::new(deps(), hasher(), totp(), composer());
    let token = token.reveal();
    vec![
        failure(sessions.revoke(actor, actor.session, &origin())),
        failure(sessions.revoke_others(actor, &origin())),
        failure(two_factors.begin(actor, PASSWORD)),
        failure(two_factors.confirm(actor, &shown(now()), origin())),
        failure(two_factors.replace_recovery_codes(actor, PASSWORD, origin())),
        failure(two_factors.turn_off(actor, PASSWORD, origin())),
        failure(passwords.change(actor, CHANGE, None, origin())),
        failure(confirmations.confirm(&token, Some(actor), None, origin())),
        failure(leaving.delete_account(actor, PASSWORD, None, origin())),
    ]
}
