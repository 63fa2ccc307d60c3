//! Admission: the waitlist, invitations, and the registration mode.

use chrono::Duration;

use crate::Timestamp;
use crate::email::{Email, MALFORMED};
use crate::failure::Invalid;
use crate::text::{PersonName, Profession};

/// Whether people may register freely, by invitation, or not at all
/// (`docs/rules.md#registration`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RegistrationMode {
    /// Everybody.
    #[default]
    Open,
    /// Invited people only.
    Invite,
    /// Nobody.
    Closed,
}

/// Validity of an invitation, counted from its mail.
pub const INVITATION_LIFETIME: Duration = Duration::days(14);

/// Whether people must confirm their address (`docs/rules.md#email-confirmation`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AddressConfirmation {
    /// Required before sharing or turning on two-step sign-in.
    Required,
    /// A link is sent, and may be ignored.
    #[default]
    Offered,
    /// A link is sent only on request.
    OnRequest,
}

impl AddressConfirmation {
    /// Returns whether any action requires a confirmed address.
    #[must_use]
    pub fn is_required(self) -> bool {
        self == Self::Required
    }

    /// Returns whether a new account is sent a link.
    #[must_use]
    pub fn is_offered(self) -> bool {
        self != Self::OnRequest
    }
}

/// An entry of the waitlist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitlistEntry {
    /// Self-declared name.
    pub name: PersonName,
    /// Address to contact.
    pub email: Email,
    /// Self-declared profession.
    pub profession: Profession,
    /// When they joined first.
    pub joined_at: Timestamp,
}

impl WaitlistEntry {
    /// Validates a waitlist form sent at `now` (`docs/rules.md#waitlist`).
    ///
    /// # Errors
    /// [`Invalid`] on the first invalid field.
    pub fn parse(
        name: &str,
        email: &str,
        profession: &str,
        now: Timestamp,
    ) -> Result<Self, Invalid> {
        Ok(Self {
            name: PersonName::parse_waiting(name)?,
            email: Email::parse(email).map_err(|refused| match refused.message == MALFORMED {
                true => Invalid::new("email", "Please enter a valid email"),
                false => refused,
            })?,
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
            refusal("Ada", "x", ""),
            Invalid::new("email", "Please enter a valid email")
        );
        assert!(
            refusal("Ada", "josé@example.org", "")
                .message
                .contains("before the @")
        );
        assert_eq!(
            refusal("Ada", "ada@example.org", "\t"),
            Invalid::new("profession", "Profession is required")
        );
    }

    #[test]
    fn an_entry_is_trimmed() {
        let now = Timestamp::UNIX_EPOCH;
        let entry = WaitlistEntry::parse(" Ada ", " Ada@Example.org ", " Poet ", now).unwrap();
        assert_eq!(entry.name.as_str(), "Ada");
        assert_eq!(entry.email.as_str(), "ada@example.org");
        assert_eq!(entry.profession.as_str(), "Poet");
    }
}
