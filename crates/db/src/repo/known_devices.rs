//! Browsers that have signed in to an account before.

use diesel::prelude::{BoolExpressionMethods, ExpressionMethods, QueryDsl, RunQueryDsl};

use ideavault_domain::Timestamp;
use ideavault_domain::device::{DEVICE_LIFETIME, DEVICES_MAX, KnownDevice};
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{DatabaseError, KnownDevices};
use ideavault_domain::token::TokenHash;

use super::schema::known_devices;
use super::{Connection, Repository};
use crate::error::QueryResult;

impl KnownDevices for Repository<'_> {
    fn record_device(&mut self, device: &KnownDevice) -> Result<bool, DatabaseError> {
        self.run("record a device", |connection| {
            let user = device.user.to_string();
            let key = device.key_hash.as_bytes().as_slice();
            delete_unseen(connection, &user, device.last_seen_at - DEVICE_LIFETIME)?;
            let seen = diesel::update(known_devices::table.find((&user, key)))
                .set(known_devices::last_seen_at.eq(device.last_seen_at))
                .execute(connection)?;
            if seen == 1 {
                return Ok(true);
            }
            let added = diesel::insert_into(known_devices::table)
                .values((
                    known_devices::user_id.eq(&user),
                    known_devices::key_hash.eq(key),
                    known_devices::last_seen_at.eq(device.last_seen_at),
                ))
                .on_conflict_do_nothing()
                .execute(connection)?;
            forget_surplus(connection, &user)?;
            Ok(added == 0)
        })
    }

    fn renew_device_key(
        &mut self,
        former: &TokenHash,
        renewed: &TokenHash,
    ) -> Result<(), DatabaseError> {
        self.run("renew the key of a device", |connection| {
            let known = known_devices::key_hash.eq(former.as_bytes().as_slice());
            diesel::update(known_devices::table.filter(known))
                .set(known_devices::key_hash.eq(renewed.as_bytes().as_slice()))
                .execute(connection)?;
            Ok(())
        })
    }

    fn delete_devices(
        &mut self,
        user: UserId,
        but: Option<&TokenHash>,
    ) -> Result<(), DatabaseError> {
        self.run("delete devices", |connection| {
            // No key hash is empty, so that the empty one keeps no device.
            let kept = but.map_or(&[] as &[u8], |key| key.as_bytes().as_slice());
            let others = known_devices::user_id
                .eq(user.to_string())
                .and(known_devices::key_hash.ne(kept));
            diesel::delete(known_devices::table.filter(others)).execute(connection)?;
            Ok(())
        })
    }

    fn delete_unused_devices(&mut self, unseen_since: Timestamp) -> Result<usize, DatabaseError> {
        self.run("clean up devices", |connection| {
            let unseen = known_devices::last_seen_at.lt(unseen_since);
            Ok(diesel::delete(known_devices::table.filter(unseen)).execute(connection)?)
        })
    }
}

/// Deletes the account's expired devices, between two runs of the cleanup.
fn delete_unseen(
    connection: &mut Connection,
    user: &str,
    unseen_since: Timestamp,
) -> QueryResult<()> {
    let unseen = known_devices::user_id
        .eq(user)
        .and(known_devices::last_seen_at.lt(unseen_since));
    diesel::delete(known_devices::table.filter(unseen)).execute(connection)?;
    Ok(())
}

fn forget_surplus(connection: &mut Connection, user: &str) -> QueryResult<()> {
    let own = known_devices::user_id.eq(user);
    let surplus: Vec<Vec<u8>> = known_devices::table
        .filter(own)
        .order((known_devices::last_seen_at.desc(), known_devices::key_hash))
        .offset(DEVICES_MAX)
        .select(known_devices::key_hash)
        .load(connection)?;
    let surplus = own.and(known_devices::key_hash.eq_any(surplus));
    diesel::delete(known_devices::table.filter(surplus)).execute(connection)?;
    Ok(())
}
