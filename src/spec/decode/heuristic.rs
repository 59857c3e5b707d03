//! `heuristics`: words, and maps for those that carry a number.

use crate::diagnostic::{Diagnostic, Span};
use crate::spec::fields::Reader;
use crate::spec::language::HEURISTIC_MAP;
use crate::spec::yaml::{Kind, Node};
use crate::spec::{At, Heuristic, MAX_TIME};

impl Reader<'_> {
    /// A list, or a single one.
    pub fn heuristics(&mut self, node: &Node) -> Vec<At<Heuristic>> {
        let items = match &node.kind {
            Kind::List(items) => items.as_slice(),
            _ => std::slice::from_ref(node),
        };
        let mut all: Vec<At<Heuristic>> = Vec::new();
        for item in items {
            for next in self.heuristic(item) {
                let first = all.iter().find(|h| h.value.name() == next.value.name());
                if let Some(first) = first {
                    let message =
                        format!("the heuristic `{}` stands here twice", next.value.name());
                    let found = Diagnostic::error("duplicate-name", next.span, message);
                    self.found.push(found.related(first.span, "the first one"));
                } else {
                    all.push(next);
                }
            }
        }
        all
    }

    fn heuristic(&mut self, node: &Node) -> Vec<At<Heuristic>> {
        if matches!(node.kind, Kind::Map(_)) {
            return self.numbered(node);
        }
        let Some(word) = self.text(node, "a heuristic") else { return Vec::new() };
        let heuristic = match word.value.as_str() {
            "greedy" => Heuristic::Greedy,
            "non-lazy" => Heuristic::NonLazy,
            "non-overtaking" => Heuristic::NonOvertaking,
            "max-active" | "start-within" => {
                let example = if word.value == "max-active" { "3" } else { "2d" };
                let message = format!("`{}` needs a value", word.value);
                let found = Diagnostic::error("bad-value", word.span, message);
                self.found.push(found.hint(format!("write `{{{}: {example}}}`", word.value)));
                return Vec::new();
            }
            _ => {
                self.unknown_heuristic(&word.value, word.span);
                return Vec::new();
            }
        };
        vec![At::new(heuristic, word.span)]
    }

    fn numbered(&mut self, node: &Node) -> Vec<At<Heuristic>> {
        let mut all = Vec::new();
        let Some(entries) = self.map(node, HEURISTIC_MAP.what) else { return all };
        if entries.is_empty() {
            self.error("bad-value", node.span, "this heuristic has no name");
        }
        for (key, value) in entries {
            let heuristic = match key.text.as_str() {
                "max-active" => {
                    let most = self.whole(value, "`max-active`", [1, MAX_TIME]);
                    most.map(|most| Heuristic::MaxActive(most.value))
                }
                "start-within" => self.expression(value, "a duration").map(Heuristic::StartWithin),
                "greedy" | "non-lazy" | "non-overtaking" => {
                    let message = format!("`{}` stands alone, without a value", key.text);
                    self.error("bad-value", key.span, message);
                    None
                }
                _ => {
                    self.unknown_heuristic(&key.text, key.span);
                    None
                }
            };
            all.extend(heuristic.map(|heuristic| At::new(heuristic, key.span)));
        }
        all
    }

    fn unknown_heuristic(&mut self, name: &str, span: Span) {
        const ALL: [&str; 5] =
            ["greedy", "non-lazy", "non-overtaking", "max-active", "start-within"];
        let message = format!("there is no heuristic `{name}`");
        let found = Diagnostic::error("unknown-name", span, message).did_you_mean(name, ALL);
        self.found.push(match found.hint {
            Some(_) => found,
            None => found.hint(format!("the heuristics are {}", ALL.join(", "))),
        });
    }
}
