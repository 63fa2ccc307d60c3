//! Whether all that was acknowledged is there.

use std::path::Path;

use serde_json::Value;

use crate::Outcome;

use super::client::{Client, Idea};
use super::instance::Vault;

/// Numbers of acknowledged items that were compared.
#[derive(Default)]
pub(super) struct Found {
    /// Acknowledged ideas.
    pub(super) ideas: usize,
    /// Acknowledged comments.
    pub(super) comments: usize,
    /// Acknowledged files.
    pub(super) files: usize,
    /// Those that are not there, each as it is to be shown.
    pub(super) lost: Vec<String>,
}

/// Reads everything that was acknowledged.
pub(super) fn compare(clients: &mut [Client]) -> Outcome<Found> {
    let mut found = Found::default();
    for client in clients {
        client.browser.reconnect()?;
        let ideas = std::mem::take(&mut client.ideas);
        for idea in &ideas {
            found.compare(client, idea)?;
        }
    }
    Ok(found)
}

impl Found {
    fn compare(&mut self, client: &mut Client, idea: &Idea) -> Outcome<()> {
        let id = idea.id;
        let stored = client
            .browser
            .call("GET", &format!("/api/ideas/{id}"), &Value::Null);
        let is_there = stored
            .is_ok_and(|stored| stored.get("title").and_then(Value::as_str) == Some(&idea.title));
        self.ideas += 1;
        if !is_there {
            self.lost.push(format!("idea {id}: {}", idea.title));
            return Ok(());
        }
        let path = format!("/api/comments?ideaId={id}");
        let comments = client.browser.call("GET", &path, &Value::Null)?;
        let comments = comments.as_array().map(Vec::as_slice).unwrap_or_default();
        for comment in &idea.comments {
            self.comments += 1;
            let is_it =
                |stored: &Value| stored.get("content").and_then(Value::as_str) == Some(comment);
            if !comments.iter().any(is_it) {
                self.lost.push(format!("on idea {id}: {comment}"));
            }
        }
        if let Some((path, content)) = &idea.file {
            self.files += 1;
            let stored = client.browser.download(path)?;
            if stored != *content {
                self.lost.push(format!("file {path}"));
            }
        }
        Ok(())
    }
}

/// Runs `ideavault evidence check`, and returns what it prints and whether it found no difference.
pub(super) fn record(vault: &Vault, data: &Path) -> Outcome<(String, bool)> {
    let output = vault.command(data).args(["evidence", "check"]).output()?;
    let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Ok((said, output.status.success()))
}
