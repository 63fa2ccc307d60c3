use std::process::Command;

use ed25519_dalek::VerifyingKey;
use signed_note::Verifier as _;

use super::*;
use crate::sha256;

const ORIGIN: &str = "vault.example.com/log1";

fn key(seed: u8) -> LogKey {
    LogKey::from_seed(ORIGIN, &[seed; 32]).unwrap()
}

fn checkpoint() -> Checkpoint {
    Checkpoint::new(ORIGIN, 42, sha256(b"root")).unwrap()
}

fn cosigned(signed: &SignedCheckpoint, line: &str) -> Vec<u8> {
    let mut bytes = signed.bytes().to_vec();
    bytes.extend_from_slice(line.as_bytes());
    bytes
}

#[test]
fn a_checkpoint_has_the_form_of_the_standard() {
    let signed = key(1).sign(checkpoint()).unwrap();
    let text = String::from_utf8(signed.bytes().to_vec()).unwrap();
    let (body, signatures) = text.split_once("\n\n").unwrap();
    let root = BASE64_STANDARD.encode(sha256(b"root"));
    assert_eq!(body, format!("{ORIGIN}\n42\n{root}"));
    assert!(signatures.starts_with(&format!("— {ORIGIN} ")));
    assert_eq!(SignedCheckpoint::parse(signed.bytes()).unwrap(), signed);
}

#[test]
fn the_example_of_the_signed_note_specification_verifies() {
    let key =
        VerifierKey::parse("example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k")
            .unwrap();
    let signature = BASE64_STANDARD
        .decode("Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=")
        .unwrap();
    assert!(key.verify(b"This is an example message.\n", &signature[4..]));
    assert!(!key.verify(b"This is an example message!\n", &signature[4..]));
}

#[test]
fn openssl_verifies_body_signature_and_key() {
    let folder = tempfile::tempdir().unwrap();
    let signed = key(1).sign(checkpoint()).unwrap();
    let run = |body: &str| {
        let path = folder.path();
        std::fs::write(path.join("key.pem"), key(1).verifier().pem()).unwrap();
        std::fs::write(path.join("body"), body).unwrap();
        let signature = signed.signature(key(1).verifier()).unwrap();
        std::fs::write(path.join("sig"), signature).unwrap();
        Command::new("openssl")
            .args(["pkeyutl", "-verify", "-pubin", "-inkey", "key.pem"])
            .args(["-rawin", "-in", "body", "-sigfile", "sig"])
            .current_dir(path)
            .output()
            .unwrap()
    };
    let body = signed.checkpoint().body();
    let output = run(&body);
    assert!(output.status.success(), "{output:?}");
    assert!(!run(&body.replace("42", "43")).status.success());
}

#[test]
fn signatures_of_unknown_keys_are_ignored() {
    let signed = key(1).sign(checkpoint()).unwrap();
    let witness = format!("— witness.example {}\n", BASE64_STANDARD.encode([7; 76]));
    let bytes = cosigned(&signed, &witness);
    let cosigned = SignedCheckpoint::parse(&bytes).unwrap();
    assert_eq!(cosigned.verify(key(1).verifier()), Ok(()));
    assert_eq!(cosigned.bytes(), bytes);
    assert_eq!(cosigned.signed_only_by(key(1).verifier()), Ok(signed));
}

#[test]
fn an_old_key_and_a_new_one_sign_the_same_checkpoint() {
    let signed = key(2).sign(checkpoint()).unwrap();
    let both = key(1).cosign(&signed).unwrap();
    for seed in [1, 2] {
        assert_eq!(both.verify(key(seed).verifier()), Ok(()));
    }
    assert_eq!(both.signed_only_by(key(2).verifier()), Ok(signed));
    assert_eq!(
        key(1).cosign(&both).unwrap().bytes().len(),
        both.bytes().len()
    );
}

#[test]
fn another_key_text_or_log_does_not_verify() {
    let signed = key(1).sign(checkpoint()).unwrap();
    assert_eq!(
        signed.verify(key(2).verifier()),
        Err(CheckpointError::Unsigned)
    );
    let text = String::from_utf8(signed.bytes().to_vec()).unwrap();
    let larger = SignedCheckpoint::parse(text.replace("\n42\n", "\n43\n").as_bytes()).unwrap();
    assert_eq!(
        larger.verify(key(1).verifier()),
        Err(CheckpointError::Signature)
    );
    let other = LogKey::from_seed("vault.example.com/log2", &[1; 32]).unwrap();
    assert_eq!(
        signed.verify(other.verifier()),
        Err(CheckpointError::OtherLog)
    );
    assert_eq!(
        other.sign(checkpoint()).unwrap_err(),
        CheckpointError::OtherLog
    );
}

#[test]
fn only_the_one_spelling_of_a_checkpoint_is_parsed() {
    let signed = key(1).sign(checkpoint()).unwrap();
    let text = String::from_utf8(signed.bytes().to_vec()).unwrap();
    for (from, to) in [
        ("\n42\n", "\n042\n"),
        ("\n42\n", "\n+42\n"),
        ("\n42\n", "\n\n42\n"),
        ("\n42\n", "\n9007199254740993\n"),
        ("=\n\n", "=\nextension\n\n"),
        ("=\n\n", "\n\n"),
        ("\n\n", "\n\n\n"),
        ("vault.", "vault+"),
        ("vault.", "vault "),
        ("vault.", "\u{7f}vault."),
        ("—", "-"),
        ("\n42\n", "\r\n42\r\n"),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text);
        assert!(
            SignedCheckpoint::parse(changed.as_bytes()).is_err(),
            "{changed}"
        );
    }
    assert!(SignedCheckpoint::parse(&text.as_bytes()[..text.len() - 1]).is_err());
    assert!(SignedCheckpoint::parse(b"").is_err());
    assert!(SignedCheckpoint::parse(&vec![b'\n'; 10_000_000]).is_err());
}

#[test]
fn a_verifier_key_is_written_as_it_is_read() {
    let written = key(1).verifier().to_string();
    assert!(written.starts_with("vault.example.com/log1+"));
    let read = VerifierKey::parse(&format!("{written}\n")).unwrap();
    assert_eq!(&read, key(1).verifier());
    let id = &written[ORIGIN.len() + 1..ORIGIN.len() + 9];
    for bad in [
        String::new(),
        ORIGIN.to_owned(),
        written.replace(id, "00000000"),
        written.replace(id, &id.to_uppercase().replace(id, "ABCDEF01")),
        written.replace("log1", "log2"),
        written[..written.len() - 1].to_owned(),
        signed_note::new_ed25519_verifier_key(
            ORIGIN,
            &VerifyingKey::from_bytes(&{
                let mut weak = [0; 32];
                weak[0] = 1;
                weak
            })
            .unwrap(),
        ),
    ] {
        assert_eq!(VerifierKey::parse(&bad), Err(CheckpointError::Key), "{bad}");
    }
}

#[test]
fn an_origin_is_a_name_without_spaces_and_plus_signs() {
    let seed = [1; 32];
    for bad in [
        "",
        "a b",
        "a+b",
        "a\nb",
        "a\u{a0}b",
        "a\0",
        &"a".repeat(256),
    ] {
        assert_eq!(
            LogKey::from_seed(bad, &seed).unwrap_err(),
            CheckpointError::Origin
        );
        assert_eq!(
            Checkpoint::new(bad, 0, [0; 32]).unwrap_err(),
            CheckpointError::Origin
        );
    }
}

#[test]
fn a_log_key_does_not_show_its_secret() {
    let shown = format!("{:?}", key(7));
    assert!(!shown.contains("7, 7, 7"), "{shown}");
    assert!(!shown.contains("secret"), "{shown}");
}
