//! Erasure of persons: the one exception to what is never changed.

use super::error::DatabaseError;
use crate::Timestamp;
use crate::email::Email;
use crate::ids::{IdeaId, RecipientId, ShareId, UserId};
use crate::recipient::Erasure;
use crate::share::Share;

type Result<T> = std::result::Result<T, DatabaseError>;

/// The registrations, links and mails that an erasure searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErasureScope {
    /// Those on the ideas of one creator.
    IdeasOf(UserId),
    /// All.
    Vault,
}

/// The part of a registration that an erasure needs. The rest of it may be damaged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErasableRegistration {
    /// The registration.
    pub recipient: RecipientId,
    /// The link.
    pub share: ShareId,
    /// The idea.
    pub idea: IdeaId,
    /// The person's address, also one that only a kept agreement still has; `None` if it is
    /// damaged.
    pub email: Option<Email>,
    /// Whether the agreement was accepted.
    pub has_accepted: bool,
    /// The parts that are erased already.
    pub erasure: Erasure,
}

/// An idea that is or was an account's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EverOwnedIdea {
    /// The idea.
    pub id: IdeaId,
    /// Whether it is a draft that was not deleted.
    pub is_draft: bool,
}

/// Finds and erases persons. The log must say so first
/// ([`Event::person_erased`](crate::evidence::Event::person_erased) or
/// [`Event::creator_erased`](crate::evidence::Event::creator_erased)), or the database
/// refuses.
pub trait Erasures {
    /// Returns a registration, even a damaged one.
    fn erasable(&mut self, id: RecipientId) -> Result<Option<ErasableRegistration>>;

    /// Returns the registrations under that address, ordered by id. Leaves out damaged
    /// ones, and logs them.
    fn registrations_under(
        &mut self,
        email: &Email,
        scope: ErasureScope,
    ) -> Result<Vec<ErasableRegistration>>;

    /// Returns the links that are for that address only, ordered by id. Leaves out damaged
    /// ones, and logs them.
    fn shares_for(&mut self, email: &Email, scope: ErasureScope) -> Result<Vec<Share>>;

    /// Erases a person: name, address, phone number, network address and browser, the
    /// authorship of comments, disclosures that name the person, waiting codes, notices and
    /// mails; ends the registration. Unless `keep_agreement` and it was accepted, the text of the
    /// agreement can no longer be produced. What an earlier call has erased stays erased. Waits for
    /// whatever the person is doing right now; what follows is stored without the person. A
    /// damaged value is overwritten with a placeholder, and not kept.
    ///
    /// # Errors
    /// [`DatabaseError`], also without an event.
    fn erase_person(&mut self, id: RecipientId, keep_agreement: bool, at: Timestamp) -> Result<()>;

    /// Erases the address that a link is for. The link must be revoked: nobody can register
    /// on it any more.
    fn erase_share_address(&mut self, share: &Share) -> Result<()>;

    /// Returns all ideas that are or were the user's, ordered by id.
    fn ideas_ever_of(&mut self, user: UserId) -> Result<Vec<EverOwnedIdea>>;

    /// Erases the creator of an idea: the disclosures that name the creator, and the name and
    /// the title in agreements, whose text can then no longer be produced. Where a reader was
    /// erased but for the agreement, the rest of that reader goes too.
    ///
    /// # Errors
    /// [`DatabaseError`], also without an event.
    fn erase_creator(&mut self, idea: IdeaId) -> Result<()>;

    /// Drops the waiting mails to that address; of one creator, only those that the creator's
    /// links sent. Returns how many.
    fn drop_mails_to(&mut self, to: &Email, scope: ErasureScope) -> Result<usize>;

    /// Returns the number of entries of an address in the waitlist and in invitations.
    fn applications_of(&mut self, email: &Email) -> Result<usize>;

    /// Deletes them, and returns how many there were.
    fn erase_applications(&mut self, email: &Email) -> Result<usize>;

    /// Drops the waiting mails that an account's links sent, and those to their readers.
    fn drop_mails_of_account(&mut self, sender: UserId) -> Result<()>;
}
