//! Writes the allowed part of a tree.
//!
//! Invariant: the output consists only of text and of the elements and attributes in the
//! table, in a canonical form. The time is linear in the size of the tree.

use std::borrow::Cow;

use html5ever::{Attribute, QualName, ns};

use super::tree::{NodeId, NodeKind, Tree};
use crate::attributes;

/// The elements that the editor emits, with their attributes. [`attributes::filter`]
/// checks the values.
const ELEMENTS: &[(&str, &[&str])] = &[
    ("p", &[]),
    ("h1", &[]),
    ("h2", &[]),
    ("h3", &[]),
    ("blockquote", &[]),
    ("ul", &[]),
    ("ol", &["start"]),
    ("li", &["value"]),
    ("pre", &["data-language"]),
    ("hr", &[]),
    ("br", &[]),
    ("a", &["href", "target"]),
    ("strong", &["style"]),
    ("em", &["style"]),
    ("s", &["style"]),
    ("code", &["style"]),
    ("mark", &["style"]),
    ("span", &["style"]),
    ("sub", &[]),
    ("sup", &[]),
    ("table", &[]),
    ("tbody", &[]),
    ("tr", &[]),
    ("th", &["colspan", "rowspan"]),
    ("td", &["colspan", "rowspan"]),
    ("img", &["src", "alt", "width", "height"]),
    (
        "iframe",
        &[
            "src",
            "width",
            "height",
            "title",
            "allowfullscreen",
            "loading",
            "referrerpolicy",
            "data-lexical-youtube",
        ],
    ),
];
/// The elements without an end tag.
const VOID: [&str; 3] = ["br", "hr", "img"];
/// The `rel` attribute of every link.
const LINK_REL: &str = "noopener noreferrer nofollow";

/// The treatment of an element.
enum Verdict<'a> {
    /// Write it under this name, with these attributes.
    Keep(&'static str, Vec<(&'a str, Cow<'a, str>)>),
    /// Replace it with its content.
    Unwrap,
    /// Drop it with its content.
    Drop,
}

/// An item that is still to be written.
enum Step {
    Node(NodeId),
    EndTag(&'static str),
}

/// Writes the allowed content of the root.
pub(super) fn write(tree: &Tree) -> String {
    let mut html = String::new();
    let mut steps = Vec::new();
    push_children(tree, tree.root(), &mut steps);
    while let Some(step) = steps.pop() {
        let id = match step {
            Step::Node(id) => id,
            Step::EndTag(name) => {
                html.extend(["</", name, ">"]);
                continue;
            }
        };
        let Some(node) = tree.get(id) else { continue };
        match &node.kind {
            NodeKind::Hidden => {}
            NodeKind::Text(text) => escape_text(text, &mut html),
            NodeKind::Element { attributes, .. } => match judge(&node.name, attributes) {
                Verdict::Keep(name, attributes) => {
                    start_tag(name, &attributes, &mut html);
                    if !VOID.contains(&name) {
                        steps.push(Step::EndTag(name));
                        // The content of an iframe is never shown.
                        if name != "iframe" {
                            push_children(tree, Some(id), &mut steps);
                        }
                    }
                }
                Verdict::Unwrap => push_children(tree, Some(id), &mut steps),
                Verdict::Drop => {}
            },
        }
    }
    html
}

/// Pushes the children in reverse, so that the first is popped next.
fn push_children(tree: &Tree, parent: Option<NodeId>, steps: &mut Vec<Step>) {
    let node = |id| tree.get(id);
    let mut child = parent.and_then(node).and_then(|parent| parent.last_child);
    while let Some(id) = child {
        steps.push(Step::Node(id));
        child = node(id).and_then(|child| child.previous);
    }
}

fn judge<'a>(name: &QualName, attributes: &'a [Attribute]) -> Verdict<'a> {
    let name_is_html = name.ns == ns!(html);
    // Older HTML uses other names for the same formats.
    let name = match &*name.local {
        "script" | "style" => return Verdict::Drop,
        "b" => "strong",
        "i" => "em",
        "del" | "strike" => "s",
        name => name,
    };
    let known = ELEMENTS.iter().find(|(known, _)| *known == name);
    let Some((name, allowed)) = known.filter(|_| name_is_html) else {
        return Verdict::Unwrap;
    };
    let kept: Vec<_> = attributes
        .iter()
        .map(|attribute| (&*attribute.name.local, &*attribute.value))
        .filter(|(key, _)| allowed.contains(key))
        .filter_map(|(key, value)| Some((key, attributes::filter(name, key, value)?)))
        .collect();
    let has = |wanted: &str| kept.iter().any(|(key, _)| *key == wanted);
    match *name {
        // Elements that are useless without their rejected address.
        "iframe" | "img" if !has("src") => Verdict::Drop,
        "a" if !has("href") => Verdict::Unwrap,
        name => Verdict::Keep(name, kept),
    }
}

fn start_tag(name: &str, attributes: &[(&str, Cow<'_, str>)], html: &mut String) {
    let rel = (name == "a").then_some(("rel", Cow::Borrowed(LINK_REL)));
    html.extend(["<", name]);
    for (key, value) in attributes.iter().chain(&rel) {
        html.extend([" ", key, "=\""]);
        escape_value(value, html);
        html.push('"');
    }
    html.push('>');
}

/// Writes a text as HTML.
pub(super) fn escape_text(text: &str, html: &mut String) {
    escape(text, &['&', '<', '>', '\u{a0}'], html);
}

/// Writes the value between the quotes of an attribute.
fn escape_value(value: &str, html: &mut String) {
    escape(value, &['&', '<', '>', '\u{a0}', '"'], html);
}

fn escape(text: &str, special: &[char], html: &mut String) {
    let mut written = 0;
    for (at, special) in text.match_indices(special) {
        html.push_str(text.get(written..at).unwrap_or_default());
        html.push_str(match special {
            "&" => "&amp;",
            "<" => "&lt;",
            ">" => "&gt;",
            "\"" => "&quot;",
            _ => "&nbsp;",
        });
        written = at + special.len();
    }
    html.push_str(text.get(written..).unwrap_or_default());
}
