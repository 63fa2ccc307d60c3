//! The address of a Postgres server.

/// libpq's defaults, unless the address sets them: short timeouts for connecting and
/// for unacknowledged data.
const PARAMETERS: [(&str, &str); 3] = [
    ("connect_timeout", "2"),
    ("tcp_user_timeout", "2000"),
    ("application_name", "ideavault"),
];

/// Adds the [`PARAMETERS`] that the address does not set.
pub(super) fn with_parameters(url: &str) -> String {
    PARAMETERS
        .into_iter()
        .fold(url.to_owned(), |url, (name, value)| {
            with_parameter(url, name, value)
        })
}

/// Adds a parameter, unless the address sets it.
pub(super) fn with_parameter(mut url: String, name: &str, value: &str) -> String {
    if !url.contains(&format!("{name}=")) {
        let separator = match url.split_once('?') {
            None => "?",
            Some((_, "")) => "",
            Some(_) => "&",
        };
        url.push_str(&format!("{separator}{name}={value}"));
    }
    url
}

/// Tells whether an address has no `/`, `?`, `#` or `@` in its password but as `%2F` and so on.
/// libpq would take a part of the password for a host or a port, and quote it in its error.
pub(crate) fn is_encoded(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let rest = rest.strip_prefix(authority).unwrap_or_default();
    // The values of parameters may have an @.
    let (path, parameters) = rest.split_once('?').unwrap_or((rest, ""));
    let name = parameters.split('=').next().unwrap_or_default();
    authority.matches('@').count() <= 1 && !path.contains('@') && !name.contains('@')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_encoded() {
        for url in [
            "postgres://db/x",
            "postgres://u:p%40%2Fss@[::1]:5432,db:6000/x?application_name=a@b",
            "postgres:///x?host=/run/pg&password=p@ss",
        ] {
            assert!(is_encoded(url), "{url}");
        }
        for url in [
            "postgres://u:p@ss@db/x",
            "postgres://u:p/ss@db/x",
            "postgres://u:p?ss@db/x",
            "postgres://u:p#ss@db/x?a=b",
            "postgres://u:p/s=s@db/x",
        ] {
            assert!(!is_encoded(url), "{url}");
        }
    }

    #[test]
    fn parameters_of_the_url_take_precedence() {
        assert_eq!(
            with_parameters("postgres://db/x?connect_timeout=9"),
            "postgres://db/x?connect_timeout=9&tcp_user_timeout=2000&application_name=ideavault"
        );
        assert!(
            with_parameters("postgres://db/x").starts_with("postgres://db/x?connect_timeout=2&")
        );
    }
}
