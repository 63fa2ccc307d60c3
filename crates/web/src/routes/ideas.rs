//! A creator's ideas.

use actix_web::http::StatusCode;
use actix_web::web::{Path, Query};
use actix_web::{HttpResponse, delete, get, post, put};
use ideavault_application::ideas::UnsavedText;
use ideavault_domain::content::json_text;
use ideavault_domain::failure::Failure;
use ideavault_domain::idea::IdeaWithContent;
use ideavault_domain::working_copy::EditingSession;

use super::{UseCases, Work, no_content};
use crate::app::App;
use crate::http::body::{JsonBody, LARGE, SMALL};
use crate::http::cacheable::CacheableResponse;
use crate::http::client::ClientOrigin;
use crate::http::error::{ApiError, ErrorBody};
use crate::http::idempotency::RequestKey;
use crate::http::identity::SignedIn;
use crate::http::paging::PageQuery;
use crate::http::params;
use crate::http::response_cache::ResponseCache;
use crate::wire::activity::ActivityView;
use crate::wire::ideas::{
    ArchivedQuery, DiscardQuery, IdeaBody, IdeaUpdateBody, IdeaView, ListedIdeaView,
    OrganizationView, OrganizeBody, PublishQuery, RevisionContentView, RevisionView,
    WorkingCopyBody, WorkingCopyView,
};

/// Lists the caller's ideas without content, the last changed first, with the counts of
/// their links. Leaves archived ones out, unless they are asked for.
#[utoipa::path(
    tag = "ideas",
    operation_id = "listIdeas",
    params(PageQuery, ArchivedQuery),
    responses(
        (
            status = 200,
            body = Vec<ListedIdeaView>,
            headers(("Link" = Option<String>, description = "The next page, if there is one")),
        ),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
    ),
)]
#[get("")]
pub async fn list_ideas(
    cache: ResponseCache,
    user: SignedIn,
    page: Query<PageQuery>,
    archived: Query<ArchivedQuery>,
) -> Result<HttpResponse, ApiError> {
    let paging = page.parse()?;
    let archived = archived.parse()?;
    let list = move |app: &App| app.ideas.list(user.0, archived, paging);
    let ideas = cache.page::<ListedIdeaView, _, _, _>(Some(user.0), None, list);
    Ok(ideas.await?)
}

/// Returns one of the caller's ideas with its content.
#[utoipa::path(
    tag = "ideas",
    operation_id = "getIdea",
    params(("id" = i64, Path)),
    responses(
        (status = 200, body = IdeaView),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
    ),
)]
#[get("/{id}")]
pub async fn get_idea(
    cache: ResponseCache,
    user: SignedIn,
    id: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let id = params::idea(&id)?;
    let read = move |app: &App| {
        let idea = app.ideas.get(user.0, id)?;
        Ok::<_, Failure>(written(idea)?.compressible())
    };
    Ok(cache.find(Some(user.0), None, read).await?)
}

/// Saves a new draft.
///
/// Repeated with the same key, it saves nothing and returns the idea that is there.
#[utoipa::path(
    tag = "ideas",
    operation_id = "createIdea",
    params((
        "Idempotency-Key" = Option<String>,
        Header,
        description = "Names the request. 1 to 64 visible ASCII characters",
    )),
    request_body = IdeaBody,
    responses(
        (status = 201, body = IdeaView),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 413, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[post("")]
pub async fn create_idea(
    use_cases: UseCases,
    user: SignedIn,
    key: RequestKey,
    body: JsonBody<IdeaBody, LARGE>,
) -> Result<HttpResponse, ApiError> {
    let IdeaBody {
        title,
        content,
        session,
    } = body.0;
    let session = params::session(session.as_deref())?;
    let idea = use_cases
        .run(Work::of_text(content.get().len()), move |app| {
            let content = json_text::parse(content.get())?;
            let session = session.as_ref();
            let created = app.ideas.create(user.0, &title, content, key.0, session)?;
            written(created)
        })
        .await?;
    Ok(idea.respond(StatusCode::CREATED))
}

/// Lists the revisions of one of the caller's ideas without content, the newest first.
#[utoipa::path(
    tag = "ideas",
    operation_id = "listIdeaRevisions",
    params(("id" = i64, Path), PageQuery),
    responses(
        (
            status = 200,
            body = Vec<RevisionView>,
            headers(("Link" = Option<String>, description = "The next page, if there is one")),
        ),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
    ),
)]
#[get("/{id}/revisions")]
pub async fn list_idea_revisions(
    cache: ResponseCache,
    user: SignedIn,
    id: Path<String>,
    page: Query<PageQuery>,
) -> Result<HttpResponse, ApiError> {
    let id = params::idea(&id)?;
    let paging = page.parse()?;
    let list = move |app: &App| app.ideas.revisions(user.0, id, paging);
    let revisions = cache.page::<RevisionView, _, _, _>(Some(user.0), None, list);
    Ok(revisions.await?)
}

/// Returns a revision of one of the caller's ideas. Its content is null if it is not kept
/// any more.
#[utoipa::path(
    tag = "ideas",
    operation_id = "getIdeaRevision",
    params(("id" = i64, Path), ("number" = i32, Path)),
    responses(
        (status = 200, body = RevisionContentView),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
    ),
)]
#[get("/{id}/revisions/{number}")]
pub async fn get_idea_revision(
    cache: ResponseCache,
    user: SignedIn,
    path: Path<(String, String)>,
) -> Result<HttpResponse, ApiError> {
    let (id, number) = path.into_inner();
    let id = params::idea(&id)?;
    let number = params::revision(&number)?;
    let read = move |app: &App| {
        let revision = app.ideas.revision(user.0, id, number)?;
        let written = CacheableResponse::json(&RevisionContentView::from(revision))?;
        Ok::<_, Failure>(written.compressible())
    };
    Ok(cache.find(Some(user.0), None, read).await?)
}

/// Saves a draft as its next revision.
///
/// Of a PDF idea only the title can change: the body repeats its content.
#[utoipa::path(
    tag = "ideas",
    operation_id = "updateIdea",
    params(("id" = i64, Path)),
    request_body = IdeaUpdateBody,
    responses(
        (status = 200, body = IdeaView),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (
            status = 409,
            body = ErrorBody,
            description = "The idea is published, or has a newer revision than `baseRevision`",
        ),
        (status = 413, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[put("/{id}")]
pub async fn update_idea(
    use_cases: UseCases,
    user: SignedIn,
    id: Path<String>,
    body: JsonBody<IdeaUpdateBody, LARGE>,
) -> Result<HttpResponse, ApiError> {
    let id = params::idea(&id)?;
    let IdeaUpdateBody {
        title,
        content,
        base_revision: base,
        session,
    } = body.0;
    let session = params::session(session.as_deref())?;
    use_cases
        .run(Work::Query, move |app| {
            app.ideas.check_editable(user.0, id, base)
        })
        .await?;
    let idea = use_cases
        .run(Work::of_text(content.get().len()), move |app| {
            let content = json_text::parse(content.get())?;
            let session = session.as_ref();
            let saved = app
                .ideas
                .update(user.0, id, &title, content, base, session)?;
            written(saved)
        })
        .await?;
    Ok(idea.into())
}

/// Publishes a draft for good. On a published idea, returns the same result again.
#[utoipa::path(
    tag = "ideas",
    operation_id = "publishIdea",
    params(("id" = i64, Path), PublishQuery),
    responses(
        (status = 200, body = IdeaView),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (
            status = 409,
            body = ErrorBody,
            description = "The idea has a newer revision than `baseRevision`",
        ),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[put("/{id}/publish")]
pub async fn publish_idea(
    use_cases: UseCases,
    user: SignedIn,
    id: Path<String>,
    query: Query<PublishQuery>,
    origin: ClientOrigin,
) -> Result<HttpResponse, ApiError> {
    let id = params::idea(&id)?;
    let base = params::base_revision(query.base_revision.as_deref())?;
    let idea = use_cases
        .run(Work::Large, move |app| {
            written(app.ideas.publish(user.0, id, base, origin.0)?)
        })
        .await?;
    Ok(idea.into())
}

/// Deletes a draft.
#[utoipa::path(
    tag = "ideas",
    operation_id = "deleteIdea",
    params(("id" = i64, Path)),
    responses(
        (status = 204),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "The idea is published"),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[delete("/{id}")]
pub async fn delete_idea(
    use_cases: UseCases,
    user: SignedIn,
    origin: ClientOrigin,
    id: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let id = params::idea(&id)?;
    use_cases
        .run(Work::Query, move |app| {
            app.ideas.delete(user.0, id, origin.0)
        })
        .await?;
    Ok(no_content())
}

/// Tags one of the caller's ideas, or moves it to the archive or back; also a published one.
///
/// Sent again, it changes nothing.
#[utoipa::path(
    tag = "ideas",
    operation_id = "organizeIdea",
    params(("id" = i64, Path)),
    request_body = OrganizeBody,
    responses(
        (status = 200, body = OrganizationView),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 413, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[put("/{id}/organize")]
pub async fn organize_idea(
    use_cases: UseCases,
    user: SignedIn,
    id: Path<String>,
    body: JsonBody<OrganizeBody, SMALL>,
) -> Result<HttpResponse, ApiError> {
    let id = params::idea(&id)?;
    let change = body.0.parse()?;
    let organized = use_cases
        .run(Work::Query, move |app| {
            app.ideas.organize(user.0, id, &change)
        })
        .await?;
    Ok(HttpResponse::Ok().json(OrganizationView::from(organized)))
}

/// Keeps the unsaved text of a draft, or of an idea that was never saved (`new`), for its author
/// alone, in the place of an earlier one of the same editing session. It is no revision.
///
/// Sent again, it changes nothing.
#[utoipa::path(
    tag = "ideas",
    operation_id = "keepWorkingCopy",
    params(("id" = String, Path, description = "The idea, or `new`")),
    request_body = WorkingCopyBody,
    responses(
        (status = 204),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "The idea is published"),
        (status = 413, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[put("/{id}/working-copy")]
pub async fn keep_working_copy(
    use_cases: UseCases,
    user: SignedIn,
    id: Path<String>,
    body: JsonBody<WorkingCopyBody, LARGE>,
) -> Result<HttpResponse, ApiError> {
    let id = params::idea_or_new(&id)?;
    let body = body.0;
    if let Some(id) = id {
        use_cases
            .run(Work::Query, move |app| {
                app.ideas.check_editable(user.0, id, None)
            })
            .await?;
    }
    use_cases
        .run(Work::of_text(body.content.len()), move |app| {
            let unsaved = UnsavedText {
                title: &body.title,
                html: &body.content,
                base: body.base_revision,
                session: EditingSession::parse(body.session.as_deref())?,
            };
            let kept = app.ideas.keep_working_copy(user.0, id, unsaved);
            kept.map_err(Failure::from)
        })
        .await?;
    Ok(no_content())
}

/// Returns the newest unsaved text of one of the caller's ideas, or of the one that was never saved
/// (`new`); null if there is none.
#[utoipa::path(
    tag = "ideas",
    operation_id = "getWorkingCopy",
    params(("id" = String, Path, description = "The idea, or `new`")),
    responses(
        (status = 200, body = Option<WorkingCopyView>),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
    ),
)]
#[get("/{id}/working-copy")]
pub async fn get_working_copy(
    cache: ResponseCache,
    user: SignedIn,
    id: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let id = params::idea_or_new(&id)?;
    let read = move |app: &App| {
        let copy = app.ideas.working_copy(user.0, id)?;
        let written = CacheableResponse::json(&copy.map(WorkingCopyView::from))?;
        Ok::<_, Failure>(written.compressible())
    };
    Ok(cache.find(Some(user.0), None, read).await?)
}

/// Discards the unsaved texts of one of the caller's ideas, or of the one that was never saved
/// (`new`).
#[utoipa::path(
    tag = "ideas",
    operation_id = "discardWorkingCopy",
    params(("id" = String, Path, description = "The idea, or `new`"), DiscardQuery),
    responses(
        (status = 204),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 429, body = ErrorBody, description = "Too often"),
    ),
)]
#[delete("/{id}/working-copy")]
pub async fn discard_working_copy(
    use_cases: UseCases,
    user: SignedIn,
    id: Path<String>,
    query: Query<DiscardQuery>,
) -> Result<HttpResponse, ApiError> {
    let id = params::idea_or_new(&id)?;
    let session = params::session(query.session.as_deref())?;
    use_cases
        .run(Work::Query, move |app| {
            app.ideas
                .discard_working_copies(user.0, id, session.as_ref())
        })
        .await?;
    Ok(no_content())
}

/// Lists the activity on the links of one of the caller's ideas, the newest first; also for
/// a deleted one.
#[utoipa::path(
    tag = "ideas",
    operation_id = "listIdeaActivity",
    params(("id" = i64, Path), PageQuery),
    responses(
        (
            status = 200,
            body = Vec<ActivityView>,
            headers(("Link" = Option<String>, description = "The next page, if there is one")),
        ),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
    ),
)]
#[get("/{id}/activity")]
pub async fn list_idea_activity(
    cache: ResponseCache,
    user: SignedIn,
    id: Path<String>,
    page: Query<PageQuery>,
) -> Result<HttpResponse, ApiError> {
    let id = params::idea(&id)?;
    let paging = page.parse()?;
    let list = move |app: &App| app.evidence.activity(user.0, id, paging);
    let activity = cache.page::<ActivityView, _, _, _>(Some(user.0), None, list);
    Ok(activity.await?)
}

/// Writes an idea with its content, which may be large.
fn written(idea: IdeaWithContent) -> Result<CacheableResponse, Failure> {
    CacheableResponse::json(&IdeaView::from(idea))
}
