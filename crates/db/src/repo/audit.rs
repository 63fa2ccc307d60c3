//! The audit trail, which is appended to, and loses only what is older than the operator keeps it.

use diesel::prelude::{
    ExpressionMethods, OptionalExtension, QueryDsl, Queryable, RunQueryDsl, Selectable,
    SelectableHelper,
};

use ideavault_domain::Timestamp;
use ideavault_domain::audit::{AuditEntry, AuditKind, DENIALS_PER_MINUTE, Occurrences};
use ideavault_domain::ports::{AuditTrail, DatabaseError};
use ideavault_domain::recipient::Origin;

use super::schema::{audit_entries, audit_retention};
use super::{Connection, Repository};
use crate::error::QueryResult;
use crate::stored::{self, Time};

#[derive(Queryable, Selectable)]
#[diesel(table_name = audit_entries)]
struct AuditRow {
    at: Time,
    kind: String,
    account_id: Option<String>,
    subject: Option<String>,
    ip: Option<String>,
    user_agent: Option<String>,
}

impl AuditRow {
    fn into_entry(self) -> QueryResult<AuditEntry> {
        let user_agent = self.user_agent;
        let origin = self
            .ip
            .map(|ip| {
                stored::parsed("address", &ip).map(|ip| Origin {
                    ip,
                    user_agent: user_agent.clone(),
                })
            })
            .transpose()?;
        Ok(AuditEntry {
            at: self.at.into(),
            kind: stored::required("audit kind", AuditKind::from_name(&self.kind))?,
            account: self
                .account_id
                .map(|id| stored::parsed("user id", &id))
                .transpose()?,
            subject: self
                .subject
                .map(|subject| stored::parsed("audit subject", &subject))
                .transpose()?,
            origin,
        })
    }
}

impl AuditTrail for Repository<'_> {
    fn record(&mut self, entry: &AuditEntry) -> Result<(), DatabaseError> {
        self.run("record an event", |connection| {
            insert(connection, entry, None)?;
            Ok(())
        })
    }

    fn record_denial(&mut self, entry: &AuditEntry) -> Result<bool, DatabaseError> {
        self.run("record a denial", |connection| {
            let denials: i64 = audit_entries::table
                .filter(audit_entries::slot.is_not_null())
                .filter(audit_entries::at.ge(entry.minute()))
                .count()
                .get_result(connection)?;
            if denials >= DENIALS_PER_MINUTE {
                return Ok(false);
            }
            Ok(insert(connection, entry, Some(entry.slot().to_string()))? == 1)
        })
    }

    fn audit(
        &mut self,
        since: Option<Timestamp>,
        limit: i64,
    ) -> Result<Vec<AuditEntry>, DatabaseError> {
        self.run("read the audit trail", |connection| {
            let mut query = audit_entries::table
                .order((audit_entries::at.desc(), audit_entries::seq.desc()))
                .limit(limit)
                .select(AuditRow::as_select())
                .into_boxed();
            if let Some(since) = since {
                query = query.filter(audit_entries::at.ge(since));
            }
            let rows: Vec<AuditRow> = query.load(connection)?;
            rows.into_iter().rev().map(AuditRow::into_entry).collect()
        })
    }

    fn delete_entries(&mut self, before: Timestamp, limit: i64) -> Result<usize, DatabaseError> {
        self.run("delete old events", |connection| {
            diesel::update(audit_retention::table)
                .set(audit_retention::entries_before.eq(before))
                .execute(connection)?;
            let old: Vec<i64> = audit_entries::table
                .filter(audit_entries::at.lt(before))
                .order(audit_entries::at)
                .limit(limit)
                .select(audit_entries::seq)
                .load(connection)?;
            let old = audit_entries::table.filter(audit_entries::seq.eq_any(old));
            Ok(diesel::delete(old).execute(connection)?)
        })
        .inspect(|deleted| self.effects.erased |= *deleted > 0)
    }

    fn erase_addresses(&mut self, before: Timestamp, limit: i64) -> Result<usize, DatabaseError> {
        self.run("erase the addresses of old events", |connection| {
            diesel::update(audit_retention::table)
                .set(audit_retention::addresses_before.eq(before))
                .execute(connection)?;
            let old: Vec<i64> = audit_entries::table
                .filter(audit_entries::ip.is_not_null())
                .filter(audit_entries::at.lt(before))
                .order(audit_entries::at)
                .limit(limit)
                .select(audit_entries::seq)
                .load(connection)?;
            let old = audit_entries::table.filter(audit_entries::seq.eq_any(old));
            Ok(diesel::update(old)
                .set((
                    audit_entries::ip.eq(None::<String>),
                    audit_entries::user_agent.eq(None::<String>),
                    // A digest of the network, among others, of which there are not many.
                    audit_entries::slot.eq(None::<String>),
                ))
                .execute(connection)?)
        })
        .inspect(|erased| self.effects.erased |= *erased > 0)
    }

    fn occurrences(&mut self, kind: AuditKind) -> Result<Occurrences, DatabaseError> {
        self.run("count events of a kind", |connection| {
            let of_kind = || audit_entries::table.filter(audit_entries::kind.eq(kind.as_str()));
            let count = of_kind().count().get_result(connection)?;
            let last: Option<Time> = of_kind()
                .order(audit_entries::at.desc())
                .select(audit_entries::at)
                .first(connection)
                .optional()?;
            Ok(Occurrences {
                count,
                last: last.map(Into::into),
            })
        })
    }
}

fn insert(
    connection: &mut Connection,
    entry: &AuditEntry,
    slot: Option<String>,
) -> QueryResult<usize> {
    let origin = entry.origin.as_ref();
    Ok(diesel::insert_into(audit_entries::table)
        .values((
            audit_entries::at.eq(entry.at),
            audit_entries::kind.eq(entry.kind.as_str()),
            audit_entries::account_id.eq(entry.account.map(|id| id.to_string())),
            audit_entries::subject.eq(entry.subject.as_ref().map(ToString::to_string)),
            audit_entries::ip.eq(origin.map(|origin| origin.ip.to_string())),
            audit_entries::user_agent.eq(origin.and_then(|origin| origin.user_agent.as_deref())),
            audit_entries::slot.eq(slot),
        ))
        .on_conflict_do_nothing()
        .execute(connection)?)
}
