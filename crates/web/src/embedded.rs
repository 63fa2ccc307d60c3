//! Serves the built frontend, which is embedded in the binary.

use std::borrow::Cow;
use std::collections::HashMap;
use std::error::Error;
use std::sync::{Arc, PoisonError, RwLock};

use actix_web::http::StatusCode;
use actix_web::http::header::{self, ContentEncoding, Encoding};
use actix_web::{HttpRequest, HttpResponse, web};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ideavault_crypto::SystemRandom;
use ideavault_domain::admission::RegistrationMode;
use ideavault_domain::failure::Failure;
use ideavault_domain::file::UploadLimit;
use ideavault_domain::hex;
use ideavault_domain::operator::Operator;
use ideavault_domain::ports::Random as _;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use rust_embed::{EmbeddedFile, RustEmbed};
use serde::Serialize;

use crate::app::App;
use crate::http::compression::{accepts, gzip};
use crate::http::error::ApiError;
use crate::http::spliced::Spliced;
use crate::http::turns::Work;
use crate::http::under_way::InProgram;
use crate::http::use_cases::UseCases;
use crate::logo::{LOGO_PATH, Logo};
use crate::personal_content::PersonalContent;
use crate::shells::{Shells, ShellsError, template};

#[derive(RustEmbed)]
#[folder = "../../frontend/dist"]
#[allow_missing = true]
#[exclude = ".vite/*"]
#[exclude = "shells/*"]
struct Frontend;

/// The part of the configuration that is public. It is written into each document, so that
/// no page has to request it.
#[derive(Clone, Debug)]
pub struct PublicSettings {
    /// Registration mode, as in `IDEAVAULT_REGISTRATION`.
    pub registration: RegistrationMode,
    /// The vault's name and the operator's contact.
    pub operator: Operator,
    /// Address of the operator's own terms.
    pub terms: Option<String>,
    /// The operator's logo.
    pub logo: Option<Logo>,
    /// The largest PDF that is accepted.
    pub pdf_limit: UploadLimit,
    /// How long a counted view lasts.
    pub view_window: chrono::Duration,
}

/// Path of the built-in terms.
const TERMS_PAGE: &str = "/terms";

/// Characters to percent-encode in a `mailto` link (RFC 6068, section 2); a few more than
/// necessary.
const NOT_IN_MAILTO: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'@')
    .remove(b'.')
    .remove(b'-')
    .remove(b'_')
    .remove(b'~');

/// The variables of the HTML templates.
#[derive(Serialize)]
struct Context<'a> {
    csp_nonce: &'a str,
    registration: &'static str,
    vault: VaultContext<'a>,
    pdf: PdfContext,
    view: ViewContext,
    #[serde(flatten)]
    personal: Option<PersonalContent>,
}

/// The operator's settings; texts that are not set are empty.
#[derive(Serialize)]
struct VaultContext<'a> {
    name: &'a str,
    is_named: bool,
    logo: &'static str,
    contact: &'a str,
    contact_link: String,
    terms: &'a str,
    has_own_terms: bool,
}

/// The largest PDF that is accepted.
#[derive(Serialize)]
struct PdfContext {
    bytes: u64,
    size: String,
}

/// A counted view.
#[derive(Serialize)]
struct ViewContext {
    window: String,
}

/// Formats a duration in the largest unit of which it is a whole number, such as "30 minutes".
fn in_words(duration: chrono::Duration) -> String {
    let seconds = duration.num_seconds();
    let units = [(86_400, "day"), (3_600, "hour"), (60, "minute")];
    let whole = units.into_iter().find(|(unit, _)| seconds % unit == 0);
    let (unit, name) = whole.unwrap_or((1, "second"));
    match seconds / unit {
        1 => format!("1 {name}"),
        count => format!("{count} {name}s"),
    }
}

impl<'a> Context<'a> {
    fn new(
        settings: &'a PublicSettings,
        csp_nonce: &'a str,
        personal: Option<PersonalContent>,
    ) -> Self {
        let Operator { vault, contact } = &settings.operator;
        Self {
            csp_nonce,
            registration: match settings.registration {
                RegistrationMode::Open => "open",
                RegistrationMode::Invite => "invite",
                RegistrationMode::Closed => "closed",
            },
            vault: VaultContext {
                name: vault.as_str(),
                is_named: !vault.is_default(),
                logo: settings.logo.as_ref().map_or("", |_| LOGO_PATH),
                contact: contact.as_deref().unwrap_or_default(),
                contact_link: match contact {
                    Some(page) if page.starts_with("https://") => page.clone(),
                    Some(address) => {
                        format!("mailto:{}", utf8_percent_encode(address, NOT_IN_MAILTO))
                    }
                    None => String::new(),
                },
                terms: settings.terms.as_deref().unwrap_or(TERMS_PAGE),
                has_own_terms: settings.terms.is_some(),
            },
            pdf: PdfContext {
                bytes: settings.pdf_limit.bytes,
                size: settings.pdf_limit.size(),
            },
            view: ViewContext {
                window: in_words(settings.view_window),
            },
            personal,
        }
    }

    /// Renders a template: Jinja, whose values are escaped.
    fn render(&self, template: &str) -> Result<String, minijinja::Error> {
        let mut environment = Environment::empty();
        environment.set_auto_escape_callback(|_| AutoEscape::Html);
        // A name that the context lacks is false in conditions, and an error anywhere else.
        environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
        environment.render_str(template, Serde(self))
    }
}

/// Folder of files with a content hash in their name, which never change.
const HASHED: &str = "assets/";

/// The frontend that [`page`] serves; empty in a binary that was built without one.
///
/// # Errors
/// [`ShellsError`] if the frontend is incomplete.
pub fn shells() -> Result<Shells, ShellsError> {
    if index().is_none() {
        return Ok(Shells::default());
    }
    Shells::embedded()
}

/// Serves a file of the frontend, or the shell of a page. Any other path gets the
/// application's not-found page, with status 404.
pub async fn page(
    request: HttpRequest,
    shells: web::Data<Shells>,
    settings: web::Data<PublicSettings>,
    documents: web::Data<Documents>,
) -> Result<HttpResponse, ApiError> {
    let path = request.path().trim_start_matches('/');
    if request.method().is_safe()
        && request.path() == LOGO_PATH
        && let Some(logo) = &settings.logo
    {
        return Ok(logo.respond(&request));
    }
    if request.method().is_safe() && path != "index.html" && !path.is_empty() {
        if let Some(file) = Frontend::get(path) {
            return Ok(asset(&request, path, file));
        }
        if path.starts_with(HASHED) {
            return Err(ApiError::NoRoute);
        }
    }
    if !request.method().is_safe() {
        return Err(ApiError::NoRoute);
    }
    document(&request, &shells, settings, &documents).await
}

fn asset(request: &HttpRequest, path: &str, plain: EmbeddedFile) -> HttpResponse {
    let tag = header::EntityTag::new_weak(tag_of(&plain));
    let unchanged = request
        .headers()
        .get(header::IF_NONE_MATCH)
        .is_some_and(|seen| seen.as_bytes() == tag.to_string().as_bytes());
    let cache = if path.starts_with(HASHED) {
        "public, max-age=31536000, immutable"
    } else {
        "public, max-age=0, must-revalidate"
    };
    let mut response = HttpResponse::build(if unchanged {
        StatusCode::NOT_MODIFIED
    } else {
        StatusCode::OK
    });
    response
        .insert_header((header::CACHE_CONTROL, cache))
        .insert_header((header::VARY, "Accept-Encoding"))
        .insert_header(header::ETag(tag));
    if unchanged {
        return response.finish();
    }
    response.content_type(media_type(path));
    response.extensions_mut().insert(InProgram);
    let (encoding, body) = smallest(request, path, plain);
    if let Some(encoding) = encoding {
        response.insert_header(encoding);
    }
    response.body(match body.data {
        Cow::Borrowed(embedded) => web::Bytes::from_static(embedded),
        Cow::Owned(read) => read.into(),
    })
}

/// Returns the precompressed form that the browser accepts, if there is one.
fn smallest(
    request: &HttpRequest,
    path: &str,
    plain: EmbeddedFile,
) -> (Option<ContentEncoding>, EmbeddedFile) {
    let forms = [
        (ContentEncoding::Brotli, Encoding::brotli(), "br"),
        (ContentEncoding::Gzip, Encoding::gzip(), "gz"),
    ];
    for (encoding, name, extension) in forms {
        if accepts(request, &name)
            && let Some(file) = Frontend::get(&format!("{path}.{extension}"))
        {
            return (Some(encoding), file);
        }
    }
    (None, plain)
}

/// The documents that hold nothing personal, from their first use on: rendered with the settings,
/// and compressed but for their nonce.
#[derive(Default)]
pub struct Documents(RwLock<HashMap<String, Arc<Spliced>>>);

/// Placeholder for the nonce in a cached document.
const NONCE_MARK: &str = "\u{e000}nonce\u{e000}";

impl Documents {
    fn of(&self, name: &str, settings: &PublicSettings) -> Result<Arc<Spliced>, Failure> {
        let kept = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(document) = kept.get(name) {
            return Ok(Arc::clone(document));
        }
        drop(kept);
        let html = render(name, settings, NONCE_MARK, None)?;
        let document = Spliced::new(&html, NONCE_MARK).map_err(internal)?;
        let document = Arc::new(document);
        let mut kept = self.0.write().unwrap_or_else(PoisonError::into_inner);
        kept.insert(name.to_owned(), Arc::clone(&document));
        Ok(document)
    }
}

/// Responds with the shell of an address.
async fn document(
    request: &HttpRequest,
    shells: &Shells,
    settings: web::Data<PublicSettings>,
    documents: &Documents,
) -> Result<HttpResponse, ApiError> {
    let shell = shells.of(request.path());
    let status = match shell {
        Some(_) => StatusCode::OK,
        None => StatusCode::NOT_FOUND,
    };
    let name = shell.as_ref().map_or(INDEX, |shell| shell.name);
    let mut random = [0_u8; 16];
    SystemRandom.fill(&mut random).map_err(internal)?;
    let nonce = URL_SAFE_NO_PAD.encode(random);
    let accepts_gzip = accepts(request, &Encoding::gzip());
    let mut body = None;
    if let Some(shell) = &shell
        && let Some(personal) = PersonalContent::of(request, shell).await
    {
        let (name, nonce) = (name.to_owned(), nonce.clone());
        let settings = settings.clone();
        let write = move |_: &App| {
            let html = render(&name, &settings, &nonce, Some(personal))?;
            match accepts_gzip {
                // A document repeats nothing of its request. So whoever can make a browser
                // request it learns nothing from its compressed size (BREACH).
                true => gzip(html.as_bytes()).map_err(internal),
                false => Ok(html.into_bytes()),
            }
        };
        let written = UseCases::of(request)?.run(Work::Query, write).await;
        body = written
            .inspect_err(|error| tracing::debug!(%error, "a document goes without its content"))
            .ok();
    }
    let body = match body {
        Some(body) => body,
        None => {
            let kept = documents.of(name, &settings)?;
            match accepts_gzip {
                true => kept.gzip(&nonce).map_err(internal)?,
                false => kept.plain(&nonce).into_bytes(),
            }
        }
    };
    let mut response = HttpResponse::build(status);
    response
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::VARY, "Accept-Encoding"))
        .insert_header((header::CONTENT_SECURITY_POLICY, page_policy(shells, &nonce)));
    if accepts_gzip {
        response.insert_header(ContentEncoding::Gzip);
    }
    Ok(response.body(body))
}

/// The name under which the shell of every path without a route is kept.
const INDEX: &str = "";

fn render(
    shell: &str,
    settings: &PublicSettings,
    nonce: &str,
    personal: Option<PersonalContent>,
) -> Result<String, Failure> {
    let template = match shell {
        INDEX => index(),
        shell => template(shell),
    };
    let template = template
        .ok_or_else(|| Failure::Unavailable("this binary was built without the frontend".into()))?;
    Context::new(settings, nonce, personal)
        .render(&template)
        .map_err(internal)
}

fn internal(error: impl Error + Send + Sync + 'static) -> Failure {
    Failure::Internal(Box::new(error))
}

/// Returns the shell of every path without a route.
fn index() -> Option<String> {
    let file = Frontend::get("index.html")?;
    Some(String::from_utf8_lossy(&file.data).into_owned())
}

/// Content security policy of pages. The scripts of the shell are allowed by their hashes, its
/// style sheets and the one style element that Radix writes by the nonce; positions of menus and
/// colours of documents are style attributes.
fn page_policy(shells: &Shells, nonce: &str) -> String {
    let scripts = shells.script_sources();
    format!(
        "default-src 'self'; script-src 'self' {scripts}; style-src 'self'; \
         style-src-elem 'self' 'nonce-{nonce}'; style-src-attr 'unsafe-inline'; \
         img-src 'self' data: blob:; frame-src https://www.youtube-nocookie.com; \
         worker-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; \
         frame-ancestors 'none'"
    )
}

/// Returns the first 12 bytes of the file's SHA-256, in hex.
fn tag_of(file: &EmbeddedFile) -> String {
    let mut digits = hex::encode(&file.metadata.sha256_hash());
    digits.truncate(24);
    digits
}

fn media_type(path: &str) -> String {
    let guessed = mime_guess::from_path(path).first_or_octet_stream();
    if guessed.type_() == mime_guess::mime::TEXT {
        format!("{guessed}; charset=utf-8")
    } else {
        guessed.to_string()
    }
}
