//! The S3 server of the tests.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::Outcome;
use crate::server::end;

/// The settings that instances need besides the endpoint.
pub(super) const SETTINGS: [(&str, &str); 3] = [
    ("IDEAVAULT_STORAGE", "s3://vault/cluster"),
    ("AWS_ACCESS_KEY_ID", "S3RVER"),
    ("AWS_SECRET_ACCESS_KEY", "S3RVER"),
];

/// A server with an empty bucket, ended on drop.
pub(super) struct Bucket {
    process: Child,
    endpoint: String,
}

impl Bucket {
    /// Starts the server in `folder`.
    pub(super) fn start(folder: &Path) -> Outcome<Self> {
        let mut process = Command::new("node")
            .args(["--openssl-legacy-provider", "serve.mjs"])
            .current_dir(folder)
            // It ends when this pipe closes.
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut endpoint = String::new();
        if let Some(output) = process.stdout.take() {
            BufReader::new(output).read_line(&mut endpoint)?;
        }
        if endpoint.is_empty() {
            end(&mut process);
            return Err("the S3 server does not start".into());
        }
        let endpoint = endpoint.trim().to_owned();
        Ok(Self { process, endpoint })
    }

    /// Returns its address.
    pub(super) fn endpoint(&self) -> &str {
        &self.endpoint
    }
}

impl Drop for Bucket {
    fn drop(&mut self) {
        // Closes its input first, so that it removes its folder.
        if self.process.wait().is_err() {
            end(&mut self.process);
        }
    }
}
