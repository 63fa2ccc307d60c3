use chrono::DateTime;

use super::*;

fn at(seconds: i64) -> Timestamp {
    DateTime::from_timestamp(seconds, 0).unwrap()
}

/// A fake app that shows the number of the step.
struct Numbered;

impl TotpCodes for Numbered {
    fn matches(&self, _: &TotpSecret, step: Step, code: &OneTimeCode) -> Result<bool, PortError> {
        Ok(code.reveal() == format!("{:06}", step.number()))
    }
}

#[test]
fn a_code_is_accepted_half_a_minute_early_or_late() {
    let secret = TotpSecret::from_random([1; 20]);
    let found = |code: &str, seconds| {
        let code = OneTimeCode::parse(code).unwrap();
        step_of(&Numbered, &secret, &code, at(seconds)).unwrap()
    };
    // Step 100 lasts from 3000 to 3029.
    let step = Some(Step::from_number(100));
    assert_eq!(found("000100", 2_969), None);
    for seconds in [2_970, 3_000, 3_029, 3_059] {
        assert_eq!(found("000100", seconds), step, "{seconds}");
    }
    assert_eq!(found("000100", 3_060), None);
}

#[test]
fn a_secret_is_shown_in_base32() {
    // The test secret of RFC 6238.
    let secret = TotpSecret::from_random(*b"12345678901234567890");
    assert_eq!(secret.reveal(), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
    assert_eq!(TotpSecret::from_bytes(secret.as_bytes()), Some(secret));
    assert_eq!(TotpSecret::from_bytes(b"short"), None);
}

#[test]
fn a_recovery_code_parses_however_it_is_typed() {
    let bytes = std::array::from_fn(|index| u8::try_from(index * 17).unwrap());
    let code = RecoveryCode::from_random(bytes);
    assert_eq!(code.reveal(), "0H2K-4N6Q-8SAV-CXEZ");
    for typed in [
        "0H2K-4N6Q-8SAV-CXEZ",
        " oh2k 4n6q 8sav cxez\n",
        "OH2K4N6Q8SAVCXEZ",
    ] {
        assert_eq!(RecoveryCode::parse(typed).as_ref(), Some(&code), "{typed}");
    }
    for other in [
        "",
        "0H2K",
        "0H2K-4N6Q-8SAV-CXEU",
        "0H2K-4N6Q-8SAV-CXEZ-0",
        "é",
    ] {
        assert_eq!(RecoveryCode::parse(other), None, "{other}");
    }
    let ones = RecoveryCode::from_random([1; RECOVERY_LETTERS]);
    assert_eq!(RecoveryCode::parse("ILil-1111-1111-1111"), Some(ones));
}

#[test]
fn app_codes_and_recovery_codes_are_distinguished_by_their_form() {
    assert!(matches!(
        SecondStep::parse(" 123 456"),
        Some(SecondStep::App(_))
    ));
    assert!(matches!(
        SecondStep::parse("1234-5678-1234-5678"),
        Some(SecondStep::Recovery(_))
    ));
    for other in ["", "12345", "1234567", "password"] {
        assert_eq!(SecondStep::parse(other), None, "{other}");
    }
}

#[test]
fn debug_output_hides_secrets() {
    let secret = TotpSecret::from_random([7; 20]);
    let code = RecoveryCode::from_random([7; RECOVERY_LETTERS]);
    let shown = format!("{secret:?} {code:?}");
    assert_eq!(shown, "TotpSecret(secret) RecoveryCode(secret)");
}

#[test]
fn locks_start_at_the_tenth_wrong_code_and_double_up_to_a_day() {
    let minutes = |wrong: i64| lock_after(wrong).map(|lock| lock.num_minutes());
    assert_eq!([0, 1, 9].map(minutes), [None; 3]);
    let locks: Vec<_> = (10..=18).filter_map(minutes).collect();
    assert_eq!(locks, [15, 30, 60, 120, 240, 480, 960, 1_440, 1_440]);
    assert_eq!(minutes(i64::MAX), Some(1_440));
}

#[test]
fn the_owner_is_notified_of_the_third_wrong_code_and_of_each_lock() {
    let told: Vec<i64> = (0..13).filter(|wrong| should_notify(*wrong)).collect();
    assert_eq!(told, [3, 10, 11, 12]);
}
