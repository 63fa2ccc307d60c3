//! The HTML shells of the routes, which a browser can show before any script has run.
//!
//! The frontend's build writes one for each route, with the route's title, files and frame.
//! Invariant: the shell of an address depends on the pattern that it matches and on nothing
//! else. No shell reveals whether a token or an idea exists; what a document tells of a share
//! link or to a creator is filled in ([`crate::personal_content`]).

use rust_embed::RustEmbed;
use serde::Deserialize;
use thiserror::Error;

#[derive(RustEmbed)]
#[folder = "../../frontend/dist/shells"]
#[allow_missing = true]
struct Files;

/// The route table that the build wrote beside the shells.
const TABLE: &str = "routes.json";

/// Reasons why the embedded frontend cannot be served.
#[derive(Debug, Error)]
pub enum ShellsError {
    /// There are pages but no route table.
    #[error("the frontend in this binary has no route table; {REMEDY}")]
    NoTable,
    /// The route table is malformed.
    #[error("the route table of the frontend in this binary cannot be read; {REMEDY}")]
    Table(#[from] serde_json::Error),
    /// The route table names a file that is missing.
    #[error("the frontend in this binary has no shell `{0}`; {REMEDY}")]
    NoShell(String),
}

const REMEDY: &str = "build the frontend (npm run build), and then the server again";

/// Shells by the patterns of their paths.
#[derive(Debug, Default, Deserialize)]
pub struct Shells {
    /// Hashes of the scripts inside the shells, as source expressions of a policy.
    scripts: Vec<String>,
    routes: Vec<Route>,
}

/// A path pattern and its shell.
#[derive(Debug, Deserialize)]
struct Route {
    /// Pattern in the syntax of the frontend's router: `/document/:accessToken?`.
    path: String,
    shell: String,
    #[serde(default)]
    personal: Option<PersonalKind>,
}

/// The kind of content that a page embeds for one browser alone.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum PersonalKind {
    /// The preview of the link in the address, for a browser that is unknown to this vault.
    Preview,
    /// The agreement of the link in the address, to somebody who has to answer it.
    Agreement,
    /// The beginning of the document of the link in the address, within a view.
    Document,
    /// The ideas of the signed-in creator.
    Portfolio,
}

/// The shell of one address.
pub struct Shell<'a> {
    /// Its name.
    pub name: &'a str,
    /// The kind of content that it embeds for one browser alone.
    pub personal: Option<PersonalKind>,
    /// The parameter in the path.
    pub parameter: Parameter<'a>,
}

/// The parameter of a path, such as a token; none where the pattern leaves it open and the
/// address has none.
pub type Parameter<'a> = Option<&'a str>;

impl Shells {
    /// Loads the embedded shells.
    ///
    /// # Errors
    /// [`ShellsError`], also if a shell is missing that the table names.
    pub fn embedded() -> Result<Self, ShellsError> {
        let table = Files::get(TABLE).ok_or(ShellsError::NoTable)?;
        Self::read(&table.data, |file| Files::get(file).is_some())
    }

    fn read(table: &[u8], exists: impl Fn(&str) -> bool) -> Result<Self, ShellsError> {
        let shells: Self = serde_json::from_slice(table)?;
        match shells
            .routes
            .iter()
            .find(|route| !exists(&file_of(&route.shell)))
        {
            Some(route) => Err(ShellsError::NoShell(route.shell.clone())),
            None => Ok(shells),
        }
    }

    /// Returns the source expressions that allow the scripts inside the shells.
    #[must_use]
    pub fn script_sources(&self) -> String {
        let quoted = self.scripts.iter().map(|hash| format!("'{hash}'"));
        quoted.collect::<Vec<_>>().join(" ")
    }

    /// Returns the shell of a path; none if no route matches.
    #[must_use]
    pub fn of<'a>(&'a self, path: &'a str) -> Option<Shell<'a>> {
        let mut routes = self.routes.iter();
        let (route, parameter) =
            routes.find_map(|route| Some((route, parameter(&route.path, path)?)))?;
        Some(Shell {
            name: &route.shell,
            personal: route.personal,
            parameter,
        })
    }
}

/// Returns the template of the document of a shell.
#[must_use]
pub fn template(shell: &str) -> Option<String> {
    let file = Files::get(&file_of(shell))?;
    Some(String::from_utf8_lossy(&file.data).into_owned())
}

fn file_of(shell: &str) -> String {
    format!("{shell}.html")
}

/// Matches a path with a pattern, by the rules of the frontend's router: case and a trailing
/// slash do not matter. Returns the path's parameter; none at all if it does not match.
fn parameter<'a>(pattern: &str, path: &'a str) -> Option<Parameter<'a>> {
    let mut given = path.split('/').filter(|segment| !segment.is_empty());
    let mut parameter = None;
    for wanted in pattern.split('/').filter(|segment| !segment.is_empty()) {
        let segment = given.next();
        let fits = match wanted.strip_prefix(':') {
            Some(name) => {
                parameter = segment;
                segment.is_some() || name.ends_with('?')
            }
            None => segment.is_some_and(|segment| wanted.eq_ignore_ascii_case(segment)),
        };
        if !fits {
            return None;
        }
    }
    given.next().is_none().then_some(parameter)
}

#[cfg(test)]
mod tests {
    use super::{Shells, ShellsError, parameter};

    #[test]
    fn an_invalid_table_is_refused() {
        let read = |table: &str| Shells::read(table.as_bytes(), |file| file == "login.html");
        let good = r#"{"scripts": ["sha256-a", "sha256-b"], "routes": [{"path": "/login", "shell": "login"}]}"#;
        let shells = read(good).unwrap();
        assert_eq!(shells.routes.len(), 1);
        assert_eq!(shells.script_sources(), "'sha256-a' 'sha256-b'");
        for bad in [
            "",
            "{}",
            r#"{"routes": []}"#,
            r#"{"scripts": [], "routes": [{}]}"#,
            r#"{"scripts": [], "routes": [{"path": "/login"}]}"#,
        ] {
            assert!(matches!(read(bad), Err(ShellsError::Table(_))), "{bad}");
        }
        let leads_nowhere = good.replace("\"login\"", "\"gone\"");
        let error = read(&leads_nowhere).unwrap_err();
        assert!(error.to_string().contains("no shell `gone`"), "{error}");
    }

    #[test]
    fn a_path_matches_only_its_own_pattern() {
        for (pattern, path, found) in [
            ("/", "/", None),
            ("/login", "/login", None),
            ("/login", "/LogIn/", None),
            ("/collect/:accessToken?", "/collect", None),
            ("/collect/:accessToken?", "/collect/", None),
            (
                "/collect/:accessToken?",
                "/collect/some-token",
                Some("some-token"),
            ),
            ("/editor/:id", "/editor/new", Some("new")),
        ] {
            assert_eq!(parameter(pattern, path), Some(found), "{pattern} {path}");
        }
        for (pattern, path) in [
            ("/", "/login"),
            ("/login", "/"),
            ("/login", "/login/more"),
            ("/login", "/logins"),
            ("/collect/:accessToken?", "/collect/one/two"),
            ("/collect/:accessToken?", "/collection"),
            ("/editor/:id", "/editor"),
            ("/editor/:id", "/editor/"),
        ] {
            assert_eq!(parameter(pattern, path), None, "{pattern} {path}");
        }
    }
}
