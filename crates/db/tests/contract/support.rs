//! A fresh database for each test, and helpers to fill it; also for the tests of use cases
//! (`crates/application/tests/use_cases`).

use std::error::Error;
use std::thread;

use ideavault_db::SqlDatabase;
use ideavault_db::testing::TestDatabase;
use ideavault_domain::Timestamp;
use ideavault_domain::account::User;
use ideavault_domain::activity::Activity;
use ideavault_domain::evidence::{Event, EventKind, Fact, LogId, LogSeed, StoredLogKey};
use ideavault_domain::file::{MediaType, StoredFile};
use ideavault_domain::gate::RecipientProgress;
use ideavault_domain::idea::Idea;
use ideavault_domain::ids::{IdeaId, RecipientId, ShareId, UserId, ViewerSessionId};
use ideavault_domain::page::{Page, Paging};
use ideavault_domain::ports::{
    Database, DatabaseError, FoundGate, GateAddress, GateQuery, Transaction,
};
use ideavault_domain::recipient::{Ending, Recipient, ViewGrant, ViewerSession};
use ideavault_domain::share::{Share, ShareTerms};

pub(crate) use values::*;

#[path = "support/values.rs"]
mod values;

/// Runs each of the functions on a fresh SQLite and on a fresh Postgres database.
macro_rules! on_both_databases {
    ($($test:ident),* $(,)?) => {
        mod sqlite {
            $(
                #[test]
                fn $test() {
                    super::$test(&$crate::support::Fixture::sqlite());
                }
            )*
        }

        mod postgres {
            $(
                #[test]
                fn $test() {
                    super::$test(&$crate::support::Fixture::postgres());
                }
            )*
        }
    };
}
pub(crate) use on_both_databases;

/// The test's own database. The pools close before it is removed.
pub(crate) struct Fixture {
    pub(crate) store: SqlDatabase,
    pub(crate) database: TestDatabase,
}

impl Fixture {
    pub(crate) fn sqlite() -> Self {
        Self::of(TestDatabase::sqlite(encryption()))
    }

    pub(crate) fn postgres() -> Self {
        Self::of(TestDatabase::postgres(encryption()))
    }

    fn of(database: TestDatabase) -> Self {
        Self {
            store: database.open(),
            database,
        }
    }

    pub(crate) fn is_postgres(&self) -> bool {
        self.sqlite_path().is_none()
    }

    pub(crate) fn sqlite_path(&self) -> Option<&str> {
        self.database.url().strip_prefix("sqlite://")
    }

    pub(crate) fn read<T>(
        &self,
        work: impl FnMut(&mut dyn Transaction) -> Result<T, DatabaseError>,
    ) -> T {
        self.store.read(work).unwrap()
    }

    pub(crate) fn write<T>(
        &self,
        work: impl FnMut(&mut dyn Transaction) -> Result<T, DatabaseError>,
    ) -> T {
        self.store.write(work).unwrap()
    }

    /// Reads a whole list in pages of two rows, so that every test of a list also
    /// tests paging.
    pub(crate) fn listed<T>(
        &self,
        read: impl Fn(&mut dyn Transaction, Paging) -> Result<Page<T>, DatabaseError>,
    ) -> Vec<T> {
        let mut listed = Vec::new();
        let mut paging = Paging {
            size: "2".parse().unwrap(),
            after: None,
        };
        loop {
            let page = self.read(|tx| read(tx, paging));
            paging.after = page.next();
            listed.extend(page.into_items());
            if paging.after.is_none() {
                return listed;
            }
        }
    }

    /// Runs SQL directly, bypassing the server.
    pub(crate) fn sql(&self, sql: &str) -> Result<(), Box<dyn Error>> {
        let keys = match self.sqlite_path() {
            Some(_) => "PRAGMA foreign_keys = ON; ",
            None => "",
        };
        Ok(self.database.try_execute(&format!("{keys}{sql}"))?)
    }

    /// Asserts that the database itself rejects each of the statements with `reason`, which is not
    /// empty: otherwise a misspelt statement would pass.
    pub(crate) fn refuses(&self, reason: &str, statements: &[&str]) {
        assert!(!reason.is_empty());
        for statement in statements {
            let error = self.sql(statement).expect_err(statement);
            assert!(error.to_string().contains(reason), "{statement}: {error}");
        }
    }

    pub(crate) fn count(&self, table: &str) -> i64 {
        self.database.count(table)
    }

    pub(crate) fn add_user(&self) -> User {
        let user = user();
        assert!(self.write(|tx| tx.users().add_user(&user, &password_hash())));
        user
    }

    pub(crate) fn add_idea(&self, owner: UserId) -> Idea {
        self.write(|tx| tx.ideas().add_idea(&new_idea(owner, "<p>first</p>", at(0))))
            .unwrap()
    }

    /// Adds a draft of a new user.
    pub(crate) fn add_draft(&self) -> Idea {
        let owner = self.add_user();
        self.add_idea(owner.id)
    }

    /// Adds a published idea of a new user.
    pub(crate) fn add_published(&self) -> Idea {
        let idea = self.add_draft();
        assert!(self.write(|tx| tx.ideas().publish_idea(&idea, &publication(at(1)))));
        self.idea(idea.id)
    }

    pub(crate) fn idea(&self, id: IdeaId) -> Idea {
        self.read(|tx| tx.ideas().idea(id)).unwrap()
    }

    /// Adds an image or PDF of that owner.
    pub(crate) fn add_file(
        &self,
        owner: UserId,
        media_type: MediaType,
        created_at: Timestamp,
    ) -> StoredFile {
        let file = file(owner, media_type, created_at);
        self.write(|tx| tx.files().add_file(&file));
        file
    }

    pub(crate) fn add_share(&self, idea: IdeaId, terms: ShareTerms) -> Share {
        let share = share(idea, terms, at(2));
        self.write(|tx| tx.shares().add_share(&share, &token_of(share.id)));
        share
    }

    pub(crate) fn share(&self, id: ShareId) -> Share {
        self.read(|tx| tx.shares().share(id)).unwrap()
    }

    pub(crate) fn add_viewer(&self) -> ViewerSession {
        let viewer = viewer(at(3));
        self.write(|tx| tx.recipients().add_viewer_session(&viewer));
        viewer
    }

    pub(crate) fn add_recipient(&self, viewer: ViewerSessionId, share: &Share) -> Recipient {
        let recipient = recipient(viewer, share, at(4));
        self.write(|tx| tx.recipients().add_recipient(&recipient));
        recipient
    }

    /// Ends a registration by its own browser.
    pub(crate) fn end(&self, recipient: &Recipient, ending: Ending, at: Timestamp) -> bool {
        let viewer = recipient.viewer_session;
        self.write(|tx| {
            tx.recipients()
                .end_recipient(recipient.id, viewer, ending, at)
        })
    }

    /// Makes the details of a registration unreadable: those of `other` do not decrypt there.
    pub(crate) fn damage_details(&self, damaged: RecipientId, other: RecipientId) {
        let trigger = match self.is_postgres() {
            true => "ALTER TABLE recipients DISABLE TRIGGER ALL",
            false => "DROP TRIGGER recipients_details",
        };
        self.sql(trigger).unwrap();
        self.sql(&format!(
            "UPDATE recipients SET details = (SELECT details FROM recipients WHERE id = '{other}') \
             WHERE id = '{damaged}'",
        ))
        .unwrap();
    }

    /// Adds the next viewer session of a browser.
    pub(crate) fn add_key(&self, former: &ViewerSession) -> ViewerSession {
        let next = ViewerSession {
            replaces: Some(former.id),
            browser: former.browser,
            ..viewer(at(5))
        };
        self.write(|tx| tx.recipients().add_viewer_session(&next));
        next
    }

    /// Adds a recipient with a new browser who registers on the share and agrees.
    pub(crate) fn add_guest(&self, share: &Share) -> Recipient {
        self.add_reader(self.add_viewer().id, share)
    }

    /// Adds a recipient who agrees.
    pub(crate) fn add_reader(&self, viewer: ViewerSessionId, share: &Share) -> Recipient {
        let recipient = self.add_recipient(viewer, share);
        self.accept(&recipient);
        recipient
    }

    pub(crate) fn accept(&self, recipient: &Recipient) {
        let acceptance = acceptance(recipient, at(5));
        assert!(self.write(|tx| tx.recipients().add_acceptance(&acceptance)));
    }

    /// Returns what a browser with that session meets at minute 9.
    pub(crate) fn gate(&self, address: GateAddress, session: ViewerSessionId) -> Option<FoundGate> {
        let key = key_of(session);
        let query = GateQuery {
            address,
            viewer: Some(&key),
            with_content: false,
            guesses: &[],
            now: at(9),
        };
        self.read(|tx| tx.recipients().find_gate(&query))
    }

    /// Returns the newest registration of a session on a link.
    pub(crate) fn newest(
        &self,
        session: ViewerSessionId,
        share: ShareId,
    ) -> Option<RecipientProgress> {
        self.gate(GateAddress::Share(share), session)?
            .context
            .progress
    }

    /// Begins the log of events, unless it has begun.
    pub(crate) fn begin_log(&self) {
        let key = StoredLogKey {
            log: LogId::FIRST,
            from_size: 0,
            vkey: "vault.test/log1+00000000+AAAA".into(),
            seed: Some(LogSeed::from_random([7; 32])),
        };
        let first = Event::log_started(&key.vkey, at(0));
        self.write(|tx| tx.evidence_log().begin_log(&key, "vault.test/log1", &first));
    }

    /// Records what readers did, as the tables have it; once.
    pub(crate) fn record_facts(&self, idea: IdeaId) {
        self.begin_log();
        let recorded = self.listed(|tx, paging| tx.evidence_log().events_of(idea, paging));
        self.write(|tx| {
            let mut facts = tx.inspection().facts_of(idea)?;
            facts.sort_by_key(|fact| (fact.at, fact.kind));
            for fact in facts {
                let is_recorded = recorded.iter().any(|event| {
                    (event.kind, event.at, event.subject.recipient)
                        == (fact.kind, fact.at, fact.subject.recipient)
                });
                let event = event_of_reader(tx, &fact)?.filter(|_| !is_recorded);
                if let Some(event) = event {
                    tx.evidence_log().append_event(&event)?;
                }
            }
            Ok(())
        });
    }

    /// Returns the activity on an idea's links after what the tables have was recorded.
    pub(crate) fn activity_of(&self, idea: IdeaId) -> Vec<Activity> {
        self.record_facts(idea);
        let listed = self.listed(|tx, paging| tx.recipients().activity_of(idea, paging));
        // Its owner, and nobody else, finds the same in one statement.
        let owner = self.read(|tx| tx.ideas().idea_owner(idea));
        let for_owner = |owner: UserId| {
            self.listed(|tx, paging| tx.recipients().activity_for_owner(owner, idea, paging))
        };
        if let Some(found) = owner {
            assert_eq!(for_owner(found.owner), listed);
        }
        assert_eq!(for_owner(UserId::from_random(bytes())), []);
        listed
    }
}

fn event_of_reader(tx: &mut dyn Transaction, fact: &Fact) -> Result<Option<Event>, DatabaseError> {
    let Some(id) = fact.subject.recipient else {
        return Ok(None);
    };
    let progress = tx.recipients().registration(id)?.unwrap().progress;
    let recipient = progress.recipient;
    let (idea, share, at) = (recipient.agreement.idea, recipient.share, fact.at);
    Ok(match fact.kind {
        EventKind::AgreementOffered => Some(Event::agreement_offered(&recipient, None)),
        EventKind::AgreementAccepted => {
            let acceptance = progress.acceptance.unwrap();
            Some(Event::agreement_accepted(&recipient, &acceptance, None))
        }
        EventKind::AgreementDeclined => Some(Event::agreement_declined(idea, share, id, at)),
        EventKind::ViewStarted => {
            let grant = ViewGrant {
                id: fact.view.unwrap(),
                ..grant(&recipient, at)
            };
            Some(Event::view_started(idea, &grant))
        }
        EventKind::VisitClosed => Some(Event::visit_closed(idea, share, id, at)),
        _ => None,
    })
}

/// Runs `work` on `threads` threads that start together, and collects the results.
pub(crate) fn race<T: Send>(threads: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let start = std::sync::Barrier::new(threads);
    let (start, work) = (&start, &work);
    thread::scope(|scope| {
        let running: Vec<_> = (0..threads)
            .map(|index| {
                scope.spawn(move || {
                    start.wait();
                    work(index)
                })
            })
            .collect();
        running
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    })
}
