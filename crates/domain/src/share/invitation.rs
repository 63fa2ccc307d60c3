//! What the creator adds to the mail that brings a link to its reader.

use super::{ShareRequest, ShareType};
use crate::failure::Invalid;
use crate::text::InvitationMessage;

/// What an invitation has besides the link (`docs/rules.md#share-fields`). It stands in the queued
/// mail alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invitation {
    /// A personal line.
    pub message: Option<InvitationMessage>,
    /// Whether answers go to the creator's own address, which the reader then sees.
    pub reply_to_me: bool,
}

impl Invitation {
    /// Validates what a request says about the invitation, which only a link by email has.
    ///
    /// # Errors
    /// [`Invalid`] on the first invalid field.
    pub fn parse(request: &ShareRequest) -> Result<Self, Invalid> {
        let message = InvitationMessage::parse_optional(request.message.as_deref())?;
        let reply_to_me = request.reply_to_me;
        if ShareType::from_name(&request.share_type) != Some(ShareType::Email) {
            if message.is_some() {
                let only = "Only a link shared by email can have a message";
                return Err(Invalid::new("message", only));
            }
            if reply_to_me {
                let only = "Only a link shared by email can have an address for answers";
                return Err(Invalid::new("replyToMe", only));
            }
        }
        Ok(Self {
            message,
            reply_to_me,
        })
    }
}
