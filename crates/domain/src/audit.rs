//! The operator's record of what matters to security: who came in, who was
//! turned away, what was opened, closed or erased.
//!
//! Invariant: an entry holds ids, never a token, a code, a password, an address
//! of mail, or anything that an idea says.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::Timestamp;
use crate::digest::Digest;
use crate::ids::{FileId, IdeaId, RecipientId, ShareId, UserId, UserSessionId};
use crate::recipient::Origin;

/// Most denials that are kept of one minute, whoever is denied.
///
/// Denials cost an attacker nothing, and an entry can never be removed: this is
/// what bounds the disk that a flood from everywhere takes. Everything else needs
/// an account, and is kept without exception.
pub const DENIALS_PER_MINUTE: i64 = 120;

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal,)+) => {
        /// What happened.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum AuditKind {
            $($(#[$doc])* $kind,)+
        }

        impl AuditKind {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$kind,)+];

            /// The name by which it is stored and printed.
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
    /// Somebody registered.
    Registered = "registered",
    /// The owner of an account showed that mails to its address arrive.
    EmailConfirmed = "confirmed",
    /// The operator invited somebody to register.
    Invited = "invited",
    /// An idea was published.
    Published = "published",
    /// Somebody signed in.
    LoggedIn = "login",
    /// An address and a password did not match, or the code besides was wrong.
    LoginFailed = "login-failed",
    /// Somebody tried to sign in to an account that the operator keeps closed.
    DisabledLogin = "disabled-login",
    /// Too many wrong codes came with the right password: for a while none is taken.
    SecondStepLocked = "second-step-locked",
    /// Somebody who knew the password chose another.
    PasswordChanged = "password-changed",
    /// A link to reset a password was mailed.
    ResetRequested = "reset-requested",
    /// A password was replaced with a mailed link.
    PasswordReset = "password-reset",
    /// An authenticator app was added: logins need its codes from now on.
    SecondFactorOn = "second-factor-on",
    /// Logins need the password alone from now on.
    SecondFactorOff = "second-factor-off",
    /// The same, by the operator.
    SecondFactorRemoved = "second-factor-removed",
    /// Somebody signed in with a recovery code.
    RecoveryCodeUsed = "recovery-code-used",
    /// Recovery codes were replaced by new ones.
    RecoveryCodesReplaced = "recovery-codes-replaced",
    /// A session was ended by its owner, from another one.
    SessionRevoked = "session-revoked",
    /// A link to an idea was made.
    ShareCreated = "share-created",
    /// A link was ended by its owner.
    ShareRevoked = "share-revoked",
    /// A link was refused: revoked, expired, exhausted or unknown.
    LinkDead = "link-dead",
    /// A link was refused to another address than the one it was sent to.
    AddressRefused = "address-refused",
    /// A file was refused: absent, or not for whoever asked.
    FileRefused = "file-refused",
    /// Comments were refused, to read or to write.
    CommentsRefused = "comments-refused",
    /// A code was wrong, or worked no more.
    CodeRefused = "code-refused",
    /// Somebody asked too often.
    LimitReached = "limit-reached",
    /// A draft was deleted, and its content erased.
    DraftDeleted = "draft-deleted",
    /// A mail was given up: its address, or its time, allows no more attempts.
    MailGivenUp = "mail-given-up",
    /// The operator closed an account.
    AccountDisabled = "account-disabled",
    /// The operator opened it again.
    AccountEnabled = "account-enabled",
    /// The operator deleted an account, and its content was erased.
    AccountDeleted = "account-deleted",
    /// The activity on an idea was exported.
    Exported = "exported",
    /// The master key was replaced.
    KeyRotated = "key-rotated",
    /// The vault was copied to a backup.
    BackedUp = "backed-up",
}

impl AuditKind {
    /// The kind with that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == name)
    }
}

/// What an entry is about, besides the account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A link.
    Share(ShareId),
    /// An idea.
    Idea(IdeaId),
    /// A file.
    File(FileId),
    /// A registration on a link.
    Recipient(RecipientId),
    /// A signed-in browser.
    Transaction(UserSessionId),
    /// A route of the API, by its pattern, which names nothing that was asked for.
    Route(String),
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Share(id) => write!(f, "share {id}"),
            Self::Idea(id) => write!(f, "idea {id}"),
            Self::File(id) => write!(f, "file {id}"),
            Self::Recipient(id) => write!(f, "recipient {id}"),
            Self::Transaction(id) => write!(f, "session {id}"),
            Self::Route(pattern) => write!(f, "route {pattern}"),
        }
    }
}

/// A text that names no subject.
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
            "session" => id.parse().map(Self::Transaction).map_err(|_| NotASubject),
            "route" => Ok(Self::Route(id.to_owned())),
            _ => Err(NotASubject),
        }
    }
}

/// One thing that happened. Written once, never changed, never deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// When.
    pub at: Timestamp,
    /// What.
    pub kind: AuditKind,
    /// Whose account it is about, if one is known.
    pub account: Option<UserId>,
    /// What else it is about.
    pub subject: Option<Subject>,
    /// From where; none for a command of the operator.
    pub origin: Option<Origin>,
}

/// How often something happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrences {
    /// How many times.
    pub count: i64,
    /// When last; none when never.
    pub last: Option<Timestamp>,
}

impl AuditEntry {
    /// Something that `account` did.
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

    /// The same, about `subject`.
    #[must_use]
    pub fn about(self, subject: Subject) -> Self {
        Self {
            subject: Some(subject),
            ..self
        }
    }

    /// When its minute began.
    #[must_use]
    pub fn minute(&self) -> Timestamp {
        let second = self.at.timestamp();
        Timestamp::from_timestamp(second - second.rem_euclid(60), 0).unwrap_or(self.at)
    }

    /// What denials are told apart by: of those of one kind, account, subject,
    /// client and minute, the first is kept.
    #[must_use]
    pub fn slot(&self) -> Digest {
        let text = |part: Option<String>| part.unwrap_or_default();
        let parts = [
            self.kind.as_str().to_owned(),
            text(self.account.map(|id| id.to_string())),
            text(self.subject.as_ref().map(Subject::to_string)),
            text(self.origin.as_ref().map(Origin::network)),
            self.minute().timestamp().to_string(),
        ];
        Digest::of(parts.join("\n").as_bytes())
    }
}

#[cfg(test)]
mod tests;
