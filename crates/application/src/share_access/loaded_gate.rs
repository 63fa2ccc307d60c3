//! The gate's state loaded from the database, and what each stage may reveal of it.

use chrono::Duration;
use ideavault_domain::Timestamp;
use ideavault_domain::code::EmailCode;
use ideavault_domain::content::Content;
use ideavault_domain::email::Email;
use ideavault_domain::gate::{GateContext, RecipientProgress};
use ideavault_domain::idea::DisclosedIdea;
use ideavault_domain::ids::ShareId;
use ideavault_domain::nda::{Agreement, AgreementVersion};
use ideavault_domain::ports::{FoundGate, GateAddress, GateQuery, Transaction};
use ideavault_domain::recipient::{Identity, Recipient, ViewGrant};
use ideavault_domain::share::Share;
use ideavault_domain::text::PersonName;
use ideavault_domain::token::Token;

use super::ShareAccessError;

/// How a request refers to the share to register on.
#[derive(Clone, Debug)]
pub enum ShareReference {
    /// By the link's token.
    Token(Token),
    /// By the id in the signed cookie set by the lookup.
    Id(ShareId),
}

/// A recipient and whether it accepted the NDA.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipientState {
    /// The recipient.
    pub recipient: Recipient,
    /// Whether it accepted the NDA.
    pub agreed: bool,
}

/// The stage that a recipient has reached (`docs/rules.md#share-stages`).
#[derive(Clone, Debug, PartialEq)]
pub enum Stage {
    /// The recipient must enter their details.
    Collect,
    /// The address must be confirmed with the mailed code.
    Verify(PendingCode),
    /// The NDA must be accepted.
    Nda(Agreement),
    /// The content may be read.
    Open {
        /// The idea's content.
        content: Content,
        /// End of the reader's view, if it has one ([`Share::view_end`]).
        ends_at: Option<Timestamp>,
    },
}

/// The state of a mailed code, without the code; all zero when there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingCode {
    /// Remaining validity.
    pub expires_in: Duration,
    /// Remaining attempts.
    pub attempts_left: i32,
    /// Remaining cooldown before another code can be requested.
    pub resend_in: Duration,
}

impl PendingCode {
    pub(super) fn of(sent: Option<&EmailCode>, now: Timestamp) -> Self {
        let none = Duration::zero();
        Self {
            expires_in: sent.map_or(none, |sent| (sent.expires_at - now).max(none)),
            attempts_left: sent.map_or(0, EmailCode::attempts_left),
            resend_in: sent.map_or(none, |sent| sent.cooldown_left(now)),
        }
    }
}

/// A link as one browser sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct ShareView {
    /// The link.
    pub share: Share,
    /// The idea, without content, with the title that the stage may reveal.
    pub disclosed: DisclosedIdea,
    /// The browser's own registration, while it is open.
    pub recipient: Option<RecipientState>,
    /// The stage reached, with what that stage may reveal.
    pub stage: Stage,
}

/// Returns the gate before which a browser stands, with the content if it is wanted and shown.
pub(super) fn find_gate(
    tx: &mut dyn Transaction,
    address: GateAddress,
    viewer: Option<&Token>,
    with_content: bool,
    now: Timestamp,
) -> Result<FoundGate, ShareAccessError> {
    let viewer = viewer.map(Token::hash);
    let query = GateQuery {
        address,
        viewer: viewer.as_ref(),
        with_content,
        guesses: &[],
        now,
    };
    let found = tx.recipients().find_gate(&query)?;
    found.ok_or(ShareAccessError::NotFound)
}

/// Returns the agreement that the link of a gate offers at `now` to a reader with the name and
/// address of `reader`.
pub(super) fn offered_now(gate: &FoundGate, reader: &Recipient, now: Timestamp) -> Agreement {
    offered_to(gate, reader.name.clone(), reader.email.clone(), now)
}

/// Returns the agreement that the link of a gate offers at `now` to a reader with that name and
/// address.
pub(super) fn offered_to(
    gate: &FoundGate,
    recipient: PersonName,
    recipient_email: Email,
    now: Timestamp,
) -> Agreement {
    let DisclosedIdea { idea, sharer } = &gate.disclosed;
    let publication = idea.status.publication();
    Agreement {
        version: AgreementVersion::CURRENT,
        idea: idea.id,
        idea_title: gate
            .context
            .share
            .title_before_agreement(&idea.title)
            .clone(),
        document_id: publication.map(|publication| publication.document_id.clone()),
        sharer: sharer.clone(),
        recipient,
        recipient_email,
        offered_at: now,
    }
}

/// Returns the identity that a browser has proved on a link before; the link fixes the address, the
/// only detail that can be proved.
pub(super) fn known_identity(gate: &GateContext) -> Identity {
    gate.progress
        .as_ref()
        .filter(|progress| Some(&progress.recipient.email) == gate.share.terms.recipient_email())
        .map_or(Identity::SelfDeclared, |progress| {
            progress.recipient.identity
        })
}

impl ShareView {
    /// Shows a gate at a stage.
    pub(super) fn at(stage: Stage, gate: FoundGate) -> Self {
        let open = gate.context.open_registration();
        let recipient = open.map(|progress| RecipientState::of(progress.clone()));
        let (share, mut disclosed) = (gate.context.share, gate.disclosed);
        if !matches!(stage, Stage::Open { .. }) {
            let title = share.title_before_agreement(&disclosed.idea.title);
            disclosed.idea.title = title.clone();
        }
        Self {
            share,
            disclosed,
            recipient,
            stage,
        }
    }

    /// Shows the content of a gate in a view with that grant.
    pub(super) fn open(gate: FoundGate, content: Content, grant: &ViewGrant) -> Self {
        let ends_at = gate.context.share.view_end(grant.ends_at);
        Self::at(Stage::Open { content, ends_at }, gate)
    }
}

impl RecipientState {
    pub(super) fn of(progress: RecipientProgress) -> Self {
        Self {
            agreed: progress.acceptance.is_some(),
            recipient: progress.recipient,
        }
    }
}

impl From<&ShareReference> for GateAddress {
    fn from(share: &ShareReference) -> Self {
        match share {
            ShareReference::Token(token) => Self::Token(token.hash()),
            ShareReference::Id(id) => Self::Share(*id),
        }
    }
}
