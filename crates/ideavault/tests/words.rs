//! Checks that texts for people have one word for one thing (`docs/rules.md#words`): messages,
//! mails, reports, and the help of commands.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, ItemEnum, ItemFn, ItemMod, ItemStruct, LitStr, Macro, Meta, Token};

/// Crates whose texts people see. That of the format of evidence has texts that do not change.
const CRATES: [&str; 6] = [
    "application",
    "documents",
    "domain",
    "ideavault",
    "mail",
    "web",
];

/// Texts that mean something else by such a word, or have a name of the API.
const ALLOWED: [&str; 0] = [];

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            // The wording of agreements does not change.
            && !["tests.rs", "testing.rs", "nda.rs"].iter().any(|name| path.ends_with(name))
        {
            found.push(path);
        }
    }
}

/// Collects texts that people see: sentences, and the help of commands.
#[derive(Default)]
struct Texts {
    found: Vec<String>,
    is_help: bool,
}

impl Texts {
    fn add(&mut self, text: &str) {
        let text = text.trim();
        let is_sentence = text.starts_with(char::is_uppercase) || text.ends_with(['.', '?', '!']);
        if text.contains(' ') && (is_sentence || self.is_help) {
            self.found.push(text.to_owned());
        }
    }

    fn arguments(&mut self, arguments: syn::Result<Punctuated<Expr, Token![,]>>) {
        for argument in arguments.into_iter().flatten() {
            self.visit_expr(&argument);
        }
    }

    /// Visits an item, whose documentation is the help of a command if it derives from clap.
    fn item(&mut self, attributes: &[Attribute], visit: impl FnOnce(&mut Self)) {
        let was_help = self.is_help;
        self.is_help = attributes.iter().any(|attribute| {
            let derived = attribute.meta.require_list();
            let derived = derived.map(|list| list.tokens.to_string());
            attribute.path().is_ident("derive")
                && derived.is_ok_and(|derived| {
                    ["Args", "Parser", "Subcommand", "ValueEnum"]
                        .iter()
                        .any(|name| derived.contains(name))
                })
        });
        visit(self);
        self.is_help = was_help;
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let condition = attribute.meta.require_list();
        attribute.path().is_ident("cfg")
            && condition.is_ok_and(|condition| condition.tokens.to_string().contains("test"))
    })
}

impl<'ast> Visit<'ast> for Texts {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        self.item(&item.attrs, |texts| visit::visit_item_struct(texts, item));
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        self.item(&item.attrs, |texts| visit::visit_item_enum(texts, item));
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        match &attribute.meta {
            Meta::List(list) if attribute.path().is_ident("error") => {
                self.arguments(list.parse_args_with(Punctuated::parse_terminated));
            }
            Meta::NameValue(help) if self.is_help => self.visit_expr(&help.value),
            _ => {}
        }
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        let is_for_logs = ["tracing", "expect"]
            .iter()
            .any(|name| call.path.segments.iter().any(|part| part.ident == name));
        if !is_for_logs {
            self.arguments(call.parse_body_with(Punctuated::parse_terminated));
        }
    }

    fn visit_lit_str(&mut self, text: &'ast LitStr) {
        self.add(&text.value());
    }
}

/// Returns the words that the table has another one for.
fn other_words() -> Vec<String> {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules.md");
    let rules = fs::read_to_string(rules).unwrap();
    let (_, section) = rules.split_once("<a id=\"words\"></a>").unwrap();
    let (section, _) = section.split_once("<a id=").unwrap();
    section
        .lines()
        .filter_map(|line| line.strip_suffix("` |"))
        .filter_map(|line| {
            line.split_once(" | `")
                .and_then(|(_, row)| row.rsplit(" | `").next())
        })
        .flat_map(|row| row.split("`, `").map(str::to_owned))
        .collect()
}

/// Removes what stands in braces: the name of a value.
fn without_placeholders(text: &str) -> String {
    let mut parts = text.split('{');
    let begin = parts.next().unwrap_or_default().to_owned();
    parts.fold(begin, |kept, part| {
        kept + part.split_once('}').map_or(part, |(_, rest)| rest)
    })
}

/// Returns whether the text has that word, with nothing of a word around it.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part)
    })
}

#[test]
fn texts_have_one_word_for_one_thing() {
    let words = other_words();
    assert!(words.len() > 20, "{words:?}");
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for name in CRATES {
        rust_files(&crates.join(name).join("src"), &mut files);
    }
    let mut wrong = Vec::new();
    let mut number = 0;
    for file in files {
        let parsed = syn::parse_file(&fs::read_to_string(&file).unwrap()).unwrap();
        let mut texts = Texts::default();
        texts.visit_file(&parsed);
        number += texts.found.len();
        for text in texts.found {
            let lower = without_placeholders(&text).to_lowercase();
            let found = words.iter().find(|word| has_word(&lower, word));
            if let Some(word) = found.filter(|_| !ALLOWED.contains(&text.as_str())) {
                wrong.push(format!("{}: {word}: {text}", file.display()));
            }
        }
    }
    assert!(number > 500, "{number} texts");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
