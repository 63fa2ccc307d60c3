//! Links.

use super::error::DatabaseError;
use crate::Timestamp;
use crate::ids::{IdeaId, ShareId, UserId};
use crate::recipient::ViewGrant;
use crate::share::{Share, ShareSettingsChange};
use crate::text::ShareName;
use crate::token::{Token, TokenHash};

type Result<T> = std::result::Result<T, DatabaseError>;

/// The idea of a link, and its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShareOwner {
    /// The idea that it shows.
    pub idea: IdeaId,
    /// The owner of that idea, whose account is not disabled.
    pub owner: UserId,
}

/// A link in the list of its idea.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedShare {
    /// The link.
    pub share: Share,
    /// When the link's last view was granted.
    pub last_view_at: Option<Timestamp>,
    /// Number of registrations that the activity log counts without listing them.
    pub folded_registrations: i64,
}

/// Share links.
pub trait Shares {
    /// Adds a link with that token, of which `share` has the hash.
    fn add_share(&mut self, share: &Share, token: &Token) -> Result<()>;

    /// Returns the link with that id, expired or not.
    fn share(&mut self, id: ShareId) -> Result<Option<Share>>;

    /// Returns the link with that token, expired or not.
    fn share_by_token(&mut self, token: &TokenHash) -> Result<Option<Share>>;

    /// Returns whose link it is; `None` once its idea is deleted. Reads nothing encrypted: a link is revoked even if its idea
    /// is damaged.
    fn share_owner(&mut self, id: ShareId) -> Result<Option<ShareOwner>>;

    /// Returns all links of an idea, newest first, including revoked and expired
    /// ones.
    fn shares_of(&mut self, idea: IdeaId) -> Result<Vec<ListedShare>>;

    /// Returns the token of a link; `None`, and logs it, if it is damaged.
    fn share_token(&mut self, id: ShareId) -> Result<Option<Token>>;

    /// Returns the tokens of all links of an idea. Leaves out damaged ones, and logs them.
    fn share_tokens_of(&mut self, idea: IdeaId) -> Result<Vec<(ShareId, Token)>>;

    /// Sets or removes a link's name. The link must exist.
    fn rename_share(&mut self, id: ShareId, name: Option<&ShareName>) -> Result<()>;

    /// Revokes a link. Returns `false`, and keeps the earlier time, when it was revoked.
    fn revoke_share(&mut self, id: ShareId, at: Timestamp) -> Result<bool>;

    /// Revokes all links of an account; earlier revocation times are kept. Returns those
    /// that it revoked, each with its idea.
    fn revoke_shares_of(&mut self, owner: UserId, at: Timestamp) -> Result<Vec<(IdeaId, ShareId)>>;

    /// Changes the settings that `change` names, and leaves the others to who changes them
    /// meanwhile. The link must exist.
    fn change_share_settings(&mut self, id: ShareId, change: &ShareSettingsChange) -> Result<()>;

    /// Counts a view and records its grant. Returns `false` and writes nothing when
    /// the link is revoked, expired or exhausted at `grant.granted_at`, when its idea is deleted or
    /// its owner's account disabled, when the registration is over, not accepted or, on a link for an
    /// address, not confirmed, when the recipient already has an active view, or when a one-time link
    /// gave the recipient's browser
    /// ([`ViewerSession::browser`](crate::recipient::ViewerSession::browser)) a view before. Conditional
    /// updates, so that a race cannot exceed the limit.
    fn claim_view(&mut self, grant: &ViewGrant) -> Result<bool>;
}
