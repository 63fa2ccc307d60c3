//! The subject of a denial of files or comments behind the gate.

use ideavault_domain::Timestamp;
use ideavault_domain::audit::{AuditKind, Subject};
use ideavault_domain::gate::GateContext;
use ideavault_domain::ids::{FileId, IdeaId, RecipientId};
use ideavault_domain::ports::{DatabaseError, Transaction};

use crate::actor::Caller;
use crate::gate::open_registrations;
use crate::ideas::idea_exists;

/// Access that was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// A file.
    File(FileId),
    /// Reading or writing comments.
    Comments {
        /// The recipient named in the request, if any.
        recipient: Option<RecipientId>,
        /// The idea named in the request, if any.
        idea: Option<IdeaId>,
    },
}

impl Refused {
    pub(super) fn kind(&self) -> AuditKind {
        match self {
            Self::File(_) => AuditKind::FileRefused,
            Self::Comments { .. } => AuditKind::CommentsRefused,
        }
    }

    /// Returns the link that the caller's browser registered on to get access;
    /// otherwise the thing itself, if it exists. Ids that do not exist are not
    /// recorded.
    pub(super) fn subject(
        &self,
        tx: &mut dyn Transaction,
        caller: &Caller,
        now: Timestamp,
    ) -> Result<Option<Subject>, DatabaseError> {
        let registrations = open_registrations(tx, caller.viewer.as_ref(), now)?
            .map(|found| found.value)
            .unwrap_or_default();
        let link = |wanted: &dyn Fn(&GateContext) -> bool| {
            let found = registrations.iter().find(|gate| wanted(gate));
            found.map(|gate| Subject::Share(gate.share.id))
        };
        match *self {
            Self::File(id) => {
                if tx.files().file(id)?.is_none() {
                    return Ok(None);
                }
                let showing = tx.files().ideas_showing(id)?;
                let link = link(&|found| showing.contains(&found.share.idea));
                Ok(Some(link.unwrap_or(Subject::File(id))))
            }
            Self::Comments { recipient, idea } => {
                let link = link(&|found| {
                    recipient.is_none_or(|id| found.is_of(id))
                        && idea.is_none_or(|idea| found.share.idea == idea)
                });
                match idea {
                    Some(idea) if link.is_none() => {
                        Ok(idea_exists(tx, idea)?.then_some(Subject::Idea(idea)))
                    }
                    _ => Ok(link),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use ideavault_domain::file::MediaType;
    use ideavault_domain::ports::IdeaOwner;
    use ideavault_domain::share::{Share, ShareTerms};

    use super::*;
    use crate::testing::{
        MockTransaction, at, owner, progress, registered, share, stored_file, viewer_key,
    };

    /// A browser registered on a link to idea 7, which shows a file.
    fn transaction() -> MockTransaction {
        let mut tx = MockTransaction::new();
        tx.expect_browser_registrations()
            .returning(|_, _| Ok(Some(registered([(link(), progress(false))]))));
        tx.expect_idea_owner().returning(|id| {
            Ok((id == 7.into()).then(|| IdeaOwner {
                owner: owner(),
                is_published: false,
                document_id: None,
                is_deleted: false,
            }))
        });
        tx
    }

    fn link() -> Share {
        share(ShareTerms::FullAccess)
    }

    fn reader_of_the_link() -> Caller {
        Caller {
            user: None,
            viewer: Some(viewer_key()),
        }
    }

    fn subject(tx: &mut MockTransaction, refused: Refused, caller: &Caller) -> Option<Subject> {
        refused.subject(tx, caller, at(0)).unwrap()
    }

    #[test]
    fn a_refused_file_is_recorded_by_its_link_or_else_by_its_id() {
        let file = stored_file(MediaType::Pdf).id;
        let refused = Refused::File(file);
        for (showing, caller, expected) in [
            (
                vec![7.into()],
                reader_of_the_link(),
                Subject::Share(link().id),
            ),
            (vec![8.into()], reader_of_the_link(), Subject::File(file)),
            (vec![7.into()], Caller::default(), Subject::File(file)),
        ] {
            let mut tx = transaction();
            tx.expect_file()
                .returning(|_| Ok(Some(stored_file(MediaType::Pdf))));
            tx.expect_ideas_showing()
                .returning(move |_| Ok(showing.clone()));
            assert_eq!(subject(&mut tx, refused, &caller), Some(expected));
        }
    }

    #[test]
    fn absent_files_and_ideas_have_no_subject() {
        let mut tx = transaction();
        tx.expect_file().returning(|_| Ok(None));
        let made_up = Refused::File(FileId::from_random([9; 16]));
        assert_eq!(subject(&mut tx, made_up, &reader_of_the_link()), None);
        let made_up = Refused::Comments {
            recipient: None,
            idea: Some(9.into()),
        };
        assert_eq!(subject(&mut tx, made_up, &reader_of_the_link()), None);
    }

    #[test]
    fn refused_comments_are_recorded_by_link_or_else_by_idea() {
        let on = |recipient, idea| Refused::Comments { recipient, idea };
        let own = Some(progress(false).recipient.id);
        let foreign = Some(RecipientId::from_random([9; 16]));
        let link = Some(Subject::Share(link().id));
        for (refused, expected) in [
            (on(None, None), link.clone()),
            (on(own, None), link.clone()),
            (on(None, Some(7.into())), link),
            (on(foreign, None), None),
            (on(foreign, Some(7.into())), Some(Subject::Idea(7.into()))),
        ] {
            let caller = reader_of_the_link();
            assert_eq!(subject(&mut transaction(), refused, &caller), expected);
        }
    }
}
