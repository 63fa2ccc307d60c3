//! An authority of a test's own, made with the `openssl` command.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

pub(super) const CA: &str = "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n";
pub(super) const TSA: &str = "basicConstraints=critical,CA:FALSE\n\
    keyUsage=critical,digitalSignature\nextendedKeyUsage=critical,timeStamping\n\
    subjectKeyIdentifier=hash\n";

/// A kind of key.
#[derive(Clone, Copy, Debug)]
pub(super) enum Key {
    Rsa(u16),
    P256,
    P384,
    /// Another curve, by OpenSSL's name.
    Curve(&'static str),
}

/// A folder with keys and certificates, by their names.
pub(super) struct Workshop {
    folder: TempDir,
}

impl Workshop {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder }
    }

    /// A root `root` and an authority `tsa` under it.
    pub(super) fn with_authority(key: Key) -> Self {
        let shop = Self::new();
        shop.root("root", key, CA);
        shop.issue("tsa", "root", key, TSA);
        shop
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(super) fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub(super) fn try_openssl(&self, arguments: &str, input: &[u8]) -> Output {
        let mut child = Command::new("openssl")
            .args(
                arguments
                    .split_whitespace()
                    .map(|word| word.replace('~', " ")),
            )
            .current_dir(self.folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        child.wait_with_output().unwrap()
    }

    /// Runs `openssl`; `~` stands for a blank within an argument.
    pub(super) fn openssl(&self, arguments: &str, input: &[u8]) -> Vec<u8> {
        let output = self.try_openssl(arguments, input);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "openssl {arguments}: {said}");
        output.stdout
    }

    fn key(&self, name: &str, key: Key) {
        match key {
            Key::Rsa(bits) => self.openssl(&format!("genrsa -out {name}.key {bits}"), b""),
            Key::P256 | Key::P384 | Key::Curve(_) => {
                let curve = match key {
                    Key::Curve(name) => name,
                    Key::P384 => "secp384r1",
                    _ => "prime256v1",
                };
                let command = format!("ecparam -genkey -noout -name {curve} -out {name}.key");
                self.openssl(&command, b"")
            }
        };
    }

    fn request(&self, name: &str) {
        self.write("req.cnf", b"[req]\ndistinguished_name=dn\n[dn]\n");
        let command = format!(
            "req -new -config req.cnf -key {name}.key -subj /O=Test/CN={name} -out {name}.csr"
        );
        self.openssl(&command, b"");
    }

    /// Makes `NAME.pem`, a certificate that issues itself.
    pub(super) fn root(&self, name: &str, key: Key, extensions: &str) {
        self.key(name, key);
        self.request(name);
        self.write("ext.cnf", extensions.as_bytes());
        let command = format!(
            "x509 -req -in {name}.csr -signkey {name}.key -days 3650 -sha256 -extfile ext.cnf \
             -out {name}.pem"
        );
        self.openssl(&command, b"");
    }

    /// Makes `NAME.pem`, a certificate of the issuer.
    pub(super) fn issue(&self, name: &str, issuer: &str, key: Key, extensions: &str) {
        self.key(name, key);
        self.request(name);
        self.certify(name, name, issuer, "-sha256", extensions);
    }

    /// Makes the certificate `FILE.pem` for the request of `name`.
    pub(super) fn certify(
        &self,
        file: &str,
        name: &str,
        issuer: &str,
        options: &str,
        extensions: &str,
    ) {
        self.write("ext.cnf", extensions.as_bytes());
        let command = format!(
            "x509 -req -in {name}.csr -CA {issuer}.pem -CAkey {issuer}.key -CAcreateserial \
             -days 365 {options} -extfile ext.cnf -out {file}.pem"
        );
        self.openssl(&command, b"");
    }

    /// Answers a request as the authority `tsa` does, with further lines of its configuration.
    pub(super) fn reply(&self, query: &[u8], settings: &str) -> Vec<u8> {
        self.write("query.tsq", query);
        self.write("serial", b"0a1b\n");
        let digest = match settings.contains("signer_digest") {
            true => "",
            false => "signer_digest=sha256\n",
        };
        let config = format!(
            "[tsa]\ndefault_tsa=t\n[t]\nserial=serial\nsigner_cert=tsa.pem\nsigner_key=tsa.key\n\
             default_policy=1.2.3.4\ndigests=sha256,sha512\naccuracy=secs:1\ntsa_name=yes\n{digest}{settings}"
        );
        self.write("tsa.cnf", config.as_bytes());
        self.openssl(
            "ts -reply -config tsa.cnf -queryfile query.tsq -out reply.tsr",
            b"",
        );
        fs::read(self.path("reply.tsr")).unwrap()
    }

    /// Signs any content as `signer`, also where `openssl ts` would refuse to.
    pub(super) fn sign(&self, content: &[u8], signer: &str, options: &str) -> Vec<u8> {
        self.write("content", content);
        let command = format!(
            "cms -sign -in content -binary -nodetach -cades -nosmimecap -md sha256 \
             -econtent_type 1.2.840.113549.1.9.16.1.4 -signer {signer}.pem -inkey {signer}.key \
             -outform DER {options}"
        );
        granted(&self.openssl(&command, b""))
    }

    /// Returns whether `openssl ts -verify` accepts a response.
    pub(super) fn verify(&self, response: &[u8], data: &[u8], roots: &str, more: &str) -> bool {
        self.write("checked.tsr", response);
        self.write("checked.data", data);
        let command =
            format!("ts -verify -data checked.data -in checked.tsr -CAfile {roots} {more}");
        self.try_openssl(&command, b"").status.success()
    }
}

/// A response that grants a token.
pub(super) fn granted(token: &[u8]) -> Vec<u8> {
    der(0x30, &[&der(0x30, &[&[2, 1, 0]]), token])
}

/// Encodes a value of DER.
pub(super) fn der(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let length = content.len();
    let head = match u8::try_from(length) {
        Ok(short @ 0..0x80) => vec![tag, short],
        Ok(long) => vec![tag, 0x81, long],
        Err(_) => {
            let long = u16::try_from(length).unwrap().to_be_bytes();
            vec![tag, 0x82, long[0], long[1]]
        }
    };
    [head, content].concat()
}

/// The fields of a time-stamp that tests change.
pub(super) struct Info<'a> {
    pub(super) version: u8,
    pub(super) data: &'a [u8],
    pub(super) algorithm: &'a [u8],
    pub(super) time: DateTime<Utc>,
    pub(super) after_time: Vec<u8>,
}

impl<'a> Info<'a> {
    pub(super) fn of(data: &'a [u8]) -> Self {
        Self {
            version: 1,
            data,
            // 2.16.840.1.101.3.4.2.1
            algorithm: &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01],
            time: Utc::now(),
            after_time: Vec::new(),
        }
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let digest = Sha256::digest(self.data);
        let algorithm = der(0x30, &[&der(6, &[self.algorithm]), &[5, 0]]);
        let time = self.time.format("%Y%m%d%H%M%SZ").to_string();
        der(
            0x30,
            &[
                &[2, 1, self.version],
                &[6, 3, 0x2a, 3, 4],
                &der(0x30, &[&algorithm, &der(4, &[&digest])]),
                &[2, 1, 9],
                &der(0x18, &[time.as_bytes()]),
                &self.after_time,
            ],
        )
    }
}
