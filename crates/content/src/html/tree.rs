//! The tree that the HTML parser builds.
//!
//! Invariant: each operation of the parser takes constant time anywhere in the tree, and
//! moving children time linear in their number. Trees that keep children in a list search
//! it at each insertion before a table, which takes quadratic time for a hostile text.

use std::borrow::Cow;
use std::cell::{Ref, RefCell};

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink as _};
use html5ever::{Attribute, ParseOpts, QualName, local_name, ns, parse_fragment};

/// Position of a node in the tree.
pub(super) type NodeId = usize;

/// The kind of a node.
pub(super) enum NodeKind {
    /// The document, the content of a template, or a comment: not written.
    Hidden,
    Element {
        attributes: Vec<Attribute>,
        /// Where the parser puts the children of a `<template>`.
        template: Option<NodeId>,
        is_integration_point: bool,
    },
    Text(StrTendril),
}

/// A node with links to its parent, siblings and children.
pub(super) struct Node {
    pub(super) kind: NodeKind,
    /// The name of an element; empty for other nodes.
    pub(super) name: QualName,
    parent: Option<NodeId>,
    first_child: Option<NodeId>,
    pub(super) last_child: Option<NodeId>,
    pub(super) previous: Option<NodeId>,
    next: Option<NodeId>,
}

/// All nodes of a parsed text.
pub(super) struct Tree(Vec<Node>);

impl Tree {
    const DOCUMENT: NodeId = 0;

    /// Parses the content of a `<div>`.
    pub(super) fn parse(html: &str) -> Self {
        let div = QualName::new(None, ns!(html), local_name!("div"));
        parse_fragment(Builder::default(), ParseOpts::default(), div, vec![], false).one(html)
    }

    /// Returns the element that contains the parsed content.
    pub(super) fn root(&self) -> Option<NodeId> {
        self.get(Self::DOCUMENT)?.first_child
    }

    /// Returns the node with that id.
    pub(super) fn get(&self, id: NodeId) -> Option<&Node> {
        self.0.get(id)
    }

    fn add(&mut self, kind: NodeKind, name: QualName) -> NodeId {
        self.0.push(Node {
            kind,
            name,
            parent: None,
            first_child: None,
            last_child: None,
            previous: None,
            next: None,
        });
        self.0.len() - 1
    }

    fn change(&mut self, id: Option<NodeId>, change: impl FnOnce(&mut Node)) {
        if let Some(node) = id.and_then(|id| self.0.get_mut(id)) {
            change(node);
        }
    }

    /// Removes a node from its parent.
    fn unlink(&mut self, id: NodeId) {
        let Some(node) = self.0.get_mut(id) else {
            return;
        };
        let parent = node.parent.take();
        let (previous, next) = (node.previous.take(), node.next.take());
        self.change(previous, |node| node.next = next);
        self.change(next, |node| node.previous = previous);
        self.change(parent, |node| {
            if previous.is_none() {
                node.first_child = next;
            }
            if next.is_none() {
                node.last_child = previous;
            }
        });
    }

    /// Inserts a node without a parent before `next`, or at the end.
    fn link(&mut self, parent: NodeId, id: NodeId, next: Option<NodeId>) {
        let previous = match next {
            Some(next) => self.get(next).and_then(|next| next.previous),
            None => self.get(parent).and_then(|parent| parent.last_child),
        };
        self.change(Some(id), |node| {
            node.parent = Some(parent);
            node.previous = previous;
            node.next = next;
        });
        self.change(previous, |node| node.next = Some(id));
        self.change(next, |node| node.previous = Some(id));
        self.change(Some(parent), |node| {
            if previous.is_none() {
                node.first_child = Some(id);
            }
            if next.is_none() {
                node.last_child = Some(id);
            }
        });
    }

    /// Inserts a node or a text before `next`, or at the end. A text is appended to a text
    /// directly before it.
    fn insert(&mut self, parent: NodeId, child: NodeOrText<NodeId>, next: Option<NodeId>) {
        let id = match child {
            NodeOrText::AppendNode(id) => {
                self.unlink(id);
                id
            }
            NodeOrText::AppendText(text) => {
                let previous = match next {
                    Some(next) => self.get(next).and_then(|next| next.previous),
                    None => self.get(parent).and_then(|parent| parent.last_child),
                };
                let previous = previous.and_then(|id| self.0.get_mut(id));
                if let Some(Node {
                    kind: NodeKind::Text(before),
                    ..
                }) = previous
                {
                    before.push_tendril(&text);
                    return;
                }
                self.add(NodeKind::Text(text), no_name())
            }
        };
        self.link(parent, id, next);
    }

    fn reparent_children(&mut self, from: NodeId, to: NodeId) {
        while let Some(child) = self.get(from).and_then(|node| node.first_child) {
            self.insert(to, NodeOrText::AppendNode(child), None);
        }
    }
}

fn no_name() -> QualName {
    QualName::new(None, ns!(), local_name!(""))
}

/// Builds the tree for the parser.
struct Builder(RefCell<Tree>);

impl Default for Builder {
    fn default() -> Self {
        let mut tree = Tree(Vec::new());
        tree.add(NodeKind::Hidden, no_name());
        Self(RefCell::new(tree))
    }
}

impl TreeSink for Builder {
    type Handle = NodeId;
    type Output = Tree;
    type ElemName<'a> = Ref<'a, QualName>;

    fn finish(self) -> Tree {
        self.0.into_inner()
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> NodeId {
        Tree::DOCUMENT
    }

    fn elem_name<'a>(&'a self, target: &'a NodeId) -> Ref<'a, QualName> {
        // The parser asks only for elements that it has created.
        static NO_NAME: QualName = QualName {
            prefix: None,
            ns: ns!(),
            local: local_name!(""),
        };
        Ref::map(self.0.borrow(), |tree| {
            tree.get(*target).map_or(&NO_NAME, |node| &node.name)
        })
    }

    fn create_element(
        &self,
        name: QualName,
        attributes: Vec<Attribute>,
        flags: ElementFlags,
    ) -> NodeId {
        let mut tree = self.0.borrow_mut();
        let template = flags
            .template
            .then(|| tree.add(NodeKind::Hidden, no_name()));
        let kind = NodeKind::Element {
            attributes,
            template,
            is_integration_point: flags.mathml_annotation_xml_integration_point,
        };
        tree.add(kind, name)
    }

    fn create_comment(&self, _: StrTendril) -> NodeId {
        self.0.borrow_mut().add(NodeKind::Hidden, no_name())
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> NodeId {
        self.0.borrow_mut().add(NodeKind::Hidden, no_name())
    }

    fn append(&self, parent: &NodeId, child: NodeOrText<NodeId>) {
        self.0.borrow_mut().insert(*parent, child, None);
    }

    fn append_before_sibling(&self, sibling: &NodeId, new: NodeOrText<NodeId>) {
        let mut tree = self.0.borrow_mut();
        if let Some(parent) = tree.get(*sibling).and_then(|node| node.parent) {
            tree.insert(parent, new, Some(*sibling));
        }
    }

    fn append_based_on_parent_node(
        &self,
        element: &NodeId,
        previous: &NodeId,
        child: NodeOrText<NodeId>,
    ) {
        let parent = self.0.borrow().get(*element).and_then(|node| node.parent);
        match parent {
            Some(_) => self.append_before_sibling(element, child),
            None => self.append(previous, child),
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &NodeId) -> NodeId {
        match self.0.borrow().get(*target).map(|node| &node.kind) {
            Some(NodeKind::Element {
                template: Some(content),
                ..
            }) => *content,
            _ => *target,
        }
    }

    fn same_node(&self, one: &NodeId, other: &NodeId) -> bool {
        one == other
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    /// Does nothing: the parser calls it only for `<html>` and `<body>`, which are not written.
    fn add_attrs_if_missing(&self, _: &NodeId, _: Vec<Attribute>) {}

    fn remove_from_parent(&self, target: &NodeId) {
        self.0.borrow_mut().unlink(*target);
    }

    fn reparent_children(&self, node: &NodeId, new_parent: &NodeId) {
        self.0.borrow_mut().reparent_children(*node, *new_parent);
    }

    fn is_mathml_annotation_xml_integration_point(&self, node: &NodeId) -> bool {
        matches!(
            self.0.borrow().get(*node).map(|node| &node.kind),
            Some(NodeKind::Element {
                is_integration_point: true,
                ..
            })
        )
    }
}
