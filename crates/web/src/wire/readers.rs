//! JSON and CSV of readers.

use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::reader::{OpenedVersion, Reader, ReaderAcceptance, ReaderQuery, ReaderState};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::exports::{ExportFormat, Exported};
use super::recipients::IdentityView;
use super::share_type::ShareTypeView;
use super::time;
use crate::csv::Column;
use crate::http::params;

/// Says which readers are looked for.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct ReadersQuery {
    /// Those of one idea.
    #[param(value_type = Option<i64>)]
    idea_id: Option<String>,
    /// Those of one link.
    #[param(value_type = Option<Uuid>)]
    share_id: Option<String>,
    /// A part of name or address, without regard to case and marks; at most 200 characters.
    q: Option<String>,
    /// Those who opened or accepted the version of this number. With the state `opened`, only who
    /// opened it.
    #[param(value_type = Option<i32>, minimum = 1)]
    version: Option<String>,
    /// Those in one state.
    #[param(value_type = Option<ReaderStateView>)]
    state: Option<String>,
    /// Earliest time, RFC 3339, or day, UTC: of the first opening (of the version, if one is
    /// asked for), or of the registration where nothing was opened.
    from: Option<String>,
    /// End of that time, or its last day.
    to: Option<String>,
    /// `registeredAt`, `name`, `firstOpenedAt` or `lastOpenedAt`; with `-` before it for the
    /// opposite order.
    #[param(default = "-registeredAt")]
    sort: Option<String>,
}

impl ReadersQuery {
    /// Returns the query for the domain.
    ///
    /// # Errors
    /// [`Invalid`] on `ideaId`.
    pub fn parse(&self) -> Result<ReaderQuery, Invalid> {
        Ok(ReaderQuery {
            idea: params::idea_filter(self.idea_id.as_deref())?,
            share: self.share_id.clone(),
            text: self.q.clone(),
            version: self.version.clone(),
            state: self.state.clone(),
            from: self.from.clone(),
            to: self.to.clone(),
            sort: self.sort.clone(),
        })
    }
}

/// How far a reader came.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ReaderState)]
pub enum ReaderStateView {
    /// Registered.
    Registered,
    /// Has still to confirm the address.
    Unconfirmed,
    /// Accepted the agreement, and opened nothing yet.
    Agreed,
    /// Opened the idea.
    Opened,
    /// Declined the agreement.
    Declined,
    /// Accepted, and came back within 90 days when the link had ended by itself.
    Refused,
    /// Was erased.
    Erased,
}

impl From<ReaderState> for ReaderStateView {
    fn from(state: ReaderState) -> Self {
        match state {
            ReaderState::Registered => Self::Registered,
            ReaderState::Unconfirmed => Self::Unconfirmed,
            ReaderState::Agreed => Self::Agreed,
            ReaderState::Opened => Self::Opened,
            ReaderState::Declined => Self::Declined,
            ReaderState::Refused => Self::Refused,
            ReaderState::Erased => Self::Erased,
        }
    }
}

/// What a reader accepted.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ReaderAgreement)]
pub struct ReaderAgreementView {
    /// Version of its wording.
    version: String,
    /// SHA-256 of its text, in hex; null once that was erased.
    #[schema(required)]
    sha256: Option<String>,
}

/// A version that a reader opened.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = OpenedVersion)]
pub struct OpenedVersionView {
    number: i32,
    /// SHA-256 in hex; null once the draft was deleted.
    #[schema(required)]
    sha256: Option<String>,
    #[schema(format = DateTime)]
    first_opened_at: String,
}

impl From<OpenedVersion> for OpenedVersionView {
    fn from(version: OpenedVersion) -> Self {
        Self {
            number: version.number,
            sha256: version.sha256.map(|digest| digest.to_string()),
            first_opened_at: time(version.first_opened_at),
        }
    }
}

/// A registration on a link, with what came of it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Reader)]
pub struct ReaderView {
    recipient_id: Uuid,
    idea_id: i64,
    /// Title, as the agreement names it.
    idea_title: String,
    #[schema(required)]
    document_id: Option<String>,
    share_id: Uuid,
    share_type: ShareTypeView,
    /// The owner's name for the link.
    #[schema(required)]
    share_name: Option<String>,
    /// Null once the person was erased.
    #[schema(required)]
    name: Option<String>,
    /// Null once the person was erased.
    #[schema(required)]
    email: Option<String>,
    identity: IdentityView,
    #[schema(format = DateTime)]
    registered_at: String,
    #[schema(required, format = DateTime)]
    accepted_at: Option<String>,
    #[schema(required)]
    agreement: Option<ReaderAgreementView>,
    /// Number of the version at the time of the agreement.
    #[schema(required)]
    accepted_version: Option<i32>,
    /// The versions that were opened, in the order in which they were first.
    versions: Vec<OpenedVersionView>,
    /// Number of counted views.
    views: i64,
    #[schema(required, format = DateTime)]
    first_opened_at: Option<String>,
    #[schema(required, format = DateTime)]
    last_opened_at: Option<String>,
    downloads: i64,
    /// Number of comments, without those that were withdrawn.
    comments: i64,
    state: ReaderStateView,
    /// Whether there is a receipt to download.
    receipt: bool,
}

impl From<Reader> for ReaderView {
    fn from(reader: Reader) -> Self {
        let (state, first) = (reader.state(), reader.first_opened_at());
        let (name, email) = reader.person.unzip();
        let acceptance = reader.acceptance;
        Self {
            recipient_id: reader.recipient.as_uuid(),
            idea_id: reader.idea.as_i64(),
            idea_title: reader.idea_title.to_string(),
            document_id: reader.document_id,
            share_id: reader.share.as_uuid(),
            share_type: reader.share_type.into(),
            share_name: reader.share_name.map(|name| name.to_string()),
            name: name.map(|name| name.to_string()),
            email: email.map(|email| email.to_string()),
            identity: reader.identity.into(),
            registered_at: time(reader.registered_at),
            accepted_at: acceptance.as_ref().map(|accepted| time(accepted.at)),
            accepted_version: acceptance.as_ref().map(|accepted| accepted.version),
            receipt: acceptance.as_ref().is_some_and(has_receipt),
            agreement: acceptance.map(|accepted| ReaderAgreementView {
                version: accepted.agreement.to_string(),
                sha256: accepted.sha256.map(|digest| digest.to_string()),
            }),
            versions: reader.versions.into_iter().map(Into::into).collect(),
            views: reader.views,
            first_opened_at: first.map(time),
            last_opened_at: reader.last_opened_at.map(time),
            downloads: reader.downloads,
            comments: reader.comments,
            state: state.into(),
        }
    }
}

/// An erased agreement has none.
fn has_receipt(acceptance: &ReaderAcceptance) -> bool {
    acceptance.sha256.is_some()
}

/// A page of readers.
#[derive(Serialize, ToSchema)]
#[schema(as = Readers)]
pub struct ReadersView {
    /// The page.
    pub readers: Vec<ReaderView>,
    /// Number of readers on all pages.
    pub total: usize,
    /// Cursor of the next page, if there is one.
    #[schema(required)]
    pub next: Option<String>,
}

/// Selects the format of an export.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FormatQuery {
    /// csv or json.
    pub format: Option<String>,
}

/// Makes spreadsheets read UTF-8.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Readers that are written together.
const PART: usize = 500;

/// Writes readers as a file.
///
/// # Errors
/// [`Failure::Internal`] if they cannot be written.
pub fn exported(readers: Vec<Reader>, format: ExportFormat) -> Result<String, Failure> {
    let mut file = String::new();
    if format == ExportFormat::Csv {
        file.push(BYTE_ORDER_MARK);
    }
    let mut readers = readers.into_iter().map(ReaderView::from).peekable();
    let mut is_first = true;
    loop {
        let part: Vec<_> = readers.by_ref().take(PART).collect();
        let is_last = readers.peek().is_none();
        file.push_str(&format.part(&part, is_first, is_last)?);
        is_first = false;
        if is_last {
            return Ok(file);
        }
    }
}

impl Exported for ReaderView {
    const COLUMNS: &[Column] = &[
        ("name", "/name"),
        ("email", "/email"),
        ("identity", "/identity"),
        ("state", "/state"),
        ("ideaId", "/ideaId"),
        ("ideaTitle", "/ideaTitle"),
        ("documentId", "/documentId"),
        ("linkName", "/shareName"),
        ("linkType", "/shareType"),
        ("registeredAt", "/registeredAt"),
        ("acceptedAt", "/acceptedAt"),
        ("agreementVersion", "/agreement/version"),
        ("agreementSha256", "/agreement/sha256"),
        ("acceptedVersion", "/acceptedVersion"),
        ("openedVersions", "/versions"),
        ("firstOpenedAt", "/firstOpenedAt"),
        ("lastOpenedAt", "/lastOpenedAt"),
        ("views", "/views"),
        ("downloads", "/downloads"),
        ("comments", "/comments"),
        ("recipientId", "/recipientId"),
    ];

    fn row(&self) -> serde_json::Result<Value> {
        let mut row = serde_json::to_value(self)?;
        let numbers = self.versions.iter();
        let numbers: Vec<_> = numbers.map(|version| version.number.to_string()).collect();
        if let Some(versions) = row.pointer_mut("/versions") {
            *versions = numbers.join(" ").into();
        }
        Ok(row)
    }
}
