//! A share link on the wire, as a recipient sees it.

use ideavault_application::share_access::{ShareView, Stage};
use ideavault_domain::nda::Agreement;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::content::IdeaContent;
use super::ideas::StatusView;
use super::recipients::{RecipientView, VerificationView};
use super::shares::ShareTypeView;
use super::time;

/// How far the caller is (design section 5).
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Stage)]
pub enum StageView {
    /// Details are missing.
    Collect,
    /// The address has to be proven.
    Verify,
    /// The NDA is to be accepted.
    Nda,
    /// The content may be read.
    Open,
}

/// Who discloses.
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
    /// Null until the stage is open.
    #[schema(required, value_type = Option<IdeaContent>)]
    content: Option<Value>,
}

/// The agreement that the caller is to read.
#[derive(Serialize, ToSchema)]
#[schema(as = Nda)]
pub struct NdaView {
    version: String,
    /// SHA-256 of `text`, in hex.
    sha256: String,
    /// The exact text: what 'Download Agreement' saves.
    text: String,
}

impl From<&Agreement> for NdaView {
    fn from(agreement: &Agreement) -> Self {
        Self {
            version: agreement.version.clone(),
            sha256: agreement.digest().to_string(),
            text: agreement.text(),
        }
    }
}

/// What a link shows to the caller.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SharedIdea)]
pub struct SharedIdeaView {
    idea: DisclosedIdeaView,
    share_type: ShareTypeView,
    /// Whether the document may be downloaded.
    allow_download: bool,
    stage: StageView,
    /// The caller's own registration.
    #[schema(required)]
    recipient: Option<RecipientView>,
    /// Only while the stage is verify.
    #[schema(required)]
    verification: Option<VerificationView>,
    /// Only while the stage is nda.
    #[schema(required)]
    nda: Option<NdaView>,
    /// When the view ends, with its time or with the link; only while the stage is
    /// open, and null where nothing ends.
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
                nda = Some(NdaView::from(&agreement));
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
            share_type: opened.share.terms.share_type.into(),
            allow_download: opened.share.allow_download,
            stage,
            recipient: opened.recipient.map(RecipientView::from),
            verification,
            nda,
            view_ends_at,
        }
    }
}
