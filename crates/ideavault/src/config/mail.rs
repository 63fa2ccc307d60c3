//! Options for sending mail.

use clap::Args;

use super::secret_file::{SecretFile, given};

/// Options for sending mail.
#[derive(Args, Clone, Debug, Default)]
pub struct MailOptions {
    /// Mail server: smtps://USER:PASSWORD@HOST, or smtp://...?tls=required for STARTTLS.
    /// Without one, each mail becomes a file in the data folder.
    #[arg(long, env = "IDEAVAULT_SMTP_URL", hide_env_values = true)]
    pub smtp_url: Option<String>,

    /// File with the address of the mail server, which has its password.
    #[arg(long, env = "IDEAVAULT_SMTP_URL_FILE", value_name = "PATH",
        value_parser = SecretFile::read, conflicts_with = "smtp_url")]
    pub smtp_url_file: Option<SecretFile>,

    /// Sender of all mails, such as IdeaVault <vault@example.org>.
    #[arg(long, env = "IDEAVAULT_MAIL_FROM")]
    pub mail_from: Option<String>,
}

impl MailOptions {
    /// Returns the address of the mail server, if there is one.
    #[must_use]
    pub fn smtp_url(&self) -> Option<&str> {
        given(self.smtp_url.as_ref(), self.smtp_url_file.as_ref())
    }
}
