//! What a person with a confirmed address was shown, by a mailed link: the way back to agreements
//! and receipts from another browser, and after a link has ended (`docs/rules.md#my-documents`).

use std::sync::Arc;

use ideavault_domain::Timestamp;
use ideavault_domain::document_link::{
    DOCUMENT_LINK_LIFETIME, DOCUMENTS_SHOWN_FOR, DocumentLink, ShownDocuments,
};
use ideavault_domain::email::Email;
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::idempotency::IdempotencyKey;
use ideavault_domain::ids::RecipientId;
use ideavault_domain::nda::Agreement;
use ideavault_domain::ports::{
    Database, DatabaseError, PortError, RateLimited, RecipientWithShare, RequestHasher, Transaction,
};
use ideavault_domain::rate_limit::{LimitKey, RateLimit};
use ideavault_domain::recipient::Origin;
use ideavault_domain::token::Token;
use thiserror::Error;

use crate::deps::Deps;
use crate::documents::{DocumentError, Documents};
use crate::email_composer::EmailComposer;
use crate::evidence::{EvidenceError, acceptance_of};
use crate::{emails, random};

/// The reason why a person's documents were not shown, or no link was mailed.
#[derive(Debug, Error)]
pub enum MyDocumentsError {
    /// The link was used, has expired, or never existed.
    #[error("no such link to documents")]
    InvalidLink,
    /// The browser has used no link, or longer ago than the list is shown.
    #[error("the documents are not shown to this browser any more")]
    Ended,
    /// The vault mailed enough links today.
    #[error(transparent)]
    RateLimited(#[from] RateLimited),
    /// The receipt or agreement is not for this person, or was erased.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Encryption, hashing or randomness failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<MyDocumentsError> for Failure {
    fn from(error: MyDocumentsError) -> Self {
        match error {
            MyDocumentsError::InvalidLink => Self::Invalid(Invalid::new(
                "token",
                "This link has expired or has already been used. Please ask for another one.",
            )),
            MyDocumentsError::Ended => Self::Unauthenticated(
                "Your documents are no longer shown here. Please ask for another link.".into(),
            ),
            MyDocumentsError::RateLimited(limited) => limited.into(),
            MyDocumentsError::Document(error) => error.into(),
            MyDocumentsError::Database(error) => error.into(),
            MyDocumentsError::Port(error) => error.into(),
        }
    }
}

impl From<EvidenceError> for MyDocumentsError {
    fn from(error: EvidenceError) -> Self {
        Self::Document(error.into())
    }
}

/// What persons were shown.
pub struct MyDocuments<S> {
    deps: Deps<S>,
    documents: Arc<Documents<S>>,
    requests: Arc<dyn RequestHasher>,
    email_composer: Arc<EmailComposer>,
}

impl<S: Database> MyDocuments<S> {
    /// Creates the service from its dependencies.
    pub fn new(
        deps: Deps<S>,
        documents: Arc<Documents<S>>,
        requests: Arc<dyn RequestHasher>,
        email_composer: Arc<EmailComposer>,
    ) -> Self {
        Self {
            deps,
            documents,
            requests,
            email_composer,
        }
    }

    /// Mails a link if a person with that address was shown anything. Call it only after the
    /// response was sent: how long it takes tells whether it mails.
    ///
    /// # Errors
    /// [`MyDocumentsError::RateLimited`].
    pub fn send_link(&self, email: &Email, origin: &Origin) -> Result<(), MyDocumentsError> {
        let known = self
            .deps
            .database
            .read(|tx| tx.document_links().has_documents(email))?;
        if !known {
            return Ok(());
        }
        let now = self.deps.clock.now();
        let token = self.random_token()?;
        let link = DocumentLink {
            token_hash: token.hash(),
            requested_at: now,
            expires_at: now + DOCUMENT_LINK_LIFETIME,
        };
        let mail = emails::my_documents(self.email_composer.links(), email, &token);
        let mail = self
            .email_composer
            .compose(mail, now, DOCUMENT_LINK_LIFETIME)?;
        self.deps.database.write(|tx| {
            // The person may have been erased meanwhile.
            if !tx.document_links().add_document_link(email, &link)? {
                return Ok(());
            }
            tx.outbox().queue_mail(&mail)?;
            let mails = LimitKey::common("", origin.network());
            let limit = RateLimit::MyDocumentsOfVault;
            self.deps.limits.count(tx, limit, &mails, now)
        })
    }

    /// Uses up a mailed link, and returns the key with which this browser is shown the documents.
    /// Sent again as the same `request`, it returns the same key.
    ///
    /// # Errors
    /// [`MyDocumentsError::InvalidLink`].
    pub fn open(
        &self,
        token: &str,
        request: Option<&IdempotencyKey>,
    ) -> Result<Token, MyDocumentsError> {
        let token = token.parse::<Token>();
        let token = token.map_err(|_| MyDocumentsError::InvalidLink)?;
        let key = match request {
            Some(request) => {
                let parts = [request.as_bytes(), b"my-documents", token.as_bytes()];
                Token::from_random(self.requests.hash(&parts)?)
            }
            None => self.random_token()?,
        };
        let now = self.deps.clock.now();
        let ends_at = now + DOCUMENTS_SHOWN_FOR;
        let used = self.deps.database.write(|tx| {
            tx.document_links()
                .use_document_link(&token.hash(), &key.hash(), now, ends_at)
        })?;
        if used {
            Ok(key)
        } else {
            Err(MyDocumentsError::InvalidLink)
        }
    }

    /// Returns what the person with that key was shown.
    ///
    /// # Errors
    /// [`MyDocumentsError::Ended`].
    pub fn list(&self, key: Option<&Token>) -> Result<ShownDocuments, MyDocumentsError> {
        let key = key.ok_or(MyDocumentsError::Ended)?.hash();
        let now = self.deps.clock.now();
        let shown = self
            .deps
            .database
            .read(|tx| tx.document_links().shown_documents(&key, now))?;
        shown.ok_or(MyDocumentsError::Ended)
    }

    /// Returns the receipt of one of the documents as a PDF.
    ///
    /// # Errors
    /// [`MyDocumentsError::Ended`]; [`EvidenceError::NotFound`] for what is somebody else's;
    /// [`EvidenceError::Erased`].
    pub fn receipt(
        &self,
        key: Option<&Token>,
        recipient: RecipientId,
    ) -> Result<Vec<u8>, MyDocumentsError> {
        self.documents
            .receipt_found_by(|tx, now| registration(tx, key, recipient, now))
    }

    /// Returns the agreement of one of the documents, with its exact text.
    ///
    /// # Errors
    /// Those of [`receipt`](Self::receipt).
    pub fn agreement(
        &self,
        key: Option<&Token>,
        recipient: RecipientId,
    ) -> Result<Agreement, MyDocumentsError> {
        let now = self.deps.clock.now();
        self.deps.database.read(|tx| {
            let registration = registration(tx, key, recipient, now)?;
            let (recipient, _) = acceptance_of(registration.progress)?;
            Ok(recipient.agreement)
        })
    }

    /// Ends what the browser with that key is shown. Repeating it is fine.
    ///
    /// # Errors
    /// [`MyDocumentsError::Ended`] without a key.
    pub fn end(&self, key: Option<&Token>) -> Result<(), MyDocumentsError> {
        let key = key.ok_or(MyDocumentsError::Ended)?.hash();
        Ok(self
            .deps
            .database
            .write(|tx| tx.document_links().end_document_link(&key))?)
    }

    fn random_token(&self) -> Result<Token, PortError> {
        random::bytes(self.deps.random.as_ref()).map(Token::from_random)
    }
}

/// Returns a registration to the person who has the key.
fn registration(
    tx: &mut dyn Transaction,
    key: Option<&Token>,
    recipient: RecipientId,
    now: Timestamp,
) -> Result<RecipientWithShare, MyDocumentsError> {
    let key = key.ok_or(MyDocumentsError::Ended)?.hash();
    let is_theirs = tx.document_links().shows_document(&key, recipient, now)?;
    if !is_theirs.ok_or(MyDocumentsError::Ended)? {
        return Err(EvidenceError::NotFound.into());
    }
    let found = tx.recipients().registration(recipient)?;
    Ok(found.ok_or(EvidenceError::NotFound)?)
}
