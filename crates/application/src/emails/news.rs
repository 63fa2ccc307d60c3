//! Emails about activity on links, for owners, and about replies to comments, for
//! readers. Titles and names appear in quotes, where possible on lines of their own;
//! no content and no comment text appears.

use ideavault_domain::account::User;
use ideavault_domain::ids::RecipientId;
use ideavault_domain::mail::{Mail, MailKind};
use ideavault_domain::notice::{Notice, NoticeKind};
use ideavault_domain::recipient::Recipient;
use ideavault_domain::share::{Share, ShareType};
use ideavault_domain::text::{PersonName, ShareName, Title, without_links};
use ideavault_domain::token::Token;

use super::{Links, signature};

/// Most receipts in one mail; the page has all of them.
const RECEIPTS_MAX: usize = 10;

/// The activity on one link.
pub(crate) struct LinkDigest<'a> {
    /// The link concerned.
    pub(crate) share: Share,
    /// Its notices, oldest first; at least one.
    pub(crate) notices: Vec<&'a Notice>,
}

/// Notifies an owner of activity on links.
#[must_use]
pub(crate) fn link_digest(
    links: &Links,
    owner: &User,
    news: &[LinkDigest<'_>],
    is_digest: bool,
    unsubscribe: &Token,
) -> Mail {
    let parts: Vec<String> = news.iter().map(|link| part(links, link)).collect();
    let receipts = receipts(news);
    let attached = match receipts.as_slice() {
        [] => "",
        [_] => "The receipt of the accepted agreement is attached.\n\n",
        _ => "The receipts of accepted agreements are attached.\n\n",
    };
    let opening = match news {
        _ if is_digest => "Here is what happened on your links since the last daily email.",
        [_] => "There is something new on your link.",
        _ => "There is something new on your links.",
    };
    let body = format!(
        "Hello {name},\n\
         \n\
         {opening}\n\
         \n\
         {parts}\n\
         {attached}\
         Times are UTC. On your profile page you can choose when these emails come:\n\
         at once, once a day or never. The share screen lets you choose for each link.\n\
         {footer}",
        name = owner.name,
        parts = parts.join("\n"),
        footer = footer(links, unsubscribe),
    );
    let subject = subject(news, is_digest);
    Mail::new(owner.email.clone(), &subject, body)
        .with_unsubscribe(links.one_click(unsubscribe))
        .with_receipts(receipts)
        .of_kind(MailKind::News)
}

/// Returns the readers who accepted, as many as one mail has receipts for.
fn receipts(news: &[LinkDigest<'_>]) -> Vec<RecipientId> {
    let notices = news.iter().flat_map(|link| &link.notices);
    notices
        .filter(|notice| notice.kind == NoticeKind::Agreed)
        .filter_map(|notice| notice.recipient)
        .take(RECEIPTS_MAX)
        .collect()
}

/// Sends readers the receipt of the agreement that they accepted.
#[must_use]
pub(crate) fn receipt(links: &Links, reader: &Recipient) -> Mail {
    let name = &reader.name;
    let sharer = without_links(reader.agreement.sharer.as_str());
    let body = format!(
        "Hello {name},\n\
         \n\
         The attached PDF is the receipt of the non-disclosure agreement that you\n\
         accepted with:\n\
         \n\
         \x20   \"{sharer}\"\n\
         \n\
         It holds the exact text and the time, and says who confirms them. Please keep it.\n\
         You can look up here whatever you were shown with this address:\n\
         \n\
         {documents}\n\
         \n\
         If you did not accept anything, somebody else used a code that was sent to\n\
         this address: please contact the person named above, and keep this email.\n\
         {signature}",
        documents = links.my_documents(),
        signature = signature(links),
    );
    let subject = "Your receipt of an accepted agreement";
    Mail::new(reader.email.clone(), subject, body)
        .with_receipts(vec![reader.id])
        .of_kind(MailKind::Receipt)
}

/// Notifies a reader that the owner replied to a comment. `confirmed` holds the
/// idea's title and the link's token if the reader's address is confirmed.
#[must_use]
pub(crate) fn comment_reply(
    links: &Links,
    reader: &Recipient,
    sharer: &PersonName,
    confirmed: Option<(&Title, &Token)>,
    unsubscribe: &Token,
) -> Mail {
    let name = &reader.name;
    let (about, way) = match confirmed {
        Some((title, token)) => (
            format!("your comment on this idea:\n\n\x20   \"{title}\"\n"),
            format!(
                "To read the reply, open the idea again:\n\n{}\n",
                links.view(token)
            ),
        ),
        None => (
            "your comment on an idea that was shared with you.\n".to_owned(),
            "To read the reply, open your link again in the same browser as before.\n".to_owned(),
        ),
    };
    let body = format!(
        "Hello {name},\n\
         \n\
         \"{sharer}\" replied to {about}\n\
         {way}\n\
         You get this email because this address was entered with the comment. If it\n\
         was not you, you can ignore it, or stop these emails below.\n\
         {footer}",
        footer = footer(links, unsubscribe),
    );
    let subject = format!("\"{sharer}\" replied to your comment");
    Mail::new(reader.email.clone(), &subject, body)
        .with_unsubscribe(links.one_click(unsubscribe))
        .of_kind(MailKind::Reply)
}

fn footer(links: &Links, unsubscribe: &Token) -> String {
    let stop = links.unsubscribe(unsubscribe);
    format!("{}Stop these emails: {stop}\n", signature(links))
}

fn subject(news: &[LinkDigest<'_>], is_digest: bool) -> String {
    match news {
        [link] => {
            let name = link.share.name.as_ref();
            match link.notices.as_slice() {
                [only] => format!("{}: \"{}\"", headline(only, name), only.title),
                [first, ..] => format!("News on your link{}: \"{}\"", named(name), first.title),
                [] => "News on your link".to_owned(),
            }
        }
        _ if is_digest => "What happened on your links".to_owned(),
        _ => "News on your links".to_owned(),
    }
}

/// Summarizes a notice in a few words without the reader's name, because a locked screen
/// shows subjects. The owner chose the name of the link.
fn headline(notice: &Notice, name: Option<&ShareName>) -> String {
    let named = named(name);
    let on_link = name.map_or_else(String::new, |_| format!(" on{named}"));
    match notice.kind {
        NoticeKind::Agreed => format!("A reader agreed{on_link}"),
        NoticeKind::FirstRead => match name {
            Some(_) => format!("A reader opened your idea through{named}"),
            None => "A reader opened your idea".to_owned(),
        },
        NoticeKind::Commented => format!("New comment{on_link}"),
        NoticeKind::Declined => format!("A reader declined{on_link}"),
        NoticeKind::Refused => format!("Somebody was turned away{on_link}"),
        NoticeKind::UsedUp => format!("Your link{named} is used up"),
        NoticeKind::OneViewLeft => format!("One view left on your link{named}"),
        NoticeKind::EndingSoon => format!("Your link{named} ends soon"),
        NoticeKind::Answered => format!("New reply{on_link}"),
    }
}

/// Returns the name in quotes after a space, for a sentence that works without it too.
fn named(name: Option<&ShareName>) -> String {
    name.map_or_else(String::new, |name| format!(" \"{name}\""))
}

fn part(links: &Links, news: &LinkDigest<'_>) -> String {
    let title = news
        .notices
        .first()
        .map_or("", |first| first.title.as_str());
    let lines: Vec<String> = news
        .notices
        .iter()
        .map(|notice| {
            let when = notice.last_at.format("%-d %b %H:%M");
            format!("    {when}  {}", sentence(notice, &news.share))
        })
        .collect();
    format!(
        "\x20   \"{title}\"\n\
         \x20   {kind}\n\
         \n\
         {lines}\n\
         \n\
         {link}\n",
        kind = label_of(&news.share),
        lines = lines.join("\n"),
        link = links.share(news.share.idea),
    )
}

fn label_of(share: &Share) -> String {
    let kind = match share.terms.share_type() {
        ShareType::OneTime => "One-time link",
        ShareType::TimeDependent => "Time-dependent link",
        ShareType::FullAccess => "Full-access link",
        ShareType::Email => "Link for one email address",
    };
    match &share.name {
        Some(name) => format!("{kind}: \"{name}\""),
        None => kind.to_owned(),
    }
}

fn sentence(notice: &Notice, share: &Share) -> String {
    let count = notice.count;
    let who = match (&notice.name, count) {
        (Some(name), _) => format!("\"{name}\""),
        (None, 1) => "Another reader".to_owned(),
        (None, count) => format!("{count} other readers"),
    };
    match notice.kind {
        NoticeKind::Agreed => format!("{who} accepted the non-disclosure agreement."),
        NoticeKind::FirstRead => format!("{who} opened the idea for the first time."),
        NoticeKind::Commented if notice.name.is_some() && count > 1 => {
            format!("{who} left {count} comments.")
        }
        NoticeKind::Commented => format!("{who} left a comment."),
        NoticeKind::Declined => format!("{who} declined the non-disclosure agreement."),
        NoticeKind::Refused => refused(notice),
        NoticeKind::UsedUp => "All views of the link have been used.".to_owned(),
        NoticeKind::OneViewLeft => "The link has one view left.".to_owned(),
        NoticeKind::EndingSoon => match share.terms.expires_at() {
            Some(end) => format!("The link ends on {}.", end.format("%-d %B %Y at %H:%M")),
            None => "The link ends soon.".to_owned(),
        },
        NoticeKind::Answered => format!("{who} got a reply."),
    }
}

fn refused(notice: &Notice) -> String {
    let times = match notice.count {
        1 => String::new(),
        count => format!(" ({count} times)"),
    };
    match &notice.name {
        Some(name) => format!("\"{name}\" tried to open the link, which has ended{times}."),
        None => {
            format!("Somebody entered an address or a code that the link does not accept{times}.")
        }
    }
}
