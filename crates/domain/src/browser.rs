//! Readable names of browsers, from their user agents.

/// User agent markers of browsers. A browser whose user agent also contains another
/// one's marker comes before that one.
const BROWSERS: [(&str, &str); 5] = [
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// User agent markers of systems, in the same order: Android also says Linux, and iOS
/// Mac OS X.
const SYSTEMS: [(&str, &str); 6] = [
    ("Android", "Android"),
    ("iPhone", "iOS"),
    ("iPad", "iOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];

/// Returns a name such as "Firefox on Linux", as far as the user agent tells. Repeats
/// none of its text, so that the name is safe in any output.
#[must_use]
pub fn browser_name(user_agent: Option<&str>) -> String {
    let agent = user_agent.unwrap_or_default();
    let browser = found(&BROWSERS, agent).unwrap_or("Unknown browser");
    match found(&SYSTEMS, agent) {
        Some(system) => format!("{browser} on {system}"),
        None => browser.to_owned(),
    }
}

fn found(names: &[(&str, &'static str)], agent: &str) -> Option<&'static str> {
    let (_, name) = names.iter().find(|(mark, _)| agent.contains(mark))?;
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_agents_are_reported_as_browser_and_system() {
        for (agent, name) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
                "Firefox on Linux",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36",
                "Chrome on Android",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1",
                "Safari on iOS",
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Version/18 Safari/605.1",
                "Safari on macOS",
            ),
            ("curl/8.0", "Unknown browser"),
        ] {
            assert_eq!(browser_name(Some(agent)), name);
        }
        assert_eq!(browser_name(None), "Unknown browser");
    }
}
