use ed25519_dalek::{Signer as _, SigningKey};

use super::*;

const NAME: &str = "witness.example.org/w1";
const BODY: &str = "vault.example.org/log1\n7\nroot\n";
const TIME: u64 = 1_795_000_000;

fn secret() -> SigningKey {
    SigningKey::from_bytes(&[7; 32])
}

fn key() -> WitnessKey {
    WitnessKey::new(NAME, secret().verifying_key()).unwrap()
}

fn text(algorithm: u8, id: &str) -> String {
    let typed = [&[algorithm], secret().verifying_key().as_bytes().as_slice()].concat();
    format!("{NAME}+{id}+{}", BASE64_STANDARD.encode(typed))
}

fn id() -> String {
    hex::encode(&key().id)
}

/// The line of the witness over a text at a time.
fn line(body: &str, time: u64) -> String {
    let message = format!("cosignature/v1\ntime {time}\n{body}");
    let signature = secret().sign(message.as_bytes()).to_bytes();
    let bytes = [key().id.as_slice(), &time.to_be_bytes(), &signature].concat();
    format!("{MARK}{NAME} {}", BASE64_STANDARD.encode(bytes))
}

fn verified(body: &str, line: &str) -> Result<DateTime<Utc>, CosignatureError> {
    key().verify(body, &line.parse()?)
}

#[test]
fn a_key_is_read_in_the_one_form_that_is_written() {
    assert_eq!(WitnessKey::parse(&text(ALGORITHM, &id())), Ok(key()));
    assert_eq!(
        WitnessKey::parse(&format!(" {}\n", text(ALGORITHM, &id()))),
        Ok(key())
    );
    for wrong in [
        text(1, &id()),
        text(ALGORITHM, "00000000"),
        text(ALGORITHM, &id().to_uppercase()),
        format!("{}A", text(ALGORITHM, &id())),
        NAME.to_owned(),
    ] {
        assert_eq!(
            WitnessKey::parse(&wrong),
            Err(CosignatureError::Key),
            "{wrong}"
        );
    }
}

#[test]
fn a_cosignature_says_when() {
    let time = DateTime::from_timestamp(1_795_000_000, 0).unwrap();
    assert_eq!(verified(BODY, &line(BODY, TIME)), Ok(time));
}

#[test]
fn what_another_text_time_or_key_signed_is_refused() {
    let other = verified("vault.example.org/log1\n8\nroot\n", &line(BODY, TIME));
    assert_eq!(other, Err(CosignatureError::Signature));
    assert_eq!(
        verified(BODY, &line(BODY, u64::MAX)),
        Err(CosignatureError::Signature)
    );
    let mut moved: SignatureLine = line(BODY, TIME).parse().unwrap();
    moved.signature[7] ^= 1;
    assert_eq!(key().verify(BODY, &moved), Err(CosignatureError::Signature));
    moved.signature.truncate(8);
    assert_eq!(key().verify(BODY, &moved), Err(CosignatureError::Signature));
    moved.name.push('2');
    assert_eq!(key().verify(BODY, &moved), Err(CosignatureError::OtherKey));
}

#[test]
fn other_text_is_no_line() {
    for text in [
        "",
        "witness AAAA",
        "\u{2014} witness",
        "\u{2014} a b c",
        "\u{2014} w AAA=",
    ] {
        let parsed: Result<SignatureLine, _> = text.parse();
        assert_eq!(parsed, Err(CosignatureError::Malformed), "{text}");
    }
}
