use super::*;

#[test]
fn a_token_that_openssl_cannot_verify_is_refused() {
    let shop = Workshop::with_authority(Key::Rsa(2048));
    for options in ["-keyid", "-keyopt rsa_padding_mode:pss"] {
        let response = shop.sign(&Info::of(DATA).encode(), "tsa", options);
        assert!(!shop.verify(&response, DATA, "root.pem", ""), "{options}");
        assert_eq!(check(&shop, &response), Err(Refusal::NotForOpenSsl));
    }
    let response = shop.sign(&Info::of(DATA).encode(), "tsa", "");
    assert!(shop.verify(&response, DATA, "root.pem", ""));
    assert!(check(&shop, &response).is_ok());
}

#[test]
fn nothing_may_follow_the_response_and_it_has_a_limit() {
    let shop = Workshop::with_authority(Key::P256);
    let response = shop.reply(&request(DATA, nonce()), "");
    for tail in [&b"\0"[..], b"\n", &response] {
        let longer = [&response[..], tail].concat();
        assert_eq!(check(&shop, &longer), Err(Refusal::TrailingBytes));
    }
    let long = [&response[..], &vec![0; RESPONSE_MAX]].concat();
    assert_eq!(check(&shop, &long), Err(Refusal::TooLarge));
    // Within the token, too.
    let token = check(&shop, &response).unwrap().token;
    let longer = granted(&[&token[..], &[5, 0]].concat());
    assert_eq!(
        check(&shop, &longer),
        Err(Refusal::Malformed("the response"))
    );
    let longer = [Info::of(DATA).encode(), vec![5, 0]].concat();
    let refused = check(&shop, &shop.sign(&longer, "tsa", ""));
    assert_eq!(refused, Err(Refusal::Malformed("the time-stamp")));
}

#[test]
fn a_signature_that_does_not_name_its_certificate_is_refused() {
    let shop = Workshop::with_authority(Key::P256);
    let content = Info::of(DATA).encode();
    shop.write("content", &content);
    let plain = "cms -sign -in content -binary -nodetach -md sha256 -outform DER -signer tsa.pem \
                 -inkey tsa.key -econtent_type 1.2.840.113549.1.9.16.1.4";
    let token = shop.openssl(plain, b"");
    let missing = Refusal::SignedAttribute("signing-certificate");
    assert_eq!(check(&shop, &granted(&token)), Err(missing));
    // Another certificate of the same key: with its name and number, but not its digest.
    let response = shop.sign(&content, "tsa", "");
    let serial = shop.openssl("x509 -in tsa.pem -noout -serial", b"");
    let serial = String::from_utf8(serial).unwrap();
    let number = serial.trim().replace("serial=", "0x");
    let extensions = TSA.replace("subjectKeyIdentifier=hash\n", "");
    shop.write("ext.cnf", extensions.as_bytes());
    let command = format!(
        "x509 -req -in tsa.csr -CA root.pem -CAkey root.key -set_serial {number} -days 365 \
         -sha256 -extfile ext.cnf -outform DER -out twin.der"
    );
    shop.openssl(&command, b"");
    let twin = std::fs::read(shop.path("twin.der")).unwrap();
    let original = shop.openssl("x509 -in tsa.pem -outform DER", b"");
    let token = with_certificate(&response, &original, &twin);
    assert_eq!(check(&shop, &granted(&token)), Err(Refusal::OtherSigner));
    // Without any certificate.
    let response = shop.sign(&content, "tsa", "-nocerts");
    assert_eq!(check(&shop, &response), Err(Refusal::SignerMissing));
}

/// The token of a response with its only certificate replaced.
fn with_certificate(response: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let token = token::of_response(response).unwrap();
    let parts = |bytes: &[u8]| -> Vec<Vec<u8>> {
        let mut reader = der::SliceReader::new(bytes).unwrap();
        let mut parts = Vec::new();
        while !der::Reader::is_finished(&reader) {
            parts.push(der::Reader::tlv_bytes(&mut reader).unwrap().to_vec());
        }
        parts
    };
    let content = |bytes: &[u8]| der::asn1::AnyRef::from_der(bytes).unwrap().value().to_vec();
    let outer = parts(&content(token));
    let signed_data = content(&outer[1]);
    let mut inner = parts(&content(&signed_data));
    assert_eq!(inner[3], der(0xa0, &[old]));
    inner[3] = der(0xa0, &[new]);
    let signed_data = der(0x30, &[&inner.concat()]);
    der(0x30, &[&outer[0], &der(0xa0, &[&signed_data])])
}

#[test]
fn signed_data_of_another_kind_is_refused() {
    let shop = Workshop::with_authority(Key::P256);
    shop.write("content", &Info::of(DATA).encode());
    let other = "cms -sign -in content -binary -nodetach -cades -md sha256 -outform DER \
                 -signer tsa.pem -inkey tsa.key -econtent_type 1.2.840.113549.1.7.1";
    let token = shop.openssl(other, b"");
    assert_eq!(check(&shop, &granted(&token)), Err(Refusal::NotATimeStamp));
    let command = "cms -encrypt -in content -binary -aes128 -outform DER -secretkey \
                   000102030405060708090a0b0c0d0e0f -secretkeyid 01";
    let encrypted = shop.openssl(command, b"");
    assert_eq!(
        check(&shop, &granted(&encrypted)),
        Err(Refusal::NotATimeStamp)
    );
    let version = Info {
        version: 2,
        ..Info::of(DATA)
    };
    let refused = refusal(&shop, &version, "tsa", "");
    assert_eq!(refused, Refusal::Malformed("the time-stamp"));
}

#[test]
fn two_signers_and_detached_content_are_refused() {
    let shop = Workshop::with_authority(Key::P256);
    shop.issue("second", "root", Key::P256, TSA);
    let two = "-signer second.pem -inkey second.key";
    assert_eq!(
        refusal(&shop, &Info::of(DATA), "tsa", two),
        Refusal::Signers
    );
    shop.write("content", &Info::of(DATA).encode());
    let detached = "cms -sign -in content -binary -cades -md sha256 -outform DER -signer tsa.pem \
                    -inkey tsa.key -econtent_type 1.2.840.113549.1.9.16.1.4";
    let token = shop.openssl(detached, b"");
    assert_eq!(check(&shop, &granted(&token)), Err(Refusal::NotATimeStamp));
}

#[test]
fn extensions_of_a_time_stamp_are_refused_if_critical() {
    let shop = Workshop::with_authority(Key::P256);
    let with = |critical: &[u8]| Info {
        after_time: der(
            0xa1,
            &[&der(0x30, &[&[6, 3, 0x2a, 3, 4], critical, &[4, 2, 5, 0]])],
        ),
        ..Info::of(DATA)
    };
    let refused = refusal(&shop, &with(&[1, 1, 0xff]), "tsa", "");
    assert_eq!(refused, Refusal::UnknownExtension);
    let response = shop.sign(&with(&[]).encode(), "tsa", "");
    assert!(check(&shop, &response).is_ok());
}

#[test]
fn a_changed_byte_changes_nothing_or_is_refused() {
    let shop = Workshop::with_authority(Key::P256);
    let response = shop.reply(&request(DATA, nonce()), "");
    let roots = roots(&shop);
    let original = verify(&response, DATA, None, &roots, &ever()).unwrap();
    let mut refused = 0;
    for place in 0..response.len() {
        for bit in [0x01, 0x80] {
            let mut changed = response.clone();
            changed[place] ^= bit;
            match verify(&changed, DATA, None, &roots, &ever()) {
                Err(_) => refused += 1,
                Ok(found) => {
                    assert_eq!(found.gen_time, original.gen_time, "byte {place}");
                    assert_eq!(found.chain, original.chain, "byte {place}");
                    assert_eq!(found.serial, original.serial, "byte {place}");
                }
            }
        }
    }
    // The unsigned parts: versions, and parameters of algorithms.
    assert!(
        refused > 2 * response.len() - 40,
        "{refused} of {}",
        2 * response.len()
    );
}

#[test]
fn hostile_bytes_are_refused() {
    let shop = Workshop::with_authority(Key::P256);
    let response = shop.reply(&request(DATA, nonce()), "");
    let roots = roots(&shop);
    let check = |bytes: &[u8]| verify(bytes, DATA, None, &roots, &ever());
    let refused = |bytes: &[u8]| check(bytes).is_err();
    let original = check(&response).unwrap();
    for length in 0..response.len() {
        assert!(refused(&response[..length]));
        assert!(refused(&response[length + 1..]));
    }
    // Every length in the outline made as long as can be said.
    for place in 0..response.len() - 5 {
        let mut changed = response.clone();
        changed[place..place + 5].copy_from_slice(&[0x84, 0xff, 0xff, 0xff, 0xff]);
        // Parameters of algorithms are not signed.
        let found = check(&changed);
        assert!(found.is_err() || found.is_ok_and(|found| found.chain == original.chain));
    }
    let deep = [[0x30, 0x80]; 30_000].concat();
    assert!(refused(&deep));
    for tag in [0x30, 0x31, 0xa0, 0x24] {
        let flat = der(
            0x30,
            &[
                &der(0x30, &[&[2, 1, 0]]),
                &der(tag, &[&[5, 0].repeat(30_000)]),
            ],
        );
        assert!(refused(&flat));
    }
}
