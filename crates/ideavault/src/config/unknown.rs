//! Environment variables that look like settings and are none.

use std::collections::BTreeSet;
use std::env;

use clap::{Args as _, Command};

use super::ServeOptions;

/// The prefix of all settings except those of the AWS client and other libraries.
const PREFIX: &str = "IDEAVAULT_";
/// Variables of tests.
const TEST_PREFIX: &str = "IDEAVAULT_TEST_";

/// Returns the variables of the environment whose names begin like those of settings, and which
/// no setting has: misspelt ones, for instance.
pub fn unknown_variables() -> Vec<String> {
    let names = env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    unknown_of(names)
}

fn unknown_of(names: impl Iterator<Item = String>) -> Vec<String> {
    let command = ServeOptions::augment_args(Command::new("serve"));
    let settings: BTreeSet<_> = command
        .get_arguments()
        .filter_map(|setting| setting.get_env()?.to_str())
        .collect();
    names
        .filter(|name| name.starts_with(PREFIX) && !name.starts_with(TEST_PREFIX))
        .filter(|name| !settings.contains(name.as_str()))
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_misspelt_settings_are_unknown() {
        let names = [
            "IDEAVAULT_REGISTRATON",
            "IDEAVAULT_REGISTRATION",
            "IDEAVAULT_SECRET_KEY",
            "IDEAVAULT_TEST_CLOCK",
            "AWS_REGION",
            "PATH",
        ];
        let unknown = unknown_of(names.into_iter().map(str::to_owned));
        assert_eq!(unknown, ["IDEAVAULT_REGISTRATON"]);
    }
}
