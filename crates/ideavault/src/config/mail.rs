//! Options for sending mail.

use clap::Args;

/// Options for sending mail.
#[derive(Args, Clone, Debug, Default)]
pub struct MailOptions {
    /// Mail server: smtps://USER:PASSWORD@HOST, or smtp://...?tls=required for STARTTLS.
    /// Without one, each mail becomes a file in the data folder.
    #[arg(long, env = "IDEAVAULT_SMTP_URL", hide_env_values = true)]
    pub smtp_url: Option<String>,

    /// Sender of all mails, such as IdeaVault <vault@example.org>.
    #[arg(long, env = "IDEAVAULT_MAIL_FROM")]
    pub mail_from: Option<String>,
}
