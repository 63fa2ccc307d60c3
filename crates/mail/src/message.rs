//! Formats emails as messages (RFC 5322).

use email_encoding::headers::rfc2047;
use email_encoding::headers::writer::EmailWriter;
use ideavault_domain::email::Email;
use ideavault_domain::mail::OutgoingMail;
use ideavault_domain::ports::MailerError;
use lettre::message::header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment, Body, Mailbox, MultiPart, MultiPartKind, SinglePart};
use lettre::{Address, Message};
use thiserror::Error;

use crate::html;

/// The longest line in bytes that mail systems must accept (RFC 5322, section 2.1.1).
const LONGEST_LINE: usize = 998;

/// The sender of all emails.
#[derive(Clone, Debug)]
pub struct Sender(Mailbox);

/// The configured sender is not an address.
#[derive(Debug, Error)]
#[error("the sender of mails must be an address such as IdeaVault <vault@example.org>")]
pub struct BadSender(#[source] lettre::address::AddressError);

impl Sender {
    /// Parses `vault@example.org` or `Our Vault <vault@example.org>`; `name` is used for
    /// an address without a name.
    pub fn parse(text: &str, name: &str) -> Result<Self, BadSender> {
        let mailbox: Mailbox = text.trim().parse().map_err(BadSender)?;
        Ok(Self(Mailbox {
            name: Some(mailbox.name.unwrap_or_else(|| name.to_owned())),
            email: mailbox.email,
        }))
    }

    /// Returns the part of the address after the `@`.
    pub(crate) fn domain(&self) -> &str {
        self.0.email.domain()
    }
}

/// The bytes that a transport leaves intact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Carrier {
    /// ASCII only.
    SevenBit,
    /// All bytes.
    EightBit,
}

/// Builds the whole message, with plain text and HTML. Its Message-ID is derived from the
/// email's id, so that a second delivery can be recognized.
pub(crate) fn message(
    outgoing: &OutgoingMail,
    sender: &Sender,
    carrier: Carrier,
) -> Result<Message, MailerError> {
    let mail = &outgoing.mail;
    let refused = |error: lettre::error::Error| MailerError::Refused(Box::new(error));
    let address = |email: &Email| {
        let address: Result<Address, _> = email.as_str().parse();
        address
            .map(|address| Mailbox::new(None, address))
            .map_err(|error| MailerError::Refused(Box::new(error)))
    };
    let header = |name: &'static str, value: String| {
        HeaderValue::new(HeaderName::new_from_ascii_str(name), value)
    };
    let mut builder = Message::builder()
        .from(sender.0.clone())
        .to(address(mail.to())?)
        .raw_header(subject(mail.subject()).map_err(|error| MailerError::Refused(error.into()))?)
        .date(outgoing.written_at.into())
        .message_id(Some(format!("<{}@{}>", outgoing.id, sender.domain())))
        // Prevents automatic replies (RFC 3834).
        .raw_header(header("Auto-Submitted", "auto-generated".into()));
    if let Some(reply_to) = mail.reply_to() {
        builder = builder.reply_to(address(reply_to)?);
    }
    if let Some(address) = mail.unsubscribe() {
        builder = builder
            .raw_header(header("List-Unsubscribe", format!("<{address}>")))
            .raw_header(header(
                "List-Unsubscribe-Post",
                "List-Unsubscribe=One-Click".into(),
            ));
    }
    let parts = MultiPart::builder()
        .kind(MultiPartKind::Alternative)
        .boundary(format!("part-{}", outgoing.id))
        .singlepart(SinglePart::plain(body(mail.body(), carrier)))
        .singlepart(SinglePart::html(html::render(mail.subject(), mail.body())));
    if outgoing.attachments.is_empty() {
        return builder.multipart(parts).map_err(refused);
    }
    let mut mixed = MultiPart::builder()
        .kind(MultiPartKind::Mixed)
        .boundary(format!("file-{}", outgoing.id))
        .multipart(parts);
    for file in &outgoing.attachments {
        let media_type = ContentType::parse(file.media_type)
            .map_err(|error| MailerError::Refused(Box::new(error)))?;
        let content = Body::new(file.content.clone());
        mixed = mixed.singlepart(Attachment::new(file.name.clone()).body(content, media_type));
    }
    builder.multipart(mixed).map_err(refused)
}

/// Encodes a subject, which holds typed text. One that itself holds an encoded word (RFC 2047), or
/// something like it, is encoded as a whole, or else mail programs would decode it.
fn subject(text: &str) -> Result<HeaderValue, std::fmt::Error> {
    let name = HeaderName::new_from_ascii_str("Subject");
    if !text.contains("=?") {
        return Ok(HeaderValue::new(name, text.to_owned()));
    }
    let mut encoded = String::new();
    let mut writer = EmailWriter::new(&mut encoded, "Subject: ".len(), 0, false);
    rfc2047::encode(text, &mut writer)?;
    drop(writer);
    Ok(HeaderValue::dangerous_new_pre_encoded(
        name,
        text.to_owned(),
        encoded,
    ))
}

/// Leaves the text unencoded where possible: an encoding would break links over two lines.
fn body(text: &str, carrier: Carrier) -> Body {
    let lines: Vec<&str> = text.lines().collect();
    let short = lines.iter().all(|line| line.len() <= LONGEST_LINE);
    let encoding = if text.is_ascii() {
        ContentTransferEncoding::SevenBit
    } else {
        ContentTransferEncoding::EightBit
    };
    if short && (text.is_ascii() || carrier == Carrier::EightBit) {
        // The message itself ends the last line.
        Body::dangerous_pre_encoded(lines.join("\r\n").into_bytes(), encoding)
    } else {
        Body::new(text.trim_end().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use ideavault_domain::Timestamp;
    use ideavault_domain::ids::MailId;
    use ideavault_domain::mail::Mail;

    use super::*;

    fn sender() -> Sender {
        Sender::parse("vault@example.org", "IdeaVault").unwrap()
    }

    fn outgoing(to: &str, subject: &str, body: &str) -> OutgoingMail {
        OutgoingMail {
            id: MailId::from_random([7; 16]),
            written_at: Timestamp::from_timestamp(1_800_000_000, 0).unwrap(),
            mail: Mail::new(Email::from_stored(to.into()), subject, body.into()),
            attachments: Vec::new(),
        }
    }

    fn text(mail: &OutgoingMail, carrier: Carrier) -> String {
        let message = message(mail, &sender(), carrier).unwrap();
        String::from_utf8(message.formatted()).unwrap()
    }

    fn headers(text: &str) -> Vec<&str> {
        let (head, _) = text.split_once("\r\n\r\n").unwrap();
        head.split("\r\n")
            .filter(|line| !line.starts_with([' ', '\t']))
            .map(|line| line.split_once(':').unwrap().0)
            .collect()
    }

    #[test]
    fn the_message_has_all_headers_and_its_date() {
        let mail = outgoing("ada@example.org", "Hello", "One\n\nhttps://vault/x\n");
        let text = text(&mail, Carrier::SevenBit);
        assert_eq!(
            headers(&text),
            [
                "From",
                "To",
                "Subject",
                "Date",
                "Message-ID",
                "Auto-Submitted",
                "MIME-Version",
                "Content-Type",
            ]
        );
        assert!(text.contains("To: ada@example.org\r\n"), "{text}");
        assert!(
            text.contains("Date: Fri, 15 Jan 2027 08:00:00 +0000\r\n"),
            "{text}"
        );
        assert!(
            text.contains("7bit\r\n\r\nOne\r\n\r\nhttps://vault/x\r\n"),
            "{text}"
        );
    }

    #[test]
    fn answers_go_to_the_address_that_the_mail_names() {
        let mut mail = outgoing("ada@example.org", "Hello", "One\n");
        let eve = Email::from_stored("eve@example.org".into());
        mail.mail = mail.mail.with_reply_to(Some(eve));
        let text = text(&mail, Carrier::SevenBit);
        assert!(text.contains("\r\nReply-To: eve@example.org\r\n"), "{text}");

        let forged = Email::from_stored("eve@example.org\r\nBcc: x@example.org".into());
        mail.mail = mail.mail.with_reply_to(Some(forged));
        let outcome = message(&mail, &sender(), Carrier::SevenBit);
        assert!(matches!(outcome, Err(MailerError::Refused(_))));
    }

    #[test]
    fn the_message_has_an_html_alternative() {
        let mail = outgoing("ada@example.org", "Hello", "One <b>\n\nhttps://vault/x\n");
        let text = text(&mail, Carrier::SevenBit);
        assert!(
            text.contains("Content-Type: multipart/alternative;"),
            "{text}"
        );
        assert!(text.contains("Content-Type: text/html"), "{text}");
        assert!(text.contains("One &lt;b&gt;</p>"), "{text}");
    }

    #[test]
    fn files_come_beside_the_text_and_its_html() {
        let mut mail = outgoing("ada@example.org", "Hello", "One\n");
        mail.attachments
            .push(ideavault_domain::document::Attachment {
                name: "receipt.pdf".into(),
                media_type: "application/pdf",
                description: "A receipt",
                content: b"%PDF-\0\xff".to_vec(),
            });
        let text = text(&mail, Carrier::SevenBit);
        assert!(text.contains("Content-Type: multipart/mixed;"), "{text}");
        assert!(
            text.contains("Content-Type: multipart/alternative;"),
            "{text}"
        );
        assert!(
            text.contains("Content-Disposition: attachment; filename=\"receipt.pdf\""),
            "{text}"
        );
        assert!(text.contains("\r\nJVBERi0A/w==\r\n"), "{text}");
        assert_eq!(headers(&text).len(), 8);
    }

    #[test]
    fn only_unsubscribable_mails_have_unsubscribe_headers() {
        let mut mail = outgoing("ada@example.org", "Hello", "x");
        assert!(!text(&mail, Carrier::SevenBit).contains("List-Unsubscribe"));
        let address = format!(
            "https://vault.example.org/api/unsubscribe/{}",
            "x".repeat(43)
        );
        mail.mail = mail.mail.with_unsubscribe(address.clone());
        let text = text(&mail, Carrier::SevenBit);
        let one_line = text.replace("\r\n ", " ");
        for header in [
            format!("\r\nList-Unsubscribe: <{address}>\r\n"),
            "\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n".to_owned(),
        ] {
            assert!(one_line.contains(&header), "{text}");
        }
    }

    #[test]
    fn the_message_id_is_the_same_for_every_attempt() {
        let mail = outgoing("ada@example.org", "Hello", "x");
        let first = text(&mail, Carrier::SevenBit);
        assert!(first.contains(&format!("Message-ID: <{}@example.org>\r\n", mail.id)));
        assert_eq!(first, text(&mail, Carrier::SevenBit));
    }

    #[test]
    fn a_subject_cannot_inject_a_header() {
        let plain = headers(&text(
            &outgoing("ada@example.org", "Hello", "x"),
            Carrier::SevenBit,
        ))
        .len();
        for subject in [
            "Hello\r\nBcc: eve@example.org\r\n\r\nbody",
            "Hello\nBcc: eve@example.org",
            "Hello\rBcc: eve@example.org",
            "Grüße\r\nBcc: eve@example.org",
            "=?utf-8?q?Hello=0D=0ABcc:_eve@example.org?=",
            &"Bcc: eve@example.org ".repeat(30),
            &"é\u{2028}Bcc:".repeat(40),
        ] {
            let text = text(
                &outgoing("ada@example.org", subject, "x"),
                Carrier::SevenBit,
            );
            assert_eq!(headers(&text).len(), plain, "{text}");
            assert!(text.is_ascii());
        }
    }

    /// As a mail program would show it, which decodes what is left of a subject once more.
    #[test]
    fn an_encoded_word_in_a_subject_is_not_decoded() {
        let word = "=?utf-8?B?UGF5IG5vdzogaHR0cHM6Ly9ldmlsLmV4YW1wbGU=?=";
        for subject in [
            word.to_owned(),
            format!("Ada would like to show you an idea: \"{word}\""),
            format!("Grüße {word} und {word}"),
            format!("{} {word}", "long ".repeat(30)),
            "What is =?".to_owned(),
        ] {
            let text = text(
                &outgoing("ada@example.org", &subject, "x"),
                Carrier::SevenBit,
            );
            let (_, rest) = text.split_once("\r\nSubject: ").unwrap();
            let (shown, _) = rest.split_once("\r\nDate: ").unwrap();
            let words: Vec<_> = shown.split("\r\n ").collect();
            let decoded: Vec<u8> = words
                .iter()
                .flat_map(|word| {
                    let inner = word.strip_prefix("=?utf-8?b?").unwrap();
                    let inner = inner.strip_suffix("?=").unwrap();
                    assert!(word.len() <= 75, "{word}");
                    base64::engine::general_purpose::STANDARD
                        .decode(inner)
                        .unwrap()
                })
                .collect();
            assert_eq!(String::from_utf8(decoded).unwrap(), subject);
        }
    }

    #[test]
    fn an_invalid_address_is_refused_permanently() {
        for to in [
            "ada@example.org\r\nBcc: eve@example.org",
            "ada@example.org, eve@example.org",
            "ada",
            "",
        ] {
            let built = message(&outgoing(to, "Hello", "x"), &sender(), Carrier::SevenBit);
            assert!(matches!(built, Err(MailerError::Refused(_))), "{to:?}");
        }
    }

    /// Otherwise an email would fail permanently, long after its address was accepted.
    #[test]
    fn every_address_that_the_domain_accepts_can_be_sent_to() {
        let mut locals: Vec<String> = (0x20..0x7f_u8)
            .map(|byte| format!("a{}b", char::from(byte)))
            .collect();
        locals.extend(
            [
                "a",
                ".a",
                "a.",
                "a..b",
                "\"a b\"",
                "\"a\\\"b\"",
                "ä",
                "a(b)c",
            ]
            .map(Into::into),
        );
        locals.push("a".repeat(64));
        locals.push("a".repeat(65));
        let domains = [
            "example.org",
            "localhost",
            "xn--bcher-kva.example",
            "bücher.example",
            "[127.0.0.1]",
            "[IPv6:::1]",
            "127.0.0.1",
            "a_b.example",
            "-a.example",
            "example.org.",
        ];
        let mut accepted = 0;
        for address in locals
            .iter()
            .flat_map(|local| domains.map(|domain| format!("{local}@{domain}")))
        {
            let Ok(email) = Email::parse(&address) else {
                continue;
            };
            accepted += 1;
            let mail = outgoing(email.as_str(), "Hello", "x");
            let message = message(&mail, &sender(), Carrier::SevenBit).unwrap();
            let [to] = message.envelope().to() else {
                panic!("{address}");
            };
            assert_eq!(to.to_string(), email.as_str());
            let header = format!("\r\nTo: {email}\r\n");
            let text = String::from_utf8(message.formatted()).unwrap();
            assert!(text.contains(&header), "{text}");
        }
        assert!(accepted > 50, "{accepted}");
    }

    #[test]
    fn long_links_are_not_wrapped() {
        let link = format!("https://vault.example.org/view/{}", "x".repeat(200));
        let mail = outgoing("ada@example.org", "Hello", &format!("Open\n{link}\n"));
        assert!(text(&mail, Carrier::SevenBit).contains(&format!("\r\n{link}\r\n")));
    }

    #[test]
    fn non_ascii_text_is_encoded_for_seven_bit_transport() {
        let mail = outgoing("ada@example.org", "Hello", "We send you Grüße.\n");
        assert!(text(&mail, Carrier::SevenBit).contains("send you Gr=C3=BC=C3=9Fe."));
        assert!(text(&mail, Carrier::EightBit).contains("8bit\r\n\r\nWe send you Grüße.\r\n"));
    }

    #[test]
    fn a_line_beyond_the_limit_is_encoded() {
        let long = "x".repeat(LONGEST_LINE + 1);
        let text = text(
            &outgoing("ada@example.org", "Hello", &long),
            Carrier::EightBit,
        );
        assert!(text.split("\r\n").all(|line| line.len() <= LONGEST_LINE));
    }

    #[test]
    fn a_sender_is_an_address_with_or_without_a_name() {
        for text in ["vault@example.org", " Our Vault <vault@example.org> "] {
            assert_eq!(
                Sender::parse(text, "IdeaVault").unwrap().domain(),
                "example.org"
            );
        }
        for text in ["", "vault", "a@b.org\r\nBcc: c@d.org", "a@b.org, c@d.org"] {
            assert!(Sender::parse(text, "IdeaVault").is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_sender_without_a_name_gets_the_name_of_the_vault() {
        let from = |sender: &str, name: &str| {
            let mail = outgoing("ada@example.org", "Hello", "x");
            let sender = Sender::parse(sender, name).unwrap();
            let message = message(&mail, &sender, Carrier::SevenBit).unwrap();
            let text = String::from_utf8(message.formatted()).unwrap();
            let (_, rest) = text.split_once("From: ").unwrap();
            rest.split_once("\r\n").unwrap().0.to_owned()
        };
        assert_eq!(
            from("vault@example.org", "Acme"),
            "Acme <vault@example.org>"
        );
        // A name that looks like an address is quoted or encoded.
        let odd = from("vault@example.org", "Acme, \"Ideas\" <x@y.example>");
        assert!(odd.ends_with(" <vault@example.org>"), "{odd}");
        assert!(odd.starts_with(['"', '=']), "{odd}");
        let own = from("Our Desk <vault@example.org>", "Acme");
        assert!(own.contains("Our Desk"), "{own}");
    }
}
