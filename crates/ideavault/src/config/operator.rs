//! Options for the vault's name and the operator.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use clap::Args;
use ideavault_documents::PdfDocuments;
use ideavault_domain::email::Email;
use ideavault_domain::operator::{Operator, VaultName};
use ideavault_web::Logo;
use url::Url;

use super::ConfigError;

/// Options for the vault's name and the operator. An empty value counts as absent.
#[derive(Args, Clone, Debug, Default)]
pub struct OperatorOptions {
    /// Name of the vault, at most 60 characters; IdeaVault by default.
    #[arg(long, env = "IDEAVAULT_NAME")]
    pub name: Option<String>,

    /// PNG or SVG file with a logo, at most 256 KB.
    #[arg(long, env = "IDEAVAULT_LOGO")]
    pub logo: Option<String>,

    /// Paths of font files, separated by commas, for characters in receipts and certificates
    /// that the built-in fonts lack.
    #[arg(long, env = "IDEAVAULT_DOCUMENT_FONTS")]
    pub document_fonts: Option<String>,

    /// Mail or https address where people can reach the operator.
    #[arg(long, env = "IDEAVAULT_CONTACT")]
    pub contact: Option<String>,

    /// The https address of the operator's own terms of service.
    #[arg(long, env = "IDEAVAULT_TERMS")]
    pub terms: Option<String>,
}

impl OperatorOptions {
    /// Returns the vault's name and the operator's contact.
    ///
    /// # Errors
    /// [`ConfigError::Name`] and [`ConfigError::Contact`].
    pub fn operator(&self) -> Result<Operator, ConfigError> {
        let vault = match given(self.name.as_deref()) {
            Some(name) => VaultName::parse(name).map_err(ConfigError::Name)?,
            None => VaultName::default(),
        };
        let contact = given(self.contact.as_deref()).map(|contact| {
            let address = Email::parse(contact).map(|email| email.to_string()).ok();
            let contact = address.or_else(|| https(contact));
            contact.ok_or(ConfigError::Contact)
        });
        let contact = contact.transpose()?;
        Ok(Operator { vault, contact })
    }

    /// Returns the address of the operator's own terms, if there are any.
    pub fn terms(&self) -> Result<Option<String>, ConfigError> {
        let terms = given(self.terms.as_deref());
        terms
            .map(|terms| https(terms).ok_or(ConfigError::Terms))
            .transpose()
    }

    /// Reads the logo, if there is one.
    pub fn logo(&self) -> Result<Option<Logo>, ConfigError> {
        let path = given(self.logo.as_deref()).map(PathBuf::from);
        let logo =
            path.map(|path| Logo::read(&path).map_err(|source| ConfigError::Logo { path, source }));
        logo.transpose()
    }

    /// Reads the fonts of documents.
    pub fn documents(&self) -> Result<PdfDocuments, ConfigError> {
        let paths = given(self.document_fonts.as_deref()).unwrap_or_default();
        let mut documents = PdfDocuments::default();
        for path in paths.split(',').filter_map(|path| given(Some(path))) {
            let refused = |source: Box<dyn Error + Send + Sync>| ConfigError::DocumentFont {
                path: path.into(),
                source,
            };
            let font = fs::read(path).map_err(|error| refused(error.into()))?;
            documents = documents
                .with_font(font)
                .map_err(|error| refused(error.into()))?;
        }
        Ok(documents)
    }
}

/// Returns an option unless it is blank.
fn given(option: Option<&str>) -> Option<&str> {
    option.map(str::trim).filter(|text| !text.is_empty())
}

/// Returns the address in normal form, if it is a kind that may be linked to.
fn https(text: &str) -> Option<String> {
    // Without `//`, browsers would take it for a page of this vault.
    let url = Url::parse(text).ok().filter(|_| text.contains("://"))?;
    let is_public =
        url.scheme() == "https" && url.username().is_empty() && url.password().is_none();
    is_public.then(|| url.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn empty_settings_count_as_unset() {
        for option in [None, text(""), text("  ")] {
            let options = OperatorOptions {
                name: option.clone(),
                logo: option.clone(),
                document_fonts: option.clone(),
                contact: option.clone(),
                terms: option,
            };
            assert_eq!(options.operator().unwrap(), Operator::default());
            assert_eq!(options.terms().unwrap(), None);
            assert!(options.logo().unwrap().is_none());
            assert!(options.documents().is_ok());
        }
    }

    #[test]
    fn a_contact_is_an_email_address_or_a_url() {
        let contact = |contact: &str| {
            let contact = text(contact);
            let options = OperatorOptions {
                contact,
                ..OperatorOptions::default()
            };
            options.operator().map(|operator| operator.contact)
        };
        for (given, kept) in [
            ("Desk@vault.example.org", "desk@vault.example.org"),
            ("https://example.org/help", "https://example.org/help"),
            (
                "https://example.org/\"><script>",
                "https://example.org/%22%3E%3Cscript%3E",
            ),
        ] {
            assert_eq!(contact(given).unwrap().as_deref(), Some(kept));
        }
        for bad in [
            "desk",
            "http://example.org",
            "javascript:alert(1)",
            "https://",
            "https://a@b.org",
        ] {
            let error = contact(bad).unwrap_err();
            assert!(
                error.to_string().contains("IDEAVAULT_CONTACT"),
                "{bad}: {error}"
            );
        }
    }

    #[test]
    fn each_error_names_its_setting() {
        let options = OperatorOptions {
            name: text(&"x".repeat(61)),
            logo: text("/no/such/logo.svg"),
            terms: text("http://example.org/terms"),
            document_fonts: text("/no/such/font.ttf"),
            ..OperatorOptions::default()
        };
        let complaints = [
            options.operator().unwrap_err().to_string(),
            options.logo().unwrap_err().to_string(),
            options.terms().unwrap_err().to_string(),
            options.documents().unwrap_err().to_string(),
        ];
        for (complaint, setting) in
            complaints
                .iter()
                .zip(["NAME", "LOGO", "TERMS", "DOCUMENT_FONTS"])
        {
            assert!(
                complaint.contains(&format!("IDEAVAULT_{setting}")),
                "{complaint}"
            );
        }
    }
}
