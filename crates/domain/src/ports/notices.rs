//! Notices, who wants them by mail, and who wants none any more.

use super::database::DatabaseError;
use crate::Timestamp;
use crate::ids::{IdeaId, MailId, RecipientId, ShareId, UserId};
use crate::notice::{DueNotice, NewNotice, Notice, NotificationMode, Subscriber};
use crate::page::{Page, Paging};
use crate::token::TokenHash;

type Result<T> = std::result::Result<T, DatabaseError>;

/// Notices. Each is settled once: put into one mail, or into none.
pub trait Notices {
    /// Adds a notice, which the mailer is to look at after the
    /// [grouping window](crate::notice::GROUPING_WINDOW). Counts it in one that there
    /// is instead, if that is not settled and about the same, or the link has
    /// [as many as it may](crate::notice::NOTICES_PER_LINK). Does nothing for a deleted idea,
    /// or where there is one already of a kind that
    /// [happens once](crate::notice::NoticeKind::happens_once).
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn add_notice(&mut self, notice: &NewNotice) -> Result<()>;

    /// What an owner is told, but for deleted ideas, the newest first.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn notices_of(&mut self, account: UserId, paging: Paging) -> Result<Page<Notice>>;

    /// How many of these the owner has not seen on the page.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn unread_notices(&mut self, account: UserId) -> Result<i64>;

    /// Notes that the owner has seen all that happened until `up_to`.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn read_notices(&mut self, account: UserId, up_to: Timestamp, now: Timestamp) -> Result<()>;

    /// The notice that has been due the longest.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn due_notice(&mut self, now: Timestamp) -> Result<Option<DueNotice>>;

    /// Takes a due notice until the end of the transaction. Answers `false` when
    /// somebody else has settled or postponed it: of racing servers one gets it.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn claim_notice(&mut self, due: &DueNotice, now: Timestamp) -> Result<bool>;

    /// Up to 500 notices that would go into the same mails as `due` and are not
    /// settled: all of that reader, or all of that owner; the oldest first.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn pending_notices(&mut self, due: &DueNotice) -> Result<Vec<Notice>>;

    /// Notes that `mail` tells of these notices, or that no mail will.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn settle_notices(
        &mut self,
        notices: &[i64],
        mail: Option<MailId>,
        at: Timestamp,
    ) -> Result<()>;

    /// Has the mailer look at these notices again at `due_at`.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn postpone_notices(&mut self, notices: &[i64], due_at: Timestamp) -> Result<()>;

    /// How many mails about notices were written since then for the owner, or
    /// for the readers of their links.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn notice_mails_since(
        &mut self,
        account: UserId,
        to_readers: bool,
        since: Timestamp,
    ) -> Result<i64>;

    /// Up to 100 links that end between `after` and `before`, are not revoked, were
    /// made at least [`ENDING_SOON`](crate::notice::ENDING_SOON) before their end,
    /// and have no notice that says so.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn shares_ending(&mut self, after: Timestamp, before: Timestamp) -> Result<Vec<ShareId>>;

    /// Forgets notices that happened last before then, and tokens that are older.
    /// Answers how many.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn sweep_notices(&mut self, before: Timestamp) -> Result<usize>;
}

/// Who wants to be told by mail, and when.
pub trait NotificationSettings {
    /// What the account has chosen; the default when there is no such account.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn notification_mode(&mut self, account: UserId) -> Result<NotificationMode>;

    /// Changes that. What waits to be mailed is looked at again at `now`.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn set_notification_mode(
        &mut self,
        account: UserId,
        mode: NotificationMode,
        now: Timestamp,
    ) -> Result<()>;

    /// What a link has of its own; none while it follows its account.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn share_notification_mode(&mut self, share: ShareId) -> Result<Option<NotificationMode>>;

    /// The links of an idea that have a mode of their own.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn share_notification_modes(
        &mut self,
        idea: IdeaId,
    ) -> Result<Vec<(ShareId, NotificationMode)>>;

    /// Changes that. What waits to be mailed is looked at again at `now`.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn set_share_notification_mode(
        &mut self,
        share: ShareId,
        mode: Option<NotificationMode>,
        now: Timestamp,
    ) -> Result<()>;

    /// Keeps the token of a link that stops mails.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn add_unsubscribe_token(
        &mut self,
        token: &TokenHash,
        subscriber: Subscriber,
        at: Timestamp,
    ) -> Result<()>;

    /// Whose mails the token stops.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn subscriber(&mut self, token: &TokenHash) -> Result<Option<Subscriber>>;

    /// Sends no more mails about notices: to an account also for links that had a
    /// mode of their own.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn unsubscribe(&mut self, subscriber: Subscriber) -> Result<()>;

    /// Whether a reader wants no mails.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn is_muted(&mut self, recipient: RecipientId) -> Result<bool>;
}
