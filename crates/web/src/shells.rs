//! The documents of the routes: what a browser can show before it has run any script.
//!
//! The frontend's build writes one for each route, with the route's title, files and frame. Which
//! one an address gets depends on the pattern that it fits and on nothing else: no shell tells
//! whether a token or an idea exists.

use std::sync::LazyLock;

use rust_embed::RustEmbed;
use serde::Deserialize;

#[derive(RustEmbed)]
#[folder = "../../frontend/dist/shells"]
#[allow_missing = true]
struct Shells;

/// The route table that the build wrote beside the shells.
const TABLE: &str = "routes.json";

static ROUTES: LazyLock<Vec<Route>> = LazyLock::new(|| {
    Shells::get(TABLE)
        .and_then(|table| serde_json::from_slice(&table.data).ok())
        .unwrap_or_default()
});

/// A pattern of paths and the shell of those that fit it.
#[derive(Debug, Deserialize)]
struct Route {
    /// As the app's router writes it: `/document/:accessToken?`.
    path: String,
    shell: String,
}

/// The shell of the route that a path leads to, with the mark where its nonce belongs; none where
/// the path has no route.
pub fn shell_of(path: &str) -> Option<String> {
    let route = ROUTES.iter().find(|route| fits(&route.path, path))?;
    let file = Shells::get(&format!("{}.html", route.shell))?;
    Some(String::from_utf8_lossy(&file.data).into_owned())
}

/// Whether a path fits a pattern, by the rules of the app's router: letters of either case and a
/// slash at the end make no difference.
fn fits(pattern: &str, path: &str) -> bool {
    let mut given = path.split('/').filter(|segment| !segment.is_empty());
    for wanted in pattern.split('/').filter(|segment| !segment.is_empty()) {
        let fits = match (wanted.strip_prefix(':'), given.next()) {
            (Some(_), Some(_)) => true,
            (Some(name), None) => name.ends_with('?'),
            (None, Some(segment)) => wanted.eq_ignore_ascii_case(segment),
            (None, None) => false,
        };
        if !fits {
            return false;
        }
    }
    given.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_path_fits_its_own_pattern_only() {
        for (pattern, path) in [
            ("/", "/"),
            ("/login", "/login"),
            ("/login", "/LogIn/"),
            ("/collect/:accessToken?", "/collect"),
            ("/collect/:accessToken?", "/collect/"),
            ("/collect/:accessToken?", "/collect/some-token"),
            ("/editor/:id", "/editor/new"),
        ] {
            assert!(fits(pattern, path), "{pattern} {path}");
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
            assert!(!fits(pattern, path), "{pattern} {path}");
        }
    }
}
