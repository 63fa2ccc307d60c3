//! The shares of the run before this one on the same machine, to compare with.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::Outcome;
use crate::report::Row;

/// The share of the bare route that each route had, in percent.
pub(crate) struct Earlier {
    file: PathBuf,
    shares: BTreeMap<String, f64>,
}

impl Earlier {
    /// Reads what was kept of a run on that database; nothing, if there was none.
    pub(crate) fn read(folder: &Path, database: &str) -> Outcome<Self> {
        let file = folder.join(format!("bench-{}.json", database.to_lowercase()));
        let shares = if file.exists() {
            let kept: Value = serde_json::from_slice(&std::fs::read(&file)?)?;
            let shares = kept.as_object().into_iter().flatten();
            shares
                .filter_map(|(title, share)| Some((title.clone(), share.as_f64()?)))
                .collect()
        } else {
            BTreeMap::new()
        };
        Ok(Self { file, shares })
    }

    /// Returns the share of a route as it is printed.
    pub(crate) fn share_of(&self, title: &str) -> String {
        let share = self.shares.get(title);
        share.map_or_else(|| "-".into(), |share| format!("{share:.0}%"))
    }

    /// Keeps the shares of this run for the next one.
    pub(crate) fn replace(&self, rows: &[Row]) -> Outcome<()> {
        let shares: BTreeMap<&str, f64> = rows.iter().map(|row| (row.title, row.share())).collect();
        Ok(std::fs::write(&self.file, serde_json::to_vec(&shares)?)?)
    }
}
