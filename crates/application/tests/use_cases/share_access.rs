//! A reader's side of a link.

use std::sync::Arc;

use chrono::Duration;
use ideavault_application::share_access::{
    DownloadError, Downloads, Hashers, RegistrationForm, ShareAccess, ShareAccessError,
    ShareReference, Stage,
};
use ideavault_crypto::{KeyedCodes, KeyedRequests};
use ideavault_domain::content::Content;
use ideavault_domain::evidence::EventKind;
use ideavault_domain::ids::ShareId;
use ideavault_domain::ports::DatabaseError;
use ideavault_domain::recipient::Recipient;
use ideavault_domain::share::{Share, ShareSettingsChange, ShareTerms};
use ideavault_domain::text::Title;
use ideavault_domain::token::Token;
use ideavault_domain::visit::VisitEnding;

use crate::storage::MockStorage;
use crate::support::{
    at, by_email, draft, full_access, one_time, time_dependent, token_of, viewer_key,
};
use crate::vault::{Disturbance, Vault, composer, invalid, now, origin, ring};

fn access(vault: &Arc<Vault>) -> ShareAccess<Vault> {
    limited(vault, 1.0)
}

/// Access within limits that are so many times the ordinary ones.
fn limited(vault: &Arc<Vault>, scale: f64) -> ShareAccess<Vault> {
    let hashers = Hashers {
        codes: Arc::new(KeyedCodes::new(ring())),
        requests: Arc::new(KeyedRequests::new(ring())),
    };
    ShareAccess::new(
        vault.deps_limited(scale),
        Duration::minutes(30),
        composer(),
        hashers,
        Arc::new(MockStorage::new()),
    )
}

/// A link to a draft, and a reader who has registered on it.
struct Scene {
    vault: Arc<Vault>,
    share: Share,
    reader: Recipient,
}

impl Scene {
    fn registered(terms: ShareTerms) -> Self {
        let vault = Vault::new();
        let share = vault.add_share(vault.add_draft().id, terms);
        let reader = vault.add_recipient(vault.add_viewer().id, &share);
        Self {
            vault,
            share,
            reader,
        }
    }

    fn agreed(terms: ShareTerms) -> Self {
        let scene = Self::registered(terms);
        scene.vault.accept(&scene.reader);
        scene
    }

    fn key(&self) -> Token {
        viewer_key(self.reader.viewer_session)
    }

    fn token(&self) -> Token {
        token_of(self.share.id)
    }

    fn open(&self) -> Result<Stage, ShareAccessError> {
        let opened = access(&self.vault).open(&self.token(), Some(&self.key()), &[]);
        opened.map(|opened| opened.stage)
    }

    fn open_again(&self) -> Option<Stage> {
        let access = access(&self.vault);
        let again = access.open_again(&self.token(), Some(&self.key()), &[]);
        again.unwrap().map(|again| again.stage)
    }

    fn views(&self) -> i32 {
        self.vault.share(self.share.id).view_count
    }

    fn save(&self, html: &str) {
        let (idea, draft) = (self.vault.idea(self.share.idea), draft(html));
        assert!(
            self.vault
                .write(|tx| tx.ideas().add_revision(&idea, &draft, now()))
        );
    }
}

fn content(stage: Stage) -> Content {
    match stage {
        Stage::Open { content, .. } => content,
        other => panic!("{other:?}"),
    }
}

fn html(text: &str) -> Content {
    Content::Html(text.into())
}

#[test]
fn the_content_is_not_read_before_agreement() {
    let scene = Scene::registered(one_time(1));
    // Whoever reads it finds it damaged.
    scene
        .vault
        .sql("DROP TRIGGER idea_revisions_update; UPDATE idea_revisions SET content = x'00'")
        .unwrap();
    let unknown = access(&scene.vault).open(&scene.token(), None, &[]);
    assert_eq!(unknown.unwrap().stage, Stage::Collect);
    assert!(matches!(scene.open(), Ok(Stage::Nda(_))));
    scene.vault.accept(&scene.reader);
    let read = scene.open();
    assert!(
        matches!(
            read,
            Err(ShareAccessError::Database(DatabaseError::Damaged { .. }))
        ),
        "{read:?}"
    );
}

#[test]
fn one_statement_shows_only_what_was_shown_before() {
    let scene = Scene::registered(one_time(1));
    let access = access(&scene.vault);
    let newcomer = access
        .open_again(&scene.token(), None, &[])
        .unwrap()
        .unwrap();
    assert_eq!(newcomer.stage, Stage::Collect);
    // The first showing of an agreement is recorded.
    assert_eq!(scene.open_again(), None);
    let offered = scene.open().unwrap();
    assert!(matches!(offered, Stage::Nda(_)));
    assert_eq!(scene.open_again(), Some(offered));
    scene.vault.accept(&scene.reader);
    // A view is counted.
    assert_eq!(scene.open_again(), None);
    let opened = scene.open().unwrap();
    assert_eq!(scene.views(), 1);
    assert_eq!(scene.open_again(), Some(opened.clone()));
    assert_eq!(content(opened), html("<p>first</p>"));
    // A newer revision is recorded when it is shown.
    scene.save("<p>second</p>");
    assert_eq!(scene.open_again(), None);
    let newer = scene.open().unwrap();
    assert_eq!(scene.open_again(), Some(newer.clone()));
    assert_eq!((content(newer), scene.views()), (html("<p>second</p>"), 1));
    scene
        .vault
        .write(|tx| tx.shares().revoke_share(scene.share.id, now()));
    let dead = access.open_again(&scene.token(), Some(&scene.key()), &[]);
    assert!(matches!(dead, Err(ShareAccessError::Ended(_))), "{dead:?}");
}

#[test]
fn the_first_content_claims_a_view_of_the_current_revision() {
    let scene = Scene::agreed(one_time(1));
    let opened = scene.open().unwrap();
    let ends_at = now() + Duration::minutes(30);
    assert!(matches!(opened, Stage::Open { ends_at: Some(end), .. } if end == ends_at));
    let id = scene.reader.id;
    let stored = scene.vault.read(|tx| tx.recipients().registration(id));
    let grant = stored.unwrap().progress.grant.unwrap();
    assert_eq!(
        (grant.revision, grant.granted_at, grant.ends_at),
        (1, now(), ends_at)
    );
}

#[test]
fn a_link_that_ends_while_a_view_waits_to_be_counted_shows_nothing() {
    type Ending = fn(&Vault, ShareId);
    let expires: Ending = |vault, _| vault.clock.set(at(11));
    let is_revoked: Ending = |vault, share| {
        assert!(vault.write(|tx| tx.shares().revoke_share(share, now())));
    };
    let is_used_up: Ending = |vault, share| {
        let other = vault.add_guest(&vault.share(share));
        let grant = crate::support::grant(&other, now());
        assert!(vault.write(|tx| tx.shares().claim_view(&grant)));
    };
    let is_deleted: Ending = |vault, share| {
        let idea = vault.share(share).idea;
        assert!(vault.write(|tx| tx.ideas().delete_draft(idea, now())));
    };
    for (terms, ends) in [
        (time_dependent(at(11), None), expires),
        (full_access(), is_revoked),
        (one_time(1), is_used_up),
        (full_access(), is_deleted),
    ] {
        let scene = Scene::agreed(terms);
        let id = scene.share.id;
        scene.vault.overtake(move |vault| ends(vault, id));
        let late = scene.open();
        let is_refused = matches!(
            late,
            Err(ShareAccessError::Ended(_) | ShareAccessError::NotFound)
        );
        assert!(is_refused, "{late:?}");
    }
}

#[test]
fn a_view_claimed_by_another_tab_is_shared() {
    let scene = Scene::agreed(one_time(1));
    let (token, key) = (scene.token(), scene.key());
    let other = Arc::clone(&scene.vault);
    scene.vault.overtake(move |_| {
        access(&other).open(&token, Some(&key), &[]).unwrap();
    });
    scene.open().unwrap();
    assert_eq!(scene.views(), 1);
}

#[test]
fn registering_offers_an_agreement_with_idea_and_parties() {
    let vault = Vault::new();
    let share = vault.add_share(vault.add_draft().id, full_access());
    let form = RegistrationForm {
        name: "Grace Hopper",
        email: "grace@example.org",
        phone: None,
    };
    let register = |link: &ShareReference| {
        let access = access(&vault);
        access.register(link, form, None, &origin(), None)
    };
    let registered = register(&ShareReference::Token(token_of(share.id))).unwrap();
    let text = registered.recipient.agreement.text();
    for part in ["A kettle that waits", "Ada Lovelace", "Grace Hopper"] {
        assert!(text.contains(part), "{text}");
    }
    let key = registered.new_viewer_key;
    let agree = |agreed| {
        let id = registered.recipient.id;
        access(&vault).agree(id, agreed, Some(&key), origin(), None)
    };
    assert_eq!(invalid(agree(false)).field, "agreed");
    let agreed = agree(true).unwrap();
    assert!(agreed.state.agreed && agreed.new_viewer_key.is_some());
    let stored = vault.read(|tx| tx.recipients().registration(registered.recipient.id));
    let acceptance = stored.unwrap().progress.acceptance.unwrap();
    assert_eq!(
        acceptance.nda_sha256,
        registered.recipient.agreement.digest()
    );
    assert_eq!(
        (acceptance.accepted_at, acceptance.origin),
        (now(), Some(origin()))
    );
    // A link ends with its account, also during a registration.
    let owner = vault
        .read(|tx| tx.shares().share_owner(share.id))
        .unwrap()
        .owner;
    let owner = vault.read(|tx| tx.users().user(owner)).unwrap();
    vault.overtake(move |vault| vault.disable(&owner));
    let gone = register(&ShareReference::Id(share.id));
    assert!(matches!(gone, Err(ShareAccessError::NotFound)), "{gone:?}");
}

#[test]
fn a_new_code_counts_once_also_after_a_conflict() {
    let scene = Scene::registered(by_email("grace@example.org"));
    let area = access(&scene.vault);
    let send = || {
        scene.vault.disturb(Disturbance::Conflict);
        area.send_code(scene.reader.id, Some(&scene.key()), &origin())
    };
    let pending = send().unwrap();
    assert_eq!(
        (pending.attempts_left, pending.resend_in),
        (5, Duration::minutes(1))
    );
    assert_eq!(scene.vault.mail().to(), &scene.reader.email);
    scene.vault.clock.set(now() + Duration::seconds(30));
    let Stage::Verify(pending) = scene.open().unwrap() else {
        panic!("the address is confirmed");
    };
    assert_eq!(pending.expires_in, Duration::seconds(570));
    assert_eq!(pending.resend_in, Duration::seconds(30));
    assert!(matches!(send(), Err(ShareAccessError::RateLimited(_))));
    // One a minute, and five an hour.
    for minutes in 1..5 {
        scene.vault.clock.set(now() + Duration::minutes(minutes));
        send().unwrap();
    }
    scene.vault.clock.set(now() + Duration::minutes(5));
    assert!(matches!(send(), Err(ShareAccessError::RateLimited(_))));
}

#[test]
fn beyond_the_daily_cap_an_agreement_counts_without_a_mail() {
    let scene = Scene::registered(by_email("grace@example.org"));
    let other = scene.vault.add_viewer().id;
    let other = scene.vault.add_recipient(other, &scene.share);
    // One receipt a day for the readers of one account.
    let area = limited(&scene.vault, 1.0 / 200.0);
    for (reader, mails) in [(&scene.reader, 1), (&other, 0)] {
        scene
            .vault
            .write(|tx| tx.codes().confirm_email(reader.id, now()));
        let key = viewer_key(reader.viewer_session);
        let agreed = area.agree(reader.id, true, Some(&key), origin(), None);
        assert!(agreed.unwrap().state.agreed);
        let sent = scene.vault.mails();
        assert_eq!(sent.len(), mails);
        assert!(sent.iter().all(|(_, mail)| mail.receipts() == [reader.id]));
    }
}

#[test]
fn leaving_while_another_tab_leaves_or_agrees_ends_no_other_registration() {
    let ended = |scene: &Scene| -> Vec<EventKind> {
        let events = scene.vault.events().into_iter();
        let ends = [EventKind::AgreementDeclined, EventKind::VisitClosed];
        events
            .map(|event| event.kind)
            .filter(|kind| ends.contains(kind))
            .collect()
    };
    let closes = |scene: &Scene| {
        let (other, token, key) = (Arc::clone(&scene.vault), scene.token(), scene.key());
        scene
            .vault
            .overtake(move |_| access(&other).close(&token, Some(&key)).unwrap());
    };
    let scene = Scene::agreed(full_access());
    scene.open().unwrap();
    closes(&scene);
    access(&scene.vault)
        .close(&scene.token(), Some(&scene.key()))
        .unwrap();
    assert_eq!(ended(&scene), [EventKind::VisitClosed]);

    let scene = Scene::registered(full_access());
    closes(&scene);
    access(&scene.vault)
        .decline(&scene.token(), Some(&scene.key()), None)
        .unwrap();
    assert_eq!(ended(&scene), [EventKind::AgreementDeclined]);

    let scene = Scene::registered(full_access());
    let (other, id, key) = (Arc::clone(&scene.vault), scene.reader.id, scene.key());
    scene.vault.overtake(move |_| {
        access(&other)
            .agree(id, true, Some(&key), origin(), None)
            .unwrap();
    });
    access(&scene.vault)
        .decline(&scene.token(), Some(&scene.key()), None)
        .unwrap_err();
    assert!(ended(&scene).is_empty());
}

#[test]
fn a_document_that_was_replaced_meanwhile_is_not_sent() {
    let scene = Scene::agreed(full_access());
    scene.open().unwrap();
    let storage = Arc::new(MockStorage::new());
    let downloads = Downloads::new(Arc::clone(&scene.vault), scene.vault.clock(), storage);
    let prepare = || downloads.prepare(scene.token(), Some(scene.key())).unwrap();
    let prepared = prepare();
    scene.save("<p>second</p>");
    let outdated = downloads.finish(&prepared);
    assert!(matches!(outdated, Err(DownloadError::Outdated)));
    downloads.finish(&prepare()).unwrap();
}

fn ending(opened: Result<Stage, ShareAccessError>) -> VisitEnding {
    match opened {
        Err(ShareAccessError::Ended(visit)) => visit.ending,
        other => panic!("{other:?}"),
    }
}

#[test]
fn who_closed_the_document_reads_on_without_agreeing_again() {
    let scene = Scene::agreed(full_access());
    scene.open().unwrap();
    let area = access(&scene.vault);
    let reopen = || area.reopen(&scene.token(), Some(&scene.key()), &origin());
    area.close(&scene.token(), Some(&scene.key())).unwrap();
    assert_eq!(ending(scene.open()), VisitEnding::Closed);
    // As often as it is sent.
    for _ in 0..2 {
        reopen().unwrap();
    }
    // The view ended when it was closed; this is another one.
    scene.open().unwrap();
    assert_eq!(scene.views(), 2);
    let nobody = area.reopen(&scene.token(), None, &origin());
    assert!(matches!(nobody, Err(ShareAccessError::NotFound)));
    area.close(&scene.token(), Some(&scene.key())).unwrap();
    cover(&scene);
    assert!(matches!(reopen(), Err(ShareAccessError::OtherText)));
    scene
        .vault
        .write(|tx| tx.shares().revoke_share(scene.share.id, now()));
    assert!(matches!(reopen(), Err(ShareAccessError::NotFound)));
    assert_eq!(ending(scene.open()), VisitEnding::Revoked);
}

#[test]
fn opening_again_is_limited_like_registering() {
    let scene = Scene::agreed(full_access());
    // One in an hour.
    let area = limited(&scene.vault, 1.0 / 30.0);
    let close = || area.close(&scene.token(), Some(&scene.key())).unwrap();
    let reopen = || area.reopen(&scene.token(), Some(&scene.key()), &origin());
    close();
    // What is open already is not opened again.
    for _ in 0..3 {
        reopen().unwrap();
    }
    close();
    assert!(matches!(reopen(), Err(ShareAccessError::RateLimited(_))));
    scene.vault.clock.set(now() + Duration::hours(1));
    reopen().unwrap();
}

#[test]
fn a_one_time_link_does_not_open_again() {
    let scene = Scene::agreed(one_time(2));
    scene.open().unwrap();
    let area = access(&scene.vault);
    area.close(&scene.token(), Some(&scene.key())).unwrap();
    assert_eq!(ending(scene.open()), VisitEnding::Exhausted);
    let again = area.reopen(&scene.token(), Some(&scene.key()), &origin());
    assert!(matches!(again, Err(ShareAccessError::NotFound)));
}

/// Gives the link the cover title 'Project Teapot'.
fn cover(scene: &Scene) {
    let change = ShareSettingsChange {
        cover_title: Some(Some(Title::parse("Project Teapot").unwrap())),
        ..ShareSettingsChange::default()
    };
    let id = scene.share.id;
    scene
        .vault
        .write(|tx| tx.shares().change_share_settings(id, &change));
}

#[test]
fn readers_see_the_cover_title_until_they_have_agreed() {
    let scene = Scene::registered(full_access());
    cover(&scene);
    let title = Title::parse("Project Teapot").unwrap();
    let area = access(&scene.vault);
    let shown = |key: Option<&Token>| {
        let opened = area.open(&scene.token(), key, &[]).unwrap();
        opened.disclosed.idea.title.to_string()
    };
    assert_eq!(shown(None), "Project Teapot");
    assert_eq!(area.preview(&scene.token()).unwrap().title, title);
    let form = RegistrationForm {
        name: "Vera Rubin",
        email: "vera@example.org",
        phone: None,
    };
    let link = ShareReference::Token(scene.token());
    let registered = area.register(&link, form, None, &origin(), None).unwrap();
    assert_eq!(registered.recipient.agreement.idea_title, title);
    let key = registered.new_viewer_key;
    assert_eq!(shown(Some(&key)), "Project Teapot");
    let id = registered.recipient.id;
    let agreed = area.agree(id, true, Some(&key), origin(), None).unwrap();
    let key = agreed.new_viewer_key.unwrap();
    assert_eq!(shown(Some(&key)), "A kettle that waits");
}
