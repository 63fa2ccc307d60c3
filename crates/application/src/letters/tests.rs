use super::*;
use crate::testing::ada;

fn links() -> Links {
    Links::new("https://vault.example.org")
}

fn grace() -> Email {
    Email::parse("grace@example.org").unwrap()
}

#[test]
fn an_invitation_names_the_sharer_the_title_and_the_link() {
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
        "Ada Lovelace would like to show you an idea: A kettle that waits"
    );
    let link = format!("\nhttps://vault.example.org/view/{}\n", token.reveal());
    for text in [
        "Ada Lovelace would like",
        "    A kettle that waits\n",
        "non-disclosure agreement",
        &link,
    ] {
        assert!(mail.body().contains(text), "{text}\n{}", mail.body());
    }
}

#[test]
fn a_reset_says_how_long_its_link_works_and_what_to_do_if_it_is_unexpected() {
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
        "ignore this mail",
    ] {
        assert!(mail.body().contains(text), "{text}\n{}", mail.body());
    }
}

#[test]
fn a_code_says_what_it_is_for_how_long_it_works_and_what_to_do_if_it_is_unexpected() {
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
        "ignore this mail",
    ] {
        assert!(mail.body().contains(text), "{text}\n{}", mail.body());
    }
}
