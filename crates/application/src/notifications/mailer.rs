//! Composes mails from notices: grouped by link, or all of a day.
//!
//! Invariant: a notice is settled in the transaction that queues its mail, and only
//! by the server that claimed it there, so that exactly one server mails it.

use std::sync::{Arc, Mutex, PoisonError};

use chrono::Duration;
use ideavault_domain::Timestamp;
use ideavault_domain::account::User;
use ideavault_domain::gate::{GateContext, Refusal};
use ideavault_domain::ids::{ShareId, UserId};
use ideavault_domain::mail::{Mail, QueuedMail};
use ideavault_domain::notice::{
    CAPPED_RETRY, DueNotice, MAILS_PER_HOUR, Notice, NoticeKind, NotificationMode,
    READER_MAILS_PER_DAY, Subscriber, last_digest, next_digest,
};
use ideavault_domain::ports::{Database, DatabaseError, Transaction};
use ideavault_domain::recipient::Identity;
use ideavault_domain::share::ShareState;
use ideavault_domain::token::Token;

use super::{NotificationError, add_notice};
use crate::deps::Deps;
use crate::email_composer::EmailComposer;
use crate::emails::{self, LinkDigest};
use crate::random;

/// Delivery deadline of a notification mail, counted from its composition.
const MAIL_LIFETIME: Duration = Duration::days(2);
/// Interval between checks for links that end soon.
const LOOK_FOR_ENDS_EVERY: Duration = Duration::minutes(1);
/// Most notices handled in one run, so that other mails get their turn.
const RUN_MAX: usize = 20;

/// Mails notices.
pub struct NoticeMailer<S> {
    deps: Deps<S>,
    email_composer: Arc<EmailComposer>,
    looked_for_ends: Mutex<Option<Timestamp>>,
}

/// The result of a run of the mailer.
#[derive(Debug, Default)]
pub struct MailerRun {
    /// Number of mails queued.
    pub mailed: usize,
    /// Sequence numbers of the notices that failed, with the causes.
    pub failed: Vec<(i64, NotificationError)>,
}

/// The outcome for a due notice and the notices grouped with it.
struct Batch {
    seqs: Vec<i64>,
    outcome: Outcome,
}

enum Outcome {
    Mail(Box<Mail>),
    Nothing,
    Later(Timestamp),
}

impl Batch {
    fn of(notices: &[&Notice], outcome: Outcome) -> Self {
        Self {
            seqs: notices.iter().map(|notice| notice.seq).collect(),
            outcome,
        }
    }
}

impl<S: Database> NoticeMailer<S> {
    /// Creates the mailer from its dependencies.
    pub fn new(deps: Deps<S>, email_composer: Arc<EmailComposer>) -> Self {
        Self {
            deps,
            email_composer,
            looked_for_ends: Mutex::new(None),
        }
    }

    /// Queues mails about due notices. One that fails by itself is postponed, so that it
    /// does not hold up the others.
    ///
    /// # Errors
    /// [`NotificationError`]; notices not mailed are retried.
    pub fn run(&self) -> Result<MailerRun, NotificationError> {
        let now = self.deps.clock.now();
        self.add_ending_notices(now)?;
        let mut run = MailerRun::default();
        for _ in 0..RUN_MAX {
            let due = self
                .deps
                .database
                .read_one(|tx| tx.notices().due_notice(now))?;
            let Some(due) = due else { break };
            match self.settle(&due, now) {
                Ok(mailed) => run.mailed += usize::from(mailed),
                Err(
                    error @ NotificationError::Database(
                        DatabaseError::Damaged { .. } | DatabaseError::Internal { .. },
                    ),
                ) => {
                    let retry_at = now + CAPPED_RETRY;
                    self.deps
                        .database
                        .write(|tx| tx.notices().postpone_notices(&[due.seq], retry_at))?;
                    run.failed.push((due.seq, error));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(run)
    }

    fn add_ending_notices(&self, now: Timestamp) -> Result<(), NotificationError> {
        {
            let mut looked = self
                .looked_for_ends
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let is_fresh = |at: Timestamp| at <= now && now < at + LOOK_FOR_ENDS_EVERY;
            if looked.is_some_and(is_fresh) {
                return Ok(());
            }
            *looked = Some(now);
        }
        let ending: Vec<ShareId> = self
            .deps
            .database
            .read_one(|tx| tx.notices().shares_ending(now))?;
        for share in ending {
            self.deps
                .database
                .write(|tx| add_notice(tx, NoticeKind::EndingSoon, share, None, now))?;
        }
        Ok(())
    }

    /// Returns whether the notice was mailed.
    fn settle(&self, due: &DueNotice, now: Timestamp) -> Result<bool, NotificationError> {
        let token = Token::from_random(random::bytes(self.deps.random.as_ref())?);
        self.deps.database.write(|tx| {
            if !tx.notices().claim_notice(due, now)? {
                return Ok(false);
            }
            let pending = tx.notices().pending_notices(due)?;
            let (batch, subscriber) = match due.reader {
                Some(reader) => (
                    self.to_reader(tx, due, &pending, &token, now)?,
                    Subscriber::Reader(reader),
                ),
                None => (
                    self.to_owner(tx, due, &pending, &token, now)?,
                    Subscriber::Account(due.account),
                ),
            };
            // If the idea was deleted, or more notices are pending than one mail has, the
            // batch may lack the notice itself, which would stay due.
            let mut handled = batch.seqs.clone();
            handled.push(due.seq);
            match batch.outcome {
                Outcome::Mail(mail) => {
                    let queued = self.email_composer.compose(*mail, now, MAIL_LIFETIME)?;
                    let queued = QueuedMail {
                        reader: due.reader,
                        ..queued
                    };
                    tx.notification_settings().add_unsubscribe_token(
                        &token.hash(),
                        subscriber,
                        now,
                    )?;
                    tx.outbox().queue_mail(&queued)?;
                    tx.notices()
                        .settle_notices(&batch.seqs, Some(queued.id), now)?;
                    Ok(true)
                }
                Outcome::Nothing => {
                    tx.notices().settle_notices(&handled, None, now)?;
                    Ok(false)
                }
                Outcome::Later(at) => {
                    tx.notices().postpone_notices(&handled, at)?;
                    Ok(false)
                }
            }
        })
    }

    fn to_owner(
        &self,
        tx: &mut dyn Transaction,
        due: &DueNotice,
        pending: &[Notice],
        token: &Token,
        now: Timestamp,
    ) -> Result<Batch, NotificationError> {
        let on_link: Vec<&Notice> = pending
            .iter()
            .filter(|notice| notice.share == due.share)
            .collect();
        let nothing = |notices: &[&Notice]| Ok(Batch::of(notices, Outcome::Nothing));
        let Some(owner) = active_user(tx, due.account)? else {
            return nothing(&on_link);
        };
        let account_mode = tx.notification_settings().notification_mode(due.account)?;
        let mut tells = |share| mode_of(tx, share, account_mode, now);
        let (notices, is_digest) = match tells(due.share)? {
            NotificationMode::Never => return nothing(&on_link),
            NotificationMode::AtOnce => (on_link, false),
            NotificationMode::Daily if due.first_at >= last_digest(now) => {
                return Ok(Batch::of(&on_link, Outcome::Later(next_digest(now))));
            }
            NotificationMode::Daily => {
                let mut of_the_day = Vec::new();
                for of_link in by_link(pending) {
                    let Some(first) = of_link.first() else {
                        continue;
                    };
                    if tells(first.share)? == NotificationMode::Daily {
                        of_the_day.extend(of_link);
                    }
                }
                of_the_day.retain(|notice| notice.first_at < last_digest(now));
                (of_the_day, true)
            }
        };
        if notices.is_empty() {
            return nothing(&notices);
        }
        let hour_ago = now - Duration::hours(1);
        if tx
            .notices()
            .notice_mails_since(due.account, false, hour_ago)?
            >= MAILS_PER_HOUR
        {
            return Ok(Batch::of(&notices, Outcome::Later(now + CAPPED_RETRY)));
        }
        let mail = self.owner_mail(tx, &owner, &notices, is_digest, token)?;
        Ok(Batch::of(&notices, Outcome::Mail(Box::new(mail))))
    }

    fn owner_mail(
        &self,
        tx: &mut dyn Transaction,
        owner: &User,
        notices: &[&Notice],
        is_digest: bool,
        token: &Token,
    ) -> Result<Mail, NotificationError> {
        let owned: Vec<Notice> = notices.iter().map(|notice| (*notice).clone()).collect();
        let mut news = Vec::new();
        for of_link in by_link(&owned) {
            let Some(first) = of_link.first() else {
                continue;
            };
            let share = tx
                .shares()
                .share(first.share)?
                .ok_or(NotificationError::NotFound)?;
            news.push(LinkDigest {
                share,
                notices: of_link,
            });
        }
        let links = self.email_composer.links();
        Ok(emails::link_digest(links, owner, &news, is_digest, token))
    }

    fn to_reader(
        &self,
        tx: &mut dyn Transaction,
        due: &DueNotice,
        pending: &[Notice],
        token: &Token,
        now: Timestamp,
    ) -> Result<Batch, NotificationError> {
        let notices: Vec<&Notice> = pending.iter().collect();
        let nothing = Ok(Batch::of(&notices, Outcome::Nothing));
        let (Some(reader), Some(first)) = (due.reader, notices.first()) else {
            return nothing;
        };
        let Some(found) = tx.recipients().registration(reader)? else {
            return nothing;
        };
        let context = GateContext {
            share: found.share.clone(),
            idea_exists: true,
            progress: Some(found.progress.clone()),
        };
        let is_erased = found.progress.recipient.erasure.is_of_person();
        if is_erased
            || context.require_view(now).is_err_and(Refusal::is_final)
            || tx.notification_settings().is_muted(reader)?
        {
            return nothing;
        }
        let day_ago = now - Duration::days(1);
        if tx
            .notices()
            .notice_mails_since(due.account, true, day_ago)?
            >= READER_MAILS_PER_DAY
        {
            return Ok(Batch::of(&notices, Outcome::Later(now + CAPPED_RETRY)));
        }
        let Some(owner) = active_user(tx, due.account)? else {
            return nothing;
        };
        let recipient = &found.progress.recipient;
        // A recipient may have typed somebody else's address, who must get neither
        // the link nor the title.
        let confirmed = match recipient.identity {
            // Without the link where its token is damaged.
            Identity::EmailConfirmed { .. } => {
                let token = tx.shares().share_token(found.share.id)?;
                token.map(|token| (&first.title, token))
            }
            Identity::SelfDeclared => None,
        };
        let mail = emails::comment_reply(
            self.email_composer.links(),
            recipient,
            &owner.name,
            confirmed.as_ref().map(|(title, token)| (*title, token)),
            token,
        );
        Ok(Batch::of(&notices, Outcome::Mail(Box::new(mail))))
    }
}

/// Returns the account unless it is disabled.
fn active_user(tx: &mut dyn Transaction, id: UserId) -> Result<Option<User>, NotificationError> {
    Ok(tx.users().user(id)?.filter(|user| !user.is_disabled()))
}

/// Returns the notification mode for a link; `Never` once it is revoked.
fn mode_of(
    tx: &mut dyn Transaction,
    share: ShareId,
    account: NotificationMode,
    now: Timestamp,
) -> Result<NotificationMode, NotificationError> {
    let is_live = tx
        .shares()
        .share(share)?
        .is_some_and(|share| share.state(now) != ShareState::Revoked);
    if !is_live {
        return Ok(NotificationMode::Never);
    }
    Ok(tx
        .notification_settings()
        .share_notification_mode(share)?
        .unwrap_or(account))
}

/// Groups notices by link, in the order of each link's first notice.
fn by_link(notices: &[Notice]) -> Vec<Vec<&Notice>> {
    let mut links: Vec<Vec<&Notice>> = Vec::new();
    for notice in notices {
        let same = |link: &&mut Vec<&Notice>| {
            link.first()
                .is_some_and(|first| first.share == notice.share)
        };
        match links.iter_mut().find(same) {
            Some(link) => link.push(notice),
            None => links.push(vec![notice]),
        }
    }
    links
}
