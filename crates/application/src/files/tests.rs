use ideavault_domain::file::MediaType;
use ideavault_domain::gate::RecipientProgress;
use ideavault_domain::share::{Share, ShareTerms};

use super::*;
use crate::testing::{
    MinuteClock, MockDatabase, MockStorage, MockTransaction, at, deps, disclosed, draft_idea,
    has_idea, owner, progress, registered, share, stored_file, stranger, viewer, viewer_key,
};

fn files(
    reads: impl FnOnce(&mut MockTransaction),
    writes: impl FnOnce(&mut MockTransaction),
    storage: MockStorage,
) -> Files<MockDatabase> {
    Files::new(
        deps(MockDatabase::new(reads, writes)),
        Arc::new(storage),
        Duration::minutes(30),
    )
}

/// A storage from which one part is read.
fn giving(part: Range<u64>) -> MockStorage {
    let mut storage = MockStorage::new();
    storage
        .expect_open()
        .withf(move |file, asked| *file == stored_file(MediaType::Pdf) && *asked == part)
        .times(1)
        .returning(|_, _| Ok(Box::new(&b"bytes"[..])));
    storage
}

/// A storage whose file is checked before the part is read.
fn checked(part: Range<u64>) -> MockStorage {
    let mut storage = giving(part);
    storage
        .expect_open()
        .withf(|_, asked| [0..1, 999..1_000].contains(asked))
        .times(2)
        .returning(|_, _| Ok(Box::new(&b"b"[..])));
    storage
}

/// A transaction with a PDF that idea 7 shows, and one browser's registration on it.
fn gate(share: Share, progress: Option<RecipientProgress>) -> impl Fn(&mut MockTransaction) {
    move |tx| {
        tx.expect_file()
            .returning(|_| Ok(Some(stored_file(MediaType::Pdf))));
        tx.expect_ideas_showing()
            .returning(|_| Ok(vec![3.into(), 7.into()]));
        has_idea(tx, draft_idea());
        tx.expect_disclosed_idea()
            .returning(|_| Ok(Some(disclosed(draft_idea()))));
        tx.expect_viewer_session().returning(|_| Ok(Some(viewer())));
        let (share, progress) = (share.clone(), progress.clone());
        tx.expect_browser_registrations().returning(move |_, _| {
            let on = progress.clone().map(|progress| (share.clone(), progress));
            Ok(Some(registered(on)))
        });
    }
}

fn full_access() -> Share {
    share(ShareTerms::FullAccess)
}

fn viewing() -> RecipientProgress {
    let agreed = progress(true);
    let id = ViewGrantId::from_random([3; 16]);
    let window = Duration::minutes(30);
    RecipientProgress {
        grant: Some(ViewGrant::begin(
            id,
            &agreed.recipient,
            &draft_idea(),
            at(-10),
            window,
        )),
        ..agreed
    }
}

fn recipient() -> Caller {
    Caller {
        user: None,
        viewer: Some(viewer_key()),
    }
}

fn creator(user: UserId) -> Caller {
    Caller {
        user: Some(user),
        viewer: None,
    }
}

fn pdf() -> FileId {
    stored_file(MediaType::Pdf).id
}

fn first_bytes(_: &StoredFile) -> Option<Range<u64>> {
    Some(0..5)
}

fn nothing(_: &StoredFile) -> Option<Range<u64>> {
    None
}

#[test]
fn an_owner_reads_the_requested_range() {
    let reads = |tx: &mut MockTransaction| {
        tx.expect_file()
            .returning(|_| Ok(Some(stored_file(MediaType::Pdf))));
    };
    let files = files(reads, |_| {}, giving(990..1_000));
    let opened = files
        .open(&creator(owner()), pdf(), |file| Some(990..file.size))
        .unwrap();
    assert!(opened.content.is_some());
}

#[test]
fn no_view_begins_on_a_link_that_expires_while_it_waits_to_be_counted() {
    let expiring = share(ShareTerms::TimeDependent {
        expires_at: at(30),
        max_views: None,
    });
    let expiring = gate(expiring, Some(progress(true)));
    // The writing transaction expects no view.
    let files = files(&expiring, &expiring, checked(0..5));
    let deps = Deps {
        clock: Arc::new(MinuteClock::default()),
        ..files.deps.clone()
    };
    let late = Files { deps, ..files }
        .open(&recipient(), pdf(), first_bytes)
        .err();
    assert!(matches!(late, Some(FileError::NotFound)));
}

#[test]
fn absent_files_and_files_of_others_are_not_found() {
    let callers = [creator(stranger()), Caller::default(), recipient()];
    for caller in callers {
        for found in [Some(stored_file(MediaType::Pdf)), None] {
            let reads = |tx: &mut MockTransaction| {
                tx.expect_file().returning(move |_| Ok(found.clone()));
                tx.expect_viewer_session().returning(|_| Ok(None));
            };
            let files = files(reads, |_| {}, MockStorage::new());
            let refused = files.open(&caller, pdf(), first_bytes).err();
            assert!(matches!(refused, Some(FileError::NotFound)), "{caller:?}");
        }
    }
}

#[test]
fn files_are_refused_before_agreement_and_on_dead_links() {
    let revoked = Share {
        revoked_at: Some(at(-1)),
        ..full_access()
    };
    let elsewhere = Share {
        idea: 8.into(),
        ..full_access()
    };
    let mut spent = viewing();
    if let Some(grant) = &mut spent.grant {
        grant.ends_at = at(0);
    }
    for (share, progress) in [
        (full_access(), None),
        (full_access(), Some(progress(false))),
        (revoked.clone(), Some(progress(true))),
        (revoked, Some(viewing())),
        (elsewhere, Some(viewing())),
        (share(ShareTerms::OneTime { max_views: 9 }), Some(spent)),
    ] {
        let files = files(gate(share, progress), |_| {}, MockStorage::new());
        let refused = files.open(&recipient(), pdf(), first_bytes).err();
        assert!(matches!(refused, Some(FileError::NotFound)));
    }
}

#[test]
fn reading_within_a_counted_view_writes_nothing() {
    let files = files(gate(full_access(), Some(viewing())), |_| {}, giving(0..5));
    let opened = files.open(&recipient(), pdf(), first_bytes).unwrap();
    assert!(opened.content.is_some());
}

#[test]
fn the_first_bytes_claim_a_view_of_the_current_revision() {
    let agreed = || gate(full_access(), Some(progress(true)));
    let writes = |tx: &mut MockTransaction| {
        agreed()(tx);
        tx.expect_share().returning(|_| Ok(Some(full_access())));
        tx.expect_claim_view()
            .withf(|grant| {
                grant.recipient == progress(true).recipient.id
                    && grant.share == full_access().id
                    && grant.revision == 3
                    && grant.revision_sha256 == draft_idea().sha256
                    && grant.ends_at == at(1_800)
            })
            .times(1)
            .returning(|_| Ok(true));
    };
    let files = files(agreed(), writes, checked(0..5));
    assert!(files.open(&recipient(), pdf(), first_bytes).is_ok());
}

#[test]
fn losing_the_race_for_the_last_view_returns_no_bytes() {
    let agreed = || gate(full_access(), Some(progress(true)));
    let writes = |tx: &mut MockTransaction| {
        agreed()(tx);
        tx.expect_claim_view().returning(|_| Ok(false));
    };
    let files = files(agreed(), writes, checked(0..5));
    let refused = files.open(&recipient(), pdf(), first_bytes).err();
    assert!(matches!(refused, Some(FileError::NotFound)));
}

#[test]
fn concurrent_requests_of_one_recipient_share_the_view() {
    let before = gate(full_access(), Some(progress(true)));
    let writes = |tx: &mut MockTransaction| {
        let mut registrations = vec![viewing(), progress(true)];
        tx.expect_browser_registrations().returning(move |_, _| {
            let progress = registrations.pop().unwrap();
            Ok(Some(registered([(full_access(), progress)])))
        });
        gate(full_access(), None)(tx);
        tx.expect_claim_view().times(1).returning(|_| Ok(false));
    };
    let files = files(before, writes, checked(0..5));
    assert!(files.open(&recipient(), pdf(), first_bytes).is_ok());
}

#[test]
fn opening_without_reading_counts_no_view() {
    let agreed = gate(full_access(), Some(progress(true)));
    let files = files(agreed, |_| {}, MockStorage::new());
    let opened = files.open(&recipient(), pdf(), nothing).unwrap();
    assert_eq!(opened.file, stored_file(MediaType::Pdf));
    assert!(opened.content.is_none());
}

#[test]
fn an_unreadable_file_counts_no_view() {
    let missing = |file: &StoredFile| StorageError::Missing {
        operation: "open",
        id: file.id,
    };
    let mut lost = MockStorage::new();
    lost.expect_open()
        .returning(move |file, _| Err(missing(file)));
    let mut cut = MockStorage::new();
    cut.expect_open().returning(|_, part| {
        let rest: &'static [u8] = if part.start == 0 { b"%" } else { b"" };
        Ok(Box::new(rest))
    });
    for storage in [lost, cut] {
        let agreed = gate(full_access(), Some(progress(true)));
        // The writing transaction expects no call.
        let files = files(agreed, |_| {}, storage);
        let failed = files.open(&recipient(), pdf(), first_bytes).err();
        assert!(matches!(failed, Some(FileError::Unreadable(_))));
    }
}

#[test]
fn a_just_deleted_file_is_not_found() {
    let reads = |tx: &mut MockTransaction| {
        let mut found = vec![None, Some(stored_file(MediaType::Pdf))];
        tx.expect_file()
            .returning(move |_| Ok(found.pop().unwrap()));
    };
    let mut storage = MockStorage::new();
    storage.expect_open().returning(|file, _| {
        Err(StorageError::Missing {
            operation: "open",
            id: file.id,
        })
    });
    let files = files(reads, |_| {}, storage);
    let refused = files.open(&creator(owner()), pdf(), first_bytes).err();
    assert!(matches!(refused, Some(FileError::NotFound)));
}

#[test]
fn a_file_that_cannot_be_read_now_is_not_taken_for_lost() {
    let file = stored_file(MediaType::Pdf);
    let reading = |content: fn() -> Box<dyn Read + Send>| {
        let mut storage = MockStorage::new();
        storage.expect_open().returning(move |_, _| Ok(content()));
        is_intact(&storage, &file)
    };
    struct Failing(io::ErrorKind);
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(self.0.into())
        }
    }
    assert!(reading(|| Box::new(io::repeat(b'%').take(1_000))).unwrap());
    assert!(!reading(|| Box::new(io::repeat(b'%').take(999))).unwrap());
    assert!(!reading(|| Box::new(Failing(io::ErrorKind::InvalidData))).unwrap());
    let now = reading(|| Box::new(Failing(io::ErrorKind::TimedOut)));
    assert!(
        matches!(now, Err(StorageError::Unavailable { .. })),
        "{now:?}"
    );
    let mut lost = MockStorage::new();
    lost.expect_open().returning(|file, _| {
        Err(StorageError::Missing {
            operation: "open",
            id: file.id,
        })
    });
    assert!(!is_intact(&lost, &file).unwrap());
}
