//! Who gets an account: the waitlist, invitations, and how registration works.

use chrono::Duration;

use crate::Timestamp;
use crate::email::Email;
use crate::failure::Invalid;
use crate::text::{PersonName, Profession};

/// Who may register (design section 3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RegistrationMode {
    /// Everybody.
    #[default]
    Open,
    /// Whoever was invited.
    Invite,
    /// Nobody.
    Closed,
}

/// How long an invitation to register works, from its mail on.
pub const INVITATION_LIFETIME: Duration = Duration::days(14);

/// Whether people have to show that mails to their address arrive (design section 9).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AddressConfirmation {
    /// Before they share anything or turn on two-step sign-in.
    Required,
    /// They are sent a link, and may ignore it.
    #[default]
    Offered,
    /// They are sent a link only when they ask for one.
    OnRequest,
}

impl AddressConfirmation {
    /// Whether anything waits for it.
    #[must_use]
    pub fn is_required(self) -> bool {
        self == Self::Required
    }

    /// Whether a new account is sent a link.
    #[must_use]
    pub fn is_offered(self) -> bool {
        self != Self::OnRequest
    }
}

/// Somebody who asked to be let in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitlistEntry {
    /// Self-declared name.
    pub name: PersonName,
    /// Where to write to.
    pub email: Email,
    /// What they do.
    pub profession: Profession,
    /// When they asked first.
    pub joined_at: Timestamp,
}

impl WaitlistEntry {
    /// Checks what a person typed at `now` (spec section 5, Waitlist).
    ///
    /// # Errors
    /// [`Invalid`] on the first field that breaks a rule.
    pub fn parse(
        name: &str,
        email: &str,
        profession: &str,
        now: Timestamp,
    ) -> Result<Self, Invalid> {
        Ok(Self {
            name: PersonName::parse_waiting(name)?,
            email: Email::parse(email)
                .map_err(|_| Invalid::new("email", "Please enter a valid email"))?,
            profession: Profession::parse(profession)?,
            joined_at: now,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(name: &str, email: &str, profession: &str) -> Invalid {
        WaitlistEntry::parse(name, email, profession, Timestamp::UNIX_EPOCH).unwrap_err()
    }

    #[test]
    fn each_field_is_required_with_the_spec_message() {
        assert_eq!(
            refusal(" ", "x", ""),
            Invalid::new("name", "Name is required")
        );
        assert_eq!(
            refusal("A", "x", ""),
            Invalid::new("email", "Please enter a valid email")
        );
        assert_eq!(
            refusal("A", "ada@example.org", "\t"),
            Invalid::new("profession", "Profession is required")
        );
    }

    #[test]
    fn an_entry_is_trimmed() {
        let now = Timestamp::UNIX_EPOCH;
        let entry = WaitlistEntry::parse(" A ", " Ada@Example.org ", " Poet ", now).unwrap();
        assert_eq!(entry.name.as_str(), "A");
        assert_eq!(entry.email.as_str(), "ada@example.org");
        assert_eq!(entry.profession.as_str(), "Poet");
    }
}
