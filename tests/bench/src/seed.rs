//! Adds more data than would be practical through the API: with the server's own
//! repositories, encrypted with its master key.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::thread;

use chrono::{DurationRound as _, TimeDelta, Utc};
use ideavault_crypto::{KeyRing, MasterKey, SystemRandom};
use ideavault_db::SqlDatabase;
use ideavault_domain::Timestamp;
use ideavault_domain::comment::{Comment, CommentText};
use ideavault_domain::content::Content;
use ideavault_domain::email::Email;
use ideavault_domain::evidence::Event;
use ideavault_domain::idea::{Draft, Idea};
use ideavault_domain::ids::{
    CommentId, IdeaId, RecipientId, ShareId, UserId, ViewGrantId, ViewerSessionId,
};
use ideavault_domain::nda::{Agreement, AgreementVersion};
use ideavault_domain::ports::{Database as _, NewIdea, Random as _, Transaction};
use ideavault_domain::recipient::{
    Erasure, Identity, NdaAcceptance, Origin, Recipient, ViewGrant, ViewerSession,
};
use ideavault_domain::share::{Share, ShareSettings, ShareTerms};
use ideavault_domain::text::{PersonName, Title};
use ideavault_domain::token::Token;

use crate::Outcome;

/// Threads that write; Postgres allows concurrent writes.
const THREADS: usize = 2;
/// Ideas in one transaction. It locks what the account stores, so that the other thread waits
/// for it, which Postgres ends after five seconds.
const IDEAS_AT_A_TIME: usize = 4;
/// Parts of a crowd in one transaction.
const AT_A_TIME: usize = 1_000;

/// The readers and comments of an idea.
#[derive(Clone, Copy)]
pub(crate) struct Crowd {
    /// Recipients who register on its share, agree and view: three steps each.
    pub(crate) readers: usize,
    /// Comments of those readers.
    pub(crate) comments: usize,
}

/// Writes to the database of a running server.
pub(crate) struct Seeder {
    database: SqlDatabase,
    beginning: Timestamp,
    ticks: AtomicI64,
}

impl Seeder {
    /// Opens the database of a running server with the master key in `key_file`.
    pub(crate) fn open(url: &str, key_file: &Path) -> Outcome<Self> {
        let key = MasterKey::parse(&std::fs::read_to_string(key_file)?)?;
        let ring = KeyRing::new([&key])?;
        Ok(Self {
            database: SqlDatabase::connect(url, Arc::new(ring))?,
            beginning: Utc::now().duration_trunc(TimeDelta::seconds(1))?,
            ticks: AtomicI64::new(0),
        })
    }

    /// Adds ideas, each with a share and a crowd.
    pub(crate) fn add_ideas(&self, owner: UserId, count: usize, each: Crowd) -> Outcome<()> {
        let share = count.div_ceil(THREADS);
        thread::scope(|scope| {
            let threads: Vec<_> = (0..count)
                .step_by(share.max(1))
                .map(|first| {
                    scope.spawn(move || self.add_some(owner, share.min(count - first), each))
                })
                .collect();
            for thread in threads {
                thread
                    .join()
                    .map_err(|_| "a thread that writes panicked")??;
            }
            Ok(())
        })
    }

    fn add_some(&self, owner: UserId, count: usize, each: Crowd) -> Outcome<()> {
        for chunk in chunks(count, IDEAS_AT_A_TIME) {
            self.database.write(|tx| {
                for _ in 0..chunk {
                    let idea = tx.ideas().add_idea(&NewIdea {
                        owner,
                        draft: Draft::new(
                            Title::parse("A kettle that waits")?,
                            Content::Html("<p>It waits.</p>".into()),
                        ),
                        created_at: self.tick(),
                        key: None,
                    })?;
                    let idea = idea.ok_or("an idea without a key is always added")?;
                    let link = self.add_link(tx, idea.id)?;
                    for _ in 0..each.readers {
                        self.add_reader(tx, &idea, &link)?;
                    }
                    for _ in 0..each.comments {
                        self.add_comment(tx, idea.id)?;
                    }
                }
                Ok::<_, crate::Failure>(())
            })?;
        }
        Ok(())
    }

    /// Adds a crowd to an existing idea, on a new share.
    pub(crate) fn add_crowd(&self, idea: IdeaId, crowd: Crowd) -> Outcome<()> {
        let (idea, link) = self.database.write(|tx| {
            let idea = tx.ideas().idea(idea)?.ok_or("the idea is gone")?;
            let link = self.add_link(tx, idea.id)?;
            Ok::<_, crate::Failure>((idea, link))
        })?;
        for chunk in chunks(crowd.readers, AT_A_TIME) {
            self.database
                .write(|tx| (0..chunk).try_for_each(|_| self.add_reader(tx, &idea, &link)))?;
        }
        for chunk in chunks(crowd.comments, AT_A_TIME) {
            self.database
                .write(|tx| (0..chunk).try_for_each(|_| self.add_comment(tx, idea.id)))?;
        }
        Ok(())
    }

    fn add_link(&self, tx: &mut dyn Transaction, idea: IdeaId) -> Outcome<Share> {
        let id = ShareId::from_random(random()?);
        let token = Token::from_random(random()?);
        let share = Share {
            id,
            idea,
            name: None,
            terms: ShareTerms::FullAccess,
            token_hash: token.hash(),
            view_count: 0,
            settings: ShareSettings::default(),
            revoked_at: None,
            created_at: self.tick(),
        };
        tx.shares().add_share(&share, &token)?;
        tx.evidence_log()
            .append_event(&Event::share_created(&share))?;
        Ok(share)
    }

    fn add_reader(&self, tx: &mut dyn Transaction, idea: &Idea, link: &Share) -> Outcome<()> {
        let id = ViewerSessionId::from_random(random()?);
        let viewer = ViewerSession {
            id,
            key_hash: Token::from_random(random()?).hash(),
            created_at: self.tick(),
            replaces: None,
            browser: id,
        };
        tx.recipients().add_viewer_session(&viewer)?;
        let recipient = recipient(viewer.id, idea, link, self.tick())?;
        tx.recipients().add_recipient(&recipient)?;
        tx.evidence_log()
            .append_event(&Event::agreement_offered(&recipient, None))?;
        let acceptance = NdaAcceptance {
            recipient: recipient.id,
            share: link.id,
            nda_version: AgreementVersion::CURRENT,
            nda_sha256: recipient.agreement.digest(),
            revision: idea.revision,
            revision_sha256: idea.sha256,
            identity: recipient.identity,
            accepted_at: self.tick(),
            origin: Some(Origin {
                ip: "203.0.113.7".parse()?,
                user_agent: Some("Mozilla/5.0 (X11; Linux x86_64) bench".into()),
            }),
        };
        tx.recipients().add_acceptance(&acceptance)?;
        let accepted = Event::agreement_accepted(&recipient, &acceptance, None);
        tx.evidence_log().append_event(&accepted)?;
        let id = ViewGrantId::from_random(random()?);
        let window = TimeDelta::minutes(30);
        let grant = ViewGrant::begin(id, &recipient, idea, self.tick(), window);
        if !tx.shares().claim_view(&grant)? {
            return Err("a view was refused".into());
        }
        tx.evidence_log()
            .append_event(&Event::view_started(idea.id, &grant))?;
        Ok(())
    }

    fn add_comment(&self, tx: &mut dyn Transaction, idea: IdeaId) -> Outcome<()> {
        let comment = Comment {
            id: CommentId::from_random(random()?),
            idea,
            recipient: None,
            author: PersonName::from_stored("Hans Sloane".into()),
            text: CommentText::parse("Worth a second look: what happens when it is empty?")?,
            reply_to: None,
            share: None,
            created_at: self.tick(),
            edited_at: None,
            withdrawn_at: None,
        };
        tx.comments().add_comment(&comment)?;
        tx.evidence_log()
            .append_event(&Event::comment_added(&comment))?;
        Ok(())
    }

    /// Returns the row of the oldest event without a place.
    pub(crate) fn oldest_waiting(&self) -> Outcome<Option<i64>> {
        let waiting = self
            .database
            .read(|tx| tx.evidence_log().unplaced_events(0, 1))?;
        Ok(waiting.first().map(|event| event.row))
    }

    /// Returns the number of events that have places.
    pub(crate) fn placed(&self) -> Outcome<u64> {
        let newest = self.database.read(|tx| {
            let log = tx.evidence_log().current_log()?;
            Ok::<_, crate::Failure>(log.map_or(0, |log| log.head.size))
        })?;
        Ok(newest)
    }

    /// Returns a time later than all before.
    fn tick(&self) -> Timestamp {
        self.beginning + TimeDelta::microseconds(self.ticks.fetch_add(1, Ordering::Relaxed))
    }
}

/// Runs VACUUM, ANALYZE and CHECKPOINT, as Postgres would by itself within minutes of so
/// many inserts, so that the measurements see a large database and not its maintenance.
pub(crate) fn settle(postgres: &str) -> Outcome<()> {
    let status = Command::new("psql")
        .args([postgres, "--quiet"])
        .args(["--command", "VACUUM (ANALYZE)", "--command", "CHECKPOINT"])
        .status()?;
    if status.success() {
        Ok(())
    } else {
        Err("Postgres was not settled".into())
    }
}

fn recipient(
    viewer: ViewerSessionId,
    idea: &Idea,
    link: &Share,
    at: Timestamp,
) -> Outcome<Recipient> {
    let name = PersonName::from_stored("Grace Hopper".into());
    let email = Email::parse("grace@example.org")?;
    Ok(Recipient {
        id: RecipientId::from_random(random()?),
        viewer_session: viewer,
        share: link.id,
        name: name.clone(),
        email: email.clone(),
        phone: None,
        agreement: Agreement {
            version: AgreementVersion::CURRENT,
            idea: idea.id,
            idea_title: idea.title.clone(),
            document_id: None,
            sharer: PersonName::from_stored("Hans Sloane".into()),
            recipient: name,
            recipient_email: email,
            offered_at: at,
        },
        created_at: at,
        identity: Identity::SelfDeclared,
        closed_at: None,
        erasure: Erasure::default(),
    })
}

/// Splits `count` into parts of at most `most`.
fn chunks(count: usize, most: usize) -> impl Iterator<Item = usize> {
    (0..count)
        .step_by(most)
        .map(move |first| most.min(count - first))
}

/// Returns bytes that nobody can guess.
pub(crate) fn random<const N: usize>() -> Outcome<[u8; N]> {
    let mut bytes = [0; N];
    SystemRandom.fill(&mut bytes)?;
    Ok(bytes)
}
