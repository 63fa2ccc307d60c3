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

#[cfg(test)]
mod tests {
    use super::*;

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
