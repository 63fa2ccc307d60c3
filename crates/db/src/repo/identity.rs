//! The id that ties the database to its file storage.

use diesel::prelude::{ExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl};

use ideavault_domain::ids::StorageId;
use ideavault_domain::ports::{DatabaseError, StorageIdentity};

use super::schema::storage_identity;
use super::{Connection, Repository};
use crate::error::QueryResult;
use crate::stored;

fn on_record(connection: &mut Connection) -> QueryResult<Option<StorageId>> {
    storage_identity::table
        .select(storage_identity::id)
        .first::<String>(connection)
        .optional()?
        .map(|id| stored::parsed("storage id", &id))
        .transpose()
}

impl StorageIdentity for Repository<'_> {
    fn storage_id(&mut self) -> Result<Option<StorageId>, DatabaseError> {
        self.run("read the id of the storage", on_record)
    }

    fn adopt_storage_id(&mut self, id: StorageId) -> Result<StorageId, DatabaseError> {
        self.run("claim the id of a storage", |connection| {
            diesel::insert_into(storage_identity::table)
                .values((
                    storage_identity::one.eq(1),
                    storage_identity::id.eq(id.to_string()),
                ))
                .on_conflict_do_nothing()
                .execute(connection)?;
            stored::required("storage id", on_record(connection)?)
        })
    }

    fn replace_storage_id(&mut self, id: StorageId) -> Result<(), DatabaseError> {
        self.run("replace the id of the storage", |connection| {
            let id = id.to_string();
            diesel::insert_into(storage_identity::table)
                .values((storage_identity::one.eq(1), storage_identity::id.eq(&id)))
                .on_conflict(storage_identity::one)
                .do_update()
                .set(storage_identity::id.eq(&id))
                .execute(connection)?;
            Ok(())
        })
    }
}
