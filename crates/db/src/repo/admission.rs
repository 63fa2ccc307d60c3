use diesel::prelude::{
    ExpressionMethods, QueryDsl, Queryable, RunQueryDsl, Selectable, SelectableHelper,
};

use ideavault_domain::Timestamp;
use ideavault_domain::admission::WaitlistEntry;
use ideavault_domain::email::Email;
use ideavault_domain::ports::{Invitations, StoreError, Waitlist};
use ideavault_domain::text::{PersonName, Profession};

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
    fn join_waitlist(&mut self, entry: &WaitlistEntry) -> Result<bool, StoreError> {
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

    fn waitlist(&mut self) -> Result<Vec<WaitlistEntry>, StoreError> {
        self.run("read the waitlist", |connection| {
            let rows = waitlist::table
                .order((waitlist::joined_at, waitlist::seq))
                .select(WaitlistRow::as_select())
                .load(connection)?;
            Ok(rows.into_iter().map(WaitlistRow::into_entry).collect())
        })
    }
}

impl Invitations for Repository<'_> {
    fn invite(&mut self, email: &Email, at: Timestamp) -> Result<(), StoreError> {
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
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    fn is_invited(&mut self, email: &Email) -> Result<bool, StoreError> {
        self.run("look an invitation up", |connection| {
            let found = invitations::table.find(email.as_str());
            diesel::select(diesel::dsl::exists(found)).get_result(connection)
        })
    }

    fn unannounced_invitations(&mut self) -> Result<Vec<Email>, StoreError> {
        self.run("list unannounced invitations", |connection| {
            let emails: Vec<String> = invitations::table
                .filter(invitations::announced_at.is_null())
                .order((invitations::invited_at, invitations::email))
                .select(invitations::email)
                .load(connection)?;
            Ok(emails.into_iter().map(Email::from_stored).collect())
        })
    }

    fn announce_invitation(&mut self, email: &Email, at: Timestamp) -> Result<bool, StoreError> {
        self.run("announce an invitation", |connection| {
            let unannounced = invitations::table
                .find(email.as_str())
                .filter(invitations::announced_at.is_null());
            let announced = diesel::update(unannounced)
                .set(invitations::announced_at.eq(at))
                .execute(connection)?;
            Ok(announced == 1)
        })
    }
}
