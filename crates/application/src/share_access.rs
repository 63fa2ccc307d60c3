//! A recipient's way through the gate: look up, register, accept the NDA, read,
//! close.

use std::sync::Arc;

use chrono::Duration;
use ideavault_domain::Timestamp;
use ideavault_domain::daily_caps::{CappedMails, DailyCaps};
use ideavault_domain::evidence::Event;
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::file::StoredFile;
use ideavault_domain::gate::Access;
use ideavault_domain::idea::DisclosedIdea;
use ideavault_domain::ids::{IdeaId, RecipientId, ShareId, UserId, ViewGrantId};
use ideavault_domain::mail::QueuedMail;
use ideavault_domain::notice::NoticeKind;
use ideavault_domain::ports::{
    BlobStore, CodeHasher, Database, DatabaseError, PortError, RateLimited, RateLimiter,
    StorageError, Transaction,
};
use ideavault_domain::recipient::{Ending, NdaAcceptance, Origin, Recipient, ViewGrant};
use ideavault_domain::share::{Share, ShareState};
use ideavault_domain::token::Token;
use thiserror::Error;

pub(crate) use self::downloads::own_page;
pub use self::downloads::{Download, DownloadError, Downloads};
use self::loaded_gate::{LoadedGate, find_share, own_registration};
pub use self::loaded_gate::{PendingCode, RecipientState, ShareReference, ShareView, Stage};
pub use self::registration::{Registration, RegistrationForm};
pub use self::viewer_keys::StageChange;
use self::viewer_keys::move_to;
use crate::daily_caps::{self, CapReached};
use crate::deps::Deps;
use crate::email_composer::EmailComposer;
use crate::files::check_readable;
use crate::gate::{activate_new_key, live_viewer};
use crate::ideas::idea_exists;
use crate::notifications::add_notice;
use crate::recording::{
    agreement_accepted, is_agreement_delivered, is_revision_delivered, revision_delivered,
};
use crate::views::begin_view;
use crate::{emails, random};

mod confirmation;
mod downloads;
mod loaded_gate;
mod registration;
mod viewer_keys;

/// How long the mail with a receipt waits, so that the acceptance has its place in the log.
const RECEIPT_DELAY: Duration = Duration::seconds(5);
/// Delivery deadline of that mail, counted from the acceptance.
const RECEIPT_LIFETIME: Duration = Duration::days(3);

/// The reason why a recipient was refused.
#[derive(Debug, Error)]
pub enum ShareAccessError {
    /// The link is unknown, revoked, expired or exhausted, or the registration is
    /// somebody else's.
    #[error("no such share or recipient")]
    NotFound,
    /// The link is for another address.
    #[error("the link is for another email address")]
    WrongAddress,
    /// The address must be confirmed first.
    #[error("the email address is not confirmed")]
    Unconfirmed,
    /// The agreement must be accepted first.
    #[error("the agreement is not accepted")]
    NotAgreed,
    /// An accepted agreement cannot be declined.
    #[error("the agreement is accepted")]
    Agreed,
    /// The recipient needs no code.
    #[error("no code is required")]
    NoCodeRequired,
    /// Too many registrations, or too many codes.
    #[error(transparent)]
    RateLimited(#[from] RateLimited),
    /// The links of that account caused too many mails on this day.
    #[error(transparent)]
    CapReached(#[from] CapReached),
    /// A field is invalid.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The database has an idea without its content.
    #[error("the current revision of idea {0} has no content")]
    ContentMissing(IdeaId),
    /// A file that the idea shows cannot be read.
    #[error("a file of the idea cannot be read")]
    FileUnreadable(#[source] StorageError),
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Randomness failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<ShareAccessError> for Failure {
    fn from(error: ShareAccessError) -> Self {
        match error {
            ShareAccessError::NotFound => Self::NotFound,
            ShareAccessError::WrongAddress => Self::Forbidden(
                "This link was sent to another email address. Please enter the address that \
                 received it."
                    .into(),
            ),
            ShareAccessError::Unconfirmed => Self::Forbidden(
                "Please confirm your email address first, with the code that we sent to it.".into(),
            ),
            ShareAccessError::NotAgreed => {
                Self::Forbidden("Please accept the agreement first.".into())
            }
            ShareAccessError::Agreed => Self::Conflict(
                "You have accepted the agreement already, so it cannot be declined any more."
                    .into(),
            ),
            ShareAccessError::NoCodeRequired => {
                Self::Conflict("There is nothing to confirm with a code.".into())
            }
            ShareAccessError::RateLimited(limited) => limited.into(),
            ShareAccessError::CapReached(reached) => reached.into(),
            ShareAccessError::Invalid(invalid) => Self::Invalid(invalid),
            ShareAccessError::ContentMissing(_) => Self::Internal(Box::new(error)),
            ShareAccessError::FileUnreadable(_) => Self::FileUnavailable(Box::new(error)),
            ShareAccessError::Database(error) => error.into(),
            ShareAccessError::Port(error) => error.into(),
        }
    }
}

/// Access to shared ideas.
pub struct ShareAccess<S> {
    deps: Deps<S>,
    view_window: Duration,
    email_composer: Arc<EmailComposer>,
    codes: Arc<dyn CodeHasher>,
    storage: Arc<dyn BlobStore>,
    rate_limiter: Arc<dyn RateLimiter>,
    caps: DailyCaps,
}

/// The result of a lookup before a view is counted.
enum Lookup {
    /// Sent as it is, once what is new in it is recorded.
    ShareView(Box<ShareView>, Option<Box<Delivery>>),
    /// A view must be counted; the content shows these files.
    ReadyToView(Vec<StoredFile>),
}

/// What a browser is sent for the first time.
enum Delivery {
    Agreement(Recipient),
    /// A revision that is new in this view.
    Revision(DisclosedIdea, ViewGrant),
}

/// A reader who may have a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BundleHolder {
    /// The idea.
    pub idea: IdeaId,
    /// The reader.
    pub recipient: RecipientId,
    /// Whether the bundle may hold the content: while a view is active, on a link that
    /// allows downloads.
    pub may_have_content: bool,
}

impl<S: Database> ShareAccess<S> {
    /// Creates the service from its dependencies. A counted view lasts `view_window`.
    pub fn new(
        deps: Deps<S>,
        view_window: Duration,
        email_composer: Arc<EmailComposer>,
        codes: Arc<dyn CodeHasher>,
        storage: Arc<dyn BlobStore>,
        rate_limiter: Arc<dyn RateLimiter>,
        caps: DailyCaps,
    ) -> Self {
        Self {
            deps,
            view_window,
            email_composer,
            codes,
            storage,
            rate_limiter,
            caps,
        }
    }

    /// Looks up a link for a browser. Counts a view exactly when it returns content
    /// and no counted view is active, and never when a file that the content shows
    /// cannot be read.
    ///
    /// # Errors
    /// [`ShareAccessError::NotFound`] when that browser has no access;
    /// [`ShareAccessError::FileUnreadable`].
    pub fn open(
        &self,
        token: &Token,
        viewer: Option<&Token>,
    ) -> Result<ShareView, ShareAccessError> {
        let now = self.deps.clock.now();
        activate_new_key(self.deps.database.as_ref(), viewer, now)?;
        let database = &self.deps.database;
        let mut lookup = database.read(|tx| look_up(tx, token, viewer, now));
        if let Ok(Lookup::ShareView(_, Some(_))) = lookup {
            // Decided again: until it may write, the link may be revoked or the agreement
            // accepted.
            lookup = database.write(|tx| {
                let now = self.deps.clock.now();
                let lookup = look_up(tx, token, viewer, now)?;
                if let Lookup::ShareView(_, Some(delivery)) = &lookup {
                    delivery.record(tx, now)?;
                }
                Ok(lookup)
            });
        }
        let files = match lookup {
            Ok(Lookup::ShareView(opened, _)) => return Ok(*opened),
            Ok(Lookup::ReadyToView(files)) => files,
            Err(ShareAccessError::NotFound) => {
                self.notify_of_return(token, viewer, now)?;
                return Err(ShareAccessError::NotFound);
            }
            Err(error) => return Err(error),
        };
        for file in &files {
            check_readable(self.storage.as_ref(), file)
                .map_err(ShareAccessError::FileUnreadable)?;
        }
        self.claim_and_open(token, viewer, now)
    }

    /// Records that a recipient who had accepted returned to a link that has expired
    /// or is exhausted, because its owner may not know that it ended.
    fn notify_of_return(
        &self,
        token: &Token,
        viewer: Option<&Token>,
        now: Timestamp,
    ) -> Result<(), ShareAccessError> {
        let returned = self.deps.database.read(|tx| {
            let Some(viewer) = live_viewer(tx, viewer, now)? else {
                return Ok(None);
            };
            let share = find_share(tx, &ShareReference::Token(token.clone()))?;
            if share.revoked_at.is_some() {
                return Ok(None);
            }
            let progress = tx.recipients().newest_progress(viewer.id, share.id)?;
            Ok(progress
                .filter(|progress| progress.acceptance.is_some())
                .map(|progress| (share.id, progress.recipient.id)))
        });
        let (share, recipient) = match returned {
            Ok(Some(returned)) => returned,
            Ok(None) | Err(ShareAccessError::NotFound) => return Ok(()),
            Err(error) => return Err(error),
        };
        self.notify_of_refusal(share, Some(recipient), now)
    }

    fn notify_of_refusal(
        &self,
        share: ShareId,
        recipient: Option<RecipientId>,
        now: Timestamp,
    ) -> Result<(), ShareAccessError> {
        self.deps
            .database
            .write(|tx| Ok(add_notice(tx, NoticeKind::Refused, share, recipient, now)?))
    }

    /// Repeats the lookup and counts the view. Decides everything again in the
    /// writing transaction, because data read before may have changed.
    fn claim_and_open(
        &self,
        token: &Token,
        viewer: Option<&Token>,
        now: Timestamp,
    ) -> Result<ShareView, ShareAccessError> {
        let id = ViewGrantId::from_random(random::bytes(self.deps.random.as_ref())?);
        self.deps.database.write(|tx| {
            let gate = LoadedGate::load(tx, token, viewer, now)?;
            let ends_at = match (gate.context.access(now), &gate.context.progress) {
                (Access::Viewing { ends_at }, _) => ends_at,
                (Access::ReadyToView, Some(progress)) => {
                    let idea = &gate.disclosed.idea;
                    let grant =
                        ViewGrant::begin(id, &progress.recipient, idea, now, self.view_window);
                    let is_first = progress.grant.is_none();
                    if !begin_view(tx, &gate.disclosed, &grant, is_first)? {
                        // No view is left, unless a concurrent request of this
                        // browser took it.
                        let gate = LoadedGate::load(tx, token, viewer, now)?;
                        return match gate.context.access(now) {
                            Access::Viewing { ends_at } => gate.with_content(tx, ends_at),
                            _ => Err(ShareAccessError::NotFound),
                        };
                    }
                    grant.ends_at
                }
                _ => return Err(ShareAccessError::NotFound),
            };
            gate.with_content(tx, ends_at)
        })
    }

    /// Accepts the agreement that the recipient was offered, and gives the browser a
    /// new key, which alone grants the new access. Accepting again keeps the first
    /// time.
    ///
    /// # Errors
    /// [`ShareAccessError::Invalid`] unless `agreed`; [`ShareAccessError::NotFound`]
    /// when the recipient does not belong to this browser, or the browser has no
    /// access to the link; [`ShareAccessError::Unconfirmed`] before its address is
    /// confirmed.
    pub fn agree(
        &self,
        id: RecipientId,
        agreed: bool,
        viewer: Option<&Token>,
        origin: Origin,
    ) -> Result<StageChange, ShareAccessError> {
        if !agreed {
            return Err(Invalid::new("agreed", "The agreement can only be accepted").into());
        }
        let now = self.deps.clock.now();
        activate_new_key(self.deps.database.as_ref(), viewer, now)?;
        let fresh = self.fresh_viewer(now)?;
        self.deps.database.write(|tx| {
            let registration = own_registration(tx, id, viewer, now)?;
            let mut recipient = registration.progress.recipient.clone();
            let mut new_viewer_key = None;
            let gate =
                LoadedGate::from_progress(tx, registration.share, Some(registration.progress))?;
            match gate.context.access(now) {
                Access::Denied | Access::Collect => return Err(ShareAccessError::NotFound),
                Access::Verify => return Err(ShareAccessError::Unconfirmed),
                Access::ReadyToView | Access::Viewing { .. } => {}
                Access::Nda => {
                    new_viewer_key = Some(move_to(tx, &mut recipient, viewer, fresh)?);
                    let acceptance = NdaAcceptance {
                        recipient: id,
                        share: recipient.share,
                        nda_version: recipient.agreement.version,
                        nda_sha256: recipient.agreement.digest(),
                        revision: gate.disclosed.idea.revision,
                        revision_sha256: gate.disclosed.idea.sha256,
                        identity: recipient.identity,
                        accepted_at: now,
                        origin: Some(origin),
                    };
                    let is_new = tx.recipients().add_acceptance(&acceptance)?;
                    if is_new {
                        agreement_accepted(tx, &recipient, &acceptance)?;
                        add_notice(tx, NoticeKind::Agreed, recipient.share, Some(id), now)?;
                        self.mail_receipt(tx, &recipient, gate.disclosed.idea.owner, now)?;
                    }
                }
            }
            Ok(StageChange {
                state: RecipientState {
                    recipient,
                    agreed: true,
                },
                new_viewer_key,
            })
        })
    }

    /// Queues the mail with the receipt. Only a confirmed address gets it: anybody can enter
    /// another's, who must not read the idea's title. Beyond the daily cap the receipt is on the
    /// page only.
    fn mail_receipt(
        &self,
        tx: &mut dyn Transaction,
        recipient: &Recipient,
        owner: UserId,
        now: Timestamp,
    ) -> Result<(), ShareAccessError> {
        if recipient.identity.confirmed_at().is_none() {
            return Ok(());
        }
        let mails = CappedMails::ReceiptsOfOwner(owner);
        if !daily_caps::is_counted(tx, self.caps, mails, now)? {
            return Ok(());
        }
        let mail = emails::receipt(self.email_composer.links(), recipient);
        let queued = QueuedMail {
            first_attempt_at: now + RECEIPT_DELAY,
            ..self
                .email_composer
                .compose_for_reader(recipient.id, mail, now, RECEIPT_LIFETIME)?
        };
        Ok(tx.outbox().queue_mail(&queued)?)
    }

    /// Returns whose bundle a browser may have on a link, if it accepted the agreement and may
    /// view. Counts no view.
    ///
    /// # Errors
    /// [`ShareAccessError::NotFound`] when that browser has no access;
    /// [`ShareAccessError::NotAgreed`].
    pub fn bundle_holder(
        &self,
        token: &Token,
        viewer: Option<&Token>,
    ) -> Result<BundleHolder, ShareAccessError> {
        let now = self.deps.clock.now();
        activate_new_key(self.deps.database.as_ref(), viewer, now)?;
        self.deps.database.read(|tx| {
            let gate = LoadedGate::load(tx, token, viewer, now)?;
            match (gate.context.access(now), &gate.context.progress) {
                (access @ (Access::ReadyToView | Access::Viewing { .. }), Some(progress)) => {
                    let is_viewing = matches!(access, Access::Viewing { .. });
                    Ok(BundleHolder {
                        idea: gate.disclosed.idea.id,
                        recipient: progress.recipient.id,
                        may_have_content: is_viewing && gate.context.share.allow_download,
                    })
                }
                _ => Err(ShareAccessError::NotAgreed),
            }
        })
    }

    /// Ends the browser's access to a link immediately. Idempotent.
    ///
    /// # Errors
    /// [`ShareAccessError::NotFound`] when the link is invalid or the browser never
    /// registered on it.
    pub fn close(&self, token: &Token, viewer: Option<&Token>) -> Result<(), ShareAccessError> {
        self.leave(token, viewer, Ending::Closed)
    }

    /// Records that the browser's reader declines the agreement, also after closing;
    /// that registration gives no access any more. Idempotent.
    ///
    /// # Errors
    /// [`ShareAccessError::NotFound`] as for closing; [`ShareAccessError::Agreed`] when the
    /// agreement was accepted.
    pub fn decline(&self, token: &Token, viewer: Option<&Token>) -> Result<(), ShareAccessError> {
        self.leave(token, viewer, Ending::Declined)
    }

    fn leave(
        &self,
        token: &Token,
        viewer: Option<&Token>,
        ending: Ending,
    ) -> Result<(), ShareAccessError> {
        let now = self.deps.clock.now();
        activate_new_key(self.deps.database.as_ref(), viewer, now)?;
        let Some(overtaken) = self.try_leave(token, viewer, ending, None, now)? else {
            return Ok(());
        };
        match self.try_leave(token, viewer, ending, Some(overtaken), now)? {
            None => Ok(()),
            // It was accepted meanwhile, which gave it another key.
            Some(_) => Err(ShareAccessError::NotFound),
        }
    }

    /// Ends the registration `only`, or the newest. Returns its id if a concurrent call has
    /// ended or accepted it since it was read.
    fn try_leave(
        &self,
        token: &Token,
        viewer: Option<&Token>,
        ending: Ending,
        only: Option<RecipientId>,
        now: Timestamp,
    ) -> Result<Option<RecipientId>, ShareAccessError> {
        self.deps.database.write(|tx| {
            let share = find_share(tx, &ShareReference::Token(token.clone()))?;
            if matches!(share.state(now), ShareState::Revoked | ShareState::Expired)
                || !idea_exists(tx, share.idea)?
            {
                return Err(ShareAccessError::NotFound);
            }
            let viewer = live_viewer(tx, viewer, now)?.ok_or(ShareAccessError::NotFound)?;
            let progress = tx
                .recipients()
                .newest_progress(viewer.id, share.id)?
                .filter(|progress| only.is_none_or(|only| progress.recipient.id == only))
                .ok_or(ShareAccessError::NotFound)?;
            if ending == Ending::Declined && progress.acceptance.is_some() {
                return Err(ShareAccessError::Agreed);
            }
            let id = progress.recipient.id;
            if progress.recipient.closed_at.is_some() {
                if ending == Ending::Declined && tx.recipients().decline_closed(id, viewer.id)? {
                    declined(tx, &share, id, now)?;
                }
                return Ok(None);
            }
            let is_over = tx.recipients().end_recipient(id, viewer.id, ending, now)?;
            if is_over && ending == Ending::Declined {
                declined(tx, &share, id, now)?;
            }
            // Whoever was shown nothing closed nothing.
            if is_over && ending == Ending::Closed && progress.grant.is_some() {
                let closed = Event::visit_closed(share.idea, share.id, id, now);
                tx.evidence_log().append_event(&closed)?;
            }
            Ok((!is_over).then_some(id))
        })
    }
}

fn look_up(
    tx: &mut dyn Transaction,
    token: &Token,
    viewer: Option<&Token>,
    now: Timestamp,
) -> Result<Lookup, ShareAccessError> {
    let gate = LoadedGate::load(tx, token, viewer, now)?;
    let opened = match gate.context.access(now) {
        Access::Denied => return Err(ShareAccessError::NotFound),
        Access::Collect => gate.at(Stage::Collect),
        Access::Verify => gate.at_verify(tx, now)?,
        Access::Nda => return agreement(tx, gate),
        Access::Viewing { ends_at } => return viewing(tx, gate, ends_at),
        Access::ReadyToView => return gate.files(tx).map(Lookup::ReadyToView),
    };
    Ok(Lookup::ShareView(Box::new(opened), None))
}

fn agreement(tx: &mut dyn Transaction, gate: LoadedGate) -> Result<Lookup, ShareAccessError> {
    let progress = gate.context.progress.as_ref();
    let recipient = progress.map(|progress| progress.recipient.clone());
    let opened = Box::new(gate.at_nda());
    let delivery = match recipient {
        Some(recipient) if !is_agreement_delivered(tx, &recipient)? => {
            Some(Box::new(Delivery::Agreement(recipient)))
        }
        _ => None,
    };
    Ok(Lookup::ShareView(opened, delivery))
}

/// A draft may have been edited since the view began.
fn viewing(
    tx: &mut dyn Transaction,
    gate: LoadedGate,
    ends_at: Timestamp,
) -> Result<Lookup, ShareAccessError> {
    let idea = gate.disclosed.clone();
    let progress = gate.context.progress.as_ref();
    let grant = progress.and_then(|progress| progress.grant.clone());
    let opened = Box::new(gate.with_content(tx, ends_at)?);
    let delivery = match grant {
        Some(grant) if !is_revision_delivered(tx, &grant, idea.idea.revision)? => {
            Some(Box::new(Delivery::Revision(idea, grant)))
        }
        _ => None,
    };
    Ok(Lookup::ShareView(opened, delivery))
}

impl Delivery {
    fn record(&self, tx: &mut dyn Transaction, now: Timestamp) -> Result<(), DatabaseError> {
        match self {
            Self::Agreement(recipient) => {
                let delivered = Event::agreement_delivered(recipient, now);
                tx.evidence_log().append_event(&delivered)?;
                Ok(())
            }
            Self::Revision(idea, grant) => revision_delivered(tx, idea, grant, now),
        }
    }
}

/// Records that a recipient declined the agreement.
fn declined(
    tx: &mut dyn Transaction,
    share: &Share,
    recipient: RecipientId,
    now: Timestamp,
) -> Result<(), DatabaseError> {
    let event = Event::agreement_declined(share.idea, share.id, recipient, now);
    tx.evidence_log().append_event(&event)?;
    add_notice(tx, NoticeKind::Declined, share.id, Some(recipient), now)
}

#[cfg(test)]
mod tests;
