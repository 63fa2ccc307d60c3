//! Who may register: the waitlist and invitations.

use diesel::dsl::auto_type;
use diesel::prelude::{
    ExpressionMethods, QueryDsl, Queryable, RunQueryDsl, Selectable, SelectableHelper,
};

use ideavault_domain::Timestamp;
use ideavault_domain::admission::WaitlistEntry;
use ideavault_domain::email::Email;
use ideavault_domain::ports::{DatabaseError, Invitations, Waitlist};
use ideavault_domain::text::{PersonName, Profession};
use ideavault_domain::token::TokenHash;

use super::Repository;
use super::schema::{invitations, waitlist};
use crate::stored::Time;

#[derive(Queryable, Selectable)]
#[diesel(table_name = waitlist)]
struct WaitlistRow {
    name: String,
    email: String,
    profession: String,
    joined_at: Time,
}

impl WaitlistRow {
    fn into_entry(self) -> WaitlistEntry {
        WaitlistEntry {
            name: PersonName::from_stored(self.name),
            email: Email::from_stored(self.email),
            profession: Profession::from_stored(self.profession),
            joined_at: self.joined_at.into(),
        }
    }
}

impl Waitlist for Repository<'_> {
    fn join_waitlist(&mut self, entry: &WaitlistEntry) -> Result<bool, DatabaseError> {
        self.run("join the waitlist", |connection| {
            let added = diesel::insert_into(waitlist::table)
                .values((
                    waitlist::email.eq(entry.email.as_str()),
                    waitlist::name.eq(entry.name.as_str()),
                    waitlist::profession.eq(entry.profession.as_str()),
                    waitlist::joined_at.eq(entry.joined_at),
                ))
                .on_conflict(waitlist::email)
                .do_nothing()
                .execute(connection)?;
            Ok(added == 1)
        })
    }

    fn waitlist(&mut self) -> Result<Vec<WaitlistEntry>, DatabaseError> {
        self.run("read the waitlist", |connection| {
            let rows = waitlist::table
                .order((waitlist::joined_at, waitlist::seq))
                .select(WaitlistRow::as_select())
                .load(connection)?;
            Ok(rows.into_iter().map(WaitlistRow::into_entry).collect())
        })
    }
}

/// The unexpired invitation of that address with that token.
#[auto_type]
fn live_invitation<'a>(email: &'a str, token: &'a [u8; 32], now: Timestamp) -> _ {
    let token: &'a [u8] = token.as_slice();
    invitations::table
        .find(email)
        .filter(invitations::token_hash.eq(token))
        .filter(invitations::expires_at.gt(now))
}

impl Invitations for Repository<'_> {
    fn invite(&mut self, email: &Email, at: Timestamp) -> Result<(), DatabaseError> {
        self.run("invite", |connection| {
            diesel::insert_into(invitations::table)
                .values((
                    invitations::email.eq(email.as_str()),
                    invitations::invited_at.eq(at),
                ))
                .on_conflict(invitations::email)
                .do_update()
                .set((
                    invitations::invited_at.eq(at),
                    invitations::announced_at.eq(None::<Timestamp>),
                    invitations::token_hash.eq(None::<Vec<u8>>),
                    invitations::expires_at.eq(None::<Timestamp>),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    fn invitation_is_live(
        &mut self,
        token: &TokenHash,
        email: &Email,
        now: Timestamp,
    ) -> Result<bool, DatabaseError> {
        self.run("look up an invitation", |connection| {
            let found = live_invitation(email.as_str(), token.as_bytes(), now);
            Ok(diesel::select(diesel::dsl::exists(found)).get_result(connection)?)
        })
    }

    fn consume_invitation(
        &mut self,
        token: &TokenHash,
        email: &Email,
        now: Timestamp,
    ) -> Result<bool, DatabaseError> {
        self.run("consume an invitation", |connection| {
            let found = live_invitation(email.as_str(), token.as_bytes(), now);
            Ok(diesel::delete(found).execute(connection)? == 1)
        })
    }

    fn unannounced_invitations(&mut self) -> Result<Vec<Email>, DatabaseError> {
        self.run("list unannounced invitations", |connection| {
            let emails: Vec<String> = invitations::table
                .filter(invitations::announced_at.is_null())
                .order((invitations::invited_at, invitations::email))
                .select(invitations::email)
                .load(connection)?;
            Ok(emails.into_iter().map(Email::from_stored).collect())
        })
    }

    fn announce_invitation(
        &mut self,
        email: &Email,
        token: &TokenHash,
        at: Timestamp,
        expires_at: Timestamp,
    ) -> Result<bool, DatabaseError> {
        self.run("announce an invitation", |connection| {
            let unannounced = invitations::table
                .find(email.as_str())
                .filter(invitations::announced_at.is_null());
            let announced = diesel::update(unannounced)
                .set((
                    invitations::announced_at.eq(at),
                    invitations::token_hash.eq(token.as_bytes().as_slice()),
                    invitations::expires_at.eq(expires_at),
                ))
                .execute(connection)?;
            Ok(announced == 1)
        })
    }

    fn delete_expired_invitations(&mut self, now: Timestamp) -> Result<usize, DatabaseError> {
        self.run("clean up invitations", |connection| {
            let expired = invitations::expires_at.le(now);
            Ok(diesel::delete(invitations::table.filter(expired)).execute(connection)?)
        })
    }
}
