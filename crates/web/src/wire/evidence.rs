//! JSON of the evidence of ideas.

use std::borrow::Cow;

use ideavault_application::evidence::{EventDetails, EvidenceState, IdeaEvidence, SignedLog};
use ideavault_domain::evidence::{Anchor, AnchorKind, AnchorState, EventBody, EventKind};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use super::share_type::ShareTypeView;
use super::time;

/// How far the newest recorded version of an idea is confirmed.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = EvidenceState)]
pub enum EvidenceStateView {
    /// Recorded by this server, and confirmed by nobody else.
    Recorded,
    /// An outsider has promised to confirm it.
    Submitted,
    /// An outsider has confirmed it.
    Confirmed,
    /// This server has stopped signing its log.
    Stopped,
}

/// The log of events.
#[derive(Serialize, ToSchema)]
#[schema(as = EvidenceLog)]
pub struct LogView {
    /// Origin of the log.
    origin: String,
    /// Number of events in it.
    size: u64,
    /// The key that signs it, as a C2SP vkey.
    vkey: String,
}

/// The kind of an anchor.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = AnchorKind)]
pub enum AnchorKindView {
    /// A time-stamping authority (RFC 3161).
    Tsa,
    /// A calendar of OpenTimestamps, which leads to a block of Bitcoin.
    Ots,
    /// A witness of the log (C2SP tlog-witness).
    Witness,
}

/// The state of an anchor.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = AnchorState)]
pub enum AnchorStateView {
    /// It waits to be sent, for the first time or again.
    Queued,
    /// It is being sent.
    Submitted,
    /// A calendar has promised a proof, or names a block that was not checked.
    Pending,
    /// The time is confirmed.
    Confirmed,
    /// The last answer proves nothing.
    Refused,
}

/// The confirmation of a checkpoint by an outsider.
#[derive(Serialize, ToSchema)]
#[schema(as = EvidenceAnchor)]
pub struct AnchorView {
    kind: AnchorKindView,
    /// Host of the outsider; of a witness, the name in its key.
    name: String,
    state: AnchorStateView,
    /// The time that an authority or a witness has signed, or that of a block whose header was checked.
    #[schema(required, format = DateTime)]
    time: Option<String>,
    /// Number of the block of Bitcoin that a calendar names. The server has checked it only if
    /// the state is `confirmed`.
    #[schema(required)]
    block: Option<u64>,
}

/// The evidence of an idea.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Evidence)]
pub struct EvidenceView {
    state: EvidenceStateView,
    /// The current log.
    #[schema(required)]
    log: Option<LogView>,
    /// Number of the current revision.
    revision: i32,
    /// SHA-256 of its exact content, in hex; of a PDF, of the file.
    sha256: String,
    /// Whether the current revision is on record.
    on_record: bool,
    /// Whether anybody may look up its public record.
    public_record: bool,
    /// Place in the log of the newest recorded revision, once it has one.
    #[schema(required)]
    index: Option<u64>,
    /// When the newest recorded revision was recorded.
    #[schema(required, format = DateTime)]
    recorded_at: Option<String>,
    /// Confirmations of the newest recorded revision by outsiders, best first.
    anchors: Vec<AnchorView>,
    /// Whether this vault asks outsiders to confirm the time.
    has_witnesses: bool,
    events: Vec<EventView>,
    /// Cursor of the next page, if there is one.
    #[schema(required)]
    next: Option<String>,
}

/// The kind of an event. Its names are written down once, with those of the log.
#[derive(Serialize)]
pub struct EventKindView(EventKind);

impl PartialSchema for EventKindView {
    fn schema() -> RefOr<Schema> {
        let names = EventKind::ALL.iter().map(|kind| kind.as_str());
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("Kind of an event."))
            .enum_values(Some(names))
            .into()
    }
}

impl ToSchema for EventKindView {
    fn name() -> Cow<'static, str> {
        "EventKind".into()
    }
}

/// An event of an idea.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = EvidenceEvent)]
pub struct EventView {
    /// Place in the log, once it has one.
    #[schema(required)]
    index: Option<u64>,
    /// Origin of that log.
    #[schema(required)]
    log: Option<String>,
    #[serde(rename = "type")]
    kind: EventKindView,
    #[schema(format = DateTime)]
    at: String,
    /// Number of the revision concerned.
    #[schema(required)]
    revision: Option<i32>,
    #[schema(required)]
    share: Option<Uuid>,
    #[schema(required)]
    share_name: Option<String>,
    #[schema(required)]
    share_type: Option<ShareTypeView>,
    #[schema(required)]
    recipient: Option<Uuid>,
    /// Name of the recipient, unless it was erased.
    #[schema(required)]
    name: Option<String>,
    /// Address of the recipient, unless it was erased.
    #[schema(required)]
    email: Option<String>,
    #[schema(required)]
    comment: Option<Uuid>,
    #[schema(required)]
    file: Option<String>,
    /// The disclosures that were not erased, by name.
    #[schema(value_type = Object)]
    facts: Map<String, Value>,
    /// Whether names or facts are left out because they are damaged.
    is_damaged: bool,
    /// SHA-256 of the event, in hex: its leaf in the log.
    digest: String,
    /// The event, as canonical JSON.
    body: String,
}

impl From<EvidenceState> for EvidenceStateView {
    fn from(state: EvidenceState) -> Self {
        match state {
            EvidenceState::Recorded => Self::Recorded,
            EvidenceState::Submitted => Self::Submitted,
            EvidenceState::Confirmed => Self::Confirmed,
            EvidenceState::Stopped => Self::Stopped,
        }
    }
}

impl From<SignedLog> for LogView {
    fn from(signed: SignedLog) -> Self {
        Self {
            origin: signed.head.origin,
            size: signed.head.size,
            vkey: signed.vkey,
        }
    }
}

impl From<Anchor> for AnchorView {
    fn from(anchor: Anchor) -> Self {
        Self {
            kind: match anchor.service.kind {
                AnchorKind::Tsa => AnchorKindView::Tsa,
                AnchorKind::Ots => AnchorKindView::Ots,
                AnchorKind::Witness => AnchorKindView::Witness,
            },
            name: anchor.service.name,
            state: match anchor.state {
                AnchorState::Queued => AnchorStateView::Queued,
                AnchorState::Submitted => AnchorStateView::Submitted,
                AnchorState::Pending => AnchorStateView::Pending,
                AnchorState::Confirmed => AnchorStateView::Confirmed,
                AnchorState::Refused => AnchorStateView::Refused,
            },
            time: anchor.time.map(time),
            block: anchor.block,
        }
    }
}

impl From<EventDetails> for EventView {
    fn from(details: EventDetails) -> Self {
        let EventDetails {
            event,
            origin,
            share,
            person,
            disclosures,
            is_damaged,
        } = details;
        // The server wrote it; what it cannot read back is shown as it is stored.
        let body = event.parsed();
        let (name, email) = person.unzip();
        let facts = disclosures.into_iter().map(|(name, facts)| {
            let facts = serde_json::from_str(&facts).unwrap_or(Value::String(facts));
            (name, facts)
        });
        Self {
            index: event.place.map(|place| place.index),
            log: origin,
            kind: EventKindView(event.kind),
            at: time(event.at),
            revision: body.as_ref().and_then(EventBody::revision),
            share: event.subject.share.map(|id| id.as_uuid()),
            share_name: share
                .as_ref()
                .and_then(|share| share.name.as_ref().map(ToString::to_string)),
            share_type: share.map(|share| share.terms.share_type().into()),
            recipient: event.subject.recipient.map(|id| id.as_uuid()),
            name,
            email,
            comment: event.subject.comment.map(|id| id.as_uuid()),
            file: body.and_then(|event| event.file),
            facts: facts.collect(),
            is_damaged,
            digest: event.digest.to_string(),
            body: event.body,
        }
    }
}

impl From<IdeaEvidence> for EvidenceView {
    fn from(evidence: IdeaEvidence) -> Self {
        let IdeaEvidence {
            state,
            log,
            idea,
            on_record,
            public_record,
            recorded,
            anchors,
            has_witnesses,
            events,
        } = evidence;
        Self {
            state: state.into(),
            log: log.map(LogView::from),
            revision: idea.revision,
            sha256: idea.sha256.to_string(),
            on_record,
            public_record,
            index: recorded
                .as_ref()
                .and_then(|event| event.place.map(|place| place.index)),
            recorded_at: recorded.map(|event| time(event.at)),
            anchors: anchors.into_iter().map(AnchorView::from).collect(),
            has_witnesses,
            next: events.next().map(|cursor| cursor.to_string()),
            events: events
                .into_items()
                .into_iter()
                .map(EventView::from)
                .collect(),
        }
    }
}
