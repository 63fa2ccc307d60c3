//! What is recorded as refused, and what its entry says.

use ideavault_domain::Timestamp;
use ideavault_domain::audit::{AuditKind, Subject};
use ideavault_domain::email::Email;
use ideavault_domain::gate::GateContext;
use ideavault_domain::ids::{FileId, IdeaId, RecipientId, UserId};
use ideavault_domain::ports::{DatabaseError, Transaction};

use crate::actor::Caller;
use crate::ideas::idea_exists;
use crate::share_access::ShareReference;
use crate::viewers::open_registrations;

/// Something that was refused.
#[derive(Clone, Debug)]
pub enum Refused {
    /// A login with what was typed as the address.
    Login(String),
    /// A link that is revoked, expired, exhausted or unknown; none if what was sent is no token.
    Link(Option<ShareReference>),
    /// A link that is for another address.
    Address(ShareReference),
    /// A file.
    File(FileId),
    /// Reading or writing comments.
    Comments {
        /// The recipient named in the request, if any.
        recipient: Option<RecipientId>,
        /// The idea named in the request, if any.
        idea: Option<IdeaId>,
    },
    /// A request beyond a rate limit, to the route with that pattern.
    Limit(String),
}

/// What an entry says about it.
pub(super) struct Denial {
    pub(super) kind: AuditKind,
    pub(super) account: Option<UserId>,
    pub(super) subject: Option<Subject>,
}

impl Refused {
    /// Finds what an entry says. It never has what was typed: that may be a password in the wrong
    /// field. Ids that do not exist are not recorded.
    pub(super) fn found(
        &self,
        tx: &mut dyn Transaction,
        caller: &Caller,
        now: Timestamp,
    ) -> Result<Denial, DatabaseError> {
        let (kind, account, subject) = match self {
            Self::Login(typed) => {
                let email = Email::parse(typed).ok();
                let found = match email {
                    Some(email) => tx.users().credentials(&email)?.map(|found| found.user),
                    None => None,
                };
                let kind = match &found {
                    Some(user) if user.is_disabled() => AuditKind::DisabledLogin,
                    _ => AuditKind::LoginFailed,
                };
                (kind, found.map(|user| user.id), None)
            }
            Self::Link(None) => (AuditKind::LinkDenied, None, None),
            Self::Link(Some(link)) => (AuditKind::LinkDenied, None, share(tx, link)?),
            Self::Address(link) => (AuditKind::AddressRefused, None, share(tx, link)?),
            Self::File(id) => {
                let subject = file(tx, caller, *id, now)?;
                (AuditKind::FileRefused, caller.user, subject)
            }
            Self::Comments { recipient, idea } => {
                let subject = comments(tx, caller, (*recipient, *idea), now)?;
                (AuditKind::CommentsRefused, caller.user, subject)
            }
            Self::Limit(route) => {
                let route = Subject::Route(route.clone());
                (AuditKind::LimitReached, caller.user, Some(route))
            }
        };
        Ok(Denial {
            kind,
            account,
            subject,
        })
    }
}

fn share(
    tx: &mut dyn Transaction,
    link: &ShareReference,
) -> Result<Option<Subject>, DatabaseError> {
    let id = match link {
        ShareReference::Id(id) => Some(*id),
        ShareReference::Token(token) => {
            let found = tx.shares().share_by_token(&token.hash())?;
            found.map(|share| share.id)
        }
    };
    Ok(id.map(Subject::Share))
}

/// Returns the link that the caller's browser registered on to get a file, else the file.
fn file(
    tx: &mut dyn Transaction,
    caller: &Caller,
    id: FileId,
    now: Timestamp,
) -> Result<Option<Subject>, DatabaseError> {
    if tx.files().file(id)?.is_none() {
        return Ok(None);
    }
    let showing = tx.files().ideas_showing(id)?;
    let link = own_link(tx, caller, now, |found| showing.contains(&found.share.idea))?;
    Ok(Some(link.unwrap_or(Subject::File(id))))
}

/// Returns the link that the caller's browser registered on to get comments, else their idea.
fn comments(
    tx: &mut dyn Transaction,
    caller: &Caller,
    (recipient, idea): (Option<RecipientId>, Option<IdeaId>),
    now: Timestamp,
) -> Result<Option<Subject>, DatabaseError> {
    let link = own_link(tx, caller, now, |found| {
        recipient.is_none_or(|id| found.is_of(id))
            && idea.is_none_or(|idea| found.share.idea == idea)
    })?;
    match idea {
        Some(idea) if link.is_none() => Ok(idea_exists(tx, idea)?.then_some(Subject::Idea(idea))),
        _ => Ok(link),
    }
}

fn own_link(
    tx: &mut dyn Transaction,
    caller: &Caller,
    now: Timestamp,
    wanted: impl Fn(&GateContext) -> bool,
) -> Result<Option<Subject>, DatabaseError> {
    let registrations = open_registrations(tx, caller.viewer.as_ref(), now)?.unwrap_or_default();
    let found = registrations.iter().find(|gate| wanted(gate));
    Ok(found.map(|gate| Subject::Share(gate.share.id)))
}
