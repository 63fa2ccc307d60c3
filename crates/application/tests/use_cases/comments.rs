use std::sync::Arc;

use ideavault_application::actor::Caller;
use ideavault_application::comments::{CommentError, CommentForm, Comments};
use ideavault_domain::account::User;
use ideavault_domain::comment::Comment;
use ideavault_domain::page::Paging;
use ideavault_domain::recipient::Recipient;

use crate::support::{at, comment, full_access, viewer_key};
use crate::vault::{Disturbance, Vault, now};

/// A reader who has agreed on the link of an idea, and its owner.
struct Scene {
    vault: Arc<Vault>,
    owner: User,
    guest: Recipient,
}

impl Scene {
    fn new() -> Self {
        let vault = Vault::new();
        let owner = vault.add_confirmed();
        let link = vault.add_share(vault.add_idea(owner.id).id, full_access());
        let guest = vault.add_guest(&link);
        Self {
            vault,
            owner,
            guest,
        }
    }

    fn area(&self) -> Comments<Vault> {
        Comments::new(self.vault.deps())
    }

    fn reader(&self) -> Caller {
        Caller {
            user: None,
            viewer: Some(viewer_key(self.guest.viewer_session)),
        }
    }

    fn add(&self, caller: &Caller) -> Result<Comment, CommentError> {
        self.add_to(&self.area(), caller)
    }

    fn add_to(&self, area: &Comments<Vault>, caller: &Caller) -> Result<Comment, CommentError> {
        let form = CommentForm {
            recipient: None,
            idea: Some(self.guest.agreement.idea),
            reply_to: None,
            text: " Nice ",
            request: None,
        };
        area.add(caller, form)
    }
}

#[test]
fn a_comment_counts_for_its_writer_once_also_after_a_conflict() {
    let scene = Scene::new();
    let (reader, area) = (scene.reader(), scene.area());
    let conflict = || scene.vault.disturb(Disturbance::Conflict);
    // Twenty a minute, with their changes.
    for number in 0..10 {
        conflict();
        let added = scene.add_to(&area, &reader).unwrap();
        assert_eq!(added.author, scene.guest.name);
        conflict();
        if number % 2 == 0 {
            area.edit(&reader, added.id, "Nicer").unwrap();
        } else {
            area.withdraw(&reader, added.id).unwrap();
        }
    }
    let limited = scene.add_to(&area, &reader);
    assert!(matches!(limited, Err(CommentError::RateLimited(_))));
    let owner = Caller {
        user: Some(scene.owner.id),
        viewer: None,
    };
    let added = scene.add_to(&area, &owner).unwrap();
    assert_eq!(added.author, scene.owner.name);
}

#[test]
fn own_and_disclosed_comments_are_one_list() {
    let scene = Scene::new();
    let vault = &scene.vault;
    let own = vault.add_draft();
    let theirs = scene.guest.agreement.idea;
    let [first, second] = [(own.id, 5), (theirs, 6)].map(|(idea, minute)| {
        let comment = comment(idea, None, "Hello", at(minute));
        vault.write(|tx| tx.comments().add_comment(&comment));
        comment
    });
    let both = Caller {
        user: Some(own.owner),
        ..scene.reader()
    };
    let list = |size: &str, after| {
        let paging = Paging {
            size: size.parse().unwrap(),
            after,
        };
        scene.area().list(&both, None, paging).unwrap()
    };
    let page = list("1", None);
    let rest = list("1", page.next());
    assert_eq!(page.into_items(), std::slice::from_ref(&first));
    assert_eq!(rest.into_items(), std::slice::from_ref(&second));
    assert_eq!(list("9", None).into_items(), [first, second]);
}

#[test]
fn saving_the_same_text_is_not_an_edit() {
    let scene = Scene::new();
    let added = scene.add(&scene.reader()).unwrap();
    scene.vault.clock.set(at(11));
    let area = scene.area();
    let same = area.edit(&scene.reader(), added.id, "Nice").unwrap();
    assert_eq!((same.edited_at, same.created_at), (None, now()));
    let edited = area.edit(&scene.reader(), added.id, "Nicer").unwrap();
    assert_eq!(edited.edited_at, Some(at(11)));
}

#[test]
fn nobody_comments_on_the_idea_of_an_account_that_is_gone() {
    let scene = Scene::new();
    let added = scene.add(&scene.reader()).unwrap();
    let owner = scene.owner.clone();
    scene.vault.overtake(move |vault| vault.disable(&owner));
    let (reader, area) = (scene.reader(), scene.area());
    for refused in [
        scene.add(&reader),
        area.edit(&reader, added.id, "Late"),
        area.withdraw(&reader, added.id),
    ] {
        assert!(
            matches!(refused, Err(CommentError::NotFound)),
            "{refused:?}"
        );
    }
}

#[test]
fn nobody_comments_on_what_they_cannot_read() {
    let scene = Scene::new();
    let nobody = scene.add(&Caller::default());
    assert!(matches!(nobody, Err(CommentError::Unknown)));
    let stranger = Caller {
        user: Some(scene.vault.add_confirmed().id),
        viewer: None,
    };
    assert!(matches!(scene.add(&stranger), Err(CommentError::NotFound)));
}
