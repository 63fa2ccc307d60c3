//! The JSON files of an export.

use chrono::SecondsFormat;
use ideavault_domain::Timestamp;
use ideavault_domain::account::User;
use ideavault_domain::activity::{Activity, ActivityEvent};
use ideavault_domain::comment::Comment;
use ideavault_domain::file::StoredFile;
use ideavault_domain::idea::{Idea, Revision};
use ideavault_domain::notice::NotificationMode;
use ideavault_domain::organization::Organization;
use ideavault_domain::share::Share;
use ideavault_domain::working_copy::WorkingCopy;
use serde_json::{Value, json};

fn time(at: Timestamp) -> String {
    at.to_rfc3339_opts(SecondsFormat::Micros, true)
}

/// Returns a value as text for people too.
pub(super) fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

pub(super) fn profile(user: &User, mode: NotificationMode, two_factor: bool) -> Value {
    json!({
        "id": user.id.to_string(),
        "name": user.name.as_str(),
        "email": user.email.as_str(),
        "createdAt": time(user.created_at),
        "emailConfirmedAt": user.email_confirmed_at.map(time),
        "profileImage": user.profile_image,
        "emailNotifications": mode.as_str(),
        "twoStepSignIn": two_factor,
    })
}

/// Returns a name that is safe in any file system.
pub(super) fn file_name(file: &StoredFile) -> String {
    let kind = match file.media_type.as_str() {
        "application/pdf" => "pdf",
        "image/png" => "png",
        _ => "jpg",
    };
    format!("{}.{kind}", file.id)
}

pub(super) fn file(file: &StoredFile) -> Value {
    json!({
        "file": format!("files/{}", file_name(file)),
        "name": file.name.as_str(),
        "mediaType": file.media_type.as_str(),
        "size": file.size,
        "sha256": file.sha256.to_string(),
        "uploadedAt": time(file.created_at),
    })
}

pub(super) fn idea(idea: &Idea, organization: Organization) -> Value {
    let publication = idea.status.publication();
    json!({
        "id": idea.id.as_i64(),
        "title": idea.title.as_str(),
        "published": idea.is_published(),
        "documentId": publication.map(|publication| publication.document_id.as_str()),
        "publishedAt": publication.map(|publication| time(publication.at)),
        "version": idea.revision,
        "sha256": idea.sha256.to_string(),
        "createdAt": time(idea.created_at),
        "updatedAt": time(idea.updated_at),
        "deletedAt": idea.deleted_at.map(time),
        "tags": organization.tags.into_vec(),
        "archived": organization.is_archived,
    })
}

pub(super) fn revision(revision: &Revision) -> Value {
    json!({
        "number": revision.number,
        "title": revision.title.as_str(),
        "sha256": revision.sha256.to_string(),
        "savedAt": time(revision.created_at),
    })
}

pub(super) fn working_copy(copy: &WorkingCopy) -> Value {
    json!({
        "title": copy.title.as_str(),
        "content": copy.html,
        "basedOnVersion": copy.base,
        "keptAt": time(copy.kept_at),
    })
}

pub(super) fn share(share: &Share) -> Value {
    let terms = &share.terms;
    json!({
        "id": share.id.to_string(),
        "name": share.name.as_ref().map(|name| name.as_str()),
        "coverTitle": share.settings.cover_title.as_ref().map(|title| title.as_str()),
        "type": terms.share_type().as_str(),
        "expiresAt": terms.expires_at().map(time),
        "maxViews": terms.max_views(),
        "recipientEmail": terms.recipient_email().map(|email| email.as_str()),
        "views": share.view_count,
        "showsOtherReaders": share.settings.shows_other_readers,
        "allowsDownload": share.settings.allow_download,
        "createdAt": time(share.created_at),
        "revokedAt": share.revoked_at.map(time),
    })
}

pub(super) fn activity(activity: &Activity) -> Value {
    let mut entry = json!({
        "at": time(activity.at),
        "link": activity.share.to_string(),
        "recipient": activity.recipient.to_string(),
        "name": activity.name.as_str(),
        "email": activity.email.as_str(),
        "phone": activity.phone.as_ref().map(|phone| phone.as_str()),
        "emailConfirmedAt": activity.identity.confirmed_at().map(time),
        "erased": activity.erased,
    });
    let (kind, details) = match &activity.event {
        ActivityEvent::Registered => ("registered", Value::Null),
        ActivityEvent::Agreed {
            nda_version,
            nda_sha256,
            revision,
            revision_sha256,
            origin,
            ..
        } => (
            "agreed",
            json!({
                "agreementVersion": nda_version.as_str(),
                "agreementSha256": nda_sha256.map(|digest| digest.to_string()),
                "version": revision,
                "versionSha256": revision_sha256.to_string(),
                "address": origin.as_ref().map(|origin| origin.ip.to_string()),
                "browser": origin.as_ref().and_then(|origin| origin.user_agent.clone()),
            }),
        ),
        ActivityEvent::Viewed {
            revision,
            revision_sha256,
            ends_at,
        } => (
            "viewed",
            json!({
                "version": revision,
                "versionSha256": revision_sha256.to_string(),
                "endsAt": ends_at.map(time),
            }),
        ),
        ActivityEvent::Closed => ("closed", Value::Null),
        ActivityEvent::Downloaded => ("downloaded", Value::Null),
        ActivityEvent::Declined { reason } => (
            "declined",
            json!({ "reason": reason.as_ref().map(|reason| reason.as_str()) }),
        ),
    };
    if let Value::Object(entry) = &mut entry {
        entry.insert("type".into(), kind.into());
        if let Value::Object(details) = details {
            entry.extend(details);
        }
    }
    entry
}

pub(super) fn comment(comment: &Comment) -> Value {
    json!({
        "id": comment.id.to_string(),
        "recipient": comment.recipient.map(|id| id.to_string()),
        "author": comment.author.as_str(),
        "text": comment.text.as_str(),
        "replyTo": comment.reply_to.map(|id| id.to_string()),
        "link": comment.share.map(|id| id.to_string()),
        "createdAt": time(comment.created_at),
        "editedAt": comment.edited_at.map(time),
        "withdrawnAt": comment.withdrawn_at.map(time),
    })
}
