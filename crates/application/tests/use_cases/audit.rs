use std::sync::Arc;

use chrono::Duration;
use ideavault_application::actor::Caller;
use ideavault_application::audit::{Audit, Refused};
use ideavault_application::share_access::ShareReference;
use ideavault_domain::audit::{AuditEntry, AuditKind, Subject};
use ideavault_domain::ids::{IdeaId, RecipientId, UserId};
use ideavault_domain::token::Token;

use crate::support::{bytes, full_access, token_of, viewer_key};
use crate::vault::{Vault, now, origin};

/// Returns the entry of a denial.
fn entry(kind: AuditKind, account: Option<UserId>, subject: Option<Subject>) -> AuditEntry {
    AuditEntry {
        at: now(),
        kind,
        account,
        subject,
        origin: Some(origin()),
    }
}

/// Returns what a denial of a new vault records.
#[track_caller]
fn denied(vault: &Arc<Vault>, refused: &Refused, caller: &Caller) -> AuditEntry {
    let before = vault.audited().len();
    let audit = Audit::new(Arc::clone(vault), vault.clock());
    audit.refused(refused, caller, origin()).unwrap();
    let mut entries = vault.read(|tx| tx.audit().audit(None, 100));
    assert_eq!(entries.len(), before + 1);
    entries.remove(before)
}

#[test]
fn a_failed_login_records_the_account_and_never_the_input() {
    use AuditKind::{DisabledLogin, LoginFailed};
    for (typed, is_known, is_disabled) in [
        (" ADDRESS", true, false),
        ("ADDRESS", true, true),
        ("nobody@example.org", false, false),
        ("correct horse battery", false, false),
    ] {
        let vault = Vault::new();
        let user = vault.add_confirmed();
        if is_disabled {
            vault.disable(&user);
        }
        let typed = typed.replace("ADDRESS", user.email.as_str());
        let recorded = denied(&vault, &Refused::Login(typed), &Caller::default());
        let kind = if is_disabled {
            DisabledLogin
        } else {
            LoginFailed
        };
        assert_eq!(recorded, entry(kind, is_known.then_some(user.id), None));
    }
}

#[test]
fn a_denied_link_is_recorded_by_its_id_if_it_exists() {
    use AuditKind::{AddressRefused, LinkDenied};
    let vault = Vault::new();
    let share = vault.add_share(vault.add_draft().id, full_access());
    let by_id = || ShareReference::Id(share.id);
    let by_token = |token| ShareReference::Token(token);
    let unknown = Token::from_random(bytes());
    for (refused, kind, is_known) in [
        (
            Refused::Link(Some(by_token(token_of(share.id)))),
            LinkDenied,
            true,
        ),
        (Refused::Link(Some(by_id())), LinkDenied, true),
        (Refused::Link(Some(by_token(unknown))), LinkDenied, false),
        (Refused::Link(None), LinkDenied, false),
        (Refused::Address(by_id()), AddressRefused, true),
    ] {
        // Of one kind and subject, only the first in a while is recorded.
        vault.clock.set(vault.clock().now() + Duration::hours(1));
        let recorded = denied(&vault, &refused, &Caller::default());
        let subject = is_known.then_some(Subject::Share(share.id));
        let at = vault.clock().now();
        assert_eq!(
            recorded,
            AuditEntry {
                at,
                ..entry(kind, None, subject)
            }
        );
    }
}

#[test]
fn refused_comments_are_recorded_by_link_or_else_by_idea() {
    let foreign = Some(RecipientId::from_random(bytes()));
    let absent = Some(IdeaId::from(99));
    // Of whom, on which idea, and what is recorded.
    for (recipient, idea, expected) in [
        (None, None, "link"),
        (Some("reader"), None, "link"),
        (None, Some("idea"), "link"),
        (Some("foreign"), None, "nothing"),
        (Some("foreign"), Some("idea"), "idea"),
        (None, Some("absent"), "nothing"),
    ] {
        let vault = Vault::new();
        let share = vault.add_share(vault.add_draft().id, full_access());
        let reader = vault.add_recipient(vault.add_viewer().id, &share);
        let caller = Caller {
            user: None,
            viewer: Some(viewer_key(reader.viewer_session)),
        };
        let own = |name, own| {
            if name == "foreign" {
                foreign
            } else {
                Some(own)
            }
        };
        let refused = Refused::Comments {
            recipient: recipient.and_then(|name| own(name, reader.id)),
            idea: idea.and_then(|name| {
                if name == "absent" {
                    absent
                } else {
                    Some(share.idea)
                }
            }),
        };
        let recorded = denied(&vault, &refused, &caller);
        let subject = match expected {
            "link" => Some(Subject::Share(share.id)),
            "idea" => Some(Subject::Idea(share.idea)),
            _ => None,
        };
        assert_eq!(recorded, entry(AuditKind::CommentsRefused, None, subject));
    }
}
