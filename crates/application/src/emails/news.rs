//! Emails about activity on links, for owners, and about receipts and replies to comments,
//! for readers. Titles appear in quotes, and so do names in texts; no content and no comment
//! text appears.

use ideavault_domain::Timestamp;
use ideavault_domain::account::User;
use ideavault_domain::ids::RecipientId;
use ideavault_domain::mail::{Mail, MailKind};
use ideavault_domain::notice::{Notice, NoticeKind};
use ideavault_domain::recipient::Recipient;
use ideavault_domain::share::{Share, ShareType};
use ideavault_domain::text::{PersonName, Title, quoted, without_links};
use ideavault_domain::token::Token;

use super::{Links, shown_title, signature};

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
    let attached = attached(news, receipts.len());
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
         On your profile page you can choose when these emails come: at once, once a\n\
         day or never. An idea's share page lets you choose for each link.\n\
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

/// Says which receipts are attached, of all agreements that the mail tells of.
fn attached(news: &[LinkDigest<'_>], receipts: usize) -> String {
    let agreed = news.iter().flat_map(|link| &link.notices);
    let agreed = agreed.filter(|notice| notice.kind == NoticeKind::Agreed);
    let agreed: i64 = agreed.map(|notice| i64::from(notice.count)).sum();
    let attached = match receipts {
        0 => return String::new(),
        1 => "The receipt of the agreement is attached.",
        _ => "The receipts of the agreements are attached.",
    };
    if i64::try_from(receipts).is_ok_and(|receipts| receipts < agreed) {
        return format!(
            "Of {agreed} agreements, the receipts of {receipts} are attached. The others are on the\n\
             idea's share page.\n\n"
        );
    }
    format!("{attached}\n\n")
}

/// Sends readers the receipt of the agreement that they accepted at `accepted_at`.
#[must_use]
pub(crate) fn receipt(links: &Links, reader: &Recipient, accepted_at: Timestamp) -> Mail {
    let Recipient { name, email, .. } = reader;
    let sharer = quoted(&without_links(reader.agreement.sharer.as_str()));
    let title = shown_title(&reader.agreement.idea_title);
    let when = time(accepted_at);
    let body = format!(
        "Hello {name},\n\
         \n\
         The attached PDF is the receipt of the non-disclosure agreement that you\n\
         accepted:\n\
         \n\
         \x20   For:  {title}\n\
         \x20   With:  {sharer}\n\
         \x20   Accepted by:  \"{name}\", {email}\n\
         \x20   Accepted on:  {when}\n\
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
    let subject = format!("You agreed to an NDA for {title}: your receipt");
    Mail::new(email.clone(), &subject, body)
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
    let (on_idea, about, way) = match confirmed {
        Some((title, token)) => (
            format!(" on {}", shown_title(title)),
            format!(
                "your comment on this idea:\n\n\x20   {}\n",
                shown_title(title)
            ),
            format!(
                "To read the reply, open the idea again:\n\n{}\n",
                links.view(token)
            ),
        ),
        None => (
            String::new(),
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
    let sharer = without_links(sharer.as_str());
    let subject = format!("{sharer} replied to your comment{on_idea}");
    Mail::new(reader.email.clone(), &subject, body)
        .with_unsubscribe(links.one_click(unsubscribe))
        .of_kind(MailKind::Reply)
}

fn footer(links: &Links, unsubscribe: &Token) -> String {
    let stop = links.unsubscribe(unsubscribe);
    format!("{}Stop these emails: {stop}\n", signature(links))
}

/// Says what happened: the first event on one link, or how often each on several.
fn subject(news: &[LinkDigest<'_>], is_digest: bool) -> String {
    let [link] = news else {
        let what = if is_digest {
            "Your daily summary"
        } else {
            "On your links"
        };
        return format!("{what}: {}", tally(news));
    };
    let [first, others @ ..] = link.notices.as_slice() else {
        return "News on your link".to_owned();
    };
    let more = match others.len() {
        0 => String::new(),
        1 => ", and 1 more event".to_owned(),
        more => format!(", and {more} more events"),
    };
    format!("{}{more}", headline(first, &link.share))
}

/// Counts the events on all links by what happened, in the order in which it did first.
fn tally(news: &[LinkDigest<'_>]) -> String {
    let mut counts: Vec<(&str, i64)> = Vec::new();
    for notice in news.iter().flat_map(|link| &link.notices) {
        let what = match notice.kind {
            NoticeKind::Agreed => "agreed",
            NoticeKind::FirstRead => "opened",
            NoticeKind::Commented => "commented",
            NoticeKind::Declined => "declined",
            NoticeKind::Refused | NoticeKind::WrongAddress | NoticeKind::WrongCode => "turned away",
            NoticeKind::UsedUp => "link used up",
            NoticeKind::OneViewLeft => "link with one view left",
            NoticeKind::EndingSoon => "link ending soon",
            NoticeKind::Answered => "answered",
        };
        match counts.iter_mut().find(|(label, _)| *label == what) {
            Some((_, count)) => *count += i64::from(notice.count),
            None => counts.push((what, notice.count.into())),
        }
    }
    let counts: Vec<String> = counts
        .into_iter()
        .map(|(what, count)| match what.strip_prefix("link") {
            Some(what) if count > 1 => format!("{count} links{what}"),
            _ => format!("{count} {what}"),
        })
        .collect();
    counts.join(", ")
}

/// Says in a few words who did what, with which idea, through which link.
fn headline(notice: &Notice, share: &Share) -> String {
    let title = shown_title(&notice.title);
    let who = match &notice.name {
        Some(name) => without_links(name.as_str()),
        None => others(notice.count),
    };
    let what = match notice.kind {
        NoticeKind::Agreed => format!("{who} agreed to your NDA for {title}"),
        NoticeKind::FirstRead => format!("{who} opened {title}"),
        NoticeKind::Commented if notice.name.is_some() && notice.count > 1 => {
            format!("{who} left {} comments on {title}", notice.count)
        }
        NoticeKind::Commented => format!("{who} commented on {title}"),
        NoticeKind::Declined => format!("{who} declined your NDA for {title}"),
        NoticeKind::Refused => format!("{who} came back to your link to {title}, which has ended"),
        NoticeKind::WrongAddress => format!("Wrong email address for your link to {title}"),
        NoticeKind::WrongCode => format!("Too many wrong codes for your link to {title}"),
        NoticeKind::UsedUp => format!("Your link to {title} is used up"),
        NoticeKind::OneViewLeft => format!("One view left on your link to {title}"),
        NoticeKind::EndingSoon => match share.terms.expires_at() {
            Some(end) => format!("Your link to {title} ends on {}", time(end)),
            None => format!("Your link to {title} ends soon"),
        },
        NoticeKind::Answered => format!("{who} got a reply on {title}"),
    };
    match &share.name {
        Some(name) => format!("{what} (link {})", quoted(name.as_str())),
        None => what,
    }
}

/// Names readers of whom a notice has no name.
fn others(count: i32) -> String {
    match count {
        1 => "Another reader".to_owned(),
        count => format!("{count} other readers"),
    }
}

/// Formats a time as all mails do.
pub(super) fn time(at: Timestamp) -> impl std::fmt::Display {
    at.format("%-d %B %Y, %H:%M UTC")
}

fn part(links: &Links, news: &LinkDigest<'_>) -> String {
    let title = news.notices.first();
    let title = title.map_or_else(String::new, |first| shown_title(&first.title));
    let lines: Vec<String> = news
        .notices
        .iter()
        .map(|notice| {
            let when = notice.last_at.format("%-d %b, %H:%M UTC");
            format!("    {when}  {}", sentence(notice, &news.share))
        })
        .collect();
    format!(
        "\x20   {title}\n\
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
        Some(name) => format!("{kind}: {}", quoted(name.as_str())),
        None => kind.to_owned(),
    }
}

fn sentence(notice: &Notice, share: &Share) -> String {
    let count = notice.count;
    let who = match &notice.name {
        Some(name) => quoted(name.as_str()),
        None => others(count),
    };
    let times = match count {
        1 => String::new(),
        count => format!(" ({count} times)"),
    };
    match notice.kind {
        NoticeKind::Agreed => format!("{who} accepted the non-disclosure agreement."),
        NoticeKind::FirstRead => format!("{who} opened the idea for the first time."),
        NoticeKind::Commented if notice.name.is_some() && count > 1 => {
            format!("{who} left {count} comments.")
        }
        NoticeKind::Commented => format!("{who} left a comment."),
        NoticeKind::Declined => format!("{who} declined the non-disclosure agreement."),
        NoticeKind::Refused if notice.name.is_some() => {
            format!("{who} tried to open the link, which has ended{times}.")
        }
        NoticeKind::Refused => format!("{who} tried to open the link, which has ended."),
        NoticeKind::WrongAddress => {
            format!("Somebody entered an email address that the link is not for{times}.")
        }
        NoticeKind::WrongCode => {
            format!("Somebody entered too many wrong codes, so that the code ended{times}.")
        }
        NoticeKind::UsedUp => match share.terms.max_views() {
            Some(max) if max > 1 => format!("All {max} views of the link have been used."),
            _ => "The only view of the link has been used.".to_owned(),
        },
        NoticeKind::OneViewLeft => match share.terms.max_views() {
            Some(max) => format!("The link has one view left, of {max}."),
            None => "The link has one view left.".to_owned(),
        },
        NoticeKind::EndingSoon => match share.terms.expires_at() {
            Some(end) => format!("The link ends on {}.", time(end)),
            None => "The link ends soon.".to_owned(),
        },
        NoticeKind::Answered => format!("{who} got a reply."),
    }
}
