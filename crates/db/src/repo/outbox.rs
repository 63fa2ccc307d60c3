//! Mails waiting to be sent, sealed until then.

use diesel::prelude::{
    BoolExpressionMethods, ExpressionMethods, NullableExpressionMethods, OptionalExtension,
    QueryDsl, Queryable, RunQueryDsl, Selectable, SelectableHelper,
};

use ideavault_domain::Timestamp;
use ideavault_domain::ids::{IdeaId, MailId, ShareId, UserId};
use ideavault_domain::keys::MasterSealed;
use ideavault_domain::mail::{
    ClaimedMail, Mail, MailClaim, QueuedMail, UnreadableMail, WaitingMail, WaitingMails,
};
use ideavault_domain::ports::{DatabaseError, Encryption, Outbox};

use super::current_key::sealed_under_current;
use super::damage;
use super::erased::is_erased;
use super::schema::{outbox_mails, shares};
use super::{Connection, Repository};
use crate::error::{QueryError, QueryResult};
use crate::stored::{self, Time};

#[derive(Queryable, Selectable)]
#[diesel(table_name = outbox_mails)]
struct MailRow {
    id: String,
    sealed: Vec<u8>,
    queued_at: Time,
    expires_at: Time,
    attempts: i32,
    unconfirmed: i32,
    next_attempt_at: Time,
}

impl MailRow {
    /// Fails if this server lacks the master key: another one can deliver the mail.
    fn into_claimed(
        self,
        connection: &mut Connection,
        encryption: &dyn Encryption,
    ) -> QueryResult<ClaimedMail> {
        let claim = MailClaim {
            id: stored::parsed("mail id", &self.id)?,
            queued_at: self.queued_at.into(),
            expires_at: self.expires_at.into(),
            attempts: self.attempts,
            unconfirmed: self.unconfirmed,
            lease_ends_at: self.next_attempt_at.into(),
        };
        let opened = encryption.open_with_master(MasterSealed::Mail(claim.id), &self.sealed);
        let mail = match opened.map_err(QueryError::Decryption) {
            Ok(bytes) => parse_mail(&bytes),
            Err(error) => match damage::explained(connection, encryption, error) {
                QueryError::Decryption(source) => Err(UnreadableMail::Undecryptable(source)),
                error => return Err(error),
            },
        };
        Ok(ClaimedMail { claim, mail })
    }
}

pub(super) fn parse_mail(bytes: &[u8]) -> Result<Mail, UnreadableMail> {
    let text = str::from_utf8(bytes).map_err(|_| UnreadableMail::Damaged)?;
    Mail::from_text(text).ok_or(UnreadableMail::Damaged)
}

impl Outbox for Repository<'_> {
    fn queue_mail(&mut self, mail: &QueuedMail) -> Result<(), DatabaseError> {
        let encryption = self.encryption;
        self.run("queue an email", |connection| {
            // The reader may have been erased since the mail was composed.
            if let Some(reader) = mail.reader
                && is_erased(connection, &reader.to_string())?
            {
                return Ok(());
            }
            let what = MasterSealed::Mail(mail.id);
            let text = mail.mail.to_text();
            let sealed = sealed_under_current(connection, encryption, what, text.as_bytes())?;
            diesel::insert_into(outbox_mails::table)
                .values((
                    outbox_mails::id.eq(mail.id.to_string()),
                    outbox_mails::sealed.eq(sealed),
                    outbox_mails::queued_at.eq(mail.queued_at),
                    outbox_mails::expires_at.eq(mail.expires_at),
                    outbox_mails::attempts.eq(0),
                    outbox_mails::next_attempt_at.eq(mail.first_attempt_at),
                    outbox_mails::recipient_id.eq(mail.reader.map(|id| id.to_string())),
                ))
                .execute(connection)?;
            Ok(())
        })?;
        self.effects.queued = true;
        Ok(())
    }

    fn set_link(
        &mut self,
        mail: MailId,
        link: ShareId,
        sender: UserId,
    ) -> Result<(), DatabaseError> {
        self.run("record the link of an email", |connection| {
            let mail = outbox_mails::table.filter(outbox_mails::id.eq(mail.to_string()));
            diesel::update(mail)
                .set((
                    outbox_mails::share_id.eq(link.to_string()),
                    outbox_mails::sender_id.eq(sender.to_string()),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    fn drop_mail_of_link(&mut self, link: ShareId) -> Result<(), DatabaseError> {
        self.run("withdraw the email of a link", |connection| {
            let mail = outbox_mails::table.filter(outbox_mails::share_id.eq(link.to_string()));
            diesel::delete(mail).execute(connection)?;
            Ok(())
        })
    }

    fn drop_mails_of_links_to(&mut self, idea: IdeaId) -> Result<(), DatabaseError> {
        self.run("withdraw the emails of links", |connection| {
            let links = shares::table
                .filter(shares::idea_id.eq(idea.as_i64()))
                .select(shares::id.nullable());
            let mails = outbox_mails::table.filter(outbox_mails::share_id.eq_any(links));
            diesel::delete(mails).execute(connection)?;
            Ok(())
        })
    }

    fn sender_of(&mut self, mail: MailId) -> Result<Option<UserId>, DatabaseError> {
        self.run("find the sender of an email", |connection| {
            let sender: Option<Option<String>> = outbox_mails::table
                .filter(outbox_mails::id.eq(mail.to_string()))
                .select(outbox_mails::sender_id)
                .first(connection)
                .optional()?;
            sender
                .flatten()
                .map(|id| stored::parsed("user id", &id))
                .transpose()
        })
    }

    fn mail_is_due(&mut self, now: Timestamp) -> Result<bool, DatabaseError> {
        self.run("find a due email", |connection| {
            let due = outbox_mails::table.filter(outbox_mails::next_attempt_at.le(now));
            Ok(diesel::select(diesel::dsl::exists(due)).get_result(connection)?)
        })
    }

    fn waiting_mails(&mut self) -> Result<WaitingMails, DatabaseError> {
        self.run("count waiting emails", |connection| {
            let count = outbox_mails::table.count().get_result(connection)?;
            let since: Option<Time> = outbox_mails::table
                .order(outbox_mails::queued_at)
                .select(outbox_mails::queued_at)
                .first(connection)
                .optional()?;
            Ok(WaitingMails {
                count,
                since: since.map(Into::into),
            })
        })
    }

    fn waiting(&mut self, limit: i64) -> Result<Vec<WaitingMail>, DatabaseError> {
        let encryption = self.encryption;
        self.run("list waiting emails", |connection| {
            let rows: Vec<(MailRow, Option<String>)> = outbox_mails::table
                .order((outbox_mails::queued_at, outbox_mails::seq))
                .limit(limit)
                .select((MailRow::as_select(), outbox_mails::sender_id))
                .load(connection)?;
            let waiting = rows.into_iter().map(|(row, sender)| {
                let ClaimedMail { claim, mail } = row.into_claimed(connection, encryption)?;
                Ok(WaitingMail {
                    id: claim.id,
                    kind: mail.ok().map(|mail| mail.kind()),
                    sender: sender
                        .map(|id| stored::parsed("user id", &id))
                        .transpose()?,
                    queued_at: claim.queued_at,
                    expires_at: claim.expires_at,
                    attempts: claim.attempts,
                    next_attempt_at: claim.lease_ends_at,
                })
            });
            waiting.collect()
        })
    }

    fn claim_mail(
        &mut self,
        now: Timestamp,
        lease_ends: Timestamp,
    ) -> Result<Option<ClaimedMail>, DatabaseError> {
        let encryption = self.encryption;
        self.run("claim an email", |connection| {
            loop {
                let first: Option<String> = outbox_mails::table
                    .filter(outbox_mails::next_attempt_at.le(now))
                    .order((outbox_mails::next_attempt_at, outbox_mails::seq))
                    .select(outbox_mails::id)
                    .first(connection)
                    .optional()?;
                let Some(first) = first else {
                    return Ok(None);
                };
                let still_due = outbox_mails::table
                    .find(first)
                    .filter(outbox_mails::next_attempt_at.le(now));
                let claimed = diesel::update(still_due)
                    .set((
                        outbox_mails::attempts.eq(outbox_mails::attempts + 1),
                        outbox_mails::next_attempt_at.eq(lease_ends),
                    ))
                    .returning(MailRow::as_returning())
                    .get_result(connection)
                    .optional()?;
                // Otherwise another worker claimed it, and it is not due any more.
                if let Some(claimed) = claimed {
                    return claimed.into_claimed(connection, encryption).map(Some);
                }
            }
        })
    }

    fn postpone_mail(
        &mut self,
        claim: &MailClaim,
        retry_at: Timestamp,
    ) -> Result<bool, DatabaseError> {
        self.run("postpone an email", |connection| {
            // The number of the attempt identifies the claim.
            let own = outbox_mails::id
                .eq(claim.id.to_string())
                .and(outbox_mails::attempts.eq(claim.attempts));
            let postponed = diesel::update(outbox_mails::table.filter(own))
                .set((
                    outbox_mails::next_attempt_at.eq(retry_at),
                    outbox_mails::unconfirmed.eq(claim.unconfirmed),
                ))
                .execute(connection)?;
            Ok(postponed == 1)
        })
    }

    fn remove_mail(&mut self, claim: &MailClaim) -> Result<bool, DatabaseError> {
        self.run("remove an email", |connection| {
            let own = outbox_mails::id
                .eq(claim.id.to_string())
                .and(outbox_mails::attempts.eq(claim.attempts));
            let removed = diesel::delete(outbox_mails::table.filter(own)).execute(connection)?;
            Ok(removed == 1)
        })
    }
}
