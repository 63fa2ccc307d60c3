//! Options that locate the data; every command that touches it takes them.

use std::path::PathBuf;

use clap::Args;

use super::StorageOptions;

/// Options for the data folder and the database.
#[derive(Args, Clone, Debug)]
pub struct DataOptions {
    /// Folder of the SQLite file, the secret key and the outbox.
    #[arg(long, env = "IDEAVAULT_DATA_DIR", default_value = "./data")]
    pub data_dir: PathBuf,

    /// sqlite://PATH or postgres://...; SQLite in the data folder by default.
    #[arg(long, env = "IDEAVAULT_DATABASE_URL", hide_env_values = true)]
    pub database_url: Option<String>,

    /// Master key: 32 random bytes in base64url; generated and kept in the data folder by
    /// default.
    #[arg(
        long,
        env = "IDEAVAULT_SECRET_KEY",
        hide_env_values = true,
        allow_hyphen_values = true
    )]
    pub secret_key: Option<String>,

    /// Location of the files.
    #[command(flatten)]
    pub storage: StorageOptions,
}

impl DataOptions {
    /// Returns the configured database address, or that of the SQLite file.
    #[must_use]
    pub fn database_url(&self) -> String {
        self.database_url.clone().unwrap_or_else(|| {
            format!(
                "sqlite://{}",
                self.data_dir.join("ideavault.sqlite").display()
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        options: DataOptions,
    }

    /// One of 64 generated keys begins with a hyphen.
    #[test]
    fn a_key_may_start_with_a_hyphen() {
        let key = format!("-{}", "A".repeat(42));
        let cli = Cli::try_parse_from(["ideavault", "--secret-key", &key]).unwrap();
        assert_eq!(cli.options.secret_key, Some(key));
    }
}
