//! What happened to an account, told to its owner: whoever did it may be
//! somebody else.

use ideavault_domain::Timestamp;
use ideavault_domain::account::User;
use ideavault_domain::browser::browser_name;
use ideavault_domain::mail::Mail;
use ideavault_domain::recipient::Origin;

use super::{Links, signature};

/// What an owner is told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    /// Another password was chosen, by whoever knew it or with a mailed link.
    PasswordChanged,
    /// Somebody signed in with a browser that the account was not used with before.
    NewDevice,
}

impl Notice {
    fn subject(self) -> &'static str {
        match self {
            Self::PasswordChanged => "Your IdeaVault password was changed",
            Self::NewDevice => "A new browser is signed in to IdeaVault",
        }
    }

    fn what(self) -> &'static str {
        match self {
            Self::PasswordChanged => {
                "the password of your IdeaVault account was changed, and the account is\n\
                 logged out everywhere else."
            }
            Self::NewDevice => {
                "somebody, most likely you, signed in to your IdeaVault account with a\n\
                 browser that it was not used with before."
            }
        }
    }
}

/// Tells `user` of something that was done `at` some time from `origin`.
#[must_use]
pub(crate) fn notice(
    links: &Links,
    user: &User,
    notice: Notice,
    at: Timestamp,
    origin: &Origin,
) -> Mail {
    let User { name, email, .. } = user;
    let what = notice.what();
    let when = at.format("%-d %B %Y, %H:%M");
    let browser = browser_name(origin.user_agent.as_deref());
    let address = origin.ip;
    let link = links.forgot_password();
    let body = format!(
        "Hello {name},\n\
         \n\
         {what}\n\
         \n\
         \x20   When:  {when} (UTC)\n\
         \x20   With:  {browser}\n\
         \x20   From:  {address}\n\
         \n\
         If that was you, you can ignore this mail.\n\
         \n\
         If it was not, somebody else can sign in to your account. Please choose\n\
         a new password at once; that ends all sessions:\n\
         \n\
         {link}\n\
         {}",
        signature(links)
    );
    Mail::new(email.clone(), notice.subject(), body)
}
