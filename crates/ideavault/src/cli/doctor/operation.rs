//! Checks of the state that servers have recorded: events, mails, jobs and backups.

use std::sync::Arc;

use chrono::Duration;
use ideavault_application::status::Report;
use ideavault_db::SqlDatabase;
use ideavault_domain::Timestamp;

use super::findings::Findings;
use super::line;
use crate::cli::status::vault_status;
use crate::config::ServeOptions;
use crate::data;
use crate::status::{Recording, VaultStatus};

/// Age of the last backup that needs attention.
const BACKUP_MAX_AGE: Duration = Duration::days(2);
/// Time for which a mail may wait without attention.
const MAIL_MAX_AGE: Duration = Duration::minutes(15);

/// Checks what servers have recorded about their work.
pub(super) fn operation(
    database: &Arc<SqlDatabase>,
    serve: &ServeOptions,
    findings: &mut Findings,
) {
    // Wrong settings are told with the settings.
    let witnesses = serve.anchors.services().unwrap_or_default();
    match vault_status(database, &serve.data, witnesses) {
        Ok(status) => {
            if let Some(report) = &status.report {
                work(&status, report, findings);
            }
            match &status.recording {
                Some(recording @ Recording::Running) => findings.ok("recording", recording.text()),
                Some(recording @ Recording::NotBegun) => {
                    findings.warn("recording", recording.text());
                }
                Some(recording @ Recording::Stopped(_)) => {
                    findings.fail("recording", recording.text());
                }
                None => {}
            }
        }
        Err(error) => findings.fail("recording", line(&error)),
    }
    match data::log_named_after_this_machine(database) {
        Ok(None) => {}
        Ok(Some(name)) => {
            findings.warn("recording", format!("{name}: {}", data::LOG_NAME_ADVICE));
        }
        Err(error) => findings.fail("recording", line(&error)),
    }
}

fn work(status: &VaultStatus, report: &Report, findings: &mut Findings) {
    let row = |name: &str| {
        let rows = status.rows();
        let row = rows.into_iter().find(|(heading, _)| *heading == name);
        row.map(|(_, text)| text).unwrap_or_default()
    };
    let waiting = row("mails waiting");
    if report
        .oldest_mail_age()
        .is_some_and(|age| age > MAIL_MAX_AGE)
    {
        let advice = "see the log of the server, and whether one runs";
        findings.warn("mail", format!("waiting: {waiting}; {advice}"));
    } else {
        findings.ok("mail", format!("waiting: {waiting}"));
    }
    let is_failing = |state: &&ideavault_domain::job::JobState| {
        state.failures > 0 || state.is_overdue(report.at)
    };
    let is_failing = report.jobs.iter().any(|state| is_failing(&state));
    let jobs = row("jobs");
    if is_failing {
        let advice = "see the log of the server, and whether one runs";
        findings.warn("jobs", format!("{jobs}; {advice}"));
    } else {
        findings.ok("jobs", jobs);
    }
    if !report.failing_anchors.is_empty() {
        findings.warn("anchors", row("anchors"));
    }
    let backup = row("last backup");
    let is_recent = |at: Timestamp| report.at - at <= BACKUP_MAX_AGE;
    if report.last_backup.is_some_and(is_recent) {
        findings.ok("backup", format!("last at {backup}"));
    } else {
        let text = format!("last: {backup}. Run `ideavault backup FOLDER` every night");
        findings.warn("backup", text);
    }
}
