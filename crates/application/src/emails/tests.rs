use ideavault_domain::ids::RecipientId;
use ideavault_domain::notice::NoticeKind;
use ideavault_domain::recipient::Origin;
use ideavault_domain::share::{Share, ShareTerms};
use ideavault_domain::text::ShareName;

use super::*;
use crate::testing::{ada, at, link_notice, origin, recipient, share};

fn links() -> Links {
    Links::new("https://vault.example.org")
}

fn grace() -> Email {
    Email::parse("grace@example.org").unwrap()
}

#[test]
fn an_invitation_contains_the_sharer_the_title_and_the_link() {
    let token = Token::from_random([6; 32]);
    let mail = share_invitation(
        &links(),
        &grace(),
        &PersonName::parse_creator("Ada Lovelace").unwrap(),
        &Title::parse("A kettle that waits").unwrap(),
        &token,
    );
    assert_eq!(mail.to(), &grace());
    assert_eq!(
        mail.subject(),
        "Ada Lovelace would like to show you an idea: \"A kettle that waits\""
    );
    let link = format!("\nhttps://vault.example.org/view/{}\n", token.reveal());
    for text in [
        "Ada Lovelace would like",
        "    \"A kettle that waits\"\n",
        "non-disclosure agreement",
        &link,
    ] {
        assert!(mail.body().contains(text), "{text}\n{}", mail.body());
    }
}

#[test]
fn a_title_in_an_invitation_contains_no_link() {
    let title = Title::parse("Win at https://evil.example/now").unwrap();
    let name = PersonName::from_stored("www.evil.example".into());
    let token = Token::from_random([6; 32]);
    let mail = share_invitation(&links(), &grace(), &name, &title, &token);
    for text in [mail.subject(), mail.body()] {
        assert!(!text.contains("evil.example"), "{text}");
        assert!(!text.contains("https://evil"), "{text}");
        assert!(
            text.contains("\"Win at https: //evil. example/now\""),
            "{text}"
        );
    }
}

#[test]
fn a_reset_mail_states_the_lifetime_and_what_to_do_if_it_is_unexpected() {
    let token = Token::from_random([6; 32]);
    let mail = password_reset(&links(), &ada(), &token);
    assert_eq!(mail.to(), &ada().email);
    let link = format!(
        "\nhttps://vault.example.org/reset-password/{}\n",
        token.reveal()
    );
    for text in [
        "Hello Ada Lovelace,",
        &link,
        "30 minutes",
        "ignore this email",
    ] {
        assert!(mail.body().contains(text), "{text}\n{}", mail.body());
    }
}

#[test]
fn a_code_mail_states_purpose_lifetime_and_what_to_do_if_it_is_unexpected() {
    let mail = confirmation_code(
        &links(),
        &grace(),
        &PersonName::parse_creator("Ada Lovelace").unwrap(),
        &OneTimeCode::parse("012345").unwrap(),
    );
    assert_eq!(mail.to(), &grace());
    // A subject shows on locked screens.
    assert!(!mail.subject().contains("012345"));
    for text in [
        "the link that Ada Lovelace sent",
        "\n    012345\n",
        "10 minutes and 5 tries",
        "ignore this email",
    ] {
        assert!(mail.body().contains(text), "{text}\n{}", mail.body());
    }
}

#[test]
fn a_notice_states_the_event_time_device_address_and_what_to_do() {
    let from = Origin {
        user_agent: Some("Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0\r\nBcc: x".into()),
        ..origin()
    };
    for (what, subject, text) in [
        (
            SecurityMail::PasswordChanged,
            "Your IdeaVault password was changed",
            "The password of your IdeaVault account was changed",
        ),
        (
            SecurityMail::NewDevice,
            "A new browser is signed in to IdeaVault",
            "not used with it before",
        ),
        (
            SecurityMail::TwoFactorOn,
            "Two-step sign-in is on for IdeaVault",
            "also needs a code from an authenticator app",
        ),
        (
            SecurityMail::TwoFactorOff,
            "Two-step sign-in is off for IdeaVault",
            "with the password alone",
        ),
        (
            SecurityMail::RecoveryCodesReplaced,
            "New recovery codes for IdeaVault",
            "The old\nones no longer work",
        ),
        (
            SecurityMail::AccountTakenOver {
                two_factor: true,
                ideas: true,
            },
            "Your IdeaVault password was changed",
            "was turned off.\nIts ideas were kept",
        ),
        (
            SecurityMail::WrongCodes {
                wrong_codes: 10,
                locked_until: Some(at(900)),
            },
            "Wrong codes for your IdeaVault account",
            "10 wrong codes in a row for two-step sign-in.\n\
             No code is accepted before 15 January 2027, 08:15 (UTC).",
        ),
        (
            SecurityMail::RecoveryCodeUsed { left: 3 },
            "A recovery code of IdeaVault was used",
            "3 recovery codes are left",
        ),
    ] {
        let mail = security_mail(&links(), &ada(), what, at(0), &from);
        assert_eq!(mail.to(), &ada().email);
        assert_eq!(mail.subject(), subject);
        for text in [
            "Hello Ada Lovelace,",
            text,
            "\n    When:  15 January 2027, 08:00 (UTC)\n",
            "\n    With:  Firefox on Linux\n",
            "\n    From:  203.0.113.9\n",
            "ignore this email",
            "\nhttps://vault.example.org/forgot-password\n",
        ] {
            assert!(mail.body().contains(text), "{text}\n{}", mail.body());
        }
    }
}

/// The mail about one notice on a link with that name.
fn mail_about(kind: NoticeKind, name: Option<ShareName>) -> Mail {
    let share = Share {
        name: name.clone(),
        ..share(ShareTerms::FullAccess)
    };
    let notice = link_notice(kind, &share);
    let news = [LinkDigest {
        share,
        notices: vec![&notice],
    }];
    link_digest(&links(), &ada(), &news, false, &Token::from_random([6; 32]))
}

#[test]
fn a_notice_contains_the_name_of_its_link_if_any() {
    for (kind, named, nameless) in [
        (
            NoticeKind::Agreed,
            "A reader agreed on \"Spring fair\"",
            "A reader agreed",
        ),
        (
            NoticeKind::FirstRead,
            "A reader opened your idea through \"Spring fair\"",
            "A reader opened your idea",
        ),
        (
            NoticeKind::Commented,
            "New comment on \"Spring fair\"",
            "New comment",
        ),
        (
            NoticeKind::Declined,
            "A reader declined on \"Spring fair\"",
            "A reader declined",
        ),
        (
            NoticeKind::Refused,
            "Somebody was turned away on \"Spring fair\"",
            "Somebody was turned away",
        ),
        (
            NoticeKind::UsedUp,
            "Your link \"Spring fair\" is used up",
            "Your link is used up",
        ),
        (
            NoticeKind::OneViewLeft,
            "One view left on your link \"Spring fair\"",
            "One view left on your link",
        ),
        (
            NoticeKind::EndingSoon,
            "Your link \"Spring fair\" ends soon",
            "Your link ends soon",
        ),
    ] {
        let name = ShareName::parse_optional(Some("Spring fair")).unwrap();
        let mail = mail_about(kind, name);
        assert_eq!(mail.subject(), format!("{named}: \"Kettle\""));
        assert!(
            mail.body().contains("Full-access link: \"Spring fair\"\n"),
            "{}",
            mail.body()
        );
        let mail = mail_about(kind, None);
        assert_eq!(mail.subject(), format!("{nameless}: \"Kettle\""));
    }
}

#[test]
fn the_name_of_a_link_cannot_inject_a_header() {
    let name = ShareName::from_stored("Fair\r\nBcc: x@example.org".into());
    let mail = mail_about(NoticeKind::Agreed, Some(name));
    assert!(!mail.subject().contains(['\r', '\n']), "{}", mail.subject());
}

#[test]
fn a_registration_invitation_encodes_any_address_in_its_link() {
    let token = Token::from_random([6; 32]);
    let odd = Email::parse("o'hara+a&b=c@example.org").unwrap();
    let mail = registration_invitation(&links(), &odd, &token);
    let link = format!(
        "\nhttps://vault.example.org/register?invitation={}&email=o%27hara%2Ba%26b%3Dc%40example.org\n",
        token.reveal()
    );
    for text in [
        &*link,
        "You are invited to the IdeaVault at",
        "within 14 days",
        "ignore this email",
    ] {
        assert!(mail.body().contains(text), "{text}\n{}", mail.body());
    }
}

#[test]
fn a_repeated_registration_mail_explains_how_to_access_the_account() {
    let unconfirmed = User {
        email_confirmed_at: None,
        ..ada()
    };
    for (user, unproven) in [(ada(), false), (unconfirmed, true)] {
        let mail = registered_again(&links(), &user);
        assert_eq!(mail.to(), &ada().email);
        let told = mail
            .body()
            .contains("If you did not create it,\nsomebody else did");
        assert_eq!(told, unproven, "{}", mail.body());
        for text in [
            "/forgot-password\n",
            "nothing was changed",
            "ignore this email",
        ] {
            assert!(mail.body().contains(text), "{text}\n{}", mail.body());
        }
    }
}

#[test]
fn mails_carry_the_configured_name_and_contact() {
    let operator = Operator {
        vault: VaultName::parse("Acme Ideas").unwrap(),
        contact: Some("desk@acme.example".into()),
    };
    let links = links().run_by(operator);
    let token = Token::from_random([6; 32]);
    let news = security_mail(&links, &ada(), SecurityMail::NewDevice, at(0), &origin());
    let mails = [
        registration_invitation(&links, &grace(), &token),
        email_confirmation(&links, &grace(), &token),
        registered_again(&links, &ada()),
        password_reset(&links, &ada(), &token),
        news,
    ];
    for mail in mails {
        for text in [mail.subject(), mail.body()] {
            assert!(text.contains("Acme Ideas"), "{text}");
            assert!(!text.contains("IdeaVault"), "{text}");
        }
        let footer = "\n-- \nAcme Ideas\nhttps://vault.example.org\nContact: desk@acme.example\n";
        assert!(mail.body().ends_with(footer), "{}", mail.body());
    }
}

#[test]
fn mails_without_operator_settings_carry_the_product_name() {
    let mail = registered_again(&links(), &ada());
    assert_eq!(mail.subject(), "You already have an IdeaVault account");
    let signature = "\n-- \nIdeaVault\nhttps://vault.example.org\n";
    assert!(mail.body().ends_with(signature), "{}", mail.body());
}

#[test]
fn a_receipt_mail_says_what_it_is_and_what_to_do_if_nothing_was_accepted() {
    let reader = recipient();
    let mail = receipt(&links(), &reader);
    assert_eq!(mail.to(), &grace());
    assert_eq!(mail.receipts(), [reader.id]);
    for text in [
        "Hello Grace Hopper",
        "is the receipt of the non-disclosure agreement",
        "If you did not accept anything",
    ] {
        assert!(mail.body().contains(text), "{text}\n{}", mail.body());
    }
    assert!(!mail.body().contains(reader.agreement.idea_title.as_str()));
}

#[test]
fn a_mail_about_acceptances_has_their_receipts() {
    let share = share(ShareTerms::FullAccess);
    let readers: Vec<_> = (1..=12)
        .map(|id| RecipientId::from_random([id; 16]))
        .collect();
    let notices = |kind| {
        let notices = readers.iter().map(|reader| {
            let mut notice = link_notice(kind, &share);
            notice.recipient = Some(*reader);
            notice
        });
        notices.collect::<Vec<_>>()
    };
    let mail = |notices: &[ideavault_domain::notice::Notice]| {
        let news = [LinkDigest {
            share: share.clone(),
            notices: notices.iter().collect(),
        }];
        link_digest(&links(), &ada(), &news, false, &Token::from_random([6; 32]))
    };
    let agreed = mail(&notices(NoticeKind::Agreed));
    assert_eq!(agreed.receipts(), &readers[..10]);
    assert!(
        agreed
            .body()
            .contains("receipts of accepted agreements are attached")
    );
    let one = mail(&notices(NoticeKind::Agreed)[..1]);
    assert!(
        one.body()
            .contains("The receipt of the accepted agreement is attached.")
    );
    let read = mail(&notices(NoticeKind::FirstRead));
    assert!(read.receipts().is_empty());
    assert!(!read.body().contains("attached"));
}
