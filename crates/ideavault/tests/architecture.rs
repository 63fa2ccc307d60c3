//! Checks the direction of dependencies between the workspace's crates, and which crates
//! they may use. A crate that is not listed here fails the test, so that a new one has to
//! state first what it may depend on.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use cargo_metadata::{DependencyKind, MetadataCommand};

/// Crates without input or output, which `domain`, `application` and `evidence` may use.
const PURE: [&str; 12] = [
    "base64",
    "chrono",
    "email_address",
    "icu_normalizer",
    "icu_properties",
    "idna",
    "serde",
    "serde_json",
    "serde_json_canonicalizer",
    "sha2",
    "thiserror",
    "uuid",
];

/// Further ones, for the formats of evidence.
const FORMATS: [&str; 5] = [
    "ed25519-dalek",
    "flate2",
    "rawzip",
    "signed_note",
    "tlog_tiles",
];

/// The workspace's own crates that each crate may depend on.
const OWN: [(&str, &[&str]); 15] = [
    ("domain", &[]),
    ("allocator", &[]),
    // The proofs of calendars are part of the formats of evidence.
    ("anchors", &["domain", "evidence"]),
    ("application", &["domain", "evidence"]),
    ("content", &["domain"]),
    ("crypto", &["domain"]),
    ("db", &["domain"]),
    ("documents", &["domain"]),
    ("evidence", &["domain"]),
    ("files", &["domain"]),
    ("llm", &["domain"]),
    ("mail", &["domain"]),
    ("web", &["application", "crypto", "db", "domain", "files"]),
    (
        "ideavault",
        &[
            "allocator",
            "anchors",
            "application",
            "content",
            "crypto",
            "db",
            "documents",
            "domain",
            "evidence",
            "files",
            "llm",
            "mail",
            "web",
        ],
    ),
    // Measures from outside, through the API; fills the database directly.
    ("bench", &["crypto", "db", "domain"]),
];

/// Crates that may use actix: the HTTP adapter, the binary that runs it, and the bare server
/// that is measured beside it.
const KNOW_ACTIX: [&str; 3] = ["web", "ideavault", "bench"];

struct CrateDependencies {
    own: BTreeSet<String>,
    foreign: BTreeSet<String>,
}

fn crates() -> BTreeMap<String, CrateDependencies> {
    let metadata = MetadataCommand::new()
        .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .no_deps()
        .exec()
        .unwrap();
    let short = |name: &str| match name {
        "ideavault" => Some(name.to_owned()),
        _ => name.strip_prefix("ideavault-").map(str::to_owned),
    };
    metadata
        .workspace_packages()
        .into_iter()
        .map(|package| {
            let (own, foreign): (BTreeSet<_>, BTreeSet<_>) = package
                .dependencies
                .iter()
                .filter(|dependency| dependency.kind == DependencyKind::Normal)
                .map(|dependency| dependency.name.clone())
                .partition(|name| short(name).is_some());
            let own = own.iter().filter_map(|name| short(name)).collect();
            let name = short(package.name.as_str()).unwrap();
            (name, CrateDependencies { own, foreign })
        })
        .collect()
}

#[test]
fn every_crate_depends_only_on_allowed_crates() {
    let allowed: BTreeMap<_, _> = OWN.into_iter().collect();
    for (name, dependencies) in crates() {
        let allowed = allowed
            .get(name.as_str())
            .unwrap_or_else(|| panic!("{name} is not in the table"));
        for dependency in &dependencies.own {
            assert!(
                allowed.contains(&dependency.as_str()),
                "{name} must not depend on {dependency}"
            );
        }
    }
}

#[test]
fn domain_application_and_evidence_depend_only_on_pure_crates() {
    let crates = crates();
    for (name, further) in [
        ("domain", &[][..]),
        ("application", &[]),
        ("evidence", &FORMATS),
    ] {
        for dependency in &crates[name].foreign {
            let dependency = dependency.as_str();
            assert!(
                PURE.contains(&dependency) || further.contains(&dependency),
                "{name} must not depend on {dependency}"
            );
        }
    }
}

#[test]
fn only_db_depends_on_diesel_and_only_the_server_on_actix() {
    for (name, dependencies) in crates() {
        for dependency in &dependencies.foreign {
            assert!(
                !dependency.starts_with("diesel") || name == "db",
                "{name} must not depend on {dependency}"
            );
            assert!(
                !dependency.starts_with("actix") || KNOW_ACTIX.contains(&name.as_str()),
                "{name} must not depend on {dependency}"
            );
        }
    }
}

/// The files of the HTTP adapter that may lead to other threads: turns, and the probe that shows
/// whether those who have one are answered.
const LEAD_TO_THREADS: [&str; 2] = ["http/turns.rs", "http/stalls.rs"];

#[test]
fn the_http_adapter_has_one_way_to_threads() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/src");
    let mut folders = vec![sources.clone()];
    let mut leading = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let ways = ["web::block", "spawn_blocking", "thread::"];
            if ways.iter().any(|way| text.contains(way)) {
                let path = path.strip_prefix(&sources).unwrap();
                leading.insert(path.to_str().unwrap().replace('\\', "/"));
            }
        }
    }
    assert_eq!(leading, LEAD_TO_THREADS.map(str::to_owned).into());
}
