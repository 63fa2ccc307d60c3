//! Tells the program which commit it is built from: what `IDEAVAULT_COMMIT` says, or in a release
//! build what the checkout is at. Other builds do not ask, or each commit would build them again.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=IDEAVAULT_COMMIT");
    let given = env::var("IDEAVAULT_COMMIT").ok();
    let given = given.filter(|commit| !commit.trim().is_empty());
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let found = given.or_else(|| is_release.then(of_checkout).flatten());
    let commit = found.unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=IDEAVAULT_COMMIT={}", commit.trim());
}

/// Returns the commit of the checkout; none where there is no checkout or no Git.
fn of_checkout() -> Option<String> {
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    // Changes with each commit, and with each other branch.
    println!(
        "cargo::rerun-if-changed={}",
        git(&["rev-parse", "--git-path", "logs/HEAD"])?
    );
    Some(commit)
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success()).then(|| text.trim().to_owned())
}
