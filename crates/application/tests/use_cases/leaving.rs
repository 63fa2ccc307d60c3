use std::sync::Arc;

use ideavault_application::leaving::Leaving;
use ideavault_domain::audit::AuditKind;
use ideavault_domain::evidence::EventKind;
use ideavault_domain::mail::Mail;

use crate::support::{at, full_access, publication};
use crate::vault::{NumberedSteps, PASSWORD, Vault, composer, origin, queued};

#[test]
fn the_log_says_what_goes_and_the_confirmation_outlives_dropped_mails() {
    let vault = Vault::new();
    let (user, actor) = vault.signed_in();
    let (draft, published) = (vault.add_idea(user.id), vault.add_idea(user.id));
    assert!(vault.write(|tx| tx.ideas().publish_idea(&published, &publication(at(1)))));
    vault.add_share(published.id, full_access());
    let waiting = queued(Mail::new(user.email.clone(), "News", "of a link\n".into()));
    vault.write(|tx| tx.outbox().queue_mail(&waiting));
    let totp = Arc::new(NumberedSteps);
    Leaving::new(vault.deps(), vault.hasher(), totp, composer())
        .delete_account(actor, PASSWORD, None, origin())
        .unwrap();
    assert_eq!(vault.read(|tx| tx.users().credentials(&user.email)), None);
    assert_eq!(vault.mail().subject(), "Your IdeaVault account was deleted");
    assert_eq!(vault.audited(), [AuditKind::AccountDeleted]);
    let said = vault.events();
    let of = |idea| -> Vec<_> {
        let of = said.iter().filter(|event| event.subject.idea == Some(idea));
        of.map(|event| event.kind).collect()
    };
    assert_eq!(
        of(draft.id),
        [EventKind::IdeaDeleted, EventKind::PersonErased]
    );
    assert_eq!(
        of(published.id),
        [EventKind::ShareRevoked, EventKind::PersonErased]
    );
}
