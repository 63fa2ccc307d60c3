//! Rows that more than one repository reads.

use diesel::dsl::auto_type;
use diesel::prelude::{ExpressionMethods, Queryable, Selectable};

use ideavault_domain::email::Email;
use ideavault_domain::hex;
use ideavault_domain::idea::DocumentId;
use ideavault_domain::nda::Agreement;
use ideavault_domain::ports::Encryption;
use ideavault_domain::recipient::{Erasure, Identity, NdaAcceptance, Recipient, ViewGrant};
use ideavault_domain::share::{Share, ShareSettings, ShareTerms};
use ideavault_domain::text::{PersonName, Phone, ShareName, Title};

use super::cipher::{Cipher, IdeaKeyKind};
use super::schema::{idea_keys, ideas, nda_acceptances, recipients, shares, view_grants};
use super::sealed::{AcceptanceDetails, RecipientDetails, Sealable as _};
use crate::error::QueryResult;
use crate::stored::{self, Time};

#[derive(Queryable, Selectable)]
#[diesel(table_name = shares)]
pub(super) struct ShareRow {
    pub(super) id: String,
    idea_id: i64,
    name: Option<Vec<u8>>,
    cover_title: Option<Vec<u8>>,
    share_type: String,
    expires_at: Option<Time>,
    max_views: Option<i32>,
    recipient_email: Option<String>,
    token_hash: Vec<u8>,
    view_count: i32,
    shows_other_readers: bool,
    allow_download: bool,
    revoked_at: Option<Time>,
    created_at: Time,
}

impl ShareRow {
    /// Decrypts the row with `cipher`, which has the evidence key of its idea. Goes on without
    /// a name that is damaged: it is the owner's, and no reader depends on it.
    pub(super) fn into_share(self, cipher: &Cipher<'_>) -> QueryResult<Share> {
        let recipient_email = self
            .recipient_email
            .map(|sealed| open_recipient_email(cipher, &self.id, &sealed))
            .transpose()?;
        let name = self.name.and_then(|sealed| {
            share_name(cipher, &self.id, &sealed)
                .inspect_err(|error| {
                    tracing::error!(share = self.id, %error, "went on without a damaged name");
                })
                .ok()
        });
        // Without it, readers would see the title that it covers.
        let cover_title = self
            .cover_title
            .map(|sealed| cipher.open(&cover_title_aad(&self.id), &sealed))
            .transpose()?;
        let terms = ShareTerms::from_stored(
            stored::share_type(&self.share_type)?,
            self.expires_at.map(Into::into),
            self.max_views,
            recipient_email,
        );
        Ok(Share {
            id: stored::parsed("share id", &self.id)?,
            idea: self.idea_id.into(),
            name,
            terms: stored::required("share terms", terms)?,
            token_hash: stored::token_hash(self.token_hash)?,
            view_count: self.view_count,
            settings: ShareSettings {
                cover_title: cover_title.map(Title::from_stored),
                shows_other_readers: self.shows_other_readers,
                allow_download: self.allow_download,
            },
            revoked_at: self.revoked_at.map(Into::into),
            created_at: self.created_at.into(),
        })
    }
}

/// Decrypts the name of a share with `cipher`, which has the evidence key of its idea.
pub(super) fn share_name(cipher: &Cipher<'_>, id: &str, sealed: &[u8]) -> QueryResult<ShareName> {
    let name = cipher.open(&share_name_aad(id), sealed)?;
    Ok(ShareName::from_stored(name))
}

/// Returns the associated data of a share's name.
pub(super) fn share_name_aad(id: &str) -> String {
    format!("name of share {id}")
}

/// Encrypts the cover title of a share, as it is stored.
pub(super) fn seal_cover_title(
    cipher: &Cipher<'_>,
    share: &str,
    title: Option<&Title>,
) -> QueryResult<Option<Vec<u8>>> {
    title
        .map(|title| cipher.encrypt(&cover_title_aad(share), title.as_str()))
        .transpose()
}

/// Returns the associated data of a share's cover title.
fn cover_title_aad(share: &str) -> String {
    format!("cover title of share {share}")
}

/// Encrypts the address that a share is for, as it is stored.
pub(super) fn seal_recipient_email(
    cipher: &Cipher<'_>,
    share: &str,
    email: &Email,
) -> QueryResult<String> {
    let sealed = cipher.encrypt(&recipient_email_aad(share), email.as_str())?;
    Ok(hex::encode(&sealed))
}

fn open_recipient_email(cipher: &Cipher<'_>, share: &str, sealed: &str) -> QueryResult<Email> {
    let sealed = stored::from_hex("address of a share", sealed)?;
    let email = cipher.open(&recipient_email_aad(share), &sealed)?;
    Ok(Email::from_stored(email))
}

/// Returns the associated data of the address that a share is for.
fn recipient_email_aad(share: &str) -> String {
    format!("recipient email of share {share}")
}

/// The wrapped evidence key of an idea.
#[derive(Queryable, Selectable)]
#[diesel(table_name = idea_keys)]
pub(super) struct EvidenceKeyRow {
    idea_id: i64,
    evidence: Vec<u8>,
}

/// The owner of an idea.
#[derive(Queryable, Selectable)]
#[diesel(table_name = ideas)]
pub(super) struct OwnerRow {
    pub(super) owner_id: String,
}

impl EvidenceKeyRow {
    pub(super) fn idea(&self) -> i64 {
        self.idea_id
    }

    pub(super) fn into_cipher<'v>(
        self,
        encryption: &'v dyn Encryption,
        owner: &OwnerRow,
    ) -> QueryResult<Cipher<'v>> {
        Cipher::of_idea(
            encryption,
            IdeaKeyKind::Evidence,
            self.idea_id,
            &owner.owner_id,
            self.evidence,
        )
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = recipients)]
pub(super) struct RecipientRow {
    pub(super) id: String,
    viewer_session_id: String,
    share_id: String,
    details: Vec<u8>,
    agreement_version: String,
    document_id: Option<String>,
    offered_at: Time,
    created_at: Time,
    closed_at: Option<Time>,
    email_confirmed_at: Option<Time>,
    erased_at: Option<Time>,
    agreement_erased: bool,
}

impl RecipientRow {
    /// Decrypts the row with `cipher`, which has the evidence key of `idea`. The agreement
    /// names that idea.
    pub(super) fn into_recipient(self, cipher: &Cipher<'_>, idea: i64) -> QueryResult<Recipient> {
        let details = RecipientDetails::open(cipher, &self.id, &self.details)?;
        let name = PersonName::from_stored(details.name);
        let email = Email::from_stored(details.email);
        let (party, party_email) = match details.kept_party {
            Some(kept) => (
                PersonName::from_stored(kept.name),
                Email::from_stored(kept.email),
            ),
            None => (name.clone(), email.clone()),
        };
        Ok(Recipient {
            id: stored::parsed("recipient id", &self.id)?,
            viewer_session: stored::parsed("viewer session id", &self.viewer_session_id)?,
            share: stored::parsed("share id", &self.share_id)?,
            name,
            email,
            phone: details.phone.map(Phone::from_stored),
            agreement: Agreement {
                version: stored::parsed("agreement version", &self.agreement_version)?,
                idea: idea.into(),
                idea_title: Title::from_stored(details.idea_title),
                document_id: self.document_id.map(DocumentId::from_stored),
                sharer: PersonName::from_stored(details.sharer),
                recipient: party,
                recipient_email: party_email,
                offered_at: self.offered_at.into(),
            },
            created_at: self.created_at.into(),
            identity: Identity::from_confirmation(self.email_confirmed_at.map(Into::into)),
            closed_at: self.closed_at.map(Into::into),
            erasure: Erasure {
                person_at: self.erased_at.map(Into::into),
                agreement: self.agreement_erased,
            },
        })
    }
}

/// Returns the associated data of the reason why a recipient declined.
pub(super) fn decline_reason_aad(recipient: &str) -> String {
    format!("decline reason of recipient {recipient}")
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = nda_acceptances)]
pub(super) struct AcceptanceRow {
    recipient_id: String,
    share_id: String,
    nda_version: String,
    revision: i32,
    accepted_at: Time,
    details: Vec<u8>,
    email_confirmed_at: Option<Time>,
}

impl AcceptanceRow {
    pub(super) fn into_acceptance(self, cipher: &Cipher<'_>) -> QueryResult<NdaAcceptance> {
        let details = AcceptanceDetails::open(cipher, &self.recipient_id, &self.details)?;
        Ok(NdaAcceptance {
            recipient: stored::parsed("recipient id", &self.recipient_id)?,
            share: stored::parsed("share id", &self.share_id)?,
            nda_version: stored::parsed("agreement version", &self.nda_version)?,
            nda_sha256: stored::parsed("digest", &details.nda_sha256)?,
            revision: self.revision,
            revision_sha256: stored::parsed("digest", &details.revision_sha256)?,
            identity: Identity::from_confirmation(self.email_confirmed_at.map(Into::into)),
            accepted_at: self.accepted_at.into(),
            origin: details.origin(),
        })
    }
}

/// Orders registrations with their views: of the newest registration, the newest view comes first.
#[auto_type]
pub(super) fn newest_registration_first() -> _ {
    (
        // Of registrations at the same time, the open one is the newest.
        recipients::closed_at.is_null().desc(),
        recipients::created_at.desc(),
        recipients::seq.desc(),
        view_grants::granted_at.desc(),
        view_grants::seq.desc(),
    )
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = view_grants)]
pub(super) struct GrantRow {
    pub(super) id: String,
    share_id: String,
    recipient_id: String,
    revision: i32,
    revision_sha256: Vec<u8>,
    granted_at: Time,
    ends_at: Time,
}

impl GrantRow {
    /// Decrypts the row with `cipher`, which has the evidence key of its idea.
    pub(super) fn into_grant(self, cipher: &Cipher<'_>) -> QueryResult<ViewGrant> {
        let aad = view_digest_aad(&self.id);
        Ok(ViewGrant {
            revision_sha256: cipher.decrypt_digest(&aad, &self.revision_sha256)?,
            id: stored::parsed("view grant id", &self.id)?,
            share: stored::parsed("share id", &self.share_id)?,
            recipient: stored::parsed("recipient id", &self.recipient_id)?,
            revision: self.revision,
            granted_at: self.granted_at.into(),
            ends_at: self.ends_at.into(),
        })
    }
}

/// Returns the associated data of the digest of the viewed revision.
pub(super) fn view_digest_aad(grant: &str) -> String {
    format!("revision of view {grant}")
}
