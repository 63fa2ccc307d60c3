//! The state of the vault, as `ideavault status` prints it and `/readyz` reports it to
//! callers on this machine.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use chrono::SecondsFormat;
use ideavault_application::event_log::Stopped;
use ideavault_application::status::Report;
use ideavault_db::{DatabaseKind, DatabaseState, SchemaState};
use ideavault_domain::Timestamp;
use ideavault_domain::evidence::{Anchor, AnchorService};
use ideavault_domain::job::JobState;
use ideavault_files::DiskSpace;
use serde_json::{Map, Value, json};

use crate::version::{COMMIT, VERSION, VERSION_AND_COMMIT};

/// The state of the log of events on this server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recording {
    /// Events get their places, and are signed for.
    Running,
    /// The first log begins when a server starts.
    NotBegun,
    /// The database does not extend what was signed for.
    Stopped(Stopped),
}

impl Recording {
    /// Returns the state of a log that has begun.
    #[must_use]
    pub fn of(stopped: Option<Stopped>) -> Self {
        stopped.map_or(Self::Running, Self::Stopped)
    }

    /// Returns a text for people.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Running => "running".to_owned(),
            Self::NotBegun => "not begun: start the server once".to_owned(),
            Self::Stopped(reason) => format!(
                "stopped: {reason}. Before `ideavault evidence resume`, which cannot be undone, see \
                 docs/operations.md#recording-stopped"
            ),
        }
    }

    fn json(&self) -> Value {
        let (state, reason) = match self {
            Self::Running => ("running", None),
            Self::NotBegun => ("not-begun", None),
            Self::Stopped(reason) => ("stopped", Some(reason.to_string())),
        };
        json!({ "state": state, "reason": reason })
    }
}

/// Figures for the operator.
pub struct VaultStatus {
    /// The database and its schema.
    pub database: DatabaseState,
    /// Figures from the database; none if its schema is not that of this program.
    pub report: Option<Report>,
    /// Whether events are recorded; none if the schema is not that of this program.
    pub recording: Option<Recording>,
    /// The outside witnesses that are set up.
    pub witnesses: Vec<AnchorService>,
    /// Free space for the data folder, in bytes; none if unknown.
    pub free_bytes: Option<u64>,
}

impl VaultStatus {
    /// Adds the free space to the figures of the database.
    #[must_use]
    pub fn new(
        database: DatabaseState,
        report: Option<Report>,
        recording: Option<Recording>,
        witnesses: Vec<AnchorService>,
        data_dir: &Path,
    ) -> Self {
        let free_bytes = DiskSpace::of(data_dir)
            .inspect_err(|error| tracing::warn!(%error, "could not determine the free space"))
            .ok()
            .map(|space| space.free);
        Self {
            database,
            report,
            recording,
            witnesses,
            free_bytes,
        }
    }

    /// Returns names and values, for reading.
    #[must_use]
    pub fn rows(&self) -> Vec<(&'static str, String)> {
        let unknown = || "unknown until the schema is current".to_owned();
        let report = self.report.as_ref();
        let space = match self.free_bytes {
            Some(bytes) => format!("{} MB", bytes / 1_000_000),
            None => "unknown".to_owned(),
        };
        vec![
            ("version", VERSION_AND_COMMIT.to_owned()),
            ("database", self.database_name()),
            ("schema", self.schema()),
            ("mails waiting", report.map_or_else(unknown, waiting)),
            ("mails given up", report.map_or_else(unknown, given_up)),
            ("last backup", report.map_or_else(unknown, last_backup)),
            ("free space", space),
            ("jobs", report.map_or_else(unknown, jobs)),
            ("witnesses", names(&self.witnesses)),
            ("anchors", report.map_or_else(unknown, anchors)),
            (
                "recording",
                self.recording
                    .as_ref()
                    .map_or_else(unknown, Recording::text),
            ),
        ]
    }

    /// Returns the figures as JSON, for programs.
    #[must_use]
    pub fn json(&self) -> Value {
        Value::Object(self.facts())
    }

    /// Returns the members of [`VaultStatus::json`].
    #[must_use]
    pub fn facts(&self) -> Map<String, Value> {
        let (schema, pending) = match &self.database.schema {
            SchemaState::Current => ("current", 0),
            SchemaState::Pending(count) => ("pending", *count),
            SchemaState::Newer(_) => ("newer", 0),
            SchemaState::Unknown(_) => ("unknown", 0),
        };
        let mails = self.report.as_ref().map(|report| {
            json!({
                "waiting": report.mails.count,
                "oldestSince": report.mails.since.map(time),
                "oldestAgeSeconds": report.oldest_mail_age().map(|age| age.num_seconds()),
                "givenUp": report.given_up.count,
                "lastGivenUp": report.given_up.last.map(time),
            })
        });
        let facts = json!({
            "version": VERSION,
            "commit": COMMIT,
            "database": {
                "kind": kind(self.database.kind).to_lowercase(),
                "version": self.database.version,
                "schema": schema,
                "pendingMigrations": pending,
            },
            "mails": mails,
            "lastBackup": self.report.as_ref().map(|report| {
                report.last_backup.map_or_else(|| "never".to_owned(), time)
            }),
            "freeBytes": self.free_bytes,
            "jobs": self.report.as_ref().map(|report| {
                report.jobs.iter().map(job_json).collect::<Vec<_>>()
            }),
            "recording": self.recording.as_ref().map(Recording::json),
            "witnesses": self.witnesses.iter().map(|service| {
                json!({ "name": service.name, "kind": service.kind.as_str() })
            }).collect::<Vec<_>>(),
            "failingAnchors": self.report.as_ref().map(|report| {
                failing_outsiders(report).values().map(|anchor| anchor_json(anchor)).collect::<Vec<_>>()
            }),
        });
        match facts {
            Value::Object(facts) => facts,
            _ => Map::new(),
        }
    }

    /// Returns the name and the version of the database.
    #[must_use]
    pub fn database_name(&self) -> String {
        database_name(&self.database)
    }

    /// Returns how the schema compares to that of this program.
    #[must_use]
    pub fn schema(&self) -> String {
        match &self.database.schema {
            SchemaState::Current => "current".to_owned(),
            SchemaState::Pending(1) => "1 migration is pending: start the server to run it".into(),
            SchemaState::Pending(count) => {
                format!("{count} migrations are pending: start the server to run them")
            }
            SchemaState::Newer(migration) => {
                format!("of a newer version, with the migration {migration}; this one can use it")
            }
            SchemaState::Unknown(migration) => {
                format!("of a newer version, which had the migration {migration}")
            }
        }
    }
}

/// Returns the name and the version of a database.
#[must_use]
pub fn database_name(state: &DatabaseState) -> String {
    format!("{} {}", kind(state.kind), state.version)
}

fn kind(kind: DatabaseKind) -> &'static str {
    match kind {
        DatabaseKind::Sqlite => "SQLite",
        DatabaseKind::Postgres => "Postgres",
    }
}

fn time(at: Timestamp) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

fn waiting(report: &Report) -> String {
    let count = report.mails.count;
    match (report.mails.since, report.oldest_mail_age()) {
        (Some(since), Some(age)) => {
            let seconds = u64::try_from(age.num_seconds()).unwrap_or_default();
            let age = humantime::format_duration(Duration::from_secs(seconds));
            format!("{count}, the oldest for {age}, since {}", time(since))
        }
        _ => count.to_string(),
    }
}

fn given_up(report: &Report) -> String {
    let count = report.given_up.count;
    match report.given_up.last {
        Some(last) => format!("{count}, the last at {}", time(last)),
        None => count.to_string(),
    }
}

fn last_backup(report: &Report) -> String {
    report.last_backup.map_or_else(|| "never".to_owned(), time)
}

/// Names what is wrong with the scheduled jobs, if anything is.
fn jobs(report: &Report) -> String {
    let failing: Vec<_> = report
        .jobs
        .iter()
        .filter(|state| state.failures > 0 || state.is_overdue(report.at))
        .map(|state| {
            let last = state.last_success.map_or_else(|| "never".to_owned(), time);
            let job = state.job;
            match state.failures {
                0 => format!("{job} is overdue, last done: {last}"),
                failures => format!("{job} failed {failures} times in a row, last done: {last}"),
            }
        })
        .collect();
    if failing.is_empty() {
        "none is failing".to_owned()
    } else {
        failing.join("; ")
    }
}

/// Names the outside witnesses that are set up.
pub fn names(witnesses: &[AnchorService]) -> String {
    if witnesses.is_empty() {
        return "none".to_owned();
    }
    let names: Vec<_> = witnesses.iter().map(|found| found.name.as_str()).collect();
    names.join(", ")
}

/// Names the outsiders that do not confirm the log, if there are any.
fn anchors(report: &Report) -> String {
    let failing: Vec<_> = failing_outsiders(report)
        .values()
        .map(|anchor| {
            let host = &anchor.service.name;
            let last = anchor.asked_at.map_or_else(|| "never".to_owned(), time);
            let reason = anchor.error.as_deref().unwrap_or_default();
            format!("{host} failed, last at {last}: {reason}")
        })
        .collect();
    if failing.is_empty() {
        "none is failing".to_owned()
    } else {
        failing.join("; ")
    }
}

/// Returns of each outsider the newest anchor that fails.
pub fn failing_outsiders(report: &Report) -> BTreeMap<&str, &Anchor> {
    let mut newest = BTreeMap::new();
    for anchor in &report.failing_anchors {
        let name = anchor.service.name.as_str();
        newest.entry(name).or_insert(anchor);
    }
    newest
}

fn anchor_json(anchor: &Anchor) -> Value {
    json!({
        "name": anchor.service.name,
        "kind": anchor.service.kind.as_str(),
        "state": anchor.state.as_str(),
        "attempts": anchor.attempts,
        "lastAttempt": anchor.asked_at.map(time),
        "error": anchor.error,
    })
}

fn job_json(state: &JobState) -> Value {
    json!({
        "name": state.job.as_str(),
        "dueAt": time(state.due_at),
        "lastSuccess": state.last_success.map(time),
        "failures": state.failures,
    })
}

#[cfg(test)]
mod tests {
    use ideavault_domain::audit::Occurrences;
    use ideavault_domain::evidence::{AnchorKind, AnchorService, LogId};
    use ideavault_domain::job::ScheduledJob;
    use ideavault_domain::mail::WaitingMails;

    use super::*;

    fn status(schema: SchemaState, report: Option<Report>) -> VaultStatus {
        VaultStatus {
            database: DatabaseState {
                kind: DatabaseKind::Sqlite,
                version: "3.50.4".into(),
                schema,
            },
            recording: report.is_some().then_some(Recording::Running),
            report,
            witnesses: Vec::new(),
            free_bytes: Some(12_345_678),
        }
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn row(status: &VaultStatus, name: &str) -> String {
        let rows = status.rows();
        let found = rows.into_iter().find(|(heading, _)| *heading == name);
        found.unwrap().1
    }

    fn failing(size: u64) -> Anchor {
        let service = AnchorService {
            kind: AnchorKind::Tsa,
            name: "tsa.example.org".into(),
        };
        let now = at("2026-11-22T12:00:00Z");
        let mut anchor = Anchor::queued(LogId::FIRST, size, service, now);
        anchor.asked_at = Some(now);
        anchor.fail(false, &format!("attempt {size}"), now, 0);
        anchor
    }

    #[test]
    fn a_full_report_has_every_row() {
        let report = Report {
            at: at("2026-11-22T12:05:00Z"),
            mails: WaitingMails {
                count: 3,
                since: Some(at("2026-11-22T10:00:00Z")),
            },
            given_up: Occurrences {
                count: 1,
                last: Some(at("2026-11-21T08:00:00Z")),
            },
            last_backup: Some(at("2026-11-20T01:00:00Z")),
            jobs: vec![
                JobState {
                    job: ScheduledJob::DeleteExpired,
                    due_at: at("2026-11-22T13:00:00Z"),
                    last_success: Some(at("2026-11-22T12:00:00Z")),
                    failures: 0,
                },
                JobState {
                    job: ScheduledJob::ThinDrafts,
                    due_at: at("2026-11-22T12:06:00Z"),
                    last_success: Some(at("2026-11-22T10:00:00Z")),
                    failures: 0,
                },
                JobState {
                    job: ScheduledJob::RemoveOrphans,
                    due_at: at("2026-11-22T12:06:00Z"),
                    last_success: None,
                    failures: 3,
                },
            ],
            failing_anchors: vec![failing(9), failing(7)],
        };
        let mut status = status(SchemaState::Current, Some(report));
        assert_eq!(row(&status, "witnesses"), "none");
        status.witnesses = [failing(9), failing(7)].map(|anchor| anchor.service).into();
        for (name, text) in [
            ("database", "SQLite 3.50.4"),
            ("schema", "current"),
            (
                "mails waiting",
                "3, the oldest for 2h 5m, since 2026-11-22T10:00:00Z",
            ),
            ("mails given up", "1, the last at 2026-11-21T08:00:00Z"),
            ("last backup", "2026-11-20T01:00:00Z"),
            ("free space", "12 MB"),
            ("witnesses", "tsa.example.org, tsa.example.org"),
            (
                "anchors",
                "tsa.example.org failed, last at 2026-11-22T12:00:00Z: attempt 9",
            ),
            (
                "jobs",
                "thin-drafts is overdue, last done: 2026-11-22T10:00:00Z; \
                 remove-orphans failed 3 times in a row, last done: never",
            ),
        ] {
            assert_eq!(row(&status, name), text);
        }
        let json = status.json();
        assert_eq!(json["mails"]["oldestAgeSeconds"], 7_500);
        assert_eq!(json["mails"]["givenUp"], 1);
        assert_eq!(json["lastBackup"], "2026-11-20T01:00:00Z");
        assert_eq!(json["freeBytes"], 12_345_678);
        assert_eq!(json["jobs"][0]["lastSuccess"], "2026-11-22T12:00:00Z");
        assert_eq!(json["jobs"][2]["failures"], 3);
        let witness = json!({ "name": "tsa.example.org", "kind": "tsa" });
        assert_eq!(json["witnesses"][1], witness);
        assert_eq!(json["failingAnchors"][0]["error"], "attempt 9");
    }

    #[test]
    fn data_missing_in_an_old_schema_is_reported_as_unknown() {
        let status = status(SchemaState::Pending(2), None);
        assert_eq!(
            row(&status, "schema"),
            "2 migrations are pending: start the server to run them"
        );
        for name in [
            "mails waiting",
            "mails given up",
            "last backup",
            "jobs",
            "anchors",
            "recording",
        ] {
            assert_eq!(row(&status, name), "unknown until the schema is current");
        }
        let json = status.json();
        assert_eq!(json["database"]["pendingMigrations"], 2);
        assert_eq!(json["lastBackup"], Value::Null);
        assert_eq!(json["recording"], Value::Null);
    }

    #[test]
    fn why_recording_has_stopped_is_told() {
        let mut status = status(SchemaState::Current, None);
        for (recording, text, state) in [
            (Recording::Running, "running", "running"),
            (
                Recording::NotBegun,
                "not begun: start the server once",
                "not-begun",
            ),
            (
                Recording::Stopped(Stopped::Forked { size: 7 }),
                "stopped: the first 7 events are not those that this server has signed for. Before \
                 `ideavault evidence resume`, which cannot be undone, see \
                 docs/operations.md#recording-stopped",
                "stopped",
            ),
        ] {
            status.recording = Some(recording);
            assert_eq!(row(&status, "recording"), text);
            let json = status.json();
            assert_eq!(json["recording"]["state"], state);
            assert_eq!(json["recording"]["reason"].is_string(), state == "stopped");
        }
    }
}
