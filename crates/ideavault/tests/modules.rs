//! Checks that the modules of a crate do not import each other in circles, so that each can
//! be read after those that it builds on. A module and those inside it count as one.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Attribute, ItemMod, ItemUse, UseTree};

/// Names of a module and of those around it, the outermost first.
type ModulePath = Vec<String>;

/// Modules of one crate, with those that each imports.
type Imports = BTreeMap<ModulePath, BTreeSet<ModulePath>>;

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn module_of(source: &Path, file: &Path) -> ModulePath {
    let relative = file.strip_prefix(source).unwrap().with_extension("");
    let mut path: ModulePath = relative
        .iter()
        .map(|part| part.to_str().unwrap().to_owned())
        .collect();
    if path
        .last()
        .is_some_and(|name| ["mod", "lib", "main"].contains(&name.as_str()))
    {
        path.pop();
    }
    path
}

/// Collects the paths that begin in the own crate.
struct Collector<'a> {
    module: &'a ModulePath,
    paths: Vec<ModulePath>,
}

impl Collector<'_> {
    fn add(&mut self, segments: &[String]) {
        let mut absolute = match segments.first().map(String::as_str) {
            Some("crate") => Vec::new(),
            Some("self" | "super") => self.module.clone(),
            _ => return,
        };
        for segment in segments {
            match segment.as_str() {
                "crate" | "self" => {}
                "super" => {
                    absolute.pop();
                }
                name => absolute.push(name.to_owned()),
            }
        }
        self.paths.push(absolute);
    }

    fn add_tree(&mut self, prefix: &[String], tree: &UseTree) {
        let with = |name: String| [prefix, &[name]].concat();
        match tree {
            UseTree::Path(path) => self.add_tree(&with(path.ident.to_string()), &path.tree),
            UseTree::Name(name) => self.add(&with(name.ident.to_string())),
            UseTree::Rename(name) => self.add(&with(name.ident.to_string())),
            UseTree::Glob(_) => self.add(prefix),
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.add_tree(prefix, tree);
                }
            }
        }
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let condition = attribute.meta.require_list();
        attribute.path().is_ident("cfg")
            && condition.is_ok_and(|condition| condition.tokens.to_string() == "test")
    })
}

impl<'ast> Visit<'ast> for Collector<'_> {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        // A re-export is no use.
        if matches!(item.vis, syn::Visibility::Inherited) && !is_for_tests(&item.attrs) {
            self.add_tree(&[], &item.tree);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path.segments.iter();
        let segments: Vec<_> = segments.map(|segment| segment.ident.to_string()).collect();
        self.add(&segments);
        visit::visit_path(self, path);
    }
}

fn imports(source: &Path) -> Imports {
    let mut files = Vec::new();
    rust_files(source, &mut files);
    let modules: BTreeMap<_, _> = files
        .iter()
        .map(|file| (module_of(source, file), file))
        .filter(|(module, _)| module.last().is_none_or(|name| name != "tests"))
        .collect();
    let contains = |outer: &ModulePath, inner: &ModulePath| inner.starts_with(outer);
    modules
        .iter()
        .map(|(module, file)| {
            let parsed = syn::parse_file(&fs::read_to_string(file).unwrap()).unwrap();
            let mut collector = Collector {
                module,
                paths: Vec::new(),
            };
            collector.visit_file(&parsed);
            let imported = collector.paths.into_iter().filter_map(|mut path| {
                while !modules.contains_key(&path) {
                    path.pop()?;
                }
                let is_around = contains(module, &path) || contains(&path, module);
                (!is_around).then_some(path)
            });
            (module.clone(), imported.collect())
        })
        .collect()
}

/// Returns the modules of a circle, if there is one.
fn circle(imports: &Imports) -> Option<Vec<ModulePath>> {
    fn visit(
        module: &ModulePath,
        imports: &Imports,
        path: &mut Vec<ModulePath>,
        done: &mut BTreeSet<ModulePath>,
    ) -> Option<Vec<ModulePath>> {
        if let Some(start) = path.iter().position(|earlier| earlier == module) {
            return Some(path.split_off(start));
        }
        if done.contains(module) {
            return None;
        }
        path.push(module.clone());
        let found = imports
            .get(module)
            .into_iter()
            .flatten()
            .find_map(|next| visit(next, imports, path, done));
        path.pop();
        done.insert(module.clone());
        found
    }

    let mut done = BTreeSet::new();
    imports
        .keys()
        .find_map(|module| visit(module, imports, &mut Vec::new(), &mut done))
}

fn names(modules: &[ModulePath]) -> Vec<String> {
    modules.iter().map(|module| module.join("::")).collect()
}

#[test]
fn no_crate_has_a_cycle_of_modules() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut checked = 0;
    for entry in fs::read_dir(crates).unwrap() {
        let source = entry.unwrap().path().join("src");
        let imports = imports(&source);
        assert!(!imports.is_empty(), "{}", source.display());
        let circle = circle(&imports).map(|circle| names(&circle));
        assert_eq!(circle, None, "in {}", source.display());
        checked += 1;
    }
    assert!(checked >= 9, "only {checked} crates were found");
}

#[test]
fn a_cycle_is_found_through_all_kinds_of_paths() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("lib.rs", "mod a; mod b; mod c;");
    write("a.rs", "mod inner; use crate::b::{self, B}; use inner::A;");
    write("a/inner.rs", "use super::B; pub struct A;");
    write(
        "b.rs",
        "pub struct B; #[cfg(test)] mod tests { use crate::a::A; }",
    );
    write("c.rs", "use super::a;");
    assert_eq!(circle(&imports(folder.path())), None);
    write("b.rs", "pub struct B; fn c() { crate::c::call(); }");
    let found = circle(&imports(folder.path())).unwrap();
    assert_eq!(names(&found), ["a", "b", "c"]);
}
