//! Whether the user of the server can use what is in the data folder.

use std::fs;
use std::path::{Path, PathBuf};

use super::findings::Findings;
use crate::config::DataOptions;
use crate::data::FILES;
use crate::ownership::{ForeignVault, foreign_to_root};
use crate::platform::{User, may_use};

const AREA: &str = "user";
/// Most files and folders that are named.
const NAMED_MAX: usize = 3;

/// Replaces this process by one of the user that the vault belongs to, if this one is root's and
/// the vault is not: only that user can tell what the server can do. Returns if that is not needed,
/// or does not work.
pub fn become_owner(data: &DataOptions) {
    #[cfg(unix)]
    if let Some(ForeignVault { owner, .. }) = foreign_to_root(&data.data_dir, FILES) {
        use std::os::unix::process::CommandExt as _;
        let Ok(program) = std::env::current_exe() else {
            return;
        };
        // With the groups of the user, which may be what lets it read a file.
        let groups = match owner.name() {
            Some(_) => "--init-groups",
            None => "--clear-groups",
        };
        let group = owner.group().unwrap_or(owner.id());
        let mut command = std::process::Command::new("setpriv");
        command
            .arg(format!("--reuid={}", owner.id()))
            .arg(format!("--regid={group}"))
            .args([groups, "--"])
            .arg(program)
            .args(std::env::args_os().skip(1));
        // It returns only where there is no such program; then the report says what to do.
        let error = command.exec();
        tracing::debug!(%error, "went on as root");
    }
}

pub(super) fn user(data: &DataOptions, findings: &mut Findings) {
    let Some(current) = User::current() else {
        return;
    };
    let folder = data.data_dir.display();
    if let Some(ForeignVault { path, owner }) = foreign_to_root(&data.data_dir, FILES) {
        let text = format!(
            "this is root, and {} belongs to {owner}: run it as that user, to see what the server \
             can do",
            path.display()
        );
        return findings.fail(AREA, text);
    }
    let mut foreign = Foreign {
        of: current,
        unusable: Vec::new(),
        usable: Vec::new(),
    };
    foreign.look_through(data);
    let found = |paths: &[(PathBuf, User)]| {
        let named = paths.iter().take(NAMED_MAX);
        let named = named.map(|(path, owner)| format!("{} ({owner})", path.display()));
        let named = named.collect::<Vec<_>>().join(", ");
        match paths.len().checked_sub(NAMED_MAX) {
            Some(more) if more > 0 => format!("{named} and {more} more"),
            _ => named,
        }
    };
    if !foreign.unusable.is_empty() {
        let text = format!(
            "{current} cannot use what belongs to others in the data folder: {}. Run `chown -R \
             {owner}: {folder}` as root; if {current} is not the user of the server, run this as \
             the one that is",
            found(&foreign.unusable),
            owner = chown_name(current),
        );
        findings.fail(AREA, text);
    }
    if !foreign.usable.is_empty() {
        let text = format!(
            "these belong to others than {current}, who can use them: {}. If that is not meant, \
             run `chown -R {owner}: {folder}` as root",
            found(&foreign.usable),
            owner = chown_name(current),
        );
        findings.warn(AREA, text);
    }
    if foreign.unusable.is_empty() && foreign.usable.is_empty() {
        findings.ok(AREA, format!("{current}, to whom the data folder belongs"));
    }
}

/// Returns the user as `chown` takes it.
fn chown_name(user: User) -> String {
    user.name().unwrap_or_else(|| user.id().to_string())
}

/// Files and folders that do not belong to a given user.
struct Foreign {
    of: User,
    unusable: Vec<(PathBuf, User)>,
    usable: Vec<(PathBuf, User)>,
}

impl Foreign {
    fn look_through(&mut self, data: &DataOptions) {
        let folder = &data.data_dir;
        self.look_at(folder, true);
        for path in entries(folder) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            // The server replaces others as a whole, which needs the folder alone.
            let is_written = path.is_dir() || name.contains(".sqlite") || name.ends_with(".lock");
            self.look_at(&path, is_written);
        }
        let files = folder.join(FILES);
        for path in entries(&files) {
            let is_folder = path.is_dir();
            self.look_at(&path, is_folder);
            if is_folder {
                // They never change.
                entries(&path).for_each(|file| self.look_at(&file, false));
            }
        }
        if let Some(("sqlite", path)) = data.database_url().split_once("://")
            && !Path::new(path).starts_with(folder)
        {
            self.look_at(Path::new(path), true);
        }
    }

    fn look_at(&mut self, path: &Path, is_written: bool) {
        let Ok(Some(owner)) = User::owner_of(path) else {
            // Missing or hidden files are reported by the check that needs them.
            return;
        };
        if owner == self.of {
            return;
        }
        let list = match may_use(path, is_written) {
            true => &mut self.usable,
            false => &mut self.unusable,
        };
        list.push((path.to_owned(), owner));
    }
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path())
}
