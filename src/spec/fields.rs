//! From nodes to maps with known keys, lists, names and numbers, collecting what is wrong.
//!
//! Every function gives `None` after it has said why, so that the caller goes on and the user
//! sees all of it at once.

use super::At;
use super::yaml::{Key, Kind, Node};
use crate::diagnostic::{Diagnostic, Diagnostics, Span, nearest};

/// The keys that a map may have: those understood, and those of the language that are not
/// supported yet.
pub struct Keys {
    pub known: &'static [&'static str],
    pub later: &'static [&'static str],
}

/// A map whose keys have been looked at.
pub struct Fields<'n> {
    entries: Vec<(&'n Key, &'n Node)>,
    what: &'static str,
    span: Span,
}

/// Collects what is found wrong.
pub struct Reader<'d> {
    pub found: &'d mut Diagnostics,
}

impl<'n> Fields<'n> {
    pub fn get(&self, name: &str) -> Option<&'n Node> {
        self.entries.iter().find(|(key, _)| key.text == name).map(|&(_, node)| node)
    }
}

impl Reader<'_> {
    /// The value of a key that must be there.
    pub fn required<'n>(&mut self, fields: &Fields<'n>, name: &str) -> Option<&'n Node> {
        let node = fields.get(name);
        if node.is_none() {
            let message = format!("{} needs `{name}`", fields.what);
            self.found.push(Diagnostic::error("missing-key", fields.span, message));
        }
        node
    }

    /// A map with these keys; `what` names it with its article, as in "a step".
    pub fn fields<'n>(
        &mut self,
        node: &'n Node,
        what: &'static str,
        keys: &Keys,
    ) -> Option<Fields<'n>> {
        let mut entries = Vec::new();
        for (key, value) in self.map(node, what)? {
            let name = key.text.as_str();
            if keys.known.contains(&name) {
                entries.push((key, value));
            } else if keys.later.contains(&name) {
                self.unsupported(key.span, &format!("`{name}` of {what}"));
            } else {
                self.unknown_key(key, what, keys);
            }
        }
        Some(Fields { entries, what, span: node.span })
    }

    /// A map with keys of the user's own choice; repeated ones are reported and left out.
    pub fn map<'n>(&mut self, node: &'n Node, what: &str) -> Option<Vec<(&'n Key, &'n Node)>> {
        let Kind::Map(entries) = &node.kind else {
            self.mismatch(node, &format!("{what} is a map of keys and values"));
            return None;
        };
        let mut first = std::collections::BTreeMap::new();
        let mut kept = Vec::new();
        for (key, value) in entries {
            if let Some(&place) = first.get(key.text.as_str()) {
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

    pub fn list<'n>(&mut self, node: &'n Node, what: &str) -> Option<&'n [Node]> {
        if let Kind::List(items) = &node.kind {
            return Some(items);
        }
        self.mismatch(node, &format!("{what} is a list"));
        None
    }

    /// Any scalar, as the text it is; numbers may serve as names.
    pub fn text(&mut self, node: &Node, what: &str) -> Option<At<String>> {
        match &node.kind {
            Kind::Scalar { text, .. } if !text.trim().is_empty() => {
                Some(At { value: text.clone(), span: node.span })
            }
            Kind::Scalar { .. } => {
                let message = format!("{what} must not be empty");
                self.found.push(Diagnostic::error("bad-value", node.span, message));
                None
            }
            _ => {
                self.mismatch(node, &format!("{what} is a text"));
                None
            }
        }
    }

    /// A key as a name.
    pub fn name(&mut self, key: &Key, what: &str) -> Option<At<String>> {
        if key.text.trim().is_empty() {
            let message = format!("{what} must not be empty");
            self.found.push(Diagnostic::error("bad-value", key.span, message));
            return None;
        }
        Some(At { value: key.text.clone(), span: key.span })
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

    /// A plain whole number, in decimal digits.
    pub fn whole(&mut self, node: &Node, what: &str) -> Option<At<i64>> {
        let value = match &node.kind {
            Kind::Scalar { text, is_plain: true } => whole(text),
            _ => None,
        };
        if value.is_none() {
            self.mismatch(node, &format!("{what} is a whole number"));
        }
        value.map(|value| At { value, span: node.span })
    }

    pub fn unsupported(&mut self, span: Span, what: &str) {
        let message = format!("{what} is not supported yet");
        self.found.push(Diagnostic::error("unsupported", span, message));
    }

    fn unknown_key(&mut self, key: &Key, what: &str, keys: &Keys) {
        let all = keys.known.iter().chain(keys.later).copied();
        let message = format!("{what} has no key `{}`", key.text);
        let found = Diagnostic::error("unknown-key", key.span, message);
        self.found.push(match nearest(&key.text, all.clone()) {
            Some(name) => found.hint(format!("did you mean `{name}`?")),
            None => found.hint(format!("it may have {}", all.collect::<Vec<_>>().join(", "))),
        });
    }

    fn mismatch(&mut self, node: &Node, message: &str) {
        let found = Diagnostic::error("bad-type", node.span, message);
        self.found.push(found.label(format!("this is {}", node.what())));
    }
}

/// `None` also where it does not fit 64 bits.
pub fn whole(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_whole = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    if is_whole { text.parse().ok() } else { None }
}
