//! Two-factor authentication: setup, confirmation, codes, removal.

use ideavault_domain::digest::Digest;
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{Database as _, DatabaseError};
use ideavault_domain::two_factor::{CodeAttempt, RecoveryCode, Step, TotpSecret, TwoFactor};

use crate::support::{Fixture, at, bytes, on_both_databases, race};

on_both_databases!(
    a_started_setup_is_not_active_and_round_trips,
    starting_again_replaces_an_unconfirmed_setup,
    an_active_factor_is_not_replaced_by_a_new_setup,
    a_setup_is_confirmed_once,
    a_replaced_secret_does_not_confirm_the_new_setup,
    a_time_step_is_accepted_once_and_no_earlier_one,
    concurrent_logins_accept_a_time_step_once,
    time_steps_of_an_inactive_factor_are_refused,
    a_recovery_code_is_taken_once,
    a_damaged_secret_leaves_the_rest_of_the_setup_usable,
    concurrent_logins_take_a_recovery_code_once,
    new_recovery_codes_replace_only_those_of_the_account,
    concurrent_replacements_leave_one_set_of_codes,
    recovery_codes_require_an_active_factor,
    removing_deletes_only_the_recovery_codes_of_the_account,
    attempts_are_counted_and_refused_until_a_lock_ends,
    concurrent_attempts_are_counted_separately,
);

/// Begins a setup with a new secret.
fn begin(fixture: &Fixture, user: UserId) -> (TwoFactor, TotpSecret) {
    let secret = TotpSecret::from_random(bytes());
    assert!(fixture.write(|tx| tx.two_factors().begin_two_factor(user, &secret)));
    stored(fixture, user).unwrap()
}

/// Returns the setup with its secret.
fn stored(fixture: &Fixture, user: UserId) -> Option<(TwoFactor, TotpSecret)> {
    fixture.read(|tx| {
        let factor = tx.two_factors().two_factor(user)?;
        Ok(factor.zip(tx.two_factors().totp_secret(user)?))
    })
}

fn confirm(fixture: &Fixture, begun: &(TwoFactor, TotpSecret), step: i64) -> bool {
    let (step, (factor, secret)) = (Step::from_number(step), begun);
    fixture.write(|tx| {
        tx.two_factors()
            .confirm_two_factor(factor.user, secret, step, at(1))
    })
}

fn accept(fixture: &Fixture, user: UserId, step: i64) -> bool {
    fixture.write(|tx| tx.two_factors().accept_step(user, Step::from_number(step)))
}

/// Adds an account with two-factor authentication, confirmed with time step 100.
fn with_two_factor(fixture: &Fixture) -> UserId {
    let user = fixture.add_user().id;
    let begun = begin(fixture, user);
    assert!(confirm(fixture, &begun, 100));
    user
}

fn add_codes(fixture: &Fixture, user: UserId, count: usize) -> Vec<Digest> {
    let hashes = drawn(count);
    fixture.write(|tx| tx.two_factors().add_recovery_codes(user, &hashes));
    hashes
}

/// Returns bytes that differ in the bits that become letters.
fn spread() -> [u8; 16] {
    let unique = u64::from_be_bytes(bytes());
    std::array::from_fn(|place| u8::try_from(unique >> (4 * place) & 15).unwrap())
}

fn left(fixture: &Fixture, user: UserId) -> i64 {
    fixture.read(|tx| tx.two_factors().recovery_codes_left(user))
}

fn take(fixture: &Fixture, user: UserId, hash: &Digest) -> bool {
    fixture.write(|tx| tx.two_factors().consume_recovery_code(user, hash))
}

fn a_started_setup_is_not_active_and_round_trips(fixture: &Fixture) {
    let user = fixture.add_user().id;
    assert_eq!(stored(fixture, user), None);
    let secret = TotpSecret::from_random(bytes());
    fixture.write(|tx| tx.two_factors().begin_two_factor(user, &secret));
    let expected = TwoFactor {
        user,
        confirmed_at: None,
    };
    assert!(!expected.is_on());
    assert_eq!(stored(fixture, user), Some((expected, secret)));
}

fn a_damaged_secret_leaves_the_rest_of_the_setup_usable(fixture: &Fixture) {
    let (user, other) = (with_two_factor(fixture), with_two_factor(fixture));
    let codes = add_codes(fixture, user, 2);
    fixture
        .sql(&format!(
            "UPDATE two_factors SET secret_sealed = \
             (SELECT secret_sealed FROM two_factors WHERE user_id = '{other}') \
             WHERE user_id = '{user}'"
        ))
        .unwrap();
    let secret = fixture.store.read(|tx| tx.two_factors().totp_secret(user));
    assert!(matches!(secret, Err(DatabaseError::Damaged { .. })));
    let factor = fixture.read(|tx| tx.two_factors().two_factor(user));
    assert!(factor.unwrap().is_on());
    assert!(take(fixture, user, &codes[0]));
    assert!(fixture.write(|tx| tx.two_factors().remove_two_factor(user)));
}

fn starting_again_replaces_an_unconfirmed_setup(fixture: &Fixture) {
    let user = fixture.add_user().id;
    let (first, second) = (begin(fixture, user), begin(fixture, user));
    assert_ne!(first, second);
    assert_eq!(stored(fixture, user), Some(second));
}

fn an_active_factor_is_not_replaced_by_a_new_setup(fixture: &Fixture) {
    let user = with_two_factor(fixture);
    let on = stored(fixture, user);
    let other = TotpSecret::from_random(bytes());
    assert!(!fixture.write(|tx| tx.two_factors().begin_two_factor(user, &other)));
    assert_eq!(stored(fixture, user), on);
}

fn a_setup_is_confirmed_once(fixture: &Fixture) {
    let user = fixture.add_user().id;
    let begun = begin(fixture, user);
    let confirmed = race(8, |_| confirm(fixture, &begun, 100));
    assert_eq!(confirmed.iter().filter(|done| **done).count(), 1);
    let (factor, secret) = begun;
    let on = TwoFactor {
        confirmed_at: Some(at(1)),
        ..factor
    };
    assert_eq!(stored(fixture, user), Some((on, secret)));
}

fn a_replaced_secret_does_not_confirm_the_new_setup(fixture: &Fixture) {
    let user = fixture.add_user().id;
    let former = begin(fixture, user);
    let newer = begin(fixture, user);
    assert!(!confirm(fixture, &former, 100));
    assert_eq!(stored(fixture, user), Some(newer));
}

fn a_time_step_is_accepted_once_and_no_earlier_one(fixture: &Fixture) {
    let user = with_two_factor(fixture);
    // The time step of the confirmation cannot be used again either.
    for (step, accepted) in [(100, false), (101, true), (101, false), (100, false)] {
        assert_eq!(accept(fixture, user, step), accepted, "{step}");
    }
    assert!(accept(fixture, user, 103));
    assert!(!accept(fixture, user, 102));
}

fn concurrent_logins_accept_a_time_step_once(fixture: &Fixture) {
    let user = with_two_factor(fixture);
    let accepted = race(8, |_| accept(fixture, user, 101));
    assert_eq!(accepted.iter().filter(|done| **done).count(), 1);
}

fn time_steps_of_an_inactive_factor_are_refused(fixture: &Fixture) {
    let user = fixture.add_user().id;
    assert!(!accept(fixture, user, 101));
    begin(fixture, user);
    assert!(!accept(fixture, user, 101));
}

fn a_recovery_code_is_taken_once(fixture: &Fixture) {
    let (user, other) = (with_two_factor(fixture), with_two_factor(fixture));
    let codes = add_codes(fixture, user, 3);
    add_codes(fixture, other, 2);
    assert!(!take(fixture, other, &codes[0]));
    assert!(take(fixture, user, &codes[0]));
    assert!(!take(fixture, user, &codes[0]));
    assert_eq!((left(fixture, user), left(fixture, other)), (2, 2));
}

fn concurrent_logins_take_a_recovery_code_once(fixture: &Fixture) {
    let user = with_two_factor(fixture);
    let codes = add_codes(fixture, user, 2);
    let taken = race(8, |_| take(fixture, user, &codes[1]));
    assert_eq!(taken.iter().filter(|done| **done).count(), 1);
    assert_eq!(left(fixture, user), 1);
}

fn replace(fixture: &Fixture, user: UserId, hashes: &[Digest]) -> bool {
    fixture.write(|tx| tx.two_factors().replace_recovery_codes(user, hashes))
}

fn drawn(count: usize) -> Vec<Digest> {
    let codes = (0..count).map(|_| RecoveryCode::from_random(spread()).hash());
    codes.collect()
}

fn new_recovery_codes_replace_only_those_of_the_account(fixture: &Fixture) {
    let (user, other) = (with_two_factor(fixture), with_two_factor(fixture));
    let former = add_codes(fixture, user, 3);
    add_codes(fixture, other, 2);
    let newer = drawn(4);
    assert!(replace(fixture, user, &newer));
    assert_eq!((left(fixture, user), left(fixture, other)), (4, 2));
    assert!(!take(fixture, user, &former[0]));
    assert!(take(fixture, user, &newer[0]));
    // The last accepted time step is kept.
    assert!(!accept(fixture, user, 100));
    assert!(accept(fixture, user, 101));
}

fn concurrent_replacements_leave_one_set_of_codes(fixture: &Fixture) {
    let user = with_two_factor(fixture);
    add_codes(fixture, user, 2);
    let sets: Vec<_> = (0..8).map(|_| drawn(3)).collect();
    let replaced = race(8, |racer| replace(fixture, user, &sets[racer]));
    assert!(replaced.iter().all(|done| *done));
    assert_eq!(left(fixture, user), 3);
    let whole = sets
        .iter()
        .filter(|set| set.iter().all(|code| take(fixture, user, code)));
    assert_eq!(whole.count(), 1);
}

fn recovery_codes_require_an_active_factor(fixture: &Fixture) {
    let user = fixture.add_user().id;
    assert!(!replace(fixture, user, &drawn(2)));
    begin(fixture, user);
    assert!(!replace(fixture, user, &drawn(2)));
    assert_eq!(left(fixture, user), 0);
}

fn removing_deletes_only_the_recovery_codes_of_the_account(fixture: &Fixture) {
    let (user, other) = (with_two_factor(fixture), with_two_factor(fixture));
    let codes = add_codes(fixture, user, 2);
    add_codes(fixture, other, 2);
    let remove = || fixture.write(|tx| tx.two_factors().remove_two_factor(user));
    assert!(remove());
    assert!(!remove());
    assert_eq!((left(fixture, user), left(fixture, other)), (0, 2));
    assert_eq!(stored(fixture, user), None);
    assert!(!take(fixture, user, &codes[1]));
    // An unconfirmed setup is removed as well, and was not active.
    begin(fixture, user);
    assert!(!remove());
    assert_eq!(stored(fixture, user), None);
}

fn count(fixture: &Fixture, user: UserId, minute: i64) -> CodeAttempt {
    fixture.write(|tx| tx.two_factors().count_code(user, at(minute)))
}

fn attempts_are_counted_and_refused_until_a_lock_ends(fixture: &Fixture) {
    let (user, other) = (with_two_factor(fixture), with_two_factor(fixture));
    assert_eq!(count(fixture, user, 1), CodeAttempt::Counted(1));
    assert_eq!(count(fixture, user, 1), CodeAttempt::Counted(2));
    fixture.write(|tx| tx.two_factors().lock_codes(user, at(10)));
    for minute in [1, 9] {
        let locked = CodeAttempt::LockedUntil(at(10));
        assert_eq!(count(fixture, user, minute), locked);
    }
    assert_eq!(count(fixture, other, 1), CodeAttempt::Counted(1));
    assert_eq!(count(fixture, user, 10), CodeAttempt::Counted(3));
    fixture.write(|tx| tx.two_factors().lock_codes(user, at(30)));
    fixture.write(|tx| tx.two_factors().reset_wrong_codes(user));
    assert_eq!(count(fixture, user, 11), CodeAttempt::Counted(1));
}

fn concurrent_attempts_are_counted_separately(fixture: &Fixture) {
    let user = with_two_factor(fixture);
    let mut counts: Vec<i64> = race(8, |_| match count(fixture, user, 1) {
        CodeAttempt::Counted(count) => count,
        CodeAttempt::LockedUntil(until) => panic!("locked until {until}"),
    });
    counts.sort_unstable();
    assert_eq!(counts, [1, 2, 3, 4, 5, 6, 7, 8]);
}
