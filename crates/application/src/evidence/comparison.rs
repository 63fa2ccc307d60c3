//! Compares what is on record with the other tables and the stored files.

mod rows;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;

use ideavault_domain::comment::{Comment, CommentScope};
use ideavault_domain::content::Content;
use ideavault_domain::digest::Digester;
use ideavault_domain::evidence::{Disclosure, EventKind, FileFacts, PersonFacts, StoredEvent};
use ideavault_domain::file::StoredFile;
use ideavault_domain::ids::{CommentId, IdeaId};
use ideavault_domain::page::Paging;
use ideavault_domain::ports::{BlobStore, Database, DatabaseError, Transaction, unless_damaged};
use ideavault_domain::recipient::Recipient;

use self::rows::{
    compare_erasures, compare_facts, digests_of_contents, is_erasure_of_creator, of_row,
};
use super::matching::events_of;
use super::recorded::{Disclosed, revision_of};
use crate::deps::Deps;
use crate::event_log::{Difference, is_damage};

/// Ideas that are looked up at a time.
const IDEAS_PER_QUERY: i64 = 100;

/// Events of which the disclosures are read at a time.
const EVENTS_PER_READ: usize = 1_000;

/// Rows that are read in one transaction.
const ROWS_PER_TRANSACTION: usize = 1_000;

/// How much was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Number of ideas.
    pub ideas: u64,
    /// Number of rows that an event has to record.
    pub rows: u64,
    /// Number of stored files.
    pub files: u64,
}

/// Compares each idea's events with what the other tables say.
pub struct Comparison<S> {
    deps: Deps<S>,
    storage: Arc<dyn BlobStore>,
}

/// Is called with each difference.
type OnDifference<'r> = &'r mut dyn FnMut(Difference);

/// An event with its disclosures.
struct Recorded {
    event: StoredEvent,
    disclosed: Disclosed,
}

impl<S: Database> Comparison<S> {
    /// Creates the service from its dependencies.
    pub fn new(deps: Deps<S>, storage: Arc<dyn BlobStore>) -> Self {
        Self { deps, storage }
    }

    /// Compares everything but events in the rows `foreign`, and reports every difference. Things
    /// may happen meanwhile: events and rows of an idea are compared as of one moment. `progress` is
    /// called after each idea.
    ///
    /// # Errors
    /// [`DatabaseError`] when something other than a stored value cannot be read.
    pub fn compare_all(
        &self,
        foreign: &BTreeSet<i64>,
        on_difference: OnDifference<'_>,
        progress: &mut dyn FnMut(&Compared),
    ) -> Result<Compared, DatabaseError> {
        let database = &self.deps.database;
        let mut compared = Compared::default();
        let mut files = BTreeSet::new();
        let mut last = None;
        loop {
            let page = database.read(|tx| tx.inspection().idea_ids_after(last, IDEAS_PER_QUERY))?;
            let Some(newest) = page.last() else {
                return Ok(compared);
            };
            last = Some(*newest);
            for idea in &page {
                for file in self.compare_idea(*idea, foreign, &mut compared, on_difference)? {
                    if files.insert(file.id) {
                        compared.files += 1;
                        self.compare_file(&file, on_difference);
                    }
                }
                compared.ideas += 1;
                progress(&compared);
            }
        }
    }

    /// Compares what concerns one idea. Returns the files that it shows.
    fn compare_idea(
        &self,
        idea: IdeaId,
        foreign: &BTreeSet<i64>,
        compared: &mut Compared,
        on_difference: OnDifference<'_>,
    ) -> Result<Vec<StoredFile>, DatabaseError> {
        let read = self.readable("ideas", idea, on_difference, |tx| {
            let mut events = events_of(tx, idea)?;
            events.retain(|event| !foreign.contains(&event.row));
            let mut disclosures = Vec::with_capacity(events.len());
            for events in events.chunks(EVENTS_PER_READ) {
                let events: Vec<&StoredEvent> = events.iter().collect();
                disclosures.extend(tx.evidence_log().disclosures_of(&events)?);
            }
            let facts = tx.inspection().facts_of(idea)?;
            Ok((events, disclosures, facts))
        })?;
        let Some((events, disclosures, facts)) = read else {
            return Ok(Vec::new());
        };
        compare_facts(&facts, &events, compared, on_difference);
        let recorded: Vec<Recorded> = events
            .into_iter()
            .zip(disclosures)
            .map(|(event, disclosures)| Recorded {
                event,
                // The check of the log tells of those that cannot be read.
                disclosed: Disclosed::parse(disclosures.readable),
            })
            .collect();
        self.compare_people(&recorded, on_difference)?;
        self.compare_publication(idea, &recorded, on_difference)?;
        self.compare_comments(idea, &recorded, on_difference)?;
        self.compare_contents(idea, &recorded, on_difference)
    }

    /// Reads rows by their ids. Reports those that were changed so that they cannot be read.
    fn all_readable<K: Copy + Ord + ToString, T>(
        &self,
        table: &'static str,
        ids: &BTreeSet<K>,
        on_difference: OnDifference<'_>,
        read: impl Fn(&mut dyn Transaction, K) -> Result<Option<T>, DatabaseError>,
    ) -> Result<BTreeMap<K, T>, DatabaseError> {
        let ids: Vec<K> = ids.iter().copied().collect();
        let mut found = BTreeMap::new();
        for ids in ids.chunks(ROWS_PER_TRANSACTION) {
            let together = self.deps.database.read(|tx| {
                let rows = ids.iter().map(|id| unless_damaged(read(tx, *id)));
                rows.collect::<Result<Vec<_>, DatabaseError>>()
            });
            let together = match together {
                Ok(rows) => rows,
                // One of them ended the transaction.
                Err(DatabaseError::Internal { .. }) => ids.iter().map(|_| None).collect(),
                Err(error) => return Err(error),
            };
            for (id, row) in ids.iter().zip(together) {
                let row = match row {
                    Some(row) => Some(row),
                    None => self.readable(table, *id, on_difference, |tx| read(tx, *id))?,
                };
                found.extend(row.flatten().map(|row| (*id, row)));
            }
        }
        Ok(found)
    }

    /// Reads a row in a transaction of its own. Reports, and returns `None`, if it was
    /// changed so that it cannot be read.
    fn readable<T>(
        &self,
        table: &'static str,
        id: impl ToString,
        on_difference: OnDifference<'_>,
        work: impl FnMut(&mut dyn Transaction) -> Result<T, DatabaseError>,
    ) -> Result<Option<T>, DatabaseError> {
        match self.deps.database.read(work) {
            Ok(read) => Ok(Some(read)),
            Err(error) if is_damage(&error) => {
                on_difference(of_row(table, id, &format!("it cannot be read: {error}")));
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Reports a published idea of which the title or the document id was changed.
    fn compare_publication(
        &self,
        idea: IdeaId,
        events: &[Recorded],
        on_difference: OnDifference<'_>,
    ) -> Result<(), DatabaseError> {
        let published = events
            .iter()
            .filter(|recorded| recorded.event.kind == EventKind::IdeaPublished)
            .filter(|recorded| recorded.disclosed.get("content").is_some());
        for Recorded { disclosed, .. } in published {
            let read = self.readable("ideas", idea, on_difference, |tx| {
                tx.inspection().inspected_idea(idea)
            })?;
            let Some(Some(stored)) = read else { continue };
            let publication = stored.status.publication();
            let document = publication.map(|publication| publication.document_id.as_str());
            let same = disclosed.content_is(|content| {
                content.title == stored.title.as_str()
                    && document.is_some()
                    && content.document_id.as_deref() == document
            });
            if !same {
                let problem = "the publication is not the one on record";
                on_difference(of_row("ideas", idea, problem));
            }
        }
        Ok(())
    }

    /// Reports registrations and acceptances of which the person, the text or the origin was
    /// changed.
    fn compare_people(
        &self,
        events: &[Recorded],
        on_difference: OnDifference<'_>,
    ) -> Result<(), DatabaseError> {
        let people = events
            .iter()
            .filter_map(|recorded| recorded.event.subject.recipient);
        let registrations =
            self.all_readable("recipients", &people.collect(), on_difference, |tx, id| {
                tx.recipients().registration(id)
            })?;
        compare_erasures(&registrations, events, on_difference);
        let contents = digests_of_contents(events);
        for registration in registrations.values() {
            let grant = registration.progress.grant.as_ref();
            let shown = grant.and_then(|grant| contents.get(&grant.revision).zip(Some(grant)));
            if let Some((recorded, grant)) = shown
                && *recorded != grant.revision_sha256.to_string()
            {
                let problem = "the version shown is not the one on record";
                on_difference(of_row("view_grants", grant.id, problem));
            }
        }
        for Recorded { event, disclosed } in events {
            let Some(id) = event.subject.recipient else {
                continue;
            };
            let table = match event.kind {
                EventKind::AgreementOffered => "recipients",
                EventKind::AgreementAccepted => "nda_acceptances",
                _ => continue,
            };
            // A missing row is told by the comparison of rows.
            let Some(registration) = registrations.get(&id) else {
                continue;
            };
            let recipient = &registration.progress.recipient;
            let acceptance = registration.progress.acceptance.as_ref();
            let version = recipient.agreement.version;
            let mut same = disclosed.agrees(&Disclosure::agreement(version));
            match acceptance.filter(|_| table == "nda_acceptances") {
                Some(acceptance) => {
                    let accepted = Recipient {
                        identity: acceptance.identity,
                        ..recipient.clone()
                    };
                    let person = PersonFacts::of(&accepted);
                    same &= disclosed.agrees(&Disclosure::Person(person));
                    same &= disclosed.agrees(&Disclosure::terms(acceptance.nda_sha256));
                    same &= disclosed.agrees(&Disclosure::agreement(acceptance.nda_version));
                    let shown = contents.get(&acceptance.revision);
                    same &=
                        shown.is_none_or(|shown| *shown == acceptance.revision_sha256.to_string());
                    same &= match &acceptance.origin {
                        Some(origin) => disclosed.agrees(&Disclosure::origin(origin)),
                        None => disclosed.get("origin").is_none(),
                    };
                }
                None => {
                    let mut person = PersonFacts::of(recipient);
                    if let Some(Some(Disclosure::Person(recorded))) = disclosed.get("person") {
                        // The address may have been confirmed later.
                        person.identity.clone_from(&recorded.identity);
                        person.confirmed_at.clone_from(&recorded.confirmed_at);
                    }
                    same &= disclosed.agrees(&Disclosure::Person(person));
                }
            }
            // Where the creator was erased, only the digest of the text is left.
            if !recipient.erasure.agreement {
                same &= disclosed.agrees(&Disclosure::terms(recipient.agreement.digest()));
            }
            if !same {
                on_difference(of_row(table, id, "the details are not those on record"));
            }
        }
        Ok(())
    }

    /// Reports comments of which the author or the text is not that of their last event.
    fn compare_comments(
        &self,
        idea: IdeaId,
        events: &[Recorded],
        on_difference: OnDifference<'_>,
    ) -> Result<(), DatabaseError> {
        let mut newest = BTreeMap::new();
        for Recorded { event, disclosed } in events {
            if let Some(id) = event.subject.comment {
                newest.insert(id, (event.kind, disclosed));
            }
        }
        newest.retain(|_, (kind, _)| *kind != EventKind::CommentWithdrawn);
        if newest.is_empty() {
            return Ok(());
        }
        let mut comments = self.comments_on(idea)?;
        let ids = newest.keys().copied();
        let unread = ids.filter(|id| !comments.contains_key(id)).collect();
        comments.extend(
            self.all_readable("comments", &unread, on_difference, |tx, id| {
                tx.comments().comment(id)
            })?,
        );
        for (id, comment) in &comments {
            let same = newest
                .get(id)
                .is_none_or(|(_, disclosed)| disclosed.agrees(&Disclosure::comment(comment)));
            if !same {
                let problem = "the comment is not the one on record";
                on_difference(of_row("comments", id, problem));
            }
        }
        Ok(())
    }

    /// Returns the comments on an idea, without those that cannot be read. Reads them in pages: one
    /// by one, each would take a round trip to the database.
    fn comments_on(&self, idea: IdeaId) -> Result<BTreeMap<CommentId, Comment>, DatabaseError> {
        let mut found = BTreeMap::new();
        let mut paging = Paging::default();
        loop {
            let page = self
                .deps
                .database
                .read(|tx| tx.comments().comments_on(idea, &CommentScope::All, paging));
            let page = match page {
                Ok(page) => page,
                Err(DatabaseError::Damaged { .. } | DatabaseError::Internal { .. }) => {
                    return Ok(found);
                }
                Err(error) => return Err(error),
            };
            paging.after = page.next();
            found.extend(
                page.into_items()
                    .into_iter()
                    .map(|comment| (comment.id, comment)),
            );
            if paging.after.is_none() {
                return Ok(found);
            }
        }
    }

    /// Reports revisions on record of which the content was changed. Returns the files that
    /// they show.
    fn compare_contents(
        &self,
        idea: IdeaId,
        events: &[Recorded],
        on_difference: OnDifference<'_>,
    ) -> Result<Vec<StoredFile>, DatabaseError> {
        let mut shown = Vec::new();
        let is_deleted = events.iter().any(|recorded| {
            let event = &recorded.event;
            event.kind == EventKind::IdeaDeleted || is_erasure_of_creator(event)
        });
        for Recorded { event, disclosed } in events {
            let (Some(_), Some(revision)) = (disclosed.get("content"), revision_of(event)) else {
                continue;
            };
            let row = format!("{idea} {revision}");
            let known = self.readable("idea_revisions", &row, on_difference, |tx| {
                tx.ideas().revision(idea, revision)
            })?;
            if let Some(Some(known)) = known {
                let same = disclosed.content_is(|content| {
                    content.title == known.title.as_str()
                        && content.sha256 == known.sha256.to_string()
                });
                if !same {
                    let problem = "its title or digest is not the one on record";
                    on_difference(of_row("idea_revisions", &row, problem));
                }
            }
            let read = self.readable("idea_revisions", &row, on_difference, |tx| {
                tx.ideas().revision_content(idea, revision)
            })?;
            let content = match read {
                Some(Some(content)) => content,
                Some(None) if !is_deleted => {
                    on_difference(of_row(
                        "idea_revisions",
                        row,
                        "the content on record is gone",
                    ));
                    continue;
                }
                _ => continue,
            };
            let is_pdf = matches!(content, Content::Pdf { .. });
            let digest = content.digest().to_string();
            if !is_pdf && !disclosed.content_is(|recorded| recorded.sha256 == digest) {
                let problem = "the content is not the one on record";
                on_difference(of_row("idea_revisions", row, problem));
            }
            let recorded = disclosed.content();
            let recorded = recorded.map_or(&[] as &[_], |content| content.files.as_slice());
            for id in content.files() {
                let file = self.readable("files", id, on_difference, |tx| tx.files().file(id))?;
                let file = match file {
                    Some(Some(file)) => file,
                    Some(None) => {
                        on_difference(of_row("files", id, "the file on record is gone"));
                        continue;
                    }
                    None => continue,
                };
                if recorded.contains(&FileFacts::of(&file)) {
                    shown.push(file);
                } else {
                    on_difference(of_row("files", id, "it is not the one on record"));
                }
            }
        }
        Ok(shown)
    }

    /// Compares the bytes of a file with those that are on record.
    fn compare_file(&self, file: &StoredFile, on_difference: OnDifference<'_>) {
        let mut digester = Digester::default();
        let read = self.storage.open(file, 0..file.size).map(|mut bytes| {
            let copied = io::copy(&mut bytes, &mut digester);
            copied.map(|_| digester.finish())
        });
        let problem = match read {
            Ok(Ok(digest)) if digest == file.sha256 => return,
            Ok(Ok(_)) => "the file is not the one that is on record".to_owned(),
            Ok(Err(error)) => format!("the file cannot be read: {error}"),
            Err(error) => format!("the file cannot be read: {error}"),
        };
        on_difference(Difference {
            table: "files",
            id: file.id.to_string(),
            place: None,
            problem,
        });
    }
}
