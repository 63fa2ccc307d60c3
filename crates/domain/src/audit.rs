//! The security audit log of the operator: logins, denials, and what was disclosed,
//! ended or erased.
//!
//! Invariant: an entry holds ids, never a token, a code, a password, an email
//! address, or content of an idea.

use std::fmt;
use std::str::FromStr;

use chrono::Duration;
use thiserror::Error;

use crate::Timestamp;
use crate::digest::Digest;
use crate::ids::{FileId, IdeaId, RecipientId, ShareId, UserId, UserSessionId};
use crate::recipient::Origin;

/// Most denials recorded per minute, over all clients.
///
/// Denials cost an attacker nothing, and entries are kept for long: this bounds
/// the disk space that a distributed flood can fill. All other events need an account
/// and are always recorded.
pub const DENIALS_PER_MINUTE: i64 = 120;

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal,)+) => {
        /// The kind of a security event.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum AuditKind {
            $($(#[$doc])* $kind,)+
        }

        impl AuditKind {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$kind,)+];

            /// Returns the name that is stored and printed.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)+
                }
            }
        }
    };
}

kinds! {
    /// An account was created.
    Registered = "registered",
    /// The address of an account was confirmed.
    EmailConfirmed = "confirmed",
    /// The operator invited somebody to register.
    Invited = "invited",
    /// An idea was published.
    Published = "published",
    /// A login succeeded.
    LoggedIn = "login",
    /// A login failed: wrong address, password or code.
    LoginFailed = "login-failed",
    /// A login to a disabled account was attempted.
    DisabledLogin = "disabled-login",
    /// Too many wrong codes with the right password: codes are locked for a while.
    SecondStepLocked = "second-step-locked",
    /// The password was changed by somebody who knew the old one.
    PasswordChanged = "password-changed",
    /// A link to reset a password was mailed.
    ResetRequested = "reset-requested",
    /// A password was reset with a mailed link.
    PasswordReset = "password-reset",
    /// Two-step sign-in was turned on.
    TwoFactorOn = "second-factor-on",
    /// Two-step sign-in was turned off.
    TwoFactorOff = "second-factor-off",
    /// Two-step sign-in was turned off by the operator.
    TwoFactorRemoved = "second-factor-removed",
    /// A login used a recovery code.
    RecoveryCodeUsed = "recovery-code-used",
    /// The recovery codes were replaced.
    RecoveryCodesReplaced = "recovery-codes-replaced",
    /// A session was ended by its owner from another session.
    SessionRevoked = "session-revoked",
    /// A share link was created.
    ShareCreated = "share-created",
    /// A share link was revoked by its owner.
    ShareRevoked = "share-revoked",
    /// Downloads on a share link were allowed by its owner.
    DownloadsAllowed = "downloads-allowed",
    /// Downloads on a share link were forbidden by its owner.
    DownloadsForbidden = "downloads-forbidden",
    /// Access was denied: the link is revoked, expired, exhausted or unknown.
    LinkDenied = "link-dead",
    /// Access was denied: the link is for another address.
    AddressRefused = "address-refused",
    /// A file was denied: absent, or not accessible to the caller.
    FileRefused = "file-refused",
    /// Reading or writing comments was denied.
    CommentsRefused = "comments-refused",
    /// A code was wrong, used up or expired.
    CodeRefused = "code-refused",
    /// A rate limit was reached.
    LimitReached = "limit-reached",
    /// A draft was deleted and its content erased.
    DraftDeleted = "draft-deleted",
    /// Delivery of a mail was given up: refused, or expired.
    MailGivenUp = "mail-given-up",
    /// The operator disabled an account.
    AccountDisabled = "account-disabled",
    /// The operator re-enabled an account.
    AccountEnabled = "account-enabled",
    /// A reader's personal data was erased by the owner of the idea, or by the operator.
    PersonErased = "person-erased",
    /// An account was deleted, by its owner or by the operator, and its content was erased.
    AccountDeleted = "account-deleted",
    /// The activity of an idea was exported.
    Exported = "exported",
    /// The master key was rotated.
    KeyRotated = "key-rotated",
    /// The vault was backed up.
    BackedUp = "backed-up",
}

impl AuditKind {
    /// Returns the kind with that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == name)
    }
}

/// The subject of an entry, besides the account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A share link.
    Share(ShareId),
    /// An idea.
    Idea(IdeaId),
    /// A file.
    File(FileId),
    /// A registration on a link.
    Recipient(RecipientId),
    /// A login session.
    Session(UserSessionId),
    /// A route of the API, by its pattern, which contains no ids.
    Route(String),
    /// A mail: what it was for and why it was given up, without an address.
    Mail(String),
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Share(id) => write!(f, "share {id}"),
            Self::Idea(id) => write!(f, "idea {id}"),
            Self::File(id) => write!(f, "file {id}"),
            Self::Recipient(id) => write!(f, "recipient {id}"),
            Self::Session(id) => write!(f, "session {id}"),
            Self::Route(pattern) => write!(f, "route {pattern}"),
            Self::Mail(text) => write!(f, "mail {text}"),
        }
    }
}

/// Error: the text names no subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not the subject of an audit entry")]
pub struct NotASubject;

impl FromStr for Subject {
    type Err = NotASubject;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (what, id) = text.split_once(' ').ok_or(NotASubject)?;
        match what {
            "share" => id.parse().map(Self::Share).map_err(|_| NotASubject),
            "idea" => id
                .parse::<i64>()
                .map(|id| Self::Idea(id.into()))
                .map_err(|_| NotASubject),
            "file" => id.parse().map(Self::File).map_err(|_| NotASubject),
            "recipient" => id.parse().map(Self::Recipient).map_err(|_| NotASubject),
            "session" => id.parse().map(Self::Session).map_err(|_| NotASubject),
            "route" => Ok(Self::Route(id.to_owned())),
            "mail" => Ok(Self::Mail(id.to_owned())),
            _ => Err(NotASubject),
        }
    }
}

/// How long the audit log is kept; `None`: for good.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AuditRetention {
    /// The entries.
    pub entries: Option<Duration>,
    /// The network address and the browser in each.
    pub addresses: Option<Duration>,
}

/// An entry of the audit log. Written once, and never changed but for its [`AuditRetention`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// When it happened.
    pub at: Timestamp,
    /// The kind of event.
    pub kind: AuditKind,
    /// The account concerned, if known.
    pub account: Option<UserId>,
    /// The subject besides the account.
    pub subject: Option<Subject>,
    /// Origin of the request; `None` for a command of the operator, or after its
    /// [`AuditRetention`].
    pub origin: Option<Origin>,
}

/// How often an event happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrences {
    /// Number of entries.
    pub count: i64,
    /// When it happened last; `None` if never.
    pub last: Option<Timestamp>,
}

impl AuditEntry {
    /// Creates an entry for an action of `account`.
    #[must_use]
    pub fn by(account: UserId, kind: AuditKind, at: Timestamp, origin: Origin) -> Self {
        Self {
            at,
            kind,
            account: Some(account),
            subject: None,
            origin: Some(origin),
        }
    }

    /// Sets the subject.
    #[must_use]
    pub fn about(self, subject: Subject) -> Self {
        Self {
            subject: Some(subject),
            ..self
        }
    }

    /// Returns the start of the entry's minute.
    #[must_use]
    pub fn minute(&self) -> Timestamp {
        let second = self.at.timestamp();
        Timestamp::from_timestamp(second - second.rem_euclid(60), 0).unwrap_or(self.at)
    }

    /// Returns the deduplication key of a denial: of denials with the same kind,
    /// account, subject, client and minute, only the first is recorded.
    #[must_use]
    pub fn slot(&self) -> Digest {
        let text = |part: Option<String>| part.unwrap_or_default();
        let parts = [
            self.kind.as_str().to_owned(),
            text(self.account.map(|id| id.to_string())),
            text(self.subject.as_ref().map(Subject::to_string)),
            text(self.origin.as_ref().map(|from| from.network().to_string())),
            self.minute().timestamp().to_string(),
        ];
        Digest::of(parts.join("\n").as_bytes())
    }
}

#[cfg(test)]
mod tests;
