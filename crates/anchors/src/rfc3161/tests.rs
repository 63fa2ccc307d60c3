mod authority;
mod certificates;
mod tokens;

use chrono::TimeDelta;
use der::Decode;
use x509_tsp::TimeStampReq;

use self::authority::{CA, Info, Key, TSA, Workshop, der, granted};
use super::*;

const DATA: &[u8] = b"vault.example/log1\n42\nroot\n";

fn nonce() -> Nonce {
    Nonce::from_random([0xff, 2, 3, 4, 5, 6, 7, 8])
}

fn around_now() -> RangeInclusive<DateTime<Utc>> {
    let slack = TimeDelta::minutes(5);
    Utc::now() - slack..=Utc::now() + slack
}

fn ever() -> RangeInclusive<DateTime<Utc>> {
    DateTime::<Utc>::MIN_UTC..=DateTime::<Utc>::MAX_UTC
}

fn roots(shop: &Workshop) -> Roots {
    Roots::from_pem(&shop.read("root.pem")).unwrap()
}

fn check(shop: &Workshop, response: &[u8]) -> Result<Confirmation, Refusal> {
    verify(response, DATA, None, &roots(shop), &ever())
}

/// The refusal of a time-stamp that `signer` signed with further options.
fn refusal(shop: &Workshop, info: &Info<'_>, signer: &str, options: &str) -> Refusal {
    check(shop, &shop.sign(&info.encode(), signer, options)).unwrap_err()
}

#[test]
fn a_request_is_what_others_read() {
    let request = request(DATA, nonce());
    let parsed = TimeStampReq::from_der(&request).unwrap();
    assert_eq!(parsed.message_imprint.hash_algorithm.oid, oids::SHA256);
    let digest = parsed.message_imprint.hashed_message;
    assert_eq!(digest.as_bytes(), Sha256::digest(DATA).as_slice());
    assert_eq!(
        parsed.nonce.unwrap().as_bytes(),
        [0x7f, 2, 3, 4, 5, 6, 7, 8]
    );
    assert!(parsed.cert_req);
    let shop = Workshop::new();
    shop.write("q.tsq", &request);
    let said = String::from_utf8(shop.openssl("ts -query -in q.tsq -text", b"")).unwrap();
    assert!(said.contains("Hash Algorithm: sha256"), "{said}");
    assert!(said.contains("Nonce: 0x7F02030405060708"), "{said}");
    assert!(said.contains("Certificate required: yes"), "{said}");
}

#[test]
fn nonces_are_positive_numbers_of_eight_bytes() {
    for byte in [0x00, 0x3f, 0x40, 0x80, 0xff] {
        let request = request(DATA, Nonce::from_random([byte; 8]));
        let nonce = TimeStampReq::from_der(&request).unwrap().nonce.unwrap();
        assert_eq!(nonce.as_bytes().len(), 8);
        assert!((0x40..0x80).contains(&nonce.as_bytes()[0]));
    }
}

#[test]
fn answers_of_authorities_with_all_kinds_of_keys_are_confirmed() {
    for (key, settings) in [
        (Key::P256, "signer_digest=sha256"),
        (Key::P256, "signer_digest=sha512\nclock_precision_digits=6"),
        (Key::P384, "signer_digest=sha384\nclock_precision_digits=3"),
        (Key::P384, "signer_digest=sha256\ness_cert_id_alg=sha1"),
        (
            Key::Rsa(2048),
            "signer_digest=sha256\ness_cert_id_alg=sha512",
        ),
        (
            Key::Rsa(4096),
            "signer_digest=sha512\ncerts=root.pem\ness_cert_id_chain=yes",
        ),
    ] {
        let shop = Workshop::with_authority(key);
        let response = shop.reply(&request(DATA, nonce()), settings);
        let window = around_now();
        let confirmed = verify(&response, DATA, Some(nonce()), &roots(&shop), &window)
            .unwrap_or_else(|refusal| panic!("{key:?} {settings}: {refusal}"));
        assert_eq!(confirmed.authority_name, "tsa");
        assert_eq!(confirmed.serial, "0a1c");
        assert_eq!(granted_like(&confirmed.token, &response), response);
        let chain: String = confirmed.chain.iter().map(|found| to_pem(found)).collect();
        let certificates = ["tsa.pem", "root.pem"].map(|name| shop.read(name));
        assert_eq!(chain, certificates.concat());
        assert!(
            shop.verify(&response, DATA, "root.pem", ""),
            "{key:?} {settings}"
        );
        shop.write("again.tsq", &request(DATA, nonce()));
        let with_query = "ts -verify -queryfile again.tsq -in checked.tsr -CAfile root.pem";
        shop.openssl(with_query, b"");
    }
}

/// The response with this token.
fn granted_like(token: &[u8], response: &[u8]) -> Vec<u8> {
    let before = response.len() - token.len();
    [&response[..before], token].concat()
}

#[test]
fn other_data_is_refused() {
    let shop = Workshop::with_authority(Key::P256);
    let response = shop.reply(&request(b"other data", nonce()), "");
    assert_eq!(check(&shop, &response), Err(Refusal::OtherData));
    // 1.3.14.3.2.26
    let sha1 = Info {
        algorithm: &[0x2b, 0x0e, 0x03, 0x02, 0x1a],
        ..Info::of(DATA)
    };
    assert_eq!(refusal(&shop, &sha1, "tsa", ""), Refusal::ImprintAlgorithm);
}

#[test]
fn another_nonce_and_a_missing_one_are_refused() {
    let shop = Workshop::with_authority(Key::P256);
    let response = shop.reply(&request(DATA, nonce()), "");
    let other = Nonce::from_random([1; 8]);
    let refused = verify(&response, DATA, Some(other), &roots(&shop), &ever());
    assert_eq!(refused, Err(Refusal::OtherNonce));
    let without = shop.sign(&Info::of(DATA).encode(), "tsa", "");
    let refused = verify(&without, DATA, Some(nonce()), &roots(&shop), &ever());
    assert_eq!(refused, Err(Refusal::OtherNonce));
    assert!(check(&shop, &response).is_ok());
}

#[test]
fn a_time_outside_of_the_window_is_refused() {
    let shop = Workshop::with_authority(Key::P256);
    let response = shop.reply(&request(DATA, nonce()), "");
    let time = check(&shop, &response).unwrap().gen_time;
    let second = TimeDelta::seconds(1);
    let within = |window| verify(&response, DATA, None, &roots(&shop), &window);
    assert!(within(time..=time).is_ok());
    for window in [time + second..=time + second, time - second..=time - second] {
        assert_eq!(within(window), Err(Refusal::TimeOutsideWindow(time)));
    }
}

#[test]
fn a_rejection_is_refused_with_its_status() {
    let shop = Workshop::with_authority(Key::P256);
    let mut query = request(DATA, nonce());
    // A hash function that the authority does not know.
    query[19] = 0x0a;
    let response = shop.reply(&query, "");
    assert_eq!(
        check(&shop, &response),
        Err(Refusal::NotGranted { status: 2 })
    );
    // Bit 25, systemFailure, with words.
    let words = der(0x30, &[&der(0x0c, &[b"busy"])]);
    let bits = [3, 5, 6, 0, 0, 0, 0x40];
    for parts in [
        vec![],
        vec![&words[..]],
        vec![&bits],
        vec![&words[..], &bits],
    ] {
        let status = der(0x30, &[&[2, 1, 2], &parts.concat()]);
        let refused = check(&shop, &der(0x30, &[&status]));
        assert_eq!(refused, Err(Refusal::NotGranted { status: 2 }));
    }
    let empty = der(0x30, &[&der(0x30, &[&[2, 1, 0]])]);
    assert_eq!(check(&shop, &empty), Err(Refusal::NoToken));
}
