//! From nodes to maps with known keys, lists, names and numbers, collecting what is wrong.
//!
//! Every function gives `None` after it has said why, so that the caller goes on and the user
//! sees all of it at once.

use super::cells::Source;
use super::decode::row::Changes;
use super::form::Keys;
use super::scalar::Scalar;
use super::yaml::{Node, NodeKind};
use super::{At, Exact, Unread, dates, phrase};
use std::collections::BTreeMap;
use takt_diagnostic::{Diagnostic, Diagnostics, Span, nearest};

/// After so many errors nobody reads hints any more.
const MAX_HINTS: usize = 1000;

/// A map whose keys have been looked at.
pub struct Fields<'n> {
    entries: Vec<(&'n Scalar, &'n Node)>,
    /// Keys that others which are unknown were probably meant to be.
    meant: Vec<&'static str>,
    what: &'static str,
    pub span: Span,
}

/// Decodes values, counts what is limited, and collects what is found wrong.
pub struct Decoder<'d> {
    pub found: &'d mut Diagnostics,
    /// How many requirements the steps read so far have, over all their alternatives.
    pub needs: usize,
    /// How many files were read so far.
    pub files: usize,
    /// The tables among them.
    pub tables: Vec<Source>,
    /// What variants say of orders that are rows of tables.
    pub changes: Changes,
    /// The orders that have steps of their own, and where these begin.
    pub own_steps: BTreeMap<String, Span>,
    /// All tables of steps could be read.
    pub are_steps_known: bool,
    /// How much text the copies of orders made so far have, about.
    pub copied: i64,
    /// The unit of time, its start and its zone are as they were meant.
    pub is_time_known: bool,
}

impl<'n> Fields<'n> {
    pub fn get(&self, name: &str) -> Option<&'n Node> {
        self.entries.iter().find(|(key, _)| key.text == name).map(|&(_, node)| node)
    }

    /// Whether a key is there, if only misspelt.
    pub fn is_meant(&self, name: &str) -> bool {
        self.get(name).is_some() || self.meant.contains(&name)
    }

    /// Where a key stands.
    pub fn key(&self, name: &str) -> Option<Span> {
        self.entries.iter().find(|(key, _)| key.text == name).map(|(key, _)| key.span)
    }
}

impl<'d> Decoder<'d> {
    pub fn new(found: &'d mut Diagnostics) -> Decoder<'d> {
        Decoder {
            found,
            needs: 0,
            files: 0,
            tables: Vec::new(),
            changes: Changes::new(),
            own_steps: BTreeMap::new(),
            are_steps_known: true,
            copied: 0,
            is_time_known: true,
        }
    }
}

impl Decoder<'_> {
    pub fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.found.push(Diagnostic::error(code, span, message));
    }

    /// The value of a key that must be there; that it is missing has been told by `fields`.
    pub fn missing(&mut self, span: Span, what: &str, name: &str) {
        let found = Diagnostic::error("missing-key", span, format!("{what} needs `{name}`"));
        self.found.push(match name {
            "takt" => found.hint("add `takt: 1`, the version of the language"),
            _ => found,
        });
    }

    /// A map with these keys.
    pub fn fields<'n>(&mut self, node: &'n Node, keys: &Keys) -> Option<Fields<'n>> {
        let mut entries = Vec::new();
        let mut meant = Vec::new();
        for (key, value) in self.map(node, keys.what)? {
            if keys.entries.iter().any(|entry| entry.name == key.text) {
                entries.push((key, value));
            } else {
                meant.extend(self.unknown_key(key, keys));
            }
        }
        let fields = Fields { entries, meant, what: keys.what, span: node.span };
        for entry in keys.entries.iter().filter(|entry| entry.is_required) {
            // One that is misspelt is not missing as well.
            if !fields.is_meant(entry.name) {
                self.missing(fields.span, fields.what, entry.name);
            }
        }
        Some(fields)
    }

    /// Like `fields`, for a map that may be left out.
    pub fn optional_fields<'n>(&mut self, node: &'n Node, keys: &Keys) -> Option<Fields<'n>> {
        if matches!(node.kind, NodeKind::Null) {
            let (entries, meant) = (Vec::new(), Vec::new());
            return Some(Fields { entries, meant, what: keys.what, span: node.span });
        }
        self.fields(node, keys)
    }

    /// A map with keys of the user's own choice; repeated ones are reported and left out.
    pub fn map<'n>(&mut self, node: &'n Node, what: &str) -> Option<Vec<(&'n Scalar, &'n Node)>> {
        let NodeKind::Map(entries) = &node.kind else {
            self.mismatch(node, &format!("{what} is a map of keys and values"));
            return None;
        };
        let mut first = BTreeMap::new();
        let mut kept = Vec::new();
        for (key, value) in entries {
            if key.is_plain && key.text == "<<" {
                let message = "merge keys (`<<`) are not part of YAML 1.2";
                self.error("unknown-key", key.span, message);
            } else if let Some(&place) = first.get(key.text.as_str()) {
                let message = format!("the key `{}` stands here twice", key.text);
                let found = Diagnostic::error("duplicate-key", key.span, message);
                self.found.push(found.related(place, "the first one"));
            } else {
                first.insert(key.text.as_str(), key.span);
                kept.push((key, value));
            }
        }
        Some(kept)
    }

    /// A map from names that `what` describes.
    pub fn named<'n>(&mut self, node: &'n Node, what: &str) -> Vec<(At<String>, &'n Node)> {
        let entries = self.map(node, &format!("`{what}s`")).unwrap_or_default();
        let mut named = Vec::new();
        for (key, value) in entries {
            if let Some(name) = self.name(key, &format!("the name of a {what}")) {
                named.push((name, value));
            }
        }
        named
    }

    pub fn list<'n>(&mut self, node: &'n Node, what: &str) -> Option<&'n [Node]> {
        if let NodeKind::List(items) = &node.kind {
            return Some(items);
        }
        self.mismatch(node, &format!("{what} is a list"));
        None
    }

    /// A list of names, each once, at least one.
    pub fn names(&mut self, node: &Node, what: &str) -> Option<Vec<At<String>>> {
        let items = self.list(node, what)?;
        if items.is_empty() {
            self.error("bad-value", node.span, format!("{what} must not be empty"));
            return None;
        }
        let names = items.iter().filter_map(|item| self.text(item, "a name"));
        let names: Vec<_> = names.collect();
        self.unique(&names, "the name");
        (names.len() == items.len()).then_some(names)
    }

    /// Reports names that stand there twice.
    pub fn unique(&mut self, names: &[At<String>], what: &str) {
        let mut first: BTreeMap<&str, Span> = BTreeMap::new();
        for name in names {
            if let Some(&place) = first.get(name.value.as_str()) {
                let message = format!("{what} `{}` exists already", name.value);
                let error = Diagnostic::error("duplicate-name", name.span, message);
                self.found.push(error.related(place, "the first one"));
            } else {
                first.insert(&name.value, name.span);
            }
        }
    }

    /// Any single value that is not empty.
    pub fn scalar<'n>(&mut self, node: &'n Node, what: &str) -> Option<&'n Scalar> {
        match &node.kind {
            NodeKind::Scalar(scalar) if !scalar.text.trim().is_empty() => Some(scalar),
            NodeKind::Scalar(_) => {
                self.error("bad-value", node.span, format!("{what} must not be empty"));
                None
            }
            _ => {
                self.mismatch(node, &format!("{what} is a single value"));
                None
            }
        }
    }

    /// Any single value, as the text it is; numbers may serve as names.
    pub fn text(&mut self, node: &Node, what: &str) -> Option<At<String>> {
        match &node.kind {
            NodeKind::Scalar(_) => self.scalar(node, what).map(|s| At::new(s.text.clone(), s.span)),
            _ => {
                self.mismatch(node, &format!("{what} is a text"));
                None
            }
        }
    }

    /// A key as a name.
    pub fn name(&mut self, key: &Scalar, what: &str) -> Option<At<String>> {
        if key.text.trim().is_empty() {
            self.error("bad-value", key.span, format!("{what} must not be empty"));
            return None;
        }
        Some(At::new(key.text.clone(), key.span))
    }

    /// One of a few words.
    pub fn choice<T: Copy>(&mut self, node: &Node, what: &str, all: &[(&str, T)]) -> Option<T> {
        let text = self.text(node, what)?;
        let hit = all.iter().find(|(name, _)| *name == text.value);
        if hit.is_none() {
            let names = all.iter().map(|(name, _)| *name);
            let list = names.clone().collect::<Vec<_>>().join(", ");
            let message = format!("{what} is one of {list}");
            let found = Diagnostic::error("bad-value", node.span, message);
            self.found.push(found.did_you_mean(&text.value, names));
        }
        hit.map(|&(_, value)| value)
    }

    /// A plain whole number within a range, however it is written: `12`, `0x1f`, `1e3`, `4.0`.
    pub fn whole(&mut self, node: &Node, what: &str, range: [i64; 2]) -> Option<At<i64>> {
        match &node.kind {
            NodeKind::Scalar(scalar) => self.whole_scalar(scalar, what, range),
            _ => {
                self.mismatch(node, &format!("{what} is a whole number"));
                None
            }
        }
    }

    pub fn whole_scalar(
        &mut self,
        scalar: &Scalar,
        what: &str,
        [least, most]: [i64; 2],
    ) -> Option<At<i64>> {
        let number = phrase::decimal(&scalar.text).filter(|_| scalar.is_plain);
        let whole = number.filter(|number| number.is_integer()).map(|n| n.to_integer().to_string());
        let text = whole.as_deref().unwrap_or(&scalar.text);
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        let is_whole = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        if !scalar.is_plain || !is_whole {
            let message = format!("{what} is a whole number");
            let found = Diagnostic::error("bad-type", scalar.span, message);
            if let Some(date) = dates::foreign(scalar, what) {
                self.found.push(*date);
                return None;
            }
            self.found.push(found.label(match number {
                Some(number) if !number.is_integer() => format!("{} is not whole", scalar.text),
                _ => format!("this is {}", scalar.what()),
            }));
            return None;
        }
        let value = text.parse().ok().filter(|value| (least..=most).contains(value));
        if value.is_none() {
            // What does not fit 64 bits is either far too large or far too small.
            let is_small = text.parse().map_or(text.starts_with('-'), |v: i64| v < least);
            let bound = if is_small { "at least" } else { "at most" };
            let limit = if is_small { least } else { most };
            self.error("out-of-range", scalar.span, format!("{what} is {bound} {limit}"));
        }
        value.map(|value| At::new(value, scalar.span))
    }

    /// A plain decimal.
    pub fn decimal(&mut self, scalar: &Scalar, what: &str) -> Option<At<Exact>> {
        let value = if scalar.is_plain { phrase::decimal(&scalar.text) } else { None };
        if value.is_none()
            && let Some(date) = dates::foreign(scalar, what)
        {
            self.found.push(*date);
        } else if value.is_none() {
            let message = format!("{what} is a number");
            let found = Diagnostic::error("bad-type", scalar.span, message);
            self.found.push(found.label(format!("this is {}", scalar.what())));
        }
        value.map(|value| At::new(value, scalar.span))
    }

    /// A file that cannot be read, at its place, or else where the spec names it.
    pub fn unread(&mut self, unread: &Unread, named: Span) {
        let found = Diagnostic::error(unread.code, unread.at.unwrap_or(named), unread.why.as_str());
        let found = match unread.at {
            Some(_) => found.related(named, "it is read for this"),
            None => found,
        };
        self.found.push(match unread.code {
            "not-utf8" => found.hint("a table of an older program may have `encoding: latin1`"),
            _ => found,
        });
    }

    /// Gives the key that was probably meant.
    fn unknown_key(&mut self, key: &Scalar, keys: &Keys) -> Option<&'static str> {
        let all = keys.entries.iter().map(|entry| entry.name);
        let message = format!("{} has no key `{}`", keys.what, key.text);
        let found = Diagnostic::error("unknown-key", key.span, message);
        if self.found.iter().count() > MAX_HINTS {
            self.found.push(found);
            return None;
        }
        let meant = nearest(&key.text, all.clone());
        self.found.push(match meant {
            _ if key.text.starts_with(|c: char| c.is_ascii_digit()) => {
                found.hint("a comma separates keys here: decimals are written with a point")
            }
            Some(name) => found.hint(format!("did you mean `{name}`?")),
            None => found.hint(format!("it may have {}", all.collect::<Vec<_>>().join(", "))),
        });
        meant
    }

    pub fn mismatch(&mut self, node: &Node, message: &str) {
        let found = Diagnostic::error("bad-type", node.span, message);
        let found = found.label(format!("this is {}", node.what()));
        self.found.push(match instead(message, node) {
            Some(hint) => found.hint(hint),
            None => found,
        });
    }
}

/// How a map or a list is written where the other one stands; `time: minute` is told by itself.
fn instead(message: &str, node: &Node) -> Option<&'static str> {
    match &node.kind {
        NodeKind::Map(_) if message.ends_with("is a list") => Some(
            "begin each entry with `- `, its name inside: `- {id: A, …}` or `- {name: cut, …}`",
        ),
        NodeKind::List(_) if message.contains("is a map") => {
            Some("write a name and a colon before each entry, without `- `: `saw: {…}`")
        }
        NodeKind::Scalar(_) if message.starts_with("`time`") => {
            Some("write `time: {unit: minute}`")
        }
        _ => None,
    }
}
