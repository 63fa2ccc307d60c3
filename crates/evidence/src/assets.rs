//! Files in a bundle for verification without this program.

use crate::checkpoint::VerifierKey;
use crate::ots;

/// `verify.py`: verifies an unpacked bundle with Python's standard library and OpenSSL.
pub const VERIFY_PY: &str = include_str!("../assets/verify.py");

/// Returns `README.txt`: a command for every claim, with the names of this bundle's files.
///
/// `idea` is the document's id; `paths` are the other files of the bundle, and `missing` those
/// that it lacks, in order.
pub fn readme<'a>(
    idea: &str,
    key: &VerifierKey,
    paths: impl IntoIterator<Item = &'a str>,
    missing: impl IntoIterator<Item = &'a str>,
) -> String {
    let paths: Vec<_> = paths.into_iter().collect();
    let matching = |prefix: &str, suffix: &str| -> Vec<&str> {
        let fits = |path: &&str| path.starts_with(prefix) && path.ends_with(suffix);
        paths.iter().copied().filter(fits).collect()
    };
    let mut text = format!(
        "Evidence of the idea {idea}\n\n\
         This folder shows what was recorded about the idea and when, and lets you check it\n\
         without the server that made it. Work in a copy, in this folder, without a network.\n\n\
         All at once (Python 3.9 and OpenSSL 3; read the script first, it is short):\n\n\
         \x20 python3 verify.py --key VKEY --roots ROOTS.pem\n\n\
         VKEY is the log's key from a source other than this folder, such as the server's\n\
         evidence page or an older bundle. In this folder it is:\n\n\
         \x20 {key}\n\n\
         ROOTS.pem are certificates of time-stamping authorities that you trust. Leave out\n\
         what you do not have. With the server's own program: ideavault verify BUNDLE.zip\n\n\
         One by one:\n"
    );
    let mut section = |title: &str, commands: Vec<String>| {
        if commands.is_empty() {
            return;
        }
        text.push('\n');
        text.push_str(title);
        text.push_str("\n\n");
        for command in commands {
            text.push_str("  ");
            text.push_str(&command);
            text.push('\n');
        }
    };
    let sums = |paths: Vec<&str>| -> Vec<String> {
        paths
            .into_iter()
            .map(|path| format!("sha256sum {}", quoted(path)))
            .collect()
    };
    section(
        "Missing. An export of an account has its images and PDFs beside the bundles: look for\n\
         the same name there. Else the vault had lost these or could not decrypt them. Ask its\n\
         operator to restore them from a backup, then download the evidence again:",
        missing.into_iter().map(quoted).collect(),
    );
    section(
        "Content and texts: the sum stands as sha256 in a file of disclosures/.",
        sums([matching("idea/", ""), matching("agreements/", ".txt")].concat()),
    );
    section(
        "Disclosures: the sum stands in events/N.json, N being the number in the name.",
        sums(matching("disclosures/", ".json")),
    );
    section(
        "Signature of the log (it covers every event below its size):",
        vec![
            "openssl pkeyutl -verify -pubin -inkey log/key.pem -rawin -in log/checkpoint.body \
             -sigfile log/checkpoint.sig"
                .to_owned(),
        ],
    );
    section(
        "Place of an event (any program for https://c2sp.org/tlog-proof and RFC 9162; the\n\
         entry is the SHA-256 of events/N.json, 32 bytes):",
        matching("events/", ".tlog-proof")
            .into_iter()
            .map(str::to_owned)
            .collect(),
    );
    section(
        "Time by an authority (-attime SECONDS if its certificate has expired since):",
        matching("anchors/", ".tsr")
            .into_iter()
            .map(|path| {
                let name = path.strip_suffix(".tsr").unwrap_or(path);
                format!("openssl ts -verify -data {name}.checkpoint -in {path} -CAfile ROOTS.pem")
            })
            .collect(),
    );
    section(
        "Time by Bitcoin (pip install opentimestamps-client; without a node of your own it\n\
         prints the block and the Merkle root to compare: ots --no-bitcoin -v verify FILE):",
        [matching("anchors/", ".ots"), matching("events/", ".ots")]
            .concat()
            .into_iter()
            .map(ots::verify_command)
            .collect(),
    );
    section(
        "Time by a witness of the log (any program for https://c2sp.org/tlog-cosignature; VKEY is\n\
         the key of the witness, from elsewhere):",
        match matching("anchors/", ".cosigned").is_empty() {
            true => Vec::new(),
            false => vec!["ideavault verify BUNDLE.zip --witness VKEY".to_owned()],
        },
    );
    if matching("anchors/", "").is_empty() {
        text.push_str("\nNobody but the server itself confirms the times in this bundle.\n");
    }
    text
}

/// Quotes a path for a shell.
fn quoted(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte);
    if path.bytes().all(plain) {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}
