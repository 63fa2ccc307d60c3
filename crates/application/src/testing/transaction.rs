//! A transaction whose repositories are mocks.

use ideavault_domain::Timestamp;
use ideavault_domain::account::{
    ConfirmationLink, EmailConfirmation, PasswordHash, PasswordReset, SessionEpoch, User,
    UserSession,
};
use ideavault_domain::activity::Activity;
use ideavault_domain::admission::WaitlistEntry;
use ideavault_domain::audit::{AuditEntry, AuditKind, Occurrences};
use ideavault_domain::code::EmailCode;
use ideavault_domain::comment::{Comment, CommentScope};
use ideavault_domain::content::Content;
use ideavault_domain::device::KnownDevice;
use ideavault_domain::digest::Digest;
use ideavault_domain::email::Email;
use ideavault_domain::evidence::{
    Anchor, AnchorService, ChainedCheckpoint, Event, EventKind, Log, LogHead, LogId, Node, Place,
    StoredCheckpoint, StoredEvent, StoredLogKey, UnplacedEvent,
};
use ideavault_domain::file::StoredFile;
use ideavault_domain::idea::{
    DisclosedIdea, DocumentId, Draft, Idea, ListedIdea, Publication, Revision,
};
use ideavault_domain::idempotency::IdempotencyKey;
use ideavault_domain::ids::{
    CommentId, FileId, IdeaId, JobRunId, MailId, RecipientId, ShareId, StorageId, UserId,
    ViewerSessionId,
};
use ideavault_domain::job::{JobState, ScheduledJob};
use ideavault_domain::keys::{CookieKey, DamagedValue, MasterKeyId};
use ideavault_domain::mail::{ClaimedMail, MailClaim, QueuedMail, WaitingMail, WaitingMails};
use ideavault_domain::notice::{DueNotice, NewNotice, Notice, NotificationMode, Subscriber};
use ideavault_domain::page::{Page, Paging};
use ideavault_domain::ports::{
    AccountChanges, AccountSummary, Administration, Anchors, AuditTrail, BrowserRegistrations,
    Codes, Comments, Credentials, DatabaseError, Disclosures, EmailConfirmations,
    ErasableRegistration, ErasureScope, Erasures, EverOwnedIdea, EvidenceLog, Files, FoundGate,
    GateQuery, IdeaOwner, Ideas, Inspection, Invitations, JobSchedule, KnownDevices, LimitCounts,
    ListedShare, MasterKeys, NewIdea, NewestTime, Notices, NotificationSettings, Outbox,
    PublicRecords, RecipientWithShare, Recipients, Shares, StorageIdentity, StorageUse,
    StoredCookieKey, TwoFactors, UserSessions, Users, Waitlist,
};
use ideavault_domain::quota::{AccountStorage, ByteSize};
use ideavault_domain::rate_limit::{CountKey, CountLimit};
use ideavault_domain::recipient::{Ending, NdaAcceptance, Recipient, ViewGrant, ViewerSession};
use ideavault_domain::share::{Share, ShareOptionsChange};
use ideavault_domain::text::{PersonName, ShareName};
use ideavault_domain::thinning::KeptRevision;
use ideavault_domain::token::{Token, TokenHash};
use ideavault_domain::two_factor::{CodeAttempt, Step, TotpSecret, TwoFactor};
use mockall::mock;

use super::{at, origin};

type Result<T> = std::result::Result<T, DatabaseError>;

mock! {
    pub(crate) Transaction {}

    impl Users for Transaction {
        fn add_user(&mut self, user: &User, password_hash: &PasswordHash) -> Result<bool>;
        fn credentials(&mut self, email: &Email) -> Result<Option<Credentials>>;
        fn user(&mut self, id: UserId) -> Result<Option<User>>;
        fn set_profile_image(&mut self, id: UserId, path: &str) -> Result<bool>;
    }

    impl EvidenceLog for Transaction {
        fn append_event(&mut self, event: &Event) -> Result<bool>;
        fn digest_by_once_key(&mut self, key: &str) -> Result<Option<Digest>>;
        fn current_log(&mut self) -> Result<Option<Log>>;
        fn begin_log(
            &mut self,
            key: &StoredLogKey,
            origin: &str,
            first: &Event,
        ) -> Result<Option<UnplacedEvent>>;
        fn try_lock_places(&mut self) -> Result<bool>;
        fn unplaced_events(&mut self, after: i64, limit: i64) -> Result<Vec<UnplacedEvent>>;
        fn events_beyond(&mut self, log: LogId, size: u64) -> Result<Vec<UnplacedEvent>>;
        fn place_events(&mut self, first: Place, rows: &[i64]) -> Result<()>;
        fn add_nodes(&mut self, log: LogId, nodes: &[Node]) -> Result<()>;
        fn nodes(&mut self, log: LogId, positions: &[u64]) -> Result<Vec<Digest>>;
        fn add_checkpoint(
            &mut self,
            log: LogId,
            head: &LogHead,
            previous: u64,
            at: Timestamp,
        ) -> Result<()>;
        fn sign_checkpoint(&mut self, log: LogId, size: u64, note: &str) -> Result<()>;
        fn newest_checkpoint(&mut self, log: LogId) -> Result<Option<StoredCheckpoint>>;
        fn signed_checkpoint_before(
            &mut self,
            log: LogId,
            size: u64,
        ) -> Result<Option<StoredCheckpoint>>;
        fn chained_checkpoints(
            &mut self,
            log: LogId,
            size: u64,
            limit: i64,
        ) -> Result<Vec<ChainedCheckpoint>>;
        fn first_checkpoint_of_at_least(&mut self, log: LogId, size: u64) -> Result<Option<StoredCheckpoint>>;
        fn is_signed_for(&mut self, row: i64) -> Result<bool>;
        fn add_log_key(&mut self, key: &StoredLogKey) -> Result<()>;
        fn log_keys(&mut self, log: LogId) -> Result<Vec<StoredLogKey>>;
        fn log_origins(&mut self) -> Result<Vec<(LogId, String)>>;
        fn events_of(&mut self, idea: IdeaId, paging: Paging) -> Result<Page<StoredEvent>>;
        fn event_rows_after(
            &mut self,
            idea: Option<IdeaId>,
            after: i64,
            limit: i64,
        ) -> Result<Vec<i64>>;
        fn events_in(&mut self, rows: &[i64]) -> Result<Vec<StoredEvent>>;
        fn newest_event(
            &mut self,
            kind: EventKind,
            idea: IdeaId,
            recipient: Option<RecipientId>,
        ) -> Result<Option<StoredEvent>>;
        fn events_about_log(&mut self, log: LogId) -> Result<Vec<StoredEvent>>;
        fn entries(&mut self, log: LogId, first: u64, count: u64) -> Result<Vec<Digest>>;
        fn disclosures_of<'a>(&mut self, events: &[&'a StoredEvent]) -> Result<Vec<Disclosures>>;
        fn newest_idea(&mut self) -> Result<Option<IdeaId>>;
        fn skip_idea_numbers(&mut self, newest: IdeaId) -> Result<()>;
        fn erasures(&mut self, idea: IdeaId, reader: Option<RecipientId>) -> Result<Vec<i64>>;
        fn signed_checkpoints(
            &mut self,
            log: LogId,
            size: u64,
            limit: i64,
        ) -> Result<Vec<StoredCheckpoint>>;
    }

    impl Erasures for Transaction {
        fn erasable(&mut self, id: RecipientId) -> Result<Option<ErasableRegistration>>;
        fn registrations_under(
            &mut self,
            email: &Email,
            scope: ErasureScope,
        ) -> Result<Vec<ErasableRegistration>>;
        fn shares_for(&mut self, email: &Email, scope: ErasureScope) -> Result<Vec<Share>>;
        fn erase_person(
            &mut self,
            id: RecipientId,
            keep_agreement: bool,
            at: Timestamp,
        ) -> Result<()>;
        fn erase_share_address(&mut self, share: &Share) -> Result<()>;
        fn ideas_ever_of(&mut self, user: UserId) -> Result<Vec<EverOwnedIdea>>;
        fn erase_creator(&mut self, idea: IdeaId) -> Result<()>;
        fn applications_of(&mut self, email: &Email) -> Result<usize>;
        fn erase_applications(&mut self, email: &Email) -> Result<usize>;
        fn drop_mails_to(&mut self, to: &Email, scope: ErasureScope) -> Result<usize>;
        fn drop_mails_of_account(&mut self, sender: UserId) -> Result<()>;
    }

    impl Anchors for Transaction {
        fn add_anchor(&mut self, anchor: &Anchor) -> Result<bool>;
        fn newest_anchor(&mut self, service: &AnchorService) -> Result<Option<Anchor>>;
        fn confirmed_size(&mut self, service: &AnchorService, log: LogId) -> Result<u64>;
        fn queue_unchecked(&mut self, service: &AnchorService, now: Timestamp) -> Result<()>;
        fn anchor_is_due(&mut self, service: &AnchorService, now: Timestamp) -> Result<bool>;
        fn claim_anchor(
            &mut self,
            service: &AnchorService,
            now: Timestamp,
            lease_ends: Timestamp,
        ) -> Result<Option<Anchor>>;
        fn release_anchor(&mut self, anchor: &Anchor, claimed_attempts: u32) -> Result<bool>;
        fn anchors_covering(&mut self, place: Place, since: Timestamp) -> Result<Vec<Anchor>>;
        fn unsealed_anchors(&mut self) -> Result<Vec<Anchor>>;
        fn failing_anchors(&mut self, since: Timestamp) -> Result<Vec<Anchor>>;
    }

    impl JobSchedule for Transaction {
        fn is_job_due(&mut self, job: ScheduledJob, now: Timestamp) -> Result<bool>;
        fn claim_job(
            &mut self,
            job: ScheduledJob,
            run: JobRunId,
            now: Timestamp,
        ) -> Result<Option<u32>>;
        fn finish_job(&mut self, run: JobRunId, state: &JobState) -> Result<bool>;
        fn job_states(&mut self) -> Result<Vec<JobState>>;
    }

    impl Inspection for Transaction {
        fn idea_ids_after(&mut self, after: Option<IdeaId>, limit: i64) -> Result<Vec<IdeaId>>;
        fn inspected_idea(&mut self, id: IdeaId) -> Result<Option<Idea>>;
        fn idea_owner_even_if_disabled(&mut self, id: IdeaId) -> Result<Option<IdeaOwner>>;
        fn left_out(&mut self) -> Vec<ideavault_domain::ports::DamagedValue>;
        fn file_ids_after(&mut self, after: Option<FileId>, limit: i64) -> Result<Vec<FileId>>;
        fn facts_of(&mut self, idea: IdeaId) -> Result<Vec<ideavault_domain::evidence::Fact>>;
    }

    impl MasterKeys for Transaction {
        fn master_key(&mut self) -> Result<Option<MasterKeyId>>;
        fn init_master_key(&mut self, id: MasterKeyId) -> Result<MasterKeyId>;
        fn replace_master_key(&mut self, id: MasterKeyId) -> Result<()>;
        fn rewrap_batch(
            &mut self,
            limit: usize,
            damaged: &mut Vec<DamagedValue>,
        ) -> Result<usize>;
    }

    impl UserSessions for Transaction {
        fn user_session(&mut self, key: &TokenHash) -> Result<Option<UserSession>>;
        fn user_sessions_of(&mut self, user: UserId) -> Result<Vec<UserSession>>;
        fn lock_sessions_of(&mut self, user: UserId) -> Result<Vec<UserSession>>;
        fn begin_user_session(
            &mut self,
            session: &UserSession,
            user: UserId,
            epoch: SessionEpoch,
        ) -> Result<bool>;
        fn upsert_user_session(&mut self, session: &UserSession) -> Result<()>;
        fn touch_user_session(&mut self, key: &TokenHash, at: Timestamp) -> Result<()>;
        fn remove_user_session(&mut self, key: &TokenHash) -> Result<()>;
        fn delete_expired_user_sessions(
            &mut self,
            idle_since: Timestamp,
            created_before: Timestamp,
        ) -> Result<usize>;
    }

    impl KnownDevices for Transaction {
        fn record_device(&mut self, device: &KnownDevice) -> Result<bool>;
        fn renew_device_key(&mut self, former: &TokenHash, renewed: &TokenHash) -> Result<()>;
        fn delete_devices<'a>(
            &mut self,
            user: UserId,
            but: Option<&'a TokenHash>,
        ) -> Result<()>;
        fn delete_unused_devices(&mut self, unseen_since: Timestamp) -> Result<usize>;
    }

    impl TwoFactors for Transaction {
        fn two_factor(&mut self, user: UserId) -> Result<Option<TwoFactor>>;
        fn totp_secret(&mut self, user: UserId) -> Result<Option<TotpSecret>>;
        fn begin_two_factor(&mut self, user: UserId, secret: &TotpSecret) -> Result<bool>;
        fn confirm_two_factor(
            &mut self,
            user: UserId,
            secret: &TotpSecret,
            step: Step,
            at: Timestamp,
        ) -> Result<bool>;
        fn accept_step(&mut self, user: UserId, step: Step) -> Result<bool>;
        fn count_code(&mut self, user: UserId, now: Timestamp) -> Result<CodeAttempt>;
        fn lock_codes(&mut self, user: UserId, until: Timestamp) -> Result<()>;
        fn reset_wrong_codes(&mut self, user: UserId) -> Result<()>;
        fn remove_two_factor(&mut self, user: UserId) -> Result<bool>;
        fn add_recovery_codes(&mut self, user: UserId, hashes: &[Digest]) -> Result<()>;
        fn replace_recovery_codes(&mut self, user: UserId, hashes: &[Digest]) -> Result<bool>;
        fn recovery_codes_left(&mut self, user: UserId) -> Result<i64>;
        fn consume_recovery_code(&mut self, user: UserId, hash: &Digest) -> Result<bool>;
    }

    impl Ideas for Transaction {
        fn add_idea(&mut self, idea: &NewIdea) -> Result<Option<Idea>>;
        fn idea_of_key(&mut self, owner: UserId, key: &IdempotencyKey) -> Result<Option<IdeaId>>;
        fn idea(&mut self, id: IdeaId) -> Result<Option<Idea>>;
        fn idea_owner(&mut self, id: IdeaId) -> Result<Option<IdeaOwner>>;
        fn disclosed_idea(&mut self, id: IdeaId) -> Result<Option<DisclosedIdea>>;
        fn ideas_of(&mut self, owner: UserId, paging: Paging) -> Result<Page<ListedIdea>>;
        fn revision_content(&mut self, idea: IdeaId, revision: i32) -> Result<Option<Content>>;
        fn revision(&mut self, idea: IdeaId, number: i32) -> Result<Option<Revision>>;
        fn revisions_of(&mut self, idea: IdeaId, paging: Paging) -> Result<Page<Revision>>;
        fn drafts_with_old_revisions(
            &mut self,
            before: Timestamp,
            after: Option<IdeaId>,
            limit: i64,
        ) -> Result<Vec<IdeaId>>;
        fn kept_revisions(&mut self, idea: IdeaId) -> Result<Vec<KeptRevision>>;
        fn erase_revisions(&mut self, idea: IdeaId, numbers: &[i32]) -> Result<usize>;
        fn add_revision(&mut self, idea: &Idea, draft: &Draft, at: Timestamp) -> Result<bool>;
        fn publish_idea(&mut self, idea: &Idea, publication: &Publication) -> Result<bool>;
        fn delete_draft(&mut self, id: IdeaId, at: Timestamp) -> Result<bool>;
    }

    impl PublicRecords for Transaction {
        fn set_public_record(&mut self, idea: IdeaId, since: Option<Timestamp>) -> Result<()>;
        fn has_public_record(&mut self, idea: IdeaId) -> Result<bool>;
        fn publicly_recorded(&mut self, document: &DocumentId) -> Result<Option<IdeaId>>;
    }

    impl StorageUse for Transaction {
        fn storage_of(&mut self, user: UserId) -> Result<AccountStorage>;
        fn vault_storage(&mut self) -> Result<u64>;
        fn lock_vault_storage(&mut self) -> Result<u64>;
        fn set_storage_quota(&mut self, user: UserId, quota: Option<ByteSize>) -> Result<()>;
    }

    impl StoredCookieKey for Transaction {
        fn init_cookie_key(&mut self, new: &CookieKey) -> Result<CookieKey>;
        fn replace_cookie_key(&mut self, new: &CookieKey) -> Result<()>;
    }

    impl StorageIdentity for Transaction {
        fn storage_id(&mut self) -> Result<Option<StorageId>>;
        fn adopt_storage_id(&mut self, id: StorageId) -> Result<StorageId>;
        fn replace_storage_id(&mut self, id: StorageId) -> Result<()>;
    }

    impl NewestTime for Transaction {
        fn newest_time(&mut self) -> Result<Option<Timestamp>>;
        fn record_time(&mut self, at: Timestamp, wrong_after: Timestamp) -> Result<()>;
    }

    impl Files for Transaction {
        fn add_file(&mut self, file: &StoredFile) -> Result<()>;
        fn add_file_of_request(&mut self, file: &StoredFile, key: &IdempotencyKey) -> Result<bool>;
        fn file_of_request(
            &mut self,
            owner: UserId,
            key: &IdempotencyKey,
        ) -> Result<Option<StoredFile>>;
        fn file(&mut self, id: FileId) -> Result<Option<StoredFile>>;
        fn images_of(&mut self, owner: UserId) -> Result<Vec<StoredFile>>;
        fn ideas_showing(&mut self, file: FileId) -> Result<Vec<IdeaId>>;
        fn ideas_with_revisions_showing(&mut self, file: FileId) -> Result<Vec<IdeaId>>;
        fn pdf_of(&mut self, idea: IdeaId) -> Result<Option<FileId>>;
        fn remove_file(&mut self, id: FileId) -> Result<bool>;
        fn existing_files(&mut self, ids: &[FileId]) -> Result<Vec<FileId>>;
    }

    impl Shares for Transaction {
        fn add_share(&mut self, share: &Share, token: &Token) -> Result<()>;
        fn share(&mut self, id: ShareId) -> Result<Option<Share>>;
        fn share_by_token(&mut self, token: &TokenHash) -> Result<Option<Share>>;
        fn share_owner(&mut self, id: ShareId) -> Result<Option<ideavault_domain::ports::ShareOwner>>;
        fn shares_of(&mut self, idea: IdeaId) -> Result<Vec<ListedShare>>;
        fn share_token(&mut self, id: ShareId) -> Result<Option<Token>>;
        fn share_tokens_of(&mut self, idea: IdeaId) -> Result<Vec<(ShareId, Token)>>;
        fn rename_share<'a>(&mut self, id: ShareId, name: Option<&'a ShareName>) -> Result<()>;
        fn revoke_shares_of(
            &mut self,
            owner: UserId,
            at: Timestamp,
        ) -> Result<Vec<(IdeaId, ShareId)>>;
        fn revoke_share(&mut self, id: ShareId, at: Timestamp) -> Result<bool>;
        fn change_share_options(&mut self, id: ShareId, change: &ShareOptionsChange) -> Result<()>;
        fn claim_view(&mut self, grant: &ViewGrant) -> Result<bool>;
    }

    impl Recipients for Transaction {
        fn add_viewer_session(&mut self, session: &ViewerSession) -> Result<()>;
        fn viewer_session(&mut self, key: &TokenHash) -> Result<Option<ViewerSession>>;
        fn add_recipient(&mut self, recipient: &Recipient) -> Result<()>;
        fn registration(&mut self, id: RecipientId) -> Result<Option<RecipientWithShare>>;
        fn browser_registrations(
            &mut self,
            key: &TokenHash,
            now: Timestamp,
        ) -> Result<Option<BrowserRegistrations>>;
        fn browser_of(&mut self, key: &TokenHash) -> Result<Option<ViewerSessionId>>;
        fn replace_viewer_session(&mut self, session: &ViewerSession, at: Timestamp) -> Result<()>;
        fn move_recipient(
            &mut self,
            id: RecipientId,
            from: ViewerSessionId,
            to: ViewerSessionId,
        ) -> Result<bool>;
        fn end_recipient(
            &mut self,
            id: RecipientId,
            viewer: ViewerSessionId,
            ending: Ending,
            at: Timestamp,
        ) -> Result<bool>;
        fn decline_closed(
            &mut self,
            id: RecipientId,
            viewer: ViewerSessionId,
        ) -> Result<bool>;
        fn add_acceptance(&mut self, acceptance: &NdaAcceptance) -> Result<bool>;
        fn activity_of(&mut self, idea: IdeaId, paging: Paging) -> Result<Page<Activity>>;
        fn find_gate<'a>(&mut self, query: &GateQuery<'a>) -> Result<Option<FoundGate>>;
        fn activity_for_owner(
            &mut self,
            owner: UserId,
            idea: IdeaId,
            paging: Paging,
        ) -> Result<Page<Activity>>;
    }

    impl Codes for Transaction {
        fn replace_code(&mut self, code: &EmailCode) -> Result<()>;
        fn try_code(
            &mut self,
            recipient: RecipientId,
            now: Timestamp,
        ) -> Result<Option<EmailCode>>;
        fn delete_expired_codes(&mut self, now: Timestamp) -> Result<usize>;
        fn confirm_email(&mut self, recipient: RecipientId, at: Timestamp) -> Result<()>;
    }

    impl Comments for Transaction {
        fn add_comment(&mut self, comment: &Comment) -> Result<()>;
        fn comment(&mut self, id: CommentId) -> Result<Option<Comment>>;
        fn change_comment(&mut self, comment: &Comment) -> Result<bool>;
        fn comments_on_own(
            &mut self,
            owner: UserId,
            idea: IdeaId,
            paging: Paging,
        ) -> Result<Page<Comment>>;
        fn comments_on(
            &mut self,
            idea: IdeaId,
            scope: &CommentScope,
            paging: Paging,
        ) -> Result<Page<Comment>>;
        fn comments_for_owner(
            &mut self,
            owner: UserId,
            paging: Paging,
        ) -> Result<Page<Comment>>;
    }

    impl Outbox for Transaction {
        fn queue_mail(&mut self, mail: &QueuedMail) -> Result<()>;
        fn set_link(&mut self, mail: MailId, link: ShareId, sender: UserId) -> Result<()>;
        fn drop_mail_of_link(&mut self, link: ShareId) -> Result<()>;
        fn drop_mails_of_links_to(&mut self, idea: IdeaId) -> Result<()>;
        fn sender_of(&mut self, mail: MailId) -> Result<Option<UserId>>;
        fn mail_is_due(&mut self, now: Timestamp) -> Result<bool>;
        fn waiting_mails(&mut self) -> Result<WaitingMails>;
        fn waiting(&mut self, limit: i64) -> Result<Vec<WaitingMail>>;
        fn claim_mail(
            &mut self,
            now: Timestamp,
            lease_ends: Timestamp,
        ) -> Result<Option<ClaimedMail>>;
        fn postpone_mail(&mut self, claim: &MailClaim, retry_at: Timestamp) -> Result<bool>;
        fn remove_mail(&mut self, claim: &MailClaim) -> Result<bool>;
    }

    impl LimitCounts for Transaction {
        fn count_event(
            &mut self,
            key: &CountKey,
            now: Timestamp,
            ends: Timestamp,
            most: u32,
        ) -> Result<Option<Timestamp>>;
        fn limited_until(
            &mut self,
            limits: &[CountLimit],
            now: Timestamp,
        ) -> Result<Option<Timestamp>>;
        fn reset_count(&mut self, key: &CountKey) -> Result<()>;
        fn refund_event(&mut self, key: &CountKey, now: Timestamp) -> Result<()>;
        fn delete_ended_counts(&mut self, now: Timestamp) -> Result<usize>;
    }

    impl AccountChanges for Transaction {
        fn rename_user(&mut self, id: UserId, name: &PersonName) -> Result<Option<User>>;
        fn set_password(&mut self, id: UserId, hash: &PasswordHash) -> Result<bool>;
        fn replace_password(
            &mut self,
            id: UserId,
            known: &PasswordHash,
            hash: &PasswordHash,
        ) -> Result<bool>;
        fn end_sessions_of(&mut self, id: UserId) -> Result<Option<SessionEpoch>>;
        fn replace_password_reset(&mut self, reset: &PasswordReset) -> Result<()>;
        fn password_reset(&mut self, token: &TokenHash, now: Timestamp) -> Result<Option<UserId>>;
        fn consume_password_reset(
            &mut self,
            token: &TokenHash,
            now: Timestamp,
        ) -> Result<Option<UserId>>;
        fn delete_expired_password_resets(&mut self, now: Timestamp) -> Result<usize>;
        fn remove_password_reset(&mut self, user: UserId) -> Result<()>;
    }

    impl Administration for Transaction {
        fn accounts(&mut self) -> Result<Vec<AccountSummary>>;
        fn set_disabled(
            &mut self,
            user: UserId,
            disabled_at: Option<Timestamp>,
        ) -> Result<bool>;
        fn lock_account(&mut self, user: UserId) -> Result<()>;
        fn delete_account(&mut self, user: UserId, at: Timestamp) -> Result<bool>;
    }

    impl EmailConfirmations for Transaction {
        fn replace_email_confirmation(&mut self, confirmation: &EmailConfirmation) -> Result<()>;
        fn email_confirmation(
            &mut self,
            token: &TokenHash,
            now: Timestamp,
        ) -> Result<ConfirmationLink>;
        fn consume_email_confirmation(
            &mut self,
            token: &TokenHash,
            now: Timestamp,
        ) -> Result<ConfirmationLink>;
        fn delete_expired_email_confirmations(&mut self, now: Timestamp) -> Result<usize>;
        fn confirm_address(&mut self, user: UserId, at: Timestamp) -> Result<bool>;
        fn try_record_registration_notice(
            &mut self,
            user: UserId,
            at: Timestamp,
            last: Timestamp,
        ) -> Result<bool>;
    }

    impl Waitlist for Transaction {
        fn join_waitlist(&mut self, entry: &WaitlistEntry) -> Result<bool>;
        fn waitlist(&mut self) -> Result<Vec<WaitlistEntry>>;
    }

    impl Notices for Transaction {
        fn add_notice(&mut self, notice: &NewNotice) -> Result<()>;
        fn take_back_notice(&mut self, notice: &NewNotice) -> Result<()>;
        fn notices_of(&mut self, account: UserId, paging: Paging) -> Result<Page<Notice>>;
        fn unread_notices(&mut self, account: UserId) -> Result<i64>;
        fn read_notices(
            &mut self,
            account: UserId,
            up_to: Timestamp,
            now: Timestamp,
        ) -> Result<()>;
        fn due_notice(&mut self, now: Timestamp) -> Result<Option<DueNotice>>;
        fn claim_notice(&mut self, due: &DueNotice, now: Timestamp) -> Result<bool>;
        fn pending_notices(&mut self, due: &DueNotice) -> Result<Vec<Notice>>;
        fn settle_notices(
            &mut self,
            notices: &[i64],
            mail: Option<MailId>,
            at: Timestamp,
        ) -> Result<()>;
        fn postpone_notices(&mut self, notices: &[i64], due_at: Timestamp) -> Result<()>;
        fn notice_mails_since(
            &mut self,
            account: UserId,
            to_readers: bool,
            since: Timestamp,
        ) -> Result<i64>;
        fn shares_ending(&mut self, now: Timestamp) -> Result<Vec<ShareId>>;
        fn delete_old_notices(&mut self, before: Timestamp) -> Result<usize>;
    }

    impl NotificationSettings for Transaction {
        fn notification_mode(&mut self, account: UserId) -> Result<NotificationMode>;
        fn set_notification_mode(
            &mut self,
            account: UserId,
            mode: NotificationMode,
            now: Timestamp,
        ) -> Result<()>;
        fn share_notification_mode(
            &mut self,
            share: ShareId,
        ) -> Result<Option<NotificationMode>>;
        fn share_notification_modes(
            &mut self,
            idea: IdeaId,
        ) -> Result<Vec<(ShareId, NotificationMode)>>;
        fn set_share_notification_mode(
            &mut self,
            share: ShareId,
            mode: Option<NotificationMode>,
            now: Timestamp,
        ) -> Result<()>;
        fn add_unsubscribe_token(
            &mut self,
            token: &TokenHash,
            subscriber: Subscriber,
            at: Timestamp,
        ) -> Result<()>;
        fn subscriber(&mut self, token: &TokenHash) -> Result<Option<Subscriber>>;
        fn unsubscribe(&mut self, subscriber: Subscriber) -> Result<()>;
        fn is_muted(&mut self, recipient: RecipientId) -> Result<bool>;
    }

    impl AuditTrail for Transaction {
        fn record(&mut self, entry: &AuditEntry) -> Result<()>;
        fn record_denial(&mut self, entry: &AuditEntry) -> Result<bool>;
        fn audit(&mut self, since: Option<Timestamp>, limit: i64) -> Result<Vec<AuditEntry>>;
        fn occurrences(&mut self, kind: AuditKind) -> Result<Occurrences>;
    }

    impl Invitations for Transaction {
        fn invite(&mut self, email: &Email, at: Timestamp) -> Result<()>;
        fn invitation_is_live(
            &mut self,
            token: &TokenHash,
            email: &Email,
            now: Timestamp,
        ) -> Result<bool>;
        fn consume_invitation(
            &mut self,
            token: &TokenHash,
            email: &Email,
            now: Timestamp,
        ) -> Result<bool>;
        fn unannounced_invitations(&mut self) -> Result<Vec<Email>>;
        fn announce_invitation(
            &mut self,
            email: &Email,
            token: &TokenHash,
            at: Timestamp,
            expires_at: Timestamp,
        ) -> Result<bool>;
        fn delete_expired_invitations(&mut self, now: Timestamp) -> Result<usize>;
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
