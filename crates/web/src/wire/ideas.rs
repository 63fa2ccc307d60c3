//! JSON of ideas.

use ideavault_domain::content::ContentKind;
use ideavault_domain::failure::Invalid;
use ideavault_domain::idea::{
    IdeaStatus, IdeaSummary, IdeaWithContent, ListedIdea, Revision, RevisionWithContent,
};
use ideavault_domain::organization::{Archived, Organization, OrganizationChange, Tags};
use ideavault_domain::working_copy::WorkingCopy;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};

use super::content::IdeaContent;
use super::time;

/// Body of the create call.
#[derive(Deserialize, ToSchema)]
pub struct IdeaBody {
    /// Not blank, at most 200 characters.
    pub title: String,
    /// One of the four content forms; HTML is sanitized.
    #[schema(value_type = IdeaContent)]
    pub content: Box<RawValue>,
    /// Discards only unsaved text of that editing session, instead of all.
    pub session: Option<String>,
}

/// Body of the update call.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IdeaUpdateBody {
    /// Not blank, at most 200 characters.
    pub title: String,
    /// One of the four content forms; HTML is sanitized.
    #[schema(value_type = IdeaContent)]
    pub content: Box<RawValue>,
    /// Revision that the edit is based on. If it is given, the save is refused when a newer
    /// one exists; without it, the save overwrites the current one.
    pub base_revision: Option<i32>,
    /// Discards only unsaved text of that editing session, instead of all.
    pub session: Option<String>,
}

/// Body of the call that keeps unsaved text.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkingCopyBody {
    /// At most 200 characters; it may be blank.
    pub title: String,
    /// HTML, which is sanitized.
    pub content: String,
    /// Revision that the text is based on; without it, the current one. None for a new idea.
    pub base_revision: Option<i32>,
    /// Name of the editing session that wrote it: 1 to 64 letters, digits, - and _. One session
    /// does not change the text of another.
    pub session: Option<String>,
}

/// Query of the call that discards unsaved text.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DiscardQuery {
    /// Discards only text of that editing session.
    pub session: Option<String>,
}

/// Unsaved text.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WorkingCopy)]
pub struct WorkingCopyView {
    title: String,
    /// Sanitized HTML.
    content: String,
    /// Revision that the text is based on; null for a new idea.
    #[schema(required)]
    base_revision: Option<i32>,
    /// The editing session that wrote it; empty without a name.
    session: String,
    #[schema(format = DateTime)]
    kept_at: String,
}

impl From<WorkingCopy> for WorkingCopyView {
    fn from(copy: WorkingCopy) -> Self {
        Self {
            title: copy.title.to_string(),
            content: copy.html,
            base_revision: copy.base,
            session: copy.session.as_str().to_owned(),
            kept_at: time(copy.kept_at),
        }
    }
}

/// Body of the call that publishes an idea.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct PublishQuery {
    /// Revision that the creator has seen. If it is given, publishing is refused when a
    /// newer one exists; without it, the current one is published.
    #[param(value_type = Option<i32>)]
    pub base_revision: Option<String>,
}

/// Query of the list of ideas.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ArchivedQuery {
    /// Whether archived ideas are listed too; false by default.
    #[param(value_type = Option<bool>)]
    pub archived: Option<String>,
}

impl ArchivedQuery {
    /// Parses the query.
    ///
    /// # Errors
    /// [`Invalid`] on `archived`.
    pub fn parse(&self) -> Result<Archived, Invalid> {
        match self.archived.as_deref() {
            None | Some("false") => Ok(Archived::LeftOut),
            Some("true") => Ok(Archived::Included),
            Some(_) => Err(Invalid::new("archived", "Use true or false")),
        }
    }
}

/// Body of the call that organizes an idea. What is left out stays.
#[derive(Deserialize, ToSchema)]
pub struct OrganizeBody {
    /// All tags from now on: at most 10, of at most 30 characters each.
    pub tags: Option<Vec<String>>,
    /// Whether lists leave the idea out from now on.
    pub archived: Option<bool>,
}

impl OrganizeBody {
    /// Parses the change.
    ///
    /// # Errors
    /// [`Invalid`] on `tags`.
    pub fn parse(&self) -> Result<OrganizationChange, Invalid> {
        Ok(OrganizationChange {
            tags: self.tags.as_deref().map(Tags::parse).transpose()?,
            is_archived: self.archived,
        })
    }
}

/// How an idea is organized.
#[derive(Serialize, ToSchema)]
#[schema(as = Organization)]
pub struct OrganizationView {
    /// Its tags, in the order in which they were given.
    tags: Vec<String>,
    /// Whether lists leave it out.
    archived: bool,
}

impl From<Organization> for OrganizationView {
    fn from(Organization { tags, is_archived }: Organization) -> Self {
        Self {
            tags: tags.into_vec(),
            archived: is_archived,
        }
    }
}

/// State of an idea.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum StatusView {
    /// Can be edited and deleted.
    Draft,
    /// Published for good.
    Published,
}

impl From<&IdeaStatus> for StatusView {
    fn from(status: &IdeaStatus) -> Self {
        match status {
            IdeaStatus::Draft => Self::Draft,
            IdeaStatus::Published(_) => Self::Published,
        }
    }
}

/// Form of content.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ContentKindView {
    /// Rich text.
    Html,
    /// An imported PDF.
    Pdf,
    /// Positioned elements.
    Canvas,
    /// An object from an earlier format.
    Legacy,
}

impl From<ContentKind> for ContentKindView {
    fn from(kind: ContentKind) -> Self {
        match kind {
            ContentKind::Html => Self::Html,
            ContentKind::Pdf => Self::Pdf,
            ContentKind::Canvas => Self::Canvas,
            ContentKind::Legacy => Self::Legacy,
        }
    }
}

/// An idea without its content.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = IdeaSummary)]
pub struct IdeaSummaryView {
    id: i64,
    title: String,
    status: StatusView,
    content_kind: ContentKindView,
    /// Assigned at publication.
    #[schema(required)]
    document_id: Option<String>,
    /// Time of publication.
    #[schema(required, format = DateTime)]
    blockchain_timestamp: Option<String>,
    #[schema(format = DateTime)]
    last_modified: String,
}

impl From<IdeaSummary> for IdeaSummaryView {
    fn from(idea: IdeaSummary) -> Self {
        let publication = idea.status.publication();
        Self {
            id: idea.id.as_i64(),
            status: StatusView::from(&idea.status),
            content_kind: idea.content_kind.into(),
            document_id: publication.map(|publication| publication.document_id.to_string()),
            blockchain_timestamp: publication.map(|publication| time(publication.at)),
            last_modified: time(idea.updated_at),
            title: idea.title.to_string(),
        }
    }
}

/// An idea in its owner's list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ListedIdea)]
pub struct ListedIdeaView {
    #[serde(flatten)]
    summary: IdeaSummaryView,
    #[serde(flatten)]
    organization: OrganizationView,
    /// Whether the current revision is on record.
    on_record: bool,
    /// Number of links, ended ones included.
    link_count: i64,
    /// Number of views of all links.
    view_count: i64,
    /// Whether its stored data is damaged; the title is empty then.
    is_damaged: bool,
}

impl From<ListedIdea> for ListedIdeaView {
    fn from(listed: ListedIdea) -> Self {
        Self {
            summary: listed.summary.into(),
            organization: listed.organization.into(),
            on_record: listed.on_record,
            link_count: listed.link_count,
            view_count: listed.view_count,
            is_damaged: listed.is_damaged,
        }
    }
}

/// An idea with its content.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Idea)]
pub struct IdeaView {
    #[serde(flatten)]
    summary: IdeaSummaryView,
    #[schema(value_type = IdeaContent)]
    content: Value,
    /// Number of the current revision; the first is 1.
    revision: i32,
    /// SHA-256 in hex: of the HTML text, of the object as JSON with sorted keys and no white
    /// space, or of the PDF file itself.
    sha256: String,
}

impl From<IdeaWithContent> for IdeaView {
    fn from(IdeaWithContent { idea, content }: IdeaWithContent) -> Self {
        Self {
            revision: idea.revision,
            sha256: idea.sha256.to_string(),
            content: content.to_json(),
            summary: IdeaSummary::from(idea).into(),
        }
    }
}

/// A revision of an idea.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Revision)]
pub struct RevisionView {
    /// Number of the revision; the first is 1.
    revision: i32,
    title: String,
    content_kind: ContentKindView,
    /// SHA-256 of the content in hex, as for the idea.
    sha256: String,
    #[schema(format = DateTime)]
    created_at: String,
    /// Whether its content is kept; old revisions of drafts are thinned out.
    kept: bool,
}

impl From<Revision> for RevisionView {
    fn from(revision: Revision) -> Self {
        Self {
            revision: revision.number,
            title: revision.title.to_string(),
            content_kind: revision.content_kind.into(),
            sha256: revision.sha256.to_string(),
            created_at: time(revision.created_at),
            kept: revision.is_kept,
        }
    }
}

/// A revision of an idea, with its content.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RevisionContent)]
pub struct RevisionContentView {
    #[serde(flatten)]
    revision: RevisionView,
    /// Null if it is not kept any more.
    #[schema(required, value_type = Option<IdeaContent>)]
    content: Option<Value>,
}

impl From<RevisionWithContent> for RevisionContentView {
    fn from(RevisionWithContent { revision, content }: RevisionWithContent) -> Self {
        Self {
            revision: revision.into(),
            content: content.map(|content| content.to_json()),
        }
    }
}
