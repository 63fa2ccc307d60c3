use super::*;

/// The refusal of a good time-stamp by an authority with these extensions.
fn refusal_of(extensions: &str) -> Refusal {
    let shop = Workshop::new();
    shop.root("root", Key::P256, CA);
    shop.issue("tsa", "root", Key::P256, extensions);
    let response = shop.sign(&Info::of(DATA).encode(), "tsa", "");
    assert!(
        !shop.verify(&response, DATA, "root.pem", ""),
        "openssl accepts it"
    );
    check(&shop, &response).unwrap_err()
}

fn broken(reason: Refusal) -> Refusal {
    Refusal::BrokenChain(Box::new(reason))
}

#[test]
fn certificates_may_be_signed_with_rsa_pss() {
    let shop = Workshop::with_authority(Key::Rsa(2048));
    for pss in [
        "-sigopt rsa_padding_mode:pss -sha256",
        "-sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:20 -sha384",
    ] {
        shop.certify("tsa", "tsa", "root", pss, TSA);
        let response = shop.reply(&request(DATA, nonce()), "");
        assert_eq!(check(&shop, &response).unwrap().authority_name, "tsa");
        assert!(shop.verify(&response, DATA, "root.pem", ""));
    }
    let mixed = "-sigopt rsa_padding_mode:pss -sigopt rsa_mgf1_md:sha512 -sha256";
    shop.certify("tsa", "tsa", "root", mixed, TSA);
    let refused = check(&shop, &shop.reply(&request(DATA, nonce()), ""));
    assert_eq!(
        refused,
        Err(broken(Refusal::UnsupportedAlgorithm("a certificate")))
    );
}

#[test]
fn an_authority_may_be_its_own_root() {
    let shop = Workshop::new();
    shop.root("tsa", Key::P256, TSA);
    let response = shop.reply(&request(DATA, nonce()), "");
    let roots = Roots::from_pem(&shop.read("tsa.pem")).unwrap();
    let confirmed = verify(&response, DATA, Some(nonce()), &roots, &around_now()).unwrap();
    assert_eq!(confirmed.chain.len(), 1);
    assert!(shop.verify(&response, DATA, "tsa.pem", ""));
}

#[test]
fn a_chain_to_another_root_is_refused() {
    let shop = Workshop::with_authority(Key::P256);
    let response = shop.reply(&request(DATA, nonce()), "certs=root.pem");
    let other = Workshop::new();
    other.root("other", Key::P256, CA);
    let stranger = Roots::from_pem(&other.read("other.pem")).unwrap();
    let refused = verify(&response, DATA, None, &stranger, &ever());
    assert_eq!(refused, Err(Refusal::NoChain));
    // A root of the same name with another key.
    let namesake = Workshop::with_authority(Key::P256);
    let refused = check(&namesake, &response);
    assert_eq!(
        refused,
        Err(broken(Refusal::CertificateSignature("tsa".into())))
    );
    let both = [namesake.read("root.pem"), shop.read("root.pem")].concat();
    let both = Roots::from_pem(&both).unwrap();
    assert!(verify(&response, DATA, None, &both, &ever()).is_ok());
}

#[test]
fn certificates_count_as_of_the_time_in_the_token() {
    let shop = Workshop::with_authority(Key::P256);
    let now = Utc::now();
    let expired = Info {
        time: now + TimeDelta::days(366),
        ..Info::of(DATA)
    };
    let not_valid = Refusal::NotValidThen("tsa".into());
    assert_eq!(refusal(&shop, &expired, "tsa", ""), not_valid);
    let early = Info {
        time: now - TimeDelta::days(1),
        ..Info::of(DATA)
    };
    assert_eq!(refusal(&shop, &early, "tsa", ""), not_valid);

    // The root ends before the authority.
    shop.certify("tsa", "tsa", "root", "-days 7300", TSA);
    let late = Info {
        time: now + TimeDelta::days(4000),
        ..Info::of(DATA)
    };
    let refused = refusal(&shop, &late, "tsa", "");
    assert_eq!(refused, broken(Refusal::NotValidThen("root".into())));
    let early = Info {
        time: now + TimeDelta::days(3000),
        ..Info::of(DATA)
    };
    let response = shop.sign(&early.encode(), "tsa", "");
    assert!(check(&shop, &response).is_ok());
}

#[test]
fn an_expired_token_verifies_with_openssl_at_its_time() {
    let shop = Workshop::with_authority(Key::P256);
    let response = shop.reply(&request(DATA, nonce()), "");
    let time = check(&shop, &response).unwrap().gen_time.timestamp();
    let after_expiry = time + 366 * 24 * 3600;
    assert!(!shop.verify(
        &response,
        DATA,
        "root.pem",
        &format!("-attime {after_expiry}")
    ));
    assert!(shop.verify(&response, DATA, "root.pem", &format!("-attime {time}")));
}

#[test]
fn a_certificate_that_is_not_for_time_stamping_alone_is_refused() {
    let other = Refusal::NotForTimeStamping;
    assert_eq!(refusal_of("basicConstraints=CA:FALSE\n"), other);
    assert_eq!(refusal_of("extendedKeyUsage=critical,codeSigning\n"), other);
    let both = "extendedKeyUsage=critical,timeStamping,codeSigning\n";
    assert_eq!(refusal_of(both), other);
    let any = "extendedKeyUsage=critical,anyExtendedKeyUsage\n";
    assert_eq!(refusal_of(any), other);
    let lax = "extendedKeyUsage=timeStamping\n";
    assert_eq!(refusal_of(lax), Refusal::PurposeNotCritical);
    let agrees = "keyUsage=critical,digitalSignature,keyAgreement\n\
                  extendedKeyUsage=critical,timeStamping\n";
    assert_eq!(refusal_of(agrees), Refusal::KeyUsage);
    let issues = "keyUsage=keyCertSign\nextendedKeyUsage=critical,timeStamping\n";
    assert_eq!(refusal_of(issues), Refusal::KeyUsage);
}

#[test]
fn unknown_critical_extensions_are_refused() {
    let unknown = format!("{TSA}1.2.3.4.5=critical,ASN1:NULL\n");
    assert_eq!(
        refusal_of(&unknown),
        Refusal::CertificateExtension("tsa".into())
    );
}

#[test]
fn intermediates_are_found_in_the_token_and_among_the_roots() {
    let shop = Workshop::new();
    shop.root("root", Key::P256, CA);
    shop.issue("upper", "root", Key::P384, CA);
    shop.issue("lower", "upper", Key::P256, CA);
    shop.issue("tsa", "lower", Key::P256, TSA);
    let certificates = |names: &[&str]| -> String {
        names
            .iter()
            .map(|name| shop.read(&format!("{name}.pem")))
            .collect()
    };
    // OpenSSL 3.0 does not sort them.
    for names in [["upper", "lower", "root"], ["root", "lower", "upper"]] {
        shop.write("sent.pem", certificates(&names).as_bytes());
        let response = shop.reply(&request(DATA, nonce()), "certs=sent.pem");
        assert_eq!(check(&shop, &response).unwrap().chain.len(), 4);
        assert!(shop.verify(&response, DATA, "root.pem", ""));
    }
    let response = shop.reply(&request(DATA, nonce()), "");
    assert_eq!(check(&shop, &response), Err(Refusal::NoChain));
    shop.write(
        "all.pem",
        certificates(&["lower", "root", "upper"]).as_bytes(),
    );
    let all = Roots::from_pem(&shop.read("all.pem")).unwrap();
    assert!(verify(&response, DATA, None, &all, &ever()).is_ok());
    assert!(shop.verify(&response, DATA, "all.pem", ""));
    // An intermediate is no root: OpenSSL says so, too.
    assert_eq!(
        Roots::from_pem(&certificates(&["lower", "upper"])).unwrap_err(),
        RootsError::Empty
    );
    // Without the one in the middle there is no way.
    let gap = Roots::from_pem(&certificates(&["lower", "root"])).unwrap();
    assert_eq!(
        verify(&response, DATA, None, &gap, &ever()),
        Err(Refusal::NoChain)
    );
}

#[test]
fn who_may_not_issue_certificates_is_refused_in_between() {
    for extensions in [
        "",
        "basicConstraints=critical,CA:FALSE\n",
        "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,digitalSignature\n",
        "basicConstraints=critical,CA:TRUE\nextendedKeyUsage=codeSigning\n",
    ] {
        let shop = Workshop::new();
        shop.root("root", Key::P256, CA);
        shop.issue("middle", "root", Key::P256, extensions);
        shop.issue("tsa", "middle", Key::P256, TSA);
        let response = shop.sign(&Info::of(DATA).encode(), "tsa", "-certfile middle.pem");
        let refused = check(&shop, &response);
        assert_eq!(
            refused,
            Err(broken(Refusal::NotAnIssuer("middle".into()))),
            "{extensions}"
        );
    }
    let shop = Workshop::new();
    shop.root(
        "root",
        Key::P256,
        "basicConstraints=critical,CA:TRUE,pathlen:0\n",
    );
    shop.issue("middle", "root", Key::P256, CA);
    shop.issue("tsa", "middle", Key::P256, TSA);
    let response = shop.sign(&Info::of(DATA).encode(), "tsa", "-certfile middle.pem");
    assert_eq!(
        check(&shop, &response),
        Err(broken(Refusal::NotAnIssuer("root".into())))
    );
    let limited = format!("{CA}nameConstraints=critical,permitted;DNS:example\n");
    shop.root("root", Key::P256, &limited);
    shop.issue("tsa", "root", Key::P256, TSA);
    let response = shop.sign(&Info::of(DATA).encode(), "tsa", "");
    let refused = check(&shop, &response);
    assert_eq!(
        refused,
        Err(broken(Refusal::CertificateExtension("root".into())))
    );
}

#[test]
fn certificates_that_issued_each_other_end_the_search() {
    let shop = Workshop::new();
    shop.root("root", Key::P256, CA);
    shop.root("a", Key::P256, CA);
    shop.issue("b", "a", Key::P256, CA);
    shop.certify("ab", "a", "b", "-sha256", CA);
    shop.issue("tsa", "b", Key::P256, TSA);
    let ring = [shop.read("ab.pem"), shop.read("b.pem")].concat();
    shop.write("ring.pem", ring.as_bytes());
    let response = shop.sign(&Info::of(DATA).encode(), "tsa", "-certfile ring.pem");
    assert_eq!(check(&shop, &response), Err(Refusal::NoChain));
}

#[test]
fn a_token_has_few_certificates() {
    let shop = Workshop::with_authority(Key::P256);
    for (count, fits) in [(15, true), (16, false)] {
        let mut many = String::new();
        for _ in 0..count {
            shop.certify("more", "tsa", "root", "-sha256", TSA);
            many.push_str(&shop.read("more.pem"));
        }
        shop.write("many.pem", many.as_bytes());
        let content = Info::of(DATA).encode();
        let response = shop.sign(&content, "tsa", "-certfile many.pem");
        let expected = (!fits).then_some(Refusal::TooManyCertificates);
        assert_eq!(check(&shop, &response).err(), expected);
    }
}

#[test]
fn curves_of_openssl_verify() {
    for curve in [
        "secp521r1",
        "brainpoolP256r1",
        "brainpoolP384r1",
        "brainpoolP512r1",
    ] {
        let shop = Workshop::with_authority(Key::Curve(curve));
        let content = Info::of(DATA).encode();
        let response = shop.sign(&content, "tsa", "");
        assert!(check(&shop, &response).is_ok(), "{curve}");
        // The same names, and another key.
        let other = Workshop::with_authority(Key::Curve(curve));
        assert!(check(&other, &response).is_err(), "{curve}");
    }
}

#[test]
fn weak_and_unknown_keys_and_hashes_are_refused() {
    let unsupported = |what| Refusal::UnsupportedAlgorithm(what);
    // Not before the certificates.
    let content = || Info::of(DATA).encode();
    let shop = Workshop::with_authority(Key::Curve("secp256k1"));
    let refused = check(&shop, &shop.sign(&content(), "tsa", ""));
    assert_eq!(refused, Err(unsupported("the token")));

    let shop = Workshop::new();
    shop.root("root", Key::P256, CA);
    shop.issue("tsa", "root", Key::Rsa(1024), TSA);
    let refused = check(&shop, &shop.sign(&content(), "tsa", ""));
    assert_eq!(refused, Err(unsupported("the token")));

    let shop = Workshop::with_authority(Key::P256);
    let refused = check(&shop, &shop.sign(&content(), "tsa", "-md sha1"));
    assert_eq!(refused, Err(unsupported("the token")));
    shop.certify("tsa", "tsa", "root", "-sha1", TSA);
    let refused = check(&shop, &shop.sign(&content(), "tsa", ""));
    assert_eq!(refused, Err(broken(unsupported("a certificate"))));
}

#[test]
fn lists_of_roots_are_read_with_text_around_them() {
    let shop = Workshop::with_authority(Key::P256);
    let pem = shop.read("root.pem");
    let windows = pem.replace('\n', "\r\n");
    for text in [
        format!("# ours\n{pem}\n# end"),
        windows,
        format!("{pem}{pem}"),
    ] {
        assert!(Roots::from_pem(&text).is_ok());
    }
    for (text, expected) in [
        (String::new(), RootsError::Empty),
        ("no certificate".into(), RootsError::Empty),
        (shop.read("tsa.pem"), RootsError::Empty),
        (
            format!("{pem}{}", pem.replace("MII", "!!!")),
            RootsError::Certificate(2),
        ),
        (
            pem.replace("-----END", "-----EN"),
            RootsError::Certificate(1),
        ),
        (pem.repeat(513), RootsError::TooMany),
    ] {
        assert_eq!(Roots::from_pem(&text).unwrap_err(), expected);
    }
    assert!(Roots::from_pem(&pem.repeat(512)).is_ok());
}
