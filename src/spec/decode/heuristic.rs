//! `heuristics`: words, and maps for those that carry a number.

use crate::fields::Decoder;
use crate::form::{Entry, Form};
use crate::heuristic::Argument;
use crate::language::HEURISTIC_MAP;
use crate::yaml::{Node, NodeKind};
use crate::{At, Heuristic, LayoutHeuristic, MAX_TIME};
use takt_diagnostic::{Diagnostic, Span};

impl Decoder<'_> {
    /// A list, or a single one.
    pub fn heuristics(&mut self, node: &Node) -> Vec<At<Heuristic>> {
        let mut all: Vec<At<Heuristic>> = Vec::new();
        for next in items(node).iter().flat_map(|item| self.heuristic(item)).collect::<Vec<_>>() {
            match all.iter().find(|known| known.value.name() == next.value.name()) {
                Some(first) => self.stands_twice(next.value.name(), next.span, first.span),
                None => all.push(next),
            }
        }
        all
    }

    /// Those of a layout: words only.
    pub fn layout_heuristics(&mut self, node: &Node) -> Vec<At<LayoutHeuristic>> {
        let mut all: Vec<At<LayoutHeuristic>> = Vec::new();
        for item in items(node) {
            let Some(word) = self.text(item, "a heuristic") else { continue };
            let Some(heuristic) = LayoutHeuristic::named(&word.value) else {
                let names = LayoutHeuristic::ALL.map(LayoutHeuristic::name);
                self.unknown_heuristic(&word.value, word.span, "of layouts ", &names);
                continue;
            };
            match all.iter().find(|known| known.value == heuristic) {
                Some(first) => self.stands_twice(heuristic.name(), word.span, first.span),
                None => all.push(At::new(heuristic, word.span)),
            }
        }
        all
    }

    fn stands_twice(&mut self, name: &str, again: Span, first: Span) {
        let message = format!("the heuristic `{name}` stands here twice");
        let found = Diagnostic::error("duplicate-name", again, message);
        self.found.push(found.related(first, "the first one"));
    }

    fn heuristic(&mut self, node: &Node) -> Vec<At<Heuristic>> {
        if matches!(node.kind, NodeKind::Map(_)) {
            return self.numbered(node);
        }
        let Some(word) = self.text(node, "a heuristic") else { return Vec::new() };
        if let Some(heuristic) = Heuristic::new(&word.value, Argument::None) {
            return vec![At::new(heuristic, word.span)];
        }
        match HEURISTIC_MAP.entries.iter().find(|entry| entry.name == word.value) {
            Some(entry) => {
                let example = if matches!(entry.form, Form::Duration) { "2d" } else { "3" };
                let message = format!("`{}` needs a value", word.value);
                let found = Diagnostic::error("bad-value", word.span, message);
                self.found.push(found.hint(format!("write `{{{}: {example}}}`", word.value)));
            }
            None => self.unknown_heuristic(&word.value, word.span, "", &Heuristic::NAMES),
        }
        Vec::new()
    }

    fn numbered(&mut self, node: &Node) -> Vec<At<Heuristic>> {
        let mut all = Vec::new();
        let Some(entries) = self.map(node, HEURISTIC_MAP.what) else { return all };
        if entries.is_empty() {
            self.error("bad-value", node.span, "this heuristic has no name");
        }
        for (key, value) in entries {
            let name = key.text.as_str();
            let argument = match HEURISTIC_MAP.entries.iter().find(|entry| entry.name == name) {
                Some(Entry { form: Form::Duration, .. }) => {
                    self.expression(value, "a duration").map(Argument::Time)
                }
                Some(_) => {
                    let count = self.whole(value, &format!("`{name}`"), [1, MAX_TIME]);
                    count.map(|count| Argument::Count(count.value))
                }
                None if Heuristic::NAMES.contains(&name) => {
                    let message = format!("`{name}` stands alone, without a value");
                    self.error("bad-value", key.span, message);
                    None
                }
                None => {
                    self.unknown_heuristic(name, key.span, "", &Heuristic::NAMES);
                    None
                }
            };
            let heuristic = argument.and_then(|argument| Heuristic::new(name, argument));
            all.extend(heuristic.map(|heuristic| At::new(heuristic, key.span)));
        }
        all
    }

    fn unknown_heuristic(&mut self, name: &str, span: Span, whose: &str, all: &[&str]) {
        let message = format!("there is no heuristic `{name}`");
        let near = all.iter().copied();
        let found = Diagnostic::error("unknown-name", span, message).did_you_mean(name, near);
        self.found.push(match found.hint {
            Some(_) => found,
            None => found.hint(format!("the heuristics {whose}are {}", all.join(", "))),
        });
    }
}

/// A list, or a single one.
fn items(node: &Node) -> &[Node] {
    match &node.kind {
        NodeKind::List(items) => items,
        _ => std::slice::from_ref(node),
    }
}
