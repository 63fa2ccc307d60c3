//! Files in a bundle for verification without this program.

use crate::ots;

/// `verify.py`: verifies an unpacked bundle with Python's standard library and OpenSSL.
pub const VERIFY_PY: &str = include_str!("../assets/verify.py");

/// The middle of `README.txt`, and how `report.html` begins. They belong to version 2 of the format:
/// verifiers refuse other ones.
pub const README: &str = include_str!("../assets/README.txt");
/// See [`README`].
pub const REPORT_START: &str = include_str!("../assets/report.html");

/// How `README.txt` began in version 1 of the format.
const README_1: &str = include_str!("../assets/README-1.txt");

/// Path of the script that a bundle brings along.
pub const SCRIPT: &str = "verify.py";

/// Path of the instructions for those who check a bundle.
pub const INSTRUCTIONS: &str = "README.txt";

/// Path of the report.
pub const REPORT: &str = "report.html";

/// Returns `README.txt`: what it is and the page that checks it, [`README`], the key, and a command for
/// each file that one checks. All of it follows from the other files, so that nobody can write another
/// one.
///
/// `idea` is the number of the idea; `paths` are the other files of the bundle, and `missing` those
/// that it lacks, in order.
pub fn readme<'a>(
    idea: &str,
    vkey: &str,
    paths: impl IntoIterator<Item = &'a str>,
    missing: impl IntoIterator<Item = &'a str>,
) -> String {
    let host = vkey.split('/').next().unwrap_or_default();
    let end = readme_end(vkey, paths, missing);
    format!(
        "Evidence of the idea {idea}\n\nTo check it, drop this folder or its zip file on the page \
         {host}/verify, in a browser, or on\nthat page of any vault that you trust.\n\n{README}{end}"
    )
}

/// Returns the `README.txt` that [`readme`] returned in version 1 of the format.
pub(crate) fn readme_of_version_1<'a>(
    idea: &str,
    vkey: &str,
    paths: impl IntoIterator<Item = &'a str>,
    missing: impl IntoIterator<Item = &'a str>,
) -> String {
    let end = readme_end(vkey, paths, missing);
    format!("{README_1}Idea: {idea}\n{end}")
}

fn readme_end<'a>(
    vkey: &str,
    paths: impl IntoIterator<Item = &'a str>,
    missing: impl IntoIterator<Item = &'a str>,
) -> String {
    let mut text = format!("Key in this folder: {vkey}\n");
    for path in missing {
        text.push_str("Missing: ");
        text.push_str(path);
        text.push('\n');
    }
    for command in paths.into_iter().filter_map(command) {
        text.push_str("  ");
        text.push_str(&command);
        text.push('\n');
    }
    text
}

/// Returns the command that checks a file.
fn command(path: &str) -> Option<String> {
    // The files of an older log lie in a folder of its own.
    let (at, file) = match path.split_once('/') {
        Some((folder, file)) if file.contains('/') => (format!("{folder}/"), file),
        _ => (String::new(), path),
    };
    let summed = ["idea/", "agreements/", "disclosures/"];
    if summed.iter().any(|folder| file.starts_with(folder)) {
        Some(format!("sha256sum {path}"))
    } else if file == "log/checkpoint.sig" {
        Some(format!(
            "openssl pkeyutl -verify -pubin -inkey {at}log/key.pem -rawin -in \
             {at}log/checkpoint.body -sigfile {path}"
        ))
    } else if let Some(stem) = path.strip_suffix(".tsr") {
        Some(format!(
            "openssl ts -verify -data {stem}.checkpoint -in {path} -CAfile ROOTS.pem"
        ))
    } else {
        path.ends_with(".ots").then(|| ots::verify_command(path))
    }
}
