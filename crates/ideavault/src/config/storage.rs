//! Options that locate the content of files.

use clap::Args;
use clap::builder::BoolishValueParser;
use ideavault_files::{BucketAddress, BucketSettings};

use super::secret_file::SecretFile;

/// Options for the bucket that files are kept in. Those of AWS are the variables that its own
/// programs know.
#[derive(Args, Clone, Debug, Default)]
pub struct StorageOptions {
    /// Bucket for the content of files: s3://BUCKET/PREFIX; the folder `files` in the data
    /// folder by default.
    #[arg(long, env = "IDEAVAULT_STORAGE")]
    pub storage: Option<BucketAddress>,

    /// Address of the S3 server; that of AWS by default.
    #[arg(long, env = "AWS_ENDPOINT_URL", hide_env_values = true)]
    pub s3_endpoint: Option<String>,

    /// Region of the bucket.
    #[arg(long, env = "AWS_REGION")]
    pub s3_region: Option<String>,

    /// Id of the access key of the bucket.
    #[arg(long, env = "AWS_ACCESS_KEY_ID", hide_env_values = true)]
    pub s3_access_key_id: Option<String>,

    /// Access key of the bucket.
    #[arg(long, env = "AWS_SECRET_ACCESS_KEY", hide_env_values = true)]
    pub s3_secret_access_key: Option<String>,

    /// File with the access key of the bucket.
    #[arg(long, env = "AWS_SECRET_ACCESS_KEY_FILE", value_name = "PATH",
        value_parser = SecretFile::read, conflicts_with = "s3_secret_access_key")]
    pub s3_secret_access_key_file: Option<SecretFile>,

    /// Token of a temporary access key.
    #[arg(long, env = "AWS_SESSION_TOKEN", hide_env_values = true)]
    pub s3_session_token: Option<String>,

    /// Whether the S3 server may be another machine and be reached without TLS.
    #[arg(long, env = "AWS_ALLOW_HTTP", value_parser = BoolishValueParser::new(),
        num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true")]
    pub s3_allow_http: bool,
}

impl StorageOptions {
    /// Returns the settings of the configured bucket; none for the folder.
    #[must_use]
    pub fn bucket(&self) -> Option<BucketSettings> {
        let given = |value: &Option<String>| value.clone().filter(|value| !value.is_empty());
        Some(BucketSettings {
            address: self.storage.clone()?,
            endpoint: given(&self.s3_endpoint),
            region: given(&self.s3_region),
            access_key_id: given(&self.s3_access_key_id),
            secret_access_key: given(&self.s3_secret_access_key).or_else(|| {
                let file = self.s3_secret_access_key_file.as_ref();
                file.map(|file| file.reveal().to_owned())
            }),
            session_token: given(&self.s3_session_token),
            allow_http: self.s3_allow_http,
        })
    }
}
