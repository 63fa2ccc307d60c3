//! A creator's share links: create, list, revoke.

use std::sync::Arc;

use chrono::Duration;
use ideavault_domain::Timestamp;
use ideavault_domain::admission::AddressConfirmation;
use ideavault_domain::audit::{AuditEntry, AuditKind, Subject};
use ideavault_domain::evidence::Event;
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::idea::{DisclosedIdea, IdeaWithContent};
use ideavault_domain::idempotency::IdempotencyKey;
use ideavault_domain::ids::{IdeaId, ShareId, UserId};
use ideavault_domain::nda::{AgreementParts, AgreementVersion};
use ideavault_domain::notice::NotificationMode;
use ideavault_domain::ports::{
    Database, DatabaseError, GateAddress, GateQuery, ListedShare, PortError, RateLimited,
};
use ideavault_domain::rate_limit::{LimitKey, RateLimit};
use ideavault_domain::recipient::Origin;
use ideavault_domain::share::{
    Invitation, Share, ShareRequest, ShareSettings, ShareSettingsChange, ShareSettingsRequest,
    ShareState, ShareTerms,
};
use ideavault_domain::text::ShareName;
use ideavault_domain::token::Token;
use thiserror::Error;

use crate::confirmations::{self, Unconfirmed};
use crate::deps::Deps;
use crate::email_composer::EmailComposer;
use crate::emails;
use crate::ideas::{IdeaError, own_idea, own_idea_with_content, require_own_idea};
use crate::random;
use crate::share_access::{ShareView, Stage};

/// The reason why an action on a link failed.
#[derive(Debug, Error)]
pub enum ShareError {
    /// The link or its idea is absent, or somebody else's.
    #[error("no such share")]
    NotFound,
    /// The account's address must be confirmed first.
    #[error(transparent)]
    Unconfirmed(#[from] Unconfirmed),
    /// Enough links were mailed today.
    #[error(transparent)]
    RateLimited(#[from] RateLimited),
    /// A field is invalid.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The idea could not be loaded.
    #[error(transparent)]
    Idea(#[from] IdeaError),
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Randomness failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<ShareError> for Failure {
    fn from(error: ShareError) -> Self {
        match error {
            ShareError::NotFound => Self::NotFound,
            ShareError::Unconfirmed(unconfirmed) => unconfirmed.into(),
            ShareError::RateLimited(limited) => limited.into(),
            ShareError::Invalid(invalid) => Self::Invalid(invalid),
            ShareError::Idea(error) => error.into(),
            ShareError::Database(error) => error.into(),
            ShareError::Port(error) => error.into(),
        }
    }
}

/// A link as its owner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnShare {
    /// The link.
    pub share: Share,
    /// Its token, for 'Copy Link'; `None` if it is damaged.
    pub token: Option<Token>,
    /// Whether it is active, exhausted, expired or revoked.
    pub state: ShareState,
    /// When its last view was granted.
    pub last_view_at: Option<Timestamp>,
    /// When it stopped accepting new recipients, if it has.
    pub ended_at: Option<Timestamp>,
    /// The link's own notification mode; `None` follows the account.
    pub notifications: Option<NotificationMode>,
    /// Number of registrations that the activity log counts without listing them.
    pub folded_registrations: i64,
}

/// A link as its readers see it, for its owner.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnPreview {
    /// The link with its content.
    pub opened: ShareView,
    /// The version of its agreement.
    pub version: AgreementVersion,
    /// The agreement that it offers, to nobody yet.
    pub agreement: AgreementParts,
}

/// Changes to a link.
#[derive(Clone, Debug, Default)]
pub struct ShareChange {
    /// The new name; a blank one removes the name, `None` leaves it unchanged.
    pub name: Option<String>,
    /// The settings that it has from now on.
    pub settings: ShareSettingsRequest,
}

/// Delivery deadline of an invitation mail, counted from its composition.
const INVITATION_LIFETIME: Duration = Duration::days(3);

/// Share link actions.
pub struct Shares<S> {
    deps: Deps<S>,
    email_composer: Arc<EmailComposer>,
    confirmation: AddressConfirmation,
}

impl<S: Database> Shares<S> {
    /// Creates the service from its dependencies.
    pub fn new(
        deps: Deps<S>,
        email_composer: Arc<EmailComposer>,
        confirmation: AddressConfirmation,
    ) -> Self {
        Self {
            deps,
            email_composer,
            confirmation,
        }
    }

    /// Creates a link to an own idea, draft or published. A link for one address is
    /// mailed there. If the user has created one with the same `key` before, creates nothing
    /// and returns that one as it is now.
    ///
    /// # Errors
    /// [`ShareError::Invalid`], [`ShareError::Idea`] when the idea is not the user's,
    /// [`ShareError::Unconfirmed`], or [`ShareError::RateLimited`] when it would be
    /// mailed.
    pub fn create(
        &self,
        user: UserId,
        idea: IdeaId,
        request: &ShareRequest,
        origin: Origin,
        key: Option<&IdempotencyKey>,
    ) -> Result<OwnShare, ShareError> {
        let now = self.deps.clock.now();
        let terms = ShareTerms::parse(request, now)?;
        let name = ShareName::parse_optional(request.name.as_deref())?;
        let settings = ShareSettingsChange::parse(&request.settings)?;
        let invitation = Invitation::parse(request)?;
        let id = ShareId::from_random(match key {
            Some(key) => key.id_of(&user.to_string(), &format!("link to {idea}")),
            None => random::bytes(self.deps.random.as_ref())?,
        });
        let token = Token::from_random(random::bytes(self.deps.random.as_ref())?);
        let mut share = Share {
            id,
            idea,
            name,
            terms,
            token_hash: token.hash(),
            view_count: 0,
            settings: settings.applied_to(ShareSettings::default()),
            revoked_at: None,
            created_at: now,
        };
        let is_new = self.deps.database.write(|tx| {
            let now = self.deps.clock.now();
            share.created_at = now;
            let idea = own_idea(tx, user, idea)?;
            if key.is_some() && tx.shares().share_owner(id)?.is_some() {
                return Ok(false);
            }
            let owner = tx.users().user(user)?.ok_or(ShareError::NotFound)?;
            confirmations::demand(self.confirmation, &owner)?;
            // Or else answers could be led to anybody.
            if invitation.reply_to_me && !owner.has_confirmed_email() {
                return Err(Unconfirmed.into());
            }
            tx.shares().add_share(&share, &token)?;
            let entry = AuditEntry::by(user, AuditKind::ShareCreated, now, origin.clone());
            tx.audit().record(&entry.about(Subject::Share(id)))?;
            tx.evidence_log()
                .append_event(&Event::share_created(&share))?;
            if let Some(recipient) = share.terms.recipient_email() {
                let mail = emails::share_invitation(
                    self.email_composer.links(),
                    recipient,
                    &owner,
                    share.title_before_agreement(&idea.title),
                    &token,
                    &invitation,
                );
                let mail = self
                    .email_composer
                    .compose(mail, now, INVITATION_LIFETIME)?;
                tx.outbox().queue_mail(&mail)?;
                tx.outbox().set_link(mail.id, id, user)?;
                // Last, because the vault's count stays locked until the commit.
                let of_vault = LimitKey::of_accounts(user, origin.network());
                for (limit, key) in [
                    (RateLimit::Invitations, LimitKey::of(user)),
                    (RateLimit::InvitationsOfVault, of_vault),
                ] {
                    let limits = &self.deps.limits;
                    limits.count::<ShareError>(tx, limit, &key, now)?;
                }
            }
            Ok::<_, ShareError>(true)
        })?;
        if !is_new {
            let mut own = self.list(user, idea)?.into_iter();
            let known = own.find(|own| own.share.id == id);
            return known.ok_or(ShareError::NotFound);
        }
        Ok(OwnShare {
            state: share.state(now),
            last_view_at: None,
            ended_at: None,
            notifications: None,
            folded_registrations: 0,
            share,
            token: Some(token),
        })
    }

    /// Returns all links of an own idea, newest first, including revoked and expired
    /// ones.
    ///
    /// # Errors
    /// [`ShareError::Idea`] when the idea is not the user's.
    pub fn list(&self, user: UserId, idea: IdeaId) -> Result<Vec<OwnShare>, ShareError> {
        let now = self.deps.clock.now();
        let (shares, tokens, modes) = self.deps.database.read(|tx| {
            require_own_idea(tx, user, idea)?;
            let shares = tx.shares().shares_of(idea)?;
            let tokens = tx.shares().share_tokens_of(idea)?;
            let modes = tx.notification_settings().share_notification_modes(idea)?;
            Ok::<_, ShareError>((shares, tokens, modes))
        })?;
        let shares = shares
            .into_iter()
            .map(|listed| {
                let ListedShare {
                    share,
                    last_view_at,
                    folded_registrations,
                } = listed;
                let own_mode = modes.iter().find(|(id, _)| *id == share.id);
                let token = tokens.iter().find(|(id, _)| *id == share.id);
                OwnShare {
                    notifications: own_mode.map(|(_, mode)| *mode),
                    token: token.map(|(_, token)| token.clone()),
                    state: share.state(now),
                    ended_at: share.ended_at(now, last_view_at),
                    last_view_at,
                    folded_registrations,
                    share,
                }
            })
            .collect();
        Ok(shares)
    }

    /// Returns what a link of the user shows to its readers, whatever its state. Counts and records
    /// nothing.
    ///
    /// # Errors
    /// [`ShareError::NotFound`] or [`ShareError::Idea`] when it is not the user's.
    pub fn preview(&self, user: UserId, id: ShareId) -> Result<OwnPreview, ShareError> {
        self.deps.database.read(|tx| {
            let share = tx.shares().share(id)?.ok_or(ShareError::NotFound)?;
            let IdeaWithContent { idea, content } = own_idea_with_content(tx, user, share.idea)?;
            let owner = tx.users().user(user)?.ok_or(ShareError::NotFound)?;
            let version = AgreementVersion::CURRENT;
            let sharer = owner.name;
            let title = share.title_before_agreement(&idea.title);
            let agreement = version.specimen(&idea, title, &sharer);
            let disclosed = DisclosedIdea { idea, sharer };
            Ok(OwnPreview {
                version,
                agreement,
                opened: ShareView {
                    share,
                    disclosed,
                    recipient: None,
                    stage: Stage::Open {
                        content,
                        ends_at: None,
                    },
                },
            })
        })
    }

    /// Returns the id of the user's link with that token, ended or not; `None` if it is none of
    /// theirs.
    pub fn find(&self, user: UserId, token: &Token) -> Result<Option<ShareId>, ShareError> {
        let query = GateQuery {
            address: GateAddress::Token(token.hash()),
            viewer: None,
            with_content: false,
            guesses: &[],
            now: self.deps.clock.now(),
        };
        let database = &self.deps.database;
        let gate = database.read_one(|tx| tx.recipients().find_gate(&query))?;
        let own = gate.filter(|gate| gate.disclosed.idea.owner == user && gate.context.idea_exists);
        Ok(own.map(|gate| gate.context.share.id))
    }

    /// Revokes a link for everybody, immediately, and withdraws the mail that brings it to its
    /// reader if that still waits. Idempotent.
    ///
    /// # Errors
    /// [`ShareError::NotFound`] when it is not the user's.
    pub fn revoke(&self, user: UserId, id: ShareId, origin: Origin) -> Result<(), ShareError> {
        self.deps.database.write(|tx| {
            let now = self.deps.clock.now();
            let share = tx.shares().share_owner(id)?;
            let share = share.filter(|share| share.owner == user);
            let share = share.ok_or(ShareError::NotFound)?;
            if tx.shares().revoke_share(id, now)? {
                let event = Event::share_revoked(share.idea, id, now);
                tx.evidence_log().append_event(&event)?;
                tx.outbox().drop_mail_of_link(id)?;
                let entry = AuditEntry::by(user, AuditKind::ShareRevoked, now, origin.clone());
                tx.audit().record(&entry.about(Subject::Share(id)))?;
            }
            Ok(())
        })
    }

    /// Changes the name and the settings of a link, expired or not. Whether it allows downloads
    /// is recorded.
    ///
    /// # Errors
    /// [`ShareError::Invalid`], or [`ShareError::NotFound`] when it is not the user's.
    pub fn change(
        &self,
        user: UserId,
        id: ShareId,
        change: &ShareChange,
        origin: Origin,
    ) -> Result<(), ShareError> {
        let now = self.deps.clock.now();
        let name = match change.name.as_deref() {
            Some(raw) => Some(ShareName::parse_optional(Some(raw))?),
            None => None,
        };
        let settings = ShareSettingsChange::parse(&change.settings)?;
        self.deps.database.write(|tx| {
            let share = tx.shares().share(id)?.ok_or(ShareError::NotFound)?;
            require_own_idea(tx, user, share.idea)?;
            if let Some(name) = &name {
                tx.shares().rename_share(id, name.as_ref())?;
            }
            tx.shares().change_share_settings(id, &settings)?;
            let may_download = share.settings.allow_download;
            let allowed = settings.allow_download.unwrap_or(may_download);
            if allowed != may_download {
                let kind = if allowed {
                    AuditKind::DownloadsAllowed
                } else {
                    AuditKind::DownloadsForbidden
                };
                let entry = AuditEntry::by(user, kind, now, origin.clone());
                tx.audit().record(&entry.about(Subject::Share(id)))?;
            }
            Ok(())
        })
    }
}
