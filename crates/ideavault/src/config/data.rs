//! Options that locate the data; every command that touches it takes them.

use std::path::PathBuf;

use clap::Args;

use super::StorageOptions;
use super::secret_file::{SecretFile, given};

/// Options for the data folder and the database.
#[derive(Args, Clone, Debug)]
pub struct DataOptions {
    /// Folder of the SQLite file, the secret key and the outbox.
    #[arg(long, env = "IDEAVAULT_DATA_DIR", default_value = "./data")]
    pub data_dir: PathBuf,

    /// sqlite://PATH or postgres://...; SQLite in the data folder by default.
    #[arg(long, env = "IDEAVAULT_DATABASE_URL", hide_env_values = true)]
    pub database_url: Option<String>,

    /// File with the address of the database, which has its password.
    #[arg(long, env = "IDEAVAULT_DATABASE_URL_FILE", value_name = "PATH",
        value_parser = SecretFile::read, conflicts_with = "database_url")]
    pub database_url_file: Option<SecretFile>,

    /// Master key: 32 random bytes in base64url; generated and kept in the data folder by
    /// default.
    #[arg(
        long,
        env = "IDEAVAULT_SECRET_KEY",
        hide_env_values = true,
        allow_hyphen_values = true
    )]
    pub secret_key: Option<String>,

    /// File with the master key, elsewhere than in the data folder.
    #[arg(long, env = "IDEAVAULT_SECRET_KEY_FILE", value_name = "PATH",
        value_parser = SecretFile::read, conflicts_with = "secret_key")]
    pub secret_key_file: Option<SecretFile>,

    /// Location of the files.
    #[command(flatten)]
    pub storage: StorageOptions,
}

impl DataOptions {
    /// Returns the configured database address, or that of the SQLite file.
    #[must_use]
    pub fn database_url(&self) -> String {
        let configured = given(self.database_url.as_ref(), self.database_url_file.as_ref());
        configured.map_or_else(
            || {
                let file = self.data_dir.join("ideavault.sqlite");
                format!("sqlite://{}", file.display())
            },
            str::to_owned,
        )
    }

    /// Returns the configured master keys; none if the data folder has them.
    #[must_use]
    pub fn secret_key(&self) -> Option<&str> {
        given(self.secret_key.as_ref(), self.secret_key_file.as_ref())
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
