//! A server that speaks the protocol of S3, for tests: the npm package that
//! `tests/s3/package.json` names.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test without its server can only fail"
)]

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::bucket::{BucketSettings, BucketStorage, Limits};

/// A running server with the empty bucket `vault`. Ends when dropped, or when its parent does.
pub struct S3Server {
    process: Child,
    endpoint: String,
}

impl S3Server {
    /// Starts a server.
    ///
    /// # Panics
    /// If it is not installed or cannot start.
    #[must_use]
    pub fn start() -> Self {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/s3"));
        assert!(
            folder.join("node_modules").exists(),
            "the S3 server of the tests is not installed: run `just test-sqlite`, or `npm ci` in \
             tests/s3/",
        );
        let mut process = Command::new("node")
            // It encrypts the places in its lists with an old cipher.
            .args(["--openssl-legacy-provider", "serve.mjs"])
            .current_dir(folder)
            // The server ends when this pipe closes.
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Node.js runs");
        let output = process.stdout.take().expect("the output is a pipe");
        let mut endpoint = String::new();
        let told = BufReader::new(output).read_line(&mut endpoint);
        if told.expect("the server says its address") == 0 {
            panic!("the S3 server of the tests did not start");
        }
        Self {
            process,
            endpoint: endpoint.trim().to_owned(),
        }
    }

    /// The address of the server.
    #[must_use]
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// Settings for that part of the bucket.
    ///
    /// # Panics
    /// If `prefix` cannot be one.
    #[must_use]
    pub fn settings(&self, prefix: &str) -> BucketSettings {
        BucketSettings {
            address: format!("s3://{BUCKET}/{prefix}").parse().expect("a prefix"),
            endpoint: Some(self.endpoint.clone()),
            region: None,
            access_key_id: Some(ACCESS_KEY_ID.to_owned()),
            secret_access_key: Some(SECRET_ACCESS_KEY.to_owned()),
            session_token: None,
            allow_http: false,
        }
    }
}

impl S3Server {
    /// Returns the key and the content of every object.
    ///
    /// # Panics
    /// If they cannot be read.
    #[must_use]
    pub fn objects(&self) -> Vec<(String, Vec<u8>)> {
        let mut settings = self.settings("x");
        settings.address = format!("s3://{BUCKET}").parse().expect("an address");
        let bucket = BucketStorage::new(&settings, Limits::default()).expect("a bucket");
        bucket.objects().expect("the server answers")
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        // Closes its input first.
        self.process.wait().expect("the server ends");
    }
}

/// The bucket that every server has.
pub const BUCKET: &str = "vault";
/// Id of the key that every server accepts.
pub const ACCESS_KEY_ID: &str = "S3RVER";
/// That key.
pub const SECRET_ACCESS_KEY: &str = "S3RVER";
