//! `extends`: a spec that says only in what it differs from another one, told in full.
//!
//! Takes the tree of the spec and gives the tree that it stands for. Maps are merged key by key,
//! lists and single values are replaced, nothing (`null`) takes away what the other spec has. Every
//! value keeps its place, so that a message points into the file in which it is written.

use super::fields::Decoder;
use super::scalar::Scalar;
use super::yaml::{self, Node, NodeKind};
use super::{At, Files};
use std::collections::BTreeMap;
use takt_diagnostic::{Diagnostic, Span};

/// Variants of variants, so deep; bounds the files that are read.
const MAX_CHAIN: usize = 16;

impl Decoder<'_> {
    /// The spec with all that it takes from others; `None` if one of these cannot be read.
    pub fn extended(&mut self, root: Node, files: &mut dyn Files) -> Option<Node> {
        let mut chain = Vec::new();
        let mut variants = Vec::new();
        let mut root = root;
        while let Some(base) = self.take(&mut root, "extends") {
            if variants.is_empty() && !has(&root, "takt") {
                self.missing(root.span, "a spec", "takt");
            }
            let path = self.text(&base, "`extends`")?;
            let path = At::new(beside(chain.last(), &path.value), path.span);
            variants.push(root);
            root = self.base(&path, &chain, files)?;
            self.versioned(&root);
            chain.push(path.value);
        }
        while let Some(variant) = variants.pop() {
            root = self.merge(root, variant);
        }
        Some(root)
    }

    fn base(&mut self, path: &At<String>, chain: &[String], files: &mut dyn Files) -> Option<Node> {
        if chain.contains(&path.value) || chain.len() >= MAX_CHAIN {
            let message = match chain.contains(&path.value) {
                true => format!("`{}` extends itself", path.value),
                false => format!("a spec stands at most {MAX_CHAIN} specs above its first base"),
            };
            self.error("cycle", path.span, message);
            return None;
        }
        let read = files.read(&path.value).map_err(|unread| self.unread(&unread, path.span));
        let (file, text) = read.ok()?;
        let mut root = yaml::parse(&text, file).map_err(|found| self.found.push(*found)).ok()?;
        if !matches!(root.kind, NodeKind::Map(_)) {
            let message = format!("`{}` is no spec that could be extended", path.value);
            self.error("bad-value", path.span, message);
            return None;
        }
        // A variant is called by its own name, or else two of them would share their results.
        self.take(&mut root, "name");
        tables_beside(&mut root, &path.value);
        Some(root)
    }

    /// Each file says itself which language it is written in.
    fn versioned(&mut self, root: &Node) {
        let NodeKind::Map(entries) = &root.kind else { return };
        match entries.iter().find(|(key, _)| key.text == "takt") {
            Some((_, version)) => _ = self.version(version),
            None => self.missing(root.span, "a spec", "takt"),
        }
    }

    /// Takes a key out of a map.
    fn take(&mut self, root: &mut Node, name: &str) -> Option<Node> {
        let NodeKind::Map(entries) = &mut root.kind else { return None };
        let mut taken: Option<(Scalar, Node)> = None;
        for (key, value) in entries.extract_if(.., |(key, _)| key.text == name) {
            match &taken {
                Some((first, _)) => self.twice(&key, first.span),
                None => taken = Some((key, value)),
            }
        }
        taken.map(|(_, value)| value)
    }

    fn merge(&mut self, base: Node, variant: Node) -> Node {
        let span = variant.span;
        match (base.kind, variant.kind) {
            (NodeKind::Map(base), NodeKind::Map(variant)) => {
                Node { kind: NodeKind::Map(self.merge_maps(base, variant)), span }
            }
            (_, kind) => Node { kind, span },
        }
    }

    fn merge_maps(
        &mut self,
        base: Vec<(Scalar, Node)>,
        variant: Vec<(Scalar, Node)>,
    ) -> Vec<(Scalar, Node)> {
        let mut slots: Vec<Option<(Scalar, Node)>> = base.into_iter().map(Some).collect();
        let places = index(slots.iter().flatten().map(|(key, _)| key.text.clone()));
        let mut seen: BTreeMap<String, Span> = BTreeMap::new();
        for (key, value) in variant {
            if let Some(&first) = seen.get(&key.text) {
                self.twice(&key, first);
                continue;
            }
            seen.insert(key.text.clone(), key.span);
            let place = places.get(&key.text).copied();
            match place.and_then(|i| slots[i].take().map(|old| (i, old))) {
                // What the base does not have is new, also if it is nothing: `mixer:` is a resource.
                None => slots.push(Some((key, value))),
                Some(_) if matches!(value.kind, NodeKind::Null) => {}
                Some((i, (name, old))) => {
                    let merged = self.merge_values(&key, old, value);
                    slots[i] = Some((name, merged));
                }
            }
        }
        slots.into_iter().flatten().collect()
    }

    /// Steps and orders stand in lists, but have names by which a variant may change some of them.
    fn merge_values(&mut self, key: &Scalar, base: Node, variant: Node) -> Node {
        let name = match key.text.as_str() {
            "steps" => "name",
            "orders" => "id",
            _ => return self.merge(base, variant),
        };
        match (base.kind, variant.kind) {
            (NodeKind::List(items), NodeKind::Map(changes)) => {
                let items = self.merge_items(items, changes, name, &key.text);
                Node { kind: NodeKind::List(items), span: variant.span }
            }
            (base_kind, kind) => {
                if name == "id" && matches!(base_kind, NodeKind::List(_)) {
                    // Another list has other rows.
                    self.changes.clear();
                }
                self.merge(
                    Node { kind: base_kind, span: base.span },
                    Node { kind, span: variant.span },
                )
            }
        }
    }

    fn merge_items(
        &mut self,
        items: Vec<Node>,
        changes: Vec<(Scalar, Node)>,
        name: &str,
        what: &str,
    ) -> Vec<Node> {
        let names: Vec<_> = items.iter().map(|item| named(item, name)).collect();
        let places = index(names.iter().map(|name| name.clone().unwrap_or_default()));
        let mut slots: Vec<_> = items.into_iter().map(Some).collect();
        let mut seen: BTreeMap<String, Span> = BTreeMap::new();
        for (key, change) in changes {
            if let Some(&first) = seen.get(&key.text) {
                self.twice(&key, first);
                continue;
            }
            seen.insert(key.text.clone(), key.span);
            let place = places.get(&key.text).copied().filter(|_| !key.text.is_empty());
            let Some(place) = place else {
                if what == "orders" && self.change_row(&slots, &key, &change) {
                    continue;
                }
                let message = format!("there is no `{}` among the `{what}` of the base", key.text);
                let found = Diagnostic::error("unknown-name", key.span, message);
                let known = names.iter().flatten().map(String::as_str);
                self.found.push(found.did_you_mean(&key.text, known));
                continue;
            };
            slots[place] = match (slots[place].take(), &change.kind) {
                (_, NodeKind::Null) => None,
                (Some(item), _) => Some(self.merge(item, change)),
                (None, _) => None,
            };
        }
        slots.into_iter().flatten().collect()
    }

    fn twice(&mut self, key: &Scalar, first: Span) {
        let message = format!("the key `{}` stands here twice", key.text);
        let found = Diagnostic::error("duplicate-key", key.span, message);
        self.found.push(found.related(first, "the first one"));
    }
}

/// The first place of each name; repeated ones are left for the decoder to report.
fn index(names: impl Iterator<Item = String>) -> BTreeMap<String, usize> {
    let mut places = BTreeMap::new();
    for (place, name) in names.enumerate() {
        places.entry(name).or_insert(place);
    }
    places
}

fn named(item: &Node, name: &str) -> Option<String> {
    let NodeKind::Map(entries) = &item.kind else { return None };
    match &entries.iter().find(|(key, _)| key.text == name)?.1.kind {
        NodeKind::Scalar(scalar) => Some(scalar.text.clone()),
        _ => None,
    }
}

fn has(root: &Node, name: &str) -> bool {
    matches!(&root.kind, NodeKind::Map(entries) if entries.iter().any(|(key, _)| key.text == name))
}

/// A path that a base names, seen from the spec: it is relative to the file it stands in.
fn beside(base: Option<&String>, path: &str) -> String {
    let folder = base.and_then(|base| base.rfind('/')).zip(base);
    let whole = match folder {
        Some((end, base)) if !path.starts_with('/') => format!("{}/{path}", &base[..end]),
        _ => path.to_owned(),
    };
    plain(&whole)
}

/// Without `.` and, where possible, without `..`, so that a file has one name.
fn plain(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').enumerate().filter(|&(i, part)| i == 0 || !part.is_empty()) {
        match part.1 {
            "." => {}
            ".." if parts.last().is_some_and(|last| !matches!(*last, ".." | "")) => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The keys whose maps, or lists of maps, name files.
const NAMING: [&str; 4] = ["orders", "fixed", "previous", "routings"];

fn tables_beside(root: &mut Node, base: &String) {
    let NodeKind::Map(entries) = &mut root.kind else { return };
    for (_, value) in entries.iter_mut().filter(|(key, _)| NAMING.contains(&key.text.as_str())) {
        match &mut value.kind {
            NodeKind::List(items) => items.iter_mut().for_each(|item| table_beside(item, base)),
            _ => table_beside(value, base),
        }
    }
}

fn table_beside(node: &mut Node, base: &String) {
    let NodeKind::Map(entries) = &mut node.kind else { return };
    for (_, value) in entries.iter_mut().filter(|(key, _)| key.text == "file") {
        if let NodeKind::Scalar(path) = &mut value.kind {
            path.text = beside(Some(base), &path.text);
            path.verbatim = None;
        }
    }
}
