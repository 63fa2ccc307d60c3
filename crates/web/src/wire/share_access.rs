//! JSON of a share link, as a recipient sees it.

use ideavault_application::share_access::{ShareView, Stage};
use ideavault_application::shares::OwnPreview;
use ideavault_domain::digest::Digest;
use ideavault_domain::nda::{AgreementParts, AgreementVersion, Clause};
use ideavault_domain::visit::{EndedVisit, VisitEnding};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::content::IdeaContent;
use super::ideas::StatusView;
use super::recipients::{RecipientView, VerificationView};
use super::share_type::ShareTypeView;
use super::time;

/// Stage of the caller on the link (docs/rules.md#share-stages).
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Stage)]
pub enum StageView {
    /// The caller has to register.
    Collect,
    /// The caller has to confirm the address.
    Verify,
    /// The caller has to accept the agreement.
    Nda,
    /// The content may be read.
    Open,
}

/// Owner of the idea.
#[derive(Serialize, ToSchema)]
#[schema(as = Sharer)]
pub struct SharerView {
    name: String,
}

/// A disclosed idea.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DisclosedIdea)]
pub struct DisclosedIdeaView {
    id: i64,
    title: String,
    #[schema(required)]
    document_id: Option<String>,
    status: StatusView,
    user: SharerView,
    /// Null before the stage is open.
    #[schema(required, value_type = Option<IdeaContent>)]
    content: Option<Value>,
}

/// One of the terms that differ between agreements.
#[derive(Serialize, ToSchema)]
#[schema(as = NdaTerm)]
pub struct NdaTermView {
    label: &'static str,
    value: String,
}

/// A clause of an agreement.
#[derive(Serialize, ToSchema)]
#[schema(as = NdaClause)]
pub struct NdaClauseView {
    /// Its number and name.
    heading: &'static str,
    body: &'static str,
}

/// The agreement for the caller to read.
#[derive(Serialize, ToSchema)]
#[schema(as = Nda)]
pub struct NdaView {
    version: String,
    title: &'static str,
    terms: Vec<NdaTermView>,
    /// Paragraphs between the terms and the clauses.
    preamble: &'static [&'static str],
    clauses: Vec<NdaClauseView>,
    /// All of it as the exact text, which 'Download Agreement' saves.
    text: String,
    /// SHA-256 of `text`, in hex.
    sha256: String,
}

impl NdaView {
    fn new(version: AgreementVersion, parts: AgreementParts) -> Self {
        let text = parts.text();
        let terms = parts.terms.into_iter();
        let clauses = parts.clauses.iter();
        Self {
            version: version.to_string(),
            title: parts.title,
            terms: terms
                .map(|(label, value)| NdaTermView { label, value })
                .collect(),
            preamble: parts.preamble,
            clauses: clauses
                .map(|&Clause { heading, body }| NdaClauseView { heading, body })
                .collect(),
            sha256: Digest::of(text.as_bytes()).to_string(),
            text,
        }
    }
}

/// A share link for the caller.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SharedIdea)]
pub struct SharedIdeaView {
    idea: DisclosedIdeaView,
    share_type: ShareTypeView,
    /// Whether the document may be downloaded.
    allow_download: bool,
    stage: StageView,
    /// The caller's registration.
    #[schema(required)]
    recipient: Option<RecipientView>,
    /// Present only at the stage verify.
    #[schema(required)]
    verification: Option<VerificationView>,
    /// Present only at the stage nda.
    #[schema(required)]
    nda: Option<NdaView>,
    /// End of the view, or of the link if that is earlier. Null before the stage is open,
    /// and if the view has no end.
    #[schema(required, format = DateTime)]
    view_ends_at: Option<String>,
}

impl From<ShareView> for SharedIdeaView {
    fn from(opened: ShareView) -> Self {
        let (mut verification, mut nda, mut content, mut view_ends_at) = (None, None, None, None);
        let stage = match opened.stage {
            Stage::Collect => StageView::Collect,
            Stage::Verify(code) => {
                verification = Some(code.into());
                StageView::Verify
            }
            Stage::Nda(agreement) => {
                nda = Some(NdaView::new(agreement.version, agreement.parts()));
                StageView::Nda
            }
            Stage::Open {
                content: read,
                ends_at,
            } => {
                content = Some(read.to_json());
                view_ends_at = ends_at.map(time);
                StageView::Open
            }
        };
        let idea = opened.disclosed.idea;
        Self {
            idea: DisclosedIdeaView {
                id: idea.id.as_i64(),
                title: idea.title.to_string(),
                document_id: idea
                    .status
                    .publication()
                    .map(|publication| publication.document_id.to_string()),
                status: StatusView::from(&idea.status),
                user: SharerView {
                    name: opened.disclosed.sharer.to_string(),
                },
                content,
            },
            share_type: opened.share.terms.share_type().into(),
            allow_download: opened.share.settings.allow_download,
            stage,
            recipient: opened.recipient.map(RecipientView::from),
            verification,
            nda,
            view_ends_at,
        }
    }
}

/// Why a visit is over.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = VisitEnding)]
pub enum VisitEndingView {
    /// The caller closed the document, and may open it again.
    Closed,
    /// The link has expired.
    Expired,
    /// The owner has revoked the link.
    Revoked,
    /// No view is left.
    Exhausted,
}

/// The visit of a caller who had accepted the agreement, and may not read now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = EndedVisit)]
pub struct EndedVisitView {
    reason: VisitEndingView,
    /// When it ended, if that is known.
    #[schema(required, format = DateTime)]
    at: Option<String>,
    /// The caller's registration, whose agreement and receipt can be downloaded.
    recipient_id: Uuid,
}

impl From<EndedVisit> for EndedVisitView {
    fn from(visit: EndedVisit) -> Self {
        Self {
            reason: match visit.ending {
                VisitEnding::Closed => VisitEndingView::Closed,
                VisitEnding::Expired => VisitEndingView::Expired,
                VisitEnding::Revoked => VisitEndingView::Revoked,
                VisitEnding::Exhausted => VisitEndingView::Exhausted,
            },
            at: visit.at.map(time),
            recipient_id: visit.recipient.as_uuid(),
        }
    }
}

/// Body of the call that declines the agreement.
#[derive(Default, Deserialize, ToSchema)]
pub struct DeclineBody {
    /// Why, for the owner; at most 500 characters.
    pub reason: Option<String>,
}

/// What the readers of a link are shown, for its owner.
#[derive(Serialize, ToSchema)]
#[schema(as = SharePreview)]
pub struct SharePreviewView {
    /// The link at the stage open, with nobody registered.
    shared: SharedIdeaView,
    /// The title that readers see until they have accepted the agreement.
    title: String,
    /// The agreement, with the names of what its reader and the time add in square brackets.
    nda: NdaView,
}

impl From<OwnPreview> for SharePreviewView {
    fn from(preview: OwnPreview) -> Self {
        let ShareView {
            share, disclosed, ..
        } = &preview.opened;
        Self {
            title: share
                .title_before_agreement(&disclosed.idea.title)
                .to_string(),
            shared: preview.opened.into(),
            nda: NdaView::new(preview.version, preview.agreement),
        }
    }
}
