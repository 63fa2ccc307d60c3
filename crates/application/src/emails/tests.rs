use ideavault_domain::ids::RecipientId;
use ideavault_domain::notice::{Notice, NoticeKind};
use ideavault_domain::recipient::Origin;
use ideavault_domain::share::{Share, ShareTerms};
use ideavault_domain::text::{InvitationMessage, PersonName, ShareName};

use super::*;
use crate::testing::{ada, at, link_notice, origin, recipient, share};

fn links() -> Links {
    Links::new("https://vault.example.org")
}

fn grace() -> Email {
    Email::parse("grace@example.org").unwrap()
}

fn invitation(title: &str, owner: &User, invitation: &Invitation) -> Mail {
    let (title, token) = (Title::parse(title).unwrap(), Token::from_random([6; 32]));
    share_invitation(&links(), &grace(), owner, &title, &token, invitation)
}

#[test]
fn an_invitation_contains_the_sharer_the_title_and_the_link() {
    let token = Token::from_random([6; 32]);
    let mail = invitation("A kettle that waits", &ada(), &Invitation::default());
    assert_eq!(mail.to(), &grace());
    assert_eq!(mail.reply_to(), None);
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
    for text in ["adds:", "reply", "ada@example.org"] {
        assert!(!mail.body().contains(text), "{text}\n{}", mail.body());
    }
}

#[test]
fn an_invitation_has_the_message_and_the_address_for_answers() {
    let message = InvitationMessage::parse_optional(Some("As we said:\n\"in June\"."));
    let with = Invitation {
        message: message.unwrap(),
        reply_to_me: true,
    };
    let mail = invitation("Kettle", &ada(), &with);
    assert_eq!(mail.reply_to(), Some(&ada().email));
    for text in [
        "Ada Lovelace adds:\n\n    \"As we said: 'in June'.\"\n\nTo read it",
        "your answer goes to Ada Lovelace.",
    ] {
        assert!(mail.body().contains(text), "{text}\n{}", mail.body());
    }
}

#[test]
fn a_title_in_an_invitation_contains_no_link() {
    let owner = User {
        name: PersonName::from_stored("www.evil.example".into()),
        ..ada()
    };
    let title = "Win at https://evil.example/now";
    let mail = invitation(title, &owner, &Invitation::default());
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
    let code = OneTimeCode::parse("012345").unwrap();
    let mail = confirmation_code(&links(), &recipient(), &code);
    assert_eq!(mail.to(), &grace());
    // A subject shows on locked screens: it has no code.
    assert_eq!(mail.subject(), "Your IdeaVault code for \"Kettle\"");
    for text in [
        "the link that Ada Lovelace sent",
        "the idea \"Kettle\"",
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
             No code is accepted before 15 January 2027, 08:15 UTC.",
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
            "\n    When:  15 January 2027, 08:00 UTC\n",
            "\n    With:  Firefox on Linux\n",
            "\n    From:  203.0.113.9\n",
            "ignore this email",
            "\nhttps://vault.example.org/forgot-password\n",
        ] {
            assert!(mail.body().contains(text), "{text}\n{}", mail.body());
        }
    }
}

/// The mail about one notice of Grace on a link with that name.
fn mail_about(kind: NoticeKind, name: Option<ShareName>) -> Mail {
    let share = Share {
        name: name.clone(),
        ..share(ShareTerms::TimeDependent {
            expires_at: at(3_600),
            max_views: Some(3),
        })
    };
    let notice = Notice {
        name: Some(recipient().name),
        ..link_notice(kind, &share)
    };
    digest(&[(share, vec![notice])], false)
}

fn digest(news: &[(Share, Vec<Notice>)], is_digest: bool) -> Mail {
    let news: Vec<_> = news
        .iter()
        .map(|(share, notices)| LinkDigest {
            share: share.clone(),
            notices: notices.iter().collect(),
        })
        .collect();
    let token = Token::from_random([6; 32]);
    link_digest(&links(), &ada(), &news, is_digest, &token)
}

#[test]
fn the_subject_of_news_says_who_did_what_with_which_idea() {
    for (kind, subject) in [
        (
            NoticeKind::Agreed,
            "Grace Hopper agreed to your NDA for \"Kettle\"",
        ),
        (NoticeKind::FirstRead, "Grace Hopper opened \"Kettle\""),
        (
            NoticeKind::Commented,
            "Grace Hopper commented on \"Kettle\"",
        ),
        (
            NoticeKind::Declined,
            "Grace Hopper declined your NDA for \"Kettle\"",
        ),
        (
            NoticeKind::Refused,
            "Grace Hopper came back to your link to \"Kettle\", which has ended",
        ),
        (
            NoticeKind::WrongAddress,
            "Wrong email address for your link to \"Kettle\"",
        ),
        (
            NoticeKind::WrongCode,
            "Too many wrong codes for your link to \"Kettle\"",
        ),
        (NoticeKind::UsedUp, "Your link to \"Kettle\" is used up"),
        (
            NoticeKind::OneViewLeft,
            "One view left on your link to \"Kettle\"",
        ),
        (
            NoticeKind::EndingSoon,
            "Your link to \"Kettle\" ends on 15 January 2027, 09:00 UTC",
        ),
    ] {
        let name = ShareName::parse_optional(Some("Spring fair")).unwrap();
        let mail = mail_about(kind, name);
        assert_eq!(mail.subject(), format!("{subject} (link \"Spring fair\")"));
        assert!(
            mail.body()
                .contains("Time-dependent link: \"Spring fair\"\n"),
            "{}",
            mail.body()
        );
        assert_eq!(mail_about(kind, None).subject(), subject);
    }
}

#[test]
fn a_mail_about_several_events_counts_them() {
    let link = share(ShareTerms::FullAccess);
    let notice = |kind, count| Notice {
        count,
        ..link_notice(kind, &link)
    };
    let of_link = vec![
        notice(NoticeKind::Agreed, 12),
        notice(NoticeKind::FirstRead, 1),
    ];
    let other = vec![
        notice(NoticeKind::Agreed, 1),
        notice(NoticeKind::WrongCode, 1),
        notice(NoticeKind::WrongAddress, 2),
        notice(NoticeKind::UsedUp, 1),
    ];
    let one = [(link.clone(), of_link)];
    let subject = "12 other readers agreed to your NDA for \"Kettle\", and 1 more event";
    assert_eq!(digest(&one, false).subject(), subject);
    let [first] = one;
    let mail = digest(&[first, (link.clone(), other)], true);
    assert_eq!(
        mail.subject(),
        "Your daily summary: 13 agreed, 1 opened, 3 turned away, 1 link used up"
    );
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
fn a_receipt_mail_says_for_what_by_whom_and_when_and_what_to_do_if_nothing_was_accepted() {
    let reader = recipient();
    let mail = receipt(&links(), &reader, at(0));
    assert_eq!(mail.to(), &grace());
    assert_eq!(mail.receipts(), [reader.id]);
    assert_eq!(
        mail.subject(),
        "You agreed to an NDA for \"Kettle\": your receipt"
    );
    for text in [
        "Hello Grace Hopper",
        "is the receipt of the non-disclosure agreement",
        "    For:  \"Kettle\"\n",
        "    With:  \"Ada Lovelace\"\n",
        "    Accepted by:  \"Grace Hopper\", grace@example.org\n",
        "    Accepted on:  15 January 2027, 08:00 UTC\n",
        "If you did not accept anything",
    ] {
        assert!(mail.body().contains(text), "{text}\n{}", mail.body());
    }
}

#[test]
fn a_mail_about_agreements_says_which_receipts_it_has() {
    let share = share(ShareTerms::FullAccess);
    let readers: Vec<_> = (1..=12)
        .map(|id| RecipientId::from_random([id; 16]))
        .collect();
    let mail = |kind, count| {
        let notices = readers.iter().take(count).map(|reader| Notice {
            recipient: Some(*reader),
            ..link_notice(kind, &share)
        });
        digest(&[(share.clone(), notices.collect())], false)
    };
    let agreed = mail(NoticeKind::Agreed, 12);
    assert_eq!(agreed.receipts(), &readers[..10]);
    for (mail, text) in [
        (
            agreed,
            "Of 12 agreements, the receipts of 10 are attached. The others are on the\nidea's share page",
        ),
        (
            mail(NoticeKind::Agreed, 2),
            "The receipts of the agreements are attached.",
        ),
        (
            mail(NoticeKind::Agreed, 1),
            "The receipt of the agreement is attached.",
        ),
    ] {
        assert!(mail.body().contains(text), "{}", mail.body());
    }
    let opened = mail(NoticeKind::FirstRead, 12);
    assert!(opened.receipts().is_empty());
    assert!(!opened.body().contains("attached"));
}
