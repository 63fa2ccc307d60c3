//! A transaction whose repositories are mocks.

use ideavault_domain::Timestamp;
use ideavault_domain::account::{
    ConfirmationAttempt, EmailConfirmation, PasswordHash, PasswordReset, SessionEpoch, User,
    UserSession,
};
use ideavault_domain::activity::Activity;
use ideavault_domain::admission::WaitlistEntry;
use ideavault_domain::audit::{AuditEntry, AuditKind, Occurrences};
use ideavault_domain::code::EmailCode;
use ideavault_domain::comment::{Comment, CommentScope};
use ideavault_domain::content::Content;
use ideavault_domain::daily_caps::CappedMails;
use ideavault_domain::device::KnownDevice;
use ideavault_domain::digest::Digest;
use ideavault_domain::email::Email;
use ideavault_domain::evidence::{
    Anchor, AnchorService, Checkpoint, EarlierIdea, Event, EventKind, Log, LogHead, LogId, LogKey,
    Node, Place, StoredEvent, UnplacedEvent,
};
use ideavault_domain::file::StoredFile;
use ideavault_domain::gate::RecipientProgress;
use ideavault_domain::idea::{DisclosedIdea, Draft, Idea, ListedIdea, Publication, Revision};
use ideavault_domain::ids::{
    CommentId, FileId, IdeaId, JobRunId, MailId, RecipientId, ShareId, StorageId, UserId,
    ViewerSessionId,
};
use ideavault_domain::job::{JobState, ScheduledJob};
use ideavault_domain::keys::{DamagedValue, MasterKeyId};
use ideavault_domain::mail::{ClaimedMail, MailClaim, QueuedMail, WaitingMails};
use ideavault_domain::notice::{DueNotice, NewNotice, Notice, NotificationMode, Subscriber};
use ideavault_domain::page::{Page, Paging};
use ideavault_domain::ports::{
    AccountChanges, AccountSummary, Administration, Anchors, AuditTrail, Codes, Comments,
    Credentials, DailyMailCounts, DatabaseError, Disclosures, EmailConfirmations,
    ErasableRegistration, ErasureScope, Erasures, EverOwnedIdea, EvidenceLog, Files, IdeaOwner,
    Ideas, Inspection, Invitations, JobSchedule, KnownDevices, ListedShare, MasterKeys, NewIdea,
    NewestTime, Notices, NotificationSettings, Outbox, PublicRecords, RecipientOnShare, Recipients,
    Shares, StorageIdentity, StorageUse, TwoFactors, UserSessions, Users, Waitlist,
};
use ideavault_domain::quota::{AccountStorage, ByteSize};
use ideavault_domain::recipient::{Ending, NdaAcceptance, Recipient, ViewGrant, ViewerSession};
use ideavault_domain::share::Share;
use ideavault_domain::text::{PersonName, ShareName};
use ideavault_domain::thinning::KeptRevision;
use ideavault_domain::token::{Token, TokenHash};
use ideavault_domain::two_factor::{CodeAttempt, Step, TotpSecret, TwoFactor};
use mockall::mock;

use super::{at, origin};

type Answer<T> = Result<T, DatabaseError>;

mock! {
    pub(crate) Transaction {}

    impl Users for Transaction {
        fn add_user(&mut self, user: &User, password_hash: &PasswordHash) -> Answer<bool>;
        fn credentials(&mut self, email: &Email) -> Answer<Option<Credentials>>;
        fn user(&mut self, id: UserId) -> Answer<Option<User>>;
        fn set_profile_image(&mut self, id: UserId, path: &str) -> Answer<bool>;
    }

    impl EvidenceLog for Transaction {
        fn append_event(&mut self, event: &Event) -> Answer<bool>;
        fn take_idea_before_log(&mut self) -> Answer<Option<EarlierIdea>>;
        fn event_once(&mut self, key: &str) -> Answer<Option<Digest>>;
        fn current_log(&mut self) -> Answer<Option<Log>>;
        fn begin_log(
            &mut self,
            key: &LogKey,
            origin: &str,
            first: &Event,
        ) -> Answer<Option<UnplacedEvent>>;
        fn lock_places(&mut self) -> Answer<bool>;
        fn unplaced_events(&mut self, limit: i64) -> Answer<Vec<UnplacedEvent>>;
        fn events_beyond(&mut self, log: LogId, size: u64) -> Answer<Vec<UnplacedEvent>>;
        fn place_events(&mut self, first: Place, rows: &[i64]) -> Answer<()>;
        fn add_nodes(&mut self, log: LogId, nodes: &[Node]) -> Answer<()>;
        fn nodes(&mut self, log: LogId, positions: &[u64]) -> Answer<Vec<Digest>>;
        fn add_checkpoint(&mut self, log: LogId, head: &LogHead, at: Timestamp) -> Answer<()>;
        fn sign_checkpoint(&mut self, log: LogId, size: u64, note: &str) -> Answer<()>;
        fn newest_checkpoint(&mut self, log: LogId) -> Answer<Option<Checkpoint>>;
        fn checkpoint_from(&mut self, log: LogId, size: u64) -> Answer<Option<Checkpoint>>;
        fn add_log_key(&mut self, key: &LogKey) -> Answer<()>;
        fn log_keys(&mut self, log: LogId) -> Answer<Vec<LogKey>>;
        fn log_origins(&mut self) -> Answer<Vec<(LogId, String)>>;
        fn events_of(&mut self, idea: IdeaId, paging: Paging) -> Answer<Page<StoredEvent>>;
        fn newest_recorded(&mut self, idea: IdeaId) -> Answer<Option<StoredEvent>>;
        fn newest_event(
            &mut self,
            kind: EventKind,
            idea: IdeaId,
            recipient: Option<RecipientId>,
        ) -> Answer<Option<StoredEvent>>;
        fn events_of_log(&mut self, log: LogId) -> Answer<Vec<StoredEvent>>;
        fn entries(&mut self, log: LogId, first: u64, count: u64) -> Answer<Vec<Digest>>;
        fn events_after(&mut self, after: i64, limit: i64) -> Answer<Vec<StoredEvent>>;
        fn disclosures_of(&mut self, event: &StoredEvent) -> Answer<Disclosures>;
    }

    impl Erasures for Transaction {
        fn erasable(&mut self, id: RecipientId) -> Answer<Option<ErasableRegistration>>;
        fn registrations_under(
            &mut self,
            email: &Email,
            scope: ErasureScope,
        ) -> Answer<Vec<ErasableRegistration>>;
        fn shares_for(&mut self, email: &Email, scope: ErasureScope) -> Answer<Vec<Share>>;
        fn erase_person(
            &mut self,
            id: RecipientId,
            keep_agreement: bool,
            at: Timestamp,
        ) -> Answer<()>;
        fn erase_share_address(&mut self, share: &Share) -> Answer<()>;
        fn ideas_ever_of(&mut self, user: UserId) -> Answer<Vec<EverOwnedIdea>>;
        fn erase_creator(&mut self, idea: IdeaId) -> Answer<()>;
        fn drop_mails(&mut self, to: &Email, scope: ErasureScope) -> Answer<usize>;
        fn drop_mails_of(&mut self, sender: UserId) -> Answer<()>;
    }

    impl Anchors for Transaction {
        fn add_anchor(&mut self, anchor: &Anchor) -> Answer<bool>;
        fn newest_anchor(&mut self, service: &AnchorService) -> Answer<Option<Anchor>>;
        fn confirmed_size(&mut self, service: &AnchorService, log: LogId) -> Answer<u64>;
        fn queue_unchecked(&mut self, service: &AnchorService, now: Timestamp) -> Answer<()>;
        fn anchor_is_due(&mut self, service: &AnchorService, now: Timestamp) -> Answer<bool>;
        fn claim_anchor(
            &mut self,
            service: &AnchorService,
            now: Timestamp,
            lease_ends: Timestamp,
        ) -> Answer<Option<Anchor>>;
        fn release_anchor(&mut self, anchor: &Anchor, claimed_attempts: u32) -> Answer<bool>;
        fn anchors_covering(&mut self, place: Place, since: Timestamp) -> Answer<Vec<Anchor>>;
        fn failing_anchors(&mut self, since: Timestamp) -> Answer<Vec<Anchor>>;
    }

    impl JobSchedule for Transaction {
        fn is_job_due(&mut self, job: ScheduledJob, now: Timestamp) -> Answer<bool>;
        fn claim_job(
            &mut self,
            job: ScheduledJob,
            run: JobRunId,
            now: Timestamp,
        ) -> Answer<Option<u32>>;
        fn finish_job(&mut self, run: JobRunId, state: &JobState) -> Answer<bool>;
        fn job_states(&mut self) -> Answer<Vec<JobState>>;
    }

    impl Inspection for Transaction {
        fn idea_ids_after(&mut self, after: Option<IdeaId>, limit: i64) -> Answer<Vec<IdeaId>>;
        fn inspected_idea(&mut self, id: IdeaId) -> Answer<Option<Idea>>;
        fn left_out(&mut self) -> Vec<ideavault_domain::ports::DamagedValue>;
        fn file_ids_after(&mut self, after: Option<FileId>, limit: i64) -> Answer<Vec<FileId>>;
        fn facts_of(&mut self, idea: IdeaId) -> Answer<Vec<ideavault_domain::evidence::Fact>>;
    }

    impl MasterKeys for Transaction {
        fn init_master_key(&mut self, id: MasterKeyId) -> Answer<MasterKeyId>;
        fn replace_master_key(&mut self, id: MasterKeyId) -> Answer<()>;
        fn rewrap_batch(
            &mut self,
            limit: usize,
            damaged: &mut Vec<DamagedValue>,
        ) -> Answer<usize>;
    }

    impl UserSessions for Transaction {
        fn user_session(&mut self, key: &TokenHash) -> Answer<Option<UserSession>>;
        fn user_sessions_of(&mut self, user: UserId) -> Answer<Vec<UserSession>>;
        fn lock_sessions_of(&mut self, user: UserId) -> Answer<Vec<UserSession>>;
        fn begin_user_session(
            &mut self,
            session: &UserSession,
            user: UserId,
            epoch: SessionEpoch,
        ) -> Answer<bool>;
        fn upsert_user_session(&mut self, session: &UserSession) -> Answer<()>;
        fn touch_user_session(&mut self, key: &TokenHash, at: Timestamp) -> Answer<()>;
        fn remove_user_session(&mut self, key: &TokenHash) -> Answer<()>;
        fn delete_expired_user_sessions(
            &mut self,
            idle_since: Timestamp,
            created_before: Timestamp,
        ) -> Answer<usize>;
    }

    impl KnownDevices for Transaction {
        fn record_device(&mut self, device: &KnownDevice) -> Answer<bool>;
        fn renew_device_key(&mut self, former: &TokenHash, renewed: &TokenHash) -> Answer<()>;
        fn delete_devices<'a>(
            &mut self,
            user: UserId,
            but: Option<&'a TokenHash>,
        ) -> Answer<()>;
        fn delete_unused_devices(&mut self, unseen_since: Timestamp) -> Answer<usize>;
    }

    impl TwoFactors for Transaction {
        fn two_factor(&mut self, user: UserId) -> Answer<Option<TwoFactor>>;
        fn totp_secret(&mut self, user: UserId) -> Answer<Option<TotpSecret>>;
        fn begin_two_factor(&mut self, user: UserId, secret: &TotpSecret) -> Answer<bool>;
        fn confirm_two_factor(
            &mut self,
            user: UserId,
            secret: &TotpSecret,
            step: Step,
            at: Timestamp,
        ) -> Answer<bool>;
        fn accept_step(&mut self, user: UserId, step: Step) -> Answer<bool>;
        fn count_code(&mut self, user: UserId, now: Timestamp) -> Answer<CodeAttempt>;
        fn lock_codes(&mut self, user: UserId, until: Timestamp) -> Answer<()>;
        fn reset_wrong_codes(&mut self, user: UserId) -> Answer<()>;
        fn remove_two_factor(&mut self, user: UserId) -> Answer<bool>;
        fn add_recovery_codes(&mut self, user: UserId, hashes: &[Digest]) -> Answer<()>;
        fn replace_recovery_codes(&mut self, user: UserId, hashes: &[Digest]) -> Answer<bool>;
        fn recovery_codes_left(&mut self, user: UserId) -> Answer<i64>;
        fn consume_recovery_code(&mut self, user: UserId, hash: &Digest) -> Answer<bool>;
    }

    impl Ideas for Transaction {
        fn add_idea(&mut self, idea: &NewIdea) -> Answer<Idea>;
        fn idea(&mut self, id: IdeaId) -> Answer<Option<Idea>>;
        fn idea_owner(&mut self, id: IdeaId) -> Answer<Option<IdeaOwner>>;
        fn disclosed_idea(&mut self, id: IdeaId) -> Answer<Option<DisclosedIdea>>;
        fn ideas_of(&mut self, owner: UserId, paging: Paging) -> Answer<Page<ListedIdea>>;
        fn revision_content(&mut self, idea: IdeaId, revision: i32) -> Answer<Option<Content>>;
        fn revision(&mut self, idea: IdeaId, number: i32) -> Answer<Option<Revision>>;
        fn revisions_of(&mut self, idea: IdeaId, paging: Paging) -> Answer<Page<Revision>>;
        fn drafts_with_old_revisions(
            &mut self,
            before: Timestamp,
            after: Option<IdeaId>,
            limit: i64,
        ) -> Answer<Vec<IdeaId>>;
        fn kept_revisions(&mut self, idea: IdeaId) -> Answer<Vec<KeptRevision>>;
        fn erase_revisions(&mut self, idea: IdeaId, numbers: &[i32]) -> Answer<usize>;
        fn add_revision(&mut self, idea: &Idea, draft: &Draft, at: Timestamp) -> Answer<bool>;
        fn publish_idea(&mut self, idea: &Idea, publication: &Publication) -> Answer<bool>;
        fn delete_draft(&mut self, id: IdeaId, at: Timestamp) -> Answer<bool>;
    }

    impl PublicRecords for Transaction {
        fn set_public_record(&mut self, idea: IdeaId, since: Option<Timestamp>) -> Answer<()>;
        fn has_public_record(&mut self, idea: IdeaId) -> Answer<bool>;
        fn publicly_recorded(&mut self, document_id: &str) -> Answer<Option<IdeaId>>;
    }

    impl StorageUse for Transaction {
        fn storage_of(&mut self, user: UserId) -> Answer<AccountStorage>;
        fn lock_vault_storage(&mut self) -> Answer<u64>;
        fn set_storage_quota(&mut self, user: UserId, quota: Option<ByteSize>) -> Answer<()>;
    }

    impl StorageIdentity for Transaction {
        fn storage_id(&mut self) -> Answer<Option<StorageId>>;
        fn adopt_storage_id(&mut self, id: StorageId) -> Answer<StorageId>;
        fn replace_storage_id(&mut self, id: StorageId) -> Answer<()>;
    }

    impl NewestTime for Transaction {
        fn newest_time(&mut self) -> Answer<Option<Timestamp>>;
        fn record_time(&mut self, at: Timestamp, wrong_after: Timestamp) -> Answer<()>;
    }

    impl Files for Transaction {
        fn add_file(&mut self, file: &StoredFile) -> Answer<()>;
        fn file(&mut self, id: FileId) -> Answer<Option<StoredFile>>;
        fn images_of(&mut self, owner: UserId) -> Answer<Vec<StoredFile>>;
        fn ideas_showing(&mut self, file: FileId) -> Answer<Vec<IdeaId>>;
        fn ideas_with_revisions_showing(&mut self, file: FileId) -> Answer<Vec<IdeaId>>;
        fn pdf_of(&mut self, idea: IdeaId) -> Answer<Option<FileId>>;
        fn remove_file(&mut self, id: FileId) -> Answer<bool>;
        fn existing_files(&mut self, ids: &[FileId]) -> Answer<Vec<FileId>>;
    }

    impl Shares for Transaction {
        fn add_share(&mut self, share: &Share, token: &Token) -> Answer<()>;
        fn share(&mut self, id: ShareId) -> Answer<Option<Share>>;
        fn share_by_token(&mut self, token: &TokenHash) -> Answer<Option<Share>>;
        fn share_owner(&mut self, id: ShareId) -> Answer<Option<ideavault_domain::ports::ShareOwner>>;
        fn shares_of(&mut self, idea: IdeaId) -> Answer<Vec<ListedShare>>;
        fn share_token(&mut self, id: ShareId) -> Answer<Option<Token>>;
        fn share_tokens_of(&mut self, idea: IdeaId) -> Answer<Vec<(ShareId, Token)>>;
        fn rename_share<'a>(&mut self, id: ShareId, name: Option<&'a ShareName>) -> Answer<()>;
        fn revoke_shares_of(
            &mut self,
            owner: UserId,
            at: Timestamp,
        ) -> Answer<Vec<(IdeaId, ShareId)>>;
        fn revoke_share(&mut self, id: ShareId, at: Timestamp) -> Answer<bool>;
        fn show_other_readers(&mut self, id: ShareId, shown: bool) -> Answer<()>;
        fn allow_download(&mut self, id: ShareId, allowed: bool) -> Answer<()>;
        fn claim_view(&mut self, grant: &ViewGrant) -> Answer<bool>;
    }

    impl Recipients for Transaction {
        fn add_viewer_session(&mut self, session: &ViewerSession) -> Answer<()>;
        fn viewer_session(&mut self, key: &TokenHash) -> Answer<Option<ViewerSession>>;
        fn add_recipient(&mut self, recipient: &Recipient) -> Answer<()>;
        fn newest_progress(
            &mut self,
            viewer: ViewerSessionId,
            share: ShareId,
        ) -> Answer<Option<RecipientProgress>>;
        fn registration(&mut self, id: RecipientId) -> Answer<Option<RecipientOnShare>>;
        fn registrations_of(&mut self, viewer: ViewerSessionId) -> Answer<Vec<RecipientOnShare>>;
        fn browser_of(&mut self, key: &TokenHash) -> Answer<Option<ViewerSessionId>>;
        fn replace_viewer_session(&mut self, session: &ViewerSession, at: Timestamp) -> Answer<()>;
        fn move_recipient(
            &mut self,
            id: RecipientId,
            from: ViewerSessionId,
            to: ViewerSessionId,
        ) -> Answer<bool>;
        fn end_recipient(
            &mut self,
            id: RecipientId,
            viewer: ViewerSessionId,
            ending: Ending,
            at: Timestamp,
        ) -> Answer<bool>;
        fn decline_closed(
            &mut self,
            id: RecipientId,
            viewer: ViewerSessionId,
        ) -> Answer<bool>;
        fn add_acceptance(&mut self, acceptance: &NdaAcceptance) -> Answer<bool>;
        fn activity_of(&mut self, idea: IdeaId, paging: Paging) -> Answer<Page<Activity>>;
    }

    impl Codes for Transaction {
        fn replace_code(&mut self, code: &EmailCode) -> Answer<()>;
        fn code_of(&mut self, recipient: RecipientId) -> Answer<Option<EmailCode>>;
        fn try_code(
            &mut self,
            recipient: RecipientId,
            now: Timestamp,
        ) -> Answer<Option<EmailCode>>;
        fn delete_expired_codes(&mut self, now: Timestamp) -> Answer<usize>;
        fn confirm_email(&mut self, recipient: RecipientId, at: Timestamp) -> Answer<()>;
    }

    impl Comments for Transaction {
        fn add_comment(&mut self, comment: &Comment) -> Answer<()>;
        fn comment(&mut self, id: CommentId) -> Answer<Option<Comment>>;
        fn change_comment(&mut self, comment: &Comment) -> Answer<bool>;
        fn comments_on(
            &mut self,
            idea: IdeaId,
            scope: &CommentScope,
            paging: Paging,
        ) -> Answer<Page<Comment>>;
        fn comments_for_owner(
            &mut self,
            owner: UserId,
            paging: Paging,
        ) -> Answer<Page<Comment>>;
    }

    impl Outbox for Transaction {
        fn queue_mail(&mut self, mail: &QueuedMail) -> Answer<()>;
        fn set_sender(&mut self, mail: MailId, sender: UserId) -> Answer<()>;
        fn sender_of(&mut self, mail: MailId) -> Answer<Option<UserId>>;
        fn mail_is_due(&mut self, now: Timestamp) -> Answer<bool>;
        fn waiting_mails(&mut self) -> Answer<WaitingMails>;
        fn claim_mail(
            &mut self,
            now: Timestamp,
            lease_ends: Timestamp,
        ) -> Answer<Option<ClaimedMail>>;
        fn postpone_mail(&mut self, claim: &MailClaim, retry_at: Timestamp) -> Answer<bool>;
        fn remove_mail(&mut self, claim: &MailClaim) -> Answer<bool>;
    }

    impl DailyMailCounts for Transaction {
        fn count_mail(&mut self, mails: CappedMails, at: Timestamp, most: u32) -> Answer<bool>;
        fn delete_old_mail_counts(&mut self, before: Timestamp) -> Answer<usize>;
    }

    impl AccountChanges for Transaction {
        fn rename_user(&mut self, id: UserId, name: &PersonName) -> Answer<Option<User>>;
        fn set_password(&mut self, id: UserId, hash: &PasswordHash) -> Answer<bool>;
        fn replace_password(
            &mut self,
            id: UserId,
            known: &PasswordHash,
            hash: &PasswordHash,
        ) -> Answer<bool>;
        fn end_sessions_of(&mut self, id: UserId) -> Answer<Option<SessionEpoch>>;
        fn replace_password_reset(&mut self, reset: &PasswordReset) -> Answer<()>;
        fn password_reset_is_live(&mut self, token: &TokenHash, now: Timestamp) -> Answer<bool>;
        fn consume_password_reset(
            &mut self,
            token: &TokenHash,
            now: Timestamp,
        ) -> Answer<Option<UserId>>;
        fn delete_expired_password_resets(&mut self, now: Timestamp) -> Answer<usize>;
        fn remove_password_reset(&mut self, user: UserId) -> Answer<()>;
    }

    impl Administration for Transaction {
        fn accounts(&mut self) -> Answer<Vec<AccountSummary>>;
        fn set_disabled(
            &mut self,
            user: UserId,
            disabled_at: Option<Timestamp>,
        ) -> Answer<bool>;
        fn lock_account(&mut self, user: UserId) -> Answer<()>;
        fn delete_account(&mut self, user: UserId, at: Timestamp) -> Answer<bool>;
    }

    impl EmailConfirmations for Transaction {
        fn replace_email_confirmation(&mut self, confirmation: &EmailConfirmation) -> Answer<()>;
        fn consume_email_confirmation(
            &mut self,
            token: &TokenHash,
            now: Timestamp,
        ) -> Answer<ConfirmationAttempt>;
        fn delete_expired_email_confirmations(&mut self, now: Timestamp) -> Answer<usize>;
        fn confirm_address(&mut self, user: UserId, at: Timestamp) -> Answer<bool>;
        fn try_record_registration_notice(
            &mut self,
            user: UserId,
            at: Timestamp,
            last: Timestamp,
        ) -> Answer<bool>;
    }

    impl Waitlist for Transaction {
        fn join_waitlist(&mut self, entry: &WaitlistEntry) -> Answer<bool>;
        fn waitlist(&mut self) -> Answer<Vec<WaitlistEntry>>;
    }

    impl Notices for Transaction {
        fn add_notice(&mut self, notice: &NewNotice) -> Answer<()>;
        fn take_back_notice(&mut self, notice: &NewNotice) -> Answer<()>;
        fn notices_of(&mut self, account: UserId, paging: Paging) -> Answer<Page<Notice>>;
        fn unread_notices(&mut self, account: UserId) -> Answer<i64>;
        fn read_notices(
            &mut self,
            account: UserId,
            up_to: Timestamp,
            now: Timestamp,
        ) -> Answer<()>;
        fn due_notice(&mut self, now: Timestamp) -> Answer<Option<DueNotice>>;
        fn claim_notice(&mut self, due: &DueNotice, now: Timestamp) -> Answer<bool>;
        fn pending_notices(&mut self, due: &DueNotice) -> Answer<Vec<Notice>>;
        fn settle_notices(
            &mut self,
            notices: &[i64],
            mail: Option<MailId>,
            at: Timestamp,
        ) -> Answer<()>;
        fn postpone_notices(&mut self, notices: &[i64], due_at: Timestamp) -> Answer<()>;
        fn notice_mails_since(
            &mut self,
            account: UserId,
            to_readers: bool,
            since: Timestamp,
        ) -> Answer<i64>;
        fn shares_ending(&mut self, now: Timestamp) -> Answer<Vec<ShareId>>;
        fn delete_old_notices(&mut self, before: Timestamp) -> Answer<usize>;
    }

    impl NotificationSettings for Transaction {
        fn notification_mode(&mut self, account: UserId) -> Answer<NotificationMode>;
        fn set_notification_mode(
            &mut self,
            account: UserId,
            mode: NotificationMode,
            now: Timestamp,
        ) -> Answer<()>;
        fn share_notification_mode(
            &mut self,
            share: ShareId,
        ) -> Answer<Option<NotificationMode>>;
        fn share_notification_modes(
            &mut self,
            idea: IdeaId,
        ) -> Answer<Vec<(ShareId, NotificationMode)>>;
        fn set_share_notification_mode(
            &mut self,
            share: ShareId,
            mode: Option<NotificationMode>,
            now: Timestamp,
        ) -> Answer<()>;
        fn add_unsubscribe_token(
            &mut self,
            token: &TokenHash,
            subscriber: Subscriber,
            at: Timestamp,
        ) -> Answer<()>;
        fn subscriber(&mut self, token: &TokenHash) -> Answer<Option<Subscriber>>;
        fn unsubscribe(&mut self, subscriber: Subscriber) -> Answer<()>;
        fn is_muted(&mut self, recipient: RecipientId) -> Answer<bool>;
    }

    impl AuditTrail for Transaction {
        fn record(&mut self, entry: &AuditEntry) -> Answer<()>;
        fn record_denial(&mut self, entry: &AuditEntry) -> Answer<bool>;
        fn audit(&mut self, since: Option<Timestamp>, limit: i64) -> Answer<Vec<AuditEntry>>;
        fn occurrences(&mut self, kind: AuditKind) -> Answer<Occurrences>;
    }

    impl Invitations for Transaction {
        fn invite(&mut self, email: &Email, at: Timestamp) -> Answer<()>;
        fn invitation_is_live(
            &mut self,
            token: &TokenHash,
            email: &Email,
            now: Timestamp,
        ) -> Answer<bool>;
        fn consume_invitation(
            &mut self,
            token: &TokenHash,
            email: &Email,
            now: Timestamp,
        ) -> Answer<bool>;
        fn unannounced_invitations(&mut self) -> Answer<Vec<Email>>;
        fn announce_invitation(
            &mut self,
            email: &Email,
            token: &TokenHash,
            at: Timestamp,
            expires_at: Timestamp,
        ) -> Answer<bool>;
        fn delete_expired_invitations(&mut self, now: Timestamp) -> Answer<usize>;
    }
}

/// Has that idea, and its owner.
pub(crate) fn has_idea(tx: &mut MockTransaction, idea: Idea) {
    has_owner(tx, &idea);
    tx.expect_idea().returning(move |_| Ok(Some(idea.clone())));
}

/// Has the owner of that idea, of which nothing can be read.
pub(crate) fn has_owner(tx: &mut MockTransaction, idea: &Idea) {
    let owner = owner_of(idea);
    tx.expect_idea_owner()
        .returning(move |_| Ok(Some(owner.clone())));
}

pub(crate) fn owner_of(idea: &Idea) -> IdeaOwner {
    IdeaOwner {
        owner: idea.owner,
        is_published: idea.is_published(),
        document_id: idea
            .status
            .publication()
            .map(|published| published.document_id.clone()),
        is_deleted: idea.deleted_at.is_some(),
    }
}

/// Expects one audit entry of that kind from [`origin`].
pub(crate) fn records(tx: &mut MockTransaction, kind: AuditKind) {
    tx.expect_record()
        .withf(move |entry| {
            entry.kind == kind && entry.at == at(0) && entry.origin == Some(origin())
        })
        .times(1)
        .returning(|_| Ok(()));
}
