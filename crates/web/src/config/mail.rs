//! How mails leave.

use clap::Args;

/// Options for mail.
#[derive(Args, Clone, Debug, Default)]
pub struct MailOptions {
    /// Mail server: smtps://USER:PASSWORD@HOST, or smtp://...?tls=required for
    /// STARTTLS. By default each mail becomes a file in the data folder.
    #[arg(long, env = "IDEAVAULT_SMTP_URL", hide_env_values = true)]
    pub smtp_url: Option<String>,

    /// Address that mails come from, such as IdeaVault <vault@example.org>.
    #[arg(long, env = "IDEAVAULT_MAIL_FROM")]
    pub mail_from: Option<String>,
}
