//! The id that ties the files folder to the database.

use ideavault_domain::file::MediaType;
use ideavault_domain::ids::{FileId, StorageId};

use crate::support::{Fixture, at, on_both_databases, race};

on_both_databases!(
    the_first_storage_id_is_kept_until_it_is_replaced,
    concurrent_servers_adopt_one_storage_id,
    file_ids_are_listed_in_pages,
);

fn id(byte: u8) -> StorageId {
    StorageId::from_random([byte; 16])
}

fn the_first_storage_id_is_kept_until_it_is_replaced(fixture: &Fixture) {
    let on_record = || fixture.read(|tx| tx.storage_identity().storage_id());
    assert_eq!(on_record(), None);
    for byte in [1, 2] {
        let adopted = fixture.write(|tx| tx.storage_identity().adopt_storage_id(id(byte)));
        assert_eq!(adopted, id(1));
    }
    fixture.write(|tx| tx.storage_identity().replace_storage_id(id(3)));
    assert_eq!(on_record(), Some(id(3)));
}

fn concurrent_servers_adopt_one_storage_id(fixture: &Fixture) {
    let adopted = race(8, |index| {
        let own = id(u8::try_from(index).unwrap());
        let store = fixture.database.open();
        let adopted = ideavault_domain::ports::Database::write(&store, |tx| {
            tx.storage_identity().adopt_storage_id(own)
        });
        (own, adopted.unwrap())
    });
    let first = fixture
        .read(|tx| tx.storage_identity().storage_id())
        .unwrap();
    assert!(adopted.iter().all(|(_, adopted)| *adopted == first));
    assert!(adopted.iter().any(|(own, _)| *own == first));
}

fn file_ids_are_listed_in_pages(fixture: &Fixture) {
    let owner = fixture.add_user().id;
    let mut added: Vec<FileId> = (0..3)
        .map(|minute| fixture.add_file(owner, MediaType::Png, at(minute)).id)
        .collect();
    added.sort_unstable();
    let page = |after| fixture.read(|tx| tx.inspection().file_ids_after(after, 2));
    assert_eq!(page(None), added[..2]);
    assert_eq!(page(Some(added[1])), added[2..]);
    assert_eq!(page(Some(added[2])), []);
}
