//! Second factors of accounts, with their recovery codes.

use diesel::prelude::{
    BoolExpressionMethods, ExpressionMethods, NullableExpressionMethods, OptionalExtension,
    QueryDsl, Queryable, RunQueryDsl, Selectable, SelectableHelper,
};
use diesel::query_dsl::methods;

use ideavault_domain::Timestamp;
use ideavault_domain::digest::Digest;
use ideavault_domain::ids::UserId;
use ideavault_domain::keys::MasterSealed;
use ideavault_domain::ports::{DatabaseError, Encryption, TwoFactors};
use ideavault_domain::two_factor::{CodeAttempt, Step, TotpSecret, TwoFactor};

use super::current_key::sealed_under_current;
use super::schema::{recovery_codes, two_factors};
use super::{Connection, Repository};
use crate::error::{QueryError, QueryResult};
use crate::stored::{self, Time};

#[derive(Queryable, Selectable)]
#[diesel(table_name = two_factors)]
struct TwoFactorRow {
    user_id: String,
    confirmed_at: Option<Time>,
}

impl TwoFactorRow {
    fn into_two_factor(self) -> QueryResult<TwoFactor> {
        Ok(TwoFactor {
            user: stored::parsed("user id", &self.user_id)?,
            confirmed_at: self.confirmed_at.map(Into::into),
        })
    }
}

impl TwoFactors for Repository<'_> {
    fn two_factor(&mut self, user: UserId) -> Result<Option<TwoFactor>, DatabaseError> {
        self.run("read two-factor state", |connection| {
            two_factors::table
                .find(user.to_string())
                .select(TwoFactorRow::as_select())
                .first(connection)
                .optional()?
                .map(TwoFactorRow::into_two_factor)
                .transpose()
        })
    }

    fn totp_secret(&mut self, user: UserId) -> Result<Option<TotpSecret>, DatabaseError> {
        let encryption = self.encryption;
        self.run("read a TOTP secret", |connection| {
            let sealed: Option<Vec<u8>> = two_factors::table
                .find(user.to_string())
                .select(two_factors::secret_sealed)
                .first(connection)
                .optional()?;
            sealed
                .map(|sealed| open_secret(encryption, user, &sealed))
                .transpose()
        })
    }

    fn begin_two_factor(
        &mut self,
        user: UserId,
        secret: &TotpSecret,
    ) -> Result<bool, DatabaseError> {
        let encryption = self.encryption;
        self.run("begin two-factor setup", |connection| {
            let what = MasterSealed::TotpSecret(user);
            let sealed = sealed_under_current(connection, encryption, what, secret.as_bytes())?;
            let put = diesel::insert_into(two_factors::table)
                .values((
                    two_factors::user_id.eq(user.to_string()),
                    two_factors::secret_sealed.eq(&sealed),
                    two_factors::last_step.eq(0),
                ))
                .on_conflict(two_factors::user_id)
                .do_update()
                .set(two_factors::secret_sealed.eq(&sealed));
            let begun = methods::FilterDsl::filter(put, two_factors::confirmed_at.is_null())
                .execute(connection)?;
            Ok(begun == 1)
        })
    }

    fn confirm_two_factor(
        &mut self,
        user: UserId,
        secret: &TotpSecret,
        step: Step,
        at: Timestamp,
    ) -> Result<bool, DatabaseError> {
        let encryption = self.encryption;
        self.run("confirm two-factor setup", |connection| {
            let pending = || {
                two_factors::table
                    .find(user.to_string())
                    .filter(two_factors::confirmed_at.is_null())
            };
            let sealed: Option<Vec<u8>> = pending()
                .select(two_factors::secret_sealed)
                .first(connection)
                .optional()?;
            let Some(sealed) = sealed else {
                return Ok(false);
            };
            if open_secret(encryption, user, &sealed)? != *secret {
                return Ok(false);
            }
            // A concurrent setup may have replaced the secret since it was read.
            let unchanged = pending().filter(two_factors::secret_sealed.eq(&sealed));
            let confirmed = diesel::update(unchanged)
                .set((
                    two_factors::confirmed_at.eq(at),
                    two_factors::last_step.eq(step.number()),
                ))
                .execute(connection)?;
            Ok(confirmed == 1)
        })
    }

    fn accept_step(&mut self, user: UserId, step: Step) -> Result<bool, DatabaseError> {
        self.run("accept a step", |connection| {
            let before = two_factors::table
                .find(user.to_string())
                .filter(two_factors::confirmed_at.is_not_null())
                .filter(two_factors::last_step.lt(step.number()));
            let accepted = diesel::update(before)
                .set(two_factors::last_step.eq(step.number()))
                .execute(connection)?;
            Ok(accepted == 1)
        })
    }

    fn count_code(&mut self, user: UserId, now: Timestamp) -> Result<CodeAttempt, DatabaseError> {
        self.run("count a code", |connection| {
            let own = two_factors::table.find(user.to_string());
            let ended = two_factors::locked_until.le(now).assume_not_null();
            let unlocked = own.filter(two_factors::locked_until.is_null().or(ended));
            let counted: Option<i64> = diesel::update(unlocked)
                .set(two_factors::wrong_codes.eq(two_factors::wrong_codes + 1))
                .returning(two_factors::wrong_codes)
                .get_result(connection)
                .optional()?;
            if let Some(counted) = counted {
                return Ok(CodeAttempt::Counted(counted));
            }
            let until: Option<Time> = two_factors::table
                .find(user.to_string())
                .select(two_factors::locked_until)
                .first(connection)?;
            let until = stored::required("end of a lock", until)?;
            Ok(CodeAttempt::LockedUntil(until.into()))
        })
    }

    fn lock_codes(&mut self, user: UserId, until: Timestamp) -> Result<(), DatabaseError> {
        self.run("lock codes", |connection| {
            diesel::update(two_factors::table.find(user.to_string()))
                .set(two_factors::locked_until.eq(until))
                .execute(connection)?;
            Ok(())
        })
    }

    fn reset_wrong_codes(&mut self, user: UserId) -> Result<(), DatabaseError> {
        self.run("reset wrong codes", |connection| {
            diesel::update(two_factors::table.find(user.to_string()))
                .set((
                    two_factors::wrong_codes.eq(0),
                    two_factors::locked_until.eq(None::<Timestamp>),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    fn remove_two_factor(&mut self, user: UserId) -> Result<bool, DatabaseError> {
        self.run("remove two-factor authentication", |connection| {
            let removed: Option<Option<Time>> =
                diesel::delete(two_factors::table.find(user.to_string()))
                    .returning(two_factors::confirmed_at)
                    .get_result(connection)
                    .optional()?;
            Ok(removed.flatten().is_some())
        })
    }

    fn add_recovery_codes(&mut self, user: UserId, hashes: &[Digest]) -> Result<(), DatabaseError> {
        self.run("add recovery codes", |connection| {
            insert_codes(connection, user, hashes)
        })
    }

    fn replace_recovery_codes(
        &mut self,
        user: UserId,
        hashes: &[Digest],
    ) -> Result<bool, DatabaseError> {
        self.run("replace recovery codes", |connection| {
            let on = two_factors::table
                .find(user.to_string())
                .filter(two_factors::confirmed_at.is_not_null());
            // Changes nothing, but locks the row: a concurrent replacement waits
            // here and then removes these codes.
            let locked = diesel::update(on)
                .set(two_factors::last_step.eq(two_factors::last_step))
                .execute(connection)?;
            if locked == 0 {
                return Ok(false);
            }
            let codes = recovery_codes::table;
            diesel::delete(codes.filter(recovery_codes::user_id.eq(user.to_string())))
                .execute(connection)?;
            insert_codes(connection, user, hashes)?;
            Ok(true)
        })
    }

    fn recovery_codes_left(&mut self, user: UserId) -> Result<i64, DatabaseError> {
        self.run("count recovery codes", |connection| {
            Ok(recovery_codes::table
                .filter(recovery_codes::user_id.eq(user.to_string()))
                .count()
                .get_result(connection)?)
        })
    }

    fn consume_recovery_code(
        &mut self,
        user: UserId,
        hash: &Digest,
    ) -> Result<bool, DatabaseError> {
        self.run("consume a recovery code", |connection| {
            let key = (user.to_string(), hash.as_bytes().as_slice());
            let taken = diesel::delete(recovery_codes::table.find(key)).execute(connection)?;
            Ok(taken == 1)
        })
    }
}

fn open_secret(
    encryption: &dyn Encryption,
    user: UserId,
    sealed: &[u8],
) -> QueryResult<TotpSecret> {
    let bytes = encryption
        .open_with_master(MasterSealed::TotpSecret(user), sealed)
        .map_err(QueryError::Decryption)?;
    stored::required("TOTP secret", TotpSecret::from_bytes(&bytes))
}

fn insert_codes(connection: &mut Connection, user: UserId, hashes: &[Digest]) -> QueryResult<()> {
    for hash in hashes {
        diesel::insert_into(recovery_codes::table)
            .values((
                recovery_codes::user_id.eq(user.to_string()),
                recovery_codes::code_hash.eq(hash.as_bytes().as_slice()),
            ))
            .execute(connection)?;
    }
    Ok(())
}
