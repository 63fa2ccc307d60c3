//! Follows the page tree of a PDF (ISO 32000-2, 7.7.3).
//!
//! Invariant: follows each node once.

use std::collections::{HashMap, HashSet};

/// The role of an object in the page tree.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Reference(u32),
    /// The root object, with what its /Pages names.
    Catalog(Option<Box<Node>>),
    /// An inner node or an array of children.
    Children(Vec<Node>),
    Page,
}

/// The objects of a file that belong to its page tree.
#[derive(Default)]
pub(super) struct PageTree {
    /// By the number of their object.
    pub(super) nodes: HashMap<u32, Node>,
    /// Numbers of the root objects that the trailers name, in the order of the file.
    pub(super) roots: Vec<u32>,
    /// Whether some objects could not be inspected.
    pub(super) incomplete: bool,
}

impl PageTree {
    /// Returns whether a page is reached from the root object of the latest trailer. What
    /// could not be inspected counts as a page.
    pub(super) fn reaches_page(&self) -> bool {
        for root in self.roots.iter().rev() {
            match self.nodes.get(root) {
                Some(Node::Catalog(Some(pages))) => return self.leads_to_page(pages),
                None if self.incomplete => return true,
                _ => {}
            }
        }
        false
    }

    fn leads_to_page(&self, start: &Node) -> bool {
        let mut visited = HashSet::new();
        let mut waiting = vec![start];
        while let Some(node) = waiting.pop() {
            match node {
                Node::Page => return true,
                Node::Catalog(_) => {}
                Node::Children(children) => waiting.extend(children.iter().rev()),
                Node::Reference(number) if visited.insert(*number) => {
                    match self.nodes.get(number) {
                        Some(node) => waiting.push(node),
                        None if self.incomplete => return true,
                        None => {}
                    }
                }
                Node::Reference(_) => {}
            }
        }
        false
    }
}
