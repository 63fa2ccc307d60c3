use std::io::{self, Read};
use std::sync::Arc;

use chrono::Duration;
use ideavault_application::actor::Caller;
use ideavault_application::evidence::{BundleError, Bundles};
use ideavault_application::files::{FileError, Files, OpenedFile};
use ideavault_domain::content::Content;
use ideavault_domain::file::{MediaType, StoredFile};
use ideavault_domain::idea::Draft;
use ideavault_domain::ports::{NewIdea, StorageError};
use ideavault_domain::share::{Share, ShareTerms};

use crate::ideas::ideas;
use crate::storage::{MockStorage, missing};
use crate::support::{at, full_access, one_time, time_dependent, viewer_key};
use crate::vault::{Vault, origin};

/// A link to an idea that shows an image, for a reader who has agreed.
struct Scene {
    vault: Arc<Vault>,
    file: StoredFile,
    link: Share,
    reader: Caller,
}

impl Scene {
    fn new(terms: ShareTerms) -> Self {
        let vault = Vault::new();
        let owner = vault.add_user().id;
        let file = vault.add_file(owner, MediaType::Png, at(0));
        let html = format!("<p><img src=\"{}\" alt=\"\"></p>", file.path());
        let new = NewIdea {
            owner,
            draft: Draft::new(crate::support::draft("").title, Content::Html(html)),
            created_at: at(0),
            key: None,
        };
        let idea = vault.write(|tx| tx.ideas().add_idea(&new)).unwrap();
        let link = vault.add_share(idea.id, terms);
        let guest = vault.add_guest(&link);
        let reader = Caller {
            user: None,
            viewer: Some(viewer_key(guest.viewer_session)),
        };
        Self {
            vault,
            file,
            link,
            reader,
        }
    }

    fn open(&self, caller: &Caller, storage: MockStorage) -> Result<OpenedFile, FileError> {
        let files = Files::new(self.vault.deps(), Arc::new(storage), Duration::minutes(30));
        files.open(caller, self.file.id, |_| Some(0..5))
    }

    fn views(&self) -> i32 {
        self.vault.share(self.link.id).view_count
    }
}

/// A storage that has every byte.
fn whole() -> MockStorage {
    let mut storage = MockStorage::new();
    let opened = storage.expect_open();
    opened.returning(|_, _| Ok(Box::new(&b"bytes"[..])));
    storage
}

#[test]
fn the_first_bytes_count_one_view() {
    let scene = Scene::new(one_time(1));
    let unused = scene.open(&Caller::default(), whole());
    assert!(matches!(unused, Err(FileError::NotFound)));
    for _ in 0..2 {
        assert!(
            scene
                .open(&scene.reader, whole())
                .unwrap()
                .content
                .is_some()
        );
        assert_eq!(scene.views(), 1);
    }
    scene.vault.clock.set(at(40));
    let ended = scene.open(&scene.reader, whole());
    assert!(matches!(ended, Err(FileError::NotFound)));
}

#[test]
fn no_view_begins_on_a_link_that_ends_while_it_waits_to_be_counted() {
    let expiring = Scene::new(time_dependent(at(11), None));
    expiring.vault.overtake(|vault| vault.clock.set(at(11)));
    let revoked = Scene::new(full_access());
    let link = revoked.link.id;
    revoked.vault.overtake(move |vault| {
        assert!(vault.write(|tx| tx.shares().revoke_share(link, at(10))));
    });
    for scene in [expiring, revoked] {
        let late = scene.open(&scene.reader, whole());
        assert!(matches!(late, Err(FileError::NotFound)));
        assert_eq!(scene.views(), 0);
    }
}

#[test]
fn a_concurrent_request_of_the_reader_shares_its_view() {
    let scene = Scene::new(one_time(1));
    let (file, reader) = (scene.file.id, scene.reader.clone());
    let other = Arc::clone(&scene.vault);
    scene.vault.overtake(move |_| {
        let files = Files::new(other.deps(), Arc::new(whole()), Duration::minutes(30));
        files.open(&reader, file, |_| Some(0..5)).unwrap();
    });
    assert!(scene.open(&scene.reader, whole()).is_ok());
    assert_eq!(scene.views(), 1);
}

#[test]
fn an_unreadable_file_counts_no_view() {
    let scene = Scene::new(full_access());
    let mut lost = MockStorage::new();
    lost.expect_open().returning(|file, _| Err(missing(file)));
    let mut cut = MockStorage::new();
    cut.expect_open().returning(|_, part| {
        let rest: &'static [u8] = if part.start == 0 { b"%" } else { b"" };
        Ok(Box::new(rest))
    });
    for storage in [lost, cut] {
        let failed = scene.open(&scene.reader, storage);
        assert!(matches!(failed, Err(FileError::Unreadable(_))));
    }
    assert_eq!(scene.views(), 0);
}

#[test]
fn a_just_deleted_file_is_not_found() {
    let vault = Vault::new();
    let file = vault.add_file(vault.add_user().id, MediaType::Png, at(0));
    let (id, other) = (file.id, Arc::clone(&vault));
    let mut storage = MockStorage::new();
    storage.expect_open().returning(move |file, _| {
        assert!(other.write(|tx| tx.files().remove_file(id)));
        Err(missing(file))
    });
    let owner = Caller {
        user: Some(file.owner),
        viewer: None,
    };
    let files = Files::new(vault.deps(), Arc::new(storage), Duration::minutes(30));
    let opened = files.open(&owner, id, |file| Some(0..file.size));
    assert!(matches!(opened, Err(FileError::NotFound)));
}

#[test]
fn a_file_that_cannot_be_read_now_is_not_taken_for_lost() {
    struct Failing(io::ErrorKind);
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(self.0.into())
        }
    }
    let Scene {
        vault, file, link, ..
    } = Scene::new(full_access());
    let published = ideas(&vault).publish(file.owner, link.idea, None, origin());
    published.unwrap();
    vault.event_log().advance().unwrap();
    let size = file.size;
    let missing_in_bundle = |storage: MockStorage| {
        let bundles = Bundles::new(vault.deps(), Arc::new(storage));
        let plan = bundles.plan_for_owner(file.owner, link.idea).unwrap();
        bundles.write(&plan, io::sink())
    };
    let reading = |content: Box<dyn Fn() -> Box<dyn Read + Send> + Send>| {
        let mut storage = MockStorage::new();
        storage.expect_open().returning(move |_, _| Ok(content()));
        missing_in_bundle(storage)
    };
    let of_size = |size| reading(Box::new(move || Box::new(io::repeat(b'%').take(size))));
    let failing = |kind| reading(Box::new(move || Box::new(Failing(kind))));
    assert!(of_size(size).unwrap().is_empty());
    let mut lost = MockStorage::new();
    lost.expect_open().returning(|file, _| Err(missing(file)));
    for found in [
        of_size(size - 1),
        failing(io::ErrorKind::InvalidData),
        missing_in_bundle(lost),
    ] {
        assert_eq!(Vec::from_iter(found.unwrap()), ["idea/version-1-1.png"]);
    }
    let now = failing(io::ErrorKind::TimedOut);
    let is_unavailable = matches!(
        now,
        Err(BundleError::Storage(StorageError::Unavailable { .. }))
    );
    assert!(is_unavailable, "{now:?}");
}
