//! Notices and email notification settings.

use super::error::DatabaseError;
use crate::Timestamp;
use crate::ids::{IdeaId, MailId, RecipientId, ShareId, UserId};
use crate::notice::{DueNotice, NewNotice, Notice, NotificationMode, Subscriber};
use crate::page::{Page, Paging};
use crate::token::TokenHash;

type Result<T> = std::result::Result<T, DatabaseError>;

/// Notices. Each is settled once: included in one mail, or in none.
pub trait Notices {
    /// Adds a notice, due after the [grouping
    /// window](crate::notice::GROUPING_WINDOW). Increments an unsettled notice about
    /// the same event instead, if there is one, or if the link already has
    /// [`NOTICES_PER_LINK`](crate::notice::NOTICES_PER_LINK). Does nothing for a
    /// deleted idea, or when the kind [happens
    /// once](crate::notice::NoticeKind::happens_once) and has a notice.
    fn add_notice(&mut self, notice: &NewNotice) -> Result<()>;

    /// Takes one event back from a notice that is not settled and counts it: at that time, of
    /// that kind, share and recipient or of nobody by name; without a recipient, of any. A
    /// notice that counts nothing else is deleted.
    fn take_back_notice(&mut self, notice: &NewNotice) -> Result<()>;

    /// Returns an owner's notices, newest first, except those of deleted ideas.
    fn notices_of(&mut self, account: UserId, paging: Paging) -> Result<Page<Notice>>;

    /// Returns how many of these are unread.
    fn unread_notices(&mut self, account: UserId) -> Result<i64>;

    /// Marks the owner's notices up to `up_to` as read.
    fn read_notices(&mut self, account: UserId, up_to: Timestamp, now: Timestamp) -> Result<()>;

    /// Returns the notice that has been due the longest.
    fn due_notice(&mut self, now: Timestamp) -> Result<Option<DueNotice>>;

    /// Claims a due notice until the end of the transaction. Returns `false` when it
    /// was settled or postponed meanwhile: of concurrent servers, exactly one gets
    /// it.
    fn claim_notice(&mut self, due: &DueNotice, now: Timestamp) -> Result<bool>;

    /// Returns up to 500 unsettled notices for the same mail as `due`: all for that
    /// reader, or all for that owner; oldest first. If there are more, `due` and those
    /// on its link are preferred. Leaves out others that are damaged, and logs them. They
    /// count nothing further until the end of the transaction.
    ///
    /// # Errors
    /// [`DatabaseError`], also when `due` itself is damaged.
    fn pending_notices(&mut self, due: &DueNotice) -> Result<Vec<Notice>>;

    /// Records the mail that includes these notices, or that none will.
    fn settle_notices(
        &mut self,
        notices: &[i64],
        mail: Option<MailId>,
        at: Timestamp,
    ) -> Result<()>;

    /// Makes these notices due again at `due_at`.
    fn postpone_notices(&mut self, notices: &[i64], due_at: Timestamp) -> Result<()>;

    /// Returns how many notification mails were queued since then for the owner, or
    /// for the readers of the owner's links.
    fn notice_mails_since(
        &mut self,
        account: UserId,
        to_readers: bool,
        since: Timestamp,
    ) -> Result<i64>;

    /// Returns up to 100 links that are not expired or revoked at `now`, [end
    /// soon](crate::notice::ending_soon_from), and have no such notice yet; the first to
    /// end comes first.
    fn shares_ending(&mut self, now: Timestamp) -> Result<Vec<ShareId>>;

    /// Deletes notices that last happened before `before`, and older unsubscribe
    /// tokens. Returns how many.
    fn delete_old_notices(&mut self, before: Timestamp) -> Result<usize>;
}

/// Email notification modes and unsubscribing.
pub trait NotificationSettings {
    /// Returns the account's mode; the default when there is no such account.
    fn notification_mode(&mut self, account: UserId) -> Result<NotificationMode>;

    /// Sets the account's mode. Pending notices become due at `now`.
    fn set_notification_mode(
        &mut self,
        account: UserId,
        mode: NotificationMode,
        now: Timestamp,
    ) -> Result<()>;

    /// Returns a link's own mode; `None` while it follows its account.
    fn share_notification_mode(&mut self, share: ShareId) -> Result<Option<NotificationMode>>;

    /// Returns the links of an idea that have their own mode.
    fn share_notification_modes(
        &mut self,
        idea: IdeaId,
    ) -> Result<Vec<(ShareId, NotificationMode)>>;

    /// Sets or clears a link's own mode. Pending notices become due at `now`.
    fn set_share_notification_mode(
        &mut self,
        share: ShareId,
        mode: Option<NotificationMode>,
        now: Timestamp,
    ) -> Result<()>;

    /// Stores the token of an unsubscribe link.
    fn add_unsubscribe_token(
        &mut self,
        token: &TokenHash,
        subscriber: Subscriber,
        at: Timestamp,
    ) -> Result<()>;

    /// Returns whose mails the token stops.
    fn subscriber(&mut self, token: &TokenHash) -> Result<Option<Subscriber>>;

    /// Stops notification mails; for an account, including links with their own mode.
    fn unsubscribe(&mut self, subscriber: Subscriber) -> Result<()>;

    /// Returns whether a reader has unsubscribed.
    fn is_muted(&mut self, recipient: RecipientId) -> Result<bool>;
}
